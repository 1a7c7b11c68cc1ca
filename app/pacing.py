"""Time: the frame pacer, the clock that ties simulation to wall time, and meters that say what was really reached.

All classes take the time as an argument, so that tests can drive them with a clock of their own.
"""

from __future__ import annotations

import math
import time
from collections import deque

# requested speed in percent of real time, fastest first; inf = as fast as the machine goes
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

MISALIGN = 0.1  # seconds of simulation: beyond this the two clocks are tied anew
REFRESH_FRACTION = 0.7  # part of a frame that physics may use


def nearest_speed(percent: float) -> int:
    """Index into SPEEDS of the entry closest to `percent` in log distance, never above real time."""
    percent = max(percent, 1e-3)
    return min(range(REAL_TIME, len(SPEEDS)), key=lambda i: abs(math.log(SPEEDS[i] / percent)))


class SyncClock:
    """Says how much simulation is due now.

    A sync point pairs a wall time with a simulation time. From there simulation should advance `speed` seconds per
    wall second. When the two drift apart by more than MISALIGN, when time runs backwards or the speed changes, the
    pair is taken anew and a single step is asked for.
    """

    def __init__(self, refresh: float = 60.0) -> None:
        self.refresh = refresh
        self._wall: float | None = None
        self._sim = 0.0
        self._speed = 1.0

    def forget(self) -> None:
        """Tie the clocks anew at the next question (pause, speed change, reset)."""
        self._wall = None

    @property
    def budget(self) -> float:
        """Wall seconds that one burst may take."""
        return REFRESH_FRACTION / self.refresh

    def misaligned(self, wall: float, sim: float) -> bool:
        if self._wall is None:
            return True
        gone = sim - self._sim
        return gone < 0 or wall < self._wall or abs((wall - self._wall) * self._speed - gone) > MISALIGN

    def lag(self, wall: float, sim: float, speed: float) -> float | None:
        """Simulation seconds that are due; None when the clocks were tied anew (then do one step)."""
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
    """d(value)/d(wall) over a sliding window: the measured real-time factor, or frames per second."""

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
        # keep one point older than the window, so that the rate spans all of it
        while len(points) > 2 and points[1][0] <= wall - self.window:
            points.popleft()

    @property
    def rate(self) -> float | None:
        """None until the window holds enough to say."""
        if len(self._points) < 2:
            return None
        (t0, v0), (t1, v1) = self._points[0], self._points[-1]
        return (v1 - v0) / (t1 - t0) if t1 - t0 > 0.4 * self.window else None


class Pacer:
    """Sleeps until the next frame is due; a late frame starts a new rhythm instead of building up debt."""

    def __init__(self, hz: float = 60.0) -> None:
        self.dt = 1.0 / hz
        self._next = time.perf_counter()

    def wait(self) -> float:
        """Returns the seconds slept."""
        now = time.perf_counter()
        self._next = max(self._next + self.dt, now)
        rest = self._next - now
        if rest > 0:
            time.sleep(rest)
        return rest
