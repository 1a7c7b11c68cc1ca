"""Least squares: known minima, bounds, stopping reasons, checks of derivatives."""

import io

import numpy as np
import pytest

from tumble.engine import minimize

# the solver stops at gradients below 1e-8
FOUND = 1e-6


def rosenbrock(x):
    return np.vstack([1 - x[0], 10 * (x[1] - x[0] ** 2)])


def test_a_curved_valley():
    out = io.StringIO()
    x, trace = minimize.least_squares(np.array([-1.2, 1.0]), rosenbrock, output=out, check_derivatives=True)
    np.testing.assert_allclose(x, [1, 1], atol=FOUND)
    costs = [row.objective for row in trace]
    assert all(b <= a for a, b in zip(costs, costs[1:], strict=False)) and trace[-1].reduction == 0
    assert "norm(gradient) < tol" in out.getvalue() or "norm(dx) < tol" in out.getvalue()


def test_own_jacobian_is_checked():
    def jacobian(x, r):
        return np.array([[-1.0, 0], [-20 * x[0, 0], 10]])

    out = io.StringIO()
    x, _ = minimize.least_squares(np.zeros(2), rosenbrock, jacobian=jacobian, output=out, check_derivatives=True)
    np.testing.assert_allclose(x, [1, 1], atol=FOUND)
    assert "Jacobian matches" in out.getvalue()
    with pytest.raises(ValueError, match="Jacobian does not match"):
        minimize.least_squares(
            np.zeros(2), rosenbrock, jacobian=lambda x, r: 2 * jacobian(x, r), output=out, check_derivatives=True
        )


@pytest.mark.parametrize("seed", range(5))
def test_bounds(seed):
    """At a bound the gradient points out of the box, elsewhere it vanishes."""
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(8, 4)), rng.normal(size=(8, 1))
    low, high = -rng.uniform(0, 0.3, 4), rng.uniform(0, 0.3, 4)
    x, trace = minimize.least_squares(
        np.zeros(4), lambda x: a @ x - b, bounds=[low, high], verbose=minimize.Verbosity.FULLITER, output=io.StringIO()
    )
    grad = trace[-1].grad.ravel()
    assert np.all((low <= x) & (x <= high))
    for k in range(4):
        assert grad[k] > 0 if x[k] == low[k] else grad[k] < 0 if x[k] == high[k] else abs(grad[k]) < FOUND


@pytest.mark.parametrize(
    "bounds", [[np.zeros(2)], [np.zeros(2), np.zeros(2)], [np.zeros(3), np.ones(3)], [np.array([-np.inf, 0]), np.ones(2)]]
)
def test_bad_bounds(bounds):
    with pytest.raises(ValueError, match="bounds"):
        minimize.least_squares(np.zeros(2), rosenbrock, bounds=bounds)


def test_reasons_to_stop():
    out = io.StringIO()
    minimize.least_squares(np.array([-1.2, 1.0]), rosenbrock, max_iter=2, output=out)
    assert "maximum iterations" in out.getvalue()
    out = io.StringIO()
    x, trace = minimize.least_squares(
        np.array([1.0, 1.0]), rosenbrock, jacobian=lambda x, r: np.array([[-1.0, 0], [-20, 10]]), output=out
    )
    assert "exact minimum found" in out.getvalue() and len(trace) == 1
    seen = []
    minimize.least_squares(
        np.zeros(2), rosenbrock, verbose=0, iter_callback=lambda trace: seen.append(len(trace)), output=io.StringIO()
    )
    assert seen == list(range(1, len(seen) + 1))


def test_own_norm():
    class Soft(minimize.Norm):
        def value(self, r):
            return np.sum(np.sqrt(r**2 + 1) - 1)

        def grad_hess(self, r, proj):
            s = np.sqrt(r**2 + 1)
            return proj.T @ (r / s), proj.T @ (proj / s**3)

    class Wrong(Soft):
        def grad_hess(self, r, proj):
            g, h = super().grad_hess(r, proj)
            return g, -h

    out = io.StringIO()
    x, _ = minimize.least_squares(np.zeros(2), rosenbrock, norm=Soft(), output=out, check_derivatives=True)
    np.testing.assert_allclose(x, [1, 1], atol=1e-4)
    assert "norm gradient matches" in out.getvalue() and "norm Hessian matches" in out.getvalue()
    with pytest.raises(ValueError, match="not positive definite"):
        minimize.least_squares(np.zeros(2), rosenbrock, norm=Wrong(), output=out, check_derivatives=True)
