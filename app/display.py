"""The 3D view on the screen: its renderer, image quality and background, and pictures of it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from typing import IO, Any

import numpy as np
from PIL import Image

from .. import engine as mj
from ..render.gl import quality
from ..render.gl.assets import Assets, prepare
from ..render.gl.gradient import Color
from ..render.gl.image import read_rgb
from ..render.gl.lighting import LIGHTING
from ..render.gl.outline import Outline
from ..render.gl.pane import Pane
from ..render.gl.renderer import Renderer
from ..render.look import LOOKS
from .config import Config
from .effort import ROWS, Effort
from .exports import Exports
from .gestures import Rect
from .gui import Gui
from .photo import Photos
from .staging import wanted
from .view import View
from .window import Window

MESH = int(mj.mjtGeom.mjGEOM_MESH)
SEGMENT, FOG = int(mj.mjtRndFlag.mjRND_SEGMENT), int(mj.mjtRndFlag.mjRND_FOG)
# width of the outline around the selection, in pixels at normal resolution
OUTLINE_WIDTH = 2.0
# seconds that each frame spends on uploading a new model; until it is complete, the view shows its last image
UPLOAD_SECONDS = 0.02
# A frame of a film should take at most FILM_SECONDS. If it takes twice as long, quality drops by MANY_ROWS rows at once.
FILM_SECONDS, MANY_ROWS = 0.05, 3


class Display:
    """Draws a View in its part of the window, in the best quality that the machine can sustain."""

    def __init__(self, window: Window, gui: Gui, config: Config, view: View, passive: bool = False) -> None:
        self.window, self.gui, self.config, self.view = window, gui, config, view
        # whether a script steps the simulation
        self.passive = passive
        self.view.staged = wanted(config, passive)
        self.renderer: Renderer | None = None
        self.pane: Pane | None = None
        self.outline: Outline | None = None
        # Whether a new model is being uploaded, and has not been drawn yet.
        self.uploading = False
        # x, y, width, height in pixels of the framebuffer, from its lower left corner
        self.viewport = (0, 0, 0, 0)
        # Labels in the view, which ImGui draws: x, y in framebuffer pixels from the lower left corner, text, depth.
        self.labels: list[tuple[float, float, str, float]] = []
        self.effort = Effort(window.refresh)
        # Whether the last frame before a rest was drawn in full quality.
        self.refined = False
        # Whether this frame is also saved to a file or film.
        self.best = False
        # Whether a film is being recorded, the row of the quality table for its frames (slow frames block the window), and the
        # time when the current frame began.
        self.filmed, self.film_row, self._begin = False, 0, 0.0
        # Files that are being written in a thread.
        self.exports = Exports()
        # File in which the next frame is saved; empty if none.
        self.shot = ""
        self.photos = Photos()
        # Parts of the window to be saved: file, and x, y, width, height.
        self.cuttings: list[tuple[str, tuple[float, float, float, float]]] = []

    @property
    def smooth(self) -> bool:
        """Whether panels are drawn with smooth edges."""
        return self.refined or self.best or self.effort.smooth or not self.config["adaptive"]

    def upload(self, m: mj.MjModel, assets: Assets | None = None) -> None:
        """Upload the meshes and textures of a new model to the GPU. Those that the loader has prepared are uploaded in slices,
        one per frame, because large ones would block the window.
        """
        if self.renderer is None:
            self.renderer = Renderer()
            self.pane, self.outline = Pane(self.renderer), Outline(self.renderer)
            self.effort = Effort(self.window.refresh, str(self.renderer.device))
        self.photos.cancel()
        self.renderer.upload(m, assets or prepare(m, simple=True), whole=assets is None)
        self.uploading = self.renderer.waiting > 0
        self.effort.expect(triangles(m))

    @property
    def saving(self) -> bool:
        """Whether a picture or table has been requested, or is being written."""
        return bool(self.shot or self.cuttings or self.photos.busy or self.exports.busy)

    def place(self, rect: Rect) -> None:
        """Set the rectangle of the window that is left for the view."""
        scale, height = self.window.pixels_per_unit, self.window.framebuffer[1]
        self.view.aspect = rect.w / rect.h
        self.viewport = (int(rect.x * scale), int(height - (rect.y + rect.h) * scale), int(rect.w * scale), int(rect.h * scale))

    def draw(self, take: Callable[[], object] = lambda: None) -> bool:
        """Draw the view in its rectangle; `take` may read it before anything is drawn over it. Return False if there is no
        model.
        """
        self._begin = time.perf_counter()
        self.view.stereo = int(mj.mjtStereo.mjSTEREO_SIDEBYSIDE) if self.config["stereo"] else 0
        self.view.staged, stage = wanted(self.config, self.passive), self.view.stage
        if stage is not None:
            stage.color = self.scene_color
        scene = self.view.update()
        if scene is None or self.renderer is None or self.pane is None:
            return False
        # A frame uploads or draws, not both, unless the picture is saved.
        whole = self.best or bool(self.shot)
        self.uploading = self.renderer.waiting > 0
        if self.uploading:
            self.renderer.write(float("inf") if whole else UPLOAD_SECONDS)
            if not whole:
                self._wait()
                return False
            self.uploading = False
        self.renderer.quality, resolution = self.quality_now()
        self.renderer.background, self.renderer.gradient = self.background, self.gradient
        self.renderer.labels.scale = 0.01 * self.config["font"] * self.window.dpi * self.window.pixels_per_unit
        self.renderer.lighting = LIGHTING[self.config["lighting"]]
        self.labels.clear()
        self.pane.draw(scene, self.viewport, resolution, labels=self.labels)
        take()
        self._outline(scene)
        return True

    def _wait(self) -> None:
        """Show the last image again, because parts of the new model have not been uploaded yet."""
        assert self.renderer is not None and self.pane is not None
        if not self.pane.again(self.viewport):
            self.renderer.begin(0, *self.viewport, self.scene_color)
        self.renderer.finish(0, *self.viewport)

    def _outline(self, scene: Any) -> None:
        """Outline the selection, but not in segmentation images, where colours are ids."""
        if self.outline is None or self.view.render_flags[SEGMENT]:
            return
        color = self.gui.theme["selection"]
        self.outline.color = color.x, color.y, color.z
        self.outline.width = OUTLINE_WIDTH * self.window.dpi * self.window.pixels_per_unit
        self.outline.draw(scene, self.view.selected_rows(), self.viewport)

    @property
    def background(self) -> tuple[float, float, float]:
        """Color behind the model if it has no sky: black in segmentation images, the fog's color in fog."""
        if self.view.render_flags[SEGMENT]:
            return 0.0, 0.0, 0.0
        if self.view.render_flags[FOG] and self.view.m is not None:
            red, green, blue = (float(x) for x in self.view.m.vis.rgba.fog[:3])
            return red, green, blue
        return self.scene_color

    @property
    def scene_color(self) -> tuple[float, float, float]:
        """The theme's color of empty views."""
        color = self.gui.theme["scene"]
        return color.x, color.y, color.z

    @property
    def gradient(self) -> tuple[Color, Color] | None:
        """The colors of the sky that the view adds if the model has none; None without such a sky, or in fog."""
        view = self.view
        shown = view.staged and view.stage is not None and view.stage.sky
        return view.stage.gradient() if shown and view.stage is not None and not view.render_flags[FOG] else None

    def quality_now(self) -> tuple[quality.Quality, float]:
        """Return a quality that this machine can sustain, within the model's settings. Pictures without motion get full
        quality."""
        assert self.view.m is not None
        own = quality.from_model(self.view.m)
        if not self.config["adaptive"]:
            return own, 1.0
        row = ROWS[self.film_row] if self.best else self.effort.still if self.refined else self.effort.row
        return quality.capped(own, quality.LEVELS[row.level]), row.fitting(*self.viewport[2:])

    def pixels(self, whole: bool) -> np.ndarray:
        """Return the framebuffer as (height, width, 3) bytes, top row first; the whole window or the view."""
        x, y, w, h = (0, 0, *self.window.framebuffer) if whole else self.viewport
        return read_rgb(0, w, h, x, y)

    def screenshot(self) -> None:
        """Save the window as the user sees it, if requested."""
        if not self.shot or self.renderer is None:
            return
        path, self.shot = os.path.abspath(self.shot), ""
        look = LOOKS[self.config["picture_look"]]
        if look is not None:
            self.photos.begin(self.renderer.model, self.view.scn, path, self.size or self.viewport[2:], look)
            return
        self.save(path, self.pixels(whole=True) if self.size is None else self.picture())

    def save(self, path: str, pixels: np.ndarray) -> None:
        """Write an (h, w, 3 or 4) array of bytes, top row first, in the format of the file's suffix."""
        self.exports.begin(path, partial(write_picture, pixels, path))

    def cut(self) -> None:
        """Save the requested parts of the window."""
        cuttings, self.cuttings = self.cuttings, []
        scale = self.window.pixels_per_unit
        whole = self.pixels(whole=True) if cuttings else np.zeros((0, 0, 3), np.uint8)
        for path, area in cuttings:
            x, y, w, h = (round(scale * side) for side in area)
            self.save(path, whole[max(0, y) : y + h, max(0, x) : x + w])

    @property
    def size(self) -> tuple[int, int] | None:
        """Size of pictures and films in pixels; None means the size of the view."""
        width, _, height = self.config["picture_size"].partition("x")
        return (int(width), int(height)) if height else None

    def picture(self) -> np.ndarray:
        """Return a picture of the view alone, in full quality and in the size of the settings: (height, width, 3) bytes."""
        assert self.renderer is not None and self.pane is not None
        width, height = self.size or self.viewport[2:]
        labels, kept = self.renderer.labels, self.best
        self.best, scale = True, labels.scale
        labels.scale *= height / max(1, self.viewport[3])
        self.renderer.quality, _resolution = self.quality_now()
        try:
            return self.pane.picture(self.view.scn, max(1, width), max(1, height))
        finally:
            self.best, labels.scale = kept, scale

    def start_film(self) -> None:
        """Draw frames for a film from now on, at first in the quality of the window."""
        self.film_row = self.effort.index

    def grab(self, whole: bool) -> np.ndarray:
        """Return a frame for a film: the whole window, or the view alone. If frames take long, the next ones are drawn in lower
        quality."""
        # The window has just been drawn in the film's quality; only the labels in the view are still missing.
        drawn = whole or self.size is None and not self.labels
        taken = self.pixels(whole) if drawn else self.picture()
        late = (time.perf_counter() - self._begin) / FILM_SECONDS
        if late > 1 and self.config["adaptive"]:
            self.film_row = min(self.film_row + (MANY_ROWS if late > 2 else 1), len(ROWS) - 1)
        return taken

    def close(self) -> None:
        """Free the objects on the GPU."""
        if self.pane is not None and self.renderer is not None and self.outline is not None:
            self.photos.cancel()
            self.pane.close()
            self.outline.close()
            self.renderer.close()
            self.renderer = self.pane = self.outline = None


def triangles(m: mj.MjModel) -> int:
    """Return the number of triangles of all geoms that are meshes."""
    meshes = np.asarray(m.geom_dataid)[np.asarray(m.geom_type) == MESH]
    return int(np.asarray(m.mesh_facenum)[meshes[meshes >= 0]].sum())


def write_picture(pixels: np.ndarray, path: str, file: IO[bytes]) -> None:
    """Write an array of bytes, top row first, in the format of the suffix of `path`; without a known suffix, as PNG."""
    kind = Image.registered_extensions().get(os.path.splitext(path)[1].lower(), "PNG")
    picture = Image.fromarray(pixels)
    (picture.convert("RGB") if kind == "JPEG" else picture).save(file, kind)
