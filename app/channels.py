"""Channels between threads: either the latest value, or every message in order."""

from __future__ import annotations

import threading
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Slot(Generic[T]):
    """A value that one thread replaces and other threads read. No lock is needed, because assigning a reference is atomic."""

    def __init__(self, value: T) -> None:
        self._value = value

    def put(self, value: T) -> None:
        self._value = value

    def peek(self) -> T:
        return self._value


class Letter(Slot[T | None]):
    """A slot that is emptied when it is read."""

    def __init__(self) -> None:
        super().__init__(None)

    def take(self) -> T | None:
        value, self._value = self._value, None
        return value


class Queue(Generic[T]):
    """A queue that keeps all messages in order, with an event that wakes a sleeping reader."""

    def __init__(self) -> None:
        self._items: deque[T] = deque()
        self._bell = threading.Event()

    def put(self, item: T) -> None:
        self._items.append(item)
        self._bell.set()

    def drain(self) -> list[T]:
        """Return everything queued so far, oldest first."""
        self._bell.clear()
        items = []
        while self._items:
            items.append(self._items.popleft())
        return items

    def wait(self, timeout: float) -> bool:
        """Sleep until something is queued, or for `timeout` seconds."""
        return self._bell.wait(timeout)

    def ring(self) -> None:
        """Wake the reader without a message."""
        self._bell.set()

    def __len__(self) -> int:
        return len(self._items)
