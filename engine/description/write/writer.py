"""State and helpers shared by the writers of all sections: columns, class values, node construction."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core.model import MjModel
from ..compile.plugins import PLUGINS
from ..compile.resolve import Compilation
from ..elements.element import Element
from ..elements.elements import MjsDefault
from ..files import resources
from ..language.xml_text import numbers, singles
from ..language.xmltree import Node
from .write_table import Word, base_values, plain


class Writer:
    """The state of writing one MJCF text: the compilation `c`, its Model `m` if needed, columns as plain values, class
    values."""

    # set by the writer of the whole text: the unchanged Model, the text's folder, whether to write all inertias
    fresh: Any
    folder: str | None
    own_inertia: bool
    layout: Any
    m: Any
    aligned: Any

    def __init__(self, c: Compilation, m: MjModel | None, given: bool) -> None:
        self.c, self.m, self.given, self.spec = c, m, given, c.spec
        # options are the same in a spec and in the Model compiled from it
        self.option, self.visual = (m.opt, m.vis) if m is not None else (c.spec.option, c.spec.visual)
        self.columns, self.bases, self.plans = {}, {}, {}
        self.classes, todo = {c.spec.default}, [c.spec.default]
        while todo:
            children = todo.pop().children
            self.classes.update(children)
            todo += children
        self.widths: dict[str, int] = dict(
            zip(("body", "joint", "geom", "site", "camera", "tendon", "actuator", "sensor"), c.nuser.values())
        )

    def class_of(self, e: Element) -> Any:
        """Return the class of an element; the main class if the element has none, or one that was deleted."""
        return e.default if e.default in self.classes else self.spec.default

    def column(self, kind: str, field: str) -> list[Any]:
        """Return a field of all elements of a kind, in id order, as values that can be compared with those of `base`."""
        values = self.columns.get((kind, field))
        if values is None:
            values = self.columns[kind, field] = self._column(kind, field)
        return values

    def _column(self, kind: str, field: str) -> list[Any]:
        table = getattr(self.c, kind)
        row = table.rows[field]
        if field == "userdata":
            return [tuple(u) for u in table.user(self.widths[kind]).tolist()]
        if row.type in ("str", "chr") or row.count < 0:
            return [plain(row, e.raw[field]) for e in table.elems]
        values = getattr(table, field)
        if row.type == "f4":
            values = singles(values).reshape(np.shape(values))
        rows: Any = values.tolist()
        return [tuple(v) for v in rows] if row.count else rows

    def base(self, kind: str, default: MjsDefault) -> dict[str, Any]:
        """Return {field: value} with which elements of a class start."""
        key = kind, id(default)
        values = self.bases.get(key)
        if values is None:
            values = self.bases[key] = base_values(kind, default)
            width = self.widths.get(kind)
            if width is not None and "userdata" in values:
                values["userdata"] = (tuple(values["userdata"]) + (0.0,) * width)[:width]
            if kind == "camera" and width is not None:
                # cameras do not take user data from their class
                values["userdata"] = (0.0,) * width
        return values

    def fill(self, node: Node, kind: str, i: int, words: list[Word], changes: Mapping[Any, Any] | None = None) -> None:
        """Write the attributes of element i that differ from its class.

        `changes` replaces values by field; None leaves an attribute out. `words` must outlive the writer, which caches by its
        id.
        """

        default = self.class_of(getattr(self.c, kind).elems[i])
        rows = self.plans.get((kind, id(words), id(default)))
        if rows is None:
            base = self.base(kind, default)
            rows = self.plans[kind, id(words), id(default)] = [
                (w, w.field, *self._plan(kind, w, base)) for w in self._wanted(kind, default, words)
            ]

        for w, field, column, base in rows:
            value = column[i]
            if changes is not None and field in changes:
                value = changes[field]
                if value is None:
                    continue
            if value != base:
                text = w.text(value, base)
                if text:
                    node.attrs[w.name] = text

    def _wanted(self, kind: str, default: MjsDefault, words: list[Word]) -> list[Word]:
        """Return the attributes that elements of a class may need: attributes that the class, or any of its elements, sets."""
        if self.m is not None or self.c.discard:
            return words
        table, above = getattr(self.c, kind), default.nearest(kind) if kind in MjsDefault.KINDS else None
        unset = [
            w.field for w in words if table.untouched(w.field) and (above is None or above.raw[w.field] is above.blank[w.field])
        ]
        return [
            w
            for w in words
            if w.field not in unset or w.row.rest and w.row.rest not in unset and not table.untouched(w.row.rest)
        ]

    def _plan(self, kind: str, w: Word, base: dict[str, Any]) -> tuple[list[Any], Any]:
        """Return (column, start value) of an attribute; for polynomials, all coefficients if any element has more than one."""
        column, start = self.column(kind, w.field), base[w.field]
        if w.row.rest:
            more, least = self.column(kind, w.row.rest), base[w.row.rest]
            if any(least) or any(map(any, more)):
                return [(a, *b) for a, b in zip(column, more)], (start, *least)
        return column, start

    def head(self, node: Node, e: Element, context: str = "main") -> None:
        """Write an element's name and class; `context` is the class that applies if the attribute is missing."""
        put(node, "name", e.name)
        name = self.class_of(e).name
        if name != context:
            node.attrs["class"] = name


def put(node: Node, name: str, text: str) -> None:
    """Set an attribute unless its text is empty."""
    if text:
        node.attrs[name] = text


def add(node: Node, tag: str) -> Node:
    """Append a new node to another's children and return it."""
    child = Node(tag, {})
    node.add(child)
    return child


def drop_empty(parent: Node, node: Node) -> None:
    """Remove the last child if it is empty."""
    if not node.attrs and not node.children:
        parent.children.remove(node)


def write_plugin(node: Node, ref: Any) -> None:
    """Write an element's plugin reference: a named instance, or plugin and configuration."""
    if ref.raw["name"]:
        node.attrs["instance"] = ref.raw["name"]
    else:
        node.attrs["plugin"] = ref.raw["plugin_name"]
        write_config(node, ref.source)


def write_config(node: Node, instance: Any) -> None:
    """Write keys and values of a plugin instance, in the plugin's order."""
    order = PLUGINS[instance.raw["plugin_name"]].attributes
    for key in sorted(instance.config, key=lambda k: order.index(k) if k in order else len(order)):
        if instance.config[key]:
            add(node, "config").attrs.update(key=key, value=instance.config[key])


def springlength(value: Sequence[float], base: Sequence[float]) -> str:
    """Return the text of a spring length: one number if both ends agree, in the class as well as in the element."""
    if value == base:
        return ""
    return numbers(value[:1] if value[0] == value[1] and base[0] == base[1] else value)


INTRINSICS = (
    ("focal", "focal_length"),
    ("focalpixel", "focal_pixel"),
    ("principal", "principal_length"),
    ("principalpixel", "principal_pixel"),
)


def intrinsics(node: Node, value: dict[str, Any], base: dict[str, Any]) -> None:
    """Write a camera's resolution and intrinsics, which must be given together."""
    fields = ("resolution", "sensor_size", *(f for _, f in INTRINSICS))
    changed = [f for f in fields if value[f] != base[f]]
    if changed:
        put(node, "resolution", numbers(value["resolution"]))
    if set(changed) - {"resolution"} and value["sensor_size"][0] > 0 and value["sensor_size"][1] > 0:
        node.attrs["sensorsize"] = numbers(value["sensor_size"])
        for name, field in INTRINSICS:
            if value[field] != base[field]:
                node.attrs[name] = numbers(value[field])


def asset_file(w: Writer, e: Element, folder: str, name: str) -> str:
    """Return the name of an asset's file relative to the spec's folder."""
    if not name:
        return ""
    if w.spec.strippath:
        name = resources.basename(name)
    if e.compiler is w.spec.compiler or resources.is_absolute(name):
        return name
    mine, path = resources.join(w.spec.modelfiledir, w.spec.compiler.raw[folder]), w.c.file_of(e, name, folder)
    if resources.is_absolute(path) or not mine:
        return path
    return os.path.relpath(path, mine).replace(os.sep, "/")
