"""Contexts of osmesa alone."""
import sys

from .render.gl import only_osmesa

sys.modules[__name__] = only_osmesa
