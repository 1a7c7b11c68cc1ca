"""Struct: Python's side of a schema. One aligned buffer, numpy views as attributes, scalars read from the header.

Attributes cannot be rebound: assigning to an array attribute writes its elements, so addresses held by kernels stay valid.
"""
import ctypes

import numpy as np

from .schema import GROWING, SCHEMAS, extent
from .values import read_integer, read_number

ALIGN = 64


def aligned_bytes(count):
    """Zeroed uint8 array whose first byte is aligned for vector loads."""
    raw = np.zeros(count + ALIGN, np.uint8)
    skip = -raw.ctypes.data % ALIGN
    return raw[skip:skip + count]


def layout(fields, sizes):
    """(field, shape, offset) of each array and the total bytes, every array starting on a cache line."""
    rows, offset = [], 0
    for f in fields:
        shape = tuple(sizes.get(n, 1) * k for n, k in map(extent, f.dims))
        count = 1
        for n in shape:
            count *= n
        rows.append((f, shape, offset))
        offset += -(-count * f.numpy.itemsize // ALIGN) * ALIGN
    return rows, offset


class Struct:
    """Base of MjModel, MjData, MjOption, MjVisual and MjStatistic."""

    schema = None

    def __init_subclass__(cls, schema=None, **kwargs):
        super().__init_subclass__(**kwargs)
        if schema:
            cls.schema = SCHEMAS[schema]
            cls._scalar_names = frozenset(f.name for f in cls.schema.scalars)
            for f in cls.schema.scalars:
                if f.name not in cls.__dict__:
                    setattr(cls, f.name, _scalar(cls.schema.slot[f.name], f))
            for n, k in cls.schema.size_slot.items():
                if n not in cls.schema.slot and n not in cls.__dict__:
                    setattr(cls, n, _size(k))

    def _allocate(self, sizes):
        """Lay out header and fixed arrays in one buffer."""
        s = self.schema
        rows, total = layout([f for f in s.arrays if f.group not in GROWING], sizes)
        start = -(-8 * s.cells // ALIGN) * ALIGN
        # scratch comes last: it is not part of a copy
        results = next((offset for f, _, offset in rows if f.group == "work"), total)
        buffer = aligned_bytes(start + total)
        header = buffer[:8 * s.cells].view(np.int64)
        own = self.__dict__
        own.update(_buffer=buffer, _header=header, _addr=header.ctypes.data, _full={},
                   _arrays=(buffer.ctypes.data + start, total, results))
        for n, k in s.size_slot.items():
            header[k] = sizes[n]
        base = buffer.ctypes.data + start
        for f, shape, offset in rows:
            self._place(f, shape, buffer, start + offset)
            header[s.slot[f.name]] = base + offset

    def _place(self, f, shape, buffer, offset):
        count = 1
        for n in shape:
            count *= n
        view = buffer[offset:offset + count * f.numpy.itemsize].view(f.numpy).reshape(shape)
        if f.text or f.used:
            self._full[f.name] = view
        else:
            self.__dict__[f.name] = view

    def __setattr__(self, name, value):
        s = self.schema
        if name in self._scalar_names or isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
            return
        f = s.fields.get(name)
        if f is None:
            if name in s.size_slot or hasattr(type(self), name) or name in self.__dict__:
                raise AttributeError(f"{name} of {type(self).__name__} cannot be changed")
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        getattr(self, name)[...] = value

    def array(self, name):
        """The whole array behind a field, whatever part of it is in use."""
        return self._full[name] if name in self._full else self.__dict__[name]

    def poison(self, *names):
        """Fill fields with NaN (or the dtype's largest integer), so that a test sees what a stage did not write."""
        for n in names:
            x = self.array(n)
            x.fill(np.nan if x.dtype.kind == "f" else np.iinfo(x.dtype).max)


_LIMITS = {"i8": (-2**63, 2**63 - 1), "u8": (0, 2**64 - 1), "i4": (-2**31, 2**31 - 1), "u1": (0, 255)}


def _scalar(slot, f):
    cell, convert = {"f": (np.float64, float), "u": (np.uint64, int)}.get(f.numpy.kind, (np.int64, int))
    limits = _LIMITS.get(f.dtype)

    def read(self):
        return convert(self._header[slot:slot + 1].view(cell)[0])

    def write(self, value):
        value = read_number(value) if limits is None else read_integer(value, *limits)
        # what the field of the reference cannot hold is rounded as there
        self._header[slot:slot + 1].view(cell)[0] = np.float32(value) if f.dtype == "f4" else value
    return property(read, write)


def _size(slot):
    def read(self):
        return int(self._header[slot])
    return property(read)


def move(target, source, count):
    """memmove between addresses."""
    ctypes.memmove(int(target), int(source), int(count))
