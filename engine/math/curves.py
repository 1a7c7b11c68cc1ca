r"""Curves on scalars: muscle force over length and velocity, smooth step, constraint impedance, couplings.

    force over length                     force over velocity              impedance over position error
      1        .-.                          top      .----                    high          .-----
             .'   `.         passive               .'                                     .'
           .'       `.      /                1    .                                      |  power p about the midpoint
    0 ____/           \____/___                 .'                            low  ____.'
         low    1    high                  0 ___/                                   0        width
                                               -1   0   top - 1

Muscles: A. Hill's model with the parabolas of MuJoCo's manual (Modeling, Muscles), after F. Zajac, Muscle and tendon, 1989.
Impedance: MuJoCo's manual, Computation, Solver parameters: d(x) = low + y(x) (high - low) with y(x) = a x^p below the midpoint
and 1 - b (1 - x)^p above.
"""

from ..machine.jit import inline, kernel
from ..tables.consts import mjMINVAL


@inline
def positive(x):
    """Return x, but at least mjMINVAL, for use as a divisor."""
    return mjMINVAL if x < mjMINVAL else x


@inline
def smooth_step(x):
    """Return the value at x of a quintic from 0 at 0 to 1 at 1, with zero first and second derivatives at both ends."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    return x * x * x * (3 * x * (2 * x - 5) + 10)


@inline
def muscle_length_curve(length, low, high):
    """Return the active force of a muscle of unit strength at a normalized length: four parabolas, 1 at length 1, 0 outside
    low..high."""
    if not low <= length <= high:
        return 0.0
    rise, fall = 0.5 * (low + 1), 0.5 * (1 + high)
    if length <= rise:
        x = (length - low) / positive(rise - low)
        return 0.5 * x * x
    if length <= 1:
        x = (1 - length) / positive(1 - rise)
        return 1 - 0.5 * x * x
    if length <= fall:
        x = (length - 1) / positive(fall - 1)
        return 1 - 0.5 * x * x
    x = (high - length) / positive(high - fall)
    return 0.5 * x * x


@inline
def muscle_length_slope(length, low, high):
    """Return the derivative of muscle_length_curve."""
    if not low <= length <= high:
        return 0.0
    rise, fall = 0.5 * (low + 1), 0.5 * (1 + high)
    if length <= rise:
        return (length - low) / (positive(rise - low) * positive(rise - low))
    if length <= 1:
        return (1 - length) / (positive(1 - rise) * positive(1 - rise))
    if length <= fall:
        return (1 - length) / (positive(fall - 1) * positive(fall - 1))
    return (length - high) / (positive(high - fall) * positive(high - fall))


@inline
def muscle_velocity_curve(velocity, top):
    """Return the factor of active force at a normalized velocity: 0 at -1 (fastest shortening), 1 at 0, `top` for fast
    lengthening."""
    bend = top - 1
    if velocity <= -1:
        return 0.0
    if velocity <= 0:
        return (velocity + 1) * (velocity + 1)
    if velocity <= bend:
        return top - (bend - velocity) * (bend - velocity) / positive(bend)
    return top


@inline
def muscle_passive_curve(length, high):
    """Return the passive force of a muscle of unit strength: 0 up to length 1, a parabola up to the middle of 1..high, and a
    straight line beyond."""
    if length <= 1:
        return 0.0
    bend = 0.5 * (1 + high)
    if length <= bend:
        x = (length - 1) / positive(bend - 1)
        return 0.5 * x * x
    return 0.5 + (length - bend) / positive(bend - 1)


@inline
def muscle_passive_slope(length, high):
    """Return the derivative of muscle_passive_curve."""
    if length <= 1:
        return 0.0
    width = positive(0.5 * (1 + high) - 1)
    return (length - 1) / (width * width) if length <= 0.5 * (1 + high) else 1 / width


@inline
def quick_power(x, p):
    """Return x to the power p. The most common powers, 1 and 2, avoid the slow general function."""
    if p == 1:
        return x
    return x * x if p == 2 else x**p


@kernel
def impedance(p, error):
    """Return (impedance, its slope) at a position error beyond the margin; p is (at 0, at width, width, midpoint, power)."""
    low, high, width, middle, power = p
    if low == high or width <= mjMINVAL:
        return 0.5 * (low + high), 0.0
    x = abs(error / width)
    if x >= 1 or x <= 0:
        return high if x >= 1 else low, 0.0
    if power == 1:
        y, slope = x, 1.0
    elif x <= middle:
        s = 1 / quick_power(middle, power - 1)
        y, slope = s * quick_power(x, power), power * s * quick_power(x, power - 1)
    else:
        s = 1 / quick_power(1 - middle, power - 1)
        y, slope = 1 - s * quick_power(1 - x, power), power * s * quick_power(1 - x, power - 1)
    return low + y * (high - low), slope * (1.0 if error >= 0 else -1.0) * (high - low) / width


@inline
def quartic_slope(a, b, c, d, x):
    """Return the derivative of a x + b x^2 + c x^3 + d x^4, which couples joints or tendons in equality constraints."""
    return a + 2 * b * x + 3 * c * x * x + 4 * d * x * x * x
