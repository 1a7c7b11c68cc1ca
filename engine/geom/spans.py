"""Shapes that stand between two points, compiled."""
from math import atan2, cos, sin, sqrt

from ..core.jit import inline, stage
from ..core.lang import array_at, load, store
from ..math.vec import add3, dot3, scale3, sub3

EPS, PARALLEL = 1e-14, 1e-10
# numbers of a result: middle, quaternion that turns z from the second point to the first, half the length
OUT = 8


@stage("viii")
def spans(ends_at, n, out_at):
    """reads n rows of two points (6), writes n results; the half length of points that cannot be told apart is 0."""
    ends, out = array_at(ends_at, 6 * n), array_at(out_at, OUT * n)
    for i in range(n):
        a, b = load(ends, 6 * i, 3), load(ends, 6 * i + 3, 3)
        axis, length = unit(sub3(a, b))
        middle = add3(a, b)
        store(out, OUT * i, (middle[0] / 2, middle[1] / 2, middle[2] / 2))
        side, s = unit((-axis[1], axis[0], 0.0))
        if s < PARALLEL:
            side = 1.0, 0.0, 0.0
        half = atan2(s, axis[2]) / 2
        out[OUT * i + 3] = cos(half)
        store(out, OUT * i + 4, scale3(side, sin(half)))
        out[OUT * i + 7] = length / 2


@inline
def unit(v):
    """(unit vector, length); a vector shorter than can be told from zero stays, with length 0."""
    n = dot3(v, v)
    length = sqrt(n) if n >= EPS else 0.0
    if length > 0 and abs(length - 1) > EPS:
        v = v[0] / length, v[1] / length, v[2] / length
    return v, length
