"""Analytical derivatives of smooth forces with respect to velocity, in the sparsity of D (all pairs of dofs of one branch)."""
from ..core.compat_rows import DRIVE, POLYNOMIAL, bit
from ..core.consts import mjMINVAL
from ..core.enums import mjtBias, mjtDisableBit, mjtDyn, mjtGain, mjtTrn
from ..core.force_rows import OURS
from ..core.jit import inline, kernel, stage
from ..core.lang import flat, load
from ..core.stages import ABSENT, FORCE_DERIVATIVES, run, stage_id, table_entry
from ..dynamics.actuation import GAIN_USER, actuator_asleep, actuator_disabled
from ..dynamics.actuator_models import TURN_GAIN
from ..dynamics.servos import servo_slope, torque_at_limit
from ..dynamics.sparsity import is_sparse
from ..math.curves import muscle_length_curve

NO_SPRING, NO_DAMPER, NO_ACTUATION = (int(mjtDisableBit[f"mjDSBL_{n}"]) for n in ("SPRING", "DAMPER", "ACTUATION"))
BIAS_AFFINE, GAIN_AFFINE, GAIN_MUSCLE, DYN_NONE = (int(mjtBias.mjBIAS_AFFINE), int(mjtGain.mjGAIN_AFFINE), int(mjtGain.mjGAIN_MUSCLE),
                                                   int(mjtDyn.mjDYN_NONE))
SATURATED, ROUNDING = bit("saturated"), 1e-12
ON_JOINT, ON_JOINT_IN_PARENT, ON_TENDON = (int(mjtTrn[f"mjTRN_{n}"]) for n in ("JOINT", "JOINTINPARENT", "TENDON"))
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
    if (m.opt.viscosity > 0 or m.opt.density > 0) and not run(m, d, FLUID):
        return
    if m.opt.disableflags & NO_DAMPER:
        return
    for i in range(m.nv):
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
    """qDeriv += b J'J for one sparse row."""
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
    """qDeriv += b J'J for one dense row."""
    for k in range(m.nv):
        if J[row, k] != 0:
            s = J[row, k] * b
            for a in range(m.D_rowadr[k], m.D_rowadr[k] + m.D_rownnz[k]):
                d.qDeriv[a] += J[row, m.D_colind[a]] * s


@inline
def muscle_gain_slope(length, velocity, low, high, acc0, prm):
    """d muscle_gain / d velocity."""
    force = prm[3] / max(mjMINVAL, acc0) if prm[2] < 0 else prm[2]
    unit = (high - low) / max(mjMINVAL, prm[1] - prm[0])
    at = prm[0] + (length - low) / max(mjMINVAL, unit)
    fastest = max(mjMINVAL, unit * prm[6])
    speed, y = velocity / fastest, prm[8] - 1
    slope = 0.0
    if -1 < speed <= 0:
        slope = 2 * speed + 2
    elif 0 < speed <= y:
        slope = (-2 * speed + 2 * y) / max(mjMINVAL, y)
    return -force * muscle_length_curve(at, prm[4], prm[5]) * slope / fastest


@inline
def at_limit(x, low, high):
    return x <= low or x >= high


@kernel
def saturated(m, d, i):
    """Whether the force of actuator i is at its limit, or at that of the joint or tendon that it drives."""
    if m.actuator_forcelimited[i]:
        if m.actuator_gaintype[i] == TURN_GAIN:
            if torque_at_limit(m, d, i):
                return True
        elif at_limit(d.actuator_force[m.actuator_outadr[i]], m.actuator_forcerange[i, 0], m.actuator_forcerange[i, 1]):
            return True
    kind, k = m.actuator_trntype[i], m.actuator_trnid[i, 0]
    if (kind == ON_JOINT or kind == ON_JOINT_IN_PARENT) and m.jnt_actfrclimited[k]:
        return at_limit(d.qfrc_actuator[m.jnt_dofadr[k]], m.jnt_actfrcrange[k, 0], m.jnt_actfrcrange[k, 1])
    if kind == ON_TENDON and m.tendon_actfrclimited[k]:
        total = 0.0
        for j in range(m.nactuator):
            if m.actuator_trntype[j] == ON_TENDON and m.actuator_trnid[j, 0] == k:
                total += d.actuator_force[m.actuator_outadr[j]]
        low, high = m.tendon_actfrcrange[k, 0], m.tendon_actfrcrange[k, 1]
        # forces were scaled to the limit
        slack = ROUNDING * (abs(low) + abs(high))
        return at_limit(total, low + slack, high - slack)
    return False


@kernel
def actuator_derivative(m, d):
    """qDeriv += d qfrc_actuator / d qvel."""
    for i in range(m.nactuator):
        if actuator_disabled(m, i) or actuator_asleep(m, d, i) or m.compat_bits & SATURATED and saturated(m, d, i):
            continue
        b = m.actuator_biasprm[i, 2] if m.actuator_biastype[i] == BIAS_AFFINE else 0.0
        gain, o = 0.0, m.actuator_outadr[i]
        if m.actuator_gaintype[i] > GAIN_USER:
            b = servo_slope(m, d, i)
        elif m.actuator_gaintype[i] == GAIN_AFFINE:
            gain = m.actuator_gainprm[i, 2]
        elif m.actuator_gaintype[i] == GAIN_MUSCLE:
            gain = muscle_gain_slope(d.actuator_length[o], d.actuator_velocity[o], m.actuator_lengthrange[o, 0], m.actuator_lengthrange[o, 1],
                                     m.actuator_acc0[o], load(m.actuator_gainprm, i, 9))
        if gain != 0:
            if m.actuator_dyntype[i] == DYN_NONE:
                b += gain * d.ctrl[m.actuator_ctrladr[i]]
            else:
                b += gain * d.act[m.actuator_actadr[i] + m.actuator_actnum[i] - 1]
        if b != 0:
            for k in range(o, o + m.actuator_outnum[i]):
                add_outer_sparse(m, d, d.actuator_moment, d.moment_colind, d.moment_rowadr[k], d.moment_rownnz[k], b)
