"""Analytical derivatives of smooth forces with respect to velocity against MuJoCo's, with both implicit integrators."""

import mujoco
import numpy as np
import pytest

import tumble
from tests.oracle import copy_state, load_pair
from tests.tolerance import SOLVE, close
from tumble.engine.core import stages

MODEL = """
<mujoco>
  <option integrator="{integrator}" density="{density}" viscosity="{viscosity}" wind=".3 -.2 .5" jacobian="{jacobian}">
    <flag contact="disable"/></option>
  <worldbody>
    <body pos="0 0 1"><freejoint/><geom size=".1 .2 .3" type="box"/>
      <body pos=".3 0 0"><joint type="ball" damping=".1"/><geom type="capsule" size=".05 .2" fluidshape="{shape}"/>
        <body pos="0 .2 0"><joint name="h" axis="0 1 0"/><joint name="s" type="slide" axis="1 0 0"/>
          <geom type="ellipsoid" size=".1 .15 .06" fluidshape="{shape}"/></body></body>
      <body pos="-.3 0 0"><joint name="k" axis="1 1 0"/><geom type="cylinder" size=".05 .2" fluidshape="{shape}"/></body></body>
    <body pos="2 0 0"><joint/><geom size=".1" pos=".1 .2 0"/>
      <body pos="0 0 .3"><geom size=".1"/><body><joint name="e" axis="1 0 0"/>
        <geom size=".2" pos=".3 0 0" fluidshape="{shape}"/></body></body></body>
  </worldbody>
  <tendon><fixed name="t" damping=".7"><joint joint="h" coef="1"/><joint joint="k" coef="-.5"/></fixed></tendon>
  <actuator><general joint="h" gaintype="affine" gainprm="1 2 3" biastype="affine" biasprm="0 -1 -2"/>
    <velocity tendon="t" kv="2"/>
    <muscle joint="e" lengthrange="-1 1"/></actuator>
</mujoco>
"""


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast"])
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize(
    ("density", "viscosity", "shape"), [(0, 0, "none"), (40, 3, "none"), (40, 3, "ellipsoid"), (0, 3, "ellipsoid")]
)
def test_derivative_of_smooth_forces(integrator, jacobian, density, viscosity, shape):
    ref, ref_data, m, d = load_pair(
        MODEL.format(integrator=integrator, jacobian=jacobian, density=density, viscosity=viscosity, shape=shape)
    )
    rng = np.random.default_rng(2)
    ref_data.qpos[:] += 0.2 * rng.normal(size=ref.nq)
    ref_data.qvel[:], ref_data.ctrl[:] = rng.normal(size=ref.nv), rng.uniform(size=ref.nu)
    mujoco.mj_normalizeQuat(ref, ref_data.qpos)
    copy_state(ref_data, d)
    mujoco.mj_forward(ref, ref_data)
    tumble.mj_forward(m, d)
    close(d.qfrc_passive, ref_data.qfrc_passive, SOLVE, "passive forces")
    mujoco.mj_implicit(ref, ref_data)
    d.poison("qDeriv")
    stages.call("implicit", m, d)
    close(d.qDeriv, ref_data.qDeriv, SOLVE, "derivative")
    close(d.qvel, ref_data.qvel, SOLVE, "velocity after a step")


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast"])
def test_trees_that_sleep_are_left_out(integrator):
    """The derivatives and the kinetic energy of trees that move, while another tree sleeps."""
    text = MODEL.format(integrator=integrator, jacobian="sparse", density=40, viscosity=3, shape="ellipsoid")
    text = text.replace('<flag contact="disable"/>', '<flag contact="disable" sleep="enable" energy="enable"/>')
    text = (
        text.replace('<body pos="2 0 0">', '<body pos="2 0 0" sleep="init">')
        .replace("<muscle", "<!-- ")
        .replace('lengthrange="-1 1"/>', "-->")
    )
    ref, ref_data, m, d = load_pair(text)
    moving = ref.jnt("e").dofadr[0] - 1
    ref_data.qvel[:moving] = np.random.default_rng(2).normal(size=moving)
    copy_state(ref_data, d)
    # A step must not read what these contain for sleeping trees.
    d.poison("qLU", "qH", "qHDiagInv")
    mujoco.mj_step(ref, ref_data)
    tumble.mj_step(m, d)
    assert d.nv_awake == ref_data.nv_awake == moving
    close(d.qDeriv[: ref.D_rowadr[moving]], ref_data.qDeriv[: ref.D_rowadr[moving]], SOLVE, "derivative")
    close(d.qvel, ref_data.qvel, SOLVE, "velocity after a step")
    close(d.energy, ref_data.energy, SOLVE, "energy")
