"""Memory access for kernels that run as Python functions: Model, Data and arrays by address, and Python versions of the names
in `machine.lang`.

A struct's fields are attributes, and reading an array gives Python numbers. As in compiled code, arrays have no negative
indices. There are two differences: an index out of bounds raises IndexError, and memory from `small` is NaN until it is
written.
"""

import array as pyarray
import ctypes
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..tables.schema import SCHEMAS, Schema, extent
from . import arithmetic, pack_values
from .arithmetic import LOWEST, integer, single, wrapped
from .layout import CALL_WORDS

_FROM_MEMORY = ctypes.pythonapi.PyMemoryView_FromMemory
_FROM_MEMORY.restype = ctypes.py_object
_FROM_MEMORY.argtypes = (ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_int)
_WRITABLE = 0x200
_NAN = np.array(np.nan).tobytes()
_LARGE = (2**63 - 1).to_bytes(8, "little")
_CODES = {"float64": "d", "float32": "f", "int64": "q", "int32": "i", "uint8": "B", "uint64": "Q"}
_BYTES = {"d": 8, "f": 4, "q": 8, "i": 4, "B": 1, "Q": 8}


def items_at(address: int, code: str, count: int) -> Any:
    """Return memory at an address as a flat sequence of `count` numbers."""
    if count <= 0:
        return memoryview(pyarray.array(code))
    return _FROM_MEMORY(address, count * _BYTES[code], _WRITABLE).cast(code)


# ---- arrays ----------------------------------------------------------------------------------------------------------
class Array:
    """A vector or matrix in memory: `items` in row-major order, and `shape`. For debuggers, `numpy()` allows slices and
    arithmetic."""

    __slots__ = ("_address", "items", "shape", "width")
    convert = None

    def __init__(self, items: Any, shape: tuple[int, ...], address: int = 0) -> None:
        self.items, self.shape, self._address = items, shape, address
        # count of numbers in each row
        self.width = shape[1] if len(shape) == 2 else 1

    @property
    def address(self) -> int:
        """Address of the first number."""
        if not self._address:
            self._address = ctypes.addressof(ctypes.c_char.from_buffer(self.items.obj))
        return self._address

    def numpy(self) -> np.ndarray:
        """Return the same memory as a numpy array."""
        return np.asarray(self.items).reshape(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def place(self, index: Any) -> int:
        """Return the index in `items` of an element. Raise IndexError if it is out of bounds."""
        if type(index) is tuple:
            where = 0
            for k, n in zip(index, self.shape, strict=True):
                if not 0 <= k < n:
                    raise IndexError(f"index {index} is out of bounds for an array of shape {self.shape}")
                where = where * n + k
            return where
        if 0 <= index < self.shape[0] and len(self.shape) == 1:
            return index
        raise IndexError(f"index {index} is out of bounds for an array of shape {self.shape}")

    def start(self, row: int) -> int:
        """Return the index in `items` of the first number of a row, or of a vector's element. Raise IndexError if it is
        out of bounds."""
        if not 0 <= row < self.shape[0]:
            raise IndexError(f"row {row} is out of bounds for an array of shape {self.shape}")
        return row * self.width

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self.numpy()[index]
        value = self.items[self.place(index)]
        return value if self.convert is None else self.convert(value)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.put(self.place(index), value)

    def put(self, k: int, value: Any) -> None:
        """Set item k; the value is rounded or truncated as in compiled code."""
        try:
            self.items[k] = value
        except (TypeError, ValueError, OverflowError):
            self.items[k] = _cast(value, self.items.format)

    def __repr__(self) -> str:
        return f"Array({self.numpy()!r})"


class Singles(Array):
    """An array of float32."""

    __slots__ = ()
    convert = single


class Vector(Array):
    """A vector of float64 or integers. It has a faster path for element access, because kernels mostly read such vectors."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        try:
            if index >= 0:
                return self.items[index]
        except (TypeError, IndexError):
            # the index is a slice (from a debugger) or too large
            return super().__getitem__(index)
        raise IndexError(f"index {index} is negative")

    def __setitem__(self, index: Any, value: Any) -> None:
        try:
            if index >= 0:
                self.items[index] = value
                return
        except (TypeError, ValueError, OverflowError, IndexError):
            # the value has another type, or the index is out of bounds
            self.put(self.place(index), value)
            return
        raise IndexError(f"index {index} is negative")


def _cast(value: Any, code: str) -> Any:
    """Convert a number to the element type, as an assignment in compiled code does."""
    if code == "f":
        return single(value)
    if code == "d":
        return float(value)
    whole = integer(value)
    bits = 8 * _BYTES[code]
    return whole & 2**bits - 1 if code in "BQ" else (wrapped(whole) if bits == 64 else arithmetic.int32(whole))


def array(address: int, code: str, shape: tuple[int, ...]) -> Singles | Vector | Array:
    """Return an array of a shape at an address."""
    count = 1
    for n in shape:
        count *= n
    kind = Singles if code == "f" else Vector if len(shape) == 1 else Array
    return kind(items_at(address, code, count), shape, address)


def of_numpy(x: np.ndarray) -> Singles | Vector | Array:
    """Copy a constant numpy array of a kernel to an Array."""
    x = np.ascontiguousarray(x)
    code = _CODES[x.dtype.name]
    kind = Singles if code == "f" else Vector if x.ndim == 1 else Array
    return kind(memoryview(pyarray.array(code, x.tobytes())), x.shape)


# ---- structs ---------------------------------------------------------------------------------------------------------
class View:
    """A struct, given by the address of its header. Sizes and arrays are cached, because a view serves only one call of a
    stage."""

    schema: Schema
    address_: int
    ints_: memoryview
    floats_: memoryview

    def __init__(self, address: int) -> None:
        cells = self.schema.cells
        self.__dict__.update(address_=address, ints_=items_at(address, "q", cells), floats_=items_at(address, "d", cells))

    def __getattr__(self, name: str) -> Any:
        s, ints = self.schema, self.ints_
        if name in s.size_slot:
            value = ints[s.size_slot[name]]
        elif name in s.nested:
            value = VIEWS[s.nested[name]](ints[s.slot[name]])
        elif name in s.fields:
            f = s.fields[name]
            value = array(ints[s.slot[name]], _CODES[f.numpy.name], tuple(self._extent(dim) for dim in f.dims))
        else:
            raise AttributeError(f"{s.name} has no field {name!r}")
        self.__dict__[name] = value
        return value

    def _extent(self, dim: Any) -> int:
        """Return the value of a dimension."""
        size, factor = extent(dim)
        return self.ints_[self.schema.size_slot[size]] * factor if size else factor

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        else:
            raise TypeError(f"{name} is no number of {self.schema.name}: kernels write elements of arrays")

    def __repr__(self) -> str:
        return f"<{self.schema.name} at {self.address_:#x}, as a kernel sees it>"


def _number(slot: int, real: bool) -> property:
    """Return a property that reads and writes a scalar field."""
    if real:

        def write(self, value: Any) -> None:
            self.floats_[slot] = value

        return property(lambda self: self.floats_[slot], write)

    def write(self, value: Any) -> None:
        self.ints_[slot] = integer(value)

    return property(lambda self: self.ints_[slot], write)


def _view_class(schema: Schema) -> type:
    """Return the subclass of View for a struct."""
    numbers = {f.name: _number(schema.slot[f.name], f.numpy.kind == "f") for f in schema.scalars}
    return type(f"{schema.name}View", (View,), {"schema": schema, **numbers})


VIEWS = {name: _view_class(schema) for name, schema in SCHEMAS.items()}
as_model, as_data = VIEWS["MjModel"], VIEWS["MjData"]


# ---- what kernels call -------------------------------------------------------------------------------------------------
def load(x: Any, i: int, n: int) -> tuple[Any, ...]:
    """Return row i of a matrix, or n elements of a vector starting at element i, as a tuple."""
    first = x.start(i)
    row = tuple(x.items[first : first + n].tolist())
    if len(row) != n:
        raise IndexError(f"{n} numbers from row {i} on are out of bounds for an array of shape {x.shape}")
    return row if x.convert is None else tuple(map(x.convert, row))


def store(x: Any, i: int, v: Sequence[Any]) -> None:
    """Write a tuple to row i of a matrix, or to a vector starting at element i."""
    first = x.start(i)
    if first + len(v) > len(x.items):
        raise IndexError(f"{len(v)} numbers from row {i} on are out of bounds for an array of shape {x.shape}")
    for k, value in enumerate(v, first):
        x.put(k, value)


def small(n: int) -> Vector:
    """Return scratch memory of n float64, filled with NaN."""
    return Vector(memoryview(bytearray(_NAN * n)).cast("d"), (n,))


def small_int(n: int) -> Vector:
    """Return scratch memory of n int64, filled with the largest int64."""
    return Vector(memoryview(bytearray(_LARGE * n)).cast("q"), (n,))


def flat(x: Any) -> Any:
    """Return all elements as a vector, row by row."""
    return type(x)(x.items, (len(x.items),), x._address) if x.convert else Vector(x.items, (len(x.items),), x._address)


def frozen(x: Any) -> Any:
    """Return the array unchanged. No conversion is needed, because views of read-only buffers reject writes anyway."""
    return x


def _at(code: str) -> Callable[..., Any]:
    """Return a function (address, *shape) that makes arrays of one element type."""
    return lambda address, *shape: array(address, code, shape)


def address_of(x: Any, k: int) -> int:
    """Return the address of row k of a matrix, or of element k of a vector; k may be one past the last."""
    if not 0 <= k <= x.shape[0]:
        raise IndexError(f"index {k} is out of bounds for an array of shape {x.shape}")
    return x.address + k * x.width * x.items.itemsize


def header_of(struct: Any) -> int:
    """Return the address of a struct's header."""
    return struct.address_


def highest_bit(x: int) -> int:
    """Return the index of the highest set bit; x is not 0."""
    return (x & 2**64 - 1).bit_length() - 1


def trailing_zeros(x: int) -> int:
    """Return the index of the lowest set bit; x is not 0."""
    return (x & -x).bit_length() - 1


def count_ones(x: int) -> int:
    """Return the number of set bits."""
    return (x & 2**64 - 1).bit_count()


def guessed(x: bool) -> bool:
    return x


def copy_bytes(target: int, source: int, count: int) -> None:
    """Move memory between addresses (memmove)."""
    ctypes.memmove(target, source, count)


_I, _F = ctypes.c_int64, ctypes.c_double


def _invoke(result: Any, *kinds: Any) -> Callable[..., Any]:
    """Return a function that calls machine code by address; its arguments are numbers or structs."""
    prototype = ctypes.CFUNCTYPE(result, *kinds)

    def invoke(address: int, *arguments: Any) -> Any:
        return prototype(address)(*[x.address_ if isinstance(x, View) else x for x in arguments])

    return invoke


def _invoke_words(address: int, words: int) -> int:
    """Call machine code by address with CALL_WORDS integers, which are read from the address `words`."""
    return ctypes.CFUNCTYPE(_I, *[_I] * CALL_WORDS)(address)(*(_I * CALL_WORDS).from_address(words))


LANG = {
    "load": load,
    "store": store,
    "small": small,
    "small_int": small_int,
    "flat": flat,
    "frozen": frozen,
    "array_at": _at("d"),
    "matrix_at": _at("d"),
    "ints_at": _at("i"),
    "floats_at": _at("f"),
    "longs_at": _at("q"),
    "bytes_at": _at("B"),
    "address_of": address_of,
    "header_of": header_of,
    "as_model": as_model,
    "as_data": as_data,
    "count_ones": count_ones,
    "trailing_zeros": trailing_zeros,
    "highest_bit": highest_bit,
    "guessed": guessed,
    "clock_ns": time.monotonic_ns,
    "cycles": time.perf_counter_ns,
    "copy_bytes": copy_bytes,
    "invoke": _invoke(None, _I, _I),
    "invoke_index": _invoke(None, _I, _I, _I),
    "invoke_skip": _invoke(None, _I, _I, _I, _I),
    "invoke_pair": _invoke(_I, _I, _I, _I, _I, _F),
    "invoke_filter": _invoke(_I, _I, _I, _I, _I),
    "invoke_clock": _invoke(_F, _I),
    "invoke_value": _invoke(_F, _I, _I, _I),
    "invoke_distance": _invoke(_F, _I, _I, _I, _F, _F, _F),
    "invoke_words": _invoke_words,
    "invoke_gradient": _invoke(None, _I, _I, _I, _F, _F, _F, _I),
    "invoke_field": _invoke(_F, _F, _F, _F, _I),
    **pack_values.LANG,
}
__all__ = ["LANG", "LOWEST", "VIEWS", "Array", "View", "as_data", "as_model", "of_numpy"]
