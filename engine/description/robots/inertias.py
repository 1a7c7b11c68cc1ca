"""Physically possible inertias: the tensor nearest to an impossible one, and the tensor of a link's shapes."""

import math
from collections.abc import Sequence

import numpy as np

from ..language import orient
from .pieces import Quat

# Smallest second moment of a moving body relative to its largest, and smallest moment (kg m^2).
THIN, LEAST_MOMENT = 1e-6, 1e-13
# density in kg/m^3 for links whose mass is not given
DENSITY = 1000.0


def matrix_of(tensor: Sequence[float]) -> np.ndarray:
    """Return the symmetric matrix of xx, yy, zz, xy, xz, yz."""
    xx, yy, zz, xy, xz, yz = tensor
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def tensor_of(matrix: np.ndarray) -> tuple[float, ...]:
    """Return xx, yy, zz, xy, xz, yz of a symmetric matrix."""
    m = matrix
    return tuple(float(x) for x in (m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[0, 2], m[1, 2]))


def turned(tensor: Sequence[float], quat: Quat) -> tuple[float, ...]:
    """Convert a tensor from a rotated frame to its parent frame."""
    if quat == (1.0, 0.0, 0.0, 0.0):
        return tuple(tensor)
    r = np.array(orient.matrix(quat)).reshape(3, 3)
    return tensor_of(r @ matrix_of(tensor) @ r.T)


def is_physical(tensor: Sequence[float], slack: float = 1e-9) -> bool:
    """Return whether a mass distribution with this tensor exists: its moments are positive, and none exceeds the sum of the
    others.
    """
    if not all(map(math.isfinite, tensor)):
        return False
    a, b, c = np.linalg.eigvalsh(matrix_of(tensor))
    return a >= LEAST_MOMENT and a + b >= c * (1 - slack)


def nearest_physical(tensor: Sequence[float]) -> tuple[float, ...] | None:
    """Return the physical tensor nearest to an impossible one (Frobenius norm of second moments); None if it has no valid data.

    A tensor I is physical if its second moments, tr(I)/2 - I, have no negative eigenvalue: negative ones become almost 0.
    """
    if not all(map(math.isfinite, tensor)):
        return None
    m = matrix_of(tensor)
    moments = 0.5 * np.trace(m) * np.eye(3) - m
    values, axes = np.linalg.eigh(moments)
    if values[-1] <= 0:
        return None
    values = np.maximum(values, max(THIN * values[-1], LEAST_MOMENT))
    moments = (axes * values) @ axes.T
    return tensor_of(np.trace(moments) * np.eye(3) - moments)


def ball(mass: float, radius: float) -> tuple[float, ...]:
    """Return the tensor of a solid sphere."""
    moment = max(0.4 * mass * radius * radius, LEAST_MOMENT)
    return moment, moment, moment, 0.0, 0.0, 0.0
