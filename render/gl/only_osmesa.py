"""Contexts of osmesa alone, for scripts that import `mujoco.osmesa`."""
from .context import OsmesaContext as GLContext

__all__ = ["GLContext"]
