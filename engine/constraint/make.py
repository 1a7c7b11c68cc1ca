"""Appends all constraint rows in order: equalities, friction loss of dofs and tendons, limits of joints and tendons,
contacts."""

from ..core import stages
from ..core.arena import CONTACT, fits, keep, limited, no_room, rows_end
from ..dynamics.metric import is_discrete
from ..dynamics.sparsity import is_sparse
from ..machine.jit import kernel, stage
from ..machine.lang import load
from ..math.quat import quat_unit, quat_vel
from ..math.sparse import same_columns
from ..math.vec import unit3
from ..tables import stage_rows
from ..tables.enums import mjtEnableBit, mjtJoint
from .append_rows import (
    FRICTION_DOF,
    FRICTIONLESS,
    LIMIT_JOINT,
    NO_CONSTRAINT,
    NO_CONTACT,
    NO_EQUALITY,
    NO_FRICTIONLOSS,
    NO_LIMIT,
    clear_row,
    close_rows,
    put_row,
    put_single,
    reserve_rows,
    row_address,
    some_asleep,
)
from .impedance import set_impedance

BALL, SLIDE, HINGE = int(mjtJoint.mjJNT_BALL), int(mjtJoint.mjJNT_SLIDE), int(mjtJoint.mjJNT_HINGE)
GROW, FULL_ROWS = stages.GROW, stages.FULL_ROWS
EQUALITY_ROWS, CONTACT_ROWS = stage_rows.stage_id("equality_rows"), stage_rows.stage_id("contact_rows")
TENDON_FRICTION, TENDON_LIMIT = stage_rows.stage_id("tendon_friction_rows"), stage_rows.stage_id("tendon_limit_rows")
EXACT, DIAGONAL = int(mjtEnableBit.mjENBL_DIAGEXACT), stage_rows.stage_id("exact_diagonal")


@stage
def make_constraint(m, d):
    """reads qpos, poses, cdof, subtree_com, tendons, contacts, eq_active, sleep state; writes the rows of efc_ fields that do
    not depend on velocity (J, type, id, pos, margin, frictionloss, diagApprox, KBIP, D, R), ne, nf, nA, nl, nefc, nJ,
    tendon_efcadr, contact_efc_address, contact_exclude, contact_mu, maxuse_con, maxuse_efc, parena, warnings.
    """
    d.ne = d.nf = d.nl = d.nefc = d.nJ = d.nA = 0
    d.need_efc = d.need_J = 0
    flags = m.opt.disableflags
    if flags & NO_CONSTRAINT:
        return

    # Append the rows in order, and count each type.
    for t in range(m.ntendon):
        d.tendon_efcadr[t] = -1
    if m.neq > 0 and m.nemax > 0 and not flags & NO_EQUALITY:
        if not stages.run(m, d, EQUALITY_ROWS):
            return
    d.ne = d.nefc
    if not flags & NO_FRICTIONLOSS:
        dof_friction(m, d)
        if m.ntendon > 0 and not stages.run(m, d, TENDON_FRICTION):
            return
    d.nf = d.nefc - d.ne
    if not flags & NO_LIMIT:
        joint_limits(m, d)
        if m.ntendon > 0 and not stages.run(m, d, TENDON_LIMIT):
            return
    d.nl = d.nefc - d.ne - d.nf
    if d.ncon > 0 and m.nv > 0 and not flags & NO_CONTACT:
        if not stages.run(m, d, CONTACT_ROWS):
            return

    # If the rows do not fit, the step stops until Data has grown. A Data that may not grow continues without rows.
    if limited(d) and not room_for_rows(m, d):
        return
    if d.need_efc > d.nefc_cap or d.need_J > d.nJ_cap:
        if d.full & FULL_ROWS:
            no_rows(m, d)
            d.maxuse_con = max(d.maxuse_con, d.ncon)
        else:
            d.status = GROW
        return
    sparse = is_sparse(m)
    # For a dense Jacobian, nJ also includes rows left out because they are empty.
    if not sparse:
        d.nJ = d.need_J

    d.maxuse_con = max(d.maxuse_con, d.ncon)
    d.maxuse_efc = max(d.maxuse_efc, d.nefc)
    if sparse:
        find_equal_rows(d)

    # Compute inverse inertia, then regularization.
    if m.opt.enableflags & EXACT and not stages.run(m, d, DIAGONAL):
        return
    if is_discrete(m):
        for r in range(d.nefc):
            d.efc_bare[r] = d.efc_diagApprox[r]
    set_impedance(m, d, False)


@kernel
def find_equal_rows(d):
    """writes efc_J_rowsuper: how many rows directly after each row have the same columns, as all rows of a contact do."""
    count, nnz, adr, col, kind, owner = (
        d.efc_J_rowsuper,
        d.efc_J_rownnz,
        d.efc_J_rowadr,
        d.efc_J_colind,
        d.efc_type,
        d.efc_id,
    )
    if d.nefc == 0:
        return
    count[d.nefc - 1] = 0
    for r in range(d.nefc - 2, -1, -1):
        same = kind[r] >= FRICTIONLESS and kind[r] == kind[r + 1] and owner[r] == owner[r + 1]
        count[r] = count[r + 1] + 1 if same or same_columns(nnz, adr, col, r) else 0


@kernel
def no_rows(m, d):
    """Clear all rows, as MuJoCo does if they do not all fit."""
    d.ne = d.nf = d.nl = d.nefc = d.nJ = d.nA = d.need_efc = d.need_J = 0
    for k in range(d.ncon):
        d.contact_efc_address[k] = -1
    for t in range(m.ntendon):
        d.tendon_efcadr[t] = -1
    no_room(d)


@kernel
def room_for_rows(m, d):
    """Return whether the arena has room for all rows; if not, clear them."""
    end = rows_end(m, d, d.need_efc, d.need_J)
    if fits(d, end):
        keep(d, end)
        return True
    no_rows(m, d)
    d.parena = d.ncon * CONTACT
    return False


@kernel
def dof_friction(m, d):
    """Append the rows of friction loss of dofs."""
    sparse, asleep = is_sparse(m), some_asleep(m, d)
    for i in range(m.nv):
        if m.dof_frictionloss[i] != 0.0 and not (asleep and d.body_awake[m.dof_bodyid[i]] == 0):
            put_single(m, d, sparse, i, 1.0, FRICTION_DOF, i, 0.0, 0.0, m.dof_frictionloss[i], m.dof_invweight0[i])


@kernel
def joint_limits(m, d):
    """Append the rows of joint limits."""
    sparse, asleep = is_sparse(m), some_asleep(m, d)
    for j in range(m.njnt):
        if m.jnt_limited[j] == 0 or (asleep and d.body_awake[m.jnt_bodyid[j]] == 0):
            continue
        kind, margin, dof = m.jnt_type[j], m.jnt_margin[j], m.jnt_dofadr[j]

        # A slide or hinge joint has two limits; a ball joint limits its angle.
        if kind == SLIDE or kind == HINGE:
            value = d.qpos[m.jnt_qposadr[j]]
            side = -1.0
            for k in range(2):
                dist = side * (m.jnt_range[j, k] - value)
                if dist < margin:
                    put_single(m, d, sparse, dof, -side, LIMIT_JOINT, j, dist, margin, 0.0, m.dof_invweight0[dof])
                side = 1.0
        elif kind == BALL:
            axis, angle = unit3(quat_vel(quat_unit(load(d.qpos, m.jnt_qposadr[j], 4)), 1.0))
            dist = max(m.jnt_range[j, 0], m.jnt_range[j, 1]) - angle
            if dist < margin:
                ball_limit(m, d, sparse, j, axis, dist, margin)


@kernel
def ball_limit(m, d, sparse, j, axis, dist, margin):
    """Append the row that limits the rotation of a ball joint to a cone."""
    if reserve_rows(m, d, sparse, 1, 3):
        a, dof = row_address(m, d, sparse), m.jnt_dofadr[j]
        if sparse:
            for k in range(3):
                d.efc_J_colind[a + k] = dof + k
        else:
            clear_row(m, d, a, m.nv)
            a += dof
        d.efc_J[a], d.efc_J[a + 1], d.efc_J[a + 2] = -axis[0], -axis[1], -axis[2]
        put_row(d, d.nefc, LIMIT_JOINT, j, dist, margin, 0.0, m.dof_invweight0[dof])
        close_rows(d, sparse, 1, 3)
