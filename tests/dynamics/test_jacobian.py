"""Jacobians of points against the reference, and against finite differences of motion."""

import mujoco
import numpy as np
import pytest

from tests.constraint.mirror import mirror
from tests.constraint.scenes import legs, settle
from tests.tolerance import FINITE, ROUND, close
from tumble.engine.dynamics.jacobian import jacobian_rate, point_jacobian, subtree_jacobian


@pytest.fixture(scope="module")
def scene():
    ref, data = settle(legs(), 30)
    mujoco.mj_subtreeVel(ref, data)
    return ref, data, *mirror(ref, data)


def filled(ref):
    """A matrix full of values that must be overwritten."""
    return np.full((3, ref.nv), np.nan)


def test_points(scene):
    ref, data, m, d = scene
    for b in range(ref.nbody):
        point = data.xpos[b] + [0.1, -0.2, 0.3]
        p, r, p0, r0 = (filled(ref) for _ in range(4))
        mujoco.mj_jac(ref, data, p0, r0, point, b)
        point_jacobian(m.storage.address, d.storage.address, p.ctypes.data, r.ctypes.data, *point, b)
        close(p, p0, ROUND)
        close(r, r0, ROUND)
        only = filled(ref)
        point_jacobian(m.storage.address, d.storage.address, 0, only.ctypes.data, *point, b)
        assert (only == r).all()


def test_centre_of_a_subtree(scene):
    ref, data, m, d = scene
    for b in range(ref.nbody):
        p, p0 = filled(ref), filled(ref)
        mujoco.mj_jacSubtreeCom(ref, data, p0, b)
        subtree_jacobian(m.storage.address, d.storage.address, p.ctypes.data, b)
        close(p, p0, ROUND)


def test_rates(scene):
    ref, data, m, d = scene
    for b in range(ref.nbody):
        point = data.xpos[b] + [0.1, -0.2, 0.3]
        p, r, p0, r0 = (filled(ref) for _ in range(4))
        mujoco.mj_jacDot(ref, data, p0, r0, point, b)
        jacobian_rate(m.storage.address, d.storage.address, p.ctypes.data, r.ctypes.data, *point, b)
        close(p, p0, ROUND)
        close(r, r0, ROUND)


def test_a_point_moves_as_its_jacobian_says(scene):
    ref, data, m, d = scene
    site = ref.site("foot").id
    p = filled(ref)
    point_jacobian(m.storage.address, d.storage.address, p.ctypes.data, 0, *data.site_xpos[site], ref.site_bodyid[site])
    step, places = 1e-6, []
    for sign in (1, -1):
        moved = mujoco.MjData(ref)
        moved.qpos[:] = data.qpos
        mujoco.mj_integratePos(ref, moved.qpos, data.qvel, sign * step)
        mujoco.mj_kinematics(ref, moved)
        places.append(np.array(moved.site_xpos[site]))
    close(p @ data.qvel, (places[0] - places[1]) / (2 * step), FINITE)
