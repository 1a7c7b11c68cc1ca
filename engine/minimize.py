"""Nonlinear least squares with box bounds: Gauss-Newton steps, regularized if they do not improve (Levenberg-Marquardt).

`least_squares(x0, residual, ...)` minimizes norm(residual(x)). Points and residuals are columns of matrices; `residual`
evaluates several points at once. Sources: J. Nocedal, S. Wright, Numerical Optimization, chapters 4 and 10; D. Bertsekas,
Projected Newton methods (1982).
"""

from __future__ import annotations

import abc
import dataclasses
import enum
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .api.mju_solve import mju_boxQP


class Verbosity(enum.Enum):
    """Amount of output of `least_squares`; at FULLITER it also records details."""

    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


class Status(enum.Enum):
    """Why `least_squares` stopped."""

    FACTORIZATION_FAILED = enum.auto()
    NO_IMPROVEMENT = enum.auto()
    MAX_ITER = enum.auto()
    DX_TOL = enum.auto()
    G_TOL = enum.auto()


_REASONS = {
    Status.FACTORIZATION_FAILED: "factorization failed.",
    Status.NO_IMPROVEMENT: "insufficient reduction.",
    Status.MAX_ITER: "maximum iterations reached.",
    Status.DX_TOL: "norm(dx) < tol.",
    Status.G_TOL: "norm(gradient) < tol.",
}

ARMIJO = 1e-2  # fraction of the predicted reduction that a step must achieve
GOOD, POOR = 0.75, 0.25  # ratios of achieved to predicted reduction that change the regularizer
DERIVATIVE_TOLERANCE = 1e-5


@dataclasses.dataclass(frozen=True)
class IterLog:
    """A record of one iteration. The last four are None unless the verbosity is FULLITER.

    candidate: float64 (n, 1): point at the start of the iteration
    objective: cost at this point
    reduction: decrease of the cost by the step
    regularizer: number added to the Hessian's diagonal
    residual: float64 (nr, 1)
    jacobian: float64 (nr, n)
    grad: float64 (n, 1)
    step: float64 (n, 1)
    """

    candidate: np.ndarray
    objective: np.float64
    reduction: np.float64
    regularizer: np.float64
    residual: np.ndarray | None = None
    jacobian: np.ndarray | None = None
    grad: np.ndarray | None = None
    step: np.ndarray | None = None


class Norm(abc.ABC):
    """Base class of norms: convex functions of the residual, which are minimized."""

    @abc.abstractmethod
    def value(self, r: npt.NDArray[np.float64]) -> float:
        """Return the norm of a residual.

        r: float64 (nr, 1)
        """

    @abc.abstractmethod
    def grad_hess(self, r: npt.NDArray[np.float64], proj: npt.NDArray[np.float64]) -> tuple[np.ndarray, np.ndarray]:
        """Return (proj' g, proj' H proj), float64 (nx, 1) and (nx, nx), where g and H are the norm's gradient and Hessian at r.

        r: float64 (nr, 1)
        proj: float64 (nr, nx)
        """


class Quadratic(Norm):
    """Half the sum of squares of the residual."""

    def value(self, r: npt.NDArray[np.float64]) -> float:
        """Return half the sum of squares of a residual.

        r: float64 (nr, 1)
        """
        return 0.5 * (r.T @ r).item()

    def grad_hess(self, r: npt.NDArray[np.float64], proj: npt.NDArray[np.float64]) -> tuple[np.ndarray, np.ndarray]:
        """Return (proj' r, proj' proj), float64 (nx, 1) and (nx, nx).

        r: float64 (nr, 1)
        proj: float64 (nr, nx)
        """
        return proj.T @ r, proj.T @ proj


# ---- derivatives -------------------------------------------------------------------------------------------------------
def jacobian_fd(
    residual: Any,
    x: npt.NDArray[np.float64],
    r: npt.NDArray[np.float64],
    eps: Any,
    n_res: int,
    bounds: Sequence[npt.NDArray[np.float64]] | None = None,
    *,
    later: bool = False,
) -> tuple[np.ndarray, int]:
    """Return (jac, count): the Jacobian of a residual by forward differences, float64 (nr, n), and the number of residual
    evaluations so far. The differences stay within the bounds.

    residual: called with k points, float64 (n, k), returns their residuals, float64 (nr, k)
    x: float64 (n, 1): the point
    r: float64 (nr, 1): the residual at x
    eps: size of the differences, relative to max(1, |x|)
    n_res: number of evaluations before this call
    bounds: pair of arrays float64 (n, 1), or None
    later: as in MuJoCo 4, differences point away from the nearer bound. In 3.4, this is only so if the lower bound is 0.
    """
    inward, points = np.ones_like(x), None
    if bounds is not None and later:
        # rounding can move the middle to the upper bound
        inward = np.where((x > 0.5 * bounds[0] + 0.5 * bounds[1]) | (x == bounds[1]), -1.0, 1.0)
    elif bounds is not None:
        inward = np.where(x > 0.5 * (bounds[1] - bounds[0]), -1.0, 1.0)
    step = eps * inward * np.maximum(1.0, np.abs(x))
    if later:
        points = x + np.diag(step.ravel())
        points = points if bounds is None else np.clip(points, *bounds)
        step = points.diagonal()[:, None] - x
    else:
        # adding and then subtracting x makes the difference exact in floating point
        step = (step + x) - x
        points = x + np.diag(step.ravel())
    return (residual(points) - r) / step.T, n_res + x.size


def check_jacobian(
    residual: Any,
    x: npt.NDArray[np.float64],
    r: npt.NDArray[np.float64],
    jac: npt.NDArray[np.float64],
    eps: Any,
    n_res: int,
    bounds: Sequence[npt.NDArray[np.float64]] | None = None,
    output: Any = None,
    name: str = "Jacobian",
    *,
    later: bool = False,
) -> int:
    """Compare a Jacobian with finite differences. Return the new number of residual evaluations. ValueError if they differ, or
    (`later`) if values are not finite.

    residual, x, r, eps, n_res, bounds: as for `jacobian_fd`
    jac: float64 (nr, n): the Jacobian to check
    output: file to which a message is printed; None: standard output
    name: name of the Jacobian in messages
    """
    if later and not np.all(np.isfinite(jac)):
        raise ValueError(f"User-provided {name} must contain only finite values.")
    expected, n_res = jacobian_fd(residual, x, r, eps, n_res, bounds, later=later)
    if later and not np.all(np.isfinite(expected)):
        raise ValueError(f"Finite-difference {name} must contain only finite values.")
    size = np.abs(jac).sum() + np.abs(expected).sum() + 1e-8
    if np.any(np.abs(jac - expected) / size > DERIVATIVE_TOLERANCE):
        raise ValueError(
            f"User-provided {name} does not match finite-differences to a relative tolerance of {DERIVATIVE_TOLERANCE:g}."
        )
    print(f"User-provided {name} matches finite-differences.", file=output)
    return n_res


def check_norm(r: npt.NDArray[np.float64], norm: Norm, eps: Any, output: Any = None, *, later: bool = False) -> None:
    """Compare a norm's derivatives with finite differences. ValueError if the gradient or the Hessian differs, or if the
    Hessian is not positive or (`later`) not finite.

    r: float64 (nr, 1): the residual at which derivatives are compared
    eps: size of the differences, relative to max(1, |r|)
    output: file to which messages are printed; None: standard output
    """
    eye = np.eye(r.size)
    gradient, hessian = norm.grad_hess(r, eye)
    if later and not np.all(np.isfinite(hessian)):
        raise ValueError("User-provided norm Hessian must contain only finite values.")
    if not np.allclose(hessian, hessian.T):
        raise ValueError("User-provided norm Hessian is not symmetric.")
    least = np.min(np.linalg.eigvalsh(hessian))
    if least < 0:
        raise ValueError(f"User-provided norm Hessian is not positive definite. Minimum eigenvalue is {least:.4g}")

    def columns(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda v: np.hstack([np.atleast_2d(function(v[:, k : k + 1])) for k in range(v.shape[1])])

    value, slope = columns(norm.value), columns(lambda c: norm.grad_hess(c, eye)[0])
    check_jacobian(value, r, np.atleast_2d(norm.value(r)), gradient.T, eps, 0, None, output, "norm gradient", later=later)
    check_jacobian(slope, r, gradient, hessian, eps, 0, None, output, "norm Hessian", later=later)


# ---- the problem and its parts -------------------------------------------------------------------------------------------
class _Problem:
    """The residual, its Jacobian and the norm. Counts evaluations and measures their time."""

    def __init__(
        self,
        residual: Callable[..., Any],
        jacobian: Callable[..., Any] | None,
        norm: Norm,
        bounds: Sequence[npt.NDArray[np.float64]] | None,
        eps: Any,
        later: bool,
    ) -> None:
        self.user_residual, self.user_jacobian, self.norm, self.bounds = residual, jacobian, norm, bounds
        self.eps, self.later = np.float64(eps), later
        self.n_res = self.n_jac = 0
        self.t_res = self.t_jac = 0.0

    def residual(self, x: np.ndarray) -> np.ndarray:
        """Evaluate the residual at x; count and time the evaluation."""
        begin = time.perf_counter()
        r = self.user_residual(x)
        self.t_res += time.perf_counter() - begin
        self.n_res += 1
        return r

    def jacobian(self, x: np.ndarray, r: np.ndarray) -> np.ndarray:
        """Evaluate the Jacobian at x; count and time the evaluation."""
        begin = time.perf_counter()
        if self.user_jacobian is None:
            jac, self.n_res = jacobian_fd(self.user_residual, x, r, self.eps, self.n_res, self.bounds, later=self.later)
            self.t_res += time.perf_counter() - begin
        else:
            jac = self.user_jacobian(x, r)
            self.t_jac += time.perf_counter() - begin
            self.n_jac += 1
        return jac

    def check(self, x: np.ndarray, r: np.ndarray, jac: np.ndarray, output: Any) -> None:
        """Compare the user's derivatives with finite differences."""
        if self.user_jacobian is not None:
            self.n_res = check_jacobian(
                self.user_residual, x, r, jac, self.eps, self.n_res, self.bounds, output, later=self.later
            )
        if not isinstance(self.norm, Quadratic):
            check_norm(r, self.norm, self.eps, output, later=self.later)


class _Regularizer:
    """The number added to the Hessian's diagonal. It starts at zero; while steps are good, it decreases faster and faster."""

    def __init__(self, least: float, most: float, factor: float) -> None:
        if factor <= 1:
            raise ValueError("mu_factor must be > 1.")
        self.least, self.most, self.factor = least, most, factor
        self.value, self.falls = np.float64(0.0), 0

    def lower(self) -> None:
        """Decrease the value. The factor grows with each successive decrease."""
        smaller = self.value / self.factor**2 ** min(self.falls, 10)
        self.value = 0.0 if smaller < self.least else smaller
        self.falls += 1

    def rise(self) -> bool:
        """Increase the value; return False if it is at its maximum."""
        if self.value >= self.most:
            return False
        self.value, self.falls = max(self.least, self.factor * self.value), 0
        return True


def _read_bounds(bounds: Any, n: int) -> list[np.ndarray] | None:
    """Return bounds as two columns. Raise ValueError if they are invalid."""
    if bounds is None:
        return None
    bounds = [np.asarray(b, np.float64) for b in bounds]
    if len(bounds) != 2:
        raise ValueError("bounds must have 2 elements.")
    if bounds[0].size != n or bounds[1].size != n:
        raise ValueError("bounds must have the same size as x0.")
    if not np.all(np.isfinite(bounds[0])) or not np.all(np.isfinite(bounds[1])):
        raise ValueError("bounds must be finite.")
    if not np.all(bounds[0] < bounds[1]):
        raise ValueError("bounds[0] must be smaller than bounds[1].")
    return [b.reshape(n, 1) for b in bounds]


def _free_gradient(x: np.ndarray, grad: np.ndarray, bounds: Sequence[npt.NDArray[np.float64]] | None) -> np.ndarray:
    """Return the components of the gradient that no active bound blocks."""
    if bounds is None:
        return grad
    return grad[~((x == bounds[0]) & (grad > 0) | (x == bounds[1]) & (grad < 0))]


def _step(
    problem: _Problem, mu: _Regularizer, x: np.ndarray, y: Any, grad: np.ndarray, hess: np.ndarray, scale: np.ndarray
) -> tuple[np.ndarray, Any, Any, Status | None]:
    """Return (step in units of `scale`, new residual, cost reduction, reason to stop or None). Increase the regularizer until
    a step is good enough."""
    n = x.size
    dx, scratch = np.zeros((n, 1)), np.zeros((n, n + 7))
    low, high = (None, None) if problem.bounds is None else [(b - x) / scale for b in problem.bounds]
    while True:
        while mju_boxQP(dx, scratch, None, hess + mu.value * np.eye(n), grad, low, high) < 0:
            if not mu.rise():
                return dx, None, 0.0, Status.FACTORIZATION_FAILED
        r = problem.residual(x + scale * dx)
        value = problem.norm.value(r)
        reduction = y - value
        if problem.later and not np.isfinite(value):
            # reject the step: a cost of -inf would pass the test below
            reduction = -np.inf
        if reduction + ARMIJO * (grad.T @ dx).item() >= 0:
            return dx, r, reduction, None
        if not mu.rise():
            return dx, None, reduction, Status.NO_IMPROVEMENT


# ---- the minimiser -------------------------------------------------------------------------------------------------------
def least_squares(
    x0: npt.NDArray[np.float64],
    residual: Any,
    bounds: Any = None,
    jacobian: Any = None,
    norm: Norm = Quadratic(),
    eps: Any = np.finfo(np.float64).eps ** 0.5,
    mu_min: Any = 1e-6,
    mu_max: Any = 1e8,
    mu_factor: Any = 10.0**0.1,
    xtol: Any = 1e-8,
    gtol: Any = 1e-8,
    max_iter: Any = 100,
    verbose: Any = Verbosity.ITER,
    output: Any = None,
    iter_callback: Any = None,
    check_derivatives: bool = False,
) -> tuple[np.ndarray, list[IterLog]]:
    """Minimize norm(residual(x)), starting at x0. Return (x, trace): the minimum, in the shape of x0, (n,) or (n, 1), and a
    list with an IterLog for each iteration and the last point. ValueError for invalid bounds, x0 or mu_factor, for
    residuals that are not float64, and for derivatives that are wrong.

    x0: float64 (n,) or (n, 1): the start
    residual: called with k points, float64 (n, k), returns their residuals, float64 (nr, k)
    bounds: pair of finite arrays (n,), lower before upper, or None
    jacobian: called as jacobian(x, r), returns the Jacobian, float64 (nr, n); None: finite differences
    norm: a Norm
    eps: relative size of finite differences; by default the root of the machine precision
    mu_min, mu_max, mu_factor: limits and growth of the regularizer; mu_factor is above 1
    xtol, gtol: tolerances on the relative step and on the gradient's length
    max_iter: maximum number of iterations
    verbose: a Verbosity; by default ITER
    output: file to which messages are printed; None: standard output
    iter_callback: called with the trace after each iteration
    check_derivatives: compare jacobian and norm with finite differences at x0
    """
    tolerances, shown = (xtol, gtol, max_iter), (verbose, output, iter_callback, check_derivatives)
    return minimize(x0, residual, bounds, jacobian, norm, eps, (mu_min, mu_max, mu_factor), tolerances, shown)


def minimize(
    x0: npt.NDArray[np.float64],
    residual: Any,
    bounds: Any,
    jacobian: Any,
    norm: Norm,
    eps: Any,
    regularizer: tuple[Any, Any, Any],
    tolerances: tuple[Any, Any, Any],
    shown: tuple[Any, Any, Any, bool],
    x_scale: Any = None,
    later: bool = False,
) -> tuple[np.ndarray, list[IterLog]]:
    """Minimize as `least_squares` does; `later`: with the rules of MuJoCo 4.

    x_scale: typical sizes of the unknowns, a number or (n,). Steps are then computed in these units. 'jac': the inverse length
    of each column of the Jacobian, recomputed in each iteration. None: 1.
    """
    (xtol, gtol, max_iter), (verbose, output, iter_callback, check_derivatives) = tolerances, shown
    begin, verbose = time.perf_counter(), Verbosity(verbose).value
    mu, bounds = _Regularizer(*regularizer), _read_bounds(bounds, x0.size)
    x, scale = _read_start(x0, bounds), _read_scale(x_scale, x0.size)
    problem = _Problem(residual, jacobian, norm, bounds, eps, later)
    r = problem.residual(x)
    if r.dtype != np.float64:
        raise ValueError("residual function must return float64 arrays.")
    full, trace = verbose >= Verbosity.FULLITER.value, []

    def note(**row: Any) -> None:
        trace.append(IterLog(**row))
        if iter_callback is not None:
            iter_callback(trace)

    status, count = Status.MAX_ITER, 0
    for count in range(max_iter):
        y, jac = norm.value(r), problem.jacobian(x, r)
        if count == 0 and check_derivatives:
            problem.check(x, r, jac, output)
        if isinstance(x_scale, str):
            scale = (1.0 / np.maximum(np.linalg.norm(jac, axis=0), problem.eps)).reshape(-1, 1)
        grad, hess = norm.grad_hess(r, jac * scale.T)
        size = np.linalg.norm(_free_gradient(x, grad, bounds))
        if size <= gtol:
            if size == 0 and verbose > Verbosity.SILENT.value:
                print("Zero gradient norm: exact minimum found?", file=output)
            status = Status.G_TOL
            break
        dx, new, reduction, stop = _step(problem, mu, x, y, grad, hess, scale)
        if stop is not None:
            status = stop
            break
        expected = -(grad.T @ dx + 0.5 * dx.T @ hess @ dx).item()
        ratio = reduction / expected if expected > 0 else 0.0
        dx = scale * dx
        _report_iteration(verbose, output, count, y, mu.value, ratio, dx, reduction, expected)
        extra = {"residual": r, "jacobian": jac, "grad": grad / scale, "step": dx} if full else {}
        note(candidate=x, objective=y, reduction=reduction, regularizer=mu.value, **extra)
        small = np.linalg.norm(dx) < xtol * (xtol + np.linalg.norm(x))
        if small:
            x, r = (x + dx, new) if later else (x, r)
            status = Status.DX_TOL
            break
        if ratio > GOOD:
            mu.lower()
        elif ratio < POOR:
            mu.rise()
        x, r = x + dx, new
    else:
        count = max(max_iter - 1, 0)

    extra = {}
    if full:
        jac = problem.jacobian(x, r)
        extra = {"residual": r, "jacobian": jac, "grad": norm.grad_hess(r, jac)[0]}
    note(candidate=x, objective=norm.value(r), reduction=np.float64(0.0), regularizer=mu.value, **extra)
    if verbose > Verbosity.SILENT.value:
        _report_end(output, problem, count, status, trace[-1].objective, time.perf_counter() - begin)
    return x.reshape(x0.shape), trace


def _read_scale(x_scale: Any, n: int) -> np.ndarray:
    """Return the units of the unknowns as a column. Raise ValueError if they are invalid."""
    if isinstance(x_scale, str) and x_scale != "jac":
        raise ValueError(f"x_scale must be None, 'jac', a positive scalar, or array, got {x_scale!r}.")
    if x_scale is None or isinstance(x_scale, str):
        return np.ones((n, 1))
    scale = np.asarray(x_scale, np.float64)
    if scale.shape not in ((), (n,)):
        raise ValueError(f"x_scale array must have shape ({n},), got {scale.shape}.")
    if not np.all(np.isfinite(scale)) or np.any(scale <= 0):
        raise ValueError("x_scale must be positive and finite.")
    return (np.ones(n) * scale).reshape(n, 1)


def _read_start(x0: np.ndarray, bounds: tuple[np.ndarray, np.ndarray] | None) -> np.ndarray:
    """Return x0 as a column, clipped to the bounds. Raise ValueError unless it is finite."""
    x = x0.astype(np.float64).reshape(-1, 1)
    if bounds is not None:
        np.clip(x, bounds[0], bounds[1], out=x)
    if not np.all(np.isfinite(x)):
        raise ValueError("x0 must be finite.")
    return x


def _report_iteration(
    verbose: int, output: Any, count: int, y: Any, mu: Any, ratio: Any, dx: np.ndarray, reduction: Any, expected: float
) -> None:
    """Print one iteration."""
    if expected <= 0 and verbose > Verbosity.SILENT.value:
        print(
            "Zero expected reduction: exact minimum found?"
            if expected == 0
            else "Negative expected reduction: should not occur.",
            file=output,
        )
    if verbose >= Verbosity.ITER.value:
        size = np.log10(mu) if mu > 0 else -np.inf
        print(
            f"iter: {count:<3d}  y: {y:<9.4g}  log10mu: {size:>4.1f}  ratio: {ratio:<7.2g}  dx: {np.linalg.norm(dx):<7.2g}  "
            f"reduction: {reduction:<7.2g}",
            file=output,
        )


def _report_end(output: Any, problem: _Problem, count: int, status: Status, y: Any, seconds: float) -> None:
    """Print the summary at the end."""
    jacobians = f", Jacobian evals: {problem.n_jac:d}" if problem.n_jac else ""
    print(
        f"Terminated after {count} iterations: {_REASONS[status]} y: {y:<.4g}, Residual evals: {problem.n_res:d}{jacobians}",
        file=output,
    )
    if seconds > 0:
        shown = f"{seconds:.1f}s" if seconds > 1 else f"{1000 * seconds:.1f}ms"
        parts = f" Jacobian {100 * problem.t_jac / seconds:.1f}%" if problem.t_jac > 0 else ""
        print(f"total time {shown} of which residual {100 * problem.t_res / seconds:.1f}%{parts}", file=output)


__all__ = [
    "IterLog",
    "Norm",
    "Quadratic",
    "Status",
    "Verbosity",
    "check_jacobian",
    "check_norm",
    "jacobian_fd",
    "least_squares",
]
