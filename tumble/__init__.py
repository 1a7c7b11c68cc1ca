"""Tumble: a physics engine and a viewer for MJCF and URDF models. `import tumble as mujoco` runs scripts written for the
`mujoco` package.

    tumble.engine     physics: XML -> MjModel, MjData, steps          tumble.ui     panels, plots, widgets
    tumble.render     scenes and OpenGL                               tumble.app    the viewer, the command line

An installation adds only the package `tumble`. In a checkout its parts are beside this folder; when installed, they are
inside it:

    checkout/               tumble/  engine/  render/  ui/  app/  assets/
    site-packages/tumble/            engine/  render/  ui/  app/  assets/

The submodules of MuJoCo's package (`tumble.viewer`, `tumble.renderer`, `tumble.rollout`, ...) are small files in this folder.
`late` lists names that are loaded on first use. Importing this package takes almost no time: the engine is loaded when a
name is first used.
"""

import gc as _gc
import importlib as _importlib
import os as _os
import sys as _sys
import types as _types
from typing import Any as _Any

if not _os.path.isdir(_os.path.join(__path__[0], "engine")):
    __path__.append(_os.path.dirname(__path__[0]))

# submodules that are loaded on first use
_MODULES = (
    "app",
    "assets",
    "debug",
    "engine",
    "late",
    "render",
    "ui",
    "batch",
    "egl",
    "gl_context",
    "glfw",
    "minimize",
    "msh2obj",
    "osmesa",
    "renderer",
    "rollout",
    "studio",
    "usd",
    "v4",
    "viewer",
)

_VERSIONS = ("mujoco_version", "tumble_version")


class _Door(_types.ModuleType):
    """The class of this package, with an attribute that can be assigned: `compat`, the MuJoCo release that later loaded
    models follow."""

    @property
    def compat(self) -> str | None:
        """The MuJoCo release that models follow. "3.4" ... "4.0" override what files request; with None, each file decides,
        and 3.4 is the default."""
        return _load("engine").tables.compat_rows.chosen()

    @compat.setter
    def compat(self, version: str | None) -> None:
        _load("engine").tables.compat_rows.choose(version)

    @property
    def mujoco_version(self) -> str:
        """The MuJoCo release whose names and values this package has. `__version__` is equal to it, because scripts written
        for `mujoco` test it before they call newer functions."""
        return _load("engine").__version__

    @property
    def tumble_version(self) -> str:
        """The version of Tumble."""
        return _load("app.arguments").version()


def _load(name: str) -> _Any:
    """Import a submodule. Garbage collection is paused: imports create no garbage, but the collector would scan all their
    objects."""
    collects = _gc.isenabled()
    _gc.disable()
    try:
        # loads the engine, which takes 0.2 s
        return _importlib.import_module(f".{name}", __name__)
    finally:
        if collects:
            _gc.enable()


def __getattr__(name: str) -> _Any:
    # Imported late: the command line and the viewer's first picture must not wait 0.2 s for the engine.
    if name in _MODULES:
        return _load(name)
    if name.startswith("__") and name not in ("__all__", "__version__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # loads the engine, which takes 0.2 s
    late = _load("late")
    if name == "__all__":
        return late.public()
    if "MjModel" not in globals():
        # from now on, access to these names is direct
        globals().update(late.eager())
        if name in globals():
            return globals()[name]
    value = globals()[name] = late.resolve(name)
    return value


def __dir__() -> list[str]:
    # loads the engine, which takes 0.2 s
    late = _importlib.import_module(".late", __name__)
    return sorted({*late.public(), *late.LAZY, *late.OWN, *late.PARTS, "__version__", *_VERSIONS, *globals()})


_sys.modules[__name__].__class__ = _Door
