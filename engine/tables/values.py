"""Conversion of Python values for fields of structs: numbers of the right type, and the text form of structs."""

import ctypes
import operator
from collections.abc import Iterable
from typing import Any

import numpy as np

# base class of all C functions of ctypes
C_FUNCTION = ctypes.CFUNCTYPE(None).__mro__[1]
INT_MIN, INT_MAX = -(2**31), 2**31 - 1


def read_integer(value: Any, low: int = INT_MIN, high: int = INT_MAX) -> int:
    """Return an integer; TypeError for anything else, including floats. For numpy scalars and 0-d arrays, return the whole
    part.
    """
    try:
        value = operator.index(value)
    except TypeError:
        value = _whole(value)
    if not low <= value <= high:
        raise TypeError(f"needs an integer from {low} to {high}, got {value}")
    return value


def _whole(value: Any) -> int:
    """Return the whole part of a number that is not a Python float: a numpy scalar, or an array without dimensions."""
    if isinstance(value, (float, str, bytes, bytearray)) or not hasattr(value, "__int__") or getattr(value, "ndim", 0):
        raise TypeError(f"needs an integer, got {type(value).__name__}")
    if getattr(getattr(value, "dtype", None), "kind", "f") not in "biuf":
        raise TypeError(f"needs an integer, got {value.dtype}")
    return int(value)


def read_number(value: Any) -> float:
    """Return a float; TypeError for text and arrays."""
    if (
        isinstance(value, (str, bytes, bytearray))
        or getattr(value, "ndim", 0)
        or isinstance(value, np.ndarray)
        and value.dtype.kind in "USO"
    ):
        raise TypeError(f"needs a number, got {type(value).__name__}")
    return float(value)


def assign(target: np.ndarray, value: Any) -> None:
    """Copy a number, or an array with the shape of the target's last axes, into all of the target.

    ValueError for another shape, TypeError for another type of numbers: text, objects, floats for integers.
    """
    value = np.asarray(value)
    if value.shape != target.shape[target.ndim - value.ndim :]:
        raise ValueError(f"needs an array of shape {target.shape}, or of its last axes, got {value.shape}")
    np.copyto(target, value, casting="same_kind")


class FixedArrays:
    """Base of objects whose arrays compiled code finds by address: assigning to an attribute copies into the existing array."""

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> None:
        held = self.__dict__.get(name)
        if isinstance(held, np.ndarray):
            assign(held, value)
        elif isinstance(held, dict):
            raise AttributeError(f"{name} cannot be assigned: change its elements or attributes")
        else:
            object.__setattr__(self, name, value)


def read_text(value: Any) -> str:
    """Return a string; bytes are decoded. TypeError for anything else."""
    if type(value) is str:
        return value
    if isinstance(value, (bytes, bytearray)):
        return value.decode()
    if not isinstance(value, str):
        raise TypeError(f"needs text, got {type(value).__name__}")
    # a subclass, such as numpy's: convert to a plain str
    return str(value)


def describe(title: str, items: Iterable[tuple[str, Any]]) -> str:
    """Return `<Title`, a line `name: value` for each item, `>`."""
    lines = [
        f"\n  {name}: " + repr(value).replace("\n", "\n  " if not isinstance(value, np.ndarray) else "\n")
        for name, value in items
    ]
    return f"<{title}{''.join(lines)}\n>"
