"""The tracer: ways through a function are merged by selection, constants fold, what can't be traced says so."""

import ctypes
from math import acos, asin, cos, sin

import numpy as np
import pytest

from tumble.engine.lanes.emit import SYMBOL, module
from tumble.engine.lanes.symbols import Untraceable
from tumble.engine.lanes.trace import Trace, Tracer
from tumble.engine.machine import emission, jit
from tumble.engine.machine.lang import small

WIDTH = 4


def sign(x):
    if x < 0:
        return -1.0
    if x == 0:
        return 0.0
    return 1.0


def inside(x, y):
    result = 0.0
    if -1 < x <= 1 and not (y < 0 or y > 2):
        result = x * 2.0 if x > y else y
    return result


def loop(x, y):
    total = 0.0
    for k in range(5):
        if x * k < y:
            continue
        total += x
    return total


def early(x, y):
    for k in range(4):
        if x + k > y:
            return float(k)
    return -1.0


def memory(x, y):
    cells = small(3)
    for k in range(3):
        cells[k] = x
    if y > 0:
        cells[1] = y
    return cells[0] + cells[1] * cells[2]


def folded(x, y):
    return x * 0.0 + y * 1.0 + 0.0


def functions(x, y):
    return max(x, y) + min(x, 0.5) + abs(y) + (x * x + 1.0) ** 0.5 + (x * x) ** 2


def circle(x, y):
    return sin(1000.0 * x) - cos(y) + sin(y) * cos(1e6 * x)


def arcs(x, y):
    return asin(x / (abs(x) + abs(y))) + 3.0 * acos(y / (abs(x) + abs(y))) + asin(x / (5.0 * abs(x) + abs(y)))


FUNCTIONS = [circle, arcs, inside, loop, early, memory, folded, functions]


def traced(function, count):
    """A trace of a function of elements 1 to count whose result is element 0."""
    tracer = Tracer()
    value = tracer.read(function)(*[tracer.tape.read(k) for k in range(1, count + 1)])
    tracer.tape.write(0, value)
    return Trace(tracer.tape)


def run(trace, *columns):
    code = emission.emit_text(module([trace], WIDTH), emission.for_host())
    entry = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)(jit.map_object(SYMBOL, code))
    raw = np.zeros((len(columns) + 1) * WIDTH + 8)
    first = -raw.ctypes.data % 64 // 8
    lanes = raw[first : first + (len(columns) + 1) * WIDTH].reshape(-1, WIDTH)
    found = []
    for start in range(0, len(columns[0]), WIDTH):
        for k, x in enumerate(columns):
            lanes[k + 1] = x[start : start + WIDTH]
        entry(lanes.ctypes.data, 0)
        found += lanes[0].tolist()
    return found


def test_ways_are_merged():
    x = [-2.0, 0.0, 3.0, np.nan]
    assert run(traced(sign, 1), x) == [-1.0, 0.0, 1.0, 1.0]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_a_trace_does_what_the_function_does(function):
    x, y = np.random.default_rng(0).normal(size=(2, 64)) * 1.5
    interpreted = (
        [function(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
        if function is not memory
        else [a + (b if b > 0 else a) * a for a, b in zip(x, y, strict=True)]
    )
    assert np.allclose(run(traced(function, 2), x, y), interpreted, rtol=1e-15, atol=1e-15)


def test_constants_fold_and_equal_operations_are_one():
    assert [name for name, _ in traced(folded, 2).rows] == ["load", "load"]


def counted(x):
    return [1.0, 2.0][int(x)]


def endless(x):
    while x > 0:
        x = x - 1.0
    return x


@pytest.mark.parametrize("function", [counted, endless])
def test_what_cannot_be_traced_says_so(function):
    with pytest.raises(Untraceable):
        traced(function, 1)
