"""When to draw: while something moves, and for a while after something happened; else the viewer rests."""

from __future__ import annotations

import time
from collections.abc import Callable

from .pacing import RateMeter

AWAKE = 0.6  # seconds of drawing after the last thing that happened, while nothing moves,
AWAKE_FRAMES = 5  # and frames, which take longer on a slow machine: a click has its press, its release and what it opens
# share of the time that frames may take which are drawn for what changes by itself while nothing moves; the least that one
# counts, seconds
GLANCES, LEAST_GLANCE = 0.08, 0.02
# share of the newest frame in the mean of how long frames take
NEWEST = 0.1


class Activity:
    """`moving()` tells whether something changes by itself; `wake()` says that something happened."""

    def __init__(self, moving: Callable[[], bool]) -> None:
        self.moving = moving
        self.frames = RateMeter(0.5)
        self.frame_count, self.work_ms = 0, 0.0
        self.awake_until, self.awake_frames = 0.0, 0
        self._glance_cost, self._next_glance = LEAST_GLANCE, 0.0

    @property
    def touched(self) -> bool:
        """Something happened a moment ago, beside what moves by itself."""
        return time.perf_counter() <= self.awake_until or self.awake_frames > 0

    @property
    def asleep(self) -> bool:
        """Nothing moves and nobody has touched anything for a while."""
        return not self.touched and not self.moving()

    @property
    def rate(self) -> float:
        """Frames per second."""
        return self.frames.rate or 0.0

    def wake(self) -> None:
        """Something happened: draw for a while."""
        self.awake_until, self.awake_frames = time.perf_counter() + AWAKE, AWAKE_FRAMES

    def glance(self) -> bool:
        """Draw one frame, as something small has changed by itself; False if there were enough of them: drawing may be slow."""
        now = time.perf_counter()
        if now < self._next_glance:
            return False
        self._next_glance = now + self._glance_cost / GLANCES
        self.awake_frames = max(self.awake_frames, 1)
        return True

    def worked(self, seconds: float) -> None:
        """A frame took this long before the buffers were swapped."""
        self.work_ms = (1 - NEWEST) * self.work_ms + NEWEST * 1e3 * seconds

    def drawn(self, seconds: float = 0.0) -> None:
        """One more frame is on the screen, and took this long to get there."""
        self._glance_cost = max(seconds, LEAST_GLANCE)
        self.frame_count += 1
        self.awake_frames = max(0, self.awake_frames - 1)
        self.frames.add(time.perf_counter(), float(self.frame_count))
