"""States of the last seconds, one for each slice of steps, in memory that is taken once; and marks on what was noticed."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field, replace

import numpy as np

from ... import engine as mj

INTEGRATION = int(mj.mjtState.mjSTATE_INTEGRATION)
MAX_BYTES = 64 * 2**20
# a state for each slice of steps: no more of them come in a second of simulation
PER_SECOND = 1000
MOST_MARKS, MARK_BYTES = 200, 16 * 2**20
# seconds before a mark at which it is run from; what was done by hand meanwhile is not repeated, so the next try begins later
SPANS = (1.0, 0.1, 0.0)
# share of the gap between states: a step just as long as the gap is no nearer
NEARLY = 0.99


@dataclass(frozen=True)
class Mark:
    """Something that was noticed: `kind` of sign, simulation `time`, what it is `about` (kind and id of an element), and a
    `text`. `starts`: (state, seconds before the mark) to run it again from; none for old marks, where memory is too little.
    """

    kind: str
    time: float
    about: tuple[str, int]
    text: str
    starts: tuple[tuple[np.ndarray, float], ...] = field(default=(), compare=False, repr=False)


class Ring:
    """The newest states of one Model. `seconds` of simulated time are kept, with gaps between the states where memory is too
    little.
    """

    def __init__(self, m: mj.MjModel, seconds: float, most_bytes: int = MAX_BYTES) -> None:
        self.size = mj.mj_stateSize(m, INTEGRATION)
        self.seconds = seconds
        step = max(float(m.opt.timestep), 1.0 / PER_SECOND)
        count = min(math.ceil(seconds / step), most_bytes // (8 * self.size)) if math.isfinite(seconds) else 2
        # memory that was never written to is not there yet
        self.states = np.empty((max(2, count), self.size))
        self.times = np.full(len(self.states), math.nan)
        self.gap = NEARLY * seconds / len(self.states)
        # the newest state, and how many there are
        self.head, self.count = 0, 0
        self.marks: deque[Mark] = deque(maxlen=MOST_MARKS)

    @property
    def newest(self) -> np.ndarray:
        """The state that was noted last; it may be the only one that is newer than the gap."""
        return self.states[self.head]

    def note(self, m: mj.MjModel, d: mj.MjData) -> None:
        """Keep the state that the next steps start from. No memory is taken."""
        now, last = float(d.time), float(self.times[self.head])
        apart = last - float(self.times[self.head - 1])
        # the newest makes room for this one if it is too near to the state before it, or the same moment; not if a reset lies
        # between
        if self.count and now != last and (now < last or not 0 <= apart < self.gap):
            self.head = (self.head + 1) % len(self.states)
            self.count = min(self.count + 1, len(self.states))
        self.count = max(self.count, 1)
        mj.mj_getState(m, d, self.states[self.head], INTEGRATION)
        self.times[self.head] = now

    def mark(self, kind: str, about: tuple[str, int], text: str) -> None:
        """Keep what was noticed, with states before it: after a reset the same times come again."""
        time = float(self.times[self.head])
        starts: list[tuple[np.ndarray, float]] = []
        for span in SPANS:
            state = self.before(time, span)
            if state is not None and not any(np.array_equal(state, old, equal_nan=True) for old, _span in starts):
                starts.append((state, span))
        self.marks.append(Mark(kind, time, about, text, tuple(starts)))

        # the newest keep their states
        left = MARK_BYTES
        for k in range(len(self.marks) - 1, -1, -1):
            left -= sum(state.nbytes for state, _span in self.marks[k].starts)
            if left < 0:
                self.marks[k] = replace(self.marks[k], starts=())

    def clear(self) -> None:
        """Forget all."""
        self.head = self.count = 0
        self.times[:] = math.nan
        self.marks.clear()

    def order(self) -> np.ndarray:
        """Rows, oldest first."""
        return (self.head - np.arange(self.count)[::-1]) % len(self.states)

    def before(self, time: float, seconds: float) -> np.ndarray | None:
        """A copy of the oldest state of the last `seconds` before a time, with no reset between; None if there is none."""
        rows, found = self.order()[::-1], None
        later = math.inf
        for row in rows:
            at = float(self.times[row])
            if found is not None and at > later:
                # a reset lies between
                break
            later = at
            if time - seconds <= at <= time:
                found = row
            elif at < time - seconds:
                break
        return None if found is None else np.array(self.states[found])
