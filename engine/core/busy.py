"""A Data is worked on by one thread at a time: whoever comes while another thread is at it gets an error that names both places.

The number of the thread that holds a Data is `holder` of its storage, None while it is free. Looking at it and setting it are one step to
other threads, because no call lies between. A callback may call back with the same Data: it is the same thread.

Compiled calls that last are made in slices of about SLICE seconds, so that signals are seen and other threads can stop them.
"""
import contextlib
import os
import sys
import threading
from threading import get_ident
from time import perf_counter

LIBRARY = os.path.dirname(os.__file__)
ENGINE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
# seconds of a compiled call, and how many times more steps the next one may have than the last
SLICE, FASTER = 0.05, 128


class BusyError(RuntimeError):
    """A Data was given to a call while another thread was in one."""


@contextlib.contextmanager
def held(d):
    """Hold a Data for a block; BusyError if another thread does. Calls that must be fast do the same by hand."""
    data, me = d.storage, get_ident()
    holder = data.holder
    if holder is not None and holder != me:
        refuse(holder)
    data.holder = me
    try:
        yield
    finally:
        data.holder = holder


def refuse(holder):
    """BusyError, unless the thread that holds a Data is no more: after a fork only one is left."""
    frame = sys._current_frames().get(holder)
    if frame is not None:
        raise BusyError(f"this MjData is in use by {_place(frame, holder)}, and {_place(sys._getframe(1), get_ident())} cannot use it at the same time; "
                        "give each thread a Data of its own, or use a lock")


def _place(frame, ident):
    """Thread, file and line of whoever called the engine; callbacks and modules such as `copy` may lie between."""
    caller, inside = frame, True
    while frame is not None:
        path = frame.f_code.co_filename
        if path.startswith(ENGINE):
            inside = True
        elif inside and os.path.dirname(path) != LIBRARY:
            caller, inside = frame, False
        frame = frame.f_back
    name = next((t.name for t in threading.enumerate() if t.ident == ident), ident)
    return f"thread '{name}' ({caller.f_code.co_filename}:{caller.f_lineno})"


class Pace:
    """How many steps to make in one compiled call: one at first, then as many as a slice has time for."""

    __slots__ = ("start", "steps")

    def __init__(self):
        self.steps, self.start = 1, perf_counter()

    def update(self, done):
        """Take note that `done` steps were made since the last note."""
        now = perf_counter()
        each, self.start = (now - self.start) / max(done, 1), now
        self.steps = max(1, min(int(SLICE / max(each, 1e-9)), FASTER * self.steps))
