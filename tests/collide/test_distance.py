"""Signed distances and nearest points of geoms against the reference."""

import mujoco
import numpy as np
import pytest

from tests.mirror import mirror
from tests.oracle import load_pair
from tumble.engine.core import stages

from .scenes import pair_scene, poses

ROUNDING = 1e-12


@pytest.mark.parametrize(
    "pair",
    [
        ("plane", "box"),
        ("sphere", "capsule"),
        ("capsule", "sphere"),
        ("sphere", "ellipsoid"),
        ("box", "box"),
        ("capsule", "cylinder"),
        ("cylinder", "capsule"),
        ("ellipsoid", "box"),
        ("tetra", "prism"),
        ("box", "capsule"),
        ("prism", "sphere"),
    ],
    ids="-".join,
)
def test_distance(pair):
    ref, ref_data, m, d = load_pair(pair_scene(*pair))
    measured = 0
    for k, _ in enumerate(poses(ref, ref_data, 100)):
        mirror(ref_data, d)
        limit = (0.05, 0.5, 10)[k % 3]
        mine, theirs = np.full(6, np.nan), np.zeros(6)
        x = stages.call("geom_distance", m, d, 0, 1, limit, mine.ctypes.data)
        assert abs(x - mujoco.mj_geomDistance(ref, ref_data, 0, 1, limit, theirs)) <= ROUNDING
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=ROUNDING, err_msg=f"{k} {x} {limit}")
        measured += x < limit
    assert measured > 40
