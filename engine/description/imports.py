"""Importing robots: `import_model`, whose result is an MjSpec with all its methods."""

from . import spec
from .robots.importing import import_model

__all__ = ["import_model", "spec"]
