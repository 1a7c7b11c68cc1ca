"""Sine and cosine on lanes, without calls: both share the reduction of their argument.

The argument minus the nearest multiple of pi/2, which is known to 160 bits, by fused operations (W. J. Cody, W. Waite, Software Manual for the Elementary
Functions, 1980), then the polynomials of fdlibm (Sun Microsystems, 1993), good to the last bit or two.
"""
import math

from .symbols import Number, select

# pi/2 in three parts, each what the ones before leave
_PARTS = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33)
_SINE = (-1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04, 2.75573137070700676789e-06,
         -2.50507602534068634195e-08, 1.58969099521155010221e-10)
_COSINE = (4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05, -2.75573143513906633035e-07,
           2.08757232129817482790e-09, -1.13596475577881948265e-11)


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
