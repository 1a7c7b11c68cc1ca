"""CGL contexts only, for scripts that import `mujoco.cgl`. Raises OSError on all systems except a Mac."""

from ..context import CglContext as GLContext
from . import cgl

__all__ = ["GLContext", "cgl"]
