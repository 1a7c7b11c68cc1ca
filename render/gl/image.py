"""Renders scenes to arrays: draws into a multisampled target, resolves the samples, reads the pixels."""

from typing import Any

import numpy as np

from ...engine.core.model import MjModel
from ..scene.abstract import MjvScene
from .lighting import CLASSIC, Lighting
from .renderer import Renderer
from .state import GL
from .targets import Target


def read_rgb(fbo: int, w: int, h: int, x: int = 0, y: int = 0) -> np.ndarray:
    """Read a rectangle of a framebuffer, with lower left corner x, y, as (h, w, 3) uint8. The first row is the top."""
    return read_pixels(fbo, w, h, x, y, GL.GL_RGB).copy()


def read_pixels(fbo: int, w: int, h: int, x: int = 0, y: int = 0, form: int = GL.GL_RGBA) -> np.ndarray:
    """Read a rectangle of a framebuffer as (h, w, 4) uint8, or (h, w, 3) without alpha. The first row is the top."""
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, fbo)
    if fbo:
        GL.glReadBuffer(GL.GL_COLOR_ATTACHMENT0)
    GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 1)
    raw = GL.glReadPixels(x, y, w, h, form, GL.GL_UNSIGNED_BYTE)
    return np.frombuffer(raw, np.uint8).reshape(h, w, -1)[::-1]


class ImageRenderer:
    """A Renderer with its own framebuffer."""

    def __init__(self, model: MjModel, font_scale: Any = None, lighting: Lighting = CLASSIC) -> None:
        self.renderer = Renderer(model, lighting=lighting)
        self.limit = int(GL.glGetIntegerv(GL.GL_MAX_SAMPLES))
        self.target, self.plain = Target(what="multisampled"), Target(what="resolved")

    def rgb(self, scene: MjvScene, w: int, h: int) -> np.ndarray:
        """Render a scene to (h, w, 3) uint8."""
        self.target.resize(w, h, min(self.renderer.quality.samples, self.limit))
        self.renderer.draw(scene, (0, 0, w, h), self.target.fbo)
        if not self.target.samples:
            return read_rgb(self.target.fbo, w, h)
        self.plain.resize(w, h)
        GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, self.target.fbo)
        GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, self.plain.fbo)
        GL.glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL.GL_COLOR_BUFFER_BIT, GL.GL_NEAREST)
        return read_rgb(self.plain.fbo, w, h)

    def close(self) -> None:
        """Free everything on the GPU."""
        self.renderer.close()
        self.target.free()
        self.plain.free()
