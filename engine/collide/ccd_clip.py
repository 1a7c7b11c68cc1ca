"""Finds several contacts of boxes, meshes, cylinders and capsules from one penetration, as in MuJoCo 3.17 and later.

The method is that of `ccd_multi`: opposing faces, or a face and an edge that lies in it, are clipped. Four things differ. The
faces may be tilted by five degrees; every contact has the distance of its own corner; shapes may be apart by a margin; and
round shapes also have faces and edges:

    cylinder   the ends are faces with sixteen corners; the line of the side that is nearest to the other shape is an edge
    capsule    the line through its deepest point along the axis is an edge

    ccd_clip   reads shape blocks, witness, ccd_corners; writes witness, ccd_dist
"""

from math import cos, pi, sin

import numpy as np

from ..geom.support import ASSET, BOX, CAPSULE, CYLINDER, KIND, MARGIN, MAT, MESH, POS, SDF, SIZE, integers, numbers, to_world
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, small, small_int, store
from ..math.vec import add_scaled3, column3, corner3, cross3, dot3, mat_t_vec3, norm3, scale3, sub3, unit3
from ..tables.consts import mjMINVAL
from .ccd import FAR_SIDE
from .ccd_multi import EDGE, FACE, corner_kind, edges_at, face_normals, face_polygon, vertex_at
from .gjk import INDEX1, POINT1, WIDTH

FACE_COS = 0.996  # faces meet if their normals' cosine exceeds this
EDGE_SIN = 0.0888  # an edge lies in a face if its sine is below this
MOST = 512  # maximum number of corners of a polygon, and of faces at a corner
VECTORS, CLIPPED = 3 * MOST, 2 * 3 * MOST  # cells for that many vectors, and for the corners of two clipped polygons
LIMIT, MOST_PAIRS = 4, 50  # maximum number of contacts of two faces, and of rows of `witness`
SIDES = 16  # corners of the end of a cylinder
RIM = np.array([(cos(2 * pi * k / SIDES), sin(2 * pi * k / SIDES)) for k in range(SIDES)])
LONGER = 1 + 1e-12  # a corner must be farther by more than rounding: clipping can duplicate corners
TOP, BOTTOM = 0, 1  # ends of a cylinder


@inline
def has_features(m, kind, asset):
    """Return whether this module supports the faces or edges of a geom type."""
    if kind == MESH or kind == SDF:
        return m.mesh_polynum[asset] > 0
    return kind == BOX or kind == CYLINDER or kind == CAPSULE


@inline
def end_normals(shape, toward, normals, ids):
    """Write the normal of the cylinder end that faces the other shape; return 1, or 0 if neither end faces it."""
    axis = column3(load(numbers(shape), MAT, 9), 2)
    length = norm3(toward)
    along = dot3(axis, toward) / length if length > 0 else 0.0
    if abs(along) <= FACE_COS:
        return 0
    store(normals, 0, axis if along > 0 else scale3(axis, -1.0))
    ids[0] = TOP if along > 0 else BOTTOM
    return 1


@kernel
def normals_at(m, shape, dim, v1, v2, v3, toward, normals, ids):
    """Write the normals and indices of a shape's faces at a feature (corner, edge or face); return their count."""
    kind = integers(shape)[KIND]
    if kind == CYLINDER:
        return end_normals(shape, toward, normals, ids)
    if kind == CAPSULE:
        return 0
    return face_normals(m, shape, dim, v1, v2, v3, toward, normals, ids, MOST)


@inline
def corner_of(m, shape, v):
    """Return the position of corner v of a box or a mesh in the world."""
    block = numbers(shape)
    pos, mat = load(block, POS, 3), load(block, MAT, 9)
    if integers(shape)[KIND] == BOX:
        return to_world(pos, mat, corner3(load(block, SIZE, 3), v))
    return to_world(pos, mat, vertex_at(m, integers(shape)[ASSET], v))


@kernel
def lines_at(m, shape, dim, p1, p2, v1, v2, directions, starts, ends):
    """Write directions, starts and ends of a shape's edges at a feature (corner, edge or face); return their count.

    p1, p2 are the ends of the final triangle's edge. A margin moves them out; if there is one, the corners v1, v2 are used
    instead. For a round shape, only the direction is written.
    """
    block, kind = numbers(shape), integers(shape)[KIND]
    if kind == CYLINDER or kind == CAPSULE:
        store(directions, 0, column3(load(block, MAT, 9), 2))
        return 1
    if block[MARGIN] > 0:
        p1 = corner_of(m, shape, v1)
        if dim == EDGE:
            p2 = corner_of(m, shape, v2)
    n = edges_at(m, shape, dim, p1, p2, v1, directions, ends, MOST)
    for k in range(n):
        store(starts, 3 * k, p1)
    return n


@inline
def line_towards(shape, toward, line, starts, ends, polygon, point):
    """Write the two ends of an edge. The edge of a round shape is a line parallel to its axis.

    For a cylinder, this is the line on its side nearest to a face with normal `toward`; for a capsule, the line through its
    deepest `point`.
    """
    block, kind = numbers(shape), integers(shape)[KIND]
    mat, pos, size = load(block, MAT, 9), load(block, POS, 3), load(block, SIZE, 3)
    if kind == CYLINDER or kind == CAPSULE:
        if kind == CAPSULE:
            # The deepest point has been moved out by half the margin. Correct for this along the face's normal.
            x, y, _ = mat_t_vec3(mat, sub3(point, pos))
            pos = add_scaled3(pos, toward, 0.5 * block[MARGIN])
        else:
            x, y, _ = mat_t_vec3(mat, toward)
            out, _ = unit3((-x, -y, 0.0))
            x, y = out[0] * size[0], out[1] * size[0]
        store(polygon, 0, to_world(pos, mat, (x, y, -size[1])))
        store(polygon, 3, to_world(pos, mat, (x, y, size[1])))
    else:
        store(polygon, 0, load(starts, 3 * line, 3))
        store(polygon, 3, load(ends, 3 * line, 3))


@kernel
def outline_of(m, shape, face, polygon):
    """Write the corners of a face, clockwise as seen from outside the shape; return their count."""
    block = numbers(shape)
    if integers(shape)[KIND] == CYLINDER:
        pos, mat, size = load(block, POS, 3), load(block, MAT, 9), load(block, SIZE, 3)
        for k in range(SIDES):
            i = k if face == BOTTOM else (SIDES - k) % SIDES
            store(
                polygon,
                3 * k,
                to_world(pos, mat, (size[0] * RIM[i, 0], size[0] * RIM[i, 1], size[1] if face == TOP else -size[1])),
            )
        return SIDES
    return face_polygon(m, shape, face, polygon, MOST)


@inline
def facing(x, n, y, k):
    """Return (i, j) of the two faces x[i] and y[j] that face each other most directly; (-1, -1) if none do."""
    a, b, best = -1, -1, -FACE_COS
    for i in range(n):
        for j in range(k):
            along = dot3(load(x, 3 * i, 3), load(y, 3 * j, 3))
            if along < best:
                a, b, best = i, j, along
    return a, b


@inline
def lying(faces, n, edges, k):
    """Return (i, j) of face i and the edge j that is most nearly parallel to face i; (-1, -1) if no edge is."""
    a, b, best = -1, -1, EDGE_SIN
    for i in range(n):
        for j in range(k):
            along = abs(dot3(load(edges, 3 * j, 3), load(faces, 3 * i, 3)))
            if along < best:
                a, b, best = i, j, along
    return a, b


@inline
def put_pair(witness, k, point, over, normal, margin, near, far):
    """Write point pair k for a corner at a height over a face: points on both surfaces, each moved out by half the margin."""
    dist = over - margin
    middle = add_scaled3(point, normal, -0.5 * over)
    store(witness, near + 3 * k, add_scaled3(middle, normal, -0.5 * dist))
    store(witness, far + 3 * k, add_scaled3(middle, normal, 0.5 * dist))


@inline
def clip_by(clipper, start, plane, height, polygon, count, spare):
    """Write the part of a polygon on the inner side of a plane; return its number of corners."""
    n, p = 0, load(polygon, 0, 3)
    p_in = dot3(sub3(p, start), plane) > -mjMINVAL
    for i in range(count):
        q = load(polygon, 3 * (i + 1 if i + 1 < count else 0), 3)
        q_in = dot3(sub3(q, start), plane) > -mjMINVAL

        # Add the point where the edge crosses the plane.
        if p_in != q_in:
            along = sub3(q, p)
            slope = dot3(plane, along)
            t = (height - dot3(plane, p)) / slope if slope != 0 else -1.0
            if 0 <= t <= 1:
                store(spare, 3 * n, add_scaled3(p, along, t))
                n += 1
        if q_in:
            store(spare, 3 * n, q)
            n += 1
        p, p_in = q, q_in
    return n


@inline
def farthest_two(polygon, count):
    """Return the indices of the two polygon corners that are farthest apart."""
    a, b, best = 0, 1, 0.0
    for i in range(count):
        for j in range(i + 1, count):
            dif = sub3(load(polygon, 3 * j, 3), load(polygon, 3 * i, 3))
            square = dot3(dif, dif)
            if square > best * LONGER:
                a, b, best = i, j, square
    return a, b


@inline
def span(p, a, b, c, d):
    """Return twice the area of the quadrilateral of four polygon corners, given in order."""
    return norm3(cross3(sub3(load(p, 3 * c, 3), load(p, 3 * a, 3)), sub3(load(p, 3 * d, 3), load(p, 3 * b, 3))))


@kernel
def widest_quad(p, n):
    """Return four corners of a convex polygon that span a large area, in polygon order.

    Each corner in turn advances along the polygon while the area grows.
    """
    a, b, c, d = 0, 1, 2, 3
    result, area = (0, 1, 2, 3), span(p, 0, 1, 2, 3)

    # After each advance of the fourth corner, advance the third and the second corner while the area grows.
    while a < n:
        while True:
            larger = span(p, a, b, c, (d + 1) % n)
            if larger <= area:
                break
            area, d = larger, (d + 1) % n
            larger = span(p, a, b, (c + 1) % n, d)
            while larger > area:
                area, c = larger, (c + 1) % n
                larger = span(p, a, b, (c + 1) % n, d)
            larger = span(p, a, (b + 1) % n, c, d)
            while larger > area:
                area, b = larger, (b + 1) % n
                larger = span(p, a, (b + 1) % n, c, d)
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
def clip_faces(data, witness, clipper, sides, polygon, edges, spare, normal, flat, margin, near, far):
    """Clip a polygon by the sides of a face; write the remaining corners within the margin as point pairs.

    The polygon has two corners if it is an edge. `normal`: normal of the clipping face. `flat`: normal of the clipped face, or
    `normal` for an edge. Corners of a clipped face are projected into the plane of the clipping face, and distances are
    measured from the clipped face. In witness, points of the clipping shape start at `near`, points of the other shape at
    `far`. Sets ccd_dist to the first pair's distance. Returns the number of pairs. If nothing is left, returns 1 and keeps the
    previous pair.
    """
    if sides < 3:
        return 1

    count = edges
    origin = load(clipper, 0, 3)

    # Clip by one side of the face after another.
    for e in range(sides):
        start, end = load(clipper, 3 * e, 3), load(clipper, 3 * (e + 1 if e + 1 < sides else 0), 3)
        plane, _ = unit3(cross3(sub3(end, start), normal))
        count = clip_by(clipper, start, plane, dot3(plane, start), polygon, count, spare)
        polygon, spare = spare, polygon

    # Keep corners within the margin, and their heights. Corners of a face are moved into the plane of the clipping face, but
    # their heights are measured before that, because faces can be slightly uneven.
    left = 0
    for i in range(count):
        point = load(polygon, 3 * i, 3)
        over = dot3(sub3(point, origin), normal)
        if edges > 2:
            point = add_scaled3(point, normal, -over)
            over *= -dot3(normal, flat)
        if over - margin <= 0:
            store(polygon, 3 * left, point)
            spare[left] = over
            left += 1
    if left < 1:
        return 1

    # Keep at most four corners of a face, or two of an edge.
    a, b, c, d = 0, 1, 2, 3
    if left > LIMIT:
        a, b, c, d = widest_quad(polygon, left)
        left = LIMIT
    elif edges == 2 and left > 2:
        a, b = farthest_two(polygon, left)
        left = 2
    for k in range(left):
        corner = a if k == 0 else b if k == 1 else c if k == 2 else d
        over = spare[corner]
        put_pair(witness, k, load(polygon, 3 * corner, 3), over, flat, margin, near, far)
        if k == 0:
            data.ccd_dist = over - margin
    return left


@inline
def dimension(shape, corners, column, toward):
    """Return (feature of a shape at the contact: CORNER, EDGE or FACE; index of the feature's second corner)."""
    kind = integers(shape)[KIND]
    if kind == CAPSULE:
        return EDGE, 0
    if kind == CYLINDER:
        along = dot3(column3(load(numbers(shape), MAT, 9), 2), toward)
        return FACE if abs(along) > FACE_COS * norm3(toward) else EDGE, 0
    return corner_kind(
        int(corners[INDEX1 + column]), int(corners[WIDTH + INDEX1 + column]), int(corners[2 * WIDTH + INDEX1 + column])
    )


@inline
def second_point(corners, column, second):
    """Return the far end of an edge: the corner of the final triangle that differs from the edge's first corner."""
    i, j, k = int(corners[INDEX1 + column]), int(corners[WIDTH + INDEX1 + column]), int(corners[2 * WIDTH + INDEX1 + column])
    return load(corners, WIDTH * (2 if second == k and second != j and i == j else 1) + POINT1 + 3 * column, 3)


@stage("iMDiif")
def ccd_clip(m, d, a, b, dist):
    """reads shape blocks, witness, ccd_corners; writes witness, ccd_dist. Returns the number of point pairs."""
    corners, witness = d.ccd_corners, d.witness
    normals1, normals2, ids1, ids2 = small(VECTORS), small(VECTORS), small_int(MOST), small_int(MOST)
    starts, ends, polygon1, polygon2, spare = small(VECTORS), small(VECTORS), small(CLIPPED), small(CLIPPED), small(CLIPPED)

    # Find the faces of both shapes at the contact.
    margin = 0.5 * numbers(a)[MARGIN] + 0.5 * numbers(b)[MARGIN]
    out = sub3(load(witness, FAR_SIDE, 3), load(witness, 0, 3))
    into = scale3(out, -1.0)
    dim1, second1 = dimension(a, corners, 0, into)
    dim2, second2 = dimension(b, corners, 1, out)
    i1, i2 = int(corners[INDEX1]), int(corners[INDEX1 + 1])
    n1 = normals_at(m, a, dim1, i1, second1, int(corners[2 * WIDTH + INDEX1]), into, normals1, ids1)
    n2 = normals_at(m, b, dim2, i2, second2, int(corners[2 * WIDTH + INDEX1 + 1]), out, normals2, ids2)

    # Try a contact of two faces first.
    face1, face2 = facing(normals1, n1, normals2, n2)
    if face1 >= 0:
        count1, count2 = outline_of(m, a, ids1[face1], polygon1), outline_of(m, b, ids2[face2], polygon2)
        return clip_faces(
            d,
            witness,
            polygon1,
            count1,
            polygon2,
            count2,
            spare,
            load(normals1, 3 * face1, 3),
            load(normals2, 3 * face2, 3),
            margin,
            FAR_SIDE,
            0,
        )
    # First case: an edge of shape a on a face of b.
    if dim1 < FACE and dim1 <= dim2:
        n1 = lines_at(
            m, a, dim1, load(corners, POINT1, 3), second_point(corners, 0, second1), i1, second1, normals1, starts, ends
        )
        face2, line = lying(normals2, n2, normals1, n1)
        if line >= 0:
            count2, normal = outline_of(m, b, ids2[face2], polygon2), load(normals2, 3 * face2, 3)
            line_towards(a, normal, line, starts, ends, polygon1, load(witness, 0, 3))
            return clip_faces(d, witness, polygon2, count2, polygon1, 2, spare, normal, normal, margin, FAR_SIDE, 0)
        # The first case has overwritten `normals1` with edge directions, so compute the normals again.
        n1 = normals_at(m, a, dim1, i1, second1, int(corners[2 * WIDTH + INDEX1]), into, normals1, ids1)

    # Second case: a face of a under an edge of b.
    if dim2 < FACE:
        n2 = lines_at(
            m, b, dim2, load(corners, POINT1 + 3, 3), second_point(corners, 1, second2), i2, second2, normals2, starts, ends
        )
        face1, line = lying(normals1, n1, normals2, n2)
        if line < 0:
            return 1
        count1, normal = outline_of(m, a, ids1[face1], polygon1), load(normals1, 3 * face1, 3)
        line_towards(b, normal, line, starts, ends, polygon2, load(witness, FAR_SIDE, 3))
        return clip_faces(d, witness, polygon1, count1, polygon2, 2, spare, normal, normal, margin, 0, FAR_SIDE)
    return 1
