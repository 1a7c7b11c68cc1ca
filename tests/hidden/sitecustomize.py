"""Simulates a machine that lacks parts: those that TUMBLE_TEST_HIDE names (libraries, commands, packages; separated by
commas) are hidden from this process and its children. Python imports this file at start because a test puts its folder on
PYTHONPATH.
"""

import ctypes
import ctypes.util
import os
import shutil
import sys

HIDDEN = [name for name in os.environ.get("TUMBLE_TEST_HIDE", "").split(",") if name]


def hidden(name):
    """Whether a library's file, a command or a module is one of the hidden parts."""
    return any(word.lower() in os.path.basename(str(name or "")).lower() for word in HIDDEN)


class Library(ctypes.CDLL):
    """A shared library, unless it is hidden."""

    def __init__(self, name, *args, **kwargs):
        if hidden(name):
            raise OSError(f"{name}: cannot open shared object file: No such file or directory")
        super().__init__(name, *args, **kwargs)


class Finder:
    """Comes before all other module finders and hides the hidden modules."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if "." not in name and hidden(name):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


if HIDDEN:
    find_library, which = ctypes.util.find_library, shutil.which
    ctypes.CDLL = Library
    ctypes.cdll = ctypes.LibraryLoader(Library)
    ctypes.util.find_library = lambda name: None if hidden(name) or hidden(find_library(name)) else find_library(name)
    shutil.which = lambda name, *args, **kwargs: None if hidden(name) else which(name, *args, **kwargs)
    sys.meta_path.insert(0, Finder)
