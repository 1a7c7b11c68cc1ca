"""The `mjr_*` functions, for scripts that manage their own OpenGL context: they draw through an MjrContext.

Images have the bottom row first, as in MuJoCo. Text sizes depend on the context's font scale.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from ...engine.core.model import MjModel
from ...engine.tables.enums import mjtDepthMap, mjtGridPos
from ...engine.tables.values import read_text
from ..scene import strokes
from ..scene.abstract import MjvScene
from ..scene.figure import MjvFigure
from ..scene.options import MjrRect
from .figure import draw_figure, fills
from .libraries import current_handle
from .mjr_context import FONT_BIG, NAUX, OFFSCREEN, WINDOW, MjrContext
from .state import GL
from .targets import Target

__all__ = [
    "MjrContext",
    "MjrRect",
    "mjr_addAux",
    "mjr_blitAux",
    "mjr_blitBuffer",
    "mjr_changeFont",
    "mjr_drawPixels",
    "mjr_figure",
    "mjr_findRect",
    "mjr_finish",
    "mjr_getError",
    "mjr_label",
    "mjr_maxViewport",
    "mjr_overlay",
    "mjr_readPixels",
    "mjr_rectangle",
    "mjr_render",
    "mjr_resizeOffscreen",
    "mjr_restoreBuffer",
    "mjr_setAux",
    "mjr_setBuffer",
    "mjr_text",
    "mjr_uploadHField",
    "mjr_uploadMesh",
    "mjr_uploadTexture",
]

ZEROFAR = int(mjtDepthMap.mjDEPTH_ZEROFAR)
MARGIN = 6
GRID = {k[7:]: int(v) for k, v in mjtGridPos.__members__.items()}
# {position on the grid: (horizontal, vertical)}; 0 left or bottom, 1 right or top.
PLACE = {
    "TOPLEFT": (0, 1),
    "TOPRIGHT": (1, 1),
    "BOTTOMLEFT": (0, 0),
    "BOTTOMRIGHT": (1, 0),
    "TOP": (0.5, 1),
    "BOTTOM": (0.5, 0),
    "LEFT": (0, 0.5),
    "RIGHT": (1, 0.5),
}
DIM = (1.0, 1.0, 1.0, 0.75)
BACK = (0.0, 0.0, 0.0, 0.45)
# mjr_rectangle has no context argument, so it uses the context used last
_latest = []


def used(con: MjrContext) -> Any:
    """Remember a context as the last one used; return it. Raise RuntimeError if the context is empty."""
    if con.renderer is None or con.renderer.programs is None:
        raise RuntimeError("the MjrContext is empty or freed: make it from a model, with an OpenGL context current")
    _latest[:] = [weakref.ref(con)]
    GL.use(con.table)
    return con


def used_gl(con: MjrContext) -> Any:
    """Make a context the one in use (see `used`); return the OpenGL functions."""
    used(con)
    return GL


def place_of(r: MjrRect) -> tuple[int, int, int, int]:
    """Return (x, y, w, h) of an MjrRect."""
    return int(r.left), int(r.bottom), int(r.width), int(r.height)


def mjr_render(viewport: MjrRect, scn: MjvScene, con: MjrContext) -> None:
    """Draw a scene into a rectangle of the current buffer."""
    used(con).renderer.draw(scn, place_of(viewport), bound(con))


def bound(con: MjrContext) -> int:
    """Return the framebuffer to draw into: the auxiliary buffer after mjr_setAux, else the current buffer."""
    return con.fbo if con.latest is None else con.aux[con.latest][0].fbo


def mjr_setBuffer(framebuffer: SupportsIndex, con: MjrContext) -> None:
    """From now on, draw into the window's buffer or the offscreen buffer."""
    used(con).currentBuffer = OFFSCREEN if int(framebuffer) == OFFSCREEN or not con.windowAvailable else WINDOW
    mjr_restoreBuffer(con)


def mjr_restoreBuffer(con: MjrContext) -> None:
    """Bind the current buffer again, after drawing into an auxiliary buffer."""
    used(con).latest = None
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, con.fbo)


def check_aux(index: SupportsIndex) -> int:
    """Return the index of an auxiliary buffer. Raise ValueError if it is out of range."""
    if not 0 <= int(index) < NAUX:
        raise ValueError(f"auxiliary buffer {index}: there are {NAUX}, counted from 0")
    return int(index)


def mjr_addAux(index: SupportsIndex, width: Any, height: Any, samples: Any, con: MjrContext) -> None:
    """Create the auxiliary color and depth buffer with an index, in place of a previous one. A width or height below 1 only
    removes the previous one.

    index: from 0 to mjNAUX - 1. ValueError for others
    width, height: in pixels
    samples: samples per pixel; 0: no antialiasing
    """
    index = check_aux(index)
    for target in used(con).aux.pop(index, ()):
        target.free()
    names = ("auxFBO", "auxFBO_r", "auxColor", "auxColor_r", "auxWidth", "auxHeight", "auxSamples")
    values = [0] * len(names)
    if width >= 1 and height >= 1:
        largest = int(GL.glGetIntegerv(GL.GL_MAX_RENDERBUFFER_SIZE))
        if max(width, height) > largest:
            raise ValueError(f"auxiliary buffer of {width} x {height} pixels: this OpenGL allows {largest}")
        samples = max(0, min(int(samples), con.renderer.max_samples))
        pair = Target(what="auxiliary"), Target(what="auxiliary, resolved")
        con.aux[index] = pair
        pair[0].resize(int(width), int(height), samples)
        pair[1].resize(int(width), int(height))
        values = [pair[0].fbo, pair[1].fbo, pair[0].color[0], pair[1].color[0], width, height, samples]
    for name, value in zip(names, values, strict=True):
        getattr(con, name)[index] = value
    mjr_restoreBuffer(con)


def mjr_setAux(index: SupportsIndex, con: MjrContext) -> None:
    """Draw into an auxiliary buffer until the next mjr_setBuffer or mjr_restoreBuffer.

    index: ValueError unless there is such a buffer
    """
    index = check_aux(index)
    if index not in used(con).aux:
        raise ValueError(f"auxiliary buffer {index} does not exist: mjr_addAux first")
    con.latest = index
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, con.aux[index][0].fbo)


def mjr_blitAux(index: SupportsIndex, src: MjrRect, left: SupportsIndex, bottom: SupportsIndex, con: MjrContext) -> None:
    """Copy a rectangle of an auxiliary buffer to a position in the current buffer. Do nothing if the auxiliary buffer does
    not exist.

    left, bottom: position in pixels
    """
    index = check_aux(index)
    if index not in used(con).aux:
        return
    full, plain = con.aux[index]
    x, y, w, h = place_of(src)
    for source, target, at in ((full.fbo, plain.fbo, (x, y)), (plain.fbo, con.fbo, (int(left), int(bottom)))):
        GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, source)
        GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, target)
        GL.glBlitFramebuffer(x, y, x + w, y + h, *at, at[0] + w, at[1] + h, GL.GL_COLOR_BUFFER_BIT, GL.GL_NEAREST)
    mjr_restoreBuffer(con)


def mjr_resizeOffscreen(width: Any, height: Any, con: MjrContext) -> None:
    """Change the size of the offscreen buffer.

    width, height: in pixels
    """
    if width <= 0 or height <= 0:
        raise ValueError(f"offscreen size {width} x {height} must be positive")
    used(con).offWidth, con.offHeight = int(width), int(height)
    con.prepare()
    mjr_restoreBuffer(con)


def mjr_maxViewport(con: MjrContext) -> MjrRect:
    """Return the rectangle of the whole current buffer."""
    if con.currentBuffer == OFFSCREEN:
        return MjrRect(0, 0, con.offWidth, con.offHeight)
    x, y, w, h = used_gl(con).glGetIntegerv(GL.GL_VIEWPORT)
    return MjrRect(0, 0, x + w, y + h)


def resolved(con: MjrContext, viewport: MjrRect, bits: int) -> int:
    """Return a framebuffer with one sample per pixel, from which pixels can be read."""
    fbo = bound(used(con))
    target, plain = (con.target, con.plain) if con.latest is None else con.aux[con.latest]
    if not fbo or not target.samples:
        return fbo
    x, y, w, h = place_of(viewport)
    plain.resize(*target.size)
    GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, fbo)
    GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, plain.fbo)
    GL.glBlitFramebuffer(x, y, x + w, y + h, x, y, x + w, y + h, bits, GL.GL_NEAREST)
    if con.latest is None:
        con.offFBO_r, con.offColor_r, con.offDepthStencil_r = plain.fbo, plain.color[0], plain.depth
    return plain.fbo


def mjr_readPixels(
    rgb: npt.NDArray[np.uint8] | None, depth: npt.NDArray[np.float32] | None, viewport: MjrRect, con: MjrContext
) -> None:
    """Read a rectangle of h x w pixels into arrays; None skips an array. ValueError for an array of another size.

    rgb: uint8 (h, w, 3), written, bottom row first
    depth: float32 (h, w), written, bottom row first: values of the depth buffer, 0 at the near plane to 1 at the far plane,
        or from 1 to 0 if con.readDepthMap is mjDEPTH_ZEROFAR
    """
    x, y, w, h = place_of(viewport)
    fill_check(rgb, (h, w, 3), "rgb")
    fill_check(depth, (h, w), "depth")
    bits = (GL.GL_COLOR_BUFFER_BIT if rgb is not None else 0) | (GL.GL_DEPTH_BUFFER_BIT if depth is not None else 0)
    fbo = resolved(con, viewport, bits)
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, fbo)
    GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 1)
    if rgb is not None:
        put(rgb, GL.glReadPixels(x, y, w, h, GL.GL_RGB, GL.GL_UNSIGNED_BYTE))
    if depth is not None:
        z = GL.glReadPixels(x, y, w, h, GL.GL_DEPTH_COMPONENT, GL.GL_FLOAT)
        # the depth that the renderer stores decreases from near to far
        put(depth, z if int(con.readDepthMap) == ZEROFAR else 1 - z)
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, bound(con))


def put(array: np.ndarray, values: np.ndarray) -> None:
    """Write into the memory of an array, even if its class redefines assignment."""
    np.copyto(array.view(np.ndarray), values.reshape(array.shape), casting="unsafe")


def fill_check(array: np.ndarray | None, shape: tuple[int, ...], what: str) -> None:
    """Raise ValueError unless an array is None or has as many entries as a rectangle has values."""
    if array is not None and np.size(array) != np.prod(shape):
        raise ValueError(f"{what} has {np.size(array)} entries, the viewport needs {shape}")


def mjr_drawPixels(
    rgb: npt.NDArray[np.uint8] | None, depth: npt.NDArray[np.float32] | None, viewport: MjrRect, con: MjrContext
) -> None:
    """Draw an image into a rectangle of h x w pixels. ValueError for an image of another size.

    rgb: uint8 (h, w, 3), bottom row first
    depth: depth (h, w) is not supported: pass None, other values raise ValueError
    """
    if depth is not None:
        raise ValueError("depth cannot be drawn, pass None")
    x, y, w, h = place_of(viewport)
    fill_check(rgb, (h, w, 3), "rgb")
    if rgb is None or w < 1 or h < 1:
        return
    data = np.ascontiguousarray(np.asarray(rgb, np.uint8).reshape(h, w, 3))
    used(con).image.resize(w, h)
    GL.glBindTexture(GL.GL_TEXTURE_2D, con.image.color[0])
    GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
    GL.glTexSubImage2D(GL.GL_TEXTURE_2D, 0, 0, 0, w, h, GL.GL_RGB, GL.GL_UNSIGNED_BYTE, data)
    fbo = bound(con)
    GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, con.image.fbo)
    GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, fbo)
    GL.glBlitFramebuffer(0, 0, w, h, x, y, x + w, y + h, GL.GL_COLOR_BUFFER_BIT, GL.GL_NEAREST)
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, fbo)


def mjr_blitBuffer(src: MjrRect, dst: MjrRect, flg_color: SupportsIndex, flg_depth: SupportsIndex, con: MjrContext) -> None:
    """Copy a rectangle of the current buffer to the other buffer, scaled if the sizes differ. Both buffers must exist."""
    bits = (GL.GL_COLOR_BUFFER_BIT if flg_color else 0) | (GL.GL_DEPTH_BUFFER_BIT if flg_depth else 0)
    if not used(con).windowAvailable or not bits:
        return
    con.latest = None
    source = resolved(con, src, bits)
    con.prepare()
    corners = [v for x, y, w, h in (place_of(src), place_of(dst)) for v in (x, y, x + w, y + h)]
    same = (src.width, src.height) == (dst.width, dst.height)
    how = GL.GL_NEAREST if flg_depth or same else GL.GL_LINEAR
    if con.currentBuffer == OFFSCREEN:
        blit(source, 0, corners, bits, how)
    elif con.target.samples:
        # A multisampled buffer can only be copied to a rectangle of the same size.
        con.plain.resize(*con.target.size)
        blit(source, con.plain.fbo, corners, bits, how)
        blit(con.plain.fbo, con.target.fbo, corners[4:] * 2, bits, GL.GL_NEAREST)
    else:
        blit(source, con.target.fbo, corners, bits, how)
    mjr_restoreBuffer(con)


def blit(source: int, target: int, corners: list[int], bits: int, how: int) -> None:
    """Copy between framebuffers. `corners`: x0, y0, x1, y1 of both rectangles."""
    GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, source)
    GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, target)
    GL.glBlitFramebuffer(*corners, bits, how)


def mjr_rectangle(viewport: MjrRect, r: Any, g: Any, b: Any, a: Any) -> None:
    """Fill a rectangle of the bound framebuffer with a color; an alpha below 1 blends.

    r, g, b, a: from 0 to 1
    """
    con = _latest[0]() if _latest and a < 1 else None
    if con is not None and con.renderer.programs is not None and con.owner == current_handle():
        fill(con, place_of(viewport), (r, g, b, a))
        return
    GL.follow()
    GL.glEnable(GL.GL_SCISSOR_TEST)
    GL.glScissor(*place_of(viewport))
    GL.glClearColor(r * a, g * a, b * a, a)
    GL.glClear(GL.GL_COLOR_BUFFER_BIT)
    GL.glDisable(GL.GL_SCISSOR_TEST)


def fill(con: MjrContext, place: tuple[int, int, int, int], rgba: Sequence[float]) -> None:
    """Blend a color over the rectangle (x, y, w, h) of the bound framebuffer."""
    x, y, w, h = place
    if w > 0 and h > 0:
        GL.glViewport(x, y, w, h)
        con.renderer.labels.quads(con.fill, fills([(0, 0, w, h, *rgba)]), (w, h))


def mjr_figure(viewport: MjrRect, fig: MjvFigure, con: MjrContext) -> None:
    """Draw a figure into a rectangle. Write its axes into the figure, in pixels and in data units."""
    x, y, w, h = place_of(viewport)
    if w <= 0 or h <= 0:
        return
    fbo = bound(used(con))
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, fbo)
    draw_figure((x, y, w, h), fig, con)
    con.renderer.finish(fbo, x, y, w, h)


def put_text(con: MjrContext, items: list[tuple[float, float, str, tuple[float, ...]]], viewport: MjrRect, size: float) -> None:
    """Draw text items (x, y, text, rgba) in a viewport."""
    x, y, w, h = place_of(viewport)
    fbo = bound(used(con))
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, fbo)
    GL.glViewport(x, y, w, h)
    con.renderer.labels.text(items, (w, h), size)
    con.renderer.finish(fbo, x, y, w, h)


def mjr_text(font: SupportsIndex, txt: str, con: MjrContext, x: Any, y: Any, r: Any, g: Any, b: Any) -> None:
    """Draw text at a position x, y given as fractions of the current viewport.

    font: mjtFont
    r, g, b: from 0 to 1
    """
    vx, vy, w, h = used_gl(con).glGetIntegerv(GL.GL_VIEWPORT)
    size = con.size(int(font) == FONT_BIG)
    put_text(con, [(x * w, y * h, read_text(txt), (r, g, b, 1.0))], MjrRect(vx, vy, w, h), size)


def overlay_items(
    columns: Sequence[str], place: tuple[float, float], view: tuple[int, int], size: float
) -> tuple[list[Any], tuple[float, float, float, float]]:
    """Lay out up to two columns of lines. Return their text items, and the box (x, y, w, h) around them."""
    unit, line = size / strokes.HEIGHT * strokes.ADVANCE, 1.35 * size
    texts = [c.split("\n") for c in columns if c]
    widths = [max(len(t) for t in lines) * unit for lines in texts]
    w, h = sum(widths) + MARGIN * (len(widths) + 1), max(len(lines) for lines in texts) * line + 2 * MARGIN
    x, y = place[0] * (view[0] - w), place[1] * (view[1] - h)
    items, left = [], x + MARGIN
    for k, lines in enumerate(texts):
        items += [
            (left, y + h - MARGIN - (i + 0.8) * line, t, DIM if k else (1.0, 1.0, 1.0, 1.0)) for i, t in enumerate(lines) if t
        ]
        left += widths[k] + MARGIN
    return items, (x, y, w, h)


def mjr_overlay(
    font: SupportsIndex, gridpos: SupportsIndex, viewport: MjrRect, overlay: str, overlay2: str, con: MjrContext
) -> None:
    """Draw one or two columns of text on a dim box, at one of eight positions in a viewport. None or '' omits a column."""
    if not (overlay or overlay2):
        return
    name = next((k for k, v in GRID.items() if v == int(gridpos)), None)
    if name is None:
        raise ValueError(f"unknown grid position {gridpos}")
    x, y, w, h = place_of(viewport)
    size = con.size(int(font) == FONT_BIG)
    items, box = overlay_items([read_text(text or "") for text in (overlay, overlay2)], PLACE[name], (w, h), size)
    fbo = bound(used(con))
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, fbo)
    GL.glViewport(x, y, w, h)
    con.renderer.labels.quads(con.fill, fills([(*box, *BACK)]), (w, h))
    put_text(con, items, viewport, size)


def mjr_label(
    viewport: MjrRect, font: SupportsIndex, txt: str, r: Any, g: Any, b: Any, a: Any, rt: Any, gt: Any, bt: Any, con: MjrContext
) -> None:
    """Draw a filled rectangle with centered text.

    r, g, b, a: color of the rectangle, from 0 to 1
    rt, gt, bt: color of the text, from 0 to 1
    """
    txt = read_text(txt)
    fbo = bound(used(con))
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, fbo)
    fill(con, place_of(viewport), (r, g, b, a))
    size = con.size(int(font) == FONT_BIG)
    x, y, w, h = place_of(viewport)
    left = 0.5 * (w - len(txt) * size / strokes.HEIGHT * strokes.ADVANCE)
    put_text(con, [(left, 0.5 * h - 0.3 * size, txt, (rt, gt, bt, 1.0))], viewport, size)


def mjr_changeFont(fontscale: SupportsIndex, con: MjrContext) -> None:
    """Change the font scale (percent)."""
    used(con).set_font(fontscale)


def mjr_uploadMesh(m: MjModel, con: MjrContext, meshid: SupportsIndex) -> None:
    """Upload one mesh again."""
    used(con).renderer.update_mesh(int(meshid))


def mjr_uploadTexture(m: MjModel, con: MjrContext, texid: SupportsIndex) -> None:
    """Upload one texture again."""
    used(con).renderer.update_texture(int(texid))


def mjr_uploadHField(m: MjModel, con: MjrContext, hfieldid: SupportsIndex) -> None:
    """Upload one height field again."""
    used(con).renderer.update_hfield(int(hfieldid))


def mjr_finish() -> None:
    """Wait until the GPU has finished."""
    GL.follow()
    GL.glFinish()


def mjr_getError() -> int:
    """Return OpenGL's error code, 0 for none."""
    return int(GL.glGetError()) if GL.follow() else 0


def mjr_findRect(x: Any, y: Any, nrect: SupportsIndex, rect: Sequence[MjrRect]) -> int:
    """Return the index of the first of nrect rectangles (one, or a sequence) that contains a pixel; -1 if none does."""
    several = [rect] if isinstance(rect, MjrRect) else rect
    for k in range(min(int(nrect), len(several))):
        left, bottom, w, h = place_of(several[k])
        if left <= x < left + w and bottom <= y < bottom + h:
            return k
    return -1
