"""MjSpec of the newest release: the engine's spec with this interface's models and options."""

import inspect
from collections.abc import Callable
from typing import Any

from ..description.spec import MjSpec as Base
from ..tables.compat_rows import LAST, starting
from ..tables.face_rows import MEMBERS
from ..tables.option_fields import OPTION, VISUAL
from ..tables.schema import parse_defaults
from .faces import face, plain, registered
from .structs import MjsAuthored

# names of options, and of visual settings by group, in the order of their fields
OPTIONS = [f.name for f in parse_defaults(OPTION, "option")]
SETTINGS: dict[str, list[str]] = {}
for _field in parse_defaults(VISUAL, "visual"):
    SETTINGS.setdefault(_field.name.partition("__")[0], []).append(_field.name)
FLAGS = ("strippath", "hasImplicitPluginElem")


class _Spec(type):
    """Metaclass of MjSpec that hides `plain`, so that dir() lists the same names as for the engine's MjSpec."""

    def __dir__(cls) -> list[str]:
        return [name for name in super().__dir__() if name != "plain"]


@registered(Base)
class MjSpec(metaclass=_Spec):
    """An editable model; `compile()` turns it into an MjModel."""

    __slots__ = ("plain", "__weakref__")
    plain: Any

    def __new__(cls) -> Any:
        with starting(LAST):
            return face(_later(Base()))

    def __init__(self) -> None:
        # `__new__` has already initialized the object.
        pass

    @property
    def authored(self) -> MjsAuthored:
        """The settings that the spec's file contains, as bits in the order of their fields (since 3.16)."""
        found: Any = MjsAuthored()
        given = self.plain.given
        found.option = _bits(OPTIONS, given)
        for group, names in SETTINGS.items():
            setattr(found, f"visual_{group}", _bits(names, given))
        for name, member in MEMBERS["mjtDisableBit"].items():
            if f"flag__{name.removeprefix('mjDSBL_').lower()}" in given:
                found.disableflags |= member
        for name, member in MEMBERS["mjtEnableBit"].items():
            if f"flag__{name.removeprefix('mjENBL_').lower()}" in given:
                found.enableflags |= member
        found.disableactuator = self.plain.option.disableactuator if "actuatorgroupdisable" in given else 0
        return found

    def __copy__(self) -> Any:
        return self.copy()  # type: ignore[attr-defined]

    def __deepcopy__(self, memo: dict) -> Any:
        return self.copy()  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        return repr(self.plain)


def _bits(names: list[str], given: set[str]) -> int:
    return sum(1 << k for k, name in enumerate(names) if name in given)


def _later(x: Any) -> Any:
    """Mark the spec, or all specs of a tuple, as used through this interface."""
    for spec in x if isinstance(x, tuple) else (x,):
        if isinstance(spec, Base):
            spec.later = True
    return x


def _method(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        with starting(LAST):
            return face(_later(function(*map(plain, args), **{k: plain(v) for k, v in kwargs.items()})))

    call.__name__, call.__doc__, call.__qualname__ = function.__name__, function.__doc__, f"MjSpec.{function.__name__}"
    setattr(call, "__wrapped__", function)
    return call


def _attribute(name: str) -> property:
    if name in FLAGS:
        return property(lambda self: bool(getattr(self.plain, name)), lambda self, value: setattr(self.plain, name, value))
    return property(lambda self: face(getattr(self.plain, name)), lambda self, value: setattr(self.plain, name, plain(value)))


for _name in dir(Base):
    if _name.startswith("_"):
        continue
    _value = inspect.getattr_static(Base, _name)
    if isinstance(_value, staticmethod):
        setattr(MjSpec, _name, staticmethod(_method(_value.__func__)))
    elif inspect.isfunction(_value):
        setattr(MjSpec, _name, _method(_value))
    elif _name not in ("plain",):
        setattr(MjSpec, _name, _attribute(_name))
