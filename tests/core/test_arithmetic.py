"""Numbers of interpreted kernels are those of numba's: special values, types, rounding, 64 bits."""

import itertools
import math

import numba
import numpy as np
import pytest

from tumble.engine.machine import arithmetic, interpret
from tumble.engine.machine.jit import inline

SPECIAL = [0.0, -0.0, 1.0, -3.0, 2.5, 1e300, -1e300, 5e-324, math.inf, -math.inf, math.nan]
WHOLE = [0, 1, -7, 3, 2**31, 2**62, -(2**63), 2**63 - 1]


@inline
def quotients(a, b):
    return a / b, a // b, a % b


@inline
def powers(a, b):
    return a**b, a**2, a**-3, a**0.5


@inline
def real_power(a, b):
    return a**b, a**2


@inline
def roundings(a):
    return int(a), round(a), math.floor(a), math.ceil(a)


@inline
def roots(a):
    return (
        math.sqrt(a),
        np.sqrt(a),
        math.asin(a),
        math.acos(a),
        math.exp(a),
        math.sin(a),
        math.cos(a),
        math.tan(a),
        math.atan2(a, 2.0),
    )


@inline
def bits(a, b):
    # a shift makes the function's sums and products those of 64 bits
    a += b
    return a, a * b, a - 3 * b, a ^ b, a & b, a | b, a >> 3, (a << 7) ^ b


@inline
def extremes(a, b):
    return min(a, b), max(a, b), abs(a), -a


@inline
def halves(a, b):
    x, y = np.float32(a), np.float32(b)
    return x + y, x * y, x - y, x / y, x * b, x + 1, -x * y, abs(x) - y


@inline
def words(a, b):
    x, y = np.uint64(a), np.uint64(b)
    return np.int64(x * y + (x << np.uint64(3))), np.int64(x ^ (y >> np.uint64(5))), np.float64(x)


@inline
def of_single(a):
    return np.int64(np.float32(a).view(np.int32))


CASES = [
    *((f, p) for f in (quotients, extremes) for p in itertools.product(SPECIAL, SPECIAL)),
    *((quotients, p) for p in itertools.product(WHOLE, [0, 3, -5])),
    # negative integer powers that would divide by zero are errors in compiled code as well
    *((powers, (a, b)) for a in SPECIAL if not abs(a) < 1 for b in (0.0, 0.5, 2.0, 3.0, -1.5, 7, -2, 0)),
    *((real_power, (a, b)) for a in SPECIAL for b in (0.0, 0.5, -0.5, -2.0, 3.0)),
    *((f, (a,)) for f in (roundings, roots) for a in SPECIAL),
    *((bits, p) for p in itertools.product(WHOLE, WHOLE)),
    *((halves, p) for p in itertools.product([0.1, -3.3, 1e30, 0.0], [0.7, 1e-30, 3.0])),
    *((words, p) for p in itertools.product(WHOLE, WHOLE)),
    *((of_single, (a,)) for a in (0.1, -0.1, 3e38, 1e-45)),
]


def same(x, y):
    return x == y and math.copysign(1, x) == math.copysign(1, y) or x != x and y != y


@pytest.fixture(scope="module")
def compiled():
    return {f: numba.njit(error_model="numpy")(interpret.function_of(f)) for f in {f for f, _ in CASES}}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("function", {f: None for f, _ in CASES}, ids=lambda f: f.__name__)
def test_numbers_are_those_of_compiled_code(function, compiled):
    ours = interpret.interpreted(function)
    for f, given in CASES:
        if f is function:
            expected, found = compiled[f](*given), ours(*given)
            for k, (x, y) in enumerate(
                zip(np.atleast_1d(np.array(expected, object)), np.atleast_1d(np.array(found, object)), strict=True)
            ):
                assert same(x, y), f"{f.__name__}{given}[{k}] is {x!r} compiled and {y!r} interpreted"


def test_float32_stays_float32_only_among_its_own():
    x = arithmetic.single(0.1)
    assert (
        type(x * x) is arithmetic.single and type(x * 2.0) is float and type(2 * x) is float and type(-x) is arithmetic.single
    )
