"""The compiler's view of a spec: for each kind a table of its elements whose columns are arrays, gathered on first use."""

import functools
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..language.fields import DTYPES

# what arrays hold is wider than the field that it is for
WIDER = {np.float32: np.float64}


class Block(NamedTuple):
    """Fields of an element that are gathered in one go: `get` takes all of them from its raw values."""
    dtype: type
    vectors: bool
    get: Any
    # (name, first, one past the last) of each field in a row of the block
    columns: tuple
    width: int


def _dtype(row):
    dtype = DTYPES.get(row.type, np.int32)
    return WIDER.get(dtype, dtype)


def is_list(row) -> bool:
    """Whether a column of this field is a list: of texts, orientations, lists of any length."""
    return row.type in ("str", "chr", "orient", "plugin") or row.count < 0


@functools.cache
def blocks(cls) -> list[Block]:
    """The blocks of a class of elements: numbers and vectors of the same type."""
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


def _alone(name):
    """Like itemgetter of several names, which gives a tuple."""
    return lambda raw: (raw[name],)


NOTHING = np.zeros(0, np.int64)


class Table:
    """Elements of one kind in id order. `t.pos` is the (n, 3) array of their field `pos`; stages may replace it.

    Without elements it has every column that stages add, empty: they need not run.
    """

    def __init__(self, kind, elements, cls):
        own = self.__dict__
        own["kind"], own["elems"], own["n"], own["rows"] = kind, elements, len(elements), cls.rows
        own["raws"], own["_class"] = [e.raw for e in elements], cls

    if TYPE_CHECKING:
        # stages add columns of their own
        def __setattr__(self, name: str, value: Any) -> None: ...

    def __getattr__(self, name: str) -> Any:
        rows = self.__dict__.get("rows")
        row = rows.get(name) if rows else None
        own = self.__dict__
        if row is None:
            if own.get("n") == 0 and name[0] != "_":
                return NOTHING
            raise AttributeError(name)
        if is_list(row):
            own[name] = [r[name] for r in self.raws]
        elif self.n:
            self._gather()
        else:
            own[name] = np.zeros((0, row.count) if row.count else 0, _dtype(row))
        return own[name]

    def _gather(self):
        """Columns of all numbers and vectors that no stage has replaced."""
        own, n = self.__dict__, self.n
        for block in blocks(self._class):
            values = chain.from_iterable(map(block.get, self.raws))
            if block.vectors:
                values = chain.from_iterable(values)
            flat = np.fromiter(values, block.dtype, n * block.width).reshape(n, block.width)
            if block.vectors:
                own.update([(name, flat[:, first:last]) for name, first, last in block.columns if name not in own])
            else:
                flat = flat.T.copy()
                own.update([(name, flat[first]) for name, first, _ in block.columns if name not in own])

    def given(self, name) -> bool:
        """Whether any element has a value of its own for a field, or one from a class."""
        blank = self.rows[name].default
        return any([r[name] is not blank for r in self.raws])

    def take(self, rows, renumber=None) -> None:
        """Keep some rows, in a new order; columns and elements follow, and bodies are renumbered."""
        for name, value in list(self.__dict__.items()):
            if isinstance(value, np.ndarray) and len(value) == self.n:
                setattr(self, name, value[rows])
            elif isinstance(value, list) and len(value) == self.n:
                setattr(self, name, [value[i] for i in rows])
        self.n = len(rows)
        if renumber is not None:
            self.body = renumber[self.body]

    def ids(self) -> dict:
        """{name: id} of named elements."""
        return {e.label: i for i, e in enumerate(self.elems) if e.label}

    def user(self, width) -> np.ndarray:
        """(n, width) array of user data, shorter rows filled with zeros."""
        out = np.zeros((self.n, width))
        if width:
            for i, values in enumerate(self.userdata):
                if len(values):
                    out[i, :len(values)] = values
        return out
