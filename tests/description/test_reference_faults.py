"""Intentional differences from the reference for edited specs: faults of 3.4.0, each with its reason.

`FAULTS` is the table: name, reason, edits (the same for both packages; they return a result), the reference's result,
this package's result.
"""

import mujoco
import numpy as np
import pytest

import tumble

from .edits import CHILD, PARENT

TWO = """<mujoco><worldbody><body name="a" pos="1 0 0"><joint name="j"/><geom size=".1"/></body><body name="c">
    <geom size=".2"/></body></worldbody>
  <keyframe><key name="k" qpos=".3"/></keyframe></mujoco>"""
FUSED = """<mujoco><compiler fusestatic="true"/><worldbody><body name="a"><joint/><geom size=".1"/><body name="b" pos="1 0 0">
    <geom size=".1"/></body></body>
  </worldbody></mujoco>"""


def frame_moved_after_compiling(mj):
    spec = mj.MjSpec()
    frame = spec.worldbody.add_frame(pos=[1, 0, 0])
    frame.attach_body(mj.MjSpec.from_string(TWO).body("c"), "p", "")
    spec.compile()
    frame.pos = [2, 0, 0]
    return float(spec.compile().body_pos[1, 0])


def inertia_given_after_compiling(mj):
    spec = mj.MjSpec.from_string(TWO)
    spec.compile()
    spec.body("c").explicitinertial = True
    return float(spec.compile().body_mass[2]) > 0


def geom_deleted_after_compiling(mj):
    spec = mj.MjSpec.from_string(TWO)
    spec.compile()
    spec.delete(spec.body("c").geoms[0])
    return spec.compile().nbvhstatic


def compiled_twice_with_fusestatic(mj):
    spec = mj.MjSpec.from_string(FUSED)
    spec.compile()
    return len(spec.bodies)


def controls_of_attached_keys(mj):
    spec = mj.MjSpec.from_string(PARENT)
    spec.worldbody.add_frame().attach_body(mj.MjSpec.from_string(CHILD).body("arm"), "p", "")
    spec.delete(spec.tuples[0])
    spec.delete(spec.body("phand"))
    return float(np.abs(spec.compile().key_ctrl).max())


def keys_of_copies(mj):
    spec = mj.MjSpec.from_string(TWO)
    spec.compile()
    spec = spec.copy()
    spec.delete(spec.body("c"))
    return spec.compile().key_qpos.tolist()


def discarding_after_compiling(mj):
    spec = mj.MjSpec.from_string(
        """<mujoco><asset><material name="m"/></asset><worldbody><geom size="1" material="m"/></worldbody></mujoco>"""
    )
    spec.compile()
    spec.compiler.discardvisual = True
    try:
        return spec.compile().nmat
    except ValueError:
        return "raises"


def deletion_that_fails(mj):
    spec = mj.MjSpec.from_string(TWO)
    spec.key("k").qpos = [1, 2, 3, 4]
    try:
        spec.delete(spec.body("c"))
    except ValueError:
        return "raises"
    return len(spec.bodies)


def renamed_after_compiling(mj):
    spec = mj.MjSpec.from_string(TWO)
    spec.add_actuator(target="j", trntype=mj.mjtTrn.mjTRN_JOINT).set_to_motor()
    spec.compile()
    spec.joints[0].name = "k"
    spec.delete(spec.bodies[1])
    return len(spec.actuators)


def reference_added_after_compiling(mj):
    spec = mj.MjSpec.from_string(TWO)
    spec.compile()
    body = spec.worldbody.add_body(name="new")
    body.add_geom(size=[0.1, 0, 0])
    spec.add_actuator(target="new", trntype=mj.mjtTrn.mjTRN_BODY)
    spec.delete(body)
    return len(spec.actuators)


def texture_of_a_discarded_material(mj):
    spec = mj.MjSpec.from_string(
        """<mujoco><compiler discardvisual="true"/><asset><texture name="t" type="2d" builtin="flat" width="2" height="2"/>
        <material name="m" texture="t"/></asset><worldbody><geom size="1"/></worldbody></mujoco>"""
    )
    spec.compile()
    return len(spec.textures)


FAULTS = (
    (frame_moved_after_compiling, "poses of frames are compiled once and never again", 1.0, 2.0),
    (
        inertia_given_after_compiling,
        "a body that gets an inertia of its own keeps what was inferred from its geoms before",
        True,
        False,
    ),
    (geom_deleted_after_compiling, "the bounding volumes of a body outlive its last geom", 2, 1),
    (
        compiled_twice_with_fusestatic,
        "compiling takes fused bodies out of the spec, and their geoms keep poses in bodies that are gone",
        2,
        3,
    ),
    (
        controls_of_attached_keys,
        "controls and activations of attached keys are lost when a body is deleted before compiling",
        0.0,
        2.0,
    ),
    (keys_of_copies, "joints of a copy have no place in keys, which fall back to the reference pose", [[0]], [[0.3]]),
    (discarding_after_compiling, "geoms keep ids of materials that are discarded", "raises", 0),
    (
        renamed_after_compiling,
        "references are names until the first compilation and objects from then on; here they are names always",
        0,
        1,
    ),
    (
        reference_added_after_compiling,
        "what refers to a body that was added after compiling outlives it",
        1,
        0,
    ),
    (texture_of_a_discarded_material, "compiling takes textures that it discards out of the spec", 0, 1),
    (
        deletion_that_fails,
        "a deletion that fails for a wrong key raises nothing, deletes nothing and leaves the keys twice",
        3,
        "raises",
    ),
)


@pytest.mark.filterwarnings("ignore:Attaching a child")
@pytest.mark.parametrize(("edits", "reason", "theirs", "ours"), FAULTS, ids=[row[0].__name__ for row in FAULTS])
def test_faults_of_the_reference(edits, reason, theirs, ours):
    assert edits(mujoco) == theirs, reason
    assert edits(tumble) == ours, reason


def test_singular_inertias_are_refused_by_both():
    """Both refuse a singular inertia that makes a step produce NaN. The reference also refuses any other fault in the step
    that it makes while compiling; this package makes no such step.
    """
    text = TWO.replace('<joint name="j"/>', '<joint name="j"/><joint name="k"/>').replace('qpos=".3"', "")
    for mj in (mujoco, tumble):
        with pytest.raises(ValueError, match="QACC at DOF 0"):
            mj.MjSpec.from_string(text).compile()
