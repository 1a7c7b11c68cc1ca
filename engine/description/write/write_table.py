"""TABLE of what the writer of MJCF writes, in order: one row per kind of element. The grammar gives each attribute's format.

`own` attributes belong to the element alone, `shared` ones can come from its default class. A `~` after a name drops trailing
numbers that equal those of the class. Attributes of the grammar without a row are written after the others, unless LEFT lists
them: a new row of the grammar needs no change here.
"""

import functools
from typing import Any

from ...tables.actuator_rows import TYPE
from ..elements.elements import MjsDefault
from ..elements.spec import OBJECTS
from ..language.fields import TABLES
from ..language.keywords import KEYWORDS
from ..language.schema import ROOT, Elem
from ..language.xml_text import number, numbers, singles

GENERAL = (
    "group ctrllimited ctrlrange forcelimited forcerange actlimited actrange lengthrange gear cranklength actearly actdim "
    "dyntype dynprm"
)
# kind -> (element of the grammar, own attributes, shared attributes)
KINDS = {
    "mesh": (
        "asset/mesh",
        "content_type file vertex normal texcoord face",
        "inertia refpos refquat scale smoothnormal maxhullvert",
    ),
    "material": ("asset/material", "", "texuniform texrepeat emission specular shininess reflectance metallic roughness rgba"),
    "joint": (
        "worldbody/joint",
        "pos axis",
        "type group ref springref solreflimit~ solimplimit~ solreffriction~ solimpfriction~ stiffness limited range "
        "actuatorfrclimited actuatorgravcomp actuatorfrcrange margin armature damping frictionloss springdamper user",
    ),
    "geom": (
        "worldbody/geom",
        "",
        "type contype conaffinity condim group priority friction~ solmix solref~ solimp~ margin gap fluidshape fluidcoef "
        "shellinertia mass density material rgba user",
    ),
    "site": ("worldbody/site", "", "group type material rgba user"),
    "camera": ("worldbody/camera", "target", "ipd mode orthographic fovy user"),
    "light": (
        "worldbody/light",
        "target",
        "bulbradius intensity range type texture castshadow active attenuation cutoff exponent ambient diffuse specular mode",
    ),
    "pair": ("contact/pair", "", "condim margin gap solref~ solreffriction~ solimp~ friction"),
    "equality": ("equality/connect", "", "active solref~ solimp~"),
    "tendon": (
        "tendon/spatial",
        "",
        "group solreflimit~ solimplimit~ solreffriction~ solimpfriction~ limited actuatorfrclimited range actuatorfrcrange "
        "margin stiffness damping armature frictionloss springlength material width rgba user",
    ),
    "actuator": ("actuator/general", "", f"{GENERAL} {TYPE['gain']} {TYPE['bias']} gainprm~ biasprm~ user"),
    "flex": ("deformable/flex", "", "radius material rgba flatskin dim group"),
    "skin": ("deformable/skin", "file", "material group rgba inflate"),
    "sensor": ("sensor/user", "", "cutoff noise user"),
}
FLEX_CHILDREN = {
    "contact": "contype conaffinity condim priority friction solmix solref solimp margin gap internal selfcollide activelayers",
    "elasticity": "young poisson thickness damping elastic2d",
    "edge": "stiffness damping",
}
# attributes that are not written from rows: names, attributes resolved by compiling, attributes with their own writers
LEFT = {
    "*": "name class axisangle xyaxes zaxis euler",
    "mesh": "builtin params material",
    "material": "texture",
    "geom": "fromto size pos quat hfield mesh fitscale",
    "site": "fromto size pos quat",
    "camera": "projection pos quat resolution focal focalpixel principal principalpixel sensorsize",
    "light": "directional pos dir",
    "pair": "geom1 geom2",
    "equality": "body1 body2 anchor site1 site2",
    "actuator": "inheritrange joint jointinparent tendon slidersite cranksite site refsite body",
    "flex": "body vertex element texcoord elemtexcoord node nodecoord dof",
    "skin": "vertex texcoord face",
    "sensor": "dim objtype objname datatype needstage",
}
# kind -> tag in the default section
DEFAULTS = {
    "mesh": "mesh",
    "material": "material",
    "joint": "joint",
    "geom": "geom",
    "site": "site",
    "camera": "camera",
    "light": "light",
    "pair": "pair",
    "equality": "equality",
    "tendon": "tendon",
    "actuator": "general",
}
# attributes that every element sets itself, so that default classes do not need them
NOT_IN_DEFAULTS = {
    "joint": "pos axis springdamper",
    "geom": "pos quat fromto hfield mesh fitscale",
    "site": "pos quat fromto",
    "camera": "pos quat user",
    "light": "pos dir",
}


def element_of(path: str) -> Any:
    """Return the element of the grammar at a path."""
    elem = ROOT
    for name in path.split("/"):
        elem = elem.children[name]
    return elem


class Word:
    """One attribute to be written: its grammar row, its field, and whether default values at its end are dropped."""

    __slots__ = ("row", "name", "field", "trim", "single", "words")

    def __init__(self, row: Any, struct: dict[str, Any] | None, trim: bool = False) -> None:
        self.row, self.name, self.field, self.trim = row, row.name, row.field, trim
        self.single = struct is not None and row.field in struct and struct[row.field].type == "f4"
        self.words = {v: k for k, v in row.words.items()} if row.kind == "word" else {}

    def text(self, value: Any, base: Any) -> str:
        """Return the text of a value; empty if there is nothing to write."""

        kind = self.row.kind
        if kind == "controls":
            return " ".join(word for word, bit in KEYWORDS["ctrlinput"].items() if int(value) & bit)
        if kind == "bits":
            return " ".join(word for word, bit in self.row.words.items() if int(value) >> bit & 1)
        if kind == "word":
            return self.words.get(int(value), "")

        # compare strings unchanged, numbers after conversion
        if kind in ("s", "file", "class"):
            return value
        if not isinstance(value, tuple):
            return str(int(value)) if kind == "i" else "" if value != value else number(value)
        if kind == "i":
            return " ".join(map(str, value))

        if any(v != v for v in value):
            return ""
        if self.trim and base is not None:
            n = len(value)
            while n > 1 and value[n - 1] == base[n - 1]:
                n -= 1
            value = value[:n]
        return numbers(value)


def words_of(elem: Elem, text: str, struct: dict[str, Any] | None) -> list[Word]:
    """Return those attributes named in `text` that the element has."""
    return [Word(elem.attrs[w.rstrip("~")], struct, w[-1] == "~") for w in text.split() if w.rstrip("~") in elem.attrs]


def _kind_words(kind: str) -> list[Word]:
    path, own, shared = KINDS[kind]
    elem = element_of(path)
    struct = TABLES[elem.struct]
    known = {w.rstrip("~") for w in f"{own} {shared} {LEFT['*']} {LEFT.get(kind, '')}".split()}
    more = " ".join(n for n in elem.attrs if n not in known)
    return words_of(elem, f"{own} {shared} {more}", struct)


def _default_words(kind: str) -> list[Word]:
    elem = element_of("default/" + DEFAULTS[kind])
    dropped = NOT_IN_DEFAULTS.get(kind, "").split()
    words = [w for w in WORDS[kind] if w.name in elem.attrs and w.name not in dropped]
    if kind in ("geom", "site"):
        words = words_of(elem, "size", TABLES[elem.struct]) + words
    return words


WORDS = {kind: _kind_words(kind) for kind in KINDS}
DEFAULT_WORDS = {kind: _default_words(kind) for kind in DEFAULTS}
# fields that a class passes on when its text is read; in other fields, elements start from the blank element
HANDED = {kind: {w.field for w in words} for kind, words in DEFAULT_WORDS.items()}
HANDED["camera"] |= {"resolution", "sensor_size", "focal_length", "focal_pixel", "principal_length", "principal_pixel"}


def plain(row: Any, value: Any) -> Any:
    """Return a field's value in a form that can be compared: a number, text or tuple, with single-precision numbers as their
    shortest decimals."""
    if row.type in ("str", "chr") or row.count == 0 and row.type not in ("f4",):
        return value
    if row.type == "f4":
        values = singles(value).tolist()
        return values[0] if row.count == 0 else tuple(values)
    return tuple(value.tolist()) if hasattr(value, "tolist") else tuple(value)


def base_values(kind: str, default: MjsDefault | None) -> dict[str, Any]:
    """Return {field: value} with which an element of a class starts when its text is read."""
    values = dict(_blank_values(kind))
    handed = HANDED.get(kind, ())
    element = default.nearest(kind) if handed and default is not None else None
    if element is not None:
        raw, blank, rows = element.raw, element.blank, element.rows
        values.update([(f, plain(rows[f], raw[f])) for f in values.keys() & handed if raw[f] is not blank[f]])
    return values


@functools.cache
def _blank_values(kind: str) -> dict[str, Any]:
    """Return `base_values` of an element without a class."""
    cls = MjsDefault.KINDS[kind] if kind in HANDED else OBJECTS[kind][1]
    return {
        f: plain(row, cls.blank[f]) for f, row in cls.rows.items() if row.type not in ("orient", "plugin") and not row.nested
    }
