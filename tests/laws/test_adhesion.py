"""Contacts that pull (`adhesion` of geoms and pairs)."""

import numpy as np
import pytest

import tumble as mj
from tumble.engine.lanes.order import obstacle

STICKY, WEIGHT = 5.0, 2.0
# what the solver leaves of forces that balance
BALANCED = 1e-6
SCENE = """<mujoco><option timestep=".002" cone="{cone}" tolerance="1e-14"/><worldbody>\
<geom type="plane" size="1 1 1" adhesion="{sticky}" gap=".01"/>
  <body pos="0 0 .1"><freejoint/><geom size=".1" mass="{mass}" {more}/></body></worldbody></mujoco>"""


def at_rest(sticky, cone, pull=0.0, more=""):
    m = mj.MjModel.from_xml_string(SCENE.format(sticky=sticky, cone=cone, mass=WEIGHT / 9.81, more=more), compat="4.0")
    d = mj.MjData(m)
    for k in range(3000):
        d.qfrc_applied[2] = pull * min(1.0, k / 1000)
        mj.mj_step(m, d)
    mj.mj_forward(m, d)
    return m, d


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_a_contact_holds_up_to_its_adhesion(cone):
    """A ball is pulled upwards: what its weight and the adhesion do not hold leaves; the force
    between both is what balances the rest.
    """
    for pull in (0.0, WEIGHT, WEIGHT + 0.9 * STICKY):
        m, d = at_rest(STICKY, cone, pull)
        force = np.zeros(6)
        mj.mj_contactForce(m, d, 0, force)
        assert d.ncon == 1
        assert abs(force[0] - (WEIGHT - pull)) < BALANCED * WEIGHT + abs(d.qacc[2])
        assert abs(d.qvel[2]) < BALANCED
    _, d = at_rest(STICKY, cone, WEIGHT + 1.1 * STICKY)
    assert d.qpos[2] > 1
    _, d = at_rest(0, cone, 1.1 * WEIGHT)
    assert d.qpos[2] > 1


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_adhesion_does_not_press(cone):
    """What lies on the ground lies as deep with adhesion as without."""
    (_, one), (_, two) = at_rest(0, cone), at_rest(100, cone)
    assert abs(one.qpos[2] - two.qpos[2]) < BALANCED


def test_friction_holds_what_is_light():
    """The budget of friction is mu (f + adhesion): a ball that weighs next to nothing is not pushed aside
    by less than mu times the adhesion.
    """
    m = mj.MjModel.from_xml_string(
        SCENE.format(sticky=STICKY, cone="elliptic", mass=0.02, more='friction=".5"')
        .replace("<option", '<option impratio="1000"')
        .replace("freejoint/", 'joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/')
        .replace("<geom type", '<geom friction=".5" type')
        .replace("0 0 .1", "0 0 .0999"),
        compat="4.0",
    )
    d = mj.MjData(m)
    for share, moves in ((0.8, False), (1.5, True)):
        mj.mj_resetData(m, d)
        for _ in range(500):
            d.qfrc_applied[0] = share * 0.5 * STICKY
            mj.mj_step(m, d)
        assert (abs(d.qvel[0]) > 0.1) == moves


def test_the_gap_attracts():
    """Within the gap a contact pulls at a distance: a ball that hangs below a ceiling of magnets rises to it."""
    m = mj.MjModel.from_xml_string(
        """<mujoco><worldbody><geom type="plane" size="1 1 1" zaxis="0 0 -1" pos="0 0 1" adhesion="9" gap=".05"/>
      <body pos="0 0 .87"><freejoint/><geom size=".1" mass=".1"/></body></worldbody></mujoco>""",
        compat="4.0",
    )
    d = mj.MjData(m)
    mj.mj_step(m, d, 1000)
    assert d.ncon == 1
    assert 0.89 < d.qpos[2] < 0.91
    assert m.flg_adhesion
    assert "pull" in obstacle(m)
