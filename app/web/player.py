"""A host that plays a recorded trajectory, in place of the physics thread."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Any

from ... import engine as mj
from ...ui import intents as I
from ..channels import Queue, Slot
from ..pacing import SPEEDS
from ..simulation import Simulation, Status
from ..trajectory import Trajectory

# seconds for which the player sleeps between frames
LOOK = 1 / 60


class Player(threading.Thread):
    """Plays a trajectory in real time. Pausing, speed, single steps and scrubbing work as in a simulation."""

    passive: bool = True
    waiting: bool = False

    def __init__(self, m: mj.MjModel, trajectory: Trajectory) -> None:
        super().__init__(name="player", daemon=True)
        self.trajectory = trajectory
        self.sim = Simulation(m=m, d=mj.MjData(m), generation=1)
        self.inbox: Queue[I.Intent] = Queue()
        self.replies: Queue[tuple[str, Any]] = Queue()
        self.moment = 0
        self._seconds, self._last = 0.0, time.perf_counter()
        self._over = threading.Event()
        trajectory.show(m, self.sim.loaded[1], 0)
        self.status: Slot[Status] = Slot(self._status())

    def _status(self) -> Status:
        last = len(self.trajectory) - 1
        return replace(self.sim.status(), history=last + 1, position=self.moment - last)

    def post(self, intent: I.Intent) -> None:
        """Queue an intent."""
        self.inbox.put(intent)

    def follow(self, seconds: float) -> None:
        """Do not wait, because the player shows frames at the trajectory's own pace."""

    def relax(self, on: bool) -> None:
        """Do nothing, because the player makes no steps."""

    def swap(self, m: Any, d: Any, running: bool | None, carry: Any) -> None:
        """Reject another model, because the trajectory fits only the current one."""
        self.replies.put(("error", "a trajectory can only be shown with its own model"))

    def stop(self, timeout: float = 5.0) -> bool:
        """Stop the thread. Return False if it is stuck."""
        self._over.set()
        self.inbox.ring()
        if self.is_alive():
            self.join(timeout)
        return not self.is_alive()

    def sync(self, state_only: bool = False, pert: Any = None) -> None:
        """Do nothing, because no script is involved."""

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
            moment = (
                moment + intent.count
                if isinstance(intent, I.Step)
                else last + intent.position
                if isinstance(intent, I.Scrub)
                else 0
            )
            self._go(min(max(moment, 0), last))
            self._seconds = float(self.trajectory.time[self.moment] - self.trajectory.time[0])

    def _go(self, moment: int) -> None:
        if moment != self.moment:
            with self.sim.lock:
                self.trajectory.show(*self.sim.loaded, moment)
            self.moment = moment
