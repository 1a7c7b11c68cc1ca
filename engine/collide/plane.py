"""Collides a plane with spheres, capsules, cylinders, ellipsoids and boxes. The plane's normal is its z axis."""

from math import sqrt

from ..geom.support import support_ellipsoid
from ..machine.jit import inline
from ..machine.lang import store
from ..math.vec import add3, add_scaled3, cross3, dot3, mat_vec3, scale3, sub3, unit3
from ..tables.consts import mjMINVAL
from .manifold import ROW, TANGENT, put

SQRT3 = sqrt(3.0)


@inline
def plane_sphere(out, k, margin, origin, normal, pos, radius):
    """Fill a manifold row with the contact of a plane and a sphere."""
    centre_dist = dot3(sub3(pos, origin), normal)
    if centre_dist > margin + radius:
        return k
    dist = centre_dist - radius
    return put(out, k, dist, add3(pos, scale3(normal, -dist / 2 - radius)), normal)


@inline
def plane_capsule(out, k, margin, origin, normal, pos, axis, size):
    """Fill manifold rows for a plane and both end spheres of a capsule. The contact's tangent is the capsule's axis."""
    first, half = k, scale3(axis, size[1])
    for i in range(2):
        k = plane_sphere(out, k, margin, origin, normal, add3(pos, half) if i == 0 else sub3(pos, half), size[0])
    for i in range(first, k):
        store(out, ROW * i + TANGENT, axis)
    return k


@inline
def plane_cylinder(out, k, margin, origin, normal, pos, mat, size):
    """Fill manifold rows for the deepest point of each cap. If the nearer cap is nearly parallel to the plane, add two more of
    its points.
    """
    axis = (mat[2], mat[5], mat[8])
    slope = dot3(normal, axis)
    if slope > 0:
        axis, slope = scale3(axis, -1.0), -slope
    height = dot3(sub3(pos, origin), normal)

    # Compute the vector from the axis to the deepest point of the rim.
    vec = sub3(scale3(axis, slope), normal)
    square = dot3(vec, vec)
    if square >= mjMINVAL * mjMINVAL:
        vec = scale3(vec, size[0] / sqrt(square))
    else:
        vec = (mat[0] * size[0], mat[3] * size[0], mat[6] * size[0])
    drop = dot3(vec, normal)
    axis, slope = scale3(axis, size[1]), slope * size[1]

    # Test the deepest points of the nearer and the other cap, and two more points that form a triangle with the first.
    dist = height + slope + drop
    if dist > margin:
        return k
    k = put(out, k, dist, add_scaled3(add3(add3(pos, vec), axis), normal, -dist * 0.5), normal)
    dist = height - slope + drop
    if dist <= margin:
        k = put(out, k, dist, add_scaled3(sub3(add3(pos, vec), axis), normal, -dist * 0.5), normal)
    dist = height + slope + -drop * 0.5
    if dist <= margin:
        side, _ = unit3(cross3(vec, axis))
        side = scale3(side, size[0] * SQRT3 / 2)
        for i in range(2):
            corner = add3(pos, side) if i == 0 else sub3(pos, side)
            point = add_scaled3(add_scaled3(add3(corner, axis), vec, -0.5), normal, -dist * 0.5)
            k = put(out, k, dist, point, normal)
    return k


@inline
def plane_box(out, k, margin, origin, normal, pos, mat, size):
    """Fill manifold rows for at most four corners of the box that are below its center."""
    first, height = k, dot3(sub3(pos, origin), normal)
    for i in range(8):
        corner = mat_vec3(mat, (size[0] if i & 1 else -size[0], size[1] if i & 2 else -size[1], size[2] if i & 4 else -size[2]))
        drop = dot3(normal, corner)
        if height + drop > margin or drop > 0:
            continue
        dist = height + drop
        k = put(out, k, dist, add3(add3(corner, pos), scale3(normal, -dist / 2)), normal)
        if k - first >= 4:
            break
    return k


@inline
def plane_ellipsoid(out, k, margin, origin, normal, pos, mat, size):
    """Fill a manifold row for the lowest point of an ellipsoid."""
    point = support_ellipsoid(pos, mat, size, scale3(normal, -1.0))
    dist = dot3(normal, sub3(point, origin))
    if dist > margin:
        return k
    return put(out, k, dist, add_scaled3(point, normal, -0.5 * dist), normal)
