"""Small rotation algebra for the scene, in float64, mostly from arrays of vectors to arrays of matrices.

Conventions as in the model: quaternions are (w, x, y, z), matrices act on column vectors.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

MINVAL = 1e-15


def normalize(v: npt.ArrayLike) -> tuple[np.ndarray, float]:
    """Return the unit vector and the length of a 3-vector. A zero vector becomes (1, 0, 0)."""
    v = np.array(v, np.float64)
    # Sum from left to right, then multiply by the inverse, so that cameras agree with MuJoCo's to the last bit.
    n = float(np.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]))
    if n < MINVAL:
        return np.array([1.0, 0, 0]), n
    return v * (1 / n), n


def unit_quat(q: npt.ArrayLike) -> np.ndarray:
    """Normalize a quaternion; a zero quaternion becomes the identity."""
    q = np.array(q, np.float64)
    n = float(np.sqrt(q @ q))
    return q / n if n >= MINVAL else np.array([1.0, 0, 0, 0])


def mul_quat(a: Any, b: Any) -> np.ndarray:
    """Return the product of two quaternions."""
    w, v, s, u = a[0], np.asarray(a[1:]), b[0], np.asarray(b[1:])
    return np.concatenate([[w * s - v @ u], w * u + s * v + cross(v, u)])


def conj(q: Any) -> np.ndarray:
    """Return the conjugate quaternion."""
    return np.array([q[0], -q[1], -q[2], -q[3]], np.float64)


def cross(a: Any, b: Any) -> np.ndarray:
    """Return the cross product of two 3-vectors. For single vectors, np.cross is slow."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def quat_mat(q: npt.ArrayLike) -> np.ndarray:
    """Convert quaternions (..., 4) to matrices (..., 3, 3)."""
    w, x, y, z = np.moveaxis(np.asarray(q, np.float64), -1, 0)
    rows = (
        w * w + x * x - y * y - z * z,
        2 * (x * y - w * z),
        2 * (x * z + w * y),
        2 * (x * y + w * z),
        w * w - x * x + y * y - z * z,
        2 * (y * z - w * x),
        2 * (x * z - w * y),
        2 * (y * z + w * x),
        w * w - x * x - y * y + z * z,
    )
    return np.stack(rows, -1).reshape(w.shape + (3, 3))


def mat_quat(mat: npt.ArrayLike) -> np.ndarray:
    """Convert a rotation matrix (3, 3) to a quaternion; the component with the largest magnitude is computed first."""
    m = np.asarray(mat, np.float64).reshape(3, 3)
    t = np.array([m.trace(), m[0, 0], m[1, 1], m[2, 2]])
    i = int(np.argmax(t))
    if i == 0:
        q = np.array([1 + t[0], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    else:
        a, b, c = i - 1, i % 3, (i + 1) % 3
        q = np.zeros(4)
        q[0] = m[c, b] - m[b, c]
        q[1 + a] = 1 + m[a, a] - m[b, b] - m[c, c]
        q[1 + b] = m[a, b] + m[b, a]
        q[1 + c] = m[a, c] + m[c, a]
    return unit_quat(q)


def axis_quat(axis: npt.ArrayLike, angle: float) -> np.ndarray:
    """Return the quaternion of a rotation by angle (rad) about a unit axis."""
    if angle == 0:
        return np.array([1.0, 0, 0, 0])
    return np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * np.asarray(axis, np.float64)])


def quat_vel(q: Any, dt: float = 1.0) -> np.ndarray:
    """Return the rotation vector of a quaternion, with angle in -pi..pi, divided by dt."""
    axis = np.array(q[1:], np.float64)
    s = float(np.sqrt(axis @ axis))
    axis = axis / s if s >= MINVAL else np.array([1.0, 0, 0])
    angle = 2 * np.arctan2(s, q[0])
    if angle > np.pi:
        angle -= 2 * np.pi
    return axis * (angle / dt)


def mul_pose(p: npt.ArrayLike, q: npt.ArrayLike, p2: npt.ArrayLike, q2: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the composition of two poses: (p, q) applied after (p2, q2)."""
    return np.asarray(p, np.float64) + quat_mat(unit_quat(q)) @ np.asarray(p2, np.float64), unit_quat(mul_quat(q, q2))


def neg_pose(p: npt.ArrayLike, q: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the inverse pose."""
    inv = conj(q)
    return -(quat_mat(inv) @ np.asarray(p, np.float64)), inv


def rotate(mats: npt.ArrayLike, v: npt.ArrayLike) -> np.ndarray:
    """Multiply matrices (n, 9) or (n, 3, 3) by vectors (n, 3) or (3,); returns (n, 3)."""
    mats = np.asarray(mats).reshape(-1, 3, 3)
    return np.einsum("nij,nj->ni", mats, np.broadcast_to(v, (len(mats), 3)))


def z_to(vec: npt.ArrayLike) -> np.ndarray:
    """Return the smallest rotations (n, 3, 3) that turn z to the direction of each vector (n, 3); the identity for zero
    vectors."""
    v = np.array(vec, np.float64).reshape(-1, 3)
    n = np.sqrt(np.einsum("ij,ij->i", v, v))
    v = np.where((n < MINVAL)[:, None], [0.0, 0, 1], v / np.maximum(n, MINVAL)[:, None])
    x, y, c = v.T
    s2 = x * x + y * y
    par = s2 < MINVAL * MINVAL

    # 1/(1+c) loses digits if the vector points down, (1-c)/s^2 if it points up
    k = np.where(c >= 0, 1 / (1 + np.maximum(c, 0)), (1 - c) / np.where(par, 1, s2))
    out = np.empty((len(v), 3, 3))
    out[:, 0, 0], out[:, 0, 1], out[:, 0, 2] = 1 - k * x * x, -k * x * y, x
    out[:, 1, 0], out[:, 1, 1], out[:, 1, 2] = -k * x * y, 1 - k * y * y, y
    out[:, 2, 0], out[:, 2, 1], out[:, 2, 2] = -x, -y, c
    out[par & (c < 0)] = np.diag([1.0, -1, -1])
    return out


def halton(index: int, base: int) -> float:
    """Return the radical inverse of an integer in a base."""
    f, out = 1.0 / base, 0.0
    while index > 0:
        out += f * (index % base)
        index //= base
        f /= base
    return out
