"""Compiled placement of shapes between two end points (the attribute `fromto`)."""

from math import atan2, cos, sin, sqrt

from ..machine.jit import inline, stage
from ..machine.lang import ints_at, load, longs_at, matrix_at, store
from ..math.vec import add3, dot3, scale3, sub3

EPS, PARALLEL = 1e-14, 1e-10
# Error codes of `spans`
NO_SHAPE, TWO_PLACES, ONE_POINT, FAULTS = range(4)


@stage("iiiiiiiiii")
def spans(ends_at, pos_at, quat_at, size_at, width, type_at, n, rule_at, kinds):
    """Place shapes between their end points.

    reads the end points of n shapes (NaN: none), their types, and for each type how many sizes follow the length (-1: end
    points are not allowed); writes positions, orientations and sizes. Consecutive shapes are `width` numbers apart.
    Returns FAULTS * i + the error of shape i, or -1.
    """
    ends, pos, quat, size = (
        matrix_at(ends_at, n, width),
        matrix_at(pos_at, n, width),
        matrix_at(quat_at, n, width),
        matrix_at(size_at, n, width),
    )
    kind, rule = ints_at(type_at, n), longs_at(rule_at, kinds)

    # Check all shapes first.
    for i in range(n):
        if ends[i, 0] == ends[i, 0]:
            if rule[kind[i]] < 0:
                return FAULTS * i + NO_SHAPE
            if pos[i, 0] != 0 or pos[i, 1] != 0 or pos[i, 2] != 0:
                return FAULTS * i + TWO_PLACES

    for i in range(n):
        if ends[i, 0] == ends[i, 0]:
            a, b = load(ends, i, 3), (ends[i, 3], ends[i, 4], ends[i, 5])
            axis, length = unit(sub3(a, b))
            if length / 2 < EPS:
                return FAULTS * i + ONE_POINT
            middle = add3(a, b)
            store(pos, i, (middle[0] / 2, middle[1] / 2, middle[2] / 2))

            # Orientation: the smallest rotation from z to the axis.
            side, s = unit((-axis[1], axis[0], 0.0))
            if s < PARALLEL:
                side = 1.0, 0.0, 0.0
            half = atan2(s, axis[2]) / 2
            turn = scale3(side, sin(half))
            store(quat, i, (cos(half), turn[0], turn[1], turn[2]))
            size[i, 1] = length / 2
            if rule[kind[i]] == 2:
                size[i, 2], size[i, 1] = size[i, 1], size[i, 0]
    return -1


@inline
def unit(v):
    """Return (unit vector, length); return a tiny vector unchanged, with length 0."""
    n = dot3(v, v)
    length = sqrt(n) if n >= EPS else 0.0
    if length > 0 and abs(length - 1) > EPS:
        v = v[0] / length, v[1] / length, v[2] / length
    return v, length
