"""Constraint rows of contacts with flexes. The contact point moves with several bodies, each of which has a weight.

A vertex of a flex is a body; in an interpolated flex, it moves with the nodes around it. The weights of an element's vertices
are proportional to the inverse of their distance from the contact. Since 4.0, they are the barycentric coordinates of the
element's nearest point.
"""

from ..dynamics.flex import basis
from ..dynamics.force import last_dof
from ..dynamics.jacobian import arm, point_column
from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, small, small_int, store
from ..math.simplex import segment_weights, tetrahedron_weights, triangle_weights
from ..math.vec import distance3, dot3, mat_vec3
from ..tables.compat_rows import bit
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtDisableBit
from ..tables.scratch import FLEX_CONTACT
from .append_rows import clear_row, row_address
from .contact import NO_DOFS, PASSIVE, PYRAMID, close_contact, reserve_contact

LEAST_WEIGHT = 1e-5
PASSIVE_STIFFNESS = 1e4
FLEX_WEIGHTS = bit("flex_weights")
NO_CONTACT = int(mjtDisableBit.mjDSBL_CONTACT)


@inline
def nearest_weights(d, n, point, vertices, weights):
    """Write the barycentric weights of n vertices at the point of their element that is nearest to a contact."""
    places = d.flexvert_xpos
    if n == 1:
        weights[0] = 1.0
    elif n == 2:
        store(weights, 0, segment_weights(point, load(places, vertices[0], 3), load(places, vertices[1], 3)))
    elif n == 3:
        a, b, c = load(places, vertices[0], 3), load(places, vertices[1], 3), load(places, vertices[2], 3)
        store(weights, 0, triangle_weights(point, a, b, c))
    else:
        a, b = load(places, vertices[0], 3), load(places, vertices[1], 3)
        c, e = load(places, vertices[2], 3), load(places, vertices[3], 3)
        store(weights, 0, tetrahedron_weights(point, a, b, c, e))


@kernel
def element_weights(m, d, f, e, vertex, point, vertices, weights):
    """Write the vertices of element e of flex f, except `vertex`, and their weights at a point.

    Return their count.
    """
    dim, first = m.flex_dim[f], m.flex_vertadr[f]
    start = m.flex_elemdataadr[f] + e * (dim + 1)
    n, total = 0, 0.0
    for k in range(dim + 1):
        v = m.flex_elem[start + k]
        if v != vertex:
            vertices[n] = first + v
            weights[n] = 1 / max(mjMINVAL, distance3(point, load(d.flexvert_xpos, first + v, 3)))
            total += weights[n]
            n += 1
    if m.compat_bits & FLEX_WEIGHTS:
        nearest_weights(d, n, point, vertices, weights)
        return n
    for k in range(n):
        weights[k] *= 1 / total
    return n


@kernel
def add_body(m, d, b, weight, point, mark):
    """Add the weighted Jacobian of a body's point to work_columns, and mark the dofs that move the body."""
    columns = d.work_columns
    offset = arm(m, d, point, b)
    i = last_dof(m, b)
    while i >= 0:
        if mark[i] == 0:
            mark[i] = 1
            store(columns, i, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
        c, p, t = load(columns, i, 6), point_column(d, i, offset), load(d.cdof, i, 3)
        store(
            columns,
            i,
            (
                c[0] + weight * p[0],
                c[1] + weight * p[1],
                c[2] + weight * p[2],
                c[3] + weight * t[0],
                c[4] + weight * t[1],
                c[5] + weight * t[2],
            ),
        )
        i = m.dof_parentid[i]


@kernel
def add_side(m, d, k, side, point, mark):
    """Add the Jacobian of one side of contact k; return the (translational, rotational) inverse inertia of this side's
    bodies."""
    sign = 1.0 if side == 1 else -1.0

    # A geom moves with its body.
    g = d.contact_geom[k, side]
    if g >= 0:
        b = m.geom_bodyid[g]
        add_body(m, d, b, sign, point, mark)
        return m.body_invweight0[b, 0], m.body_invweight0[b, 1]

    # Find the flex vertices at the contact, and their weights.
    f = d.contact_flex[k, side]
    vertices, weights = small_int(4), small(4)
    if d.contact_vert[k, side] >= 0:
        vertices[0], weights[0] = m.flex_vertadr[f] + d.contact_vert[k, side], 1.0
        n = 1
    else:
        n = element_weights(m, d, f, d.contact_elem[k, side], d.contact_vert[k, 1 - side], point, vertices, weights)

    # In most flexes, each vertex is a body.
    slide = turn = 0.0
    if m.flex_interp[f] == 0:
        for j in range(n):
            b = m.flex_vertbodyid[vertices[j]]
            add_body(m, d, b, sign * weights[j], point, mark)
            slide += m.body_invweight0[b, 0] * weights[j]
            turn += m.body_invweight0[b, 1] * weights[j]
        return slide, turn

    # Vertices of an interpolated flex move with its nodes.
    x = y = z = 0.0
    for j in range(n):
        v = vertices[j]
        x += m.flex_vert0[v, 0] * weights[j]
        y += m.flex_vert0[v, 1] * weights[j]
        z += m.flex_vert0[v, 2] * weights[j]
    for j in range(m.flex_nodenum[f]):
        b = m.flex_nodebodyid[m.flex_nodeadr[f] + j]
        # Since 4.0, the weights are those of the contact point. They include negative weights, which occur in quadratic flexes.
        if m.compat_bits & FLEX_WEIGHTS:
            w = basis((x, y, z), j, m.flex_interp[f])
            add_body(m, d, b, sign * w, point, mark)
            slide += m.body_invweight0[b, 0] * w
            turn += m.body_invweight0[b, 1] * w
            continue

        # As in MuJoCo 3.4, Jacobian weights are computed from coordinates multiplied by -1 on the first side.
        w = basis((sign * x, sign * y, sign * z), j, m.flex_interp[f])
        if w >= LEAST_WEIGHT:
            add_body(m, d, b, w, point, mark)
        w = basis((x, y, z), j, m.flex_interp[f])
        if w >= LEAST_WEIGHT:
            slide += m.body_invweight0[b, 0] * w
            turn += m.body_invweight0[b, 1] * w
    return slide, turn


@inline
def put_entries(J, a, stride, slide, turn, friction, dim, pyramid):
    """Write one column of the Jacobian of a contact's rows.

    The edges of a pyramid are the normal plus and minus each friction direction scaled by its coefficient.
    """
    normal = slide[0]

    # Write the entries of a frictionless, pyramidal or elliptic contact.
    if dim == 1:
        J[a] = normal
    elif pyramid:
        x = friction[0] * slide[1]
        J[a], J[a + stride] = normal + x, normal - x
        if dim >= 3:
            x = friction[1] * slide[2]
            J[a + 2 * stride], J[a + 3 * stride] = normal + x, normal - x
        if dim >= 4:
            x = friction[2] * turn[0]
            J[a + 4 * stride], J[a + 5 * stride] = normal + x, normal - x
        if dim >= 6:
            x = friction[3] * turn[1]
            J[a + 6 * stride], J[a + 7 * stride] = normal + x, normal - x
            x = friction[4] * turn[2]
            J[a + 8 * stride], J[a + 9 * stride] = normal + x, normal - x
    else:
        J[a], J[a + stride] = normal, slide[1]
        if dim >= 3:
            J[a + 2 * stride] = slide[2]
        if dim >= 4:
            J[a + 3 * stride] = turn[0]
        if dim >= 6:
            J[a + 4 * stride], J[a + 5 * stride] = turn[1], turn[2]


@stage
def flex_contact_rows(m, d):
    """reads one contact (its index is in work_problem), flexvert_xpos, cdof, subtree_com; writes its rows (efc_J, efc_J_colind
    and the others), contact_efc_address, contact_exclude.
    """
    k = d.work_problem[FLEX_CONTACT]
    sparse, pyramid, dim, nv = is_sparse(m), m.opt.cone == PYRAMID, d.contact_dim[k], m.nv

    # Collect the Jacobians of both sides.
    mark, point = d.solve_head, load(d.contact_pos, k, 3)
    for i in range(nv):
        mark[i] = 0
    slide1, turn1 = add_side(m, d, k, 0, point, mark)
    slide2, turn2 = add_side(m, d, k, 1, point, mark)

    # Only dofs that move the contact get columns.
    n = 0
    for i in range(nv):
        n += mark[i]
    size = reserve_contact(m, d, k, sparse, pyramid, n)
    if size == 0:
        return
    base, stride = row_address(m, d, sparse), n if sparse else nv
    if not sparse:
        clear_row(m, d, base, size * nv)

    # Write the Jacobian column by column.
    frame, friction = load(d.contact_frame, k, 9), load(d.contact_friction, k, 5)
    e = 0
    for i in range(nv):
        if mark[i] != 0:
            c = load(d.work_columns, i, 6)
            col = e if sparse else i
            put_entries(
                d.efc_J,
                base + col,
                stride,
                mat_vec3(frame, (c[0], c[1], c[2])),
                mat_vec3(frame, (c[3], c[4], c[5])),
                friction,
                dim,
                pyramid,
            )
            if sparse:
                for r in range(size):
                    d.efc_J_colind[base + r * n + e] = i
            e += 1
    close_contact(m, d, k, slide1 + slide2, turn1 + turn2, sparse, size, n, dim, pyramid)


@stage
def contact_passive(m, d):
    """reads contacts that are springs (contact_exclude 4); adds to qfrc_spring, writes contact_efc_address, contact_exclude.

    Passive flexes push along the contact normal with a fixed stiffness and make no constraint.
    """
    if m.opt.disableflags & NO_CONTACT:
        return

    mark = d.solve_head
    for k in range(d.ncon):
        if d.contact_exclude[k] != PASSIVE:
            continue
        d.contact_efc_address[k] = -1
        for i in range(m.nv):
            mark[i] = 0
        point, normal = load(d.contact_pos, k, 3), load(d.contact_frame, k, 3)
        add_side(m, d, k, 0, point, mark)
        add_side(m, d, k, 1, point, mark)
        push, n = -PASSIVE_STIFFNESS * d.contact_dist[k], 0
        for i in range(m.nv):
            if mark[i] != 0:
                n += 1
                d.qfrc_spring[i] += push * dot3(normal, load(d.work_columns, i, 3))
        if n == 0:
            d.contact_exclude[k] = NO_DOFS
