"""A 3D view inside a window: it is drawn offscreen with its own resolution and multisampling, then copied to the window."""

import numpy as np

from ..scene.abstract import MjvScene
from .image import read_rgb
from .renderer import Renderer
from .state import GL
from .targets import Target


class Pane:
    """Draws scenes into a part of a framebuffer, at `scale` times the framebuffer's resolution."""

    def __init__(self, renderer: Renderer) -> None:
        self.renderer = renderer
        self.limit = int(GL.glGetIntegerv(GL.GL_MAX_SAMPLES))
        self.target, self.plain = Target(what="pane"), Target(what="pane, resolved")
        self.still, self.still_plain = Target(what="picture"), Target(what="picture, resolved")
        # The target with the last image: multisampled, or already resolved if the image had to be scaled. None before the first
        # image.
        self._last: Target | None = None

    def draw(
        self,
        scene: MjvScene,
        viewport: tuple[float, float, float, float],
        scale: float = 1.0,
        framebuffer: int = 0,
        labels: list[tuple[float, float, str, float]] | None = None,
    ) -> None:
        """Draw a scene into viewport (x, y, width, height; pixels, origin bottom left).

        If a list `labels` is given, the scene's labels are not drawn, but appended to it as (x, y, text, depth) in framebuffer
        pixels.
        """
        x, y, w, h = (int(v) for v in viewport)
        if w <= 0 or h <= 0:
            return
        inner = max(1, round(w * scale)), max(1, round(h * scale))
        samples = min(self.renderer.quality.samples, self.limit)
        self.target.resize(*inner, samples if samples > 1 else 0)

        # Labels are drawn last, at full resolution.
        writer = self.renderer.labels
        writer.later = later = []
        try:
            self.renderer.draw(scene, (0, 0, *inner), self.target.fbo)
        finally:
            writer.later = None
        self._last = self.target
        self.again(viewport, framebuffer)

        # Return the labels to the caller, or draw them over the copied image.
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, framebuffer)
        for items, part in later:
            left, bottom, width, height = (round(v * full / small) for v, full, small in zip(part, (w, h, w, h), inner * 2))
            if labels is not None:
                labels += [(x + left + at * width, y + bottom + up * height, text, depth) for at, up, text, depth in items]
                continue
            GL.glViewport(x + left, y + bottom, width, height)
            writer.write(items, (width, height))
        if later and labels is None:
            self.renderer.finish(framebuffer, x, y, w, h)

    def again(self, viewport: tuple[float, float, float, float], framebuffer: int = 0) -> bool:
        """Copy the last image to viewport again, without labels. Return False if there is none."""
        x, y, w, h = (int(v) for v in viewport)
        if self._last is None or w <= 0 or h <= 0:
            return False
        inner_w, inner_h = inner = self._last.size
        if self._last.samples and inner != (w, h):
            # First resolve the samples at the original size, because only single-sampled images can be scaled.
            self.plain.resize(*inner)
            copy(self._last.fbo, (0, 0, inner_w, inner_h), self.plain.fbo, (0, 0, inner_w, inner_h), GL.GL_NEAREST)
            self._last = self.plain
        how = GL.GL_NEAREST if inner == (w, h) else GL.GL_LINEAR
        copy(self._last.fbo, (0, 0, inner_w, inner_h), framebuffer, (x, y, w, h), how)
        return True

    def picture(self, scene: MjvScene, w: int, h: int) -> np.ndarray:
        """Return an image of a scene as (h, w, 3) uint8 in any size, top row first. The window is not affected."""
        samples = min(self.renderer.quality.samples, self.limit)
        # Use separate targets, because the window's own targets keep their size from frame to frame.
        self.still.resize(w, h, samples if samples > 1 else 0)
        self.renderer.draw(scene, (0, 0, w, h), self.still.fbo)
        if not self.still.samples:
            return read_rgb(self.still.fbo, w, h)
        self.still_plain.resize(w, h)
        copy(self.still.fbo, (0, 0, w, h), self.still_plain.fbo, (0, 0, w, h), GL.GL_NEAREST)
        return read_rgb(self.still_plain.fbo, w, h)

    def close(self) -> None:
        """Free the targets; the caller owns the renderer."""
        for target in (self.target, self.plain, self.still, self.still_plain):
            target.free()


def copy(source: int, inner: tuple[int, int, int, int], framebuffer: int, outer: tuple[int, int, int, int], how: int) -> None:
    """Copy the colors of a framebuffer rectangle (x, y, width, height) into another rectangle."""
    GL.glDisable(GL.GL_SCISSOR_TEST)
    GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, source)
    GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, framebuffer)
    corners = [v for x, y, w, h in (inner, outer) for v in (x, y, x + w, y + h)]
    GL.glBlitFramebuffer(*corners, GL.GL_COLOR_BUFFER_BIT, how)
