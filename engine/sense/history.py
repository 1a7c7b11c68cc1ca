"""Histories: recent samples of controls and sensors with their times, from which delayed values are read (added after MuJoCo
3.4).

They are stored in plugin_state, which is part of every packed state. They follow the sensor samples that wait for the end of
the step, and precede the plastic state:

    ... plugins | waiting sensors | actuators | sensors | plastic

Each history stores the last time of sampling, the index of the newest sample, times, and samples. The samples form a ring
buffer: the oldest follows the newest. None of this runs unless a bit of the Model's `features` is set.
"""

from math import ceil

from ..core.counts import count_warning
from ..dynamics.actuation import BAD_CONTROL, NO_CLAMP, usable
from ..machine.jit import inline, kernel, stage
from ..math.vec import clip
from ..tables.consts import HISTORY_HEAD, mjMINVAL

# ROUNDING: rounding error of times, as a fraction of the time step
HEAD, ROUNDING = HISTORY_HEAD, 1e-10
HOLD, LINEAR = 0, 1


@inline
def first(m):
    """Return the address in plugin_state where histories begin."""
    return m.npluginstate - m.nplastic - m.nhistory


@inline
def length(samples, dim):
    """Return the number of cells of a history."""
    return HEAD + samples * (1 + dim) if samples > 0 else 0


@kernel
def first_of_sensors(m):
    """Return the address where the histories of sensors begin."""
    at = first(m)
    for i in range(m.nactuator):
        at += length(m.actuator_history[i, 0], m.actuator_ctrlnum[i])
    return at


@kernel
def first_waiting(m):
    """Return the address of sensor samples that wait to be appended at the end of the step."""
    at = first(m)
    for i in range(m.nsensor):
        if m.sensor_history[i, 0] > 0:
            at -= m.sensor_dim[i]
    return at


# ---- samples -----------------------------------------------------------------------------------------------------------
@kernel
def read(h, at, samples, dim, how, time, out, to):
    """Write a history's values at `time` to out[to:]. Return whether no interpolation was needed.

    Between samples, values are held constant, interpolated linearly, or by cubic Catmull-Rom splines; outside, they are
    constant.
    """
    oldest, times = int(h[at + 1]) + 1, at + HEAD
    k = samples - 1
    while k > 0 and h[times + (oldest + k) % samples] > time + mjMINVAL:
        k -= 1
    b = (oldest + k) % samples
    values = times + samples
    t = time - h[times + b]

    # No interpolation is needed at the time of a sample, or if values are held.
    if how == HOLD or k == samples - 1 or t < mjMINVAL:
        for q in range(dim):
            out[to + q] = h[values + dim * b + q]
        return True

    # Interpolate between samples b and c.
    c = (b + 1) % samples
    width = h[times + c] - h[times + b]
    u = t / width
    for q in range(dim):
        y, z = h[values + dim * b + q], h[values + dim * c + q]
        x = y + u * (z - y)
        if how > LINEAR:
            left = right = 0.0
            if k > 0:
                a = (oldest + k - 1) % samples
                left = (z - h[values + dim * a + q]) / (h[times + c] - h[times + a]) * width
            if k < samples - 2:
                e = (c + 1) % samples
                right = (h[values + dim * e + q] - y) / (h[times + e] - h[times + b]) * width
            x = u * u * (3 - 2 * u) * (z - y) + y + u * (1 - u) * ((1 - u) * left - u * right)
        out[to + q] = x
    return False


@kernel
def push(h, at, samples, dim, time, values, start):
    """Replace the oldest sample by values[start:], taken at `time`."""
    k = (int(h[at + 1]) + 1) % samples
    h[at + 1], h[at + HEAD + k] = k, time
    for q in range(dim):
        h[at + HEAD + samples + dim * k + q] = values[start + q]


@kernel
def begin(h, at, samples, dim, period, phase, h_step):
    """Fill a history with zeros, for the times before the start at which samples would have been taken."""
    h[at + 1] = samples - 1
    for k in range(samples):
        steps = k - samples
        h[at + HEAD + k] = (
            ceil((phase + (steps + 1) * period) / h_step - ROUNDING) * h_step if period > h_step else steps * h_step
        )
    for k in range(samples * dim):
        h[at + HEAD + samples + k] = 0.0


# ---- stages ------------------------------------------------------------------------------------------------------------
@stage
def reset_history(m, d):
    """reads nothing; writes the histories in plugin_state: samples from before the start of the simulation are zero."""
    at, h, dt = first(m), d.plugin_state, m.opt.timestep
    for k in range(first_waiting(m), m.npluginstate):
        h[k] = 0.0

    for i in range(m.nactuator):
        n, dim = m.actuator_history[i, 0], m.actuator_ctrlnum[i]
        if n > 0:
            begin(h, at, n, dim, 0.0, 0.0, dt)
        at += length(n, dim)

    for i in range(m.nsensor):
        n, period, phase = m.sensor_history[i, 0], m.sensor_interval[i, 0], m.sensor_interval[i, 1]
        if n > 0:
            if phase == 0:
                phase = -period if period > 0 else -dt
            h[at] = phase
            begin(h, at, n, m.sensor_dim[i], period, phase, dt)
        at += length(n, m.sensor_dim[i])


@stage
def delayed_controls(m, d):
    """reads the histories in plugin_state; writes work_ctrl of delayed actuators."""
    at, good = first(m), True
    for i in range(m.nactuator):
        n, dim, u = m.actuator_history[i, 0], m.actuator_ctrlnum[i], m.actuator_ctrladr[i]
        if n > 0 and m.actuator_delay[i] > 0:
            read(d.plugin_state, at, n, dim, m.actuator_history[i, 1], d.time - m.actuator_delay[i], d.work_ctrl, u)
            for k in range(u, u + dim):
                if m.opt.disableflags & NO_CLAMP == 0 and m.actuator_ctrllimited[k]:
                    d.work_ctrl[k] = clip(d.work_ctrl[k], m.actuator_ctrlrange[k, 0], m.actuator_ctrlrange[k, 1])
                if good and not usable(d.work_ctrl[k]):
                    count_warning(d, BAD_CONTROL, k)
                    good = False
        at += length(n, dim)
    if not good:
        for i in range(m.nu):
            d.work_ctrl[i] = 0.0


@inline
def due(m, d, i, at):
    """Return whether sensor i takes a sample at the current time."""
    return m.sensor_interval[i, 0] <= 0 or d.plugin_state[at] + m.sensor_interval[i, 0] <= d.time


@stage("vMDi")
def sensor_history(m, d, stage):
    """reads sensordata of a stage; writes the waiting samples in plugin_state, and sensordata of sensors that have a delay or
    take no sample now.
    """
    at, waiting, h = first_of_sensors(m), first_waiting(m), d.plugin_state
    for i in range(m.nsensor):
        n, dim = m.sensor_history[i, 0], m.sensor_dim[i]
        if n <= 0:
            continue
        if m.sensor_needstage[i] == stage:
            sampled = due(m, d, i, at)
            for q in range(dim):
                h[waiting + q] = d.sensordata[m.sensor_adr[i] + q]
            if not sampled or m.sensor_delay[i] > 0:
                read(h, at, n, dim, m.sensor_history[i, 1], d.time - m.sensor_delay[i], d.sensordata, m.sensor_adr[i])
        at += length(n, dim)
        waiting += dim


@stage
def push_history(m, d):
    """reads ctrl, time; writes the newest samples of the histories in plugin_state."""
    at, h = first(m), d.plugin_state
    for i in range(m.nactuator):
        n, dim = m.actuator_history[i, 0], m.actuator_ctrlnum[i]
        if n > 0:
            push(h, at, n, dim, d.time, d.ctrl, m.actuator_ctrladr[i])
        at += length(n, dim)
    waiting = first_waiting(m)
    for i in range(m.nsensor):
        n, dim = m.sensor_history[i, 0], m.sensor_dim[i]
        if n <= 0:
            continue
        if due(m, d, i, at):
            push(h, at, n, dim, d.time, h, waiting)
            if m.sensor_interval[i, 0] > 0:
                h[at] += m.sensor_interval[i, 0]
        at += length(n, dim)
        waiting += dim
