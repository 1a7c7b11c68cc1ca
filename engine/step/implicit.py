"""Integrators that are implicit in velocity. They solve (M - h D) a = f, where D = d force / d velocity.

implicitfast omits the derivative of Coriolis forces, so its matrix is symmetric with the sparsity of M.
"""

from ..core.counts import count_warning
from ..core.stages import in_lanes, run
from ..dynamics.inertia import INERTIA, PIVOTS, factor, gather_dot, solve
from ..dynamics.kinematics import SLEEP
from ..machine.jit import kernel, stage
from ..tables.compat_rows import bit
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtIntegrator
from ..tables.stage_rows import stage_id
from .integrate import advance

IMPLICIT = int(mjtIntegrator.mjINT_IMPLICIT)
DERIVATIVE, DERIVATIVE_BIAS, FREE_BODIES = stage_id("derivative_velocity"), stage_id("derivative_bias"), stage_id("free_bodies")
TURN = bit("free_turn")


@stage
def implicit(m, d):
    """reads M, qfrc_smooth, qfrc_constraint; writes qDeriv, qH, qHDiagInv or qLU, and the next state."""
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nv_awake < m.nv
    if not run(m, d, DERIVATIVE):
        return
    for k in range(d.nv_awake if sleep else m.nv):
        i = d.dof_awake_ind[k] if sleep else k
        d.work_v1[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i]

    h = m.opt.timestep
    if m.opt.integrator == IMPLICIT:
        if not run(m, d, DERIVATIVE_BIAS):
            return
        for t in range(d.nv_awake if sleep else m.nv):
            i = d.dof_awake_ind[t] if sleep else t
            for k in range(m.D_rowadr[i], m.D_rowadr[i] + m.D_rownnz[i]):
                a = m.mapM2D[k]
                d.qLU[k] = (d.M[a] if a >= 0 else 0.0) - h * d.qDeriv[k]
        factor_lu(m, d, sleep)
        solve_lu(m, d, sleep)
    else:
        for k in range(m.nC):
            d.qH[k] = d.M[k] - h * d.qDeriv[m.mapD2M[k]]
        factor(m, d, d.qH, d.qHDiagInv, sleep)
        solve(m, d, d.work_v1, 0, d.qH, d.qHDiagInv, sleep)
        if m.compat_bits & TURN and m.ntree and not run(m, d, FREE_BODIES):
            return

    advance(m, d, d.act_dot, d.work_v1, d.qvel)


@kernel
def factor_lu(m, d, sleep):
    """Factor qLU = (U + I) L in place, from the last row up (scratch: work_int).

    There is no fill-in, because D holds all pairs of a branch.
    """

    LU, count, adr, col, left = d.qLU, m.D_rownnz, m.D_rowadr, m.D_colind, d.work_int
    n = d.nv_awake if sleep else m.nv
    for t in range(n):
        i = d.dof_awake_ind[t] if sleep else t
        left[i] = count[i]

    # Eliminate column i from the rows above. `left` counts, for each row, the entries not eliminated yet.
    lost = -1
    for t in range(n - 1, -1, -1):
        i = d.dof_awake_ind[t] if sleep else t
        left[i] -= 1
        if m.compat_bits & PIVOTS and not in_lanes() and abs(LU[adr[i] + left[i]]) < mjMINVAL:
            LU[adr[i] + left[i]] = mjMINVAL
            lost = i if lost < 0 else lost
        diag = LU[adr[i] + left[i]]
        for s in range(t - 1, -1, -1):
            j = d.dof_awake_ind[s] if sleep else s
            last = adr[j] + left[j] - 1
            if left[j] == 0 or col[last] != i:
                continue
            left[j] -= 1
            factor_ji = LU[last] / diag
            LU[last] = factor_ji
            p, q = adr[i], adr[j]
            while q < adr[j] + left[j] and p < adr[i] + left[i]:
                if col[p] == col[q]:
                    LU[q] -= LU[p] * factor_ji
                    p += 1
                    q += 1
                elif col[p] > col[q]:
                    q += 1
                else:
                    p += 1
    if lost >= 0:
        count_warning(d, INERTIA, lost)


@kernel
def solve_lu(m, d, sleep):
    """Set work_v1 = inv((U + I) L) work_v1, in place."""
    x, LU = d.work_v1, d.qLU
    n = d.nv_awake if sleep else m.nv
    for t in range(n - 1, -1, -1):
        i = d.dof_awake_ind[t] if sleep else t
        first = m.D_diag[i] + 1
        width = m.D_rownnz[i] - first
        if width > 0:
            x[i] -= gather_dot(LU, m.D_rowadr[i] + first, x, 0, m.D_colind, width)
    for t in range(n):
        i = d.dof_awake_ind[t] if sleep else t
        start, width = m.D_rowadr[i], m.D_diag[i]
        if width > 0:
            x[i] -= gather_dot(LU, start, x, 0, m.D_colind, width)
        x[i] /= LU[start + width]
