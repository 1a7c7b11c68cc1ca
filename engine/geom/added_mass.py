"""Added mass of shapes in a fluid, approximated by the added mass of an ellipsoid of the same size."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .solids import BY_NUMBER

# lower limit of denominators
EPS = 1e-14
_KRONROD = np.array(
    (
        (0.01146766, 7.865151709349917e-08, 5.538677720489877e-05),
        (0.03154605, 1.7347976913907274e-05, 0.002080868285293228),
        (0.05239501, 0.0003548008144506193, 0.016514126520723166),
        (0.07032663, 0.002846636252924549, 0.07261900344370877),
        (0.08450236, 0.014094260903596077, 0.23985243401862602),
        (0.09517529, 0.053063261727396636, 0.6868318249020725),
        (0.10221647, 0.17041978741317773, 1.8551129519182894),
        (0.10474107, 0.5, 5.0),
        (0.10221647, 1.4036301548686991, 14.060031152313941),
        (0.09517529, 3.9353484827022642, 43.28941239611009),
        (0.08450236, 11.644841677041734, 156.58546376397112),
        (0.07032663, 39.53187807410903, 747.9826085305024),
        (0.05239501, 177.5711362220801, 5827.4042950027115),
        (0.03154605, 1429.4772912937397, 116754.0197944512),
        (0.01146766, 54087.416549217705, 25482945.327264845),
    )
)


def kappa(x: float, y: float, z: float) -> float:
    """Return the added-mass integral of an ellipsoid along x (15-point Gauss-Kronrod); NaN if the square of a semi-axis
    underflows.
    """
    w, l, d = _KRONROD.T
    with np.errstate(all="ignore"):
        over = 1 / np.array((x, y, z)) ** 2
        scale = np.float64(x * x * x * y * z) ** 0.4
        fx, fy, fz = 1 + scale * l * over[:, None]
        return float((scale * d / (fx * np.sqrt(fx * fy * fz)) * w).sum() * over[0])


def added_mass(kind: Any, size: Sequence[float]) -> list[float]:
    """Return virtual masses along the three axes and virtual moments about them, for a fluid of density 1, given a geom type
    (mjtGeom) and sizes (3,).
    """
    a, b, d = (float(v) for v in size)
    solid = BY_NUMBER.get(kind)
    x, y, z = solid.axes(a, b, d) if solid and solid.axes else (a, b, d)

    # Compute the added-mass integrals along the axes. Each integral determines the virtual mass along its axis.
    volume = 4.0 / 3.0 * np.pi * x * y * z
    k = kappa(x, y, z), kappa(y, z, x), kappa(z, x, y)
    found = [volume * q / max(EPS, 2 - q) for q in k]

    # Compute the virtual moment about each axis from the integrals of the two other axes.
    for p, q, kp, kq in ((y, z, k[1], k[2]), (z, x, k[2], k[0]), (x, y, k[0], k[1])):
        s, t = p * p - q * q, p * p + q * q
        found.append(volume * (s * s * abs(kq - kp) / max(EPS, abs(2 * s + t * (kp - kq)))) / 5)
    return found
