"""The mjr_* calls: a script with its own context gets results that follow the reference Renderer's conventions."""

import mujoco
import numpy as np
import pytest

from tests.oracle import load_pair
from tests.render.test_pictures import ROOM
from tumble.render import scene as mjv
from tumble.render.gl.context import GLContext

W, H = 96, 64


@pytest.fixture(scope="module")
def drawn():
    ref, data, m, _ = load_pair(ROOM)
    mujoco.mj_forward(ref, data)
    ctx = GLContext(W, H)
    from tumble.render.gl import mjr

    con = mjr.MjrContext(m, 150)
    mjr.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, con)
    scn, cam = mjv.MjvScene(m, 100), mjv.MjvCamera()
    cam.type, cam.fixedcamid = 2, 0
    mjv.mjv_updateScene(m, data, mjv.MjvOption(), None, cam, 7, scn)
    yield mjr, con, scn, m
    con.free()
    con.free()
    ctx.free()


def test_depth_in_both_mappings(drawn):
    """The center pixel shows the ball's top at 2.7 m: both depth maps convert back to that distance."""
    mjr, con, scn, m = drawn
    view = mjv.MjrRect(0, 0, W, H)
    con.readDepthMap = int(mujoco.mjtDepthMap.mjDEPTH_ZERONEAR)
    mjr.mjr_render(view, scn, con)
    rgb, near, far = np.full((H, W, 3), 77, np.uint8), np.full((H, W), 77, np.float32), np.full((H, W), 77, np.float32)
    mjr.mjr_readPixels(rgb, near, view, con)
    con.readDepthMap = int(mujoco.mjtDepthMap.mjDEPTH_ZEROFAR)
    mjr.mjr_readPixels(None, far, view, con)
    assert np.allclose(near + far, 1, atol=1e-6)
    n, f = m.vis.map.znear * m.stat.extent, m.vis.map.zfar * m.stat.extent
    dist = n * f / (f - near[H // 2, W // 2] * (f - n))
    assert abs(dist - 2.7) < 5e-3
    assert rgb[H // 2, W // 2, 0] > rgb[H // 2, W // 2, 1] + 60


def test_rectangles_text_overlays_and_pixels(drawn):
    """Fills stay in their rectangle, text puts light pixels where requested, images are read back as drawn."""
    mjr, con, _, _ = drawn
    full, out = mjr.mjr_maxViewport(con), np.zeros((H, W, 3), np.uint8)
    assert (full.width, full.height) == (con.offWidth, con.offHeight)
    view = mjv.MjrRect(0, 0, W, H)
    mjr.mjr_restoreBuffer(con)
    mjr.mjr_rectangle(view, 0, 0, 1, 1)
    mjr.mjr_rectangle(mjv.MjrRect(10, 5, 20, 8), 1, 0, 0, 1)
    mjr.mjr_readPixels(out, None, view, con)
    red = out[..., 0] > 200
    assert red.sum() == 20 * 8 and red[5:13, 10:30].all()
    mjr.mjr_overlay(0, mujoco.mjtGridPos.mjGRID_TOPLEFT, view, "Hi\nthere", "12", con)
    mjr.mjr_readPixels(out, None, view, con)
    light = (out > 150).all(2)
    assert light[H // 2 :, : W // 2].sum() > 20 and not light[: H // 4, 2 * W // 3 :].any()
    image = np.random.default_rng(0).integers(0, 255, (8, 12, 3)).astype(np.uint8)
    mjr.mjr_drawPixels(image, None, mjv.MjrRect(40, 3, 12, 8), con)
    mjr.mjr_readPixels(out, None, view, con)
    assert (out[3:11, 40:52] == image).all()
    assert mjr.mjr_findRect(11, 6, 1, [mjv.MjrRect(10, 5, 20, 8)]) == 0 and mjr.mjr_getError() == 0


def picture(mjr, con, view):
    """The contents of the current buffer."""
    out = np.full((view.height, view.width, 3), 77, np.uint8)
    mjr.mjr_readPixels(out, None, view, con)
    return out


def test_auxiliary_buffers_hold_a_second_picture(drawn):
    """Drawing after mjr_setAux does not affect the current buffer until it is copied there."""
    mjr, con, _, _ = drawn
    view, part = mjv.MjrRect(0, 0, W, H), mjv.MjrRect(4, 6, 10, 8)
    mjr.mjr_restoreBuffer(con)
    mjr.mjr_rectangle(view, 0, 0, 1, 1)
    mjr.mjr_addAux(3, 40, 30, 4, con)
    assert (con.auxWidth[3], con.auxHeight[3]) == (40, 30) and con.auxFBO[3] > 0
    mjr.mjr_setAux(3, con)
    mjr.mjr_rectangle(mjv.MjrRect(0, 0, 40, 30), 0, 1, 0, 1)
    assert (picture(mjr, con, mjv.MjrRect(0, 0, 40, 30)) == [0, 255, 0]).all()
    mjr.mjr_restoreBuffer(con)
    assert (picture(mjr, con, view) == [0, 0, 255]).all()
    mjr.mjr_blitAux(3, part, 50, 20, con)
    green = (picture(mjr, con, view) == [0, 255, 0]).all(2)
    assert green.sum() == 80 and green[20:28, 50:60].all()
    mjr.mjr_addAux(3, 0, 0, 0, con)
    with pytest.raises(ValueError, match="does not exist"):
        mjr.mjr_setAux(3, con)
    with pytest.raises(ValueError, match="counted from 0"):
        mjr.mjr_addAux(10, 5, 5, 0, con)


def test_translucent_rectangles_mix(drawn):
    """Half-transparent red over blue is their mean."""
    mjr, con, _, _ = drawn
    view = mjv.MjrRect(0, 0, W, H)
    mjr.mjr_restoreBuffer(con)
    mjr.mjr_rectangle(view, 0, 0, 1, 1)
    mjr.mjr_rectangle(mjv.MjrRect(0, 0, 10, 10), 1, 0, 0, 0.5)
    assert np.abs(picture(mjr, con, view)[5, 5].astype(int) - [128, 0, 128]).max() <= 2


def a_figure():
    fig = mjv.MjvFigure()
    mjv.mjv_defaultFigure(fig)
    fig.flg_ticklabel, fig.flg_legend, fig.gridsize = [0, 0], 0, [0, 0]
    fig.linepnt[0] = 3
    fig.linedata[0, :6] = [0, 0, 5, 7.3, 10, 1]
    return fig


def test_figure_draws_its_line_where_its_axes_say(drawn):
    """The returned axes map data to the pixels of the line; outside of the line there is the background."""
    mjr, con, _, _ = drawn
    view, fig = mjv.MjrRect(0, 0, W, H), a_figure()
    mjr.mjr_restoreBuffer(con)
    mjr.mjr_figure(view, fig, con)
    assert fig.xaxisdata.tolist() == [0, 10] and fig.yaxisdata.tolist() == [0, 8], "data's range in whole steps"
    out = picture(mjr, con, view).astype(int)
    x = np.interp([2.5, 5, 2.5], fig.xaxisdata, fig.xaxispixel).round().astype(int)
    y = np.interp([3.65, 7.3, 7], fig.yaxisdata, fig.yaxispixel).round().astype(int)
    assert (out[y[:2], x[:2], 0] > 150).all() and out[y[2], x[2]].max() < 20
    fig.flg_symmetric = 1
    mjr.mjr_figure(view, fig, con)
    assert fig.yaxisdata.tolist() == [-8, 8]


def test_figure_legend_highlights_the_line_under_the_mouse(drawn):
    """If the mouse is on a name, its line becomes wider; title, labels and legend put text on the figure."""
    mjr, con, _, _ = drawn
    view, fig = mjv.MjrRect(0, 0, 300, 200), a_figure()
    mjr.mjr_resizeOffscreen(300, 200, con)
    mjr.mjr_figure(view, fig, con)
    plain = picture(mjr, con, view)
    fig.flg_legend, fig.linename[0], fig.title, fig.xlabel = 1, b"speed", "one  two", "time"
    fig.subplot, fig.flg_ticklabel, fig.gridsize = 1, [1, 1], [3, 3]
    mjr.mjr_figure(view, fig, con)
    full = picture(mjr, con, view)
    assert ((full > 120).all(2)).sum() > ((plain > 120).all(2)).sum() + 100, "white text"

    def red():
        out = picture(mjr, con, view).astype(int)
        return int(((out[..., 0] > 150) & (out[..., 1] < 120)).sum())

    before = red()
    fig.highlight[:] = fig.xaxispixel[1] - con.charHeight, fig.yaxispixel[1] - con.charHeight
    mjr.mjr_figure(view, fig, con)
    assert red() > 1.5 * before


@pytest.mark.parametrize(
    ("fmt", "value", "text"), [("%.2f", 1, "1"), ("%.2f", 0.5, "0.5"), ("%.0f", 100, "100"), ("%.3g", 1e-10, "1e-10")]
)
def test_tick_labels_drop_idle_zeros(fmt, value, text):
    from tumble.render.scene.figure import number

    assert number(fmt, value) == text


def test_fields_equal_the_reference():
    """Every public field of the reference's context exists with the same shape; an empty one needs no OpenGL."""
    from tumble.render.gl.mjr import MjrContext

    ours, theirs = MjrContext(), mujoco.MjrContext()
    for name in (n for n in dir(theirs) if not n.startswith("_") and n != "free"):
        assert np.shape(getattr(ours, name)) == np.shape(getattr(theirs, name)), name
    ours.free()
    with pytest.raises(RuntimeError, match="empty or freed"):
        from tumble.render.gl.mjr import mjr_restoreBuffer

        mjr_restoreBuffer(ours)


def test_mirrors_do_not_depend_on_where_the_viewport_lies(drawn):
    """A viewport in the corner of the buffer and one in its middle show the same pixels, including the ball's mirror image."""
    mjr, con, scn, m = drawn
    ref, data, _, _ = load_pair(ROOM)
    mujoco.mj_forward(ref, data)
    cam, seen = mjv.MjvCamera(), []
    cam.lookat[:], cam.distance, cam.azimuth, cam.elevation = (0, 0, 0), 5, 90, -20
    mjv.mjv_updateScene(m, data, mjv.MjvOption(), None, cam, 7, scn)
    mjr.mjr_resizeOffscreen(300, 200, con)
    for left, bottom in ((0, 0), (101, 57)):
        view = mjv.MjrRect(left, bottom, W, H)
        mjr.mjr_render(view, scn, con)
        seen.append(picture(mjr, con, view).astype(int))
    assert np.abs(seen[0] - seen[1]).max() <= 1
    scn.flags[int(mujoco.mjtRndFlag.mjRND_REFLECTION)] = 0
    mjr.mjr_render(view, scn, con)
    plain = picture(mjr, con, view).astype(int)
    scn.flags[int(mujoco.mjtRndFlag.mjRND_REFLECTION)] = 1
    assert ((seen[1] - plain)[..., 0] > 10).sum() > 10, "there is a mirror image at all"
