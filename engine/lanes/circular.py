"""Vectorized sine, cosine and their inverses, without library calls. Sine and cosine share the argument reduction.

The nearest multiple of pi/2, known to 160 bits, is subtracted with fused operations (W. J. Cody, W. Waite, Software Manual
for the Elementary Functions, 1980). The polynomials are fdlibm's (Sun Microsystems, 1993), accurate to the last bit or two.
For |x| >= 1/2, asin(|x|) = pi/2 - 2 asin(sqrt((1 - |x|) / 2)).
"""

import math
from collections.abc import Sequence
from typing import Any

from .symbols import Number, select

# pi/2 as a sum of three parts; each part is the rounding error of the sum of those before it
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

# for |x| up to 1/2: asin(x) = x + x P(x^2) / Q(x^2)
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


def _polynomial(x: Number, coefficients: Sequence[float]) -> Any:
    """Evaluate a polynomial by Horner's rule; coefficients run from low to high powers."""
    result = coefficients[-1]
    for c in coefficients[-2::-1]:
        result = x.tape.number("fma", x, result, c)
    return result


def _reduced(x: Number) -> tuple[Any, Any]:
    """Return (remainder of x after subtracting multiples of pi/2, quadrant: 0.0 to 3.0)."""
    tape = x.tape
    turns, rest = tape.number("rint", x * (2.0 / math.pi)), x
    for part in _PARTS:
        rest = tape.number("fma", turns, -part, rest)
    return rest, turns - 4.0 * tape.number("floor", turns * 0.25)


def _both(rest: Any) -> tuple[Any, Any]:
    """Return (sine, cosine) of a reduced argument, whose magnitude is at most pi/4."""
    square = rest * rest
    sine = rest + rest * square * _polynomial(square, _SINE)
    return sine, 1.0 - (0.5 * square - square * square * _polynomial(square, _COSINE))


def sine(x: Number) -> Number:
    """Return sin(x)."""
    rest, quadrant = _reduced(x)
    s, c = _both(rest)
    value = select((quadrant == 1.0) | (quadrant == 3.0), c, s)
    return select(quadrant >= 2.0, -value, value)


def cosine(x: Number) -> Number:
    """Return cos(x)."""
    rest, quadrant = _reduced(x)
    s, c = _both(rest)
    value = select((quadrant == 1.0) | (quadrant == 3.0), s, c)
    return select((quadrant == 1.0) | (quadrant == 2.0), -value, value)


def _arc(x: Number) -> tuple[Any, Any]:
    """Return (large, arc). `large` tells whether |x| >= 1/2; arc is asin(|x|), or acos(|x|) / 2 if `large`."""
    size = abs(x)
    large = size >= 0.5
    half = (1.0 - size) * 0.5
    square = select(large, half, x * x)
    root = select(large, x.tape.number("sqrt", half), size)
    return large, root + root * (_polynomial(square, _ARC_ABOVE) / _polynomial(square, _ARC_BELOW))


def arcsine(x: Number) -> Number:
    """Return asin(x)."""
    large, arc = _arc(x)
    value = select(large, _PARTS[0] - (2.0 * arc - _PARTS[1]), arc)
    return select(x < 0.0, -value, value)


def arccosine(x: Number) -> Number:
    """Return acos(x)."""
    large, arc = _arc(x)
    far = select(x < 0.0, math.pi - (2.0 * arc - 2.0 * _PARTS[1]), 2.0 * arc)
    return select(large, far, _PARTS[0] - (select(x < 0.0, -arc, arc) - _PARTS[1]))
