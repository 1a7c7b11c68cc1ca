"""Contexts of egl alone, for scripts that import `mujoco.egl`."""
from typing import Any

from .context import EglContext as GLContext
from .context import egl_display

__all__ = ["GLContext", "create_initialized_egl_device_display"]


def create_initialized_egl_device_display() -> Any:
    """The process-wide display of EGL, initialised; ContextError if there is none."""
    return egl_display()
