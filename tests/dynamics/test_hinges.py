"""Rotations of hinges, whose sines are computed eight at a time, beside one at a time."""

import numpy as np
import pytest

import tumble

BODY = '<body name="b{0}" quat="{1}"><joint name="j{0}" axis="{2}"/><geom size=".1"/></body>'
# rounding of a quaternion's products
CLOSE = 1e-15


def turned_alone(angle, axis, quat):
    """The orientation of a body on the world with one hinge."""
    (c, s), (w, v) = (np.cos(angle / 2), np.sin(angle / 2)), (quat[0], quat[1:])
    u = axis * s
    return np.array([w * c - v @ u, *(w * u + c * v + np.cross(v, u))])


@pytest.mark.parametrize("count", [1, 2, 3, 8, 9, 21])
@pytest.mark.parametrize("angles", ["usual", "far", "mixed"])
def test_each_hinge_turns_as_if_it_were_alone(count, angles):
    random = np.random.default_rng(count)
    axes, quats = random.normal(size=(count, 3)), random.normal(size=(count, 4))
    quats[::2] = 1, 0, 0, 0
    text = "".join(BODY.format(k, " ".join(map(str, quats[k])), " ".join(map(str, axes[k]))) for k in range(count))
    m = tumble.MjModel.from_xml_string(f"<mujoco><worldbody>{text}</worldbody></mujoco>")
    d = tumble.MjData(m)
    d.qpos[:] = random.uniform(-4, 4, count) * {"usual": 1, "far": 1e7, "mixed": 1}[angles]
    if angles == "mixed":
        d.qpos[count // 2] = 3e9
    tumble.mj_kinematics(m, d)
    for k in range(count):
        right = turned_alone(d.qpos[k], m.jnt_axis[k], m.body_quat[1 + k])
        assert abs(d.xquat[1 + k] - right).max() < CLOSE


def test_slides_and_balls_between_hinges():
    """The sines of other joints are not computed."""
    joints = ('<joint axis="0 0 1"/>', '<joint type="slide"/>', '<joint type="ball"/>', '<joint axis="0 1 0" pos=".1 0 0"/>')
    one = "".join(f"<body>{j}<geom size='.1' pos='.1 0 0'/></body>" for j in joints)
    m = tumble.MjModel.from_xml_string(f"<mujoco><worldbody>{one * 3}</worldbody></mujoco>")
    d = tumble.MjData(m)
    random = np.random.default_rng(0)
    d.qpos[:] = np.tile(np.concatenate([random.normal(size=2), [0.5, 0.5, -0.5, 0.5], random.normal(size=1)]), 3)
    d.poison("work_turn")
    tumble.mj_kinematics(m, d)
    assert np.isfinite(d.xpos).all() and np.isfinite(d.xquat).all()
    for k in range(1, 5):
        assert d.xquat[k].tobytes() == d.xquat[k + 4].tobytes() == d.xquat[k + 8].tobytes()
        assert d.xpos[k].tobytes() == d.xpos[k + 4].tobytes() == d.xpos[k + 8].tobytes()


def test_undefined_angles_spoil_only_their_own_body():
    text = "".join(BODY.format(k, "1 0 0 0", "0 0 1") for k in range(8))
    m = tumble.MjModel.from_xml_string(f"<mujoco><worldbody>{text}</worldbody></mujoco>")
    d = tumble.MjData(m)
    d.qpos[:] = 0.3
    d.qpos[3] = np.nan
    tumble.mj_kinematics(m, d)
    spoilt = ~np.isfinite(d.xquat).all(1)
    assert spoilt.tolist() == [k == 4 for k in range(9)]
