"""Decides when to draw: while something moves, and briefly after input or a change. Otherwise the viewer rests."""

from __future__ import annotations

import time
from collections.abc import Callable

from .pacing import RateMeter

AWAKE = 0.6  # seconds of drawing after the last input or change
AWAKE_FRAMES = 5  # minimum number of these frames: a slow machine must draw a click's press, release and effect
# While nothing moves, frames for small updates may take the fraction GLANCES of the time. Each such frame counts as at least
# LEAST_GLANCE seconds.
GLANCES, LEAST_GLANCE = 0.08, 0.02
# Weight of the newest frame in the moving average of frame times.
NEWEST = 0.1


class Activity:
    """`moving()` returns whether something changes by itself; `wake()` reports input or a change."""

    def __init__(self, moving: Callable[[], bool]) -> None:
        self.moving = moving
        self.frames = RateMeter(0.5)
        self.frame_count, self.work_ms = 0, 0.0
        self.awake_until, self.awake_frames = 0.0, 0
        self._glance_cost, self._next_glance = LEAST_GLANCE, 0.0
        # since the last call of `take_longest`: the longest time that a frame blocked input, and the longest processor time
        self._longest = (0.0, 0.0)

    @property
    def touched(self) -> bool:
        """Whether there was input or a change a moment ago. Motion of the simulation does not count."""
        return time.perf_counter() <= self.awake_until or self.awake_frames > 0

    @property
    def asleep(self) -> bool:
        """Whether nothing moves and the last input or change was some time ago."""
        return not self.touched and not self.moving()

    @property
    def rate(self) -> float:
        """Frames drawn per second."""
        return self.frames.rate or 0.0

    def wake(self) -> None:
        """Report input or a change: the viewer keeps drawing for a while."""
        self.awake_until, self.awake_frames = time.perf_counter() + AWAKE, AWAKE_FRAMES

    def glance(self) -> bool:
        """Return whether to draw a frame for a small update. Return False if such frames have already used their fraction of
        the time."""
        now = time.perf_counter()
        if now < self._next_glance:
            return False
        self._next_glance = now + self._glance_cost / GLANCES
        self.awake_frames = max(self.awake_frames, 1)
        return True

    def held(self, seconds: float, busy: float) -> None:
        """Record how long a frame blocked input. `seconds`: its duration, without waits for input and for the next frame;
        `busy`: the processor time that this thread used for it.
        """
        self._longest = max(self._longest[0], seconds), max(self._longest[1], busy)

    def take_longest(self) -> tuple[float, float]:
        """Return the longest times given to `held` since the last call."""
        longest, self._longest = self._longest, (0.0, 0.0)
        return longest

    def worked(self, seconds: float) -> None:
        """Record the time that a frame took before the buffers were swapped."""
        self.work_ms = (1 - NEWEST) * self.work_ms + NEWEST * 1e3 * seconds

    def drawn(self, seconds: float = 0.0) -> None:
        """Record that a frame is on the screen, and how long it took."""
        self._glance_cost = max(seconds, LEAST_GLANCE)
        self.frame_count += 1
        self.awake_frames = max(0, self.awake_frames - 1)
        self.frames.add(time.perf_counter(), float(self.frame_count))
