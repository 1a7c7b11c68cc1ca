"""Where the physics thread stands in the managed viewer: a script that steps its own Data, and exchanges with the window in
`sync`.
"""

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
from .history import INTEGRATION, History, read_state
from .lock import FairLock
from .simulation import PERTURB_FIELDS, Simulation, Status
from .snapshot import PATIENCE

# seconds: between two exchanges that somebody could tell apart; after which nothing newer is waited for
SOON, LATE = 0.004, 0.02
# seconds without `sync` after which the window says that it waits
WAITING = 1.0


class PassiveHost:
    """Stands where the physics thread stands in the managed viewer. `sim` is what the window copies from, `own` wraps the
    script's Data and receives the intents."""

    passive: bool = True

    def __init__(self, m: mj.MjModel, d: mj.MjData) -> None:
        lock = FairLock()
        self.own = Simulation(lock=lock, running=True)
        self.own.adopt(m, d)
        # what the script has as `Handle.m` and `Handle.d`: changes inside `sync` alone, so that it never steps one of an old
        # pair with one of a new
        self.given = (m, d)
        shown = mj.MjData(m)
        self.sim = Simulation(lock=lock, m=m, d=shown, generation=1)
        mj.mj_copyData(shown, m, d)
        self.inbox: Queue[I.Intent] = Queue()
        self.replies: Queue[tuple[str, Any]] = Queue()
        self.status: Slot[Status] = Slot(self.own.status())
        self.closed = threading.Event()
        # the script's; and what to do while it waits, where nobody else draws the window
        self.board: Board | None = None
        self.turn: Callable[[], object] | None = None
        # time of the script's Data at its last call; when the last exchange was; whether only the state was noted since
        self.seen_time, self.exchanged, self.behind = d.time, 0.0, False
        self.noting = threading.Lock()
        # when the script was last in `sync`
        self._heard = time.perf_counter()

    @property
    def waiting(self) -> bool:
        """The script has not called `sync` for a while, though nobody has paused it."""
        return self.own.running and time.perf_counter() - self._heard > WAITING

    def post(self, intent: I.Intent) -> None:
        self.inbox.put(intent)

    def follow(self, seconds: float) -> None:
        return

    def swap(self, m: mj.MjModel, d: Any, running: bool | None, carry: Any) -> None:
        """Show a model; one that the script's loader made again replaces the script's own from the next `sync` on."""
        report = None
        if d is not None and m is not self.own.m:
            # while both locks are held the script cannot be given the new pair
            with self.own.lock, self.noting:
                # the script may be stepping without the lock: it waits for the moment that this takes, as this waits for it
                with visit(self.own.d, "reload"):
                    report = carry(self.own.m, self.own.d, m, d) if carry else None
                self.own.adopt(m, d, running)
                self.sim.m, self.sim.d = m, mj.MjData(m)
                self.sim.generation = self.own.generation
                mj.mj_copyData(self.sim.d, m, d)
                self.status.put(self.own.status())
        self.replies.put(("swapped", report))

    def stop(self, timeout: float = 0.0) -> bool:
        """The window is gone: a script that waits in `sync` goes on."""
        self.closed.set()
        self.inbox.ring()
        return True

    def sync(self, state_only: bool, pert: Any = None) -> None:
        """One exchange; while paused, stays here until the person runs, steps or closes. `pert` is what the script sees.

        What nobody could see is left out: a few hundredths of a frame after the last exchange only the state is noted, and the
        window makes the picture from it if nothing newer comes.
        """
        own, now = self.own, time.perf_counter()
        self._heard = now
        pulled = pert is not None and bool(pert.active or own.pert.active or pert.select != own.pert.select)

        # what the script arrived at is recorded first: what is asked for now starts from there
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
        """From now on the script has what is on show."""
        self.given = self.own.loaded
        return self.given

    def answer(self) -> None:
        """Call the script's functions for what has happened; one that fails is a message."""
        if self.board is not None and self.board.calls:
            for error in run(self.board):
                self.replies.put(("failed", error))

    def _look(self, d: mj.MjData) -> None:
        """What the engine warned about since the last call, and what is plotted."""
        own = self.own
        if own.recorder is not None:
            own.recorder.sample()
        own.warned.look(self.seen_time)
        self.seen_time = d.time
        while own.warned.news:
            self.replies.put(("warned", own.warned.news.popleft()))

    def catch_up(self) -> None:
        """The window's thread: the state of the script's last call, if it was only noted and nothing newer has come since."""
        if not self.behind or time.perf_counter() - self.exchanged < LATE:
            return
        with self.own.lock.urgent(PATIENCE) as held, self.noting:
            history = self.own.history
            if held and self.behind and history is not None and self.sim.m is self.own.m:
                self.behind = False
                mj.mj_setState(self.sim.m, self.sim.d, history.newest, INTEGRATION)
                mj.mj_forward(self.sim.m, self.sim.d)

    def _exchange(self, state_only: bool) -> bool:
        """Apply intents, publish the state; True if one round was asked for."""
        own, step = self.own, False
        m, d = own.m, own.d
        assert m is not None and d is not None and own.history is not None

        for intent in self.inbox.drain():
            # a step forward from the newest state is the script's to do
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
