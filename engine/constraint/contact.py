"""Rows of contacts: frictionless, pyramidal and elliptic friction cones."""

from ..core import stages
from ..dynamics.jacobian import arm, drop_shared, pair_chain
from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel, kernel_fast, stage
from ..machine.lang import flat, load, part_at, put_part, small, spread, store, wide
from ..machine.layout import PACK
from ..math.dense import copy
from ..math.vec import cross3
from ..tables import stage_rows
from ..tables.compat_rows import bit
from ..tables.enums import mjtCone
from ..tables.scratch import FLEX_CONTACT
from .append_rows import ELLIPTIC, FRICTIONLESS, NO_ISLAND, PYRAMIDAL, clear_row, close_rows, put_row, reserve_rows, row_address

PYRAMID = int(mjtCone.mjCONE_PYRAMIDAL)
NO_DOFS, PASSIVE = 3, 4
SHARED = bit("shared_dofs")
FLEX_ROWS = stage_rows.stage_id("flex_contact_rows")
# a pyramid in five friction directions
MOST_ROWS = 10
# room for the wrenches of these rows about the centers of mass of two trees
WRENCHES = 2 * MOST_ROWS * 6


@stage
def contact_rows(m, d):
    """reads contacts, cdof, subtree_com; writes rows of contacts, contact_efc_address, contact_exclude."""
    sparse, pyramid = is_sparse(m), m.opt.cone == PYRAMID
    before, n = (-1, -1), 0
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
            # Contacts of the same two bodies follow each other.
            pair = int(m.geom_bodyid[g1]), int(m.geom_bodyid[g2])
            if pair != before:
                n = open_pair(m, d, pair[0], pair[1])
                before = pair
            put_contact(m, d, k, pair[0], pair[1], n, sparse, pyramid)
        else:
            before = -1, -1
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


# ---- contacts of bodies --------------------------------------------------------------------------------------------------
@kernel
def open_pair(m, d, b1, b2):
    """writes work_chain: the dofs that move either body; work_columns: their motions (six rows of n columns), negative for b1,
    zero for dofs that move both. Returns n.
    """
    chain, C = d.work_chain, flat(d.work_columns)
    n = pair_chain(m, b1, b2, chain)
    if m.compat_bits & SHARED:
        n = drop_shared(chain, n)
    for e in range(n):
        c = load(d.cdof, chain[e] >> 2, 6)
        sign = float((chain[e] >> 1 & 1) - (chain[e] & 1))
        for k in range(6):
            C[k * n + n - 1 - e] = sign * c[k]
    return n


@inline
def dof_of(chain, n, j):
    """Return the j-th of the n dofs of a chain, in ascending order."""
    return chain[n - 1 - j] >> 2


@kernel
def put_contact(m, d, k, b1, b2, n, sparse, pyramid):
    """Append the rows of contact k between two bodies that n dofs move, after `open_pair`."""
    dim, chain = d.contact_dim[k], d.work_chain
    size = reserve_contact(m, d, k, sparse, pyramid, n)
    if size == 0:
        return
    base, stride = row_address(m, d, sparse), n if sparse else m.nv
    if sparse:
        for j in range(n):
            d.efc_J_colind[base + j] = dof_of(chain, n, j)
        for r in range(1, size):
            copy(d.efc_J_colind, base + r * n, d.efc_J_colind, base, n)
    else:
        clear_row(m, d, base, size * m.nv)
    if n > 0:
        put_rows(m, d, k, b1, b2, n, sparse, pyramid, size, base, stride)

    # Fill everything but the Jacobian.
    slide = m.body_invweight0[b1, 0] + m.body_invweight0[b2, 0]
    turn = m.body_invweight0[b1, 1] + m.body_invweight0[b2, 1]
    close_contact(m, d, k, slide, turn, sparse, size, n, dim, pyramid)


@kernel_fast
def put_rows(m, d, k, b1, b2, n, sparse, pyramid, size, base, stride):
    """Write the Jacobian of a contact's rows, if n > 0 dofs move it.

    Each row has a wrench: a unit force at the contact, or a unit torque. An entry is the power of this wrench while a dof moves
    at unit velocity. Both are taken about the center of mass of the dof's tree.
    """
    chain, wrench = d.work_chain, small(WRENCHES)
    point, frame, friction = load(d.contact_pos, k, 3), load(d.contact_frame, k, 9), load(d.contact_friction, k, 5)
    low, high = arm(m, d, point, b1), arm(m, d, point, b2)
    split = n
    if m.body_rootid[b1] != m.body_rootid[b2]:
        # The dofs of one tree come before those of the other.
        split, first = 1, chain[n - 1] & 3
        while split < n and chain[n - 1 - split] & 3 == first:
            split += 1
        if first == 2:
            low, high = high, low
    put_wrenches(wrench, 0, low, frame, friction, d.contact_dim[k], pyramid)
    if split < n:
        put_wrenches(wrench, MOST_ROWS, high, frame, friction, d.contact_dim[k], pyramid)

    # Take up to a pack of columns at once; in dense rows, their dofs must be neighbors.
    start = 0
    while start < n:
        limit, dof, width = min(start + PACK, split if start < split else n), dof_of(chain, n, start), 1
        if sparse:
            width = limit - start
        while start + width < limit and dof_of(chain, n, start + width) == dof + width:
            width += 1
        first = 0 if start < split else MOST_ROWS
        put_columns(d, n, start, width, wrench, first, size, base + (start if sparse else dof), stride)
        start += width


@inline
def put_columns(d, n, start, width, wrench, first, size, a, stride):
    """Write up to a pack of columns of a contact's rows, from address a on: the products of their motions with the wrenches
    that begin with number `first`."""
    J, C = d.efc_J, flat(d.work_columns)
    if wide():
        c0, c1, c2 = part_at(C, start, width), part_at(C, n + start, width), part_at(C, 2 * n + start, width)
        c3, c4, c5 = part_at(C, 3 * n + start, width), part_at(C, 4 * n + start, width), part_at(C, 5 * n + start, width)
        for r in range(size):
            w = load(wrench, 6 * (first + r), 6)
            turn = spread(w[0]) * c0 + spread(w[1]) * c1 + spread(w[2]) * c2
            put_part(J, a + r * stride, width, turn + (spread(w[3]) * c3 + spread(w[4]) * c4 + spread(w[5]) * c5))
        return
    for r in range(size):
        w = load(wrench, 6 * (first + r), 6)
        for j in range(width):
            c = start + j
            turn = w[0] * C[c] + w[1] * C[n + c] + w[2] * C[2 * n + c]
            J[a + r * stride + j] = turn + (w[3] * C[3 * n + c] + w[4] * C[4 * n + c] + w[5] * C[5 * n + c])


@inline
def wrench_of(frame, arm, j):
    """Return (torque, force) of a unit force along axis j of the contact frame or, from j = 3 on, of a unit torque about axis
    j - 3."""
    if j < 3:
        f = frame[3 * j], frame[3 * j + 1], frame[3 * j + 2]
        t = cross3(arm, f)
        return t[0], t[1], t[2], f[0], f[1], f[2]
    return frame[3 * j - 9], frame[3 * j - 8], frame[3 * j - 7], 0.0, 0.0, 0.0


@inline
def put_wrenches(wrench, first, arm, frame, friction, dim, pyramid):
    """Write the wrenches of a contact's rows, from number `first` on.

    The edges of a pyramid are the normal plus and minus each friction direction scaled by its coefficient.
    """
    normal = wrench_of(frame, arm, 0)
    if dim == 1 or not pyramid:
        store(wrench, 6 * first, normal)
    for j in range(1, dim):
        w = wrench_of(frame, arm, j)
        if not pyramid:
            store(wrench, 6 * (first + j), w)
            continue
        for k in range(6):
            x = friction[j - 1] * w[k]
            wrench[6 * (first + 2 * j - 2) + k], wrench[6 * (first + 2 * j - 1) + k] = normal[k] + x, normal[k] - x


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
