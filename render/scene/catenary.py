"""The curve of a string of given length hanging between two points under gravity.

In the vertical plane through both points, the height above the lowest point is a cosh of the horizontal distance. Its
flatness b (in units of the horizontal span h) solves 1/sqrt(2 b sinh(1/(2b)) - 1) = 1/sqrt(sqrt(L^2 - v^2)/h - 1); the left
side is nearly linear in b.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

TINY = 1e-15
TOLERANCE = 1e-9
# Strings longer than this multiple of their horizontal span are drawn as two straight segments that meet at a low point.
STEEP = 100
NEWTON_STEPS, HALVINGS = 50, 10


def flatness(b: float) -> tuple[float, float]:
    """Return the left side of the catenary equation and its derivative."""
    a = 0.5 / b
    inner = 2 * b * math.sinh(a) - 1
    return inner**-0.5, (a * math.cosh(a) - math.sinh(a)) * inner**-1.5


def solve(v: float, h: float, length: float) -> float:
    """Return the flatness of a string with a given rise v, span h and length, by Newton's method with step halving."""
    target = 1 / math.sqrt(math.sqrt(length * length - v * v) / h - 1)
    b = target / math.sqrt(24)
    for _ in range(NEWTON_STEPS):
        value, slope = flatness(b)
        gap = value - target
        if abs(gap) < TOLERANCE:
            break
        step = -gap / slope
        for _ in range(HALVINGS):
            if abs(flatness(b + step)[0] - target) < abs(gap):
                break
            step *= 0.5
        b += step
    return b


def catenary(start: npt.ArrayLike, end: npt.ArrayLike, gravity: npt.ArrayLike, length: float, n: int) -> np.ndarray:
    """Return points (k, 3) along the string: 2 points if it is taut, 3 if it is nearly vertical, else n."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    span = end - start
    if np.linalg.norm(span) > length:
        return np.stack([start, end])
    up = -np.asarray(gravity, float) / np.linalg.norm(gravity)
    across = span - up * (up @ span)
    norm = np.linalg.norm(across)
    across = across / norm if norm >= TINY else np.zeros(3)
    h, v = float(span @ across), float(span @ up)
    if length > STEEP * h:
        drop = -0.5 * (math.sqrt(length * length - h * h) - v)
        return np.stack([start, start + up * drop + across * (h * drop / (2 * drop - v)), end])
    bh = solve(v, h, length) * h
    low = -0.5 * (math.log((length + v) / (length - v)) * bh - h)
    x = np.arange(1, n - 1) * h / n
    y = bh * np.cosh((x - low) / bh) - bh * math.cosh(low / bh)
    return np.vstack([start, start + x[:, None] * across + y[:, None] * up, end])
