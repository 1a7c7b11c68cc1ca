"""Metals and rough materials of render.studio: shader inputs for these materials and for the surroundings that they
reflect."""

from typing import Any, NamedTuple

import numpy as np

from .instances import FAR_FIRST, TRANSPARENT

# Roughness of materials for which a metallic value is given but no roughness.
ROUGHNESS = 0.5
# Highlight exponent for shininess 1, and the minimum roughness of metals.
EXPONENT, SMOOTHEST = 128.0, 0.05


class Surroundings(NamedTuple):
    """Shader inputs of a studio image.

    facets: two numbers that select the tilt of facets on rough surfaces, and the tile's corner in pixels. around: multipliers
    of the sky's colors, and whether the model has a sky. ground: the ground's color, and whether there is a ground. plain:
    colors above and below if there is no sky.
    """

    facets: tuple[float, float, int, int]
    around: tuple[float, float, float, float]
    ground: tuple[float, float, float, float]
    plain: tuple[float, float]

    def tell(self, program: Any) -> None:
        """Set the uniforms that assets/shaders/around.glsl reads."""
        program.vec4("uFacets", *self.facets)
        program.vec4("uAround", *self.around)
        program.vec4("uGround", *self.ground)
        program.vec4("uPlain", *self.plain, 0, 0)


def mark(drawn: Any, geoms: Any, m: Any) -> None:
    """Write metallic and rough materials into the surface part of a draw list's records.

    Roughness replaces the specular value, the exponent replaces the shininess, and the metallic share (-1 for other materials)
    replaces the segment id.
    """
    order = drawn.order
    surface = drawn.records["surface"][: drawn.count]
    surface[:, 3] = -1
    if not m.nmat:
        return

    # Metallic value and roughness of each record's material; -1 if it has none.
    number = geoms.matid[order]
    known = (number >= 0) & (number < m.nmat)
    metal, rough = (
        np.where(known, np.asarray(rows)[np.where(known, number, 0)], -1) for rows in (m.mat_metallic, m.mat_roughness)
    )
    rows = np.flatnonzero((metal >= 0) | (rough >= 0))
    rough = np.maximum(np.where(rough >= 0, rough, ROUGHNESS), SMOOTHEST)

    # Slope width of the facets from roughness (Burley 2012), and the exponent closest to it (Walter 2007)
    surface[rows, 1], surface[rows, 2] = rough[rows], (2 / rough[rows] ** 4 - 2) / EXPONENT
    surface[rows, 3] = np.maximum(metal[rows], 0)

    # Transparent records occur twice, in opposite order.
    for near, far in zip(drawn.batches[TRANSPARENT], reversed(drawn.batches[FAR_FIRST]), strict=True):
        surface[far.first : far.first + far.count] = surface[near.first : near.first + near.count][::-1]
