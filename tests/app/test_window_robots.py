"""Robots in the window: choosers, arguments, densities, collision shapes and overlaps, by real events."""

import importlib.util
import zipfile

import pytest

import tumble as mj
from tests.app.driver import FIRST_START
from tests.description.test_robots import BOX, INERTIAL, arm, stl

# a mesh that is visible and collides, and a box that it hits
MESH = """<mujoco>
  <asset><mesh name="part" file="part.stl"/></asset>
  <worldbody>
    <geom type="plane" size="2 2 0.1"/>
    <body name="thing" pos="0 0 0.3"><freejoint/>
      <geom name="wedge" type="mesh" mesh="part" friction="0.7 0.01 0.001"/>
    </body>
  </worldbody>
</mujoco>
"""
PILE = f"""<robot name="pile">
  {"".join(f'<link name="{name}">{INERTIAL}<collision>{BOX}</collision></link>' for name in ("base", "one", "two"))}
  {
    "".join(
        f'<joint name="to_{name}" type="revolute"><parent link="base"/><child link="{name}"/><axis xyz="0 0 1"/>'
        '<origin xyz="0 0 .31"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        for name in ("one", "two")
    )
}</robot>"""
XACRO = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="mass" default="2"/>
  <link name="$(arg label)_base"><inertial><mass value="$(arg mass)"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><box size=".1 .2 .3"/></geometry></visual></link>
</robot>"""


def search(viewer, text):
    """Open the first hit of the palette."""
    viewer.key("ctrl+k")
    viewer.until(lambda r: r["settings"]["palette"])
    viewer.write(text)
    viewer.until(lambda r: r["typed"] == text)
    viewer.key("enter")
    viewer.until(lambda r: not r["settings"]["palette"])


def empty(viewer):
    viewer.until(lambda r: r["frame"] > 3, FIRST_START)


def test_a_folder_with_several_models_lets_the_user_choose(make_viewer, tmp_path):
    folder = tmp_path / "robots"
    folder.mkdir()
    for name in ("one", "two", "three"):
        (folder / f"{name}.urdf").write_text(arm().replace('name="arm"', f'name="{name}"'))
    viewer = make_viewer()
    empty(viewer)
    assert viewer.drop(folder)
    row = viewer.until(lambda r: r["choosing"])
    assert row["choosing"][0] == ["one.urdf", "three.urdf", "two.urdf"]
    viewer.until(lambda r: r["choosing"][2] == 3, what="pictures")
    viewer.key("down")
    viewer.until(lambda r: r["choosing"][1] == 1)
    viewer.key("enter")
    row = viewer.until(lambda r: r["path"] == str(folder / "three.urdf"))
    assert row["choosing"] is None


def test_an_archive_with_several_models_lets_the_user_choose(make_viewer, tmp_path):
    archive = tmp_path / "robots.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for name in ("left", "right"):
            file.writestr(f"urdf/{name}.urdf", arm())
    viewer = make_viewer()
    empty(viewer)
    assert viewer.drop(archive)
    viewer.until(lambda r: r["choosing"])
    viewer.key("esc")
    viewer.until(lambda r: not r["choosing"])
    assert viewer.drop(archive)
    viewer.until(lambda r: r["choosing"])
    viewer.press("urdf/right.urdf")
    viewer.until(lambda r: r["choosing"][1] == 1)
    viewer.key("enter")
    viewer.until(lambda r: r["path"] == f"{archive}!urdf/right.urdf" and r["nbody"] == 3)


def test_a_folder_with_one_model_opens_it_and_one_without_shows_its_files(make_viewer, tmp_path):
    folder = tmp_path / "robot"
    folder.mkdir()
    (folder / "arm.urdf").write_text(arm())
    viewer = make_viewer()
    empty(viewer)
    assert viewer.drop(folder)
    viewer.until(lambda r: r["path"] == str(folder / "arm.urdf"))
    (tmp_path / "none").mkdir()
    assert viewer.drop(tmp_path / "none")
    viewer.until(lambda r: r["browsing"])


def test_a_robot_without_actuators_waits_until_it_is_started(make_viewer, tmp_path):
    """The robot starts paused, because it would collapse before the user could see it."""
    path = tmp_path / "arm.urdf"
    path.write_text(arm())
    viewer = make_viewer()
    empty(viewer)
    assert viewer.drop(path)
    row = viewer.until(lambda r: r["path"] == str(path) and not r["running"])
    assert row["time"] == 0
    viewer.key("space")
    viewer.until(lambda r: r["running"] and r["time"] > 0)
    # a reload of the same file keeps the simulation running
    viewer.key("ctrl+l")
    viewer.until(lambda r: r["generation"] > row["generation"] and r["running"])


def test_a_shape_is_fitted_to_a_mesh_in_the_source_and_undone(make_viewer, tmp_path):
    viewer = make_viewer(MESH, name="mesh.xml", panels={"element": True})
    path = viewer.folder / "mesh.xml"
    (viewer.folder / "part.stl").write_bytes(stl())
    viewer.until(lambda r: r["frame"] > 3, FIRST_START)
    viewer.key("ctrl+l")
    viewer.started()
    before = path.read_bytes()
    search(viewer, "wedge")
    viewer.until(lambda r: r["element"] == ["geom", 1])
    viewer.press("##more")
    viewer.press("Collide as")
    viewer.press("Box##")
    viewer.until(lambda r: any("box shapes" in title for title in r["undo"]))
    m = mj.MjModel.from_xml_path(str(path))
    wedge, fitted = m.geom("wedge"), m.geom(2)
    assert fitted.type == mj.mjtGeom.mjGEOM_BOX and fitted.contype == 1 and fitted.group == 3
    assert fitted.friction[0] == pytest.approx(0.7)
    assert wedge.contype == 0 and wedge.conaffinity == 0
    old = mj.MjModel.from_xml_string(MESH, {"part.stl": stl()})
    assert m.body_mass[1] == pytest.approx(old.body_mass[1]), "the mesh keeps the mass"
    viewer.key("ctrl+z")
    viewer.until(lambda r: not any("box shapes" in title for title in r["undo"]))
    assert path.read_bytes() == before


def test_overlaps_of_a_robot_are_excluded_by_clicks(make_viewer, tmp_path):
    path = tmp_path / "pile.urdf"
    path.write_text(PILE)
    viewer = make_viewer()
    empty(viewer)
    assert viewer.drop(path)
    first = viewer.until(lambda r: r["path"] == str(path))
    search(viewer, "import options and arguments")
    viewer.press("Exclude")
    row = viewer.until(lambda r: r["import"] and r["generation"] > first["generation"])
    assert row["import"] == {"exclude": [["one", "two"]]}
    viewer.key("ctrl+z")
    viewer.until(lambda r: not r["import"] and r["generation"] > row["generation"])
    assert path.read_text() == PILE


def test_the_density_of_a_bare_mesh_is_asked(make_viewer, tmp_path):
    path = tmp_path / "part.stl"
    path.write_bytes(stl())
    viewer = make_viewer()
    empty(viewer)
    assert viewer.drop(path)
    viewer.until(lambda r: r["path"] == str(path) and r["nbody"] == 2)
    search(viewer, "import options and arguments")
    viewer.press("density")
    viewer.key("ctrl+a")
    viewer.write("7850")
    viewer.key("enter")
    viewer.until(lambda r: r["import"].get("density") == 7850)
    assert viewer.close() == 0
    assert viewer.kept()["imports"] == {str(path): {"density": 7850.0}}


def test_a_xacro_file_asks_for_the_argument_that_it_needs(make_viewer, tmp_path):
    if importlib.util.find_spec("xacro") is None:
        pytest.skip("the package xacro is not installed")
    path = tmp_path / "arm.urdf.xacro"
    path.write_text(XACRO)
    viewer = make_viewer(trusted=[str(tmp_path)])
    empty(viewer)
    assert viewer.drop(path)
    viewer.until(lambda r: r["panels"].get("robot"), what="the form")
    viewer.press("argument label")
    viewer.write("left")
    viewer.key("enter")
    row = viewer.until(lambda r: r["path"] == str(path))
    assert row["import"] == {"arguments": {"label": "left"}} and not row["failure"]
    assert row["nbody"] == 2


def test_a_robot_is_reloaded_when_a_xacro_file_that_it_includes_is_saved(make_viewer, tmp_path):
    """The robot is reloaded even if the editor replaces the file, and after an error in it was corrected."""
    if importlib.util.find_spec("xacro") is None:
        pytest.skip("the package xacro is not installed")
    space = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
    limb = f'<robot {space}><xacro:include filename="sizes.xacro"/></robot>'
    sizes = f'<robot {space}><xacro:property name="mass" value="{{}}"/></robot>'
    main = XACRO.replace("$(arg label)_base", "base").replace("$(arg mass)", "${mass}")
    main = main.replace('<xacro:arg name="mass" default="2"/>', '<xacro:include filename="limb.xacro"/>')
    path, part = tmp_path / "arm.urdf.xacro", tmp_path / "sizes.xacro"
    path.write_text(main)
    (tmp_path / "limb.xacro").write_text(limb)
    part.write_text(sizes.format(2))
    viewer = make_viewer(trusted=[str(tmp_path)])
    empty(viewer)
    assert viewer.drop(path)
    first = viewer.until(lambda r: r["path"] == str(path))
    part.write_text(sizes.format("${1 +}"))
    viewer.until(lambda r: r["failure"])
    (tmp_path / "fresh").write_text(sizes.format(7))
    (tmp_path / "fresh").replace(part)
    row = viewer.until(lambda r: r["generation"] > first["generation"] and not r["failure"])
    assert row["path"] == str(path)
    (tmp_path / "limb.xacro").write_text(limb.replace("</robot>", '<link name="more"/></robot>'))
    viewer.until(lambda r: r["generation"] > row["generation"] and r["nbody"] == 3)


def test_the_package_of_a_robot_is_trusted_once(make_viewer, tmp_path):
    package = tmp_path / "work" / "arm_description"
    for folder in ("urdf", "meshes"):
        (package / folder).mkdir(parents=True)
    (package / "package.xml").write_text("<package><name>arm_description</name></package>")
    (package / "meshes" / "part.stl").write_bytes(stl())
    mesh = '<visual><geometry><mesh filename="package://arm_description/meshes/part.stl"/></geometry></visual>'
    for name in ("one", "two"):
        (package / "urdf" / f"{name}.urdf").write_text(arm(link=INERTIAL + mesh))
    viewer = make_viewer()
    empty(viewer)
    assert viewer.drop(package / "urdf" / "one.urdf")
    row = viewer.until(lambda r: r["failure"])
    assert f"the robot's package is '{package}'" in row["failure"]
    viewer.press("Trust")
    viewer.until(lambda r: r["path"].endswith("one.urdf") and not r["failure"])
    # another robot of the package opens without a question
    assert viewer.drop(package / "urdf" / "two.urdf")
    viewer.until(lambda r: r["path"].endswith("two.urdf") and not r["failure"])
    assert viewer.close() == 0
    assert viewer.kept()["trusted"] == [str(package)]
