"""Eigenvalues and eigenvectors of a symmetric 3 x 3 matrix."""

from math import sqrt

from ..machine.jit import inline, kernel
from ..tables.consts import mjMINVAL
from .quat import quat_mat, quat_mul, quat_unit
from .vec import add3, mat_mat3, mat_t_mat3, scale3, sub3

EPS = 1000 * mjMINVAL
QUARTER = 0.707106781186548


@inline
def largest(x, y, z, xy, xz, yz):
    """Return (axis normal to its plane, value, both diagonal entries of its plane) of the largest off-diagonal entry."""
    if abs(xy) > abs(xz) and abs(xy) > abs(yz):
        return 2, xy, x, y
    if abs(xz) > abs(yz):
        return 1, xz, x, z
    return 0, yz, y, z


@inline
def rotation(off, low, high):
    """Return (cotangent of twice the angle, tangent, cosine) of the smaller rotation that makes an off-diagonal entry zero."""
    tau = (high - low) / (2 * off)
    tan = 1.0 / (tau + sqrt(1 + tau * tau)) if tau >= 0 else -1.0 / (-tau + sqrt(1 + tau * tau))
    return tau, tan, 1.0 / sqrt(1 + tan * tan)


@inline
def eig3(a):
    """Return (eigenvalues in decreasing order, matrix of eigenvectors in its columns, the same rotation as a quaternion).

    Jacobi iteration on a quaternion (W. Press et al., Numerical Recipes, 11.1): each rotation eliminates the largest
    off-diagonal entry.
    """
    q = (1.0, 0.0, 0.0, 0.0)
    x = y = z = 0.0

    # Rotate away the largest off-diagonal entry until all are small.
    for _ in range(500):
        e = quat_mat(q)
        t = mat_mat3(mat_t_mat3(e, a), e)
        x, y, z = t[0], t[4], t[8]
        axis, off, low, high = largest(x, y, z, t[1], t[2], t[5])
        if abs(off) < EPS:
            break
        tau, _, cos = rotation(off, low, high)
        if cos > 1.0 - EPS:
            break
        s = -sqrt(0.5 - 0.5 * cos) if tau >= 0 else sqrt(0.5 - 0.5 * cos)
        if axis == 1:
            s = -s
        w = sqrt(1.0 - s * s)
        turn = quat_unit((w, s if axis == 0 else 0.0, s if axis == 1 else 0.0, s if axis == 2 else 0.0))
        q = quat_unit(quat_mul(q, turn))

    # Sort the eigenvalues, and reorder the axes with them.
    for k in range(3):
        if k == 1:
            if y + EPS < z:
                y, z = z, y
                q = quat_unit(quat_mul(q, (QUARTER, QUARTER, 0.0, 0.0)))
        elif x + EPS < y:
            x, y = y, x
            q = quat_unit(quat_mul(q, (QUARTER, 0.0, 0.0, QUARTER)))
    return (x, y, z), quat_mat(q), q


@inline
def turn_columns(c, s, p, q):
    """Return columns p and q of a matrix after a rotation in their plane, by an angle of cosine c and sine -s."""
    return sub3(scale3(p, c), scale3(q, s)), add3(scale3(p, s), scale3(q, c))


@kernel
def axes3(a):
    """Return the same eigenvectors as `eig3`, up to rounding, in a third of the time: this function rotates the matrices
    directly instead of a quaternion.
    """
    x, y, z, xy, xz, yz = a[0], a[4], a[8], a[1], a[2], a[5]
    u, v, w = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)

    # Rotate away the largest off-diagonal entry until all are small.
    for _ in range(500):
        axis, off, low, high = largest(x, y, z, xy, xz, yz)
        if abs(off) < EPS:
            break
        _, tan, c = rotation(off, low, high)
        if c > 1.0 - EPS:
            break
        s, change = tan * c, tan * off
        if axis == 2:
            x, y, xy = x - change, y + change, 0.0
            xz, yz = c * xz - s * yz, s * xz + c * yz
            u, v = turn_columns(c, s, u, v)
        elif axis == 1:
            x, z, xz = x - change, z + change, 0.0
            xy, yz = c * xy - s * yz, s * xy + c * yz
            u, w = turn_columns(c, s, u, w)
        else:
            y, z, yz = y - change, z + change, 0.0
            xy, xz = c * xy - s * xz, s * xy + c * xz
            v, w = turn_columns(c, s, v, w)

    # Sort the eigenvalues, and turn the axes with them by right angles.
    for k in range(3):
        if k == 1:
            if y + EPS < z:
                y, z = z, y
                v, w = w, scale3(v, -1.0)
        elif x + EPS < y:
            x, y = y, x
            u, v = v, scale3(u, -1.0)
    return u[0], v[0], w[0], u[1], v[1], w[1], u[2], v[2], w[2]
