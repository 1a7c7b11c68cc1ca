"""Symbols: numbers that differ between lanes. Operations on them are recorded on a tape, as straight-line code.

    0.5 * x + 0.0     x a Number        ──▶   %7 = fmul 0.5, %3          constants fold, equal operations are recorded once

An operation is a row (name, operands); operands are indices of earlier rows, or constants. Memory is one vector of
elements, each with a value in every lane: an element is loaded when it is first read, and stored at the end if it was
written.
"""

from __future__ import annotations

import math
import struct
from typing import Any, NoReturn

# the element of lane memory that is nonzero in lanes excluded from the vectorized step
LEFT = 0
# commutative operations
_EXCHANGED = {"fadd", "fmul", "and", "or"}


class Untraceable(Exception):
    """Raised for kernels that cannot run on lanes: they use a lane's number as an integer, or branch on it in a way that no
    select instruction can express."""


class Leave(Exception):
    """Raised on a path whose lanes must be excluded from the vectorized step because of a warning or a reset."""


def is_lane(x: Any) -> bool:
    """Return whether a value differs between lanes."""
    return isinstance(x, Number | Mask)


def is_zero(x: Any) -> bool:
    """Return whether a value is the constant 0."""
    return not is_lane(x) and x == 0


def _bits(x: float) -> bytes:
    """Return the bit pattern of a number; it differs for 0 and -0."""
    return struct.pack("<d", x)


class Tape:
    """A recording of operations. `rows`: (operation, operands). `memory`: {element or scratch cell: its current value}."""

    def __init__(self) -> None:
        self.rows: list[tuple] = []
        self._known: dict[tuple, int] = {}
        self.memory: dict = {}
        self.loaded: set[int] = set()
        self.written: set = set()
        # undo log: overwritten values, newest last, as (element or scratch cell, previous value or None)
        self.journal: list[tuple] = []
        self.frames: list = []
        # sizes of scratch arrays, in order of allocation
        self.scratch: list[int] = []

    def row(self, name: str, *operands: Any) -> int:
        """Record an operation unless an equal one exists; return its index."""
        key = (name, *(_bits(x) if isinstance(x, float) else x for x in operands))
        if name in _EXCHANGED and str(key[1]) > str(key[2]):
            key = (name, key[2], key[1])
        place = self._known.get(key)
        if place is None:
            place = self._known[key] = len(self.rows)
            self.rows.append((name, operands))
        return place

    def number(self, name: str, *operands: Any) -> Number:
        """Record an operation whose result is a number."""
        return Number(self, self.row(name, *(x.place if is_lane(x) else float(x) for x in operands)))

    def mask(self, name: str, *operands: Any) -> Mask:
        """Record an operation whose result is a condition."""
        return Mask(self, self.row(name, *(x.place if is_lane(x) else float(x) for x in operands)))

    # ---- memory ----------------------------------------------------------------------------------------------------------
    def read(self, place: Any) -> Any:
        """Return the value of an element of lane memory or of a scratch cell. The first read of an element records a
        load."""
        value = self.memory.get(place)
        if value is None:
            if not isinstance(place, int):
                raise Untraceable(f"{place} is read before it is written")
            self.loaded.add(place)
            value = self.memory[place] = Number(self, self.row("load", place))
        return value

    def write(self, place: Any, value: Any) -> None:
        """Set the value of an element of lane memory or of a scratch cell."""
        self.journal.append((place, self.memory.get(place)))
        self.memory[place] = value
        self.written.add(place)

    def undo(self, start: int) -> dict:
        """Undo the writes in the undo log from index `start` on. Return {element or scratch cell: value before the undo}."""
        found = {place: self.memory[place] for place, _ in self.journal[start:]}
        while len(self.journal) > start:
            place, before = self.journal.pop()
            if before is None:
                del self.memory[place]
            else:
                self.memory[place] = before
        return found

    def decide(self, mask: Mask) -> bool:
        """Return the direction of a branch on a mask in this run of a function (see `paths`)."""
        if not self.frames:
            raise Untraceable("a branch on lanes")
        return self.frames[-1].decide(mask)


class Mask:
    """A condition that differs between lanes."""

    __slots__ = ("place", "tape")

    def __init__(self, tape: Tape, place: int) -> None:
        self.tape, self.place = tape, place

    def __bool__(self) -> bool:
        return self.tape.decide(self)

    def _with(self, name: str, other: Any) -> Any:
        """Return the combination of this mask with another mask or a constant."""
        if isinstance(other, Mask):
            return self if other.place == self.place else self.tape.mask(name, self, other)
        if name == "and":
            return self if other else False
        return True if other else self

    def __and__(self, other: Any) -> Any:
        return self._with("and", other)

    def __or__(self, other: Any) -> Any:
        return self._with("or", other)

    __rand__, __ror__ = __and__, __or__

    def inverted(self) -> Mask:
        """Return the negated mask."""
        return self.tape.mask("not", self)

    __hash__ = None  # type: ignore[assignment]


def _compare(predicate: str) -> Any:
    """Return the method with which Number implements a comparison such as `<`."""

    def compare(self, other: Any) -> Any:
        return self.tape.mask(predicate, self, other)

    return compare


def _rejected(self, *_: Any) -> NoReturn:
    """Raise Untraceable."""
    raise Untraceable("a number of lanes as an integer")


class Number:
    """A floating-point number that differs between lanes."""

    __slots__ = ("place", "tape")

    def __init__(self, tape: Tape, place: int) -> None:
        self.tape, self.place = tape, place

    def __add__(self, other: Any) -> Any:
        return self if is_zero(other) else self.tape.number("fadd", self, other)

    def __sub__(self, other: Any) -> Any:
        return self if is_zero(other) else self.tape.number("fsub", self, other)

    def __rsub__(self, other: Any) -> Any:
        return -self if is_zero(other) else self.tape.number("fsub", other, self)

    def __mul__(self, other: Any) -> Any:
        if not is_lane(other):
            if other == 0:
                return 0.0
            if other == 1:
                return self
            if other == -1:
                return -self
        return self.tape.number("fmul", self, other)

    def __truediv__(self, other: Any) -> Any:
        return self if not is_lane(other) and other == 1 else self.tape.number("fdiv", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return 0.0 if is_zero(other) else self.tape.number("fdiv", other, self)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Any:
        return self.tape.number("fneg", self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return self.tape.number("fabs", self)

    __lt__, __le__, __gt__, __ge__ = map(_compare, ("olt", "ole", "ogt", "oge"))
    __eq__, __ne__ = _compare("oeq"), _compare("une")  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]
    __int__ = __index__ = __float__ = _rejected
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __lshift__ = __rshift__ = _rejected

    def __bool__(self) -> bool:
        return bool(self != 0.0)


# ---- selection -----------------------------------------------------------------------------------------------------------
def _select_mask(mask: Mask, a: Any, b: Any) -> Any:
    """Return `a` where the mask is true, `b` elsewhere; `a` and `b` are masks or constants."""
    if isinstance(a, bool):
        return (
            (mask if not b else True)
            if isinstance(b, bool) and a != b and a
            else mask.inverted()
            if isinstance(b, bool)
            else (mask | b if a else mask.inverted() & b)
        )
    if isinstance(b, bool):
        return mask.inverted() | a if b else mask & a
    return (mask & a) | (mask.inverted() & b)


def same(a: Any, b: Any) -> bool:
    """Return whether two values are identical, including the sign of zero."""
    if is_lane(a) or is_lane(b):
        return type(a) is type(b) and a.place == b.place
    return type(a) is type(b) and (a == b and math.copysign(1, a) == math.copysign(1, b) if isinstance(a, float) else a == b)


def select(mask: Any, a: Any, b: Any) -> Any:
    """Return `a` in lanes where the mask is true, `b` in the others. Both are numbers, masks, or tuples of these. None stands
    for a variable that has no value yet."""
    if not isinstance(mask, Mask):
        return a if mask else b
    if a is None or b is None:
        return b if a is None else a
    if isinstance(a, tuple):
        if not isinstance(b, tuple) or len(a) != len(b):
            raise Untraceable("results of different shapes")
        return tuple(select(mask, x, y) for x, y in zip(a, b, strict=True))
    if a is b or same(a, b):
        return a
    if isinstance(a, bool | Mask) and isinstance(b, bool | Mask):
        return _select_mask(mask, a, b)
    if isinstance(a, int | float | Number) and isinstance(b, int | float | Number):
        return mask.tape.number("select", mask, a, b)
    raise Untraceable(f"a choice between {type(a).__name__} and {type(b).__name__}")
