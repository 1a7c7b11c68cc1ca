"""Importing robots: one small file for each fault that prevents a robot from opening, and what the report says about it."""

import io
import os
import re
import sys
import tarfile
import zipfile

import numpy as np
import pytest

import tumble as mj
from tumble.app.robots import watched
from tumble.engine.description.files.resources import OutsideError
from tumble.engine.description.language.errors import SpecError

TRIANGLES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
CORNERS = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.3]])
INERTIAL = '<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
BOX = '<geometry><box size=".1 .2 .3"/></geometry>'


def stl(binary=True):
    """A tetrahedron as an STL file."""
    if binary:
        rows = np.zeros(4, [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
        rows["corners"] = CORNERS[TRIANGLES]
        return b"solid, says the header of this binary file".ljust(80) + (4).to_bytes(4, "little") + rows.tobytes()
    lines = ["solid part"]
    for triangle in CORNERS[TRIANGLES]:
        lines += ["facet normal 0 0 0", "outer loop", *(f"vertex {x:e} {y} {z}" for x, y, z in triangle), "endloop", "endfacet"]
    return "\n".join([*lines, "endsolid"]).encode()


def arm(extra="", joint="", link="", kind="revolute", limit='<limit lower="-1" upper="2" effort="5" velocity="1"/>'):
    """Text of a robot with two links."""
    return f"""<robot name="arm">{extra}
      <link name="base">{INERTIAL}<visual>{BOX}</visual></link>
      <link name="upper">{link or INERTIAL}</link>
      <joint name="hinge" type="{kind}"><parent link="base"/><child link="upper"/>
        <origin xyz="0 0 1" rpy="0 0 .5"/><axis xyz="0 1 0"/>{limit}{joint}</joint>
    </robot>"""


@pytest.fixture
def opened(tmp_path):
    """Imports a text, compiles it and steps: (spec, Model, rules of the report)."""

    def run(text, name="urdf/robot.urdf", **options):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        spec = mj.import_model(path, **options)
        m = spec.compile()
        d = mj.MjData(m)
        mj.mj_step(m, d)
        assert np.isfinite(d.qpos).all()
        return spec, m, [e.rule for e in spec.import_report]

    return run


def body(m, name):
    return mj.mj_name2id(m, mj.mjtObj.mjOBJ_BODY, name)


def test_links_are_bodies_and_joints_keep_their_names(opened):
    _, m, rules = opened(arm())
    assert m.nbody == 3 and m.njnt == 1 and not rules
    assert m.jnt(0).name == "hinge" and np.allclose(m.jnt_range[0], (-1, 2)) and np.allclose(m.jnt_actfrcrange[0], (-5, 5))
    assert np.allclose(m.body("upper").pos, (0, 0, 1)) and np.allclose(m.body("upper").quat, (np.cos(0.25), 0, 0, np.sin(0.25)))


# text that replaces another one in the arm, rule of the report
CAUSES = {
    "comma": ('xyz="0 0 1"', 'xyz="0, 0, 1"', "number"),
    "axis": ('axis xyz="0 1 0"', 'axis xyz="0 0 0"', "axis"),
    "reversed": ('lower="-1" upper="2"', 'lower="2" upper="-1"', "limits"),
    "type": ('type="revolute"', 'type="Revolute"', "joint_type"),
    "inertia": ('ixx="1" iyy="1"', 'ixx="5" iyy="1"', "inertia"),
    "indefinite": ('ixx="1" iyy="1"', 'ixx="-1" iyy="1"', "inertia"),
    "no_inertia": ('<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>', "", "no_inertia"),
    "zero_inertia": ('ixx="1" iyy="1" izz="1"', 'ixx="0" iyy="0" izz="0"', "no_inertia"),
    "negative_mass": ('mass value="2"', 'mass value="-2"', "mass"),
    "no_mass": ('mass value="2"', 'mass value="0"', "inertia"),
    "two_masses": ('<mass value="2"/>', '<mass value="2"/><mass value="2"/>', "duplicate"),
    "flat_box": ('size=".1 .2 .3"', 'size=".1 .2 0"', "size"),
    "unknown_shape": ('<box size=".1 .2 .3"/>', "<cone/>", "shape"),
    "lost_mesh": ('<box size=".1 .2 .3"/>', '<mesh filename="package://nowhere/a.stl"/>', "lost_mesh"),
    "expression": ('rpy="0 0 .5"', 'rpy="0 0 ${pi/2}"', "expression"),
    "no_child": ('<child link="upper"/>', '<child link="lower"/>', "unknown_link"),
    "mimic": ("<axis", '<mimic joint="absent"/><axis', "mimic"),
}


@pytest.mark.parametrize("cause", CAUSES)
def test_everyday_faults_open_with_a_row(opened, cause):
    old, new, rule = CAUSES[cause]
    text = arm()
    assert old in text
    _, m, rules = opened(text.replace(old, new))
    assert rule in rules and m.nbody == 3


@pytest.mark.parametrize("cause", CAUSES)
def test_strict_imports_refuse_what_the_reference_refuses(opened, tmp_path, cause):
    mujoco = pytest.importorskip("mujoco")
    old, new, _ = CAUSES[cause]
    try:
        opened(arm().replace(old, new), repair=False)
        refused = False
    except SpecError:
        refused = True
    try:
        mujoco.MjModel.from_xml_path(str(tmp_path / "urdf/robot.urdf"))
        assert not refused
    except ValueError:
        assert refused


def test_strict_imports_of_other_formats_refuse_every_repair(opened):
    text = '<sdf version="1.7"><model name="m"><link name="a"><pose>0, 0 1 0 0 0</pose></link></model></sdf>'
    assert opened(text, "m.sdf")[2] == ["number"]
    with pytest.raises(SpecError, match="number|read"):
        opened(text, "m.sdf", repair=False)


def test_a_repaired_inertia_is_the_nearest_physical_one_and_keeps_the_mass(opened):
    _, m, _ = opened(arm().replace('ixx="1" iyy="1"', 'ixx="5" iyy="1"'))
    moments = np.sort(m.body("base").inertia)
    assert m.body("base").mass[0] == 2 and moments[0] + moments[1] >= moments[2] * (1 - 1e-5)
    # second moments (-1.5, 2.5, 2.5): the negative one becomes almost 0
    assert np.allclose(moments, (2.5, 2.5, 5), rtol=1e-4)


def test_a_missing_inertia_is_that_of_the_shape(opened):
    _, m, _ = opened(arm().replace('<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>', ""))
    assert np.allclose(np.sort(m.body("base").inertia), np.sort([2 / 12 * s for s in (0.13, 0.1, 0.05)]))


def test_moving_links_without_mass_get_some(opened):
    _, m, rules = opened(arm(link="<visual>" + BOX + "</visual>"))
    assert "massless" in rules and np.isclose(m.body("upper").mass[0], 0.1 * 0.2 * 0.3 * 1000)
    _, m, rules = opened(arm(link=" "))
    assert "massless" in rules and 0 < m.body("upper").mass[0] < 0.01


def test_continuous_joints_have_no_limits_and_mimics_follow(opened):
    text = arm(kind="continuous")
    follower = (
        '<link name="tip">' + INERTIAL + '</link><joint name="b" type="prismatic"><parent link="upper"/><child link="tip"/>'
    )
    follower += '<limit lower="0" upper="1"/><mimic joint="hinge" multiplier="-2" offset=".5"/></joint></robot>'
    _, m, _ = opened(text.replace("</robot>", follower))
    assert not m.jnt_limited[0] and m.jnt_limited[1] and m.neq == 1
    assert np.allclose(m.eq_data[0][:2], (0, -2)) and m.eq_obj1id[0] == 1 and m.eq_obj2id[0] == 0
    assert m.qpos0.tolist() == [0, 0.5]


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_mimics_with_an_offset_begin_where_they_belong(opened, kind):
    """The robot begins at rest, each link is where URDF puts it for any positions, and a chain of mimics adds up."""
    joints = "".join(
        f'<link name="l{k}">{INERTIAL}</link><joint name="{name}" type="{kind}"><origin xyz=".1 0 .2" rpy=".3 .2 0"/>'
        f'<parent link="{parent}"/><child link="l{k}"/><axis xyz="0 .6 .8"/><limit lower="-3" upper="3"/>{mimic}</joint>'
        for k, (name, parent, mimic) in enumerate(
            (
                ("b", "upper", '<mimic joint="hinge" multiplier="2" offset=".5"/>'),
                ("c", "l0", '<mimic joint="b" multiplier="-1" offset=".25"/>'),
            )
        )
    )
    text = arm(kind="continuous").replace("</robot>", joints + "</robot>")
    _, m, _ = opened(text)
    _, plain, _ = opened(re.sub("<mimic[^>]*>", "", text))
    np.testing.assert_allclose(m.qpos0, [0, 0.5, -0.25], atol=1e-15)

    d, free = mj.MjData(m), mj.MjData(plain)
    for q in (m.qpos0, np.array([0.3, -0.4, 0.7])):
        d.qpos[:] = free.qpos[:] = q
        mj.mj_kinematics(m, d)
        mj.mj_kinematics(plain, free)
        np.testing.assert_allclose(d.xpos, free.xpos, atol=1e-12)
        np.testing.assert_allclose(d.xmat, free.xmat, atol=1e-12)

    mj.mj_resetData(m, d)
    mj.mj_forward(m, d)
    assert np.abs(d.efc_pos[: d.ne]).max() < 1e-12


def test_floating_joints_are_free_and_planar_ones_slide(opened):
    _, m, _ = opened(arm(kind="floating"))
    assert m.jnt_type[0] == mj.mjtJoint.mjJNT_FREE and m.body_parentid[2] == 0 and m.qpos0[2] == 1
    _, m, _ = opened(arm(kind="planar"))
    assert [m.jnt(k).name for k in range(3)] == ["hinge_TX", "hinge_TY", "hinge_RZ"]


def test_loops_and_second_parents_become_constraints(opened):
    second = '<joint name="second" type="fixed"><parent link="base"/><child link="upper"/><origin xyz="0 0 1"/></joint></robot>'
    _, m, rules = opened(arm().replace("</robot>", second))
    assert "several_parents" in rules and m.neq == 1 and m.eq_type[0] == mj.mjtEq.mjEQ_WELD
    back = '<joint name="back" type="fixed"><parent link="upper"/><child link="base"/></joint></robot>'
    _, m, rules = opened(arm().replace("</robot>", back))
    assert "loop" in rules and m.nbody == 3


MESH = '<geometry><mesh filename="{}" scale="{}"/></geometry>'
PLACES = {
    "relative": ("../meshes/part.stl", None),
    "package": ("package://my_robot/meshes/part.stl", None),
    "model": ("model://my_robot/meshes/part.stl", None),
    "find": ("$(find my_robot)/meshes/part.stl", None),
    "backslashes": ("..\\meshes\\part.stl", None),
    "case": ("../Meshes/Part.STL", "found"),
    "ending": ("../meshes/part", "found"),
    "other_ending": ("../meshes/part.dae", "found"),
    "moved": ("package://other/meshes/part.stl", "found"),
}


@pytest.mark.parametrize("way", PLACES)
def test_meshes_are_found_where_people_put_them(opened, tmp_path, way):
    name, rule = PLACES[way]
    root = tmp_path / "my_robot"
    (root / "meshes").mkdir(parents=True)
    (root / "package.xml").write_text("<package><name>my_robot</name></package>")
    (root / "meshes/part.stl").write_bytes(stl())
    spec, m, rules = opened(arm().replace(BOX, MESH.format(name, "1 1 1")), "my_robot/urdf/robot.urdf")
    assert m.nmesh == 1 and rules == ([rule] if rule else []), str(spec.import_report)


def test_packages_are_named_by_the_caller_and_by_the_environment(opened, tmp_path, monkeypatch):
    (tmp_path / "far/share/parts").mkdir(parents=True)
    (tmp_path / "far/share/parts/part.stl").write_bytes(stl())
    text = arm().replace(BOX, MESH.format("package://parts/part.stl", "1 1 1"))
    assert opened(text, "a/b/r.urdf", packages=[f"parts={tmp_path}/far/share/parts"])[1].nmesh == 1
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path / "far"))
    assert opened(text, "a/b/r.urdf")[1].nmesh == 1


def test_nothing_outside_of_the_folder_is_read(opened, tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes/part.stl").write_bytes(stl())
    text = arm().replace(BOX, MESH.format("../meshes/part.stl", "1 1 1"))
    assert opened(text, inside=str(tmp_path))[1].nmesh == 1
    with pytest.raises(OutsideError, match="package"):
        opened(text, inside=str(tmp_path / "urdf"))
    with pytest.raises(OutsideError, match="program"):
        opened('<robot xmlns:xacro="x"><xacro:arg name="a"/></robot>', "urdf/r.xacro", inside=str(tmp_path))


def test_colors_are_materials_and_visuals_do_not_collide(opened):
    color = '<material name="red"><color rgba="1 0 0 1"/></material>'
    text = (
        arm(color)
        .replace(f"<visual>{BOX}", f'<visual>{BOX}<material name="red"/>')
        .replace("</visual>", f"</visual><collision>{BOX}</collision>", 1)
    )
    _, m, _ = opened(text)
    seen, solid = (int(np.flatnonzero(m.geom_contype == k)[0]) for k in (0, 1))
    assert np.allclose(m.mat_rgba[m.geom_matid[seen]], (1, 0, 0, 1)) and m.geom_group[seen] == 2 and m.geom_group[solid] == 3


def test_the_loader_of_the_reference_refuses_as_before_and_names_the_import(tmp_path):
    path = tmp_path / "r.urdf"
    path.write_text(arm().replace('<mass value="2"/>', ""))
    with pytest.raises(ValueError, match="missing element 'mass'[^$]*import_model"):
        mj.MjModel.from_xml_path(str(path))


def test_actuators_are_made_on_request(opened):
    _, m, _ = opened(arm(), actuators="position")
    assert m.nu == 1 and np.allclose(m.actuator_forcerange[0], (-5, 5)) and np.allclose(m.actuator_ctrlrange[0], (-1, 2))
    assert m.actuator_gainprm[0][0] == -m.actuator_biasprm[0][1] > 0
    _, m, _ = opened(arm(), actuators="motor")
    assert np.allclose(m.actuator_ctrlrange[0], (-5, 5))


def test_srdf_beside_the_robot_gives_excludes_and_keyframes(opened, tmp_path):
    (tmp_path / "urdf").mkdir()
    (tmp_path / "urdf/arm.srdf").write_text(
        '<robot name="arm"><disable_collisions link1="base" link2="upper"/>'
        '<group_state name="ready" group="g"><joint name="hinge" value=".7"/></group_state></robot>'
    )
    _, m, _ = opened(arm())
    assert m.nexclude == 1 and m.nkey == 1 and m.key_qpos[0][0] == 0.7


def test_folders_beside_a_confined_robot_are_not_listed(tmp_path, monkeypatch):
    """Importing a confined robot lists no sibling folder, not even one whose name begins like that of the robot's folder."""
    for folder in ("c", "config"):
        (tmp_path / folder).mkdir()
    (tmp_path / "c/arm.urdf").write_text(arm())
    listed, listdir = [], os.listdir
    monkeypatch.setattr(os, "listdir", lambda path: listed.append(str(path)) or listdir(path))
    mj.import_model(tmp_path / "c/arm.urdf", inside=str(tmp_path / "c"))
    assert listed and str(tmp_path / "config") not in listed


def test_gazebo_sensors_become_sensors(opened):
    tag = '<gazebo reference="upper"><mu1>0.3</mu1><sensor name="imu" type="imu"><pose>0 0 .1 0 0 0</pose></sensor></gazebo>'
    _, m, _ = opened(arm(tag, link=INERTIAL + f"<collision>{BOX}</collision>"))
    assert m.nsensor == 3 and m.nsite == 1 and np.isclose(m.geom_friction[m.ngeom - 1][0], 0.3)


def test_sdf_poses_and_axes(opened):
    text = """<sdf version="1.7"><model name="m"><static>true</static>
      <link name="a"><pose>0 0 1 0 0 0</pose></link>
      <link name="b"><pose relative_to="a">1 0 0 0 0 1.5707963267948966</pose>
        <visual name="v"><geometry><sphere><radius>.1</radius></sphere></geometry></visual></link>
      <joint name="j" type="revolute"><parent>a</parent><child>b</child><pose>.5 0 0 0 0 0</pose>
        <axis><xyz>1 0 0</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis></joint></model></sdf>"""
    _, m, _ = opened(text, "m.sdf")
    assert m.njnt == 1 and np.allclose(m.body("b").pos, (1, 0, 0)) and np.allclose(m.jnt_pos[0], (0.5, 0, 0))
    d = mj.MjData(m)
    mj.mj_kinematics(m, d)
    assert np.allclose(d.body("b").xpos, (1, 0, 1)) and np.allclose(d.xaxis[0], (0, 1, 0))


def test_sensors_of_sdf_measure_in_their_frames(opened):
    """A box of 2 kg that rests 0.1 m in front of a wall: each sensor has one right value."""
    text = """<sdf version="1.8"><model name="m">
      <link name="wall"><pose>1 0 0 0 0 0</pose>
        <collision name="c"><geometry><box><size>.2 9 9</size></box></geometry></collision></link>
      <joint name="fix" type="fixed"><parent>world</parent><child>wall</child></joint>
      <link name="b"><pose>.7 0 .25 0 0 0</pose>
        <inertial><mass>2</mass><inertia><ixx>.1</ixx><iyy>.1</iyy><izz>.1</izz></inertia></inertial>
        <collision name="c"><geometry><box><size>.2 .2 .2</size></box></geometry></collision>
        <sensor name="imu" type="imu"/><sensor name="touch" type="contact"/>
        <sensor name="eye" type="camera"><pose>0 0 .1 0 0 0</pose>
          <camera><horizontal_fov>1.2</horizontal_fov><image><width>64</width><height>32</height></image></camera></sensor>
        <sensor name="beam" type="gpu_lidar"><pose>.1 0 0 0 0 0</pose>
          <lidar><scan><horizontal><samples>9</samples></horizontal></scan></lidar></sensor>
        <sensor name="gps" type="navsat"/></link>
      <joint name="weld" type="prismatic"><parent>world</parent><child>b</child>
        <axis><xyz>0 0 1</xyz><limit><lower>0</lower><upper>0.001</upper></limit></axis>
        <sensor name="wrist" type="force_torque"/></joint></model></sdf>"""
    spec, m, rules = opened(text, "m.sdf")
    assert rules.count("unsupported") == 2 and m.ncam == 1 and tuple(m.cam_resolution[0]) == (64, 32)
    d = mj.MjData(m)
    mj.mj_step(m, d, 3000)
    weight = 2 * 9.81
    assert np.isclose(d.sensor("beam").data[0], 0.1, atol=1e-6)
    assert np.allclose(d.sensor("imu_accelerometer").data, (0, 0, 9.81), atol=1e-3)
    assert np.allclose(d.sensor("touch").data, 0)
    assert np.allclose(d.sensor("wrist_force").data, (0, 0, weight), atol=0.1)


def test_a_contact_sensor_measures_the_net_force_on_its_link(opened):
    text = """<sdf version="1.8"><world name="w">
      <model name="floor"><static>true</static>
        <link name="f"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
      <model name="m"><link name="b"><pose>0 0 .1 0 0 0</pose>
        <inertial><mass>2</mass><inertia><ixx>.1</ixx><iyy>.1</iyy><izz>.1</izz></inertia></inertial>
        <collision name="c"><geometry><box><size>.2 .2 .2</size></box></geometry></collision>
        <sensor name="touch" type="contact"/></link></model></world></sdf>"""
    _, m, _ = opened(text, "w.sdf")
    d = mj.MjData(m)
    mj.mj_step(m, d, 3000)
    found, *force = d.sensor("touch").data
    assert found == 4 and np.isclose(np.linalg.norm(force), 2 * 9.81, rtol=1e-3)


def test_xacro_files_are_programs_with_arguments(opened):
    pytest.importorskip("xacro")
    text = arm().replace(
        '<robot name="arm">', '<robot name="arm" xmlns:xacro="http://ros.org/xacro"><xacro:arg name="h" default="1"/>'
    )
    text = text.replace('xyz="0 0 1"', "xyz=\"0 0 ${2 * float(xacro.arg('h'))}\"")
    assert opened(text, "r.urdf.xacro")[1].body("upper").pos[2] == 2
    assert opened(text, "r.urdf.xacro", arguments={"h": "3"})[1].body("upper").pos[2] == 6


def test_xacro_tags_and_calls_without_prefix_are_expanded_as_by_old_releases(opened):
    """Tags of URDF, and those inside other languages, stay as they are, even if a macro has the same name."""
    pytest.importorskip("xacro")
    text = """<robot name="old" xmlns:xacro="http://ros.org/xacro">
      <property name="half" value="0.5"/>
      <macro name="mass" params="kg"><inertial><mass value="${kg * half}"/></inertial></macro>
      <xacro:macro name="part" params="name"><link name="${name}">
        <if value="${name == 'a'}"><weight kg="8"/></if><unless value="${name == 'a'}"><xacro:mass kg="2"/></unless>
        <visual><geometry><box size="1 1 1"/></geometry></visual></link></xacro:macro>
      <xacro:macro name="weight" params="kg"><inertial><mass value="${kg}"/></inertial></xacro:macro>
      <part name="a"/><part name="b"/>
      <joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>
      <gazebo><plugin name="p" filename="f"><include uri="x"/><weight kg="1"/></plugin></gazebo></robot>"""
    _, m, rules = opened(text, "r.urdf.xacro")
    assert np.allclose([m.body("a").mass[0], m.body("b").mass[0]], (8, 1))
    assert rules.count("xacro") == 2


def test_files_that_a_xacro_file_includes_are_watched(tmp_path):
    pytest.importorskip("xacro")
    space = 'xmlns:xacro="http://ros.org/xacro"'
    (tmp_path / "part.xacro").write_text(f'<robot {space}><xacro:property name="h" value="1"/></robot>')
    (tmp_path / "limb.xacro").write_text(f'<robot {space}><xacro:include filename="part.xacro"/></robot>')
    (tmp_path / "arm.urdf.xacro").write_text(
        f'<robot name="arm" {space}><xacro:include filename="limb.xacro"/><link name="base">'
        '<visual><geometry><box size="1 1 ${h}"/></geometry></visual></link></robot>'
    )
    spec = mj.import_model(tmp_path / "arm.urdf.xacro")
    seen = {os.path.basename(name) for name in watched(spec.compile(), ())}
    assert seen == {"arm.urdf.xacro", "limb.xacro", "part.xacro"}


def test_the_folder_that_is_written_reads_back_as_the_same_model(opened, tmp_path):
    from tumble.engine.description.robots.folder import write_folder

    (tmp_path / "urdf").mkdir()
    (tmp_path / "urdf/part.stl").write_bytes(stl(binary=False))
    mesh = MESH.format("part.stl", "1 2 -1")
    text = arm(link=INERTIAL + f"<visual>{mesh}</visual><collision>{mesh}</collision>").replace("ixx=", 'ixx="3" a=')
    spec, m, _ = opened(text)
    back = mj.MjModel.from_xml_path(write_folder(spec, str(tmp_path / "out")))
    assert (tmp_path / "out/report.md").is_file() and "robot.urdf:" in (tmp_path / "out/arm.xml").read_text()
    assert back.nkey == 1 and back.ngeom == m.ngeom
    for field in ("body_pos", "body_quat", "body_mass", "body_inertia", "geom_pos", "geom_size", "jnt_range", "mesh_vert"):
        assert np.allclose(getattr(back, field), getattr(m, field), rtol=0, atol=1e-9), field


def test_usd_files_name_the_package_that_they_need(tmp_path, monkeypatch):
    (tmp_path / "robot.usda").write_text("#usda 1.0")
    # Without the package, its import raises ModuleNotFoundError.
    for name in [n for n in sys.modules if n == "pxr" or n.startswith("pxr.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pxr", None)
    with pytest.raises(SpecError, match=r"robot\.usda: .*usd-core`: pip install 'tumble\[usd\]'"):
        mj.import_model(tmp_path / "robot.usda")


def test_a_file_without_links_says_so(opened):
    _, m, rules = opened('<robot name="r"/>')
    assert m.nbody == 1 and rules == ["empty"]


def archived(path, files):
    """An archive of {name: contents}."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        return path
    with tarfile.open(path, "w:gz") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def packaged(name="package://my_robot/meshes/part.stl"):
    """Files of a package with a robot and its mesh."""
    return {
        "my_robot/package.xml": b"<package><name>my_robot</name></package>",
        "my_robot/urdf/arm.urdf": arm().replace(BOX, MESH.format(name, "1 1 1")).encode(),
        "my_robot/meshes/part.stl": stl(),
    }


@pytest.mark.parametrize("ending", [".zip", ".tar.gz"])
@pytest.mark.parametrize("confined", [False, True])
def test_an_archive_opens_the_robot_in_it(tmp_path, ending, confined):
    path = archived(tmp_path / f"robot{ending}", packaged())
    inside = str(tmp_path) if confined else None
    spec = mj.import_model(path, inside=inside)
    assert spec.compile().nmesh == 1 and list(spec.import_report.files) == [str(path)]
    two = archived(tmp_path / f"two{ending}", packaged() | {"my_robot/other.urdf": arm().encode()})
    with pytest.raises(ValueError, match=r"two[^/]* is not a model: .*my_robot/urdf/arm\.urdf \(URDF"):
        mj.import_model(two, inside=inside)
    assert mj.import_model(f"{two}!my_robot/other.urdf", inside=inside).compile().nmesh == 0


def test_places_in_an_archive_are_named_after_it(tmp_path):
    path = archived(tmp_path / "robot.zip", packaged("package://nowhere/lost.stl"))
    report = mj.import_model(path).import_report
    assert str(report.entries[0]).startswith(f"{path}!my_robot/urdf/arm.urdf:")
    broken = archived(tmp_path / "broken.zip", {"urdf/arm.urdf": b"<robot><link>"})
    with pytest.raises(SpecError, match=r"broken\.zip!urdf/arm\.urdf, line 1"):
        mj.import_model(broken)


def test_an_archive_of_mjcf_keeps_its_files(tmp_path):
    asset = b'<asset><mesh name="a" file="../meshes/a.stl"/></asset>'
    text = b"<mujoco>" + asset + b'<worldbody><geom type="mesh" mesh="a"/></worldbody></mujoco>'
    path = archived(tmp_path / "model.tar.gz", {"m/xml/scene.xml": text, "m/meshes/a.stl": stl()})
    assert mj.import_model(path).compile().nmesh == 1


@pytest.mark.parametrize("ending", [".zip", ".tar.gz"])
@pytest.mark.parametrize("name", ["../out.urdf", "/out.urdf", "a/../../out.urdf", "C:/out.urdf"])
def test_members_of_an_archive_stay_in_it(tmp_path, ending, name):
    path = archived(tmp_path / f"robot{ending}", {name: arm().encode()})
    with pytest.raises(OSError, match="is outside the archive"):
        mj.import_model(path)
    good = archived(tmp_path / f"good{ending}", packaged())
    with pytest.raises(OSError, match="is outside the archive"):
        mj.import_model(f"{good}!../{name}")


def test_links_in_an_archive_are_left_out(tmp_path):
    (tmp_path / "secret.stl").write_bytes(stl())
    path = tmp_path / "robot.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        info = tarfile.TarInfo("arm.urdf")
        data = arm().replace(BOX, MESH.format("part.stl", "1 1 1")).encode()
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
        link = tarfile.TarInfo("part.stl")
        link.type, link.linkname = tarfile.SYMTYPE, str(tmp_path / "secret.stl")
        archive.addfile(link)
    spec = mj.import_model(path)
    assert spec.compile().nmesh == 0 and [e.rule for e in spec.import_report] == ["lost_mesh"]


def test_a_folder_opens_the_only_model_in_it_and_lists_several(opened, tmp_path):
    (tmp_path / "robot/urdf").mkdir(parents=True)
    (tmp_path / "robot/urdf/arm.urdf").write_text(arm())
    assert mj.import_model(tmp_path / "robot").modelname == "arm"
    (tmp_path / "robot/urdf/other.urdf").write_text(arm())
    with pytest.raises(ValueError, match=r"urdf/arm\.urdf \(URDF, 1 kB\), urdf/other\.urdf"):
        mj.import_model(tmp_path / "robot")


def test_a_joint_that_mimics_a_fixed_one_is_held(opened):
    follower = (
        '<link name="tip">' + INERTIAL + '</link><joint name="b" type="revolute"><parent link="upper"/><child link="tip"/>'
    )
    follower += '<limit lower="-1" upper="1"/><mimic joint="hinge" offset=".5"/></joint></robot>'
    _, m, rules = opened(arm(kind="fixed").replace("</robot>", follower))
    assert (
        "mimic" in rules and m.neq == 1 and m.eq_obj2id[0] == -1 and m.eq_data[0][:2].tolist() == [0, 0] and m.qpos0[0] == 0.5
    )


def test_settings_that_cannot_be_read_do_not_keep_a_robot_from_opening(opened):
    _, m, rules = opened(arm('<mujoco><compiler balanceinertia="perhaps"/><option timestep="0.001"/></mujoco>'))
    assert rules == ["skipped"] and m.opt.timestep == 0.001


def test_overlapping_bodies_are_listed_and_excluded(opened):
    """Two links that are not neighbors overlap: the report lists the depth, and the pair is excluded from collision."""
    shape = f"<collision>{BOX}</collision>"
    text = f"""<robot name="pile">
      {"".join(f'<link name="{name}">{INERTIAL}{shape}</link>' for name in ("base", "one", "two"))}
      {
        "".join(
            f'<joint name="to_{name}" type="revolute"><parent link="base"/><child link="{name}"/><axis xyz="0 0 1"/>'
            '<origin xyz="0 0 .28"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
            for name in ("one", "two")
        )
    }</robot>"""
    spec, m, rules = opened(text, exclude_overlaps=True)
    assert spec.import_report.overlaps["one", "two"] == pytest.approx(0.1, abs=0.01)
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    assert d.ncon == 0 and "overlap" in rules
    before = spec.import_report.overlaps
    spec, m, rules = opened(text, exclude_overlaps=[("one", "two")])
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    pairs = {tuple(sorted(m.body(int(m.geom_bodyid[g])).name for g in c.geom)) for c in d.contact[: d.ncon]}
    assert ("one", "two") not in pairs and len(pairs) == len(before) - 1


def test_meshes_collide_each_in_its_own_way(tmp_path):
    (tmp_path / "a.stl").write_bytes(stl())
    (tmp_path / "b.stl").write_bytes(stl())
    shapes = "".join(f'<collision><geometry><mesh filename="{name}.stl"/></geometry></collision>' for name in "ab")
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="r"><link name="base">{INERTIAL}{shapes}</link></robot>')
    kinds = lambda **options: [str(g.type).rpartition("_")[2] for g in mj.import_model(path, **options).geoms]  # noqa: E731
    assert kinds() == ["MESH", "MESH"]
    assert kinds(fit={"a.stl": "box"}) == ["BOX", "MESH"]
    assert kinds(fit={"*": "capsule", "b.stl": "hull"}) == ["CAPSULE", "MESH"]
    assert set(mj.import_model(path, fit={"a.stl": "box"}).import_report.collisions) == {"a.stl", "b.stl"}
    with pytest.raises(ValueError, match="'ball' is not one of"):
        mj.import_model(path, fit={"a.stl": "ball"})


def test_a_bare_mesh_has_the_density_and_the_unit_that_are_given(tmp_path):
    path = tmp_path / "part.stl"
    path.write_bytes(stl())
    water, steel = mj.import_model(path).compile(), mj.import_model(path, density=7850).compile()
    assert steel.body_mass[1] == pytest.approx(7.85 * water.body_mass[1])
    assert np.allclose(steel.body_inertia[1], 7.85 * water.body_inertia[1])
    small = mj.import_model(path, scale=0.1).compile()
    assert small.body_mass[1] == pytest.approx(1e-3 * water.body_mass[1], rel=1e-3)
    assert [str(g.type).rpartition("_")[2] for g in mj.import_model(path, fit="box").geoms].count("BOX") == 1
    with pytest.raises(ValueError, match="must be positive"):
        mj.import_model(path, density=-1)
