"""Metallic and rough materials of render.studio: what shaders are told of them and of what they reflect."""

from typing import Any, NamedTuple

import numpy as np

from .instances import FAR_FIRST, TRANSPARENT

# a material whose metallic is given and whose roughness is not
ROUGHNESS = 0.5
# exponent of highlights that shininess stands for, and the smoothest of metals
EXPONENT, SMOOTHEST = 128.0, 0.05


class Surroundings(NamedTuple):
    """What a picture asks for: two numbers that choose facets of rough surfaces, and the tile's corner in pixels; by what colours of the sky are
    multiplied, and whether the model has one; the ground's colour, and whether there is one; colours above and below where there is no sky."""

    facets: tuple[float, float, int, int]
    around: tuple[float, float, float, float]
    ground: tuple[float, float, float, float]
    plain: tuple[float, float]

    def tell(self, program: Any) -> None:
        """Set the uniforms of assets/shaders/around.glsl."""
        program.vec4("uFacets", *self.facets)
        program.vec4("uAround", *self.around)
        program.vec4("uGround", *self.ground)
        program.vec4("uPlain", *self.plain, 0, 0)


def mark(drawn: Any, geoms: Any, m: Any) -> None:
    """Records of metallic and rough materials in a draw list: roughness in place of the specular number, the exponent in place of the shininess, and in
    place of the segment's id the metallic share, -1 for what has none."""
    order = drawn.order
    surface = drawn.records["surface"][: drawn.count]
    surface[:, 3] = -1
    if not m.nmat:
        return
    number = geoms.matid[order]
    known = (number >= 0) & (number < m.nmat)
    metal, rough = (
        np.where(known, np.asarray(rows)[np.where(known, number, 0)], -1) for rows in (m.mat_metallic, m.mat_roughness)
    )
    rows = np.flatnonzero((metal >= 0) | (rough >= 0))
    rough = np.maximum(np.where(rough >= 0, rough, ROUGHNESS), SMOOTHEST)
    # width of the facets' slopes from roughness (Burley 2012), and the exponent that comes near it (Walter 2007)
    surface[rows, 1], surface[rows, 2] = rough[rows], (2 / rough[rows] ** 4 - 2) / EXPONENT
    surface[rows, 3] = np.maximum(metal[rows], 0)
    # what is seen through is there twice
    for near, far in zip(drawn.batches[TRANSPARENT], reversed(drawn.batches[FAR_FIRST]), strict=True):
        surface[far.first : far.first + far.count] = surface[near.first : near.first + near.count][::-1]
