"""Types of lighting, per vertex or per pixel; one row for each look. Assign a row to a renderer's `lighting` at any time.

`classic` reproduces fixed-function OpenGL, and thus the traditional look of MuJoCo's images. Colors are computed at vertices
and interpolated. A shadow map covers a fixed region around the light's axis, and each pixel is compared with one texel, so
shadows have hard edges. Offscreen images use `classic`, because users compare them with older images. `pixel` lights every
pixel and softens the edges of shadows; windows use it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Lighting:
    """Name, label and tooltip of a look. `classic`: whether lighting is computed at vertices."""

    name: str
    label: str
    tip: str
    classic: bool


PIXEL = Lighting("pixel", "Per pixel", "Light at every pixel, soft shadows", False)
CLASSIC = Lighting("classic", "Classic", "Light at vertices, hard shadows: as in pictures that scripts take", True)
LIGHTING = {row.name: row for row in (PIXEL, CLASSIC)}
