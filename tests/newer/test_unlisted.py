"""Changes that MuJoCo's changelog does not list, with the numbers of 4.0.1; by default, results equal those of 3.4.0."""

import numpy as np
import pytest

import tumble
from tests.description.test_file_faults import png


def load(text, compat, **assets):
    return tumble.MjModel.from_xml_string(f"<mujoco>{text}</mujoco>", assets=assets, compat=compat)


def spec_of(text, compat):
    return tumble.MjSpec.from_string(f'<mujoco><compiler compat="{compat}"/>{text}</mujoco>')


def test_frames_are_deleted_with_what_is_in_them():
    for compat, bodies in (("3.4", 3), ("4.0", 2)):
        spec = spec_of("<worldbody><frame name='f'><body><geom size='.1'/></body></frame><body/></worldbody>", compat)
        spec.delete(spec.frame("f"))
        assert len(spec.bodies) == bodies and spec.compile().nbody == bodies


def test_fusing_keeps_inertia_and_only_what_is_referred_to():
    body = "<body name='{}'><geom size='.1'/></body>"
    text = (
        f"<compiler fusestatic='true'/><worldbody>{body.format('a')}{body.format('b')}{body.format('c')}</worldbody>"
        "<sensor><subtreecom body='c'/></sensor>"
    )
    assert [load(text, compat).nbody for compat in ("3.4", "4.0")] == [3, 2]
    turned = """<compiler fusestatic='{}'/><worldbody><body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='.1 .2 .25'/>
      <body pos='.1 .2 .3' euler='30 40 50'><inertial pos='.1 0 .2' euler='10 20 70' mass='2' diaginertia='.5 .3 .4'/></body>\
</body></worldbody>"""
    inertias = []
    for fused in ("false", "true"):
        m = load(turned.format(fused), "4.0")
        d = tumble.MjData(m)
        tumble.mj_forward(m, d)
        inertias.append(np.zeros((m.nv, m.nv)))
        tumble.mj_fullM(m, inertias[-1], d.qM)
    assert np.allclose(*inertias, atol=1e-9)


def test_singular_inertias_are_warnings():
    text = "<worldbody><body><joint/><joint/><geom size='.1' pos='1 0 0'/></body></worldbody>"
    with pytest.raises(ValueError, match="QACC"):
        spec_of(text, "3.4").compile()
    with pytest.warns(UserWarning, match="singular"):
        spec_of(text, "4.0").compile()


def test_points_that_no_element_uses_have_no_mass():
    text = """<worldbody><body name="b"><flexcomp name="f" type="direct" dim="2" mass="1" {} point="9 9 9 0 0 0 1 0 0 0 1 0 0\
 0 1"
      element="1 3 2 1 2 4 1 4 3 2 3 4"><contact selfcollide="none"/></flexcomp></body></worldbody>"""
    assert [load(text.format(""), compat).body_mass.sum() for compat in ("3.4", "4.0")] == pytest.approx([0.8, 1.0])
    assert [load(text.format('rigid="true"'), compat).nflexvert for compat in ("3.4", "4.0")] == [5, 4]


def test_cubes_from_files_have_three_channels():
    text, image = '<asset><texture name="t" type="cube" nchannel="4" file="g.png"/></asset>', png(np.full((4, 4, 4), 9), 8, 6)
    assert load(text, "3.4", **{"g.png": image}).ntexdata == 64
    with pytest.raises(ValueError, match="3 channels"):
        load(text, "4.0", **{"g.png": image})


ROBOT = """<robot name="g"><link name="b">{i}</link><link name="l">{i}</link><link name="r">{i}</link>
  <joint name="jl" type="continuous"><parent link="b"/><child link="l"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
    </joint>
  <joint name="jr" type="prismatic"><parent link="b"/><child link="r"/><limit lower="0" upper="1" effort="1" velocity="1"/>
    <mimic joint="jl" multiplier="-2" offset=".01"/></joint></robot>""".replace(
    "{i}", '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
)


def test_joints_of_urdf():
    spec = tumble.MjSpec.from_string(ROBOT)
    m = spec.compile()
    assert m.neq == 0 and m.jnt_limited.tolist() == [1, 1] and "jr" in spec.warnings[0]
    m = tumble.MjModel.from_xml_string(ROBOT, compat="4.0")
    assert m.eq_data[0, :5].tolist() == [0.01, -2, 0, 0, 0] and m.jnt_limited.tolist() == [0, 1]


def test_fitted_geoms_and_cameras_without_resolution():
    fitted = (
        '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody><geom type="box" mesh="m"/></worldbody>'
    )
    assert [int(load(fitted, compat).geom_dataid[0]) for compat in ("3.4", "4.0")] == [0, -1]
    camera = '<worldbody><camera sensorsize=".01 .01" focal=".01 .01" principal="0 .002"/></worldbody>'
    with pytest.raises(ValueError, match="resolution"):
        load(camera, "3.4")
    assert load(camera, "4.0").cam_resolution.tolist() == [[1, 1]]
