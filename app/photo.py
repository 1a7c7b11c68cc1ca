"""Pictures of the studio from the window: taken a little with every frame, so that the window goes on meanwhile."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any

import numpy as np
from PIL import Image

from ..render.gl.renderer import Renderer
from ..render.gl.state import GL
from ..render.look import Look
from .__main__ import late

# seconds of each frame, at least one of the pictures whose mean is taken
WHILE = 0.02


class Photos:
    """One picture at a time."""

    def __init__(self) -> None:
        self._steps: Generator[None, None, np.ndarray] | None = None
        self._photographer: Any = None
        self._renderer: Renderer | None = None
        self.path = ""

    @property
    def busy(self) -> bool:
        """Whether a picture is being taken."""
        return self._steps is not None

    def begin(self, m: Any, scene: Any, path: str, size: tuple[int, int], look: Look) -> None:
        """Take a picture of a model's scene as it is now; one that is being taken is given up."""
        self.cancel()
        # a renderer of its own: that of the window would change its shadow maps and shapes twice a frame
        self._renderer = Renderer(m)
        # it takes half a second to load
        self._photographer = late(".render.studio").Photographer(self._renderer)
        self._steps, self.path = self._photographer.steps(scene, *size, look), path

    def develop(self) -> str:
        """Go on for a while; the file's path when it is saved, else nothing."""
        if self._steps is None:
            return ""
        end = time.perf_counter() + WHILE
        try:
            while True:
                next(self._steps)
                if time.perf_counter() > end:
                    return ""
        except StopIteration as done:
            Image.fromarray(done.value).save(self.path)
            self.cancel()
            return self.path
        finally:
            # panels are drawn into what is bound
            GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, 0)

    def cancel(self) -> None:
        """Give up what is being taken; its context must be current."""
        for thing in (self._photographer, self._renderer):
            if thing is not None:
                thing.close()
        self._steps = self._photographer = self._renderer = None
