"""Small structs and lists of them: `d.contact[i].dist`, `d.contact.dist`, `d.warning[k].number`, `MjContact()`.

A record is one row of several arrays. The arrays belong to a Data, whose stages fill them, or to the record. If a
script holds a contact and a later step finds fewer contacts, the record still reads its row, as in MuJoCo: scripts that
loop over contacts may call functions that detect contacts again.
"""

import copy
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..tables.values import describe, read_integer, read_number

# {class: (prefix of the arrays in Data, members as `name dtype [count]`)}
KINDS = {
    "MjContact": (
        "contact",
        """dist f8, pos f8 3, frame f8 9, includemargin f8, friction f8 5, solref f8 2, solreffriction f8 2, solimp f8 5,
                  mu f8, H f8 36, dim i4, geom i4 2, flex i4 2, elem i4 2, vert i4 2, exclude i4, efc_address i4""",
    ),
    "MjSolverStat": ("solver", "improvement f8, gradient f8, lineslope f8, nactive i4, nchange i4, neval i4, nupdate i4"),
    "MjWarningStat": ("warning", "lastinfo i4, number i4"),
    "MjTimerStat": ("timer", "duration f8, number i4"),
    "MjLROpt": (
        "",
        """mode i4, useexisting i4, uselimit i4, accel f8, maxforce f8, timeconst f8, timestep f8, inttotal f8, interval f8,
                tolrange f8""",
    ),
}
# {member: (array member that contains it, column)}
PARTS = {"MjContact": {"geom1": ("geom", 0), "geom2": ("geom", 1)}}


_new = object.__new__


class Record:
    """A record: an element of a record list, or a single record with its own storage."""

    __slots__ = ("__weakref__", "_index", "_kept", "_rows")
    members: dict = {}
    parts: dict = {}
    __hash__ = None  # type: ignore[assignment]

    def __init__(self) -> None:
        self._rows = types.SimpleNamespace(**{n: np.zeros((1, *dims), dtype) for n, (dtype, dims) in self.members.items()})
        self._index, self._kept = 0, None

    @classmethod
    def _of(cls, rows: Any, index: int) -> Any:
        """Return a record for a row of `rows`, which has one column for each member."""
        record = _new(cls)
        record._rows, record._index, record._kept = rows, index, None
        return record

    @classmethod
    def names(cls) -> list[str]:
        """Return the names of all members, sorted."""
        return sorted([*cls.members, *cls.parts])

    def _column(self, name: str) -> np.ndarray:
        """Return the array of a member, with a value for each used row. If this record's row is not used now, include the
        unused rows."""
        column = getattr(self._rows, name)
        return column if self._index < len(column) else self._rows.beyond(name)

    def _assign(self, other: Any) -> None:
        """Copy all members of another record."""
        for n in self.members:
            self._column(n)[self._index] = other._column(n)[other._index]

    def __copy__(self) -> Any:
        new = type(self)()
        new._assign(self)
        return new

    def __deepcopy__(self, memo: dict) -> Any:
        return copy.copy(self)

    def __reduce__(self) -> tuple:
        return _restore, (type(self), {n: getattr(self, n) for n in self.members})

    def __eq__(self, other: Any) -> bool:
        return (
            isinstance(other, Record)
            and self.members is other.members
            and all(np.array_equal(getattr(self, n), getattr(other, n)) for n in self.members)
        )

    def __repr__(self) -> str:
        return describe(type(self).__name__, [(n, getattr(self, n)) for n in self.names()])


def _restore(cls, values: dict[str, Any]) -> Any:
    """Create a record from a pickle."""
    new = cls()
    for n, value in values.items():
        setattr(new, n, value)
    return new


def _member(name: str, dtype: str, dims: tuple[int, ...]) -> property:
    """Return the property of a member."""
    return _vector(name) if dims else _number(name, read_number if dtype == "f8" else read_integer)


def _vector(name: str) -> property:
    """Return the property of an array member, which reads a view."""

    def read(self) -> np.ndarray:
        # return the same view while the column stays in place
        column, kept = getattr(self._rows, name), self._kept
        if kept is None:
            kept = self._kept = {}
        row = kept.get(name)
        if row is None or row[0] is not column:
            row = kept[name] = column, self._column(name)[self._index]
        return row[1]

    def write(self, value: Any) -> None:
        self._column(name)[self._index][...] = value

    return property(read, write)


def _number(name: str, check: Callable[[Any], Any]) -> property:
    """Return the property of a scalar member; `check` converts assigned values."""

    def read(self) -> Any:
        try:
            return getattr(self._rows, name).item(self._index)
        except IndexError:
            return self._column(name).item(self._index)

    def write(self, value: Any) -> None:
        self._column(name)[self._index] = check(value)

    return property(read, write)


def _element(name: str, column: int) -> property:
    """Return the property of one element of an array member."""

    def read(self) -> Any:
        try:
            return getattr(self._rows, name).item(self._index, column)
        except IndexError:
            return self._column(name).item(self._index, column)

    def write(self, value: Any) -> None:
        self._column(name)[self._index, column] = read_integer(value)

    return property(read, write)


class RecordList:
    """Sequence of records over arrays `prefix_member` of a Data. Its attributes are the arrays themselves."""

    __slots__ = ("__weakref__", "_data", "_span")
    kind: type = Record
    prefix = first = ""
    # {member: field of the Data}
    fields: dict[str, str] = {}
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, data: Any, span: slice | None = None) -> None:
        self._data, self._span = data, span

    def _column(self, name: str) -> np.ndarray:
        x = getattr(self._data, self.fields[name])
        return x if self._span is None else x[self._span]

    def beyond(self, name: str) -> np.ndarray:
        """Return the whole column of a member, including unused rows."""
        x = self._data.peek(self.fields[name])
        return x if self._span is None else x[self._span]

    def __len__(self) -> int:
        return len(self._column(self.first))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            if self._span is not None:
                raise TypeError("a slice of a list cannot be sliced again")
            return type(self)(self._data, index)
        if type(index) is not int:
            index = read_integer(index)
        if not 0 <= index < len(self):
            raise IndexError(f"{self.prefix} index {index} is out of range for {len(self)} records")
        return self.kind._of(self, index)

    def __iter__(self) -> Iterator[Any]:
        # the length may change while a script loops
        k = 0
        while k < len(self):
            yield self.kind._of(self, k)
            k += 1

    def __eq__(self, other: Any) -> bool:
        return type(self) is type(other) and all(np.array_equal(self._column(n), other._column(n)) for n in self.kind.members)

    def __repr__(self) -> str:
        return describe(f"_{self.kind.__name__}List", [(n, getattr(self, n)) for n in self.kind.names()])


def _column(name: str) -> property:
    def read(self) -> np.ndarray:
        x = getattr(self._data, self.fields[name])
        return x if self._span is None else x[self._span]

    return property(read)


def _element_column(name: str, column: int) -> Any:
    return property(lambda self: self._column(name)[:, column])


def _make(name: str, prefix: str, text: str) -> tuple[type, type]:
    """Create a record class and the class of its lists."""
    # add members, and elements of array members
    rows = [row.split() for row in text.replace("\n", " ").split(",")]
    members = {n: (dtype, tuple(map(int, count))) for n, dtype, *count in rows}
    parts = PARTS.get(name, {})
    space = {n: _member(n, *members[n]) for n in members} | {n: _element(*part) for n, part in parts.items()}
    record = type(name, (Record,), {"__slots__": (), "members": members, "parts": parts, "__hash__": None, **space})

    # the list has attributes with the same names, for whole columns
    columns = {n: _column(n) for n in members} | {n: _element_column(*part) for n, part in parts.items()}
    fields = {n: f"{prefix}_{n}" for n in members}
    space = {"__slots__": (), "kind": record, "prefix": prefix, "fields": fields, "first": next(iter(members)), **columns}
    return record, type(f"_{name}List", (RecordList,), space)


CLASSES = {name: _make(name, *row) for name, row in KINDS.items()}
MjContact, MjSolverStat, MjWarningStat, MjTimerStat, MjLROpt = (CLASSES[n][0] for n in KINDS)


def add_record_lists(cls) -> None:
    """Add the record lists to a Data class."""
    for record_list in (pair[1] for pair in CLASSES.values()):
        if record_list.prefix:
            setattr(cls, record_list.prefix, property(_kept_list(record_list)))


def _kept_list(record_list: type) -> Callable[[Any], Any]:
    """Return the getter of a list of a Data. It returns the same object while any reference to it exists."""

    def read(self) -> Any:
        elements = self.storage.elements
        kept = elements.get(record_list)
        found = None if kept is None else kept[0]()
        if found is None:
            found = record_list(self)
            elements[record_list] = {0: weakref.ref(found)}
        return found

    return read
