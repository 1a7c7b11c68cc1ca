"""Functions of the caller's inside the loop of steps: controllers, rewards, ends, resets, compiled with the world's Model and Data at hand.

    def balance(m, d, i, gains, reward):             # i: number of the world; arrays of the caller's, of all worlds
        d.ctrl[0] = -gains[i, 0] * d.qpos[1]
        reward[i] += 1.0 - d.qpos[1] ** 2

    b.before_step(balance, gains, reward)

They are written as kernels are: fields and arrays are read and written element by element (or by `load` and `store`), what they call are such
functions, helpers of this package and functions of numba's. A function that cannot be compiled is called through the interpreter, and says so.
"""

import ctypes
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..core import hooks
from ..lanes.reach import named_by, names_called
from ..machine import interpret, jit
from ..machine.lang import array_at, bytes_at, floats_at, frozen, ints_at, longs_at, matrix_at
from .rows import address

# type of an array's numbers, axes: how a function sees it
_SEEN = {
    ("f8", 1): "array_at",
    ("f8", 2): "matrix_at",
    ("i4", 1): "ints_at",
    ("i8", 1): "longs_at",
    ("f4", 1): "floats_at",
    ("u1", 1): "bytes_at",
}
_LANGUAGE = {
    "array_at": array_at,
    "matrix_at": matrix_at,
    "ints_at": ints_at,
    "longs_at": longs_at,
    "floats_at": floats_at,
    "bytes_at": bytes_at,
    "frozen": frozen,
}
# what gets at an array's memory whatever its type says
_UNCHECKED = frozenset(("store", "flat", "address_of", "copy_bytes"))
_SIGNATURE = "vMDii"
_C = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)


class SlowFunction(UserWarning):
    """A function that is called through the interpreter in every step of every simulation."""


class ReadOnly(TypeError):
    """A function may write to an array that is read-only."""


class Function:
    """A function in the loop: the address of its code, and a table of the addresses and lengths of its arrays. `named`: fields of Data that it names,
    None if that is not known."""

    function: Callable[..., Any]
    arrays: tuple[np.ndarray, ...]
    table: np.ndarray
    code: Any
    address: int
    compiled: bool
    named: frozenset[str] | None

    def __init__(self, function: Callable[..., Any], arrays: tuple[np.ndarray, ...]):
        own = self.__dict__
        views, plain = [_seen_as(x) for x in arrays], interpret.function_of(function) or function
        cells = [cell for x in views for cell in (x.ctypes.data, *x.shape)]
        # views have the memory and the shape that the table tells, whatever becomes of the caller's array
        own.update(function=function, arrays=arrays, table=np.array(cells or [0], np.int64), _views=views)
        self.table.flags.writeable = False
        try:
            code = _compiled(plain, tuple(_kind(x) for x in views))
            own.update(code=code, address=code.address, compiled=True, named=named_by(plain))
        except Exception as error:
            if not callable(function):
                raise TypeError(f"needs a function, got {type(function).__name__}") from None
            if isinstance(error, ReadOnly) or "readonly array" in str(error):
                at = [k for k, x in enumerate(arrays) if not x.flags.writeable]
                name = getattr(function, "__name__", repr(function))
                raise ValueError(
                    f"{name} writes to an array, but among its arrays, from 0 on, these are read-only: {str(at)[1:-1]}"
                ) from None
            reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            name = getattr(function, "__name__", repr(function))
            warnings.warn(
                f"{name} is called through the interpreter in every step of every simulation: it cannot be compiled ({reason})",
                SlowFunction,
                stacklevel=4,
            )
            code = _C(self._called)
            own.update(code=code, address=hooks.address_of_code(code), compiled=False, named=None)

    def __setattr__(self, name, value):
        # compiled code has addresses of what is here
        raise AttributeError(f"{name} of a Function cannot be changed")

    def _called(self, model, data, world, _):
        hooks.guard(lambda: self.function(hooks.live(model), hooks.live(data), world, *self.arrays), data, None, model=model)


def fields_named(functions, when) -> set[str]:
    """Fields of Data that functions of a moment name, among (moment, Function)."""
    return set().union(*(f.named or () for moment, f in functions if moment == when))


def enter_functions(functions) -> tuple[int, int, Any]:
    """(address, rows, table) for a description of a call with (moment, Function)."""
    table = np.array([(f.address, when, f.table.ctypes.data) for when, f in functions], np.int64)
    return address(table), len(functions), table


def _seen_as(x):
    """A view of an array with one or two axes of a type that functions can see."""
    if not isinstance(x, np.ndarray) or not x.flags.c_contiguous:
        raise TypeError("arrays of functions are C-contiguous numpy arrays")
    x = x.view(np.uint8) if x.dtype == bool else x.view()
    if x.dtype == np.float64:
        return x if x.ndim in (1, 2) else x.reshape(len(x), -1) if x.ndim else x.reshape(1)
    if ("".join((x.dtype.kind, str(x.dtype.itemsize))), 1) not in _SEEN:
        raise TypeError(f"arrays of functions are of float64, float32, int32, int64, uint8 or bool, not {x.dtype}")
    return x.reshape(-1)


def _kind(x):
    return x.dtype.kind + str(x.dtype.itemsize), x.ndim, x.flags.writeable


_MADE: dict[tuple, jit.Stage] = {}


def _compiled(function, kinds):
    """A function as a stage of (Model, Data, world, table of arrays)."""
    key = function, kinds
    if key in _MADE:
        return _MADE[key]
    parts, at = [], 0
    for kind in kinds:
        *shape, writeable = kind
        cells = ", ".join(f"t[{at + k}]" for k in range(shape[1] + 1))
        part = f"{_SEEN[tuple(shape)]}({cells})"
        parts.append(f", {part}" if writeable else f", frozen({part})")
        at += shape[1] + 1
    if not all(kind[-1] for kind in kinds) and (found := _UNCHECKED & names_called(function)):
        raise ReadOnly(f"it calls {', '.join(sorted(found))}")
    name = f"function_{function.__name__.strip('<>')}"
    source = f"def {name}(m, d, i, table):\n    t = longs_at(table, {max(at, 1)})\n    user(m, d, i{''.join(parts)})\n"
    # what a function names is linked by its module's name
    function.__globals__.setdefault("__name__", "__main__")
    # its own namespace; what the function itself names is found in its module
    space: dict[str, Any] = {"__name__": f"{__name__}.{name}", **_LANGUAGE, "user": jit.kernel(function)}
    # the text is made of the kinds of the arrays alone
    exec(compile(source, f"<{name}>", "exec"), space)
    entry = space[name]
    # so that what it calls is linked
    jit.kernel(entry)
    made = jit.Stage(entry, _SIGNATURE, listed=False)
    if not made.address:
        raise TypeError(f"{name} has no machine code")
    _MADE[key] = made
    return made
