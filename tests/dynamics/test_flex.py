"""Edges of flexes: their Jacobians are the slopes of their lengths, and their dampers act through them. Vertices with three
slides have a path of their own."""

import numpy as np
import pytest

import tumble
from tests.tolerance import FINITE, ROUND, close
from tumble.engine.core import stages

EPS = 1e-6
MODEL = """
<mujoco>
  <option integrator="implicitfast" jacobian="{jacobian}"/>
  <worldbody>
    <body name="support" pos="0 0 1" euler="20 30 40">
      {joint}
      <flexcomp name="sheet" type="grid" count="{count}" spacing=".1 .1 .1" radius=".01" dim="{dim}" euler="10 50 0">
        <edge damping=".3"/>
        {pin}
      </flexcomp>
    </body>
    <body name="other"><freejoint/><geom size=".1"/></body>
  </worldbody>
</mujoco>
"""
FREE = '<freejoint/><geom size=".02" contype="0" conaffinity="0"/>'
GRIDS = {2: "4 3 1", 3: "3 3 2"}
# (joint of the parent, pins): slides alone, slides and vertices that do not move, slides below a free body
SUPPORTS = {"still": ("", ""), "pinned": ("", '<pin id="0 3"/>'), "carried": (FREE, "")}


def sheet(dim, support, jacobian):
    """A model and a Data in a random state after a forward call."""
    joint, pin = SUPPORTS[support]
    m = tumble.MjModel.from_xml_string(MODEL.format(dim=dim, count=GRIDS[dim], joint=joint, pin=pin, jacobian=jacobian))
    d = tumble.MjData(m)
    rng = np.random.default_rng(3)
    tumble.mj_integratePos(m, d.qpos, 0.02 * rng.normal(size=m.nv), 1.0)
    d.qvel[:] = rng.normal(size=m.nv)
    d.poison("flexedge_J", "flexedge_length")
    tumble.mj_forward(m, d)
    return m, d


def jacobian_of(m, d):
    """The Jacobian of the edges as a matrix."""
    if not tumble.mj_isSparse(m):
        return d.flexedge_J.reshape(m.nflexedge, m.nv).copy()
    J = np.zeros((m.nflexedge, m.nv))
    values, columns = d.flexedge_J.reshape(-1), d.flexedge_J_colind.reshape(-1)
    for e in range(m.nflexedge):
        row = slice(d.flexedge_J_rowadr[e], d.flexedge_J_rowadr[e] + d.flexedge_J_rownnz[e])
        assert (np.diff(columns[row]) > 0).all()
        J[e, columns[row]] = values[row]
    return J


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("support", SUPPORTS)
@pytest.mark.parametrize("dim", GRIDS)
def test_jacobians_of_edges_are_slopes_of_their_lengths(dim, support, jacobian):
    m, d = sheet(dim, support, jacobian)
    J = jacobian_of(m, d)
    close(d.flexedge_velocity, J @ d.qvel, ROUND, "velocities of edges")
    for i in range(m.nv):
        lengths = []
        for side in (EPS, -EPS):
            new = tumble.MjData(m)
            new.qpos[:] = d.qpos
            tumble.mj_integratePos(m, new.qpos, side * np.eye(m.nv)[i], 1.0)
            tumble.mj_forward(m, new)
            lengths.append(new.flexedge_length.copy())
        close(J[:, i], (lengths[0] - lengths[1]) / (2 * EPS), FINITE, f"dof {i}")


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("support", SUPPORTS)
@pytest.mark.parametrize("dim", GRIDS)
def test_dampers_along_edges(dim, support, jacobian):
    """Damping forces are -b J'J qvel. Their derivative is the part of -b J'J in the pattern of qDeriv."""
    m, d = sheet(dim, support, jacobian)
    J = jacobian_of(m, d)
    product = -m.flex_edgedamping[0] * J.T @ J
    close(d.qfrc_damper, product @ d.qvel, ROUND, "forces of dampers")
    d.poison("qDeriv")
    stages.call("implicit", m, d)
    for i in range(m.nv - 6):
        row = slice(m.D_rowadr[i], m.D_rowadr[i] + m.D_rownnz[i])
        close(d.qDeriv[row], product[i, m.D_colind[row]], ROUND, f"row {i}")


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_jacobians_without_forces_are_zero(jacobian):
    """Flexes whose edges exert no forces have no rows, also where a script, or the step before, left numbers in them."""
    m, d = sheet(2, "still", jacobian)
    m.flex_edgedamping[:] = 0
    tumble.mj_forward(m, d)
    assert not jacobian_of(m, d).any()
    d.flexedge_J[:] = 3
    tumble.mj_forward(m, d)
    assert not jacobian_of(m, d).any()
    # numbers that were stored as sparse rows, before the Jacobian became dense
    m.flex_edgedamping[:], m.opt.jacobian = 0.3, tumble.mjtJacobian.mjJAC_SPARSE
    tumble.mj_forward(m, d)
    m.flex_edgedamping[:] = 0
    tumble.mj_forward(m, d)
    m.opt.jacobian = tumble.mjtJacobian.mjJAC_DENSE
    tumble.mj_forward(m, d)
    assert not jacobian_of(m, d).any()
    tumble.mj_resetDataDebug(m, d, 7)
    tumble.mj_forward(m, d)
    assert not jacobian_of(m, d).any()
