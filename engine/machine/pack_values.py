"""Packs of numbers in Python; `machine.packs` is the compiled version."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from .arithmetic import divide
from .layout import PACK


class Mask:
    """PACK conditions, one for each number of a pack."""

    __slots__ = ("flags",)

    def __init__(self, flags: Iterable[Any]) -> None:
        self.flags = tuple(map(bool, flags))

    def __and__(self, other: Mask) -> Mask:
        return Mask(a and b for a, b in zip(self.flags, other.flags, strict=True))

    def __or__(self, other: Mask) -> Mask:
        return Mask(a or b for a, b in zip(self.flags, other.flags, strict=True))

    def __invert__(self) -> Mask:
        return Mask(not a for a in self.flags)

    def __bool__(self) -> NoReturn:
        raise TypeError("a mask is neither true nor false: test its bits")


def _each(function: Callable[[Any, Any], Any], result: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """Return an operator that applies `function` to each number; `result` makes the pack or mask."""

    def operate(self, other: Any) -> Any:
        return result(function(a, b) for a, b in zip(self.numbers, other.numbers, strict=True))

    return operate


class Pack:
    """PACK numbers. Products and sums are rounded separately, whereas compiled code may use fused multiply-add."""

    __slots__ = ("numbers",)

    def __init__(self, numbers: Iterable[Any]) -> None:
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

    def __neg__(self) -> Pack:
        return Pack(-a for a in self.numbers)

    def __repr__(self) -> str:
        return f"Pack{self.numbers}"


def _place(x: Any, k: int) -> int:
    """Return the index of the first number of pack k. Raise IndexError if the pack is out of bounds."""
    if not 0 <= PACK * k <= len(x.items) - PACK:
        raise IndexError(f"pack {k} is out of bounds for {len(x.items)} numbers")
    return PACK * k


def pack_at(x: Any, k: int) -> Pack:
    """Return pack k of a vector."""
    first = _place(x, k)
    return Pack(x.items[first : first + PACK].tolist())


def put_pack(x: Any, k: int, a: Pack) -> None:
    """Write pack k of a vector."""
    for i, value in enumerate(a.numbers, _place(x, k)):
        x.put(i, value)


def part_at(x: Any, i: int, n: int) -> Pack:
    """Return a pack of the n numbers of a vector from number i on, at most PACK, and zeros."""
    numbers = [x[k] for k in range(i, i + max(0, min(n, PACK)))]
    return Pack(numbers + [0.0] * (PACK - len(numbers)))


def put_part(x: Any, i: int, n: int, a: Pack) -> None:
    """Write the first n numbers of a pack, at most PACK, to a vector from number i on."""
    for k in range(max(0, min(n, PACK))):
        x[i + k] = a.numbers[k]


def subtract_outer(x: Any, k: int, step: int, a: Pack, b: Pack) -> None:
    """Subtract from the PACK packs k, k + step, k + 2 step, ... of x the products of b with the numbers of a."""
    for i, number in enumerate(a.numbers):
        put_pack(x, k + i * step, pack_at(x, k + i * step) - spread(number) * b)


def subtract_two_outer(x: Any, k: int, step: int, a: Pack, b: Pack, c: Pack, e: Pack) -> None:
    """Do subtract_outer with a and b, then with c and e."""
    subtract_outer(x, k, step, a, b)
    subtract_outer(x, k, step, c, e)


def _vectors(places: Any, first: int) -> list[Any]:
    """Return PACK numbers of the vector at each address, starting at number `first`."""
    return [(ctypes.c_double * PACK).from_address(places[i] + 8 * first) for i in range(PACK)]


def pack_columns(x: Any, k: int, places: Any, first: int) -> None:
    """Read numbers `first` to first + 7 of the vectors at PACK addresses into packs k to k + 7 of x. Each pack gets one
    number of every vector."""
    vectors = _vectors(places, first)
    for j in range(PACK):
        put_pack(x, k + j, Pack(v[j] for v in vectors))


def unpack_columns(x: Any, k: int, places: Any, first: int) -> None:
    """Write packs k to k + 7 of x back to the vectors: the inverse of `pack_columns`."""
    vectors = _vectors(places, first)
    for j in range(PACK):
        for v, value in zip(vectors, pack_at(x, k + j).numbers, strict=True):
            v[j] = value


def spread(x: Any) -> Pack:
    """Return a pack with one number repeated."""
    return Pack([float(x)] * PACK)


def pick(mask: Mask, a: Pack, b: Pack) -> Pack:
    """Return `a` where the mask is true, else `b`."""
    return Pack(x if flag else y for flag, x, y in zip(mask.flags, a.numbers, b.numbers, strict=True))


def wide() -> bool:
    """Return whether packs are fast; in Python, they are as slow as single numbers."""
    return True


def times(a: Pack, b: Pack) -> Pack:
    """Return products."""
    return a * b


def plus_product(s: Pack, a: Pack, b: Pack) -> Pack:
    """Return s + a b."""
    return s + a * b


def minus_product(s: Pack, a: Pack, b: Pack) -> Pack:
    """Return s - a b."""
    return s - a * b


def roots_of(a: Pack) -> Pack:
    """Return the square root of each number."""
    return Pack(math.sqrt(x) if x >= 0 else math.nan for x in a.numbers)


def sizes_of(a: Pack) -> Pack:
    """Return the absolute value of each number."""
    return Pack(map(abs, a.numbers))


def bits_of(mask: Mask) -> int:
    """Return a mask as an integer; the first condition is the lowest bit."""
    return sum(1 << k for k, flag in enumerate(mask.flags) if flag)


def mask_of(bits: int) -> Mask:
    """Return the mask whose conditions are the bits of an integer."""
    return Mask(bits >> k & 1 for k in range(PACK))


LANG = {
    f.__name__: f
    for f in (
        pack_at,
        put_pack,
        part_at,
        put_part,
        subtract_outer,
        subtract_two_outer,
        pack_columns,
        unpack_columns,
        spread,
        pick,
        times,
        wide,
        plus_product,
        minus_product,
        roots_of,
        sizes_of,
        bits_of,
        mask_of,
    )
}
