"""Flying: W A S D move the camera, Q and E down and up, Shift faster; a left drag looks around from where the camera is."""

from __future__ import annotations

import glfw
import numpy as np

from .. import engine as mj
from .view import View, direction
from .window import Window

# key -> direction: forward, to the right, up in the world
KEYS = {
    glfw.KEY_W: (1, 0, 0),
    glfw.KEY_S: (-1, 0, 0),
    glfw.KEY_D: (0, 1, 0),
    glfw.KEY_A: (0, -1, 0),
    glfw.KEY_E: (0, 0, 1),
    glfw.KEY_Q: (0, 0, -1),
}
LETTERS = "WASDQE"
# model extents a second; how much faster with Shift; the longest time that one picture moves on, in seconds
SPEED, FAST, LONGEST = 0.5, 4.0, 0.1


class Flight:
    """The flight of one window; it lasts while `on`."""

    def __init__(self, window: Window, view: View) -> None:
        self.window, self.view = window, view
        self.moving = False
        self._last = 0.0

    def advance(self, on: bool, now: float) -> None:
        """Move the camera by what is held, as far as it goes since the last picture."""
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

        # keys that are held together add up
        ahead, aside, up = np.sum([KEYS[key] for key in held], axis=0)
        forward = direction(float(cam.azimuth), float(cam.elevation))
        right = np.array([np.sin(np.radians(cam.azimuth)), -np.cos(np.radians(cam.azimuth)), 0.0])
        speed = SPEED * float(self.view.m.stat.extent) * (FAST if self.window.modifiers() & glfw.MOD_SHIFT else 1.0)
        cam.lookat[:] += seconds * speed * (ahead * forward + aside * right + up * np.array([0.0, 0.0, 1.0]))
