"""Rays against shapes: distances equal MuJoCo's, from outside and from inside."""

import mujoco
import numpy as np
import pytest

from tumble.engine.geom.ray_shape import ray_shape

# roots of quadratics: cancellation in the discriminant costs a few digits
TOLERANCE = 1e-11
SHAPES = "plane sphere capsule ellipsoid cylinder box".split()


@pytest.mark.parametrize("shape", SHAPES)
def test_distance(shape):
    kind = int(getattr(mujoco.mjtGeom, f"mjGEOM_{shape.upper()}"))
    quat, mat = np.array([0.6, 0.3, -0.5, 0.2]), np.empty(9)
    mujoco.mju_normalize4(quat)
    mujoco.mju_quat2Mat(mat, quat)
    pos, size = np.array([0.1, -0.2, 0.3]), np.array([0.3, 0.4, 0.5])
    rng, hits = np.random.default_rng(5), 0
    for _ in range(400):
        start = pos + rng.uniform(-1, 1, 3) * (0.2 if rng.uniform() < 0.3 else 1.5)
        along = rng.normal(size=3) if rng.uniform() < 0.5 else pos + rng.uniform(-0.3, 0.3, 3) - start
        theirs = mujoco.mju_rayGeom(pos, mat, size, start, along, kind)
        distance = ray_shape(kind, tuple(pos), tuple(mat), tuple(size), tuple(start), tuple(along))
        assert distance == pytest.approx(theirs, abs=TOLERANCE)
        hits += theirs >= 0
    assert hits > 50
