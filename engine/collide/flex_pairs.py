"""Collides elements and vertices of flexes with geoms and with each other; appends the contacts.

Elements are capsules (dim 1), triangles (dim 2) or tetrahedra (dim 3), all inflated by the flex's radius. Functions that add
contacts, and return a truth value, return False if the step must stop.
"""

from ..core.arena import PAIR_CONTACTS, refused
from ..core.stages import stage_address
from ..geom.support import CELLS, COUNT, DATA, PRISM, SIMPLEX, integers, numbers, place_shape
from ..machine.jit import inline, kernel
from ..machine.lang import address_of, load, store
from ..math.quat import quat_from_z, quat_mat
from ..math.vec import add3, add_scaled3, cross3, dot3, mat_t_vec3, scale3, sub3, unit3
from ..tables.compat_rows import bit
from ..tables.enums import mjtDisableBit, mjtGeom
from ..tables.stage_rows import stage_id
from .box import capsule_box
from .contact import STOP, mix_condim, mix_friction, mix_solver, write_contacts
from .convex import append_rows, place_geom
from .filter import assign_margin, mix_gap, mix_margin
from .hfield import sweep_cells
from .manifold import NORMAL, ROW
from .mid import IDENTITY, NOWHERE
from .sphere_capsule import capsule_capsule, point_on_segment, sphere_sphere
from .tetrahedron import capsule_tetrahedron, sphere_tetrahedron
from .triangle import box_triangle, capsule_triangle, plane_vertex, sphere_triangle

HFIELD, SPHERE, CAPSULE, BOX = (int(mjtGeom[f"mjGEOM_{n}"]) for n in ("HFIELD", "SPHERE", "CAPSULE", "BOX"))
NATIVECCD, MIDPHASE = int(mjtDisableBit.mjDSBL_NATIVECCD), int(mjtDisableBit.mjDSBL_MIDPHASE)
CCD, MPR = stage_id("ccd"), stage_id("mpr")
UP = (0.0, 0.0, 1.0)
CORNERS, EXACT = bit("flex_corners"), bit("flex_solid")
# Shapes whose distance exceeds this multiple of the convex function's tolerance never count as touching.
DOUBT = 2.0
# A tetrahedron's faces: three corners, then the opposite vertex.
TETRAHEDRON = ((0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2), (1, 3, 2, 0))


@inline
def vertex_of(m, d, f, v):
    return load(d.flexvert_xpos, m.flex_vertadr[f] + v, 3)


@inline
def corner(m, f, e, k):
    """Return the index, within its flex, of an element's k-th vertex."""
    return m.flex_elem[m.flex_elemdataadr[f] + e * (m.flex_dim[f] + 1) + k]


@inline
def corner_place(m, d, f, e, k):
    return vertex_of(m, d, f, corner(m, f, e, k))


@inline
def box_of_element(m, d, f, e):
    return load(d.flexelem_aabb, m.flex_elemadr[f] + e, 6)


@inline
def boxes_meet(a, b, margin):
    """Return True if two world-aligned boxes (center, half-sizes) are within a margin of each other."""
    return not (
        a[0] + a[3] + margin < b[0] - b[3]
        or a[1] + a[4] + margin < b[1] - b[4]
        or a[2] + a[5] + margin < b[2] - b[5]
        or b[0] + b[3] + margin < a[0] - a[3]
        or b[1] + b[4] + margin < a[1] - a[4]
        or b[2] + b[5] + margin < a[2] - a[5]
    )


@inline
def sphere_meets(p, r, box):
    """Return True if the bounding cube of a sphere overlaps a box."""
    return not (
        p[0] + r < box[0] - box[3]
        or p[1] + r < box[1] - box[4]
        or p[2] + r < box[2] - box[5]
        or p[0] - r > box[0] + box[3]
        or p[1] - r > box[1] + box[4]
        or p[2] - r > box[2] + box[5]
    )


@inline
def segment_capsule(m, d, f, e):
    """Return (center, axis, (radius, half-length)) of the capsule of an element with two vertices."""
    p, q = corner_place(m, d, f, e, 0), corner_place(m, d, f, e, 1)
    axis, length = unit3(sub3(p, q))
    mat = quat_mat(quat_from_z(axis))
    return scale3(add3(p, q), 0.5), (mat[2], mat[5], mat[8]), (m.flex_radius[f], 0.5 * length)


@inline
def place_element(m, d, shape, slot, f, e, margin):
    """Fill a shape block from an element; copy its vertices to half `slot` (0 or 1) of flex_points."""
    dim, base = m.flex_dim[f], 12 * slot
    for k in range(dim + 1):
        store(d.flex_points, base + 3 * k, corner_place(m, d, f, e, k))
    box = box_of_element(m, d, f, e)
    place_shape(shape, SIMPLEX, (box[0], box[1], box[2]), IDENTITY, (m.flex_radius[f], 0.0, 0.0), margin)
    ints = integers(shape)
    ints[DATA], ints[COUNT] = address_of(d.flex_points, base), dim + 1


@inline
def convex_address(m, d):
    return stage_address(d, MPR if m.opt.disableflags & NATIVECCD else CCD)


@kernel
def add_contacts(m, d, count, g, f1, f2, e1, e2, v1, v2, dim, margin, gap_counts):
    """Append the manifold's rows as contacts of geom g or flex f1 with flex f2. If dim is 0, the contact dimension is mixed
    from both objects."""
    flex = f1 >= 0
    p1, p2 = m.flex_priority[f1] if flex else m.geom_priority[g], m.flex_priority[f2]

    # Mix the parameters.
    ref, imp = mix_solver(
        p1,
        p2,
        m.flex_solmix[f1] if flex else m.geom_solmix[g],
        m.flex_solmix[f2],
        load(m.flex_solref, f1, 2) if flex else load(m.geom_solref, g, 2),
        load(m.flex_solref, f2, 2),
        load(m.flex_solimp, f1, 5) if flex else load(m.geom_solimp, g, 5),
        load(m.flex_solimp, f2, 5),
    )
    friction = mix_friction(
        p1, p2, load(m.flex_friction, f1, 3) if flex else load(m.geom_friction, g, 3), load(m.flex_friction, f2, 3)
    )
    if dim == 0:
        dim = mix_condim(p1, p2, m.flex_condim[f1] if flex else m.geom_condim[g], m.flex_condim[f2])
    gap = mix_gap(m, m.flex_gap[f1] if flex else m.geom_gap[g], m.flex_gap[f2]) if gap_counts else 0.0

    # Append the contacts to Data.
    first = write_contacts(m, d, count, dim, margin - gap, ref, (0.0, 0.0), imp, friction, False, False)
    if first != STOP:
        for c in range(first, first + count):
            store(d.contact_geom, c, (g, -1))
            store(d.contact_flex, c, (f1, f2))
            store(d.contact_elem, c, (e1, e2))
            store(d.contact_vert, c, (v1, v2))


@kernel
def collide_plane_flex(m, d, g, f):
    """Collide every vertex of a flex with a plane geom."""
    radius, margin = m.flex_radius[f], mix_margin(m, m.geom_margin[g], m.flex_margin[f], m.geom_gap[g], m.flex_gap[f])
    origin, mat = load(d.geom_xpos, g, 3), load(d.geom_xmat, g, 9)
    normal, rows = (mat[2], mat[5], mat[8]), d.manifold
    for v in range(m.flex_vertnum[f]):
        place = vertex_of(m, d, f, v)
        height = dot3(sub3(place, origin), normal)
        if height <= margin + radius:
            dist = height - radius
            if refused(d, 1):
                return
            place = add_scaled3(place, normal, -dist * 0.5 - radius)
            store(rows, 0, (dist, place[0], place[1], place[2], normal[0], normal[1], normal[2], 0.0, 0.0, 0.0))
            add_contacts(m, d, 1, g, -1, f, -1, -1, -1, v, 0, margin, True)


@kernel
def hfield_element(m, d, g, f, e, margin):
    """Fill manifold rows for a height field geom and an element. Return their count, or -1 if the step must stop."""
    address = convex_address(m, d)
    if address == 0:
        return -1
    a, b = address_of(d.shapes, 0), address_of(d.shapes, CELLS)
    place_element(m, d, b, 0, f, e, margin)

    # Transform the element into the frame of the field, and compute its bounds there.
    pos, mat, field = load(d.geom_xpos, g, 3), load(d.geom_xmat, g, 9), m.geom_dataid[g]
    half_x, half_y, top, base = load(m.hfield_size, field, 4)
    box = numbers(b)
    store(box, 0, mat_t_vec3(mat, sub3(load(box, 0, 3), pos)))
    low, high = (1e300, 1e300, 1e300), (-1e300, -1e300, -1e300)
    for k in range(m.flex_dim[f] + 1):
        p = mat_t_vec3(mat, sub3(load(d.flex_points, 3 * k, 3), pos))
        store(d.flex_points, 3 * k, p)
        low = (min(low[0], p[0]), min(low[1], p[1]), min(low[2], p[2]))
        high = (max(high[0], p[0]), max(high[1], p[1]), max(high[2], p[2]))

    # An element outside the field has no contacts.
    if (
        low[0] - margin > half_x
        or high[0] + margin < -half_x
        or low[1] - margin > half_y
        or high[1] + margin < -half_y
        or low[2] - margin > top
        or high[2] + margin < -base
    ):
        return 0

    # Collide the element with the prisms of the field under it.
    place_shape(a, PRISM, pos, IDENTITY, NOWHERE, 0.0)
    integers(a)[DATA] = address_of(d.prism, 0)
    d.ccd_contacts = 1
    return sweep_cells(m, d, address, a, b, -1, field, margin, low[0], high[0], low[1], high[1], low[2], pos, mat)


@kernel
def triangle_rows(m, d, g, f, e, margin):
    """Fill manifold rows for a capsule or a box and a triangle. Return their count."""
    pos, mat, size = load(d.geom_xpos, g, 3), load(d.geom_xmat, g, 9), load(m.geom_size, g, 3)
    a, b, c = corner_place(m, d, f, e, 0), corner_place(m, d, f, e, 1), corner_place(m, d, f, e, 2)
    if m.geom_type[g] == CAPSULE:
        return capsule_triangle(d.manifold, 0, margin, pos, (mat[2], mat[5], mat[8]), size, a, b, c, m.flex_radius[f])
    return box_triangle(d.manifold, 0, margin, pos, mat, size, a, b, c, m.flex_radius[f])


@kernel
def tetrahedron_rows(m, d, g, f, e, margin):
    """Fill manifold rows for a sphere or a capsule and a tetrahedron. Return their count."""
    pos, mat, size = load(d.geom_xpos, g, 3), load(d.geom_xmat, g, 9), load(m.geom_size, g, 3)
    a, b, c = corner_place(m, d, f, e, 0), corner_place(m, d, f, e, 1), corner_place(m, d, f, e, 2)
    corners = (a, b, c, corner_place(m, d, f, e, 3))
    if m.geom_type[g] == SPHERE:
        return sphere_tetrahedron(d.manifold, 0, margin, pos, size[0], corners, m.flex_radius[f])
    return capsule_tetrahedron(d.manifold, 0, margin, pos, (mat[2], mat[5], mat[8]), size, corners, m.flex_radius[f])


@kernel
def geom_element_rows(m, d, g, f, e, margin):
    """Fill manifold rows for a geom and an element. Return their count, or -1 if the step must stop."""
    kind, dim, out = m.geom_type[g], m.flex_dim[f], d.manifold
    pos, mat, size = load(d.geom_xpos, g, 3), load(d.geom_xmat, g, 9), load(m.geom_size, g, 3)
    axis = (mat[2], mat[5], mat[8])

    # Some pairs of shapes have special functions.
    if dim == 1 and (kind == SPHERE or kind == CAPSULE or kind == BOX):
        centre, along, half = segment_capsule(m, d, f, e)
        if kind == SPHERE:
            return sphere_sphere(
                out, 0, margin, pos, axis, size[0], point_on_segment(pos, centre, along, half[1]), along, half[0]
            )
        if kind == CAPSULE:
            return capsule_capsule(out, 0, margin, pos, axis, size, centre, along, half)
        n = capsule_box(out, 0, margin, centre, along, half, pos, mat, size)
        for k in range(n):
            store(out, ROW * k + NORMAL, scale3(load(out, ROW * k + NORMAL, 3), -1.0))
        return n
    if kind == HFIELD:
        return hfield_element(m, d, g, f, e, margin)
    if kind == SPHERE and dim == 2:
        return sphere_triangle(
            out,
            0,
            margin,
            pos,
            size[0],
            corner_place(m, d, f, e, 0),
            corner_place(m, d, f, e, 1),
            corner_place(m, d, f, e, 2),
            m.flex_radius[f],
        )

    # Later releases have special functions for more pairs.
    if dim == 2 and (kind == CAPSULE or kind == BOX) and m.compat_bits & CORNERS:
        return triangle_rows(m, d, g, f, e, margin)
    if dim == 3 and (kind == SPHERE or kind == CAPSULE) and m.compat_bits & EXACT:
        return tetrahedron_rows(m, d, g, f, e, margin)

    # Other pairs use the general convex function.
    address = convex_address(m, d)
    if address == 0:
        return -1
    a, b = address_of(d.shapes, 0), address_of(d.shapes, CELLS)
    place_geom(m, d, a, g, margin)
    place_element(m, d, b, 0, f, e, margin)
    d.ccd_contacts = 1
    return append_rows(m, d, address, a, b, 0, margin)


@kernel
def collide_geom_element(m, d, g, f, e):
    """Collide a geom with an element, unless one of the element's vertices is on the geom's body."""
    margin = mix_margin(m, m.geom_margin[g], m.flex_margin[f], m.geom_gap[g], m.flex_gap[f])
    if m.opt.disableflags & MIDPHASE and not sphere_meets(
        load(d.geom_xpos, g, 3), m.geom_rbound[g] + margin, box_of_element(m, d, f, e)
    ):
        return True
    for k in range(m.flex_dim[f] + 1):
        if m.flex_vertbodyid[m.flex_vertadr[f] + corner(m, f, e, k)] == m.geom_bodyid[g]:
            return True
    if refused(d, PAIR_CONTACTS):
        return True
    count = geom_element_rows(m, d, g, f, e, margin)
    if count > 0:
        add_contacts(m, d, count, g, -1, f, -1, e, -1, -1, 0, margin, True)
    return count >= 0


@inline
def share_vertex(m, f, e1, e2):
    """Return whether two elements of a flex share a vertex that is on a body. This quick test does not compare the bodies of
    all vertices."""
    n = m.flex_dim[f] + 1
    a, b = m.flex_elemdataadr[f] + e1 * n, m.flex_elemdataadr[f] + e2 * n
    shared = -1
    for i in range(n):
        v = m.flex_elem[a + i]
        for j in range(n):
            if m.flex_elem[b + j] == v:
                shared = v
    return shared >= 0 and m.flex_vertbodyid[m.flex_vertadr[f] + shared] >= 0


@inline
def share_body(m, f1, e1, f2, e2):
    for i in range(m.flex_dim[f1] + 1):
        body = m.flex_vertbodyid[m.flex_vertadr[f1] + corner(m, f1, e1, i)]
        for j in range(m.flex_dim[f2] + 1):
            if body >= 0 and body == m.flex_vertbodyid[m.flex_vertadr[f2] + corner(m, f2, e2, j)]:
                return True
    return False


@inline
def scaled_gap(n, a1, a2, a3, b1, b2, b3):
    """Return the gap between two triangles along vector n, times the length of n. It is negative if they overlap."""
    x1, x2, x3, y1, y2, y3 = dot3(n, a1), dot3(n, a2), dot3(n, a3), dot3(n, b1), dot3(n, b2), dot3(n, b3)
    return max(min(y1, y2, y3) - max(x1, x2, x3), min(x1, x2, x3) - max(y1, y2, y3))


@inline
def beyond(n, a1, a2, a3, b1, b2, b3, reach):
    """Return whether two triangles are farther apart than `reach` along a vector of any length."""
    gap = scaled_gap(n, a1, a2, a3, b1, b2, b3)
    return gap > 0 and gap * gap > reach * reach * dot3(n, n)


@kernel
def sides_apart(a1, a2, a3, b1, b2, b3, reach):
    """Return whether two triangles are farther apart than `reach` along the normal of the first triangle, or along a
    perpendicular to one of its edges in its plane.
    """
    u, v, w = sub3(a2, a1), sub3(a3, a2), sub3(a1, a3)
    normal = cross3(u, v)
    return (
        beyond(cross3(u, normal), a1, a2, a3, b1, b2, b3, reach)
        or beyond(cross3(v, normal), a1, a2, a3, b1, b2, b3, reach)
        or beyond(cross3(w, normal), a1, a2, a3, b1, b2, b3, reach)
        or beyond(normal, a1, a2, a3, b1, b2, b3, reach)
    )


@inline
def triangles_apart(m, d, f1, e1, f2, e2, margin):
    """Return whether two triangles are certainly apart. This quick test succeeds for most pairs of triangles of a cloth,
    because they lie side by side in nearly one plane.
    """
    origin = corner_place(m, d, f1, e1, 0)
    a2, a3 = sub3(corner_place(m, d, f1, e1, 1), origin), sub3(corner_place(m, d, f1, e1, 2), origin)
    b1, b2, b3 = (
        sub3(corner_place(m, d, f2, e2, 0), origin),
        sub3(corner_place(m, d, f2, e2, 1), origin),
        sub3(corner_place(m, d, f2, e2, 2), origin),
    )
    reach = m.flex_radius[f1] + m.flex_radius[f2] + margin + DOUBT * m.opt.ccd_tolerance
    return sides_apart(NOWHERE, a2, a3, b1, b2, b3, reach) or sides_apart(b1, b2, b3, NOWHERE, a2, a3, reach)


@kernel
def collide_elements(m, d, f1, e1, f2, e2):
    """Collide two elements. If both are in the same flex, margin and gap are ignored."""
    # Most elements of a flex that are close to each other share a vertex.
    if f1 == f2 and share_vertex(m, f1, e1, e2):
        return True
    margin = 0.0 if f1 == f2 else mix_margin(m, m.flex_margin[f1], m.flex_margin[f2], m.flex_gap[f1], m.flex_gap[f2])
    if (
        not boxes_meet(box_of_element(m, d, f1, e1), box_of_element(m, d, f2, e2), margin)
        or share_body(m, f1, e1, f2, e2)
        or refused(d, PAIR_CONTACTS)
    ):
        return True

    # Triangles that lie side by side need no search.
    if m.flex_dim[f1] == 2 and m.flex_dim[f2] == 2 and triangles_apart(m, d, f1, e1, f2, e2, margin):
        return True

    # Two segments collide as capsules; all other pairs use the general convex function.
    if m.flex_dim[f1] == 1 and m.flex_dim[f2] == 1:
        p, u, s = segment_capsule(m, d, f1, e1)
        q, v, t = segment_capsule(m, d, f2, e2)
        count = capsule_capsule(d.manifold, 0, margin, p, u, s, q, v, t)
    else:
        address = convex_address(m, d)
        if address == 0:
            return False
        a, b = address_of(d.shapes, 0), address_of(d.shapes, CELLS)
        place_element(m, d, a, 0, f1, e1, margin)
        place_element(m, d, b, 1, f2, e2, margin)
        d.ccd_contacts = 1
        count = append_rows(m, d, address, a, b, 0, margin)
    if count > 0:
        add_contacts(m, d, count, -1, f1, f2, e1, e2, -1, -1, 0, margin, f1 != f2)
    return count >= 0


@kernel
def collide_element_vertex(m, d, f, e, v):
    """Collide an element with another vertex of its flex, without margin."""
    dim, radius, place, out = m.flex_dim[f], m.flex_radius[f], vertex_of(m, d, f, v), d.manifold
    box, bound = box_of_element(m, d, f, e), assign_margin(m, m.flex_margin[f]) + radius
    if not sphere_meets(place, bound, box) or refused(d, PAIR_CONTACTS):
        return True

    # The element is a capsule, a triangle or a tetrahedron, depending on the flex's dimension.
    if dim == 1:
        centre, along, half = segment_capsule(m, d, f, e)
        count = sphere_sphere(out, 0, 0.0, place, UP, radius, point_on_segment(place, centre, along, half[1]), along, half[0])
    elif dim == 2:
        count = sphere_triangle(
            out,
            0,
            0.0,
            place,
            radius,
            corner_place(m, d, f, e, 0),
            corner_place(m, d, f, e, 1),
            corner_place(m, d, f, e, 2),
            radius,
        )
    else:
        address = convex_address(m, d)
        if address == 0:
            return False
        a, b = address_of(d.shapes, 0), address_of(d.shapes, CELLS)
        place_shape(a, SIMPLEX, place, IDENTITY, (radius, 0.0, 0.0), 0.0)
        store(d.flex_points, 12, place)
        ints = integers(a)
        ints[DATA], ints[COUNT] = address_of(d.flex_points, 12), 1
        place_element(m, d, b, 0, f, e, 0.0)
        d.ccd_contacts = 1
        count = append_rows(m, d, address, a, b, 0, 0.0)
    if count > 0:
        add_contacts(m, d, count, -1, f, f, -1, e, v, -1, 0, 0.0, False)
    return count >= 0


@kernel
def collide_inverted(m, d, f):
    """Collide vertices of tetrahedra with the opposite faces."""
    for e in range(m.flex_elemnum[f]):
        for k in range(4):
            i, j, h, v = TETRAHEDRON[k]
            count = plane_vertex(
                d.manifold,
                0,
                corner_place(m, d, f, e, i),
                corner_place(m, d, f, e, j),
                corner_place(m, d, f, e, h),
                corner_place(m, d, f, e, v),
                m.flex_radius[f],
            )
            if count > 0:
                if refused(d, 1):
                    return
                add_contacts(m, d, count, -1, f, f, e, -1, -1, corner(m, f, e, v), 1, 0.0, False)
