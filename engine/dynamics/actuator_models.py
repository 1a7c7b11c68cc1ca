"""Built-in actuator models: muscle gain, bias and activation, and integration of activations over one time step.

Muscle parameters are (range0, range1, force, scale, lmin, lmax, vmax, fpmax, fvmax); lengths are in units of the optimal fiber
length.
"""

from math import exp, floor, pi

from ..machine.jit import inline, kernel
from ..machine.lang import load, store
from ..math.curves import (
    muscle_length_curve,
    muscle_length_slope,
    muscle_passive_curve,
    muscle_passive_slope,
    muscle_velocity_curve,
    positive,
    smooth_step,
)
from ..math.vec import clip, norm3, scale3
from ..tables.actuator_rows import FIRST_OF_OURS, number
from ..tables.compat_rows import bit
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtJoint, mjtTrn

FILTEREXACT, MOTOR = number("dyn", "filterexact"), number("dyn", "dcmotor")
GAIN_FIXED, GAIN_AFFINE, GAIN_MUSCLE, GAIN_USER = (number("gain", name) for name in ("fixed", "affine", "muscle", "user"))
# gain types of actuators with several controls; TURN: orientation servo
GAIN_PID, GAIN_TURN, GAIN_MOTOR = (number("gain", name) for name in ("pid", "so3", "dcmotor"))
BIAS_AFFINE, BALL = number("bias", "affine"), int(mjtJoint.mjJNT_BALL)
TRN_JOINTINPARENT, TRN_SITE = int(mjtTrn.mjTRN_JOINTINPARENT), int(mjtTrn.mjTRN_SITE)
NEAR_SETPOINT = bit("near_setpoint")


# ---- types of gains ------------------------------------------------------------------------------------------------------
@inline
def is_servo(m, i):
    """Return whether actuator i is a servo or motor with several controls, which dynamics.servos computes."""
    return GAIN_USER < m.actuator_gaintype[i] < FIRST_OF_OURS


@inline
def is_turning(m, i):
    """Return whether actuator i is an orientation servo, which has three forces."""
    return m.actuator_gaintype[i] == GAIN_TURN


@inline
def is_pid(m, i):
    """Return whether actuator i is a servo with separate gains for position, integral and velocity."""
    return m.actuator_gaintype[i] == GAIN_PID


@inline
def is_motor(m, i):
    """Return whether actuator i is an electric motor, which has a current and may have a controller."""
    return m.actuator_gaintype[i] == GAIN_MOTOR


# ---- muscles -------------------------------------------------------------------------------------------------------------
@inline
def _muscle_scale(length, low, high, acc0, prm):
    """Return (peak force, optimal length, normalized length) of a muscle. low, high: actuator_lengthrange."""
    force = prm[3] / positive(acc0) if prm[2] < 0 else prm[2]
    unit = (high - low) / positive(prm[1] - prm[0])
    return force, unit, prm[0] + (length - low) / positive(unit)


@inline
def muscle_gain(length, velocity, low, high, acc0, prm):
    """Return the active force per activation (negative: muscles pull). low, high: actuator_lengthrange; prm: first 9 of
    gainprm.
    """
    force, unit, at = _muscle_scale(length, low, high, acc0, prm)
    speed = velocity / positive(unit * prm[6])
    return -force * muscle_length_curve(at, prm[4], prm[5]) * muscle_velocity_curve(speed, prm[8])


@inline
def muscle_bias(length, low, high, acc0, prm):
    """Return the passive force (negative). low, high: actuator_lengthrange; prm: first 9 of biasprm."""
    force, _, at = _muscle_scale(length, low, high, acc0, prm)
    return -force * prm[7] * muscle_passive_curve(at, prm[5])


@inline
def muscle_gain_by_length(length, velocity, low, high, acc0, prm):
    """Return d muscle_gain / d length."""
    force, unit, at = _muscle_scale(length, low, high, acc0, prm)
    speed = velocity / positive(unit * prm[6])
    return -force * muscle_length_slope(at, prm[4], prm[5]) / positive(unit) * muscle_velocity_curve(speed, prm[8])


@inline
def muscle_bias_by_length(length, low, high, acc0, prm):
    """Return d muscle_bias / d length."""
    force, unit, at = _muscle_scale(length, low, high, acc0, prm)
    return -force * prm[7] * muscle_passive_slope(at, prm[5]) / positive(unit)


@inline
def muscle_time(excess, rising, falling, width):
    """Return the time constant of activation. The sign of excitation minus activation selects `rising` or `falling`, blended
    over `width` if nonzero.
    """
    if width < mjMINVAL:
        return rising if excess > 0 else falling
    return falling + (rising - falling) * smooth_step(excess / width + 0.5)


@inline
def muscle_dynamics(ctrl, act, prm):
    """Return the rate of muscle activation, after Millard et al. 2013. prm: (rising time, falling time, width), the first 3 of
    dynprm."""
    ease = 0.5 + 1.5 * clip(act, 0.0, 1.0)
    excess = clip(ctrl, 0.0, 1.0) - act
    return excess / positive(muscle_time(excess, prm[0] * ease, prm[1] / ease, prm[2]))


@inline
def servo_turn(m, i):
    """Return the length of one full turn of a servo on a ball joint or between two sites; 0 for other actuators."""
    if (
        m.actuator_gaintype[i] != GAIN_FIXED
        or m.actuator_biastype[i] != BIAS_AFFINE
        or m.actuator_biasprm[i, 1] != -m.actuator_gainprm[i, 0]
    ):
        return 0.0
    return turn_of_drive(m, i)


@inline
def turn_of_drive(m, i):
    """Return the length of actuator i that corresponds to one full turn of a ball joint, or of one site relative to another; 0
    if nothing rotates.
    """
    kind, first, o = m.actuator_trntype[i], 0, m.actuator_outadr[i]
    if kind == TRN_SITE:
        slides = m.actuator_gear[o, 0] != 0 or m.actuator_gear[o, 1] != 0 or m.actuator_gear[o, 2] != 0
        if m.actuator_trnid[i, 1] < 0 or slides:
            return 0.0
        first = 3
    elif kind > TRN_JOINTINPARENT or m.jnt_type[m.actuator_trnid[i, 0]] != BALL:
        return 0.0
    return 2 * pi * norm3((m.actuator_gear[o, first], m.actuator_gear[o, first + 1], m.actuator_gear[o, first + 2]))


@inline
def nearest_round(x, center, turn):
    """Return x plus the number of whole turns that brings it closest to `center`; x if turn is 0."""
    return x + turn * floor((center - x) / turn + 0.5) if turn > 0 else x


# ---- DC motors ---------------------------------------------------------------------------------------------------------
# gainprm: resistance R, motor constant K, temperature coefficient of R and its reference temperature, controller gains kp, ki,
# kd, voltage limit. biasprm: cogging amplitude, poles, phase; Coulomb and static friction, Stribeck velocity. dynprm:
# electrical time constant, current rate limit, thermal resistance and capacitance, ambient temperature, bristle stiffness and
# damping, setpoint rate limit, integral limit.
@inline
def motor_slots(m, i):
    """Return (setpoint, integral, temperature, bristles, current, count): the index of each among the motor's activations,
    -1 if absent.
    """
    setpoint = integral = temperature = bristles = current = -1
    count = 0
    if m.actuator_dynprm[i, 7] > 0:
        setpoint = count
        count += 1
    if m.actuator_gainprm[i, 5] > 0:
        integral = count
        count += 1
    if m.actuator_dynprm[i, 2] > 0:
        temperature = count
        count += 1
    if m.actuator_dynprm[i, 5] > 0:
        bristles = count
        count += 1
    if m.actuator_dynprm[i, 0] > 0:
        current = count
        count += 1
    return setpoint, integral, temperature, bristles, current, count


@inline
def bristle_decay(m, i, velocity):
    """Return the decay rate of bristles in LuGre friction: stiffness |v| / g(v), with the Stribeck curve g."""
    ratio, coulomb = velocity / positive(m.actuator_biasprm[i, 5]), m.actuator_biasprm[i, 3]
    return (
        m.actuator_dynprm[i, 5] * abs(velocity) / positive(coulomb + (m.actuator_biasprm[i, 4] - coulomb) * exp(-ratio * ratio))
    )


@kernel
def next_motor_activation(m, d, i, adr, act_dot):
    """Return activation `adr` of a DC motor after one time step. Current and bristles are exact for constant voltage and
    velocity.
    """
    act, dt, place = d.act[adr], m.opt.timestep, adr - m.actuator_actadr[i]
    _, integral, _, bristles, current, _ = motor_slots(m, i)
    if place == current:
        tau = positive(m.actuator_dynprm[i, 0])
        return act + act_dot * tau * (1 - exp(-dt / tau))
    if place == bristles:
        velocity = d.actuator_velocity[m.actuator_outadr[i]]
        decay = bristle_decay(m, i, velocity)
        kept = exp(-decay * dt)
        return kept * act + ((1 - kept) / decay if decay > mjMINVAL else dt) * velocity
    act += act_dot * dt
    most = m.actuator_dynprm[i, 8]
    return clip(act, -most, most) if place == integral and most > 0 else act


# ---- integration -------------------------------------------------------------------------------------------------------
@inline
def shorten_turn(d, adr):
    """Replace three activations, a rotation vector, by the shortest vector of the same rotation."""
    x = load(d.act, adr, 3)
    angle = norm3(x)
    if angle > pi:
        store(d.act, adr, scale3(x, nearest_round(angle, 0.0, 2 * pi) / angle))


@inline
def next_activation(m, d, i, adr, act_dot):
    """Return activation `adr` of actuator i after one time step, within its range."""
    if m.actuator_dyntype[i] == MOTOR:
        return next_motor_activation(m, d, i, adr, act_dot)
    act = d.act[adr]
    if m.actuator_dyntype[i] == FILTEREXACT:
        tau = positive(m.actuator_dynprm[i, 0])
        act += act_dot * tau * (1 - exp(-m.opt.timestep / tau))
    else:
        act += act_dot * m.opt.timestep
    if m.actuator_actlimited[i]:
        act = clip(act, m.actuator_actrange[i, 0], m.actuator_actrange[i, 1])
    if m.compat_bits & NEAR_SETPOINT and m.actuator_dyntype[i] <= FILTEREXACT:
        act = nearest_round(act, d.actuator_length[m.actuator_outadr[i]], servo_turn(m, i))
    return act
