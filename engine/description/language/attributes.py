"""Attributes: parsing of an attribute's text into a keyword, a number or a list of numbers, with errors that name the
location."""

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from .errors import SpecError
from .keywords import KEYWORDS
from .newer_rows import word_of
from .types import AXISANGLE, EULER, XYAXES, ZAXIS
from .xmltree import Node

# alternative notations of an orientation
ORIENT = {"axisangle": AXISANGLE, "xyaxes": XYAXES, "zaxis": ZAXIS, "euler": EULER}
MAX_DOUBLE, MAX_SINGLE = float(np.finfo(np.float64).max), float(np.finfo(np.float32).max)
# {largest number of a type: smallest positive normal number of that type}. Smaller nonzero numbers are out of range. The bound
# for single precision allows for rounding.
LEAST = {MAX_DOUBLE: float(np.finfo(np.float64).tiny), MAX_SINGLE: float(np.finfo(np.float32).tiny) * (1 - 2.0**-25)}


# a string of fewer than SHORT characters from PLAIN has no exponent: its numbers are zero or between 1e-36 and 1e36
SHORT, PLAIN = 37, "0123456789.-+ \n\t"


@functools.lru_cache(4096)
def plain_numbers(text: str) -> tuple[float, ...] | None:
    """Return the numbers in a short string without exponents; None for other strings. Cached, because strings such as "0 0 1"
    recur."""
    if len(text) >= SHORT or text.strip(PLAIN):
        return None
    try:
        return tuple(map(float, text.split()))
    except ValueError:
        return None


class Attr:
    """One attribute: kind, number of values, and the field that it sets. Each subclass parses one kind of text."""

    __slots__ = ("name", "field", "kind", "low", "high", "words", "required", "alt", "limit", "varies", "rest")

    def __init__(self, left: str, kind: str, required: bool) -> None:
        self.name, _, field = left.partition(">")
        self.field = field or self.name
        self.required = required
        self.words: dict[str, int] = {}
        self.low = self.high = 1
        self.alt = 0
        self.limit = MAX_DOUBLE

        # a field with a dot is an alternative notation of an orientation
        if "." in self.field:
            self.field, _, form = self.field.partition(".")
            self.alt = ORIENT[form]

        # kind and number of values
        self.kind = kind
        if kind[0] in "fi" and kind != "file":
            self.kind, count = kind[0], kind[1:]
            if count == "*":
                self.low, self.high = 0, -1
            elif ":" in count:
                self.low, self.high = (int(x) for x in count.split(":"))
            elif count:
                self.low = self.high = int(count)

        # whether a list may have fewer numbers than the field
        self.varies = self.low != self.high
        # field that gets the numbers after the first
        self.rest = ""

    def read(self, node: Node, text: str, old: Sequence[float] | None = None) -> Any:
        """Return the value of this attribute's text, or None if the text has no number.

        `old` supplies the values that a shorter list leaves out.
        """
        return text

    def numbers(self, node: Node, text: str) -> Sequence[Any]:
        """Return the numbers in a string. NaN, words and numbers out of range are errors."""
        raise SpecError(f"attribute '{self.name}' has no numbers", node, self.name, text)


class Word(Attr):
    """One keyword of a set; `set` is the set's name in the table of keywords."""

    __slots__ = ("set",)

    def read(self, node: Node, text: str, old: Sequence[float] | None = None) -> Any:
        try:
            return self.words[text]
        except KeyError:
            newer = word_of(self.set, text)
            if newer is not None:
                raise SpecError(f"keyword {newer.need}", node, self.name, text) from None
            raise SpecError(f"invalid keyword '{text}'", node, self.name, text, tuple(self.words)) from None


class Bits(Word):
    """Several keywords of a set, each at most once and in the order of the table: the value is a sum of bits."""

    __slots__ = ()

    def read(self, node: Node, text: str, old: Sequence[float] | None = None) -> Any:
        found = [super(Bits, self).read(node, word) for word in text.split()]
        if any(a >= b for a, b in zip(found, found[1:])):
            raise SpecError(f"{self.name} must be in the order " + ", ".join(self.words), node, self.name, text)
        return sum(1 << k for k in found)


class Inputs(Word):
    """The inputs of an actuator: keywords for bits, in the order of the table, or the chart of an orientation servo."""

    __slots__ = ()
    CHARTS, ALONE = KEYWORDS["ctrlchart"], ("none", "pressure")

    def read(self, node: Node, text: str, old: Sequence[float] | None = None) -> Any:
        words = text.split()
        if len(words) == 1 and words[0] in self.CHARTS:
            return self.CHARTS[words[0]]
        found = [super(Inputs, self).read(node, word) for word in words]
        if any(a >= b for a, b in zip(found, found[1:])) or len(words) > 1 and any(word in self.ALONE for word in words):
            raise SpecError(
                f"{self.name} must be some of pos, vel, ff, voltage in this order, or none, pressure, expmap or quat alone",
                node,
                self.name,
                text,
            )
        return sum(found)


class Numbers(Attr):
    """One real number or a list of them."""

    __slots__ = ()

    def read(self, node: Node, text: str, old: Sequence[float] | None = None) -> Any:
        values = self.numbers(node, text)
        n, high = len(values), self.high
        if n == high and not self.varies:
            return tuple(values) if n > 1 else values[0]
        if not n:
            return self.empty(node)
        if high == 1:
            raise SpecError(f"one number expected, found {n}", node, self.name, text)
        if n > high > 0:
            raise SpecError(f"too many numbers: {n}, at most {high} expected", node, self.name, text)
        if not self.varies:
            raise SpecError(f"not enough numbers: {n}, {high} expected", node, self.name, text)
        # a shorter list keeps the rest of the old value
        if high > 0 and old is not None and n < len(old):
            return (*values, *old[n:])
        return tuple(values)

    def empty(self, node: Node) -> None:
        """Return None for an empty text; SpecError if the attribute is required."""
        if self.required:
            raise SpecError("required attribute is empty", node, self.name)

    def numbers(self, node: Node, text: str) -> Sequence[Any]:
        # numbers without exponents are always within range
        values = plain_numbers(text)
        if values is not None:
            return values
        words = text.split()
        if len(words) > 256:
            return self.many(node, text, words)
        try:
            values = list(map(float, words))
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

    def one(self, node: Node, word: str) -> float:
        """Return a hexadecimal real, which float() refuses, or infinity if it is too large; SpecError for anything else."""
        try:
            return float.fromhex(word) if "x" in word.lower() else float(word)
        except OverflowError:
            return np.inf
        except ValueError:
            raise SpecError(f"not a number: '{word}'", node, self.name, word) from None

    def many(self, node: Node, text: str, words: list[str]) -> list[float]:
        """Return a long list of numbers, parsed by numpy. If that fails, parse the numbers one by one."""
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

    def large(self, node: Node, text: str, value: float) -> None:
        """Handle a number beyond the range of its type: allow infinity if it is written as such, raise an error otherwise."""
        if value != value:
            raise SpecError("NaN is not a number a model can use", node, self.name, text)
        if abs(value) != np.inf or "inf" not in text.lower():
            raise SpecError("a number is too large", node, self.name, text)

    def small(self, node: Node, text: str, value: float) -> None:
        """Raise an error for a nonzero number that is too small for full precision; zero may be written in any way."""

        # float() turns tiny numbers into zero, so zeros with an exponent are checked in the text
        lost = 0 < abs(value) < LEAST[self.limit]
        if (
            lost
            or "e-" in text.lower()
            and any(not self.one(node, w) and w.lower().split("e")[0].strip("+-0.") for w in text.split())
        ):
            raise SpecError("a number is too small", node, self.name, text)


class Polynomial(Numbers):
    """Coefficients of a polynomial without constant term.

    The linear one sets the field; up to two more set the field named `...poly`.
    """

    __slots__ = ()

    def __init__(self, left: str, kind: str, required: bool) -> None:
        super().__init__(left, "f1:3", required)
        self.rest, self.varies = self.field + "poly", False

    def read(self, node: Node, text: str, old: Sequence[float] | None = None) -> Any:
        values = self.numbers(node, text)
        if not values:
            return self.empty(node)
        if len(values) > self.high:
            raise SpecError(f"too many numbers: {len(values)}, at most {self.high} expected", node, self.name, text)
        return tuple(values)


class Integers(Numbers):
    """One integer or a list of them."""

    __slots__ = ()

    def empty(self, node: Node) -> None:
        super().empty(node)
        if self.high == 1:
            raise SpecError("an integer expected, found nothing", node, self.name)

    def numbers(self, node: Node, text: str) -> Sequence[Any]:
        return [self.whole(node, w) for w in text.split()]

    def whole(self, node: Node, word: str) -> int:
        """Return one integer; SpecError if it does not fit 32 bits."""
        try:
            v = int(word, 10)
        except ValueError:
            raise SpecError(f"not an integer: '{word}'", node, self.name, word) from None
        if not -(2**31) <= v < 2**31 or "_" in word:
            raise SpecError(f"integer out of range: '{word}'", node, self.name, word)
        return v


def attribute(text: str) -> Attr:
    """Return the attribute described by `name[>field] kind[!]` in a row of the grammar."""
    left, kind = text.split()
    required, kind = kind.endswith("!"), kind.rstrip("!")

    # recognize sets of keywords
    if kind.startswith("bits:"):
        new = Bits(left, "bits", required)
        new.set = kind[len("bits:") :]
        new.words = KEYWORDS[new.set]
        return new
    if kind == "controls":
        new = Inputs(left, kind, required)
        new.set, new.words = "ctrlinput", KEYWORDS["ctrlinput"] | Inputs.CHARTS
        return new
    if kind[0] == "@" or kind in ("bool", "auto"):
        new = Word(left, "word", required)
        new.set = kind.lstrip("@")
        new.words = KEYWORDS[kind.lstrip("@")]
        return new

    # texts
    if kind in ("s", "file", "class"):
        return Attr(left, kind, required)

    # numbers
    if kind == "poly":
        return Polynomial(left, kind, required)
    return (Integers if kind[0] == "i" else Numbers)(left, kind, required)
