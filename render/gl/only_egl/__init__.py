"""EGL contexts only, for scripts that import `mujoco.egl`.

Importing this package makes PyOpenGL use EGL's functions. ImportError is raised if the environment already names another
platform.
"""

import ctypes
import importlib
from typing import Any

from ..context import EglContext as GLContext
from ..libraries import claim_platform

__all__ = ["GLContext", "create_initialized_egl_device_display"]

claim_platform("egl")
# EGL attributes, names and values alternating: 8 bits per color channel, 24 of depth, 8 of stencil; a color buffer, pbuffer
# surfaces, renderable by OpenGL.
EGL_ATTRIBUTES = (
    0x3024,
    8,
    0x3023,
    8,
    0x3022,
    8,
    0x3021,
    8,
    0x3025,
    24,
    0x3026,
    8,
    0x303F,
    0x308E,
    0x3033,
    0x1,
    0x3040,
    0x8,
    0x3038,
)


def create_initialized_egl_device_display() -> Any:
    """Return the process-wide EGL display, initialized, as PyOpenGL's type. Raise ContextError (a RuntimeError) if there is
    none."""
    return as_display(GLContext.display())


def as_display(address: int) -> Any:
    """Convert a display's address to the type that PyOpenGL's functions take."""
    egl = importlib.import_module("OpenGL.EGL")
    return ctypes.cast(address, egl.EGLDisplay)


def __getattr__(name: str) -> Any:
    # PyOpenGL takes 0.2 s to import, and contexts do not need it.
    if name in ("EGL", "egl_ext"):
        return importlib.import_module(__name__ + ".egl_ext")
    if name == "error":
        return importlib.import_module("OpenGL.error")
    if name == "EGL_DISPLAY":
        # This is None until there is a context.
        return None if GLContext.shown is None else as_display(GLContext.shown)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
