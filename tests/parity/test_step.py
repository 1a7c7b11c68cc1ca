"""Whole steps against the oracle: pipeline quantities in order, one step, and a rollout, on
small models of every kind of part.
"""

import pathlib

import mujoco
import numpy as np
import pytest

import tumble
from tests.laws.models import CHAIN, PILE, RESTING
from tests.tolerance import ITER, SOLVE, difference

HUMANOID = (pathlib.Path(__file__).resolve().parents[2] / "assets" / "models" / "humanoid.xml").read_text()
PIPELINE = """xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat cam_xpos cam_xmat light_xpos\
 light_xdir
subtree_com cdof cinert ten_length actuator_length crb qM qLD cvel cdof_dot qfrc_spring qfrc_damper qfrc_passive qfrc_bias\
 act_dot
actuator_force qfrc_actuator qfrc_smooth qacc_smooth efc_pos efc_D efc_aref efc_force qfrc_constraint qacc sensordata""".split()
# forces of stiff constraints are large and come out of an iteration
LOOSE = {"efc_force": ITER, "qfrc_constraint": ITER, "qacc": ITER, "sensordata": ITER, "efc_aref": 1e-8}

TENDONS = """
<mujoco>
  <option integrator="{integrator}"/>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body pos="0 0 .5"><joint name="a" axis="0 1 0" range="-60 60" damping=".1" frictionloss=".05"/>
      <geom type="capsule" size=".04 .2" pos=".2 0 0" euler="0 90 0"/>
      <site name="s1" pos=".1 0 .05"/>
      <body pos=".4 0 0"><joint name="b" axis="0 1 0" range="-90 20" armature=".01"/>
        <geom type="capsule" size=".03 .2" pos=".2 0 0" euler="0 90 0"/>
        <site name="s2" pos=".2 0 .05"/></body></body>
    <body pos="1 0 .5"><joint name="c" type="slide" axis="0 0 1" stiffness="20"/><geom size=".08"/></body>
    <body pos="0 1 .5"><joint name="e" type="ball" range="0 40"/><geom type="ellipsoid" size=".1 .2 .05"/></body>
  </worldbody>
  <tendon>
    <fixed name="f" range="-.3 .3" stiffness="3" damping=".2"><joint joint="a" coef="1"/><joint joint="b" coef="-.5"/></fixed>
    <spatial name="p" frictionloss=".02"><site site="s1"/><site site="s2"/></spatial>
  </tendon>
  <equality><joint joint1="b" joint2="c" polycoef="0 .5 0 0 0"/></equality>
  <actuator><motor name="drive" joint="a" ctrlrange="-1 1"/><position joint="b" kp="20" dampratio="1"/>
    <velocity tendon="f" kv="2"/>
    <general joint="c" dyntype="filter" dynprm=".1" gainprm="5" biastype="affine" biasprm="0 -2 -1" actrange="-1 1"/></actuator>
  <sensor><jointpos joint="a"/><tendonpos tendon="p"/><actuatorfrc actuator="drive"/><framequat objtype="site" objname="s2"/>
    </sensor>
</mujoco>
"""
MODELS = {
    "chain": CHAIN.format(gravity=-9.81, timestep=0.002, integrator="Euler", root="<freejoint/>"),
    "chain implicit": CHAIN.format(gravity=-9.81, timestep=0.002, integrator="implicit", root="<freejoint/>"),
    "chain rk4": CHAIN.format(gravity=-9.81, timestep=0.002, integrator="RK4", root="<freejoint/>"),
    "resting": RESTING.format(cone="pyramidal", solver="Newton", jacobian="auto", friction="1"),
    "resting elliptic": RESTING.format(cone="elliptic", solver="Newton", jacobian="auto", friction="1"),
    "resting sparse": RESTING.format(cone="elliptic", solver="Newton", jacobian="sparse", friction="1"),
    "boxes": PILE.format(cone="pyramidal", count=5, shape="box"),
    "ellipsoids": PILE.format(cone="elliptic", count=4, shape="ellipsoid"),
    "tendons": TENDONS.format(integrator="Euler"),
    "tendons implicitfast": TENDONS.format(integrator="implicitfast"),
    "humanoid": HUMANOID,
}


@pytest.fixture(params=MODELS, scope="module")
def pair(request):
    """Both engines after 60 steps with controls, in the same state."""
    xml = MODELS[request.param]
    ref, m = mujoco.MjModel.from_xml_string(xml), tumble.MjModel.from_xml_string(xml)
    ref_data, d = mujoco.MjData(ref), tumble.MjData(m)
    rng = np.random.default_rng(7)
    ref_data.qvel[:] = 0.3 * rng.normal(size=ref.nv)
    ref_data.ctrl[:] = 0.5 * rng.normal(size=ref.nu)
    for _ in range(60):
        mujoco.mj_step(ref, ref_data)
    return ref, ref_data, m, d


def copy_state(ref, ref_data, m, d):
    kind = int(mujoco.mjtState.mjSTATE_INTEGRATION)
    state = np.empty(mujoco.mj_stateSize(ref, kind))
    mujoco.mj_getState(ref, ref_data, state, kind)
    tumble.mj_setState(m, d, state, kind)
    return state


def test_pipeline(pair):
    ref, ref_data, m, d = pair
    copy_state(*pair)
    # a reset zeroes what lies beside the diagonal of simple bodies in qM, and no stage writes it again
    d.poison(*(n for n in PIPELINE if not n.startswith("efc") and n != "qM"))
    mujoco.mj_forward(ref, ref_data)
    tumble.mj_forward(m, d)
    assert (d.ncon, d.nefc) == (ref_data.ncon, ref_data.nefc)
    for name in PIPELINE:
        gap = difference(np.asarray(getattr(d, name)), np.asarray(getattr(ref_data, name)))
        assert gap <= LOOSE.get(name, SOLVE), f"{name}: {gap:.3g}"


def test_one_step(pair):
    ref, ref_data, m, d = pair
    copy_state(*pair)
    mujoco.mj_step(ref, ref_data)
    tumble.mj_step(m, d)
    for name in ("qpos", "qvel", "act", "time"):
        assert difference(np.atleast_1d(getattr(d, name)), np.atleast_1d(getattr(ref_data, name))) <= SOLVE * 100, name


def test_rollout_diverges_no_faster_than_the_oracle_from_itself(pair):
    ref, ref_data, m, d = pair
    state = copy_state(*pair)
    kind = int(mujoco.mjtState.mjSTATE_INTEGRATION)
    shaken = mujoco.MjData(ref)
    mujoco.mj_setState(ref, shaken, state, kind)
    shaken.qpos += 1e-13 * np.random.default_rng(8).normal(size=ref.nq)
    for _ in range(150):
        mujoco.mj_step(ref, ref_data)
        mujoco.mj_step(ref, shaken)
        tumble.mj_step(m, d)
    own, theirs = difference(d.qpos, ref_data.qpos), difference(shaken.qpos, ref_data.qpos)
    assert own <= max(100 * theirs, 1e-9), f"{own:.3g} against {theirs:.3g}"
