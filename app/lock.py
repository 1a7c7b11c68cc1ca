"""A recursive lock that is fair to the renderer.

Two threads meet at Data: physics, which takes the lock again and again for a slice of steps, and the renderer, which
takes it once a frame for a copy. With a plain lock the first starves the second for seconds, because it asks again
before the waiting thread has woken up. Here an urgent request closes a gate: ordinary requests queue behind it until
the urgent one has been served.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class FairLock:
    """Recursive lock with an express lane. `with lock:` is ordinary, `with lock.urgent(timeout):` goes first."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._gate = threading.Event()
        self._gate.set()
        self._guard = threading.Lock()
        self._waiting = 0
        self._owner = 0
        self._depth = 0

    @property
    def contended(self) -> bool:
        """True while an urgent request waits."""
        return not self._gate.is_set()

    def __enter__(self) -> FairLock:
        # the owner may enter again whatever the gate says, else it would wait for itself
        if self._owner != threading.get_ident():
            self._gate.wait()
        self._lock.acquire()
        self._entered()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.release()

    def acquire(self) -> bool:
        """Ordinary request, for callers that cannot use `with`."""
        self.__enter__()
        return True

    def release(self) -> None:
        """Give back one level."""
        self._depth -= 1
        if not self._depth:
            self._owner = 0
        self._lock.release()

    @contextmanager
    def urgent(self, timeout: float = -1.0) -> Iterator[bool]:
        """Enter before every ordinary request; yields False if `timeout` seconds passed first (nothing is held then)."""
        with self._guard:
            self._waiting += 1
            self._gate.clear()
        try:
            held = self._lock.acquire(timeout=timeout) if timeout >= 0 else self._lock.acquire()
        finally:
            with self._guard:
                self._waiting -= 1
                if not self._waiting:
                    self._gate.set()
        if not held:
            yield False
            return
        self._entered()
        try:
            yield True
        finally:
            self.release()

    def _entered(self) -> None:
        self._owner = threading.get_ident()
        self._depth += 1


class HoldMeter:
    """How long the lock was waited for and held, in seconds: count, total and worst of a window of uses."""

    def __init__(self, size: int = 240) -> None:
        self.size = size
        self.waits: list[float] = []
        self.holds: list[float] = []

    def add(self, asked: float, got: float, released: float) -> None:
        """Times of `time.perf_counter()` at the request, on entry and on release."""
        for rows, value in ((self.waits, got - asked), (self.holds, released - got)):
            rows.append(value)
            if len(rows) > self.size:
                del rows[0]

    @property
    def worst_hold(self) -> float:
        return max(self.holds, default=0.0)

    @property
    def worst_wait(self) -> float:
        return max(self.waits, default=0.0)

    @staticmethod
    def now() -> float:
        return time.perf_counter()
