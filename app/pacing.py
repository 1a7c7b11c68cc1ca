"""Timing: the frame pacer, the clock that ties simulation time to wall-clock time, and meters for the actual speed.

All classes take the time as an argument, so that tests can use their own clock.
"""

from __future__ import annotations

import math
import time
from collections import deque

# Speeds in percent of real time, fastest first; inf means as fast as possible.
SLOW = (
    100,
    80,
    66,
    50,
    40,
    33,
    25,
    20,
    16,
    13,
    10,
    8,
    6.6,
    5,
    4,
    3.3,
    2.5,
    2,
    1.6,
    1.3,
    1,
    0.8,
    0.66,
    0.5,
    0.4,
    0.33,
    0.25,
    0.2,
    0.16,
    0.13,
    0.1,
)
FAST = (math.inf, 10000, 5000, 2000, 1000, 500, 400, 300, 200, 150)
SPEEDS = FAST + SLOW
REAL_TIME = len(FAST)

MISALIGN = 0.1  # largest difference of the clocks in simulation seconds; beyond it, they are synchronized again
REFRESH_FRACTION = 0.7  # share of a frame that physics may use


def nearest_speed(percent: float) -> int:
    """Return the index of the entry of SPEEDS that is closest to `percent` on a logarithmic scale, but not faster than real
    time.
    """
    percent = max(percent, 1e-3)
    return min(range(REAL_TIME, len(SPEEDS)), key=lambda i: abs(math.log(SPEEDS[i] / percent)))


class SyncClock:
    """Computes how much simulation time is due.

    A sync point pairs a wall time with a simulation time. From there, the simulation should advance `speed` seconds per
    wall second. A new sync point is set, and a single step requested, when the clocks differ by more than MISALIGN,
    when time runs backwards, or when the speed changes.
    """

    def __init__(self, refresh: float = 60.0) -> None:
        self.refresh = refresh
        self._wall: float | None = None
        self._sim = 0.0
        self._speed = 1.0

    def forget(self) -> None:
        """Discard the sync point; the next request sets a new one. Call this, for example, after a pause or a reset."""
        self._wall = None

    @property
    def budget(self) -> float:
        """Maximum wall-clock seconds of one burst of steps."""
        return REFRESH_FRACTION / self.refresh

    def misaligned(self, wall: float, sim: float) -> bool:
        if self._wall is None:
            return True
        gone = sim - self._sim
        return gone < 0 or wall < self._wall or abs((wall - self._wall) * self._speed - gone) > MISALIGN

    def lag(self, wall: float, sim: float, speed: float) -> float | None:
        """Return the simulation seconds that are due. Return None at a new sync point, where the caller makes one step."""
        if speed != self._speed:
            self._speed = speed
            self.forget()
        if math.isinf(speed):
            return math.inf
        if self.misaligned(wall, sim):
            self._wall, self._sim = wall, sim
            return None
        assert self._wall is not None
        return (wall - self._wall) * speed - (sim - self._sim)


class RateMeter:
    """The average rate of a value over a sliding time window, such as the real-time factor or frames per second."""

    def __init__(self, window: float = 0.5) -> None:
        self.window = window
        self._points: deque[tuple[float, float]] = deque()

    def clear(self) -> None:
        self._points.clear()

    def add(self, wall: float, value: float) -> None:
        points = self._points
        if points and (value < points[-1][1] or wall < points[-1][0]):
            points.clear()
        points.append((wall, value))
        # Keep one point from before the window, so that the rate covers the whole window.
        while len(points) > 2 and points[1][0] <= wall - self.window:
            points.popleft()

    @property
    def rate(self) -> float | None:
        """The rate; None until there are enough points."""
        if len(self._points) < 2:
            return None
        (t0, v0), (t1, v1) = self._points[0], self._points[-1]
        return (v1 - v0) / (t1 - t0) if t1 - t0 > 0.4 * self.window else None


class Pacer:
    """Sleeps until the next frame is due. After a late frame, the schedule restarts, so that delays do not accumulate."""

    def __init__(self, hz: float = 60.0) -> None:
        self.dt = 1.0 / hz
        self._next = time.perf_counter()

    def wait(self) -> float:
        """Sleep, and return the seconds slept."""
        now = time.perf_counter()
        self._next = max(self._next + self.dt, now)
        rest = self._next - now
        if rest > 0:
            time.sleep(rest)
        return rest
