"""Contexts of osmesa alone, for scripts that import `mujoco.osmesa`.

Importing it tells PyOpenGL to take functions from OSMesa, unless the environment says so already; ImportError if it says something else.
"""

import importlib
from typing import Any

from .context import OsmesaContext as GLContext
from .libraries import claim_platform

__all__ = ["GLContext"]

claim_platform("osmesa")
# names of PyOpenGL that scripts find here
MODULES = {"GL": "OpenGL.GL", "osmesa": "OpenGL.osmesa", "arrays": "OpenGL.GL.arrays"}


def __getattr__(name: str) -> Any:
    # PyOpenGL takes 0.3 s to import, which contexts do without
    if name in MODULES:
        return importlib.import_module(MODULES[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
