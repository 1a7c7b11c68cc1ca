"""The sensor section of MJCF."""

from typing import Any

from ...tables.sensor_rows import ROWS, SensorRow
from ..elements.elements import MjsSensor
from ..language.errors import SpecError
from ..language.fields import TABLES
from ..language.keywords import KEYWORDS
from ..language.kinds import KINDS
from ..language.schema import ROOT, Elem
from ..language.types import OBJ_BODY, OBJ_CAMERA, OBJ_GEOM, OBJ_SITE, OBJ_XBODY
from ..language.xmltree import Node
from .reader import Reader

# element -> row of tables.sensor_rows
SENSORS = {row.name: row for row in ROWS}
# attributes that name the object and the reference; all others are fields of the sensor
NAMING = {"name", "objtype", "objname", "reftype", "refname", "plugin"}
SKIPPED = {
    tag: frozenset(name for name, attr in elem.attrs.items() if name in NAMING or attr.field not in TABLES["MjsSensor"])
    for tag, elem in ROOT.children["sensor"].children.items()
}


def read_sensors(reader: Reader, node: Node) -> None:
    for child in node.children:
        row, sensor = SENSORS[child.tag], reader.spec.add("sensor")
        elem = ROOT.children["sensor"].children[row.name]
        reader.fill(sensor, child, elem, SKIPPED[row.name])
        sensor.raw["type"] = row.number
        if row.name in SPECIAL:
            SPECIAL[row.name](reader, child, elem, sensor)
        else:
            _object(sensor.raw, row, child)


def _object(raw: dict[str, Any], row: SensorRow, node: Node) -> None:
    """Set a sensor's object and reference, as its row describes."""
    attrs = node.attrs
    if row.object == "frame":
        raw["objtype"], raw["objname"] = KINDS.get(attrs["objtype"], 0), attrs["objname"]
    elif "|" in row.object:
        raw["objtype"], raw["objname"] = _one_of(node, numbered(row.object, 1), 1)
    elif row.object:
        raw["objtype"], raw["objname"] = KINDS[row.object], attrs[row.object]
    if row.reference == "frame":
        _reference(raw, node)
    elif "|" in row.reference:
        raw["reftype"], raw["refname"] = _one_of(node, numbered(row.reference, 2), 1)
    elif row.reference:
        raw["reftype"], raw["refname"] = KINDS[row.reference], attrs[row.reference]


def numbered(kinds: str, side: int) -> dict[str, int]:
    """Return {attribute: object type} for one side of alternatives such as `body|geom`: `geom1`, `body1`."""
    return {f"{kind}{side}": KINDS[kind] for kind in reversed(kinds.split("|"))}


def _reference(raw: dict[str, Any], node: Node) -> None:
    attrs = node.attrs
    if "reftype" in attrs:
        raw["reftype"] = KINDS.get(attrs["reftype"], 0)
        if "refname" not in attrs:
            raise SpecError("required attribute 'refname' is missing", node, "refname")
        raw["refname"] = attrs["refname"]
    elif "refname" in attrs:
        raise SpecError("refname is given but reftype is missing", node, "refname")


def _one_of(node: Node, choices: dict[str, int], least: int) -> tuple[int, str]:
    """Return (type, name) from the only attribute that is given; `choices` maps attributes to object types."""
    given = [c for c in choices if c in node.attrs]
    if len(given) > 1 or len(given) < least:
        raise SpecError(("exactly" if least else "at most") + " one of " + ", ".join(choices) + " can be given", node)
    return (choices[given[0]], node.attrs[given[0]]) if given else (0, "")


def _contact_sensor(reader: Reader, node: Node, elem: Elem, sensor: MjsSensor) -> None:
    raw, attrs = sensor.raw, node.attrs
    raw["objtype"], raw["objname"] = _one_of(
        node, {"geom1": OBJ_GEOM, "body1": OBJ_BODY, "subtree1": OBJ_XBODY, "site": OBJ_SITE}, 0
    )
    raw["reftype"], raw["refname"] = _one_of(node, {"geom2": OBJ_GEOM, "body2": OBJ_BODY, "subtree2": OBJ_XBODY}, 0)
    words, bits, last = attrs.get("data", "").split() or ["found"], 0, -1
    for word in words:
        bit = KEYWORDS["condata"].get(word)
        if bit is None:
            raise SpecError(f"invalid keyword '{word}'", node, "data", word, tuple(KEYWORDS["condata"]))
        if bit <= last:
            raise SpecError("data must be in the order " + " ".join(KEYWORDS["condata"]), node, "data", attrs["data"])
        bits, last = bits | 1 << bit, bit
    reduce = elem.attrs["reduce"].read(node, attrs["reduce"]) if "reduce" in attrs else 0
    num = elem.attrs["num"].read(node, attrs["num"]) if "num" in attrs else 1
    if num is None or num <= 0:
        raise SpecError("num must be positive", node, "num", attrs.get("num"))
    raw["intprm"] = (bits, reduce, num)


def _range_finder(reader: Reader, node: Node, elem: Elem, sensor: MjsSensor) -> None:
    raw, attrs = sensor.raw, node.attrs
    raw["objtype"], raw["objname"] = _one_of(node, {"site": OBJ_SITE, "camera": OBJ_CAMERA}, 1)
    words = attrs.get("data", "").split()
    if words:
        for word in words:
            if word not in KEYWORDS["raydata"]:
                raise SpecError(f"invalid keyword '{word}'", node, "data", word, tuple(KEYWORDS["raydata"]))
        bits = [KEYWORDS["raydata"][word] for word in words]
        if any(a >= b for a, b in zip(bits, bits[1:])):
            raise SpecError("data must be in the order " + " ".join(KEYWORDS["raydata"]), node, "data", attrs["data"])
        raw["intprm"] = (sum(1 << bit for bit in bits), 0, 0)


def _user_sensor(reader: Reader, node: Node, elem: Elem, sensor: MjsSensor) -> None:
    raw, attrs = sensor.raw, node.attrs
    if ("objtype" in attrs) != ("objname" in attrs):
        raise SpecError("objtype and objname must be given together", node, "objtype")
    raw["objtype"], raw["objname"] = KINDS.get(attrs.get("objtype"), 0), attrs.get("objname", "")


def _plugin_sensor(reader: Reader, node: Node, elem: Elem, sensor: MjsSensor) -> None:
    raw, attrs = sensor.raw, node.attrs
    reader.plugin(sensor, node)
    for kind, name in (("objtype", "objname"), ("reftype", "refname")):
        raw[kind], raw[name] = KINDS.get(attrs.get(kind), 0), attrs.get(name, "")
        if (raw[kind] != 0) != (raw[name] != ""):
            raise SpecError(f"{kind} and {name} must be given together", node, kind)


# sensors that have their own reader
SPECIAL = {"contact": _contact_sensor, "rangefinder": _range_finder, "user": _user_sensor, "plugin": _plugin_sensor}
