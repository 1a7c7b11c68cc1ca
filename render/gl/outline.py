"""Adds an outline around geoms to a finished image. The outline is visible through everything in front of the geoms.

The geoms are drawn as flat shapes into a mask. Every pixel near the mask but outside it gets the outline's color. A dark rim
makes the outline visible on any background.
"""

from __future__ import annotations

import numpy as np

from ...engine.tables.enums import mjtRndFlag, mjtStereo
from ..scene.abstract import MjvScene
from .programs import TEXTURE_UNIT, Program
from .renderer import Renderer
from .state import GL
from .targets import Target

SEGMENT, ID_COLOR = int(mjtRndFlag.mjRND_SEGMENT), int(mjtRndFlag.mjRND_IDCOLOR)
# Initial capacity for geoms, and the factor by which the capacity grows.
LEAST, GROWTH = 64, 2


class Outline:
    """Draws outlines with a renderer, in the color (r, g, b); `width` is in pixels of the image."""

    def __init__(self, renderer: Renderer) -> None:
        self.renderer, self.width = renderer, 2.0
        self.color = (1.0, 1.0, 1.0)
        self.mask = Target(what="mask")
        self.scene = MjvScene(None, LEAST)
        self.program: Program | None = None
        self.corners = 0

    def draw(self, scene: MjvScene, rows: np.ndarray, viewport: tuple[int, int, int, int], framebuffer: int = 0) -> None:
        """Outline the geoms with indices `rows` of a scene in a framebuffer's viewport (x, y, width, height; pixels). Stereo
        scenes get no outline."""
        x, y, w, h = viewport
        if not len(rows) or w <= 0 or h <= 0 or scene.stereo != int(mjtStereo.mjSTEREO_NONE):
            return

        # Draw the geoms into the mask, then restore the renderer's statistics and background.
        stats = dict(self.renderer.stats)
        self.mask.resize(w, h)
        background, self.renderer.background = self.renderer.background, (0.0, 0.0, 0.0)
        self.renderer.draw(self._part(scene, rows), (0, 0, w, h), self.mask.fbo)
        self.renderer.background = background
        self.renderer.stats.update(stats)

        # Draw the outline around the mask.
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)
        GL.glViewport(x, y, w, h)
        if self.program is None:
            self.program, self.corners = Program("outline", "outline"), int(GL.glGenVertexArrays(1))
        self.program.use()
        self.program.vec4("uColor", *self.color, self.width)
        self.program.vec4("uPlace", x, y, w, h)
        GL.glActiveTexture(GL.GL_TEXTURE0 + TEXTURE_UNIT)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self.mask.color[0])
        GL.glEnable(GL.GL_BLEND)
        GL.glBlendFunc(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA)
        GL.glBindVertexArray(self.corners)
        # The shader computes the corners.
        GL.glDrawArraysInstanced(GL.GL_TRIANGLE_STRIP, 0, 4, 1)
        self.renderer.finish(framebuffer, x, y, w, h)

    def _part(self, scene: MjvScene, rows: np.ndarray) -> MjvScene:
        """Return a scene that contains only these geoms, in flat colors and with the same camera."""
        if len(rows) > self.scene.maxgeom:
            self.scene = MjvScene(None, GROWTH * len(rows))
        part = self.scene
        part.assign(scene)
        part.nflex = part.nskin = part.nlight = part.framewidth = 0
        for name, values in part.geom.arrays():
            values[: len(rows)] = scene.geom.__dict__[name][rows]
        part.ngeom = len(rows)
        part.glcam.copy_rows(slice(0, 2), scene.glcam, slice(0, 2))
        part.flags[:] = 0
        part.flags[[SEGMENT, ID_COLOR]] = 1
        return part

    def close(self) -> None:
        """Free the GPU objects."""
        self.mask.free()
        if self.program is not None:
            self.program.free()
            GL.glDeleteVertexArrays(1, [self.corners])
            self.program = None
