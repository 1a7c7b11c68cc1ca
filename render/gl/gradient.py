"""A sky that is a gradient from the zenith to the horizon, for views of models that define no sky."""

import numpy as np

from .state import GL
from .textures import set_filter

Color = tuple[float, float, float]
# default colors of zenith and horizon: none, so renderers draw no gradient
NO_GRADIENT: tuple[Color, Color] | None = None
# Pixels along the side of a face.
SIDE = 64
# Directions for each face: to its center, to the next column, and to the next row. Faces are in OpenGL's order; y is up.
FACES = (
    ((1, 0, 0), (0, 0, -1), (0, -1, 0)),
    ((-1, 0, 0), (0, 0, 1), (0, -1, 0)),
    ((0, 1, 0), (1, 0, 0), (0, 0, 1)),
    ((0, -1, 0), (1, 0, 0), (0, 0, -1)),
    ((0, 0, 1), (1, 0, 0), (0, -1, 0)),
    ((0, 0, -1), (-1, 0, 0), (0, -1, 0)),
)


def faces(zenith: Color, horizon: Color) -> np.ndarray:
    """Return six faces as (6, SIDE, SIDE, 3) bytes. Below the horizon, the color is that of the horizon."""
    at = (2 * np.arange(SIDE) + 1) / SIDE - 1
    center, across, down = (np.array(axis, float) for axis in zip(*FACES, strict=True))
    way = center[:, None, None] + at[None, None, :, None] * across[:, None, None]
    way = way + at[None, :, None, None] * down[:, None, None]
    height = np.clip(way[..., 1] / np.linalg.norm(way, axis=-1), 0, 1)
    # The color changes fastest near the horizon, as in the air.
    share = np.sqrt(height)[..., None]
    return np.rint(255 * ((1 - share) * np.array(horizon) + share * np.array(zenith))).astype(np.uint8)


class Gradient:
    """The texture of a gradient; it is made again when the colors change."""

    def __init__(self) -> None:
        self.colors: tuple[Color, Color] | None = None
        self._texture = 0

    def bind(self, colors: tuple[Color, Color], unit: int) -> None:
        """Bind the texture to a unit."""
        GL.glActiveTexture(GL.GL_TEXTURE0 + unit)
        if not self._texture:
            self._texture = int(GL.glGenTextures(1))
        GL.glBindTexture(GL.GL_TEXTURE_CUBE_MAP, self._texture)
        if self.colors == colors:
            return
        self.colors = colors
        GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
        set_filter(GL.GL_TEXTURE_CUBE_MAP, GL.GL_CLAMP_TO_EDGE, smooth=False)
        for k, face in enumerate(faces(*colors)):
            target = GL.GL_TEXTURE_CUBE_MAP_POSITIVE_X + k
            data = np.ascontiguousarray(face)
            GL.glTexImage2D(target, 0, GL.GL_RGB8, SIDE, SIDE, 0, GL.GL_RGB, GL.GL_UNSIGNED_BYTE, data)

    def free(self) -> None:
        """Delete the texture."""
        if self._texture:
            GL.glDeleteTextures(1, [self._texture])
        self.colors, self._texture = None, 0
