"""Inverse weights at the reference configuration: mean inverse inertia of bodies, dofs, tendons and actuators."""

from math import sqrt

from ..core.stages import run
from ..dynamics.force import dof_translation, last_dof
from ..dynamics.inertia import gather_dot
from ..dynamics.kinematics import BALL, FREE
from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel, stage
from ..machine.lang import flat, load
from ..math.dense import dot
from ..math.spatial import dot6, inertia_mul
from ..math.vec import sub3
from ..tables.compat_rows import DRIVE
from ..tables.consts import mjMINVAL
from ..tables.stage_rows import stage_id

DRIVE_DIAGONAL = stage_id("drive_diagonal")


@stage
def inverse_weights(m, d):
    """reads crb, cdof, xipos, subtree_com, qLD, ten_J, actuator_moment at qpos0; writes Model's body_invweight0,
    dof_invweight0, tendon_invweight0, actuator_acc0 (scratch: work_6v, work_v1).

    A weight is the mean diagonal of J inv(M) J' over translations, and over rotations.
    """
    body_weights(m, d)
    dof_weights(m, d)
    tendon_weights(m, d)
    actuator_weights(m, d)


@stage
def diagonal_inertia(m, d):
    """reads crb, cdof; writes Model's dof_M0: diagonal of the joint-space inertia."""
    for i in range(m.nv):
        axis = load(d.cdof, i, 6)
        m.dof_M0[i] = m.dof_armature[i] + dot6(axis, inertia_mul(load(d.crb, m.dof_bodyid[i], 10), axis))
    if m.features & DRIVE:
        run(m, d, DRIVE_DIAGONAL)


@kernel
def solve_span(m, d, x, offset, first, count):
    """Set x = inv(M) x, where x is zero except at dofs [first, first + count). These must be the dofs of complete trees."""
    L, width, adr, col = d.qLD, m.M_rownnz, m.M_rowadr, m.M_colind
    for i in range(first + count - 1, first - 1, -1):
        xi = x[offset + i]
        if xi != 0.0:
            for a in range(adr[i], adr[i] + width[i] - 1):
                x[offset + col[a]] -= L[a] * xi
    for i in range(first, first + count):
        x[offset + i] *= d.qLDiagInv[i]
    for i in range(first, first + count):
        if width[i] > 1:
            x[offset + i] -= gather_dot(L, adr[i], x, offset, col, width[i] - 1)


@kernel
def mean_diagonal(m, d, count, first, span):
    """Return two means of the diagonal of J inv(M) J': over the first three rows of J, and over the other rows. J has `count`
    (1, 3 or 6) rows, in work_6v.
    """
    total = rest = 0.0
    nv = m.nv
    x = flat(d.work_6v)
    for r in range(count):
        for i in range(first, first + span):
            d.work_v1[i] = x[r * nv + i]
        solve_span(m, d, d.work_v1, 0, first, span)
        s = dot(x, r * nv + first, d.work_v1, first, span)
        if r < 3:
            total += s
        else:
            rest += s
    return total / min(count, 3), rest / 3


@kernel
def clear_rows(m, d, count, first, span):
    x = flat(d.work_6v)
    for r in range(count):
        for i in range(first, first + span):
            x[r * m.nv + i] = 0.0


@kernel
def body_weights(m, d):
    """writes body_invweight0."""
    for b in range(m.nbody):
        # Mocap bodies may form a separate weld group, but no dof moves these bodies.
        if b == 0 or m.body_treeid[b] < 0:
            m.body_invweight0[b, 0] = m.body_invweight0[b, 1] = 0.0
            continue
        if m.body_simple[b] == 2:
            m.body_invweight0[b, 0] = 1 / max(mjMINVAL, m.body_mass[b])
            m.body_invweight0[b, 1] = 0.0
            continue

        # Compute the Jacobian of the center of mass, then the means.
        tree = m.body_treeid[b]
        first, span = m.tree_dofadr[tree], m.tree_dofnum[tree]
        clear_rows(m, d, 6, first, span)
        offset = sub3(load(d.xipos, b, 3), load(d.subtree_com, m.body_rootid[b], 3))
        i = last_dof(m, b)
        while i >= 0:
            v = dof_translation(d, i, offset)
            for r in range(3):
                d.work_6v[r, i] = v[r]
                d.work_6v[r + 3, i] = d.cdof[i, r]
            i = m.dof_parentid[i]
        m.body_invweight0[b, 0], m.body_invweight0[b, 1] = mean_diagonal(m, d, 6, first, span)


@kernel
def dof_weights(m, d):
    """writes dof_invweight0."""
    for j in range(m.njnt):
        b, i, kind = m.jnt_bodyid[j], m.jnt_dofadr[j], m.jnt_type[j]
        if m.body_simple[b] == 2:
            m.dof_invweight0[i] = 1 / max(mjMINVAL, m.body_mass[b])
            continue
        tree = m.body_treeid[b]
        first, span = m.tree_dofadr[tree], m.tree_dofnum[tree]
        count = 1
        if kind == FREE or kind == BALL:
            count = 6 if kind == FREE else 3
        clear_rows(m, d, count, first, span)
        for r in range(count):
            d.work_6v[r, i + r] = 1.0
        a, c = mean_diagonal(m, d, count, first, span)
        for r in range(count):
            m.dof_invweight0[i + r] = a if r < 3 else c


@inline
def spread(d, J, col, start, count, nv):
    """Expand a sparse row into the dense vectors work_v2 and work_v1."""
    for i in range(nv):
        d.work_v2[i] = 0.0
    for a in range(start, start + count):
        d.work_v2[col[a]] = J[a]
    for i in range(nv):
        d.work_v1[i] = d.work_v2[i]


@inline
def row_weight(m, d, sparse, row, J, columns, start, count):
    """Return J inv(M) J' of a row J of a Jacobian. J is dense, or packed starting at address `start`."""
    if sparse:
        spread(d, J, columns, start, count, m.nv)
    else:
        for i in range(m.nv):
            d.work_v1[i] = d.work_v2[i] = J[row * m.nv + i]
    solve_span(m, d, d.work_v1, 0, 0, m.nv)
    return dot(d.work_v1, 0, d.work_v2, 0, m.nv)


@kernel
def tendon_weights(m, d):
    """writes tendon_invweight0."""
    sparse = is_sparse(m)
    for t in range(m.ntendon):
        start, count = (d.ten_J_rowadr[t], d.ten_J_rownnz[t]) if sparse else (0, 0)
        m.tendon_invweight0[t] = row_weight(m, d, sparse, t, flat(d.ten_J), flat(d.ten_J_colind), start, count)


@kernel
def actuator_weights(m, d):
    """writes actuator_acc0: norm of the acceleration by a unit force."""
    for k in range(m.nout):
        spread(d, d.actuator_moment, d.moment_colind, d.moment_rowadr[k], d.moment_rownnz[k], m.nv)
        solve_span(m, d, d.work_v1, 0, 0, m.nv)
        m.actuator_acc0[k] = sqrt(dot(d.work_v1, 0, d.work_v1, 0, m.nv))
