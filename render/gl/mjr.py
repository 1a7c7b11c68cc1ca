"""The `mjr_*` calls of scripts that manage their own OpenGL context: MjrContext and what draws through it.

Images are bottom row first, as these calls have always had them. Text sizes follow the font scale of the context.
"""
import numpy as np

from engine.core.enums import mjtDepthMap, mjtFont, mjtFramebuffer, mjtGridPos
from render.gl.programs import Program
from render.gl.renderer import Renderer
from render.gl.state import GL
from render.gl.targets import Target
from render.gl.text import GLYPH
from render.scene import strokes
from render.scene.options import MjrRect

WINDOW, OFFSCREEN = int(mjtFramebuffer.mjFB_WINDOW), int(mjtFramebuffer.mjFB_OFFSCREEN)
ZEROFAR = int(mjtDepthMap.mjDEPTH_ZEROFAR)
FONT_BIG = int(mjtFont.mjFONT_BIG)
NORMAL_SIZE, MARGIN = 13, 6
GRID = {k[7:]: int(v) for k, v in mjtGridPos.__members__.items()}
# horizontal and vertical place of each grid position: 0 left or bottom, 1 right or top
PLACE = {'TOPLEFT': (0, 1), 'TOPRIGHT': (1, 1), 'BOTTOMLEFT': (0, 0), 'BOTTOMRIGHT': (1, 0), 'TOP': (0.5, 1), 'BOTTOM': (0.5, 0),
         'LEFT': (0, 0.5), 'RIGHT': (1, 0.5)}
DIM = (1.0, 1.0, 1.0, 0.75)
BACK = (0.0, 0.0, 0.0, 0.45)


class MjrContext:
    """Everything on the GPU for one model, in the OpenGL context that is current now; `free` it in the same context."""

    def __init__(self, model=None, fontscale=100):
        self.fontScale = int(fontscale)
        self.renderer = Renderer(model)
        self.readDepthMap = int(mjtDepthMap.mjDEPTH_ZERONEAR)
        self.windowAvailable = int(GL.glCheckFramebufferStatus(GL.GL_FRAMEBUFFER) == GL.GL_FRAMEBUFFER_COMPLETE)
        self.currentBuffer = WINDOW if self.windowAvailable else OFFSCREEN
        self.offWidth, self.offHeight, self.offSamples, self.shadowSize = 800, 600, 0, 0
        if model is not None:
            v = model.vis
            self.offWidth, self.offHeight = int(v.global_.offwidth), int(v.global_.offheight)
            self.offSamples = min(int(v.quality.offsamples), self.renderer.max_samples)
            self.shadowSize = int(v.quality.shadowsize)
        self.target, self.plain, self.image = Target(what='offscreen'), Target(what='resolved'), Target(what='pixels')
        self.fill = Program('text', 'fill')

    @property
    def fbo(self):
        """Framebuffer that is drawn into."""
        if self.currentBuffer == WINDOW:
            return 0
        self.target.resize(self.offWidth, self.offHeight, self.offSamples)
        return self.target.fbo

    def size(self):
        """Unit size of text in pixels per point of the normal font."""
        return NORMAL_SIZE * self.fontScale / 100

    def free(self):
        """Delete everything; safe to call twice."""
        if self.renderer.programs is not None:
            self.fill.free()
            for thing in (self.target, self.plain, self.image):
                thing.free()
            self.renderer.close()


def rect(r):
    """(x, y, w, h) of an MjrRect."""
    return int(r.left), int(r.bottom), int(r.width), int(r.height)


def mjr_render(viewport, scn, con):
    """Draw a scene into a part of the current buffer."""
    con.renderer.draw(scn, rect(viewport), con.fbo)


def mjr_setBuffer(framebuffer, con):
    """Draw into the window or the offscreen buffer from now on."""
    con.currentBuffer = OFFSCREEN if int(framebuffer) == OFFSCREEN or not con.windowAvailable else WINDOW
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, con.fbo)


def mjr_restoreBuffer(con):
    """Bind the current buffer again."""
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, con.fbo)


def mjr_resizeOffscreen(width, height, con):
    """Change the size of the offscreen buffer."""
    if width <= 0 or height <= 0:
        raise ValueError(f'offscreen size {width} x {height} must be positive')
    con.offWidth, con.offHeight = int(width), int(height)


def mjr_maxViewport(con):
    """Rectangle of the whole current buffer."""
    if con.currentBuffer == OFFSCREEN:
        return MjrRect(0, 0, con.offWidth, con.offHeight)
    x, y, w, h = (int(v) for v in GL.glGetIntegerv(GL.GL_VIEWPORT))
    return MjrRect(0, 0, x + w, y + h)


def resolved(con, viewport, bits):
    """Framebuffer with one sample per pixel to read from."""
    fbo = con.fbo
    if not fbo or not con.target.samples:
        return fbo
    x, y, w, h = rect(viewport)
    con.plain.resize(con.offWidth, con.offHeight)
    GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, fbo)
    GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, con.plain.fbo)
    GL.glBlitFramebuffer(x, y, x + w, y + h, x, y, x + w, y + h, bits, GL.GL_NEAREST)
    return con.plain.fbo


def mjr_readPixels(rgb, depth, viewport, con):
    """Read colours (h, w, 3) uint8 and depths (h, w) float32 of a rectangle into the given arrays (None: not wanted)."""
    x, y, w, h = rect(viewport)
    bits = (GL.GL_COLOR_BUFFER_BIT if rgb is not None else 0) | (GL.GL_DEPTH_BUFFER_BIT if depth is not None else 0)
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, resolved(con, viewport, bits))
    GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 1)
    if rgb is not None:
        raw = GL.glReadPixels(x, y, w, h, GL.GL_RGB, GL.GL_UNSIGNED_BYTE)
        rgb[...] = np.frombuffer(raw, np.uint8).reshape(rgb.shape)
    if depth is not None:
        z = np.frombuffer(GL.glReadPixels(x, y, w, h, GL.GL_DEPTH_COMPONENT, GL.GL_FLOAT), np.float32).reshape(depth.shape)
        depth[...] = 1 - z if int(con.readDepthMap) == ZEROFAR else z
    mjr_restoreBuffer(con)


def mjr_drawPixels(rgb, depth, viewport, con):
    """Copy an (h, w, 3) uint8 image into a rectangle; depth is not supported and must be None."""
    if depth is not None:
        raise ValueError('depth cannot be drawn, pass None')
    x, y, w, h = rect(viewport)
    data = np.ascontiguousarray(np.asarray(rgb, np.uint8).reshape(h, w, 3))
    con.image.resize(w, h)
    GL.glBindTexture(GL.GL_TEXTURE_2D, con.image.color[0])
    GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
    GL.glTexSubImage2D(GL.GL_TEXTURE_2D, 0, 0, 0, w, h, GL.GL_RGB, GL.GL_UNSIGNED_BYTE, data)
    fbo = con.fbo
    GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, con.image.fbo)
    GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, fbo)
    GL.glBlitFramebuffer(0, 0, w, h, x, y, x + w, y + h, GL.GL_COLOR_BUFFER_BIT, GL.GL_NEAREST)
    mjr_restoreBuffer(con)


def mjr_blitBuffer(src, dst, flg_color, flg_depth, con):
    """Copy a rectangle of the current buffer to the other one, scaled if the sizes differ."""
    bits = (GL.GL_COLOR_BUFFER_BIT if flg_color else 0) | (GL.GL_DEPTH_BUFFER_BIT if flg_depth else 0)
    source = resolved(con, src, bits)
    other = 0 if con.currentBuffer == OFFSCREEN else con.target.fbo
    corners = [v for x, y, w, h in (rect(src), rect(dst)) for v in (x, y, x + w, y + h)]
    GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, source)
    GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, other)
    GL.glBlitFramebuffer(*corners, bits, GL.GL_NEAREST)
    mjr_restoreBuffer(con)


def mjr_rectangle(viewport, r, g, b, a):
    """Fill a rectangle of the bound framebuffer with an opaque colour, faded by alpha toward black."""
    GL.glEnable(GL.GL_SCISSOR_TEST)
    GL.glScissor(*rect(viewport))
    GL.glClearColor(r * a, g * a, b * a, a)
    GL.glClear(GL.GL_COLOR_BUFFER_BIT)
    GL.glDisable(GL.GL_SCISSOR_TEST)


def put_text(con, items, viewport, size):
    """Text items (x, y, text, rgba) in a viewport."""
    x, y, w, h = rect(viewport)
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, con.fbo)
    GL.glViewport(x, y, w, h)
    con.renderer.labels.text(items, (w, h), size)
    con.renderer.finish(con.fbo, x, y, w, h)


def mjr_text(font, txt, con, x, y, r, g, b):
    """Text at fractions x, y of the current viewport."""
    vx, vy, w, h = (int(v) for v in GL.glGetIntegerv(GL.GL_VIEWPORT))
    size = con.size() * (2 if int(font) == FONT_BIG else 1)
    put_text(con, [(x * w, y * h, txt, (r, g, b, 1.0))], MjrRect(vx, vy, w, h), size)


def overlay_items(columns, place, view, size):
    """Text items of up to two columns of lines, and the box around them (x, y, w, h)."""
    unit, line = size / strokes.HEIGHT * strokes.ADVANCE, 1.35 * size
    texts = [c.split('\n') for c in columns if c]
    widths = [max(len(t) for t in lines) * unit for lines in texts]
    w, h = sum(widths) + MARGIN * (len(widths) + 1), max(len(lines) for lines in texts) * line + 2 * MARGIN
    x, y = place[0] * (view[0] - w), place[1] * (view[1] - h)
    items, left = [], x + MARGIN
    for k, lines in enumerate(texts):
        items += [(left, y + h - MARGIN - (i + 0.8) * line, t, DIM if k else (1.0, 1.0, 1.0, 1.0)) for i, t in enumerate(lines) if t]
        left += widths[k] + MARGIN
    return items, (x, y, w, h)


def mjr_overlay(font, gridpos, viewport, overlay, overlay2, con):
    """One or two columns of text on a dim box at one of eight places of a viewport; None or '' leaves a column out."""
    if not (overlay or overlay2):
        return
    name = next((k for k, v in GRID.items() if v == int(gridpos)), None)
    if name is None:
        raise ValueError(f'unknown grid position {gridpos}')
    x, y, w, h = rect(viewport)
    size = con.size() * (2 if int(font) == FONT_BIG else 1)
    items, box = overlay_items([overlay or '', overlay2 or ''], PLACE[name], (w, h), size)
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, con.fbo)
    GL.glViewport(x, y, w, h)
    con.renderer.labels.quads(con.fill, np.array([[*box, 0, 0, 1, 1, *BACK]], np.float32).reshape(-1, GLYPH), (w, h))
    put_text(con, items, viewport, size)


def mjr_label(viewport, font, txt, r, g, b, a, rt, gt, bt, con):
    """Filled rectangle with centred text."""
    mjr_rectangle(viewport, r, g, b, a)
    size = con.size() * (2 if int(font) == FONT_BIG else 1)
    x, y, w, h = rect(viewport)
    left = 0.5 * (w - len(txt) * size / strokes.HEIGHT * strokes.ADVANCE)
    put_text(con, [(left, 0.5 * h - 0.3 * size, txt, (rt, gt, bt, 1.0))], viewport, size)


def mjr_changeFont(fontscale, con):
    """Change the font scale (percent)."""
    con.fontScale = min(max(50 * round(int(fontscale) / 50), 50), 300)


def mjr_uploadMesh(m, con, meshid):
    """Upload one mesh again."""
    con.renderer.update_mesh(int(meshid))


def mjr_uploadTexture(m, con, texid):
    """Upload one texture again."""
    con.renderer.update_texture(int(texid))


def mjr_uploadHField(m, con, hfieldid):
    """Upload one height field again."""
    con.renderer.update_hfield(int(hfieldid))


def mjr_finish():
    """Wait until the GPU is done."""
    GL.glFinish()


def mjr_getError():
    """OpenGL's error code, 0 for none."""
    return int(GL.glGetError())


def mjr_findRect(x, y, nrect, rects):
    """Index of the first of nrect rectangles that holds a pixel, -1 for none."""
    for k in range(nrect):
        left, bottom, w, h = rect(rects[k])
        if left <= x < left + w and bottom <= y < bottom + h:
            return k
    return -1
