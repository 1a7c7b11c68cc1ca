"""Coplanar triangles of a mesh merged into polygons, compiled.

Triangles are grouped by normal in a balanced search tree whose order tolerates small differences, so which group a triangle finds
depends on the tree's shape: the tree is a red-black tree with the usual rotations. A group keeps its boundary edges in order;
patches that do not touch are told apart by an island number.
"""

import numpy as np

from ..core.jit import inline, kernel, stage
from ..core.lang import array_at, ints_at, longs_at, matrix_at

MINVAL, EPS = 1e-15, 1e-14
SAME = 0.99999872
# columns of a tree node and group
LEFT, RIGHT, PARENT, RED, HEAD, TAIL, COUNT, ISLANDS = 0, 1, 2, 3, 4, 5, 6, 7
WIDTH = 8
# columns of an edge
FROM, TO, ISLAND, NEXT = 0, 1, 2, 3


@inline
def before(n, a, b):
    """Whether normal a sorts before normal b."""
    dot = n[3 * a] * n[3 * b] + n[3 * a + 1] * n[3 * b + 1] + n[3 * a + 2] * n[3 * b + 2]
    if dot > SAME:
        return False
    if abs(n[3 * a] - n[3 * b]) > MINVAL:
        return n[3 * a] > n[3 * b]
    if abs(n[3 * a + 1] - n[3 * b + 1]) > MINVAL:
        return n[3 * a + 1] > n[3 * b + 1]
    if abs(n[3 * a + 2] - n[3 * b + 2]) > MINVAL:
        return n[3 * a + 2] > n[3 * b + 2]
    return False


@kernel
def find(t, n, root, key):
    """The group that a normal belongs to, or -1."""
    best, x = -1, root
    while x >= 0:
        if not before(n, x, key):
            best, x = x, t[WIDTH * x + LEFT]
        else:
            x = t[WIDTH * x + RIGHT]
    return -1 if best < 0 or before(n, key, best) else best


@kernel
def previous(t, x):
    """The node before x in order, or -1."""
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
    """Turn x down to its left or right; returns the root."""
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
    """Insert node z (whose normal is row z); returns the root, or -2 if an equal one stands in its way."""
    y, x, left = -1, root, True
    while x >= 0:
        y = x
        left = before(n, z, x)
        x = t[WIDTH * x + LEFT] if left else t[WIDTH * x + RIGHT]
    j = y
    if left and y >= 0:
        j = previous(t, y)
    if y >= 0 and not (left and j < 0) and not before(n, j, z):
        return -2
    t[WIDTH * z + LEFT], t[WIDTH * z + RIGHT], t[WIDTH * z + PARENT], t[WIDTH * z + RED] = -1, -1, y, 1
    if y < 0:
        root = z
    elif before(n, z, y):
        t[WIDTH * y + LEFT] = z
    else:
        t[WIDTH * y + RIGHT] = z
    return balance(t, root, z)


@kernel
def balance(t, root, x):
    """Restore the colours after inserting x."""
    while x != root and t[WIDTH * t[WIDTH * x + PARENT] + RED] == 1:
        p = t[WIDTH * x + PARENT]
        g = t[WIDTH * p + PARENT]
        left = t[WIDTH * g + LEFT] == p
        uncle = t[WIDTH * g + RIGHT] if left else t[WIDTH * g + LEFT]
        if uncle >= 0 and t[WIDTH * uncle + RED] == 1:
            t[WIDTH * p + RED], t[WIDTH * uncle + RED], t[WIDTH * g + RED] = 0, 0, 1
            x = g
            continue
        inner = t[WIDTH * p + RIGHT] if left else t[WIDTH * p + LEFT]
        if inner == x:
            x = p
            root = rotate(t, root, x, left)
            p = t[WIDTH * x + PARENT]
        t[WIDTH * p + RED], t[WIDTH * g + RED] = 0, 1
        root = rotate(t, root, g, not left)
    t[WIDTH * root + RED] = 0
    return root


@kernel
def append(t, e, group, edge, a, b, island):
    e[4 * edge + FROM], e[4 * edge + TO], e[4 * edge + ISLAND], e[4 * edge + NEXT] = a, b, island, -1
    if t[WIDTH * group + HEAD] < 0:
        t[WIDTH * group + HEAD] = edge
    else:
        e[4 * t[WIDTH * group + TAIL] + NEXT] = edge
    t[WIDTH * group + TAIL] = edge
    t[WIDTH * group + COUNT] += 1
    return edge + 1


@kernel
def take(t, e, group, a, b):
    """Remove the edge from a to b; returns its island, or -1 if there is none."""
    last, k = -1, t[WIDTH * group + HEAD]
    while k >= 0:
        if e[4 * k + FROM] == a and e[4 * k + TO] == b:
            if last < 0:
                t[WIDTH * group + HEAD] = e[4 * k + NEXT]
            else:
                e[4 * last + NEXT] = e[4 * k + NEXT]
            if t[WIDTH * group + TAIL] == k:
                t[WIDTH * group + TAIL] = last
            t[WIDTH * group + COUNT] -= 1
            return e[4 * k + ISLAND]
        last, k = k, e[4 * k + NEXT]
    return -1


@kernel
def join(t, e, group, one, two):
    """Two islands become the lower numbered one; those above close the gap."""
    low, high = min(one, two), max(one, two)
    k = t[WIDTH * group + HEAD]
    while k >= 0:
        i = e[4 * k + ISLAND]
        if i == high:
            e[4 * k + ISLAND] = low
        elif i > high:
            e[4 * k + ISLAND] = i - 1
        k = e[4 * k + NEXT]
    t[WIDTH * group + ISLANDS] -= 1
    return low


@kernel
def add_face(t, e, group, edge, a, b, c):
    """Add a triangle: shared edges vanish, others join the boundary; returns the next free edge."""
    island, found = -1, 0
    for side in range(3):
        p = b if side == 0 else c if side == 1 else a
        q = a if side == 0 else b if side == 1 else c
        # the joined edges are still listed while islands are renumbered
        other = peek(t, e, group, p, q)
        if other < 0:
            continue
        found |= 1 << side
        if island < 0:
            island = other
        elif other != island:
            island = join(t, e, group, island, other)
        take(t, e, group, p, q)
    if island < 0:
        island = t[WIDTH * group + ISLANDS]
        t[WIDTH * group + ISLANDS] += 1
    if not found & 1:
        edge = append(t, e, group, edge, a, b, island)
    if not found & 2:
        edge = append(t, e, group, edge, b, c, island)
    if not found & 4:
        edge = append(t, e, group, edge, c, a, island)
    return edge


@kernel
def peek(t, e, group, a, b):
    k = t[WIDTH * group + HEAD]
    while k >= 0:
        if e[4 * k + FROM] == a and e[4 * k + TO] == b:
            return e[4 * k + ISLAND]
        k = e[4 * k + NEXT]
    return -1


@kernel
def trace(t, e, group, path, at, adr, npoly):
    """Vertex loops of a group, one for each island that closes; path and adr are filled from `at` and `npoly` on."""
    head, count = t[WIDTH * group + HEAD], t[WIDTH * group + COUNT]
    if count == 3:
        adr[npoly] = at
        k = head
        for i in range(3):
            path[at + i] = e[4 * k + FROM]
            k = e[4 * k + NEXT]
        return at + 3, npoly + 1
    for island in range(t[WIDTH * group + ISLANDS]):
        k = head
        while k >= 0 and e[4 * k + ISLAND] != island:
            k = e[4 * k + NEXT]
        if k < 0:
            continue
        path[at], path[at + 1], n, closed = e[4 * k + FROM], e[4 * k + TO], 2, False
        for _ in range(count):
            # the first edge of the list is never walked again
            q = e[4 * head + NEXT]
            while q >= 0 and not (e[4 * q + ISLAND] == island and e[4 * q + FROM] == path[at + n - 1]):
                q = e[4 * q + NEXT]
            if q < 0:
                continue
            if e[4 * q + TO] == path[at]:
                closed = True
                break
            path[at + n] = e[4 * q + TO]
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
    out[3 * k], out[3 * k + 1], out[3 * k + 2] = x / n, y / n, z / n


@stage("viiiiiiiii")
def mesh_polygons(vert_at, nvert, face_at, nface, tree_at, normal_at, edge_at, path_at, adr_at):
    """reads vertices and triangles; writes path: vertex loops one after the other, adr: their starts; adr[3 nface] and adr[3 nface + 1]
    hold the number of loops and of loop vertices."""
    v, f = matrix_at(vert_at, nvert, 3), ints_at(face_at, 3 * nface)
    t, n, e = longs_at(tree_at, WIDTH * (nface + 1)), array_at(normal_at, 3 * (nface + 1)), longs_at(edge_at, 4 * (3 * nface + 3))
    path, adr = longs_at(path_at, 6 * nface + 8), longs_at(adr_at, 3 * nface + 2)
    root, groups, edge = -1, 0, 0
    for i in range(nface):
        a, b, c = f[3 * i], f[3 * i + 1], f[3 * i + 2]
        plane_normal(v, a, b, c, n, groups)
        group = find(t, n, root, groups)
        if group >= 0:
            edge = add_face(t, e, group, edge, a, b, c)
            continue
        placed = insert(t, n, root, groups)
        if placed == -2:
            continue
        root = placed
        t[WIDTH * groups + HEAD], t[WIDTH * groups + COUNT], t[WIDTH * groups + ISLANDS] = -1, 0, 1
        edge = append(t, e, groups, edge, a, b, 0)
        edge = append(t, e, groups, edge, b, c, 0)
        edge = append(t, e, groups, edge, c, a, 0)
        groups += 1
    npoly, at, x = 0, 0, root
    while x >= 0 and t[WIDTH * x + LEFT] >= 0:
        x = t[WIDTH * x + LEFT]
    while x >= 0:
        at, npoly = trace(t, e, x, path, at, adr, npoly)
        x = following(t, x)
    adr[3 * nface], adr[3 * nface + 1] = npoly, at


@kernel
def following(t, x):
    """The node after x in order, or -1."""
    y = t[WIDTH * x + RIGHT]
    if y >= 0:
        while t[WIDTH * y + LEFT] >= 0:
            y = t[WIDTH * y + LEFT]
        return y
    y = t[WIDTH * x + PARENT]
    while y >= 0 and t[WIDTH * y + RIGHT] == x:
        x, y = y, t[WIDTH * y + PARENT]
    return y


def polygons(vert, face):
    """(starts, vertex loops) of the polygons that triangles merge into."""
    vert, face = np.ascontiguousarray(vert), np.ascontiguousarray(face, np.int32)
    n = len(face)
    tree, normal = np.zeros(WIDTH * (n + 1), np.int64), np.zeros(3 * (n + 1))
    edge, path, adr = np.zeros(4 * (3 * n + 3), np.int64), np.zeros(6 * n + 8, np.int64), np.zeros(3 * n + 2, np.int64)
    mesh_polygons(vert.ctypes.data, len(vert), face.ctypes.data, n, tree.ctypes.data, normal.ctypes.data, edge.ctypes.data,
                  path.ctypes.data, adr.ctypes.data)
    npoly, total = int(adr[3 * n]), int(adr[3 * n + 1])
    return adr[:npoly].copy(), path[:total].astype(np.int32)


def polygon_map(starts, loops, nvert):
    """(starts, polygon ids) of the polygons around each vertex."""
    count = np.diff(np.append(starts, len(loops)))
    owner = np.repeat(np.arange(len(starts)), count)
    order = np.argsort(loops, kind='stable')
    num = np.bincount(loops, minlength=nvert)
    return np.cumsum(num) - num, num, owner[order].astype(np.int32)
