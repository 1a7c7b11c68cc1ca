"""6-vectors, rotation first, in frames at a subtree's center of mass; inertias as 10 numbers.

An inertia is (xx, yy, zz, xy, xz, yz of the rotational part, three mass moments, mass). Formulas: R. Featherstone, Rigid Body
Dynamics Algorithms, chapter 2.
"""

from math import sqrt

from ..machine.jit import inline


@inline
def inertia_mul(i, v):
    """Multiply an inertia and a motion vector; return the momentum."""
    return (
        i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5],
        i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5],
        i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4],
        i[8] * v[1] - i[7] * v[2] + i[9] * v[3],
        i[6] * v[2] - i[8] * v[0] + i[9] * v[4],
        i[7] * v[0] - i[6] * v[1] + i[9] * v[5],
    )


@inline
def cross_motion(a, b):
    """Return the rate of change of a motion vector b that moves with motion a."""
    return (
        -a[2] * b[1] + a[1] * b[2],
        a[2] * b[0] - a[0] * b[2],
        -a[1] * b[0] + a[0] * b[1],
        -a[2] * b[4] + a[1] * b[5] + (-a[5] * b[1] + a[4] * b[2]),
        a[2] * b[3] - a[0] * b[5] + (a[5] * b[0] - a[3] * b[2]),
        -a[1] * b[3] + a[0] * b[4] + (-a[4] * b[0] + a[3] * b[1]),
    )


@inline
def cross_force(a, f):
    """Return the rate of change of a force vector f that moves with motion a."""
    return (
        -a[2] * f[1] + a[1] * f[2] + (-a[5] * f[4] + a[4] * f[5]),
        a[2] * f[0] - a[0] * f[2] + (a[5] * f[3] - a[3] * f[5]),
        -a[1] * f[0] + a[0] * f[1] + (-a[4] * f[3] + a[3] * f[4]),
        -a[2] * f[4] + a[1] * f[5],
        a[2] * f[3] - a[0] * f[5],
        -a[1] * f[3] + a[0] * f[4],
    )


@inline
def dot6(a, b):
    """Return the dot product of 6-vectors, summed in the order of a four-lane vector unit."""
    return ((a[0] * b[0] + a[2] * b[2]) + (a[1] * b[1] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5])


@inline
def norm6(a):
    return sqrt(dot6(a, a))


@inline
def add6(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]


@inline
def add_scaled6(a, b, s):
    """Return a + s b."""
    return a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s, a[3] + b[3] * s, a[4] + b[4] * s, a[5] + b[5] * s


@inline
def scale6(a, s):
    return a[0] * s, a[1] * s, a[2] * s, a[3] * s, a[4] * s, a[5] * s


@inline
def add10(a, b):
    return (
        a[0] + b[0],
        a[1] + b[1],
        a[2] + b[2],
        a[3] + b[3],
        a[4] + b[4],
        a[5] + b[5],
        a[6] + b[6],
        a[7] + b[7],
        a[8] + b[8],
        a[9] + b[9],
    )


@inline
def body_inertia(inertia, r, d, mass):
    """Return the inertia of a body with principal moments `inertia`, orientation r (matrix) and offset d from the centre of
    mass."""
    a, b, c = inertia
    return (
        (r[0] * (r[0] * a) + r[1] * (r[1] * b) + r[2] * (r[2] * c)) + mass * (d[1] * d[1] + d[2] * d[2]),
        (r[3] * (r[3] * a) + r[4] * (r[4] * b) + r[5] * (r[5] * c)) + mass * (d[0] * d[0] + d[2] * d[2]),
        (r[6] * (r[6] * a) + r[7] * (r[7] * b) + r[8] * (r[8] * c)) + mass * (d[0] * d[0] + d[1] * d[1]),
        (r[0] * (r[3] * a) + r[1] * (r[4] * b) + r[2] * (r[5] * c)) - mass * d[0] * d[1],
        (r[0] * (r[6] * a) + r[1] * (r[7] * b) + r[2] * (r[8] * c)) - mass * d[0] * d[2],
        (r[3] * (r[6] * a) + r[4] * (r[7] * b) + r[5] * (r[8] * c)) - mass * d[1] * d[2],
        mass * d[0],
        mass * d[1],
        mass * d[2],
        mass,
    )
