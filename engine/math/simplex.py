"""Barycentric coordinates of nearest points of segments, triangles and tetrahedra (C. Ericson, Real-Time Collision Detection,
5.1).
"""

from ..machine.jit import inline, kernel
from ..tables.consts import mjMINVAL
from .vec import add3, cross3, dot3, scale3, sub3


@inline
def segment_weights(p, a, b):
    """Return the barycentric coordinates of the point of segment ab nearest to p."""
    ab = sub3(b, a)
    t = min(1.0, max(0.0, dot3(sub3(p, a), ab) / max(mjMINVAL, dot3(ab, ab))))
    return 1 - t, t


@kernel
def triangle_weights(p, a, b, c):
    """Return the barycentric coordinates of the point of triangle abc nearest to p."""
    ab, ac, ap, bp, cp = sub3(b, a), sub3(c, a), sub3(p, a), sub3(p, b), sub3(p, c)

    # A corner is nearest if p does not project onto either of its edges.
    b1, c1, b2, c2, b3, c3 = dot3(ab, ap), dot3(ac, ap), dot3(ab, bp), dot3(ac, bp), dot3(ab, cp), dot3(ac, cp)
    if b1 <= 0 and c1 <= 0:
        return 1.0, 0.0, 0.0
    if b2 >= 0 and c2 <= b2:
        return 0.0, 1.0, 0.0
    if c3 >= 0 and b3 <= c3:
        return 0.0, 0.0, 1.0

    # An edge is nearest if p lies on its outer side. Each area is that of the triangle that p forms with an edge.
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
    """Return whether p and the opposite corner lie on different sides of a face of a tetrahedron, or the tetrahedron is
    flat."""
    n = cross3(sub3(b, a), sub3(c, a))
    return dot3(sub3(p, a), n) * dot3(sub3(opposite, a), n) <= 0


@inline
def face_distance(p, a, b, c, u, v, w):
    """Return the squared distance of p from the point of a face with barycentric coordinates u, v, w."""
    dif = sub3(add3(add3(scale3(a, u), scale3(b, v)), scale3(c, w)), p)
    return dot3(dif, dif)


@kernel
def tetrahedron_weights(p, a, b, c, d):
    """Return the barycentric coordinates of the point of tetrahedron abcd nearest to p (p itself if it lies inside)."""
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

    # p is inside: the weight of a corner is the fraction of the volume that p spans with the opposite face.
    ab, ac, ad, ap = sub3(b, a), sub3(c, a), sub3(d, a), sub3(p, a)
    volume = dot3(ab, cross3(ac, ad))
    v = dot3(ap, cross3(ac, ad)) / volume
    w = dot3(ab, cross3(ap, ad)) / volume
    x = dot3(ab, cross3(ac, ap)) / volume
    return 1 - v - w - x, v, w, x
