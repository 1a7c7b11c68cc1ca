"""Nearest points of segments, triangles and tetrahedra, as weights of the corners (C. Ericson, Real-Time Collision Detection,
chapter 5.1).
"""

from ..machine.jit import inline, kernel
from ..tables.consts import mjMINVAL
from .vec import add3, cross3, dot3, scale3, sub3


@inline
def segment_weights(p, a, b):
    """Return the weights of the ends at the point of a segment that is nearest to p."""
    ab = sub3(b, a)
    t = min(1.0, max(0.0, dot3(sub3(p, a), ab) / max(mjMINVAL, dot3(ab, ab))))
    return 1 - t, t


@kernel
def triangle_weights(p, a, b, c):
    """Return the weights of the corners at the point of a triangle that is nearest to p."""
    ab, ac, ap, bp, cp = sub3(b, a), sub3(c, a), sub3(p, a), sub3(p, b), sub3(p, c)

    # A corner, if p lies behind it as seen along both of its edges.
    b1, c1, b2, c2, b3, c3 = dot3(ab, ap), dot3(ac, ap), dot3(ab, bp), dot3(ac, bp), dot3(ab, cp), dot3(ac, cp)
    if b1 <= 0 and c1 <= 0:
        return 1.0, 0.0, 0.0
    if b2 >= 0 and c2 <= b2:
        return 0.0, 1.0, 0.0
    if c3 >= 0 and b3 <= c3:
        return 0.0, 0.0, 1.0

    # An edge, if p lies on the outer side of it. The areas are those of the triangles with p.
    area_c, area_b, area_a = b1 * c2 - b2 * c1, b3 * c1 - b1 * c3, b2 * c3 - b3 * c2
    if area_c <= 0 and b1 >= 0 and b2 <= 0:
        t = b1 / max(mjMINVAL, b1 - b2)
        return 1 - t, t, 0.0
    if area_b <= 0 and c1 >= 0 and c3 <= 0:
        t = c1 / max(mjMINVAL, c1 - c3)
        return 1 - t, 0.0, t
    if area_a <= 0 and c2 - b2 >= 0 and b3 - c3 >= 0:
        t = (c2 - b2) / max(mjMINVAL, (c2 - b2) + (b3 - c3))
        return 0.0, 1 - t, t

    total = area_a + area_b + area_c
    return area_a / total, area_b / total, area_c / total


@inline
def outside(p, a, b, c, opposite):
    """Whether p and the opposite corner lie on different sides of a face of a tetrahedron, or the tetrahedron is flat."""
    n = cross3(sub3(b, a), sub3(c, a))
    return dot3(sub3(p, a), n) * dot3(sub3(opposite, a), n) <= 0


@inline
def face_distance(p, a, b, c, u, v, w):
    """Return the square of the distance of p from a point of a face."""
    dif = sub3(add3(add3(scale3(a, u), scale3(b, v)), scale3(c, w)), p)
    return dot3(dif, dif)


@kernel
def tetrahedron_weights(p, a, b, c, d):
    """Return the weights of the corners at the point of a tetrahedron that is nearest to p, which is p itself inside."""
    best, found = 1e300, (0.0, 0.0, 0.0, 0.0)
    if outside(p, a, b, c, d):
        u, v, w = triangle_weights(p, a, b, c)
        best, found = face_distance(p, a, b, c, u, v, w), (u, v, w, 0.0)
    if outside(p, a, c, d, b):
        u, v, w = triangle_weights(p, a, c, d)
        far = face_distance(p, a, c, d, u, v, w)
        if far < best:
            best, found = far, (u, 0.0, v, w)
    if outside(p, a, d, b, c):
        u, v, w = triangle_weights(p, a, d, b)
        far = face_distance(p, a, d, b, u, v, w)
        if far < best:
            best, found = far, (u, w, 0.0, v)
    if outside(p, b, d, c, a):
        u, v, w = triangle_weights(p, b, d, c)
        far = face_distance(p, b, d, c, u, v, w)
        if far < best:
            best, found = far, (0.0, u, w, v)
    if best < 1e300:
        return found

    # Inside, each weight is the part of the volume that p spans with the opposite face.
    ab, ac, ad, ap = sub3(b, a), sub3(c, a), sub3(d, a), sub3(p, a)
    volume = dot3(ab, cross3(ac, ad))
    v = dot3(ap, cross3(ac, ad)) / volume
    w = dot3(ab, cross3(ap, ad)) / volume
    x = dot3(ab, cross3(ac, ap)) / volume
    return 1 - v - w - x, v, w, x
