"""The picture inside a window: its background, and labels independent of its resolution. Needs EGL or OSMesa, but no GPU; fails
without them.
"""

import numpy as np
import pytest

import tumble as mj
from tumble.render.offscreen import Renderer

FLOOR = """<mujoco><statistic extent="2" center="0 0 .5"/><asset><material name="shiny" reflectance=".5"/></asset>
 <worldbody><light pos="0 0 4"/><geom name="floor" type="plane" size="2 2 .1" material="shiny" rgba=".3 .3 .3 1"/>
 <geom name="ball" pos="0 0 .6" size=".3" rgba="1 0 0 1"/></worldbody></mujoco>"""
W, H = 240, 160
BACKGROUND = (0.2, 0.4, 0.8)


@pytest.fixture(scope="module")
def made():
    m = mj.MjModel.from_xml_string(FLOOR)
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    with Renderer(m, H, W) as r:
        yield m, d, r


def picture(r, scale):
    """(H, W, 3) numbers of a pane at this resolution."""
    from tumble.render.gl.image import read_rgb
    from tumble.render.gl.pane import Pane
    from tumble.render.gl.targets import Target

    window, pane = Target(), Pane(r._gl.renderer)
    window.resize(W, H)
    pane.draw(r.scene, (0, 0, W, H), scale, window.fbo)
    out = read_rgb(window.fbo, W, H).astype(int)
    pane.close()
    window.free()
    return out


def test_the_background_shows_where_there_is_no_sky_and_nowhere_else(made):
    """Neither in the floor, which mirrors only the model's geoms, nor in ids."""
    _m, d, r = made
    r.update_scene(d)
    black = picture(r, 1.0)
    r._gl.renderer.background = BACKGROUND
    blue = picture(r, 1.0)
    r._gl.renderer.background = (0.0, 0.0, 0.0)
    r.enable_segmentation_rendering()
    nothing = r.render()[..., 0] < 0
    r.disable_segmentation_rendering()
    inside = ~nothing
    for axis in (0, 1):
        # away from edges, which multisampling mixes
        inside &= np.roll(~nothing, 1, axis) & np.roll(~nothing, -1, axis)
    np.testing.assert_array_equal(blue[inside], black[inside])
    assert inside.sum() > 2000
    assert np.abs(blue[2, 2] - 255 * np.array(BACKGROUND)).max() <= 1 and black[2, 2].max() == 0


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_labels_are_as_large_at_any_resolution(made, scale):
    m, d, r = made
    option = mj.MjvOption()
    r.update_scene(d, scene_option=option)
    without = picture(r, scale)
    option.label = int(mj.mjtLabel.mjLABEL_GEOM)
    r.update_scene(d, scene_option=option)
    written = np.abs(picture(r, scale) - without).max(2) > 120
    rows = np.flatnonzero(written.any(1))
    # two names, 19 pixels high including descenders, one above the other
    assert written.any() and m.ngeom == 2
    runs = np.split(rows, np.flatnonzero(np.diff(rows) > 3) + 1)
    assert all(8 <= len(run) <= 20 for run in runs), [len(run) for run in runs]
