"""Trajectories: what was recorded is shown instead of stepped. A Player stands where the physics thread stands."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from zipfile import BadZipFile

import numpy as np

from ... import engine as mj
from ...ui import intents as I
from ..channels import Queue, Slot
from ..pacing import SPEEDS
from ..simulation import Simulation, Status

# arrays that a recording may have, a row for each moment
FIELDS = ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat")
STATES = {"full physics": int(mj.mjtState.mjSTATE_FULLPHYSICS), "integration": int(mj.mjtState.mjSTATE_INTEGRATION)}
# seconds that a player sleeps between two looks
LOOK = 1 / 60


class Trajectory:
    """States of a model over time: `times` (n,) in seconds, ascending.

    `source`: an .npz file or a mapping with `qpos` (n, nq) and whatever else of `time`, `qvel`, `act`, `ctrl`, `mocap_pos`, `mocap_quat` there is, or
    with `state`; or an array (n, nq) of positions or (n, size) of states, as `mj_getState` gives them for mjSTATE_FULLPHYSICS or mjSTATE_INTEGRATION and as
    rollouts return them for one world. Where it has no times, moments are `dt` apart, which is the model's time step if not given. ValueError says
    what does not fit.
    """

    def __init__(self, m: mj.MjModel, source: Any, dt: float | None = None) -> None:
        self.m = m
        rows = read(source)
        self.fields: dict[str, np.ndarray] = {}
        self.kind = 0
        if "state" in rows or "qpos" not in rows:
            self.states = self._states(rows.get("state", rows.get("")))
            count = len(self.states if self.kind else self.fields["qpos"])
        else:
            count = len(rows["qpos"])
            for name in FIELDS:
                if name in rows:
                    self.fields[name] = self._field(name, rows[name], count)
        if not count:
            raise ValueError("a trajectory needs at least one moment")
        self.times = self._times(rows.get("time"), count, float(m.opt.timestep) if dt is None else dt)

    def _states(self, rows: Any) -> np.ndarray:
        """Whole states, or positions alone."""
        if rows is None:
            raise ValueError("a trajectory has `qpos` or `state`")
        rows = np.asarray(rows, float)
        sizes = {word: mj.mj_stateSize(self.m, kind) for word, kind in STATES.items()}
        if rows.ndim == 3 and len(rows) == 1:
            rows = rows[0]
        for word, size in sizes.items():
            if rows.ndim == 2 and rows.shape[1] == size:
                self.kind = STATES[word]
                return checked("state", rows)
        if rows.ndim == 2 and rows.shape[1] == self.m.nq:
            self.fields["qpos"] = checked("qpos", rows)
            return rows
        wanted = ", ".join([f"(n, {self.m.nq}) positions", *(f"(n, {size}) {word}" for word, size in sizes.items())])
        raise ValueError(f"a trajectory of shape {rows.shape} is none of {wanted}")

    def _field(self, name: str, rows: Any, count: int) -> np.ndarray:
        rows = np.asarray(rows, float)
        width = int(np.prod(np.shape(getattr(mj.MjData(self.m), name))))
        if len(rows) != count or rows.size != count * width:
            raise ValueError(f"{name} of the trajectory has shape {rows.shape}; it must have {count} rows of {width} numbers")
        return checked(name, rows.reshape(count, width))

    def _times(self, times: Any, count: int, dt: float) -> np.ndarray:
        if times is None and self.kind:
            # the time is the first number of a state
            times = self.states[:, 0]
        if times is None:
            if not dt > 0:
                raise ValueError(f"dt is {dt}; it must be positive")
            return np.arange(count) * dt
        times = checked("time", np.asarray(times, float).ravel())
        if len(times) != count or (np.diff(times) < 0).any():
            raise ValueError(f"the times of a trajectory are {count} ascending numbers")
        return times

    def __len__(self) -> int:
        return len(self.times)

    def put(self, d: mj.MjData, k: int) -> None:
        """Bring Data to moment k."""
        if self.kind:
            mj.mj_setState(self.m, d, np.ascontiguousarray(self.states[k]), self.kind)
        for name, rows in self.fields.items():
            getattr(d, name).reshape(-1)[:] = rows[k]
        d.time = self.times[k]
        mj.mj_forward(self.m, d)

    def at(self, seconds: float) -> int:
        """The moment that is on screen so many seconds after the beginning."""
        return max(0, int(np.searchsorted(self.times - self.times[0], seconds, "right")) - 1)

    @property
    def duration(self) -> float:
        """Seconds from the first moment to the last."""
        return float(self.times[-1] - self.times[0])


def read(source: Any) -> Mapping[str, Any]:
    """A source's arrays by name; one without a name under the empty one."""
    if isinstance(source, str | os.PathLike):
        try:
            with np.load(source, allow_pickle=False) as file:
                return dict(file.items())
        except (EOFError, TypeError, BadZipFile) as error:
            raise ValueError(f"{source} is no .npz file: {error}") from None
    return source if isinstance(source, Mapping) else {"": source}


def checked(name: str, rows: np.ndarray) -> np.ndarray:
    """Rows of finite numbers."""
    if not np.isfinite(rows).all():
        raise ValueError(f"{name} of the trajectory has numbers that are not finite")
    return rows


class Player(threading.Thread):
    """Shows a trajectory in real time. Running, speed, steps and scrubbing are asked for as of a simulation."""

    passive: bool = True

    def __init__(self, m: mj.MjModel, trajectory: Trajectory) -> None:
        super().__init__(name="player", daemon=True)
        self.trajectory = trajectory
        self.sim = Simulation(m=m, d=mj.MjData(m), generation=1)
        self.inbox: Queue[I.Intent] = Queue()
        self.replies: Queue[tuple[str, Any]] = Queue()
        self.moment = 0
        self._seconds, self._last = 0.0, time.perf_counter()
        self._over = threading.Event()
        trajectory.put(self.sim.loaded[1], 0)
        self.status: Slot[Status] = Slot(self._status())

    def _status(self) -> Status:
        last = len(self.trajectory) - 1
        return replace(self.sim.status(), history=last + 1, position=self.moment - last)

    def post(self, intent: I.Intent) -> None:
        """Queue an intent."""
        self.inbox.put(intent)

    def swap(self, m: Any, d: Any, running: bool | None, carry: Any) -> None:
        """A trajectory stays with its model."""
        self.replies.put(("error", "a trajectory is shown with the model that it is of"))

    def stop(self, timeout: float = 5.0) -> bool:
        """End it; False if it is stuck."""
        self._over.set()
        self.inbox.ring()
        if self.is_alive():
            self.join(timeout)
        return not self.is_alive()

    def sync(self, state_only: bool = False, pert: Any = None) -> None:
        """A script has nothing to say to it."""

    def run(self) -> None:
        while not self._over.is_set():
            self._turn(time.perf_counter())
            self.inbox.wait(LOOK)

    def _turn(self, now: float) -> None:
        sim, last = self.sim, len(self.trajectory) - 1
        for intent in self.inbox.drain():
            self._obey(intent, last)
        if sim.running:
            speed = min(SPEEDS[sim.speed] / 100, self.trajectory.duration / LOOK + 1)
            self._seconds += speed * (now - self._last)
            if self._seconds > self.trajectory.duration:
                self._seconds = 0.0
            self._go(self.trajectory.at(self._seconds))
        self._last = now
        self.status.put(self._status())

    def _obey(self, intent: I.Intent, last: int) -> None:
        sim, moment = self.sim, self.moment
        if isinstance(intent, I.SetRunning):
            sim.running = not sim.running if intent.value is None else intent.value
        elif isinstance(intent, I.SetSpeed):
            index = sim.speed if intent.index is None else intent.index
            sim.speed = min(max(index + intent.notches, 0), len(SPEEDS) - 1)
        elif isinstance(intent, I.Step | I.Scrub | I.Reset):
            if not isinstance(intent, I.Reset):
                sim.running = False
            moment = moment + intent.count if isinstance(intent, I.Step) else last + intent.position if isinstance(intent, I.Scrub) else 0
            self._go(min(max(moment, 0), last))
            self._seconds = float(self.trajectory.times[self.moment] - self.trajectory.times[0])

    def _go(self, moment: int) -> None:
        if moment != self.moment:
            with self.sim.lock:
                self.trajectory.put(self.sim.loaded[1], moment)
            self.moment = moment
