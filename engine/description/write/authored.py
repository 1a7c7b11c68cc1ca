"""MjSpec → MJCF as it is written in the spec: values as they were given, not what compiling made of them (compiler savecompiled="false", of 3.16).

Elements are written attribute by attribute from their own fields, by the rows of the grammar, without what their class gives them. Frames keep their poses
and scales. `notation` says how orientations, angles and end points are written.
"""

import functools
import math
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...tables.compat_rows import holds
from ..compile.driver import compile_spec
from ..compile.resolve import Compilation
from ..elements.elements import MjsDefault
from ..elements.spec import OBJECTS
from ..language.errors import SpecError
from ..language.orient import matrix
from ..language.types import AUTO
from ..language.xml_text import LINE, numbers, singles
from .assets import FACES
from .notation import Notation
from .rows import DEFAULTS, Word, element_of, plain
from .writer import Writer, add, asset_file, drop_empty, put, write_plugin

# element of the default section for each kind
CLASSES = {**DEFAULTS, "texture": "texture"}
# quaternion: the form that counts instead of it
FORM = {"quat": "alt", "iquat": "ialt"}
# attributes that stand for the same field as another one, that are no fields, or that have writers of their own
OTHERS = frozenset(
    "name class childclass directional projection file gridlayout elevation joint jointinparent tendon cranksite site body plugin "
    "instance".split()
) | frozenset(FACES)
# fields of elements alone: no word takes back what a class would hand on
OWN = frozenset(("ctrlspec",))
SENSOR = "focal focalpixel principal principalpixel".split()
# settings that change what is compiled, and that a text has once
DECISIVE = "autolimits boundmass boundinertia balanceinertia inertiafromgeom inertiagrouprange alignfree".split()


@functools.cache
def _words(elem, cls) -> list[Word]:
    return [
        Word(row, cls.rows, row.varies and row.high > 0)
        for name, row in elem.attrs.items()
        if row.field in cls.rows and name not in OTHERS
    ]


@functools.cache
def _given(kind) -> frozenset:
    """Fields that a class of the text hands on to elements of a kind."""
    return (
        frozenset(f for row in element_of("default/" + CLASSES[kind]).attrs.values() for f in (row.field, row.rest) if f) - OWN
    )


class AsWritten(Writer):
    """A writer whose columns are the fields of elements themselves."""

    def __init__(self, spec, folder):
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
        # what `saveinertial` asks for, by body
        self.model = compile_spec(spec) if spec.compiler.raw["saveinertial"] or spec.pending_keys else None

    def _column(self, kind, field):
        rows = OBJECTS[kind][1].rows
        return [plain(rows[field], self.notation.fields(e)[field]) for e in getattr(self.c, kind).elems]

    def _wanted(self, kind, default, words):
        return words

    def start(self, kind, default, blank) -> dict:
        """The fields that an element starts from when the text is read."""
        key = kind, id(default)
        found = self.starts.get(key)
        if found is None:
            above = default.nearest(kind) if default is not None and kind in MjsDefault.KINDS and kind in CLASSES else None
            given = _given(kind) if above is not None else ()
            raw = {} if above is None else self.notation.fields(above)
            found = self.starts[key] = blank | {f: raw[f] for f in given if f in raw}
            if kind == "tendon" and default is None and holds("tendon_auto", self.spec.compat_bits):
                # what the main class has then, before a text says anything
                found["actfrclimited"] = AUTO
            if kind == "camera":
                # of cameras alone, it does not come from the class
                found["userdata"] = ()
        return found

    def attributes(self, node, elem, e, base, skip=()) -> None:
        """The attributes of an element in which it differs from what it starts from."""
        raw, rows = self.notation.fields(e), e.rows
        for w in _words(elem, type(e)):
            field = w.field
            if w.name in skip or raw[field] is base[field] and not w.row.rest:
                continue
            if w.row.alt:
                if raw[field][0] == w.row.alt and tuple(raw[field]) != tuple(base[field]):
                    node.attrs[w.name] = numbers(raw[field][1])
                continue
            form = FORM.get(field)
            if form and (raw[form][0] or base[form][0]):
                if not raw[form][0]:
                    self._instead(node, raw[field])
                continue
            value, least = plain(rows[field], raw[field]), plain(rows[field], base[field])
            if w.row.rest and (any(raw[w.row.rest]) or any(base[w.row.rest])):
                value, least = (value, *raw[w.row.rest]), (least, *base[w.row.rest])
            if value != least:
                _write(node, w, value, least, e)

    def _instead(self, node, quat):
        """An orientation in the place of the one that the class has in another form, which a quaternion does not replace before 3.16."""
        if holds("quat_own", self.spec.compat_bits):
            node.attrs["quat"] = numbers(quat)
        else:
            axes = matrix(quat)
            node.attrs["xyaxes"] = numbers((*axes[::3], *axes[1::3]))

    def element(self, node, elem, e, kind, skip=()) -> None:
        """Attributes of an element that has a class."""
        self.attributes(node, elem, e, self.start(kind, self.class_of(e), e.blank), skip)


def _write(node, w, value, least, e):
    """One attribute; SpecError if a text cannot take back what the class gives."""
    unset, unset_above = _is_unset(value), _is_unset(least)
    if unset and not unset_above:
        raise SpecError(f"{e.kind} '{e.name}' has no {w.name}, which its class has: that cannot be written as XML", e.place)
    text = "" if unset else w.text(value, least)
    if text or value == "":
        node.attrs[w.name] = text


def _is_unset(value):
    first = value[0] if isinstance(value, tuple) and value else value
    return isinstance(first, float) and math.isnan(first)


def _check_settings(spec):
    """SpecError if an attached part was made under settings that compile to something else than those of the spec."""
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
                    f"the setting {name} of an attached model is not that of the model: as written, a text has one setting"
                )


# ---- default classes and assets


def classes(w, root, default=None, parent=None) -> None:
    """A class, and those below it: what differs from the class above."""
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


def _textures(node, value, base):
    """Textures of a material by their roles: one of colour as an attribute, else one layer a role."""
    value, base = tuple(value) or ("",) * 10, tuple(base) or ("",) * 10
    changed = [role for role in range(len(value)) if value[role] != base[role]]
    if changed == [1]:
        node.attrs["texture"] = value[1]
    else:
        roles = {k: name for name, k in element_of("asset/material/layer").attrs["role"].words.items()}
        for role in changed:
            add(node, "layer").attrs.update(texture=value[role], role=roles[role])


def intrinsics(node, elem, e) -> None:
    """What a reader wants together with the intrinsics of a camera."""
    attrs = node.attrs
    if "sensorsize" in attrs or any(name in attrs for name in SENSOR):
        for name in ("sensorsize", "resolution"):
            attrs[name] = numbers(
                singles(e.raw[elem.attrs[name].field]).tolist() if name == "sensorsize" else e.raw["resolution"]
            )
        attrs.pop("fovy", None)


def assets(w, root) -> None:
    section = add(root, "asset")
    for kind, write in (("texture", _texture), ("material", _material), ("mesh", _mesh), ("hfield", _hfield)):
        for e in w.spec.parts[kind]:
            node, elem = add(section, kind), element_of("asset/" + kind)
            w.head(node, e) if kind != "hfield" else put(node, "name", e.name)
            w.element(node, elem, e, kind)
            write(w, node, e)
    drop_empty(root, section)


def _texture(w, node, e):
    raw = e.raw
    if not raw["builtin"] and not raw["file"] and not any(raw["cubefiles"]):
        raise SpecError(f"texture '{e.name}' has neither files nor a builtin type: pixels cannot be written as XML", e.place)
    for name, file in zip(("file", *FACES), (raw["file"], *raw["cubefiles"])):
        put(node, name, asset_file(w, e, "texturedir", file))
    if tuple(raw["gridsize"]) != (1, 1):
        node.attrs["gridlayout"] = raw["gridlayout"][: raw["gridsize"][0] * raw["gridsize"][1]]


def _material(w, node, e):
    _textures(node, e.raw["textures"], w.start("material", w.class_of(e), e.blank)["textures"])


def _mesh(w, node, e):
    put(node, "file", asset_file(w, e, "meshdir", e.raw["file"]))
    plugin(node, e)


def _hfield(w, node, e):
    raw = e.raw
    node.attrs["size"] = numbers(raw["size"])
    if raw["file"]:
        node.attrs["file"] = asset_file(w, e, "meshdir", raw["file"])
    elif len(raw["userdata"]) and np.any(raw["userdata"]):
        # the text runs from top to bottom, a line for each row
        data = singles(raw["userdata"]).reshape(raw["nrow"], raw["ncol"])[::-1]
        node.attrs["elevation"] = "".join(LINE + numbers(row) for row in data.tolist())


def plugin(node, e) -> None:
    """The plugin of an element, if it has one."""
    ref = e.raw.get("plugin")
    if ref is not None and ref.raw["active"]:
        write_plugin(add(node, "plugin"), ref)
