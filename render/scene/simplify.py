"""Simplified meshes, for renderers that cannot draw all triangles of a mesh in time: software renderers transform about six
million triangles a second, and scanned or exported parts of robots have 100,000 each.
"""

from __future__ import annotations

import numpy as np

# Meshes with more triangles than this have a simplified version. Number of grid cells along the longest side of a mesh.
MANY_TRIANGLES, CELLS = 6000, 48
# Number of tiles of a texture in each direction. Vertices in different tiles remain separate.
TILES = 16
# A simplified mesh must have at most this share of the triangles.
WORTH = 0.5

Shape = tuple[np.ndarray, np.ndarray]


def simplified(shape: Shape, cells: int = CELLS) -> Shape | None:
    """Merge the vertices in each cell of a grid; return the new shape, or None if it would hardly have fewer triangles. A shape
    is (vertices with position, normal and texture coordinates; indices).

    The vertices of a cell move to their mean position, so no gaps appear. Their normals are grouped by the closest of the six
    axis directions, and averaged in each group; therefore thin plates keep both sides, and edges stay sharp. Vertices in
    different tiles of a texture remain separate vertices, at the same position.
    """
    vert, ind = shape
    pos, nrm = vert[:, :3].astype(float), vert[:, 3:6].astype(float)
    low = pos.min(0)
    side = max(float((pos.max(0) - low).max()), 1e-12) / cells
    x, y, z = np.minimum((pos - low) / side, cells - 1).astype(np.int64).T
    _, cell = np.unique((x * cells + y) * cells + z, return_inverse=True)
    axis = np.abs(nrm).argmax(1)
    way = 2 * axis + (nrm[np.arange(len(nrm)), axis] < 0)
    u, v = np.floor(TILES * vert[:, 6:8]).astype(np.int64).T & 0xFFFF
    _, first, back = np.unique((6 * cell + way) << 32 | u << 16 | v, return_index=True, return_inverse=True)

    # Keep triangles whose corners are in three different cells; remove duplicates.
    corners = back[ind.reshape(-1, 3)]
    places = np.sort(cell[first][corners], 1)
    flat = (places[:, 0] == places[:, 1]) | (places[:, 1] == places[:, 2])
    corners, places = corners[~flat], places[~flat]
    count = int(cell.max()) + 1
    facing = way[first][corners[:, 0]]
    _, once = np.unique(((places[:, 0] * count + places[:, 1]) * count + places[:, 2]) * 6 + facing, return_index=True)
    if len(once) > WORTH * len(ind) / 3:
        return None

    out = vert[first].copy()
    out[:, :3] = mean(pos, cell)[cell[first]]
    normals = mean(nrm, back)
    out[:, 3:6] = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    return out, corners[np.sort(once)].reshape(-1).astype(np.uint32)


def mean(rows: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Return the mean row of each group."""
    counts = np.bincount(groups)[:, None]
    return np.stack([np.bincount(groups, column) for column in rows.T], 1) / counts
