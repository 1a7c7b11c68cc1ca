"""MjOption, MjVisual and MjStatistic: the small structs inside a Model."""
import copy

import numpy as np

from .schema import SCHEMAS
from .struct import Struct
from .values import describe


class _Small(Struct):
    """A struct without sizes, filled with its defaults."""

    def __init__(self):
        self._allocate({})
        for f in self.schema.fields.values():
            if f.default:
                setattr(self, f.name, f.default if f.dims else f.default[0])

    def copy_from(self, other):
        self._buffer[8 * self.schema.first_scalar:] = other._buffer[8 * self.schema.first_scalar:]

    def __copy__(self):
        new = type(self)()
        new.copy_from(self)
        return new

    def __deepcopy__(self, memo):
        return copy.copy(self)

    def __getstate__(self):
        return {f: np.array(getattr(self, f)) for f in self.schema.fields}

    def __setstate__(self, state):
        type(self).__init__(self)
        for name, value in state.items():
            if name in self.schema.fields:
                setattr(self, name, value if value.ndim else value.item())

    def __eq__(self, other):
        return type(self) is type(other) and all(np.array_equal(getattr(self, n), getattr(other, n)) for n in self.schema.fields)

    __hash__ = None

    def __repr__(self):
        return describe(type(self).__name__, [(n, getattr(self, n)) for n in sorted(self.schema.fields)])


class MjOption(_Small, schema="MjOption"):
    """Simulation options: time step, gravity, solver parameters, flags."""


class MjStatistic(_Small, schema="MjStatistic"):
    """Statistics of a model that scale the picture and the solver: mean mass, inertia, size, extent, centre."""


class VisualGroup:
    """One group of visual options, such as `vis.map`."""

    __slots__ = ("_names", "_owner", "_prefix")

    def __init__(self, owner, prefix):
        names = [f.split("__")[1] for f in owner.schema.fields if f.startswith(prefix + "__")]
        for k, v in (("_owner", owner), ("_prefix", prefix), ("_names", names)):
            object.__setattr__(self, k, v)

    def __getattr__(self, name):
        if name in self._names:
            return getattr(self._owner, f"{self._prefix}__{name}")
        raise AttributeError(f"visual group {self._prefix!r} has no attribute {name!r}")

    def __setattr__(self, name, value):
        if name not in self._names:
            raise AttributeError(f"visual group {self._prefix!r} has no attribute {name!r}")
        setattr(self._owner, f"{self._prefix}__{name}", value)

    def __dir__(self):
        return self._names

    def __eq__(self, other):
        return isinstance(other, VisualGroup) and all(np.array_equal(getattr(self, n), getattr(other, n)) for n in self._names)

    __hash__ = None

    def __repr__(self):
        return describe(type(self).__name__, [(n, getattr(self, n)) for n in sorted(self._names)])


class MjVisual(_Small, schema="MjVisual"):
    """Visual options in six groups: global_, quality, headlight, map, scale, rgba."""

    groups = tuple(dict.fromkeys(name.split("__")[0] for name in SCHEMAS["MjVisual"].fields))

    def __init__(self):
        super().__init__()
        for g in self.groups:
            self.__dict__["global_" if g == "global" else g] = GROUPS[g](self, g)

    def __repr__(self):
        names = ["global_" if g == "global" else g for g in self.groups]
        return describe(type(self).__name__, [(n, getattr(self, n)) for n in names])


# one class a group, shown as `MjVisual.Map`
GROUPS = {g: type(g.capitalize(), (VisualGroup,), {"__slots__": (), "__qualname__": f"MjVisual.{g.capitalize()}"}) for g in MjVisual.groups}
for _name, _cls in GROUPS.items():
    setattr(MjVisual, _name.capitalize(), _cls)
