"""Framebuffers to draw into: color and depth buffers, a stack of shadow maps, a mirror image, a buffer of ids and
distances."""

from .state import GL


def complete(what: str) -> None:
    """Raise RuntimeError unless the bound framebuffer is complete."""
    status = GL.glCheckFramebufferStatus(GL.GL_FRAMEBUFFER)
    if status != GL.GL_FRAMEBUFFER_COMPLETE:
        raise RuntimeError(f"{what} framebuffer is incomplete: 0x{status:x}")


class Target:
    """A framebuffer with color attachments (textures or multisampled buffers) and depth, all of one size. `formats`: sized
    internal formats of the colors."""

    def __init__(self, formats: tuple[int, ...] = (GL.GL_RGBA8,), samples: int = 0, what: str = "offscreen") -> None:
        self.formats, self.samples, self.what = formats, samples, what
        self.size = (0, 0)
        self.fbo, self.color, self.depth = 0, [], 0

    def resize(self, w: int, h: int, samples: int | None = None) -> None:
        """Reallocate the buffers if their size or number of samples has changed."""
        samples = self.samples if samples is None else samples
        if (w, h) == self.size and samples == self.samples and self.fbo:
            return
        self.free()
        self.size, self.samples = (w, h), samples
        self.fbo = int(GL.glGenFramebuffers(1))
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self.fbo)
        for k, fmt in enumerate(self.formats):
            self.color.append(self._attach(GL.GL_COLOR_ATTACHMENT0 + k, fmt))
        self.depth = int(GL.glGenRenderbuffers(1))
        GL.glBindRenderbuffer(GL.GL_RENDERBUFFER, self.depth)
        GL.glRenderbufferStorageMultisample(GL.GL_RENDERBUFFER, samples, GL.GL_DEPTH_COMPONENT32F, w, h)
        GL.glFramebufferRenderbuffer(GL.GL_FRAMEBUFFER, GL.GL_DEPTH_ATTACHMENT, GL.GL_RENDERBUFFER, self.depth)
        GL.glDrawBuffers(len(self.formats), [GL.GL_COLOR_ATTACHMENT0 + k for k in range(len(self.formats))])
        complete(self.what)

    def _attach(self, point: int, fmt: int) -> int:
        w, h = self.size
        if self.samples:
            rb = int(GL.glGenRenderbuffers(1))
            GL.glBindRenderbuffer(GL.GL_RENDERBUFFER, rb)
            GL.glRenderbufferStorageMultisample(GL.GL_RENDERBUFFER, self.samples, fmt, w, h)
            GL.glFramebufferRenderbuffer(GL.GL_FRAMEBUFFER, point, GL.GL_RENDERBUFFER, rb)
            return rb

        # Without multisampling, the attachment is a texture, so that shaders can read it.
        tex = int(GL.glGenTextures(1))
        GL.glBindTexture(GL.GL_TEXTURE_2D, tex)
        GL.glTexImage2D(
            GL.GL_TEXTURE_2D,
            0,
            fmt,
            w,
            h,
            0,
            GL.GL_RED if fmt == GL.GL_R32F else GL.GL_RGBA,
            GL.GL_FLOAT if fmt == GL.GL_R32F else GL.GL_UNSIGNED_BYTE,
            None,
        )
        for key, value in (
            (GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR),
            (GL.GL_TEXTURE_MAG_FILTER, GL.GL_LINEAR),
            (GL.GL_TEXTURE_WRAP_S, GL.GL_CLAMP_TO_EDGE),
            (GL.GL_TEXTURE_WRAP_T, GL.GL_CLAMP_TO_EDGE),
        ):
            GL.glTexParameteri(GL.GL_TEXTURE_2D, key, value)
        GL.glFramebufferTexture2D(GL.GL_FRAMEBUFFER, point, GL.GL_TEXTURE_2D, tex, 0)
        return tex

    def free(self) -> None:
        """Delete the buffers."""
        if self.fbo:
            GL.glDeleteFramebuffers(1, [self.fbo])
            GL.glDeleteRenderbuffers(1, [self.depth])
            (GL.glDeleteRenderbuffers if self.samples else GL.glDeleteTextures)(len(self.color), self.color)
        self.fbo, self.color, self.depth, self.size = 0, [], 0, (0, 0)


class ShadowMaps:
    """A texture array of square depth maps with hardware comparison: one layer for each shadow-casting light.

    The border of every layer stays empty, so that everything outside a map is lit.
    """

    def __init__(self) -> None:
        self.size, self.layers, self.tex, self.fbo = 0, 0, 0, 0

    def resize(self, size: int, layers: int) -> None:
        """Allocate at least `layers` maps with a given size."""
        if size == self.size and layers <= self.layers and self.tex:
            return
        self.free()
        self.size, self.layers = size, layers
        self.tex, self.fbo = int(GL.glGenTextures(1)), int(GL.glGenFramebuffers(1))
        t = GL.GL_TEXTURE_2D_ARRAY
        GL.glBindTexture(t, self.tex)
        GL.glTexImage3D(t, 0, GL.GL_DEPTH_COMPONENT24, size, size, layers, 0, GL.GL_DEPTH_COMPONENT, GL.GL_UNSIGNED_INT, None)
        for key, value in (
            (GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR),
            (GL.GL_TEXTURE_MAG_FILTER, GL.GL_LINEAR),
            (GL.GL_TEXTURE_WRAP_S, GL.GL_CLAMP_TO_EDGE),
            (GL.GL_TEXTURE_WRAP_T, GL.GL_CLAMP_TO_EDGE),
            (GL.GL_TEXTURE_COMPARE_MODE, GL.GL_COMPARE_REF_TO_TEXTURE),
            (GL.GL_TEXTURE_COMPARE_FUNC, GL.GL_GEQUAL),
        ):
            GL.glTexParameteri(t, key, value)

    def begin(self, layer: int) -> None:
        """Bind one layer for drawing, and clear it."""
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self.fbo)
        GL.glFramebufferTextureLayer(GL.GL_FRAMEBUFFER, GL.GL_DEPTH_ATTACHMENT, self.tex, 0, layer)
        GL.glDrawBuffer(GL.GL_NONE)
        GL.glReadBuffer(GL.GL_NONE)
        GL.glClear(GL.GL_DEPTH_BUFFER_BIT)
        GL.glViewport(1, 1, max(self.size - 2, 1), max(self.size - 2, 1))

    def bind(self, unit: int, smooth: bool) -> None:
        """Bind the maps for sampling. `smooth`: average the comparisons of four texels."""
        GL.glActiveTexture(GL.GL_TEXTURE0 + unit)
        GL.glBindTexture(GL.GL_TEXTURE_2D_ARRAY, self.tex)
        for key in (GL.GL_TEXTURE_MIN_FILTER, GL.GL_TEXTURE_MAG_FILTER):
            GL.glTexParameteri(GL.GL_TEXTURE_2D_ARRAY, key, GL.GL_LINEAR if smooth else GL.GL_NEAREST)

    def free(self) -> None:
        """Delete the maps."""
        if self.tex:
            GL.glDeleteTextures(1, [self.tex])
            GL.glDeleteFramebuffers(1, [self.fbo])
        self.size = self.layers = self.tex = self.fbo = 0
