"""Models written as MJCF: the text compiles to the same Model, here and in the reference."""

import mujoco
import numpy as np
import pytest

import tumble
from tests.tolerance import SOLVE, difference
from tumble.engine import MjModel
from tumble.engine.core.report import FatalError
from tumble.engine.description.language.xml_text import number, singles
from tumble.engine.description.read.parse import spec_from_file, spec_from_string
from tumble.engine.description.spec import MjSpec

from . import models

SDF = """<mujoco><extension><plugin plugin="mujoco.sdf.torus"><instance name="ring"><config key="radius2" value="0.1"/>
    </instance></plugin></extension>
  <asset><mesh name="ring"><plugin instance="ring"/></mesh><mesh name="own"><plugin plugin="mujoco.sdf.torus">
    <config key="radius1" value="0.4"/></plugin></mesh></asset>
  <worldbody><body name="b"><freejoint/><geom name="skin" type="sdf" mesh="ring" pos=".1 0 0"><plugin instance="ring"/></geom>
    </body></worldbody>
  <sensor><tactile geom="skin" mesh="ring"/></sensor></mujoco>"""
TEXTS = {**models.MODELS, "cable": models.CABLE, "sdf": SDF}
# fields that only describe the file
LAYOUT = {"nbuffer", "narena", "signature", "paths", "plugin"}


def different(a, b, tolerance=SOLVE):
    """Names of the fields in which two Models differ by more than rounding: numbers, arrays, options, names."""
    wrong = []

    def compare(x, y, prefix):
        for name in (n for n in dir(x) if n[0] != "_" and n not in LAYOUT):
            one = getattr(x, name)
            if isinstance(one, bool | int | float | np.ndarray | np.number):
                two = getattr(y, name)
                if np.shape(one) != np.shape(two) or difference(two, one) > tolerance:
                    wrong.append(prefix + name)

    compare(a, b, "")
    for part in ("opt", "stat", "vis.global_", "vis.quality", "vis.headlight", "vis.map", "vis.scale", "vis.rgba"):
        x, y = a, b
        for step in part.split("."):
            x, y = getattr(x, step), getattr(y, step)
        compare(x, y, part + ".")
    return wrong + ["names"] * (bytes(a.names) != bytes(b.names))


@pytest.mark.parametrize("name", TEXTS)
def test_read_back_is_the_same_model(name):
    spec = spec_from_string(TEXTS[name])
    first, text = spec.compile(), spec.to_xml()
    again = spec_from_string(text)
    assert different(first, again.compile()) == []
    # written a second time, the text is the same
    assert again.to_xml() == text


@pytest.mark.parametrize("name", TEXTS)
def test_reference_reads_the_same_model(name):
    theirs = mujoco.MjModel.from_xml_string(TEXTS[name])
    assert different(theirs, mujoco.MjModel.from_xml_string(spec_from_string(TEXTS[name]).to_xml())) == []


CANONICAL = """<mujoco model="arm">
  <compiler angle="radian"/>

  <option timestep="0.004">
    <flag gravity="disable"/>
  </option>

  <size nuser_geom="2"/>

  <default>
    <geom rgba="1 0 0 1"/>
    <default class="thin">
      <geom size="0.1 0 0"/>
    </default>
  </default>

  <worldbody>
    <geom name="floor" size="5 5 0.1" type="plane"/>
    <body name="upper" childclass="thin" pos="0 0 1" quat="0 1 0 0">
      <joint name="swing" pos="0 0 0" axis="0 1 0" range="-1.5 1.5"/>
      <geom user="3 0"/>
      <geom class="main" size="0.2"/>
    </body>
  </worldbody>

  <actuator>
    <general name="motor" joint="swing" ctrlrange="-1 1" gear="3 0 0 0 0 0"/>
  </actuator>
</mujoco>
"""


def test_canonical_text_is_kept():
    assert spec_from_string(CANONICAL).to_xml() == CANONICAL


def test_text_is_the_references():
    reference = mujoco.MjSpec.from_string(CANONICAL.replace(' class="main"', ""))
    assert reference.to_xml() == spec_from_string(CANONICAL.replace(' class="main"', "")).to_xml()


def test_edited_spec():
    spec = MjSpec()
    body = spec.worldbody.add_body(name="b", pos=[4, 2, 3], quat=[0, 1, 0, 0])
    body.add_site(name="s", type=tumble.mjtGeom.mjGEOM_BOX, userdata=[7, 2, 3])
    text = spec.to_xml()
    assert '<size nuser_site="3"/>' in text
    assert '<body name="b" pos="4 2 3" quat="0 1 0 0">\n      <site name="s" pos="0 0 0" type="box" user="7 2 3"/>' in text


def test_marks_in_names():
    name = "a & b < c > \"d\" 'e' \n\t ü"
    spec = MjSpec()
    spec.worldbody.add_body(name=name)
    again = spec_from_string(spec.to_xml())
    assert again.worldbody.bodies[0].name == name
    assert mujoco.MjModel.from_xml_string(spec.to_xml()).body(1).name == name


@pytest.mark.parametrize(
    "x", [0.1, 1 / 3, -2.5e-300, 1e10, 123456789.0, 2.0**31, -7.0, 1e-5, 0.30000000000000004, float("inf")]
)
def test_numbers_are_exact(x):
    assert float(number(x)) == x


def test_singles_are_exact():
    rng = np.random.default_rng(0)
    a = np.float32(rng.standard_normal(1000) * 10.0 ** rng.integers(-30, 30, 1000))
    np.testing.assert_array_equal(np.float32([float(number(x)) for x in singles(a)]), a)
    assert [number(x) for x in singles(np.float32([0.1, 0.7]))] == ["0.1", "0.7"]


def test_changed_model_is_written(tmp_path):
    m = MjModel.from_xml_string(TEXTS["links"])
    m.body_pos[1] = 1, 2, 3
    m.body_mass[2] = 7
    m.dof_damping[:] = 5
    m.qpos0[0] = 0.25
    m.geom_rgba[0] = 0.1, 0.2, 0.3, 0.4
    m.opt.timestep = 0.003
    m.key_qpos[0] = 0.5
    m.stat.extent = 9
    path = str(tmp_path / "changed.xml")
    tumble.mj_saveLastXML(path, m)
    again = MjModel.from_xml_path(path)
    # weights and means depend on masses, so only changed fields are compared
    for name in ("body_pos", "body_mass", "dof_damping", "qpos0", "geom_rgba", "key_qpos"):
        np.testing.assert_allclose(getattr(again, name), getattr(m, name), rtol=1e-7, err_msg=name)
    assert again.opt.timestep == 0.003 and again.stat.extent == 9


def test_older_model_is_written(tmp_path):
    m = MjModel.from_xml_string(CANONICAL)
    MjModel.from_xml_string(TEXTS["links"])
    tumble.mj_saveLastXML(str(tmp_path / "a.xml"), m)
    assert (tmp_path / "a.xml").read_text() == CANONICAL


def test_model_of_a_changed_spec_is_refused(tmp_path):
    spec = spec_from_string(CANONICAL)
    old = spec.compile()
    spec.worldbody.add_body(name="new")
    with pytest.raises(FatalError, match="not compiled from this spec"):
        tumble.mj_saveLastXML(str(tmp_path / "a.xml"), old)
    assert not (tmp_path / "a.xml").exists()


def test_file_that_cannot_be_written(tmp_path):
    m = MjModel.from_xml_string(CANONICAL)
    with pytest.raises(FatalError, match="cannot write"):
        tumble.mj_saveLastXML(str(tmp_path / "no" / "such" / "folder.xml"), m)


def test_all_ways_to_save(tmp_path, capsys):
    spec = spec_from_string(CANONICAL)
    spec.to_file(str(tmp_path / "a.xml"))
    tumble.mj_saveXML(spec, str(tmp_path / "b.xml"))
    assert (tmp_path / "a.xml").read_text() == (tmp_path / "b.xml").read_text() == tumble.mj_saveXMLString(spec) == CANONICAL
    tumble.mj_saveLastXML("", spec.compile())
    assert capsys.readouterr().out == CANONICAL


def test_spec_that_cannot_be_compiled():
    spec = MjSpec()
    spec.worldbody.add_geom(size=[-1, 0, 0])
    with pytest.raises(FatalError, match="size"):
        tumble.mj_saveXMLString(spec)


OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
WITH_MESH = """<mujoco><compiler meshdir="meshes"/><asset><mesh name="m" file="a.obj"/></asset>
  <worldbody><geom type="mesh" mesh="m" pos="1 2 3" euler="10 20 30"/><geom type="box" mesh="m" pos=".1 0 0"/></worldbody>\
</mujoco>"""


def test_files_are_found_from_another_folder(tmp_path):
    from tumble.engine.description.save import export_xml

    (tmp_path / "in" / "meshes").mkdir(parents=True)
    (tmp_path / "out").mkdir()
    (tmp_path / "in" / "meshes" / "a.obj").write_text(OBJ)
    (tmp_path / "in" / "model.xml").write_text(WITH_MESH)
    m = MjModel.from_xml_path(str(tmp_path / "in" / "model.xml"))
    export_xml(str(tmp_path / "out" / "model.xml"), m)
    assert 'meshdir="../in/meshes/"' in (tmp_path / "out" / "model.xml").read_text()
    assert different(m, MjModel.from_xml_path(str(tmp_path / "out" / "model.xml"))) == []
    # `to_xml` of the spec keeps the folder as the source names it
    assert 'meshdir="meshes/"' in spec_from_file(str(tmp_path / "in" / "model.xml")).to_xml()


PINNED = """<mujoco><worldbody><flexcomp name="soft" type="grid" count="3 3 3" spacing=".1 .1 .1" radius=".01" dim="3"
    dof="trilinear" mass="1">
  <contact selfcollide="none"/><pin id="0"/></flexcomp></worldbody></mujoco>"""


def test_what_has_no_place_in_the_language_is_told():
    with pytest.warns(UserWarning, match="soft"):
        spec_from_string(PINNED).to_xml()


def test_pixels_cannot_be_written():
    spec = MjSpec()
    spec.add_texture(name="t", type=tumble.mjtTexture.mjTEXTURE_2D, width=1, height=1, data=[1, 2, 3])
    with pytest.raises(FatalError, match="pixels"):
        tumble.mj_saveXMLString(spec)


CHILD = """<mujoco model="child"><compiler angle="radian" autolimits="false" boundmass=".5"/><default>
    <joint range="-1 1" limited="true"/>
  <default class="leg"><geom size=".05" rgba="0 1 0 1"/></default></default><asset>
    <mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale=".1 .1 .1"/></asset>
  <worldbody><body name="hip" childclass="leg" pos="0 0 .5"><joint name="turn" axis="0 1 0"/><geom/>
    <geom type="mesh" mesh="tet" euler="0 0 .5"/>
  <body name="shin" pos="0 0 -.2"><joint name="knee" axis="1 0 0"/><geom size=".01"/><site name="foot"/></body></body>
    </worldbody>
  <sensor><gyro site="foot"/></sensor><actuator><position joint="knee" kp="3"/></actuator><keyframe>
    <key name="bent" qpos=".1 .2" ctrl=".3"/></keyframe></mujoco>"""
PARENT = """<mujoco><asset><model name="leg" file="child.xml"/></asset><default><geom size=".3"/></default>
  <worldbody><body name="trunk"><freejoint/><geom/><frame pos=".1 .2 .3" euler="0 0 30">
    <attach model="leg" body="hip" prefix="left_"/></frame>
  <frame name="right" pos=".1 -.2 .3"><attach model="leg" body="hip" prefix="right_"/></frame></body></worldbody></mujoco>"""


def test_attached_models_stand_in_the_text():
    first = MjModel.from_xml_string(PARENT, {"child.xml": CHILD})
    text = spec_from_string(PARENT, {"child.xml": CHILD}, {"child.xml": CHILD}).to_xml()
    assert "child.xml" not in text and '<frame name="right">' in text
    assert different(first, MjModel.from_xml_string(text)) == []
    assert (
        different(mujoco.MjModel.from_xml_string(PARENT, {"child.xml": CHILD.encode()}), mujoco.MjModel.from_xml_string(text))
        == []
    )


def test_deleted_class_is_not_named():
    spec = spec_from_string(CANONICAL)
    first = spec.compile()
    spec.delete(spec.find_default("thin"))
    text = spec.to_xml()
    assert "thin" not in text
    np.testing.assert_array_equal(spec_from_string(text).compile().geom_size, first.geom_size)


def test_masses_scaled_below_their_bound_are_saved():
    """Bounds act before the total mass scales everything, so a text that keeps both would enlarge the masses again."""
    spec = tumble.MjSpec.from_string(
        """<mujoco><compiler boundmass=".1" boundinertia=".01" settotalmass="1"/><worldbody>
      <body><freejoint/><geom size=".01"/></body><body pos="1 0 0"><freejoint/><geom size="2"/></body></worldbody></mujoco>"""
    )
    m = spec.compile()
    again = tumble.MjModel.from_xml_string(spec.to_xml())
    assert m.body_mass[1] < 0.1 and m.body_inertia[1, 0] < 0.01
    np.testing.assert_allclose(again.body_mass, m.body_mass, rtol=1e-12)
    np.testing.assert_allclose(again.body_inertia, m.body_inertia, rtol=1e-12)
