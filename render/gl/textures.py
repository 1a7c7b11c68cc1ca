"""A model's textures on the GPU: 2D textures with mipmaps and repeat, cubes and skies with mipmaps and clamped edges."""

from collections.abc import Iterator
from time import perf_counter

import numpy as np

from ...engine.core.model import MjModel
from ...engine.tables.enums import mjtColorSpace, mjtTexture
from .state import GL

TEX_2D, SKYBOX, SRGB = int(mjtTexture.mjTEXTURE_2D), int(mjtTexture.mjTEXTURE_SKYBOX), int(mjtColorSpace.mjCOLORSPACE_SRGB)
# KTX: first bytes of a Khronos texture file, which a model stores as one row of bytes. WHITE: a white texel.
KTX, WHITE = b"\xabKTX", np.full(3, 255, np.uint8)


def set_filter(target: int, wrap: int, smooth: bool = True) -> None:
    """Set filtering and wrapping of the bound texture."""
    GL.glTexParameteri(target, GL.GL_TEXTURE_MAG_FILTER, GL.GL_LINEAR)
    GL.glTexParameteri(target, GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR_MIPMAP_LINEAR if smooth else GL.GL_LINEAR)
    for k in (GL.GL_TEXTURE_WRAP_S, GL.GL_TEXTURE_WRAP_T, GL.GL_TEXTURE_WRAP_R):
        GL.glTexParameteri(target, k, wrap)


class TextureStore:
    """One GL texture per model texture. Textures that are not written yet are white."""

    def __init__(self) -> None:
        self.ids, self.flat = [], []
        self.sky = -1
        # Number of textures that are not written yet; they are the last ones.
        self.waiting = 0
        # The remaining steps of the texture that is being written.
        self._steps: Iterator[None] | None = None

    def begin(self, m: MjModel) -> None:
        """Replace all textures with white ones, one for each texture of a model. Then call `write`."""
        self.free()
        self.ids = [int(GL.glGenTextures(1)) for _ in range(m.ntex)]
        self.flat = [int(m.tex_type[i]) == TEX_2D for i in range(m.ntex)]
        sky = np.flatnonzero(np.asarray(m.tex_type) == SKYBOX)
        self.sky = int(sky[0]) if len(sky) else -1
        for i in range(m.ntex):
            target = GL.GL_TEXTURE_2D if self.flat[i] else GL.GL_TEXTURE_CUBE_MAP
            GL.glBindTexture(target, self.ids[i])
            for face in (target,) if self.flat[i] else (GL.GL_TEXTURE_CUBE_MAP_POSITIVE_X + k for k in range(6)):
                GL.glTexImage2D(face, 0, GL.GL_RGB8, 1, 1, 0, GL.GL_RGB, GL.GL_UNSIGNED_BYTE, WHITE)
        self.waiting = int(m.ntex)

    def write(self, m: MjModel, until: float = float("inf")) -> None:
        """Write textures of the model: at least one step of a texture, and more until `perf_counter()` exceeds `until`."""
        while self.waiting:
            self._steps = self._steps or self._written(m, len(self.ids) - self.waiting)
            for _step in self._steps:
                if perf_counter() > until:
                    return
            self._steps = None
            self.waiting -= 1

    def update(self, m: MjModel, i: int) -> None:
        """Upload texture i again."""
        for _step in self._written(m, i):
            pass

    def _written(self, m: MjModel, i: int) -> Iterator[None]:
        """Upload texture i; yield after each step that may take long: an image, and the smaller copies of all images."""
        w, h, ch, adr = (int(getattr(m, "tex_" + k)[i]) for k in ("width", "height", "nchannel", "adr"))
        data = np.ascontiguousarray(np.asarray(m.tex_data)[adr : adr + w * h * ch])
        if ch == h == 1 and data[:4].tobytes() == KTX:
            # Environment maps, which only other renderers can decode, become white.
            w, ch, data = 1, 3, WHITE
        if ch not in (3, 4):
            raise ValueError(f"texture {i} has {ch} channels, only 3 or 4 can be shown")

        # Choose the texture's format on the GPU, and the format of its data.
        srgb = int(m.tex_colorspace[i]) == SRGB
        internal = {3: GL.GL_SRGB8 if srgb else GL.GL_RGB8, 4: GL.GL_SRGB8_ALPHA8 if srgb else GL.GL_RGBA8}[ch]
        fmt = GL.GL_RGB if ch == 3 else GL.GL_RGBA
        GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
        if self.flat[i]:
            GL.glBindTexture(GL.GL_TEXTURE_2D, self.ids[i])
            set_filter(GL.GL_TEXTURE_2D, GL.GL_REPEAT)
            GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, internal, w, h, 0, fmt, GL.GL_UNSIGNED_BYTE, data)
            yield
            # Other textures may have been bound since the `yield`.
            GL.glBindTexture(GL.GL_TEXTURE_2D, self.ids[i])
            GL.glGenerateMipmap(GL.GL_TEXTURE_2D)
            yield
            return

        # As in MuJoCo, the color space of cube textures is ignored.
        internal = GL.GL_RGB8 if ch == 3 else GL.GL_RGBA8
        GL.glBindTexture(GL.GL_TEXTURE_CUBE_MAP, self.ids[i])
        set_filter(GL.GL_TEXTURE_CUBE_MAP, GL.GL_CLAMP_TO_EDGE)

        # If the image is square, use it for all six faces.
        step = 0 if w == h else ch * w * w
        for k in range(6):
            GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
            GL.glBindTexture(GL.GL_TEXTURE_CUBE_MAP, self.ids[i])
            GL.glTexImage2D(
                GL.GL_TEXTURE_CUBE_MAP_POSITIVE_X + k,
                0,
                internal,
                w,
                w,
                0,
                fmt,
                GL.GL_UNSIGNED_BYTE,
                np.ascontiguousarray(data[k * step : k * step + ch * w * w]),
            )
            yield
        GL.glBindTexture(GL.GL_TEXTURE_CUBE_MAP, self.ids[i])
        GL.glGenerateMipmap(GL.GL_TEXTURE_CUBE_MAP)
        yield

    def bind(self, i: int, unit2d: int, unitcube: int) -> None:
        """Bind texture i to the texture unit for its type, 2D or cube."""
        GL.glActiveTexture(GL.GL_TEXTURE0 + (unit2d if self.flat[i] else unitcube))
        GL.glBindTexture(GL.GL_TEXTURE_2D if self.flat[i] else GL.GL_TEXTURE_CUBE_MAP, self.ids[i])

    def free(self) -> None:
        """Delete all textures."""
        if self.ids:
            GL.glDeleteTextures(len(self.ids), self.ids)
        self.ids, self.flat, self.sky, self.waiting, self._steps = [], [], -1, 0, None


def dummies() -> tuple[int, int]:
    """Make tiny textures, so that every sampler has a bound texture of its type."""
    flat, cube = (int(t) for t in GL.glGenTextures(2))
    white = np.full(4, 255, np.uint8)
    GL.glBindTexture(GL.GL_TEXTURE_2D, flat)
    GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, GL.GL_RGBA8, 1, 1, 0, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE, white)
    GL.glBindTexture(GL.GL_TEXTURE_CUBE_MAP, cube)
    for k in range(6):
        GL.glTexImage2D(GL.GL_TEXTURE_CUBE_MAP_POSITIVE_X + k, 0, GL.GL_RGBA8, 1, 1, 0, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE, white)
    for target in (GL.GL_TEXTURE_2D, GL.GL_TEXTURE_CUBE_MAP):
        GL.glTexParameteri(target, GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR)
    return flat, cube
