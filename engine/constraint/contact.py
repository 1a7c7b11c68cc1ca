"""Rows of contacts: frictionless, pyramidal and elliptic friction cones."""

from ..core import stages
from ..dynamics.jacobian import arm, difference_column, drop_shared, pair_chain
from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load
from ..math.vec import mat_vec3
from ..tables import stage_rows
from ..tables.compat_rows import bit
from ..tables.enums import mjtCone
from ..tables.scratch import FLEX_CONTACT
from .append_rows import ELLIPTIC, FRICTIONLESS, NO_ISLAND, PYRAMIDAL, clear_row, close_rows, put_row, reserve_rows, row_address

PYRAMID = int(mjtCone.mjCONE_PYRAMIDAL)
NO_DOFS, PASSIVE = 3, 4
SHARED = bit("shared_dofs")
FLEX_ROWS = stage_rows.stage_id("flex_contact_rows")


@stage
def contact_rows(m, d):
    """reads contacts, cdof, subtree_com; writes rows of contacts, contact_efc_address, contact_exclude."""
    sparse, pyramid = is_sparse(m), m.opt.cone == PYRAMID
    for k in range(d.ncon):
        # Passive contacts are springs, not constraints.
        f1, f2 = d.contact_flex[k, 0], d.contact_flex[k, 1]
        if (f1 >= 0 and m.flex_passive[f1] != 0) or (f2 >= 0 and m.flex_passive[f2] != 0):
            d.contact_efc_address[k] = -1
            d.contact_exclude[k] = PASSIVE
        if d.contact_exclude[k] != 0:
            continue

        g1, g2 = d.contact_geom[k, 0], d.contact_geom[k, 1]
        if g1 >= 0 and g2 >= 0:
            put_contact(m, d, k, m.geom_bodyid[g1], m.geom_bodyid[g2], sparse, pyramid)
        else:
            d.work_problem[FLEX_CONTACT] = k
            if not stages.run(m, d, FLEX_ROWS):
                return


@inline
def rows_of_contact(dim, pyramid):
    """Return the number of rows: one without friction, two opposite edges of a pyramid for each friction direction, or
    `dim`."""
    if dim == 1:
        return 1
    return 2 * (dim - 1) if pyramid else dim


@inline
def left_out(m, sparse):
    """Return whether a contact gets no rows because it moves no dof.

    As in MuJoCo, a dense Jacobian without islands includes these rows, which are all zeros.
    """
    return sparse or m.opt.disableflags & NO_ISLAND == 0


@inline
def reserve_contact(m, d, k, sparse, pyramid, n):
    """Reserve the rows of contact k, with n nonzeros each, and return their count. Return 0 if there is no room, or if the
    contact moves no dof and is left out.
    """
    if n == 0 and left_out(m, sparse):
        d.contact_efc_address[k] = -1
        d.contact_exclude[k] = NO_DOFS
        return 0
    size = rows_of_contact(d.contact_dim[k], pyramid)
    return size if reserve_rows(m, d, sparse, size, n) else 0


@kernel
def put_contact(m, d, k, b1, b2, sparse, pyramid):
    """Append the rows of contact k between two bodies."""
    dim = d.contact_dim[k]
    chain = d.work_chain
    n = pair_chain(m, b1, b2, chain)
    if m.compat_bits & SHARED:
        n = drop_shared(chain, n)
    size = reserve_contact(m, d, k, sparse, pyramid, n)
    if size == 0:
        return

    # Compute the Jacobian column by column.
    base, stride = row_address(m, d, sparse), n if sparse else m.nv
    if not sparse:
        clear_row(m, d, base, size * m.nv)
    point, frame, friction = load(d.contact_pos, k, 3), load(d.contact_frame, k, 9), load(d.contact_friction, k, 5)
    arm1, arm2 = arm(m, d, point, b1), arm(m, d, point, b2)
    for e in range(n):
        i, slide, turn = difference_column(d, chain[e], arm1, arm2)
        col = n - 1 - e if sparse else i
        put_entries(d.efc_J, base + col, stride, mat_vec3(frame, slide), mat_vec3(frame, turn), friction, dim, pyramid)

    if sparse:
        for r in range(size):
            for e in range(n):
                d.efc_J_colind[base + r * n + n - 1 - e] = chain[e] >> 2

    # Fill everything but the Jacobian.
    slide = m.body_invweight0[b1, 0] + m.body_invweight0[b2, 0]
    turn = m.body_invweight0[b1, 1] + m.body_invweight0[b2, 1]
    close_contact(m, d, k, slide, turn, sparse, size, n, dim, pyramid)


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


@inline
def close_contact(m, d, k, slide, turn, sparse, size, n, dim, pyramid):
    """Complete a contact's rows with everything but the Jacobian, given the inverse inertia of its bodies; count the rows."""
    row, dist, margin = d.nefc, d.contact_dist[k], d.contact_includemargin[k]
    d.contact_efc_address[k] = row
    if dim == 1:
        put_row(d, row, FRICTIONLESS, k, dist, margin, 0.0, slide)
    elif pyramid:
        for j in range(dim - 1):
            f = d.contact_friction[k, j]
            inertia = slide + f * f * (slide if j < 2 else turn)
            put_row(d, row + 2 * j, PYRAMIDAL, k, dist, margin, 0.0, inertia)
            put_row(d, row + 2 * j + 1, PYRAMIDAL, k, dist, margin, 0.0, inertia)
    else:
        put_row(d, row, ELLIPTIC, k, dist, margin, 0.0, slide)
        for j in range(1, size):
            put_row(d, row + j, ELLIPTIC, k, 0.0, 0.0, 0.0, slide if j < 3 else turn)
    close_rows(d, sparse, size, n)
