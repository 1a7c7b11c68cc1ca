"""Limits in the view: the mark reaches the ends of its range where the joint reaches its limits."""

import numpy as np
import pytest

from tests.ui.null import Stage
from tumble import engine as mj
from tumble.app.config import Config
from tumble.ui import limits

XML = """<mujoco><compiler angle="degree"/><worldbody>
<body name="a" pos=".3 -.2 1" euler="20 -30 50"><joint name="turn" axis="1 2 .5" range="-70 40"/>
 <geom type="capsule" fromto="0 0 0 .3 .1 .2" size=".04"/>
 <body name="b" pos=".3 .1 .2"><joint name="on_its_axis" axis="0 0 1" range="0 200"/><geom size=".05"/>
  <body name="c" pos="0 0 .2"><joint name="slide" type="slide" axis="1 1 0" range="-.1 .3"/>
   <joint name="free" axis="0 1 0"/><geom size=".05" pos=".1 0 0"/></body></body></body></worldbody></mujoco>"""
# tolerance for rotations by matrices and by quaternions
EXACT = 1e-6


@pytest.fixture
def m():
    return mj.MjModel.from_xml_string(XML)


def at(m, joint, q, base):
    """The range of a joint at a position, with all other joints as in `base`."""
    d = mj.MjData(m)
    d.qpos[:] = base
    d.qpos[m.jnt_qposadr[joint]] = q
    mj.mj_forward(m, d)
    found = limits.range_of(m, d, joint)
    assert found is not None
    return found


@pytest.mark.parametrize("joint", range(3))
def test_the_mark_reaches_the_ends_at_the_limits(m, joint):
    rng = np.random.default_rng(joint)
    base = m.qpos0 + 0.3 * rng.normal(size=m.nq)
    low, high = m.jnt_range[joint]
    paths = []
    for q in (low, 0.3 * low + 0.7 * high, high):
        found = at(m, joint, q, base)
        paths.append(found.path)
        tip = found.mark.mean(axis=0) if m.jnt_type[joint] == limits.SLIDE else found.mark[1]
        here = found.path[0] if q == low else found.path[-1] if q == high else None
        if here is not None:
            assert np.allclose(tip, here, atol=EXACT)
    # the range is fixed to the parent: it stays while the joint moves
    assert all(np.allclose(path, paths[0], atol=EXACT) for path in paths)


def test_only_selected_joints_with_limits_are_drawn(m, gui):
    stage = Stage(gui, m, mj.MjData(m), Config())
    last = m.nbody - 1
    for element, joints in (
        (("joint", 0), [0]),
        (("joint", 3), []),
        (("geom", 0), []),
        (("body", last), [2]),
        (("body", 0), []),
    ):
        stage.view.element = element
        assert limits.chosen(stage.context()) == joints, element


def test_a_state_that_is_not_finite_draws_nothing(m):
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    d.qpos[0] = np.nan
    assert limits.range_of(m, d, 0) is None
