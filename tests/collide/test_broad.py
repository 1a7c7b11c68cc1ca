"""Broad phase: with few boxes all pairs are compared, with many they are sorted; both find the pairs that overlap."""

import numpy as np
import pytest

import tumble as mj
from tumble.engine.collide.broad import FEW_BOXES
from tumble.engine.math.eigen import axes3

# Both functions stop when the off-diagonal entries are below 1e-12. If two eigenvalues are close, errors of this size change
# the eigenvectors much more.
ROUNDING = 1e-8


def crowd(count, rng):
    """Return a model of spheres of several sizes at random places, so dense that some overlap."""
    side = count ** (1 / 3)
    bodies = (
        f'<body pos="{x:.17g} {y:.17g} {z:.17g}"><freejoint/><geom size="{size:.17g}" margin="{margin:.17g}"/></body>'
        for (x, y, z), size, margin in zip(
            rng.uniform(0, side, (count, 3)) * (3, 1, 2), rng.uniform(0.1, 0.6, count), rng.uniform(0, 0.1, count), strict=True
        )
    )
    return f"<mujoco><worldbody>{''.join(bodies)}</worldbody></mujoco>"


@pytest.mark.parametrize("count", [2, 7, FEW_BOXES, FEW_BOXES + 1, 70])
def test_the_pairs_are_those_whose_boxes_overlap(count):
    m = mj.MjModel.from_xml_string(crowd(count, np.random.default_rng(count)))
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    spread = np.cov(d.geom_xpos.T, bias=True)
    values, vectors, quat = np.zeros(3), np.zeros(9), np.zeros(4)
    mj.mju_eig3(values, vectors, quat, spread.ravel())

    # as in MuJoCo, the axes are the rows of the matrix
    centers, reach = d.geom_xpos @ vectors.reshape(3, 3).T, (m.geom_rbound + m.geom_margin)[:, None]
    low, high = centers - reach, centers + reach
    overlap = np.all((low[:, None] <= high) & (low <= high[:, None]), 2)
    expected = {(i + 1, j + 1) for i, j in zip(*np.nonzero(overlap), strict=True) if i < j}
    pairs = d.array("broad_pair")[: d.nbroad].tolist()
    assert {(pair >> 16, pair & 0xFFFF) for pair in pairs} == expected and pairs == sorted(pairs)
    assert count < 7 or 0 < len(expected) < count * (count - 1) / 2


@pytest.mark.parametrize("seed", range(40))
def test_axes_are_those_of_eig3(seed):
    """Random, flat, long and diagonal matrices, also with equal eigenvalues."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(1 + seed % 5, 3)) * rng.uniform(0.01, 1, 3)
    a = np.diag(rng.integers(0, 3, 3).astype(float)) if seed % 4 == 3 else points.T @ points
    values, vectors, quat = np.zeros(3), np.zeros(9), np.zeros(4)
    mj.mju_eig3(values, vectors, quat, a.ravel())
    assert np.allclose(axes3(tuple(a.ravel())), vectors, rtol=0, atol=ROUNDING)
