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
    """A record of one iteration: starting point, cost there, and cost reduction of the step. At FULLITER also residual,
    derivatives and step.
    """
    candidate: np.ndarray
    objective: np.float64
    reduction: np.float64
    regularizer: np.float64
    residual: np.ndarray | None
    jacobian: np.ndarray | None
    grad: np.ndarray | None
    step: np.ndarray | None
    def __init__(self, candidate: np.ndarray, objective: np.float64, reduction: np.float64, regularizer: np.float64, residual: np.ndarray | None = ..., jacobian: np.ndarray | None = ..., grad: np.ndarray | None = ..., step: np.ndarray | None = ...) -> None: ...

class Norm:
    """Base class of norms: convex functions of the residual, which are minimized."""
    def value(self, r: npt.NDArray[np.float64]) -> float:
        """Return the norm of a residual column r (nr x 1)."""
    def grad_hess(self, r: npt.NDArray[np.float64], proj: npt.NDArray[np.float64]) -> _Columns:
        """Return (proj' g, proj' H proj), where g and H are the norm's gradient and Hessian at r, and proj (nr x nx) is a
        matrix.
        """

class Quadratic(Norm):
    """Half the sum of squares of the residual."""
    def value(self, r: npt.NDArray[np.float64]) -> float: ...
    def grad_hess(self, r: npt.NDArray[np.float64], proj: npt.NDArray[np.float64]) -> _Columns: ...

def jacobian_fd(residual: Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]], x: npt.NDArray[np.float64], r: npt.NDArray[np.float64], eps: SupportsFloat, n_res: int, bounds: Sequence[npt.NDArray[np.float64]] | None = ..., *, later: bool = ...) -> _Columns:
    """Return (Jacobian of the residual at x by forward differences, number of residual evaluations so far). The differences
    stay within the bounds. n_res: number of evaluations before this call.

    later: as in MuJoCo 4, differences point away from the nearer bound. In 3.4, this is only so if the lower bound is 0.
    """

def check_jacobian(residual: Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]], x: npt.NDArray[np.float64], r: npt.NDArray[np.float64], jac: npt.NDArray[np.float64], eps: SupportsFloat, n_res: int, bounds: Sequence[npt.NDArray[np.float64]] | None = ..., output: Any = ..., name: str = ..., *, later: bool = ...) -> int:
    """Raise ValueError if a Jacobian differs from finite differences, or (`later`) has values that are not finite. Return the
    new number of residual evaluations.
    """

def check_norm(r: npt.NDArray[np.float64], norm: Norm, eps: SupportsFloat, output: Any = ..., *, later: bool = ...) -> None:
    """Raise ValueError if a norm's gradient or Hessian differs from finite differences, or if the Hessian is not positive or
    (`later`) not finite.
    """

def least_squares(x0: npt.NDArray[np.float64], residual: Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]], bounds: Sequence[npt.NDArray[np.float64]] | None = ..., jacobian: Callable[[npt.NDArray[np.float64], npt.NDArray[np.float64]], npt.NDArray[np.float64]] | None = ..., norm: Norm = ..., eps: SupportsFloat = ..., mu_min: SupportsFloat = ..., mu_max: SupportsFloat = ..., mu_factor: SupportsFloat = ..., xtol: SupportsFloat = ..., gtol: SupportsFloat = ..., max_iter: SupportsIndex = ..., verbose: Verbosity | int = ..., output: Any = ..., iter_callback: Callable[[list[IterLog]], object] | None = ..., check_derivatives: bool = ...) -> _Minimum:
    """Minimize norm(residual(x)) from x0; return (x, trace). The trace has an IterLog for each iteration and the last point.

    residual(X): residuals (nr x k) of k points (n x k). jacobian(x, r): its Jacobian (nr x n), or None for finite
    differences of size eps. bounds: pair of arrays like x0. norm: a Norm. mu_*: limits and growth of the regularizer. xtol,
    gtol: tolerances on relative step and gradient. iter_callback(trace) is called after each iteration. check_derivatives:
    compare jacobian and norm with finite differences at x0.
    """
