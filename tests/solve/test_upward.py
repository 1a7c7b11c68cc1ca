"""The dense factor of the solver's Hessian solves A x = b. It never reads what is above the diagonal."""

import numpy as np
import pytest

from tumble.engine.machine.interpret import interpreted
from tumble.engine.machine.jit import Stage, kernel
from tumble.engine.machine.lang import array_at
from tumble.engine.machine.layout import PACK
from tumble.engine.math.upward import copy_triangle, factor_upward, padded, solve_upward

FLOOR = 1e-15
# rounding in the solution of a system whose condition is below 1e3
ROUNDING = 1e-11


@kernel
def factored(H, L, b, x, n, stride, clear):
    """Copy, factor, and solve; all arrays are given by address."""
    h, f = array_at(H, n * stride), array_at(L, n * stride)
    copy_triangle(f, h, n, stride)
    factor_upward(f, n, stride, FLOOR, clear != 0)
    solve_upward(array_at(x, n), f, array_at(b, n), n, stride)


def stage_of_factored(m, d, H, L, b, x, n, stride, clear):
    factored(H, L, b, x, n, stride, clear)


def aligned(count):
    raw = np.full(count + PACK, np.nan)
    return raw[-raw.ctypes.data % (8 * PACK) // 8 :][:count]


def solve(how, A, b, clear=False):
    """(factor, solution) for a matrix whose upper triangle is poisoned."""
    n = len(A)
    stride = interpreted(padded)(n)
    H, L, x = aligned(n * stride), aligned(n * stride), np.full(n, np.nan)
    H.reshape(n, stride)[:, :n] = np.where(np.tri(n, dtype=bool), A, np.nan)
    at = [v.ctypes.data for v in (H, L, b, x)]
    if how == "compiled":
        Stage(stage_of_factored, "vMDiiiiiii", listed=False)(0, 0, *at, n, stride, int(clear))
    else:
        interpreted(factored)(*at, n, stride, int(clear))
    return np.tril(L.reshape(n, stride)[:, :n]), x


@pytest.mark.parametrize("how", ["compiled", "python"])
def test_the_factor_solves_the_system(how):
    random = np.random.default_rng(0)
    for n in (*range(1, 20), 27, 40, 64):
        B = random.normal(size=(n, n + 3))
        A, b = B @ B.T / n + np.eye(n), random.normal(size=n)
        L, x = solve(how, A, b)
        assert np.abs(A @ x - b).max() < ROUNDING

        # The diagonal stores inverse pivots.
        pivots = 1 / np.diag(L)
        rows = np.tril(L, -1) + np.diag(pivots)
        assert np.abs(rows.T / pivots @ rows - A).max() < ROUNDING


@pytest.mark.parametrize("how", ["compiled", "python"])
@pytest.mark.parametrize("clear", [False, True])
def test_pivots_without_curvature_are_raised(how, clear):
    """Row k of the matrix is zero but for what couples it to the rows above."""
    n = 11
    for k in range(n):
        A = np.diag(np.arange(1.0, n + 1))
        A[k, :k], A[k, k] = 1e-20, 0.0
        L, _ = solve(how, A, np.ones(n), clear)
        assert L[k, k] == 1 / FLOOR
        assert (L[k, :k] == (0 if clear else 1e-20)).all()
        assert np.allclose(np.delete(np.diag(L), k), 1 / np.delete(np.diag(A), k), rtol=1e-9)
