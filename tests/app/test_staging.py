"""Staging of a view: floor, lights and sky that a model lacks are added to its scene only, not to the model."""

import numpy as np
import pytest

import tumble as mj
from tests.app.models import PENDULUM
from tumble.app.config import Config
from tumble.app.staging import AZIMUTH, Stage, wanted
from tumble.app.view import View
from tumble.render.gl.gradient import SIDE, faces

BARE = (
    """<mujoco><worldbody><body pos="0 0 0.2"><freejoint/><geom size="0.1 0.1 0.5" type="box"/></body></worldbody></mujoco>"""
)
LIGHT, PLANE = '<light pos="0 0 3"/>', '<geom type="plane" size="1 1 0.1"/>'
SKY = '<asset><texture type="skybox" builtin="gradient" width="8" height="48" rgb1="1 1 1" rgb2="0 0 0"/></asset>'
BOX = '<geom type="box" size="2 2 0.1" pos="0 0 -0.4"/>'
SMALL_BOX = '<geom type="box" size="0.05 0.05 0.1" pos="0 0 -0.4"/>'


def of(text):
    return Stage(mj.MjModel.from_xml_string(text))


def with_(part):
    return BARE.replace("<worldbody>", f"<worldbody>{part}")


def seen(text, staged=True):
    m = mj.MjModel.from_xml_string(text)
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    view = View(lambda intent: None)
    view.staged = staged
    view.adopt(m, d, align=True)
    return view, view.update()


def test_each_part_is_judged_by_itself():
    assert of(BARE).whole
    assert (of(with_(LIGHT)).floor, of(with_(LIGHT)).lights, of(with_(LIGHT)).sky) == (True, False, True)
    assert (of(with_(PLANE)).floor, of(with_(PLANE)).lights) == (False, True)
    assert not of(with_(BOX)).floor and of(with_(SMALL_BOX)).floor
    assert not of(BARE.replace("<worldbody>", f"{SKY}<worldbody>")).sky
    head = '<visual><headlight diffuse="1 1 1"/></visual><worldbody>'
    assert not of(BARE.replace("<worldbody>", head)).lights, "a headlight that the author set is the model's own light"
    assert not of(PENDULUM).floor and not of(PENDULUM).lights


def test_the_floor_is_below_everything_or_at_zero():
    assert of(BARE).height == pytest.approx(-0.3)
    assert of(BARE.replace('pos="0 0 0.2"', 'pos="0 0 2"')).height == 0


def test_the_scene_has_floor_and_lights_and_the_model_has_not():
    plain, without = seen(BARE, staged=False)
    view, scene = seen(BARE)
    assert without.ngeom + 1 == scene.ngeom and without.nlight + 2 == scene.nlight
    assert scene.geom.type[scene.ngeom - 1] == mj.mjtGeom.mjGEOM_PLANE
    assert scene.light.diffuse[0].max() < without.light.diffuse[0].max(), "the headlight makes room for the other lights"
    assert view.m.ngeom == 1 and view.m.nlight == 0
    # the same scene again: the dimmed headlight is not dimmed twice
    before = np.array(scene.light.diffuse[:3])
    assert np.array_equal(view.update().light.diffuse[:3], before)
    assert plain.cam.azimuth == 90 and view.cam.azimuth == AZIMUTH


def test_the_first_view_shows_all_of_the_model_and_not_much_more():
    view, scene = seen(BARE.replace('size="0.1 0.1 0.5"', 'size="0.1 2 0.5"'))
    eye, lens = scene.camera[0], view.stage.corners
    away = lens - np.array(eye.pos, float)
    depth = away @ np.array(eye.forward, float)
    right = np.cross(eye.forward, eye.up)
    reach = np.abs(np.stack((away @ right, away @ np.array(eye.up, float)))) / depth / np.tan(np.radians(22.5))
    # the remaining margin leaves room for the word PAUSE
    assert 0.75 < reach.max() < 0.9


def test_a_model_of_its_own_keeps_its_first_view():
    view, _ = seen(with_(LIGHT))
    assert view.cam.azimuth == 90
    turned = BARE.replace("<worldbody>", '<visual><global azimuth="10"/></visual><worldbody>')
    assert seen(turned)[0].cam.azimuth == 10


def test_no_stage_in_pictures_of_ids():
    view, scene = seen(BARE)
    count = scene.ngeom
    view.render_flags[int(mj.mjtRndFlag.mjRND_SEGMENT)] = 1
    assert view.update().ngeom == count - 1


def test_scripts_see_it_only_on_request(tmp_path):
    config = Config(tmp_path / "settings.json")
    assert wanted(config, passive=False) and not wanted(config, passive=True)
    config["stage"] = "on"
    assert wanted(config, passive=True)
    config["stage"] = "off"
    assert not wanted(config, passive=False)


def test_pictures_of_scripts_do_not_know_it():
    m = mj.MjModel.from_xml_string(BARE)
    try:
        renderer = mj.Renderer(m, 40, 40)
    except Exception as error:
        pytest.skip(f"nothing can be drawn here: {error}")
    with renderer:
        d = mj.MjData(m)
        mj.mj_forward(m, d)
        renderer.update_scene(d)
        assert (renderer.render()[0] == 0).all(), "the sky is black"


def test_a_gradient_is_dark_above_and_even_below():
    above, level = (0.0, 0.0, 0.2), (1.0, 0.5, 0.4)
    six = faces(above, level)
    assert six.shape == (6, SIDE, SIDE, 3)
    assert (six[3] == np.rint(255 * np.array(level))).all()
    assert six[2, SIDE // 2, SIDE // 2].tolist() == pytest.approx([0, 0, 51], abs=8)
    # on the sides, the first row is the upper edge
    assert all(six[k, 0, 3, 0] < six[k, -1, 3, 0] for k in (0, 1, 4, 5))


def test_the_switch_in_a_window(make_viewer):
    viewer = make_viewer(BARE, stage="auto")
    viewer.started()
    viewer.key("space")
    viewer.until(lambda r: not r["running"])
    viewer.pictures()
    staged = viewer.view()
    viewer.key("ctrl+k")
    viewer.until(lambda r: r["settings"]["palette"])
    viewer.write("stage off")
    viewer.until(lambda r: r["typed"] == "stage off")
    viewer.key("enter")
    viewer.until(lambda r: "Stage: off" in r["undo"])
    viewer.pictures()
    bare = viewer.view()
    # a part of the sky beside all boxes
    sky = slice(80, 160), slice(20, 60)
    assert staged[sky].std(axis=(0, 1)).max() > 0.3 > bare[sky].std(axis=(0, 1)).max(), "only the stage has a gradient"
    viewer.key("ctrl+z")
    viewer.until(lambda r: "Stage: off" not in r["undo"])
    assert viewer.close() == 0
    assert "stage" not in viewer.kept()
