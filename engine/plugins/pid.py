"""mujoco.pid: a PID controller for an actuator's length.

The target length is the control, or the activation if the actuator has activation dynamics. The integral term and the last
control, if used, are the actuator's first activations. `imax` limits the force of the integral term, `slewmax` the rate of
the target length.
"""

from typing import Any

import numpy as np

from ..core.plugin import mjpPlugin, number
from ..core.stages import instance_data
from ..dynamics.actuator_models import next_activation
from ..machine.jit import inline, stage
from ..machine.lang import array_at
from ..math.vec import clip
from ..tables.enums import mjtDyn, mjtPluginCapabilityBit

NO_DYNAMICS = int(mjtDyn.mjDYN_NONE)
WITH_ACTIVATION = (mjtDyn.mjDYN_FILTER, mjtDyn.mjDYN_FILTEREXACT, mjtDyn.mjDYN_INTEGRATOR)
# cells of an instance's data: header, then the indices of its actuators
KP, KI, KD, BOUNDED, INTEGRAL_MAX, SLEWED, SLEW_MAX, COUNT, ACTUATORS = range(9)


@inline
def wanted(m, d, i, p, early):
    """Return the target length of actuator i, limited by the slew rate."""
    if m.actuator_dyntype[i] == NO_DYNAMICS:
        u = m.actuator_ctrladr[i]
        c = d.ctrl[u]
        if m.actuator_ctrllimited[u]:
            c = clip(c, m.actuator_ctrlrange[u, 0], m.actuator_ctrlrange[u, 1])
    else:
        a = m.actuator_actadr[i] + m.actuator_actnum[i] - 1
        c = next_activation(m, d, i, a, d.act_dot[a]) if early else d.act[a]
    if p[SLEWED] != 0 and d.time > 0:
        last = d.act[m.actuator_actadr[i] + (1 if p[KI] != 0 else 0)]
        reach = p[SLEW_MAX] * m.opt.timestep
        c = clip(c, last - reach, last + reach)
    return c


@inline
def next_integral(m, d, i, p, error):
    """Return the integral of the error after one step."""
    x = d.act[m.actuator_actadr[i]] + error * m.opt.timestep
    return clip(x, -p[INTEGRAL_MAX], p[INTEGRAL_MAX]) if p[BOUNDED] != 0 else x


@stage("vMDii")
def plugin_pid_rates(m, d, instance, bit):
    """reads ctrl, act, actuator_length; writes act_dot: in one step, the activations reach the next integral and the next
    control."""
    p = array_at(instance_data(m, d, instance), ACTUATORS + m.nactuator)
    for k in range(int(p[COUNT])):
        i = int(p[ACTUATORS + k])
        c = wanted(m, d, i, p, False)
        a = m.actuator_actadr[i]
        if p[KI] != 0:
            d.act_dot[a] = (next_integral(m, d, i, p, c - d.actuator_length[m.actuator_outadr[i]]) - d.act[a]) / m.opt.timestep
            a += 1
        if p[SLEWED] != 0:
            d.act_dot[a] = (c - d.act[a]) / m.opt.timestep


@stage("vMDii")
def plugin_pid_forces(m, d, instance, bit):
    """reads ctrl, act, act_dot, actuator_length, actuator_velocity; writes actuator_force."""
    p = array_at(instance_data(m, d, instance), ACTUATORS + m.nactuator)
    for k in range(int(p[COUNT])):
        i = int(p[ACTUATORS + k])
        o = m.actuator_outadr[i]
        error = wanted(m, d, i, p, m.actuator_actearly[i] != 0) - d.actuator_length[o]
        rate = 0.0
        if m.actuator_dyntype[i] != NO_DYNAMICS:
            rate = d.act_dot[m.actuator_actadr[i] + m.actuator_actnum[i] - 1]
        integral = next_integral(m, d, i, p, error) if p[KI] != 0 else 0.0
        d.actuator_force[o] = p[KP] * error + p[KD] * (rate - d.actuator_velocity[o]) + p[KI] * integral


def init(m: Any, d: Any, instance: int) -> np.ndarray:
    """Return gains and actuators of an instance. Raise ValueError for negative limits or a wrong number of activations."""
    # read the parameters
    kp, ki, kd = (number(m, instance, key) for key in ("kp", "ki", "kd"))
    top, slew = (number(m, instance, key, None) for key in ("imax", "slewmax"))
    if top is not None and ki:
        top /= ki
    else:
        top = None
    if top is not None and top < 0:
        raise ValueError("negative imax")
    if slew is not None and slew < 0:
        raise ValueError("slewmax must be non-negative")

    # find the actuators
    actuators = np.flatnonzero(m.actuator_plugin == instance)
    if not len(actuators):
        raise ValueError(f"actuator not found for plugin instance {instance}")
    for i in actuators:
        need = (ki != 0) + (slew is not None) + (m.actuator_dyntype[i] in WITH_ACTIVATION)
        if m.actuator_actnum[i] != need:
            raise ValueError(
                f"actuator {i} has actdim {m.actuator_actnum[i]}, expected {need}. "
                f'Add actdim="{need}" to the actuator plugin element.'
            )
    head = (kp, ki, kd, top is not None, top or 0.0, slew is not None, slew or 0.0, len(actuators))
    return np.concatenate((np.array(head, np.float64), actuators))


PLUGIN = mjpPlugin(
    "mujoco.pid",
    ("kp", "ki", "kd", "imax", "slewmax"),
    mjtPluginCapabilityBit.mjPLUGIN_ACTUATOR,
    nstate=0,
    init=init,
    actuator_act_dot=plugin_pid_rates,
    compute=plugin_pid_forces,
)
