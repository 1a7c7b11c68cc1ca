"""The factor of the inertia is that of elimination row by row, whatever rows are eliminated together."""

import mujoco
import numpy as np
import pytest

import tumble
from tests.tolerance import ROUND

# chains, branches, joints of one to six dofs, a tree of a single dof, and simple bodies, whose rows are diagonal
TREES = """<mujoco><worldbody>
  <body name="trunk" pos="0 0 1"><freejoint/><geom size=".2"/>
    <body name="arm" pos=".3 0 0"><joint type="ball"/><geom type="capsule" size=".05 .2"/>
      <body name="hand" pos="0 0 .4"><joint axis="1 0 0"/><joint axis="0 1 0"/><geom type="box" size=".1 .05 .02"/>
        <body pos=".1 0 0"><joint axis="0 0 1"/><geom size=".03" pos=".1 0 0"/></body>
        <body pos="-.1 0 0"><joint axis="0 0 1"/><geom size=".03" pos="-.1 0 .1"/></body></body></body>
    <body pos="-.3 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".05 .2" pos="0 0 .2"/></body></body>
  <body pos="2 0 0"><joint type="slide"/><geom size=".1"/></body>
  <body pos="3 0 0"><freejoint/><geom size=".1"/></body>
  <body pos="4 0 0"><joint type="slide"/><joint type="slide" axis="0 1 0"/><joint type="hinge"/><geom size=".1"/></body>
</worldbody></mujoco>"""


@pytest.fixture(scope="module")
def pose():
    m = tumble.MjModel.from_xml_string(TREES)
    d = tumble.MjData(m)
    tumble.mj_integratePos(m, d.qpos, np.random.default_rng(0).normal(size=m.nv), 1)
    tumble.mj_forward(m, d)
    return m, d


def eliminate(m, M):
    """Factor a copy of M in compressed rows, one row after the other from the last; return (factor, inverse diagonal)."""
    L, inverse = np.array(M), np.empty(m.nv)
    for k in range(m.nv - 1, -1, -1):
        start, last = m.M_rowadr[k], m.M_rowadr[k] + m.M_rownnz[k] - 1
        inverse[k] = 1 / L[last]
        for a in range(last - 1, start - 1, -1):
            i = m.M_colind[a]
            s = L[a] * inverse[k]
            for c in range(m.M_rownnz[i]):
                L[m.M_rowadr[i] + c] -= s * L[start + c]
            L[a] = s
    return L, inverse


def test_rows_eliminated_together_have_the_bits_of_rows_one_by_one(pose):
    m, d = pose
    d.poison("qLD", "qLDiagInv")
    tumble.mj_factorM(m, d)
    L, inverse = eliminate(m, d.M)
    assert np.array_equal(d.qLD, L)
    assert np.array_equal(d.qLDiagInv, inverse)


def test_solutions_are_those_of_the_full_inertia(pose):
    m, d = pose
    full, b, x = np.zeros((m.nv, m.nv)), np.random.default_rng(1).normal(size=m.nv), np.zeros(m.nv)
    tumble.mj_fullM(m, full, d.qM)
    tumble.mj_solveM(m, d, x.reshape(1, -1), b.reshape(1, -1))
    np.testing.assert_allclose(full @ x, b, atol=ROUND)


def test_the_factor_is_that_of_the_reference(pose):
    m, d = pose
    ref = mujoco.MjModel.from_xml_string(TREES)
    data = mujoco.MjData(ref)
    data.qpos[:] = d.qpos
    mujoco.mj_forward(ref, data)
    np.testing.assert_allclose(d.qLD, data.qLD, atol=ROUND)
