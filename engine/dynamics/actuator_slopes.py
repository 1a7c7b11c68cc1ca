"""Derivatives of actuator forces with respect to length and velocity, for implicit integrators."""

from ..core.stages import value_for
from ..machine.jit import inline, kernel
from ..machine.lang import load
from ..math.curves import muscle_length_curve
from ..tables.actuator_rows import FIRST_OF_OURS
from ..tables.compat_rows import bit
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtTrn
from ..tables.stage_rows import BIASES_BY_LENGTH, BIASES_BY_VELOCITY, GAINS_BY_LENGTH, GAINS_BY_VELOCITY
from .actuation import BIAS_AFFINE, BIAS_MUSCLE, DYN_NONE
from .actuator_models import (
    GAIN_AFFINE,
    GAIN_MUSCLE,
    is_servo,
    is_turning,
    muscle_bias_by_length,
    muscle_gain_by_length,
    next_activation,
)
from .servos import servo_slope, servo_stiffness, torque_at_limit

EARLY = bit("early_slope")
ROUNDING = 1e-12
ON_JOINT, ON_JOINT_IN_PARENT, ON_TENDON = (int(mjtTrn[f"mjTRN_{n}"]) for n in ("JOINT", "JOINTINPARENT", "TENDON"))


@inline
def muscle_gain_slope(length, velocity, low, high, acc0, prm):
    """Return d muscle_gain / d velocity."""
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
    """Return whether the force of actuator i is at its own limit or at the limit of its joint or tendon."""
    if m.actuator_forcelimited[i]:
        if is_turning(m, i):
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
        # Scaled forces reach the limit only up to rounding error.
        slack = ROUNDING * (abs(low) + abs(high))
        return at_limit(total, low + slack, high - slack)
    return False


@inline
def input_of(m, d, i):
    """Return the input that the actuator's gain multiplies."""
    if m.actuator_dyntype[i] == DYN_NONE:
        return d.work_ctrl[m.actuator_ctrladr[i]] if m.compat_bits & EARLY else d.ctrl[m.actuator_ctrladr[i]]
    a = m.actuator_actadr[i] + m.actuator_actnum[i] - 1
    if m.compat_bits & EARLY and m.actuator_actearly[i]:
        return next_activation(m, d, i, a, d.act_dot[a])
    return d.act[a]


@kernel
def velocity_slope(m, d, i):
    """Return d force / d velocity of actuator i."""
    if is_servo(m, i):
        return servo_slope(m, d, i)
    gain_kind, bias_kind = m.actuator_gaintype[i], m.actuator_biastype[i]
    b = gain = 0.0
    if bias_kind == BIAS_AFFINE:
        b = m.actuator_biasprm[i, 2]
    elif bias_kind >= FIRST_OF_OURS:
        b = value_for(m, d, BIASES_BY_VELOCITY + bias_kind, i)

    o = m.actuator_outadr[i]
    if gain_kind == GAIN_AFFINE:
        gain = m.actuator_gainprm[i, 2]
    elif gain_kind == GAIN_MUSCLE:
        gain = muscle_gain_slope(
            d.actuator_length[o],
            d.actuator_velocity[o],
            m.actuator_lengthrange[o, 0],
            m.actuator_lengthrange[o, 1],
            m.actuator_acc0[o],
            load(m.actuator_gainprm, i, 9),
        )
    elif gain_kind >= FIRST_OF_OURS:
        gain = value_for(m, d, GAINS_BY_VELOCITY + gain_kind, i)
    if gain != 0:
        b += gain * input_of(m, d, i)
    return b


@kernel
def length_slope(m, d, i):
    """Return d force / d length of actuator i."""
    if is_servo(m, i):
        return servo_stiffness(m, d, i)
    o = m.actuator_outadr[i]
    low, high, acc0 = m.actuator_lengthrange[o, 0], m.actuator_lengthrange[o, 1], m.actuator_acc0[o]
    gain_kind, bias_kind = m.actuator_gaintype[i], m.actuator_biastype[i]
    k = gain = 0.0
    if bias_kind == BIAS_AFFINE:
        k = m.actuator_biasprm[i, 1]
    elif bias_kind == BIAS_MUSCLE:
        k = muscle_bias_by_length(d.actuator_length[o], low, high, acc0, load(m.actuator_biasprm, i, 9))
    elif bias_kind >= FIRST_OF_OURS:
        k = value_for(m, d, BIASES_BY_LENGTH + bias_kind, i)

    if gain_kind == GAIN_AFFINE:
        gain = m.actuator_gainprm[i, 1]
    elif gain_kind == GAIN_MUSCLE:
        gain = muscle_gain_by_length(
            d.actuator_length[o], d.actuator_velocity[o], low, high, acc0, load(m.actuator_gainprm, i, 9)
        )
    elif gain_kind >= FIRST_OF_OURS:
        gain = value_for(m, d, GAINS_BY_LENGTH + gain_kind, i)
    return k + gain * input_of(m, d, i) if gain != 0 else k
