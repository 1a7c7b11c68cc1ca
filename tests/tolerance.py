"""Named tolerances. TUMBLE_TOLERANCE_SCALE multiplies all of them (0 shows the actual residuals of the tests)."""

import os

import numpy as np

SCALE = float(os.environ.get("TUMBLE_TOLERANCE_SCALE", "1"))

EXACT = 0.0  # same operations in the same order
ROUND = 1e-12 * SCALE  # same formula, sums in another order
LANES = 1e-12 * SCALE  # one step on lanes: sums regrouped, products fused
LANES_CONSTRAINED = 1e-9 * SCALE  # the same, and the effect of a solver that stops at its tolerance
SOLVE = 1e-10 * SCALE  # with a linear solve in between
ITER = 1e-7 * SCALE  # an iterative solver stopped by a tolerance
FINITE = 1e-5 * SCALE  # finite differences
TESS = 1e-3 * SCALE  # a shape was tessellated


def difference(a, b):
    """Largest difference relative to the larger of 1 and b's largest magnitude; inf where one is not finite."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    assert a.shape == b.shape, f"shapes {a.shape} and {b.shape}"
    # most are equal, which costs a sixth of the rest to see
    if (a == b).all():
        return 0.0
    bad = ~(np.isfinite(a) & np.isfinite(b)) & ~((a == b) | (np.isnan(a) & np.isnan(b)))
    if bad.any():
        return np.inf
    with np.errstate(invalid="ignore"):
        gap = np.where(np.isfinite(a) & np.isfinite(b), np.abs(a - b), 0.0)
    return float(gap.max() / max(1.0, np.abs(b[np.isfinite(b)]).max(initial=0.0)))


def close(a, b, tolerance, name=""):
    """Assert that a is b within a tolerance."""
    gap = difference(a, b)
    assert gap <= tolerance, f"{name}: difference {gap:.3g} is over {tolerance:.3g}"
