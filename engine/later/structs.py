"""Small structs that only the newest MuJoCo release has."""

from typing import Any

import numpy as np

from ..tables.values import describe, read_integer, read_number


class _Record:
    """Base of structs with numbers, strings and vectors. `_defaults` maps their members to default values."""

    _defaults: dict[str, Any] = {}
    __hash__ = None  # type: ignore[assignment]

    def __init__(self) -> None:
        for name, value in self._defaults.items():
            object.__setattr__(self, name, np.array(value, np.float64) if isinstance(value, tuple) else value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._defaults:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        default = self._defaults[name]
        if isinstance(default, tuple):
            getattr(self, name)[:] = value
        elif isinstance(default, str):
            object.__setattr__(self, name, str(value))
        else:
            object.__setattr__(self, name, read_integer(value) if isinstance(default, int) else read_number(value))

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *self._defaults]

    def __repr__(self) -> str:
        return describe(type(self).__name__, [(n, getattr(self, n)) for n in sorted(self._defaults)])


class MjPreContact(_Record):
    """Result of a collision function: distance, position, normal and first tangent of a contact (since 3.9)."""

    _defaults = {"dist": 0.0, "pos": (0, 0, 0), "normal": (0, 0, 0), "tangent": (0, 0, 0)}


class MjrRendererInfo(_Record):
    """Information about the renderer in use (since 4.0)."""

    _defaults = {"renderer": "classic", "backend": ""}


class MjrVertexAttribute(_Record):
    """One attribute of a vertex in a vertex buffer (since 4.0)."""

    _defaults = {"usage": 0, "type": 0}

    def __init__(self, usage: int = 0, type: int = 0) -> None:
        super().__init__()
        self.usage, self.type = usage, type


class MjsAuthored(_Record):
    """The options, flags and visual settings that a spec's file contains, as bits (since 3.16)."""

    _defaults = dict.fromkeys(
        "option disableflags enableflags disableactuator visual_global visual_quality visual_headlight visual_map "
        "visual_scale visual_rgba".split(),
        0,
    )


def mjr_defaultRendererInfo(info: MjrRendererInfo) -> None:
    """Set the defaults of a MjrRendererInfo (since 4.0)."""
    info.renderer, info.backend = "classic", ""


def mjr_getRendererInfo(info: MjrRendererInfo) -> None:
    """Write the name of the renderer in use to `info` (since 4.0)."""
    info.renderer, info.backend = "classic", "opengl"


CLASSES: dict[str, Any] = {
    x.__name__: x
    for x in (MjPreContact, MjrRendererInfo, MjrVertexAttribute, MjsAuthored, mjr_defaultRendererInfo, mjr_getRendererInfo)
}


# members with their defaults are attributes of the classes, too
def _member(cls: type, name: str) -> None:
    setattr(cls, name, cls._defaults[name])  # type: ignore[attr-defined]


for _cls in (MjPreContact, MjrRendererInfo, MjrVertexAttribute, MjsAuthored):
    for _name in _cls._defaults:
        _member(_cls, _name)
