"""Describes calls of `step.worlds`: table rows that say what to copy between worlds and Model or Data, and the arrays used."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..api.state import size
from ..core import stages
from ..machine.storage import address_of
from ..step.worlds import (
    ADDRESS,
    ARRAY,
    BYTES,
    CELL,
    COLUMNS,
    COUNT,
    KIND,
    OF_MODEL,
    OF_OPT,
    OF_STAT,
    OFFSET,
    PACKED,
    SINGLE,
    SLOT,
    STRIDE,
    STRUCT,
)
from ..tables.enums import mjtState
from ..tables.schema import SCHEMAS, extent
from .fields import STATE_FIELDS

INTEGRATION = int(mjtState.mjSTATE_INTEGRATION)
_DATA = SCHEMAS["MjData"]
STRUCTS = {"MjModel": OF_MODEL, "MjOption": OF_OPT, "MjStatistic": OF_STAT}


def shape_of(model: Any, field: Any) -> tuple[int, ...]:
    """Return the shape of a field for one world."""
    return tuple(k * getattr(model, size) if size else k for size, k in map(extent, field.dims))


def dtype_of(field: Any) -> np.dtype:
    """Return the number type that arrays of worlds use for a field. Header integers become int32."""
    if field.dims:
        return field.numpy
    return np.dtype("f8") if field.numpy.kind == "f" else np.dtype("i4")


def initial_rows(model: Any, data: Any, count: int) -> np.ndarray:
    """Return the integration states (count, nstate) of worlds whose state is that of a Data."""
    row = np.zeros(size(model, INTEGRATION))
    stages.call("pack_state", model, data, row.ctypes.data, row.size, INTEGRATION)
    return np.tile(row, (count, 1))


def columns_of(state: np.ndarray, name: str, model: Any) -> np.ndarray:
    """Return the view of a field of the state in the rows of worlds."""
    start = size(model, (STATE_FIELDS[name] - 1) & INTEGRATION)
    shape = shape_of(model, _DATA.fields[name])
    return state[:, start : start + int(np.prod(shape, dtype=np.int64))].reshape(len(state), *shape)


def rows_of(name: str, model: Any, count: int, persistent: Sequence[Any] | None) -> np.ndarray:
    """Return the values (count, ...) of a field of Data in each world; zeros if the worlds have no Data."""
    f = _DATA.fields[name]
    x = np.zeros((count, *shape_of(model, f)), dtype_of(f))
    for i, d in enumerate(persistent or ()):
        x[i] = d.array(name) if f.dims else getattr(d, name)
    return x


def kind_of(field: Any) -> int:
    """Return the way in which compiled code copies a field: ARRAY, CELL or COUNT."""
    if field.dims:
        return ARRAY
    return CELL if field.numpy.kind == "f" else COUNT


def address(x: np.ndarray | None) -> int:
    """Return the address of an array; 0 for None and for empty arrays."""
    if x is None or not x.size:
        return 0
    # address_of is three times as fast, but works only for writable arrays
    return address_of(x) if x.flags.carray else x.ctypes.data


class Table:
    """Table rows that describe copies, and the arrays that they point to."""

    def __init__(self) -> None:
        self.rows = np.zeros((0, COLUMNS), np.int64)
        self.arrays: list[Any] = []

    def add(self, kind: int, slot: int, target: np.ndarray, stride: int, nbytes: int, first: int = 0, offset: int = 0) -> None:
        """Add a table row. `first`: byte offset of the first world's numbers in the target; `offset`: byte offset in the
        source."""
        if not nbytes:
            return
        row = np.zeros(COLUMNS, np.int64)
        row[KIND], row[SLOT], row[OFFSET], row[STRIDE], row[BYTES] = kind, slot, offset, stride, nbytes
        row[ADDRESS] = target.ctypes.data + first
        self.rows = np.concatenate([self.rows, row[None]])
        self.arrays.append(target)

    def output(self, field: str, target: np.ndarray, leading: int = 1) -> None:
        """Add a row that copies a Data field to an array. The first `leading` axes of the array are indices such as world and
        step."""
        f = _DATA.fields[field]
        each = int(np.prod(target.shape[leading:], dtype=np.int64)) * target.itemsize
        self.add(kind_of(f), _DATA.slot[field], target, each, each)

    def state(self, spec: int, target: np.ndarray) -> None:
        """Add a row that copies state components to the last axis of an array."""
        each = target.shape[-1] * 8
        self.add(PACKED, 0, target, each, each, offset=spec)

    def part(self, field: str, start: int, count: int, target: np.ndarray, column: int) -> None:
        """Add a row that copies `count` numbers of a Data field, starting at number `start`, to columns of a float64 or
        float32 matrix (world, number)."""
        f = _DATA.fields[field]
        kind, first = kind_of(f), column * target.itemsize
        if f.numpy.kind != "f" or kind == CELL and target.dtype != f.numpy:
            raise TypeError(f"{field} has the type {f.numpy}, but observations must be floats, and time must be float64")
        if target.dtype != f.numpy:
            kind = SINGLE
        self.add(kind, _DATA.slot[field], target, target.strides[0], count * target.itemsize, first, start * f.numpy.itemsize)

    def input(self, struct: str, field: str, source: np.ndarray, checked: np.ndarray | None = None) -> None:
        """Add a row that copies an array (world, ...) to a field of the Model or its options. `checked`: the copy from which
        compiled code reads indices."""
        f, schema = SCHEMAS[struct].fields[field], SCHEMAS[struct]
        each = int(np.prod(source.shape[1:], dtype=np.int64)) * source.itemsize
        self.add(kind_of(f) + STRUCT * STRUCTS[struct], schema.slot[field], source, each, each, offset=address(checked))

    def size(self, name: str, source: np.ndarray) -> None:
        """Add a table row that sets a size of the Model to each world's own int64 value."""
        self.add(CELL + STRUCT * OF_MODEL, SCHEMAS["MjModel"].size_slot[name], source, 8, 8)
