"""Contexts of glfw alone."""
import sys

from .render.gl import only_glfw

sys.modules[__name__] = only_glfw
