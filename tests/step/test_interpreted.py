"""Kernels as Python functions equal their machine code bit for bit; and how they replace stages."""

import contextlib
import functools
import os
import sys
import threading

import numpy as np
import pytest

from tests.step import interpreted_cases as cases
from tests.step.twin import Twins, lines_of
from tumble import debug
from tumble.engine.api import entries
from tumble.engine.core import stages
from tumble.engine.machine import interpret, jit, lang, memory
from tumble.engine.tables import stage_rows

# tolerance for kernels whose sums may be regrouped (`leaf`, `kernel_fast`), relative to the largest number of the field
REGROUPED = 1e-9
# fields that depend on where an iteration stopped, not on its result
ITERATION = ("solver_", "solve_")
# set this to print which lines of the kernels were reached
COVERAGE = os.environ.get("TUMBLE_KERNEL_LINES", "") == "1"


@functools.cache
def regroups(function):
    """Whether a kernel, or one of its callees, may be compiled to sums in another order than in its source."""
    seen, left = set(), [function]
    while left:
        inner = left.pop()
        if inner is None or inner in seen:
            continue
        seen.add(inner)
        if "fastmath" in dict(getattr(inner, "kernel_options", ())):
            return True
        left.extend(interpret.function_of(inner.__globals__.get(name)) for name in inner.__code__.co_names)
    return False


@pytest.fixture(scope="module")
def runs():
    """(stage: calls compared, stage: [(model, differences)]) of all models."""
    calls, found, lines = dict.fromkeys(stage_rows.names(), 0), {}, set() if COVERAGE else None
    for name in cases.MODELS:
        m, d = cases.load(name)
        with Twins(1, lines) as twins:
            cases.drive(m, d, twins.watch)
            if name in cases.DERIVED:
                cases.derivatives(m, d)
                cases.trajectories(m, d)
        for stage, count in twins.calls.items():
            calls[stage] += count
            found.setdefault(stage, []).extend((name, x) for x in twins.found[stage])
    if COVERAGE:
        show_lines(lines)
    return calls, found


def show_lines(lines):
    """Print the share of lines of kernels that were reached, and those that were not."""
    functions = {h.function for h in jit._HELPERS} | {s.function for s in jit.Stage.registry.values()}
    every = set().union(*(lines_of(f) for f in functions if "/tests/" not in f.__code__.co_filename))
    print(f"\n{len(every & lines)} of {len(every)} lines of kernels reached")
    for path in sorted({p for p, _ in every}):
        missed = sorted(n for p, n in every - lines if p == path)
        if missed:
            print(f"{path}: {len(missed)} missed: {', '.join(map(str, missed))}")


# stages that modify rows of numbers in place: running them twice gives another result (see test_batches_have_the_same_bits)
ROWS = ("run_worlds", "world_jacobian", "world_rays")
# called only for a batch on lanes (see tests/lanes, and tests/collide/test_order.py)
LANES = (
    "run_lanes",
    "collide_pairs",
    "begin_solution",
    "newton_of_lanes",
    "drive_velocity",
    "count_substeps",
    "forget_substeps",
    "end_solution",
)


@pytest.mark.parametrize(
    "name", [name for name in stage_rows.names() if {"M", "D"} & set(stages.find(name).sig) and name not in (*ROWS, *LANES)]
)
def test_a_stage_leaves_the_same_bits_interpreted(name, runs):
    calls, found = runs
    assert calls[name], "no model calls it"
    different = found.get(name, [])
    if regroups(stages.find(name).function):
        different = [
            (model, x) for model, x in different if isinstance(x, str) or not x[0].startswith(ITERATION) and x[1] > REGROUPED
        ]
    assert not different


def test_every_name_of_kernels_has_a_python_version():
    assert set(memory.LANG) == {
        name for name, value in vars(lang).items() if isinstance(value, jit.Placeholder) or type(value).__name__ == "_Intrinsic"
    }


def bits(results):
    return [np.ascontiguousarray(x).tobytes() for x in results]


@pytest.mark.parametrize("name", cases.DERIVED)
def test_derivatives_and_trajectories_have_the_same_bits(name):
    m, d = cases.load(name)
    expected = bits(cases.derivatives(m, d)), bits(cases.trajectories(m, d))
    with debug.interpreted("finite_transition", "finite_inverse", "roll_out") as change:
        assert len(change.names) == 3
        assert (bits(cases.derivatives(m, d)), bits(cases.trajectories(m, d))) == expected


@pytest.mark.parametrize("name", cases.DERIVED)
def test_batches_have_the_same_bits(name):
    m, _ = cases.load(name)
    expected = bits(cases.worlds(m))
    with debug.interpreted(*ROWS) as change, counted() as called:
        assert set(change.names) == set(ROWS)
        assert bits(cases.worlds(m)) == expected
    assert set(ROWS) <= called


@contextlib.contextmanager
def counted():
    """Names of the functions that are called, also in threads started during the block."""
    names, before = set(), sys.getprofile()

    def note(frame, event, _):
        if event == "call":
            names.add(frame.f_code.co_name)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield names
    finally:
        sys.setprofile(before)
        threading.setprofile(None)


@pytest.mark.parametrize("names", cases.KERNELS, ids=" ".join)
def test_stages_that_only_python_calls_have_the_same_results(names):
    expected = bits(cases.KERNELS[names]())
    with debug.interpreted(*names), counted() as called:
        assert bits(cases.KERNELS[names]()) == expected
    assert set(names) <= called


def test_every_stage_is_among_them():
    """A stage that no model's run calls has no Model and Data, or no row in the table.

    Stages of compiled calls are not among these: while anything is interpreted, the Python functions are called
    (`tests.api.test_calls`).
    """
    ours = {name: s for name, s in jit.Stage.registry.items() if s.function.__module__.startswith("tumble.")}
    alone = {name for name, s in ours.items() if name not in stage_rows.NUMBER or not {"M", "D"} & set(s.sig)}
    alone = {name for name in alone - {"enter_call", "enter_stage"} if not name.startswith(entries.PREFIX)}
    assert alone == {name for names in cases.KERNELS for name in names}
