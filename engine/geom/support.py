"""Support functions: return the point of a convex shape farthest in a direction (a unit vector in the world).

Shapes for the general convex functions are blocks of 24 cells of 8 bytes, given by address. First come 16 numbers (position,
orientation matrix, three sizes, margin), then 8 integers (type, address and number of vertices, address of the hull's graph or
0, the vertices found by the last call, number of the mesh, address of the hull's starts or 0). The type is a geom type, or
POINT, LINE, PRISM, SIMPLEX:

    POINT, LINE   a sphere's center and a capsule's axis
    PRISM         six vertices (18 numbers): three below, the three above them
    SIMPLEX       up to four vertices, inflated by the first size: an element or a vertex of a flex

A hull's farthest vertex is found by climbing along edges. The nearer the climb begins to its end, the fewer vertices it looks
at. So each hull has a table of starts: a grid of cells encloses the unit sphere, and the entry of a cell is the vertex that is
farthest in the direction of the cell's center. Entries are filled when they are first needed. The table only saves time:
MuJoCo begins elsewhere, and if several vertices are equally far, the start decides which one it finds. So a climb that ends at
a vertex which is not clearly farther than its neighbors is done again, from MuJoCo's start. Hulls in which two neighbors are at
nearly the same point have no table: at such a point, a climb may end although the neighbors of the other vertex are farther.
"""

from math import sqrt

import numpy as np

from ..machine.jit import inline, kernel
from ..machine.lang import address_of, array_at, floats_at, guessed, ints_at, load, longs_at, store
from ..math.vec import add3, add_scaled3, dot3, mat_t_vec3, mat_vec3, octant3, scale3, sub3, unit3
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtGeom
from ..tables.scratch import AXIS_BITS, HAS_TABLE, START_CELLS

SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF = (
    int(mjtGeom[f"mjGEOM_{n}"]) for n in ("SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX", "MESH", "SDF")
)
POINT, LINE, PRISM, SIMPLEX = 100, 101, 102, 103
POS, MAT, SIZE, MARGIN = 0, 3, 12, 15
KIND, DATA, COUNT, GRAPH, VERTEX, LOCAL, ASSET, STARTS = range(8)
NUMBERS, INTEGERS, CELLS = 16, 8, 24
# Meshes with fewer vertices are searched vertex by vertex.
HILL_CLIMB_MIN = 10
TINY = mjMINVAL * mjMINVAL
LOWEST = -3.4028234663852886e38
# number of the last cell along an axis of the grid of starts; number of cells per unit
LAST_CELL, PER_UNIT = float((1 << AXIS_BITS) - 1), 1 << (AXIS_BITS - 1)
# A vertex is clearly farther than its neighbors by this fraction of the mesh's size. Vertices are rounded to 6e-8 of it.
CLEARLY = 1e-6
# The cell HAS_TABLE of a hull is YES or NO. If it is NO, so are the other cells that were asked for.
YES, NO = 1, -1


@inline
def numbers(shape):
    return array_at(shape, NUMBERS)


@inline
def integers(shape):
    return longs_at(shape + 8 * NUMBERS, INTEGERS)


@inline
def to_world(pos, mat, p):
    return add3(mat_vec3(mat, p), pos)


@inline
def support_ellipsoid(pos, mat, size, direction):
    """Return the support point: scale the direction by the semi-axes, normalize, scale again."""
    v = mat_t_vec3(mat, direction)
    v, _ = unit3((v[0] * size[0], v[1] * size[1], v[2] * size[2]))
    return to_world(pos, mat, (v[0] * size[0], v[1] * size[1], v[2] * size[2]))


@inline
def dot_vertex(vertices, k, v):
    return v[0] * vertices[3 * k] + v[1] * vertices[3 * k + 1] + v[2] * vertices[3 * k + 2]


@inline
def farthest_vertex(vertices, count, start, v):
    """Return the index of the vertex farthest along v. If the vertex `start` is equally far, return `start`."""
    best, far = 0, LOWEST
    if start >= 0:
        best, far = start, dot_vertex(vertices, start, v)
    for k in range(count):
        x = dot_vertex(vertices, k, v)
        if x > far:
            best, far = k, x
    return best


@inline
def farther_neighbor(vertices, graph, k, far, v):
    """Return (hull index, distance along v) of the neighbor of vertex k that is farthest along v, or (k, far) if no neighbor is
    farther than `far`.

    The graph is (number of vertices, of faces, offset of each vertex's neighbors, vertex ids, lists of neighbors ended by -1).
    """
    n, best = graph[0], k
    i = 2 + 2 * n + graph[2 + k]
    while graph[i] >= 0:
        x = dot_vertex(vertices, graph[2 + n + graph[i]], v)
        if guessed(x > far):
            far, best = x, graph[i]
        i += 1
    return best, far


@inline
def climb_hull(vertices, graph, start, far, v):
    """Return the hull index of the vertex farthest along v. Climb from a start vertex, whose distance is `far`, to neighbors
    that are farther."""
    best, previous = start, -1
    while best != previous:
        previous = best
        best, far = farther_neighbor(vertices, graph, best, far, v)
    return best


@inline
def climb_with_lead(vertices, graph, start, v):
    """Climb from a start vertex to the vertex farthest along v. Return its hull index, and how much farther it is than its
    neighbors."""
    best, far = start, dot_vertex(vertices, graph[2 + graph[0] + start], v)
    while True:
        following, near = farther_neighbor(vertices, graph, best, LOWEST, v)
        if not near > far:
            return best, far - near
        best, far = following, near


@inline
def cell_part(x):
    """Return the number of the cell along one axis. Every number has a cell, also NaN."""
    return int(min(LAST_CELL, max(0.0, (x + 1) * PER_UNIT)))


@inline
def start_cell(v):
    """Return the number of the cell in which a unit vector ends."""
    return (cell_part(v[0]) << 2 * AXIS_BITS) + (cell_part(v[1]) << AXIS_BITS) + cell_part(v[2])


@kernel
def neighbors_apart(vertices, graph, least):
    """Return whether all neighbors in a hull are farther apart than `least`."""
    n = graph[0]
    for k in range(n):
        p, i = vertex_at(vertices, graph[2 + n + k]), 2 + 2 * n + graph[2 + k]
        while graph[i] >= 0:
            edge = sub3(vertex_at(vertices, graph[2 + n + graph[i]]), p)
            if dot3(edge, edge) <= least * least:
                return False
            i += 1
    return True


@inline
def vertex_at(vertices, k):
    return np.float64(vertices[3 * k]), np.float64(vertices[3 * k + 1]), np.float64(vertices[3 * k + 2])


@kernel
def fill_start(vertices, graph, starts, size, c):
    """Add a cell's entry to the table of starts, and return the entry: one more than the hull index of a vertex, or NO."""
    # Several threads may fill the same entries at once; they write the same numbers.
    if starts[HAS_TABLE] == 0:
        starts[HAS_TABLE] = YES if neighbors_apart(vertices, graph, CLEARLY * (size[0] + size[1] + size[2])) else NO
    if starts[HAS_TABLE] == NO:
        starts[c] = NO
        return NO
    middle, mask = 0.5 * ((1 << AXIS_BITS) - 1), (1 << AXIS_BITS) - 1
    v = (float(c >> 2 * AXIS_BITS) - middle, float((c >> AXIS_BITS) & mask) - middle, float(c & mask) - middle)
    best, _ = climb_with_lead(vertices, graph, 0, v)
    starts[c] = best + 1
    return best + 1


@inline
def farthest_of_hull(vertices, graph, table, size, start, far, v):
    """Return the same as `climb_hull`, but climb from the table's entry if that is enough. `table`: address of the hull's
    starts, or 0; `size`: half sizes of the mesh."""
    if table:
        starts, c = ints_at(table, START_CELLS), start_cell(v)
        entry = starts[c] if starts[c] else fill_start(vertices, graph, starts, size, c)
        if entry != NO:
            # a graph that was edited may have fewer vertices
            found, lead = climb_with_lead(vertices, graph, max(min(entry, graph[0]), 1) - 1, v)
            if lead > CLEARLY * (size[0] + size[1] + size[2]):
                return found
    return climb_hull(vertices, graph, start, far, v)


@inline
def table_of(tables, mesh):
    """Return the address of a mesh's table of starts, or 0. `tables`: address of the tables of all meshes, or 0."""
    return tables + 4 * START_CELLS * mesh if tables else 0


@kernel
def support_mesh(shape, v):
    """Return the vertex of a mesh, or of its hull, that is farthest along v, in the mesh's frame. Store the vertex's index in
    the block."""
    ints = integers(shape)
    vertices = floats_at(ints[DATA], 3 * ints[COUNT])
    if ints[GRAPH] and ints[COUNT] >= HILL_CLIMB_MIN:
        # The length passed for the graph is arbitrary, because the graph's lists end with -1.
        graph = ints_at(ints[GRAPH], 1 << 40)
        size, start = load(numbers(shape), SIZE, 3), max(ints[LOCAL], 0)
        ints[LOCAL] = farthest_of_hull(vertices, graph, ints[STARTS], size, start, LOWEST, v)
        ints[VERTEX] = graph[2 + graph[0] + ints[LOCAL]]
    else:
        ints[VERTEX] = farthest_vertex(vertices, ints[COUNT], ints[VERTEX], v)
    return vertex_at(vertices, ints[VERTEX])


@inline
def support_points(points, first, count, v):
    """Return the point farthest along v among `count` points, starting at index `first`. If several points are equally far,
    return the one with the lowest index."""
    best, far = first, dot3(load(points, 3 * first, 3), v)
    for k in range(first + 1, first + count):
        x = dot3(load(points, 3 * k, 3), v)
        if x > far:
            best, far = k, x
    return load(points, 3 * best, 3)


@inline
def support(shape, direction):
    """Return the point of a shape block that is farthest in a direction, without the margin."""
    block = numbers(shape)
    ints = integers(shape)
    kind = ints[KIND]
    pos = load(block, POS, 3)

    # Handle types whose orientation does not matter.
    if kind == POINT:
        return pos
    size = load(block, SIZE, 3)
    if kind == SPHERE:
        return add3(scale3(direction, size[0]), pos)
    if kind == PRISM:
        return support_points(array_at(ints[DATA], 18), 0 if direction[2] < 0 else 3, 3, direction)
    if kind == SIMPLEX:
        point = support_points(array_at(ints[DATA], 3 * ints[COUNT]), 0, ints[COUNT], direction)
        return add_scaled3(point, direction, size[0] + 0.5 * block[MARGIN])

    mat = load(block, MAT, 9)
    if kind == LINE:
        axis = (mat[2], mat[5], mat[8])
        return add3(scale3(axis, size[1] if dot3(axis, direction) >= 0 else -size[1]), pos)
    v = mat_t_vec3(mat, direction)
    if kind == BOX:
        # In a corner's index, bit k is set if coordinate k is positive.
        v = (size[0] if v[0] >= 0 else -size[0], size[1] if v[1] >= 0 else -size[1], size[2] if v[2] >= 0 else -size[2])
        ints[VERTEX] = octant3(v)
    elif kind == CAPSULE:
        v = (v[0] * size[0], v[1] * size[0], v[2] * size[0] + (size[1] if v[2] >= 0 else -size[1]))
    elif kind == CYLINDER:
        square = v[0] * v[0] + v[1] * v[1]
        s = size[0] / sqrt(square) if square >= TINY else 0.0
        v = (s * v[0], s * v[1], size[1] if v[2] >= 0 else -size[1])
    elif kind == ELLIPSOID:
        v = (v[0] * size[0], v[1] * size[1], v[2] * size[2])
        square = dot3(v, v)
        if square >= TINY:
            s = 1 / sqrt(square)
            v = (v[0] * (s * size[0]), v[1] * (s * size[1]), v[2] * (s * size[2]))
        else:
            v = (size[0], 0.0, 0.0)
    else:
        v = support_mesh(shape, v)
    return to_world(pos, mat, v)


@inline
def place_shape(shape, kind, pos, mat, size, margin):
    """Fill a shape block. For a mesh, `place_mesh` adds the vertices."""
    block, ints = numbers(shape), integers(shape)
    store(block, POS, pos)
    store(block, MAT, mat)
    store(block, SIZE, size)
    block[MARGIN] = margin
    ints[KIND], ints[DATA], ints[COUNT], ints[GRAPH], ints[VERTEX], ints[LOCAL], ints[STARTS] = kind, 0, 0, 0, -1, -1, 0


@inline
def place_mesh(shape, number, vertices, first, count, graph, start, tables):
    """Store a mesh's vertices in a shape block; also store the graph of its hull if there is one (start >= 0). `tables`: as in
    `table_of`."""
    ints = integers(shape)
    ints[DATA], ints[COUNT], ints[ASSET] = address_of(vertices, first), count, number
    if start >= 0:
        ints[GRAPH] = address_of(graph, start)
        ints[STARTS] = table_of(tables, number)
