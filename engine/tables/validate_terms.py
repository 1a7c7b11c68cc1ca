"""Building blocks of the checks of a Model: a reader of its fields, and functions that refuse wrong numbers."""

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .schema import SCHEMAS

MODEL = SCHEMAS["MjModel"]


class InvalidModel(ValueError):
    """A Model whose integer fields do not fit together; compiled code would leave its arrays."""


class Checks(dict[str, Callable[[Any], None]]):
    """Checks of fields by their names; as a decorator, it registers a function that checks the field of its name."""

    def __call__(self, function: Callable[[Any], None]) -> Callable[[Any], None]:
        self[function.__name__] = function
        return function


class Reader:
    """Sizes and arrays of a Model, by name; it returns no array that could be written later."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def __getattr__(self, name: str) -> Any:
        value = (
            self.model.peek(name)
            if name in MODEL.slot and name in MODEL.fields and MODEL.fields[name].dims
            else getattr(self.model, name)
        )
        self.__dict__[name] = value
        return value

    def array(self, name: str) -> np.ndarray:
        return getattr(self, name)


def refuse(name: str, wrong: Any, x: Any, allowed: str) -> None:
    """InvalidModel for the first number of a field that is marked wrong."""
    if not np.any(wrong):
        return
    at = np.unravel_index(int(np.argmax(np.broadcast_to(wrong, x.shape))), x.shape)
    raise InvalidModel(f"{name}[{', '.join(map(str, at))}] is {int(x[at])}, {allowed}")


def between(name: str, x: Any, low: Any, high: Any) -> None:
    """InvalidModel unless low <= x < high, for numbers or arrays of the same rows."""
    if not x.size:
        return
    if np.ndim(high):
        high = np.reshape(high, np.shape(high) + (1,) * (x.ndim - np.ndim(high)))
    wrong = (x < low) | (x >= high)

    # most numbers are right, so that their limits need no words
    if wrong.any():
        one = np.size(high) == 1
        refuse(name, wrong, x, f"{low} to {int(np.max(high)) - 1} allowed" if one else "which is not among what it counts")


def among(x: Any, allowed: Iterable[int]) -> np.ndarray:
    """Return which integers are one of a few."""
    low, table = _marked(tuple(allowed))
    place = np.asarray(x, np.int64) - low
    inside = (place >= 0) & (place < table.size)
    return table[np.where(inside, place, 0)] & inside


@functools.cache
def _marked(allowed: tuple[int, ...]) -> tuple[int, np.ndarray]:
    """Return (least number, array that is true at those numbers, counted from the least)."""
    low = min(allowed)
    table = np.zeros(max(allowed) - low + 1, bool)
    table[np.array(allowed, np.int64) - low] = True
    return low, table


def start(name: str, x: Any, count: Any, total: Any) -> None:
    """InvalidModel unless the rows x .. x + count are within a total; empty ranges may begin at -1, too."""
    x, count = x.astype(np.int64), count.astype(np.int64)
    refuse(
        name,
        (x < np.where(count > 0, 0, -1)) | (x + np.maximum(count, 0) > total),
        x,
        f"of {total} rows, which do not hold all that begin there",
    )
