"""Model and Data as a traced kernel sees them: the Model is what it is, numbers of Data are symbols, its counts and indices known integers.

Model               machine.memory's view: sizes, numbers, arrays of this very model; `Own` where fields differ from world to world
Data    float64     `Lanes`: elements of the lane memory, found through a Layout
        integers    `Known`: what traced kernels wrote, which depends on the Model alone; anything else cannot be traced
"""

import math
from typing import Any

from ..machine import memory
from ..tables.schema import CAPACITIES, SCHEMAS, extent
from .symbols import LEFT, Tape, Untraceable, is_lane

_DATA, _MODEL = SCHEMAS["MjData"], SCHEMAS["MjModel"]
# fields of the Model stand in a Layout under their names with this before them
OF_MODEL = "model."
# counts that a model without sleep has for good, and marks: 0 while nothing is measured or wrong
_AWAKE = {"ntree_awake": "ntree", "nbody_awake": "nbody", "nparent_awake": "nbody", "nv_awake": "nv"}
# room for contacts and rows that no trace reaches
_ENOUGH = 2**40
# scratch of derivatives is made when it is first asked for: lanes have what the model needs at most
ROOM = {"nB_cap": "nB", "nD_cap": "nD"}
_ZERO = frozenset(("timing", "status", "full"))


class Layout:
    """Places of Data's fields in lane memory: {field: first element}, in the order in which kernels asked for them."""

    def __init__(self):
        self.first: dict[str, int] = {}
        self.counts: dict[str, int] = {}
        self.size = LEFT + 1

    def place(self, name: str, count: int) -> int:
        if name not in self.first:
            self.first[name], self.counts[name] = self.size, count
            self.size += count
        return self.first[name]

    def span(self, name: str) -> range:
        """Elements of a field."""
        return range(self.first[name], self.first[name] + self.counts[name])


class Lanes:
    """A vector or matrix of numbers of lanes; a place for each element, given by a function of its index in the flat array."""

    def __init__(self, tape: Tape, shape, place):
        self.tape, self.shape, self.place = tape, shape, place
        self.width = shape[1] if len(shape) == 2 else 1
        self.count = shape[0] * self.width

    def __len__(self):
        return self.shape[0]

    def index(self, index) -> int:
        """Index in the flat array."""
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

    def index_flat(self, k) -> int:
        """An index in the flat array that is in bounds."""
        if not 0 <= k < self.count:
            raise IndexError(f"element {k} is out of bounds for an array of shape {self.shape}")
        return k

    def start(self, row) -> int:
        """Index of the first element of a row."""
        return self.index(row * self.width if not is_lane(row) else row)

    def get(self, k) -> Any:
        return self.tape.read(self.place(k))

    def set(self, k, value) -> None:
        self.tape.write(self.place(k), value if is_lane(value) else float(value))

    def __getitem__(self, index):
        return self.get(self.index(index))

    def __setitem__(self, index, value):
        self.set(self.index(index), value)

    def flat(self) -> "Lanes":
        """All elements as a vector."""
        return type(self)(self.tape, (self.count,), self.place)


class Known(Lanes):
    """Integers that depend on the Model alone."""

    def get(self, k) -> Any:
        value = self.tape.memory.get(self.place(k))
        if value is None:
            raise Untraceable(f"{self.place(k)[0]} depends on the state")
        return value

    def set(self, k, value) -> None:
        if is_lane(value):
            raise Untraceable("an integer that differs from lane to lane")
        self.tape.write(self.place(k), int(value))


class Own:
    """A Model or its options of which some fields differ from world to world: `names` of these, with what they are part of before a dot."""

    def __init__(self, view, tape: Tape, layout: Layout, names: frozenset[str], part=""):
        self.__dict__.update(_view=view, _tape=tape, _layout=layout, _names=names, _part=part)

    def __getattr__(self, name) -> Any:
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


def scratch(tape: Tape, n, kind) -> Lanes:
    """Memory of a function's own."""
    mark = len(tape.scratch)
    tape.scratch.append(n)
    return kind(tape, (n,), lambda k: ("scratch", mark, k))


def length(dim, model) -> int:
    """Length of a field of Data along a dimension."""
    size, factor = extent(dim)
    return getattr(model, ROOM.get(size, size)) * factor if size else factor


def is_made_late(field) -> bool:
    """Whether a field of Data is scratch that is made when it is first asked for."""
    return bool(field.dims) and extent(field.dims[0])[0] in ROOM


class Growing:
    """An array whose size changes from step to step: none of its elements can be seen."""

    def __init__(self, name):
        self.name = name

    def __getitem__(self, _):
        raise Untraceable(f"{self.name} has no fixed size")

    start = index = index_flat = __getitem__

    def __setitem__(self, _, value):
        raise Untraceable(f"{self.name} has no fixed size")


class Data:
    """A Data of lanes. `known`: integers of earlier stages; `counts`: numbers of the header that are given; `asked`: which of them were read."""

    def __init__(self, tape: Tape, model, layout: Layout, counts=None):
        self.__dict__.update(_tape=tape, _model=model, _layout=layout, _counts=counts or {}, asked=set())

    def __getattr__(self, name) -> Any:
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

    def _scalar(self, field):
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

    def kept(self, name) -> Any:
        """A number that is kept for lanes beside fields, under a name."""
        return self._tape.read(self._layout.place(name, 1))

    def keep(self, name, value) -> None:
        """Keep a number for later parts of a step."""
        self._tape.write(self._layout.place(name, 1), value)

    def __setattr__(self, name, value):
        field = _DATA.fields[name]
        if field.dtype == "f8":
            self._tape.write(self._layout.place(name, 1), value if is_lane(value) else float(value))
        else:
            Known(self._tape, (1,), lambda _: (name, 0)).set(0, value)


def load(x, i, n) -> Any:
    """As in `machine.lang`."""
    if not isinstance(x, Lanes):
        return memory.load(x, i, n)
    first = x.start(i)
    return tuple([x.get(x.index(first + k)) for k in range(n)])


def store(x, i, v) -> None:
    """As in `machine.lang`."""
    first = x.start(i)
    for k, value in enumerate(v):
        x.set(x.index(first + k), value)


def flat(x) -> Any:
    """As in `machine.lang`."""
    return x.flat() if isinstance(x, Lanes) else memory.LANG["flat"](x)


class Address:
    """Address of an element of an array of lanes."""

    def __init__(self, x, first):
        self.x, self.first = x, first


def address_of(x, k) -> Any:
    """As in `machine.lang`."""
    return Address(x, k * x.width) if isinstance(x, Lanes) else memory.LANG["address_of"](x, k)


def vector_at(name) -> Any:
    """`array_at` or `ints_at` of `machine.lang`, of an Address too."""

    def at(address, n) -> Any:
        if not isinstance(address, Address):
            return memory.LANG[name](address, n)
        x, first = address.x, address.first
        return type(x)(x.tape, (n,), lambda k: x.place(x.index_flat(first + k)))

    return at
