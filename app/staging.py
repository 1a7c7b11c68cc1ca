"""The stage: floor, lights and sky that views add to a model without them, so that its shape, size and orientation are visible.

The stage exists only in a view. It does not change the model, its contacts, its files, or the pictures of scripts. Floor,
lights and sky are added separately: a view adds only those that the model lacks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import engine as mj
from ..render.scene.abstract import MAXLIGHT
from ..ui.shapes import Shapes
from .config import Config

PLANE, FIELD, BOX = (int(mj.mjtGeom[f"mjGEOM_{kind}"]) for kind in ("PLANE", "HFIELD", "BOX"))
SKYBOX, DIRECTIONAL = int(mj.mjtTexture.mjTEXTURE_SKYBOX), int(mj.mjtLightType.mjLIGHT_DIRECTIONAL)
# Geoms in groups below SHOWN are visible by default. CORNERS: signs of the coordinates of a box's corners.
SHOWN, CORNERS = 3, np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
# A static box counts as a floor if it is at least this wide, and at most this high above the lowest point, relative to the
# model's extent.
WIDE, LOW = 0.3, 0.02
# Gap between the floor and the grid lines and flat soles above it, relative to the model's extent; it avoids flicker.
GAP = 2e-3
# Default headlight (ambient, diffuse, specular); factor for its diffuse part beside the stage's lights.
HEADLIGHT, DIMMED = ((0.1, 0.1, 0.1), (0.4, 0.4, 0.4), (0.5, 0.5, 0.5)), 0.6
# Directions of the lights, their diffuse and specular parts, and whether they cast shadows.
KEY = ((0.45, 0.55, -1.0), 0.6, 0.3, 1)
FILL = ((-0.8, -0.35, -0.5), 0.3, 0.0, 0)
# Initial camera angles if floor, lights and sky are all added, in degrees: a little from above, at an angle to the axes.
AZIMUTH, ELEVATION = 130.0, -18.0
# Factor of the camera's distance. It leaves a margin around the model, so that the word PAUSE does not cover a robot's head.
AIR = 1.2
# Brightness of the floor, of the horizon and of the zenith, as multiples of the theme's color of empty views, for a dark and
# for a light theme. A light floor must stay below white, or the grid, the horizon and light robots cannot be seen.
FLOOR, HORIZON, ZENITH = (1.2, 0.78), (1.3, 1.16), (0.6, 0.9)
# Brightness at which a color counts as dark, and as light.
DARK, LIGHT = 0.2, 0.77


def wanted(config: Config, passive: bool) -> bool:
    """Return whether a window shows the stage. With the setting `auto`, windows of scripts do not."""
    return config["stage"] == "on" or config["stage"] == "auto" and not passive


def shade(color: tuple[float, float, float], factors: tuple[float, float]) -> tuple[float, float, float]:
    """Return a color that is brighter or darker by a factor, which is given for dark and for light colors."""
    factor = float(np.interp(sum(color) / 3, (DARK, LIGHT), factors))
    red, green, blue = (min(1.0, factor * part) for part in color)
    return red, green, blue


class Stage:
    """The stage of one model. `floor`, `lights`, `sky`: whether the model lacks this part. `height`: height of the floor."""

    def __init__(self, m: mj.MjModel) -> None:
        self.extent = max(float(m.stat.extent), 1e-6)
        # Corners of the bounding boxes of the visible geoms in the reference pose.
        self.corners = np.zeros((0, 3))
        self.height, self.floor = 0.0, m.ngeom > 0 and not np.isin(np.asarray(m.geom_type), (PLANE, FIELD)).any()
        if self.floor:
            # only these models need poses, which take memory and time
            d = mj.MjData(m)
            mj.mj_kinematics(m, d)
            low, boxes = self._lowest(m, d)
            self.height = min(low, 0.0) if low < -1e-6 * self.extent else 0.0
            self.floor = not boxes
        head = m.vis.headlight
        own = [tuple(round(float(x), 6) for x in part) for part in (head.ambient, head.diffuse, head.specular)]
        self.lights = m.nlight == 0 and bool(head.active) and tuple(own) == HEADLIGHT
        self.sky = not np.any(np.asarray(m.tex_type) == SKYBOX) if m.ntex else True
        self.color = (0.5, 0.5, 0.5)
        self._shapes: tuple[Any, Any] = (None, None)

    @property
    def whole(self) -> bool:
        """Whether the model has neither floor nor lights nor sky."""
        return bool(self.floor and self.lights and self.sky)

    def _lowest(self, m: mj.MjModel, d: mj.MjData) -> tuple[float, bool]:
        """Return the height of the lowest point in the reference pose, and whether a wide static box serves as a floor."""
        box, turn = np.asarray(m.geom_aabb, float).reshape(-1, 6), np.asarray(d.geom_xmat).reshape(-1, 3, 3)
        center = np.asarray(d.geom_xpos) + np.einsum("nij,nj->ni", turn, box[:, :3])
        reach = np.einsum("nij,nj->ni", np.abs(turn), box[:, 3:])
        shown = np.asarray(m.geom_group) < SHOWN
        shown = shown if shown.any() else np.ones(m.ngeom, bool)
        self.corners = (center[shown, None] + reach[shown, None] * CORNERS).reshape(-1, 3)
        bottom = center[:, 2] - reach[:, 2]
        low = float(bottom.min())
        static = np.asarray(m.body_weldid)[np.asarray(m.geom_bodyid)] == 0
        wide = (np.asarray(m.geom_type) == BOX) & static & (reach[:, :2].min(1) >= WIDE * self.extent)
        return low, bool((wide & (bottom <= low + LOW * self.extent)).any())

    def frame(self, m: mj.MjModel, cam: Any) -> None:
        """Let a free camera look at the model from the side, so close that the model fills the view."""
        cam.azimuth, cam.elevation = AZIMUTH, ELEVATION
        turn, up = np.radians([AZIMUTH, ELEVATION])
        ahead = np.array([np.cos(up) * np.cos(turn), np.cos(up) * np.sin(turn), np.sin(up)])
        right = np.array([np.sin(turn), -np.cos(turn), 0.0])
        axes = np.stack((right, np.cross(right, ahead), ahead))
        at = self.corners @ axes.T
        middle = 0.5 * (at.min(0) + at.max(0))
        # A corner is in the picture if its offset is below its depth times the tangent of half the angle of view.
        offset = np.abs(at - middle)[:, :2].max(1) / np.tan(0.5 * np.radians(float(m.vis.global_.fovy)))
        cam.lookat[:] = middle @ axes
        cam.distance = AIR * max(float((offset - (at - middle)[:, 2]).max()), 1e-6)

    def gradient(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Return the sky's colors at the zenith and at the horizon."""
        return shade(self.color, ZENITH), shade(self.color, HORIZON)

    def put(self, scn: Any) -> None:
        """Add floor and lights to a scene."""
        if self.floor:
            if self._shapes[0] != self.color:
                self._shapes = self.color, self._plane()
            scn.append(self._shapes[1])
        if self.lights:
            self._light(scn)

    def _plane(self) -> Shapes:
        rgba = (*shade(self.color, FLOOR), 1.0)
        at = (0.0, 0.0, self.height - GAP * self.extent)
        return Shapes(1, PLANE, rgba, pos=at, size=(0.0, 0.0, 1.0), emission=0.35, specular=0.0, shininess=0.0, dataid=-1)

    def _light(self, scn: Any) -> None:
        """Dim the headlight, and add a key light that casts shadows and a fill light from the other side."""
        rows, n = scn.light, int(scn.nlight)
        rows.diffuse[:n] *= DIMMED
        for direction, diffuse, specular, casts in (KEY, FILL):
            if n >= MAXLIGHT:
                return
            light = scn.lights[n]
            light.reset()
            way = np.array(direction) / np.linalg.norm(direction)
            light.type, light.id, light.texid, light.castshadow = DIRECTIONAL, -1, -1, casts
            light.dir, light.pos = way, -2 * self.extent * way
            light.diffuse, light.specular = (diffuse,) * 3, (specular,) * 3
            n += 1
        scn.nlight = n
