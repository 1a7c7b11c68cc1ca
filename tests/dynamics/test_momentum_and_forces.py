"""Subtree momentum, forces between bodies, fluid forces, and object velocities, against the
reference and against laws of mechanics.
"""

import mujoco
import numpy as np
import pytest

from tests.mirror import compare, difference, mirror, random_state
from tests.oracle import load_pair
from tests.tolerance import ROUND
from tumble.engine.core import stages

from .models import ACTUATORS, model

EQUALITIES = """
  <equality>
    <connect body1="free" body2="arm" anchor=".1 .2 .3"/><weld body1="block" body2="slider" torquescale=".5"/>
    <connect site1="c0" site2="a1"/><weld site1="pin" site2="w0"/><joint joint1="elbow" joint2="crank"/>
      <weld body1="free" anchor=".1 0 0"/>
  </equality>"""
FLUID = """<mujoco><option density="1.2" viscosity=".3" wind="1 -2 .5" jacobian="JAC"/><worldbody>
  <body><freejoint/><geom type="box" size=".1 .2 .3"/>
    <body pos=".3 0 0"><joint axis="1 1 0"/><geom type="ellipsoid" size=".1 .2 .3" fluidshape="ellipsoid"
      fluidcoef=".5 .25 1.5 1 .7"/>
      <geom type="capsule" size=".1 .2" pos="0 .3 .1" euler="20 30 40" fluidshape="ellipsoid"/>
        <geom type="cylinder" size=".1 .2" pos="0 .3 .1"/>
      <body pos="0 .5 0"><joint type="ball"/><geom type="sphere" size=".1" fluidshape="ellipsoid"/>
        <geom type="box" size=".1 .2 .05" fluidshape="ellipsoid"/></body>
      <body pos="0 -.5 0"><joint type="slide"/><geom type="cylinder" size=".1 .03" fluidshape="ellipsoid"
        fluidcoef="0 0 0 1 1"/></body></body></body>
  </worldbody></mujoco>"""


def tree(cone="pyramidal", condim=3):
    xml = model(extra=ACTUATORS + EQUALITIES, options=f'cone="{cone}"')
    return xml.replace('name="cube"', f'name="cube" condim="{condim}"').replace('name="floor"', 'name="floor" margin=".01"')


@pytest.mark.parametrize("seed", range(4))
def test_subtree_velocity(seed):
    ref, ref_data, m, d = load_pair(model())
    random_state(ref, ref_data, seed)
    mujoco.mj_subtreeVel(ref, ref_data)
    results = compare("subtree_vel", ref_data, m, d, ["subtree_linvel", "subtree_angmom"])
    assert max(results.values()) <= ROUND, results


def test_momentum_of_a_free_tree_is_its_generalised_momentum():
    ref, ref_data, m, d = load_pair(FLUID.replace("JAC", "dense"))
    random_state(ref, ref_data, 1)
    mirror(ref_data, d)
    stages.call("subtree_vel", m, d)
    # dofs 0..2 of a free joint move the whole tree: their momentum is mass times velocity of the centre of mass
    full = np.empty((ref.nv, ref.nv))
    mujoco.mj_fullM(ref, full, ref_data.qM)
    np.testing.assert_allclose(ref.body_subtreemass[1] * d.subtree_linvel[1], (full @ ref_data.qvel)[:3], rtol=0, atol=1e-10)


@pytest.mark.parametrize("condim", [1, 3, 4, 6])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_forces_between_bodies(cone, condim):
    ref, ref_data, m, d = load_pair(tree(cone, condim))
    random_state(ref, ref_data, 5)
    ref_data.joint("free").qpos = -2, 1, 0.05, 1, 0, 0, 0
    mujoco.mj_forward(ref, ref_data)
    mujoco.mj_rnePostConstraint(ref, ref_data)
    assert ref_data.ncon >= 4
    assert ref_data.ne >= 20
    results = compare("rne_post", ref_data, m, d, ["cacc", "cfrc_int", "cfrc_ext"])
    assert max(results.values()) <= ROUND, results
    result, theirs = np.empty(6), np.empty(6)
    for k in range(ref_data.ncon):
        result.fill(np.nan)
        stages.call("contact_force", m, d, k, result.ctypes.data)
        mujoco.mj_contactForce(ref, ref_data, k, theirs)
        assert difference(result, theirs) <= ROUND


def test_weight_at_rest_is_the_internal_force_of_the_root():
    ref, ref_data, m, d = load_pair(model())
    mirror(ref_data, d)
    mujoco.mj_forward(ref, ref_data)
    ref_data.qacc[:] = 0
    mirror(ref_data, d)
    stages.call("rne_post", m, d)
    block = ref.body("block").id
    np.testing.assert_allclose(d.cfrc_int[block, 5], 9.81 * ref.body_subtreemass[block], rtol=1e-12)


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("seed", range(4))
def test_fluid_forces(seed, jacobian):
    ref, ref_data, m, d = load_pair(FLUID.replace("JAC", jacobian))
    random_state(ref, ref_data, seed)
    mirror(ref_data, d)
    d.qfrc_fluid = 0
    stages.call("fluid", m, d)
    assert np.abs(ref_data.qfrc_fluid).max() > 1e-3
    assert difference(d.qfrc_fluid, ref_data.qfrc_fluid) <= ROUND


@pytest.mark.parametrize("who", ["parent", "child", "both"])
def test_gravity_compensation_goes_to_dofs_of_compensated_bodies(who):
    on = [f'gravcomp="{g}"' if who in (name, "both") else "" for name, g in (("parent", 0.5), ("child", 1.2))]
    pair = load_pair(f"""<mujoco><worldbody><body {on[0]}><joint axis="0 1 0" pos="-.3 0 0"/><geom size=".1"/>
        <body pos=".3 0 0" {on[1]}><joint axis="0 1 0"/><joint type="slide" actuatorgravcomp="true"/>\
<geom size=".1" pos=".2 0 0"/></body></body></worldbody>
        </mujoco>""")
    random_state(*pair[:2])
    ref_data = pair[1]
    results = compare("passive", *pair[1:], ["qfrc_gravcomp", "qfrc_passive"])
    assert max(results.values()) <= ROUND
    # the child's slide joint gets its share from its actuators, the parent's hinge only if the parent is compensated
    assert list(ref_data.qfrc_passive != 0) == [who != "child", who != "parent", False]


@pytest.mark.parametrize("local", [0, 1])
@pytest.mark.parametrize("kind", ["BODY", "XBODY", "GEOM", "SITE", "CAMERA"])
def test_velocity_and_acceleration_of_objects(kind, local):
    xml = (
        model()
        .replace('name="c0"', 'name="c9"')
        .replace('<site name="a0"', '<camera name="eye" pos=".1 .2 .3"/><site name="a0"')
        .replace('"c0"', '"c9"')
    )
    ref, ref_data, m, d = load_pair(xml)
    random_state(ref, ref_data, 3)
    mujoco.mj_rnePostConstraint(ref, ref_data)
    mirror(ref_data, d)
    obj = getattr(mujoco.mjtObj, f"mjOBJ_{kind}")
    count = {"BODY": ref.nbody, "XBODY": ref.nbody, "GEOM": ref.ngeom, "SITE": ref.nsite, "CAMERA": ref.ncam}[kind]
    mine, theirs = np.empty(6), np.empty(6)
    for name, function in (
        ("object_velocity", mujoco.mj_objectVelocity),
        ("object_acceleration", mujoco.mj_objectAcceleration),
    ):
        for i in range(count):
            mine.fill(np.nan)
            stages.call(name, m, d, int(obj), i, mine.ctypes.data, local)
            function(ref, ref_data, obj, i, theirs, local)
            assert difference(mine, theirs) <= ROUND
