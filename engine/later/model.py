"""MjModel of the newest release."""

from typing import Any

import numpy as np

from ..core.model import MjModel as Base
from ..core.options import MjStatistic, MjVisual
from ..description import bind as loaders
from ..tables import face_rows
from ..tables.compat_rows import LAST, starting
from ..tables.later_enums import translated
from .faces import face, plain, registered
from .fields import TABLE, sealed
from .options import MjOption

# field with numbers of an enumeration that this release numbers otherwise
CODED = {
    "eq_type": "mjtEq",
    "actuator_gaintype": "mjtGain",
    "actuator_biastype": "mjtBias",
    "actuator_dyntype": "mjtDyn",
}
GAINED, LOST = face_rows.changed("MjModel")


def gone(cls: str, name: str) -> property:
    """Return a property that says that a name is not of this release."""

    def read(self) -> Any:
        raise AttributeError(f"{cls} has no attribute {name!r} since release {face_rows.until(cls, name)}")

    return property(read)


@registered(Base)
class MjModel(Base):
    """A compiled model. `MjModel(**sizes)` allocates zeroed arrays; use `from_xml_path` and its siblings to load one."""

    __slots__ = ("plain",)

    def __new__(cls, **sizes: int) -> Any:
        return face(Base(**sizes))

    def __init__(self, **sizes: int) -> None:
        # __new__ has made it
        pass

    @property
    def opt(self) -> MjOption:
        return face(self.plain.opt)

    @opt.setter
    def opt(self, value: Any) -> None:
        self.plain.opt = plain(value)

    @property
    def vis(self) -> MjVisual:
        return self.plain.vis

    @vis.setter
    def vis(self, value: Any) -> None:
        self.plain.vis = value

    @property
    def stat(self) -> MjStatistic:
        return self.plain.stat

    @stat.setter
    def stat(self, value: Any) -> None:
        self.plain.stat = value

    def bind(self, specs: Any) -> Any:
        """Return the rows of an element of the spec that this was compiled from, or of a sequence of elements."""
        return self.plain.bind(specs)

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        else:
            setattr(self.plain, name, value)

    def __copy__(self) -> Any:
        return face(self.plain.__copy__())

    def __deepcopy__(self, memo: dict) -> Any:
        return face(self.plain.__copy__())

    def __reduce__(self) -> tuple:
        return face, (self.plain,)

    def __reduce_ex__(self, protocol: Any) -> tuple:
        return self.__reduce__()


def _computed(name: str) -> property:
    compute = TABLE[name]

    def read(self) -> Any:
        value = compute(self.plain)
        return sealed(value) if isinstance(value, np.ndarray) else value

    return property(read)


def _coded(name: str, enum: str) -> property:
    """Return the property of an array of numbers of an enumeration. It is the engine's array where the numbers are equal, else
    a copy that cannot be written into; a whole array can be assigned."""

    def read(self) -> np.ndarray:
        own = self.plain.array(name)
        found = translated(enum, own)
        return own if found is own else sealed(found)

    def write(self, value: Any) -> None:
        own = self.plain.array(name)
        own[...] = translated(enum, np.broadcast_to(np.asarray(value, own.dtype), own.shape), True)

    return property(read, write)


for _name in TABLE:
    setattr(MjModel, _name, _computed(_name))
for _name, _enum in CODED.items():
    setattr(MjModel, _name, _coded(_name, _enum))
for _name in LOST:
    setattr(MjModel, _name, gone("MjModel", _name))
MjModel.unlisted = frozenset((Base.unlisted | LOST | {"plain"}) - GAINED)


def _loader(function: Any) -> Any:
    def load(*args: Any, **kwargs: Any) -> MjModel:
        with starting(LAST):
            return face(function(*map(plain, args), **{k: plain(v) for k, v in kwargs.items()}))

    load.__name__, load.__doc__ = function.__name__, function.__doc__
    return staticmethod(load)


for _function in (loaders.from_xml_path, loaders.from_xml_string):
    setattr(MjModel, _function.__name__, _loader(_function))


def from_binary_path(filename: Any, assets: Any = None, vfs: Any = None) -> MjModel:
    """Return a model from a binary file that mj_saveModel wrote, which may also be one of the assets {name: contents}."""
    if vfs is not None:
        raise ValueError("from_binary_path(): vfs: give `assets`, {name: contents}, instead")
    return face(Base.from_binary_path(filename, assets))


setattr(MjModel, "from_binary_path", staticmethod(from_binary_path))
