"""The mjr_* calls: what a script with its own context sees equals what the reference's Renderer conventions promise."""
import mujoco
import numpy as np
import pytest

from render import scene as mjv
from render.gl.context import GLContext
from tests.oracle import load_pair
from tests.render.test_pictures import ROOM

W, H = 96, 64


@pytest.fixture(scope="module")
def drawn():
    ref, data, m, _ = load_pair(ROOM)
    mujoco.mj_forward(ref, data)
    ctx = GLContext(W, H)
    from render.gl import mjr
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
    """The pixel in the middle sees the ball's top at 2.7 m: both depth maps turn back into that distance."""
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
    """Fills stay in their rectangle, text puts light pixels where asked, images come back as drawn."""
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
    assert light[H // 2:, : W // 2].sum() > 20 and not light[: H // 4, 2 * W // 3:].any()
    image = np.random.default_rng(0).integers(0, 255, (8, 12, 3)).astype(np.uint8)
    mjr.mjr_drawPixels(image, None, mjv.MjrRect(40, 3, 12, 8), con)
    mjr.mjr_readPixels(out, None, view, con)
    assert (out[3:11, 40:52] == image).all()
    assert mjr.mjr_findRect(11, 6, 1, [mjv.MjrRect(10, 5, 20, 8)]) == 0 and mjr.mjr_getError() == 0
