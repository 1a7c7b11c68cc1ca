"""Convex hulls of meshes, and the graph of hull vertices along which support functions climb."""

import numpy as np

from ..machine.extensions import extension
from .hull_lists import find_lists, hull_edges, work_bytes
from .mesh_read import MeshError
from .row_vectors import cross, dot


def convex_hull(vert: np.ndarray, maxhullvert: int = -1, best: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return (faces (n, 3) of vertex indices, graph) of the convex hull of points. MeshError if there is no hull.

    Graph: number of vertices and faces, edge addresses, vertex ids, edges (local ids, -1 after each vertex), face vertex ids.
    maxhullvert limits the number of vertices, -1 for no limit. With a limit and `best`, each step adds the point that is
    farthest outside, among the outside points of all faces instead of only one face.
    """
    # Use ConvexHull's internal class, because ConvexHull frees Qhull's lists before it returns.
    qhull = extension("scipy.spatial._qhull", "scipy._lib.messagestream", "scipy.linalg.cython_lapack")

    options = "Qt" if maxhullvert < 0 else f"Qt {'Q9 ' if best else ''}TA{maxhullvert - 4}"
    vert = np.ascontiguousarray(vert, np.float64)
    try:
        hull = qhull._Qhull(b"i", vert, options.encode())
    except (qhull.QhullError, ValueError) as error:
        raise MeshError(f"no convex hull: {str(error).strip().splitlines()[0] if str(error) else 'qhull failed'}") from None
    simplices, _, planes, *_ = hull.get_simplex_facet_array()
    simplices = np.ascontiguousarray(simplices, np.int32)
    nvert = int(np.count_nonzero(np.bincount(simplices.ravel())))
    lists = find_lists(hull, vert, len(simplices), nvert, planes[0, 3])
    graph = graph_of(vert, _outward(vert, simplices, planes), simplices, planes, nvert, lists)
    hull.close()
    return graph[-simplices.size :].reshape(-1, 3).copy(), graph


def _outward(vert: np.ndarray, simplices: np.ndarray, planes: np.ndarray) -> np.ndarray:
    """Return the triangles. If a triangle faces inwards, its first two corners are swapped."""
    faces = simplices.copy()
    a, b, c = (vert[faces[:, k]] for k in range(3))
    inward = dot(cross(b - a, c - a), planes) < 0
    faces[inward] = faces[inward][:, [1, 0, 2]]
    return faces


def rounds_of(simplices: np.ndarray, equations: np.ndarray) -> np.ndarray:
    """Return, for each triangle in order of creation, the construction round that created it.

    A round connects one new point to the edges of its horizon; the point is the first corner of the new triangles. Faces with
    more than three corners are split into triangles at the end. So the first triangle that shares its plane with another one,
    and all later triangles, belong to one last round.
    """
    _, first, inverse, count = np.unique(equations, axis=0, return_index=True, return_inverse=True, return_counts=True)
    shared = np.flatnonzero(count[inverse.ravel()] > 1)
    split = shared[0] if len(shared) else len(simplices)
    apex = simplices[:, 0].copy()
    apex[split:] = -1
    return np.cumsum(np.concatenate(([0], apex[1:] != apex[:-1])))


def vertex_order(simplices: np.ndarray, rounds: np.ndarray) -> np.ndarray:
    """Return hull vertices sorted by the last construction round that changed a triangle at the vertex, and within a round by
    order of appearance."""
    if len(simplices) == 4:
        # Qhull lists the points of the first tetrahedron before its triangles, so a hull of four points has its own order.
        return np.concatenate((simplices[1, :1], simplices[0]))
    corner, when = simplices.ravel(), np.repeat(rounds, 3)
    last = np.full(corner.max() + 1, -1)
    np.maximum.at(last, corner, when)
    touched = corner[when == last[corner]]
    _, place = np.unique(touched, return_index=True)
    return touched[np.sort(place)]


def graph_of(
    vert: np.ndarray,
    faces: np.ndarray,
    simplices: np.ndarray,
    planes: np.ndarray,
    nvert: int,
    lists: tuple[int, int, int] | None,
) -> np.ndarray:
    """Return the hull graph as one int32 array.

    Searches that climb the graph return the first of equally far vertices, so the graph's order must be that of Qhull's own
    lists: vertices by their last change, and around each vertex the corners of its triangles. If these lists cannot be read,
    vertices are ordered by rounds, and the triangles around each vertex by creation. The results differ only if Qhull has
    merged facets.
    """
    nface = len(faces)
    graph = np.empty(2 + 3 * nvert + 6 * nface, np.int32)
    graph[:2] = nvert, nface
    graph[-3 * nface :] = faces.ravel()
    if lists is not None and _fill(graph, vert, simplices, planes, nvert, lists):
        return graph
    ids = vertex_order(simplices, rounds_of(simplices, planes))
    graph[2 + nvert : 2 + 2 * nvert] = ids
    if not _fill(graph, vert, simplices, planes, nvert, (0, 0, 0)):
        raise MeshError("the convex hull is not closed")
    return graph


def _fill(
    graph: np.ndarray,
    vert: np.ndarray,
    simplices: np.ndarray,
    planes: np.ndarray,
    nvert: int,
    lists: tuple[int, int, int],
) -> bool:
    """Write the graph's edges and vertex ids; return whether the graph is complete."""
    nface, at = len(simplices), np.array(lists, np.int64)
    work = np.empty(work_bytes(nface, len(vert), nvert, lists[2]) // 8 + 1, np.int64)
    count = hull_edges(
        simplices.ctypes.data,
        nface,
        planes.ctypes.data,
        vert.ctypes.data,
        len(vert),
        nvert,
        at.ctypes.data,
        work.ctypes.data,
        graph[2:].ctypes.data,
    )
    return count == nvert + 3 * nface
