"""Text over an image: labels of geoms, and strings at pixel positions, drawn in one call."""

from typing import Any

import numpy as np

from ..scene import strokes
from ..scene.abstract import MjvScene
from .buffers import attrib
from .frame import FrameData
from .programs import TEXTURE_UNIT, Program
from .state import GL

GLYPH = 12  # floats per character
WHITE = (1.0, 1.0, 1.0, 1.0)
LABEL_SIZE = 19  # height of capitals plus descenders, in pixels at scale 1


def layout(items: list[tuple[float, float, str, tuple[float, ...]]], size: float) -> np.ndarray:
    """Lay out strings [(x, y, text, rgba)] as (n, 12) rows of rectangle, glyph cell and color. x, y: left end of the baseline
    in pixels."""
    unit = size / strokes.HEIGHT
    texts = [t.encode("ascii", "replace") for _, _, t, _ in items]
    code = np.frombuffer(b"".join(texts), np.uint8).astype(int)
    n = [len(t) for t in texts]
    column = np.arange(len(code)) - np.repeat(np.cumsum(n) - n, n)
    start = np.repeat(np.array([(x, y) for x, y, _, _ in items], float).reshape(-1, 2), n, 0)
    code = np.where((code < strokes.FIRST) | (code > strokes.LAST), ord("?"), code) - strokes.FIRST
    rows = -(-(strokes.LAST - strokes.FIRST + 1) // strokes.COLUMNS)
    out = np.empty((len(code), GLYPH), np.float32)
    # Start at whole pixels, so that all strokes have the same width.
    out[:, 0] = np.round(start[:, 0]) + column * strokes.ADVANCE * unit
    out[:, 1] = np.round(start[:, 1]) - strokes.BASELINE * unit
    out[:, 2:4] = strokes.ADVANCE * unit, size
    out[:, 4], out[:, 5] = (code % strokes.COLUMNS) / strokes.COLUMNS, (code // strokes.COLUMNS) / rows
    out[:, 6:8] = 1 / strokes.COLUMNS, 1 / rows
    out[:, 8:] = np.repeat(np.array([c for _, _, _, c in items], np.float32).reshape(-1, 4), n, 0)
    return out[code > 0]


class Labels:
    """The font on the GPU. `scale` multiplies the size of labels; pass the display's scale.

    If `later` is a list, `draw` only appends (labels, rect) to it; `write` then draws them into a larger image.
    """

    def __init__(self) -> None:
        self.program, self.scale = Program("text", "text"), 1.0
        self.later: list[tuple[list[Any], tuple[int, int, int, int]]] | None = None
        self.vao, self.corner, self.buf, self.tex = (
            GL.glGenVertexArrays(1),
            GL.glGenBuffers(1),
            GL.glGenBuffers(1),
            GL.glGenTextures(1),
        )

        # Upload the font's distance field as a texture.
        field = strokes.atlas()
        GL.glBindTexture(GL.GL_TEXTURE_2D, self.tex)
        GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
        GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, GL.GL_R8, field.shape[1], field.shape[0], 0, GL.GL_RED, GL.GL_UNSIGNED_BYTE, field)
        for key in (GL.GL_TEXTURE_MIN_FILTER, GL.GL_TEXTURE_MAG_FILTER):
            GL.glTexParameteri(GL.GL_TEXTURE_2D, key, GL.GL_LINEAR)

        # Upload one rectangle, which is drawn once for each glyph.
        GL.glBindVertexArray(self.vao)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.corner)
        strip = np.array([[0, 0], [1, 0], [0, 1], [1, 1]], np.float32)
        GL.glBufferData(GL.GL_ARRAY_BUFFER, strip.nbytes, strip, GL.GL_STATIC_DRAW)
        attrib(0, 2, 8, 0)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.buf)
        for loc in (3, 4, 5):
            attrib(loc, 4, 4 * GLYPH, 16 * (loc - 3), 1)
        GL.glBindVertexArray(0)

    def draw(self, scene: MjvScene, frame: FrameData, rect: tuple[int, int, int, int]) -> None:
        """Draw the labels of a scene at the projected positions of their geoms, in front of everything."""
        text = {i: t for i, t in scene.geom.label.items() if i < scene.ngeom}
        if not text:
            return
        idx = np.fromiter(text, int)
        pos = np.hstack([scene.geom.pos[idx], np.ones((len(idx), 1))])
        clip = pos @ (frame.proj @ frame.view).T
        ok = (clip[:, 3] > 0) & (np.abs(clip[:, 2]) <= clip[:, 3])
        at = clip[:, :2] / np.where(ok, clip[:, 3], 1)[:, None] * 0.5 + 0.5
        items = [(x, y, text[int(i)], w) for (x, y), w, i, o in zip(at.tolist(), clip[:, 3].tolist(), idx, ok) if o]
        if self.later is not None:
            self.later.append((items, rect))
            return
        self.write(items, rect[2:])

    def write(self, items: list[tuple[float, float, str, float]], size: tuple[int, int]) -> None:
        """Draw labels [(x, y, text, depth)]. x, y: fractions of the current viewport, which is `size` pixels large."""
        self.text([(x * size[0], y * size[1], t, WHITE) for x, y, t, _ in items], size, LABEL_SIZE * self.scale)

    def text(self, items: list[tuple[float, float, str, tuple[float, ...]]], screen: tuple[int, int], size: float) -> None:
        """Draw strings [(x, y, text, rgba)], `size` pixels high, in the current viewport, which is `screen` pixels large."""
        glyphs: Any = layout(items, size) if items else ()
        if not len(glyphs):
            return
        self.program.use()
        GL.glUniform1f(self.program.at("uReach"), strokes.REACH)
        GL.glUniform1f(self.program.at("uPixel"), strokes.HEIGHT / size)
        GL.glActiveTexture(GL.GL_TEXTURE0 + TEXTURE_UNIT)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self.tex)
        self.quads(self.program, glyphs, screen)

    def quads(self, program: Program, records: np.ndarray, screen: tuple[int, int]) -> None:
        """Draw rectangles (n, 12), blended, with a program that uses text.vert. The viewport is `screen` pixels large."""
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glDisable(GL.GL_CULL_FACE)
        GL.glPolygonMode(GL.GL_FRONT_AND_BACK, GL.GL_FILL)
        GL.glEnable(GL.GL_BLEND)
        GL.glBlendFunc(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA)
        program.use()
        program.vec4("uScreen", screen[0], screen[1], 1 / screen[0], 1 / screen[1])
        GL.glBindVertexArray(self.vao)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.buf)
        GL.glBufferData(GL.GL_ARRAY_BUFFER, records.nbytes, records, GL.GL_STREAM_DRAW)
        GL.glDrawArraysInstanced(GL.GL_TRIANGLE_STRIP, 0, 4, len(records))
        GL.glDisable(GL.GL_BLEND)

    def free(self) -> None:
        """Delete the GPU objects."""
        self.program.free()
        GL.glDeleteVertexArrays(1, [self.vao])
        GL.glDeleteBuffers(2, [self.corner, self.buf])
        GL.glDeleteTextures(1, [self.tex])
