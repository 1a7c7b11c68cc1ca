"""Typed lists that fields of specs return: their length is fixed, their elements can be assigned."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...tables.values import read_integer, read_number


class _Vector:
    """A list of `count` elements, initially all `value`. `over` makes a view of another list or array."""

    __slots__ = ("_items", "_changed")

    def __init__(self, value: Any, count: int) -> None:
        self._items = [self._read(value)] * read_integer(count, 0)
        self._changed = None

    @classmethod
    def over(cls, items: Any, changed: Callable[[Any], None] | None = None) -> Any:
        """Return a view of `items`; `changed(items)` is called after each assignment."""
        new = cls.__new__(cls)
        new._items, new._changed = items, changed
        return new

    @staticmethod
    def _read(value: Any) -> Any:
        return value

    def _index(self, index: Any) -> int:
        index = read_integer(index)
        if not 0 <= index < len(self._items):
            raise IndexError("Index out of range.")
        return index

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index: Any) -> Any:
        value = self._items[self._index(index)]
        return value.item() if isinstance(value, np.generic) else value

    def __setitem__(self, index: Any, value: int | str) -> None:
        self._items[self._index(index)] = self._read(value)
        if self._changed is not None:
            self._changed(self._items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items.tolist() if isinstance(self._items, np.ndarray) else self._items)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self)})"


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"needs text, got {type(value).__name__}")
    return value


def character(value: Any) -> str:
    """Return a string of one character; TypeError for anything else."""
    if len(_text(value)) != 1:
        raise TypeError("needs one character")
    return value


def _make(name: str, read: Callable[..., Any], what: str) -> type:
    doc = (
        f"A list of {what} in a spec. `{name}(value, count)` has `count` elements, all `value`. "
        "Values of another type raise a TypeError."
    )
    return type(name, (_Vector,), {"__slots__": (), "_read": staticmethod(read), "__doc__": doc})


MjByteVec = _make("MjByteVec", lambda x: read_integer(x, 0, 255), "integers from 0 to 255")
MjCharVec = _make("MjCharVec", character, "single characters")
MjDoubleVec = _make("MjDoubleVec", read_number, "numbers")
MjFloatVec = _make("MjFloatVec", read_number, "numbers")
MjIntVec = _make("MjIntVec", read_integer, "integers")
MjStringVec = _make("MjStringVec", _text, "texts")


class MjsTendonPath(_Vector):
    """The objects of a tendon's path; the wrap_* methods append to it."""

    __slots__ = ()

    def __setitem__(self, index: Any, value: Any) -> None:
        raise TypeError("'MjsTendonPath' object does not support item assignment")


# type of a field's elements -> class of its list
VECTORS = {"f8": MjDoubleVec, "f4": MjFloatVec, "i4": MjIntVec, "u1": MjByteVec, "str": MjStringVec, "chr": MjCharVec}

__all__ = ["VECTORS", "MjByteVec", "MjCharVec", "MjDoubleVec", "MjFloatVec", "MjIntVec", "MjStringVec", "MjsTendonPath"]
