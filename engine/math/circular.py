"""Sines and cosines of PACK angles at once.

The nearest multiple of pi/2 is subtracted. Its first part has so few bits that the product with a whole number is exact (W. J.
Cody, W. Waite, Software Manual for the Elementary Functions, 1980). The polynomials are fdlibm's (Sun Microsystems, 1993). No
products are fused, so all machines get the same numbers: for 97 of 100 angles those of the C library, for the others their
neighbors.
"""

from math import pi

from ..machine.jit import inline
from ..machine.lang import bits_of, pick, sizes_of, spread, times
from ..machine.layout import PACK

# up to this size, the whole number of quarter turns has at most 20 bits
LARGEST = 1e6
# the first 33 bits of pi/2, and the rest
QUARTER, REST = 1.57079632673412561417, 6.07710050650619224932e-11
# adding and subtracting this rounds to the nearest whole number
WHOLE = 1.5 * 2.0**52
ALL = (1 << PACK) - 1
S1, S2, S3 = -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04
S4, S5, S6 = 2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10
C1, C2, C3 = 4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05
C4, C5, C6 = -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11


@inline
def are_moderate(x):
    """Return whether `sines_cosines` is accurate for a pack of angles."""
    return bits_of(sizes_of(x) <= spread(LARGEST)) == ALL


@inline
def sines_cosines(x):
    """Return (sines, cosines) of a pack of angles."""
    turns = (times(x, spread(2 / pi)) + spread(WHOLE)) - spread(WHOLE)

    # the angle less the quarter turns, as a sum of a pack and its rounding errors
    a, b = x - times(turns, spread(QUARTER)), times(turns, spread(REST))
    y = a - b
    error = (a - y) - b

    # on [-pi/4, pi/4]
    z = times(y, y)
    v = times(z, y)
    half = spread(0.5)
    r = spread(S5) + times(z, spread(S6))
    r = spread(S2) + times(z, spread(S3) + times(z, spread(S4) + times(z, r)))
    s = y - ((times(z, times(half, error) - times(v, r)) - error) - times(v, spread(S1)))
    r = spread(C4) + times(z, spread(C5) + times(z, spread(C6)))
    r = times(z, spread(C1) + times(z, spread(C2) + times(z, spread(C3) + times(z, r))))
    h = times(half, z)
    w = spread(1.0) - h
    c = w + (((spread(1.0) - w) - h) + (times(z, r) - times(y, error)))

    # by quadrant: 0, 1, 2 or 3
    down = times(turns, spread(0.25)) - spread(0.375)
    quadrant = turns - times(spread(4.0), (down + spread(WHOLE)) - spread(WHOLE))
    first, second, third = spread(1.0), spread(2.0), spread(3.0)
    odd = (quadrant == first) | (quadrant == third)
    sine, cosine = pick(odd, c, s), pick(odd, s, c)
    behind = (quadrant == first) | (quadrant == second)
    return pick(quadrant >= second, -sine, sine), pick(behind, -cosine, cosine)
