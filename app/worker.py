"""The physics thread. In each round, it applies intents, runs a burst of steps or updates the paused state, and publishes the
status.
"""

from __future__ import annotations

import threading
import time
import traceback
from typing import Any

from ..ui.intents import Intent
from . import commands
from .channels import Queue, Slot
from .compiling import NotReady
from .logbook import Logbook
from .simulation import Simulation, Status

PAUSED_WAIT = 1 / 60
NO_MODEL_WAIT = 0.05
LEAST_WAIT, RELAXED_WAIT = 0.001, 0.05


class Worker(threading.Thread):
    """Runs a Simulation. Other threads `post` intents, read `status`, and copy Data while they hold the lock."""

    passive: bool = False

    def __init__(self, sim: Simulation) -> None:
        super().__init__(name="physics", daemon=True)
        self.sim = sim
        sim.log = Logbook()
        self.inbox: Queue[Intent | tuple] = Queue()
        self.replies: Queue[tuple[str, Any]] = Queue()
        self.status: Slot[Status] = Slot(sim.status())
        self._stop_asked = threading.Event()
        # number of completed rounds
        self._rounds = 0
        # minimum number of seconds between bursts
        self._least = LEAST_WAIT

    @property
    def waiting(self) -> bool:
        """False, because the physics thread steps by itself."""
        return False

    def post(self, intent: Intent) -> None:
        """Queue an intent; it is applied between steps."""
        self.inbox.put(intent)

    def swap(self, m: Any, d: Any, running: bool | None = None, carry: Any = None) -> None:
        """Queue a compiled model. If `carry` is given, `carry(old_m, old_d, m, d)` first transfers the state."""
        self.inbox.put((m, d, running, carry))

    def relax(self, on: bool) -> None:
        """If `on`, step in fewer, longer bursts, because the window is not visible."""
        self._least = RELAXED_WAIT if on else LEAST_WAIT

    def follow(self, seconds: float) -> None:
        """Wait until all posted intents are applied, but at most `seconds`."""
        # Wait for two rounds, because the current round may already have read the inbox.
        wanted, end = self._rounds + 2, time.perf_counter() + seconds
        while self._rounds < wanted and time.perf_counter() < end:
            self.inbox.ring()
            time.sleep(LEAST_WAIT)

    def stop(self, timeout: float = 5.0) -> bool:
        """Request that the thread ends, and wait for it. Return False if it is stuck."""
        self._stop_asked.set()
        self.inbox.ring()
        if self.is_alive():
            self.join(timeout)
        self.sim.kernels.stop()
        return not self.is_alive()

    def run(self) -> None:
        while not self._stop_asked.is_set():
            try:
                wait = self._turn()
            except Exception as error:
                # After a failed step, stop the simulation and show the error, but keep the window open.
                self.sim.running = False
                self.sim.message = f"{type(error).__name__}: {error}"
                self.replies.put(("error", traceback.format_exc()))
                wait = PAUSED_WAIT
            self.status.put(self.sim.status())
            self._rounds += 1
            while self.sim.warned.news:
                self.replies.put(("warned", self.sim.warned.news.popleft()))
            if wait > 0:
                self.inbox.wait(wait)
            else:
                time.sleep(0)

    def _turn(self) -> float:
        """Run one round; return the number of seconds to sleep."""
        sim = self.sim
        items = self.inbox.drain()
        if items:
            with sim.lock:
                self._apply(items)
        if sim.m is None:
            return NO_MODEL_WAIT
        if sim.running and sim.kernels.ready():
            try:
                due = sim.burst()
                return 0.0 if sim.busy_wait or not due else max(due, self._least)
            except NotReady as error:
                # Treat the simulation as paused until the missing kernel is compiled.
                sim.kernels.missed(error)
        with sim.lock:
            sim.idle()
        return PAUSED_WAIT

    def _apply(self, items: list) -> None:
        for item in items:
            if isinstance(item, tuple):
                self._adopt(*item)
                continue
            try:
                commands.apply(self.sim, item, lambda kind, value: self.replies.put((kind, value)))
            except Exception as error:
                # Report a rejected intent as a message, and continue.
                self.replies.put(("error", f"{type(item).__name__}: {error}"))

    def _adopt(self, m: Any, d: Any, running: bool | None, transfer: Any) -> None:
        sim = self.sim
        report = transfer(sim.m, sim.d, m, d) if transfer and sim.m is not None else None
        first = sim.m is None
        sim.adopt(m, d, running)
        if first or report is None:
            sim.initial_speed()
        self.replies.put(("swapped", report))
