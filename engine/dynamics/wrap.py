r"""Shortest paths of a string around a circle, a sphere or a cylinder.

All points are in the plane of the path or in the frame of the wrapping geom. A tendon either stays clear of the geom
(result NO_WRAP) or follows it along an arc. If the side site is inside the geom, the tendon passes through, touching
the surface at one point from within.

     around:                                   inside:
        a                                                     .-----.
         \    .-----.                            a ._       /         \
          \ /         \                               `-._ |           |     the straight pieces make equal angles with
           p     o     |  arc from p to q                  p     o     |     the radius at p, like light in a mirror
            \         /                               _.-' |           |
              `-----q                            b .-'      \         /
                      \                                       `-----'
                       b

For a cylinder, this is the path seen along the axis, along which the tendon advances evenly. For a sphere, the path is in the
plane of a, b and the center. Source: B. Garner, M. Pandy, The obstacle-set method for representing muscle paths in
musculoskeletal models, 2000.
"""

from math import acos, asin, atan2, cos, sin, sqrt

from ..machine.jit import inline, kernel
from ..math.vec import add3, clip, cross3, dot3, mat_t_vec3, mat_vec3, norm3, replace3, scale3, sub3, unit3
from ..tables.consts import mjMINVAL, mjPI

NO_WRAP = -1.0
# Newton's iteration for the contact point of an inside-wrapping path starts close to grazing incidence.
NEWTON_STEPS, NEWTON_START, NEWTON_TOLERANCE = 20, 1 - 1e-7, 1e-6
# The bracketed iteration ends when the angle changes by no more than rounding errors, usually after six steps.
BRACKETED_STEPS, BRACKETED_TOLERANCE = 50, 1e-15
# score of a pair of tangents that cross each other
CROSSED = -10000.0


@inline
def _dot2(a, b):
    return a[0] * b[0] + a[1] * b[1]


@inline
def _unit2(a):
    n = sqrt(a[0] * a[0] + a[1] * a[1])
    if n < mjMINVAL:
        return 1.0, 0.0
    r = 1 / n
    return a[0] * r, a[1] * r


@inline
def _segments_cross(p, q, r, s):
    """Return whether segments pq and rs intersect."""
    det = (s[1] - r[1]) * (q[0] - p[0]) - (s[0] - r[0]) * (q[1] - p[1])
    if abs(det) < mjMINVAL:
        return False
    a = ((s[0] - r[0]) * (p[1] - r[1]) - (s[1] - r[1]) * (p[0] - r[0])) / det
    b = ((q[0] - p[0]) * (p[1] - r[1]) - (q[1] - p[1]) * (p[0] - r[0])) / det
    return 0 <= a <= 1 and 0 <= b <= 1


@inline
def _tangents(a, b, radius, sign):
    """Return the points where a tangent from a and a tangent from b touch the circle, on opposite sides, chosen by `sign`."""
    aa, bb, rr = a[0] * a[0] + a[1] * a[1], b[0] * b[0] + b[1] * b[1], radius * radius
    ra, rb = sqrt(aa - rr), sqrt(bb - rr)
    turn = sign * radius
    return (
        ((a[0] * rr + turn * a[1] * ra) / aa, (a[1] * rr - turn * a[0] * ra) / aa),
        ((b[0] * rr - turn * b[1] * rb) / bb, (b[1] * rr + turn * b[0] * rb) / bb),
    )


@inline
def _score(a, b, p, q, side, has_side):
    """Return the score of a pair of tangent points. The score rises as the two points approach the side point or, without a
    side point, each other."""
    if _segments_cross(a, p, b, q):
        return CROSSED
    if has_side:
        return _dot2(_unit2((p[0] + q[0], p[1] + q[1])), side)
    d = (p[0] - q[0], p[1] - q[1])
    return -_dot2(d, d)


@kernel
def wrap_circle(a, b, side, has_side, radius):
    """Return (arc length or NO_WRAP, points where string a-b meets and leaves the circle around the origin)."""
    none = (NO_WRAP, (0.0, 0.0), (0.0, 0.0))
    rr = radius * radius
    d = (b[0] - a[0], b[1] - a[1])
    dd = _dot2(d, d)
    if _dot2(a, a) < rr or _dot2(b, b) < rr or radius < mjMINVAL or dd < mjMINVAL:
        return none

    # The string is free if the point of segment ab nearest to the center is outside the circle, and on the side point's side.
    s = clip(-_dot2(d, a) / dd, 0.0, 1.0)
    near = (s * d[0] + a[0], s * d[1] + a[1])
    if _dot2(near, near) > rr and (not has_side or _dot2(side, near) >= 0):
        return none

    # Choose the better pair of tangents.
    p, q = _tangents(a, b, radius, 1.0)
    p2, q2 = _tangents(a, b, radius, -1.0)
    second = not _score(a, b, p, q, side, has_side) > _score(a, b, p2, q2, side, has_side)
    if second:
        p, q = p2, q2
    if _segments_cross(a, p, b, q):
        return none

    angle = acos(clip(_dot2(_unit2(p), _unit2(q)), -1.0, 1.0))
    turn = p[1] * q[0] - p[0] * q[1]
    if turn > 0 and second or turn < 0 and not second:
        angle = 2 * mjPI - angle
    return radius * angle, p, q


@inline
def _angle2(a, b):
    """Return the angle from direction a to direction b, between -pi and pi."""
    return atan2(a[0] * b[1] - a[1] * b[0], _dot2(a, b))


@kernel
def wind_circle(a, b, side, has_side, radius):
    """Like `wrap_circle`, but wind around the circle in the same direction and by the same angle as the path that leads from
    `a` past the side point to `b`.

    Without a side point, this path is straight.
    """
    aa, bb, rr = _dot2(a, a), _dot2(b, b), radius * radius
    if aa < rr or bb < rr or radius < mjMINVAL:
        return NO_WRAP, (0.0, 0.0), (0.0, 0.0)
    turn = _angle2(a, side) + _angle2(side, b) if has_side else _angle2(a, b)

    # Subtract the angles that the straight pieces cover. If nothing remains, segment ab does not touch the circle.
    angle = abs(turn) - atan2(sqrt(aa - rr), radius) - atan2(sqrt(bb - rr), radius)
    if angle <= 0:
        return NO_WRAP, (0.0, 0.0), (0.0, 0.0)
    p, q = _tangents(a, b, radius, -1.0 if turn > 0 else 1.0)
    return radius * angle, p, q


@inline
def angle_error(A, B, G, z):
    """Return the error, as an angle, of the assumption that both straight pieces meet the circle with z as the sine of the
    angle of incidence. G is the angle between both sites at the center; a solution makes the error zero.
    """
    return asin(A * z) + asin(B * z) - 2 * asin(z) + G


@inline
def incidence(A, B, G):
    """Return the sine of the angle of incidence, or -1 if Newton's iteration does not converge to it from above.

    In the triangle of the center, a site and p, the law of sines gives the angle at the site, asin(A z) with A = radius /
    distance. So the angle at the center is asin(z) - asin(A z). The angles at the center of both sites add up to G: asin(A z) +
    asin(B z) - 2 asin(z) + G = 0.
    """
    z = NEWTON_START
    f = angle_error(A, B, G, z)
    if f > 0:
        return -1.0

    steps = 0
    while steps < NEWTON_STEPS and abs(f) > NEWTON_TOLERANCE:
        slope = (
            A / max(mjMINVAL, sqrt(1 - z * z * A * A))
            + B / max(mjMINVAL, sqrt(1 - z * z * B * B))
            - 2 / max(mjMINVAL, sqrt(1 - z * z))
        )
        if slope > -mjMINVAL:
            return -1.0
        new = z - f / slope
        if new > z:
            return -1.0
        z = new
        f = angle_error(A, B, G, z)
        if f > NEWTON_TOLERANCE:
            return -1.0
        steps += 1
    return z if steps < NEWTON_STEPS else -1.0


@inline
def exact_incidence(A, B, G):
    """Return the sine of the angle of incidence, by a bracketed Newton iteration on the angle.

    It converges for every tendon that does not just graze the circle.
    """
    low, high = 0.0, mjPI / 2
    t = high
    if asin(A) + asin(B) - 2 * high + G > 0:
        # even at grazing incidence, the pieces do not cover the angle
        return 1.0
    for _ in range(BRACKETED_STEPS):
        s, c = sin(t), cos(t)
        f = asin(A * s) + asin(B * s) - 2 * t + G
        if f > 0:
            low = t
        else:
            high = t
        new = t - f / (A * c / sqrt(1 - A * A * s * s) + B * c / sqrt(1 - B * B * s * s) - 2)
        if abs(new - t) <= BRACKETED_TOLERANCE:
            return sin(new)
        t = new if low < new < high else 0.5 * (low + high)
    return sin(t)


@kernel
def wrap_inside(a, b, radius, exact):
    """Return (0 or NO_WRAP, touching point, the same point again) of string a-b that touches the circle from within."""
    none = (NO_WRAP, (0.0, 0.0), (0.0, 0.0))
    la, lb = sqrt(_dot2(a, a)), sqrt(_dot2(b, b))
    d = (b[0] - a[0], b[1] - a[1])
    dd = _dot2(d, d)
    if la <= radius or lb <= radius or radius < mjMINVAL or la < mjMINVAL or lb < mjMINVAL:
        return none

    # A straight string that passes through the circle needs no touching point.
    if dd > mjMINVAL:
        s = -_dot2(d, a) / dd
        near = (a[0] + d[0] * s, a[1] + d[1] * s)
        if 0 < s < 1 and sqrt(_dot2(near, near)) <= radius:
            return none
    cos_g = (la * la + lb * lb - dd) / (2 * la * lb)
    if cos_g < -1 + mjMINVAL:
        return none
    # If the iteration fails, use the direction halfway between a and b.
    middle = _unit2((0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])))
    p = (middle[0] * radius, middle[1] * radius)
    if cos_g > 1 - mjMINVAL:
        return 0.0, p, p

    A, B = radius / la, radius / lb
    z = exact_incidence(A, B, abs(_angle2(a, b))) if exact else incidence(A, B, acos(cos_g))
    if z < 0:
        return 0.0, p, p
    left = a[0] * b[1] - a[1] * b[0] > 0
    v = _unit2(a if left else b)
    angle = asin(z) - asin((A if left else B) * z)
    c, s = cos(angle), sin(angle)
    p = (radius * (c * v[0] - s * v[1]), radius * (s * v[0] + c * v[1]))
    return 0.0, p, p


@inline
def _sphere_plane(a, b):
    """Return orthogonal unit axes of the plane through the origin, a and b; the first is along a. If a and b are parallel,
    choose any plane that contains them."""
    x, _ = unit3(a)
    normal, n = unit3(cross3(a, b))
    if n < mjMINVAL:
        # Use the vector (1, 1, 1) with 0 in place of the largest component of x.
        u, v, w = abs(x[0]), abs(x[1]), abs(x[2])
        largest = 1 if v > u and v > w else 0
        largest = 2 if w > u and w > v else largest
        normal, _ = unit3(cross3(x, replace3((1.0, 1.0, 1.0), largest, 0.0)))
    y, _ = unit3(cross3(normal, x))
    return x, y


@kernel
def wrap_geom(start, end, pos, mat, radius, sphere, side, has_side, inside, winds):
    """Return (wrapped length or NO_WRAP, first and last point on the geom) of a tendon between two world points.

    The geom is a sphere or a cylinder. `side`: world point that selects the way around. `inside`: the point is within the geom,
    and the tendon passes through. `winds`: make as many turns as the path past this point, and compute exact paths near grazing
    incidence.
    """
    none = (NO_WRAP, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    a, b = mat_t_vec3(mat, sub3(start, pos)), mat_t_vec3(mat, sub3(end, pos))
    if norm3(a) < mjMINVAL or norm3(b) < mjMINVAL:
        return none

    # Project onto the plane of the path.
    x, y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    if sphere:
        x, y = _sphere_plane(a, b)
    a2, b2 = (dot3(a, x), dot3(a, y)), (dot3(b, x), dot3(b, y))
    s2 = (0.0, 0.0)
    if has_side:
        s = mat_t_vec3(mat, sub3(side, pos))
        s2 = _unit2((dot3(s, x), dot3(s, y)))
        s2 = (s2[0] * radius, s2[1] * radius)

    if inside:
        length, p2, q2 = wrap_inside(a2, b2, radius, winds)
    elif winds:
        length, p2, q2 = wind_circle(a2, b2, s2, has_side, radius)
    else:
        length, p2, q2 = wrap_circle(a2, b2, s2, has_side, radius)
    if length < 0:
        return none

    p, q = add3(scale3(x, p2[0]), scale3(y, p2[1])), add3(scale3(x, q2[0]), scale3(y, q2[1]))
    if not sphere:
        # along a cylinder's axis, the string advances evenly
        before = sqrt((a[0] - p[0]) * (a[0] - p[0]) + (a[1] - p[1]) * (a[1] - p[1]))
        after = sqrt((b[0] - q[0]) * (b[0] - q[0]) + (b[1] - q[1]) * (b[1] - q[1]))
        climb = b[2] - a[2]
        p = (p[0], p[1], a[2] + climb * before / (before + length + after))
        q = (q[0], q[1], a[2] + climb * (before + length) / (before + length + after))
        height = abs(q[2] - p[2])
        length = sqrt(length * length + height * height)
    return length, add3(mat_vec3(mat, p), pos), add3(mat_vec3(mat, q), pos)
