"""Fixes that the reference's list of changes does not name have the numbers that were recorded with 4.0.1."""

import functools
import pathlib

import numpy as np
import pytest

import tumble
from tumble import v4
from tumble.engine.tables import compat_rows

from .fixes import FIXES
from .fixes_models import OFF, PADS, SHEET, TOUCH
from .fixes_physics import CLOTH, FLEX, LOOSE, fate
from .records import check

RECORDS = dict(np.load(pathlib.Path(__file__).parent / "fixes.npz"))
# sums in another order; corners of nearly parallel edges, angles in single precision, searches that end early
SUMS, LIMITS = 1e-9, {"level_boxes": 2e-5, "lenses": 2e-7, "grazing_ellipsoids": 1e-8}


def test_records_are_of_the_oracle():
    assert str(RECORDS["version"]) == "4.0.1" and {key.split(".")[0] for key in RECORDS} == {*FIXES, "version"}


@pytest.mark.parametrize("name", FIXES)
def test_fix(name):
    check(name, FIXES[name](v4, v4.MjModel.from_xml_string), RECORDS, LIMITS.get(name, SUMS))


def before(name, text):
    """The text as a Model of the release before a change, and of the release of the change."""
    release = next(row.version for row in compat_rows.ROWS if row.name == name)
    earlier = max(
        (row.version for row in compat_rows.ROWS if compat_rows.key(row.version) < compat_rows.key(release)),
        key=compat_rows.key,
        default="3.4",
    )
    return [tumble.MjModel.from_xml_string(text, compat=version) for version in (earlier, release)]


def test_forces_follow_turned_slides_since_3_11():
    kind, more = CLOTH, 'thickness=".01" elastic2d="stretch"'
    forces = []
    for m in before("flex_frames", FLEX.format(kind=kind, more=more, pin="", turn="").replace(' internal="false"', "")):
        d = tumble.MjData(m)
        d.qpos[:] = np.random.default_rng(1).normal(size=m.nq) * 0.01
        tumble.mj_forward(m, d)
        forces.append(d.qfrc_spring.reshape(-1, 3))
    turn = np.zeros(9)
    tumble.mju_quat2Mat(turn, np.array([0.8, 0.3, -0.4, 0.2]) / np.linalg.norm([0.8, 0.3, -0.4, 0.2]))
    assert np.abs(forces[0]).max() > 0.1
    assert np.allclose(forces[0] @ turn.reshape(3, 3), forces[1], rtol=1e-9, atol=1e-9)


def test_turned_cells_are_at_rest_since_3_8():
    text = """<mujoco><option gravity="0 0 0"/><worldbody><body name="b" quat=".8 .3 -.4 .2"><flexcomp name="f" type="grid"
      dim="3" count="3 3 4" spacing=".1 .1 .1" mass="1" dof="trilinear"><elasticity young="1e4"/>
      <contact selfcollide="none"/></flexcomp></body></worldbody></mujoco>"""
    pull = []
    for m in before("cell_frame", text):
        d = tumble.MjData(m)
        tumble.mj_forward(m, d)
        pull.append(np.abs(d.qfrc_spring).max())
    assert pull[0] > 1 and pull[1] < 1e-9


def test_rows_leave_out_shared_dofs_since_3_7():
    text = """<mujoco><option jacobian="sparse"/><worldbody><body><freejoint/><geom size=".1"/><body pos=".15 0 0"><joint
      axis="0 1 0"/><geom size=".1"/></body></body></worldbody><contact><pair geom1="a" geom2="b"/></contact></mujoco>"""
    counts = []
    for m in before(
        "shared_dofs", text.replace("<geom size", '<geom name="a" size', 1).replace("<geom size", '<geom name="b" size')
    ):
        d = tumble.MjData(m)
        tumble.mj_forward(m, d)
        counts.append(set(d.efc_J_rownnz.tolist()))
    assert counts == [{7}, {1}]


def test_bodies_without_mass_are_measured_by_what_is_below_since_3_8_1():
    text = """<mujoco><worldbody><site name="s" size=".1"/><body name="b"><body pos="1 0 0"><geom size=".1"/></body></body>
      </worldbody><sensor><insidesite site="s" objtype="body" objname="b"/></sensor></mujoco>"""
    inside = []
    for m in before("inside_mass", text):
        d = tumble.MjData(m)
        tumble.mj_forward(m, d)
        inside.append(d.sensordata[0])
    assert inside == [1, 0]


def test_what_is_an_error_before_or_since():
    pinned = LOOSE.format(dof="trilinear", pin='<pin grid="0 0 1"/>')
    idle = TOUCH.format(pad=PADS["made"], off="", own=OFF, ball="9 9 9")
    fates = [
        [fate(functools.partial(tumble.MjModel.from_xml_string, compat=version), text) for version in versions]
        for text, versions in ((pinned, ("3.4", "3.5")), (idle, ("3.8", "3.9")))
    ]
    assert fates == [[0, 1], [1, 0]]


def test_pixels_override_lengths_since_3_5():
    def camera(version):
        spec = tumble.MjSpec.from_string(f'<mujoco><compiler compat="{version}"/></mujoco>')
        spec.worldbody.add_camera(
            focal_pixel=[50, 60], focal_length=[0.1, 0.2], sensor_size=[0.02, 0.03], resolution=[100, 200]
        )
        return spec.compile().cam_intrinsic[0, 0]

    with pytest.raises(ValueError, match="given twice"):
        camera("3.4")
    assert camera("3.5") == pytest.approx(0.01)


def test_saved_classes_have_axes_since_3_12():
    text = """<mujoco><compiler compat="{}"/><default><joint axis="1 0 0"/></default><worldbody><body><joint/>
      <geom size=".1"/></body></worldbody></mujoco>"""
    saved = []
    for version in ("3.11", "3.12"):
        spec = tumble.MjSpec.from_string(text.format(version))
        spec.compile()
        saved.append(spec.to_xml())
        again = tumble.MjModel.from_xml_string(saved[-1])
        assert again.jnt_axis.tolist() == [[1, 0, 0]]
    assert '<joint pos="0 0 0" axis="1 0 0"/>' in saved[0]
    assert '<joint axis="1 0 0"/>' in saved[1] and "<joint/>" in saved[1]


def test_loose_flexes_are_told_of_since_3_7(capfd):
    told = []
    for version in ("3.6", "3.7"):
        tumble.MjModel.from_xml_string(SHEET.format("none").replace('young="1e4" ', ""), compat=version)
        told.append("nothing holds flex 'f' together" in capfd.readouterr().out)
    assert told == [False, True]


def test_elastic_cells_of_few_elements_are_refused():
    text = FLEX.format(kind='type="grid" dim="3" count="2 2 2" spacing=".1 .1 .1" dof="trilinear"', more="", pin="", turn="")
    with pytest.raises(ValueError, match="at least 28 elements"):
        v4.MjModel.from_xml_string(text.replace(' internal="false"', ""))


def test_textures_of_one_channel_are_left_out_of_pictures():
    head = b"\xabKTX 11\xbb\r\n\x1a\n"
    pictures = []
    for texture in ('texture="a"', ""):
        text = f"""<mujoco><asset><texture name="a" type="2d" file="a.ktx"/><material name="m" {texture} rgba="1 .5 0 1"/>
          </asset><worldbody><light pos="0 0 3"/><geom type="box" size="1 1 1" material="m"/><camera pos="0 0 5"/></worldbody>
          </mujoco>"""
        m = v4.MjModel.from_xml_string(text, {"a.ktx": head + bytes(200)})
        assert m.tex_nchannel.tolist() == [1]
        d = v4.MjData(m)
        v4.mj_forward(m, d)
        try:
            renderer = v4.Renderer(m, 20, 20)
        except Exception as error:
            pytest.skip(f"no context of OpenGL: {error}")
        with renderer:
            renderer.update_scene(d, 0)
            pictures.append(renderer.render().copy())
    assert pictures[0].any() and np.array_equal(*pictures)
