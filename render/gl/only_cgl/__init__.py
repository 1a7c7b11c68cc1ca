"""Contexts of cgl alone, for scripts that import `mujoco.cgl`; OSError on a machine that is not a Mac."""

from ..context import CglContext as GLContext
from . import cgl

__all__ = ["GLContext", "cgl"]
