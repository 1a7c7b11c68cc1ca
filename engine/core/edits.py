"""Indices of a Model that are edited while it is used.

A Model is trusted once it was compiled or validated. From then on it watches the arrays of indices that somebody can write: those that were handed
out. Of these it keeps copies. Both are compared, in compiled code, when `mj_step`, `mj_forward`, `mj_inverse`, their parts, a reset, a rollout or a new
Data begins. Where they differ, the Model is validated again: an index out of range is an error with field, row and value.

An array is watched as long as somebody holds it, or a part of it:

    m.mesh_face[3:] ──▶ m.mesh_face ──▶ Lease ──▶ the Model's buffer        a part of a part has the whole array for its base, too

The Model keeps a view, so that `m.mesh_face` is the same object at each access. After some looks, for large arrays at the next look, it drops that
view. If this ends the lease, nobody can write the array any more: it is compared a last time, and costs nothing until it is handed out again.

The steps of one call are not looked at one by one: what another thread writes meanwhile is found out by the next call. Small functions that
only read results (`mj_jac`, `mj_ray`, ...) do not look.
"""

import threading
import weakref
from typing import Any

import numpy as np

from ..machine.storage import ALIGN
from ..tables.validate import InvalidModel, validate, validate_fields

WORD = 8
# for changes of what is watched, not for looks
LOCK = threading.RLock()
# address of a table that has to be made
STALE = 0
# looks until the Model drops its views: a script may read small arrays in every step
LOOKS = 64
# bytes from which on an array is dropped at the next look: comparing it takes longer than handing it out again
LARGE = 1 << 14
# looks that are left where no view can be dropped
ENDLESS = 1 << 62


class Lease:
    """The base of an array of indices that was handed out. Without it the base of the array's parts would be the buffer."""

    __slots__ = ("__array_interface__", "__weakref__", "buffer")

    def __init__(self, x: np.ndarray, buffer: np.ndarray):
        self.buffer, self.__array_interface__ = buffer, x.__array_interface__


class Watch:
    """A watched array: its memory and a copy of it as bytes, its lease and its view, both weakly, and whether somebody beside the Model holds it."""

    __slots__ = ("bytes", "copy", "held", "lease", "view")

    def __init__(self, x: np.ndarray, view: np.ndarray, copy: np.ndarray | None = None):
        self.bytes = x.reshape(-1).view(np.uint8)
        # what was right last
        self.copy = self.bytes.copy() if copy is None else copy
        self.lease: Any = weakref.ref(view.base)
        self.view, self.held = weakref.ref(view), False

    def differs(self) -> bool:
        """Whether the array is not what it was."""
        words = self.bytes.size // WORD * WORD
        now, then = self.bytes, self.copy
        return (
            not np.array_equal(now[:words].view(np.int64), then[:words].view(np.int64))
            or now[words:].tobytes() != then[words:].tobytes()
        )


def _words(x) -> int:
    # arrays are followed by zeros to the end of their cache line
    return -(-x.nbytes // ALIGN) * (ALIGN // WORD)


def hand_out(m, name) -> np.ndarray:
    """An array of indices, which the Model keeps for a while; it is watched if the Model is trusted."""
    storage, x = m.storage, m.peek(name)
    if not x.size:
        return m.__dict__.setdefault(name, x)
    with LOCK:
        watch = storage.watched.get(name)
        lease = None if watch is None else watch.lease()
        if watch is None or lease is None:
            view = np.asarray(Lease(x, storage.buffer))
            if storage.trusted and not storage.fresh:
                storage.watched[name] = Watch(x, view, storage.copies.pop(name, None))
                storage.table = (STALE,)
        else:
            view = watch.view()
            if view is None:
                view = np.asarray(lease)
                watch.view = weakref.ref(view)
            if watch.held:
                # the lease is to end when the others let go
                return view
        m.__dict__[name] = view
        return view


def watch_all(m, names) -> None:
    """Watch arrays that were handed out before the Model was trusted."""
    storage = m.storage
    with LOCK:
        for name in names:
            view = m.__dict__[name]
            if view.size:
                storage.watched[name] = Watch(m.peek(name), view)
        storage.table = (STALE,) if storage.watched else None


def _let_go(m, smallest) -> None:
    """Drop views of watched arrays from a size on. Arrays that nobody else holds, and that are as they were, are not watched any more."""
    storage, own = m.storage, m.__dict__
    names = [n for n, w in storage.watched.items() if w.bytes.nbytes >= smallest and not w.held]
    if names:
        for key, row in list(storage.rows.items()):
            # the base of a part is the whole array
            if isinstance(getattr(row.base, "base", None), Lease):
                storage.rows.pop(key, None)
        # the last name of a loop holds what it names
        row = None
    for name in names:
        watch = storage.watched[name]
        own.pop(name, None)
        lease = watch.lease()
        if lease is not None:
            watch.lease, watch.held = weakref.ref(lease, lambda _, m=weakref.ref(m), n=name: _returned(m(), n)), True
            lease = None
        elif not watch.differs():
            del storage.watched[name]
            storage.copies[name] = watch.copy


def _returned(m, name):
    """Nobody holds an array any more. The next look drops it."""
    if m is not None and (watch := m.storage.watched.get(name)) is not None:
        watch.held = False
        m.storage.table = (STALE,)


def make_table(m) -> tuple | None:
    """(address, cells, copies) of a table of all that is watched, None without anything; who reads it holds it.

    Cells: how many rows, how many looks are left; address of an array, address of its copy, words of each. Arrays that lie one behind the other are
    one row.
    """
    storage = m.storage
    with LOCK:
        _let_go(m, LARGE)
        watched = sorted(storage.watched.values(), key=lambda w: w.bytes.ctypes.data)
        if not watched:
            storage.table = None
            return None
        copies = np.zeros(WORD * sum(_words(w.bytes) for w in watched), np.uint8)
        rows, at, first = [], 0, copies.ctypes.data
        for w in watched:
            copy = copies[at : at + w.bytes.nbytes]
            copy[:] = w.copy
            w.copy = copy
            start, words = w.bytes.ctypes.data, _words(w.bytes)
            if rows and rows[-1][0] + WORD * rows[-1][2] == start:
                rows[-1][2] += words
            else:
                rows.append([start, first + at, words])
            at += WORD * words
        left = ENDLESS if all(w.held for w in watched) else LOOKS
        cells = np.array([len(rows), left, *(cell for row in rows for cell in row)], np.int64)
        storage.table = cells.ctypes.data, cells, copies
        return storage.table


def trust(m) -> None:
    """InvalidModel unless the indices of a Model are right; from then on it is watched."""
    if not m.storage.trusted:
        validate(m)
        m.trust()


def accept(m, d) -> None:
    """InvalidModel unless what was changed is right and goes with a Data; if it does, later changes are compared with it. Views are dropped."""
    with LOCK:
        changed = [n for n, w in m.storage.watched.items() if w.differs()]
    # a Data that is being made has no instances yet, and looks at them itself
    if "plugin" in changed and d.__dict__.get("plugin_instances") is not None and (d.plugin != m.plugin).any():
        raise InvalidModel("plugin: an instance cannot become one of another plugin")
    validate_fields(m, changed)
    storage = m.storage
    with LOCK:
        # of plugins, other Data may have other instances
        for n in set(changed) - {"plugin"}:
            watch = storage.watched.get(n)
            if watch is not None:
                watch.copy[:] = watch.bytes
        _let_go(m, 0)
        storage.table = (STALE,) if storage.watched else None
