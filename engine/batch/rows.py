"""Descriptions for `step.worlds`: rows that say what is moved between worlds and Model and Data, and arrays that they move it to."""

from typing import Any

import numpy as np

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
from ..tables.schema import SCHEMAS, extent

_DATA = SCHEMAS["MjData"]
STRUCTS = {"MjModel": OF_MODEL, "MjOption": OF_OPT, "MjStatistic": OF_STAT}


def shape_of(model, field) -> tuple[int, ...]:
    """Shape of a field for one world."""
    return tuple(k * getattr(model, size) if size else k for size, k in map(extent, field.dims))


def dtype_of(field) -> np.dtype:
    """Type of one number of a field as arrays of worlds hold it; integers of the header are int32."""
    if field.dims:
        return field.numpy
    return np.dtype("f8") if field.numpy.kind == "f" else np.dtype("i4")


def kind_of(field) -> int:
    """How a field is moved."""
    if field.dims:
        return ARRAY
    return CELL if field.numpy.kind == "f" else COUNT


def address(x) -> int:
    """Address of an array; 0 for None and for arrays without elements."""
    return 0 if x is None or not x.size else x.ctypes.data


class Table:
    """Rows, and the arrays that they point to."""

    def __init__(self):
        self.rows = np.zeros((0, COLUMNS), np.int64)
        self.arrays: list[Any] = []

    def add(self, kind: int, slot: int, target: np.ndarray, stride: int, nbytes: int, first: int = 0, offset: int = 0) -> None:
        """A row; `first` is where in the target the first world's numbers begin, in bytes, `offset` where in the source they do."""
        if not nbytes:
            return
        row = np.zeros(COLUMNS, np.int64)
        row[KIND], row[SLOT], row[OFFSET], row[STRIDE], row[BYTES] = kind, slot, offset, stride, nbytes
        row[ADDRESS] = target.ctypes.data + first
        self.rows = np.concatenate([self.rows, row[None]])
        self.arrays.append(target)

    def output(self, field: str, target: np.ndarray, leading: int = 1) -> None:
        """Data's field goes to an array of rows; `leading` axes of the array are places, the others the field."""
        f = _DATA.fields[field]
        each = int(np.prod(target.shape[leading:], dtype=np.int64)) * target.itemsize
        self.add(kind_of(f), _DATA.slot[field], target, each, each)

    def state(self, spec: int, target: np.ndarray) -> None:
        """Components of the state, the last axis of an array."""
        each = target.shape[-1] * 8
        self.add(PACKED, 0, target, each, each, offset=spec)

    def part(self, field: str, start: int, count: int, target: np.ndarray, column: int) -> None:
        """`count` numbers of Data's field from `start` on go to columns of a matrix (world, number), which may be of float32."""
        f = _DATA.fields[field]
        kind, first = kind_of(f), column * target.itemsize
        if f.numpy.kind != "f" or kind == CELL and target.dtype != f.numpy:
            raise TypeError(f"{field} is of {f.numpy}: observations are of floats, and time is of float64")
        if target.dtype != f.numpy:
            kind = SINGLE
        self.add(kind, _DATA.slot[field], target, target.strides[0], count * target.itemsize, first, start * f.numpy.itemsize)

    def input(self, struct: str, field: str, source: np.ndarray, checked: np.ndarray | None = None) -> None:
        """Rows of an array (world, ...) go to a field of the Model or one of its parts; of indices, rows of a copy that was checked."""
        f, schema = SCHEMAS[struct].fields[field], SCHEMAS[struct]
        each = int(np.prod(source.shape[1:], dtype=np.int64)) * source.itemsize
        self.add(kind_of(f) + STRUCT * STRUCTS[struct], schema.slot[field], source, each, each, offset=address(checked))

    def size(self, name: str, source: np.ndarray) -> None:
        """A count among the Model's sizes, int64 for each world."""
        self.add(CELL + STRUCT * OF_MODEL, SCHEMAS["MjModel"].size_slot[name], source, 8, 8)
