"""Least squares: known minima, bounds, stopping reasons, checks of derivatives."""

import io

import numpy as np
import pytest

import tumble.v4 as v4
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
    """At the solution, the gradient points out of the box at active bounds and vanishes elsewhere."""
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


# ---- the interface of later releases


def quiet(solve, *args, **options):
    return solve(*args, output=io.StringIO(), verbose=minimize.Verbosity.FULLITER, **options)


@pytest.mark.parametrize("scale", (3.0, np.array([0.5, 20.0])), ids=("number", "array"))
def test_a_scale_is_a_change_of_variables(scale):
    """A scale gives the same steps as solving for unknowns in units of that scale."""
    start = np.array([-1.2, 1.0])

    def slope(x, r):
        return np.array([[-1.0, 0], [-20 * x[0, 0], 10]])

    units = (np.ones(2) * scale).reshape(-1, 1)
    x, trace = quiet(v4.minimize.least_squares, start, rosenbrock, jacobian=slope, x_scale=scale)
    z, other = quiet(
        v4.minimize.least_squares,
        start / units.ravel(),
        lambda z: rosenbrock(units * z),
        jacobian=lambda z, r: slope(units * z, r) * units.T,
    )
    np.testing.assert_allclose(x, units.ravel() * z, atol=FOUND)
    assert len(trace) == len(other)
    np.testing.assert_allclose([row.objective for row in trace], [row.objective for row in other], rtol=1e-6, atol=FOUND**2)


def test_columns_of_the_jacobian_give_the_scale():
    """Unknowns of very different sizes are found as quickly as unknowns of equal size."""
    rng = np.random.default_rng(3)
    a, b, size = rng.normal(size=(9, 3)), rng.normal(size=(9, 1)), np.array([[1.0], [1e4], [1e-4]])
    x, trace = quiet(v4.minimize.least_squares, np.zeros(3), lambda x: a @ (x / size) - b, x_scale="jac")
    best = np.linalg.lstsq(a, b, rcond=None)[0]
    np.testing.assert_allclose(x / size.ravel(), best.ravel(), rtol=1e-5)
    assert len(trace) <= 5


def test_the_last_small_step_counts_in_later_releases():
    at = {}
    for name, solve in (("3.4", minimize.least_squares), ("4.0", v4.minimize.least_squares)):
        x, trace = quiet(solve, np.array([-1.2, 1.0]), rosenbrock, xtol=0.3)
        last = trace[-2]
        at[name] = np.linalg.norm(x.reshape(-1, 1) - last.candidate), np.linalg.norm(last.step)
    assert at["3.4"][0] == 0 < at["3.4"][1]
    assert at["4.0"][0] == pytest.approx(at["4.0"][1]) and at["4.0"][0] > 0


def test_points_without_a_value_are_not_accepted():
    def residual(x):
        with np.errstate(all="ignore"):
            return np.log(x) - 1

    x, _ = quiet(v4.minimize.least_squares, np.array([9.0]), residual)
    assert x[0] == pytest.approx(np.e)


def test_differences_stay_within_the_bounds():
    low, high, seen = np.array([2.0, -3.0]), np.array([3.0, -1.0]), []

    def residual(x):
        seen.append(x.copy())
        return x**2

    quiet(v4.minimize.least_squares, high, residual, bounds=[low, high])
    points = np.hstack(seen)
    assert (points >= low[:, None]).all() and (points <= high[:, None]).all()


@pytest.mark.parametrize("scale", ("size", -1.0, np.ones(3), np.array([1.0, np.nan])), ids=str)
def test_bad_scales(scale):
    with pytest.raises(ValueError, match="x_scale"):
        v4.minimize.least_squares(np.zeros(2), rosenbrock, x_scale=scale)


def test_checks_of_later_releases_refuse_what_is_not_finite():
    with pytest.raises(ValueError, match="finite"):
        v4.minimize.check_jacobian(rosenbrock, np.zeros((2, 1)), rosenbrock(np.zeros((2, 1))), np.full((2, 2), np.nan), 1e-8, 0)
