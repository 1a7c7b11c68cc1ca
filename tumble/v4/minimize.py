"""Nonlinear least squares with box bounds, with the rules of the newer interface."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import functools as _functools
from typing import Any

import numpy as _np

from ..engine import minimize as _minimize
from ..engine.minimize import Norm, Quadratic, Verbosity

jacobian_fd = _functools.wraps(_minimize.jacobian_fd)(_functools.partial(_minimize.jacobian_fd, later=True))
check_jacobian = _functools.wraps(_minimize.check_jacobian)(_functools.partial(_minimize.check_jacobian, later=True))
check_norm = _functools.wraps(_minimize.check_norm)(_functools.partial(_minimize.check_norm, later=True))


def least_squares(
    x0: _np.ndarray,
    residual: Any,
    bounds: Any = None,
    jacobian: Any = None,
    norm: Norm = Quadratic(),
    eps: Any = _np.finfo(_np.float64).eps ** 0.5,
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
    x_scale: Any = None,
) -> tuple[_np.ndarray, list[_minimize.IterLog]]:
    """Minimize norm(residual(x)) from x0; return (x, trace). See `tumble.minimize.least_squares`.

    x_scale: typical sizes of the unknowns, a number or (n,). Steps are then computed in these units. 'jac': the inverse length
    of each column of the Jacobian. None: 1.
    """
    tolerances, shown = (xtol, gtol, max_iter), (verbose, output, iter_callback, check_derivatives)
    regularizer = (mu_min, mu_max, mu_factor)
    return _minimize.minimize(
        x0, residual, bounds, jacobian, norm, eps, regularizer, tolerances, shown, x_scale=x_scale, later=True
    )


def __getattr__(name: str) -> Any:
    return getattr(_minimize, name)
