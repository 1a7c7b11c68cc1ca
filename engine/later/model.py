"""MjModel of the newest release."""

import functools
from typing import Any, ClassVar

import numpy as np

from ..core.model import MjModel as Base
from ..core.options import MjStatistic, MjVisual
from ..description import bind as loaders
from ..tables import face_rows, named_access
from ..tables.compat_rows import LAST, starting
from ..tables.later_enums import CODES, translated
from ..tables.schema import SCHEMAS, Field
from .faces import Copied, face, plain, registered
from .fields import STORES, TABLE, relations, sealed
from .mirror import Mirror
from .options import MjOption

# {field: enumeration whose values differ in this release}
CODED = {f.name: f.enumeration for f in SCHEMAS["MjModel"].fields.values() if f.enumeration in CODES}
GAINED, LOST = face_rows.changed("MjModel")
# fields of bytes that are arrays of booleans in this release
FLAGS = """
actuator_actearly actuator_actlimited actuator_ctrllimited actuator_forcelimited jnt_actfrclimited jnt_actgravcomp jnt_limited
light_active light_castshadow eq_active0 flex_centered flex_flatskin flex_rigid flexedge_rigid mat_texuniform
tendon_actfrclimited tendon_limited
""".split()
# Fields of named elements that are computed on access: {type of element: {attribute: field}}.
MORE = {
    "joint": {"plasticadr": Field("jnt_plasticadr", "i4", ("njnt",))},
    "geom": {"castshadow": Field("geom_castshadow", "u1", ("ngeom",))},
    "tendon": {"plasticadr": Field("tendon_plasticadr", "i4", ("ntendon",)), "type": Field("tendon_type", "i4", ("ntendon",))},
    "camera": {"projection": Field("cam_projection", "i4", ("ncam",))},
}
VIEWS: dict[str, Any] = {}


def gone(cls: str, name: str) -> property:
    """Return a property that raises AttributeError, for a name that this release no longer has."""

    def read(self) -> Any:
        raise AttributeError(f"{cls} has no attribute {name!r} since release {face_rows.until(cls, name)}")

    return property(read)


@registered(Base)
class MjModel(Copied, Base):
    """A compiled model. `MjModel(**sizes)` allocates zeroed arrays; use `from_xml_path` and its siblings to load one."""

    __slots__ = ("plain",)
    more_fields: ClassVar[dict[str, Any]] = {}
    lost_fields: ClassVar[frozenset[str]] = frozenset()

    def __new__(cls, **sizes: int) -> Any:
        return face(Base(**sizes))

    def __init__(self, **sizes: int) -> None:
        # `__new__` has already initialized the object.
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
        """Return views of the model's rows for an element, or a sequence of elements, of the spec from which it was
        compiled."""
        return self.plain.bind(specs)

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        else:
            setattr(self.plain, name, value)


def _computed(name: str) -> property:
    compute, store = TABLE[name], STORES.get(name)

    def read(self) -> Any:
        value = compute(self.plain)
        if store is not None:
            return Mirror.of(value, functools.partial(store, self.plain))
        return sealed(value) if isinstance(value, np.ndarray) else value

    def write(self, value: Any) -> None:
        read(self)[...] = value

    return property(read, write)


def _coded(name: str, enum: str) -> property:
    """Return a property for an array of enumeration values. Writes into the array are passed on to the engine."""

    def read(self) -> np.ndarray:
        own = self.plain.array(name)

        def store(values: np.ndarray) -> None:
            own[...] = translated(enum, values, True)

        return Mirror.of(np.array(translated(enum, own)), store)

    def write(self, value: Any) -> None:
        read(self)[...] = value

    return property(read, write)


def _flags(name: str) -> property:
    """Return a property for an array of flags: a boolean view of the engine's bytes."""
    return property(
        lambda self: self.plain.array(name).view(np.bool_),
        lambda self, value: setattr(self.plain, name, value),
    )


def _relations() -> property:
    """Return the property eq_data, whose rows are wider than those of the engine."""

    def write(self, value: Any) -> None:
        relations(self.plain)[...] = value

    return property(lambda self: relations(self.plain), write)


def of_engine(name: str) -> property:
    """Return a property that forwards to the engine's object."""
    return property(lambda self: getattr(self.plain, name), lambda self, value: setattr(self.plain, name, value))


for _name in GAINED:
    setattr(MjModel, _name, of_engine(_name))
for _name in FLAGS:
    setattr(MjModel, _name, _flags(_name))
for _name in TABLE:
    setattr(MjModel, _name, _computed(_name))
setattr(MjModel, "eq_data", _relations())
for _name, _enum in CODED.items():
    setattr(MjModel, _name, _coded(_name, _enum))
for _name in LOST:
    setattr(MjModel, _name, gone("MjModel", _name))
MjModel.more_fields, MjModel.lost_fields = MORE, LOST
named_access.add_accessors(MjModel, "model", VIEWS)
MjModel.unlisted = frozenset((Base.unlisted | LOST | {"plain", "more_fields", "lost_fields"}) - GAINED)


def _loader(function: Any) -> Any:
    def load(*args: Any, **kwargs: Any) -> MjModel:
        with starting(LAST):
            return face(function(*map(plain, args), **{k: plain(v) for k, v in kwargs.items()}))

    load.__name__, load.__doc__ = function.__name__, function.__doc__
    return staticmethod(load)


for _function in (loaders.from_xml_path, loaders.from_xml_string):
    setattr(MjModel, _function.__name__, _loader(_function))


def from_binary_path(filename: Any, assets: Any = None, vfs: Any = None) -> MjModel:
    """Return a model from a binary file that mj_saveModel wrote. The file may also be one of the assets {name: contents}."""
    if vfs is not None:
        raise ValueError("from_binary_path(): vfs: give `assets`, {name: contents}, instead")
    return face(Base.from_binary_path(filename, assets))


setattr(MjModel, "from_binary_path", staticmethod(from_binary_path))
