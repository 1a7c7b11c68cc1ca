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
    """Recursive lock with priority. `with lock:` is an ordinary request, `with lock.urgent(timeout):` goes first."""

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
        """Whether an urgent request waits."""
        return not self._gate.is_set()

    def __enter__(self) -> FairLock:
        # The owner may always enter again; otherwise it would wait for itself.
        if self._owner != threading.get_ident():
            self._gate.wait()
        self._lock.acquire()
        self._entered()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.release()

    def acquire(self) -> bool:
        """Lock it with an ordinary request, for callers that cannot use `with`."""
        self.__enter__()
        return True

    def release(self) -> None:
        """Undo one `acquire`."""
        self._depth -= 1
        if not self._depth:
            self._owner = 0
        self._lock.release()

    @contextmanager
    def urgent(self, timeout: float = -1.0) -> Iterator[bool]:
        """Enter before every ordinary request. Yield False without the lock if `timeout` seconds have passed."""
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
    """Seconds for which the lock was waited for and held: count, total, and worst over the latest uses."""

    def __init__(self, size: int = 240) -> None:
        self.size = size
        self.waits: list[float] = []
        self.holds: list[float] = []

    def add(self, asked: float, got: float, released: float) -> None:
        """Add a use: values of `time.perf_counter()` at the request, on entry, and on release."""
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
