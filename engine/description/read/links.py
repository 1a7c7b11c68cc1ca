"""MJCF sections whose elements refer to others by name: contacts, equalities, tendons, keyframes, flexes and skins."""

from typing import Any

from ...tables.equality_rows import ANCHORS, BY_NAME, EqualityRow
from ..language.errors import SpecError
from ..language.schema import ROOT, Elem, need, read_into
from ..language.types import OBJ_BODY, OBJ_SITE
from ..language.xmltree import Node
from .assets import read_skin
from .reader import Reader, one_springlength


def read_contacts(reader: Reader, node: Node) -> None:
    for child in node.children:
        elem = ROOT.children["contact"].children[child.tag]
        item = reader.spec.add(child.tag, reader.default_of(child))
        reader.fill(item, child, elem)


def read_equalities(reader: Reader, node: Node) -> None:
    for child in node.children:
        elem = ROOT.children["equality"].children[child.tag]
        item = reader.spec.add("equality", reader.default_of(child))
        row = BY_NAME[child.tag]
        item.raw["type"] = row.number
        own = ("body1", "body2", "site1", "site2", *(x.name for x in row.data)) if row.objects == ANCHORS else ()
        reader.fill(item, child, elem, ("name", "class", *own))
        if own:
            _anchors(item.raw, child, elem, row)


def _anchors(raw: dict[str, Any], node: Node, elem: Elem, row: EqualityRow) -> None:
    """Read an equality between two bodies or two sites: their names, and the numbers of eq_data."""

    attrs, data = node.attrs, list(raw["data"])
    for x in row.data:
        if x.name in attrs:
            values = elem.attrs[x.name].read(node, attrs[x.name])
            values = values if isinstance(values, tuple) else (values,)
            data[x.start : x.start + len(values)] = values

    # either bodies with anchors, or sites
    sites = "site1" in attrs or "site2" in attrs
    bodies = any(n in attrs for n in ("body1", "body2", *(x.name for x in row.data if x.of_bodies)))
    if sites and bodies:
        raise SpecError("bodies and sites cannot be mixed", node)
    needed = ["body1", *(x.name for x in row.data if x.needed)]
    by_site = "site1" in attrs and "site2" in attrs
    by_body = all(name in attrs for name in needed)
    if by_site == by_body:
        raise SpecError(f"either {' and '.join(needed)}, or site1 and site2 are needed", node)

    if by_body:
        raw["name1"], raw["name2"], raw["objtype"] = attrs["body1"], attrs.get("body2", ""), OBJ_BODY
        for x in row.data:
            if x.of_bodies and x.name not in attrs:
                data[x.start : x.start + elem.attrs[x.name].high] = [0.0] * elem.attrs[x.name].high
    else:
        raw["name1"], raw["name2"], raw["objtype"] = attrs["site1"], attrs["site2"], OBJ_SITE
    raw["data"] = tuple(data)


def read_tendons(reader: Reader, node: Node) -> None:
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


def _number(elem: Elem, node: Node, name: str) -> float:
    value = elem.attrs[name].read(node, node.attrs[name])
    if value is None:
        raise SpecError("a number is expected", node, name)
    return value


def read_keys(reader: Reader, node: Node) -> None:
    elem = ROOT.children["keyframe"].children["key"]
    for child in node.children:
        reader.fill(reader.spec.add("key"), child, elem)


def read_deformables(reader: Reader, node: Node) -> None:
    for child in node.children:
        elem = ROOT.children["deformable"].children[child.tag]
        if child.tag == "skin":
            read_skin(reader, child, elem)
            continue
        flex = reader.spec.add("flex")
        reader.fill(flex, child, elem, ("name", "body", "node", "dof"))
        flex.raw["vertbody"] = child.attrs["body"].split()
        flex.raw["nodebody"] = child.attrs.get("node", "").split()
        if "dof" in child.attrs and elem.attrs["dof"].read(child, child.attrs["dof"]) != len(flex.raw["nodebody"]):
            raise SpecError(
                "the number of nodes does not match one cell of this order; Tumble does not support several cells",
                child,
                "dof",
                child.attrs["dof"],
            )
        for item in child.children:
            read_into(flex.raw, item, elem.children[item.tag])
