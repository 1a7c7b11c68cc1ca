"""The compiler's view of a spec: for each kind a table of its elements whose columns are arrays, gathered on first use."""

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ..language.fields import DTYPES


class Table:
    """Elements of one kind in id order. `t.pos` is the (n, 3) array of their field `pos`; stages may replace it."""

    def __init__(self, kind, elements, cls):
        self.kind = kind
        self.elems = elements
        self.n = len(elements)
        self.rows = cls.rows
        self.raws = [e.raw for e in elements]

    if TYPE_CHECKING:
        # stages add columns of their own
        def __setattr__(self, name: str, value: Any) -> None: ...

    def __getattr__(self, name: str) -> Any:
        rows = self.__dict__.get("rows")
        row = rows.get(name) if rows else None
        if row is None:
            raise AttributeError(name)
        value = self.column(name, row)
        self.__dict__[name] = value
        return value

    def column(self, name, row) -> list[Any] | np.ndarray:
        """A field of all elements: an array for numbers, a list for texts and lists."""
        raws = self.raws
        if row.type in ("str", "chr", "orient", "plugin") or row.count < 0:
            return [r[name] for r in raws]
        dtype = DTYPES.get(row.type, np.int32)
        if row.count:
            values = np.fromiter(chain.from_iterable([r[name] for r in raws]), np.float64 if dtype is np.float32 else dtype,
                                 self.n * row.count)
            return values.reshape(self.n, row.count)
        return np.fromiter([r[name] for r in raws], np.float64 if dtype is np.float32 else dtype, self.n)

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
        return {e.name: i for i, e in enumerate(self.elems) if e.name}

    def user(self, width) -> np.ndarray:
        """(n, width) array of user data, shorter rows filled with zeros."""
        out = np.zeros((self.n, width))
        if width:
            for i, values in enumerate(self.userdata):
                if len(values):
                    out[i, :len(values)] = values
        return out
