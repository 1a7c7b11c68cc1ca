"""The compiled parts of public functions of scenes, by the names of their stages."""

from ...engine.api import entries
from . import build, emit, options

# the modules whose functions have such parts
MODULES = (build, emit, options)


def __getattr__(name):
    return getattr(entries, name)
