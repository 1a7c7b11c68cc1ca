"""MJCF sections with settings of the whole model: compiler, option, size, visual, statistic."""

from typing import Any

from ...tables.compat_rows import bits, chosen
from ..language.errors import SpecError
from ..language.keywords import DISABLE, ENABLE
from ..language.schema import ROOT, Elem, read_into
from ..language.xmltree import Node
from .reader import MAX_SIZE, Reader

SIZE_LIMITS = {"nkey": 1 << 16, "nuser": 1 << 16, "nuserdata": 1 << 24}


def read_compiler(reader: Reader, node: Node) -> None:
    spec, raw = reader.spec, reader.spec.compiler.raw
    elem = ROOT.children["compiler"]
    read_into(raw, node, elem, ("coordinate", "assetdir", "meshdir", "texturedir", "strippath", "eulerseq", "compat"))

    attrs = node.attrs
    if attrs.get("coordinate") == "global":
        raise SpecError("global coordinates are not supported", node, "coordinate", "global", ("local",))
    if "coordinate" in attrs:
        elem.attrs["coordinate"].read(node, attrs["coordinate"])

    if "strippath" in attrs:
        spec.strippath = elem.attrs["strippath"].read(node, attrs["strippath"])
    if "eulerseq" in attrs:
        if len(attrs["eulerseq"]) != 3:
            raise SpecError("three axes expected", node, "eulerseq", attrs["eulerseq"])
        raw["eulerseq"] = attrs["eulerseq"]

    if "compat" in attrs:
        try:
            bits(attrs["compat"])
        except ValueError as error:
            raise SpecError(str(error), node, "compat", attrs["compat"]) from None
        # a release selected by the caller, or for all models, takes precedence
        if chosen() is None and "compat" not in spec.given:
            raw["compat"] = attrs["compat"]

    if "conflict" in attrs:
        spec.given.add("conflict")
    if "assetdir" in attrs:
        raw["meshdir"] = raw["texturedir"] = attrs["assetdir"]
    for name in ("meshdir", "texturedir"):
        if name in attrs:
            raw[name] = attrs[name]
    for child in node.children:
        read_into(spec.compiler.LRopt.raw, child, elem.children["lengthrange"])


def _into_struct(struct: Any, node: Any, elem: Elem) -> None:
    """Set the fields of a struct from a node's attributes."""
    for name, text in node.attrs.items():
        row = elem.attrs[name]
        value = row.read(node, text, tuple(getattr(struct, row.field)) if row.varies else None)
        if value is not None:
            setattr(struct, row.field, value)


def read_option(reader: Reader, node: Node) -> None:
    option, elem = reader.spec.option, ROOT.children["option"]
    plain = {k: v for k, v in node.attrs.items() if k != "actuatorgroupdisable"}
    _into_struct(option, _With(node, plain), elem)
    reader.spec.given.update(plain)
    text = node.attrs.get("actuatorgroupdisable")
    if text:
        reader.spec.given.add("actuatorgroupdisable")
        for group in elem.attrs["actuatorgroupdisable"].numbers(node, text):
            if not 0 <= group <= 30:
                raise SpecError("an actuator group must be between 0 and 30", node, "actuatorgroupdisable", text)
            option.disableactuator |= 1 << group
    for flag in node.children:
        reader.spec.given.update(flag.attrs)
        reader.spec.given.update(f"flag__{name}" for name in flag.attrs)
        for name, text in flag.attrs.items():
            on = elem.children["flag"].attrs[name].read(flag, text)
            if name in DISABLE:
                bit = 1 << DISABLE.index(name)
                option.disableflags = option.disableflags & ~bit | (0 if on else bit)
            else:
                bit = 1 << ENABLE.index(name)
                option.enableflags = option.enableflags & ~bit | (bit if on else 0)


class _With:
    """A copy of a node with other attributes."""

    def __init__(self, node: Node, attrs: dict[str, str]) -> None:
        self.tag, self.file, self.line, self.column, self.attrs = node.tag, node.file, node.line, node.column, attrs


def read_size(reader: Reader, node: Node) -> None:
    raw, elem = reader.spec.raw, ROOT.children["size"]
    for name, text in node.attrs.items():
        if name == "memory":
            size = memory_bytes(node, text)
            if size >= 0:
                raw["memory"] = size
            continue
        value = elem.attrs[name].read(node, text)
        if value is None:
            continue
        if value < (0 if name == "nuserdata" else -1):
            raise SpecError("the size is negative", node, name, text)
        if name in ("nstack", "njmax") and raw["memory"] != -1 and value != -1:
            raise SpecError(f"either 'memory' or '{name}' can be given, not both", node, name)
        limit = SIZE_LIMITS.get(name.partition("_")[0], MAX_SIZE)
        if value > limit:
            raise SpecError(f"the size is larger than the limit of {limit}", node, name, text)
        raw[name] = value


def memory_bytes(node: Node, text: str) -> int:
    """Return the number of bytes of a size such as `10M`; -1 for the default."""
    word = text.strip()
    if word == "-1":
        return -1
    digits = word[:-1] if word[-1:].isalpha() else word
    shift = "kmgtpe".find(word[-1:].lower()) + 1 if word[-1:].isalpha() else 0
    if not digits.isascii() or not digits.isdigit() or (word[-1:].isalpha() and not shift):
        raise SpecError("a whole number with an optional K, M, G, T, P or E is expected", node, "memory", text)
    size = int(digits) << (10 * shift)
    if size >= 1 << 63:
        raise SpecError("the size is too big", node, "memory", text)
    return size


# keywords of release 4.0 for the headlight -> their numbers
HEADLIGHT = {"false": "0", "true": "1", "auto": "2"}


def read_visual(reader: Reader, node: Node) -> None:
    visual = reader.spec.visual
    for child in node.children:
        if child.tag == "headlight" and child.attrs.get("active") in HEADLIGHT:
            child.attrs["active"] = HEADLIGHT[child.attrs["active"]]
        group = getattr(visual, "global_" if child.tag == "global" else child.tag)
        _into_struct(group, child, ROOT.children["visual"].children[child.tag])
        reader.spec.given.update(f"{child.tag}__{name}" for name in child.attrs)
        if child.tag == "global" and visual.global_.realtime <= 0:
            raise SpecError("realtime must be greater than 0", child, "realtime")
        if child.tag == "map" and visual.map.znear <= 0:
            raise SpecError("znear must be greater than 0", child, "znear")


def read_statistic(reader: Reader, node: Node) -> None:
    stat = reader.spec.stat
    _into_struct(stat, node, ROOT.children["statistic"])
    if stat.extent <= 0:
        raise SpecError("extent must be greater than 0", node, "extent", node.attrs.get("extent"))
