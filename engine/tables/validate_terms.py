"""Building blocks of the checks of a Model: a reader of its fields, and functions that reject invalid numbers."""

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .schema import SCHEMAS

MODEL = SCHEMAS["MjModel"]


class InvalidModel(ValueError):
    """A Model whose integer fields contradict each other; compiled code would read outside its arrays."""


class Checks(dict[str, Callable[[Any], None]]):
    """Checks of fields, by field name. As a decorator, it registers a function under the field that the function is named
    after."""

    def __call__(self, function: Callable[[Any], None]) -> Callable[[Any], None]:
        self[function.__name__] = function
        return function


class Reader:
    """Reads sizes and arrays of a Model by name; checks must not write to these arrays."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def __getattr__(self, name: str) -> Any:
        if name in MODEL.slot and name in MODEL.fields and MODEL.fields[name].dims:
            value = self.model.peek(name)
        elif name in MODEL.size_slot:
            # models of other interfaces may not show all sizes
            value = int(self.model.storage.integers[MODEL.size_slot[name]])
        else:
            value = getattr(self.model, name)
        self.__dict__[name] = value
        return value

    def array(self, name: str) -> np.ndarray:
        return getattr(self, name)


def refuse(name: str, wrong: Any, x: Any, allowed: str) -> None:
    """Raise InvalidModel for the first number of a field that is marked as wrong."""
    if not np.any(wrong):
        return
    at = np.unravel_index(int(np.argmax(np.broadcast_to(wrong, x.shape))), x.shape)
    raise InvalidModel(f"{name}[{', '.join(map(str, at))}] is {int(x[at])}, {allowed}")


def between(name: str, x: Any, low: Any, high: Any) -> None:
    """Raise InvalidModel unless low <= x < high, for numbers or arrays with the same rows."""
    if not x.size:
        return
    if np.ndim(high):
        high = np.reshape(high, np.shape(high) + (1,) * (x.ndim - np.ndim(high)))
    wrong = (x < low) | (x >= high)

    # Usually all numbers are valid: build the message only if one is not.
    if wrong.any():
        one = np.size(high) == 1
        refuse(name, wrong, x, f"{low} to {int(np.max(high)) - 1} allowed" if one else "which is out of range")


def among(x: Any, allowed: Iterable[int]) -> np.ndarray:
    """Return which integers are among the allowed ones."""
    low, table = _marked(tuple(allowed))
    place = np.asarray(x, np.int64) - low
    inside = (place >= 0) & (place < table.size)
    return table[np.where(inside, place, 0)] & inside


@functools.cache
def _marked(allowed: tuple[int, ...]) -> tuple[int, np.ndarray]:
    """Return (the smallest allowed number, an array that is true for allowed numbers, starting with the smallest)."""
    low = min(allowed)
    table = np.zeros(max(allowed) - low + 1, bool)
    table[np.array(allowed, np.int64) - low] = True
    return low, table


def start(name: str, x: Any, count: Any, total: Any) -> None:
    """Raise InvalidModel unless the rows x .. x + count are within a total; empty ranges may also begin at -1."""
    x, count = x.astype(np.int64), count.astype(np.int64)
    refuse(
        name,
        (x < np.where(count > 0, 0, -1)) | (x + np.maximum(count, 0) > total),
        x,
        f"so its rows do not fit into the {total} rows",
    )
