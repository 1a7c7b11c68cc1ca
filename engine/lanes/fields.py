"""Model and Data as a traced kernel sees them. The Model is constant, floats of Data are symbols, and counts and indices of
Data are known integers.

Model               machine.memory's view: sizes, numbers and arrays of this model; `Own` where fields differ between worlds
Data    float64     `Lanes`: elements of lane memory, located by a Layout
        integers    `Known`: written by traced kernels and dependent only on the Model; others cannot be traced
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

from ..machine import memory
from ..tables.schema import CAPACITIES, SCHEMAS, extent
from .symbols import LEFT, Tape, Untraceable, is_lane

_DATA, _MODEL = SCHEMAS["MjData"], SCHEMAS["MjModel"]
# prefix in a Layout of the names of Model fields that differ between worlds
OF_MODEL = "model."
# _AWAKE: counts that never change in a model without sleep. _ZERO: cells that are 0 unless timing is on or a step fails.
_AWAKE = {"ntree_awake": "ntree", "nbody_awake": "nbody", "nparent_awake": "nbody", "nv_awake": "nv"}
# used as the capacity of contacts and constraint rows; so large that no trace exceeds it
_ENOUGH = 2**40
# Scratch arrays for derivatives. Single steps allocate them when needed; lanes reserve the largest size possible.
ROOM = {"nB_cap": "nB", "nD_cap": "nD"}
_ZERO = frozenset(("timing", "status", "full"))


class Layout:
    """Positions of Data's fields in lane memory: {field: first element}, in order of first use."""

    def __init__(self) -> None:
        self.first: dict[str, int] = {}
        self.counts: dict[str, int] = {}
        self.size = LEFT + 1

    def place(self, name: str, count: int) -> int:
        """Return a field's first element; the first call reserves memory for it."""
        if name not in self.first:
            self.first[name], self.counts[name] = self.size, count
            self.size += count
        return self.first[name]

    def span(self, name: str) -> range:
        """Return the index range of a field's elements in lane memory."""
        return range(self.first[name], self.first[name] + self.counts[name])


class Lanes:
    """A vector or matrix whose numbers differ between lanes. `place` maps a flat index to an element of lane memory."""

    def __init__(self, tape: Tape, shape: tuple[int, ...], place: Callable[[int], Any]) -> None:
        self.tape, self.shape, self.place = tape, shape, place
        self.width = shape[1] if len(shape) == 2 else 1
        self.count = shape[0] * self.width

    def __len__(self) -> int:
        return self.shape[0]

    def index(self, index: Any) -> int:
        """Convert an index to a flat index. Raise IndexError if it is out of bounds, Untraceable if it differs between
        lanes."""
        if is_lane(index) or isinstance(index, tuple) and any(map(is_lane, index)):
            raise Untraceable("an index that differs from lane to lane")
        if isinstance(index, tuple):
            row, column = index
            if not 0 <= column < self.width:
                raise IndexError(f"index {index} is out of bounds for an array of shape {self.shape}")
            index = row * self.width + column
        if not 0 <= index < self.count:
            raise IndexError(f"index {index} is out of bounds for an array of shape {self.shape}")
        return index

    def index_flat(self, k: int) -> int:
        """Check the bounds of a flat index; return it."""
        if not 0 <= k < self.count:
            raise IndexError(f"element {k} is out of bounds for an array of shape {self.shape}")
        return k

    def start(self, row: Any) -> int:
        """Return the flat index of a row's first element."""
        return self.index(row * self.width if not is_lane(row) else row)

    def get(self, k: int) -> Any:
        """Return the value of an element."""
        return self.tape.read(self.place(k))

    def set(self, k: int, value: Any) -> None:
        """Set the value of an element."""
        self.tape.write(self.place(k), value if is_lane(value) else float(value))

    def __getitem__(self, index: Any) -> Any:
        return self.get(self.index(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        self.set(self.index(index), value)

    def flat(self) -> "Lanes":
        """Return all elements as a vector."""
        return type(self)(self.tape, (self.count,), self.place)


class Known(Lanes):
    """An array of integers that are equal in all lanes, because they depend only on the Model."""

    def get(self, k: int) -> Any:
        value = self.tape.memory.get(self.place(k))
        if value is None:
            raise Untraceable(f"{self.place(k)[0]} depends on the state")
        return value

    def set(self, k: int, value: Any) -> None:
        if is_lane(value):
            raise Untraceable("an integer that differs from lane to lane")
        self.tape.write(self.place(k), int(value))


class Own:
    """A Model or its options. The fields in `names` differ between worlds; names of options begin with `opt.`."""

    def __init__(self, view: Any, tape: Tape, layout: Layout, names: frozenset[str], part: str = "") -> None:
        self.__dict__.update(_view=view, _tape=tape, _layout=layout, _names=names, _part=part)

    def __getattr__(self, name: str) -> Any:
        full, view = self._part + name, self._view
        if name in _MODEL.nested and not self._part:
            made = Own(getattr(view, name), self._tape, self._layout, self._names, f"{name}.")
        elif full not in self._names:
            return getattr(view, name)
        elif name not in view.schema.fields or view.schema.fields[name].dtype != "f8":
            raise Untraceable(f"{full} differs from world to world")
        else:
            dims = view.schema.fields[name].dims
            shape = getattr(view, name).shape if dims else (1,)
            first = self._layout.place(OF_MODEL + full, math.prod(shape))
            if not dims:
                return self._tape.read(first)
            made = Lanes(self._tape, shape, lambda k: first + k)
        self.__dict__[name] = made
        return made


def scratch(tape: Tape, n: int, kind: Any) -> Lanes:
    """Allocate scratch memory for a function; return it as an array of lanes."""
    mark = len(tape.scratch)
    tape.scratch.append(n)
    return kind(tape, (n,), lambda k: ("scratch", mark, k))


def length(dim: Any, model: Any) -> int:
    """Return the length of one dimension of a Data field."""
    size, factor = extent(dim)
    return getattr(model, ROOM.get(size, size)) * factor if size else factor


def is_made_late(field: Any) -> bool:
    """Return whether a field of Data is scratch that is allocated when first used."""
    return bool(field.dims) and extent(field.dims[0])[0] in ROOM


class Growing:
    """An array whose size changes from step to step; access to its elements is untraceable."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getitem__(self, _: Any) -> Any:
        raise Untraceable(f"{self.name} has no fixed size")

    start = index = index_flat = __getitem__

    def __setitem__(self, _: Any, value: Any) -> None:
        raise Untraceable(f"{self.name} has no fixed size")


class Data:
    """A Data whose floats differ between lanes.

    `counts`: {header field: value that the trace assumes}. `asked`: the fields of `counts` that the kernel has read.
    """

    def __init__(self, tape: Tape, model: Any, layout: Layout, counts: dict[str, int] | None = None) -> None:
        self.__dict__.update(_tape=tape, _model=model, _layout=layout, _counts=counts or {}, asked=set())

    def __getattr__(self, name: str) -> Any:
        field = _DATA.fields.get(name)
        if field is None:
            if name in CAPACITIES:
                return getattr(self._model, ROOM[name]) if name in ROOM else _ENOUGH
            if name in _DATA.size_slot:
                return getattr(self._model, name)
            raise Untraceable(f"{name} of Data")
        if not field.dims:
            return self._scalar(field)
        if field.group in ("contact", "constraint", "constraint_work", "collision_work") and not is_made_late(field):
            return Growing(name)

        # floats are symbols; integers must be known during tracing
        shape = tuple([length(dim, self._model) for dim in field.dims])
        if field.dtype == "f8":
            count = shape[0] * (shape[1] if len(shape) == 2 else 1)
            first = self._layout.place(name, count)
            made = Lanes(self._tape, shape, lambda k: first + k)
        elif field.dtype in ("i4", "i8", "u1", "S1"):
            made = Known(self._tape, shape, lambda k: (name, k))
        else:
            raise Untraceable(f"{name} is of {field.dtype}")
        self.__dict__[name] = made
        return made

    def _scalar(self, field: Any) -> Any:
        """Return a scalar field: a symbol, a value from `counts`, or a known integer."""
        name = field.name
        if field.dtype == "f8":
            return self._tape.read(self._layout.place(name, 1))
        if name in self._counts:
            self.asked.add(name)
            return self._counts[name]
        if name in _ZERO:
            return 0
        if name in _AWAKE:
            return getattr(self._model, _AWAKE[name])
        return Known(self._tape, (1,), lambda _: (name, 0)).get(0)

    def kept(self, name: str) -> Any:
        """Return the number that an earlier part of the step stored under a name by `keep`."""
        return self._tape.read(self._layout.place(name, 1))

    def keep(self, name: str, value: Any) -> None:
        """Store a number under a name, for later parts of the step."""
        self._tape.write(self._layout.place(name, 1), value)

    def __setattr__(self, name: str, value: Any) -> None:
        field = _DATA.fields[name]
        if field.dtype == "f8":
            self._tape.write(self._layout.place(name, 1), value if is_lane(value) else float(value))
        else:
            Known(self._tape, (1,), lambda _: (name, 0)).set(0, value)


def load(x: Any, i: Any, n: int) -> Any:
    """`load` of `machine.lang`, which also accepts Lanes."""
    if not isinstance(x, Lanes):
        return memory.load(x, i, n)
    first = x.start(i)
    return tuple([x.get(x.index(first + k)) for k in range(n)])


def store(x: Any, i: Any, v: Sequence[Any]) -> None:
    """`store` of `machine.lang`, for Lanes."""
    first = x.start(i)
    for k, value in enumerate(v):
        x.set(x.index(first + k), value)


def flat(x: Any) -> Any:
    """`flat` of `machine.lang`, which also accepts Lanes."""
    return x.flat() if isinstance(x, Lanes) else memory.LANG["flat"](x)


class Address:
    """The address of an element of Lanes, returned by `address_of`."""

    def __init__(self, x: Any, first: int) -> None:
        self.x, self.first = x, first


def address_of(x: Any, k: int) -> Any:
    """`address_of` of `machine.lang`, which also accepts Lanes."""
    return Address(x, k * x.width) if isinstance(x, Lanes) else memory.LANG["address_of"](x, k)


def vector_at(name: str) -> Any:
    """Return a version of `array_at` or `ints_at` of `machine.lang` that also accepts an Address."""

    def at(address: Any, n: int) -> Any:
        if not isinstance(address, Address):
            return memory.LANG[name](address, n)
        x, first = address.x, address.first
        return type(x)(x.tape, (n,), lambda k: x.place(x.index_flat(first + k)))

    return at
