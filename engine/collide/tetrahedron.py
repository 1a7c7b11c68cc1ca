"""Collides a sphere or a capsule with a tetrahedron that has a thickness: one contact along the shortest way apart.

A sphere is a point, and a capsule a segment, with a radius. If this point or segment is outside the tetrahedron, the contact is
at the nearest points. Otherwise, the shape is pushed out through the nearest face; a segment may also be pushed out
perpendicular to itself and an edge, if that is shorter.
"""

from ..machine.jit import inline, kernel
from ..math.vec import add_scaled3, cross3, dot3, norm3, scale3, sub3, unit3
from ..tables.consts import mjMINVAL
from .manifold import put
from .triangle import nearest_in_triangle

# faces in the order of the corners opposite to them: three corners, then the opposite one
FACES = ((1, 2, 3, 0), (0, 2, 3, 1), (0, 1, 3, 2), (0, 1, 2, 3))
# edges: two corners, then the two others
EDGES = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2), (1, 2, 0, 3), (1, 3, 0, 2), (2, 3, 0, 1))
# A segment counts as parallel to a face if the depths of its ends below the face differ by less than this.
LEVEL = 1e-12
FAR = 1e300


@inline
def face_of(t, k):
    """Return (a corner of face k, its normal, which points out of the tetrahedron)."""
    a, b, c, o = FACES[k]
    n, _ = unit3(cross3(sub3(t[b], t[a]), sub3(t[c], t[a])))
    return t[a], scale3(n, -1.0) if dot3(n, sub3(t[o], t[a])) > 0 else n


@inline
def touch(out, k, margin, radius, thickness, dist, place, normal):
    """Fill a manifold row for a point with a radius. `dist` is the distance of the point, negative inside."""
    dist = dist - radius - thickness
    if dist > margin:
        return k
    return put(out, k, dist, add_scaled3(place, normal, radius + 0.5 * dist), normal)


@inline
def nearest_on_surface(p, t):
    """Return (distance, direction) from a point outside to the nearest point of a tetrahedron."""
    best, way = FAR, (0.0, 0.0, 0.0)
    for k in range(4):
        a, b, c, _ = FACES[k]
        to = nearest_in_triangle(p, t[a], t[b], t[c])
        far = norm3(to)
        if far < best:
            best, way = far, to
    return best, scale3(way, 1.0 / max(best, mjMINVAL))


@kernel
def sphere_tetrahedron(out, k, margin, centre, radius, t, thickness):
    """Fill a manifold row with the contact of a sphere and a tetrahedron."""
    depth, normal = FAR, (0.0, 0.0, 0.0)
    for i in range(4):
        a, n = face_of(t, i)
        far = -dot3(n, sub3(centre, a))
        if far < depth:
            depth, normal = far, n
    if depth > 0:
        return touch(out, k, margin, radius, thickness, -depth, centre, scale3(normal, -1.0))
    far, way = nearest_on_surface(centre, t)
    return touch(out, k, margin, radius, thickness, far, centre, way)


@inline
def segments_close(p, u, a, v):
    """Return (parameter on the segment p, p + u; parameter on the segment a, a + v) of the points nearest to each other."""
    w = sub3(p, a)
    uu, uv, vv, uw, vw = dot3(u, u), dot3(u, v), dot3(v, v), dot3(u, w), dot3(v, w)
    det = uu * vv - uv * uv
    s = min(1.0, max(0.0, (uv * vw - vv * uw) / det)) if det > mjMINVAL * uu * vv else 0.0
    r = (uv * s + vw) / max(vv, mjMINVAL)
    if r < 0:
        r, s = 0.0, min(1.0, max(0.0, -uw / max(uu, mjMINVAL)))
    elif r > 1:
        r, s = 1.0, min(1.0, max(0.0, (uv - uw) / max(uu, mjMINVAL)))
    return s, r


@inline
def part_inside(p, u, t):
    """Return the range of the parameter in which the segment p, p + u is inside a tetrahedron; it is empty outside."""
    low, high = 0.0, 1.0
    for k in range(4):
        a, n = face_of(t, k)
        start, slope = dot3(n, sub3(p, a)), dot3(n, u)
        if slope > 0:
            high = min(high, -start / slope)
        elif slope < 0:
            low = max(low, -start / slope)
        elif start > 0:
            high = -1.0
    return low, high


@kernel
def way_out(p, u, low, high, t):
    """Return (depth, point of the segment p, p + u, outward normal) of the shortest way out of a tetrahedron."""
    depth, place, normal = FAR, p, (0.0, 0.0, 0.0)
    for k in range(4):
        a, n = face_of(t, k)
        first = -dot3(n, sub3(p, a))
        last = first - dot3(n, u)
        if max(first, last) < depth:
            depth, normal = max(first, last), n
            # If the segment is parallel to the face, place the contact in the middle of the part that is inside.
            s = 0.5 * (low + high) if abs(first - last) < LEVEL else 0.0 if first > last else 1.0
            place = add_scaled3(p, u, s)

    # Try the directions perpendicular to the segment and to an edge, if both other corners lie on the same side of that edge.
    for k in range(6):
        i, j, x, y = EDGES[k]
        v = sub3(t[j], t[i])
        n, length = unit3(cross3(v, u))
        one, two = dot3(n, sub3(t[x], t[i])), dot3(n, sub3(t[y], t[i]))
        if length < mjMINVAL or one * two < 0:
            continue
        if one + two > 0:
            n = scale3(n, -1.0)
        far = -dot3(n, sub3(p, t[i]))
        if far < depth:
            s, _ = segments_close(p, u, t[i], v)
            depth, place, normal = far, add_scaled3(p, u, s), n
    return depth, place, normal


@kernel
def capsule_tetrahedron(out, k, margin, centre, axis, size, t, thickness):
    """Fill a manifold row with the contact of a capsule (radius, half-length) and a tetrahedron."""
    p, u = add_scaled3(centre, axis, -size[1]), scale3(axis, 2 * size[1])
    low, high = part_inside(p, u, t)
    if low < high:
        depth, place, normal = way_out(p, u, low, high, t)
        return touch(out, k, margin, size[0], thickness, -depth, place, scale3(normal, -1.0))

    # The nearest points are at an end, or on an edge.
    best, way = nearest_on_surface(p, t)
    place, end = p, add_scaled3(p, u, 1.0)
    far, to = nearest_on_surface(end, t)
    if far < best:
        best, way, place = far, to, end
    for i in range(6):
        a, b, _, _ = EDGES[i]
        v = sub3(t[b], t[a])
        s, r = segments_close(p, u, t[a], v)
        at = add_scaled3(p, u, s)
        to, far = unit3(sub3(add_scaled3(t[a], v, r), at))
        if far < best:
            best, way, place = far, to, at
    return touch(out, k, margin, size[0], thickness, best, place, way)
