"""The grammar table made into rows, and the checks that loop over them: structure first, then each attribute's value."""

from typing import Any

import numpy as np

from .errors import SpecError
from .grammar import GRAMMAR, GROUPS
from .keywords import KEYWORDS
from .ours import OUR_ATTRIBUTES
from .types import AXISANGLE, EULER, XYAXES, ZAXIS

# orientation alternatives
ORIENT = {"axisangle": AXISANGLE, "xyaxes": XYAXES, "zaxis": ZAXIS, "euler": EULER}
MAX_DOUBLE, MAX_SINGLE = float(np.finfo(np.float64).max), float(np.finfo(np.float32).max)
# least numbers of full precision by the largest, of single precision after rounding; what is smaller but not zero is out of range too
LEAST = {MAX_DOUBLE: float(np.finfo(np.float64).tiny), MAX_SINGLE: float(np.finfo(np.float32).tiny) * (1 - 2.0**-25)}


class Attr:
    """One attribute: its kind, its count of values, the field it sets."""

    __slots__ = ("name", "field", "kind", "low", "high", "words", "required", "alt", "limit")

    def __init__(self, text):
        left, kind = text.split()
        self.required = kind.endswith("!")
        kind = kind.rstrip("!")
        self.name, _, field = left.partition(">")
        self.field = field or self.name
        self.words: dict[str, int] = {}
        self.low = self.high = 1
        self.alt = 0
        self.limit = MAX_DOUBLE
        if "." in self.field:
            self.field, _, form = self.field.partition(".")
            self.alt = ORIENT[form]
        if kind[0] == "@":
            self.kind, self.words = "word", KEYWORDS[kind[1:]]
        elif kind in ("bool", "auto"):
            self.kind, self.words = "word", KEYWORDS[kind]
        elif kind in ("s", "file", "class"):
            self.kind = kind
        else:
            self.kind = kind[0]
            count = kind[1:]
            if count == "*":
                self.low, self.high = 0, -1
            elif ":" in count:
                self.low, self.high = (int(x) for x in count.split(":"))
            elif count:
                self.low = self.high = int(count)

    def read(self, node, text, old=None) -> Any:
        """The value of this attribute's text; `old` supplies what a shorter list leaves out. None if there is no number in it."""
        if self.kind == "word":
            try:
                return self.words[text]
            except KeyError:
                raise SpecError(f"invalid keyword '{text}'", node, self.name, text, tuple(self.words)) from None
        if self.kind in ("s", "file", "class"):
            return text
        values = self.numbers(node, text)
        n = len(values)
        if not n:
            if self.required:
                raise SpecError("required attribute is empty", node, self.name)
            if self.kind == "i" and self.high == 1:
                raise SpecError("an integer expected, found nothing", node, self.name)
            return None
        if self.high == 1:
            if n > 1:
                raise SpecError(f"one number expected, found {n}", node, self.name, text)
            return values[0]
        if self.high > 0:
            if n > self.high:
                raise SpecError(f"too many numbers: {n}, at most {self.high} expected", node, self.name, text)
            if n < self.high and self.low == self.high:
                raise SpecError(f"not enough numbers: {n}, {self.high} expected", node, self.name, text)
            if old is not None and n < len(old):
                return tuple(values) + tuple(old[n:])
        return tuple(values)

    def numbers(self, node, text) -> list[Any]:
        """The list of numbers in a text; NaN, words and numbers out of range are errors."""
        words = text.split()
        if self.kind == "f":
            if len(words) > 256:
                return self.many(node, text, words)
            try:
                values = [float(w) for w in words]
            except ValueError:
                values = [self.one(node, w) for w in words]
            limit = self.limit
            least = LEAST[limit]
            for v in values:
                if not -limit <= v <= limit:
                    self.large(node, text, v)
                if -least < v < least and (v or "e-" in text or "E-" in text):
                    self.small(node, text, v)
            if "_" in text:
                raise SpecError(f"not a number: '{text}'", node, self.name, text)
            return values
        return [self.whole(node, w) for w in words]

    def one(self, node, word) -> float:
        """A real that float() refuses: hexadecimal, or an error."""
        try:
            return float.fromhex(word) if "x" in word.lower() else float(word)
        except ValueError:
            raise SpecError(f"not a number: '{word}'", node, self.name, word) from None

    def whole(self, node, word) -> int:
        try:
            v = int(word, 10)
        except ValueError:
            raise SpecError(f"not an integer: '{word}'", node, self.name, word) from None
        if not -2**31 <= v < 2**31 or "_" in word:
            raise SpecError(f"integer out of range: '{word}'", node, self.name, word)
        return v

    def many(self, node, text, words) -> list[float]:
        """Long lists go through numpy; only if that stumbles is each word looked at."""
        try:
            values = np.array(words, dtype=np.float64)
        except ValueError:
            values = np.array([self.one(node, w) for w in words])
        if "_" in text or np.isnan(values).any():
            raise SpecError("not a list of numbers", node, self.name)
        size = np.abs(values)
        if size.max() > self.limit:
            self.large(node, text, np.inf)
        if size.min() < LEAST[self.limit]:
            self.small(node, text, size[size > 0].min(initial=1.0))
        return values.tolist()

    def large(self, node, text, value) -> None:
        """A number beyond the type of its field: infinity if it is written so, or an error."""
        if value != value:
            raise SpecError("NaN is not a number a model can use", node, self.name, text)
        if abs(value) != np.inf or "inf" not in text.lower():
            raise SpecError("a number is too large", node, self.name, text)

    def small(self, node, text, value) -> None:
        """A number so small that its field cannot hold it in full precision is an error; zero is not, if it is written so."""
        lost = 0 < abs(value) < LEAST[self.limit]
        if lost or "e-" in text.lower() and any(not self.one(node, w) and w.lower().split("e")[0].strip("+-0.") for w in text.split()):
            raise SpecError("a number is too small", node, self.name, text)



class Elem:
    """One element of the grammar."""

    __slots__ = ("name", "many", "struct", "attrs", "children", "path")

    def __init__(self, name, many, struct, path):
        self.name, self.many, self.struct, self.path = name, many, struct, path
        self.attrs: dict[str, Attr] = {}
        self.children: dict[str, Elem] = {}


def _like(text, root):
    """The attributes of another element that a row refers to: `like path - names`."""
    path, _, without = text[5:].partition("-")
    source = root
    for name in path.split():
        for part in name.split("/"):
            source = source.children[part]
    drop = without.split()
    return {k: v for k, v in source.attrs.items() if k not in drop}


def _attrs(text, struct, known):
    """{name: Attr} of a row. Equal rows for one struct share their attributes: `known` is what was read so far."""
    found = known.get((text, struct))
    if found is None:
        found = known[text, struct] = {}
        for part in text.split(","):
            part = part.strip()
            if part[:1] == "$":
                found.update(_attrs(GROUPS[part[1:]], struct, known))
            elif part:
                row = Attr(part)
                found[row.name] = row
    return found


def _build():
    stack: list[Elem] = []
    later, known = [], {}
    for line in GRAMMAR.split("\n"):
        if not line.strip():
            continue
        depth = (len(line) - len(line.lstrip())) // 2
        line = line.strip()
        if line[0] == "|":
            text = line[1:].strip()
            if text.startswith("like "):
                # until the elements that they refer to are read
                later.append((stack[-1], text))
            else:
                stack[-1].attrs.update(_attrs(text, stack[-1].struct, known))
            continue
        words = line.split() + [""]
        del stack[depth:]
        path = "/".join([e.name for e in stack[1:]] + [words[0]])
        elem = Elem(words[0], words[1], words[2], path)
        if stack:
            stack[-1].children[elem.name] = elem
        stack.append(elem)
    root = stack[0]
    # defaults refer to elements that may themselves refer to others
    for elem, text in reversed(later):
        elem.attrs.update(_like(text, root))
    return root


def _add_ours(elem, seen):
    """Attributes that follow from rows of ours in the Model's table: on every element whose struct has the field."""
    if elem in seen:
        return
    seen.add(elem)
    for name, kind in OUR_ATTRIBUTES.get(elem.struct, {}).items():
        if elem.attrs:
            elem.attrs[name] = Attr(f"{name} {kind}")
    for child in elem.children.values():
        _add_ours(child, seen)


ROOT = _build()
_add_ours(ROOT, set())
BODY = ROOT.children["body"]
FRAME = BODY.children.pop("frame")
REPLICATE = BODY.children.pop("replicate")
# what may stand inside a body, a frame or a replicate
_INSIDE = dict(BODY.children, body=BODY, frame=FRAME, replicate=REPLICATE)
FRAME.children = REPLICATE.children = BODY.children = _INSIDE
ROOT.children["default"].children["default"] = ROOT.children["default"]
TOP = {k: v for k, v in ROOT.children.items() if k != "body"}
WORLD = Elem("worldbody", "*", "MjsBody", "worldbody")
WORLD.children = _INSIDE
TOP["worldbody"] = WORLD
# files that others include may have bodies at the top; on their own such bodies are checked, but no one reads them
for _tag in ("body", "frame", "replicate"):
    TOP[_tag] = Elem(_tag, "*", "MjsBody", _tag)
    TOP[_tag].attrs, TOP[_tag].children = BODY.attrs, _INSIDE
ROOT.children = TOP


def check(node, elem=ROOT) -> None:
    """Structure of a whole tree: known elements, known attributes, how often, what is required. SpecError at the first fault."""
    if node.tag != elem.name:
        raise SpecError(f"unrecognized element '{node.tag}'", node, "", node.tag, (elem.name,))
    _check(node, elem)


def _check(node, elem):
    attrs = elem.attrs
    for name in node.attrs:
        if name not in attrs:
            if elem is FRAME or elem is REPLICATE:
                # the reference looks at none of their attributes but those it knows
                continue
            if elem is WORLD:
                raise SpecError("the world body cannot have attributes", node, name)
            raise SpecError(f"unrecognized attribute '{name}'", node, name, name, tuple(attrs) or ("none",))
    known = elem.children
    seen = None
    for child in node.children:
        sub = known.get(child.tag)
        if sub is None:
            raise SpecError(f"unrecognized element '{child.tag}' in '{node.tag}'", child, "", child.tag, tuple(known))
        if sub.many == "?":
            if seen is None:
                seen = set()
            elif child.tag in seen:
                raise SpecError(f"element '{child.tag}' may occur only once in '{node.tag}'", child)
            seen.add(child.tag)
        _check(child, sub)


def read_into(raw, node, elem, skip=()) -> None:
    """Set the fields of `raw` (field → value) from a node's attributes; returns nothing. Text fields with names are left to `skip`."""
    rows = elem.attrs
    oriented = "quat" in node.attrs
    for name, text in node.attrs.items():
        if name in skip or name not in rows:
            continue
        row = rows[name]
        if row.alt:
            value = row.read(node, text)
            if value is not None:
                if oriented:
                    raise SpecError("multiple orientation specifiers are not allowed", node, name)
                oriented = True
                raw[row.field] = (row.alt, value)
            continue
        value = row.read(node, text, raw.get(row.field) if row.low != row.high else None)
        if value is not None:
            raw[row.field] = value
    quat = node.attrs.get("quat")
    if quat is not None and "quat" in rows:
        q = raw.get(rows["quat"].field)
        if q is not None and not any(q):
            raise SpecError("a quaternion of zeros is not allowed", node, "quat", quat)


def need(node, elem) -> None:
    """All required attributes of a node must be there."""
    for name, row in elem.attrs.items():
        if row.required and name not in node.attrs:
            raise SpecError(f"required attribute '{name}' is missing", node, name)
