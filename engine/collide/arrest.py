"""The contact distance passed to the solver for geoms that are still apart but will meet within the step (see `ahead`)."""

from ..dynamics.metric import is_discrete
from ..dynamics.softness import DEFAULT, checked_reference, resolved, shortest_time, spring
from ..machine.jit import inline
from ..tables.consts import mjMINVAL


@inline
def arrested(m, ref, imp, include, time, speed):
    """Return the distance for which a contact's spring and damper remove the fraction (1 - time) of the closing speed within
    this step.

    The speed is a length per step. In one step of length h, a row with distance r removes  b speed - k r , divided by
    1 + b + k if the step is implicit. Here b = h damping and k = h^2 stiffness, both multiplied by the maximum impedance d
    (k by d^2). Without stiffness, the contact's depth is the width of its impedance function.
    """
    ref = checked_reference(ref, DEFAULT, shortest_time(m))
    h, peak = m.opt.timestep, imp[1]
    stiffness, damping = spring(ref, peak)
    if is_discrete(m):
        stiffness, damping = resolved(m, ref, stiffness, damping, peak)
    k, b = h * h * stiffness * peak * peak, h * damping * peak

    # Without a spring, only the damper removes speed.
    if k < mjMINVAL:
        return include - imp[2]
    rest = 1 - time - time * (b + k) if is_discrete(m) else 1 - time - b
    return include - rest / k * speed
