"""Indices of a Model that are edited while it is used.

A Model is trusted once it was compiled or validated. From then on it is watched which arrays of indices it hands out: nobody can write the
others. Of those that were handed out a copy is kept, and both are compared, in compiled code, when `mj_step`, `mj_forward`, `mj_inverse`, their
parts, a reset, a rollout or a new Data begins. Where they differ, the Model is validated again: an index out of range is an error with
field, row and value.

The steps of one call are not looked at one by one: what another thread writes meanwhile is found out by the next call. Small functions that
only read results (`mj_jac`, `mj_ray`, ...) do not look.
"""
import threading

import numpy as np

from .storage import ALIGN
from .validate import InvalidModel, validate_fields

WORD = 8
# for changes of what is watched, not for looks
LOCK = threading.Lock()
# address of a table that has to be made
STALE = 0


def _bytes(x) -> np.ndarray:
    return x.reshape(-1).view(np.uint8)


def _words(x) -> int:
    # arrays are followed by zeros to the end of their cache line
    return -(-x.nbytes // ALIGN) * (ALIGN // WORD)


def watch(storage, name, view) -> None:
    """Compare a view with what it holds now from here on."""
    if not view.size:
        return
    with LOCK:
        storage.watched[name] = view, _bytes(view).copy()
        storage.table = (STALE,)


def make_table(storage) -> tuple:
    """(address, cells, copies) of a table of all that is watched; who reads it holds it.

    Cells: how many rows; address of an array, address of its copy, words of each. Arrays that lie one behind the other are one row.
    """
    with LOCK:
        order = sorted(storage.watched, key=lambda n: storage.watched[n][0].ctypes.data)
        copies = np.zeros(WORD * sum(_words(storage.watched[n][0]) for n in order), np.uint8)
        rows, at, first = [], 0, copies.ctypes.data
        for n in order:
            view, old = storage.watched[n]
            copy = copies[at:at + view.nbytes]
            copy[:] = old
            storage.watched[n] = view, copy
            start, words = view.ctypes.data, _words(view)
            if rows and rows[-1][0] + WORD * rows[-1][2] == start:
                rows[-1][2] += words
            else:
                rows.append([start, first + at, words])
            at += WORD * words
        cells = np.array([len(rows), *(cell for row in rows for cell in row)], np.int64)
        storage.table = cells.ctypes.data, cells, copies
        return storage.table


def accept(m, d) -> None:
    """InvalidModel unless what was changed is right and goes with a Data; if it does, later changes are compared with it."""
    changed = [n for n, (x, copy) in list(m.storage.watched.items()) if (_bytes(x) != copy).any()]
    # a Data that is being made has no instances yet, and looks at them itself
    if "plugin" in changed and d.__dict__.get("plugin_instances") is not None and (d.plugin != m.plugin).any():
        raise InvalidModel("plugin: an instance cannot become one of another plugin")
    validate_fields(m, changed)
    with LOCK:
        # of plugins, other Data may have other instances
        for n in set(changed) - {"plugin"}:
            view, copy = m.storage.watched[n]
            copy[:] = _bytes(view)
