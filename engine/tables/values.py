"""Values from Python for fields of structs: numbers of the right type, and how structs are shown."""

import ctypes
import operator

import numpy as np

# what all C functions of ctypes are
C_FUNCTION = ctypes.CFUNCTYPE(None).__mro__[1]
INT_MIN, INT_MAX = -(2**31), 2**31 - 1


def read_integer(value, low=INT_MIN, high=INT_MAX) -> int:
    """An integer; TypeError for anything else, a float included. What numpy makes of one number counts by its whole part."""
    try:
        value = operator.index(value)
    except TypeError:
        value = _whole(value)
    if not low <= value <= high:
        raise TypeError(f"needs an integer from {low} to {high}, got {value}")
    return value


def _whole(value) -> int:
    """Whole part of a number that is no float of Python: numpy's scalars, arrays without dimensions."""
    if isinstance(value, (float, str, bytes, bytearray)) or not hasattr(value, "__int__") or getattr(value, "ndim", 0):
        raise TypeError(f"needs an integer, got {type(value).__name__}")
    if getattr(getattr(value, "dtype", None), "kind", "f") not in "biuf":
        raise TypeError(f"needs an integer, got {value.dtype}")
    return int(value)


def read_number(value) -> float:
    """A float; TypeError for text and arrays."""
    if (
        isinstance(value, (str, bytes, bytearray))
        or getattr(value, "ndim", 0)
        or isinstance(value, np.ndarray)
        and value.dtype.kind in "USO"
    ):
        raise TypeError(f"needs a number, got {type(value).__name__}")
    return float(value)


def assign(target: np.ndarray, value) -> None:
    """Copy a number, or an array of the target's last axes, into all of an array.

    ValueError for another shape, TypeError for numbers of another kind: texts, objects, floats for integers.
    """
    value = np.asarray(value)
    if value.shape != target.shape[target.ndim - value.ndim :]:
        raise ValueError(f"needs an array of shape {target.shape}, or of its last axes, got {value.shape}")
    np.copyto(target, value, casting="same_kind")


class FixedArrays:
    """Base of objects whose attributes are arrays that compiled code knows by address: assignment copies into the array that is there."""

    __slots__ = ()

    def __setattr__(self, name, value):
        held = self.__dict__.get(name)
        if isinstance(held, np.ndarray):
            assign(held, value)
        elif isinstance(held, dict):
            raise AttributeError(f"{name} cannot be assigned: change what is in it")
        else:
            object.__setattr__(self, name, value)


def read_text(value) -> str:
    """A text; bytes are decoded. TypeError for anything else."""
    if type(value) is str:
        return value
    if isinstance(value, (bytes, bytearray)):
        return value.decode()
    if not isinstance(value, str):
        raise TypeError(f"needs text, got {type(value).__name__}")
    # of a class of its own, as numpy's: what is kept is plain
    return str(value)


def describe(title, items) -> str:
    """`<Title`, a line `name: value` for each item, `>`."""
    lines = [
        f"\n  {name}: " + repr(value).replace("\n", "\n  " if not isinstance(value, np.ndarray) else "\n")
        for name, value in items
    ]
    return f"<{title}{''.join(lines)}\n>"
