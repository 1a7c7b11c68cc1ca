"""Built-in actuator models: muscle gain, bias and activation, and integration of activations over one time step.

Muscle parameters are (range0, range1, force, scale, lmin, lmax, vmax, fpmax, fvmax), lengths in units of the optimal fibre length.
"""
from math import exp, floor, pi

from ..core.compat_rows import bit
from ..core.consts import mjMINVAL
from ..core.enums import mjtBias, mjtDyn, mjtGain, mjtJoint, mjtTrn
from ..core.jit import inline
from ..math.curves import muscle_length_curve, muscle_passive_curve, muscle_velocity_curve, positive, smooth_step
from ..math.vec import clip, norm3

FILTEREXACT = int(mjtDyn.mjDYN_FILTEREXACT)
GAIN_FIXED, BIAS_AFFINE, BALL = int(mjtGain.mjGAIN_FIXED), int(mjtBias.mjBIAS_AFFINE), int(mjtJoint.mjJNT_BALL)
TRN_JOINTINPARENT, TRN_SITE = int(mjtTrn.mjTRN_JOINTINPARENT), int(mjtTrn.mjTRN_SITE)
NEAR_SETPOINT = bit("near_setpoint")


@inline
def _muscle_scale(length, low, high, acc0, prm):
    """(peak force, optimal length, normalised length) of a muscle whose actuator moves between `low` and `high`."""
    force = prm[3] / positive(acc0) if prm[2] < 0 else prm[2]
    unit = (high - low) / positive(prm[1] - prm[0])
    return force, unit, prm[0] + (length - low) / positive(unit)


@inline
def muscle_gain(length, velocity, low, high, acc0, prm):
    """Active force per unit of activation (negative: muscles pull). low, high: actuator_lengthrange; prm: first 9 of gainprm."""
    force, unit, at = _muscle_scale(length, low, high, acc0, prm)
    speed = velocity / positive(unit * prm[6])
    return -force * muscle_length_curve(at, prm[4], prm[5]) * muscle_velocity_curve(speed, prm[8])


@inline
def muscle_bias(length, low, high, acc0, prm):
    """Passive force (negative). low, high: actuator_lengthrange; prm: first 9 of biasprm."""
    force, _, at = _muscle_scale(length, low, high, acc0, prm)
    return -force * prm[7] * muscle_passive_curve(at, prm[5])


@inline
def muscle_time(excess, rising, falling, width):
    """Time constant of activation: `rising` or `falling` by the sign of the excess excitation, blended over `width` if that is not 0."""
    if width < mjMINVAL:
        return rising if excess > 0 else falling
    return falling + (rising - falling) * smooth_step(excess / width + 0.5)


@inline
def muscle_dynamics(ctrl, act, prm):
    """Rate of muscle activation after Millard et al. 2013. prm: (rising time, falling time, width), the first 3 of dynprm."""
    ease = 0.5 + 1.5 * clip(act, 0.0, 1.0)
    excess = clip(ctrl, 0.0, 1.0) - act
    return excess / positive(muscle_time(excess, prm[0] * ease, prm[1] / ease, prm[2]))


@inline
def servo_turn(m, i):
    """Length after which a servo on a ball joint, or that turns two sites against each other, has gone round once; 0 for other actuators."""
    if m.actuator_gaintype[i] != GAIN_FIXED or m.actuator_biastype[i] != BIAS_AFFINE or m.actuator_biasprm[i, 1] != -m.actuator_gainprm[i, 0]:
        return 0.0
    kind, first = m.actuator_trntype[i], 0
    if kind == TRN_SITE:
        slides = m.actuator_gear[i, 0] != 0 or m.actuator_gear[i, 1] != 0 or m.actuator_gear[i, 2] != 0
        if m.actuator_trnid[i, 1] < 0 or slides:
            return 0.0
        first = 3
    elif kind > TRN_JOINTINPARENT or m.jnt_type[m.actuator_trnid[i, 0]] != BALL:
        return 0.0
    return 2 * pi * norm3((m.actuator_gear[i, first], m.actuator_gear[i, first + 1], m.actuator_gear[i, first + 2]))


@inline
def nearest_round(x, center, turn):
    """What differs from x by whole turns and is nearest to a centre; x if there are none."""
    return x + turn * floor((center - x) / turn + 0.5) if turn > 0 else x


@inline
def next_activation(m, d, i, adr, act_dot):
    """Activation `adr` of actuator i after one time step, within its range."""
    act = d.act[adr]
    if m.actuator_dyntype[i] == FILTEREXACT:
        tau = positive(m.actuator_dynprm[i, 0])
        act += act_dot * tau * (1 - exp(-m.opt.timestep / tau))
    else:
        act += act_dot * m.opt.timestep
    if m.actuator_actlimited[i]:
        act = clip(act, m.actuator_actrange[i, 0], m.actuator_actrange[i, 1])
    if m.compat_bits & NEAR_SETPOINT and m.actuator_dyntype[i] <= FILTEREXACT:
        act = nearest_round(act, d.actuator_length[i], servo_turn(m, i))
    return act
