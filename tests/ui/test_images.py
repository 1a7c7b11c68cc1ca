"""Sensors that are pictures, and pictures of a script."""

import numpy as np
import pytest

import tumble as mj
from tests.ui.null import Stage
from tumble.app.config import Config
from tumble.ui import images
from tumble.ui.context import Overlays

XML = """<mujoco><size nuser_sensor="2"/><worldbody><geom size=".1"/></worldbody>
 <sensor><user name="plain" dim="5"/><user name="eye" dim="36" user="4 3"/><user name="odd" dim="36" user="5 3"/></sensor>\
</mujoco>"""


@pytest.fixture
def stage(gui, tmp_path):
    m = mj.MjModel.from_xml_string(XML)
    return Stage(gui, m, mj.MjData(m), Config(tmp_path / "s.json"))


def test_image_sensors_are_found_and_read(stage):
    m, d = stage.m, stage.d
    assert images.image_sensors(m) == [(1, 4, 3)]
    d.sensordata[5:41] = np.arange(36) / 35
    picture = images.pixels(m, d, 1, 4, 3)
    assert picture.shape == (3, 4, 3) and picture.dtype == np.uint8
    np.testing.assert_array_equal(picture.ravel(), (np.arange(36) / 35 * 255).astype(np.uint8))
    # numbers above one are bytes already
    d.sensordata[5:41] = np.arange(36) * 7
    np.testing.assert_array_equal(images.pixels(m, d, 1, 4, 3).ravel(), np.clip(np.arange(36) * 7, 0, 255))
    d.sensordata[5] = np.nan
    assert images.pixels(m, d, 1, 4, 3)[0, 0, 0] == 0


def test_a_chosen_image_stands_where_the_bars_were(stage):
    asked = []
    original = stage.context

    def context():
        ctx = original()
        ctx.texture = lambda key, image: asked.append((key, image.shape)) or 1
        return ctx

    stage.context = context
    stage.config["sensor"] = True
    stage.frames(2)
    assert not asked
    stage.scratch.of(images.Picked).row = 1
    stage.frames(2)
    assert asked[0] == (("sensor", 1), (3, 4, 3))


def test_images_of_a_script_lie_at_their_places(stage):
    from tumble.render.scene import MjrRect

    drawn = []
    original = stage.context

    def context():
        ctx = original()
        ctx.overlays = Overlays(images=[(MjrRect(10, 20, 8, 6), np.zeros((6, 8, 3), np.uint8))])
        ctx.texture = lambda key, image: drawn.append((key, image.shape)) or 1
        return ctx

    stage.context = context
    stage.frames(2)
    assert drawn[0] == (("user", 0), (6, 8, 3))
    assert not [line for line in stage.log.lines if line.level == "error"]
