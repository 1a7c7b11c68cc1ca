"""Lane versions of kernel helpers whose counts, branches or iterations depend on the state."""

import math
from typing import Any

from ..dynamics.wrap import BRACKETED_STEPS, BRACKETED_TOLERANCE, NEWTON_START, NEWTON_STEPS, NEWTON_TOLERANCE
from ..machine.interpret import interpreted
from ..math import quat, vec
from ..tables.consts import mjMINVAL, mjPI
from ..tables.enums import mjtJoint
from .circular import arcsine, cosine, sine
from .symbols import is_lane, is_zero, select

HINGE, BALL = int(mjtJoint.mjJNT_HINGE), int(mjtJoint.mjJNT_BALL)
# ON_AXIS: a point this close to a joint's axis counts as fixed.
# CLOSE: if a site's distance differs from the radius by less than this fraction of the radius, translation does not decide
# whether the site lies inside.
ON_AXIS, CLOSE = 1e-9, 1e-6
add3, sub3, cross3, norm3, rotate = map(interpreted, (vec.add3, vec.sub3, vec.cross3, vec.norm3, quat.rotate))


def append(d: Any, adr: int, count: int, k: int, x: Any) -> int:
    """Like `append` of `dynamics.transmission`, but omit an entry only if it is zero in every state, so that all lanes have
    the same rows."""
    if is_zero(x):
        return count
    d.moment_colind[adr + count] = k
    d.actuator_moment[adr + count] = x
    return count + 1


def add_point(m: Any, d: Any, n: int, *_: Any) -> int:
    """Do nothing: points of a tendon's path are needed only for display, and lanes do not store them."""
    return n


def side_within(m: Any, side: int, geom: int) -> bool | None:
    """Return whether a tendon's side site lies within the radius of a geom, or None if this depends on the state or the
    world."""
    radius = m.geom_size[geom, 0]
    one, other = _places(m, m.site_bodyid[side], m.site_pos, side), _places(m, m.geom_bodyid[geom], m.geom_pos, geom)
    common = one.keys() & other.keys()
    if not common or is_lane(radius):
        return None
    body = common.pop()
    distance = math.dist(one[body], other[body])
    # too close to decide during translation: each step decides
    return None if abs(distance - radius) < CLOSE * radius else distance < radius


def _places(m: Any, body: int, positions: Any, k: int) -> dict[int, Any]:
    """Return {body: the point's position in the body's frame}, for the point's body and all ancestors in whose frames the point
    is fixed.

    A point on a joint's axis is also fixed in the parent's frame. The centers of wrapping geoms often lie on such an axis.
    """
    place, found = _numbers(positions, k, 3), {}
    while place is not None:
        found[body] = place
        if body == 0 or not _rests(m, body, place):
            break
        origin, turn = _numbers(m.body_pos, body, 3), _numbers(m.body_quat, body, 4)
        place = None if origin is None or turn is None else add3(origin, rotate(turn, place))
        body = m.body_parentid[body]
    return found


def _rests(m: Any, body: int, place: Any) -> bool:
    """Return whether a point of a body lies on the axes of all joints of the body."""
    if m.body_mocapid[body] >= 0:
        return False
    for j in range(m.body_jntadr[body], m.body_jntadr[body] + m.body_jntnum[body]):
        anchor, axis = _numbers(m.jnt_pos, j, 3), _numbers(m.jnt_axis, j, 3)
        if anchor is None or axis is None or m.jnt_type[j] not in (HINGE, BALL):
            return False
        arm = sub3(place, anchor)
        if norm3(cross3(axis, arm) if m.jnt_type[j] == HINGE else arm) > ON_AXIS:
            return False
    return True


def _numbers(x: Any, k: int, n: int) -> tuple | None:
    """Return row k of a field as numbers, or None if it differs between worlds."""
    row = tuple([x[k, c] for c in range(n)])
    return None if any(map(is_lane, row)) else row


def _error(A: Any, B: Any, G: Any, z: Any) -> Any:
    """Return the residual of the equation that `incidence` solves iteratively."""
    return _asin(A * z) + _asin(B * z) - 2 * _asin(z) + G


def _asin(x: Any) -> Any:
    return arcsine(x) if is_lane(x) else math.asin(x)


def _cosine(x: Any) -> Any:
    """Return the cosine of the angle whose sine is x, clipped from below to mjMINVAL."""
    root = _root(1 - x * x)
    return select(root > mjMINVAL, root, mjMINVAL)


def incidence(A: Any, B: Any, G: Any) -> Any:
    """Like `incidence` of `dynamics.wrap`, but all lanes run all iterations; converged lanes keep their values."""
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


def exact_incidence(A: Any, B: Any, G: Any) -> Any:
    """Like `exact_incidence` of `dynamics.wrap`, but all lanes run all iterations; converged lanes keep their values."""
    low, high = 0.0, mjPI / 2
    t: Any = high
    going: Any = True
    for _ in range(BRACKETED_STEPS):
        s, c = (sine(t), cosine(t)) if is_lane(t) else (math.sin(t), math.cos(t))
        f = _asin(A * s) + _asin(B * s) - 2 * t + G
        low, high = select(f > 0, t, low), select(f > 0, high, t)
        new = t - f / (A * c / _root(1 - A * A * s * s) + B * c / _root(1 - B * B * s * s) - 2)
        moved = abs(new - t) > BRACKETED_TOLERANCE
        outside = moved & ((new <= low) | (new >= high))
        t = select(going, select(outside, 0.5 * (low + high), new), t)
        going = moved if going is True else going & moved
    return sine(t)


def _root(x: Any) -> Any:
    return x.tape.number("sqrt", x) if is_lane(x) else math.sqrt(x)
