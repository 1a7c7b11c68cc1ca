"""Rays against planes, spheres, capsules, ellipsoids, cylinders and boxes.

A ray starts at a point and goes along a direction of any length; hits are measured in lengths of that direction. A hit is
(distance, outward normal), distance -1 for a miss. Rays that start inside hit the far side; planes are hit from above only.
"""
from math import sqrt

from ..core.consts import mjMINVAL
from ..core.enums import mjtGeom
from ..core.jit import inline, kernel
from ..math.vec import add_scaled3, dot3, mat_t_vec3, mat_vec3, sub3, unit3

PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX = (
    int(mjtGeom[f"mjGEOM_{n}"]) for n in ("PLANE", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX"))
MISS = -1.0
NOWHERE = (0.0, 0.0, 0.0)


@inline
def roots(a, b, c):
    """Both roots of a x^2 + 2 b x + c = 0, the smaller first; (-1, -1) if there are none."""
    det = b * b - a * c
    if det < 0 or a < mjMINVAL:
        return MISS, MISS
    det = sqrt(det)
    return (-b - det) / a, (-b + det) / a


@inline
def first_root(a, b, c):
    """The smaller root that is not negative, or -1."""
    low, high = roots(a, b, c)
    return low if low >= 0 else high if high >= 0 else MISS


@inline
def nearer(x, best):
    """Whether x is a hit before the best one so far."""
    return x >= 0 and (best < 0 or x < best)


@inline
def ball_distance(p, v, radius_squared):
    """Distance to a ball around the origin."""
    return first_root(dot3(v, v), dot3(v, p), dot3(p, p) - radius_squared)


@inline
def round_distance(p, v, radius, half):
    """Distance to the round side of a cylinder along z; rays that leave through it first only meet it there."""
    x = first_root(v[0] * v[0] + v[1] * v[1], v[0] * p[0] + v[1] * p[1], p[0] * p[0] + p[1] * p[1] - radius * radius)
    return x if x >= 0 and abs(p[2] + x * v[2]) <= half else MISS


@kernel
def ray_plane(p, v, size):
    """Front of a plane, within its rectangle if it has one."""
    if v[2] > -mjMINVAL:
        return MISS, NOWHERE
    x = -p[2] / v[2]
    a, b = p[0] + x * v[0], p[1] + x * v[1]
    if x < 0 or size[0] > 0 and abs(a) > size[0] or size[1] > 0 and abs(b) > size[1]:
        return MISS, NOWHERE
    return x, (0.0, 0.0, 1.0)


@kernel
def ray_capsule(p, v, size):
    radius, half = size[0], size[1]
    if ball_distance(p, v, (radius + half) * (radius + half)) < 0:
        return MISS, NOWHERE
    best, cap = round_distance(p, v, radius, half), 0.0
    for k in range(2):
        side = 1.0 - 2 * k
        q = (p[0], p[1], p[2] - side * half)
        low, high = roots(dot3(v, v), dot3(v, q), dot3(q, q) - radius * radius)
        # only the outer half of each end's sphere
        if nearer(low, best) and side * (p[2] + low * v[2]) >= half:
            best, cap = low, side
        if nearer(high, best) and side * (p[2] + high * v[2]) >= half:
            best, cap = high, side
    if best < 0:
        return MISS, NOWHERE
    hit = add_scaled3(p, v, best)
    normal, _ = unit3((hit[0], hit[1], hit[2] - half * cap if cap != 0 else 0.0))
    return best, normal


@kernel
def ray_ellipsoid(p, v, size):
    s = (1 / (size[0] * size[0]), 1 / (size[1] * size[1]), 1 / (size[2] * size[2]))
    sv, sp = (s[0] * v[0], s[1] * v[1], s[2] * v[2]), (s[0] * p[0], s[1] * p[1], s[2] * p[2])
    x = first_root(dot3(sv, v), dot3(sv, p), dot3(sp, p) - 1)
    if x < 0:
        return MISS, NOWHERE
    normal, _ = unit3(add_scaled3(sp, sv, x))
    return x, normal


@kernel
def ray_cylinder(p, v, size):
    radius, half = size[0], size[1]
    if ball_distance(p, v, radius * radius + half * half) < 0:
        return MISS, NOWHERE
    best, face = MISS, 0.0
    if abs(v[2]) > mjMINVAL:
        for k in range(2):
            side = 2.0 * k - 1
            x = (side * half - p[2]) / v[2]
            a, b = p[0] + x * v[0], p[1] + x * v[1]
            if nearer(x, best) and a * a + b * b <= radius * radius:
                best, face = x, side
    x = round_distance(p, v, radius, half)
    if nearer(x, best):
        best, face = x, 0.0
    if best < 0:
        return MISS, NOWHERE
    if face != 0:
        return best, (0.0, 0.0, face)
    normal, _ = unit3((p[0] + v[0] * best, p[1] + v[1] * best, 0.0))
    return best, normal


@inline
def box_face(p0, v0, p1, v1, p2, v2, side, s0, s1, s2):
    """Distance to one face of a box, across the first axis."""
    if abs(v0) <= mjMINVAL:
        return MISS
    x = (side * s0 - p0) / v0
    return x if x >= 0 and abs(p1 + x * v1) <= s1 and abs(p2 + x * v2) <= s2 else MISS


@kernel
def ray_box(p, v, size):
    if ball_distance(p, v, dot3(size, size)) < 0:
        return MISS, NOWHERE
    best, normal = MISS, NOWHERE
    for k in range(2):
        side = 2.0 * k - 1
        x = box_face(p[0], v[0], p[1], v[1], p[2], v[2], side, size[0], size[1], size[2])
        if nearer(x, best):
            best, normal = x, (side, 0.0, 0.0)
    for k in range(2):
        side = 2.0 * k - 1
        x = box_face(p[1], v[1], p[0], v[0], p[2], v[2], side, size[1], size[0], size[2])
        if nearer(x, best):
            best, normal = x, (0.0, side, 0.0)
    for k in range(2):
        side = 2.0 * k - 1
        x = box_face(p[2], v[2], p[0], v[0], p[1], v[1], side, size[2], size[0], size[1])
        if nearer(x, best):
            best, normal = x, (0.0, 0.0, side)
    return best, normal


@kernel
def ray_shape(kind, pos, mat, size, start, along):
    """(distance, world normal) of the first hit of a world ray with a shape at a pose."""
    p, v = mat_t_vec3(mat, sub3(start, pos)), mat_t_vec3(mat, along)
    x, normal = MISS, NOWHERE
    if kind == SPHERE:
        offset = sub3(start, pos)
        x = ball_distance(offset, along, size[0] * size[0])
        if x < 0:
            return MISS, NOWHERE
        normal, _ = unit3(add_scaled3(offset, along, x))
        return x, normal
    if kind == CAPSULE:
        x, normal = ray_capsule(p, v, size)
    elif kind == BOX:
        x, normal = ray_box(p, v, size)
    elif kind == CYLINDER:
        x, normal = ray_cylinder(p, v, size)
    elif kind == ELLIPSOID:
        x, normal = ray_ellipsoid(p, v, size)
    elif kind == PLANE:
        x, normal = ray_plane(p, v, size)
    return x, mat_vec3(mat, normal)
