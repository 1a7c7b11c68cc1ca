"""glfw contexts only, for scripts that import `mujoco.glfw`."""

import importlib
from typing import Any

from .context import GlfwContext as GLContext

__all__ = ["GLContext"]


def __getattr__(name: str) -> Any:
    # glfw takes 10 ms to import, and its system library is not installed everywhere
    if name == "glfw":
        return importlib.import_module("glfw")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
