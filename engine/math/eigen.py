"""Eigenvalues and eigenvectors of a symmetric 3 x 3 matrix."""

from math import sqrt

from ..machine.jit import inline
from ..tables.consts import mjMINVAL
from .quat import quat_mat, quat_mul, quat_unit
from .vec import mat_mat3, mat_t_mat3

EPS = 1000 * mjMINVAL
QUARTER = 0.707106781186548


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
        if abs(t[1]) > abs(t[2]) and abs(t[1]) > abs(t[5]):
            axis, off, low, high = 2, t[1], x, y
        elif abs(t[2]) > abs(t[5]):
            axis, off, low, high = 1, t[2], x, z
        else:
            axis, off, low, high = 0, t[5], y, z
        if abs(off) < EPS:
            break
        tau = (high - low) / (2 * off)
        tan = 1.0 / (tau + sqrt(1 + tau * tau)) if tau >= 0 else -1.0 / (-tau + sqrt(1 + tau * tau))
        cos = 1.0 / sqrt(1 + tan * tan)
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
