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
    """An OpenGL 3.3 core context that belongs to a hidden glfw window."""
    def free(self) -> None:
        """Destroy the window."""
    def __init__(self, width: int, height: int) -> None: ...
    def make_current(self) -> None:
        """Make the context current in this thread."""
