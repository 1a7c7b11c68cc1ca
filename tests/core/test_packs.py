"""Packs of numbers: each lane has the same result as a single number, compiled and in Python."""

import numpy as np
import pytest

from tumble.engine.machine import memory, pack_values
from tumble.engine.machine.interpret import interpreted
from tumble.engine.machine.jit import Stage, kernel
from tumble.engine.machine.lang import (
    array_at,
    bits_of,
    longs_at,
    mask_of,
    pack_at,
    pack_columns,
    part_at,
    pick,
    put_pack,
    put_part,
    roots_of,
    sizes_of,
    spread,
    subtract_outer,
    subtract_two_outer,
    unpack_columns,
)
from tumble.engine.machine.layout import PACK
from tumble.engine.machine.pack_values import Mask, Pack

RESULTS = 9
SPECIAL = (0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan, 1e-310)


@kernel
def mixed(address):
    """All operations of two packs at an address; results follow them in memory, then masks as integers."""
    x, bits = array_at(address, PACK * (2 + RESULTS)), longs_at(address + 8 * PACK * (2 + RESULTS), 8)
    a, b = pack_at(x, 0), pack_at(x, 1)
    put_pack(x, 2, a + b)
    put_pack(x, 3, a - b)
    put_pack(x, 4, a * b)
    put_pack(x, 5, a / b)
    put_pack(x, 6, -a)
    put_pack(x, 7, roots_of(a))
    put_pack(x, 8, sizes_of(b))
    put_pack(x, 9, pick((a < b) | ~mask_of(bits[0]), a, b))
    put_pack(x, 10, spread(x[0]))
    bits[1], bits[2], bits[3], bits[4] = bits_of(a < b), bits_of(a <= b), bits_of(a > b), bits_of(a >= b)
    bits[5], bits[6], bits[7] = bits_of(a == b), bits_of(a != b), bits_of((a == a) & (b == b))


def stage_of_mixed(m, d, address):
    mixed(address)


def run(how, a, b, given):
    """(results, masks) of a run: 'compiled' or 'python'."""
    raw = np.full(PACK * (3 + RESULTS) + 8, 7.7)
    first = -raw.ctypes.data % (8 * PACK) // 8
    x = raw[first : first + PACK * (2 + RESULTS) + 8]
    x[: 2 * PACK] = [*a, *b]
    bits = x[PACK * (2 + RESULTS) :].view(np.int64)
    bits[:] = -1
    bits[0] = given
    if how == "compiled":
        Stage(stage_of_mixed, "vMDi", listed=False)(0, 0, x.ctypes.data)
    else:
        interpreted(mixed)(x.ctypes.data)
    return x[2 * PACK : PACK * (2 + RESULTS)].reshape(-1, PACK).copy(), bits[1:].copy()


@pytest.mark.parametrize("how", ["compiled", "python"])
def test_each_number_is_what_it_is_alone(how):
    random = np.random.default_rng(0)
    for k in range(8):
        a, b = (np.roll(SPECIAL, k) if k else random.normal(size=PACK) for _ in range(2))
        b = np.roll(b, 3 * k)
        given = int(random.integers(0, 1 << PACK))
        got, masks = run(how, a, b, given)
        flags = np.array([given >> i & 1 for i in range(PACK)], bool)
        with np.errstate(all="ignore"):
            expected = np.array(
                [a + b, a - b, a * b, a / b, -a, np.sqrt(a), np.abs(b), np.where((a < b) | ~flags, a, b), np.full(PACK, a[0])]
            )
            truths = [a < b, a <= b, a > b, a >= b, a == b, a != b, (a == a) & (b == b)]
        assert np.array_equal(np.isnan(got), np.isnan(expected))
        solid = ~np.isnan(expected)
        assert got[solid].tobytes() == expected[solid].tobytes()
        assert [int(x) for x in masks] == [sum(1 << i for i in range(PACK) if t[i]) for t in truths]


@kernel
def turned(address):
    """Eight vectors of 11 numbers, after room for 8 packs and eight addresses: numbers 2 to 9 become packs, and
    numbers 1 to 8.
    """
    x, places = array_at(address, PACK * PACK), longs_at(address + 8 * PACK * PACK, PACK)
    pack_columns(x, 0, places, 2)
    unpack_columns(x, 0, places, 1)


def stage_of_turned(m, d, address):
    turned(address)


@pytest.mark.parametrize("how", ["compiled", "python"])
def test_columns_of_vectors_become_packs_and_go_back(how):
    raw = np.full(PACK * PACK + PACK + PACK, 7.7)
    x = raw[-raw.ctypes.data % (8 * PACK) // 8 :][: PACK * PACK + PACK]
    # vectors at any address, in any order
    vectors = [np.random.default_rng(i).normal(size=11) for i in range(PACK)]
    before = np.array(vectors)
    x[PACK * PACK :].view(np.int64)[:] = [v.ctypes.data for v in vectors]
    if how == "compiled":
        Stage(stage_of_turned, "vMDi", listed=False)(0, 0, x.ctypes.data)
    else:
        interpreted(turned)(x.ctypes.data)
    assert np.array_equal(x[: PACK * PACK].reshape(PACK, PACK), before[:, 2:10].T)
    after = np.array(vectors)
    assert np.array_equal(after[:, 1:9], before[:, 2:10])
    assert np.array_equal(after[:, [0, 9, 10]], before[:, [0, 9, 10]])


@kernel
def parts(address):
    """Copies of the first n numbers of a pack, from number n // 2 + 1 on, for n from -1 to PACK + 1, to two packs each."""
    x = array_at(address, 2 * PACK * (PACK + 4))
    for n in range(-1, PACK + 2):
        first = 2 * PACK * (n + 2)
        put_pack(x, first // PACK, part_at(x, n // 2 + 1, n))
        put_part(x, first + PACK, n, part_at(x, n // 2 + 1, PACK))


def stage_of_parts(m, d, address):
    parts(address)


@pytest.mark.parametrize("how", ["compiled", "python"])
def test_parts_of_packs_leave_the_rest_alone(how):
    raw = np.full(2 * PACK * (PACK + 4) + PACK, 7.7)
    x = raw[-raw.ctypes.data % (8 * PACK) // 8 :][: 2 * PACK * (PACK + 4)]
    x[: 2 * PACK] = np.arange(2 * PACK)
    if how == "compiled":
        Stage(stage_of_parts, "vMDi", listed=False)(0, 0, x.ctypes.data)
    else:
        interpreted(parts)(x.ctypes.data)
    for n, (read, written) in zip(range(-1, PACK + 2), x.reshape(-1, 2, PACK)[1:], strict=False):
        first, held = n // 2 + 1, max(0, min(n, PACK))
        assert read.tolist() == [*range(first, first + held), *[0] * (PACK - held)]
        assert written.tolist() == [*range(first, first + held), *[7.7] * (PACK - held)]


@kernel
def outer(address):
    """Subtract outer products of packs 0 to 3 from rows that follow, the second time from every second row."""
    x = array_at(address, PACK * (4 + 3 * PACK))
    a, b, c, e = pack_at(x, 0), pack_at(x, 1), pack_at(x, 2), pack_at(x, 3)
    subtract_outer(x, 4, 1, a, b)
    subtract_two_outer(x, 4 + PACK, 2, a, b, c, e)


def stage_of_outer(m, d, address):
    outer(address)


@pytest.mark.parametrize("how", ["compiled", "python"])
def test_outer_products_are_subtracted_row_by_row(how):
    raw = np.random.default_rng(0).integers(-9, 9, PACK * (5 + 3 * PACK)).astype(float)
    x = raw[-raw.ctypes.data % (8 * PACK) // 8 :][: PACK * (4 + 3 * PACK)]
    rows, before = x.reshape(-1, PACK), x.reshape(-1, PACK).copy()
    if how == "compiled":
        Stage(stage_of_outer, "vMDi", listed=False)(0, 0, x.ctypes.data)
    else:
        interpreted(outer)(x.ctypes.data)
    a, b, c, e = before[:4]
    assert np.array_equal(rows[4 : 4 + PACK], before[4 : 4 + PACK] - np.outer(a, b))
    below, after = before[4 + PACK :], rows[4 + PACK :]
    assert np.array_equal(after[::2], below[::2] - np.outer(a, b) - np.outer(c, e))
    assert np.array_equal(after[1::2], below[1::2])


def test_in_python_wrong_use_is_told():
    x = memory.of_numpy(np.zeros(2 * PACK))
    with pytest.raises(IndexError, match="pack 2"):
        pack_values.pack_at(x, 2)
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(Pack([1.0] * PACK) < Pack([2.0] * PACK))
    assert pack_values.bits_of(Mask([True, False] * (PACK // 2))) == 0b01010101
