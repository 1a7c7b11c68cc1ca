"""Plane-mesh collision: makes contacts at the hull's lowest vertex and at up to two of its neighbors.

These neighbors are within the margin, and not too near the lowest vertex.

Since 3.13 (change `plane_face`), the contacts are at most four vertices of the most level face at the lowest vertex.
"""

import numpy as np

from ..geom.support import dot_vertex, farthest_of_hull, farthest_vertex, table_of, to_world
from ..machine.jit import inline, kernel, stage
from ..machine.lang import address_of, floats_at, ints_at, load, small, store
from ..math.vec import add_scaled3, distance3, dot3, mat_t_vec3, scale3, sub3
from ..tables.compat_rows import bit
from .ccd_clip import MOST, VECTORS, widest_quad
from .manifold import POS, put

LIMIT, MOST_OF_FACE = 3, 4  # maximum number of contacts, without and with faces
FACE = bit("plane_face")
NEAR = 0.3  # extra contacts are farther from the first than this fraction of the mesh's radius


@inline
def vertex_at(vertices, k):
    return np.float64(vertices[3 * k]), np.float64(vertices[3 * k + 1]), np.float64(vertices[3 * k + 2])


@inline
def put_vertex(out, k, point, origin, normal):
    dist = dot3(normal, sub3(point, origin))
    return put(out, k, dist, add_scaled3(point, normal, -0.5 * dist), normal)


@inline
def level_face(m, mesh, vertex, down):
    """Return the polygon at a vertex whose normal is nearest to `down`, as an index in the whole model."""
    at, base = m.mesh_vertadr[mesh] + vertex, m.mesh_polyadr[mesh]
    best, most = base, -2.0
    for i in range(m.mesh_polymapadr[at], m.mesh_polymapadr[at] + m.mesh_polymapnum[at]):
        face = base + m.mesh_polymap[i]
        along = dot3(load(m.mesh_polynormal, face, 3), down)
        if along > most:
            best, most = face, along
    return best


@kernel
def put_face(m, out, mesh, lowest, down, pos, mat, origin, normal, margin):
    """Among the faces at the lowest vertex, find the most level one. Write manifold rows for its vertices, starting with the
    lowest; return their count."""
    face = level_face(m, mesh, lowest, down)
    start, count = m.mesh_polyvertadr[face], min(m.mesh_polyvertnum[face], MOST)
    vertices = floats_at(address_of(m.mesh_vert, m.mesh_vertadr[mesh]), 3 * m.mesh_vertnum[mesh])
    polygon = small(VECTORS)
    first = 0
    for i in range(count):
        if m.mesh_polyvert[start + i] == lowest:
            first = i
    for i in range(count):
        vertex = m.mesh_polyvert[start + (first + i) % count]
        store(polygon, 3 * i, to_world(pos, mat, vertex_at(vertices, vertex)))

    # The first vertex is the lowest one, which is always kept.
    a, b, c, d = widest_quad(polygon, count) if count > MOST_OF_FACE else (0, 1, 2, 3)
    k = 0
    for i in range(min(count, MOST_OF_FACE)):
        point = load(polygon, 3 * (a if i == 0 else b if i == 1 else c if i == 2 else d), 3)
        if dot3(normal, sub3(point, origin)) <= margin:
            k = put_vertex(out, k, point, origin, normal)
    return k


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

    # Find the lowest vertex. Candidates for more contacts are its neighbors, or all vertices if the mesh has no hull.
    if start >= 0:
        graph = ints_at(address_of(m.mesh_graph, start), m.nmeshgraph - start)
        n = graph[0]
        table, size, far = table_of(d.hull_starts, mesh), load(m.geom_size, g2, 3), dot_vertex(vertices, graph[2 + n], down)
        lowest = farthest_of_hull(vertices, graph, table, size, 0, far, down)
        first = 2 + 2 * n + graph[2 + lowest]
        lowest = graph[2 + n + lowest]
    else:
        graph = ints_at(address_of(m.mesh_vertadr, mesh), 0)
        n, first, lowest = 0, 0, farthest_vertex(vertices, count, -1, down)

    if m.compat_bits & FACE and start >= 0 and m.mesh_polymapnum[m.mesh_vertadr[mesh] + lowest] > 0:
        return put_face(m, out, mesh, lowest, down, pos, mat, origin, normal, margin)

    # Make a contact at the lowest vertex.
    point = to_world(pos, mat, vertex_at(vertices, lowest))
    if dot3(normal, sub3(point, origin)) > margin:
        return 0
    k = put_vertex(out, 0, point, origin, normal)

    # Add other vertices that are low enough and far enough from the lowest one.
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
