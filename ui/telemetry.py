"""Samples for the profiler, taken from the renderer's copy of Data. A fixed number of samples is kept, one for each frame."""

from __future__ import annotations

import numpy as np

from .. import engine as mj

LENGTH = 201
TIME_ROWS = ("total", "collision", "prepare", "solve", "other")
SIZE_ROWS = ("dof", "body", "constraint", "sqrt(nnz)", "contact", "iteration")
COUNT_ROWS = ("total", "active", "changed", "evals", "updates")
COST_ROWS = ("improvement", "gradient", "lineslope")
TINY = 1e-15
_TIMERS = [
    int(mj.mjtTimer[f"mjTIMER_{name}"])
    for name in ("STEP", "FORWARD", "POS_COLLISION", "POS_MAKE", "POS_PROJECT", "CONSTRAINT")
]


class Telemetry:
    """The samples, newest last: `times` (LENGTH, 5) in ms per step, and `sizes` (LENGTH, 6). Only the last `filled` rows are
    valid.
    """

    def __init__(self) -> None:
        self.times = np.zeros((LENGTH, len(TIME_ROWS)))
        self.sizes = np.zeros((LENGTH, len(SIZE_ROWS)))
        self.filled = 0
        self.filled_times = 0
        self.step_ms = 0.0
        self._last: np.ndarray | None = None

    def clear(self) -> None:
        self.filled = self.filled_times = 0
        self._last = None

    def sample(self, m: mj.MjModel, d: mj.MjData) -> None:
        """Add the sample of a frame: the changes of the timers since the last sample, and the current sizes."""
        timer = d.timer
        now = np.stack((1e3 * timer.duration[_TIMERS], timer.number[_TIMERS]), 1)
        if self._last is not None:
            # After a reset, the timers restart at zero, so their values are the changes.
            delta = np.where(now[:, 1:] >= self._last[:, 1:], now - self._last, now)
            self._add_times(delta)
        self._last = now
        push(self.sizes, sizes(m, d))
        self.filled = min(LENGTH, self.filled + 1)

    def _add_times(self, delta: np.ndarray) -> None:
        row = 0 if delta[0, 1] > 0 else 1
        number = delta[row, 1]
        if number <= 0:
            return
        total, collision = delta[row, 0] / number, delta[2, 0] / number
        prepare, solve = (delta[3, 0] + delta[4, 0]) / number, delta[5, 0] / number
        push(self.times, (total, collision, prepare, solve, max(0.0, total - collision - prepare - solve)))
        self.filled_times = min(LENGTH, self.filled_times + 1)
        self.step_ms = total


def push(rows: np.ndarray, row: tuple[float, ...]) -> None:
    """Drop the oldest row of an array, and append a new one."""
    rows[:-1] = rows[1:]
    rows[-1] = row


def islands(m: mj.MjModel, d: mj.MjData) -> int:
    """Return the number of islands with solver statistics; 0 if there are no constraints."""
    return max(1, min(int(d.nisland), int(mj.mjNISLAND))) if d.nefc else 0


def sizes(m: mj.MjModel, d: mj.MjData) -> tuple[float, ...]:
    """Return the values of SIZE_ROWS. If sleep is enabled, count only awake elements."""
    count = islands(m, d)
    awake = bool(m.opt.enableflags & mj.mjtEnableBit.mjENBL_SLEEP)
    nnz = float(np.sum(d.solver_nnz[:count]))
    iterations = float(np.sum(d.solver_niter[:count]))
    return (
        d.nv_awake if awake else m.nv,
        d.nbody_awake if awake else m.nbody,
        d.nefc,
        np.sqrt(nnz),
        d.ncon,
        iterations / max(1, count),
    )


def solver_rows(m: mj.MjModel, d: mj.MjData) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return, for each island, the counts (iterations, 5) and the log10 costs (iterations, 3) of the last solve."""
    rows, per_island = [], int(mj.mjNSOLVER)
    many = islands(m, d)
    for k in range(many):
        used = min(int(d.solver_niter[k]), per_island)
        stats = [d.solver[k * per_island + i] for i in range(used)]
        total = d.nefc if many == 1 else d.island_nefc[k]
        counts = np.array([(total, s.nactive, s.nchange, s.neval, s.nupdate) for s in stats], float).reshape(-1, 5)
        costs = np.array([(s.improvement, s.gradient, s.lineslope) for s in stats], float).reshape(-1, 3)
        rows.append((counts, np.log10(np.maximum(costs, TINY))))
    return rows


def solver_error(m: mj.MjModel, d: mj.MjData) -> tuple[float, int]:
    """Return log10 of the largest final solver error of any island, and the total iterations of all islands."""
    worst, iterations, per_island = 0.0, 0, int(mj.mjNSOLVER)
    for k in range(islands(m, d)):
        used = int(d.solver_niter[k])
        iterations += used
        if used:
            last = d.solver[k * per_island + min(used, per_island) - 1]
            worst = max(worst, min(last.improvement, last.gradient) or max(last.improvement, last.gradient))
    return float(np.log10(max(TINY, worst))), iterations
