"""MJCF sections whose elements refer to others by name: contacts, equalities, tendons, key frames, flexes and skins."""

from ..language.errors import SpecError
from ..language.schema import ROOT, need, read_into
from ..language.types import EQUALITIES, OBJ_BODY, OBJ_SITE
from .assets import read_skin
from .reader import one_springlength


def read_contacts(reader, node):
    for child in node.children:
        elem = ROOT.children["contact"].children[child.tag]
        item = reader.spec.add(child.tag, reader.default_of(child))
        reader.fill(item, child, elem)


def read_equalities(reader, node):
    for child in node.children:
        elem = ROOT.children["equality"].children[child.tag]
        item = reader.spec.add("equality", reader.default_of(child))
        item.raw["type"], kind, _ = EQUALITIES[child.tag]
        pair = ("body1", "body2", "site1", "site2", "anchor", "relpose", "torquescale") if kind is None else ()
        reader.fill(item, child, elem, ("name", "class", *pair))
        if pair:
            _connect_or_weld(item.raw, child, elem)


def _connect_or_weld(raw, node, elem):
    attrs, weld = node.attrs, node.tag == "weld"
    data = list(raw["data"])
    for name, start in (("anchor", 0), ("relpose", 3), ("torquescale", 10)):
        if name in attrs and name in elem.attrs:
            values = elem.attrs[name].read(node, attrs[name])
            values = values if isinstance(values, tuple) else (values,)
            data[start:start + len(values)] = values
    sites = "site1" in attrs or "site2" in attrs
    bodies = any(n in attrs for n in ("body1", "body2", "anchor", "relpose"))
    if sites and bodies:
        raise SpecError("bodies and sites cannot be mixed", node)
    by_site = "site1" in attrs and "site2" in attrs
    by_body = "body1" in attrs and (weld or "anchor" in attrs)
    if by_site == by_body:
        raise SpecError("either body1" + ("" if weld else " and anchor") + ", or site1 and site2 are needed", node)
    if by_body:
        raw["name1"], raw["name2"], raw["objtype"] = attrs["body1"], attrs.get("body2", ""), OBJ_BODY
        if weld and "anchor" not in attrs:
            data[:3] = 0.0, 0.0, 0.0
    else:
        raw["name1"], raw["name2"], raw["objtype"] = attrs["site1"], attrs["site2"], OBJ_SITE
    raw["data"] = tuple(data)


def read_tendons(reader, node):
    for child in node.children:
        elem = ROOT.children["tendon"].children[child.tag]
        tendon = reader.spec.add("tendon", reader.default_of(child))
        reader.fill(tendon, child, elem)
        one_springlength(child, tendon.raw)
        for item in child.children:
            rows = elem.children[item.tag]
            need(item, rows)
            at = item.attrs
            if item.tag == "site":
                wrap = tendon.wrap_site(at["site"])
            elif item.tag == "geom":
                wrap = tendon.wrap_geom(at["geom"], at.get("sidesite", ""))
            elif item.tag == "pulley":
                wrap = tendon.wrap_pulley(_number(rows, item, "divisor"))
            else:
                wrap = tendon.wrap_joint(at["joint"], _number(rows, item, "coef"))
            wrap.place = item


def _number(elem, node, name):
    value = elem.attrs[name].read(node, node.attrs[name])
    if value is None:
        raise SpecError("a number is expected", node, name)
    return value


def read_keys(reader, node):
    elem = ROOT.children["keyframe"].children["key"]
    for child in node.children:
        reader.fill(reader.spec.add("key"), child, elem)


def read_deformables(reader, node):
    for child in node.children:
        elem = ROOT.children["deformable"].children[child.tag]
        if child.tag == "skin":
            read_skin(reader, child, elem)
            continue
        flex = reader.spec.add("flex")
        reader.fill(flex, child, elem, ("name", "body", "node"))
        flex.raw["vertbody"] = child.attrs["body"].split()
        flex.raw["nodebody"] = child.attrs.get("node", "").split()
        for item in child.children:
            read_into(flex.raw, item, elem.children[item.tag])
