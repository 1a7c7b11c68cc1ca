"""Seconds that each part of a compilation takes, indexed by mjtCTimer: the source of `MjSpec.timer`."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from ...tables.enums import mjtCTimer

TOTAL, ASSETS, TEXTURE, LOAD, HULL, POLYGON, INERTIA, BVH, OCTREE = range(int(mjtCTimer.mjNCTIMER))


def new_timer() -> np.ndarray:
    """Return the seconds (9,) of all parts, zero initially."""
    return np.zeros(int(mjtCTimer.mjNCTIMER))


def text(timer: np.ndarray) -> str:
    """Return the milliseconds of all parts as text, one line each."""
    names = [name[len("mjCTIMER_") :].lower().replace("_", " ") for name in mjtCTimer.__members__ if name != "mjNCTIMER"]
    rows = [*zip(names, timer), ("other", timer[TOTAL] - timer[ASSETS])]
    return "\n".join(f"  {name + ':':<14s}{1000 * seconds:8.1f}" for name, seconds in rows)


@contextmanager
def timed(timer: np.ndarray | None, part: int) -> Iterator[None]:
    """Add the time spent in this context to a part. Without a timer, measure nothing."""
    start = time.perf_counter()
    try:
        yield
    finally:
        if timer is not None:
            timer[part] += time.perf_counter() - start
