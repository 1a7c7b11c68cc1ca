"""Offsets inside CPython objects, for compiled code that reads these objects directly. `known` verifies the offsets on objects
with known contents.

float    | count | type | value |                          slots of a class: at `slot_offset(cls, name)`
ndarray  | count | type | data | ndim | shape | strides | base | dtype | flags |      (numpy's C interface)
"""

import ctypes
import functools
import types

import numpy as np

WORD = 8
TYPE, FLOAT_VALUE, TUPLE_ITEMS = WORD, 2 * WORD, 3 * WORD
ARRAY_DATA, ARRAY_NDIM, ARRAY_SHAPE, ARRAY_DTYPE, ARRAY_FLAGS = 16, 24, 32, 56, 64
# maximum number of integer arguments in a call by address (see lang.invoke_words)
CALL_WORDS = 16
# flag bits of a numpy array
CONTIGUOUS, ALIGNED, WRITEABLE = 1, 0x100, 0x400


def word(address: int) -> int:
    """Return the machine word at an address."""
    return ctypes.c_int64.from_address(address).value


@functools.cache
def slot_offset(cls, name: str) -> int:
    """Return the offset of a `__slots__` attribute in objects of a class, or 0 if it cannot be found."""
    probe, mark = cls.__new__(cls), object()
    descriptor = getattr(cls, name)
    descriptor.__set__(probe, mark)
    found = [at for at in range(2 * WORD, cls.__basicsize__, WORD) if word(id(probe) + at) == id(mark)]
    descriptor.__delete__(probe)
    return found[0] if len(found) == 1 else 0


@functools.cache
def known() -> bool:
    """Return whether this interpreter lays out objects as described at the top of this file."""
    if ctypes.sizeof(ctypes.c_void_p) != WORD or not hasattr(ctypes.pythonapi, "PyObject_Vectorcall"):
        return False
    x, number, pair = np.zeros((3, 5), np.float32), 1234.5, (np.float64(2), 3)
    expected = [
        (x, TYPE, id(np.ndarray)),
        (x, ARRAY_DATA, x.ctypes.data),
        (x, ARRAY_DTYPE, id(x.dtype)),
        (number, TYPE, id(float)),
        (pair, TUPLE_ITEMS, id(pair[0])),
    ]
    flags = CONTIGUOUS | ALIGNED | WRITEABLE
    return (
        all(word(id(owner) + at) == value for owner, at, value in expected)
        and ctypes.c_int32.from_address(id(x) + ARRAY_NDIM).value == 2
        and [word(word(id(x) + ARRAY_SHAPE) + WORD * k) for k in (0, 1)] == [3, 5]
        and ctypes.c_int32.from_address(id(x) + ARRAY_FLAGS).value & flags == flags
        and ctypes.c_double.from_address(id(number) + FLOAT_VALUE).value == number
        and ctypes.c_double.from_address(id(pair[0]) + FLOAT_VALUE).value == 2.0
    )


def c_function(name: str) -> int:
    """Return the address of a function of CPython's C API."""
    return ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0


class Entry(types.ModuleType):
    """The object to which compiled public functions belong. Its type is module, so that pickle stores the functions by name, as
    usual."""

    __slots__ = ("row",)


# count of numbers in a pack (see `packs`)
PACK = 8
