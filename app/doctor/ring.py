"""A ring buffer with the states of the last seconds, and marks for suspicious events. It allocates its memory once."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field, replace

import numpy as np

from ... import engine as mj

INTEGRATION = int(mj.mjtState.mjSTATE_INTEGRATION)
MAX_BYTES = 64 * 2**20
# maximum number of states per second of simulation
PER_SECOND = 1000
MOST_MARKS, MARK_BYTES = 200, 16 * 2**20
# The doctor tries these starts in order, in seconds before a mark. A repeated run lacks the changes that the user made after
# its start, so a later start may work where an earlier one fails.
SPANS = (1.0, 0.1, 0.0)
# The smallest accepted gap between states, as a fraction of the nominal gap. It is below 1, because times are rounded.
NEARLY = 0.99


@dataclass(frozen=True)
class Mark:
    """A symptom of instability: its `kind`, its simulation `time`, the element it is `about` (kind and id), and a `text`.
    `starts`: states from which to simulate again, as (state, seconds before the mark). Old marks have none if memory is short.
    """

    kind: str
    time: float
    about: tuple[str, int]
    text: str
    starts: tuple[tuple[np.ndarray, float], ...] = field(default=(), compare=False, repr=False)


class Ring:
    """The newest states of one Model. It covers `seconds` of simulated time; if memory is short, it keeps fewer states, further
    apart.
    """

    def __init__(self, m: mj.MjModel, seconds: float, most_bytes: int = MAX_BYTES) -> None:
        self.size = mj.mj_stateSize(m, INTEGRATION)
        self.seconds = seconds
        step = max(float(m.opt.timestep), 1.0 / PER_SECOND)
        count = min(math.ceil(seconds / step), most_bytes // (8 * self.size)) if math.isfinite(seconds) else 2
        # The operating system allocates each page of this memory only when it is written to.
        self.states = np.empty((max(2, count), self.size))
        self.times = np.full(len(self.states), math.nan)
        self.gap = NEARLY * seconds / len(self.states)
        # index of the newest state, and the number of states
        self.head, self.count = 0, 0
        self.marks: deque[Mark] = deque(maxlen=MOST_MARKS)

    @property
    def newest(self) -> np.ndarray:
        """The newest state. It may be closer to the previous one than `gap`."""
        return self.states[self.head]

    def note(self, m: mj.MjModel, d: mj.MjData) -> None:
        """Store the current state, from which the next steps start, without allocating memory."""
        now, last = float(d.time), float(self.times[self.head])
        apart = last - float(self.times[self.head - 1])
        # Overwrite the newest stored state if its time is the current time, or if it is too close to the state stored before
        # it. Never overwrite it after a reset.
        if self.count and now != last and (now < last or not 0 <= apart < self.gap):
            self.head = (self.head + 1) % len(self.states)
            self.count = min(self.count + 1, len(self.states))
        self.count = max(self.count, 1)
        mj.mj_getState(m, d, self.states[self.head], INTEGRATION)
        self.times[self.head] = now

    def mark(self, kind: str, about: tuple[str, int], text: str) -> None:
        """Add a mark, with copies of the states before it. States cannot be found by time later, because times repeat after a
        reset.
        """
        time = float(self.times[self.head])
        starts: list[tuple[np.ndarray, float]] = []
        for span in SPANS:
            state = self.before(time, span)
            if state is not None and not any(np.array_equal(state, old, equal_nan=True) for old, _span in starts):
                starts.append((state, span))
        self.marks.append(Mark(kind, time, about, text, tuple(starts)))

        # Only the newest marks keep their states.
        left = MARK_BYTES
        for k in range(len(self.marks) - 1, -1, -1):
            left -= sum(state.nbytes for state, _span in self.marks[k].starts)
            if left < 0:
                self.marks[k] = replace(self.marks[k], starts=())

    def clear(self) -> None:
        """Remove all states and marks."""
        self.head = self.count = 0
        self.times[:] = math.nan
        self.marks.clear()

    def order(self) -> np.ndarray:
        """Return the row numbers of the stored states, oldest first."""
        return (self.head - np.arange(self.count)[::-1]) % len(self.states)

    def before(self, time: float, seconds: float) -> np.ndarray | None:
        """Return a copy of the oldest state within `seconds` before `time`, without crossing a reset; None if there is none."""
        rows, found = self.order()[::-1], None
        later = math.inf
        for row in rows:
            at = float(self.times[row])
            if found is not None and at > later:
                # Times increase only within one run; stop at the last reset.
                break
            later = at
            if time - seconds <= at <= time:
                found = row
            elif at < time - seconds:
                break
        return None if found is None else np.array(self.states[found])
