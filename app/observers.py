"""Events and their followers: the source of an event need not know who follows it."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Generic, TypeVar

What = TypeVar("What")


class Event(Generic[What]):
    """Calls its followers in the order in which they registered. They are methods, held by weak references, so that following
    keeps no object alive.
    """

    def __init__(self) -> None:
        self._followers: list[weakref.WeakMethod[Any]] = []

    def follow(self, *methods: Callable[[What], None]) -> None:
        """Call these methods of objects when the event happens."""
        self._followers += [weakref.WeakMethod(method) for method in methods]

    def tell(self, what: What) -> None:
        """Call the followers."""
        for follower in self._followers:
            method = follower()
            if method is not None:
                method(what)
