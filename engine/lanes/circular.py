"""Sine and cosine on lanes, without calls: both share the reduction of their argument; their inverses.

The argument minus the nearest multiple of pi/2, which is known to 160 bits, by fused operations (W. J. Cody, W. Waite, Software Manual for the Elementary
Functions, 1980), then the polynomials of fdlibm (Sun Microsystems, 1993), good to the last bit or two. From 1/2 on an arc is pi/2 less twice that of half
the way to 1.
"""

import math

from .symbols import Number, select

# pi/2 in three parts, each what the ones before leave
_PARTS = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33)
_SINE = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
_COSINE = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)

# the arc of sine is x + x P(x^2) / Q(x^2) up to 1/2
_ARC_ABOVE = (
    0.0,
    1.66666666666666657415e-01,
    -3.25565818622400915405e-01,
    2.01212532134862925881e-01,
    -4.00555345006794114027e-02,
    7.91534994289814532176e-04,
    3.47933107596021167570e-05,
)
_ARC_BELOW = (
    1.0,
    -2.40339491173441421878e00,
    2.02094576023350569471e00,
    -6.88283971605453293030e-01,
    7.70381505559019352791e-02,
)


def _polynomial(x, coefficients):
    result = coefficients[-1]
    for c in coefficients[-2::-1]:
        result = x.tape.number("fma", x, result, c)
    return result


def _reduced(x):
    """(remainder, quadrant 0 to 3 as a number)"""
    tape = x.tape
    turns, rest = tape.number("rint", x * (2.0 / math.pi)), x
    for part in _PARTS:
        rest = tape.number("fma", turns, -part, rest)
    return rest, turns - 4.0 * tape.number("floor", turns * 0.25)


def _both(rest):
    """(sine, cosine) of a remainder."""
    square = rest * rest
    sine = rest + rest * square * _polynomial(square, _SINE)
    return sine, 1.0 - (0.5 * square - square * square * _polynomial(square, _COSINE))


def sine(x: Number) -> Number:
    """sin(x)."""
    rest, quadrant = _reduced(x)
    s, c = _both(rest)
    value = select((quadrant == 1.0) | (quadrant == 3.0), c, s)
    return select(quadrant >= 2.0, -value, value)


def cosine(x: Number) -> Number:
    """cos(x)."""
    rest, quadrant = _reduced(x)
    s, c = _both(rest)
    value = select((quadrant == 1.0) | (quadrant == 3.0), s, c)
    return select((quadrant == 1.0) | (quadrant == 2.0), -value, value)


def _arc(x):
    """(whether |x| is from 1/2 on; the arc with sine |x|, or half of that with cosine |x|)"""
    size = abs(x)
    large = size >= 0.5
    half = (1.0 - size) * 0.5
    square = select(large, half, x * x)
    root = select(large, x.tape.number("sqrt", half), size)
    return large, root + root * (_polynomial(square, _ARC_ABOVE) / _polynomial(square, _ARC_BELOW))


def arcsine(x: Number) -> Number:
    """asin(x)."""
    large, arc = _arc(x)
    value = select(large, _PARTS[0] - (2.0 * arc - _PARTS[1]), arc)
    return select(x < 0.0, -value, value)


def arccosine(x: Number) -> Number:
    """acos(x)."""
    large, arc = _arc(x)
    far = select(x < 0.0, math.pi - (2.0 * arc - 2.0 * _PARTS[1]), 2.0 * arc)
    return select(large, far, _PARTS[0] - (select(x < 0.0, -arc, arc) - _PARTS[1]))
