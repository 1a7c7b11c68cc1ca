"""The separate bodies of a mesh, prepared for a convex decomposition."""

import numpy as np

from ...geom.hull import convex_hull
from ...geom.mesh_read import MeshError
from .deviation import distances, spread
from .parts import enclosed

# Most pieces of a mesh, fewest pieces that a hollow body of it may have, and most bodies that are decomposed apart.
MOST, LEAST, MOST_BODIES = 32, 4, 8
# A body is hollow if it fills less than this share of its hull. A hole is small below this multiple of the size of its body.
SOLID, HOLE = 0.95, 0.3
# An open body becomes its hull if it is nearer to it than this multiple of its largest extent.
CLOSE = 0.05


def bodies(vert: np.ndarray, face: np.ndarray) -> list[tuple[np.ndarray, np.ndarray, int]]:
    """Return (vertices, triangles, maximum number of pieces) of the separate bodies of a mesh, such as a cup and its handle.

    The search takes much longer for overlapping bodies than for each of them alone. A mesh that has a body that faces inward,
    or too many bodies, counts as one body.
    """
    owner = lowest_vertices(len(vert), face)[face[:, 0]]
    names = np.unique(owner)
    if not 1 < len(names) <= MOST_BODIES:
        return [(*closed(vert, face), MOST)]
    found, missing = [], []
    for name in names:
        used, index = np.unique(face[owner == name], return_inverse=True)
        body = closed(vert[used], index.reshape(-1, 3))
        volume = enclosed(*body)
        if volume < 0:
            return [(*closed(vert, face), MOST)]
        try:
            whole = enclosed(body[0], convex_hull(np.ascontiguousarray(body[0], np.float64))[0])
        except MeshError:
            whole = volume
        found.append(body)
        missing.append(whole - volume if volume < SOLID * whole else 0.0)
    # The square root leaves enough pieces for small bodies.
    share = MOST * np.sqrt(missing) / max(float(np.sqrt(missing).sum()), 1e-300)
    return [(*body, max(LEAST, round(part)) if part else 1) for body, part in zip(found, share.tolist(), strict=True)]


def closed(vert: np.ndarray, face: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a body with its small holes closed, because the package remeshes an open body, which thickens its walls. An open
    body that is almost convex becomes its hull.
    """
    edges = np.concatenate([face[:, [k, (k + 1) % 3]] for k in range(3)])
    _, index, counts = np.unique(np.sort(edges, axis=1), axis=0, return_inverse=True, return_counts=True)
    border = edges[counts[index.ravel()] == 1]
    # the way around each hole, against the direction of the triangles beside it
    after = dict(border[:, ::-1].tolist())
    if not len(border) == len(after) == len(after.keys() & set(after.values())):
        return vert, face
    most = HOLE * float(np.linalg.norm(np.ptp(vert, axis=0)))
    while after:
        loop = [next(iter(after))]
        while (following := after.pop(loop[-1])) != loop[0]:
            loop.append(following)
        around = vert[loop]
        if np.linalg.norm(np.ptp(around, axis=0)) > most:
            return filled(vert, face)
        center, ends = np.full(len(loop), len(vert)), np.roll(loop, -1)
        face = np.concatenate((face, np.column_stack((loop, ends, center)))).astype(np.int32)
        vert = np.concatenate((vert, around.mean(0, keepdims=True)))
    return vert, face


def filled(vert: np.ndarray, face: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the hull of an open body if they are close to each other, otherwise the body."""
    try:
        hull = np.asarray(convex_hull(np.ascontiguousarray(vert, np.float64))[0])
    except MeshError:
        return vert, face
    near = CLOSE * float(np.ptp(vert, axis=0).max())
    return (vert, hull.astype(np.int32)) if np.abs(distances(spread(vert[hull]), vert, face)).max() < near else (vert, face)


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
