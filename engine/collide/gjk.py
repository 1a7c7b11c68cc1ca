r"""Distance of two convex shapes by GJK, on the shape blocks of geom.support.

The distance of shapes A and B is the distance of the origin o to their Minkowski difference A - B, of which only support points
are known. A simplex of one to four support points approaches the origin step by step. x is its point nearest to the origin; s,
the support point in direction -x, becomes its next vertex. Vertices that the new nearest point does not depend on are dropped.

          ___________                   x . (x - s), the duality gap, bounds the error of x: a small gap ends the search;
         /           \                  x . s > 0: the plane through s normal to x separates o from A - B: shapes are apart
        /    A - B    x - - - o
        \            /                  o inside a tetrahedron: the shapes overlap
         \________ s/

Sources: E. Gilbert, D. Johnson, S. Keerthi, A fast procedure for computing the distance between complex objects, 1988; nearest
point of a simplex by signed volumes: M. Montanari, N. Petrinic, E. Barbieri, Improving the GJK algorithm for faster and more
reliable distance queries, 2017. A simplex vertex is a row of 11 numbers: point of the difference, point of either shape, vertex
number in either shape.
"""

from math import sqrt

from ..geom.support import BOX, KIND, MARGIN, MESH, POS, PRISM, SIMPLEX, VERTEX, integers, numbers, support
from ..machine.jit import inline, kernel
from ..machine.lang import load, small, small_int, store
from ..math.vec import add_scaled3, coordinate3, cross3, dot3, scale3, sub3
from ..tables.consts import mjMAXVAL, mjMINVAL

WIDTH, POINT1, POINT2, INDEX1, INDEX2 = 11, 3, 6, 9, 10
# cells for eight vertices: a simplex has at most four, and `search_origin` needs four more as scratch
SIMPLEX_CELLS = 8 * WIDTH
TINY, HUGE = mjMINVAL * mjMINVAL, mjMAXVAL * mjMAXVAL
FAR = 1.7976931348623157e308  # distance of shapes beyond the cutoff
INSIDE, OUTSIDE, UNKNOWN = 1, 0, -1
# vertices of a tetrahedron's faces; face k is opposite to vertex k; all have the same orientation
OPPOSITE = ((2, 1, 3), (0, 2, 3), (1, 0, 3), (0, 1, 2))


@inline
def discrete(a, b):
    """Return True if both shapes have finitely many support points, which guarantees that searches end."""
    i, j = integers(a)[KIND], integers(b)[KIND]
    return (
        numbers(a)[MARGIN] == 0
        and numbers(b)[MARGIN] == 0
        and (i == MESH or i == BOX or i == PRISM)
        and (j == MESH or j == BOX or j == PRISM)
    )


@inline
def support_with_margin(shape, direction):
    point = support(shape, direction)
    margin = numbers(shape)[MARGIN]
    if margin > 0 and integers(shape)[KIND] != SIMPLEX:
        point = add_scaled3(point, direction, 0.5 * margin)
    return point


@kernel
def support_difference(a, b, vertices, k, direction):
    """Write vertex k of the simplex, and return it: the point of the Minkowski difference a - b that is farthest in a
    direction."""
    p = support_with_margin(a, direction)
    q = support_with_margin(b, scale3(direction, -1.0))
    v = sub3(p, q)
    store(
        vertices,
        WIDTH * k,
        (v[0], v[1], v[2], p[0], p[1], p[2], q[0], q[1], q[2], float(integers(a)[VERTEX]), float(integers(b)[VERTEX])),
    )
    return v


@inline
def determinant(a, b, c):
    """Return the determinant of the matrix with columns a, b, c."""
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])


@inline
def same_sign(a, b):
    return (a > 0 and b > 0) or (a < 0 and b < 0)


@inline
def segment_weights(s1, s2, sound):
    """Return the barycentric coordinates of the point of a segment that is nearest to the origin; see `gjk` for `sound`."""
    dif = sub3(s2, s1)
    if sound:
        t = dot3(s2, dif) / dot3(dif, dif)
        return (t, 1.0 - t) if 0 < t < 1 else (0.0, 1.0)
    p = add_scaled3(s2, dif, -(dot3(s2, dif) / dot3(dif, dif)))
    # Compute the weights from the coordinate in which the segment is longest.
    span, c1, c2 = s1[0] - s2[0], p[0] - s2[0], s1[0] - p[0]
    if abs(s1[1] - s2[1]) >= abs(span):
        span, c1, c2 = s1[1] - s2[1], p[1] - s2[1], s1[1] - p[1]
    if abs(s1[2] - s2[2]) >= abs(span):
        span, c1, c2 = s1[2] - s2[2], p[2] - s2[2], s1[2] - p[2]
    if same_sign(span, c1) and same_sign(span, c2):
        return c1 / span, c2 / span
    return 0.0, 1.0


@inline
def project_on_plane(v1, v2, v3):
    """Return (projection of the origin on a triangle's plane, whether it exists). A degenerate triangle has no plane."""
    d21, d31, d32 = sub3(v2, v1), sub3(v3, v1), sub3(v3, v2)
    n = cross3(d32, d21)
    nv, nn = dot3(n, v2), dot3(n, n)
    if nn == 0:
        return n, False
    if nv == 0 or nn <= mjMINVAL:
        n = cross3(d21, d31)
        nv, nn = dot3(n, v1), dot3(n, n)
        if nn == 0:
            return n, False
        if nv == 0 or nn <= mjMINVAL:
            n = cross3(d31, d32)
            nv, nn = dot3(n, v3), dot3(n, n)
    return scale3(n, nv / nn), True


@inline
def area_weights(v1, v2, v3, p):
    """Return twice the signed areas of a triangle, and of the three triangles that its edges form with a point p of its plane.

    Areas are measured in the coordinate plane where the triangle is largest.
    """
    a = v2[1] * v3[2] - v2[2] * v3[1] - v1[1] * v3[2] + v1[2] * v3[1] + v1[1] * v2[2] - v1[2] * v2[1]
    b = v2[0] * v3[2] - v2[2] * v3[0] - v1[0] * v3[2] + v1[2] * v3[0] + v1[0] * v2[2] - v1[2] * v2[0]
    c = v2[0] * v3[1] - v2[1] * v3[0] - v1[0] * v3[1] + v1[1] * v3[0] + v1[0] * v2[1] - v1[1] * v2[0]
    if abs(a) >= abs(b) and abs(a) >= abs(c):
        area, x1, x2, x3, xp, y1, y2, y3, yp = a, v1[1], v2[1], v3[1], p[1], v1[2], v2[2], v3[2], p[2]
    elif abs(b) >= abs(c):
        area, x1, x2, x3, xp, y1, y2, y3, yp = b, v1[0], v2[0], v3[0], p[0], v1[2], v2[2], v3[2], p[2]
    else:
        area, x1, x2, x3, xp, y1, y2, y3, yp = c, v1[0], v2[0], v3[0], p[0], v1[1], v2[1], v3[1], p[1]
    return (
        area,
        xp * y2 + yp * x3 + x2 * y3 - xp * y3 - yp * x2 - x3 * y2,
        xp * y3 + yp * x1 + x3 * y1 - xp * y1 - yp * x3 - x1 * y3,
        xp * y1 + yp * x2 + x1 * y2 - xp * y2 - yp * x1 - x2 * y1,
    )


@inline
def pick(a, i, j):
    """Return coordinates i and j of a vector."""
    return coordinate3(a, i), coordinate3(a, j)


@inline
def turned_area(a, b):
    """Return twice the signed area of the triangle spanned by two vectors in a plane."""
    return a[0] * b[1] - a[1] * b[0]


@inline
def exact_area_weights(v1, v2, v3, p):
    """Return the same as `area_weights`, but computed from differences of points, which is precise for small triangles far from
    the origin."""
    d2, d3 = sub3(v2, v1), sub3(v3, v1)
    n = cross3(d2, d3)
    i, j = 0, 1
    if abs(n[0]) >= abs(n[1]) and abs(n[0]) >= abs(n[2]):
        i, j = 1, 2
    elif abs(n[1]) >= abs(n[2]):
        i, j = 0, 2
    e1, e2, e3 = sub3(v1, p), sub3(v2, p), sub3(v3, p)
    f1, f2, f3 = pick(e1, i, j), pick(e2, i, j), pick(e3, i, j)
    return (
        turned_area(pick(d2, i, j), pick(d3, i, j)),
        turned_area(f2, f3),
        turned_area(f3, f1),
        turned_area(f1, f2),
    )


@inline
def mix3(w, a, b, c):
    """Return the weighted sum of three points."""
    return (
        w[0] * a[0] + w[1] * b[0] + w[2] * c[0],
        w[0] * a[1] + w[1] * b[1] + w[2] * c[1],
        w[0] * a[2] + w[1] * b[2] + w[2] * c[2],
    )


@inline
def nearest_on_edge(a, b, sound):
    """Return (squared distance of a segment from the origin, two barycentric coordinates of its nearest point)."""
    wa, wb = segment_weights(a, b, sound)
    x = (wa * a[0] + wb * b[0], wa * a[1] + wb * b[1], wa * a[2] + wb * b[2])
    return dot3(x, x), wa, wb


@kernel
def triangle_weights(s1, s2, s3, sound):
    """Return the barycentric coordinates of the point of a triangle that is nearest to the origin; see `gjk` for `sound`."""
    p, proper = project_on_plane(s1, s2, s3)
    in1 = in2 = in3 = False
    if proper:
        area, c1, c2, c3 = exact_area_weights(s1, s2, s3, p) if sound else area_weights(s1, s2, s3, p)
        in1, in2, in3 = same_sign(area, c1), same_sign(area, c2), same_sign(area, c3)
        if in1 and in2 and in3:
            return c1 / area, c2 / area, c3 / area
    # The projection is outside: take the nearest edge with it on the outer side. A degenerate triangle uses edge s1-s2.
    least, result = FAR, (0.0, 0.0, 0.0)
    if proper and not in1:
        least, wa, wb = nearest_on_edge(s2, s3, sound)
        result = (0.0, wa, wb)
    if proper and not in2:
        square, wa, wb = nearest_on_edge(s1, s3, sound)
        if square < least:
            least, result = square, (wa, 0.0, wb)
    if not in3:
        square, wa, wb = nearest_on_edge(s1, s2, sound)
        if square < least or not proper:
            result = (wa, wb, 0.0)
    return result


@inline
def nearest_on_face(a, b, c, sound):
    """Return (squared distance of a triangle from the origin, barycentric coordinates of its nearest point)."""
    w = triangle_weights(a, b, c, sound)
    x = mix3(w, a, b, c)
    return dot3(x, x), w


@inline
def tetrahedron_weights(s1, s2, s3, s4, sound):
    """Return the barycentric coordinates of the point of a tetrahedron that is nearest to the origin; see `gjk` for `sound`."""
    c1, c2, c3, c4 = -determinant(s2, s3, s4), determinant(s1, s3, s4), -determinant(s1, s2, s4), determinant(s1, s2, s3)
    volume = c1 + c2 + c3 + c4
    in1, in2, in3, in4 = same_sign(volume, c1), same_sign(volume, c2), same_sign(volume, c3), same_sign(volume, c4)
    if in1 and in2 and in3 and in4:
        return c1 / volume, c2 / volume, c3 / volume, c4 / volume

    # The origin is outside the tetrahedron: take the nearest face that has the origin on its outer side.
    least, result = FAR, (0.0, 0.0, 0.0, 0.0)
    if not in1:
        least, w = nearest_on_face(s2, s3, s4, sound)
        result = (0.0, w[0], w[1], w[2])
    if not in2:
        square, w = nearest_on_face(s1, s3, s4, sound)
        if square < least:
            least, result = square, (w[0], 0.0, w[1], w[2])
    if not in3:
        square, w = nearest_on_face(s1, s2, s4, sound)
        if square < least:
            least, result = square, (w[0], w[1], 0.0, w[2])
    if not in4:
        square, w = nearest_on_face(s1, s2, s3, sound)
        if square < least:
            # Before 4.0, the fourth weight keeps its old value if the last face is the nearest. Near-degenerate contacts depend
            # on this.
            result = (w[0], w[1], w[2], 0.0 if sound else result[3])
    return result


@kernel
def simplex_weights(simplex, n, weights, sound):
    """Write the barycentric coordinates of the simplex's point nearest to the origin. They are zero for vertices that are not
    needed."""
    s1, s2, s3, s4 = load(simplex, 0, 3), load(simplex, WIDTH, 3), load(simplex, 2 * WIDTH, 3), load(simplex, 3 * WIDTH, 3)
    if n == 4:
        store(weights, 0, tetrahedron_weights(s1, s2, s3, s4, sound))
    elif n == 3:
        w = triangle_weights(s1, s2, s3, sound)
        store(weights, 0, (w[0], w[1], w[2], 0.0))
    elif n == 2:
        wa, wb = segment_weights(s1, s2, sound)
        store(weights, 0, (wa, wb, 0.0, 0.0))
    else:
        store(weights, 0, (1.0, 0.0, 0.0, 0.0))


@inline
def combine(weights, n, simplex, column):
    """Return the weighted sum of the points in the simplex's rows. The points start at column 0, POINT1 or POINT2."""
    x = scale3(load(simplex, column, 3), weights[0])
    for k in range(1, n):
        x = add_scaled3(x, load(simplex, WIDTH * k + column, 3), weights[k])
    return x


@kernel
def search_origin(a, b, simplex, k, limit, witness):
    """Move a tetrahedron towards the origin; return (position of the origin: INSIDE, OUTSIDE or UNKNOWN; number of iterations).
    Outside, the normal of a separating plane is written to `witness`.

    Each step replaces the vertex opposite to the nearest face that has the origin on its outer side. Rows 4-7 of the
    simplex are scratch. If the origin is inside, rows 0-3 hold the tetrahedron around it.
    """
    order, heights, normals = small_int(4), small(4), small(12)
    for i in range(4):
        order[i] = 4 + i
        store(simplex, WIDTH * (4 + i), load(simplex, WIDTH * i, 11))

    # Compute the heights of the four faces over the origin.
    while k < limit:
        on_face = False
        for i in range(4):
            r, s, t = OPPOSITE[i]
            p = load(simplex, WIDTH * order[r], 3)
            n = cross3(sub3(load(simplex, WIDTH * order[t], 3), p), sub3(load(simplex, WIDTH * order[s], 3), p))
            square = dot3(n, n)
            height = FAR
            if square > TINY and square < HUGE:
                n = scale3(n, 1 / sqrt(square))
                height = dot3(n, p)
            store(normals, 3 * i, n)
            heights[i] = height
            on_face = on_face or height == 0
        if on_face:
            return UNKNOWN, k

        # The origin is inside if it is on the inner side of every face.
        i = 0 if heights[0] < heights[1] else 1
        j = 2 if heights[2] < heights[3] else 3
        lowest = i if heights[i] < heights[j] else j
        if heights[lowest] > 0:
            for i in range(4):
                store(simplex, WIDTH * i, load(simplex, WIDTH * order[i], 11))
            return INSIDE, k

        # Replace the vertex opposite to the nearest face.
        normal = load(normals, 3 * lowest, 3)
        if dot3(normal, support_difference(a, b, simplex, order[lowest], normal)) < 0:
            store(witness, 0, scale3(normal, -1.0))
            return OUTSIDE, k
        # Keep the orientation of the tetrahedron.
        i, j = (lowest + 1) & 3, (lowest + 2) & 3
        order[i], order[j] = order[j], order[i]
        k += 1
    return UNKNOWN, k


@inline
def drop_unneeded(simplex, weights):
    """Move the vertices with nonzero weights to the front and drop the others; return the number of vertices kept."""
    n = 0
    for i in range(4):
        if weights[i] != 0:
            if n < i:
                store(simplex, WIDTH * n, load(simplex, WIDTH * i, 11))
                weights[n] = weights[i]
            n += 1
    return n


@inline
def finish(a, b, simplex, n, weights, x, length, witness, far_side, sound):
    """End `gjk` at a point x with n simplex vertices: write the nearest points of both shapes, and return its results."""
    # The plane through the last point may separate the shapes, although they are within the tolerance.
    apart = False
    if sound and length > 0:
        apart = dot3(x, support_difference(a, b, simplex, n, scale3(x, -1 / length))) > 0
    if n == 4 and not apart:
        length = 0.0

    # Compute the nearest points of both shapes from the weights.
    if n == 0:
        # The centers coincide, so they are the nearest points.
        store(witness, 0, load(numbers(a), POS, 3))
        store(witness, far_side, load(numbers(b), POS, 3))
        return length, n, apart
    store(witness, 0, combine(weights, n, simplex, POINT1))
    store(witness, far_side, combine(weights, n, simplex, POINT2))
    return length, n, apart


@kernel
def gjk(a, b, simplex, weights, witness, far_side, cutoff, tolerance, limit, sound):
    """Return (distance of two shapes, number of simplex vertices, whether the shapes are known to be apart).

    Distances above the cutoff are FAR. With cutoff 0, only contact matters, and the distance of shapes that are apart is FAR.
    If a distance is found, the nearest points are written to `witness`: of shape a at index 0, of shape b at `far_side`. If it
    is FAR, the normal of a separating plane is written to index 0, pointing from b to a.

    The search starts at the centers. Unless `sound`, two things are as in MuJoCo 3.4. A weight that should be zero may keep its
    old value when the last face of a tetrahedron is the nearest, so the distance of some shapes that are apart is 0. And the
    search ends when its point no longer moves, rather than when the point's distance stays the same or is within the tolerance.
    """
    contact_only = not cutoff > 0
    walk = contact_only and not sound
    epsilon = 0.0 if discrete(a, b) else 0.5 * tolerance * tolerance
    x = sub3(load(numbers(a), POS, 3), load(numbers(b), POS, 3))
    store(weights, 0, (1.0, 0.0, 0.0, 0.0))
    n, k, length, before = 0, 0, 0.0, 0.0
    enough = mjMINVAL if epsilon == 0 else tolerance

    while k < limit:
        length = dot3(x, x)
        if not sound and length < TINY:
            break
        length = sqrt(length)
        if sound and k == 0 and length < enough:
            # the centers coincide: any direction will do
            x, length = (1.0, 0.0, 0.0), 1.0
        if sound and (length < enough or abs(before - length) < mjMINVAL):
            break
        before = length
        s = support_difference(a, b, simplex, n, scale3(scale3(x, 1 / length), -1.0))
        # The duality gap bounds the error of x.
        if dot3(x, sub3(x, s)) < epsilon:
            if k == 0:
                n = 1
            break

        # Stop if a plane separates the origin from the Minkowski difference, at a distance of at least the cutoff.
        xs = dot3(x, s)
        if contact_only:
            if xs > 0:
                store(witness, 0, x)
                return FAR, 0, True
        elif cutoff < FAR and xs > 0 and xs * xs / dot3(x, x) >= cutoff * cutoff:
            store(witness, 0, x)
            return FAR, 0, True

        # If the caller only asks whether the shapes touch, move the tetrahedron (once there is one) towards the origin.
        if n == 3 and walk:
            found, k = search_origin(a, b, simplex, k, limit, witness)
            if found == INSIDE:
                return 0.0, 4, False
            if found == OUTSIDE:
                return FAR, 0, True
            walk = False

        # Find the simplex's nearest point, and keep only the vertices that it depends on.
        simplex_weights(simplex, n + 1, weights, sound)
        n = drop_unneeded(simplex, weights)
        if n < 1:
            store(witness, 0, x)
            return FAR, 0, True

        y = combine(weights, n, simplex, 0)
        if not sound and abs(y[0] - x[0]) < mjMINVAL and abs(y[1] - x[1]) < mjMINVAL and abs(y[2] - x[2]) < mjMINVAL:
            break
        x = y
        if n == 4:
            length = sqrt(dot3(x, x)) if sound else 0.0
            break
        if sound:
            # the iteration limit may end the search here, so update the distance
            length = sqrt(dot3(x, x))
        k += 1

    return finish(a, b, simplex, n, weights, x, length, witness, far_side, sound)
