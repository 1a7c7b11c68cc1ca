"""Finds several contacts of boxes and meshes from one penetration. Clips two facing faces, or a face and an edge, against each
other.

The final triangle of EPA tells which corners of each shape are involved. Three corners make a face, two an edge; one corner
stands for all its faces and edges. If the normals of two faces are opposite, or an edge lies in the plane of the other shape's
face, one of the two is clipped by the sides of the other (I. Sutherland, G. Hodgman, Reentrant polygon clipping, 1974) and
reduced to the four corners of a large quadrilateral.

       ____________
      | clipper  __|___         each side of the clipper cuts off what is outside of it; the rest of the other polygon is the
      |         |//|   |        contact face, and its corners, projected by the depth, are the contacts
      |_________|//|   |
                |______|
"""

import numpy as np

from ..geom.support import ASSET, BOX, KIND, MAT, POS, SIZE, integers, numbers, to_world
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, small, small_int, store
from ..math.vec import add3, axis3, coordinate3, corner3, cross3, dot3, mat_t_vec3, mat_vec3, norm3, scale3, sub3, unit3
from ..tables.consts import mjMINVAL
from .ccd import FAR_SIDE
from .gjk import FAR, INDEX1, POINT1, WIDTH

FACE_COS = 0.99999872  # faces meet if their normals' cosine exceeds this
EDGE_SIN = 0.00159999931  # an edge lies in a face if its sine is below this
MOST = 150  # maximum number of corners of a polygon, and of faces at a corner
# sizes of scratch arrays: for MOST vectors, and for the corners of two clipped polygons
VECTORS, CLIPPED = 3 * MOST, 2 * 3 * MOST
CORNER, EDGE, FACE = 1, 2, 3  # features of a final triangle, by number of distinct corners
LIMIT = 4  # maximum number of contacts
# Corners of a box's faces +x -x +y -y +z -z, clockwise as seen from outside.
# Bit i of a corner is set where coordinate i is positive.
BOX_FACES = np.array([(7, 3, 1, 5), (2, 6, 4, 0), (2, 3, 7, 6), (4, 5, 1, 0), (6, 7, 5, 4), (3, 2, 0, 1)])


@inline
def corner_kind(i, j, k):
    """Return (CORNER, EDGE or FACE; second corner) for the corner indices of a triangle."""
    if i != j:
        return EDGE if k == i or k == j else FACE, j
    return (EDGE, k) if i != k else (CORNER, j)


@inline
def vertex_at(m, mesh, k):
    a = m.mesh_vertadr[mesh] + k
    return np.float64(m.mesh_vert[a, 0]), np.float64(m.mesh_vert[a, 1]), np.float64(m.mesh_vert[a, 2])


@inline
def put_normal(normals, ids, n, mat, local, face):
    """Append the normal of a face, rotated to world axes, and the face's index."""
    store(normals, 3 * n, mat_vec3(mat, local))
    ids[n] = face
    return n + 1


@inline
def box_normals(shape, dim, v1, v2, v3, toward, normals, ids):
    """Write the faces of a box that meet at a corner, edge or face, numbered +x -x +y -y +z -z; return their count.

    If there is none, write the face nearest to `toward`.
    """
    mat = load(numbers(shape), MAT, 9)
    on, off = v1, 7 - v1
    if dim > CORNER:
        on, off = on & v2, off & (7 - v2)
    if dim > EDGE:
        on, off = on & v3, off & (7 - v3)

    # Find the coordinates that all corners share.
    n = 0
    for k in range(3):
        if on & (1 << k) or off & (1 << k):
            positive = (on & (1 << k)) != 0
            n = put_normal(normals, ids, n, mat, axis3(k, 1.0 if positive else -1.0), 2 * k if positive else 2 * k + 1)
    # A corner belongs to three faces, an edge to two, a face to one.
    if n == 4 - dim:
        return n

    # If fewer faces were found, choose a face whose normal is nearly `toward`.
    local = mat_t_vec3(mat, toward)
    length = norm3(local)
    s = 1 / length
    for face in range(6):
        x = s * coordinate3(local, face >> 1)
        if (-x if face & 1 else x) > FACE_COS:
            return put_normal(normals, ids, 0, mat, axis3(face >> 1, -1.0 if face & 1 else 1.0), face)
    return 0


@inline
def common(m, a, n, b, k, skip):
    """Return the first polygon that occurs in both of two lists, or the second one if `skip` is 1; -1 if there is none."""
    for i in range(n):
        for j in range(k):
            if m.mesh_polymap[a + i] == m.mesh_polymap[b + j]:
                if skip == 0:
                    return m.mesh_polymap[a + i]
                skip -= 1
    return -1


@inline
def at_vertex(m, mesh, v):
    """Return the (first index, count) in mesh_polymap of the polygons at a mesh vertex."""
    a = m.mesh_vertadr[mesh] + v
    return m.mesh_polymapadr[a], m.mesh_polymapnum[a]


@inline
def mesh_normals(m, shape, dim, v1, v2, v3, normals, ids, most):
    """Write the polygons of a mesh that meet at a corner, edge or face; return their count."""
    mat, mesh = load(numbers(shape), MAT, 9), integers(shape)[ASSET]
    base = m.mesh_polyadr[mesh]
    first, count = at_vertex(m, mesh, v1)
    n = 0
    if dim == CORNER:
        for i in range(min(count, most)):
            face = m.mesh_polymap[first + i]
            n = put_normal(normals, ids, n, mat, load(m.mesh_polynormal, base + face, 3), face)
        return n

    # An edge belongs to the two polygons that both its corners share. A polygon that all three corners share is the face.
    first2, count2 = at_vertex(m, mesh, v2)
    for i in range(2):
        face = common(m, first, count, first2, count2, i)
        if face < 0:
            break
        if dim == FACE:
            # Check whether this polygon contains the third corner.
            first3, count3 = at_vertex(m, mesh, v3)
            here = False
            for j in range(count3):
                here = here or m.mesh_polymap[first3 + j] == face
            if not here:
                continue
        n = put_normal(normals, ids, n, mat, load(m.mesh_polynormal, base + face, 3), face)
        if dim == FACE:
            break
    return n


@kernel
def face_normals(m, shape, dim, v1, v2, v3, toward, normals, ids, most):
    """Write the normals and indices of a shape's faces at a feature (CORNER, EDGE or FACE); return their count."""
    if integers(shape)[KIND] == BOX:
        return box_normals(shape, dim, v1, v2, v3, toward, normals, ids)
    return mesh_normals(m, shape, dim, v1, v2, v3, normals, ids, most)


@inline
def put_edge(directions, ends, n, start, end):
    """Append the direction and the far end of an edge."""
    store(ends, 3 * n, end)
    direction, _ = unit3(sub3(end, start))
    store(directions, 3 * n, direction)
    return n + 1


@kernel
def edges_at(m, shape, dim, p1, p2, v1, directions, ends, most):
    """Write directions and far ends of a shape's edges: for an EDGE, only edge p1-p2; for a CORNER, all edges at v1."""
    if dim == EDGE:
        return put_edge(directions, ends, 0, p1, p2)
    block = numbers(shape)
    pos, mat, size = load(block, POS, 3), load(block, MAT, 9), load(block, SIZE, 3)

    # A corner of a box has three edges.
    n = 0
    if integers(shape)[KIND] == BOX:
        for k in range(3):
            # The corner at the other end differs in one bit.
            n = put_edge(directions, ends, n, p1, to_world(pos, mat, corner3(size, v1 ^ (1 << k))))
        return n

    # For a mesh vertex, take one edge of each polygon around it.
    mesh = integers(shape)[ASSET]
    first, count = at_vertex(m, mesh, v1)
    for i in range(min(count, most)):
        # In each polygon, find the corner that precedes this vertex.
        polygon = m.mesh_polyadr[mesh] + m.mesh_polymap[first + i]
        a, corners = m.mesh_polyvertadr[polygon], m.mesh_polyvertnum[polygon]
        for j in range(corners):
            if m.mesh_polyvert[a + j] == v1:
                other = m.mesh_polyvert[a + (corners - 1 if j == 0 else j - 1)]
                put_edge(directions, ends, i, p1, to_world(pos, mat, vertex_at(m, mesh, other)))
                break
    return min(count, most)


@kernel
def face_polygon(m, shape, face, polygon, most):
    """Write the corners of a face, clockwise as seen from outside the shape; return their count."""
    block = numbers(shape)
    pos, mat, size = load(block, POS, 3), load(block, MAT, 9), load(block, SIZE, 3)
    if integers(shape)[KIND] == BOX:
        for k in range(4):
            store(polygon, 3 * k, to_world(pos, mat, corner3(size, BOX_FACES[face, k])))
        return 4
    mesh = integers(shape)[ASSET]
    k = m.mesh_polyadr[mesh] + face
    a, count = m.mesh_polyvertadr[k], min(m.mesh_polyvertnum[k], most)
    for i in range(count):
        store(polygon, 3 * i, to_world(pos, mat, vertex_at(m, mesh, m.mesh_polyvert[a + count - 1 - i])))
    return count


@inline
def quad_area(p, a, b, c, d):
    """Return the area of a quadrilateral of four polygon corners."""
    pa, pb, pc, pd = load(p, 3 * a, 3), load(p, 3 * b, 3), load(p, 3 * c, 3), load(p, 3 * d, 3)
    return 0.5 * norm3(add3(cross3(sub3(pd, pa), sub3(pb, pd)), cross3(sub3(pc, pb), sub3(pa, pc))))


@kernel
def largest_quad(p, n):
    """Return four corners of a convex polygon that span the largest area. Each corner advances while the area grows."""
    a, b, c, d = 0, 1, 2, 3
    result, area = (0, 1, 2, 3), quad_area(p, 0, 1, 2, 3)

    # After each advance of the fourth corner, advance the third and the second corner while the area grows.
    while a < n:
        while True:
            larger = quad_area(p, a, b, c, (d + 1) % n)
            if larger <= area:
                break
            area, d = larger, (d + 1) % n
            larger = quad_area(p, a, b, (c + 1) % n, d)
            while larger > area:
                area, c = larger, (c + 1) % n
                larger = quad_area(p, a, b, (c + 1) % n, d)
            larger = quad_area(p, a, (b + 1) % n, c, d)
            while larger > area:
                area, b = larger, (b + 1) % n
                larger = quad_area(p, a, (b + 1) % n, c, d)
            result = (a, b, c, d)

        # Keep the corners in order.
        if b == a:
            b = (b + 1) % n
            if c == b:
                c = (c + 1) % n
                if d == c:
                    d = (d + 1) % n
        a += 1
    return result


@kernel
def clip(witness, clipper, sides, polygon, count, spare, normal, depth):
    """Clip a polygon by the sides of another polygon; write the remaining corners as point pairs.

    Each remaining corner is a point of shape b; moved back by `depth`, it is the point of shape a. Returns the number of point
    pairs. If nothing is left, returns 1 and keeps the previous pair.
    """
    if sides < 3:
        return 1

    # Clip by one side of the other polygon after another.
    for e in range(sides):
        start, end = load(clipper, 3 * e, 3), load(clipper, 3 * (e + 1 if e + 1 < sides else 0), 3)
        plane = cross3(sub3(end, start), sub3(add3(start, normal), start))
        height = dot3(plane, start)
        n = 0
        for i in range(count):
            p, q = load(polygon, 3 * i, 3), load(polygon, 3 * (i + 1 if i + 1 < count else 0), 3)
            p_in, q_in = dot3(sub3(p, start), plane) > -mjMINVAL, dot3(sub3(q, start), plane) > -mjMINVAL
            if p_in != q_in:
                along = sub3(q, p)
                slope = dot3(plane, along)
                t = (height - dot3(plane, p)) / slope if slope != 0 else FAR
                if 0 <= t <= 1:
                    store(spare, 3 * n, (p[0] + t * along[0], p[1] + t * along[1], p[2] + t * along[2]))
                    n += 1
            if q_in:
                store(spare, 3 * n, q)
                n += 1
        polygon, spare = spare, polygon
        count = n
    if count < 1:
        return 1

    # Keep at most four corners, and count repeated corners once.
    if count > LIMIT:
        corners = largest_quad(polygon, count)
        for k in range(LIMIT):
            point = load(polygon, 3 * corners[k], 3)
            store(witness, FAR_SIDE + 3 * k, point)
            store(witness, 3 * k, sub3(point, depth))
        return LIMIT
    n = 0
    for i in range(count):
        point, new = load(polygon, 3 * i, 3), True
        for k in range(n):
            old = load(witness, FAR_SIDE + 3 * k, 3)
            new = new and not (
                abs(old[0] - point[0]) < mjMINVAL and abs(old[1] - point[1]) < mjMINVAL and abs(old[2] - point[2]) < mjMINVAL
            )
        if new:
            store(witness, FAR_SIDE + 3 * n, point)
            store(witness, 3 * n, sub3(point, depth))
            n += 1
    return n


@inline
def first_match(x, n, y, k, faces):
    """Return the first (i, j) where face x[i] opposes face y[j], or edge y[j] lies in face x[i]; (-1, -1) if there is none."""
    for i in range(n):
        for j in range(k):
            product = dot3(load(x, 3 * i, 3), load(y, 3 * j, 3))
            if product < -FACE_COS if faces else abs(product) < EDGE_SIN:
                return i, j
    return -1, -1


@stage("iMDiif")
def ccd_multi(m, d, a, b, dist):
    """reads shape blocks, witness, ccd_corners; writes witness. Returns the number of point pairs."""
    corners, witness = d.ccd_corners, d.witness
    i1, j1, k1 = int(corners[INDEX1]), int(corners[WIDTH + INDEX1]), int(corners[2 * WIDTH + INDEX1])
    i2, j2, k2 = int(corners[INDEX1 + 1]), int(corners[WIDTH + INDEX1 + 1]), int(corners[2 * WIDTH + INDEX1 + 1])
    dim1, second1 = corner_kind(i1, j1, k1)
    dim2, second2 = corner_kind(i2, j2, k2)

    # Find the faces of both shapes at the contact.
    normals1, normals2, ids1, ids2 = small(VECTORS), small(VECTORS), small_int(MOST), small_int(MOST)
    ends, polygon1, polygon2, spare = small(VECTORS), small(CLIPPED), small(CLIPPED), small(CLIPPED)
    out = sub3(load(witness, FAR_SIDE, 3), load(witness, 0, 3))
    depth = norm3(out)
    n1 = face_normals(m, a, dim1, i1, second1, k1, scale3(out, -1.0), normals1, ids1, MOST)
    n2 = face_normals(m, b, dim2, i2, second2, k2, out, normals2, ids2, MOST)

    # Find two facing faces, an edge of shape a on a face of b, or a face of a under an edge of b.
    edge1 = edge2 = False
    face1, face2 = first_match(normals1, n1, normals2, n2, True)
    end = -1
    p1, p2 = load(corners, POINT1, 3), load(corners, POINT1 + 3, 3)
    if face1 < 0:
        if dim1 < FACE and dim1 <= dim2:
            far = 2 if second1 == k1 and second1 != j1 else 1
            n1 = edges_at(m, a, dim1, p1, load(corners, WIDTH * far + POINT1, 3), i1, normals1, ends, MOST)
            face2, end = first_match(normals2, n2, normals1, n1, False)
            edge1 = True
        elif dim2 < FACE:
            far = 2 if second2 == k2 and second2 != j2 else 1
            n2 = edges_at(m, b, dim2, p2, load(corners, WIDTH * far + POINT1 + 3, 3), i2, normals2, ends, MOST)
            face1, end = first_match(normals1, n1, normals2, n2, False)
            edge2 = True
        if end < 0:
            return 1

    # Clip the two features against each other.
    if edge1:
        store(polygon1, 0, p1)
        store(polygon1, 3, load(ends, 3 * end, 3))
        count2, normal = face_polygon(m, b, ids2[face2], polygon2, MOST), load(normals2, 3 * face2, 3)
        return clip(witness, polygon2, count2, polygon1, 2, spare, normal, scale3(normal, depth))
    count1, normal = face_polygon(m, a, ids1[face1], polygon1, MOST), load(normals1, 3 * face1, 3)
    if edge2:
        store(polygon2, 0, p2)
        store(polygon2, 3, load(ends, 3 * end, 3))
        return clip(witness, polygon1, count1, polygon2, 2, spare, normal, scale3(normal, -depth))
    count2 = face_polygon(m, b, ids2[face2], polygon2, MOST)
    return clip(witness, polygon1, count1, polygon2, count2, spare, normal, scale3(load(normals2, 3 * face2, 3), depth))
