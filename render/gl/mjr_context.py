"""MjrContext: the GPU objects of a model, under the names that scripts read and set.

Shapes and glyphs are drawn by instancing, without display lists: their names (`baseMesh` ...) are 0, and only their counts
(`rangeMesh` ...) have a meaning. Colors, distances and sizes of the model are copied at creation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from ...engine.core.model import MjModel
from ...engine.tables.enums import mjtDepthMap, mjtFont, mjtFramebuffer, mjtTextureRole
from ..scene import strokes
from .buffers import FrameBlock, LineStore
from .image import ImageRenderer
from .libraries import current_handle
from .lighting import CLASSIC
from .programs import FRAME_BINDING, Program
from .renderer import Renderer
from .state import GL
from .targets import Target

WINDOW, OFFSCREEN = int(mjtFramebuffer.mjFB_WINDOW), int(mjtFramebuffer.mjFB_OFFSCREEN)
FONT_BIG = int(mjtFont.mjFONT_BIG)
NORMAL_SIZE, NORMAL_PERCENT, BIG = 13, 150, 2
NTEXROLE = int(mjtTextureRole.mjNTEXROLE)
NAUX, MAXTEXTURE, MAXMATERIAL, NCHAR = 10, 1000, 1000, 127
DEFAULT_SIZE = 800, 600
RGB = 0x1907
ZERO, NAMES = 0, np.uint32
# (name, value in an empty context) of each field, in MuJoCo's order.
FIELDS = (
    ("lineWidth", 0.0),
    ("shadowClip", 0.0),
    ("shadowScale", 0.0),
    ("fogStart", 0.0),
    ("fogEnd", 0.0),
    ("fogRGBA", (np.float32, 4)),
    ("shadowSize", ZERO),
    ("offWidth", ZERO),
    ("offHeight", ZERO),
    ("offSamples", ZERO),
    ("fontScale", ZERO),
    ("auxWidth", (np.int32, NAUX)),
    ("auxHeight", (np.int32, NAUX)),
    ("auxSamples", (np.int32, NAUX)),
    ("offFBO", ZERO),
    ("offFBO_r", ZERO),
    ("offColor", ZERO),
    ("offColor_r", ZERO),
    ("offDepthStencil", ZERO),
    ("offDepthStencil_r", ZERO),
    ("shadowFBO", ZERO),
    ("shadowTex", ZERO),
    ("auxFBO", (NAMES, NAUX)),
    ("auxFBO_r", (NAMES, NAUX)),
    ("auxColor", (NAMES, NAUX)),
    ("auxColor_r", (NAMES, NAUX)),
    ("mat_texid", (np.int32, MAXMATERIAL * NTEXROLE)),
    ("mat_texuniform", (np.int32, MAXMATERIAL)),
    ("mat_texrepeat", (np.float32, 2 * MAXMATERIAL)),
    ("ntexture", ZERO),
    ("textureType", (np.int32, MAXTEXTURE)),
    ("texture", (NAMES, MAXTEXTURE)),
    ("basePlane", ZERO),
    ("baseMesh", ZERO),
    ("baseHField", ZERO),
    ("baseBuiltin", ZERO),
    ("baseFontNormal", ZERO),
    ("baseFontShadow", ZERO),
    ("baseFontBig", ZERO),
    ("rangePlane", ZERO),
    ("rangeMesh", ZERO),
    ("rangeHField", ZERO),
    ("rangeBuiltin", ZERO),
    ("rangeFont", ZERO),
    ("nskin", ZERO),
    ("skinvertVBO", (NAMES, 0)),
    ("skinnormalVBO", (NAMES, 0)),
    ("skintexcoordVBO", (NAMES, 0)),
    ("skinfaceVBO", (NAMES, 0)),
    ("charWidth", (np.int32, NCHAR)),
    ("charWidthBig", (np.int32, NCHAR)),
    ("charHeight", ZERO),
    ("charHeightBig", ZERO),
    ("glInitialized", ZERO),
    ("windowAvailable", ZERO),
    ("windowSamples", ZERO),
    ("windowStereo", ZERO),
    ("windowDoublebuffer", ZERO),
    ("currentBuffer", ZERO),
    ("readPixelFormat", ZERO),
    ("readDepthMap", int(mjtDepthMap.mjDEPTH_ZERONEAR)),
)
# (field, path of the value in model.vis, whether the value is multiplied by the model's extent)
FROM_MODEL = (
    ("shadowClip", "map.shadowclip", True),
    ("shadowScale", "map.shadowscale", False),
    ("fogStart", "map.fogstart", True),
    ("fogEnd", "map.fogend", True),
    ("lineWidth", "global_.linewidth", False),
)


class MjrContext:
    """The GPU objects of a model, in the OpenGL context that is current now. Call `free` in the same context.

    Without a model, the MjrContext is empty and needs no OpenGL. fontscale is in percent.
    """

    # Index of the auxiliary buffer in use; None if the current buffer is in use.
    latest: int | None

    if TYPE_CHECKING:
        # The attributes are listed in FIELDS.
        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def __init__(self, model: MjModel | None = None, fontscale: SupportsIndex = 100) -> None:
        for name, value in FIELDS:
            setattr(self, name, np.zeros(value[1], value[0]) if isinstance(value, tuple) else value)
        # A Renderer; None in an empty context.
        self.renderer: Any = None
        self.aux, self.latest = {}, None
        if model is None:
            return
        self.draw_with(model, Renderer(model, lighting=CLASSIC), fontscale)
        self.target, self.plain = Target(what="offscreen"), Target(what="resolved")

    def draw_with(self, model: MjModel, renderer: Renderer, fontscale: SupportsIndex) -> None:
        """Use `renderer`, to which the model was already uploaded."""
        self.renderer = renderer
        self.table, self.owner = GL.follow(), current_handle()
        self.windowAvailable = int(GL.glCheckFramebufferStatus(GL.GL_FRAMEBUFFER) == GL.GL_FRAMEBUFFER_COMPLETE)
        self.currentBuffer = WINDOW if self.windowAvailable else OFFSCREEN
        self.offWidth, self.offHeight = DEFAULT_SIZE
        self.glInitialized, self.readPixelFormat = 1, RGB
        self._read_model(model)
        self._read_window()
        self.set_font(fontscale)
        self.image = Target(what="pixels")
        self.fill, self.lines, self.block = Program("text", "fill"), LineStore(), FrameBlock(FRAME_BINDING)

    def _read_model(self, m: MjModel) -> None:
        """Copy sizes, colors and texture tables from a model."""
        v, renderer = m.vis, self.renderer
        assert renderer is not None
        for name, where, scaled in FROM_MODEL:
            group, field = where.split(".")
            setattr(self, name, float(getattr(getattr(v, group), field)) * (float(m.stat.extent) if scaled else 1.0))

        # Copy sizes of the offscreen buffer and of shadow maps.
        self.fogRGBA[:] = v.rgba.fog
        self.offWidth, self.offHeight = int(v.global_.offwidth), int(v.global_.offheight)
        self.offSamples = min(int(v.quality.offsamples), renderer.max_samples)
        self.shadowSize = int(v.quality.shadowsize)

        # Fill the tables of materials and textures.
        n = min(m.nmat, MAXMATERIAL)
        self.mat_texid[:] = -1
        self.mat_texid[: n * NTEXROLE] = np.asarray(m.mat_texid[:n]).ravel()
        self.mat_texuniform[:n] = m.mat_texuniform[:n]
        self.mat_texrepeat[: 2 * n] = np.asarray(m.mat_texrepeat[:n]).ravel()
        self.ntexture = k = min(m.ntex, MAXTEXTURE)
        self.textureType[:k], self.texture[:k] = m.tex_type[:k], renderer.textures.ids[:k]

        # In these fields, MuJoCo counts display lists.
        self.rangePlane, self.rangeMesh, self.rangeHField = int(m.ngeom), 2 * int(m.nmesh), int(m.nhfield)
        self.nskin, self.rangeFont = int(m.nskin), NCHAR
        for part in ("vert", "normal", "texcoord", "face"):
            setattr(self, f"skin{part}VBO", np.zeros(self.nskin, NAMES))

    def _read_window(self) -> None:
        """Read the properties of the window's framebuffer."""
        if self.windowAvailable:
            GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, 0)
            self.windowSamples = int(GL.glGetIntegerv(GL.GL_SAMPLES))
            self.windowStereo, self.windowDoublebuffer = (
                int(GL.glGetBooleanv(GL.GL_STEREO)),
                int(GL.glGetBooleanv(GL.GL_DOUBLEBUFFER)),
            )

    def set_font(self, fontscale: SupportsIndex) -> None:
        """Set the text size in percent, rounded to the nearest of 50, 100 .. 300."""
        self.fontScale = min(max(50 * round(int(fontscale) / 50), 50), 300)
        for big, width, height in ((0, "charWidth", "charHeight"), (1, "charWidthBig", "charHeightBig")):
            size = self.size(big)
            getattr(self, width)[strokes.FIRST :] = round(size / strokes.HEIGHT * strokes.ADVANCE)
            setattr(self, height, round(size))

    def size(self, big: int = 0) -> float:
        """Return the height of text in pixels."""
        return NORMAL_SIZE * self.fontScale / 100 * (BIG if big else 1)

    def prepare(self) -> None:
        """Allocate the offscreen buffer with its current size; store the OpenGL names of its parts."""
        self.target.resize(self.offWidth, self.offHeight, self.offSamples)
        self.offFBO, self.offColor, self.offDepthStencil = self.target.fbo, self.target.color[0], self.target.depth

    @property
    def fbo(self) -> int:
        """The framebuffer to draw into."""
        if self.currentBuffer == WINDOW:
            return 0
        self.prepare()
        return self.target.fbo

    def free(self) -> None:
        """Delete everything; safe to call twice. If the OpenGL context is no longer current, nothing is deleted."""
        if self.renderer is None or self.renderer.programs is None:
            return
        if current_handle() == self.owner:
            GL.use(self.table)
            for thing in (
                self.fill,
                self.lines,
                self.block,
                self.target,
                self.plain,
                self.image,
                *(t for pair in self.aux.values() for t in pair),
            ):
                thing.free()
            self.renderer.close()
        self.renderer.programs = None
        self.aux.clear()
        self.glInitialized = 0


def around(image: ImageRenderer, model: MjModel, width: int, height: int) -> MjrContext:
    """Return an MjrContext that shares an ImageRenderer's targets, to read what it draws. The ImageRenderer frees them."""
    con: Any = MjrContext()
    con.draw_with(model, image.renderer, NORMAL_PERCENT)
    con.target, con.plain = image.target, image.plain
    con.currentBuffer, con.readDepthMap = OFFSCREEN, int(mjtDepthMap.mjDEPTH_ZEROFAR)
    con.offWidth, con.offHeight, con.offSamples = width, height, min(image.renderer.quality.samples, image.limit)
    return con


# Class attributes with the values of an empty context, so that the class shows its fields.
for _name, _value in FIELDS:
    setattr(MjrContext, _name, None if isinstance(_value, tuple) else _value)
