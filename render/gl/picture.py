"""Byte arrays as textures for panels: one texture per key, uploaded again if the array changes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .state import GL


class Pictures:
    """Textures by key. At the end of a frame, textures that the frame did not use are freed."""

    def __init__(self) -> None:
        self._rows: dict = {}
        self._used: set = set()

    def texture(self, key: Any, pixels: np.ndarray) -> int:
        """Return the texture id for an (h, w, 3) or (h, w, 4) uint8 array whose first row is the top."""
        h, w, channels = pixels.shape
        self._used.add(key)
        row = self._rows.get(key)

        # Upload if the key is new, or if its array or size has changed.
        if row is None:
            row = self._rows[key] = [int(GL.glGenTextures(1)), None, None]
        if row[1] is not pixels or row[2] != (h, w, channels):
            row[1], row[2] = pixels, (h, w, channels)
            GL.glBindTexture(GL.GL_TEXTURE_2D, row[0])
            GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
            kind = GL.GL_RGB if channels == 3 else GL.GL_RGBA
            GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, GL.GL_RGBA8, w, h, 0, kind, GL.GL_UNSIGNED_BYTE, np.ascontiguousarray(pixels))
            for name, value in (
                (GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR),
                (GL.GL_TEXTURE_MAG_FILTER, GL.GL_NEAREST),
                (GL.GL_TEXTURE_WRAP_S, GL.GL_CLAMP_TO_EDGE),
                (GL.GL_TEXTURE_WRAP_T, GL.GL_CLAMP_TO_EDGE),
            ):
                GL.glTexParameteri(GL.GL_TEXTURE_2D, name, value)
            GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 4)
            GL.glBindTexture(GL.GL_TEXTURE_2D, 0)
        return row[0]

    def sweep(self) -> None:
        """Free the textures that this frame did not use."""
        gone = [key for key in self._rows if key not in self._used]
        if gone:
            GL.glDeleteTextures(len(gone), [self._rows.pop(key)[0] for key in gone])
        self._used.clear()

    def close(self) -> None:
        """Free everything."""
        self._used.clear()
        self.sweep()
