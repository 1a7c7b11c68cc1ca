"""Contexts of osmesa alone, for scripts that import `mujoco.osmesa`."""
from render.gl.context import OsmesaContext as GLContext

__all__ = ['GLContext']
