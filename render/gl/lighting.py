"""Where light is computed: one row per look. A renderer's `lighting` is one of these rows and may be replaced at any time.

`classic` repeats what fixed-function OpenGL does and so what simulators of this kind have always shown: colours at vertices, mixed in
between, shadow maps of the size and direction that the light has, one comparison per pixel. Pictures that scripts take look like that,
because they are compared with older ones. `pixel` lights every pixel and softens the edges of shadows; windows use it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Lighting:
    """name, label and tip of a look; classic: whether light falls on vertices."""

    name: str
    label: str
    tip: str
    classic: bool


PIXEL = Lighting("pixel", "Per pixel", "Light at every pixel, soft shadows", False)
CLASSIC = Lighting("classic", "Classic", "Light at vertices, hard shadows: as in pictures that scripts take", True)
LIGHTING = {row.name: row for row in (PIXEL, CLASSIC)}
