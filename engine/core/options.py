"""MjOption, MjVisual and MjStatistic: the small structs inside a Model."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..tables.schema import SCHEMAS
from ..tables.values import describe
from .struct import NestedField, Struct, contents, set_contents

# {class: (offsets of its arrays, default bytes of an object)}
_NEW = {}


class _Small(Struct):
    """A struct without sizes, initialized with its defaults."""

    def __init__(self) -> None:
        # the defaults are written once for each class, then copied
        known = _NEW.get(type(self))
        if known is None:
            known = _NEW[type(self)] = self._first()
        offsets, values = known
        self._lay_out(offsets, values)

    def _first(self) -> tuple[np.ndarray, np.ndarray]:
        """Compute offsets and default bytes from the rows of the schema."""
        offsets = self.plan.offsets(())
        self._lay_out(offsets)
        for f in self.schema.fields.values():
            if f.default:
                setattr(self, f.name, f.default if f.dims else f.default[0])
        values = self.storage.buffer.copy()
        self.__dict__.clear()
        return offsets, values

    def copy_from(self, other: Any) -> None:
        """Copy all values of another struct of the same class."""
        set_contents(self, contents(other))

    def __copy__(self) -> Any:
        new = object.__new__(type(self))
        new._begin_as(self)
        return new

    def _begin_as(self, other: Any) -> None:
        """Allocate memory and copy all values of another struct of this class."""
        self._lay_out(_NEW[type(self)][0], other.storage.buffer)

    def __deepcopy__(self, memo: dict) -> Any:
        return copy.copy(self)

    def __getstate__(self) -> dict[str, np.ndarray]:
        return {f: np.array(getattr(self, f)) for f in self.schema.fields}

    def __setstate__(self, state: dict[str, np.ndarray]) -> None:
        type(self).__init__(self)
        for name, value in state.items():
            if name in self.schema.fields:
                setattr(self, name, value if value.ndim else value.item())

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            np.array_equal(getattr(self, n), getattr(other, n)) for n in self.schema.fields
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return describe(type(self).__name__, [(n, getattr(self, n)) for n in sorted(self.schema.fields)])


class MjOption(_Small, schema="MjOption"):
    """Simulation options: time step, gravity, solver parameters, flags."""


class MjStatistic(_Small, schema="MjStatistic"):
    """Statistics of a model, used to scale rendering and solver: mean mass, mean inertia, mean size, extent, center."""


class VisualGroup:
    """A group of visual options, such as `vis.map`. Each group has its own subclass, whose properties are the members."""

    __slots__ = ("__weakref__", "_owner")
    names = ()
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, owner: Any) -> None:
        self._owner = owner

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(np.array_equal(getattr(self, n), getattr(other, n)) for n in self.names)

    def __repr__(self) -> str:
        return describe(type(self).__name__, [(n, getattr(self, n)) for n in sorted(self.names)])


def _group(prefix: str) -> type[VisualGroup]:
    """Return the class of a group."""
    names = [f.split("__")[1] for f in SCHEMAS["MjVisual"].fields if f.startswith(prefix + "__")]

    def member(field: str) -> property:
        return property(lambda self: getattr(self._owner, field), lambda self, value: setattr(self._owner, field, value))

    space = {n: member(f"{prefix}__{n}") for n in names}
    title = prefix.capitalize()
    return type(
        title,
        (VisualGroup,),
        {"__slots__": (), "__qualname__": f"MjVisual.{title}", "names": tuple(names), "__hash__": None, **space},
    )


class MjVisual(_Small, schema="MjVisual"):
    """Visual options in six groups: global_, quality, headlight, map, scale, rgba."""

    if TYPE_CHECKING:
        # classes of the groups, named as in MuJoCo's package
        Global: ClassVar[type[VisualGroup]]
        Quality: ClassVar[type[VisualGroup]]
        Headlight: ClassVar[type[VisualGroup]]
        Map: ClassVar[type[VisualGroup]]
        Scale: ClassVar[type[VisualGroup]]
        Rgba: ClassVar[type[VisualGroup]]

    groups = tuple(dict.fromkeys(name.split("__")[0] for name in SCHEMAS["MjVisual"].fields))

    def __repr__(self) -> str:
        names = ["global_" if g == "global" else g for g in self.groups]
        return describe(type(self).__name__, [(n, getattr(self, n)) for n in names])


class GroupField(NestedField):
    """A group of visual options as an attribute; made at its first use and kept."""

    __slots__ = ("cls",)

    def __init__(self, name: str, cls) -> None:
        super().__init__(name)
        self.cls = cls

    def __get__(self, obj: Any, owner: type | None = None) -> Any:
        if obj is None:
            return self
        return obj.__dict__.setdefault(self.name, self.cls(obj))


MjVisual.unlisted |= set(SCHEMAS["MjVisual"].fields)
# `global` is a Python keyword, but MuJoCo's package has this attribute
setattr(MjVisual, "global", property(lambda self: self.global_))
# one class for each group, shown as `MjVisual.Map`
GROUPS = {g: _group(g) for g in MjVisual.groups}
for _name, _cls in GROUPS.items():
    _member = "global_" if _name == "global" else _name
    setattr(MjVisual, _member, GroupField(_member, _cls))
    setattr(MjVisual, _name.capitalize(), _cls)
