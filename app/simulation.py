"""Model and Data, and the decision when to step. Callers must hold `lock`; only `burst` acquires it itself."""

from __future__ import annotations

import math
import os
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import engine as mj
from ..render import scene as mjv
from ..ui import intents as I
from . import posing, puppet
from .begun import Begun
from .compiling import Kernels, NotReady, Progress
from .doctor.ring import Mark, Ring
from .doctor.signs import Signs
from .lock import FairLock
from .logbook import Code, Logbook
from .noise import ControlNoise
from .pacing import REAL_TIME, SPEEDS, RateMeter, SyncClock, nearest_speed
from .recorder import Recorder, Samples, readable
from .state_history import INTEGRATION, History, read_state
from .warned import BAD_KINDS, Trouble, Warned

# Seconds that a slice of steps holds the lock, so that the renderer never waits for a whole burst.
SLICE = 0.001
# At unlimited speed, longer slices mean fewer pauses, and single steps are not visible.
LONG_SLICE = 0.002
ENDLESS = 1 << 30
# Wall-clock seconds between expensive checks for instability.
LOOK = 0.05
# {function that computes poses: size of the Model; the function is skipped if this is 0}
PLACING = {
    mj.mj_kinematics: "nbody",
    mj.mj_comPos: "nbody",
    mj.mj_camlight: "nbody",
    mj.mj_flex: "nflex",
    mj.mj_tendon: "ntendon",
}
PERTURB_FIELDS = (
    "select",
    "flexselect",
    "skinselect",
    "active",
    "active2",
    "refpos",
    "refquat",
    "refselpos",
    "localpos",
    "localmass",
    "scale",
)


@dataclass(frozen=True)
class Status:
    """The status of a simulation, which other threads may read without the lock. Published after every burst."""

    generation: int = 0
    running: bool = False
    speed: int = REAL_TIME
    measured: float | None = None
    message: str = ""
    history: int = 0
    position: int = 0
    noise_std: float = 0.0
    noise_rate: float = 0.0
    key: int = -1
    busy_wait: bool = False
    pause_update: bool = False
    step_ms: float = 0.0
    stepped: int = 0
    compiling: Progress | None = None
    trouble: Trouble | None = None
    stop_unstable: bool = False
    ring_seconds: float = 10.0
    marks: tuple[Mark, ...] = ()
    samples: Samples | None = None
    # Number of states since the last reset, and their first and last time.
    run: int = 0
    span: tuple[float, float] = (0.0, 0.0)
    puppet: bool = False
    posing: bool = False
    # Whether new contacts are marked, and the marks as (time, text).
    mark_contacts: bool = False
    begun: tuple[tuple[float, str], ...] = ()

    @property
    def held(self) -> bool:
        """Whether the simulation will run as soon as the kernels for stepping are compiled."""
        return self.running and self.compiling is not None and self.compiling.holding


@dataclass
class Simulation:
    """A model that is stepped in real time, scrubbed, perturbed and edited."""

    lock: FairLock = field(default_factory=FairLock)
    m: mj.MjModel | None = None
    d: mj.MjData | None = None
    generation: int = 0
    running: bool = True
    speed: int = REAL_TIME
    key: int = -1
    busy_wait: bool = False
    pause_update: bool = False
    stop_unstable: bool = False
    # A pull moves the joints above a body, see app.puppet.
    puppet: bool = False
    # The options before posing mode, see app.posing; None if it is off.
    posed: posing.Posing | None = None
    # New contacts are marked on the timeline; see app.begun.
    mark_contacts: bool = False
    ring_seconds: float = 10.0
    message: str = ""
    stepped: int = 0
    stale: bool = True
    kernels: Kernels = field(default_factory=Kernels)
    log: Logbook | None = None

    def __post_init__(self) -> None:
        self.clock = SyncClock()
        self.rate = RateMeter()
        self.history: History | None = None
        self.noise: ControlNoise | None = None
        self.pert = mjv.MjvPerturb()
        self.warned = Warned()
        # the state at the start of the current pull
        self.pulled: Any = None
        # Simulation time at which the mouse pulled but nothing has moved yet; None otherwise.
        self.fresh_pull: float | None = None
        self.step_cost = 0.0
        # States from which the last steps started, and symptoms of instability.
        self.ring: Ring | None = None
        self.signs: Signs | None = None
        self.looked = 0.0
        # samples for plots
        self.recorder: Recorder | None = None
        self.marks: tuple[Mark, ...] = ()
        self.begun: Begun | None = None
        # Data in which puppet mode computes the goal of the joints
        self._goal: Any = None
        # whether only poses are up to date
        self.rough = False

    # --- model --------------------------------------------------------------------------------------------------

    def adopt(self, m: mj.MjModel, d: mj.MjData, running: bool | None = None) -> None:
        """Take over a newly compiled model and its Data."""
        old, history = self.noise, History(m)
        ring, recorder = Ring(m, self.ring_seconds), Recorder(m, d)

        # Record the plotted values from the first step, because the window requests them again only at its next picture.
        if self.recorder is not None:
            recorder.follow(tuple(channel for channel in self.recorder.shown.channels if readable(m, d, channel)))

        # A script that steps without the lock uses the new model at once, so prepare its kernels first.
        self.kernels.adopt(m)
        self._derive(m, d)
        history.add(m, d)
        self.m, self.d, self.history = m, d, history
        self.ring, self.recorder, self.signs, self.marks, self.begun = ring, recorder, None, (), None
        self.warned.adopt(m, d)
        seed = int.from_bytes(os.urandom(4), "little")
        self.noise = ControlNoise(m, seed)
        if old:
            self.noise.std, self.noise.rate = old.std, old.rate
        self.pert = mjv.MjvPerturb()
        self.pulled = self._goal = None
        # The new model has its own options, so the end of posing mode must not restore those of the old one.
        self.posed = None
        self.generation += 1
        self.key = -1
        self.step_cost = 0.0
        self.message = ""
        if running is not None:
            self.running = running
        if self.log:
            self.log.adopt(m, history.newest, seed, I.SetRunning(self.running), I.SetNoise(self.noise.std, self.noise.rate))
        self.rate.clear()
        self.clock.forget()

    def noted(self, code: Code) -> None:
        """Write an event to the log, if there is one."""
        if self.log:
            self.log.note(code)

    def forward(self) -> None:
        """Update everything that depends on the state."""
        mj.mj_forward(*self.loaded)

    @property
    def posing(self) -> bool:
        """Whether gravity and springs are off, so that the user can pose bodies."""
        return self.posed is not None

    def pose(self, on: bool) -> None:
        """Begin or end posing mode."""
        if on == self.posing or self.m is None:
            return
        if self.posed is None:
            self.posed = posing.begin(self.m)
        else:
            posing.end(self.m, self.posed)
            self.posed = None
        self.stale = True

    def settle(self) -> None:
        """Make this step's acceleration the warm start of the next step."""
        _m, d = self.loaded
        d.qacc_warmstart[:] = d.qacc

    def keep(self, seconds: float) -> None:
        """Set how many simulated seconds the ring of states holds, and clear it."""
        self.ring_seconds = seconds
        if self.m is not None:
            self.ring, self.marks = Ring(self.m, seconds), ()

    def refresh(self) -> None:
        """Update what depends on the state: everything, or only poses while kernels are being compiled."""
        self._derive(*self.loaded)

    def _derive(self, m: mj.MjModel, d: mj.MjData) -> None:
        self.rough = not self.kernels.ready()
        if not self.rough:
            try:
                with self.kernels.compiled():
                    mj.mj_forward(m, d)
                self.noted(Code.FORWARD)
                return
            except NotReady as error:
                self.kernels.missed(error)
                self.rough = True
        for place, size in PLACING.items():
            # Skip functions for absent elements, so that no kernel is compiled for them.
            if getattr(m, size):
                place(m, d)

    def initial_speed(self) -> None:
        """Select the speed in the table that is nearest to the model's own real-time factor."""
        assert self.m is not None
        self.speed = nearest_speed(100 * float(self.m.vis.global_.realtime))

    def status(self) -> Status:
        noise, history = self.noise, self.history
        return Status(
            self.generation,
            self.running,
            self.speed,
            self.rate.rate if self.running else None,
            self.message,
            len(history) if history else 0,
            history.position if history else 0,
            noise.std if noise else 0.0,
            noise.rate if noise else 0.0,
            self.key,
            self.busy_wait,
            self.pause_update,
            1e3 * self.step_cost,
            self.stepped,
            self.kernels.progress(),
            self.warned.latest,
            self.stop_unstable,
            self.ring_seconds,
            self.marks,
            self.recorder.shown if self.recorder else None,
            history.run if history else 0,
            history.span if history else (0.0, 0.0),
            self.puppet,
            self.posing,
            self.mark_contacts,
            self.begun.marks if self.begun else (),
        )

    @property
    def loaded(self) -> tuple[mj.MjModel, mj.MjData]:
        """Model and Data; valid only while there is a model."""
        assert self.m is not None and self.d is not None
        return self.m, self.d

    # --- stepping -----------------------------------------------------------------------------------------------

    def burst(self) -> float:
        """Step until the simulation has caught up with the wall clock or the burst's budget is spent.

        It locks for each slice. Returns the seconds until the next step is due.
        """
        start = time.perf_counter()
        m, d = self.loaded
        speed = SPEEDS[self.speed] / 100
        stepped = 0

        while True:
            now = time.perf_counter()
            lag = self.clock.lag(now, d.time, speed)
            if lag is None:
                due = 1
            elif lag > 0 and now - start < self.clock.budget:
                due = max(1, math.ceil(lag / m.opt.timestep)) if math.isfinite(lag) else ENDLESS
            else:
                break
            with self.lock, self.kernels.compiled():
                count = self._slice(due)
            stepped += count
            if not count and not math.isinf(speed):
                # A model that resets at every step must also run in real time.
                return m.opt.timestep / speed
            if not count or lag is None or not self.running:
                break

        if stepped:
            with self.lock:
                self._record()
        self.rate.add(time.perf_counter(), d.time)
        if math.isinf(speed):
            return 0.0

        return max(0.0, -(self.clock.lag(time.perf_counter(), d.time, speed) or 0.0) / speed)

    def _slice(self, due: int) -> int:
        """Make up to `due` steps in about SLICE seconds, and return their number. The caller holds the lock."""
        m, d = self.loaded
        assert self.noise is not None and self.ring is not None and self.recorder is not None
        seconds = LONG_SLICE if due >= ENDLESS else SLICE
        count = min(due, max(1, int(seconds / self.step_cost))) if self.step_cost else 1
        self._pull()
        self.ring.note(m, d)
        before, begin = d.time, time.perf_counter()

        if self.noise.active:
            for _ in range(count):
                self.noise.apply(m, d, self.key)
                self.noted(Code.NOISE)
                # With noise, the controls of each step are needed to repeat the step.
                self.ring.note(m, d)
                self._step(1)
                self.recorder.sample()
        else:
            self._step(count)

        cost = (time.perf_counter() - begin) / count
        self.recorder.sample()
        self._contacts()
        self.step_cost = 0.9 * self.step_cost + 0.1 * cost if self.step_cost else cost
        self.stepped += count
        self.stale = False
        self._watch(before + count * m.opt.timestep)

        # A reset by the engine ends the burst, because time ran backwards.
        return count if d.time > before else 0

    def single_step(self) -> None:
        """Make and record one step while paused."""
        m, d = self.loaded
        assert self.history is not None and self.ring is not None and self.recorder is not None
        self.history.branch()
        self.noted(Code.BRANCH)
        self._pull()
        self.ring.note(m, d)
        before = d.time
        with self.kernels.compiled():
            self._step(1)
        self.recorder.sample()
        self._contacts()
        self.stepped += 1
        self._watch(before + m.opt.timestep)
        self._record()
        self.stale = True

    def _contacts(self) -> None:
        """Mark new contacts, if the user wants them."""
        if not self.mark_contacts:
            self.begun = None
            return
        self.begun = self.begun or Begun(*self.loaded)
        self.begun.note()

    def _record(self) -> None:
        assert self.history is not None
        self.history.add(*self.loaded)
        self.noted(Code.RECORD)

    def _step(self, count: int) -> None:
        """Make steps of the engine, and log them."""
        m, d = self.loaded
        try:
            mj.mj_step(m, d, count)
        except NotReady:
            # Some of the steps may have been completed.
            self.note_state()
            raise
        if self.log:
            self.log.steps(count)

    def note_state(self) -> None:
        """Write the state to the log. Call this after changes that a replay of the log could not repeat."""
        if self.log and self.history:
            self.log.item("state", read_state(*self.loaded, self.history.size))

    def _pull(self) -> None:
        """Apply the mouse's pull, and log it."""
        if self.pert.active:
            self.noted(Code.PULL)
        self.apply_perturb()

    def apply_perturb(self) -> None:
        """Apply the mouse's pull; xfrc_applied of other bodies is not changed."""
        (m, d), pert = self.loaded, self.pert
        if pert.active and 0 < pert.select < m.nbody:
            if self.puppet and self._reach(apply=False):
                return
            mjv.mjv_applyPerturbPose(m, d, pert, 0)
            mjv.mjv_applyPerturbForce(m, d, pert)

    def place_perturb(self) -> None:
        """While paused, move a free body to where the mouse pulls it."""
        m, d = self.loaded
        if self.pert.active and 0 < self.pert.select < m.nbody:
            if self.puppet and self._reach(apply=True):
                return
            mjv.mjv_applyPerturbPose(m, d, self.pert, 1)

    def _reach(self, apply: bool) -> bool:
        """Let the joints above the pulled body follow the mouse: move them if `apply`, else set the setpoints of their servos.
        Return False if there are none.
        """
        (m, d), pert = self.loaded, self.pert
        body = int(pert.select)
        if not puppet.joints_above(m, body):
            return False
        if apply:
            puppet.reach(m, d, body, np.array(pert.localpos), np.array(pert.refselpos))
            return True
        if self._goal is None:
            self._goal = mj.MjData(m)
        self._goal.qpos[:] = d.qpos
        joints = puppet.reach(m, self._goal, body, np.array(pert.localpos), np.array(pert.refselpos))
        puppet.setpoints(m, d, joints, np.array(self._goal.qpos))
        return True

    def _watch(self, expected: float) -> None:
        """Check for warnings after steps that should have reached a given time. Stop if automatic reset is disabled, or if the
        user chose to stop on instability.
        """
        m, d = self.loaded
        assert self.ring is not None
        said = sum(t.count for t in self.warned.found.values())
        reset = self.warned.look(expected)
        self._signs(reset)
        trouble = self.warned.latest
        if trouble is None:
            return
        if sum(t.count for t in self.warned.found.values()) != said:
            self.mark("reset" if reset else "warning", trouble.element, trouble.text)

        if m.opt.disableflags & mj.mjtDisableBit.mjDSBL_AUTORESET and any(self.warned.counts[kind] for kind in BAD_KINDS):
            self.running = False
            self.noted(Code.STOP)
            self.message = f"{trouble.text}. Time = {d.time:.4f}."
        elif reset and self.stop_unstable:
            # Return to the state before the reset.
            mj.mj_setState(m, d, self.ring.newest, INTEGRATION)
            if self.log:
                self.log.item("state", np.array(self.ring.newest))
            self.running, self.stale = False, True
            self.noted(Code.STOP)
            self.message = f"{trouble.text}. Stopped before it, at {d.time:.4f} s."

    def mark(self, kind: str, about: tuple[str, int], text: str) -> None:
        """Store a symptom of instability as a mark at the state from which the last steps started."""
        assert self.ring is not None
        self.ring.mark(kind, about, text)
        self.marks = tuple(self.ring.marks)

    def _signs(self, reset: bool) -> None:
        """Check at intervals for unexplained energy gain, and for geoms that suddenly overlap deeply."""
        now = time.perf_counter()
        if reset and self.signs:
            self.signs.begin()
        if now - self.looked < LOOK:
            return
        self.looked = now
        if self.signs is None:
            self.signs = Signs(*self.loaded)
        elif (sign := self.signs.energy() or self.signs.pressed()) is not None:
            self.mark(sign.kind, sign.about, sign.text)
            self.signs.begin()

    # --- paused -------------------------------------------------------------------------------------------------

    def idle(self) -> None:
        """While paused, follow the mouse, and update what depends on the state if it was changed."""
        if self.follow_pull():
            self.noted(Code.PLACE)
        if self.stale or self.pause_update or self.rough and self.kernels.ready():
            self.refresh()
            self.stale = False
        if self.pause_update:
            self.settle()
            self.noted(Code.SETTLE)
        self.clock.forget()
        self.rate.clear()

    def follow_pull(self) -> bool:
        """While paused, move the body that the mouse pulls. Return whether it pulls one."""
        m, _d = self.loaded
        pulls = bool(self.pert.active) and 0 < self.pert.select < m.nbody
        if pulls:
            self.place_perturb()
            self.stale = True
        self.fresh_pull = None
        return pulls

    def set_perturb(self, values: dict) -> None:
        """Replace the fields of the perturbation; ending it clears its force on the body."""
        old = self.pert.select if self.pert.active else 0
        if unknown := [name for name in values if name not in PERTURB_FIELDS]:
            raise ValueError(f"a perturbation has no {unknown[0]!r}")
        for name, value in values.items():
            current = getattr(self.pert, name)
            if hasattr(current, "shape") and getattr(current, "shape"):
                current[:] = value
            else:
                setattr(self.pert, name, value)
        if old and self.d is not None and (not self.pert.active or self.pert.select != old):
            self.d.xfrc_applied[old] = 0.0
        self.fresh_pull = self.d.time if self.pert.active and self.d is not None else None
        self.stale = True

    def set_running(self, value: bool | None) -> None:
        """Start or pause; None toggles. This ends a pull with the mouse. The simulation continues from the displayed state."""
        self.running = not self.running if value is None else value
        self.set_perturb({"active": 0, "active2": 0})
        self.clock.forget()
        self.rate.clear()
        if self.running:
            self.message = ""

    def reset(self, key: int | None = None) -> None:
        """Reset to the initial state or to a keyframe."""
        m, d = self.loaded
        if key is None:
            mj.mj_resetData(m, d)
        else:
            mj.mj_resetDataKeyframe(m, d, key)
        self._begin_anew()

    def restore(self, state: np.ndarray) -> None:
        """Restore a whole state, if it is from this model."""
        m, d = self.loaded
        if self.history is None or np.shape(state) != (self.history.size,):
            return
        mj.mj_setState(m, d, state, INTEGRATION)
        self._begin_anew()
        # Computing derived quantities changed the solver's warm start, which is part of the state.
        mj.mj_setState(m, d, state, INTEGRATION)

    def fill_history(self, states: np.ndarray) -> None:
        """Pause, replace the recorded states, and show the last one. ValueError for states of another model."""
        m, d = self.loaded
        assert self.history is not None
        if np.ndim(states) != 2 or np.shape(states)[1] != self.history.size or not len(states):
            raise ValueError("the recording belongs to another model")
        self.running = False
        self.history.clear()
        # If there are more states than fit, keep them at equal intervals.
        for state in states[:: -(-len(states) // self.history.capacity)]:
            mj.mj_setState(m, d, np.ascontiguousarray(state, float), INTEGRATION)
            self.note_state()
            self._record()
        self.refresh()
        self.stale = True

    def _begin_anew(self) -> None:
        """Restart recordings after the state was set from outside."""
        self.refresh()
        if self.history:
            self.history.branch()
            self.history.add(*self.loaded)
        self.message = ""
        self.warned.clear()
        if self.signs:
            self.signs.begin()
        self.clock.forget()
        self.rate.clear()
