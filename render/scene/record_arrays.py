"""Records that are stored as a structure of arrays.

A `Record` subclass declares its fields (`pos = Vec(3)`). `Records(MjvGeom, n)` holds one numpy array per field. An
`MjvGeom` object is a small view of one index, whose attributes read and write the arrays. Scene builders write whole slices of
the arrays; scripts use the views. A single record (`MjvCamera()`) has arrays of length one.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from ...engine.api.entries import Argument
from ...engine.calls import compiled as calls
from ...engine.machine import layout
from ...engine.tables.values import FixedArrays, read_integer, read_number, read_text

# Offset of the number of items within a dict object.
SIZE_OF_DICT = 2 * layout.WORD


class Field:
    """A declared field: dtype, shape of one entry and default value."""

    def __init__(
        self, dtype: npt.DTypeLike, shape: tuple[int, ...] = (), default: Any = 0, view: tuple[int, ...] | None = None
    ) -> None:
        self.dtype, self.shape, self.default, self.view = np.dtype(dtype), tuple(shape), default, view
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def make(self, n: int) -> np.ndarray:
        """Return an array of n default entries."""
        out = np.zeros((n,) + self.shape, self.dtype)
        if not np.isscalar(self.default) or self.default != 0:
            out[:] = self.default
        return out


def whole(value: Any, dtype: np.dtype) -> int:
    """Convert a value to an integer that fits a dtype. Raise TypeError for anything else, including fractions and strings."""
    limits = np.iinfo(dtype)
    return read_integer(value, int(limits.min), int(limits.max))


class Num(Field):
    """A scalar field, read as a Python number. Values of another type raise TypeError."""

    def __get__(self, obj: Any, owner: type | None = None) -> Any:
        if obj is None:
            return self
        return obj._rows.__dict__[self.name][obj._i].item()

    def __set__(self, obj: Any, value: Any) -> None:
        value = whole(value, self.dtype) if self.dtype.kind in "iu" else read_number(value)
        obj._rows.__dict__[self.name][obj._i] = value


class Vec(Field):
    """An array field: reading returns a writable view, assigning copies into it. `view` is the shape that users see."""

    def __get__(self, obj: Any, owner: type | None = None) -> Any:
        if obj is None:
            return self
        base, kept = obj._rows.__dict__[self.name], obj._kept
        row = kept.get(self.name)
        if row is None or row[0] is not base:
            out = base[obj._i]
            row = kept[self.name] = base, out.reshape(self.view) if self.view else out
        return row[1]

    def __set__(self, obj: Any, value: Any) -> None:
        own = obj._rows.__dict__[self.name]
        own[obj._i] = value if np.ndim(value) == 0 else np.reshape(value, own.shape[1:])


class Text(Field):
    """A text field of at most `limit` characters, stored sparsely as {index: text}."""

    def __init__(self, limit: int, default: str = "") -> None:
        super().__init__("i1", (), 0)
        self.limit, self.text = limit, default

    def make(self, n: int) -> dict[int, str]:
        return {i: self.text for i in range(n)} if self.text else {}

    def __get__(self, obj: Any, owner: type | None = None) -> Any:
        if obj is None:
            return self
        return obj._rows.__dict__[self.name].get(obj._i, "")

    def __set__(self, obj: Any, value: Any) -> None:
        store = obj._rows.__dict__[self.name]
        value = read_text(value)
        if value:
            store[obj._i] = value[: self.limit]
        else:
            store.pop(obj._i, None)


def Int(default: int = 0) -> Num:
    """Return a field of 32-bit integers."""
    return Num("i4", (), default)


def Float(default: float = 0.0) -> Num:
    """Return a field of 32-bit floats."""
    return Num("f4", (), default)


def Double(default: float = 0.0) -> Num:
    """Return a field of 64-bit floats."""
    return Num("f8", (), default)


class Records(FixedArrays):
    """Arrays of n entries, with one attribute for each field of the Record subclass `kind`.

    `columns`: the addresses of the arrays, for compiled code; None until first needed.
    """

    __slots__ = ("__dict__", "columns")

    if TYPE_CHECKING:
        # The class has an attribute for each field of the Record subclass: the field's array, or the dict of its texts.
        def __getattr__(self, name: str) -> Any: ...

    def __init__(self, kind: type[Record], n: int) -> None:
        self._kind, self._n = kind, n
        object.__setattr__(self, "columns", None)
        for f in kind.fields():
            self.__dict__[f.name] = f.make(n)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "columns":
            raise AttributeError("columns cannot be assigned, because compiled code finds the arrays by it")
        super().__setattr__(name, value)

    def __len__(self) -> int:
        return self._n

    def locate(self, *more: int) -> np.ndarray:
        """Compute the addresses of the arrays, for compiled code, followed by the integers `more`; return them."""
        values = [self.__dict__[f.name] for f in self._kind.fields()]
        columns = np.array([*(x.ctypes.data if isinstance(x, np.ndarray) else id(x) for x in values), *more], np.int64)
        object.__setattr__(self, "columns", columns)
        return columns

    def located(self) -> np.ndarray:
        """Return the addresses of the arrays for compiled code; the first call computes them."""
        return self.columns if self.columns is not None else self.locate()

    def arrays(self) -> list[tuple[str, np.ndarray]]:
        """Return (name, array) for every numpy field."""
        return [(k, v) for k, v in self.__dict__.items() if isinstance(v, np.ndarray)]

    def texts(self) -> list[tuple[str, dict[Any, Any]]]:
        """Return (name, dict) for every text field."""
        return [(k, v) for k, v in self.__dict__.items() if isinstance(v, dict)]

    def copy_rows(self, at: slice, other: Records, src: slice) -> None:
        """Copy the slice `src` of another Records of the same type to the slice `at`."""
        own, theirs = self.__dict__, other.__dict__
        arrays, texts = stored(self._kind)
        for name in arrays:
            own[name][at] = theirs[name][src]
        shift = at.start - src.start
        for name in texts:
            if own[name]:
                for i in range(at.start, at.stop):
                    own[name].pop(i, None)
            own[name].update({i + shift: t for i, t in theirs[name].items() if src.start <= i < src.stop})

    def permute(self, a: int, b: int, order: np.ndarray) -> None:
        """Reorder entries a to b - 1, so that new entry a + i is old entry a + order[i]."""
        for _, v in self.arrays():
            v[a:b] = v[a:b][order]
        for _, v in self.texts():
            old = [v.pop(a + int(j), "") for j in order]
            v.update({a + i: t for i, t in enumerate(old) if t})


@functools.cache
def stored(kind: type[Record]) -> tuple[list[str], list[str]]:
    """Return the names of the fields that are stored as arrays, and of those stored as texts."""
    arrays = [f.name for f in kind.fields() if isinstance(f.make(1), np.ndarray)]
    return arrays, [f.name for f in kind.fields() if isinstance(f.make(1), dict)]


@functools.cache
def declared(cls) -> list[Field]:
    """Return the fields of a Record subclass and its bases."""
    return [f for k in reversed(cls.__mro__) for f in vars(k).values() if isinstance(f, Field)]


class Record:
    """A view of one entry of a Records object; see the top of this file."""

    __slots__ = ("__weakref__", "_i", "_kept", "_rows")

    def __init__(self, rows: Records | None = None, index: int = 0) -> None:
        self._rows = Records(type(self), 1) if rows is None else rows
        self._i = index
        # {field: (array of all rows, view of this row)}, so that each access returns the same object
        self._kept: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    @classmethod
    def fields(cls) -> list[Field]:
        """Return the declared fields, in order."""
        return declared(cls)

    def reset(self) -> None:
        """Reset every field to its default."""
        own = self._rows.__dict__
        for f in self.fields():
            if isinstance(f, Text):
                setattr(self, f.name, f.text)
            else:
                own[f.name][self._i] = f.default

    def assign(self, other: Any) -> None:
        """Copy every field from another record that has the same attributes."""
        for f in self.fields():
            setattr(self, f.name, getattr(other, f.name))

    def __copy__(self) -> Self:
        out = type(self)()
        out.assign(self)
        return out

    def __deepcopy__(self, memo: dict) -> Self:
        return self.__copy__()

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and all(
            np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in self.fields()
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "<{}\n{}\n>".format(
            type(self).__name__, "\n".join(f"  {f.name}: {getattr(self, f.name)!r}" for f in self.fields())
        )


def columns_of(cls) -> dict[str, int]:
    """Return {field: index of its column} for a Record subclass."""
    return {f.name: k for k, f in enumerate(cls.fields())}


def record(name: str, cls: type[Record], optional: bool = False) -> Argument:
    """Return the description of a record argument, for compiled calls."""
    places = [layout.slot_offset(Record, slot) for slot in ("_rows", "_i")]
    return Argument(name, calls.RECORD, id(cls), 0, optional, (layout.slot_offset(Records, "columns"),), 0, *places)


def located(*rows: Any) -> bool:
    """Compute the missing addresses of these records, so that compiled code can use the records from the next call on. Return
    whether any were missing."""
    new = [row._rows for row in rows if isinstance(row, Record) and row._rows.columns is None]
    for each in new:
        each.locate()
    return bool(new)


def place_of(row: Record) -> tuple[Records, int]:
    """Return (Records, index): where a record is stored."""
    return row._rows, row._i


class RecordList:
    """A sequence of views of a Records object, created on demand; its length is fixed."""

    __slots__ = ("_rows",)

    def __init__(self, rows: Records) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, i: Any) -> Any:
        kind, n = self._rows._kind, len(self._rows)
        if isinstance(i, slice):
            return [kind(self._rows, j) for j in range(*i.indices(n))]
        j = i + n if i < 0 else i
        if not 0 <= j < n:
            raise IndexError(f"index {i} is out of range for {n} {kind.__name__}")
        return kind(self._rows, j)

    def __iter__(self) -> Iterator[Any]:
        return (self._rows._kind(self._rows, j) for j in range(len(self)))
