"""The inertia and its factor are those of the definitions, row by row, whatever rows are computed together."""

import contextlib

import mujoco
import numpy as np
import pytest

import tumble
from tests.tolerance import ROUND
from tumble.engine.core import debug
from tumble.engine.dynamics import branches
from tumble.engine.machine.layout import PACK

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


# Pieces of branches that end, begin and fork at the edges of packs: 8, 16 and 24 dofs below the root.
DEPTHS = (7, 8, 9, 15, 16, 17, 24, 33)


def deep():
    """Return the text of a model of chains, each of which forks twice, and ends a little below."""
    random = np.random.default_rng(3)

    def link(inner):
        axis, pos, kind = random.normal(size=3), random.uniform(-0.2, 0.2, 3), random.choice(["hinge", "slide"])
        joint = f'<joint type="{kind}" axis="{axis[0]} {axis[1]} {axis[2]}" armature="{random.uniform(0, 0.2)}"/>'
        geom = '<geom type="capsule" size=".05 .1" pos=".02 .03 0" contype="0" conaffinity="0"/>'
        return f'<body pos="{pos[0]} {pos[1]} {pos[2]}">{joint}{geom}{inner}</body>'

    def chain(n, end=""):
        for _ in range(n):
            end = link(end)
        return end

    trees = "".join(chain(n, chain(1) + chain(2, chain(1) + chain(3)) + chain(4)) for n in DEPTHS)
    return f"<mujoco><worldbody>{trees}</worldbody></mujoco>"


def shallow():
    """Return the text of a model whose rows are too short for packs: pairs of hinges, and forks of them."""
    hinge = '<joint axis="{} 1 .3"/><geom type="box" size=".1 .05 .02" pos=".1 0 .05" contype="0" conaffinity="0"/>'
    leaf = f'<body pos=".3 0 0">{hinge.format(1)}</body>'
    tree = f'<body>{hinge.format(-1)}<body pos=".2 .1 0">{hinge.format(2)}{leaf}{leaf}</body>{leaf}</body>'
    return f"<mujoco><worldbody>{tree}{leaf}{tree}</worldbody></mujoco>"


@pytest.fixture(scope="module", params=["joints", "deep", "shallow"])
def pose(request):
    text = {"joints": lambda: TREES, "deep": deep, "shallow": shallow}[request.param]()
    m = tumble.MjModel.from_xml_string(text)
    assert (m.nC < branches.LONG * m.nv) == (request.param == "shallow")
    d = tumble.MjData(m)
    tumble.mj_integratePos(m, d.qpos, np.random.default_rng(0).normal(size=m.nv), 1)
    tumble.mj_forward(m, d)
    ref = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(ref)
    data.qpos[:] = d.qpos
    mujoco.mj_forward(ref, data)
    return m, d, data


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


def relative(x):
    """Return the error that rounding may cause in numbers of this size."""
    return ROUND * max(1, np.abs(x).max())


@pytest.mark.parametrize("how", ["compiled", "python"])
def test_rows_computed_together_have_the_bits_of_rows_one_by_one(pose, how):
    m, d, data = pose
    d.poison("M", "qLD", "qLDiagInv", "work_front", "work_front_rest")
    with debug.interpreted("make_inertia", "factor_inertia") if how == "python" else contextlib.nullcontext():
        tumble.mj_makeM(m, d)
        d.poison("work_front", "work_front_rest")
        tumble.mj_factorM(m, d)
    np.testing.assert_allclose(d.M, data.M, rtol=0, atol=relative(data.M))
    L, inverse = eliminate(m, d.M)
    assert np.array_equal(d.qLD, L)
    assert np.array_equal(d.qLDiagInv, inverse)


def test_the_scratch_of_branches_is_one_piece(pose):
    m, d, _ = pose
    assert d.work_front.nbytes == 8 * branches.FRONT
    assert d.work_front.ctypes.data + d.work_front.nbytes == d.work_front_rest.ctypes.data
    for n in range(1, 200):
        # all rows of a branch of n dofs, up to the end of a block, and the axes of as many blocks
        blocks = (n + PACK - 1) // PACK
        room = branches.FRONT + n * n
        assert 4 * PACK * blocks * (blocks + 1) <= room and 6 * PACK * blocks <= room


def test_solutions_are_those_of_the_full_inertia(pose):
    m, d, _ = pose
    tumble.mj_factorM(m, d)
    full, b, x = np.zeros((m.nv, m.nv)), np.random.default_rng(1).normal(size=m.nv), np.zeros(m.nv)
    tumble.mj_fullM(m, full, d.qM)
    # a right side with zeros, whose rows are skipped
    b[m.nv // 2 :: 3] = 0
    tumble.mj_solveM(m, d, x.reshape(1, -1), b.reshape(1, -1))
    np.testing.assert_allclose(full @ x, b, atol=relative(np.abs(full) @ np.abs(x)))


def test_the_factor_is_that_of_the_reference(pose):
    m, d, data = pose
    tumble.mj_factorM(m, d)
    np.testing.assert_allclose(d.qLD, data.qLD, rtol=0, atol=relative(data.qLD))
