r"""Penetration of two convex shapes by Minkowski portal refinement (MPR), used when the flag `nativeccd` is off.

A portal consists of a center c inside the Minkowski difference (row 0) and a triangle of support points (rows 1-3). The ray
from c through the origin o passes through this triangle. The support point s along the portal's normal (row 4) replaces one of
the three, such that the ray also passes through the new triangle. This repeats until the portal is at the surface. The shapes
overlap if o and c are on the same side of the triangle.

            1
            |\           seen in the plane of c, 1 and 2; row 3 is in front of it
            | \
     c -- o-|--s- - >    rows as in `gjk`, without the vertex numbers
            | /
            |/
            2

Source: G. Snethen, XenoCollide: complex collision made simple, Game Programming Gems 7, 2008; tolerances as in libccd.
"""

from math import sqrt

import numpy as np

from ..geom.support import (
    BOX,
    CAPSULE,
    COUNT,
    CYLINDER,
    DATA,
    ELLIPSOID,
    GRAPH,
    KIND,
    LOCAL,
    MARGIN,
    MAT,
    POS,
    PRISM,
    SIMPLEX,
    SIZE,
    SPHERE,
    climb_hull,
    dot_vertex,
    farthest_vertex,
    integers,
    numbers,
    support,
    to_world,
)
from ..machine.jit import inline, kernel, stage
from ..machine.lang import floats_at, ints_at, load, small, store
from ..math.vec import add3, add_scaled3, clip, cross3, distance3, dot3, mat_t_vec3, mat_vec3, norm3, scale3, sub3, unit3
from ..tables.consts import mjMINVAL
from ..tables.geom_rows import FIRST_OF_OURS, OURS
from .gjk import POINT1, POINT2, WIDTH

EPS = 2.220446049250313e-16
# rows of a portal: the center, the corners of a triangle, and the support point that will replace one corner
PORTAL_CELLS = 5 * WIDTH
MAX_ITERATIONS = 10000  # the search stops if the portal is not closed after this many iterations
SURFACE_ITERATIONS, SURFACE_TOLERANCE = 30, 1e-6  # limits of the searches for an ellipsoid's normal
APART, OPEN, AT_POINT, ON_SEGMENT = -1, 0, 1, 2
PLACE, DIRECTION = 0, 3  # results in `witness`


@inline
def is_zero(x):
    return abs(x) < EPS


@inline
def equal(a, b):
    dif = abs(a - b)
    return dif < EPS or dif < EPS * max(abs(a), abs(b))


@inline
def is_origin(v):
    return equal(v[0], 0.0) and equal(v[1], 0.0) and equal(v[2], 0.0)


@inline
def normalised(v):
    """Return a unit vector; its components are NaN if the vector is zero."""
    return scale3(v, 1.0 / sqrt(dot3(v, v)))


@inline
def sign(x):
    if x > 0:
        return 1.0
    return -1.0 if x < 0 else 0.0


@kernel
def local_support(shape, v):
    """Return a geom's support point in the geom's frame. For a direction along an axis, this is the middle of an edge or
    face."""
    ints, size = integers(shape), load(numbers(shape), SIZE, 3)
    kind = ints[KIND]

    # These shapes have closed formulas.
    if kind == SPHERE:
        return scale3(v, size[0])
    if kind == CAPSULE:
        return v[0] * size[0], v[1] * size[0], v[2] * size[0] + sign(v[2]) * size[1]
    if kind == ELLIPSOID:
        u, _ = unit3((v[0] * size[0], v[1] * size[1], v[2] * size[2]))
        return u[0] * size[0], u[1] * size[1], u[2] * size[2]
    if kind == CYLINDER:
        length = sqrt(v[0] * v[0] + v[1] * v[1])
        if length > mjMINVAL:
            return v[0] / length * size[0], v[1] / length * size[0], sign(v[2]) * size[1]
        return 0.0, 0.0, sign(v[2]) * size[1]
    if kind == BOX:
        return sign(v[0]) * size[0], sign(v[1]) * size[1], sign(v[2]) * size[2]

    # Search the vertices of a mesh, along its hull or one by one.
    vertices = floats_at(ints[DATA], 3 * ints[COUNT])
    if ints[GRAPH]:
        graph = ints_at(ints[GRAPH], 1 << 40)
        first = 2 + graph[0]
        start = max(ints[LOCAL], 0)
        ints[LOCAL] = climb_hull(vertices, graph, start, dot_vertex(vertices, graph[first + start], v), v)
        k = 3 * graph[first + ints[LOCAL]]
    else:
        k = 3 * farthest_vertex(vertices, ints[COUNT], -1, v)
    return np.float64(vertices[k]), np.float64(vertices[k + 1]), np.float64(vertices[k + 2])


@kernel
def support_of(shape, direction):
    """Return the support point, in world coordinates, of a shape enlarged by half its margin."""
    block, kind = numbers(shape), integers(shape)[KIND]
    if kind == PRISM or kind == SIMPLEX:
        return support(shape, direction)
    if OURS and kind >= FIRST_OF_OURS:
        # All support points are equally good: return any one.
        return add_scaled3(support(shape, direction), direction, block[MARGIN] / 2)
    mat = load(block, MAT, 9)
    v = mat_t_vec3(mat, direction)
    return to_world(load(block, POS, 3), mat, add3(local_support(shape, v), scale3(v, block[MARGIN] / 2)))


@kernel
def put_support(a, b, portal, k, direction):
    """Write row k of the portal: the support point of the Minkowski difference in a direction. Return the point."""
    p, q = support_of(a, direction), support_of(b, scale3(direction, -1.0))
    v = sub3(p, q)
    store(portal, WIDTH * k, (v[0], v[1], v[2], p[0], p[1], p[2], q[0], q[1], q[2]))
    return v


@inline
def copy_row(portal, target, source):
    store(portal, WIDTH * target, load(portal, WIDTH * source, 9))


@inline
def row(portal, k):
    return load(portal, WIDTH * k, 3)


@kernel
def outward(portal):
    """Return the unit normal of the portal that points away from its center."""
    v1 = row(portal, 1)
    return normalised(cross3(sub3(row(portal, 2), v1), sub3(row(portal, 3), v1)))


@kernel
def find_portal(a, b, portal):
    """Find the initial portal. Return OPEN if it was found, APART if the shapes are apart, AT_POINT if the origin is on row 1,
    or ON_SEGMENT if it is between rows 0 and 1."""
    p, q = load(numbers(a), POS, 3), load(numbers(b), POS, 3)
    v0 = sub3(p, q)
    if is_origin(v0):
        v0 = (v0[0] + EPS * 10.0, v0[1], v0[2])
    store(portal, 0, (v0[0], v0[1], v0[2], p[0], p[1], p[2], q[0], q[1], q[2]))

    # Point 1 lies towards the origin as seen from the center, point 2 perpendicular to the plane of center, origin and point 1.
    direction = normalised(scale3(v0, -1.0))
    v1 = put_support(a, b, portal, 1, direction)
    x = dot3(v1, direction)
    if is_zero(x) or x < 0:
        return APART
    direction = cross3(v0, v1)
    if is_zero(dot3(direction, direction)):
        return AT_POINT if is_origin(v1) else ON_SEGMENT
    direction = normalised(direction)
    x = dot3(put_support(a, b, portal, 2, direction), direction)
    if is_zero(x) or x < 0:
        return APART
    direction = normalised(cross3(sub3(row(portal, 1), v0), sub3(row(portal, 2), v0)))
    if dot3(direction, v0) > 0:
        # Orient the triangle away from the center.
        copy_row(portal, 4, 1)
        copy_row(portal, 1, 2)
        copy_row(portal, 2, 4)
        direction = scale3(direction, -1.0)

    # Find a third point so that the ray from the center through the origin passes through the triangle.
    for _ in range(MAX_ITERATIONS):
        v3 = put_support(a, b, portal, 3, direction)
        x = dot3(v3, direction)
        if is_zero(x) or x < 0:
            return APART
        # The ray must pass between the new point and both of the others; otherwise, replace one of the others.
        x, y = dot3(cross3(row(portal, 1), v3), v0), dot3(cross3(v3, row(portal, 2)), v0)
        if x < 0 and not is_zero(x):
            copy_row(portal, 2, 3)
        elif y < 0 and not is_zero(y):
            copy_row(portal, 1, 3)
        else:
            return OPEN
        direction = normalised(cross3(sub3(row(portal, 1), v0), sub3(row(portal, 2), v0)))
    return APART


@inline
def expand(portal):
    """Replace one corner of the portal by the support point, so that the ray to the origin still passes through the portal."""
    side = cross3(row(portal, 4), row(portal, 0))
    if dot3(row(portal, 1), side) > 0:
        copy_row(portal, 1 if dot3(row(portal, 2), side) > 0 else 3, 4)
    else:
        copy_row(portal, 2 if dot3(row(portal, 3), side) > 0 else 1, 4)


@inline
def at_surface(portal, direction, tolerance):
    """Return True if the support point is farther out than the portal by at most the tolerance."""
    far = dot3(row(portal, 4), direction)
    gain = min(
        min(far - dot3(row(portal, 1), direction), far - dot3(row(portal, 2), direction)), far - dot3(row(portal, 3), direction)
    )
    return equal(gain, tolerance) or gain < tolerance


@kernel
def contains_origin(a, b, portal, tolerance):
    """Refine the portal outwards until the origin is on its inner side. Return False if this fails."""
    for _ in range(MAX_ITERATIONS):
        direction = outward(portal)
        x = dot3(direction, row(portal, 1))
        if is_zero(x) or x > 0:
            return True
        x = dot3(put_support(a, b, portal, 4, direction), direction)
        if not (is_zero(x) or x > 0) or at_surface(portal, direction, tolerance):
            return False
        expand(portal)
    return False


@inline
def nearest_on_segment(p, q):
    """Return (squared distance of segment pq from the origin, point of the segment nearest to the origin)."""
    d = sub3(q, p)
    t = -dot3(p, d) / dot3(d, d)
    if t < 0 or is_zero(t):
        point = p
    elif t > 1 or equal(t, 1.0):
        point = q
    else:
        point = add3(scale3(d, t), p)
    return dot3(point, point), point


@kernel
def nearest_on_triangle(x, b, c):
    """Return (squared distance of triangle xbc from the origin, point of the triangle nearest to the origin).

    The point is x + s (b - x) + t (c - x), or a point of an edge.
    """
    d1, d2 = sub3(b, x), sub3(c, x)
    v, w, p, q, r = dot3(d1, d1), dot3(d2, d2), dot3(x, d1), dot3(x, d2), dot3(d1, d2)
    det = w * v - r * r
    s = t = -1.0
    if not is_zero(det):
        s = (q * r - w * p) / det
        t = (-s * r - q) / w

    inside = (
        (is_zero(s) or s > 0)
        and (equal(s, 1.0) or s < 1)
        and (is_zero(t) or t > 0)
        and (equal(t, 1.0) or t < 1)
        and (equal(t + s, 1.0) or t + s < 1)
    )
    if inside:
        point = add3(add3(x, scale3(d1, s)), scale3(d2, t))
        return dot3(point, point), point

    # The projection is outside the triangle: return the nearest point of its three edges.
    square, point = nearest_on_segment(x, b)
    other, candidate = nearest_on_segment(x, c)
    if other < square:
        square, point = other, candidate
    other, candidate = nearest_on_segment(b, c)
    if other < square:
        square, point = other, candidate
    return square, point


@kernel
def contact_place(portal):
    """Return the contact point between both shapes: the point that corresponds to the origin."""
    v0, v1, v2, v3 = row(portal, 0), row(portal, 1), row(portal, 2), row(portal, 3)
    # The weight of a row is the volume of the tetrahedron that the origin forms with the other three rows.
    # For a flat portal, weights are areas of triangles.
    w = (dot3(cross3(v1, v2), v3), dot3(cross3(v3, v2), v0), dot3(cross3(v0, v1), v3), dot3(cross3(v2, v1), v0))
    total = w[0] + w[1] + w[2] + w[3]
    if is_zero(total) or total < 0:
        direction = outward(portal)
        w = (0.0, dot3(cross3(v2, v3), direction), dot3(cross3(v3, v1), direction), dot3(cross3(v1, v2), direction))
        total = w[1] + w[2] + w[3]
    p = q = (0.0, 0.0, 0.0)
    for k in range(4):
        p = add_scaled3(p, load(portal, WIDTH * k + POINT1, 3), w[k])
        q = add_scaled3(q, load(portal, WIDTH * k + POINT2, 3), w[k])
    s = 1.0 / total
    return scale3(add3(scale3(p, s), scale3(q, s)), 0.5)


@stage("iMDiif")
def mpr(m, d, a, b, cutoff):
    """reads shape blocks at addresses a and b; writes ccd_dist and, in `witness`, the contact's position and direction.

    Returns 1 for a contact with a direction, 0 otherwise. The cutoff is not used.
    """
    portal, witness = small(PORTAL_CELLS), d.witness
    tolerance = m.opt.ccd_tolerance
    state = find_portal(a, b, portal)
    if state == APART or state == AT_POINT:
        return 0

    # If the origin is between the center and point 1, the contact direction is known.
    if state == ON_SEGMENT:
        v1 = row(portal, 1)
        place, direction, depth = (
            scale3(add3(load(portal, WIDTH + POINT1, 3), load(portal, WIDTH + POINT2, 3)), 0.5),
            normalised(v1),
            norm3(v1),
        )
    else:
        if not contains_origin(a, b, portal, tolerance):
            return 0

        # Otherwise, push the portal to the surface of the Minkowski difference, and take its point nearest to the origin.
        iterations = 0
        while True:
            direction = outward(portal)
            put_support(a, b, portal, 4, direction)
            if at_surface(portal, direction, tolerance) or iterations > m.opt.ccd_iterations:
                break
            expand(portal)
            iterations += 1
        square, direction = nearest_on_triangle(row(portal, 1), row(portal, 2), row(portal, 3))
        depth = sqrt(square)
        if is_zero(depth):
            return 0
        direction, place = normalised(direction), contact_place(portal)

    if is_origin(direction):
        return 0
    d.ccd_dist = -depth
    store(witness, PLACE, place)
    store(witness, DIRECTION, direction)
    return 1


@inline
def ellipsoid_normal_inside(normal, p, size):
    """Find the surface point of an ellipsoid where a ray from inside leaves along the normal. Return (whether it was found,
    normal at this point).

    Each normal is the direction of the next ray, until the normal no longer changes.
    """
    s = (1 / (size[0] * size[0]), 1 / (size[1] * size[1]), 1 / (size[2] * size[2]))
    c = p[0] * p[0] * s[0] + p[1] * p[1] * s[1] + p[2] * p[2] * s[2] - 1
    if c > 0:
        return False, normal
    normal, _ = unit3(normal)

    # Find the point where the ray leaves, and compute the normal there.
    for k in range(SURFACE_ITERATIONS):
        a = normal[0] * normal[0] * s[0] + normal[1] * normal[1] * s[1] + normal[2] * normal[2] * s[2]
        b = p[0] * normal[0] * s[0] + p[1] * normal[1] * s[1] + p[2] * normal[2] * s[2]
        det = b * b - a * c
        if det < mjMINVAL or a < mjMINVAL:
            return k > 0, normal
        x = (-b + sqrt(det)) / a
        if x < 0:
            return k > 0, normal
        q = add_scaled3(p, normal, x)
        fresh, _ = unit3((q[0] * s[0], q[1] * s[1], q[2] * s[2]))
        change = distance3(normal, fresh)
        normal = fresh
        if change < SURFACE_TOLERANCE:
            break
    return True, normal


@inline
def ellipsoid_normal_outside(p, size):
    """Return the normal at the surface point of an ellipsoid that is nearest to an outside point. Newton's method finds the
    Lagrange multiplier."""
    s = (size[0] * size[0], size[1] * size[1], size[2] * size[2])
    w = (p[0] * p[0] * s[0], p[1] * p[1] * s[1], p[2] * p[2] * s[2])
    x = 0.0
    for _ in range(SURFACE_ITERATIONS):
        r = (1 / (s[0] + x), 1 / (s[1] + x), 1 / (s[2] + x))
        value = w[0] * r[0] * r[0] + w[1] * r[1] * r[1] + w[2] * r[2] * r[2] - 1
        slope = -2 * (w[0] * r[0] * r[0] * r[0] + w[1] * r[1] * r[1] * r[1] + w[2] * r[2] * r[2] * r[2])
        if value < SURFACE_TOLERANCE or slope > -mjMINVAL or -value / slope < SURFACE_TOLERANCE:
            break
        x += -value / slope
    normal, _ = unit3((p[0] / (s[0] + x), p[1] / (s[1] + x), p[2] / (s[2] + x)))
    return normal


@kernel
def own_normal(kind, pos, mat, size, place, normal):
    """Return (whether a normal was found, outward normal of a smooth geom near a point). The search starts from `normal`."""
    p, n, known = mat_t_vec3(mat, sub3(place, pos)), mat_t_vec3(mat, normal), False

    # Compute the normal; the formula depends on the geom type.
    if kind == SPHERE:
        n, known = p, True
    elif kind == CAPSULE:
        # The normal points away from the point of the axis that is nearest to `place`.
        n, known = (p[0], p[1], p[2] - clip(p[2], -size[1], size[1])), True
    elif kind == ELLIPSOID:
        if size[0] >= mjMINVAL and size[1] >= mjMINVAL and size[2] >= mjMINVAL:
            if p[0] * p[0] / (size[0] * size[0]) + p[1] * p[1] / (size[1] * size[1]) + p[2] * p[2] / (size[2] * size[2]) <= 1:
                known, n = ellipsoid_normal_inside(n, p, size)
            else:
                n, known = ellipsoid_normal_outside(p, size), True
    elif kind == CYLINDER:
        # Use the side's normal only well away from the caps.
        flat, side = abs(size[1] - abs(p[2])), abs(size[0] - sqrt(p[0] * p[0] + p[1] * p[1]))
        if abs(p[2]) <= 0.95 * size[1] and flat >= 0.25 * side:
            n, known = (p[0], p[1], 0.0), True
    if not known:
        return False, normal
    n, _ = unit3(n)
    return True, mat_vec3(mat, n)


@kernel
def better_normal(kind1, pos1, mat1, size1, kind2, pos2, mat2, size2, place, normal):
    """Return the contact normal computed from the smooth surfaces of the geoms; if neither is smooth, return the given
    normal."""
    known1, n1 = own_normal(kind1, pos1, mat1, size1, place, normal)
    known2, n2 = own_normal(kind2, pos2, mat2, size2, place, scale3(normal, -1.0))
    if known1 and known2:
        normal, _ = unit3(sub3(n1, n2))
        return normal
    if known1:
        return n1
    return scale3(n2, -1.0) if known2 else normal
