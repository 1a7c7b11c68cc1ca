"""Values that later releases keep or refuse, unlike 3.4: gains of classes, states over recompilation, integrators of flexes,
derivatives of early activations, and off-center pictures. The numbers are those of 4.0.1.
"""

import numpy as np
import pytest

import tumble

ON = "<worldbody><body name='b'><joint name='j'/><geom size='.1'/></body></worldbody>"
GENERAL = (
    "<general dyntype='filter' dynprm='123' gainprm='5 6' biastype='affine' biasprm='1 2 3' ctrlrange='0 9'/>"
    "<default class='k'><{}/></default>"
)


def load(text, compat="4.0"):
    return tumble.MjModel.from_xml_string(text, compat=compat)


def drive(own, defaults, compat="4.0"):
    """Numbers of an actuator: kinds, gainprm, biasprm, dynprm."""
    m = load(f"<mujoco><default>{defaults}</default>{ON}<actuator><{own}/></actuator></mujoco>", compat)
    kinds = [int(x[0]) for x in (m.actuator_gaintype, m.actuator_biastype, m.actuator_dyntype)]
    return kinds, m.actuator_gainprm[0, :3].tolist(), m.actuator_biasprm[0, :3].tolist(), float(m.actuator_dynprm[0, 0])


# shortcut, its attributes, and what it takes from a class that `general` set
TAKEN = (
    ("motor", "joint='j'", ([0, 0, 0], [1, 0, 0], [0, 0, 0], 1)),
    ("velocity", "joint='j'", ([0, 1, 0], [5, 0, 0], [0, 0, -5], 1)),
    ("adhesion", "body='b' ctrlrange='0 1'", ([0, 0, 0], [5, 0, 0], [0, 0, 0], 1)),
    ("cylinder", "joint='j'", ([0, 1, 2], [5, 0, 0], [1, 2, 3], 123)),
    ("cylinder", "joint='j' timeconst='3' area='2' bias='4 5 6'", ([0, 1, 2], [2, 0, 0], [4, 5, 6], 3)),
    ("position", "joint='j' kp='3' kv='4'", ([0, 1, 0], [3, 0, 0], [0, -3, -4], 1)),
)


@pytest.mark.parametrize("name, attributes, wanted", TAKEN)
def test_shortcuts_take_their_arguments_alone(name, attributes, wanted):
    general = GENERAL.partition("<default")[0]
    assert drive(f"{name} {attributes}", general) == wanted
    assert drive(f"{name} {attributes}", general, "3.4") != wanted


def test_dampers_keep_the_damping_of_their_class():
    kept = "<default class='k'><damper kv='3' ctrlrange='0 1'/></default>"
    for own, wanted in (("", -3), ("ctrlrange='0 2'", -3), ("kv='5'", -5)):
        assert drive(f"damper joint='j' class='k' {own}", kept)[1][2] == wanted
    assert drive("damper joint='j' class='k'", kept, "3.4")[1][2] == 0
    with pytest.raises(ValueError, match="damping"):
        drive("damper joint='j' ctrlrange='0 1'", "<general gaintype='affine' gainprm='5 6 7'/>")


def test_recompiling_keeps_what_is_applied():
    text = (
        "<mujoco><compiler compat='{}'/><worldbody><body name='a'><freejoint/><geom size='.1'/></body>"
        "<body name='b' pos='1 0 0'><freejoint/><geom size='.1'/></body></worldbody>"
        "<equality><weld body1='a' body2='b'/></equality></mujoco>"
    )
    for compat, kept in (("3.4", False), ("4.0", True)):
        spec = tumble.MjSpec.from_string(text.format(compat))
        m = spec.compile()
        d = tumble.MjData(m)
        d.eq_active[0], d.qfrc_applied[:], d.xfrc_applied[1:], d.qacc_warmstart[:], d.qpos[0] = 0, 1, 2, 3, 0.5
        spec.worldbody.add_body(name="c", pos=[5, 5, 5]).add_freejoint()
        spec.body("c").add_geom(size=[0.1, 0, 0])
        m, d = spec.recompile(m, d)
        found = (d.eq_active[0] == 0, d.qfrc_applied[0] == 1, d.xfrc_applied[2, 0] == 2, d.qacc_warmstart[11] == 3)
        assert found == (kept,) * 4 and d.qpos[0] == 0.5
        assert not d.qfrc_applied[12:].any() and not d.xfrc_applied[3].any()


def test_early_activations_in_derivatives():
    text = (
        "<mujoco><option integrator='implicitfast' timestep='.01' gravity='0 0 0'/><worldbody><body>"
        "<joint axis='0 1 0' name='j'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body></worldbody>"
        "<actuator><general joint='j' dyntype='integrator' gaintype='affine' gainprm='0 0 -50' actearly='true'/></actuator>"
        "</mujoco>"
    )
    # force = -50 v a with the activation a at the end of the step, 1
    for compat, slope in (("3.4", 0), ("4.0", 50)):
        m = load(text, compat)
        d = tumble.MjData(m)
        d.qvel[0], d.ctrl[0] = 1, 100
        tumble.mj_step(m, d)
        assert d.qvel[0] == pytest.approx(1 - 0.01 * 50 / (1 + 0.01 * slope), abs=1e-12)


def test_pictures_move_up_with_the_principal_point():
    text = (
        "<mujoco><worldbody><camera name='c' resolution='64 48' focalpixel='50 50' principalpixel='7 12' sensorsize='1 1'/>"
        "</worldbody></mujoco>"
    )
    found = {}
    for compat in ("3.4", "4.0"):
        m = load(text, compat)
        d, scene, camera = tumble.MjData(m), tumble.MjvScene(m, 10), tumble.MjvCamera()
        camera.type, camera.fixedcamid = tumble.mjtCamera.mjCAMERA_FIXED, 0
        tumble.mj_forward(m, d)
        tumble.mjv_updateScene(m, d, tumble.MjvOption(), None, camera, 7, scene)
        found[compat] = scene.camera[0]
        if compat == "4.0":
            other = tumble.mjv_camera2GLCamera(m, d, camera)
            assert (other.frustum_top, other.frustum_bottom) == (scene.camera[0].frustum_top, scene.camera[0].frustum_bottom)
    old, new = found["3.4"], found["4.0"]
    assert new.frustum_top == -old.frustum_bottom and new.frustum_bottom == -old.frustum_top != -new.frustum_top
    assert new.frustum_center == old.frustum_center


FLEX = (
    "<mujoco><option integrator='{}'/><worldbody><flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' "
    "mass='1'>{}</flexcomp></worldbody></mujoco>"
)
ELASTIC = "<elasticity young='1e4' thickness='.01' elastic2d='{}'/>"
REFUSED = (
    ("implicit", ELASTIC.format("stretch"), "elasticity"),
    ("implicitfast", ELASTIC.format("bend"), "elasticity"),
    ("implicitfast", "<contact passive='true'/>", "passive"),
    ("Euler", "<contact passive='true'/>", "passive"),
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("integrator, inside, word", REFUSED)
def test_flexes_that_no_implicit_step_takes_are_errors(integrator, inside, word):
    with pytest.raises(ValueError, match=word):
        load(FLEX.format(integrator, inside))
    assert load(FLEX.format(integrator, inside), "3.4").nflex == 1


@pytest.mark.filterwarnings("ignore")
def test_other_flexes_step_as_before():
    for integrator, inside in (("Euler", ELASTIC.format("both")), ("implicitfast", "<edge equality='true'/>")):
        m = load(FLEX.format(integrator, inside))
        d = tumble.MjData(m)
        tumble.mj_step(m, d)
        assert np.isfinite(d.qpos).all()
