"""Written by `python -m tumble.stubs`; not to be edited."""
import enum
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import IO, Any, Generic, SupportsFloat, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt



from . import MjData, MjModel, MjrRect, MjvCamera, MjvFigure, MjvOption, MjvPerturb, MjvScene


class Change:
    """Something in the place of stages, from now on until `restore()` or the end of a `with` block."""
    def __init__(self) -> None: ...
    def put(self, stage: Any, address: int, call: Callable[..., Any] | None) -> None:
        """Enter code by its address; `call` calls it from Python (None: by the address)."""
    def drop(self, name: str) -> None:
        """Take it away from one stage."""
    def restore(self) -> None:
        """Take it away: the stages are what they were without it."""
    def __enter__(self) -> Change: ...
    def __exit__(self, *error: object) -> None: ...

def compiled(name: str) -> Callable[..., Any]:
    """The machine code of a stage as a function (model, data, ...), whatever is in the stage's place: to call it from what replaces it."""

def interpreted(*names: str) -> Change:
    """Run stages as the Python functions that they are: breakpoints, `print` and debuggers work in them; the others stay compiled.

    names: of stages (`names()`), all if none is given. Takes effect at once; returns a `Change` for `with` or `restore()`. ValueError for
    an unknown name.
    """

def names() -> list[str]:
    """Names of the stages, in the order of their table."""

def replace(name: str, function: Any) -> Change:
    """Put a function in a stage's place.

    A Python function gets the MjModel and the MjData, then the stage's other arguments as numbers (addresses of arrays as integers), and
    returns the stage's result if it has one; it may raise. Compiled code gets addresses and runs without the interpreter lock: a kernel
    of `machine.jit` or a function of `numba.njit` written as kernels are, a `numba.cfunc`, a ctypes pointer, an address.

    Takes effect at once; returns a `Change` for `with` or `restore()`. ValueError for an unknown stage, TypeError for what is no function
    or has another signature.
    """

def restore() -> None:
    """Take all changes away: every stage is machine code again."""
