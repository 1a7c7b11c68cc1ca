"""Callers' functions in the step loop: controllers, rewards, termination conditions, resets. They are compiled, and receive
the world's Model and Data.

    def balance(m, d, i, gains, reward):             # i: number of the world; gains, reward: arrays for all worlds
        d.ctrl[0] = -gains[i, 0] * d.qpos[1]
        reward[i] += 1.0 - d.qpos[1] ** 2

    b.before_step(balance, gains, reward)

Write these functions like kernels: with loops over single elements of fields and arrays, or with `load` and `store`. They
may call other such functions, helpers of this package and numba functions. A function that cannot be
compiled is called through the interpreter, with a warning.
"""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..core import hooks
from ..lanes.reach import named_by, names_called
from ..machine import interpret, jit
from ..machine.lang import array_at, bytes_at, floats_at, frozen, ints_at, longs_at, matrix_at
from .copy_rows import address

# {(type of an array's numbers, dimensions): intrinsic through which a function accesses the array}
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
# intrinsics that write to an array even if its type forbids assignment
_UNCHECKED = frozenset(("store", "flat", "address_of", "copy_bytes"))
_SIGNATURE = "vMDii"
_C = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)


class SlowFunction(UserWarning):
    """Warning: a function is called through the interpreter, in every step of every simulation."""


class ReadOnly(TypeError):
    """Raised if a function may write to a read-only array."""


class Function:
    """A user's function in the step loop: the address of its code, and a table of the addresses and lengths of its arrays.

    `named`: the fields of Data that it uses; None if unknown.

    function: called as function(m, d, i, *arrays). TypeError if it cannot be called
    arrays: arrays (nsim, ...) of any numeric type. ValueError if the function writes to a read-only one
    """

    function: Callable[..., Any]
    arrays: tuple[np.ndarray, ...]
    table: np.ndarray
    code: Any
    address: int
    compiled: bool
    named: frozenset[str] | None

    def __init__(self, function: Callable[..., Any], arrays: tuple[np.ndarray, ...]) -> None:
        own = self.__dict__
        views, plain = [_seen_as(x) for x in arrays], interpret.function_of(function) or function
        cells = [cell for x in views for cell in (x.ctypes.data, *x.shape)]
        # keep these views, because the table points to them even if the caller changes an array's shape later
        own.update(function=function, arrays=arrays, table=np.array(cells or [0], np.int64), _views=views)

        # compile it
        self.table.flags.writeable = False
        try:
            code = _compiled(plain, tuple(_kind(x) for x in views))
            own.update(code=code, address=code.address, compiled=True, named=named_by(plain))
        except Exception as error:
            if not callable(function):
                raise TypeError(f"needs a function, got {type(function).__name__}") from None

            # the function writes to a read-only array
            if isinstance(error, ReadOnly) or "readonly array" in str(error):
                at = [k for k, x in enumerate(arrays) if not x.flags.writeable]
                name = getattr(function, "__name__", repr(function))
                raise ValueError(
                    f"{name} writes to an array, but these of its arrays (counted from 0) are read-only: {str(at)[1:-1]}"
                ) from None

            # otherwise call it through the interpreter
            reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            name = getattr(function, "__name__", repr(function))
            warnings.warn(
                f"{name} is called through the interpreter in every step of every simulation: it cannot be compiled ({reason})",
                SlowFunction,
                stacklevel=4,
            )
            code = _C(self._called)
            own.update(code=code, address=hooks.address_of_code(code), compiled=False, named=None)

    def __setattr__(self, name: str, value: Any) -> None:
        # compiled code contains the addresses of these attributes
        raise AttributeError(f"{name} of a Function cannot be changed")

    def _called(self, model: int, data: int, world: int, _: int) -> None:
        """Call the Python function on behalf of compiled code."""
        hooks.guard(lambda: self.function(hooks.live(model), hooks.live(data), world, *self.arrays), data, None, model=model)


def fields_named(functions: Iterable[tuple[int, Function]], when: int) -> set[str]:
    """Return the fields of Data that the functions of one phase use. `functions` are pairs (phase, Function)."""
    return set().union(*(f.named or () for moment, f in functions if moment == when))


def enter_functions(functions: Sequence[tuple[int, Function]]) -> tuple[int, int, Any]:
    """Return (address, rows, table) that describe the functions to compiled code. `functions` are pairs (phase, Function)."""
    table = np.array([(f.address, when, f.table.ctypes.data) for when, f in functions], np.int64)
    return address(table), len(functions), table


def _seen_as(x: Any) -> np.ndarray:
    """Return a view of a one- or two-dimensional array in a type that functions can use. Raise TypeError for other arrays."""
    if not isinstance(x, np.ndarray) or not x.flags.c_contiguous:
        raise TypeError("arrays of functions must be C-contiguous numpy arrays")
    x = x.view(np.uint8) if x.dtype == bool else x.view()
    if x.dtype == np.float64:
        return x if x.ndim in (1, 2) else x.reshape(len(x), -1) if x.ndim else x.reshape(1)
    if ("".join((x.dtype.kind, str(x.dtype.itemsize))), 1) not in _SEEN:
        raise TypeError(f"arrays of functions must be float64, float32, int32, int64, uint8 or bool, not {x.dtype}")
    return x.reshape(-1)


def _kind(x: np.ndarray) -> tuple[str, int, bool]:
    """Return (type of an array's numbers, number of dimensions, whether the array is writable)."""
    return x.dtype.kind + str(x.dtype.itemsize), x.ndim, x.flags.writeable


_MADE: dict[tuple, jit.Stage] = {}


def _compiled(function: Any, kinds: tuple[Any, ...]) -> jit.Stage:
    """Return a user's function as a stage of (Model, Data, world, table of arrays), compiled once for each combination of array
    types."""
    key = function, kinds
    if key in _MADE:
        return _MADE[key]

    # write the source of a wrapper that reads the arrays' addresses from the table
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
    # the compiler identifies linked names by the module's name
    function.__globals__.setdefault("__name__", "__main__")
    # namespace of the wrapper; the function itself looks names up in its own module
    space: dict[str, Any] = {"__name__": f"{__name__}.{name}", **_LANGUAGE, "user": jit.kernel(function)}
    # no text from users is in the source: it contains only array types and constant text
    exec(compile(source, f"<{name}>", "exec"), space)
    entry = space[name]
    # make the user's function a kernel, so that the functions it calls are linked
    jit.kernel(entry)
    made = jit.Stage(entry, _SIGNATURE, listed=False)
    if not made.address:
        raise TypeError(f"{name} has no machine code")
    _MADE[key] = made
    return made
