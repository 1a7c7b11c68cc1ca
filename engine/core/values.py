"""Values from Python for fields of structs: numbers of the right type, and how structs are shown."""
import operator

import numpy as np

INT_MIN, INT_MAX = -2**31, 2**31 - 1


def read_integer(value, low=INT_MIN, high=INT_MAX) -> int:
    """An integer; TypeError for anything else, a float included."""
    value = operator.index(value)
    if not low <= value <= high:
        raise TypeError(f"needs an integer from {low} to {high}, got {value}")
    return value


def read_number(value) -> float:
    """A float; TypeError for text and arrays."""
    if isinstance(value, (str, bytes, bytearray)) or getattr(value, "ndim", 0):
        raise TypeError(f"needs a number, got {type(value).__name__}")
    return float(value)


def describe(title, items) -> str:
    """`<Title`, a line `name: value` for each item, `>`."""
    lines = [f"\n  {name}: " + repr(value).replace("\n", "\n  " if not isinstance(value, np.ndarray) else "\n") for name, value in items]
    return f"<{title}{''.join(lines)}\n>"
