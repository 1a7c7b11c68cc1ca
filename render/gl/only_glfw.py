"""Contexts of glfw alone, for scripts that import `mujoco.glfw`."""

import importlib
from typing import Any

from .context import GlfwContext as GLContext

__all__ = ["GLContext"]


def __getattr__(name: str) -> Any:
    # 10 ms, and not everywhere is a library of the system's for it
    if name == "glfw":
        return importlib.import_module("glfw")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
