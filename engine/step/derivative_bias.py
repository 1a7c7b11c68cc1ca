"""Derivative of bias forces with respect to velocity: the derivative of the recursive Newton-Euler algorithm.

The row of a body has a 6-vector for each dof that moves the body or belongs to its subtree (B_rowadr, B_colind), ancestors
first. All recursions are linear in the derivative of velocity, so columns are independent of each other.
"""

from ..core.stages import GROW
from ..dynamics.kinematics import BALL, FREE, SLEEP
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, store
from ..math.spatial import add6, add_scaled6, cross_force, cross_motion, dot6, inertia_mul


@stage
def derivative_bias(m, d):
    """reads cdof, cdof_dot, cvel, cinert, qvel; writes qDeriv -= d qfrc_bias / d qvel (scratch: work_dvel, work_dacc,
    work_dfrc, work_drate).
    """
    if m.nB > d.nB_cap or m.nD > d.nD_cap:
        d.need_B, d.need_D, d.status = m.nB, m.nD, GROW
        return

    # The rows of bodies and dofs that sleep are not used.
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nv_awake < m.nv
    bodies = d.nbody_awake if sleep else m.nbody
    for k in range(1, bodies):
        b = d.body_awake_ind[k] if sleep else k
        body_rows(m, d, b)
        force_rows(m, d, b)
    for k in range(bodies - 1, 0, -1):
        add_to_parent(m, d, d.body_awake_ind[k] if sleep else k)
    for t in range(d.nv_awake if sleep else m.nv):
        i = d.dof_awake_ind[t] if sleep else t
        axis, row, adr = load(d.cdof, i, 6), m.B_rowadr[m.dof_bodyid[i]], m.D_rowadr[i]
        for k in range(m.D_rownnz[i]):
            d.qDeriv[adr + k] -= dot6(axis, load(d.work_dfrc, row + k, 6))


@inline
def depth(m, i):
    """Return the number of ancestors of dof i."""
    end = m.dof_Madr[i + 1] if i < m.nv - 1 else m.nM
    return end - m.dof_Madr[i] - 1


@kernel
def body_rows(m, d, b):
    """Compute work_dvel, work_drate and work_dacc of a body: the derivatives of its velocity, of the rates of change of its
    motion axes, and of its acceleration.
    """
    zero = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    base, n, p = m.B_rowadr[b], m.B_rownnz[b], m.body_parentid[b]

    # Columns that are shared with the parent start with the parent's derivatives.
    shared = 0
    up = m.body_weldid[p]
    while up > 0:
        shared += m.body_dofnum[up]
        up = m.body_weldid[m.body_parentid[up]]
    source = m.B_rowadr[p]
    for k in range(n):
        store(d.work_dvel, base + k, load(d.work_dvel, source + k, 6) if k < shared else zero)
        store(d.work_dacc, base + k, load(d.work_dacc, source + k, 6) if k < shared else zero)

    # The body's joints change its velocity and acceleration.
    first = m.body_jntadr[b]
    for j in range(first, first + m.body_jntnum[b]):
        joint_rows(m, d, base, j)
    start = m.body_dofadr[b]
    for i in range(start, start + m.body_dofnum[b]):
        own, adr, v = base + depth(m, i), m.D_rowadr[i], d.qvel[i]
        store(d.work_dacc, own, add6(load(d.work_dacc, own, 6), load(d.cdof_dot, i, 6)))
        for k in range(n):
            store(d.work_dacc, base + k, add_scaled6(load(d.work_dacc, base + k, 6), load(d.work_drate, adr + k, 6), v))


@kernel
def joint_rows(m, d, base, j):
    """Add the contribution of a joint's dofs to the derivative of velocity; compute the derivative of the rates of the joint's
    axes."""
    i, kind = m.jnt_dofadr[j], m.jnt_type[j]
    count = 3 if kind == FREE or kind == BALL else 1
    if kind == FREE:
        # Translations do not rotate their own axes.
        rates(m, d, base, i, 3, 0)
        enter(m, d, base, i, 3)
        i += 3
    rates(m, d, base, i, count, depth(m, i))
    enter(m, d, base, i, count)


@inline
def rates(m, d, base, i, count, known):
    """Compute work_drate of `count` dofs in the first `known` columns; set the other columns to zero."""
    for r in range(i, i + count):
        adr, axis = m.D_rowadr[r], load(d.cdof, r, 6)
        for k in range(m.D_rownnz[r]):
            if k < known:
                store(d.work_drate, adr + k, cross_motion(load(d.work_dvel, base + k, 6), axis))
            else:
                store(d.work_drate, adr + k, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))


@inline
def enter(m, d, base, i, count):
    for r in range(i, i + count):
        k = base + depth(m, r)
        store(d.work_dvel, k, add6(load(d.work_dvel, k, 6), load(d.cdof, r, 6)))


@kernel
def force_rows(m, d, b):
    """Compute work_dfrc of a body: the derivative of I a + v x I v."""
    inertia, v = load(d.cinert, b, 10), load(d.cvel, b, 6)
    momentum = inertia_mul(inertia, v)
    for k in range(m.B_rowadr[b], m.B_rowadr[b] + m.B_rownnz[b]):
        dv = load(d.work_dvel, k, 6)
        turn = add6(cross_force(dv, momentum), cross_force(v, inertia_mul(inertia, dv)))
        store(d.work_dfrc, k, add6(inertia_mul(inertia, load(d.work_dacc, k, 6)), turn))


@kernel
def add_to_parent(m, d, b):
    """Add work_dfrc of body b to the parent's work_dfrc, in the columns that both share."""
    p = m.body_parentid[b]
    if m.body_weldid[p] == 0:
        return
    i, end = m.B_rowadr[b], m.B_rowadr[b] + m.B_rownnz[b]
    k, last = m.B_rowadr[p], m.B_rowadr[p] + m.B_rownnz[p]
    while i < end and k < last:
        if m.B_colind[i] == m.B_colind[k]:
            store(d.work_dfrc, k, add6(load(d.work_dfrc, k, 6), load(d.work_dfrc, i, 6)))
            i += 1
        k += 1
