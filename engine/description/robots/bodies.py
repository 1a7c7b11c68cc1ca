"""The separate bodies of a mesh, prepared for a convex decomposition."""

from dataclasses import dataclass, replace

import numpy as np

from ...geom.hull import convex_hull
from ...geom.mesh_read import MeshError
from .deviation import distances, spread
from .parts import enclosed

# MOST: maximum number of pieces of a mesh. LEAST: number of pieces that every hollow body is allowed. MOST_BODIES: maximum
# number of bodies that are decomposed separately.
MOST, LEAST, MOST_BODIES = 32, 4, 8
# CONVEX: a closed body counts as convex if the distance from its hull is below this fraction of its largest extent. NEARLY:
# the same fraction for an open body.
CONVEX, NEARLY = 0.005, 0.05
# A closed body does not count as convex if at least this fraction of its hull is empty, even if the empty space is enclosed.
EMPTY = 0.05
# A hole is small if it is smaller than this multiple of the size of its body.
HOLE = 0.3


@dataclass(frozen=True)
class Body:
    """Vertices and triangles of a body, and the maximum number of its convex pieces."""

    vert: np.ndarray
    face: np.ndarray
    most: int


def bodies(vert: np.ndarray, face: np.ndarray) -> list[Body]:
    """Return the separate bodies of a mesh, such as a cup and its handle. A convex body is returned as its hull.

    Bodies are separated because decomposing overlapping bodies together takes much longer than decomposing them one by one. A
    mesh counts as one body if any of its bodies faces inward, or if it has too many bodies.
    """
    owner = lowest_vertices(len(vert), face)[face[:, 0]]
    names = np.unique(owner)
    found, missing = [], []
    for name in names if 1 < len(names) <= MOST_BODIES else ():
        used, index = np.unique(face[owner == name], return_inverse=True)
        part = vert[used], index.reshape(-1, 3).astype(np.int32)
        if enclosed(*part) < 0:
            found.clear()
            break
        body, hollow = prepared(*part)
        found.append(body)
        missing.append(hollow)
    if not found:
        return [prepared(vert, face)[0]]
    # The square root leaves enough pieces for small bodies.
    share = MOST * np.sqrt(missing) / max(float(np.sqrt(missing).sum()), 1e-300)
    return [replace(b, most=min(b.most, max(LEAST, round(part)))) for b, part in zip(found, share.tolist(), strict=True)]


def prepared(vert: np.ndarray, face: np.ndarray) -> tuple[Body, float]:
    """Return a body with its small holes closed, and the volume between the body and its hull. A convex body becomes its
    hull."""
    vert, face, opened = closed(vert, face)
    try:
        hull = np.asarray(convex_hull(np.ascontiguousarray(vert, np.float64))[0]).astype(np.int32)
    except MeshError:
        return Body(vert, face, MOST), 0.0
    whole = enclosed(vert, hull)
    missing = max(whole - enclosed(vert, face), 0.0)
    near = (NEARLY if opened else CONVEX) * float(np.ptp(vert, axis=0).max())
    if (opened or missing < EMPTY * whole) and np.abs(distances(spread(vert[hull]), vert, face)).max() < near:
        return Body(vert, hull, 1), 0.0
    return Body(vert, face, MOST), missing


def closed(vert: np.ndarray, face: np.ndarray) -> tuple[np.ndarray, np.ndarray, bool]:
    """Return a body with its small holes closed, and whether it is still open. The package remeshes an open body, which
    thickens its walls."""
    edges = np.concatenate([face[:, [k, (k + 1) % 3]] for k in range(3)])
    _, index, counts = np.unique(np.sort(edges, axis=1), axis=0, return_inverse=True, return_counts=True)
    border = edges[counts[index.ravel()] == 1]
    # {vertex: next vertex} around each hole, opposite to the edge direction of the adjacent triangles
    after = dict(border[:, ::-1].tolist())
    if not len(border) == len(after) == len(after.keys() & set(after.values())):
        return vert, face, True
    most = HOLE * float(np.linalg.norm(np.ptp(vert, axis=0)))
    opened = False
    while after:
        loop = [next(iter(after))]
        while (following := after.pop(loop[-1])) != loop[0]:
            loop.append(following)
        around = vert[loop]
        if np.linalg.norm(np.ptp(around, axis=0)) > most:
            opened = True
            continue
        center, ends = np.full(len(loop), len(vert)), np.roll(loop, -1)
        face = np.concatenate((face, np.column_stack((loop, ends, center)))).astype(np.int32)
        vert = np.concatenate((vert, around.mean(0, keepdims=True)))
    return vert, face, opened


def lowest_vertices(count: int, face: np.ndarray) -> np.ndarray:
    """Return, for each of `count` vertices, the lowest vertex that is connected to it by triangles."""
    label = np.arange(count)
    while True:
        low = label.copy()
        np.minimum.at(low, face.ravel(), np.repeat(label[face].min(1), 3))
        low = low[low]
        if np.array_equal(low, label):
            return label
        label = low
