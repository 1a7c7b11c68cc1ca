"""The sensor section of MJCF."""

from ..compile.sensors import type_names
from ..language.keywords import KEYWORDS, word_of
from ..language.kinds import KIND_OF
from ..language.types import OBJ_BODY, OBJ_GEOM, OBJ_SITE, OBJ_XBODY
from ..read.sensors import SENSORS
from .rows import WORDS, element_of
from .writer import add, drop_empty, put, write_plugin

PAIR = (("objtype", "objname", {OBJ_GEOM: "geom1", OBJ_BODY: "body1", OBJ_XBODY: "subtree1", OBJ_SITE: "site"}),
        ("reftype", "refname", {OBJ_GEOM: "geom2", OBJ_BODY: "body2", OBJ_XBODY: "subtree2"}))


def sensors(w, root):
    section, names = add(root, "sensor"), type_names()
    tags = {name: tag for tag, (name, _, _) in SENSORS.items()}
    for i, e in enumerate(w.c.sensor.elems):
        raw = e.raw
        tag = tags[names[int(raw["type"])]]
        node = add(section, tag)
        _, obj, ref = SENSORS[tag]
        if obj in SENSOR_OBJECTS:
            SENSOR_OBJECTS[obj](node, raw)
        elif obj:
            node.attrs[obj] = raw["objname"]
        if ref == "reftype":
            _typed(node, raw, "reftype", "refname")
        elif ref:
            node.attrs[ref] = raw["refname"]
        put(node, "name", e.name)
        w.fill(node, "sensor", i, WORDS["sensor"] if tag not in ("plugin", "tactile") else
               [x for x in WORDS["sensor"] if x.name in element_of("sensor/" + tag).attrs])
        if tag == "plugin":
            write_plugin(node, raw["plugin"])
    drop_empty(root, section)


def _typed(node, raw, kind, name):
    """An object by type and name, if there is one."""
    if raw[kind]:
        node.attrs.update({kind: KIND_OF[int(raw[kind])], name: raw[name]})


def _object(node, raw):
    _typed(node, raw, "objtype", "objname")


def _pair(node, raw):
    for kind, name, words in PAIR:
        if raw[kind]:
            node.attrs[words[int(raw[kind])]] = raw[name]


def _contact(node, raw):
    _pair(node, raw)
    bits, reduce, num = (int(v) for v in raw["intprm"])
    put(node, "num", str(num) if num != 1 else "")
    put(node, "data", " ".join(word for word, bit in KEYWORDS["condata"].items() if bits >> bit & 1) if bits != 1 else "")
    put(node, "reduce", word_of("reduce", reduce) if reduce else "")


def _user(node, raw):
    _object(node, raw)
    node.attrs.update(dim=str(int(raw["dim"])), needstage=word_of("stage", int(raw["needstage"])),
                      datatype=word_of("datatype", int(raw["datatype"])))


def _plugin(node, raw):
    _object(node, raw)
    _typed(node, raw, "reftype", "refname")


SENSOR_OBJECTS = {"objtype": _object, "pair": _pair, "contact": _contact, "user": _user, "plugin": _plugin}
