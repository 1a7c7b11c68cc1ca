"""The MJCF sections extension (plugins) and custom (numerics, texts and tuples)."""

from typing import Any

from ..language.errors import SpecError
from ..language.kinds import KINDS
from ..language.schema import ROOT, Elem, need
from ..language.xmltree import Node
from .reader import NAMES, Reader, read_config


def read_extension(reader: Reader, node: Node) -> None:
    elem = ROOT.children["extension"].children["plugin"]
    for child in node.children:
        need(child, elem)
        name = child.attrs["plugin"]
        reader.spec.activate_plugin(name, child)
        for item in child.children:
            if reader.spec.raw["hasImplicitPluginElem"]:
                raise SpecError("plugin instances must come before elements that use them", item)
            need(item, elem.children["instance"])
            instance = reader.spec.add("plugin")
            instance.place = item
            instance.label = item.attrs["name"]
            instance.raw["plugin_name"] = name
            instance.config = read_config(item)


def read_custom(reader: Reader, node: Node) -> None:
    for child in node.children:
        elem = ROOT.children["custom"].children[child.tag]
        item = reader.spec.add(child.tag)
        reader.fill(item, child, elem, ("name", "size", "data") if child.tag == "numeric" else NAMES)
        if child.tag == "numeric":
            _numeric(item.raw, child, elem)
        elif child.tag == "text" and not item.raw["data"]:
            raise SpecError("the text is empty", child, "data")
        elif child.tag == "tuple":
            _tuple(item.raw, child, elem.children["element"])


def _numeric(raw: dict[str, Any], node: Node, elem: Elem) -> None:
    data = elem.attrs["data"].numbers(node, node.attrs.get("data", ""))
    if "size" in node.attrs:
        size = elem.attrs["size"].read(node, node.attrs["size"])
        if len(data) > size:
            raise SpecError(f"too many numbers: {len(data)}, size is {size}", node, "data")
    else:
        size = len(data)
    if not 1 <= size <= 500:
        raise SpecError("the size of a numeric must be between 1 and 500", node, "size", str(size))
    raw["size"] = size
    raw["data"] = (*data, *[0.0] * (size - len(data)))


def _tuple(raw: dict[str, Any], node: Node, elem: Elem) -> None:
    types, names, prms = [], [], []
    for child in node.children:
        need(child, elem)
        word = child.attrs["objtype"]
        if word not in KINDS:
            raise SpecError(f"unknown object type '{word}'", child, "objtype", word, tuple(KINDS))
        types.append(KINDS[word])
        names.append(child.attrs["objname"])
        prms.append(elem.attrs["prm"].read(child, child.attrs["prm"]) if "prm" in child.attrs else 0.0)
    raw["objtype"], raw["objname"], raw["objprm"] = tuple(types), names, tuple(prms)
