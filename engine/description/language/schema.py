"""The grammar table as rows, and the checks that use them: first the structure, then the value of each attribute
(attributes.py).
"""

from collections.abc import Sequence
from typing import Any

from .attributes import Attr, attribute
from .errors import SpecError
from .grammar import GRAMMAR, GROUPS
from .newer_rows import GONE, attribute_of, is_neutral
from .ours import OUR_ATTRIBUTES
from .xmltree import Node


class Elem:
    """One element of the grammar."""

    __slots__ = ("name", "many", "struct", "attrs", "children", "path", "required")

    def __init__(self, name: str, many: str, struct: str, path: str) -> None:
        self.name, self.many, self.struct, self.path = name, many, struct, path
        self.attrs: dict[str, Attr] = {}
        self.children: dict[str, Elem] = {}
        # names of required attributes; set after all rows are read
        self.required: tuple[str, ...] = ()


def _like(text: str, root: Elem) -> dict[str, Any]:
    """Return the attributes of the element at `path` except `names`, for a row `like path - names`."""
    path, _, without = text[5:].partition("-")
    source = root
    for name in path.split():
        for part in name.split("/"):
            source = source.children[part]
    drop = without.split()
    return {k: v for k, v in source.attrs.items() if k not in drop}


def _attrs(text: str, struct: str, known: dict[tuple[str, str], dict[str, Any]]) -> dict[str, Any]:
    """Return {name: Attr} for a row. Equal rows of one struct share their attributes through `known`."""
    found = known.get((text, struct))
    if found is None:
        found = known[text, struct] = {}
        for part in text.split(","):
            part = part.strip()
            if part[:1] == "$":
                found.update(_attrs(GROUPS[part[1:]], struct, known))
            elif part:
                row = attribute(part)
                found[row.name] = row
    return found


def _build() -> Elem:
    stack: list[Elem] = []
    later, known = [], {}
    for line in GRAMMAR.split("\n"):
        if not line.strip():
            continue
        depth = (len(line) - len(line.lstrip())) // 2
        line = line.strip()

        # a row that lists attributes
        if line[0] == "|":
            text = line[1:].strip()
            if text.startswith("like "):
                # resolved below, after the referenced element has been read
                later.append((stack[-1], text))
            else:
                stack[-1].attrs.update(_attrs(text, stack[-1].struct, known))
            continue

        # an element: its parent is the last element with a smaller depth
        words = line.split() + [""]
        del stack[depth:]
        path = "/".join([e.name for e in stack[1:]] + [words[0]])
        elem = Elem(words[0], words[1], words[2], path)
        if stack:
            stack[-1].children[elem.name] = elem
        stack.append(elem)
    root = stack[0]

    # resolve in reverse order: elements of default classes refer to elements that refer to others
    for elem, text in reversed(later):
        elem.attrs.update(_like(text, root))
    return root


# attributes that an element lacks although its struct has the field: a free joint has no spring
LEFT_OUT = {"freejoint": ("springyield",)}


def _add_ours(elem: Elem, seen: set[Elem]) -> None:
    """Add the attributes derived from Tumble's own model fields to every element whose struct has the field."""
    if elem in seen:
        return
    seen.add(elem)
    for name, kind in OUR_ATTRIBUTES.get(elem.struct, {}).items():
        if elem.attrs and name not in elem.attrs and name not in LEFT_OUT.get(elem.name, ()):
            elem.attrs[name] = attribute(f"{name} {kind}")
    for child in elem.children.values():
        _add_ours(child, seen)


ROOT = _build()
_add_ours(ROOT, set())
BODY = ROOT.children["body"]
FRAME = BODY.children.pop("frame")
REPLICATE = BODY.children.pop("replicate")
# elements allowed inside a body, a frame or a replicate
_INSIDE = dict(BODY.children, body=BODY, frame=FRAME, replicate=REPLICATE)
FRAME.children = REPLICATE.children = BODY.children = _INSIDE
ROOT.children["default"].children["default"] = ROOT.children["default"]
TOP = {k: v for k, v in ROOT.children.items() if k != "body"}
WORLD = Elem("worldbody", "*", "MjsBody", "worldbody")
WORLD.children = _INSIDE
TOP["worldbody"] = WORLD
# Included files may have bodies at the top level. In a main file, such bodies are checked but not read.
for _tag in ("body", "frame", "replicate"):
    TOP[_tag] = Elem(_tag, "*", "MjsBody", _tag)
    TOP[_tag].attrs, TOP[_tag].children = BODY.attrs, _INSIDE
ROOT.children = TOP


def check(node: Node, elem: Elem = ROOT) -> None:
    """Check the structure of a whole tree: known elements and attributes, multiplicity. SpecError for the first error."""
    if node.tag != elem.name:
        raise SpecError(f"unrecognized element '{node.tag}'", node, "", node.tag, (elem.name,))
    _check(node, elem)


def check_removed(node: Node) -> None:
    """Raise SpecError for the first use of something that later releases removed."""
    for row in GONE:
        if row.meets(node):
            name = "" if row.name == "-" else row.name
            what = row.value if row.value != "-" else name or row.tag
            raise SpecError(f"'{what}' was removed in MuJoCo {row.version}: {row.instead} takes its place", node, name, what)
    for child in node.children:
        check_removed(child)


def _check(node: Node, elem: Elem) -> None:
    # attributes
    attrs = elem.attrs
    for name in node.attrs:
        if name not in attrs:
            newer = attribute_of(elem.path, name)
            if newer is not None:
                if is_neutral(newer, node.attrs[name]):
                    continue
                raise SpecError(f"attribute {newer.need}", node, name, node.attrs[name])
            if elem is FRAME or elem is REPLICATE:
                # MuJoCo ignores unknown attributes of these elements
                continue
            if elem is WORLD:
                raise SpecError("the world body cannot have attributes", node, name)
            raise SpecError(f"unrecognized attribute '{name}'", node, name, name, tuple(attrs) or ("none",))

    # check the child elements
    known = elem.children
    seen = None
    for child in node.children:
        sub = known.get(child.tag)
        if sub is None:
            newer = attribute_of(elem.path, child.tag)
            if newer is not None:
                raise SpecError(f"element {newer.need}", child, "", child.tag)
            raise SpecError(f"unrecognized element '{child.tag}' in '{node.tag}'", child, "", child.tag, tuple(known))
        if sub.many == "?":
            if seen is None:
                seen = set()
            elif child.tag in seen:
                raise SpecError(f"element '{child.tag}' may occur only once in '{node.tag}'", child)
            seen.add(child.tag)
        _check(child, sub)


def read_into(raw: dict[str, Any], node: Node, elem: Elem, skip: frozenset[str] | Sequence[str] = ()) -> None:
    """Set the fields of `raw` ({field: value}) from a node's attributes, except those named in `skip`."""
    rows, attrs, oriented = elem.attrs, node.attrs, False
    for name, text in attrs.items():
        row = rows.get(name)
        if row is None or name in skip:
            continue
        value = row.read(node, text, raw.get(row.field)) if row.varies else row.read(node, text)
        if value is None:
            continue
        if row.alt:
            if oriented or "quat" in attrs:
                raise SpecError("multiple orientation specifiers are not allowed", node, name)
            oriented, value = True, (row.alt, value)
        if row.rest:
            raw[row.rest] = (*value[1:], *raw[row.rest][len(value) - 1 :])
            value = value[0]
        raw[row.field] = value
    if "quat" in attrs and "quat" in rows:
        q = raw.get(rows["quat"].field)
        if q is not None and not any(q):
            raise SpecError("a quaternion of zeros is not allowed", node, "quat", attrs["quat"])


def need(node: Node, elem: Elem) -> None:
    """Raise SpecError if a required attribute is missing."""
    for name in elem.required:
        if name not in node.attrs:
            raise SpecError(f"required attribute '{name}' is missing", node, name)


def _require(elem: Elem, seen: set[Elem]) -> None:
    """Collect the names of required attributes, here and below."""
    if elem in seen:
        return
    seen.add(elem)
    elem.required = tuple(name for name, row in elem.attrs.items() if row.required)
    for child in elem.children.values():
        _require(child, seen)


_require(ROOT, set())
