"""Insets: pictures of other cameras in panels, with colours, depths or segmentation.

Only pictures that a panel requested in this frame are drawn, and only as often as time permits.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import engine as mj
from ..render import scene as mjv
from ..render.gl.pane import Pane

if TYPE_CHECKING:
    from .display import Display

# Fraction of the time for insets, maximum pictures per second, and number of spare geoms in their scene.
SHARE, OFTEN, SPARE = 0.25, 30.0, 1000
# The nearest pixel is white. Pixels at this quantile of all depths, or beyond, are black.
FAR = 0.98
# Hues of consecutive ids differ by this fraction of the color circle, the golden section.
GOLDEN = 0.618034
Key = tuple[int, str, int, int]


class Insets:
    """`image(camera, kind, width, height)` requests a picture and returns the latest one."""

    def __init__(self) -> None:
        self.asked: dict[Key, None] = {}
        self.shown: dict[Key, np.ndarray] = {}
        self._panes: dict[Key, Pane] = {}
        self._scene: Any = None
        self._next = 0.0

    def image(self, camera: int, kind: str, width: int, height: int) -> np.ndarray | None:
        """Return the latest picture of a camera (-1: the view's own) as (height, width, 3) bytes; None before the first."""
        self.asked[camera, kind, width, height] = None
        return self.shown.get((camera, kind, width, height))

    def draw(self, display: Display) -> None:
        """Draw the requested pictures if it is time. Afterwards, the window's framebuffer is bound again."""
        asked, self.asked = self.asked, {}
        for key in [key for key in self._panes if key not in asked]:
            self._panes.pop(key).close()
            self.shown.pop(key, None)
        begin = time.perf_counter()
        if not asked or begin < self._next and not asked.keys() - self.shown.keys() and not display.refined:
            return
        view, renderer = display.view, display.renderer
        if view.m is None or renderer is None or view.scn is None:
            return
        renderer.quality, _resolution = display.quality_now()
        for key in asked:
            self.shown[key] = self._one(display, key)
        renderer.finish(0, 0, 0, *display.window.framebuffer)
        self._next = begin + max(1 / OFTEN, (time.perf_counter() - begin) / SHARE)

    def _one(self, display: Display, key: Key) -> np.ndarray:
        camera, kind, width, height = key
        assert display.renderer is not None
        scene, pane = self._look(display.view, camera, kind), self._panes.setdefault(key, Pane(display.renderer))
        if kind == "colour":
            display.renderer.background, display.renderer.gradient = display.background, display.gradient
            return pane.picture(scene, width, height)
        # The background must be black, because any other color would be an id.
        display.renderer.background = 0.0, 0.0, 0.0
        ids, distance = display.renderer.draw_ids(scene, width, height)
        return gray(distance) if kind == "depth" else colored(scene, ids)

    def _look(self, view: Any, camera: int, kind: str) -> Any:
        """Return the scene of the view from another camera. Pictures of depths and ids show only the model, not the floor that
        the view adds."""
        m, room = view.m, view.scn.ngeom + SPARE
        if self._scene is None or self._scene[0] is not m or self._scene[1].maxgeom < room:
            self._scene = m, mjv.MjvScene(m, 2 * room)
        scene, cam = self._scene[1], view.cam
        if 0 <= camera < m.ncam:
            cam = mjv.MjvCamera()
            cam.type, cam.fixedcamid = int(mj.mjtCamera.mjCAMERA_FIXED), camera
        scene.flags[:] = view.render_flags
        mjv.mjv_updateScene(m, view.d, view.opt, None, cam, int(mj.mjtCatBit.mjCAT_ALL), scene)
        view.put(scene)
        if kind == "colour":
            view.put_stage(scene)
        return scene

    def close(self) -> None:
        """Free the objects on the GPU."""
        for pane in self._panes.values():
            pane.close()
        self._panes.clear()


def gray(distance: np.ndarray) -> np.ndarray:
    """Return distances as (height, width, 3) bytes: nearer is brighter, and black means nothing was hit."""
    good = np.isfinite(distance)
    if not good.any():
        return np.zeros((*distance.shape, 3), np.uint8)
    low, high = float(distance[good].min()), float(np.quantile(distance[good], FAR))
    share = np.clip((np.where(good, distance, high) - low) / max(high - low, 1e-9), 0, 1)
    return np.repeat(np.where(good, 255 - 215 * share, 0).astype(np.uint8)[..., None], 3, axis=2)


def colored(scene: Any, ids: np.ndarray) -> np.ndarray:
    """Return ids of scene geoms, -1 for none, as a color for each element: (height, width, 3) bytes."""
    count, rows = scene.ngeom, scene.geom
    table = np.zeros((max(count, int(rows.segid[:count].max(initial=0)) + 1) + 1, 3), np.uint8)
    seen = np.flatnonzero(rows.segid[:count] >= 0)
    number = 37 * rows.objtype[seen].astype(np.int64) + rows.objid[seen]
    hue = 2 * np.pi * (number * GOLDEN % 1.0)
    wheel = np.stack([np.cos(hue - shift) for shift in (0, 2 * np.pi / 3, 4 * np.pi / 3)], 1)
    table[rows.segid[seen] + 1] = (140 + 110 * wheel).astype(np.uint8)
    return table[ids + 1]
