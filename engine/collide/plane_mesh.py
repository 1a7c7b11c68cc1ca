"""A plane against a mesh: the lowest vertex of the hull, and up to two of its neighbors that are within the margin and not
near it.
"""

import numpy as np

from ..geom.support import climb_hull, dot_vertex, farthest_vertex, to_world
from ..machine.jit import inline, stage
from ..machine.lang import address_of, floats_at, ints_at, load
from ..math.vec import add_scaled3, distance3, dot3, mat_t_vec3, scale3, sub3
from .manifold import POS, put

LIMIT = 3  # contacts of a mesh and a plane
NEAR = 0.3  # extra contacts are farther from the first than this part of the mesh's radius


@inline
def vertex_at(vertices, k):
    return np.float64(vertices[3 * k]), np.float64(vertices[3 * k + 1]), np.float64(vertices[3 * k + 2])


@inline
def put_vertex(out, k, point, origin, normal):
    dist = dot3(normal, sub3(point, origin))
    return put(out, k, dist, add_scaled3(point, normal, -0.5 * dist), normal)


@stage("iMDiif")
def collide_plane_mesh(m, d, g1, g2, margin):
    """reads geom_xpos, geom_xmat; writes manifold. Returns the number of rows."""
    out = d.manifold
    mat1 = load(d.geom_xmat, g1, 9)
    normal, origin = (mat1[2], mat1[5], mat1[8]), load(d.geom_xpos, g1, 3)
    pos, mat = load(d.geom_xpos, g2, 3), load(d.geom_xmat, g2, 9)
    mesh = m.geom_dataid[g2]
    count, start = m.mesh_vertnum[mesh], m.mesh_graphadr[mesh]
    vertices = floats_at(address_of(m.mesh_vert, m.mesh_vertadr[mesh]), 3 * count)
    down = mat_t_vec3(mat, scale3(normal, -1.0))

    # Candidates for more contacts: the lowest vertex's neighbors, or all vertices if the mesh has no hull.
    if start >= 0:
        graph = ints_at(address_of(m.mesh_graph, start), m.nmeshgraph - start)
        n = graph[0]
        lowest = climb_hull(vertices, graph, 0, dot_vertex(vertices, graph[2 + n], down), down)
        first = 2 + 2 * n + graph[2 + lowest]
        lowest = graph[2 + n + lowest]
    else:
        graph = ints_at(address_of(m.mesh_vertadr, mesh), 0)
        n, first, lowest = 0, 0, farthest_vertex(vertices, count, -1, down)

    # The lowest vertex.
    point = to_world(pos, mat, vertex_at(vertices, lowest))
    if dot3(normal, sub3(point, origin)) > margin:
        return 0
    k = put_vertex(out, 0, point, origin, normal)

    # Other vertices that are low enough and far from the first.
    place = load(out, POS, 3)
    threshold = dot3(normal, sub3(pos, origin)) - margin
    i = first
    while k < LIMIT:
        if start >= 0:
            if graph[i] < 0:
                break
            vertex = graph[2 + n + graph[i]]
        else:
            if i >= count:
                break
            vertex = i
        i += 1
        if vertex != lowest and dot_vertex(vertices, vertex, down) > threshold:
            point = to_world(pos, mat, vertex_at(vertices, vertex))
            if distance3(point, place) >= NEAR * m.geom_rbound[g2]:
                k = put_vertex(out, k, point, origin, normal)
    return k
