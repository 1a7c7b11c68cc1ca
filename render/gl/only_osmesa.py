"""OSMesa contexts only, for scripts that import `mujoco.osmesa`.

Importing this module makes PyOpenGL use OSMesa's functions. ImportError is raised if the environment already names another
platform.
"""

import importlib
from typing import Any

from .context import OsmesaContext as GLContext
from .libraries import claim_platform

__all__ = ["GLContext"]

claim_platform("osmesa")
# Names of PyOpenGL modules that scripts expect in this module.
MODULES = {"GL": "OpenGL.GL", "osmesa": "OpenGL.osmesa", "arrays": "OpenGL.GL.arrays"}


def __getattr__(name: str) -> Any:
    # PyOpenGL takes 0.3 s to import, and contexts do not need it.
    if name in MODULES:
        return importlib.import_module(MODULES[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
