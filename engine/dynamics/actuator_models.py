"""Built-in actuator models: muscle gain, bias and activation, and integration of activations over one time step.

Muscle parameters are (range0, range1, force, scale, lmin, lmax, vmax, fpmax, fvmax), lengths in units of the optimal fibre length.
"""
from math import exp

from ..core.consts import mjMINVAL
from ..core.enums import mjtDyn
from ..core.jit import inline
from ..math.curves import muscle_length_curve, muscle_passive_curve, muscle_velocity_curve, positive, smooth_step
from ..math.vec import clip

FILTEREXACT = int(mjtDyn.mjDYN_FILTEREXACT)


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
    return act
