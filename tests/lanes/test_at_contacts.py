"""Actuators that act at contacts, on lanes: contacts are found before them."""

import numpy as np
import pytest

import tumble as mj
from tests.lanes.test_lanes import bits_wherever_a_world_is, distance, side_by_side
from tests.tolerance import LANES_CONSTRAINED
from tumble.engine.lanes.program import program_of

# a ball and a box that stick to the ground, beside an arm with a motor and a tendon
SCENE = """<mujoco><option integrator="{integrator}" cone="{cone}" timestep=".004"/>
  <worldbody><geom type="plane" size="3 3 .1"/>
    <body name="ball" pos="0 0 .099"><freejoint/><geom size=".1" condim="4"/></body>
    <body name="foot" pos=".3 0 .1"><freejoint/><geom type="box" size=".1 .1 .099"/></body>
    <body pos="-.4 0 .5"><joint name="a" axis="0 1 0" range="-50 50"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 -.3"/>
      <body pos=".3 0 -.3"><joint name="b" axis="0 1 0"/><geom size=".06"/></body></body>
  </worldbody>
  <tendon><fixed name="t"><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon>
  <actuator><adhesion body="ball" ctrlrange="0 1" gain="20"/><motor joint="a"/><position tendon="t" kp="2" kv=".1"/>
    <adhesion body="foot" ctrlrange="0 1" gain="30"/></actuator>
</mujoco>"""
CONES = {"Euler": "pyramidal", "RK4": "elliptic", "implicitfast": "pyramidal", "implicit": "elliptic"}


@pytest.fixture(scope="module", params=CONES)
def sticking(request):
    return mj.MjModel.from_xml_string(SCENE.format(integrator=request.param, cone=CONES[request.param]))


def test_steps_are_those_of_a_single_world_but_for_rounding(sticking):
    assert not isinstance(program_of(sticking), str)
    names, pulls = ("qacc", "qfrc_actuator", "actuator_force", "actuator_velocity"), 0.0
    for one, many, bound in side_by_side(sticking, names, 40):
        assert distance(one.state, many.state) <= LANES_CONSTRAINED
        for n in names:
            assert distance(bound[0][n], bound[1][n]) <= LANES_CONSTRAINED, n
        # the first six dofs are those of the ball, which only adhesion moves
        pulls = max(pulls, np.abs(bound[0]["qfrc_actuator"][:, :6]).max())
    assert pulls > 1


def test_bits_do_not_depend_on_neighbors(sticking):
    bits_wherever_a_world_is(sticking)
