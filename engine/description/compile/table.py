"""The compiler's view of a spec: one table for each type of element. The columns of a table are arrays over its elements,
gathered when first used."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from itertools import chain, repeat
from operator import is_, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...machine.storage import address_of
from ..language.fields import DTYPES, FieldRow

# {type of a field: type of its column}, if the column has higher precision
WIDER = {np.float32: np.float64}


class Block(NamedTuple):
    """Fields of an element that are gathered together: `get` returns all of them from the element's dict of values."""

    dtype: type
    vectors: bool
    get: Any
    # (name, index of first number, one past the last) of each field in a row of the block
    columns: tuple
    width: int


def _dtype(row: FieldRow) -> Any:
    dtype = DTYPES.get(row.type, np.int32)
    return WIDER.get(dtype, dtype)


def is_list(row: FieldRow) -> bool:
    """Return whether the column of this field is a Python list: of strings, of orientations, or of lists with different
    lengths."""
    return row.type in ("str", "chr", "orient", "plugin") or row.count < 0


@functools.cache
def blocks(cls: type) -> list[Block]:
    """Return the blocks into which the fields of a class of elements are grouped: for each type of number, one block of scalars
    and one of vectors."""
    groups: dict[tuple, list] = {}
    for row in cls.rows.values():
        if not is_list(row):
            groups.setdefault((_dtype(row), row.count > 0), []).append(row)
    found = []
    for (dtype, vectors), rows in groups.items():
        at, columns = 0, []
        for row in rows:
            columns.append((row.name, at, at + max(row.count, 1)))
            at += max(row.count, 1)
        names = [row.name for row in rows]
        get = itemgetter(*names) if len(names) > 1 else _alone(names[0])
        found.append(Block(dtype, vectors, get, tuple(columns), at))
    return found


class Place(NamedTuple):
    """The position of a column: block, first number and one past the last, bytes of a number. `spread`: the block has one row
    per number instead of one row per element."""

    block: int
    first: int
    last: int
    spread: bool
    size: int


@functools.cache
def places(cls: type) -> dict[str, Place]:
    """Return {column: position} of all numbers and vectors of a class of elements."""
    return {
        name: Place(k, first, last, not block.vectors, np.dtype(block.dtype).itemsize)
        for k, block in enumerate(blocks(cls))
        for name, first, last in block.columns
    }


@functools.cache
def starts(cls: type, names: tuple[str, ...]) -> list[tuple[int, int, bool]]:
    """Return (block, byte offset, whether the offset is multiplied by the number of elements) for columns of a class of
    elements."""
    return [(p.block, p.size * p.first, p.spread) for p in map(places(cls).__getitem__, names)]


@functools.cache
def stride(cls: type) -> int:
    """Return the distance between two consecutive vectors of float64, measured in numbers."""
    return next((block.width for block in blocks(cls) if block.vectors and block.dtype is np.float64), 0)


def _alone(name: str) -> Callable[..., Any]:
    """Return a getter that returns one value as a tuple, as itemgetter does for several keys."""
    return lambda raw: (raw[name],)


def _all_same(values: Sequence[float | Sequence[float]], one: float | Sequence[float]) -> bool:
    """Return whether all numbers or vectors in a tuple have the same bits as the first, `one`."""
    # Counting equal values is faster than comparing identities. It fails for arrays and does not distinguish 0.0 from -0.0.
    if all(one) if type(one) is tuple else type(one) in NUMBERS and one:
        try:
            return values.count(one) == len(values)
        except ValueError:
            return False
    return all(map(is_, values, repeat(one)))


def _by_columns(block: Block, table: Table) -> np.ndarray:
    """Gather a block of many elements column by column.

    Most elements have the values of their class. Detecting this is faster than copying all numbers.
    """
    n = table.n
    flat = np.empty((n, block.width) if block.vectors else (block.width, n), block.dtype)

    for (name, first, last), values in zip(block.columns, zip(*map(block.get, table.raws))):
        target, one = flat[:, first:last] if block.vectors else flat[first], values[0]
        if _all_same(values, one):
            target[:] = one
            if one is table.rows[name].default:
                table.plain.add(name)
        else:
            target[:] = np.fromiter(chain.from_iterable(values) if block.vectors else values, block.dtype, target.size).reshape(
                target.shape
            )
    return flat


# blocks with at least this many elements are gathered column by column
MANY = 64
NUMBERS = frozenset((int, float))
NOTHING = np.zeros(0, np.int64)


class Table:
    """Elements of one type in id order. `t.pos` is the (n, 3) array of their field `pos`; compilation stages may replace
    columns.

    A table without elements has every column, empty, including those that stages add, so that the stages can be skipped.
    """

    def __init__(self, kind: str, elements: list[Any], cls) -> None:
        own = self.__dict__
        own["kind"], own["elems"], own["n"], own["rows"] = kind, elements, len(elements), cls.rows
        own["raws"], own["cls"], own["places"], own["blocks"] = [e.raw for e in elements], cls, places(cls), None
        # columns whose addresses were passed to compiled code; columns of only default values, in tables of many elements
        own["touched"], own["plain"] = set(), set()

    if TYPE_CHECKING:
        # compilation stages add columns
        def __setattr__(self, name: str, value: Any) -> None: ...

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        place = own["places"].get(name) if "places" in own else None
        if place is not None and own["n"]:
            flat = (own.get("blocks") or self._gather())[place.block]
            values = flat[place.first] if place.spread else flat[:, place.first : place.last]
        elif (row := own["rows"].get(name) if "rows" in own else None) is not None:
            values = [r[name] for r in self.raws] if is_list(row) else np.zeros((0, row.count) if row.count else 0, _dtype(row))
        elif own.get("n") == 0 and name[0] != "_":
            return NOTHING
        else:
            raise AttributeError(name)
        own[name] = values
        return values

    def _gather(self) -> tuple[np.ndarray, ...]:
        """Gather all numbers and vectors, in blocks."""
        own, n, found = self.__dict__, self.n, []
        for block in blocks(self.cls):
            if n >= MANY:
                found.append(_by_columns(block, self))
                continue
            values = chain.from_iterable(map(block.get, self.raws))
            if block.vectors:
                values = chain.from_iterable(values)
            flat = np.fromiter(values, block.dtype, n * block.width).reshape(n, block.width)
            found.append(flat if block.vectors else flat.T.copy())
        own["blocks"] = found = tuple(found)
        own["addresses"] = tuple(map(address_of, found))
        return found

    def at(self, *names: str) -> list[int]:
        """Return the addresses of columns of numbers or vectors, which no compilation stage may have replaced."""
        own = self.__dict__
        if not own.get("blocks"):
            self._gather()
        addresses, n = own["addresses"], own["n"]
        own["touched"].update(names)
        return [addresses[block] + start * (n if spread else 1) for block, start, spread in starts(own["cls"], names)]

    @property
    def stride(self) -> int:
        """The distance between two consecutive vectors of a column, measured in numbers of float64."""
        return stride(self.cls)

    def gathered(self, name: str) -> bool:
        """Return whether a gathered column is current, because no stage has replaced it; its address in `addresses` is then
        valid.
        """
        own = self.__dict__
        if name not in own:
            return True
        flat, base = own["blocks"][own["places"][name].block], own[name].base
        return base is flat or base is not None and base is flat.base

    def untouched(self, name: str) -> bool:
        """Return whether a field has no value in any element, and no compilation stage has used its column."""
        return name not in self.__dict__ and name not in self.touched and not self.given(name)

    def given(self, name: str) -> bool:
        """Return whether any element has a value for a field, from the element itself or from its default class."""
        if self.n >= MANY and name in self.places and (self._gather() if self.blocks is None else self.blocks):
            return name not in self.plain
        blank = self.rows[name].default
        return any([r[name] is not blank for r in self.raws])

    def take(self, rows: list[int], renumber: np.ndarray | None = None) -> None:
        """Keep some table rows, in a new order. Columns and elements are reordered, and bodies renumbered."""
        own = self.__dict__
        if rows == list(range(self.n)):
            if renumber is not None:
                self.body = renumber[self.body]
            return
        gathered = own.get("blocks") or ()
        # columns that no stage has replaced are reordered with their blocks
        for name in own.keys() & self.places.keys() if gathered else ():
            if self.gathered(name):
                del own[name]
        found = tuple([flat.take(rows, 0 if b.vectors else 1) for flat, b in zip(gathered, blocks(self.cls))])
        for name, value in list(own.items()):
            if isinstance(value, np.ndarray) and len(value) == self.n:
                setattr(self, name, value[rows])
            elif isinstance(value, list) and len(value) == self.n:
                setattr(self, name, [value[i] for i in rows])
        self.n = len(rows)
        if gathered:
            self.blocks, self.addresses = (found, tuple(map(address_of, found))) if rows else ((), ())
        if renumber is not None:
            self.body = renumber[self.body]

    def ids(self) -> dict:
        """Return {name: id} of named elements."""
        return {e.label: i for i, e in enumerate(self.elems) if e.label}

    def user(self, width: int) -> np.ndarray:
        """Return an (n, width) array of user data; short rows are filled with zeros."""
        out = np.zeros((self.n, width))
        if width:
            for i, values in enumerate(self.userdata):
                if len(values):
                    out[i, : len(values)] = values
        return out
