"""How far convex shapes are from the mesh that they replace: the difference of their volumes, and the largest distance by which
they stick out of the mesh.
"""

from collections.abc import Sequence

import numpy as np

from ...geom.mesh_distance import mesh_distances
from ..compile.bvh import grow_tree
from .parts import Part, area_and_volume, enclosed

# Number of points at which distances are measured.
POINTS = 4000
# Steps of a sequence that covers a square evenly (M. Roberts, The unreasonable effectiveness of quasirandom sequences).
STEPS = 0.7548776662466927, 0.5698402909980532
# Pieces that are smaller than their mesh by more than this fraction show that the mesh is not closed.
OPEN = 0.05


def spread(corners: np.ndarray, count: int = POINTS) -> np.ndarray:
    """Return at least `count` points that cover triangles (n, 3, 3) evenly. The center of each triangle is one of them."""
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    counts = np.maximum(1, np.ceil(count * area / max(float(area.sum()), 1e-300))).astype(int)
    row = np.repeat(np.arange(len(corners)), counts)
    index = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    u, v = ((1 / 3 + step * index) % 1 for step in STEPS)
    beyond = u + v > 1
    u, v = np.where(beyond, 1 - u, u), np.where(beyond, 1 - v, v)
    a, b, c = (corners[row, k] for k in range(3))
    return a + u[:, None] * (b - a) + v[:, None] * (c - a)


def distances(points: np.ndarray, vert: np.ndarray, face: np.ndarray) -> np.ndarray:
    """Return the signed distances of points from a mesh, negative inside if the mesh is closed."""
    corner = vert[face]
    return mesh_distances(points, vert, face, grow_tree(corner.min(1), corner.max(1), corner.mean(1)))


def excess(pieces: Sequence[Part], part: Part) -> tuple[float, float]:
    """Return (excess volume of convex pieces relative to the volume of the mesh, largest distance of the pieces outside the
    mesh). The mesh must be closed."""
    own = abs(enclosed(part.vert, part.face))
    volume = sum(area_and_volume(p.vert, p.face)[1] for p in pieces)
    points = np.concatenate((spread(np.concatenate([p.vert[p.face] for p in pieces])), *(p.vert for p in pieces)))
    away = distances(points, part.vert, part.face).max()
    return volume / own - 1 if own > 0 else 0.0, max(float(away), 0.0)


def told_excess(pieces: Sequence[Part], part: Part) -> str:
    """Return how much convex pieces differ from the mesh, as text. The volume of a mesh with holes is unknown."""
    share, away = excess(pieces, part)
    if share < -OPEN:
        return "the mesh is not closed, so the difference of volumes is unknown"
    # Adding 0 turns -0.0 into 0.0.
    return f"{round(100 * share, 1) + 0:.1f} % more volume than the mesh, up to {1e3 * away:.3g} mm outside it"
