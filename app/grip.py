"""Grips: the point under the cursor when a pan or pull starts, and the plane in which it moves.

As in MuJoCo's simulate, a drag moves things in the vertical plane that faces the camera, or with Shift in the horizontal plane.
Unlike in simulate, the grabbed point stays exactly under the cursor.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .. import engine as mj
from ..render import scene as mjv
from ..render.scene.camera import camera_frame

# For steeper cameras, the image plane replaces the vertical plane.
STEEPEST = np.sin(np.radians(60.0))
# A ray counts as missing the horizontal plane if the sine of the angle between them is below FLAT at the start of a drag, or
# below FLATTEST during the drag.
FLAT, FLATTEST = np.sin(np.radians(8.0)), np.sin(np.radians(3.0))


@dataclass(frozen=True)
class Lens:
    """A camera and its frustum: bounds of the image at distance 1, or at any distance if it is orthographic."""

    head: np.ndarray
    forward: np.ndarray
    up: np.ndarray
    right: np.ndarray
    low: float
    high: float
    left: float
    wide: float
    orthographic: bool

    def ray(self, x: float, y: float) -> tuple[np.ndarray, np.ndarray]:
        """Return start and direction of the ray through (x, y) in 0..1, y up. The direction has length 1 along the view
        axis."""
        over = (self.left + x * self.wide) * self.right + (self.low + y * (self.high - self.low)) * self.up
        return (self.head + over, self.forward) if self.orthographic else (self.head, self.forward + over)

    def project(self, point: np.ndarray) -> tuple[float, float]:
        """Return (x, y) in 0..1, y up, of a point in front of the camera."""
        away = point - self.head
        depth = 1.0 if self.orthographic else float(away @ self.forward)
        x, y = float(away @ self.right) / depth, float(away @ self.up) / depth
        return (x - self.left) / self.wide, (y - self.low) / (self.high - self.low)


def lens_of(d: mj.MjData, cam: Any, scn: Any, aspect: float) -> Lens:
    """Return the lens of an abstract camera in its current pose, with the frustum of the last frame."""
    drawn = mjv.mjv_averageCamera(scn.camera[0], scn.camera[1])
    head, forward, up, right = camera_frame(d, cam)
    per = 1.0 if drawn.orthographic else 1.0 / float(drawn.frustum_near)
    low, high = per * float(drawn.frustum_bottom), per * float(drawn.frustum_top)
    half = per * float(drawn.frustum_width) or 0.5 * aspect * (high - low)
    return Lens(
        head, forward, up, right, low, high, per * float(drawn.frustum_center) - half, 2 * half, bool(drawn.orthographic)
    )


@dataclass(frozen=True)
class Pivot:
    """The center of an orbit, and its offset from the look-at point along the camera's axes."""

    point: np.ndarray
    offset: np.ndarray


@dataclass(frozen=True)
class Grip:
    """The point that a drag holds, and the two directions in which it may move. `start`: the initial value of the quantities
    that the drag changes."""

    action: str
    anchor: np.ndarray
    first: np.ndarray
    second: np.ndarray
    start: Any = None

    def offset(self, lens: Lens, x: float, y: float) -> np.ndarray | None:
        """Return how far the point must move to be under (x, y); None if the ray misses the plane."""
        origin, way = lens.ray(x, y)
        normal = np.cross(self.first, self.second)
        steep = float(way @ normal) / float(np.linalg.norm(way))
        if abs(steep) < FLATTEST:
            return None
        reach = float((self.anchor - origin) @ normal) / float(way @ normal)
        return origin + reach * way - self.anchor if reach > 0 or lens.orthographic else None


def grip(action: str, lens: Lens, x: float, y: float, point: np.ndarray, start: Any = None) -> Grip | None:
    """Hold the point at (x, y), in the plane through `point`; None if the ray is too flat for the horizontal plane."""
    vertical = np.array([0.0, 0.0, 1.0])
    second = lens.up if abs(lens.forward[2]) > STEEPEST else vertical
    if action == "move_h":
        way, second = lens.ray(x, y)[1], np.cross(vertical, lens.right)
        if abs(way[2]) < FLAT * np.linalg.norm(way):
            return None
    held = Grip(action, np.asarray(point, float), lens.right, second, start)
    over = held.offset(lens, x, y)
    return None if over is None else replace(held, anchor=held.anchor + over)
