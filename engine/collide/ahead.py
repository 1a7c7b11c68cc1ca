r"""Contacts of geoms that will meet within the step, though they are apart now (flag `speculative`).

They stop a fast geom from passing through a thin one unnoticed. Both geoms are moved along their paths (see `swept`), from
t = 0 to the time t < 1 at which they nearly touch, in steps that never overshoot. From poses that are `dist` apart along
n, no two points can approach each other faster than v, so the following step is safe (B. Mirtich,
Impulse-based Dynamic Simulation of Rigid Body Systems, 1996):

    v = n . (dx1 - dx2) + |dw1| r1 + |dw2| r2          advance = (dist - goal) / v

         t = 0              t                      (1 - t) of the path remains in the step: the solver is given a distance
    [ ]  ------->  [ ]|                            for which its spring and damper remove just that part of the speed (see
     x1             n  | x2                        `arrest`)

The two contact points are taken at their positions at the start of the step. The contact is dropped if another geom lies
between either point and their meeting point, because that geom is touched first.
"""

from ..core.stages import stage_address
from ..geom.support import CELLS, KIND, MARGIN, MAT, POS, SIZE, VERTEX, integers, numbers, support, to_world
from ..machine.jit import inline, kernel, stage
from ..machine.lang import address_of, invoke_pair, load, small, small_int, store
from ..math.quat import axis_angle, quat_mat
from ..math.vec import add3, add_scaled3, column3, cross3, dot3, mat_mat3, mat_t_vec3, norm3, scale3, sub3, unit3
from ..tables.consts import mjMAXVAL
from ..tables.enums import mjtEnableBit, mjtGeom
from ..tables.stage_rows import stage_id
from .ccd import FAR_SIDE
from .ccd_clip import BOTTOM, EDGE_SIN, TOP, has_features, outline_of, widest_quad
from .ccd_multi import CLIPPED, CORNER, MOST, VECTORS, face_normals
from .convex import place_geom
from .manifold import put
from .occlusion import hidden
from .swept import PLANE, displacement, is_fast, sweeps, swept_apart, travel
from .table import user_function

MULTICCD = int(mjtEnableBit.mjENBL_MULTICCD)
CAPSULE, CYLINDER, BOX, MESH = (int(mjtGeom[f"mjGEOM_{n}"]) for n in ("CAPSULE", "CYLINDER", "BOX", "MESH"))
CCD, CLIP = stage_id("ccd"), stage_id("ccd_clip")
# advance until the distance is GOAL; stop if it is below NEAR (both as fractions of the initial distance)
GOAL, NEAR = 0.02, 0.03
SLACK = 1e-6  # tolerance in meters by which points may miss contact at the end of the step
MOST_ADVANCES = 100
LIMIT = 4
STILL = (0.0, 0.0, 0.0)


@inline
def advance(shape, mat, pos, dx, dw, t):
    """Write a shape's pose at time t within the step to its shape block."""
    block = numbers(shape)
    axis, angle = unit3(dw)
    store(block, POS, add_scaled3(pos, dx, t))
    store(block, MAT, mat_mat3(quat_mat(axis_angle(axis, angle * t)), mat))


@inline
def back(shape, mat, pos, p):
    """Return the position that a point of an advanced shape had at the start of the step."""
    block = numbers(shape)
    return to_world(pos, mat, mat_t_vec3(load(block, MAT, 9), sub3(p, load(block, POS, 3))))


@kernel
def gap_between(m, d, address, a, b, plane, origin, normal):
    """Return (distance, nearest points of both shapes). The distance is 0 if the shapes touch, and -1 if the simulation step
    must stop.

    For a plane, the nearest point is the projection of the other shape's point.
    """
    if plane:
        q = support(b, scale3(normal, -1.0))
        dist = dot3(normal, sub3(q, origin))
        return dist, add_scaled3(q, normal, -dist), q
    d.ccd_contacts, d.ccd_newer = 1, 1
    found = invoke_pair(address, m, d, a, b, mjMAXVAL)
    d.ccd_newer = 0
    p, q = load(d.witness, 0, 3), load(d.witness, FAR_SIDE, 3)
    return (-1.0 if found < 0 else d.ccd_dist if found > 0 else 0.0), p, q


@inline
def closing(shape, dx, dw, p, normal):
    """Return the speed at which a point of a moving shape moves along a normal."""
    return dot3(normal, add3(dx, cross3(dw, sub3(p, load(numbers(shape), POS, 3)))))


@kernel
def line_over(shape, normal, margin, out):
    """Write both ends of the line, on the surface of a capsule or cylinder, that is nearest to a plane. Return 2, the number of
    points.

    As in MuJoCo, it is the line on a capsule that is thicker by half the margin, moved back along the normal by the same
    amount. On a tilted capsule, this shifts the line slightly.
    """
    block = numbers(shape)
    mat, pos, size = load(block, MAT, 9), load(block, POS, 3), load(block, SIZE, 3)
    x, y, _ = mat_t_vec3(mat, normal)
    thick, back = size[0] + 0.5 * margin, 0.5 * margin
    if integers(shape)[KIND] == CYLINDER:
        (x, y, _), _ = unit3((x, y, 0.0))
        thick, back = size[0], 0.0

    for k in range(2):
        end = to_world(pos, mat, (-x * thick, -y * thick, size[1] if k else -size[1]))
        store(out, 3 * k, add_scaled3(end, normal, back))
    return 2


@kernel
def side_over(m, shape, kind, normal, margin, out):
    """Write the corners of the side of a shape that faces a plane most directly; return their count.

    A round shape has only one such point.
    """
    mat, down = load(numbers(shape), MAT, 9), scale3(normal, -1.0)
    lowest = support(shape, down)
    vertex = integers(shape)[VERTEX]
    along = dot3(column3(mat, 2), down)

    # A lying capsule or cylinder touches the plane along a line; a standing cylinder touches it with an end face.
    if (kind == CAPSULE or kind == CYLINDER) and abs(along) <= EDGE_SIN:
        return line_over(shape, normal, margin, out)
    if kind == CYLINDER:
        return outline_of(m, shape, TOP if along > 0 else BOTTOM, out)

    # Find the face whose normal points most directly downwards.
    if kind == BOX or kind == MESH:
        normals, ids = small(VECTORS), small_int(MOST)
        n = face_normals(m, shape, CORNER, vertex, vertex, vertex, down, normals, ids, MOST)
        best = 0
        for i in range(1, n):
            if dot3(load(normals, 3 * i, 3), down) > dot3(load(normals, 3 * best, 3), down):
                best = i
        if n:
            return outline_of(m, shape, ids[best], out)
    store(out, 0, lowest)
    return 1


@kernel
def feet(m, d, shape, kind, origin, normal, highest):
    """Write pairs of points into `witness`: a corner of a shape's side, and its projection onto a plane. Return their count.

    Corners higher than `highest` are left out.
    """
    corners, witness = small(CLIPPED), d.witness
    n, left = side_over(m, shape, kind, normal, highest, corners), 0
    for i in range(n):
        p = load(corners, 3 * i, 3)
        if dot3(normal, sub3(p, origin)) <= highest:
            store(corners, 3 * left, p)
            left += 1

    # If there are too many corners, keep four that span the largest area.
    order = (0, 1, 2, 3)
    if left > LIMIT:
        order, left = widest_quad(corners, left), LIMIT
    for k in range(left):
        p = load(corners, 3 * (order[0] if k == 0 else order[1] if k == 1 else order[2] if k == 2 else order[3]), 3)
        store(witness, 3 * k, add_scaled3(p, normal, -dot3(normal, sub3(p, origin))))
        store(witness, FAR_SIDE + 3 * k, p)
    return left


@kernel
def put_visible(m, d, a, b, g1, g2, count, share, normal, thick):
    """Write one manifold row for each point pair in `witness` that no other geom hides; return the number of rows.

    Rows hold the positions at the start of the step. `thick`: distance by which each shape's surface was moved out when the
    pairs were found.
    """
    out, n = d.manifold, 0
    mat1, pos1 = load(d.geom_xmat, g1, 9), load(d.geom_xpos, g1, 3)
    mat2, pos2 = load(d.geom_xmat, g2, 9), load(d.geom_xpos, g2, 3)
    for k in range(count):
        p, q = load(d.witness, 3 * k, 3), load(d.witness, FAR_SIDE + 3 * k, 3)
        p, q = back(a, mat1, pos1, add_scaled3(p, normal, -thick)), back(b, mat2, pos2, add_scaled3(q, normal, thick))
        if not hidden(m, d, g1, g2, p, q, share):
            n = put(out, n, 0.0, add3(scale3(p, share), scale3(q, 1 - share)), normal)
    return n


@inline
def faces_that_meet(m, d, a, b, g1, g2, p, q, dist, normal, reach):
    """Write to `witness` the pairs of points that may come into contact. Return (count, thickness): the number of pairs, or
    -1 if the step must stop, and half the thickness that was added to the geoms."""
    count, thick = 1, 0.0
    if m.opt.enableflags & MULTICCD and has_features(m, m.geom_type[g1], m.geom_dataid[g1]):
        if has_features(m, m.geom_type[g2], m.geom_dataid[g2]):
            numbers(a)[MARGIN] = numbers(b)[MARGIN] = reach
            # The enlarged geoms overlap, so their facing sides can be clipped.
            store(d.witness, 0, add_scaled3(p, normal, 0.5 * reach))
            store(d.witness, FAR_SIDE, add_scaled3(q, normal, -0.5 * reach))
            clip = stage_address(d, CLIP)
            count = invoke_pair(clip, m, d, a, b, dist) if clip else -1
            thick = 0.5 * reach
    return count, thick


@stage("iMDiif")
def collide_ahead(m, d, g1, g2, margin):
    """reads geom_xpos, geom_xmat, cvel; writes shapes, witness, manifold (all but distances), ccd_contacts, impact_time,
    impact_speed.

    Find contacts of geoms, in the order of their types, that are farther apart than the margin. Return the number of
    rows, -1 if the step must stop.
    """
    dx1, dw1 = displacement(m, d, g1)
    dx2, dw2 = displacement(m, d, g2)

    # Only fast geoms are considered, and only geom types without a user-defined collision function.
    way1, way2 = travel(m, g1, dx1, dw1), travel(m, g2, dx2, dw2)
    type1, type2 = m.geom_type[g1], m.geom_type[g2]
    fast1, fast2 = is_fast(m, g1, way1), is_fast(m, g2, way2)
    if not fast1 and not fast2 or not sweeps(m, g1) or not sweeps(m, g2) or user_function(d, type1, type2) != 0:
        return 0

    # The bounding spheres alone may rule out a contact.
    plane = type1 == PLANE
    if type2 == PLANE or swept_apart(m, d, g1, g2, dx1 if fast1 else STILL, dx2 if fast2 else STILL, margin):
        return 0

    # For all types, the general convex function computes distances.
    address = stage_address(d, CCD)
    if address == 0:
        return -1
    a, b = address_of(d.shapes, 0), address_of(d.shapes, CELLS)
    place_geom(m, d, a, g1, 0.0)
    place_geom(m, d, b, g2, 0.0)
    mat1, pos1 = load(d.geom_xmat, g1, 9), load(d.geom_xpos, g1, 3)
    mat2, pos2 = load(d.geom_xmat, g2, 9), load(d.geom_xpos, g2, 3)
    up = column3(mat1, 2)
    turning = norm3(dw1) * m.geom_rbound[g1] + norm3(dw2) * m.geom_rbound[g2]

    # Advance both geoms until they nearly touch, or until the step ends.
    t = start = dist = 0.0
    near, normal = False, up
    for k in range(MOST_ADVANCES):
        dist, p, q = gap_between(m, d, address, a, b, plane, pos1, up)
        if dist < 0 and not plane:
            return -1
        if dist <= margin:
            return 0
        if k == 0:
            start = dist
        if not plane:
            normal = scale3(sub3(q, p), 1 / dist)
        if dist <= margin + NEAR * (start - margin):
            near = True
            break
        bound = dot3(normal, sub3(dx1, dx2)) + turning
        if bound <= 0:
            return 0
        t += (dist - margin - GOAL * (start - margin)) / bound
        if not t < 1:
            return 0
        advance(a, mat1, pos1, dx1, dw1, t)
        advance(b, mat2, pos2, dx2, dw2, t)

    # Even if they moved straight towards each other, the geoms could not close the remaining distance in time.
    if not near or t + (dist - margin) / (way1 + way2) >= 1:
        return 0

    # Record the time and speed of contact for `arrested`. Keep all point pairs that can meet by the end of the step.
    speed = max(closing(a, dx1, dw1, p, normal) - closing(b, dx2, dw2, q, normal), (start - dist) / t)
    d.impact_time, d.impact_speed = t, speed
    reach = 2 * dist + (1 - t) * speed + SLACK
    store(d.witness, 0, p)
    store(d.witness, FAR_SIDE, q)
    if plane:
        count, thick = max(1, feet(m, d, b, type2, pos1, up, reach)), 0.0
    else:
        count, thick = faces_that_meet(m, d, a, b, g1, g2, p, q, dist, normal, reach)
    return -1 if count < 0 else put_visible(m, d, a, b, g1, g2, count, way1 / (way1 + way2), normal, thick)
