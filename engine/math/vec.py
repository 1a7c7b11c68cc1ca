"""3-vectors and 3x3 matrices (row by row, 9 numbers) as tuples."""

from math import sqrt

from ..machine.jit import inline
from ..tables.consts import mjMINVAL


@inline
def add3(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inline
def double3(a):
    """Convert three single-precision numbers to double precision."""
    return 1.0 * a[0], 1.0 * a[1], 1.0 * a[2]


@inline
def sub3(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inline
def scale3(a, s):
    return a[0] * s, a[1] * s, a[2] * s


@inline
def add_scaled3(a, b, s):
    """Return a + s b."""
    return a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s


@inline
def dot3(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inline
def cross3(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inline
def norm3(a):
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@inline
def distance3(a, b):
    return norm3(sub3(a, b))


@inline
def unit3(a):
    """Return (unit vector, length); (1, 0, 0) if the length is below mjMINVAL."""
    n = norm3(a)
    if n < mjMINVAL:
        return (1.0, 0.0, 0.0), n
    r = 1 / n
    return (a[0] * r, a[1] * r, a[2] * r), n


@inline
def axis3(k, s):
    """Return s times the unit vector along coordinate axis k."""
    return s if k == 0 else 0.0, s if k == 1 else 0.0, s if k == 2 else 0.0


@inline
def coordinate3(v, k):
    """Return coordinate k of v for a k that is not a literal. Unlike v[k], this selects without an index check."""
    if k == 0:
        return v[0]
    return v[1] if k == 1 else v[2]


@inline
def replace3(v, k, x):
    """Return v with coordinate k replaced by x."""
    return x if k == 0 else v[0], x if k == 1 else v[1], x if k == 2 else v[2]


@inline
def corner3(half, k):
    """Return corner k of a box with given half-sizes: coordinate i is positive if bit i of k is set."""
    return half[0] if k & 1 else -half[0], half[1] if k & 2 else -half[1], half[2] if k & 4 else -half[2]


@inline
def octant3(v):
    """Return the index, as in corner3, of the corner in whose octant v points."""
    return (1 if v[0] > 0 else 0) + (2 if v[1] > 0 else 0) + (4 if v[2] > 0 else 0)


@inline
def mat_vec3(r, v):
    return (
        r[0] * v[0] + r[1] * v[1] + r[2] * v[2],
        r[3] * v[0] + r[4] * v[1] + r[5] * v[2],
        r[6] * v[0] + r[7] * v[1] + r[8] * v[2],
    )


@inline
def mat_t_vec3(r, v):
    """Return the product of the transposed matrix and the vector."""
    return (
        r[0] * v[0] + r[3] * v[1] + r[6] * v[2],
        r[1] * v[0] + r[4] * v[1] + r[7] * v[2],
        r[2] * v[0] + r[5] * v[1] + r[8] * v[2],
    )


@inline
def mat_mat3(a, b):
    return (
        a[0] * b[0] + a[1] * b[3] + a[2] * b[6],
        a[0] * b[1] + a[1] * b[4] + a[2] * b[7],
        a[0] * b[2] + a[1] * b[5] + a[2] * b[8],
        a[3] * b[0] + a[4] * b[3] + a[5] * b[6],
        a[3] * b[1] + a[4] * b[4] + a[5] * b[7],
        a[3] * b[2] + a[4] * b[5] + a[5] * b[8],
        a[6] * b[0] + a[7] * b[3] + a[8] * b[6],
        a[6] * b[1] + a[7] * b[4] + a[8] * b[7],
        a[6] * b[2] + a[7] * b[5] + a[8] * b[8],
    )


@inline
def mat_t_mat3(a, b):
    """Return the product a' b of two matrices."""
    return (
        a[0] * b[0] + a[3] * b[3] + a[6] * b[6],
        a[0] * b[1] + a[3] * b[4] + a[6] * b[7],
        a[0] * b[2] + a[3] * b[5] + a[6] * b[8],
        a[1] * b[0] + a[4] * b[3] + a[7] * b[6],
        a[1] * b[1] + a[4] * b[4] + a[7] * b[7],
        a[1] * b[2] + a[4] * b[5] + a[7] * b[8],
        a[2] * b[0] + a[5] * b[3] + a[8] * b[6],
        a[2] * b[1] + a[5] * b[4] + a[8] * b[7],
        a[2] * b[2] + a[5] * b[5] + a[8] * b[8],
    )


@inline
def transpose3(a):
    return a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]


@inline
def column3(a, k):
    """Return column k of a matrix; k must be a literal or a loop variable."""
    if k == 0:
        return a[0], a[3], a[6]
    if k == 1:
        return a[1], a[4], a[7]
    return a[2], a[5], a[8]


@inline
def frame_of(x, y):
    """Return a right-handed frame (rows) with its first axis along x and its second axis near y, or near a coordinate axis if y
    is short."""
    x, _ = unit3(x)
    if dot3(y, y) < 0.25:
        y = (0.0, 1.0, 0.0) if -0.5 < x[1] < 0.5 else (0.0, 0.0, 1.0)
    y, _ = unit3(sub3(y, scale3(x, dot3(x, y))))
    z = cross3(x, y)
    return x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]


@inline
def clip(x, low, high):
    return low if x < low else high if x > high else x
