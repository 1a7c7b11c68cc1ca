"""Models as URDF: the written file reads back as the same tree, and a list names everything that the format cannot express."""

import numpy as np
import pytest

import tumble as mj
from tests.description.test_robots import INERTIAL, MESH, arm, stl
from tumble.app.__main__ import main
from tumble.engine.description.robots.export import rpy_of, write_urdf
from tumble.engine.description.robots.words import from_rpy

CHAIN = """<mujoco><compiler angle="radian"/><worldbody><geom type="box" size="1 1 .1" pos="0 0 -.1"/>
  <body name="base" pos=".1 .2 .3" euler=".3 .2 .1"><geom type="sphere" size=".1" rgba="1 0 0 1"/>
    <body name="arm" pos="0 0 .5" euler=".5 0 1">
      <joint name="turn" axis="0 1 0" pos=".1 0 .05" range="-1 2" ref=".25" damping=".3" frictionloss=".1"/>
      <joint name="slide" type="slide" axis="1 0 1" pos="0 .2 0" range="-.1 .4"/>
      <geom type="capsule" fromto="0 0 0 0 0 .4" size=".04"/>
      <body name="hand" pos="0 .1 .4"><joint name="spin" axis="0 0 1" pos="0 0 .1" actuatorfrcrange="-3 3"/>
        <geom type="cylinder" size=".05 .1" euler="1 2 3"/></body></body></body>
  <body name="loose" pos="2 0 1"><freejoint name="free"/><geom type="box" size=".1 .2 .3"/></body>
</worldbody><equality><joint joint1="spin" joint2="turn" polycoef=".1 -2 0 0 0"/></equality>
<actuator><motor joint="turn"/></actuator></mujoco>"""


def poses(m, values, start):
    """{body: pose} with joints at values counted from positions `start`."""
    d = mj.MjData(m)
    d.qpos[:] = start
    for name, value in values.items():
        d.qpos[m.jnt_qposadr[m.joint(name).id]] += value
    mj.mj_kinematics(m, d)
    return {m.body(b).name: (np.array(d.xipos[b]), np.array(d.xmat[b])) for b in range(1, m.nbody)}


def test_poses_masses_limits_and_couplings_survive(tmp_path):
    m = mj.MjModel.from_xml_string(CHAIN)
    path, unsaid = write_urdf(m, str(tmp_path), "chain")
    assert unsaid == ["1 actuators", "1 capsules (not every reader knows <capsule>)"]
    back = mj.import_model(path).compile()
    for values in ({}, {"turn": 0.7, "slide": 0.2, "spin": -1.1}):
        # the reference pose of a model is where all joints of its URDF are at 0
        zero = back.qpos0.copy()
        zero[back.jnt_qposadr[back.joint("spin").id]] = 0
        ours, theirs = poses(m, values, m.qpos0), poses(back, values, zero)
        for body, (pos, turn) in ours.items():
            assert np.allclose(theirs[body][0], pos, atol=1e-12) and np.allclose(theirs[body][1], turn, atol=1e-12), body
    for body in ("base", "arm", "hand", "loose"):
        assert np.isclose(back.body(body).mass[0], m.body(body).mass[0], rtol=1e-12)
        assert np.allclose(np.sort(back.body(body).inertia), np.sort(m.body(body).inertia), rtol=1e-9)
    assert np.allclose(back.joint("turn").range, (-1.25, 1.75)) and not back.jnt_limited[back.joint("spin").id]
    assert np.allclose(back.jnt_actfrcrange[back.joint("spin").id], (-3, 3)) and np.allclose(back.eq_data[0][:2], (0, -2))
    assert np.isclose(back.qpos0[back.jnt_qposadr[back.joint("spin").id]], 0.1)
    assert back.dof_damping[back.jnt_dofadr[back.joint("turn").id]] == 0.3


def test_a_robot_that_is_imported_and_exported_is_the_same(tmp_path):
    (tmp_path / "part.stl").write_bytes(stl())
    mesh = MESH.format("part.stl", "1 2 -1")
    (tmp_path / "arm.urdf").write_text(arm(link=INERTIAL + f"<visual>{mesh}</visual><collision>{mesh}</collision>"))
    m = mj.import_model(tmp_path / "arm.urdf").compile()
    path, unsaid = write_urdf(m, str(tmp_path / "out"), "arm")
    back = mj.import_model(path).compile()
    assert not unsaid and back.nmesh == 1 and back.ngeom == m.ngeom
    for field in ("body_pos", "body_quat", "body_mass", "jnt_range", "jnt_axis", "geom_contype"):
        assert np.allclose(getattr(back, field), getattr(m, field), atol=1e-9), field


def test_what_urdf_cannot_say_is_listed(tmp_path, capsys):
    (tmp_path / "m.xml").write_text(
        '<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="b"><joint type="ball" stiffness="3"/>'
        '<geom type="ellipsoid" size=".1 .2 .3"/><site/></body></worldbody><sensor><clock/></sensor></mujoco>'
    )
    assert main(["export", str(tmp_path / "m.xml"), str(tmp_path / "out"), "--urdf"]) == 0
    told = capsys.readouterr().out
    for what in ("1 sites", "1 sensors", "2 geoms that are planes", "1 ball joints", "1 springs"):
        assert f"URDF cannot express: {what}" in told
    assert mj.import_model(tmp_path / "out/m.urdf").compile().njnt == 3


@pytest.mark.parametrize("pitch", [0.3, np.pi / 2, -np.pi / 2])
def test_angles_of_a_rotation_give_it_back(pitch):
    quat = from_rpy((0.4, pitch, -1.2))
    assert np.isclose(abs(np.dot(from_rpy(rpy_of(quat)), quat)), 1, atol=1e-14)
