"""Convex hulls of meshes and the graph over their vertices that support functions climb."""

import numpy as np

from .mesh_read import MeshError


def convex_hull(vert, maxhullvert=-1):
    """(faces (n, 3) of vertex indices, graph) of a hull. Graph: number of vertices and faces, edge addresses, vertex ids, edges
    (local ids, -1 after each vertex), face vertex ids."""
    from scipy.spatial import ConvexHull, QhullError
    options = 'Qt' if maxhullvert < 0 else f'Qt TA{maxhullvert - 4}'
    try:
        hull = ConvexHull(vert, qhull_options=options)
    except (QhullError, ValueError) as error:
        raise MeshError(f"no convex hull: {str(error).strip().splitlines()[0] if str(error) else 'qhull failed'}") from None
    # outward orientation: the first two corners of faces that look inwards are swapped
    faces = hull.simplices.astype(np.int32)
    a, b, c = (vert[faces[:, k]] for k in range(3))
    inward = (np.cross(b - a, c - a) * hull.equations[:, :3]).sum(1) < 0
    faces[inward] = faces[inward][:, [1, 0, 2]]
    return faces, graph_of(faces)


def graph_of(faces):
    """The hull graph as one int32 array."""
    ids, local = np.unique(faces, return_inverse=True)
    local = local.reshape(faces.shape)
    nvert, nface = len(ids), len(faces)
    # every edge of a closed triangulation is walked once in each direction
    start = local[:, [0, 1, 2]].ravel()
    end = local[:, [1, 2, 0]].ravel()
    order = np.lexsort((end, start))
    start, end = start[order], end[order]
    count = np.bincount(start, minlength=nvert)
    if len(start) != 3 * nface or 3 * nface != count.sum():
        raise MeshError('the convex hull is not closed')
    adr = np.cumsum(count + 1) - (count + 1)
    edges = np.full(nvert + 3 * nface, -1, np.int32)
    edges[np.arange(len(end)) + start] = end
    return np.concatenate(([nvert, nface], adr, ids, edges, faces.ravel())).astype(np.int32)
