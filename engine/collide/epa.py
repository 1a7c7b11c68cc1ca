r"""Penetration of two convex shapes by EPA, the expanding polytope algorithm.

A polytope around the origin, inside the Minkowski difference, grows until its face nearest to the origin lies on the surface of
the difference. The distance of this face is the depth; its normal is the direction of the shortest separation. Source: G. van
den Bergen, Proximity queries and penetration depth computation on 3D game objects, GDC 2001.

One expansion: w, the support point along the normal of the nearest face f, lies on the surface. The faces visible from w are
deleted; a fan of new faces joins w to the edges around the hole (the horizon h). The depth is at least the distance of f, and
at most the distance of the plane through w with the same normal.

              w                         w
                                     /  |  \
         _____f_____               /    |    \
        /           \            h           h             o  the origin
       /      o      \          /      o      \

The polytope starts from the final simplex of GJK, which has two to four vertices:

           3                 3              0, 1, 2  a triangle, or support points around a segment
          /|\               /|\             3, 4     its apexes on either side, or the ends of the segment
         / | \             / | \
        0--|--2           0--|--2
         \ | /             \ 1 /
          \|/               \|/
           1                 4
      TETRAHEDRON        BIPYRAMID

Vertices are rows as in `gjk`. A face has seven integers and four numbers. The integers are three vertices (all faces have the
same orientation), the face across each edge (edge i goes from vertex i to the next), and the face's index in the list of
candidates for the nearest face (-1 not listed, -2 deleted). The numbers are the point of the face's plane that is nearest to
the origin, and the squared distance of this point.
"""

from math import sqrt

from ..machine.jit import inline, kernel
from ..machine.lang import array_at, load, longs_at, small, small_int, store
from ..math.vec import cross3, dot3, mat_vec3, norm3, scale3, sub3
from ..tables.consts import mjMINVAL
from .gjk import (
    FAR,
    INDEX1,
    INDEX2,
    POINT1,
    POINT2,
    TINY,
    WIDTH,
    area_weights,
    determinant,
    discrete,
    mix3,
    project_on_plane,
    support_difference,
)

STEPS = 170  # number of iterations for which a polytope has room on the stack
FACE, NEXT, PLACE = 7, 3, 6  # integers per face; offsets of the neighbors and of the face's index among the candidates
POINT, SQUARE = 4, 3  # numbers per face; index of the squared distance
UNLISTED, DELETED = -1, -2
SIN120, COS120 = 0.86602540378, -0.5
FAILED = -1
FOUND, LOST, NOT_STARTED = 1, 0, -1
# indices into the array `counts` of a polytope
NVERT, NFACE, NCANDIDATE, NEDGE = range(4)
# Array sizes for STEPS iterations. The polytope starts with at most five vertices. Each iteration adds one vertex and, on
# average, six faces. A horizon (the edges of a hole) passes each vertex once.
MAX_FACES = 6 * STEPS
VERTEX_CELLS, POINT_CELLS, FACE_CELLS, HORIZON_CELLS = WIDTH * (STEPS + 5), POINT * MAX_FACES, FACE * MAX_FACES, 2 * (STEPS + 6)
# Faces of the initial polytope: three vertices, then the neighboring faces across the three edges.
TETRAHEDRON = ((0, 1, 2, 1, 3, 2), (0, 3, 1, 2, 3, 0), (0, 2, 3, 0, 3, 1), (3, 2, 1, 2, 0, 1))
BIPYRAMID = (
    (3, 0, 1, 1, 3, 2),
    (3, 2, 0, 2, 4, 0),
    (3, 1, 2, 0, 5, 1),
    (4, 1, 0, 5, 0, 4),
    (4, 0, 2, 3, 1, 5),
    (4, 2, 1, 4, 2, 3),
)


@inline
def point_of(vertices, k):
    return load(vertices, WIDTH * k, 3)


@inline
def add_face(vertices, faces, points, counts, v1, v2, v3, n1, n2, n3):
    """Append a face. Return its squared distance to the origin, or 0 if the face is degenerate."""
    k = counts[NFACE]
    counts[NFACE] = k + 1
    store(faces, FACE * k, (v1, v2, v3, n1, n2, n3, UNLISTED))
    p, proper = project_on_plane(point_of(vertices, v3), point_of(vertices, v2), point_of(vertices, v1))
    if not proper:
        return 0.0
    square = dot3(p, p)
    store(points, POINT * k, (p[0], p[1], p[2], square))
    return square


@inline
def add_vertex(vertices, counts, simplex, k):
    n = counts[NVERT]
    store(vertices, WIDTH * n, load(simplex, WIDTH * k, 11))
    counts[NVERT] = n + 1
    return n


@inline
def add_support(a, b, vertices, counts, direction, length):
    """Append the support vertex in a direction of the given length; return the index of the vertex."""
    n = counts[NVERT]
    counts[NVERT] = n + 1
    unit = (1.0, 0.0, 0.0)
    if length > mjMINVAL:
        unit = (direction[0] / length, direction[1] / length, direction[2] / length)
    support_difference(a, b, vertices, n, unit)
    return n


@inline
def make_candidates(faces, candidates, counts, n):
    for k in range(n):
        candidates[k] = k
        faces[FACE * k + PLACE] = k
    counts[NCANDIDATE] = n


@kernel
def add_bipyramid(vertices, faces, points, counts, corners):
    """Append the six faces of a bipyramid with five vertices: a triangle, and an apex on either side of it.

    Return the index of the first face that contains the origin or is degenerate, or 6 if there is none.
    """
    for k in range(6):
        i, j, h, n1, n2, n3 = BIPYRAMID[k]
        if add_face(vertices, faces, points, counts, corners[i], corners[j], corners[h], n1, n2, n3) < TINY:
            return k
    return 6


@inline
def in_triangle(v1, v2, v3, p):
    """Return whether point p lies on a triangle."""
    area, c1, c2, c3 = area_weights(v1, v2, v3, p)
    w = (c1 / area, c2 / area, c3 / area)
    if w[0] < 0 or w[1] < 0 or w[2] < 0:
        return False
    q = (
        v1[0] * w[0] + v2[0] * w[1] + v3[0] * w[2],
        v1[1] * w[0] + v2[1] * w[1] + v3[1] * w[2],
        v1[2] * w[0] + v2[2] * w[1] + v3[2] * w[2],
    )
    return norm3(sub3(q, p)) < mjMINVAL


@inline
def same_side(p0, p1, p2, p3):
    """Return whether the origin and p3 are on the same side of a plane."""
    n = cross3(sub3(p1, p0), sub3(p2, p0))
    x, y = dot3(n, sub3(p3, p0)), dot3(n, scale3(p0, -1.0))
    return (x > 0 and y > 0) or (x < 0 and y < 0)


@kernel
def start_triangle(a, b, simplex, vertices, faces, points, candidates, counts):
    """Start from two tetrahedra, on either side of the triangle in rows 0-2 of the simplex. Return False if this fails."""
    counts[NVERT] = counts[NFACE] = counts[NCANDIDATE] = 0
    p1, p2, p3 = point_of(simplex, 0), point_of(simplex, 1), point_of(simplex, 2)
    n = cross3(sub3(p2, p1), sub3(p3, p1))
    length = norm3(n)
    if length < mjMINVAL:
        return False

    # The apexes are the support points along the triangle's normal, in both directions.
    v1, v2, v3 = (
        add_vertex(vertices, counts, simplex, 0),
        add_vertex(vertices, counts, simplex, 1),
        add_vertex(vertices, counts, simplex, 2),
    )
    v5 = add_support(a, b, vertices, counts, scale3(n, -1.0), length)
    v4 = add_support(a, b, vertices, counts, n, length)

    # The apexes must not lie in the triangle.
    if in_triangle(p1, p2, p3, point_of(vertices, v4)) or in_triangle(p1, p2, p3, point_of(vertices, v5)):
        return False
    if add_bipyramid(vertices, faces, points, counts, (v1, v2, v3, v4, v5)) < 6:
        return False
    make_candidates(faces, candidates, counts, 6)
    return True


@inline
def take_triangle(simplex, vertices, v1, v2, v3):
    """Replace the simplex by three vertices of the polytope."""
    r1, r2, r3 = load(vertices, WIDTH * v1, 11), load(vertices, WIDTH * v2, 11), load(vertices, WIDTH * v3, 11)
    store(simplex, 0, r1)
    store(simplex, WIDTH, r2)
    store(simplex, 2 * WIDTH, r3)


@inline
def shortest_axis(d):
    """Return the unit vector along the axis of a vector's smallest component. Its cross product with the vector is the longest
    one."""
    x, y, z = abs(d[0]), abs(d[1]), abs(d[2])
    if z < x and z < y:
        return 0.0, 0.0, 1.0
    if y < x:
        return 0.0, 1.0, 0.0
    return 1.0, 0.0, 0.0


@inline
def third_of_turn(axis):
    """Return the rotation by 120 degrees about an axis of any length (O. Rodrigues, 1840)."""
    n = norm3(axis)
    x, y, z = axis[0] / n, axis[1] / n, axis[2] / n
    c, s = 1 - COS120, SIN120
    return (
        COS120 + x * x * c,
        x * y * c - z * s,
        x * z * c + y * s,
        y * x * c + z * s,
        COS120 + y * y * c,
        y * z * c - x * s,
        x * z * c - y * s,
        y * z * c + x * s,
        COS120 + z * z * c,
    )


@kernel
def start_segment(a, b, simplex, vertices, faces, points, candidates, counts):
    """Start from six faces around the segment in rows 0-1 of the simplex. Return False if this fails.

    The ends of the segment are the apexes of a bipyramid over support points in three directions across the segment.
    """
    counts[NVERT] = counts[NFACE] = counts[NCANDIDATE] = 0
    p1, p2 = point_of(simplex, 0), point_of(simplex, 1)
    d = sub3(p2, p1)
    turn = third_of_turn(d)
    direction = cross3(shortest_axis(d), d)
    v1, v2 = add_vertex(vertices, counts, simplex, 0), add_vertex(vertices, counts, simplex, 1)

    # Find three support points around the segment.
    ring = 0
    for _ in range(3):
        ring = add_support(a, b, vertices, counts, direction, norm3(direction))
        direction = mat_vec3(turn, direction)
    v3, v4, v5 = ring - 2, ring - 1, ring

    # If a face contains the origin, start from that face.
    bad = add_bipyramid(vertices, faces, points, counts, (v3, v4, v5, v1, v2))
    if bad < 6:
        take_triangle(simplex, vertices, faces[FACE * bad], faces[FACE * bad + 1], faces[FACE * bad + 2])
        return start_triangle(a, b, simplex, vertices, faces, points, candidates, counts)
    # The polytope is convex if the segment passes through the triangle of the other three vertices.
    d13, d14, d15 = sub3(point_of(vertices, v3), p1), sub3(point_of(vertices, v4), p1), sub3(point_of(vertices, v5), p1)
    t1, t2, t3 = determinant(d13, d14, d), determinant(d14, d15, d), determinant(d15, d13, d)
    if not ((t1 >= 0 and t2 >= 0 and t3 >= 0) or (t1 <= 0 and t2 <= 0 and t3 <= 0)):
        return False
    make_candidates(faces, candidates, counts, 6)
    return True


@kernel
def start_tetrahedron(a, b, simplex, vertices, faces, points, candidates, counts):
    """Start from the tetrahedron in the four rows of the simplex. If the origin is on one of its faces, start from that
    triangle."""
    counts[NVERT] = counts[NFACE] = counts[NCANDIDATE] = 0
    for k in range(4):
        add_vertex(vertices, counts, simplex, k)
    for k in range(4):
        v1, v2, v3, n1, n2, n3 = TETRAHEDRON[k]
        if add_face(vertices, faces, points, counts, v1, v2, v3, n1, n2, n3) < TINY:
            take_triangle(simplex, vertices, v1, v2, v3)
            return start_triangle(a, b, simplex, vertices, faces, points, candidates, counts)

    # The origin must be inside.
    for k in range(4):
        if not same_side(
            point_of(vertices, k),
            point_of(vertices, (k + 1) & 3),
            point_of(vertices, (k + 2) & 3),
            point_of(vertices, (k + 3) & 3),
        ):
            return False
    make_candidates(faces, candidates, counts, 4)
    return True


@inline
def delete_face(faces, candidates, counts, f):
    """Mark a face as deleted and remove it from the candidates for expansion."""
    place = faces[FACE * f + PLACE]
    if place >= 0:
        counts[NCANDIDATE] -= 1
        last = candidates[counts[NCANDIDATE]]
        candidates[place] = last
        faces[FACE * last + PLACE] = place
    faces[FACE * f + PLACE] = DELETED


@inline
def edge_from(faces, f, vertex):
    """Return which edge of a face starts at a vertex."""
    if faces[FACE * f] == vertex:
        return 0
    return 1 if faces[FACE * f + 1] == vertex else 2


@kernel
def delete_visible(faces, points, candidates, counts, horizon, visits, first, w):
    """Delete all faces visible from point w, beginning with `first`. Write the edges around the resulting hole to `horizon`, in
    order, as (face, edge) pairs.

    The search is depth first. A visit is (face, edge by which it was entered, number of edges done); the first face has three
    edges to cross, the others two.
    """
    n = 0

    delete_face(faces, candidates, counts, first)
    visits[0] = first << 8
    depth = 1
    while depth:
        visit = visits[depth - 1]
        f, entered, done = visit >> 8, (visit >> 4) & 3, visit & 3
        if done == 3:
            depth -= 1
            continue
        visits[depth - 1] = visit + 1
        i = (entered + done) % 3
        other = faces[FACE * f + NEXT + i]
        # The first neighbor of the first face is visited even if it is already deleted.
        if faces[FACE * other + PLACE] == DELETED and done + depth > 1:
            continue

        # Delete a neighbor that is visible from w. The edge to an invisible neighbor is part of the horizon.
        edge = edge_from(faces, other, faces[FACE * f + (i + 1) % 3])
        p = load(points, POINT * other, 3)
        if dot3(p, w) - points[POINT * other + SQUARE] > mjMINVAL:
            delete_face(faces, candidates, counts, other)
            visits[depth] = (other << 8) + (edge << 4) + 1
            depth += 1
        else:
            horizon[2 * n], horizon[2 * n + 1] = other, edge
            n += 1
    counts[NEDGE] = n


@inline
def known_vertex(vertices, k):
    """Return whether an earlier vertex was made from the same two points (one of each shape) as vertex k."""
    i, j = vertices[WIDTH * k + INDEX1], vertices[WIDTH * k + INDEX2]
    for n in range(k):
        if vertices[WIDTH * n + INDEX1] == i and vertices[WIDTH * n + INDEX2] == j:
            return True
    return False


@inline
def nearest_face(candidates, points, count, face):
    """Return (candidate face nearest to the origin, its squared distance), or (the given face, FAR) if there are no
    candidates."""
    least = FAR
    for k in range(count):
        square = points[POINT * candidates[k] + SQUARE]
        if square < least:
            face, least = candidates[k], square
    return face, least


@inline
def room_for(limit):
    """Return the number of memory cells for a polytope of `limit` iterations, or 0 if it fits on the stack."""
    return 0 if limit <= STEPS else WIDTH * (limit + 5) + (POINT + FACE + 2) * 6 * limit + 2 * (limit + 6)


@inline
def expand(a, b, vertices, faces, points, candidates, counts, horizon, visits, tolerance, limit, sound):
    """Expand the polytope. Return the face that contains, approximately, the surface point nearest to the origin, or FAILED."""
    upper = upper_square = FAR
    face, by_vertex = FAILED, discrete(a, b)
    if by_vertex:
        tolerance = mjMINVAL
    most = 6 * max(limit, STEPS)

    for _ in range(limit):
        before = face
        face, lower_square = nearest_face(candidates, points, counts[NCANDIDATE], face)
        if lower_square > upper_square or face == FAILED:
            return before
        if lower_square <= 0:
            return face
        # The support plane along the face's normal bounds the depth from above.
        lower, point = sqrt(lower_square), load(points, POINT * face, 3)
        w = add_support(a, b, vertices, counts, point, lower)
        height = dot3(point, point_of(vertices, w)) / lower
        if height < upper:
            upper, upper_square = height, height * height
        if (height if sound else upper) - lower < tolerance or (by_vertex and known_vertex(vertices, w)):
            return face

        # Replace the faces visible from the new vertex by a fan of triangles around it.
        delete_visible(faces, points, candidates, counts, horizon, visits, face, point_of(vertices, w))
        n, first = counts[NEDGE], counts[NFACE]
        if n < 3:
            return FAILED
        if n > most - first:
            return face
        for k in range(n):
            f, edge = horizon[2 * k], horizon[2 * k + 1]
            v1, v2 = faces[FACE * f + edge], faces[FACE * f + (edge + 1) % 3]
            faces[FACE * f + NEXT + edge] = first + k
            left, right = first + (k - 1 if k > 0 else n - 1), first + (k + 1 if k + 1 < n else 0)
            square = add_face(vertices, faces, points, counts, w, v2, v1, left, f, right)
            if square == 0:
                return FAILED
            if lower_square <= square <= upper_square:
                candidates[counts[NCANDIDATE]] = first + k
                faces[FACE * (first + k) + PLACE] = counts[NCANDIDATE]
                counts[NCANDIDATE] += 1
        if counts[NCANDIDATE] == 0:
            return face
    return face


@kernel
def epa(a, b, simplex, n, witness, far_side, corners, tolerance, limit, room, sound):
    """Return (signed distance of two shapes that touch, outcome FOUND, LOST or NOT_STARTED), given a simplex of 2-4 vertices.

    Writes the nearest points to `witness` and the vertices of the final face to `corners` (three rows), if found. `room` is the
    address of room_for(limit) memory cells. `sound`: compare the lower bound with the current upper bound to end the search;
    otherwise, compare it with the least upper bound so far, as MuJoCo 3.4 does.
    """
    vertices, points, faces, candidates = small(VERTEX_CELLS), small(POINT_CELLS), small_int(FACE_CELLS), small_int(MAX_FACES)
    horizon, visits, counts = small_int(HORIZON_CELLS), small_int(MAX_FACES), small_int(4)
    if limit > STEPS:
        # Arrays that are too large for the stack are placed in `room`, one after the other.
        n_faces = 6 * limit
        vertices, room = array_at(room, WIDTH * (limit + 5)), room + 8 * WIDTH * (limit + 5)
        points, room = array_at(room, POINT * n_faces), room + 8 * POINT * n_faces
        faces, room = longs_at(room, FACE * n_faces), room + 8 * FACE * n_faces
        candidates, room = longs_at(room, n_faces), room + 8 * n_faces
        horizon, room = longs_at(room, 2 * (limit + 6)), room + 16 * (limit + 6)
        visits = longs_at(room, n_faces)

    # Build the initial polytope from the simplex, then expand it.
    if n == 2:
        ready = start_segment(a, b, simplex, vertices, faces, points, candidates, counts)
    elif n == 3:
        ready = start_triangle(a, b, simplex, vertices, faces, points, candidates, counts)
    else:
        ready = start_tetrahedron(a, b, simplex, vertices, faces, points, candidates, counts)
    if not ready:
        return 0.0, NOT_STARTED
    face = expand(a, b, vertices, faces, points, candidates, counts, horizon, visits, tolerance, limit, sound)
    if face == FAILED:
        return 0.0, LOST

    # Convert the point of the final face that is nearest to the origin to points of both shapes.
    for k in range(3):
        store(corners, WIDTH * k, load(vertices, WIDTH * faces[FACE * face + k], 11))
    v1, v2, v3 = point_of(corners, 0), point_of(corners, 1), point_of(corners, 2)
    area, c1, c2, c3 = area_weights(v1, v2, v3, load(points, POINT * face, 3))
    w = (c1 / area, c2 / area, c3 / area)
    store(witness, 0, mix3(w, load(corners, POINT1, 3), load(corners, WIDTH + POINT1, 3), load(corners, 2 * WIDTH + POINT1, 3)))
    store(
        witness,
        far_side,
        mix3(w, load(corners, POINT2, 3), load(corners, WIDTH + POINT2, 3), load(corners, 2 * WIDTH + POINT2, 3)),
    )
    return -sqrt(points[POINT * face + SQUARE]), FOUND
