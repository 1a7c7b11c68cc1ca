r"""Spheres and capsules against boxes.

A capsule is treated as one or two spheres on its axis. The first is at the point of the axis nearest to the box. If the axis
runs along a face or an edge, there is a second one, as far along the axis as the box reaches.

       first           second               the axis is p + t h, t in -1..1, seen from the box
      (  o---------------o----  )
        _|_______________|_                 feature: FACE (an end over a face), EDGE (edge j, at edge_pos in -1..1 of its
       |                   |                length) or CORNER (bit i set: coordinate i is positive)
       |        box        |
"""

from ..machine.jit import inline, stage
from ..machine.lang import load, small, store
from ..math.vec import (
    add3,
    add_scaled3,
    axis3,
    clip,
    coordinate3,
    dot3,
    mat_t_vec3,
    mat_vec3,
    octant3,
    replace3,
    scale3,
    sub3,
    unit3,
)
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtGeom
from .manifold import put

SPHERE = int(mjtGeom.mjGEOM_SPHERE)
FACE, EDGE, CORNER, NOTHING = range(4)
NONE = -4.0  # no second point: farther than any step
# codes for the position of the edge's point nearest to a segment: at one of its ends, or between
LOWER_END, BETWEEN, UPPER_END, PARALLEL = 0, 1, 2, 3


@inline
def shorter(x, step):
    """Return the smaller of two step lengths. x may be NaN (0/0), and is then ignored."""
    return x if x < step else step


@inline
def within(x, half):
    """Return the number in -half .. half that is nearest to x, or x itself if `half` is not positive."""
    return clip(x, -half, half) if half > 0 else x


@inline
def sphere_box(out, k, margin, centre, radius, pos, mat, size):
    """Fill a manifold row with the contact of a sphere and a box; the normal points from the sphere to the box."""
    p = mat_t_vec3(mat, sub3(centre, pos))

    # Find the nearest point of the box.
    nearest = (within(p[0], size[0]), within(p[1], size[1]), within(p[2], size[2]))
    normal, dist = unit3(sub3(nearest, p))
    if dist - radius > margin:
        return k
    if dist <= mjMINVAL:
        # The center is inside the box: push it out through the nearest face.
        dist = (size[0] + size[1] + size[2]) * 2
        for i in range(3):
            for side in range(2):
                gap = abs((size[i] if side else -size[i]) - p[i])
                if gap < dist:
                    dist, normal = gap, axis3(i, -1.0 if side else 1.0)
        point = add_scaled3(p, normal, (radius - dist) / 2)
        dist = -dist
    else:
        point = add_scaled3(scale3(nearest, 0.5), add_scaled3(p, normal, radius), 0.5)
    return put(out, k, dist - radius, add3(mat_vec3(mat, point), pos), mat_vec3(mat, normal))


@inline
def signed(x, positive):
    return x if positive else -x


@inline
def edge_middle(half, i, j):
    """Return the middle of a box's edge along axis j, between the corners i and i + (1 << j)."""
    return (
        0.0 if j == 0 else signed(half[0], i & 1),
        0.0 if j == 1 else signed(half[1], i & 2),
        0.0 if j == 2 else signed(half[2], i & 4),
    )


@inline
def edge_to_segment(ma, mb, mc, u, v):
    """Return (point on the edge, parameter of the edge, parameter of the segment) of the nearest points, both in -1..1.

    Solves (ma mb; mb mc) (x1 x2) = (u v) and clamps one parameter after the other (C. Ericson, Real-Time Collision Detection,
    2005, 5.1.9).
    """
    det = ma * mc - mb * mb
    if abs(det) < mjMINVAL:
        return PARALLEL, 0.0, 0.0
    inverse = 1 / det
    x1, x2 = (mc * u - mb * v) * inverse, (ma * v - mb * u) * inverse
    at = BETWEEN

    # Clamp a parameter that is out of range, and recompute the other one.
    if x1 > 1:
        x1, at, x2 = 1.0, UPPER_END, (v - mb) * (1 / mc)
    elif x1 < -1:
        x1, at, x2 = -1.0, LOWER_END, (v + mb) * (1 / mc)
    if x2 > 1 or x2 < -1:
        x2 = 1.0 if x2 > 1 else -1.0
        x1 = (u - mb * x2) * (1 / ma)
        if x1 > 1:
            x1, at = 1.0, UPPER_END
        elif x1 < -1:
            x1, at = -1.0, LOWER_END
    return at, x1, x2


@inline
def nearest_on_axis(p, h, s, length, far):
    """Find the point of a segment p + t h that is nearest to a box of half-sizes s.

    Returns (kind, t, face or edge, nearest corner as bits, position along the edge); kind is FACE, EDGE, CORNER or NOTHING.
    """
    kind, t, feature, corner, edge_pos, best = NOTHING, 0.0, -1, 0, 0.0, far

    # Check whether an end of the segment lies over a face or inside the box.
    for end in range(-1, 2, 2):
        outside, axis, square = 0, -1, 0.0
        for j in range(3):
            x = p[j] + h[j] * end
            gap = clip(x, -s[j], s[j]) - x
            if gap != 0:
                outside += 1
                axis = j
            square += gap * gap
        if outside <= 1 and square < best:
            kind, best, t, feature = FACE, square, float(end), axis

    # Compare the segment with the twelve edges.
    for j in range(3):
        for i in range(8):
            if i & (1 << j):
                continue
            half, dif = (h[0], h[1], h[2]), sub3(edge_middle(s, i, j), (p[0], p[1], p[2]))
            at, x1, x2 = edge_to_segment(
                s[j] * s[j], -s[j] * h[j], length * length, -s[j] * coordinate3(dif, j), dot3(half, dif)
            )
            if at == PARALLEL:
                continue
            dif = add_scaled3(dif, half, -x2)
            dif = replace3(dif, j, coordinate3(dif, j) + s[j] * x1)
            square = dot3(dif, dif)
            # An edge must be clearly nearer than the best point so far: rounding must not choose it over a parallel face.
            if square < best - mjMINVAL:
                kind, best, t, feature, edge_pos = EDGE if at == BETWEEN else CORNER, square, x2, j, x1
                corner = i + ((1 << j) if at == UPPER_END else 0)
    return kind, t, feature, corner, edge_pos


@inline
def second_point(kind, t, feature, corner, edge_pos, p, h, s, axis):
    """Return the distance along the capsule's axis from the nearest point to a second contact point; NONE if there is none."""
    # `turn` has a bit for each coordinate in which the axis points away from the nearest corner.
    toward = octant3(h)
    turn = toward ^ corner
    if kind == CORNER:
        # the axis points straight out of the corner, or straight across the box: no second point
        if turn == 0 or turn == 7:
            return NONE
        # a: index of the coordinate whose bit differs from the other two bits
        sign = 1.0
        if turn == 3 or turn == 5 or turn == 6:
            sign, turn = -1.0, 7 - turn
        a = turn >> 1
        b, c = (a + 1) % 3, (a + 2) % 3
        if axis[a] * axis[a] > 0.5:
            # move along an edge, no farther than its other corner
            return sign * shorter(2 * s[a] / abs(h[a]), 1 - sign * t)
        step = shorter(2 * s[b] / abs(h[b]), 1 + sign * t)
        return -sign * shorter(2 * s[c] / abs(h[c]), step)
    if kind == EDGE:
        turn &= 7 - (1 << feature)
        if turn != 1 and turn != 2 and turn != 4:
            return NONE
        # move across the adjacent face that makes the smaller angle with the axis
        b, c = (feature + 1) % 3, (feature + 2) % 3
        if abs(axis[b]) > abs(axis[c]):
            b, c = c, b
        ahead = (turn & (1 << c)) != 0
        sign = 1.0 if ahead else -1.0
        step = shorter(2 * s[c] / abs(h[c]), 1 - sign * t)
        room = 1 - edge_pos if ((toward & (1 << feature)) != 0) == ahead else 1 + edge_pos
        return sign * shorter(s[feature] * room / abs(h[feature]), step)
    if feature == -1:
        return NONE

    # The nearest point is over a face: move to where the axis leaves the face's outline.
    sign, step = -t, 2.0
    for i in range(3):
        if i != feature:
            tip = p[i] + h[i] * -sign
            for side in range(2):
                x = ((-s[i] if side else s[i]) - tip) / h[i] * sign
                if x > 0 and x < step:
                    step = x
    return step * sign


@inline
def capsule_box(out, k, margin, pos1, axis1, size1, pos2, mat2, size2):
    """Fill one or two manifold rows with the contacts of a capsule and a box."""
    p, h, s, axis = small(3), small(3), small(3), small(3)
    local, direction = mat_t_vec3(mat2, sub3(pos1, pos2)), mat_t_vec3(mat2, axis1)
    half = scale3(direction, size1[1])
    store(p, 0, local)
    store(axis, 0, direction)
    store(h, 0, half)
    store(s, 0, size2)

    # Treat the nearest point of the axis, and the second point if there is one, as centers of spheres.
    far = margin + 2 * (size1[0] + size1[1] + size2[0] + size2[1] + size2[2])
    kind, t, feature, corner, edge_pos = nearest_on_axis(p, h, s, size1[1], far)
    if kind == NOTHING:
        return k
    step = second_point(kind, t, feature, corner, edge_pos, p, h, s, axis)
    for i in range(2):
        if i == 0 or step > -3:
            centre = add3(mat_vec3(mat2, add_scaled3(local, half, t if i == 0 else step + t)), pos2)
            k = sphere_box(out, k, margin, centre, size1[0], pos2, mat2, size2)
    return k


@stage("iMDiif")
def collide_box(m, d, g1, g2, margin):
    """reads geom_xpos, geom_xmat; writes manifold. A sphere or capsule g1 and a box g2; returns the number of rows."""
    pos1, mat1, size1 = load(d.geom_xpos, g1, 3), load(d.geom_xmat, g1, 9), load(m.geom_size, g1, 3)
    pos2, mat2, size2 = load(d.geom_xpos, g2, 3), load(d.geom_xmat, g2, 9), load(m.geom_size, g2, 3)
    if m.geom_type[g1] == SPHERE:
        return sphere_box(d.manifold, 0, margin, pos1, size1[0], pos2, mat2, size2)
    return capsule_box(d.manifold, 0, margin, pos1, (mat1[2], mat1[5], mat1[8]), size1, pos2, mat2, size2)
