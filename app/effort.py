"""Limits the work of a frame: measured frame times select a row of a table, from the best quality to the cheapest.

Quality drops quickly, because late frames are noticed. It rises slowly, and more slowly after each failed attempt, so the
picture does not flicker between two rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class QualityLevel:
    """A row of the table: the `level` in the renderer's quality table, the `scale` of the resolution, and the maximum number of
    pixels.
    """

    level: int
    scale: float
    most: float = math.inf

    def fitting(self, width: int, height: int) -> float:
        """Return the scale for a view of this size in pixels."""
        return min(self.scale, math.sqrt(self.most / max(1, width * height)))


ROWS = (
    QualityLevel(1, 1.0),
    QualityLevel(2, 1.0),
    QualityLevel(3, 1.0),
    QualityLevel(4, 1.0),
    QualityLevel(4, 0.8),
    QualityLevel(4, 0.65),
    QualityLevel(5, 0.65),
    QualityLevel(6, 0.65),
    # Drop shadows and mirrors before reducing the resolution further: a software renderer draws at scale 0.65 without them as
    # fast as at 0.5 with them. Below 0.5, pictures become blocky but are hardly faster to draw, unless the view is large.
    QualityLevel(7, 0.65),
    QualityLevel(7, 0.57),
    QualityLevel(7, 0.5, 5e5),
)
BEST = ROWS[0]
# Software renderers: the row to start with, and a realistic frame rate.
SOFTWARE = ("llvmpipe", "softpipe", "swrast", "swiftshader", "basic render")
SOFTWARE_START = 4
SOFTWARE_RATE = 40.0
# A frame is late if it takes this many periods; with vertical sync, every frame takes at least one.
LATE = 1.3
# From this row on, panels are also drawn in lower quality.
ROUGH = 5
# If the meshes of a model have more triangles than LARGE, a software renderer uses no better row than LARGE_ROW, the best one
# without shadows and with simplified meshes.
LARGE, LARGE_ROW = 1e5, 8
ROOM = 0.55
PATIENCE_DOWN = 5
# After two frames that take HOPELESS times the budget, quality drops by MANY rows at once: such frames block the window.
HOPELESS, MANY = 3.0, 3
FIRST_PATIENCE_UP = 90
MOST_PATIENCE_UP = 3000


class Effort:
    """Chooses the quality: pass the milliseconds of each frame to `feed`, and read `row`."""

    def __init__(self, refresh: float, device: str = "") -> None:
        # whether the processor draws, not a graphics card
        self.software = any(name in device.lower() for name in SOFTWARE)
        self.budget = 1e3 * LATE / (min(refresh, SOFTWARE_RATE) if self.software else refresh)
        self.index = SOFTWARE_START if self.software else 0
        # the best row that this model may have
        self.best = 0
        self._late = self._early = self._hopeless = 0
        self._patience = FIRST_PATIENCE_UP
        self._since_up = 0

    def expect(self, triangles: int) -> None:
        """Set the best row that a model may use, given the number of triangles of its meshes. Without this limit, a large model
        would cause slow frames at first, and again whenever a better row is tried.
        """
        self.best = LARGE_ROW if self.software and triangles > LARGE else 0
        self._go(0)

    @property
    def row(self) -> QualityLevel:
        return ROWS[self.index]

    @property
    def still(self) -> QualityLevel:
        """The row for still pictures. In the best quality, a large model would occupy a software renderer for too long."""
        return QualityLevel(self.row.level, 1.0) if self.best else BEST

    @property
    def smooth(self) -> bool:
        """Whether panels may have smooth edges."""
        return self.index < ROUGH

    def feed(self, frame_ms: float) -> bool:
        """Record a frame's time. Return True if the row changed."""
        self._late = self._late + 1 if frame_ms > self.budget else 0
        self._early = self._early + 1 if frame_ms < ROOM * self.budget else 0
        self._hopeless = self._hopeless + 1 if frame_ms > HOPELESS * self.budget else 0
        self._since_up += 1
        if self._hopeless >= 2 and self.index < len(ROWS) - 1:
            return self._go(MANY)
        if self._late >= PATIENCE_DOWN and self.index < len(ROWS) - 1:
            # If the better quality lasted only briefly, it was too expensive: wait longer before the next attempt.
            if self._since_up < 2 * FIRST_PATIENCE_UP:
                self._patience = min(MOST_PATIENCE_UP, 2 * self._patience)
            return self._go(2 if frame_ms > 2 * self.budget else 1)
        if self._early >= self._patience and self.index > self.best:
            self._since_up = 0
            return self._go(-1)
        return False

    def _go(self, steps: int) -> bool:
        self.index = min(max(self.index + steps, self.best), len(ROWS) - 1)
        self._late = self._early = self._hopeless = 0
        return True
