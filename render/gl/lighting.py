"""Where lighting is computed: one row for each look. A renderer's `lighting` is one of these rows, and can be replaced at any
time.

`classic` repeats what fixed-function OpenGL does, and so the traditional look of such simulators: colors computed at vertices
and interpolated, shadow maps with the size and direction of the light, one comparison per pixel. Offscreen images use it,
because they are compared with older ones. `pixel` lights every pixel and softens the edges of shadows; windows use it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Lighting:
    """Name, label and tooltip of a look; classic: whether lighting is computed at vertices."""

    name: str
    label: str
    tip: str
    classic: bool


PIXEL = Lighting("pixel", "Per pixel", "Light at every pixel, soft shadows", False)
CLASSIC = Lighting("classic", "Classic", "Light at vertices, hard shadows: as in pictures that scripts take", True)
LIGHTING = {row.name: row for row in (PIXEL, CLASSIC)}
