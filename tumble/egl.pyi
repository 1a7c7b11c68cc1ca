"""Written by `python -m tumble.stubs`; do not edit."""
import enum
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import IO, Any, Generic, SupportsFloat, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt



from . import MjData, MjModel, MjrRect, MjvCamera, MjvFigure, MjvOption, MjvPerturb, MjvScene


class GLContext:
    """An OpenGL 3.3 core context through EGL, which draws only into framebuffer objects."""
    shown: int | None
    def free(self) -> None:
        """Destroy the context."""
    def __init__(self, width: int, height: int) -> None: ...
    @classmethod
    def display(cls) -> int:
        """Return the EGL display of the process: a graphics device, else Mesa's surfaceless platform, else the default
        display.
        """
    def make_current(self) -> None:
        """Make the context current in this thread."""

def create_initialized_egl_device_display() -> object:
    """Return the process-wide EGL display, initialized, as PyOpenGL's type. Raise ContextError (a RuntimeError) if there is
    none.
    """
