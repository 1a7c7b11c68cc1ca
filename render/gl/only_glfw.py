"""Contexts of glfw alone, for scripts that import `mujoco.glfw`."""
from .context import GlfwContext as GLContext

__all__ = ["GLContext"]
