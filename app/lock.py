"""A recursive lock that is fair to the renderer.

Two threads share Data: the physics thread locks it again and again for a slice of steps, and the renderer once a frame for
a copy. With a plain lock, physics would starve the renderer for seconds, because it locks again before the waiting
thread has woken up. Here, an urgent request makes ordinary requests wait until it has been served.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class FairLock:
    """A recursive lock with two priorities. `with lock:` is an ordinary request; `with lock.urgent(timeout):` is served before
    it.
    """

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
        """Whether an urgent request is waiting."""
        return not self._gate.is_set()

    def __enter__(self) -> FairLock:
        # The owner enters at once. If it waited for an urgent request, which itself waits for the owner, both would wait
        # forever.
        if self._owner != threading.get_ident():
            self._gate.wait()
        self._lock.acquire()
        self._entered()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.release()

    def acquire(self) -> bool:
        """Acquire the lock by an ordinary request, for callers that cannot use `with`."""
        self.__enter__()
        return True

    def release(self) -> None:
        """Release one acquisition of the lock."""
        self._depth -= 1
        if not self._depth:
            self._owner = 0
        self._lock.release()

    @contextmanager
    def urgent(self, timeout: float = -1.0) -> Iterator[bool]:
        """Acquire the lock ahead of all waiting ordinary requests. If `timeout` seconds pass, yield False without the lock."""
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
    """Statistics of the times, in seconds, for which threads waited for the lock and held it: count, total, and the maximum of
    the latest uses.
    """

    def __init__(self, size: int = 240) -> None:
        self.size = size
        self.waits: list[float] = []
        self.holds: list[float] = []

    def add(self, asked: float, got: float, released: float) -> None:
        """Record one use of the lock: the values of `time.perf_counter()` at the request, the acquisition and the release."""
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
