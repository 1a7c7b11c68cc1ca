"""Orientations of single elements: alternatives to quaternions, and products of poses. Quaternions are (w, x, y, z) tuples."""

from collections.abc import Iterable, Sequence
from math import atan2, cos, isfinite, pi, sin, sqrt
from typing import Any

import numpy as np

from .types import AXISANGLE, XYAXES, ZAXIS

EPS = 1e-14
UNIT = (1.0, 0.0, 0.0, 0.0)


def normal(v: Iterable[float]) -> tuple[tuple[Any, ...], float]:
    """Return (unit vector, length); return a vector too short to normalize unchanged, with length 0."""
    n = 0.0
    for x in v:
        n += x * x
    if n < EPS:
        return tuple(v), 0.0
    n = sqrt(n)
    if abs(n - 1) > EPS:
        return tuple(x / n for x in v), n
    return tuple(v), n


def cross(a: Sequence[float], b: Sequence[float]) -> tuple[float, float, float]:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def mulquat(a: Any, b: Any) -> tuple[float, float, float, float]:
    """Return the normalized product of two quaternions."""
    return normal(
        (
            a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
        )
    )[0]


def matrix(q: Sequence[float] | np.ndarray) -> tuple[Any, ...]:
    """Return the rotation matrix (9 numbers, row by row) of a quaternion."""
    w, x, y, z = q
    return (
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


def rotate_by(v: Sequence[float] | np.ndarray, q: Sequence[float] | np.ndarray) -> tuple[float, float, float]:
    """Return a vector rotated by a quaternion."""
    m = matrix(q)
    return (
        m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
        m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
        m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
    )


def compose(
    pos: Sequence[float] | np.ndarray,
    quat: Sequence[float] | np.ndarray,
    childpos: Sequence[float] | np.ndarray,
    childquat: Sequence[float] | np.ndarray,
) -> tuple[tuple[float, float, float], tuple[float, float, float, float]]:
    """Return a child's pose, given relative to its parent's pose, in the frame in which the parent's pose is given."""
    v = rotate_by(childpos, quat)
    return (pos[0] + v[0], pos[1] + v[1], pos[2] + v[2]), mulquat(quat, childquat)


def invert(
    pos: Sequence[float] | np.ndarray, quat: Sequence[float] | np.ndarray
) -> tuple[tuple[float, float, float], tuple[float, float, float, float]]:
    """Return the inverse of a pose."""
    conj = (quat[0], -quat[1], -quat[2], -quat[3])
    v = rotate_by(pos, conj)
    return (-v[0], -v[1], -v[2]), conj


def from_z(v: Sequence[float] | np.ndarray) -> tuple[float, float, float, float]:
    """Return the smallest rotation that turns the z axis to a unit vector."""
    axis, s = normal((-v[1], v[0], 0.0))
    if s < 1e-10:
        axis = (1.0, 0.0, 0.0)
    half = atan2(s, v[2]) / 2
    c, s = cos(half), sin(half)
    return (c, axis[0] * s, axis[1] * s, axis[2] * s)


def from_axes(
    x: Sequence[float] | np.ndarray, y: Sequence[float] | np.ndarray, z: Sequence[float] | np.ndarray
) -> tuple[float, float, float, float]:
    """Return the quaternion of a frame with three orthonormal axes."""
    if x[0] + y[1] + z[2] > 0:
        w = 0.5 * sqrt(1 + x[0] + y[1] + z[2])
        q = (w, 0.25 * (y[2] - z[1]) / w, 0.25 * (z[0] - x[2]) / w, 0.25 * (x[1] - y[0]) / w)
    elif x[0] > y[1] and x[0] > z[2]:
        a = 0.5 * sqrt(1 + x[0] - y[1] - z[2])
        q = (0.25 * (y[2] - z[1]) / a, a, 0.25 * (y[0] + x[1]) / a, 0.25 * (z[0] + x[2]) / a)
    elif y[1] > z[2]:
        a = 0.5 * sqrt(1 - x[0] + y[1] - z[2])
        q = (0.25 * (z[0] - x[2]) / a, 0.25 * (y[0] + x[1]) / a, a, 0.25 * (z[1] + y[2]) / a)
    else:
        a = 0.5 * sqrt(1 - x[0] - y[1] + z[2])
        q = (0.25 * (x[1] - y[0]) / a, 0.25 * (z[0] + x[2]) / a, 0.25 * (z[1] + y[2]) / a, a)
    return normal(q)[0]


def resolve(quat: Any, alt: Any, degree: int, sequence: Iterable[str]) -> tuple[tuple[float, float, float, float], str]:
    """Return (quaternion, error message) for an alternative orientation (type, numbers); type 0 keeps `quat`."""
    kind, v = alt
    if not kind:
        return quat, ""

    if kind == AXISANGLE:
        axis, n = normal(v[:3])
        if n < EPS:
            return quat, "the axis of axisangle is too small"
        half = (v[3] / 180.0 * pi if degree else v[3]) / 2
        s = sin(half)
        return (cos(half), s * axis[0], s * axis[1], s * axis[2]), ""

    # the y axis is made orthogonal to the x axis
    if kind == XYAXES:
        x, n = normal(v[:3])
        if n < EPS:
            return quat, "the x axis is too small"
        d = x[0] * v[3] + x[1] * v[4] + x[2] * v[5]
        y, n = normal((v[3] - x[0] * d, v[4] - x[1] * d, v[5] - x[2] * d))
        if n < EPS:
            return quat, "the y axis is too small"
        z, n = normal(cross(x, y))
        return (from_axes(x, y, z), "") if n >= EPS else (quat, "x and y axis are parallel")

    if kind == ZAXIS:
        z, n = normal(v)
        return (from_z(z), "") if n >= EPS else (quat, "the z axis is too small")
    return _euler(quat, v, degree, sequence)


def _euler(quat: Any, v: Iterable[float], degree: int, sequence: Iterable[str]) -> tuple[Any, str]:
    q = UNIT
    for angle, axis in zip(v, sequence):
        if not isfinite(angle):
            return quat, "an angle is not finite"
        half = (angle / 180.0 * pi if degree else angle) / 2
        i = "xyz".find(axis.lower())
        if i < 0:
            return quat, "eulerseq can only contain x, y, z, X, Y, Z"
        turn = [cos(half), 0.0, 0.0, 0.0]
        turn[i + 1] = sin(half)
        # lower case rotates about the moving axes, upper case about the fixed ones
        q = mulquat(q, turn) if axis.islower() else mulquat(turn, q)
    return normal(q)[0], ""
