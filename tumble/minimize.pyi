"""Written by `python -m tumble.stubs`; do not edit."""
import enum
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import IO, Any, Generic, SupportsFloat, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt



from . import MjData, MjModel, MjrRect, MjvCamera, MjvFigure, MjvOption, MjvPerturb, MjvScene

_Minimum: TypeAlias = tuple[npt.NDArray[np.float64], list[IterLog]]
_Columns: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]

class Verbosity(enum.Enum):
    """Amount of output of `least_squares`; at FULLITER it also records details."""
    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3

class Status(enum.Enum):
    """Why `least_squares` stopped."""
    FACTORIZATION_FAILED = 1
    NO_IMPROVEMENT = 2
    MAX_ITER = 3
    DX_TOL = 4
    G_TOL = 5

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
    residual: np.ndarray | None
    jacobian: np.ndarray | None
    grad: np.ndarray | None
    step: np.ndarray | None
    def __init__(self, candidate: np.ndarray, objective: np.float64, reduction: np.float64, regularizer: np.float64, residual: np.ndarray | None = None, jacobian: np.ndarray | None = None, grad: np.ndarray | None = None, step: np.ndarray | None = None) -> None: ...

class Norm:
    """Base class of norms: convex functions of the residual, which are minimized."""
    def value(self, r: npt.NDArray[np.float64]) -> float:
        """Return the norm of a residual.

        r: float64 (nr, 1)
        """
    def grad_hess(self, r: npt.NDArray[np.float64], proj: npt.NDArray[np.float64]) -> _Columns:
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
    def grad_hess(self, r: npt.NDArray[np.float64], proj: npt.NDArray[np.float64]) -> _Columns:
        """Return (proj' r, proj' proj), float64 (nx, 1) and (nx, nx).

        r: float64 (nr, 1)
        proj: float64 (nr, nx)
        """

def jacobian_fd(residual: Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]], x: npt.NDArray[np.float64], r: npt.NDArray[np.float64], eps: SupportsFloat, n_res: int, bounds: Sequence[npt.NDArray[np.float64]] | None = None, *, later: bool = False) -> _Columns:
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

def check_jacobian(residual: Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]], x: npt.NDArray[np.float64], r: npt.NDArray[np.float64], jac: npt.NDArray[np.float64], eps: SupportsFloat, n_res: int, bounds: Sequence[npt.NDArray[np.float64]] | None = None, output: Any = None, name: str = "Jacobian", *, later: bool = False) -> int:
    """Compare a Jacobian with finite differences. Return the new number of residual evaluations. ValueError if they differ, or
    (`later`) if values are not finite.

    residual, x, r, eps, n_res, bounds: as for `jacobian_fd`
    jac: float64 (nr, n): the Jacobian to check
    output: file to which a message is printed; None: standard output
    name: name of the Jacobian in messages
    """

def check_norm(r: npt.NDArray[np.float64], norm: Norm, eps: SupportsFloat, output: Any = None, *, later: bool = False) -> None:
    """Compare a norm's derivatives with finite differences. ValueError if the gradient or the Hessian differs, or if the
    Hessian is not positive or (`later`) not finite.

    r: float64 (nr, 1): the residual at which derivatives are compared
    eps: size of the differences, relative to max(1, |r|)
    output: file to which messages are printed; None: standard output
    """

def least_squares(x0: npt.NDArray[np.float64], residual: Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]], bounds: Sequence[npt.NDArray[np.float64]] | None = None, jacobian: Callable[[npt.NDArray[np.float64], npt.NDArray[np.float64]], npt.NDArray[np.float64]] | None = None, norm: Norm = ..., eps: SupportsFloat = ..., mu_min: SupportsFloat = 1e-06, mu_max: SupportsFloat = 100000000.0, mu_factor: SupportsFloat = 1.2589254117941673, xtol: SupportsFloat = 1e-08, gtol: SupportsFloat = 1e-08, max_iter: SupportsIndex = 100, verbose: Verbosity | int = ..., output: Any = None, iter_callback: Callable[[list[IterLog]], object] | None = None, check_derivatives: bool = False) -> _Minimum:
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
