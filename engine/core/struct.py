"""Struct: Python's view of a schema's memory. A struct has one aligned buffer. Its attributes are numpy views, or read scalars
from the header.

Attributes cannot be rebound. Assigning to an array attribute writes its elements, so addresses held by kernels stay
valid.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..machine.storage import ALIGN, Storage
from ..tables.schema import GROWING, INTERNAL, SCHEMAS, Schema, extent
from ..tables.values import read_integer, read_number
from .listed import Listed, field_lists, own_names

# up to this number, floats represent all integers exactly; it is far larger than any number of bytes that can be allocated
EXACT = 2.0**53


# number of layouts that a plan caches, because several models and Data of equal sizes are often created in sequence
REMEMBERED = 16


class Plan:
    """Layout of the arrays of some fields, one after another, each aligned to a cache line. Sizes are in the schema's order."""

    def __init__(self, schema: Schema, fields: Sequence[Any]) -> None:
        self.known: dict[tuple, tuple[float, np.ndarray, np.ndarray]] = {}

        # Each dimension of an array is a size of the schema, with an index in `index`, times a number.
        one, deepest = len(schema.sizes), max((len(f.dims) for f in fields), default=0)
        rows = [[extent(dim) for dim in f.dims] for f in fields]
        self.fields, self.position = list(fields), {f.name: k for k, f in enumerate(fields)}
        self.slots = np.array([schema.slot[f.name] for f in fields], np.int64)
        self.index = np.array(
            [[schema.size_slot[n] if n else one for n, _ in r] + [one] * (deepest - len(r)) for r in rows], np.int64
        )
        self.bytes_each = np.array([math.prod(k for _, k in r) * f.numpy.itemsize for f, r in zip(fields, rows)], np.int64)
        # scratch comes last and is not copied
        self.results = next((k for k, f in enumerate(fields) if f.group == "work"), len(fields))

    def bytes(self, sizes: Sequence[int]) -> float:
        """Return the number of bytes needed for the given sizes. It is a float, because absurd sizes would overflow an
        integer."""
        return self._layout(sizes)[0]

    def largest(self, sizes: Sequence[int]) -> tuple[Any, float]:
        """Return (name, bytes) of the largest array."""
        count = self._bytes(sizes)
        return self.fields[int(count.argmax())].name, float(count.max())

    def offsets(self, sizes: Sequence[int]) -> np.ndarray:
        """Return the offsets of all arrays and the total; the caller must not write to them. MemoryError for absurd sizes."""
        return self.spans(sizes)[0]

    def spans(self, sizes: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Return `offsets`, and where each array ends, without the padding of its last cache line."""
        asked, offsets, ends = self._layout(sizes)
        if asked > EXACT:
            raise MemoryError(f"the sizes require {asked:.3g} bytes")
        return offsets, ends

    def _layout(self, sizes: Sequence[int]) -> tuple[float, np.ndarray, np.ndarray]:
        """Return (number of bytes, offsets, ends) of the arrays for given sizes."""
        key = tuple(sizes)
        found = self.known.get(key)
        if found is None:
            count = self._bytes(key)
            asked, offsets = float(count.sum()), np.zeros(len(self.fields) + 1, np.int64)
            if asked <= EXACT:
                np.cumsum(-(-count.astype(np.int64) // ALIGN) * ALIGN, out=offsets[1:])
            if len(self.known) >= REMEMBERED:
                self.known.clear()
            found = self.known[key] = asked, offsets, offsets[:-1] + count
        return found

    def _bytes(self, sizes: Sequence[int]) -> np.ndarray:
        """Return the number of bytes of each array."""
        # the last entry, 1, is used for missing dimensions
        extents = np.ones(len(sizes) + 1)
        extents[:-1] = sizes
        return np.multiply.reduce(extents[self.index], 1) * self.bytes_each


class ArrayField:
    """An array attribute of a struct class. Its view is made at first access, because most arrays are never read from
    Python."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, obj: Any, owner: type | None = None) -> Any:
        if obj is None:
            return self
        view = obj.__dict__[self.name] = obj.peek(self.name)
        return view


class NestedField(ArrayField):
    """A nested struct as an attribute. Every object has it from the beginning."""

    __slots__ = ()

    def __get__(self, obj: Any, owner: type | None = None) -> Any:
        if obj is None:
            return self
        raise AttributeError(f"{type(obj).__name__} has no {self.name} yet")


def contents(struct: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return views of the scalars and the fixed arrays of a struct: of everything except addresses and growable arrays."""
    kept = struct.storage
    return kept.header[struct.schema.first_scalar : struct.schema.last_scalar], kept.buffer[kept.arrays[0] - kept.address :]


def same(one: Any, other: Any) -> bool:
    """Return whether the contents of two structs of the same sizes are bit-identical."""
    return all(mine.tobytes() == theirs.tobytes() for mine, theirs in zip(contents(one), contents(other), strict=True))


def set_contents(struct: Any, parts: Iterable[np.ndarray]) -> None:
    """Copy the values of a struct of the same sizes; `parts` is its `contents`."""
    for mine, other in zip(contents(struct), parts, strict=True):
        mine[...] = other


def fill(struct: Any, values: Mapping[str, Any]) -> None:
    """Write whole arrays, {field: values, or values to broadcast}, without keeping views of them."""
    storage, header, shapes = struct.storage, struct.storage.integers, struct._shapes
    buffer, first, view = storage.buffer, storage.address, np.ndarray
    for name, value in values.items():
        dtype, dims, slot, _ = shapes[name]
        if len(dims) == 1:
            # the usual case, an array with one dimension, needs no list
            size, k = dims[0]
            shape = header[size] * k if size >= 0 else k
        else:
            shape = [header[size] * k if size >= 0 else k for size, k in dims]
        view(shape, dtype, buffer, header[slot] - first)[...] = value


# type checkers would mistake the metaclass for a base class
_Class: Any = Listed


class Struct(metaclass=_Class):
    """Base of MjModel, MjData, MjOption, MjVisual and MjStatistic."""

    __slots__ = ("__dict__", "__weakref__", "storage")
    schema: ClassVar[Schema]
    plan: ClassVar[Plan]
    storage: Storage

    if TYPE_CHECKING:
        # sizes, scalars and arrays: attributes from the rows of the schema
        def __getattr__(self, name: str) -> Any: ...

    def __init_subclass__(cls, schema: str | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if schema:
            cls.schema = SCHEMAS[schema]
            cls._scalar_names = frozenset(f.name for f in cls.schema.scalars)

            # properties of scalars and sizes, and arrays
            for f in cls.schema.scalars:
                if f.name not in cls.__dict__:
                    setattr(cls, f.name, _scalar(cls.schema.slot[f.name], f))
            for n, k in cls.schema.size_slot.items():
                if n not in cls.schema.slot and n not in cls.__dict__:
                    setattr(cls, n, _size(k))
            for f in cls.schema.arrays:
                if f.name not in cls.__dict__:
                    setattr(cls, f.name, ArrayField(f.name))

            # names for `dir` and lists of fields
            cls.unlisted = own_names(cls, INTERNAL)
            for n, names in field_lists(cls.schema, INTERNAL).items():
                setattr(cls, n, names)

            # layouts of the arrays
            cls.plan = Plan(cls.schema, [f for f in cls.schema.arrays if f.group not in GROWING])
            cls._shapes = {
                f.name: (
                    f.numpy,
                    tuple((cls.schema.size_slot.get(n, -1), k) for n, k in map(extent, f.dims)),
                    cls.schema.slot[f.name],
                    f.group in GROWING,
                )
                for f in cls.schema.arrays
            }

    def __dir__(self) -> list[str]:
        return dir(type(self))

    def _allocate(self, sizes: Sequence[int], first: str = "", last: str = "") -> None:
        """Lay out header and fixed arrays in one buffer, for sizes in the schema's order.

        Arrays are 0, except fields `first` to `last`, which the caller will write or which are never read.
        """
        plan = self.plan
        offsets, ends = plan.spans(sizes)
        written = (int(offsets[plan.position[first]]), int(ends[plan.position[last]])) if first else (0, 0)
        self._lay_out(offsets, written=written)
        self.storage.header[: len(sizes)] = sizes

    def _lay_out(self, offsets: np.ndarray, values: np.ndarray | None = None, written: tuple[int, int] = (0, 0)) -> None:
        """Allocate the buffer, with arrays at these offsets after the header.

        `values`: bytes of a struct of the same sizes. Bytes `written[0]:written[1]` of the arrays are not cleared.
        """
        plan = self.plan
        storage = Storage(self.schema.cells + len(self.schema.private), int(offsets[-1]), int(offsets[plan.results]), written)
        object.__setattr__(self, "storage", storage)
        if values is not None:
            storage.buffer[:] = values
        storage.header[plan.slots] = storage.arrays[0] + offsets[:-1]

    def peek(self, name: str) -> np.ndarray:
        """Return a view of the whole array (n, ...) of a field, without keeping it."""
        dtype, dims, slot, growing = self._shapes[name]
        storage = self.storage
        header = storage.integers
        while True:
            buffer, first = (storage.growable, storage.growable_address) if growing else (storage.buffer, storage.address)
            shape, offset = [header[size] * k if size >= 0 else k for size, k in dims], header[slot] - first
            # another thread may have replaced the buffer between the two reads
            if not growing or storage.growable is buffer:
                return np.ndarray(shape, dtype, buffer, offset)

    def _view(self, name: str) -> np.ndarray:
        """Return the array of a field, and keep it for the next access."""
        f, storage = self.schema.fields[name], self.storage
        kept = storage.whole if f.text or f.used else self.__dict__
        while True:
            buffer, view = storage.growable, self.peek(name)
            kept[name] = view
            if storage.growable is buffer:
                return view

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._scalar_names or isinstance(getattr(type(self), name, None), property):
            _set(self, name, value)
            return
        s = self.schema
        f = s.fields.get(name)
        if f is None:
            if name in s.size_slot or hasattr(type(self), name) or name in self.__dict__:
                raise AttributeError(f"{name} of {type(self).__name__} cannot be changed")
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        getattr(self, name)[...] = value

    def array(self, name: str) -> np.ndarray:
        """Return the whole array (n, ...) of a field, including rows that are not in use."""
        view = self.storage.whole.get(name)
        if view is None:
            view = self.__dict__.get(name)
        return self._view(name) if view is None else view

    def poison(self, *names: str) -> None:
        """Fill fields with NaN (or the dtype's largest integer), so that a test can detect elements that a stage did not
        write."""
        for n in names:
            x = self.array(n)
            x.fill(np.nan if x.dtype.kind == "f" else np.iinfo(x.dtype).max)


_set = object.__setattr__
_LIMITS = {"i8": (-(2**63), 2**63 - 1), "u8": (0, 2**64 - 1), "i4": (-(2**31), 2**31 - 1), "u1": (0, 255)}


def _scalar(slot: int, f: Any) -> property:
    """Return the property of a scalar: read from the header, checked on assignment."""
    limits = _LIMITS.get(f.dtype)
    if limits is None:
        single = f.dtype == "f4"

        def read(self) -> Any:
            return self.storage.floats[slot]

        def write(self, value: Any) -> None:
            if type(value) is not float:
                value = read_number(value)
            # round to single precision, as MuJoCo's field does
            self.storage.floats[slot] = float(np.float32(value)) if single else value
    elif f.numpy.kind == "u":

        def read(self) -> Any:
            return self.storage.unsigned[slot]

        def write(self, value: Any) -> None:
            self.storage.unsigned[slot] = read_integer(value, *limits)
    else:

        def read(self) -> Any:
            return self.storage.integers[slot]

        def write(self, value: Any) -> None:
            self.storage.integers[slot] = read_integer(value, *limits)

    return property(read, write)


def _size(slot: int) -> property:
    """Return the read-only property of a size."""

    def read(self) -> int:
        return self.storage.integers[slot]

    return property(read)
