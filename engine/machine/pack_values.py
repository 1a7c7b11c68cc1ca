"""Packs of numbers in Python, as `machine.packs` has them in compiled code."""

import ctypes
import math
from typing import Any

from .arithmetic import divide
from .layout import PACK


class Mask:
    """PACK conditions."""

    __slots__ = ("flags",)

    def __init__(self, flags):
        self.flags = tuple(map(bool, flags))

    def __and__(self, other):
        return Mask(a and b for a, b in zip(self.flags, other.flags, strict=True))

    def __or__(self, other):
        return Mask(a or b for a, b in zip(self.flags, other.flags, strict=True))

    def __invert__(self):
        return Mask(not a for a in self.flags)

    def __bool__(self):
        raise TypeError("a mask has no truth of its own: ask for its bits")


def _each(function, result):
    def operate(self, other) -> Any:
        return result(function(a, b) for a, b in zip(self.numbers, other.numbers, strict=True))

    return operate


class Pack:
    """PACK numbers. Products and sums are rounded one by one: in compiled code they may be fused."""

    __slots__ = ("numbers",)

    def __init__(self, numbers):
        self.numbers = tuple(numbers)

    __add__ = _each(lambda a, b: a + b, lambda x: Pack(x))
    __sub__ = _each(lambda a, b: a - b, lambda x: Pack(x))
    __mul__ = _each(lambda a, b: a * b, lambda x: Pack(x))
    __truediv__ = _each(divide, lambda x: Pack(x))
    __lt__ = _each(lambda a, b: a < b, Mask)
    __le__ = _each(lambda a, b: a <= b, Mask)
    __gt__ = _each(lambda a, b: a > b, Mask)
    __ge__ = _each(lambda a, b: a >= b, Mask)
    __eq__ = _each(lambda a, b: a == b, Mask)  # type: ignore[assignment]
    __ne__ = _each(lambda a, b: a != b, Mask)  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]

    def __neg__(self):
        return Pack(-a for a in self.numbers)

    def __repr__(self):
        return f"Pack{self.numbers}"


def _place(x, k):
    if not 0 <= PACK * k <= len(x.items) - PACK:
        raise IndexError(f"pack {k} is out of bounds for {len(x.items)} numbers")
    return PACK * k


def pack_at(x, k) -> Pack:
    """Pack k of a vector."""
    first = _place(x, k)
    return Pack(x.items[first : first + PACK].tolist())


def put_pack(x, k, a) -> None:
    """Write pack k of a vector."""
    for i, value in enumerate(a.numbers, _place(x, k)):
        x.put(i, value)


def _vectors(places, first):
    return [(ctypes.c_double * PACK).from_address(places[i] + 8 * first) for i in range(PACK)]


def pack_columns(x, k, places, first) -> None:
    """Numbers `first` to first + 7 of the vectors at PACK addresses become packs k to k + 7 of x: one of each vector in a pack."""
    vectors = _vectors(places, first)
    for j in range(PACK):
        put_pack(x, k + j, Pack(v[j] for v in vectors))


def unpack_columns(x, k, places, first) -> None:
    """The way back of `pack_columns`."""
    vectors = _vectors(places, first)
    for j in range(PACK):
        for v, value in zip(vectors, pack_at(x, k + j).numbers, strict=True):
            v[j] = value


def spread(x) -> Pack:
    """A pack of one number."""
    return Pack([float(x)] * PACK)


def pick(mask, a, b) -> Pack:
    """a where a mask holds, else b."""
    return Pack(x if flag else y for flag, x, y in zip(mask.flags, a.numbers, b.numbers, strict=True))


def roots_of(a) -> Pack:
    """Square roots."""
    return Pack(math.sqrt(x) if x >= 0 else math.nan for x in a.numbers)


def sizes_of(a) -> Pack:
    """Absolute values."""
    return Pack(map(abs, a.numbers))


def bits_of(mask) -> int:
    """A mask as an integer, the first number's bit lowest."""
    return sum(1 << k for k, flag in enumerate(mask.flags) if flag)


def mask_of(bits) -> Mask:
    """The mask with an integer's bits."""
    return Mask(bits >> k & 1 for k in range(PACK))


LANG = {
    f.__name__: f for f in (pack_at, put_pack, pack_columns, unpack_columns, spread, pick, roots_of, sizes_of, bits_of, mask_of)
}
