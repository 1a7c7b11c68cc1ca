"""A renderer that draws nothing and counts calls: the interface of `render.gl.renderer.Renderer` without OpenGL."""

from typing import Any

import numpy as np

from ..engine.core.model import MjModel
from .scene.abstract import MjvScene


class NullRenderer:
    """The methods of the GL renderer. `calls` counts their calls; `stats` has the number of geoms in the last scene."""

    def __init__(self, model: MjModel | None = None, quality: Any = None, lighting: Any = None) -> None:
        self.device, self.version = "null", "0.0"
        self.quality, self.lighting, self.model = quality, lighting, None
        self.stats = dict(draws=0, instances=0, triangles=0)
        self.calls = dict(upload=0, draw=0, draw_ids=0, update_mesh=0, update_hfield=0, update_texture=0, close=0)
        if model is not None:
            self.upload(model)

    waiting = 0

    def upload(self, model: MjModel, assets: Any = None, whole: bool = True) -> None:
        """Store a model."""
        self.calls["upload"] += 1
        self.model = model

    def write(self, seconds: float = float("inf")) -> None:
        """Do nothing, because `upload` leaves nothing to write."""

    def draw(self, scene: MjvScene, viewport: tuple[int, int, int, int], framebuffer: int = 0) -> None:
        """Count the call and the scene's geoms."""
        self.calls["draw"] += 1
        self.stats["instances"] = scene.ngeom

    def draw_ids(self, scene: MjvScene, w: int, h: int) -> tuple[np.ndarray, np.ndarray]:
        """Count the call; return an empty image."""
        self.calls["draw_ids"] += 1
        return np.full((h, w), -1, np.int32), np.full((h, w), np.inf, np.float32)

    def update_mesh(self, i: int) -> None:
        """Count the call."""
        self.calls["update_mesh"] += 1

    def update_hfield(self, i: int) -> None:
        """Count the call."""
        self.calls["update_hfield"] += 1

    def update_texture(self, i: int) -> None:
        """Count the call."""
        self.calls["update_texture"] += 1

    def close(self) -> None:
        """Count the call."""
        self.calls["close"] += 1
