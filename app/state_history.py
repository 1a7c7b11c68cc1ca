"""The ring of past states, through which the user can scrub."""

from __future__ import annotations

from collections import deque

import numpy as np

from .. import engine as mj

MAX_STATES = 2000
MAX_BYTES = 100 * 2**20
INTEGRATION = int(mj.mjtState.mjSTATE_INTEGRATION)


class History:
    """The recorded states of one Model, stored from oldest to newest. Positions count back from the newest: 0 is the newest
    state, -1 the one before it."""

    def __init__(self, m: mj.MjModel) -> None:
        self.size = mj.mj_stateSize(m, INTEGRATION)
        self.capacity = max(2, min(MAX_STATES, MAX_BYTES // max(8, 8 * self.size)))
        self._states: deque = deque(maxlen=self.capacity)
        self.position = 0
        # Number of states since the last reset.
        self._run = 0

    def __len__(self) -> int:
        return len(self._states)

    @property
    def oldest(self) -> int:
        return min(0, 1 - len(self._states))

    def add(self, m: mj.MjModel, d: mj.MjData) -> None:
        """Record `d` as the newest state. First drop the states after the position to which the user has scrubbed."""
        # A script may still be stepping the model from before a reload; do not record its states.
        if mj.mj_stateSize(m, INTEGRATION) != self.size:
            return
        self.branch()
        state = read_state(m, d, self.size)
        self._run = self._run + 1 if self._states and state[0] >= self._states[-1][0] else 1
        self._states.append(state)

    @property
    def run(self) -> int:
        """Number of states since the last reset."""
        return min(self._run, len(self._states))

    @property
    def span(self) -> tuple[float, float]:
        """Times of the first and the last state since the last reset."""
        if not self._states:
            return 0.0, 0.0
        return float(self._states[-self.run][0]), float(self._states[-1][0])

    @property
    def newest(self) -> np.ndarray:
        """The newest recorded state."""
        return self._states[-1]

    def branch(self) -> None:
        """Drop the states after the position to which the user has scrubbed."""
        if not self.position:
            return
        for _ in range(-self.position):
            self._states.pop()
        self._run += self.position
        self.position = 0
        if self._run < 1 and self._states:
            # All states since the reset were dropped, so the run before it is now the current one.
            times = np.array([state[0] for state in self._states])
            falls = np.flatnonzero(np.diff(times) < 0)
            self._run = len(times) - (int(falls[-1]) + 1 if len(falls) else 0)

    def restore(self, m: mj.MjModel, d: mj.MjData, position: int) -> int:
        """Restore the state at `position` into `d`. Return the position, clamped to the recorded range."""
        self.position = max(self.oldest, min(0, position))
        if self._states:
            mj.mj_setState(m, d, self._states[self.position - 1], INTEGRATION)
        return self.position

    def nearest(self, time: float) -> int:
        """Return the position of the state nearest in time, among those since the last reset. If several are equally near,
        return the newest.
        """
        times = np.array([state[0] for state in list(self._states)[-self.run :]]) if self._states else np.zeros(0)
        if not len(times):
            return 0
        return int(len(times) - 1 - np.argmin(np.abs(times - time)[::-1])) + 1 - len(times)

    def states(self, whole: bool = False) -> np.ndarray:
        """Return states (count, size), oldest first: all of them if `whole`, else those up to the displayed position."""
        count = len(self._states) + (0 if whole else self.position)
        return np.array(list(self._states)[:count]).reshape(-1, self.size)

    def clear(self) -> None:
        self._states.clear()
        self.position = self._run = 0


def read_state(m: mj.MjModel, d: mj.MjData, size: int) -> np.ndarray:
    """Return the integration state of `d` as a new array of `size` numbers."""
    state = np.empty(size)
    mj.mj_getState(m, d, state, INTEGRATION)
    return state
