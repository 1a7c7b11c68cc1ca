"""The compiled versions of public scene functions, found by the names of their stages."""

from typing import Any

from ...engine.api import entries
from . import build, emit, options

# Modules whose functions have compiled versions.
MODULES = (build, emit, options)


def __getattr__(name: str) -> Any:
    return getattr(entries, name)
