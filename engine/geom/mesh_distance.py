"""Signed distances of points from a triangle mesh. A bounding volume tree finds the nearest triangle; pseudonormals determine
the sign.

The pseudonormal (Baerentzen and Aanaes 2005) of a vertex is the sum of its triangles' normals weighted by angle, that of an
edge the sum of its two triangles' normals. Nearest points follow C. Ericson, Real-Time Collision Detection.
"""

from math import sqrt
from typing import Any

import numpy as np

from ..machine.jit import inline, kernel, stage
from ..machine.lang import array_at, ints_at, load, matrix_at, small_int
from ..math.vec import add3, cross3, dot3, scale3, sub3

VERTEX, EDGE, FACE = 0, 3, 6
DEEPEST = 200


@inline
def nearest_on_edge(a, b, along, back, k):
    s = along / (along + back)
    return add3(scale3(a, 1.0 - s), scale3(b, s)), k


@kernel
def nearest_on_triangle(p, a, b, c):
    """Return (point of a triangle nearest to p, feature on which it lies: VERTEX + 0..2, EDGE + 0..2 for ab, bc, ac, or
    FACE)."""

    ab, ac, bc = sub3(b, a), sub3(c, a), sub3(c, b)
    pa, pb, pc = sub3(p, a), sub3(p, b), sub3(p, c)
    s, s1, t, t1 = dot3(pa, ab), dot3(pb, sub3(a, b)), dot3(pa, ac), dot3(pc, sub3(a, c))

    # Handle the regions where a vertex is nearest.
    if s <= 0 and t <= 0:
        return a, VERTEX
    u, u1 = dot3(pb, bc), dot3(pc, sub3(b, c))
    if s1 <= 0 and u <= 0:
        return b, VERTEX + 1
    if t1 <= 0 and u1 <= 0:
        return c, VERTEX + 2

    # Handle the regions where an edge is nearest.
    n = cross3(ab, ac)
    ap, bp, cp = sub3(a, p), sub3(b, p), sub3(c, p)
    wc = dot3(n, cross3(ap, bp))
    if wc <= 0 and s >= 0 and s1 >= 0:
        return nearest_on_edge(a, b, s, s1, EDGE)
    wa = dot3(n, cross3(bp, cp))
    if wa <= 0 and u >= 0 and u1 >= 0:
        return nearest_on_edge(b, c, u, u1, EDGE + 1)
    wb = dot3(n, cross3(cp, ap))
    if wb <= 0 and t >= 0 and t1 >= 0:
        return nearest_on_edge(a, c, t, t1, EDGE + 2)

    # Otherwise the nearest point is inside the triangle; compute it from barycentric coordinates.
    total = wa + wb + wc
    x, y = wa / total, wb / total
    return add3(add3(scale3(a, x), scale3(b, y)), scale3(c, 1.0 - x - y)), FACE


@inline
def box_gap(box, p):
    """Return the squared distance of a point from a box (center, half sizes)."""
    x, y, z = abs(p[0] - box[0]) - box[3], abs(p[1] - box[1]) - box[4], abs(p[2] - box[2]) - box[5]
    x, y, z = max(x, 0.0), max(y, 0.0), max(z, 0.0)
    return x * x + y * y + z * z


@kernel
def search(p, vert, face, aabb, child, item):
    """Return (squared distance, nearest point, triangle, feature of the triangle), found by a depth-first search of the
    tree."""
    best, where, tri, spot = np.inf, p, 0, FACE
    stack = small_int(256)
    stack[0] = 0
    top = 1
    while top:
        top -= 1
        n = stack[top]
        # Add a margin, because the boxes' bounds are rounded.
        if box_gap(load(aabb, n, 6), p) > best * (1.0 + 1e-12):
            continue

        # Leaf: test the triangle.
        if item[n] >= 0:
            f = item[n]
            x, k = nearest_on_triangle(
                p, load(vert, face[3 * f], 3), load(vert, face[3 * f + 1], 3), load(vert, face[3 * f + 2], 3)
            )
            gap = sub3(p, x)
            size = dot3(gap, gap)
            if size < best:
                best, where, tri, spot = size, x, f, k
            continue

        # Inner node: search the nearer child first.
        a, b = child[2 * n], child[2 * n + 1]
        if box_gap(load(aabb, a, 6), p) < box_gap(load(aabb, b, 6), p):
            a, b = b, a
        if top < DEEPEST:
            stack[top], stack[top + 1] = a, b
            top += 2
    return best, where, tri, spot


@stage("viiiiiiiiiiiiii")
def signed_distances(
    points, n, out, vert_at, nvert, face_at, nface, aabb_at, child_at, item_at, nnode, vertex_at, edge_at, normal_at
):
    """Compute signed distances from a mesh, negative inside.

    reads points (n, 3), a mesh, its tree, pseudonormals of vertices (nvert, 3), of triangles' edges (3 nface, 3), normals
    (nface, 3); writes n distances at `out`.
    """
    vert, face = matrix_at(vert_at, nvert, 3), ints_at(face_at, 3 * nface)
    aabb, child, item = matrix_at(aabb_at, nnode, 6), ints_at(child_at, 2 * nnode), ints_at(item_at, nnode)
    x, result = matrix_at(points, n, 3), array_at(out, n)
    by_vertex, by_edge, by_face = (
        matrix_at(vertex_at, nvert, 3),
        matrix_at(edge_at, 3 * nface, 3),
        matrix_at(normal_at, nface, 3),
    )

    for i in range(n):
        p = load(x, i, 3)
        size, where, f, k = search(p, vert, face, aabb, child, item)
        if k < EDGE:
            normal = load(by_vertex, face[3 * f + k], 3)
        elif k < FACE:
            normal = load(by_edge, 3 * f + k - EDGE, 3)
        else:
            normal = load(by_face, f, 3)
        result[i] = sqrt(size) if dot3(sub3(p, where), normal) >= 0 else -sqrt(size)


def _unit(x: np.ndarray) -> Any:
    with np.errstate(all="ignore"):
        return x / np.sqrt((x * x).sum(-1, keepdims=True))


def pseudonormals(vert: np.ndarray, face: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return pseudonormals of vertices (n, 3), of edges 01, 12, 02 of each triangle (3 m, 3), and normals of triangles (m,
    3)."""
    v = vert[face]
    normal = _unit(np.cross(v[:, 1] - v[:, 0], v[:, 2] - v[:, 0]))
    by_vertex = np.zeros_like(vert)
    for k in range(3):
        p, q = _unit(v[:, (k + 1) % 3] - v[:, k]), _unit(v[:, (k + 2) % 3] - v[:, k])
        with np.errstate(all="ignore"):
            angle = np.arccos((p * q).sum(1))
        np.add.at(by_vertex, face[:, k], angle[:, None] * normal)
    ends = face[:, [[0, 1], [1, 2], [0, 2]]].reshape(-1, 2).astype(np.int64)
    _, edge = np.unique(ends.min(1) * len(vert) + ends.max(1), return_inverse=True)
    by_edge = np.zeros((edge.max() + 1, 3))
    np.add.at(by_edge, edge, np.repeat(normal, 3, 0))
    return _unit(by_vertex), _unit(by_edge)[edge], normal


def mesh_distances(points: np.ndarray, vert: np.ndarray, face: np.ndarray, tree: Any) -> np.ndarray:
    """Return the signed distances of points (n, 3) from a mesh, given a bounding volume tree over its faces."""
    arrays = [np.ascontiguousarray(x, np.float64) for x in (points, vert, tree.aabb, *pseudonormals(vert, face))]
    points, vert, aabb, by_vertex, by_edge, by_face = arrays
    face, child, item = (np.ascontiguousarray(x, np.int32) for x in (face, tree.child, tree.nodeid))
    out = np.zeros(len(points))
    at = [x.ctypes.data for x in (vert, face, aabb, child, item, by_vertex, by_edge, by_face)]

    signed_distances(
        points.ctypes.data,
        len(points),
        out.ctypes.data,
        at[0],
        len(vert),
        at[1],
        len(face),
        at[2],
        at[3],
        at[4],
        len(aabb),
        at[5],
        at[6],
        at[7],
    )
    return out
