"""Intersections of rays with planes, spheres, capsules, ellipsoids, cylinders and boxes.

A ray has a start and a direction of any length. Distances are in units of the direction's length; -1 means a miss. Rays that
start inside a shape hit its far side. Planes are hit only from above.
"""

from math import sqrt

from ..machine.jit import inline, kernel
from ..math.vec import dot3, mat_t_vec3, sub3
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtGeom

PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX = (
    int(mjtGeom[f"mjGEOM_{n}"]) for n in ("PLANE", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX")
)
MISS = -1.0


@inline
def roots(a, b, c):
    """Return both roots of a x^2 + 2 b x + c = 0, the smaller first; (-1, -1) if there are none."""
    det = b * b - a * c
    if det < 0 or a < mjMINVAL:
        return MISS, MISS
    det = sqrt(det)
    return (-b - det) / a, (-b + det) / a


@inline
def first_root(a, b, c):
    """Return the smallest non-negative root of a x^2 + 2 b x + c, or -1."""
    low, high = roots(a, b, c)
    if low >= 0:
        return low
    return high if high >= 0 else MISS


@inline
def nearer(x, best):
    """Return whether distance x is a hit and less than the best so far."""
    return x >= 0 and (best < 0 or x < best)


@inline
def ball_distance(p, v, radius_squared):
    """Return the distance to a ball around the origin."""
    return first_root(dot3(v, v), dot3(v, p), dot3(p, p) - radius_squared)


@inline
def round_distance(p, v, radius, half):
    """Return the distance to the round side of a cylinder along z: the first intersection with the infinite cylinder, if its
    height is within `half`."""
    x = first_root(v[0] * v[0] + v[1] * v[1], v[0] * p[0] + v[1] * p[1], p[0] * p[0] + p[1] * p[1] - radius * radius)
    return x if x >= 0 and abs(p[2] + x * v[2]) <= half else MISS


@inline
def ray_plane(p, v, size):
    """Return the distance to the front side of a plane, which is a rectangle or infinite."""
    if v[2] > -mjMINVAL:
        return MISS
    x = -p[2] / v[2]
    a, b = p[0] + x * v[0], p[1] + x * v[1]
    return MISS if x < 0 or size[0] > 0 and abs(a) > size[0] or size[1] > 0 and abs(b) > size[1] else x


@inline
def cap_distance(p, v, radius, half, side, best):
    """Return the smaller of `best` and the distance to the outer half of the sphere at one end of a capsule."""
    q = (p[0], p[1], p[2] - side * half)
    low, high = roots(dot3(v, v), dot3(v, q), dot3(q, q) - radius * radius)
    if nearer(low, best) and side * (p[2] + low * v[2]) >= half:
        best = low
    if nearer(high, best) and side * (p[2] + high * v[2]) >= half:
        best = high
    return best


@inline
def ray_capsule(p, v, radius, half):
    best = round_distance(p, v, radius, half)
    best = cap_distance(p, v, radius, half, 1.0, best)
    return cap_distance(p, v, radius, half, -1.0, best)


@inline
def ray_ellipsoid(p, v, size):
    s = (1 / (size[0] * size[0]), 1 / (size[1] * size[1]), 1 / (size[2] * size[2]))
    sv, sp = (s[0] * v[0], s[1] * v[1], s[2] * v[2]), (s[0] * p[0], s[1] * p[1], s[2] * p[2])
    return first_root(dot3(sv, v), dot3(sv, p), dot3(sp, p) - 1)


@inline
def disc_distance(p, v, radius, height, best):
    """Return the smaller of `best` and the distance to a disc in a plane z = height."""
    x = (height - p[2]) / v[2]
    a, b = p[0] + x * v[0], p[1] + x * v[1]
    return x if nearer(x, best) and a * a + b * b <= radius * radius else best


@inline
def ray_cylinder(p, v, radius, half):
    best = round_distance(p, v, radius, half)
    if abs(v[2]) > mjMINVAL:
        best = disc_distance(p, v, radius, -half, best)
        best = disc_distance(p, v, radius, half, best)
    return best


@inline
def face_distance(p0, v0, p1, v1, p2, v2, s0, s1, s2, best):
    """Return the smaller of `best` and the distance to the two faces of a box across one axis."""
    if abs(v0) > mjMINVAL:
        x = (-s0 - p0) / v0
        if nearer(x, best) and abs(p1 + x * v1) <= s1 and abs(p2 + x * v2) <= s2:
            best = x
        x = (s0 - p0) / v0
        if nearer(x, best) and abs(p1 + x * v1) <= s1 and abs(p2 + x * v2) <= s2:
            best = x
    return best


@kernel
def ray_box(p, v, size):
    """Return the distance to a box around the origin."""
    if ball_distance(p, v, dot3(size, size)) < 0:
        return MISS
    best = face_distance(p[0], v[0], p[1], v[1], p[2], v[2], size[0], size[1], size[2], MISS)
    best = face_distance(p[1], v[1], p[0], v[0], p[2], v[2], size[1], size[0], size[2], best)
    return face_distance(p[2], v[2], p[0], v[0], p[1], v[1], size[2], size[0], size[1], best)


@kernel
def ray_shape(kind, pos, mat, size, start, along):
    """Return the distance at which a world ray first hits a shape with a given pose."""
    offset, radius, half = sub3(start, pos), size[0], size[1]
    # Test bounding spheres first, because most rays miss.
    if kind == SPHERE:
        return ball_distance(offset, along, radius * radius)
    if kind == CAPSULE and ball_distance(offset, along, (radius + half) * (radius + half)) < 0:
        return MISS
    if kind == CYLINDER and ball_distance(offset, along, radius * radius + half * half) < 0:
        return MISS
    if kind == BOX and ball_distance(offset, along, dot3(size, size)) < 0:
        return MISS

    p, v = mat_t_vec3(mat, offset), mat_t_vec3(mat, along)
    if kind == CAPSULE:
        return ray_capsule(p, v, radius, half)
    if kind == BOX:
        return ray_box(p, v, size)
    if kind == CYLINDER:
        return ray_cylinder(p, v, radius, half)
    if kind == ELLIPSOID:
        return ray_ellipsoid(p, v, size)
    return ray_plane(p, v, size) if kind == PLANE else MISS
