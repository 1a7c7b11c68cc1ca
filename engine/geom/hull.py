"""Convex hulls of meshes and the graph over their vertices that support functions climb."""

import numpy as np

from .mesh_read import MeshError


def convex_hull(vert, maxhullvert=-1) -> tuple[np.ndarray, np.ndarray]:
    """(faces (n, 3) of vertex indices, graph) of a hull. Graph: number of vertices and faces, edge addresses, vertex ids, edges
    (local ids, -1 after each vertex), face vertex ids."""
    from scipy.spatial import ConvexHull, QhullError
    options = "Qt" if maxhullvert < 0 else f"Qt TA{maxhullvert - 4}"
    try:
        hull = ConvexHull(vert, qhull_options=options)
    except (QhullError, ValueError) as error:
        raise MeshError(f"no convex hull: {str(error).strip().splitlines()[0] if str(error) else 'qhull failed'}") from None
    simplices = hull.simplices.astype(np.int32)
    # outward orientation: the first two corners of faces that look inwards are swapped
    faces = simplices.copy()
    a, b, c = (vert[faces[:, k]] for k in range(3))
    inward = (np.cross(b - a, c - a) * hull.equations[:, :3]).sum(1) < 0
    faces[inward] = faces[inward][:, [1, 0, 2]]
    return faces, graph_of(faces, simplices, rounds_of(simplices, hull.equations))


def rounds_of(simplices, equations) -> np.ndarray:
    """The round of the hull's construction in which each triangle arose, for triangles in order of creation.

    A round connects one new point, the first corner of its triangles, to the horizon that it sees. Faces with more corners are
    split into triangles at the very end: from the first triangle on that shares its plane with another, all belong to one round.
    """
    _, first, inverse, count = np.unique(equations, axis=0, return_index=True, return_inverse=True, return_counts=True)
    shared = np.flatnonzero(count[inverse.ravel()] > 1)
    split = shared[0] if len(shared) else len(simplices)
    apex = simplices[:, 0].copy()
    apex[split:] = -1
    return np.cumsum(np.concatenate(([0], apex[1:] != apex[:-1])))


def vertex_order(simplices, rounds) -> np.ndarray:
    """Hull vertices in the order of the rounds that touched them last, and of appearance within a round."""
    if len(simplices) == 4:
        # the first tetrahedron lists its points before its triangles
        return np.concatenate((simplices[1, :1], simplices[0]))
    corner, when = simplices.ravel(), np.repeat(rounds, 3)
    last = np.full(corner.max() + 1, -1)
    np.maximum.at(last, corner, when)
    touched = corner[when == last[corner]]
    _, place = np.unique(touched, return_index=True)
    return touched[np.sort(place)]


def graph_of(faces, simplices, rounds) -> np.ndarray:
    """The hull graph as one int32 array.

    Searches that climb the graph end at the vertex they meet first among equals, so its order is that of Qhull's own lists:
    vertices as they were last touched, and around each the corners of its triangles, oldest triangle first.
    """
    ids = vertex_order(simplices, rounds)
    local = np.empty(ids.max() + 1, np.int64)
    local[ids] = np.arange(len(ids))
    nvert, nface = len(ids), len(faces)
    corner = local[simplices]
    start = np.repeat(corner, 2, axis=1).ravel()
    end = corner[:, [1, 2, 0, 2, 0, 1]].ravel()
    # every edge belongs to two triangles; its first appearance counts
    _, place = np.unique(start * nvert + end, return_index=True)
    place.sort()
    start, end = start[place], end[place]
    order = np.argsort(start, kind="stable")
    start, end = start[order], end[order]
    count = np.bincount(start, minlength=nvert)
    if len(start) != 3 * nface:
        raise MeshError("the convex hull is not closed")
    adr = np.cumsum(count + 1) - (count + 1)
    edges = np.full(nvert + 3 * nface, -1, np.int32)
    edges[np.arange(len(end)) + start] = end
    return np.concatenate(([nvert, nface], adr, ids, edges, faces.ravel())).astype(np.int32)
