"""Importing robots: `import_model`, with all methods of the MjSpec that it returns."""

from . import spec
from .robots.importing import import_model

__all__ = ["import_model", "spec"]
