"""Events and their followers. The code that triggers an event need not know its followers."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Generic, TypeVar

What = TypeVar("What")


class Event(Generic[What]):
    """Calls its followers in the order in which they registered. A follower is a method, held by a weak reference, so that
    following an event keeps no object alive.
    """

    def __init__(self) -> None:
        self._followers: list[weakref.WeakMethod[Any]] = []

    def follow(self, *methods: Callable[[What], None]) -> None:
        """Register methods of objects, to be called when the event happens."""
        self._followers += [weakref.WeakMethod(method) for method in methods]

    def tell(self, what: What) -> None:
        """Call the followers."""
        for follower in self._followers:
            method = follower()
            if method is not None:
                method(what)
