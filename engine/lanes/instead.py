"""What stands on lanes for helpers of kernels whose counts, paths or number of iterations depend on the state."""
import math
from typing import Any

from ..core.consts import mjMINVAL
from ..dynamics.wrap import NEWTON_START, NEWTON_STEPS, NEWTON_TOLERANCE
from .circular import arcsine
from .symbols import is_lane, is_zero, select


def append(d, adr, count, k, x) -> int:
    """As in `dynamics.transmission`, but that an entry is left out only where it is zero whatever the state: rows are the same in all lanes."""
    if is_zero(x):
        return count
    d.moment_colind[adr + count] = k
    d.actuator_moment[adr + count] = x
    return count + 1


def add_point(m, d, n, *_) -> int:
    """Points of the paths of tendons are only looked at: they are not kept."""
    return n


def side_within(m, side, geom) -> bool | None:
    """Whether a side site lies within the radius of a geom; None if that depends on the state."""
    if m.site_bodyid[side] != m.geom_bodyid[geom]:
        return None
    return math.dist(*[[x[i, k] for k in range(3)] for x, i in ((m.site_pos, side), (m.geom_pos, geom))]) < m.geom_size[geom, 0]


def _error(A, B, G, z):
    return _asin(A * z) + _asin(B * z) - 2 * _asin(z) + G


def _asin(x):
    return arcsine(x) if is_lane(x) else math.asin(x)


def _cosine(x):
    """Of the angle with sine x, but not zero."""
    root = (1 - x * x).tape.number("sqrt", 1 - x * x) if is_lane(x) else math.sqrt(1 - x * x)
    return select(root > mjMINVAL, root, mjMINVAL)


def incidence(A, B, G) -> Any:
    """As in `dynamics.wrap`, all iterations in all lanes: those that are done keep what they have."""
    z: Any = NEWTON_START
    f: Any = _error(A, B, G, z)
    failed = f > 0
    for _ in range(NEWTON_STEPS - 1):
        going = (abs(f) > NEWTON_TOLERANCE) & failed.inverted()
        slope = A / _cosine(z * A) + B / _cosine(z * B) - 2 / _cosine(z)
        new = z - f / slope
        error = _error(A, B, G, new)
        failed = failed | going & ((slope > -mjMINVAL) | (new > z) | (error > NEWTON_TOLERANCE))
        z, f = select(going, new, z), select(going, error, f)
    return select(failed | (abs(f) > NEWTON_TOLERANCE), -1.0, z)
