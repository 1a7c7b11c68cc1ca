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


class Change:
    """A replacement of stages, active until `restore()` or the end of a `with` block. `replace` and `interpreted` create it;
    it has no arguments.
    """
    def __init__(self) -> None: ...
    def put(self, stage: Any, address: int, call: Callable[..., Any] | None) -> None:
        """Replace a stage by the code at an address.

        call: runs instead when Python calls the stage; None: the code runs
        """
    def drop(self, name: str) -> None:
        """Stop replacing one stage. Do nothing if this object does not replace it."""
    def restore(self) -> None:
        """Stop replacing stages: earlier replacements, or else the machine code, run again."""
    def __enter__(self) -> Change: ...
    def __exit__(self, *error: object) -> None: ...

def compiled(name: str) -> Callable[..., Any]:
    """Return the machine code of a stage as a function (model, data, ...), even if the stage is replaced. Replacements can call
    it. ValueError for an unknown stage.
    """

def interpreted(*names: str) -> Change:
    """Run stages as Python functions, so that breakpoints, `print` and debuggers work in them; other stages stay
    compiled. Takes effect at once; returns a `Change` for `with` or `restore()`. ValueError for an unknown name.

    names: stages (see `names()`), all if none is given
    """

def names() -> list[str]:
    """Return the names of the stages, in the order of their table."""

def replace(name: str, function: Any) -> Change:
    """Run a function in place of a stage.

    A Python function gets the MjModel and the MjData, then the stage's other arguments as numbers (addresses of arrays as
    integers). It returns the stage's result if the stage has one, and may raise. Compiled code gets addresses and runs
    without the interpreter lock: a kernel of `machine.jit`, a function of `numba.njit` written like a kernel, a
    `numba.cfunc`, a ctypes pointer, an address.

    Takes effect at once; returns a `Change` for `with` or `restore()`. ValueError for an unknown stage, TypeError for
    an object that is not a function or has another signature.
    """

def restore() -> None:
    """Remove all replacements: every stage runs its machine code again."""
