"""Stiffness and damping of constraint rows, derived from solref (MuJoCo's manual, Computation, Solver parameters)."""

from math import sqrt

from ..machine.jit import inline
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtDisableBit
from .metric import is_discrete

NO_REFSAFE = int(mjtDisableBit.mjDSBL_REFSAFE)
# default time constant and damping ratio, used if solref mixes its positive and negative format
DEFAULT = (0.02, 1.0)


@inline
def shortest_time(m):
    """Return the shortest time constant that solref may have; 0 means no limit."""
    return 0.0 if m.opt.disableflags & NO_REFSAFE or is_discrete(m) else 2 * m.opt.timestep


@inline
def checked_reference(ref, default, shortest):
    """Return solref, or `default` if only one of its numbers is positive. Both are positive for (time constant, damping
    ratio), and neither is for (-stiffness, -damping). The time constant is at least `shortest`.
    """
    a, b = ref
    if (a > 0) != (b > 0):
        a, b = default
    if shortest > 0 and a > 0:
        a = max(a, shortest)
    return a, b


@inline
def spring(ref, peak):
    """Return the (stiffness, damping) that solref defines, given the maximum impedance `peak`."""
    if ref[0] > 0:
        k = 1 / max(mjMINVAL, peak * peak * ref[0] * ref[0] * ref[1] * ref[1])
    else:
        k = -ref[0] / max(mjMINVAL, peak * peak)
    b = 2 / max(mjMINVAL, peak * ref[0]) if ref[1] > 0 else -ref[1] / max(mjMINVAL, peak)
    return k, b


@inline
def resolved(m, ref, stiffness, damping, value):
    """Return stiffness and damping of a limit or contact under `discrete`.

    A solref too fast for the time step gets the largest stiffness that does not bounce.
    """
    h = m.opt.timestep
    if m.opt.disableflags & NO_REFSAFE == 0 and ref[0] > 0 and ref[0] * ref[1] < h:
        stiffness = 1 / (h * h * value)
        damping = 2 * ref[1] * sqrt(stiffness)
    return stiffness, damping
