"""mju_*: dense and band Cholesky factorisations, eigenvalues of 3 x 3 matrices, quadratic programs with bounds.

A band-dense matrix of order ntotal has two parts. Each of its first ntotal - ndense rows stores `nband` numbers, which end
with the diagonal element. The last ndense rows are stored whole.
"""

from math import sqrt
from typing import Any

import numpy as np

from ..core.report import FatalError
from ..machine.interpret import plain
from ..math import quat as q
from ..tables.compat_rows import FIRST, begun, bits, holds
from ..tables.consts import mjMINVAL
from .signature import public, require

_mat, _mul, _unit = map(plain, (q.quat_mat, q.quat_mul, q.quat_unit))


# ---- dense -------------------------------------------------------------------------------------------------------------
def cholesky(a: np.ndarray, least: float, clear: bool = False) -> int:
    """Factor a symmetric matrix in its lower triangle, raising smaller pivots to `least`; return the number of pivots that were
    not raised. With `clear`, columns below raised pivots become zero."""
    rank = len(a)
    for j in range(len(a)):
        row = a[j, :j]
        pivot = a[j, j] - row @ row
        lost = pivot < least
        if lost:
            pivot = least
            rank -= 1
        a[j, j] = np.sqrt(pivot)
        a[j + 1 :, j] = 0.0 if lost and clear else (a[j + 1 :, j] - a[j + 1 :, :j] @ row) * (1 / a[j, j])
    return rank


def cholesky_solve(a: np.ndarray, x: np.ndarray) -> None:
    """Set x = inv(L L') x in place."""
    n = len(a)
    for i in range(n):
        x[i] = (x[i] - a[i, :i] @ x[:i]) / a[i, i]
    for i in range(n - 1, -1, -1):
        x[i] = (x[i] - a[i + 1 :, i] @ x[i + 1 :]) / a[i, i]


def _square(mat: np.ndarray) -> None:
    """Raise TypeError unless a matrix is square."""
    require(mat.shape[0] == mat.shape[1], "mat should be a square matrix")


@public("mat:M(n,n)! mindiag:f", "int")
def mju_cholFactor(mat, mindiag):
    """Factor mat in its lower triangle, raising smaller pivots to mindiag; return the number of pivots that were not raised."""
    _square(mat)
    with np.errstate(all="ignore"):
        return cholesky(mat, mindiag, holds("lost_rows", bits(begun() or FIRST)))


@public("res:V(n)! mat:M(n,n) vec:V(n)")
def mju_cholSolve(res, mat, vec):
    """Solve (mat mat') res = vec for a factor in the lower triangle of mat."""
    _square(mat)
    require(res.size == len(mat), "size of res should equal the number of rows in mat")
    require(vec.size == len(mat), "size of vec should equal the number of rows in mat")
    res[:] = vec
    with np.errstate(all="ignore"):
        cholesky_solve(mat, res)


@public("mat:M(n,n)! x:V(n)! flg_plus:i", "int")
def mju_cholUpdate(mat, x, flg_plus):
    """Update the factor of mat mat' + x x' (minus, if flg_plus is 0) in place, destroying x; return the rank."""
    _square(mat)
    require(x.size == len(mat), "size of x should equal the number of rows in mat")
    rank, sign = len(mat), 1.0 if flg_plus else -1.0
    with np.errstate(all="ignore"):
        for k in range(len(mat)):
            if x[k] == 0:
                continue
            old = mat[k, k]
            square = old * old + sign * x[k] * x[k]
            if square < mjMINVAL:
                square = mjMINVAL
                rank -= 1
            mat[k, k] = np.sqrt(square)
            c, s = mat[k, k] / old, x[k] / old
            mat[k + 1 :, k] = (mat[k + 1 :, k] + sign * s * x[k + 1 :]) * (1 / c)
            x[k + 1 :] = c * x[k + 1 :] - s * mat[k + 1 :, k]
    return rank


# ---- band ----------------------------------------------------------------------------------------------------------------
def _band(
    mat: np.ndarray,
    ntotal: int,
    nband: int,
    ndense: int,
    message: str = "mat must have size (ntotal-ndense)*nband + ndense*ntotal",
) -> tuple[np.ndarray, np.ndarray]:
    """Return (band rows, dense rows) as two matrices that share memory with mat."""
    require(mat.size == (ntotal - ndense) * nband + ndense * ntotal, message)
    require(0 <= ndense <= ntotal and 0 < nband <= max(1, ntotal), "needs 0 <= ndense <= ntotal and 0 < nband <= ntotal")
    flat, split = mat.reshape(-1), (ntotal - ndense) * nband
    return flat[:split].reshape(-1, nband), flat[split:].reshape(ndense, ntotal)


def _to_dense(band: np.ndarray, dense: np.ndarray) -> np.ndarray:
    """Return the lower triangle of a band-dense matrix as a dense matrix."""
    n, nband = len(band) + len(dense), band.shape[1]
    full = np.zeros((n, n))
    for i, row in enumerate(band):
        width = min(i, nband - 1)
        full[i, i - width : i + 1] = row[nband - 1 - width :]
    for i, row in enumerate(dense, len(band)):
        full[i, : i + 1] = row[: i + 1]
    return full


def _from_dense(full: np.ndarray, band: np.ndarray, dense: np.ndarray) -> None:
    """Write a dense matrix's lower triangle to band and dense rows."""
    nband = band.shape[1]
    for i in range(len(band)):
        width = min(i, nband - 1)
        band[i, nband - 1 - width :] = full[i, i - width : i + 1]
    for i in range(len(dense)):
        k = len(band) + i
        dense[i, : k + 1] = full[k, : k + 1]


@public("i:i ntotal:i nband:i ndense:i", "int")
def mju_bandDiag(i, ntotal, nband, ndense):
    """Return the index of diagonal element i of a band-dense matrix."""
    sparse = ntotal - ndense
    return i * nband + nband - 1 if i < sparse else sparse * nband + (i - sparse) * ntotal + i


@public("res:M(ntotal,ntotal)! mat:V(nmat) ntotal:i nband:i ndense:i flg_sym:i")
def mju_band2Dense(res, mat, ntotal, nband, ndense, flg_sym):
    """Set res to a band-dense matrix: to its lower triangle, or to all of it if flg_sym.

    mat: nmat = (ntotal - ndense) nband + ndense ntotal
    """
    parts = _band(mat, ntotal, nband, ndense)
    require(res.shape[0] == ntotal, "res should have ntotal rows")
    require(res.shape[1] == ntotal, "res should have ntotal columns")
    full = _to_dense(*parts)
    res[:] = full + np.tril(full, -1).T if flg_sym else full


@public("res:V(nmat)! mat:M(ntotal,ntotal) ntotal:i nband:i ndense:i")
def mju_dense2Band(res, mat, ntotal, nband, ndense):
    """Set res to the band-dense form of a symmetric matrix; only the lower triangle is read.

    res: nmat = (ntotal - ndense) nband + ndense ntotal
    """
    parts = _band(res, ntotal, nband, ndense, "res must have size (ntotal-ndense)*nband + ndense*ntotal")
    require(mat.shape[0] == ntotal, "mat should have ntotal rows")
    require(mat.shape[1] == ntotal, "mat should have ntotal columns")
    _from_dense(mat, *parts)


@public("res:V(ntotal)! mat:M(nmat) vec:M(ntotal) ntotal:i nband:i ndense:i nvec:i flg_sym:i")
def mju_bandMulMatVec(res, mat, vec, ntotal, nband, ndense, nvec, flg_sym):
    """Set res = mat vec; nvec is 1; mat is symmetric if flg_sym, else lower triangular.

    mat: nmat = (ntotal - ndense) nband + ndense ntotal
    """
    parts = _band(mat, ntotal, nband, ndense)
    require(res.size == ntotal, "res should have ntotal rows")
    require(nvec == 1, "res should have nVec columns")
    require(vec.shape[0] == ntotal, "vec should have ntotal rows")
    require(vec.shape[1] == nvec, "vec should have nVec columns")
    full = _to_dense(*parts)
    if flg_sym:
        full += np.tril(full, -1).T
    res[:] = full @ vec.reshape(-1)


@public("mat:V(nmat)! ntotal:i nband:i ndense:i diagadd:f diagmul:f", "float")
def mju_cholFactorBand(mat, ntotal, nband, ndense, diagadd, diagmul):
    """Factor mat + diagadd + diagmul diag(mat) in place; return the smallest pivot, 0 if the matrix is singular.

    mat: nmat = (ntotal - ndense) nband + ndense ntotal
    """
    band, dense = _band(mat, ntotal, nband, ndense)
    full = _to_dense(band, dense)
    least = -1.0
    for j in range(ntotal):
        row = full[j, :j]
        pivot = diagadd + diagmul * full[j, j] + full[j, j] - row @ row
        least = pivot if pivot < least or least < 0 else least
        # singular: the columns before this one remain factored
        if pivot < mjMINVAL:
            least = 0.0
            break
        full[j, j] = np.sqrt(pivot)
        full[j + 1 :, j] = (full[j + 1 :, j] - full[j + 1 :, :j] @ row) * (1 / full[j, j])
    _from_dense(full, band, dense)
    return float(least)


@public("res:V(ntotal)! mat:V(nmat) vec:V(ntotal) ntotal:i nband:i ndense:i")
def mju_cholSolveBand(res, mat, vec, ntotal, nband, ndense):
    """Solve (mat mat') res = vec for a band-dense Cholesky factor.

    mat: nmat = (ntotal - ndense) nband + ndense ntotal
    """
    parts = _band(mat, ntotal, nband, ndense, "mat must have (ntotal-ndense)*nband + ndense*ntotal elements")
    require(res.size == ntotal, "size of res should equal ntotal")
    require(vec.size == ntotal, "size of vec should equal ntotal")
    res[:] = vec
    with np.errstate(all="ignore"):
        cholesky_solve(_to_dense(*parts), res)


# ---- eigenvalues ---------------------------------------------------------------------------------------------------------
EIG_PRECISION = 1000 * mjMINVAL
# quarter turn that exchanges two neighbouring axes
_QUARTER = 0.707106781186548


@public("eigval:3! eigvec:9! quat:4! mat:9", "int")
def mju_eig3(eigval, eigvec, quat, mat):
    """Compute eigenvalues (largest first) and eigenvectors (columns, also as quaternion) of a symmetric 3 x 3 matrix;
    return the iterations.

    Jacobi's method, with the rotations accumulated in a quaternion.
    """
    a = mat.reshape(3, 3)
    turn, count = (1.0, 0.0, 0.0, 0.0), 500

    # each rotation sets the largest off-diagonal element to zero
    for count in range(501):
        r = np.array(_mat(turn)).reshape(3, 3)
        d = r.T @ a @ r
        i, k = _largest(abs(d[0, 1]), abs(d[0, 2]), abs(d[1, 2]))
        if count == 500 or not abs(d[i, k]) >= EIG_PRECISION:
            break
        tau = float((d[k, k] - d[i, i]) / (2 * d[i, k]))
        t = 1 / (tau + sqrt(1 + tau * tau)) if tau >= 0 else -1 / (sqrt(1 + tau * tau) - tau)
        c = 1 / sqrt(1 + t * t)
        if c > 1 - EIG_PRECISION:
            break
        part = [0.0] * 4
        part[4 - i - k] = (sqrt(0.5 - 0.5 * c) if tau < 0 else -sqrt(0.5 - 0.5 * c)) * (-1 if i + k == 2 else 1)
        part[0] = sqrt(1 - part[4 - i - k] ** 2)
        turn = _unit(_mul(turn, _unit(part)))

    # sort the eigenvalues by means of quarter turns
    values = np.diagonal(d).tolist()
    for j in (0, 1, 0):
        if values[j] + EIG_PRECISION < values[j + 1]:
            values[j], values[j + 1] = values[j + 1], values[j]
            part = [_QUARTER, 0.0, 0.0, 0.0]
            part[(j + 2) % 3 + 1] = _QUARTER
            turn = _unit(_mul(turn, part))
    eigval[:], quat[:], eigvec[:] = values, turn, _mat(turn)
    return count


def _largest(xy: float, xz: float, yz: float) -> tuple[int, int]:
    """Return row and column of the largest element."""
    if xy > xz and xy > yz:
        return 0, 1
    return (0, 2) if xz > yz else (1, 2)


# ---- quadratic programs --------------------------------------------------------------------------------------------------
MAX_ITERATIONS, MIN_GRADIENT, BACKTRACK, MIN_STEP, ARMIJO = 100, 1e-16, 0.5, 1e-22, 0.1


@public("res:V(n)! R:M(n,n+7)! index:Vi(n)!? H:M(n,n) g:V(n) lower:V(n)? upper:V(n)?", "int")
def mju_boxQP(res, R, index, H, g, lower, upper):
    """Minimize x' H x / 2 + x' g within lower <= x <= upper, starting from res, by projected Newton steps.

    R gets the Cholesky factor of the free part of H, index the free dimensions. Returns the number of free dimensions, -1
    for failure. Source: Y. Tassa, N. Mansard, E. Todorov, Control-limited differential dynamic programming (2014).

    lower, upper: None: no bounds. FatalError if a lower bound is not below the upper one
    """
    n = res.size
    require(R.size == n * (n + 7), "size of R should be n*(n+7)")
    require(index is None or index.size == n, "size of index should equal n")
    require(H.shape == (n, n), "H should be of shape (n, n)")
    require(g.size == n, "size of g should equal n")
    require(lower is None or lower.size == n, "size of lower should equal n")
    require(upper is None or upper.size == n, "size of upper should equal n")

    # solve, then return free dimensions and factor
    if not n:
        raise FatalError("mju_boxQPoption: problem size n must be positive")
    if lower is not None and upper is not None and np.any(lower >= upper):
        raise FatalError("mju_boxQPoption: upper bounds must be stricly larger than lower bounds")
    hessian = np.tril(H) + np.tril(H, -1).T
    low, high = (-np.inf if lower is None else lower), (np.inf if upper is None else upper)
    with np.errstate(all="ignore"):
        free, factor, solved = _box_newton(res, hessian, g, low, high, lower is None and upper is None)
    R.reshape(-1)[: factor.size] = factor.reshape(-1)
    if index is not None:
        index[: len(free)] = free
    return len(free) if solved else -1


def _box_newton(
    x: np.ndarray, hessian: np.ndarray, g: np.ndarray, low: Any, high: Any, unbounded: bool
) -> tuple[np.ndarray, np.ndarray, bool]:
    """Return (free dimensions, Cholesky factor of their Hessian, success); x is changed in place."""
    n = x.size
    free, factor = np.arange(n), hessian.copy()

    # without bounds, one Newton step suffices
    if unbounded:
        if cholesky(factor, mjMINVAL) < n:
            return free, factor, False
        x[:] = g
        cholesky_solve(factor, x)
        x *= -1
        return free, factor, True

    # iterate projected Newton steps
    np.clip(x, low, high, out=x)
    before = None
    for _ in range(MAX_ITERATIONS):
        gradient = hessian @ x + g
        value = 0.5 * x @ hessian @ x + x @ g
        clamped = (x == low) & (gradient > 0) | (x == high) & (gradient < 0)
        free = np.flatnonzero(~clamped)
        if not free.size:
            return free, factor[:0, :0], True
        if before is None or np.any(clamped != before):
            factor = hessian[np.ix_(free, free)]
            if cholesky(factor, mjMINVAL) < free.size:
                return free, factor, False
        before = clamped
        target = (g + hessian @ np.where(clamped, x, 0.0))[free]
        cholesky_solve(factor, target)
        search = np.zeros(n)
        search[free] = -target - x[free]
        if gradient[free] @ gradient[free] < MIN_GRADIENT:
            return free, factor, True
        slope = search @ gradient
        if slope >= 0:
            return free, factor, False
        _line_search(x, search, slope, value, hessian, g, low, high)
    return free, factor, True


def _line_search(
    x: np.ndarray, search: np.ndarray, slope: Any, value: Any, hessian: np.ndarray, g: np.ndarray, low: Any, high: Any
) -> None:
    """Move x by a step, halved until the cost falls by at least a given share of the decrease that its slope predicts."""
    step = 1.0
    while True:
        candidate = np.clip(x + step * search, low, high)
        new = 0.5 * candidate @ hessian @ candidate + candidate @ g
        step *= BACKTRACK
        if step < MIN_STEP or (new - value) / (step * slope) >= ARMIJO:
            break
    x[:] = candidate


__all__ = [n for n in dir() if n.startswith("mju_")]
