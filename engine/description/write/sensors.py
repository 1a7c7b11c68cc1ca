"""The sensor section of MJCF."""

from typing import Any

from ...tables.sensor_rows import BY_NUMBER, SensorRow
from ..language.fields import TABLES
from ..language.keywords import KEYWORDS, word_of
from ..language.kinds import KIND_OF
from ..language.types import OBJ_BODY, OBJ_CAMERA, OBJ_GEOM, OBJ_SITE, OBJ_XBODY
from ..language.xmltree import Node
from ..read.sensors import SENSORS, SKIPPED
from .write_table import WORDS, Word, element_of, words_of
from .writer import Writer, add, drop_empty, put, write_plugin

PAIR = (
    ("objtype", "objname", {OBJ_GEOM: "geom1", OBJ_BODY: "body1", OBJ_XBODY: "subtree1", OBJ_SITE: "site"}),
    ("reftype", "refname", {OBJ_GEOM: "geom2", OBJ_BODY: "body2", OBJ_XBODY: "subtree2"}),
)


def sensors(w: Writer, root: Node) -> None:
    section = add(root, "sensor")
    for i, e in enumerate(w.c.sensor.elems):
        raw, row = e.raw, BY_NUMBER[int(e.raw["type"])]
        node = add(section, row.name)
        if row.name in SPECIAL:
            SPECIAL[row.name](node, raw)
        else:
            _object(node, raw, row)
        put(node, "name", e.name)
        w.fill(node, "sensor", i, WORDS_OF[row.name])
        if row.name == "plugin":
            write_plugin(node, raw["plugin"])
    drop_empty(root, section)


def _words(tag: str) -> list[Word]:
    """Return the attributes of a sensor that are fields: first those of all sensors, then those of this type."""
    elem = element_of("sensor/" + tag)
    common = [word for word in WORDS["sensor"] if word.name in elem.attrs]
    own = [name for name in elem.attrs if name not in SKIPPED[tag] and name not in COMMON]
    return common if tag in SPECIAL else common + words_of(elem, " ".join(own), TABLES[elem.struct])


def _object(node: Node, raw: dict[str, Any], row: SensorRow) -> None:
    """Write a sensor's object and reference, as its row describes."""
    for kinds, kind, name in ((row.object, "objtype", "objname"), (row.reference, "reftype", "refname")):
        if kinds == "frame":
            _typed(node, raw, kind, name)
        elif kinds and "|" not in kinds:
            node.attrs[kinds] = raw[name]
    if "|" in row.object:
        _pair(node, raw)


def _typed(node: Node, raw: dict[str, Any], kind: str, name: str) -> None:
    """Write an object by type and name, if there is one."""
    if raw[kind]:
        node.attrs.update({kind: KIND_OF[int(raw[kind])], name: raw[name]})


def _pair(node: Node, raw: dict[str, Any]) -> None:
    for kind, name, words in PAIR:
        if raw[kind]:
            node.attrs[words[int(raw[kind])]] = raw[name]


def _contact(node: Node, raw: dict[str, Any]) -> None:
    _pair(node, raw)
    bits, reduce, num = (int(v) for v in raw["intprm"])
    put(node, "num", str(num) if num != 1 else "")
    put(node, "data", " ".join(word for word, bit in KEYWORDS["condata"].items() if bits >> bit & 1) if bits != 1 else "")
    put(node, "reduce", word_of("reduce", reduce) if reduce else "")


def _range_finder(node: Node, raw: dict[str, Any]) -> None:
    node.attrs["camera" if raw["objtype"] == OBJ_CAMERA else "site"] = raw["objname"]
    bits = int(raw["intprm"][0])
    put(node, "data", " ".join(word for word, bit in KEYWORDS["raydata"].items() if bits >> bit & 1) if bits > 1 else "")


def _user(node: Node, raw: dict[str, Any]) -> None:
    _typed(node, raw, "objtype", "objname")
    node.attrs.update(
        dim=str(int(raw["dim"])),
        needstage=word_of("stage", int(raw["needstage"])),
        datatype=word_of("datatype", int(raw["datatype"])),
    )


def _plugin(node: Node, raw: dict[str, Any]) -> None:
    _typed(node, raw, "objtype", "objname")
    _typed(node, raw, "reftype", "refname")


# sensors that have their own writer
SPECIAL = {"contact": _contact, "rangefinder": _range_finder, "user": _user, "plugin": _plugin}
COMMON = {word.name for word in WORDS["sensor"]}
WORDS_OF = {tag: _words(tag) for tag in SENSORS}
