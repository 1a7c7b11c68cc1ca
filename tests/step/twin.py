"""Runs every call of a stage twice, compiled and interpreted, from the same memory with poisoned outputs, and compares
the results.
"""

import collections
import contextlib
import functools
import re
import sys

import numpy as np

from tumble.engine.core import debug as layers
from tumble.engine.core import hooks, stages
from tumble.engine.machine import interpret
from tumble.engine.tables import stage_rows
from tumble.engine.tables.schema import INTERNAL, SCHEMAS

DATA = SCHEMAS["MjData"]
# fields that depend on the clock, and on the size of the stack
CLOCKS = {"timer_duration", "clock", "cycle", "first_cycle", "first_clock"}


@functools.cache
def outputs(name):
    """Arrays of Data that a stage writes, according to its docstring, and does not read."""
    doc = stages.find(name).function.__doc__ or ""
    parts = re.split(r"\bwrites\b", doc, maxsplit=1)
    if len(parts) < 2:
        return ()
    read, written = (set(re.findall(r"\w+", p)) for p in parts)
    # scratch may be an argument, given by its address
    return tuple(f.name for f in DATA.arrays if f.name in written - read and f.numpy.kind == "f" and f.group not in INTERNAL)


def blocks(model, data):
    """The memory that a stage may write."""
    parts = [] if model is None else [model.storage.buffer, model.opt.storage.buffer, model.stat.storage.buffer]
    return parts if data is None else [*parts, data.storage.buffer, data.storage.growable]


def live(address):
    """The Model or Data at an address, None for another one."""
    try:
        return hooks.live(address)
    except KeyError:
        return None


class Twins:
    """Replaces all stages: each call runs compiled and interpreted, differences are recorded, and the compiled results
    are kept.

    limit: how many calls of each stage are compared; the others only run compiled. lines: a set that receives the lines
    that are reached.
    """

    def __init__(self, limit=1, lines=None):
        self.limit, self.lines, self.busy, self.watched = limit, lines, False, []
        self.calls, self.found = collections.Counter(), collections.defaultdict(list)
        self.change = layers.Change()

    def __enter__(self):
        for name in stage_rows.names():
            stage = stages.find(name)
            run = functools.partial(self.run, stage)
            self.change.put(stage, layers.c_function(run, stage.sig), run)
        return self

    def __exit__(self, *error):
        self.change.restore()

    def watch(self, *shape):
        """An array for results of the next calls: stages write there by its address."""
        x = np.zeros(shape)
        self.watched.append(x.reshape(-1).view(np.uint8))
        return x

    def run(self, stage, *args):
        own = layers.machine_code(stage)
        kinds = stage.sig[1:]
        model, data = (live(args[kinds.index(c)]) if c in kinds else None for c in "MD")
        # callees of a stage that is being compared run compiled
        if self.busy or self.calls[stage.name] >= self.limit or (model is None and data is None):
            return own(*args)
        self.busy = True
        try:
            self.compare(stage, own, model, data, args)
        finally:
            self.busy = False
        return own(*args)

    def compare(self, stage, own, model, data, args):
        self.calls[stage.name] += 1
        parts = blocks(model, data) + self.watched
        start = [p.copy() for p in parts]
        results, ends = [], []
        for function in (own, self.interpreted(stage)):
            if data is not None:
                for name in outputs(stage.name):
                    data.array(name).fill(np.nan)
            try:
                results.append(function(*args))
            except Exception as error:
                if function is own:
                    raise
                self.found[stage.name].append(f"{type(error).__name__}: {error} at {where(error)}")
            ends.append([p.copy() for p in parts])
            for p, before in zip(parts, start, strict=True):
                p[:] = before
        if len(results) == 2:
            if not same(*results):
                self.found[stage.name].append(changed(*results))
            self.found[stage.name] += differences(model, data, *ends)

    def interpreted(self, stage):
        python = layers.interpreted_entry(stage)[1]
        if self.lines is None:
            return python

        def traced(*args):
            with reached(self.lines):
                return python(*args)

        return traced


def where(error):
    trace = error.__traceback__
    while trace.tb_next:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}"


def same(a, b):
    return a == b and np.signbit(a or 0) == np.signbit(b or 0) or (a != a and b != b)


def changed(a, b):
    """Describe a result that differs: ("result", relative difference, 1) for finite numbers, otherwise a text."""
    if isinstance(a, float) and isinstance(b, float) and np.isfinite([a, b]).all():
        return "result", abs(a - b) / max(abs(a), abs(b)), 1
    return f"result {a!r} became {b!r}"


def differences(model, data, first, second):
    """Return the fields that differ in two states of the same memory, as (name, largest difference relative to the largest
    number, count)."""
    if all(np.array_equal(a, b) for a, b in zip(first, second, strict=True)):
        return []
    parts = blocks(model, data)
    found = [
        (f"array {k}", *size)
        for k, (a, b) in enumerate(zip(first[len(parts) :], second[len(parts) :], strict=True))
        if (size := distance(a.view(float), b.view(float)))
    ]
    owners = ([("m.", model), ("opt.", model.opt), ("stat.", model.stat)] if model is not None else []) + (
        [("", data), ("", data)] if data is not None else []
    )
    for k, (prefix, owner) in enumerate(owners):
        found += [(prefix + n, *size) for n, *size in unequal(owner, parts[k], first[k], second[k])]
    return found


def distance(x, y):
    """(largest difference relative to the largest number, how many numbers differ), None for the same bits; NaN equals NaN."""
    different = x.view(f"u{x.itemsize}") != y.view(f"u{x.itemsize}")
    if x.dtype.kind == "f":
        different &= ~(np.isnan(x) & np.isnan(y))
    if not different.any():
        return None
    scale = np.abs(np.where(np.isfinite(x), x, 0)).max(initial=0) or 1
    return float(np.max(np.abs(x[different].astype(float) - y[different].astype(float)) / scale)), int(different.sum())


def unequal(owner, block, a, b):
    base, s = block.ctypes.data, owner.schema
    for f in s.arrays:
        start, whole = int(owner.storage.header[s.slot[f.name]]) - base, owner.array(f.name)
        if f.name in CLOCKS or not 0 <= start < block.size:
            continue
        x, y = (z[start : start + whole.nbytes].view(whole.dtype) for z in (a, b))
        size = distance(x, y)
        if size:
            yield f.name, *size
    if block is owner.storage.buffer:
        for f in s.scalars:
            k = 8 * s.slot[f.name]
            if f.name not in CLOCKS and (a[k : k + 8] != b[k : k + 8]).any():
                kind = np.float64 if f.numpy.kind == "f" else np.int64
                x, y = a[k : k + 8].view(kind)[0], b[k : k + 8].view(kind)[0]
                if x == x or y == y:
                    yield f.name, float(x), float(y)


# ---- coverage --------------------------------------------------------------------------------------------------------
@contextlib.contextmanager
def reached(lines):
    """Add (function's first line, file, line) of every line of a kernel that runs to a set."""

    def trace(frame, event, _):
        code = frame.f_code
        # methods of interpreted kernels' numbers and arrays are not kernels
        if "/core/" in code.co_filename:
            return None
        lines.add((code.co_filename, frame.f_lineno))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


def lines_of(function):
    """Lines of a kernel that Python runs, without that of its `def`."""
    code = interpret.interpreted(function).__code__
    return {(code.co_filename, line) for *_, line in code.co_lines() if line is not None and line != code.co_firstlineno}
