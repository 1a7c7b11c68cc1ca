"""Actuator forces: activation dynamics, gain and bias, limits, and their joint-space sum."""

from ..core.counts import count_warning
from ..core.stages import AT_FORCES, AT_RATES, run, run_plugins, table_entry, value_for
from ..machine.jit import inline, kernel, stage
from ..machine.lang import invoke_value, load
from ..math.vec import clip, norm3
from ..tables.actuator_rows import FIRST_OF_OURS, number
from ..tables.compat_rows import HISTORY, SERVO
from ..tables.consts import mjMAXVAL
from ..tables.enums import mjtDisableBit, mjtTrn, mjtWarning
from ..tables.stage_rows import BIASES, DYNAMICS, GAINS, stage_id
from .actuator_models import (
    GAIN_AFFINE,
    GAIN_FIXED,
    GAIN_MUSCLE,
    GAIN_USER,
    NEAR_SETPOINT,
    is_servo,
    muscle_bias,
    muscle_dynamics,
    muscle_gain,
    nearest_round,
    next_activation,
    servo_turn,
)
from .awake import ASLEEP
from .kinematics import SLEEP

NO_ACTUATION, NO_CLAMP, NO_GRAVITY = (int(mjtDisableBit[f"mjDSBL_{n}"]) for n in ("ACTUATION", "CLAMPCTRL", "GRAVITY"))
BAD_CONTROL = int(mjtWarning.mjWARN_BADCTRL)
DYN_NONE, DYN_INTEGRATOR, DYN_FILTER, DYN_EXACT, DYN_MUSCLE, DYN_USER = (
    number("dyn", name) for name in ("none", "integrator", "filter", "filterexact", "muscle", "user")
)
BIAS_AFFINE, BIAS_MUSCLE, BIAS_USER = (number("bias", name) for name in ("affine", "muscle", "user"))
TRN_JOINT, TRN_JOINTINPARENT, TRN_TENDON = (int(mjtTrn[f"mjTRN_{n}"]) for n in ("JOINT", "JOINTINPARENT", "TENDON"))
LAST_GROUP = 30
MUSCLES, DELAYED, SERVOS, SERVO_LIMITS = (
    stage_id(n) for n in ("muscle_forces", "delayed_controls", "servo_forces", "servo_limits")
)
HOOK_DYN, HOOK_GAIN, HOOK_BIAS = stage_id("hook_act_dyn"), stage_id("hook_act_gain"), stage_id("hook_act_bias")


@stage
def actuation(m, d):
    """reads ctrl, act, actuator_length, actuator_velocity, actuator_moment, qfrc_gravcomp; writes act_dot, actuator_force,
    qfrc_actuator.
    """
    for i in range(m.nv):
        d.qfrc_actuator[i] = 0.0
    for i in range(m.nout):
        d.actuator_force[i] = 0.0
    if m.nactuator == 0 or m.opt.disableflags & NO_ACTUATION:
        return

    # Compute activation rates and forces. Simple actuator models come first.
    read_controls(m, d)
    if m.features & HISTORY and not run(m, d, DELAYED):
        return
    special = activation_rates(m, d)
    if not run_plugins(m, d, AT_RATES):
        return
    special |= forces(m, d)
    if special and not run(m, d, MUSCLES):
        return
    if m.features & SERVO and not run(m, d, SERVOS):
        return
    if not run_plugins(m, d, AT_FORCES):
        return

    # Apply force limits.
    limit_forces(m, d)
    for i in range(m.nactuator):
        if m.actuator_forcelimited[i] and not is_servo(m, i):
            o = m.actuator_outadr[i]
            d.actuator_force[o] = clip(d.actuator_force[o], m.actuator_forcerange[i, 0], m.actuator_forcerange[i, 1])
    if m.features & SERVO and not run(m, d, SERVO_LIMITS):
        return

    # Sum the forces in joint space.
    for o in range(m.nout):
        f = d.actuator_force[o]
        if f != 0:
            start = d.moment_rowadr[o]
            for a in range(start, start + d.moment_rownnz[o]):
                d.qfrc_actuator[d.moment_colind[a]] += d.actuator_moment[a] * f

    add_gravity_compensation(m, d)
    for j in range(m.njnt):
        if m.jnt_actfrclimited[j]:
            i = m.jnt_dofadr[j]
            d.qfrc_actuator[i] = clip(d.qfrc_actuator[i], m.jnt_actfrcrange[j, 0], m.jnt_actfrcrange[j, 1])


@inline
def actuator_disabled(m, i):
    """Return whether the actuator's group is disabled."""
    group = m.actuator_group[i]
    return 0 <= group <= LAST_GROUP and (m.opt.disableactuator >> group) & 1 != 0


@inline
def actuator_asleep(m, d, i):
    """Return whether everything that the actuator moves is asleep; its moment then has no entries."""
    return m.opt.enableflags & SLEEP != 0 and d.nv_awake < m.nv and momentless(m, d, i) and asleep_target(m, d, i)


@inline
def momentless(m, d, i):
    """Return whether all moment rows of the actuator are empty."""
    count, start = 0, m.actuator_outadr[i]
    for o in range(start, start + m.actuator_outnum[i]):
        count += d.moment_rownnz[o]
    return count == 0


@inline
def asleep_target(m, d, i):
    kind, target = m.actuator_trntype[i], m.actuator_trnid[i, 0]
    if kind == TRN_JOINT or kind == TRN_JOINTINPARENT:
        return d.body_awake[m.jnt_bodyid[target]] == ASLEEP
    return d.ntree_awake < m.ntree


@inline
def usable(c):
    return -mjMAXVAL <= c <= mjMAXVAL


@kernel
def read_controls(m, d):
    """writes work_ctrl: controls clamped to their ranges; all zero if any is NaN or huge."""
    clamp = m.opt.disableflags & NO_CLAMP == 0
    for i in range(m.nu):
        c = d.ctrl[i]
        if clamp and m.actuator_ctrllimited[i]:
            c = clip(c, m.actuator_ctrlrange[i, 0], m.actuator_ctrlrange[i, 1])
        d.work_ctrl[i] = c
    for i in range(m.nu):
        if not usable(d.work_ctrl[i]):
            count_warning(d, BAD_CONTROL, i)
            for k in range(m.nu):
                d.work_ctrl[k] = 0.0
            return


@kernel
def activation_rates(m, d):
    """writes act_dot of filters and integrators. Returns whether other dynamics remain."""
    special = False
    for i in range(m.nactuator):
        adr = m.actuator_actadr[i]
        if adr < 0 or actuator_asleep(m, d, i):
            continue
        last = adr + m.actuator_actnum[i] - 1
        for a in range(adr, last + 1):
            d.act_dot[a] = 0.0

        kind = m.actuator_dyntype[i]
        if kind == DYN_INTEGRATOR:
            # Each control has its own activation.
            count = m.actuator_ctrlnum[i]
            for k in range(count):
                d.act_dot[last - count + 1 + k] = d.work_ctrl[m.actuator_ctrladr[i] + k]
        elif kind == DYN_FILTER or kind == DYN_EXACT:
            excess = d.work_ctrl[m.actuator_ctrladr[i]] - d.act[last]
            if m.compat_bits & NEAR_SETPOINT:
                excess = nearest_round(excess, 0.0, servo_turn(m, i))
            d.act_dot[last] = excess / max(1e-15, m.actuator_dynprm[i, 0])
        elif kind == DYN_MUSCLE or kind == DYN_USER or kind >= FIRST_OF_OURS:
            special = True
    return special


@inline
def input_of(m, d, i):
    """Return the input that the gain multiplies: the control, or the activation at the start or (actearly) the end of the
    step."""
    adr = m.actuator_actadr[i]
    if adr == -1:
        return d.work_ctrl[m.actuator_ctrladr[i]]
    a = adr + m.actuator_actnum[i] - 1
    return next_activation(m, d, i, a, d.act_dot[a]) if m.actuator_actearly[i] else d.act[a]


@kernel
def forces(m, d):
    """writes actuator_force of fixed and affine gains and biases. Returns whether other types remain."""
    special = False
    for i in range(m.nactuator):
        gain_kind, bias_kind = m.actuator_gaintype[i], m.actuator_biastype[i]
        if is_servo(m, i) or actuator_asleep(m, d, i) or actuator_disabled(m, i) or m.actuator_plugin[i] >= 0:
            continue
        if gain_kind > GAIN_AFFINE or bias_kind > BIAS_AFFINE or m.actuator_dyntype[i] > DYN_EXACT:
            special = True
            continue

        o = m.actuator_outadr[i]
        length, velocity = d.actuator_length[o], d.actuator_velocity[o]
        gain = m.actuator_gainprm[i, 0]
        if gain_kind == GAIN_AFFINE:
            gain = gain + m.actuator_gainprm[i, 1] * length + m.actuator_gainprm[i, 2] * velocity
        u = input_of(m, d, i)
        if m.compat_bits & NEAR_SETPOINT:
            u = nearest_round(u, length, servo_turn(m, i))
        f = gain * u
        if bias_kind == BIAS_AFFINE:
            f += m.actuator_biasprm[i, 0] + m.actuator_biasprm[i, 1] * length + m.actuator_biasprm[i, 2] * velocity
        d.actuator_force[o] = f
    return special


@stage
def muscle_forces(m, d):
    """reads ctrl, act, actuator_length, actuator_velocity; writes act_dot and actuator_force of muscles, user-defined actuators
    and actuator models that MuJoCo does not have.
    """
    for i in range(m.nactuator):
        if actuator_asleep(m, d, i):
            continue
        adr, kind = m.actuator_actadr[i], m.actuator_dyntype[i]
        if adr >= 0 and kind == DYN_MUSCLE:
            last = adr + m.actuator_actnum[i] - 1
            d.act_dot[last] = muscle_dynamics(d.work_ctrl[m.actuator_ctrladr[i]], d.act[last], load(m.actuator_dynprm, i, 3))
        elif adr >= 0 and kind == DYN_USER and table_entry(d, HOOK_DYN) != 0:
            rate = invoke_value(table_entry(d, HOOK_DYN), m, d, i)
            # A callback for several activations writes act_dot itself.
            if m.actuator_actnum[i] == 1:
                d.act_dot[adr] = rate
        elif adr >= 0 and kind >= FIRST_OF_OURS:
            d.act_dot[adr + m.actuator_actnum[i] - 1] = value_for(m, d, DYNAMICS + kind, i)

    # Compute the forces of these actuators.
    for i in range(m.nactuator):
        gain_kind, bias_kind = m.actuator_gaintype[i], m.actuator_biastype[i]
        plain = gain_kind <= GAIN_AFFINE and bias_kind <= BIAS_AFFINE and m.actuator_dyntype[i] <= DYN_EXACT
        if plain or is_servo(m, i) or actuator_asleep(m, d, i) or actuator_disabled(m, i) or m.actuator_plugin[i] >= 0:
            continue
        o = m.actuator_outadr[i]
        length, velocity = d.actuator_length[o], d.actuator_velocity[o]
        low, high, acc0 = m.actuator_lengthrange[o, 0], m.actuator_lengthrange[o, 1], m.actuator_acc0[o]

        # Without a callback, a user-defined gain is 1 and a user-defined bias 0.
        gain, bias = 1.0, 0.0
        if gain_kind == GAIN_FIXED:
            gain = m.actuator_gainprm[i, 0]
        elif gain_kind == GAIN_AFFINE:
            gain = m.actuator_gainprm[i, 0] + m.actuator_gainprm[i, 1] * length + m.actuator_gainprm[i, 2] * velocity
        elif gain_kind == GAIN_MUSCLE:
            gain = muscle_gain(length, velocity, low, high, acc0, load(m.actuator_gainprm, i, 9))
        elif gain_kind >= FIRST_OF_OURS:
            gain = value_for(m, d, GAINS + gain_kind, i)
        elif gain_kind == GAIN_USER and table_entry(d, HOOK_GAIN) != 0:
            gain = invoke_value(table_entry(d, HOOK_GAIN), m, d, i)

        if bias_kind == BIAS_AFFINE:
            bias = m.actuator_biasprm[i, 0] + m.actuator_biasprm[i, 1] * length + m.actuator_biasprm[i, 2] * velocity
        elif bias_kind == BIAS_MUSCLE:
            bias = muscle_bias(length, low, high, acc0, load(m.actuator_biasprm, i, 9))
        elif bias_kind >= FIRST_OF_OURS:
            bias = value_for(m, d, BIASES + bias_kind, i)
        elif bias_kind == BIAS_USER and table_entry(d, HOOK_BIAS) != 0:
            bias = invoke_value(table_entry(d, HOOK_BIAS), m, d, i)
        d.actuator_force[o] = gain * input_of(m, d, i) + bias


@kernel
def limit_forces(m, d):
    """Scale actuator_force so that the total force on each tendon is within the tendon's limit (scratch: work_tendon)."""
    limited = False
    for i in range(m.nactuator):
        if m.actuator_trntype[i] == TRN_TENDON and m.tendon_actfrclimited[m.actuator_trnid[i, 0]]:
            limited = True
    if not limited:
        return

    # Compute the total actuator force on each tendon.
    for t in range(m.ntendon):
        d.work_tendon[t] = 0.0
    for i in range(m.nactuator):
        if m.actuator_trntype[i] == TRN_TENDON:
            d.work_tendon[m.actuator_trnid[i, 0]] += d.actuator_force[m.actuator_outadr[i]]

    for i in range(m.nactuator):
        if m.actuator_trntype[i] != TRN_TENDON:
            continue
        t = m.actuator_trnid[i, 0]
        total = d.work_tendon[t]
        if m.tendon_actfrclimited[t] and total != 0:
            low, high = m.tendon_actfrcrange[t, 0], m.tendon_actfrcrange[t, 1]
            if total < low:
                d.actuator_force[m.actuator_outadr[i]] *= low / total
            elif total > high:
                d.actuator_force[m.actuator_outadr[i]] *= high / total


@kernel
def add_gravity_compensation(m, d):
    """Add gravity compensation to qfrc_actuator for joints whose actuators provide it."""
    if m.ngravcomp == 0 or m.opt.disableflags & NO_GRAVITY or norm3(load(m.opt.gravity, 0, 3)) == 0:
        return
    for i in range(m.nv):
        if m.jnt_actgravcomp[m.dof_jntid[i]]:
            d.qfrc_actuator[i] += d.qfrc_gravcomp[i]
