"""Detects edits of a Model's index arrays while the Model is in use.

A Model is trusted once it has been compiled or validated. From then on, it watches the arrays of indices that a user can
write (those that it returned to a caller), and keeps copies of them. Compiled code compares array and copy when
`mj_step`, `mj_forward`, `mj_inverse`, their parts, a reset, a rollout or a new Data begins. Where they differ, the
Model is validated again: an index out of range is an error that names field, row and value.

An array is watched as long as something refers to it or to a part of it:

    m.mesh_face[3:] ──▶ m.mesh_face ──▶ Lease ──▶ the Model's buffer        (each arrow: numpy's `base`)

The Model keeps a view, so `m.mesh_face` is the same object at each access. After some comparisons, it drops that view; it drops
views of large arrays at the next comparison. If this ends the lease, no code can write the array any more. The array is then
compared a last time, and costs nothing until the next access.

The steps within one call are not compared one by one: the next call detects what another thread wrote during this one.
Small functions that only read results (`mj_jac`, `mj_ray`, ...) do not compare.
"""

import threading
import weakref
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..machine.storage import ALIGN
from ..tables.validate import InvalidModel, validate, validate_fields

WORD = 8
# protects the list of watched arrays; comparisons do not need the lock
LOCK = threading.RLock()
# address that stands for the table of watched arrays while the table is out of date
STALE = 0
# number of comparisons after which the Model drops its views; large, because a script may read small arrays in every step
LOOKS = 64
# Views of at least this many bytes are not compared but dropped: comparing costs more than creating a new view.
LARGE = 1 << 14
# value of the counter of remaining comparisons while no view can be dropped
ENDLESS = 1 << 62


class Lease:
    """The numpy base of an index array that was returned to a user. It exists as long as the user holds the array or a slice of
    it. Without this object, numpy would make the Model's buffer the base of slices."""

    __slots__ = ("__array_interface__", "__weakref__", "buffer")

    def __init__(self, x: np.ndarray, buffer: np.ndarray) -> None:
        self.buffer, self.__array_interface__ = buffer, x.__array_interface__


class Watch:
    """A watched array: its memory, a copy as bytes, weak references to lease and view, and whether code other than the Model
    refers to the array."""

    __slots__ = ("bytes", "copy", "held", "lease", "view")

    def __init__(self, x: np.ndarray, view: np.ndarray, copy: np.ndarray | None = None) -> None:
        self.bytes = x.reshape(-1).view(np.uint8)
        # the last valid contents
        self.copy = self.bytes.copy() if copy is None else copy
        self.lease: Any = weakref.ref(view.base)
        self.view, self.held = weakref.ref(view), False

    def differs(self) -> bool:
        """Return whether the array differs from its copy."""
        words = self.bytes.size // WORD * WORD
        now, then = self.bytes, self.copy
        return (
            not np.array_equal(now[:words].view(np.int64), then[:words].view(np.int64))
            or now[words:].tobytes() != then[words:].tobytes()
        )


def _words(x: np.ndarray) -> int:
    """Return how many 8-byte words to compare for an array."""
    # the last cache line of an array is padded with zeros
    return -(-x.nbytes // ALIGN) * (ALIGN // WORD)


def hand_out(m: Any, name: str) -> np.ndarray:
    """Return an array of indices to the user. The Model keeps it for a while, and watches it if the Model is trusted."""
    storage, x = m.storage, m.peek(name)
    if storage.fresh or not x.size:
        # no watching yet: `trust` drops the views made while the model was built
        return m.__dict__.setdefault(name, x)

    # no other thread may drop views here
    with LOCK:
        watch = storage.watched.get(name)
        lease = None if watch is None else watch.lease()
        if watch is None or lease is None:
            view = np.asarray(Lease(x, storage.buffer))
            if storage.trusted:
                storage.watched[name] = Watch(x, view, storage.copies.pop(name, None))
                storage.table = (STALE,)
        else:
            view = watch.view()
            if view is None:
                view = np.asarray(lease)
                watch.view = weakref.ref(view)
            if watch.held:
                # let the lease end when nothing else refers to it
                return view

        # the Model keeps the view, so that the next access returns the same object
        m.__dict__[name] = view
        return view


def watch_all(m: Any, names: Iterable[str]) -> None:
    """Watch the arrays that users got before the Model was validated."""
    storage = m.storage
    with LOCK:
        for name in names:
            view = m.__dict__[name]
            if view.size:
                storage.watched[name] = Watch(m.peek(name), view)
        storage.table = (STALE,) if storage.watched else None


def _let_go(m: Any, smallest: int) -> None:
    """Drop views of watched arrays of at least `smallest` bytes. If an array is unchanged and has no other references, stop
    watching it.
    """
    storage, own = m.storage, m.__dict__
    names = [n for n, w in storage.watched.items() if w.bytes.nbytes >= smallest and not w.held]
    if names:
        for key, row in list(storage.rows.items()):
            # cached element rows of an array have the whole array as their base, and would keep it alive
            if isinstance(getattr(row.base, "base", None), Lease):
                storage.rows.pop(key, None)
        # delete the loop variable, which would keep the last view alive
        row = None
    for name in names:
        watch = storage.watched[name]
        own.pop(name, None)

        # If the lease still exists, wait until its last reference is gone. If not, stop watching an unchanged array.
        lease = watch.lease()
        if lease is not None:
            watch.lease, watch.held = weakref.ref(lease, lambda _, m=weakref.ref(m), n=name: _returned(m(), n)), True
            lease = None
        elif not watch.differs():
            del storage.watched[name]
            storage.copies[name] = watch.copy


def _returned(m: Any, name: str) -> None:
    """Handle the end of an array's last outside reference: the next comparison drops the array."""
    if m is not None and (watch := m.storage.watched.get(name)) is not None:
        watch.held = False
        m.storage.table = (STALE,)


def make_table(m: Any) -> tuple | None:
    """Return (address, cells, copies) of a table of all watched arrays, None if there are none. The caller must keep
    the table alive while code reads it.

    Cells: number of rows, comparisons left; then for each row the address of an array, the address of its copy, and the number
    of 8-byte words to compare. Adjacent arrays share a row.
    """
    storage = m.storage
    with LOCK:
        _let_go(m, LARGE)
        watched = sorted(storage.watched.values(), key=lambda w: w.bytes.ctypes.data)
        if not watched:
            storage.table = None
            return None

        # move the copies into one block, in the order of the arrays
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


def trust(m: Any) -> None:
    """Validate a Model that is not trusted yet, and watch it from then on. InvalidModel if an index is out of range."""
    if not m.storage.trusted:
        validate(m)
        m.trust()


def accept(m: Any, d: Any) -> None:
    """Validate changed arrays, and compare with their new values from now on. Drop views. InvalidModel if an index is out of
    range."""
    with LOCK:
        changed = [n for n, w in m.storage.watched.items() if w.differs()]
    # a Data under construction has no plugin instances yet and checks them itself
    if "plugin" in changed and d.__dict__.get("plugin_instances") is not None and (d.plugin != m.plugin).any():
        raise InvalidModel("plugin: an instance cannot become one of another plugin")
    validate_fields(m, changed)

    # the edited values are valid from now on
    storage = m.storage
    with LOCK:
        # Plugin indices still count as changed, since each Data may have other plugin instances.
        for n in set(changed) - {"plugin"}:
            watch = storage.watched.get(n)
            if watch is not None:
                watch.copy[:] = watch.bytes
        _let_go(m, 0)
        storage.table = (STALE,) if storage.watched else None
