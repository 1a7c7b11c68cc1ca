"""Flying: W A S D move the camera forward, left, back and right, Q and E down and up; Shift makes it faster. Dragging with the
left button turns the camera on the spot.
"""

from __future__ import annotations

import glfw
import numpy as np

from .. import engine as mj
from .view import View, direction
from .window import Window

# {key: direction (forward, right, up in the world)}
KEYS = {
    glfw.KEY_W: (1, 0, 0),
    glfw.KEY_S: (-1, 0, 0),
    glfw.KEY_D: (0, 1, 0),
    glfw.KEY_A: (0, -1, 0),
    glfw.KEY_E: (0, 0, 1),
    glfw.KEY_Q: (0, 0, -1),
}
LETTERS = "WASDQE"
# Speed in model extents per second, its factor while Shift is held, and the longest time in seconds that one frame may cover.
SPEED, FAST, LONGEST = 0.5, 4.0, 0.1


class Flight:
    """Flying in one window. It is active while `advance` is called with `on`."""

    def __init__(self, window: Window, view: View) -> None:
        self.window, self.view = window, view
        self.moving = False
        self._last = 0.0

    def advance(self, on: bool, now: float) -> None:
        """Move the camera in the directions of the held keys, by the distance for the time since the last frame."""
        seconds, self._last = min(now - self._last, LONGEST), now
        held = self.window.held(KEYS) if on and self.view.m is not None else []
        self.moving = bool(held)
        self.view.flying = on
        if not held:
            return
        assert self.view.m is not None
        cam = self.view.cam
        if cam.type != mj.mjtCamera.mjCAMERA_FREE:
            self.view.set_camera(0)

        # Add up the directions of all held keys.
        ahead, aside, up = np.sum([KEYS[key] for key in held], axis=0)
        forward = direction(float(cam.azimuth), float(cam.elevation))
        right = np.array([np.sin(np.radians(cam.azimuth)), -np.cos(np.radians(cam.azimuth)), 0.0])
        speed = SPEED * float(self.view.m.stat.extent) * (FAST if self.window.modifiers() & glfw.MOD_SHIFT else 1.0)
        cam.lookat[:] += seconds * speed * (ahead * forward + aside * right + up * np.array([0.0, 0.0, 1.0]))
