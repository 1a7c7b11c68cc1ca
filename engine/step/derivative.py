"""Analytical derivatives of smooth forces with respect to velocity. They have the sparsity of D: all pairs of dofs on one
branch of the tree."""

from ..core.stages import run, table_entry
from ..dynamics.actuation import actuator_asleep, actuator_disabled
from ..dynamics.actuator_slopes import saturated, velocity_slope
from ..dynamics.kinematics import SLEEP
from ..dynamics.sparsity import is_sparse
from ..machine.jit import kernel, stage
from ..machine.lang import flat
from ..tables.compat_rows import DRIVE, POLYNOMIAL, bit
from ..tables.enums import mjtDisableBit
from ..tables.force_rows import OURS
from ..tables.stage_rows import ABSENT, FORCE_DERIVATIVES, stage_id

NO_SPRING, NO_DAMPER, NO_ACTUATION = (int(mjtDisableBit[f"mjDSBL_{n}"]) for n in ("SPRING", "DAMPER", "ACTUATION"))
SATURATED = bit("saturated")
FLUID, FLEX = stage_id("derivative_fluid"), stage_id("derivative_flex")
EXTRA, EXTRA_SLOPES, EXTRA_DERIVATIVE = POLYNOMIAL | DRIVE, stage_id("extra_slopes"), stage_id("extra_derivative")
FORCES_OF_OURS = len(OURS)


@stage
def derivative_velocity(m, d):
    """reads actuator_moment, ten_J, ctrl, act; writes qDeriv: d (qfrc_actuator + qfrc_passive) / d qvel."""
    for k in range(m.nD):
        d.qDeriv[k] = 0.0

    if m.opt.disableflags & NO_ACTUATION == 0:
        actuator_derivative(m, d)
    if m.opt.disableflags & NO_SPRING and m.opt.disableflags & NO_DAMPER:
        return

    # Add passive forces: fluid, joint dampers, features added after 3.4, flexes, tendons.
    if (m.opt.viscosity > 0 or m.opt.density > 0) and not run(m, d, FLUID):
        return
    if m.opt.disableflags & NO_DAMPER:
        return
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nv_awake < m.nv
    for k in range(d.nv_awake if sleep else m.nv):
        i = d.dof_awake_ind[k] if sleep else k
        d.qDeriv[m.D_rowadr[i] + m.D_diag[i]] -= m.dof_damping[i]
    if m.features & EXTRA and not (run(m, d, EXTRA_SLOPES) and run(m, d, EXTRA_DERIVATIVE)):
        return
    if m.nflex and not run(m, d, FLEX):
        return

    sparse = is_sparse(m)
    for t in range(m.ntendon):
        b = -m.tendon_damping[t]
        if b != 0:
            if sparse:
                add_outer_sparse(m, d, flat(d.ten_J), flat(d.ten_J_colind), d.ten_J_rowadr[t], d.ten_J_rownnz[t], b)
            else:
                add_outer_dense(m, d, d.ten_J, t, b)

    for k in range(FORCES_OF_OURS):
        if table_entry(d, FORCE_DERIVATIVES + k) != ABSENT and not run(m, d, FORCE_DERIVATIVES + k):
            return


@kernel
def add_outer_sparse(m, d, J, colind, start, count, b):
    """Add b J'J to qDeriv for one sparse row J."""
    end = start + count
    for p in range(start, end):
        k = colind[p]
        s, adr, n = J[p] * b, m.D_rowadr[k], m.D_rownnz[k]
        q, a = start, 0
        while q < end and a < n:
            c, e = colind[q], m.D_colind[adr + a]
            if c == e:
                d.qDeriv[adr + a] += s * J[q]
                q += 1
                a += 1
            elif c < e:
                q += 1
            else:
                a += 1


@kernel
def add_outer_dense(m, d, J, row, b):
    """Add b J'J to qDeriv for one dense row J."""
    for k in range(m.nv):
        if J[row, k] != 0:
            s = J[row, k] * b
            for a in range(m.D_rowadr[k], m.D_rowadr[k] + m.D_rownnz[k]):
                d.qDeriv[a] += J[row, m.D_colind[a]] * s


@kernel
def actuator_derivative(m, d):
    """Add d qfrc_actuator / d qvel to qDeriv."""
    for i in range(m.nactuator):
        if actuator_disabled(m, i) or actuator_asleep(m, d, i) or m.compat_bits & SATURATED and saturated(m, d, i):
            continue
        b, o = velocity_slope(m, d, i), m.actuator_outadr[i]
        if b != 0:
            for k in range(o, o + m.actuator_outnum[i]):
                add_outer_sparse(m, d, d.actuator_moment, d.moment_colind, d.moment_rowadr[k], d.moment_rownnz[k], b)
