"""CGL contexts only, for scripts that import `mujoco.cgl`; OSError on any system except a Mac."""

from ..context import CglContext as GLContext
from . import cgl

__all__ = ["GLContext", "cgl"]
