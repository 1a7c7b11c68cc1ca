"""Collides spheres and capsules with each other, and spheres with cylinders: finds the nearest points, then collides two
spheres there.

A capsule's axis is a segment; its nearest points to another segment solve a 2 x 2 system (C. Ericson, Real-Time Collision
Detection, 5.1.9). Every collision function returns the next free row of the manifold.
"""

from math import sqrt

from ..machine.jit import inline
from ..math.vec import add3, add_scaled3, clip, cross3, dot3, scale3, sub3, unit3
from ..tables.consts import mjMINVAL
from .manifold import put

# Since 3.16, two axes count as parallel if the squared sine of their angle is less than this.
PARALLEL = 1e-8


@inline
def sphere_sphere(out, k, margin, pos1, axis1, radius1, pos2, axis2, radius2):
    """Collide two spheres. If their centers coincide, the normal is the cross product of the two z axes."""
    dif = sub3(pos1, pos2)
    square, reach = dot3(dif, dif), margin + radius1 + radius2
    if square > reach * reach:
        return k
    dist = sqrt(square) - radius1 - radius2
    normal, length = unit3(sub3(pos2, pos1))
    if length < mjMINVAL:
        normal, length = unit3(cross3(axis1, axis2))
    return put(out, k, dist, add3(scale3(normal, radius1 + dist / 2), pos1), normal)


@inline
def point_on_segment(p, centre, axis, half):
    """Return the point of a segment nearest to p."""
    x = clip(dot3(axis, sub3(p, centre)), -half, half)
    return add3(scale3(axis, x), centre)


@inline
def capsule_capsule(out, k, margin, pos1, axis1, size1, pos2, axis2, size2):
    """Collide two capsules. Fill one manifold row, or up to two if the axes are parallel."""
    half1, half2, dif = scale3(axis1, size1[1]), scale3(axis2, size2[1]), sub3(pos1, pos2)
    ma, mb, mc = dot3(half1, half1), -dot3(half1, half2), dot3(half2, half2)
    u, v = -dot3(half1, dif), dot3(half2, dif)

    # Parallel axes have no unique pair of nearest points: try the four ends.
    det = ma * mc - mb * mb
    parallel = abs(det) < mjMINVAL
    tries = 4 if parallel else 1
    first = k
    for i in range(tries):
        if not parallel:
            # If the axes are not parallel, solve for the nearest points, then clamp one parameter after the other.
            x1, x2 = (mc * u - mb * v) / det, (ma * v - mb * u) / det
            if x1 > 1:
                x1, x2 = 1.0, (v - mb) / mc
            elif x1 < -1:
                x1, x2 = -1.0, (v + mb) / mc
            if x2 > 1:
                x2, x1 = 1.0, clip((u - mb) / ma, -1.0, 1.0)
            elif x2 < -1:
                x2, x1 = -1.0, clip((u + mb) / ma, -1.0, 1.0)
        elif i < 2:
            # For parallel axes, try the ends of the first segment, then those of the second, until two contacts are found.
            x1 = 1.0 if i == 0 else -1.0
            x2 = clip((v - mb) / mc if i == 0 else (v + mb) / mc, -1.0, 1.0)
        else:
            x2 = 1.0 if i == 2 else -1.0
            x1 = clip((u - mb) / ma if i == 2 else (u + mb) / ma, -1.0, 1.0)

        k = sphere_sphere(
            out, k, margin, add3(scale3(half1, x1), pos1), axis1, size1[0], add3(scale3(half2, x2), pos2), axis2, size2[0]
        )
        if i > 0 and k - first >= 2:
            break
    return k


@inline
def side_by_side(axis1, axis2):
    """Return whether two axes are so nearly parallel that the nearest points of their lines are ill-defined."""
    across = cross3(axis1, axis2)
    return dot3(across, across) < PARALLEL


@inline
def parallel_capsules(out, k, margin, pos1, axis1, size1, pos2, axis2, size2):
    """Fill a manifold row for each end of the section of the first axis along which the capsules lie side by side.

    If there is no such section, both rows are between the same ends.
    """
    along, middle = dot3(axis1, axis2), dot3(axis1, sub3(pos2, pos1))
    for i in range(2):
        sign = -1.0 if i == 0 else 1.0
        inside = abs(middle + sign * size2[1]) < size1[1]
        end = add_scaled3(pos2, axis2, sign * size2[1] if along > 0 else -sign * size2[1])
        at = dot3(axis1, sub3(end, pos1)) if inside else middle + sign * size2[1]
        point = add_scaled3(pos1, axis1, clip(at, -size1[1], size1[1]))
        other = end if inside else point_on_segment(point, pos2, axis2, size2[1])
        k = sphere_sphere(out, k, margin, point, axis1, size1[0], other, axis2, size2[0])
    return k


@inline
def sphere_cylinder(out, k, margin, pos1, axis1, radius1, pos2, axis, size):
    """Fill a manifold row for the nearest part of the cylinder: side, cap or rim."""
    radius, height = size[0], size[1]
    vec = sub3(pos1, pos2)
    x = dot3(axis, vec)
    along = scale3(axis, x)
    across = sub3(vec, along)
    square = dot3(across, across)
    side, cap = abs(x) < height, square < radius * radius

    if side and cap:
        # The center is inside the cylinder: push it out through the nearer surface.
        if height - abs(x) < radius - sqrt(square):
            side = False
        else:
            cap = False

    # A cap acts as a plane; side and rim act as a sphere around the nearest point.
    if cap and not side:
        outward = axis if x > 0 else scale3(axis, -1.0)
        base = add_scaled3(pos2, axis, height if x > 0 else -height)
        centre_dist = dot3(sub3(pos1, base), outward)
        if centre_dist > margin + radius1:
            return k
        dist = centre_dist - radius1
        return put(out, k, dist, add3(pos1, scale3(outward, -dist / 2 - radius1)), scale3(outward, -1.0))

    if side:
        nearest = add3(along, pos2)
    else:
        rim = scale3(across, radius / sqrt(square))
        nearest = add3(add3(scale3(axis, height if x > 0 else -height), rim), pos2)
        radius = 0.0
    return sphere_sphere(out, k, margin, pos1, axis1, radius1, nearest, axis, radius)
