"""Rendering quality of a frame, and its adaptation to the speed of the machine."""

from __future__ import annotations

import functools
import math
from dataclasses import asdict, dataclass, replace
from typing import Any

from ...engine.core.model import MjModel
from ..scene.simplify import MANY_TRIANGLES

# Limits of what a model may request: a shadow map's side, and segments of round shapes. Drivers end the program at huge sizes.
MOST_SHADOW, MOST_SEGMENTS = 1 << 13, 500


@dataclass(frozen=True)
class Quality:
    """Quality settings of a frame.

    shadowsize: side of a shadow map in texels, 0 for none; taps: filtered comparisons per side; slices, stacks: segments of
    round shapes; mirror: size of the reflection image relative to the view, 0 for none; samples: multisampling of offscreen
    images; triangles: meshes with more of them are drawn simplified.
    """

    shadowsize: int = 4096
    taps: int = 3
    slices: int = 28
    stacks: int = 16
    mirror: float = 1.0
    samples: int = 4
    triangles: float = math.inf


# Quality levels from best to fastest; the quality changes by one level at a time.
LEVELS = (
    Quality(4096, 4, 48, 32, 1.0, 8),
    Quality(4096, 3, 28, 16, 1.0, 4),
    Quality(2048, 3, 28, 16, 1.0, 4),
    Quality(2048, 2, 20, 12, 0.5, 2),
    Quality(1024, 2, 16, 10, 0.5, 0),
    Quality(1024, 1, 12, 8, 0.25, 0),
    Quality(512, 1, 8, 6, 0.25, 0),
    Quality(0, 1, 12, 8, 0.0, 0, MANY_TRIANGLES),
)


def from_model(m: MjModel) -> Quality:
    """Return the quality that the model requests, within limits."""
    q = m.vis.quality
    shadow, samples = min(max(int(q.shadowsize), 0), MOST_SHADOW), max(int(q.offsamples), 0)
    slices, stacks = (min(max(int(count), least), MOST_SEGMENTS) for count, least in ((q.numslices, 6), (q.numstacks, 4)))
    return Quality(shadow, 3, slices, stacks, 1.0, samples)


class Adapter:
    """Chooses a quality level from measured frame times: a lower one if frames were late for some time, a higher one if they
    were early for a long time."""

    def __init__(self, budget_ms: float = 16.0, level: int = 1, patience: int = 12) -> None:
        self.budget, self.level, self.patience = budget_ms, level, patience
        self._late = self._early = 0

    def feed(self, frame_ms: float) -> Quality | None:
        """Process a frame time. Return the new Quality if the level changed, else None."""
        self._late = self._late + 1 if frame_ms > self.budget else 0
        self._early = self._early + 1 if frame_ms < 0.35 * self.budget else 0
        step = 1 if self._late >= self.patience else -1 if self._early >= 20 * self.patience else 0
        if not step or not 0 <= self.level + step < len(LEVELS):
            return None
        self.level += step
        self._late = self._early = 0
        return LEVELS[self.level]


@functools.cache
def capped(quality: Quality, limits: Quality) -> Any:
    """Return a quality in which no value exceeds its value in `limits`."""
    return replace(quality, **{k: min(getattr(quality, k), v) for k, v in asdict(limits).items()})
