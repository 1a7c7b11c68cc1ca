"""Rows of equality constraints: connect, weld, coupled joints, coupled tendons, edges of flexes."""

from ..core.stages import run_for
from ..dynamics.awake import AWAKE, flex_asleep, tendon_state
from ..dynamics.jacobian import arm, difference_column, pair_chain
from ..dynamics.objects import weld_frames
from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel, stage
from ..machine.lang import flat, load
from ..math.curves import quartic_slope
from ..math.quat import quat_conj, quat_mul
from ..math.sparse import merge_rows
from ..math.vec import add3, mat_vec3, scale3, sub3
from ..tables.enums import mjtEq, mjtObj
from ..tables.equality_rows import FIRST_OF_OURS, KINDS
from ..tables.stage_rows import EQUALITIES
from .append_rows import EQUALITY, clear_row, close_rows, put_row, reserve_rows, row_address, some_asleep

CONNECT, WELD, JOINT, TENDON, FLEX = (int(mjtEq[f"mjEQ_{n}"]) for n in ("CONNECT", "WELD", "JOINT", "TENDON", "FLEX"))
BODY = int(mjtObj.mjOBJ_BODY)


@stage
def equality_rows(m, d):
    """reads eq_active, poses, qpos, tendons, flex edges, sleep state; writes rows of equality constraints, tendon_efcadr."""
    sparse, asleep = is_sparse(m), some_asleep(m, d)
    for e in range(m.neq):
        if d.eq_active[e] == 0 or (asleep and equality_asleep(m, d, e)):
            continue
        kind = m.eq_type[e]
        if kind == CONNECT or kind == WELD:
            bodies_row(m, d, e, sparse, kind == WELD)
        elif kind == JOINT or kind == TENDON:
            scalar_row(m, d, e, sparse, kind == JOINT)
        elif kind == FLEX:
            flex_rows(m, d, e, sparse)
        elif not rows_of_ours(m, d, e, kind):
            return


@inline
def rows_of_ours(m, d, e, kind):
    """Append the rows of a type that MuJoCo does not have, by calling the stage named in its table row.

    Unknown types have no rows. Return False if the step must stop.
    """
    if kind < FIRST_OF_OURS or kind >= KINDS:
        return True
    return run_for(m, d, EQUALITIES + kind, e)


# ---- sleep ---------------------------------------------------------------------------------------------------------------
@kernel
def equality_asleep(m, d, e):
    """Return whether no object of an equality constraint is awake."""
    kind = m.eq_type[e]
    if kind == FLEX:
        return flex_asleep(m, d, m.eq_obj1id[e])
    for side in range(2):
        k = m.eq_obj1id[e] if side == 0 else m.eq_obj2id[e]
        if k < 0:
            continue
        if kind == TENDON:
            awake = tendon_state(m, d, k) == AWAKE
        elif kind == JOINT:
            awake = d.body_awake[m.jnt_bodyid[k]] == 1
        else:
            awake = d.body_awake[k if m.eq_objtype[e] == BODY else m.site_bodyid[k]] == 1
        if awake:
            return False
    return True


# ---- connect and weld ------------------------------------------------------------------------------------------------------
@inline
def attachment(m, d, e, k, column):
    """Return the (body, world point) at which a constraint holds object k. For a body, eq_data stores the local point at
    `column`."""
    if m.eq_objtype[e] == BODY:
        local = m.eq_data[e, column], m.eq_data[e, column + 1], m.eq_data[e, column + 2]
        return k, add3(mat_vec3(load(d.xmat, k, 9), local), load(d.xpos, k, 3))
    return m.site_bodyid[k], load(d.site_xpos, k, 3)


@inline
def turned_by(q1, v, q2):
    """Return the vector part of the quaternion product q1 v q2; the real part of v is 0."""
    t = (
        -q1[1] * v[0] - q1[2] * v[1] - q1[3] * v[2],
        q1[0] * v[0] + q1[2] * v[2] - q1[3] * v[1],
        q1[0] * v[1] + q1[3] * v[0] - q1[1] * v[2],
        q1[0] * v[2] + q1[1] * v[1] - q1[2] * v[0],
    )
    r = quat_mul(t, q2)
    return r[1], r[2], r[3]


@kernel
def bodies_row(m, d, e, sparse, weld):
    """Append three rows that keep two points together, and for a weld three more rows that keep two frames parallel."""
    k1, k2 = m.eq_obj1id[e], m.eq_obj2id[e]
    # A weld's eq_data stores the point of the second body first.
    b1, p1 = attachment(m, d, e, k1, 3 if weld else 0)
    b2, p2 = attachment(m, d, e, k2, 0 if weld else 3)
    size = 6 if weld else 3
    n = pair_chain(m, b2, b1, d.work_chain)
    if sparse and n == 0 or not reserve_rows(m, d, sparse, size, n):
        return

    # The Jacobian is the difference between those of both points and, for a weld, of both frames.
    base, stride = row_address(m, d, sparse), n if sparse else m.nv
    if not sparse:
        clear_row(m, d, base, size * m.nv)
    arm1, arm2 = arm(m, d, p1, b1), arm(m, d, p2, b2)
    scale = m.eq_data[e, 10]
    q1, q2 = weld_frames(m, d, e, b1, b2)
    q2 = quat_conj(q2)
    found = sparse
    J = d.efc_J
    for c in range(n):
        i, slide, turn = difference_column(d, d.work_chain[c], arm2, arm1)
        a = base + (n - 1 - c if sparse else i)
        J[a], J[a + stride], J[a + 2 * stride] = slide
        found = found or slide[0] != 0.0 or slide[1] != 0.0 or slide[2] != 0.0
        if weld:
            turn = scale3(scale3(turned_by(q2, turn, q1), 0.5), scale)
            J[a + 3 * stride], J[a + 4 * stride], J[a + 5 * stride] = turn
            found = found or turn[0] != 0.0 or turn[1] != 0.0 or turn[2] != 0.0

    if not found:
        return
    if sparse:
        for r in range(size):
            for c in range(n):
                d.efc_J_colind[base + r * n + n - 1 - c] = d.work_chain[c] >> 2

    # Set the constraint errors and the inverse inertia.
    apart = sub3(p1, p2)
    turned = quat_mul(q2, q1)
    slides = m.body_invweight0[b1, 0] + m.body_invweight0[b2, 0]
    turns = m.body_invweight0[b1, 1] + m.body_invweight0[b2, 1]
    for r in range(3):
        put_row(d, d.nefc + r, EQUALITY, e, apart[r], 0.0, 0.0, slides)
        if weld:
            put_row(d, d.nefc + 3 + r, EQUALITY, e, scale * turned[1 + r], 0.0, 0.0, turns)
    close_rows(d, sparse, size, n)


# ---- coupled joints and tendons --------------------------------------------------------------------------------------------
@inline
def scalar_object(m, d, e, k, side, joint, values, cols):
    """Return (position, position at rest, inverse inertia, start of the Jacobian, count) of a joint or tendon.

    A joint's row is written to `values`.
    """
    if joint:
        values[side] = 1.0
        cols[side] = m.jnt_dofadr[k]
        a = m.jnt_qposadr[k]
        return d.qpos[a], m.qpos0[a], m.dof_invweight0[m.jnt_dofadr[k]], int(side), 1
    if d.tendon_efcadr[k] == -1:
        d.tendon_efcadr[k] = e
    return d.ten_length[k], m.tendon_length0[k], m.tendon_invweight0[k], int(d.ten_J_rowadr[k]), int(d.ten_J_rownnz[k])


@kernel
def scalar_row(m, d, e, sparse, joint):
    """Append a row that keeps a joint or tendon constant, or equal to a polynomial of another one."""

    # Compute the error, and the polynomial's slope.
    k1, k2 = m.eq_obj1id[e], m.eq_obj2id[e]
    values, cols = flat(d.work_pair if joint else d.ten_J), flat(d.work_pair_col if joint else d.ten_J_colind)
    c0, c1, c2, c3, c4 = load(m.eq_data, e, 5)
    pos, rest, inertia, start1, n1 = scalar_object(m, d, e, k1, 0, joint, values, cols)
    start2, n2, slope = start1, 0, 0.0
    error = pos - rest - c0
    if k2 >= 0:
        pos2, rest2, inertia2, start2, n2 = scalar_object(m, d, e, k2, 1, joint, values, cols)
        x = pos2 - rest2
        error = pos - rest - c0 - (c1 * x + c2 * x * x + c3 * x * x * x + c4 * x * x * x * x)
        slope = quartic_slope(c1, c2, c3, c4, x)
        inertia += inertia2

    # The Jacobian is that of the first joint or tendon, minus the slope times that of the second.
    if not reserve_rows(m, d, sparse, 1, n1 + n2):
        return
    a = row_address(m, d, sparse)
    if sparse:
        n = merge_rows(d.efc_J, d.efc_J_colind, a, 1.0, values, cols, start1, n1, -slope, values, cols, start2, n2)
        found = n > 0
    else:
        n, found = m.nv, False
        clear_row(m, d, a, m.nv)
        if joint:
            d.efc_J[a + cols[0]] += 1.0
            if k2 >= 0:
                d.efc_J[a + cols[1]] -= slope
        else:
            for i in range(m.nv):
                d.efc_J[a + i] = d.ten_J[k1, i] - (slope * d.ten_J[k2, i] if k2 >= 0 else 0.0)
        for i in range(m.nv):
            found = found or d.efc_J[a + i] != 0.0

    if found:
        put_row(d, d.nefc, EQUALITY, e, error, 0.0, 0.0, inertia)
        close_rows(d, sparse, 1, n)


# ---- flexes ------------------------------------------------------------------------------------------------------------------
@kernel
def flex_rows(m, d, e, sparse):
    """Append a row for each edge of a flex that is not rigid; the row preserves the edge's length."""
    f = m.eq_obj1id[e]
    J, col = flat(d.flexedge_J), flat(d.flexedge_J_colind)
    for g in range(m.flex_edgeadr[f], m.flex_edgeadr[f] + m.flex_edgenum[f]):
        if m.flexedge_rigid[g] != 0:
            continue

        n = d.flexedge_J_rownnz[g] if sparse else m.nv
        if not reserve_rows(m, d, sparse, 1, n):
            continue

        start = d.flexedge_J_rowadr[g] if sparse else g * m.nv
        a = row_address(m, d, sparse)
        found = sparse and n > 0
        for k in range(n):
            x = J[start + k]
            d.efc_J[a + k] = x
            found = found or x != 0.0
        if sparse:
            for k in range(n):
                d.efc_J_colind[a + k] = col[start + k]
        if found:
            put_row(d, d.nefc, EQUALITY, e, d.flexedge_length[g] - m.flexedge_length0[g], 0.0, 0.0, m.flexedge_invweight0[g])
            close_rows(d, sparse, 1, n)
