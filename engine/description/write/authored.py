"""MJCF text of a spec with values as given, not as compiled (compiler savecompiled="false", since MuJoCo 3.16).

Elements are written from their own fields, by the rows of the grammar, without the values that their class gives them. Frames
keep poses and scales. `notation` determines how orientations, angles and end points are written.
"""

import functools
import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...tables.compat_rows import holds
from ..compile.driver import compile_spec
from ..compile.resolve import Compilation
from ..elements.element import Element
from ..elements.elements import MjsDefault
from ..elements.spec import OBJECTS, MjSpec
from ..language.errors import SpecError
from ..language.orient import matrix
from ..language.schema import Elem
from ..language.types import AUTO
from ..language.xml_text import LINE, numbers, singles
from ..language.xmltree import Node
from .assets import FACES
from .notation import Notation
from .write_table import DEFAULTS, Word, element_of, plain
from .writer import Writer, add, asset_file, drop_empty, put, write_plugin

# tag in the default section for each kind
CLASSES = {**DEFAULTS, "texture": "texture"}
# quaternion field -> field of the alternative orientation that takes precedence
FORM = {"quat": "alt", "iquat": "ialt"}
# attributes that duplicate another one, are not fields, or are written by their own functions
OTHERS = frozenset(
    "name class childclass directional projection file gridlayout elevation joint jointinparent tendon cranksite site body "
    "plugin instance".split()
) | frozenset(FACES)
# fields that are not taken from a class, because no text could reset them to their default
OWN = frozenset(("ctrlspec",))
SENSOR = "focal focalpixel principal principalpixel".split()
# settings that affect compilation, and that a file can contain only once
DECISIVE = "autolimits boundmass boundinertia balanceinertia inertiafromgeom inertiagrouprange alignfree".split()


@functools.cache
def _words(elem: Elem, cls: type) -> list[Word]:
    return [
        Word(row, cls.rows, row.varies and row.high > 0)
        for name, row in elem.attrs.items()
        if row.field in cls.rows and name not in OTHERS
    ]


@functools.cache
def _given(kind: str) -> frozenset:
    """Return the fields that elements of a kind inherit from a default class when the text is read."""
    return (
        frozenset(f for row in element_of("default/" + CLASSES[kind]).attrs.values() for f in (row.field, row.rest) if f) - OWN
    )


class AsWritten(Writer):
    """A writer whose columns are the fields of the elements."""

    def __init__(self, spec: MjSpec, folder: str | None) -> None:
        c: Any = Compilation(spec, None)
        c.discard = c.fuse = False
        c.nuser = {}
        for kind in OBJECTS:
            setattr(c, kind, SimpleNamespace(elems=spec.parts[kind], n=len(spec.parts[kind])))
        super().__init__(c, None, False)
        self.folder = folder
        self.notation = Notation(spec, bool(spec.compiler.raw["savecanonical"]))
        self.starts = {}
        _check_settings(spec)
        # the compiled model; needed to write inertias (`saveinertial`) and keyframes stored by element
        self.model = compile_spec(spec) if spec.compiler.raw["saveinertial"] or spec.pending_keys else None

    def _column(self, kind: str, field: str) -> list[Any]:
        rows = OBJECTS[kind][1].rows
        return [plain(rows[field], self.notation.fields(e)[field]) for e in getattr(self.c, kind).elems]

    def _wanted(self, kind: str, default: MjsDefault, words: list[Word]) -> list[Word]:
        return words

    def start(self, kind: str, default: MjsDefault | None, blank: dict[str, Any]) -> dict:
        """Return the fields with which an element starts when the text is read."""
        key = kind, id(default)
        found = self.starts.get(key)
        if found is None:
            above = default.nearest(kind) if default is not None and kind in MjsDefault.KINDS and kind in CLASSES else None
            given = _given(kind) if above is not None else ()
            raw = {} if above is None else self.notation.fields(above)
            found = self.starts[key] = blank | {f: raw[f] for f in given if f in raw}
            if kind == "tendon" and default is None and holds("tendon_auto", self.spec.compat_bits):
                # with this change, tendons of the main class start with another value when the text is read
                found["actfrclimited"] = AUTO
            if kind == "camera":
                # cameras do not take user data from their class
                found["userdata"] = ()
        return found

    def attributes(self, node: Node, elem: Elem, e: Element, base: dict[str, Any], skip: Sequence[str] = ()) -> None:
        """Write the attributes in which an element differs from `base`, the fields with which it starts."""

        raw, rows = self.notation.fields(e), e.rows
        for w in _words(elem, type(e)):
            field = w.field
            if w.name in skip or raw[field] is base[field] and not w.row.rest:
                continue

            # write an alternative orientation
            if w.row.alt:
                if raw[field][0] == w.row.alt and tuple(raw[field]) != tuple(base[field]):
                    node.attrs[w.name] = numbers(raw[field][1])
                continue

            # write a quaternion, which must override an alternative orientation
            form = FORM.get(field)
            if form and (raw[form][0] or base[form][0]):
                if not raw[form][0]:
                    self._instead(node, raw[field])
                continue

            # write any other value, with all coefficients of a polynomial
            value, least = plain(rows[field], raw[field]), plain(rows[field], base[field])
            if w.row.rest and (any(raw[w.row.rest]) or any(base[w.row.rest])):
                value, least = (value, *raw[w.row.rest]), (least, *base[w.row.rest])
            if value != least:
                _write(node, w, value, least, e)

    def _instead(self, node: Node, quat: Sequence[float]) -> None:
        """Write an orientation that overrides the class's alternative orientation. Before 3.16, a quaternion does not override
        it."""
        if holds("quat_own", self.spec.compat_bits):
            node.attrs["quat"] = numbers(quat)
        else:
            axes = matrix(quat)
            node.attrs["xyaxes"] = numbers((*axes[::3], *axes[1::3]))

    def element(self, node: Node, elem: Elem, e: Element, kind: str, skip: tuple[Any, ...] = ()) -> None:
        """Write the attributes of an element that has a class."""
        self.attributes(node, elem, e, self.start(kind, self.class_of(e), e.blank), skip)


def _write(node: Node, w: Word, value: Any, least: Any, e: Element) -> None:
    """Write one attribute; SpecError if XML cannot unset a value that the class gives."""
    unset, unset_above = _is_unset(value), _is_unset(least)
    if unset and not unset_above:
        raise SpecError(f"{e.kind} '{e.name}' has no {w.name}, but its class has one, which XML cannot express", e.place)
    text = "" if unset else w.text(value, least)
    if text or value == "":
        node.attrs[w.name] = text


def _is_unset(value: Any) -> bool:
    first = value[0] if isinstance(value, tuple) and value else value
    return isinstance(first, float) and math.isnan(first)


def _check_settings(spec: MjSpec) -> None:
    """Raise SpecError if an attached part has other compiler settings, which would change the result."""
    mine = spec.compiler.raw
    bodies = spec.all_bodies()
    found = {
        e.compiler
        for e in (*bodies, *spec.parts["tendon"], *spec.parts["actuator"], *(j for b in bodies for j in b.parts["joint"]))
    }
    for other in found - {spec.compiler, None}:
        for name in DECISIVE:
            if other.raw[name] != mine[name]:
                raise SpecError(
                    f"an attached model has another setting {name} than the model, but one XML file can have only one"
                )


# ---- default classes and assets


def classes(w: AsWritten, root: Node, default: Any = None, parent: MjsDefault | None = None) -> None:
    """Write a default class and its subclasses: attributes that differ from the parent class."""
    default = default or w.spec.default
    node = add(root, "default")
    put(node, "class", default.name if default.name != "main" or parent is not None else "")
    for kind, tag in CLASSES.items():
        element = default.nearest(kind)
        if element is None:
            continue
        base, child, elem = w.start(kind, parent, element.blank), add(node, tag), element_of("default/" + tag)
        w.attributes(child, elem, element, base, ("input",))
        if kind == "material":
            _textures(child, element.raw["textures"], base["textures"])
        if kind == "camera":
            intrinsics(child, elem, element)
        drop_empty(node, child)
    for child in default.children:
        classes(w, node, child, default)
    if parent is None:
        drop_empty(root, node)


def _textures(node: Node, value: Sequence[str], base: tuple[Any, ...]) -> None:
    """Write a material's textures: if only the color texture changed, as an attribute, otherwise a layer for each changed
    role."""
    value, base = tuple(value) or ("",) * 10, tuple(base) or ("",) * 10
    changed = [role for role in range(len(value)) if value[role] != base[role]]
    if changed == [1]:
        node.attrs["texture"] = value[1]
    else:
        roles = {k: name for name, k in element_of("asset/material/layer").attrs["role"].words.items()}
        for role in changed:
            add(node, "layer").attrs.update(texture=value[role], role=roles[role])


def intrinsics(node: Node, elem: Elem, e: Element) -> None:
    """Write the attributes that a reader requires in addition to a camera's intrinsics."""
    attrs = node.attrs
    if "sensorsize" in attrs or any(name in attrs for name in SENSOR):
        for name in ("sensorsize", "resolution"):
            attrs[name] = numbers(
                singles(e.raw[elem.attrs[name].field]).tolist() if name == "sensorsize" else e.raw["resolution"]
            )
        attrs.pop("fovy", None)


def assets(w: AsWritten, root: Node) -> None:
    section = add(root, "asset")
    for kind, write in (("texture", _texture), ("material", _material), ("mesh", _mesh), ("hfield", _hfield)):
        for e in w.spec.parts[kind]:
            node, elem = add(section, kind), element_of("asset/" + kind)
            w.head(node, e) if kind != "hfield" else put(node, "name", e.name)
            w.element(node, elem, e, kind)
            write(w, node, e)
    drop_empty(root, section)


def _texture(w: AsWritten, node: Node, e: Element) -> None:
    raw = e.raw
    if not raw["builtin"] and not raw["file"] and not any(raw["cubefiles"]):
        raise SpecError(f"texture '{e.name}' has neither files nor a builtin type: pixels cannot be written as XML", e.place)
    for name, file in zip(("file", *FACES), (raw["file"], *raw["cubefiles"])):
        put(node, name, asset_file(w, e, "texturedir", file))
    if tuple(raw["gridsize"]) != (1, 1):
        node.attrs["gridlayout"] = raw["gridlayout"][: raw["gridsize"][0] * raw["gridsize"][1]]


def _material(w: AsWritten, node: Node, e: Element) -> None:
    _textures(node, e.raw["textures"], w.start("material", w.class_of(e), e.blank)["textures"])


def _mesh(w: AsWritten, node: Node, e: Element) -> None:
    put(node, "file", asset_file(w, e, "meshdir", e.raw["file"]))
    plugin(node, e)


def _hfield(w: AsWritten, node: Node, e: Element) -> None:
    raw = e.raw
    node.attrs["size"] = numbers(raw["size"])
    if raw["file"]:
        node.attrs["file"] = asset_file(w, e, "meshdir", raw["file"])
    elif len(raw["userdata"]) and np.any(raw["userdata"]):
        # the file lists rows from top to bottom, one per line
        data = singles(raw["userdata"]).reshape(raw["nrow"], raw["ncol"])[::-1]
        node.attrs["elevation"] = "".join(LINE + numbers(row) for row in data.tolist())


def plugin(node: Node, e: Element) -> None:
    """Write an element's plugin, if it has one."""
    ref = e.raw.get("plugin")
    if ref is not None and ref.raw["active"]:
        write_plugin(add(node, "plugin"), ref)
