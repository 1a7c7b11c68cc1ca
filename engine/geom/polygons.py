"""Merges coplanar triangles of a mesh into polygons (compiled).

Triangles are grouped by normal in a balanced search tree whose order tolerates small differences. Which group a triangle joins
depends on the tree's shape, so the tree is a red-black tree with the usual rotations, as in MuJoCo. A group keeps its boundary
edges in order; the chains of a hash table lead to the edges that start at a vertex. Patches that do not touch are
islands; union-find joins islands that come to touch.

Since 3.6 (change `normal_cells`), triangles are grouped by the cell, in a grid of polar angles, that contains their normal.
"""

from math import acos, atan2

import numpy as np

from ..machine.jit import inline, kernel, stage
from ..machine.lang import array_at, ints_at, longs_at, matrix_at
from ..machine.storage import aligned_bytes

EPS, SMALL = 1e-14, 1e-15
SAME = 0.99999872
# CELL: width of a cell of normals, in radians. POLE: normals nearer to a pole than this are in one cell.
# MARK: third component of a normal that has been replaced by its cell; unit normals never have this value.
CELL, POLE, MARK = 0.01, 1e-7, 4.0
# Columns of a tree node. Each node is a group of triangles with one normal, which the last three columns contain.
LEFT, RIGHT, PARENT, RED, HEAD, NORMAL = 0, 1, 2, 3, 4, 5
WIDTH = 8
# columns of a group's boundary: last edge, number of edges
TAIL, COUNT = 0, 1
# Columns of a boundary edge. NEXT and LAST link the edges of a boundary; CHAIN is the next edge with the same hash.
FROM, TO, ISLAND, NEXT, LAST, CHAIN, GROUP = 0, 1, 2, 3, 4, 5, 6
EDGE = 8


@inline
def compare(n, a, b):
    """Compare the normals of two nodes. Return a negative number if a comes first, 0 if both count as equal, else a positive
    number."""
    p, q = WIDTH * a + NORMAL, WIDTH * b + NORMAL
    x, y, z, u, v, w = n[p], n[p + 1], n[p + 2], n[q], n[q + 1], n[q + 2]
    if z < MARK and x * u + y * v + z * w > SAME:
        return 0
    if abs(x - u) > SMALL:
        return -1 if x > u else 1
    if abs(y - v) > SMALL:
        return -1 if y > v else 1
    if abs(z - w) > SMALL:
        return -1 if z > w else 1
    return 0


@kernel
def find(t, n, root, key):
    """Search the tree for the group of a normal.

    Returns (group or -1, node below which to insert a new one, whether on its left, whether the search met an equal node).
    """
    best, at, left, met, x = -1, -1, True, False, root
    while x >= 0:
        at = x
        order = compare(n, x, key)
        if order >= 0:
            best, x, left, met = x, t[WIDTH * x + LEFT], True, met or order == 0
        else:
            x, left = t[WIDTH * x + RIGHT], False
    if best >= 0 and compare(n, key, best) < 0:
        best = -1
    return best, at, left, met


@kernel
def previous(t, x):
    """Return the in-order predecessor of node x, or -1."""
    y = t[WIDTH * x + LEFT]
    if y >= 0:
        while t[WIDTH * y + RIGHT] >= 0:
            y = t[WIDTH * y + RIGHT]
        return y
    y = t[WIDTH * x + PARENT]
    while y >= 0 and t[WIDTH * y + LEFT] == x:
        x, y = y, t[WIDTH * y + PARENT]
    return y


@kernel
def rotate(t, root, x, left):
    """Rotate tree node x down to its left or right; return the root of the tree."""

    near, far = (LEFT, RIGHT) if left else (RIGHT, LEFT)
    y = t[WIDTH * x + far]
    t[WIDTH * x + far] = t[WIDTH * y + near]
    if t[WIDTH * y + near] >= 0:
        t[WIDTH * t[WIDTH * y + near] + PARENT] = x
    p = t[WIDTH * x + PARENT]
    t[WIDTH * y + PARENT] = p

    if p < 0:
        root = y
    elif t[WIDTH * p + LEFT] == x:
        t[WIDTH * p + LEFT] = y
    else:
        t[WIDTH * p + RIGHT] = y

    t[WIDTH * y + near] = x
    t[WIDTH * x + PARENT] = y
    return root


@kernel
def insert(t, n, root, z):
    """Insert node z after `find` met nodes with equal normals, so that its search path cannot be used. Return the root, or -2
    if z equals a neighbor."""
    y, x, left = -1, root, True
    while x >= 0:
        y = x
        left = compare(n, z, x) < 0
        x = t[WIDTH * x + LEFT] if left else t[WIDTH * x + RIGHT]
    j = y
    if left and y >= 0:
        j = previous(t, y)
    if y >= 0 and not (left and j < 0) and not compare(n, j, z) < 0:
        return -2
    return hang(t, root, z, y, y >= 0 and compare(n, z, y) < 0)


@kernel
def hang(t, root, z, y, left):
    """Attach z as a leaf below y; return the root of the tree."""
    t[WIDTH * z + LEFT], t[WIDTH * z + RIGHT], t[WIDTH * z + PARENT], t[WIDTH * z + RED] = -1, -1, y, 1
    if y < 0:
        root = z
    elif left:
        t[WIDTH * y + LEFT] = z
    else:
        t[WIDTH * y + RIGHT] = z
    return balance(t, root, z)


@kernel
def balance(t, root, x):
    """Restore the colors of the red-black tree after inserting x; return the root."""
    while x != root and t[WIDTH * t[WIDTH * x + PARENT] + RED] == 1:
        p = t[WIDTH * x + PARENT]
        g = t[WIDTH * p + PARENT]
        left = t[WIDTH * g + LEFT] == p
        uncle = t[WIDTH * g + RIGHT] if left else t[WIDTH * g + LEFT]

        # The uncle is red: recolor, and continue above.
        if uncle >= 0 and t[WIDTH * uncle + RED] == 1:
            t[WIDTH * p + RED], t[WIDTH * uncle + RED], t[WIDTH * g + RED] = 0, 0, 1
            x = g
            continue

        # Otherwise one or two rotations complete the repair.
        inner = t[WIDTH * p + RIGHT] if left else t[WIDTH * p + LEFT]
        if inner == x:
            x = p
            root = rotate(t, root, x, left)
            p = t[WIDTH * x + PARENT]
        t[WIDTH * p + RED], t[WIDTH * g + RED] = 0, 1
        root = rotate(t, root, g, not left)
    t[WIDTH * root + RED] = 0
    return root


@inline
def slot_of(group, a, slots):
    h = (group * 73856093) ^ (a * 19349663)
    return (h ^ (h >> 15)) & (slots - 1)


@kernel
def append(t, g, e, heads, slots, group, edge, a, b, island):
    """Append an edge to a group's boundary; return the next free edge."""
    last = g[2 * group + TAIL]
    k = EDGE * edge
    e[k + FROM], e[k + TO], e[k + ISLAND], e[k + NEXT], e[k + LAST], e[k + CHAIN], e[k + GROUP] = (
        a,
        b,
        island,
        -1,
        last,
        -1,
        group,
    )

    # Append the edge to the boundary's list.
    if last < 0:
        t[WIDTH * group + HEAD] = edge
    else:
        e[EDGE * last + NEXT] = edge
    g[2 * group + TAIL] = edge
    g[2 * group + COUNT] += 1

    # Append the edge to its hash chain, which keeps the order of the boundary.
    h = slot_of(group, a, slots)
    if heads[h] < 0:
        heads[h] = edge
    else:
        q = heads[h]
        while e[EDGE * q + CHAIN] >= 0:
            q = e[EDGE * q + CHAIN]
        e[EDGE * q + CHAIN] = edge
    return edge + 1


@kernel
def seek(e, heads, slots, group, a, b):
    """Return the first edge of a group that goes from vertex a to vertex b, or -1."""
    k = heads[slot_of(group, a, slots)]
    while k >= 0 and not (e[EDGE * k + TO] == b and e[EDGE * k + FROM] == a and e[EDGE * k + GROUP] == group):
        k = e[EDGE * k + CHAIN]
    return k


@kernel
def remove(t, g, e, heads, slots, group, k):
    """Remove an edge from its group's boundary and its chain."""
    last, after = e[EDGE * k + LAST], e[EDGE * k + NEXT]
    if last < 0:
        t[WIDTH * group + HEAD] = after
    else:
        e[EDGE * last + NEXT] = after
    if after < 0:
        g[2 * group + TAIL] = last
    else:
        e[EDGE * after + LAST] = last
    g[2 * group + COUNT] -= 1

    h = slot_of(group, e[EDGE * k + FROM], slots)
    if heads[h] == k:
        heads[h] = e[EDGE * k + CHAIN]
        return
    q = heads[h]
    while e[EDGE * q + CHAIN] != k:
        q = e[EDGE * q + CHAIN]
    e[EDGE * q + CHAIN] = e[EDGE * k + CHAIN]


@kernel
def island_of(joined, i):
    """Return the oldest of the islands (connected parts of a group) that have been joined with island i."""
    while joined[i] != i:
        joined[i] = joined[joined[i]]
        i = joined[i]
    return i


@kernel
def add_face(t, g, e, heads, slots, joined, islands, group, edge, a, b, c):
    """Add a triangle to a group. Edges that the group's boundary already has cancel out; the others are appended. Return the
    next free (edge, island)."""
    island, found, corners = np.int64(-1), 0, (a, b, c)

    # Remove edges that the triangle shares with the boundary, and join the islands of these edges.
    for side in range(3):
        p, q = corners[(side + 1) % 3], corners[side]
        k = seek(e, heads, slots, group, p, q)
        if k < 0:
            continue
        found |= 1 << side
        other = island_of(joined, np.int64(e[EDGE * k + ISLAND]))
        if island < 0:
            island = other
        elif other != island:
            low, high = min(island, other), max(island, other)
            joined[high] = low
            island = low
        remove(t, g, e, heads, slots, group, k)

    # Append the other edges to the boundary.
    if island < 0:
        island = islands
        joined[island] = island
        islands += 1
    if not found & 1:
        edge = append(t, g, e, heads, slots, group, edge, a, b, island)
    if not found & 2:
        edge = append(t, g, e, heads, slots, group, edge, b, c, island)
    if not found & 4:
        edge = append(t, g, e, heads, slots, group, edge, c, a, island)
    return edge, islands


@kernel
def list_islands(t, e, joined, first, order, group):
    """Store a group's islands, oldest first, and the first edge of each island. Return the number of islands."""
    n = 0
    k = t[WIDTH * group + HEAD]
    while k >= 0:
        i = island_of(joined, np.int64(e[EDGE * k + ISLAND]))
        e[EDGE * k + ISLAND] = i
        if first[i] < 0:
            first[i] = k
            j = n
            while j > 0 and order[j - 1] > i:
                order[j] = order[j - 1]
                j -= 1
            order[j] = i
            n += 1
        k = np.int64(e[EDGE * k + NEXT])
    return n


@kernel
def trace(t, g, e, heads, slots, joined, first, order, group, path, at, adr, npoly):
    """Append the vertex loop of each island with a closed boundary to `path` at index `at`, and the loop's start to `adr` at
    index `npoly`. Return the next free (index in `path`, index in `adr`)."""
    head, count = t[WIDTH * group + HEAD], g[2 * group + COUNT]

    # A single triangle is its own loop.
    if count == 3:
        adr[npoly] = at
        k = head
        for i in range(3):
            path[at + i] = e[EDGE * k + FROM]
            k = np.int64(e[EDGE * k + NEXT])
        return at + 3, npoly + 1

    # Visit islands, oldest first.
    for i in range(list_islands(t, e, joined, first, order, group)):
        island = order[i]
        k = first[island]
        path[at], path[at + 1], n, closed = e[EDGE * k + FROM], e[EDGE * k + TO], 2, False
        for _ in range(count):
            # Find the edge of this island that starts at p. The first edge of the group's list never continues a loop.
            p = path[at + n - 1]
            q = np.int64(heads[slot_of(group, p, slots)])
            while q >= 0 and not (
                e[EDGE * q + FROM] == p and e[EDGE * q + ISLAND] == island and e[EDGE * q + GROUP] == group and q != head
            ):
                q = np.int64(e[EDGE * q + CHAIN])
            if q < 0:
                break
            if e[EDGE * q + TO] == path[at]:
                closed = True
                break
            path[at + n] = e[EDGE * q + TO]
            n += 1
        if closed and n >= 3:
            adr[npoly] = at
            at, npoly = at + n, npoly + 1
    return at, npoly


@kernel
def plane_normal(v, a, b, c, out, k):
    x0, y0, z0 = v[b, 0] - v[a, 0], v[b, 1] - v[a, 1], v[b, 2] - v[a, 2]
    x1, y1, z1 = v[c, 0] - v[a, 0], v[c, 1] - v[a, 1], v[c, 2] - v[a, 2]
    x, y, z = y0 * z1 - z0 * y1, z0 * x1 - x0 * z1, x0 * y1 - y0 * x1
    n = np.sqrt(x * x + y * y + z * z)
    if n < EPS:
        x, y, z = 1.0, 0.0, 0.0
    out[k], out[k + 1], out[k + 2] = x / n, y / n, z / n
    return n >= SMALL


@inline
def rounded(x):
    """Return the nearest integer; halves are rounded away from zero."""
    return np.floor(x + 0.5) if x >= 0 else -np.floor(0.5 - x)


@kernel
def normal_cell(n, k):
    """Replace a normal by its cell: cell indices along both angles, then MARK."""
    x, y, z = n[k] + 0.0, n[k + 1] + 0.0, n[k + 2] + 0.0
    around, down = 0.0, 0.0
    if abs(z) > 1.0 - POLE:
        down = 0.0 if z > 0 else rounded(np.pi / CELL)
    else:
        around, down = rounded(atan2(y, x) / CELL), rounded(acos(z) / CELL)
    n[k], n[k + 1], n[k + 2] = around, down, MARK


@stage("viiiiiiiiiiii")
def mesh_polygons(vert_at, nvert, face_at, nface, tree_at, group_at, edge_at, hash_at, slots, path_at, adr_at, cells):
    """Merge coplanar triangles into polygons. With `cells`, triangles are coplanar if their normals are in the same cell.

    reads vertices and triangles; writes vertex loops, one after the other, to `path`, their starts to `adr`, the number of
    loops
    to adr[3 nface], and the number of loop vertices to adr[3 nface + 1].
    """
    v, f = matrix_at(vert_at, nvert, 3), ints_at(face_at, 3 * nface)
    t, n = longs_at(tree_at, WIDTH * (nface + 1)), array_at(tree_at, WIDTH * (nface + 1))
    room = nface + 1
    g, joined = longs_at(group_at, 2 * room), longs_at(group_at + 16 * room, room)
    first, order = longs_at(group_at + 24 * room, room), longs_at(group_at + 32 * room, room)
    e, heads = ints_at(edge_at, EDGE * (3 * nface + 3)), ints_at(hash_at, slots)
    path, adr = longs_at(path_at, 6 * nface + 8), longs_at(adr_at, 3 * nface + 2)

    for i in range(slots):
        heads[i] = -1
    for i in range(room):
        first[i] = -1
    root, groups, edge, islands = np.int64(-1), 0, 0, 0

    # Add each triangle to the group of its normal.
    for i in range(nface):
        a, b, c = f[3 * i], f[3 * i + 1], f[3 * i + 2]
        proper = plane_normal(v, a, b, c, n, WIDTH * groups + NORMAL)
        if cells:
            if not proper:
                continue
            normal_cell(n, WIDTH * groups + NORMAL)
        group, at, left, met = find(t, n, root, groups)
        if group < 0:
            # If the search met no equal normal, it ended where the new node belongs.
            placed = insert(t, n, root, groups) if met else hang(t, root, groups, at, left)
            if placed == -2:
                continue
            root, group = placed, groups
            t[WIDTH * group + HEAD], g[2 * group + TAIL], g[2 * group + COUNT] = -1, -1, 0
            groups += 1
            joined[islands] = islands
            for k in range(3):
                edge = append(t, g, e, heads, slots, group, edge, f[3 * i + k], f[3 * i + (k + 1) % 3], islands)
            islands += 1
            continue
        edge, islands = add_face(t, g, e, heads, slots, joined, islands, group, edge, a, b, c)

    # Trace the groups' boundaries in the order of the tree.
    npoly, end, x = 0, 0, root
    while x >= 0 and t[WIDTH * x + LEFT] >= 0:
        x = t[WIDTH * x + LEFT]
    while x >= 0:
        end, npoly = trace(t, g, e, heads, slots, joined, first, order, x, path, end, adr, npoly)
        x = following(t, x)
    adr[3 * nface], adr[3 * nface + 1] = npoly, end


@kernel
def following(t, x):
    """Return the in-order successor of node x, or -1."""
    y = t[WIDTH * x + RIGHT]
    if y >= 0:
        while t[WIDTH * y + LEFT] >= 0:
            y = t[WIDTH * y + LEFT]
        return y
    y = t[WIDTH * x + PARENT]
    while y >= 0 and t[WIDTH * y + RIGHT] == x:
        x, y = y, t[WIDTH * y + PARENT]
    return y


def polygons(vert: np.ndarray, face: np.ndarray, cells: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return (starts, vertex loops) of the polygons made by merging triangles; see `mesh_polygons` for `cells`."""
    vert, face = np.ascontiguousarray(vert), np.ascontiguousarray(face, np.int32)
    n = len(face)
    slots = 1 << max(4, (2 * n - 1).bit_length())

    # A node fits into one cache line.
    tree, work = aligned_bytes(8 * WIDTH * (n + 1)), np.empty(5 * (n + 1), np.int64)
    edge, heads = np.empty(EDGE * (3 * n + 3), np.int32), np.empty(slots, np.int32)
    path, adr = np.empty(6 * n + 8, np.int64), np.empty(3 * n + 2, np.int64)
    mesh_polygons(
        vert.ctypes.data,
        len(vert),
        face.ctypes.data,
        n,
        tree.ctypes.data,
        work.ctypes.data,
        edge.ctypes.data,
        heads.ctypes.data,
        slots,
        path.ctypes.data,
        adr.ctypes.data,
        cells,
    )

    npoly, total = int(adr[3 * n]), int(adr[3 * n + 1])
    return adr[:npoly].copy(), path[:total].astype(np.int32)


def polygon_map(starts: np.ndarray, loops: np.ndarray, nvert: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the polygons around each vertex: (start and count for each vertex, polygon ids of all vertices)."""
    count = np.diff(np.append(starts, len(loops)))
    # Sort pairs of vertex and polygon as one number each, which is several times faster than a stable sort by vertex.
    pairs = loops.astype(np.int64) << 32 | np.repeat(np.arange(len(starts)), count)
    pairs.sort()
    num = np.bincount(loops, minlength=nvert)
    return np.cumsum(num) - num, num, pairs.astype(np.int32)
