"""Sines and cosines of eight angles at once, compiled and in Python."""

import math

import numpy as np
import pytest

from tumble.engine.machine.interpret import interpreted
from tumble.engine.machine.jit import Stage, kernel
from tumble.engine.machine.lang import array_at, longs_at, pack_at, put_pack
from tumble.engine.machine.layout import PACK
from tumble.engine.math.circular import LARGEST, are_moderate, sines_cosines

# least share of the angles for which the C library finds the same number
EQUAL = 0.95
# most units in the last place by which the others differ
UNITS = 1


@kernel
def turned(address):
    """Read a pack; write its sines and cosines, and whether all angles are moderate."""
    x = array_at(address, 3 * PACK)
    a = pack_at(x, 0)
    s, c = sines_cosines(a)
    put_pack(x, 1, s)
    put_pack(x, 2, c)
    longs_at(address + 24 * PACK, 1)[0] = are_moderate(a)


def stage_of_turned(m, d, address):
    turned(address)


COMPILED = Stage(stage_of_turned, "vMDi", listed=False)


def run(how, angles):
    """(sines, cosines, whether all are moderate)"""
    raw = np.full(4 * PACK + 8, 7.7)
    first = -raw.ctypes.data % (8 * PACK) // 8
    x = raw[first : first + 3 * PACK + 1]
    x[:PACK] = angles
    if how == "compiled":
        COMPILED(0, 0, x.ctypes.data)
    else:
        interpreted(turned)(x.ctypes.data)
    return x[PACK : 2 * PACK].copy(), x[2 * PACK : 3 * PACK].copy(), bool(x[-1:].view(np.int64)[0])


@pytest.mark.parametrize("largest", [1e-8, 0.7, 3.2, 100.0, LARGEST])
def test_numbers_are_those_of_the_c_library_or_their_neighbors(largest):
    random, equal, count = np.random.default_rng(1), 0, 400
    for _ in range(count):
        x = random.uniform(-largest, largest, PACK)
        s, c, moderate = run("compiled", x)
        assert moderate
        for found, function in ((s, math.sin), (c, math.cos)):
            right = np.array([function(a) for a in x])
            equal += (found == right).sum()
            assert (abs(found - right) <= UNITS * np.spacing(abs(right))).all()
    assert equal >= EQUAL * 2 * PACK * count


@pytest.mark.parametrize("shift", range(4))
def test_python_finds_the_same_bits(shift):
    quarter = math.pi / 2
    for x in (
        np.array([0.0, -0.0, 1e-300, quarter, -quarter, 2 * quarter, 3 * quarter, 4 * quarter]) + shift * quarter,
        np.random.default_rng(shift).uniform(-10, 10, PACK),
        np.linspace(-LARGEST, LARGEST, PACK),
    ):
        for one, other in zip(run("compiled", x), run("python", x), strict=True):
            assert np.asarray(one).tobytes() == np.asarray(other).tobytes()


@pytest.mark.parametrize("how", ["compiled", "python"])
@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf, 1.01 * LARGEST, -1e300])
def test_other_angles_are_told(how, odd):
    for k in range(PACK):
        x = np.zeros(PACK)
        x[k] = odd
        assert not run(how, x)[2]
