"""The host of a passive viewer. A script steps its own Data, and its calls of `sync` exchange data with the window."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, cast

from .. import engine as mj
from ..engine.core.owner import visit
from ..ui import intents as I
from ..ui.board import Board, run
from . import commands
from .channels import Queue, Slot
from .lock import FairLock
from .simulation import PERTURB_FIELDS, Simulation, Status
from .snapshot import PATIENCE
from .state_history import INTEGRATION, History, read_state

# In seconds: exchanges closer together than SOON are skipped, because the user would not notice them; after LATE, the window
# draws without waiting for a newer state.
SOON, LATE = 0.004, 0.02
# Seconds without a call of `sync` after which the window reports that it is waiting for the script.
WAITING = 1.0


class PassiveHost:
    """Replaces the physics thread in passive viewers. The window copies data from `sim`; `own` wraps the script's Data, and
    intents apply to it.
    """

    passive: bool = True

    def __init__(self, m: mj.MjModel, d: mj.MjData) -> None:
        lock = FairLock()
        self.own = Simulation(lock=lock, running=True)
        self.own.adopt(m, d)
        # (model, data) that the script gets as `Handle.m` and `Handle.d`.
        # It changes only inside `sync`, so that a script never combines an old model with new data.
        self.given = (m, d)
        shown = mj.MjData(m)
        self.sim = Simulation(lock=lock, m=m, d=shown, generation=1)
        mj.mj_copyData(shown, m, d)
        self.inbox: Queue[I.Intent] = Queue()
        self.replies: Queue[tuple[str, Any]] = Queue()
        self.status: Slot[Status] = Slot(self.own.status())
        self.closed = threading.Event()
        # the script's overlays; and the function that draws the window from the script's thread, if no other thread draws it
        self.board: Board | None = None
        self.turn: Callable[[], object] | None = None
        # Simulation time at the script's last call, time of the last exchange, and whether a newer state is recorded that the
        # window has not received.
        self.seen_time, self.exchanged, self.behind = d.time, 0.0, False
        self.noting = threading.Lock()
        # time when the script last called `sync`
        self._heard = time.perf_counter()

    @property
    def waiting(self) -> bool:
        """Whether the script, which the user has not paused, has not called `sync` for a while."""
        return self.own.running and time.perf_counter() - self._heard > WAITING

    def post(self, intent: I.Intent) -> None:
        self.inbox.put(intent)

    def relax(self, on: bool) -> None:
        """Do nothing, because a script steps when it wants."""

    def follow(self, seconds: float) -> None:
        return

    def swap(self, m: mj.MjModel, d: Any, running: bool | None, carry: Any) -> None:
        """Show a model. If the script's loader made it, it becomes the script's model at the next `sync`."""
        report = None
        if d is not None and m is not self.own.m:
            # These locks keep the script from receiving the new model and data too early.
            with self.own.lock, self.noting:
                # The script may be stepping without the lock. `visit` protects its Data: the step waits for the transfer, or
                # the transfer for the step.
                with visit(self.own.d, "reload"):
                    report = carry(self.own.m, self.own.d, m, d) if carry else None
                self.own.adopt(m, d, running)
                self.sim.m, self.sim.d = m, mj.MjData(m)
                self.sim.generation = self.own.generation
                mj.mj_copyData(self.sim.d, m, d)
                self.status.put(self.own.status())
        self.replies.put(("swapped", report))

    def stop(self, timeout: float = 0.0) -> bool:
        """Let a script that is waiting in `sync` continue, because the window is closed."""
        self.closed.set()
        self.inbox.ring()
        return True

    def sync(self, state_only: bool, pert: Any = None) -> None:
        """Exchange data with the window once. While paused, wait until the user resumes, steps or closes the simulation. `pert`
        is the script's copy of the perturbation.

        Exchanges without a visible effect are skipped: within SOON seconds of the last exchange, only the state is recorded.
        The window draws it later if no newer state arrives.
        """
        own, now = self.own, time.perf_counter()
        self._heard = now
        pulled = pert is not None and bool(pert.active or own.pert.active or pert.select != own.pert.select)

        # First record the script's state, because the user's requests refer to it.
        if own.running and not pulled and now - self.exchanged < SOON and not self.inbox:
            with self.noting:
                m, d = self._give()
                cast(History, own.history).add(m, d)
                self.behind = True
            self._look(d)
            return

        with own.lock:
            m, d = self._give()
            if pulled:
                own.set_perturb({name: getattr(pert, name) for name in PERTURB_FIELDS})
            cast(History, own.history).add(m, d)
            self._look(d)
            step = self._exchange(state_only)
            if own.running:
                own.rate.add(now, d.time)

        while not (own.running or step or self.closed.is_set()):
            if self.turn is not None:
                self.turn()
            self.inbox.wait(1 / 30)
            self.answer()
            with own.lock:
                self._give()
                step = self._exchange(state_only)

        self.exchanged = self._heard = time.perf_counter()

    def _give(self) -> tuple[mj.MjModel, mj.MjData]:
        """Give the displayed model and its data to the script; return both."""
        self.given = self.own.loaded
        return self.given

    def answer(self) -> None:
        """Call the script's functions for pending events. Show an error in one of them as a message."""
        if self.board is not None and self.board.calls:
            for error in run(self.board):
                self.replies.put(("failed", error))

    def _look(self, d: mj.MjData) -> None:
        """Report the engine's warnings since the last call, and record samples for plots."""
        own = self.own
        if own.recorder is not None:
            own.recorder.sample()
        own.warned.look(self.seen_time)
        self.seen_time = d.time
        while own.warned.news:
            self.replies.put(("warned", own.warned.news.popleft()))

    def catch_up(self) -> None:
        """Show the newest recorded state if the window has not received it and no newer one has arrived. The window's thread
        calls this.
        """
        if not self.behind or time.perf_counter() - self.exchanged < LATE:
            return
        with self.own.lock.urgent(PATIENCE) as held, self.noting:
            history = self.own.history
            if held and self.behind and history is not None and self.sim.m is self.own.m:
                self.behind = False
                mj.mj_setState(self.sim.m, self.sim.d, history.newest, INTEGRATION)
                mj.mj_forward(self.sim.m, self.sim.d)

    def _exchange(self, state_only: bool) -> bool:
        """Apply intents and publish the state. Return True if the user requested a single step."""
        own, step = self.own, False
        m, d = own.m, own.d
        assert m is not None and d is not None and own.history is not None

        for intent in self.inbox.drain():
            # At the newest state, only the script can step forward.
            if isinstance(intent, I.Step) and intent.count > 0 and own.history.position == 0:
                step = True
                continue
            try:
                commands.apply(own, intent, lambda kind, value: self.replies.put((kind, value)))
            except Exception as error:
                self.replies.put(("error", f"{type(intent).__name__}: {error}"))

        if own.running or step:
            own.apply_perturb()
        else:
            own.idle()
        if state_only:
            mj.mj_setState(m, self.sim.d, read_state(m, d, own.history.size), INTEGRATION)
            mj.mj_forward(m, self.sim.d)
        else:
            mj.mj_copyData(self.sim.loaded[1], m, d)

        self.behind = False
        self.status.put(own.status())
        return step
