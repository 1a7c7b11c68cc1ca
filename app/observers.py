"""One thing that happens, and those who follow it: whoever it happens to need not know them."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Generic, TypeVar

What = TypeVar("What")


class Event(Generic[What]):
    """Calls its followers in the order in which they came. They are methods, held weakly: nobody stays alive by following."""

    def __init__(self) -> None:
        self._followers: list[weakref.WeakMethod[Any]] = []

    def follow(self, *methods: Callable[[What], None]) -> None:
        """Call these methods of objects when it happens."""
        self._followers += [weakref.WeakMethod(method) for method in methods]

    def tell(self, what: What) -> None:
        """It has happened."""
        for follower in self._followers:
            method = follower()
            if method is not None:
                method(what)
