"""Studio pictures taken in the window. Each frame computes a part of the picture, so that the window stays responsive."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any

import numpy as np

from ..render.gl.renderer import Renderer
from ..render.gl.state import GL
from ..render.look import Look
from .__main__ import late

# Seconds per frame for computing the picture; each frame computes at least one sample.
WHILE = 0.02


class Photos:
    """Takes one picture at a time."""

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
        """Start a picture of a model's current scene. Cancel an unfinished one."""
        self.cancel()
        # Use a separate renderer. The window's own would have to rebuild its shadow maps and shapes twice per frame.
        self._renderer = Renderer(m)
        # Importing this module takes half a second.
        self._photographer = late(".render.studio").Photographer(self._renderer)
        self._steps, self.path = self._photographer.steps(scene, *size, look), path

    def develop(self) -> tuple[str, np.ndarray] | None:
        """Compute a part of the picture. Return its file and pixels once it is complete, otherwise None."""
        if self._steps is None:
            return None
        end = time.perf_counter() + WHILE
        try:
            while True:
                next(self._steps)
                if time.perf_counter() > end:
                    return None
        except StopIteration as done:
            self.cancel()
            return self.path, done.value
        finally:
            # Restore the window's framebuffer, into which the panels are drawn.
            GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, 0)

    def cancel(self) -> None:
        """Cancel the current picture. Its OpenGL context must be current."""
        for thing in (self._photographer, self._renderer):
            if thing is not None:
                thing.close()
        self._steps = self._photographer = self._renderer = None
