"""Products with a Jacobian whose neighboring rows have the same columns agree with those of the whole matrix."""

import numpy as np
import pytest

from tumble.engine.machine.interpret import interpreted
from tumble.engine.machine.jit import Stage, kernel
from tumble.engine.machine.lang import array_at, ints_at
from tumble.engine.math.sparse import add_transposed, supernode_times, supernode_times_two

# rounding of sums of some ten products of numbers near 1
ROUNDING = 1e-13


@kernel
def products(A, nnz, adr, col, same, u, v, x, y, z, w, t, n, width, size):
    """y = A u twice, z = A v, t += A' x; all arrays are given by address."""
    a, c = array_at(A, size), ints_at(col, size)
    count, start, equal = ints_at(nnz, n), ints_at(adr, n), ints_at(same, n)
    supernode_times(array_at(w, n), a, count, start, c, equal, array_at(u, width), n)
    supernode_times_two(array_at(y, n), array_at(z, n), a, count, start, c, equal, array_at(u, width), array_at(v, width), n)
    add_transposed(array_at(t, width), a, count, start, c, equal, array_at(x, n), n)


def stage_of_products(m, d, A, nnz, adr, col, same, u, v, x, y, z, w, t, n, width, size):
    products(A, nnz, adr, col, same, u, v, x, y, z, w, t, n, width, size)


def jacobian(rng, width):
    """A matrix with groups of 1 to 9 rows whose columns are equal: chains of neighbors with gaps, and empty rows."""
    rows = []
    while len(rows) < 60:
        columns = np.zeros(width, bool)
        for _ in range(rng.integers(0, 4)):
            first = rng.integers(width)
            columns[first : first + rng.integers(1, 12)] = True
        rows += [np.where(columns, rng.normal(size=width), 0) for _ in range(rng.integers(1, 10))]
    return np.array(rows)


@pytest.mark.parametrize("how", ["compiled", "python"])
@pytest.mark.parametrize("width", [3, 8, 40])
def test_products(how, width):
    rng = np.random.default_rng(width)
    A = jacobian(rng, width)
    n, used = len(A), A != 0
    nnz = used.sum(1).astype(np.int32)
    adr = (np.cumsum(nnz) - nnz).astype(np.int32)
    row, col = np.nonzero(A)
    values, col = A[row, col], col.astype(np.int32)
    same = np.zeros(n, np.int32)
    for r in range(n - 2, -1, -1):
        same[r] = same[r + 1] + 1 if (used[r] == used[r + 1]).all() else 0
    assert same.max() >= 4

    # Some forces are zero, as of contacts that part.
    u, v, x = rng.normal(size=width), rng.normal(size=width), np.where(rng.random(n) < 0.3, 0, rng.normal(size=n))
    y, z, w, t = np.full(n, np.nan), np.full(n, np.nan), np.full(n, np.nan), rng.normal(size=width)
    expected = t + A.T @ x
    at = [array.ctypes.data for array in (values, nnz, adr, col, same, u, v, x, y, z, w, t)]
    if how == "compiled":
        Stage(stage_of_products, "vMD" + "i" * 15, listed=False)(0, 0, *at, n, width, len(values))
    else:
        interpreted(products)(*at, n, width, len(values))
    np.testing.assert_allclose(y, A @ u, atol=ROUNDING)
    np.testing.assert_allclose(z, A @ v, atol=ROUNDING)
    np.testing.assert_allclose(t, expected, atol=ROUNDING)
    assert np.array_equal(y, w)
