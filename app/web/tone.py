"""Computes the light that makes a browser show a given color. The page of viser changes the brightness of all light
(`ACESFilmicToneMapping` of three.js), but Tumble's window does not.
"""

from __future__ import annotations

import numpy as np

from .shapes import linear

# Rational function of the mapping (Stephen Hill's fit, as in three.js): (v (v + A) - B) / (v (C v + D) + E), v = light / WHITE.
A, B, C, D, E, WHITE = 0.0245786, 0.000090537, 0.983729, 0.4329510, 0.238081, 0.6
# The mapping never reaches 1, so brighter colors are sent as this one.
BRIGHTEST = 0.94
# The strengths of lights are chosen so that this grey looks the same as in the window.
GREY = 0.5


def toned(light: np.ndarray) -> np.ndarray:
    """Return the linear color that browsers show for grey light."""
    v = np.asarray(light, float) / WHITE
    return np.clip((v * (v + A) - B) / (v * (C * v + D) + E), 0, 1)


def untoned(color: np.ndarray) -> np.ndarray:
    """Return the light that browsers show as a color (0..1, as on a screen). It is exact for greys and approximate for other
    colors.
    """
    y = linear(np.minimum(color, BRIGHTEST))
    a, b, c = y * C - 1, y * D - A, y * E + B
    return WHITE * (-b - np.sqrt(np.maximum(b * b - 4 * a * c, 0))) / (2 * a)


def encoded(light: np.ndarray) -> np.ndarray:
    """Return linear light as screen colors (sRGB): the inverse of `linear`."""
    light = np.clip(light, 0, 1)
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def strength(light: float) -> float:
    """Return the light strength at which a browser shows a grey surface as the window does at strength `light`."""
    return float(untoned(np.array(GREY * max(light, 0.0))) / linear(np.array(GREY)))
