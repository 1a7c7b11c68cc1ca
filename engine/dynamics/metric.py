"""The effective inertia of the integrator `discrete`, whose springs, dampers and servos act at the end of a step (MuJoCo's
manual, Computation, Integrators).

    (M + h D + h^2 K) a = f - h K v + J' f_c          v+ = v + h a          q+ = q + h v+

D and K are damping and stiffness of joints, tendons and actuators, limited to the parts that dissipate energy. Joint terms are
on the diagonal. A tendon or an actuator couples dofs: row w of its Jacobian, with scale s, adds s w'w. efm_M is the inertia
plus the diagonal terms. qH is the factor of efm_M plus the diagonals of all couplings; it preconditions the iterations for
qacc_smooth.
"""

from math import sqrt

from ..core.stages import run
from ..machine.jit import inline, kernel, stage
from ..machine.lang import flat
from ..math.dense import dot
from ..math.sparse import symmetric_times
from ..tables.compat_rows import DRIVE, POLYNOMIAL
from ..tables.enums import mjtDisableBit, mjtIntegrator, mjtJoint
from ..tables.stage_rows import stage_id
from .actuation import actuator_disabled
from .actuator_slopes import length_slope, saturated, velocity_slope
from .extra import spring_slope, tendon_drag_slope
from .inertia import factor, solve
from .sparsity import is_sparse
from .tendon_force import spring_excess
from .tendon_rows import add_tendon_row

DISCRETE = int(mjtIntegrator.mjINT_DISCRETE)
NO_SPRING, NO_DAMPER, NO_ACTUATION = (int(mjtDisableBit[f"mjDSBL_{n}"]) for n in ("SPRING", "DAMPER", "ACTUATION"))
FREE, BALL = int(mjtJoint.mjJNT_FREE), int(mjtJoint.mjJNT_BALL)
EXTRA, EXTRA_SLOPES, FLUID = POLYNOMIAL | DRIVE, stage_id("extra_slopes"), stage_id("derivative_fluid")
# iterations for qacc_smooth end when the residual, in the norm of the effective inertia, is this fraction of the force
ROUNDED = 1e-15


@inline
def is_discrete(m):
    """Return whether the integrator is `discrete`, which treats springs and dampers implicitly."""
    return m.opt.integrator == DISCRETE


# ---- rows that couple dofs ---------------------------------------------------------------------------------------------
@kernel
def tendon_dot(m, d, t, x):
    """Return the product of tendon t's Jacobian J and x."""
    s = 0.0
    if is_sparse(m):
        J, col, start = flat(d.ten_J), flat(d.ten_J_colind), d.ten_J_rowadr[t]
        for a in range(start, start + d.ten_J_rownnz[t]):
            s += J[a] * x[col[a]]
    else:
        for i in range(m.nv):
            s += d.ten_J[t, i] * x[i]
    return s


@kernel
def add_tendon_squares(m, d, t, y, s):
    """Add s J^2 of tendon t to y, elementwise."""
    if is_sparse(m):
        J, col, start = flat(d.ten_J), flat(d.ten_J_colind), d.ten_J_rowadr[t]
        for a in range(start, start + d.ten_J_rownnz[t]):
            y[col[a]] += s * (J[a] * J[a])
    else:
        for i in range(m.nv):
            y[i] += s * (d.ten_J[t, i] * d.ten_J[t, i])


@kernel
def add_moment(m, d, o, y, s, square):
    """Add s times the moment of actuator output o to y; with `square`, add s times its squared entries."""
    start = d.moment_rowadr[o]
    for a in range(start, start + d.moment_rownnz[o]):
        w = d.actuator_moment[a]
        y[d.moment_colind[a]] += s * (w * w if square else w)


@kernel
def moment_dot(m, d, o, x):
    """Return the product of the moment of actuator output o and x."""
    start, s = d.moment_rowadr[o], 0.0
    for a in range(start, start + d.moment_rownnz[o]):
        s += d.actuator_moment[a] * x[d.moment_colind[a]]
    return s


@kernel
def metric_times(m, d, y, x):
    """Compute y = (M + h D + h^2 K) x."""
    symmetric_times(y, d.efm_M, m.M_rownnz, m.M_rowadr, m.M_colind, x, m.nv)
    for t in range(m.ntendon):
        if d.efm_ts[t] != 0:
            add_tendon_row(m, d, y, t, d.efm_ts[t] * tendon_dot(m, d, t, x))
    for o in range(m.nout):
        if d.efm_as[o] != 0:
            add_moment(m, d, o, y, d.efm_as[o] * moment_dot(m, d, o, x), False)


# ---- terms -------------------------------------------------------------------------------------------------------------
@kernel
def joint_terms(m, d):
    """writes efm_diag, efm_c."""
    h = m.opt.timestep
    for i in range(m.nv):
        d.efm_diag[i] = d.efm_c[i] = 0.0
    if m.opt.disableflags & NO_SPRING == 0:
        for j in range(m.njnt):
            kind, i = m.jnt_type[j], m.jnt_dofadr[j]
            k, size = m.jnt_stiffness[j], 6 if kind == FREE else 3 if kind == BALL else 1
            if size == 1 and m.features & POLYNOMIAL:
                a = m.jnt_qposadr[j]
                k += spring_slope(m.jnt_stiffnesspoly[j, 0], m.jnt_stiffnesspoly[j, 1], d.qpos[a] - m.qpos_spring[a])
            k = max(0.0, k)
            for c in range(i, i + size):
                d.efm_diag[c] += h * h * k
                d.efm_c[c] -= h * k * d.qvel[c]
    if m.opt.disableflags & NO_DAMPER == 0:
        extra = m.features & EXTRA != 0
        for i in range(m.nv):
            d.efm_diag[i] += h * max(0.0, m.dof_damping[i] + (d.work_v4[i] if extra else 0.0))


@kernel
def tendon_terms(m, d):
    """writes efm_ts; adds to efm_c, efm_sdiag."""
    h = m.opt.timestep
    for t in range(m.ntendon):
        k = b = 0.0
        if m.opt.disableflags & NO_SPRING == 0:
            x = spring_excess(d.ten_length[t], m.tendon_lengthspring[t, 0], m.tendon_lengthspring[t, 1])
            if x != 0:
                k = m.tendon_stiffness[t]
                if m.features & POLYNOMIAL:
                    k += spring_slope(m.tendon_stiffnesspoly[t, 0], m.tendon_stiffnesspoly[t, 1], -x)
        if m.opt.disableflags & NO_DAMPER == 0:
            b = m.tendon_damping[t] + (tendon_drag_slope(m, d, t) if m.features & EXTRA else 0.0)
        k, b = max(0.0, k), max(0.0, b)
        d.efm_ts[t] = h * h * k + h * b
        if k != 0:
            add_tendon_row(m, d, d.efm_c, t, -h * k * d.ten_velocity[t])
        if d.efm_ts[t] != 0:
            add_tendon_squares(m, d, t, d.efm_sdiag, d.efm_ts[t])


@kernel
def actuator_terms(m, d):
    """writes efm_as; adds to efm_c, efm_sdiag. Actuators at their limit do not resist."""
    h, off = m.opt.timestep, m.opt.disableflags & NO_ACTUATION != 0
    for o in range(m.nout):
        d.efm_as[o] = 0.0
    for i in range(m.nactuator):
        if off or actuator_disabled(m, i) or saturated(m, d, i):
            continue
        k, b = max(0.0, -length_slope(m, d, i)), max(0.0, -velocity_slope(m, d, i))
        for o in range(m.actuator_outadr[i], m.actuator_outadr[i] + m.actuator_outnum[i]):
            d.efm_as[o] = h * h * k + h * b
            if k != 0:
                add_moment(m, d, o, d.efm_c, -h * k * d.actuator_velocity[o], False)
            if d.efm_as[o] != 0:
                add_moment(m, d, o, d.efm_sdiag, d.efm_as[o], True)


@kernel
def matrices(m, d):
    """writes efm_M, and in qH the matrix to be factored; adds the drag of fluids to efm_sdiag."""
    h = m.opt.timestep
    passive = m.opt.disableflags & NO_SPRING == 0 or m.opt.disableflags & NO_DAMPER == 0
    drag = passive and (m.opt.viscosity > 0 or m.opt.density > 0)
    if drag:
        for k in range(m.nD):
            d.qDeriv[k] = 0.0
        if not run(m, d, FLUID):
            return False
    for k in range(m.nC):
        d.efm_M[k] = d.qH[k] = d.M[k] - (h * d.qDeriv[m.mapD2M[k]] if drag else 0.0)
    for i in range(m.nv):
        a = m.M_rowadr[i] + m.M_rownnz[i] - 1
        d.efm_M[a] += d.efm_diag[i]
        d.qH[a] += d.efm_sdiag[i]
        if drag:
            d.efm_sdiag[i] -= h * d.qDeriv[m.mapD2M[a]]
    return True


@kernel
def smooth_solution(m, d):
    """Solve qacc_smooth = inv(M + h D + h^2 K) (qfrc_smooth + efm_c) by conjugate gradients (scratch: solve_*).

    The factor in qH is nearly exact, so few iterations are needed.
    """
    x, r, z, p, y = d.qacc_smooth, d.solve_grad, d.solve_Mgrad, d.solve_search, d.solve_Mv
    nv = m.nv

    for i in range(nv):
        x[i] = 0.0
        r[i] = z[i] = d.qfrc_smooth[i] + d.efm_c[i]
    solve(m, d, z, 0, d.qH, d.qHDiagInv, False)
    rz = dot(r, 0, z, 0, nv)
    enough = ROUNDED * sqrt(abs(rz))
    for i in range(nv):
        p[i] = z[i]

    # Iterate until the residual is at rounding error.
    for k in range(2 * nv + 2):
        metric_times(m, d, y, p)
        py = dot(p, 0, y, 0, nv)
        if not py > 0:
            break
        step = rz / py
        for i in range(nv):
            x[i] += step * p[i]
            r[i] -= step * y[i]
            z[i] = r[i]
        solve(m, d, z, 0, d.qH, d.qHDiagInv, False)
        after = dot(r, 0, z, 0, nv)
        if not sqrt(abs(after)) > enough:
            break
        for i in range(nv):
            p[i] = z[i] + after / rz * p[i]
        rz = after


@stage
def metric(m, d):
    """reads M, qvel, ten_J, ten_length, ten_velocity, actuator_moment, actuator_force, ctrl, act; writes efm_*, qH, qHDiagInv
    (scratch: work_v4, qDeriv).
    """
    if m.features & EXTRA and not run(m, d, EXTRA_SLOPES):
        return
    joint_terms(m, d)
    for i in range(m.nv):
        d.efm_sdiag[i] = d.efm_diag[i]
    tendon_terms(m, d)
    actuator_terms(m, d)
    if matrices(m, d):
        factor(m, d, d.qH, d.qHDiagInv, False)


@stage
def metric_acceleration(m, d):
    """reads efm_*, qH, qHDiagInv, qfrc_smooth; writes qacc_smooth (scratch: solve_grad, solve_Mgrad, solve_search,
    solve_Mv).
    """
    smooth_solution(m, d)
