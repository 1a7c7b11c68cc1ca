"""Contexts of glfw alone, for scripts that import `mujoco.glfw`."""
import glfw  # noqa: F401  (scripts find it here)

from .context import GlfwContext as GLContext

__all__ = ["GLContext"]
