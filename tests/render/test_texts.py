"""Texts drawn by mjr_* functions."""

from typing import Any

import numpy as np

import tumble
from tests.render.test_pictures import ROOM
from tumble.render import scene as mjv
from tumble.render.gl.context import GLContext

W, H = 96, 64


def test_texts_may_be_bytes():
    """The same letters are drawn whether a text is a str or bytes, as bindings of C functions accept both."""
    context = GLContext(W, H)
    from tumble.render.gl import mjr

    con: Any = mjr.MjrContext(tumble.MjModel.from_xml_string(ROOM), 150)
    mjr.mjr_setBuffer(int(tumble.mjtFramebuffer.mjFB_OFFSCREEN), con)
    view, pictures = mjv.MjrRect(0, 0, W, H), []
    mjr.mjr_restoreBuffer(con)
    for one, two, three in (("Hi", "12", "3"), (b"Hi", b"12", b"3")):
        mjr.mjr_rectangle(view, 0, 0, 1, 1)
        mjr.mjr_overlay(0, int(tumble.mjtGridPos.mjGRID_TOPLEFT), view, one, two, con)
        mjr.mjr_text(0, three, con, 0.5, 0.2, 1, 1, 1)
        mjr.mjr_label(mjv.MjrRect(4, 4, 30, 12), 0, three, 1, 0, 0, 1, 1, 1, 1, con)
        out = np.full((H, W, 3), 77, np.uint8)
        mjr.mjr_readPixels(out, None, view, con)
        pictures.append(out)
    assert (pictures[0] == pictures[1]).all() and len(np.unique(pictures[0].reshape(-1, 3), axis=0)) > 3
    con.free()
    context.free()
