"""Principal axes of inertia tensors, compiled."""

from math import sqrt

import numpy as np

from ..machine.jit import inline, kernel, stage
from ..machine.lang import matrix_at
from ..math.quat import quat_mat, quat_mul
from ..math.vec import mat_mat3, mat_t_mat3

EPS = 1e-14
# Tolerances by rule. OFF: smaller off-diagonal entries count as zero. SAME: moments with a smaller difference are not
# reordered.
# The tolerances of the rule ABSOLUTE are absolute. Those of RELATIVE and MESH (since 4.0) are relative to the largest moment.
# MESH is for meshes, whose vertices have single precision.
ABSOLUTE, RELATIVE, MESH = range(3)
OFF, SAME = (1e-12, 4e-15, 1e-7), (1e-12, 1e-12, 1e-7)
HALF_RIGHT = 0.707106781186548
COLUMNS = 7


@inline
def unit_or_same4(q):
    """Normalize a quaternion, unless its length is 1 or almost 0."""
    n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
    if n >= EPS:
        n = sqrt(n)
        if abs(n - 1) > EPS:
            return q[0] / n, q[1] / n, q[2] / n, q[3] / n
    return q


@inline
def turned(q, turn):
    """Return the product of two quaternions, normalized twice, because MuJoCo normalizes it in two calls."""
    return unit_or_same4(unit_or_same4(quat_mul(q, turn)))


@kernel
def axes_of(full, rule):
    """Return (moments in descending order, quaternion of the principal axes) of an inertia xx, yy, zz, xy, xz, yz.

    `rule` selects the tolerances. Jacobi rotations are accumulated in a quaternion (W. Press et al., Numerical Recipes, 11.1).
    """
    a = (full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2])
    scale = max(abs(a[0]), max(abs(a[4]), abs(a[8]))) if rule != ABSOLUTE else 1.0
    least, same = OFF[rule] * scale, SAME[rule] * scale
    q = (1.0, 0.0, 0.0, 0.0)
    x = y = z = 0.0

    # Eliminate the largest off-diagonal entry until all such entries are small.
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
        if not abs(off) >= least:
            break
        tau = (high - low) / (2 * off)
        tan = 1.0 / (tau + sqrt(1 + tau * tau)) if tau >= 0 else -1.0 / (-tau + sqrt(1 + tau * tau))
        cos = 1.0 / sqrt(1 + tan * tan)
        if rule == ABSOLUTE and cos > 1.0 - OFF[0]:
            break
        # Compute half the rotation angle. The second form avoids cancellation for small angles.
        s = sqrt(max(0.5 - 0.5 * cos, 0.0)) if rule == ABSOLUTE else abs(tan) * cos / sqrt(2 + 2 * cos)
        if tau >= 0:
            s = -s
        if axis == 1:
            s = -s
        turn = (sqrt(1.0 - s * s), s if axis == 0 else 0.0, s if axis == 1 else 0.0, s if axis == 2 else 0.0)
        q = turned(q, unit_or_same4(turn))

    # Sort the moments, and reorder the axes with them.
    for k in range(3):
        if k == 1:
            if y + same < z:
                y, z = z, y
                q = turned(q, (HALF_RIGHT, HALF_RIGHT, 0.0, 0.0))
        elif x + same < y:
            x, y = y, x
            q = turned(q, (HALF_RIGHT, 0.0, 0.0, HALF_RIGHT))
    return x, y, z, q[0], q[1], q[2], q[3]


@stage("viiii")
def principal_axes(full_at, n, out_at, rule):
    """Compute the principal axes of inertia tensors.

    reads inertias (n, 6) as xx, yy, zz, xy, xz, yz; writes (n, 7): moments in descending order, quaternion of the axes.
    """
    full, out = matrix_at(full_at, n, 6), matrix_at(out_at, n, COLUMNS)
    for i in range(n):
        found = axes_of((full[i, 0], full[i, 1], full[i, 2], full[i, 3], full[i, 4], full[i, 5]), rule)
        out[i, 0], out[i, 1], out[i, 2], out[i, 3], out[i, 4], out[i, 5], out[i, 6] = found


def principal(full: np.ndarray, rule: int = ABSOLUTE) -> tuple[np.ndarray, np.ndarray]:
    """Return (moments (n, 3) in descending order, quaternions (n, 4)) of inertias (n, 6): xx, yy, zz, xy, xz, yz; `rule`
    selects the tolerances.
    """
    full = np.ascontiguousarray(full, np.float64)
    out = np.zeros((len(full), COLUMNS))
    if len(full):
        principal_axes(full.ctypes.data, len(full), out.ctypes.data, rule)
    return out[:, :3], out[:, 3:]
