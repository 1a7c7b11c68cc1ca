"""Turns: locks that record whether a batch is idle or in a call.

    idle     allows changes of memory that compiled code reads by address: bind, expand, set_models, functions, close
    a call   one at a time: calls of other threads wait; a change raises BatchInUse, as does a call from inside the call

A thread knows for which calls it works. A worker thread inherits them from the caller, so a function in the loop is
recognized on any thread.
"""

import threading
import weakref
from collections.abc import Callable
from typing import Any

from ..machine import systems
from . import owner


class _Here(threading.local):
    """This thread: the turns of the calls for which it works, outermost first."""

    calls: tuple["Turn", ...] = ()


_HERE = _Here()
# all turns in this process, to be reset after a fork
_ALL: weakref.WeakSet = weakref.WeakSet()


class BatchInUse(RuntimeError):
    """Raised for an action that a Batch or Rollout cannot perform during one of its calls. The refused action had no effect."""


def inherited(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function for a worker thread, so that the worker counts as part of this thread's calls."""
    calls = _HERE.calls

    def work(*args: Any) -> Any:
        before, _HERE.calls = _HERE.calls, calls
        try:
            return function(*args)
        finally:
            _HERE.calls = before

    return work


class Turn:
    """A lock that is idle or held by calls. `shared`: calls of several threads may overlap."""

    def __init__(self, what: str, shared: bool = False) -> None:
        self.what, self.shared = what, shared
        self._reset()
        _ALL.add(self)

    def _reset(self) -> None:
        # held during a change; a thread may nest changes
        self._lock = threading.RLock()
        self._free, self._waiting = threading.Condition(self._lock), 0
        self._callers: list[tuple[int, str]] = []

    def call(self, name: str) -> "_InCall":
        """Return a `with` block for a call. Entering waits for calls of other threads. BatchInUse if this thread is already in
        a call of the same turn."""
        return _InCall(self, name)

    def change(self, name: str) -> "_Change":
        """Return a `with` block for a change, which requires an idle batch. BatchInUse during a call."""
        return _Change(self, name)

    def refuse(self, name: str) -> None:
        """Raise BatchInUse; the message names this thread's call and the call in progress."""
        ident, held = self._callers[0]
        raise BatchInUse(f"{self.what} is in a call: {owner.told(threading.get_ident(), name)} while {owner.told(ident, held)}")

    def forget(self) -> None:
        """In a forked process, end the calls of threads that the fork did not copy, and replace the locks."""
        mine = [x for x in self._callers if x[0] == threading.get_ident()]
        self._reset()
        self._callers += mine


class _InCall:
    __slots__ = ("before", "mark", "turn")

    def __init__(self, turn: Turn, name: str) -> None:
        self.turn, self.mark = turn, (threading.get_ident(), name)

    def __enter__(self) -> None:
        turn, before = self.turn, _HERE.calls
        with turn._lock:
            if turn in before:
                turn.refuse(self.mark[1])
            while turn._callers and not turn.shared:
                turn._waiting += 1
                try:
                    turn._free.wait()
                finally:
                    turn._waiting -= 1
            turn._callers.append(self.mark)
        self.before, _HERE.calls = before, (*before, turn)

    def __exit__(self, *error: object) -> None:
        turn, _HERE.calls = self.turn, self.before
        with turn._lock:
            # a fork may have ended this call
            if self.mark in turn._callers:
                turn._callers.remove(self.mark)
            if turn._waiting:
                turn._free.notify()


class _Change:
    __slots__ = ("name", "turn")

    def __init__(self, turn: Turn, name: str) -> None:
        self.turn, self.name = turn, name

    def __enter__(self) -> None:
        self.turn._free.acquire()
        if self.turn._callers:
            try:
                self.turn.refuse(self.name)
            finally:
                self.turn._free.release()

    def __exit__(self, *error: object) -> None:
        self.turn._free.release()


def _forked() -> None:
    """Reset the locks of all batches after a fork."""
    for turn in list(_ALL):
        turn.forget()


systems.after_fork(_forked)
