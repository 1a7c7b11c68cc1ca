"""Diagnoses a model, starting from a given state or its initial state. The report contains the step where the instability
starts, ranked causes, and the remedies that were tried.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from ... import engine as mj
from ...ui.element_names import dof_name
from . import causes, remedies
from .causes import Cause
from .remedies import Remedy
from .ring import INTEGRATION, Ring
from .signs import Sign, Signs

# Seconds before the symptom from which to simulate again, and seconds after it that a remedy must survive.
BEFORE, AFTER = 1.0, 1.0
# Number of steps between checks while nothing is wrong, and number of points of a curve.
STRIDE, POINTS = 20, 200
# The instability starts when a speed exceeds its usual value by this factor.
GROWN = 10.0
# Wall-clock seconds for one trial, and number of causes whose remedies are tried.
PATIENCE, MOST_CAUSES = 4.0, 6
# Rules examine the first state, and the states this many steps before speeds start to grow.
NEAR = (8, 4, 2, 1, 0)
CHAIN = 6


@dataclass(frozen=True)
class Curve:
    """The largest speed of any degree of freedom over time."""

    times: np.ndarray
    peaks: np.ndarray


@dataclass(frozen=True)
class Trial:
    """A remedy that was tried. `helped`: no symptom of instability occurred; None if the trial ran out of time."""

    remedy: Remedy
    helped: bool | None
    sign: Sign | None
    curve: Curve


@dataclass(frozen=True)
class Found:
    """A cause, and whether the model became stable without it (None: not tried)."""

    cause: Cause
    cured: bool | None


@dataclass(frozen=True)
class Report:
    """The result. `sign` is None if nothing went wrong until `time`. `start`: the state from which all runs start. `state`: the
    last good state. `begun`: the time when speeds started to grow. `chain`: (time, text) of each event.
    """

    time: float
    sign: Sign | None = None
    start: np.ndarray | None = None
    state: np.ndarray | None = None
    begun: float = 0.0
    chain: tuple[tuple[float, str], ...] = ()
    causes: tuple[Found, ...] = ()
    trials: tuple[Trial, ...] = ()
    curve: Curve | None = None
    seconds: float = 0.0
    extra: dict = field(default_factory=dict)


def copied(m: mj.MjModel) -> mj.MjModel:
    """Return a copy of the model in which the engine's automatic reset is disabled."""
    out = copy.copy(m)
    out.opt.disableflags = int(out.opt.disableflags) | int(mj.mjtDisableBit.mjDSBL_AUTORESET)
    return out


def placed(m: mj.MjModel, state: np.ndarray | None) -> mj.MjData:
    """Return a new Data at `state`, or at the initial state if it is None."""
    d = mj.MjData(m)
    first = read(m, d) if state is None else state
    mj.mj_setState(m, d, first, INTEGRATION)
    mj.mj_forward(m, d)
    # Set the state again, to restore the solver's warm start, which mj_forward has changed.
    mj.mj_setState(m, d, first, INTEGRATION)
    for kind in range(len(d.warning)):
        d.warning[kind].number = 0
    return d


def read(m: mj.MjModel, d: mj.MjData) -> np.ndarray:
    out = np.empty(mj.mj_stateSize(m, INTEGRATION))
    mj.mj_getState(m, d, out, INTEGRATION)
    return out


def diagnose(
    m: mj.MjModel,
    state: np.ndarray | None = None,
    seconds: float = 5.0,
    tell: Callable[[str], None] = lambda text: None,
    stop: Callable[[], bool] = lambda: False,
) -> Report:
    """Run a model until something goes wrong, for at most `seconds`, and find out why. `tell` receives progress; `stop` ends
    the run early.

    The model is not changed. Problems of a model that runs well are found by `ui.health` instead.
    """
    clock, model = time.perf_counter(), copied(m)
    tell("simulating until a problem occurs")
    sign, start, at = search(model, state, seconds, stop)
    if sign is None:
        return Report(at, seconds=time.perf_counter() - clock)

    tell("going back to the start of the problem")
    track = retrace(model, start, sign)
    suspects = gather(model, start, track)
    duration = max(0.0, sign.time - track.begin) + AFTER
    trials: list[Trial] = []

    for remedy in proposed(model, suspects):
        if stop():
            break
        tell(f"trying {remedy.title}")
        trials.append(attempt(model, start, remedy, duration))

    ranked = rank(suspects, trials)
    # If no rule led to a remedy that helped, the time step itself may be the cause.
    if not ranked or not any(f.cured for f in ranked):
        ranked = [*unexplained(model, trials), *ranked]
    trials.sort(key=lambda t: (not t.helped, t.remedy.aims is None))
    return Report(
        sign.time,
        sign,
        start,
        track.state,
        track.begun,
        tuple(chain(model, sign, track)),
        tuple(ranked),
        tuple(trials),
        track.curve,
        time.perf_counter() - clock,
    )


def search(
    m: mj.MjModel, state: np.ndarray | None, seconds: float, stop: Callable[[], bool]
) -> tuple[Sign | None, np.ndarray, float]:
    """Step until a symptom of instability occurs. Return the symptom, the state `BEFORE` seconds earlier, and the time of that
    state.
    """
    d = placed(m, state)
    ring, signs = Ring(m, 2 * BEFORE), Signs(m, d)
    end = float(d.time) + seconds
    ring.note(m, d)
    while float(d.time) < end - 0.5 * float(m.opt.timestep) and not stop():
        mj.mj_step(m, d, STRIDE)
        sign = signs.look()
        if sign is not None and sign.bad:
            return precise(m, ring, sign)
        ring.note(m, d)
    return None, ring.newest, float(d.time)


def precise(m: mj.MjModel, ring: Ring, sign: Sign) -> tuple[Sign, np.ndarray, float]:
    """Repeat the last steps one by one; return the same symptom at the step where it first occurs."""
    last = np.array(ring.newest)
    d = placed(m, last)
    signs = Signs(m, d)
    for _ in range(STRIDE):
        mj.mj_step(m, d)
        found = signs.look()
        if found is not None and found.bad:
            sign = found
            break
    start = ring.before(float(ring.times[ring.head]), BEFORE)
    return sign, last if start is None else start, float(d.time)


@dataclass(frozen=True)
class Track:
    """A run that starts at time `begin`: the speed of each dof at each step (steps, nv), the step where speeds start to grow,
    and the states around that step.
    """

    begin: float
    speeds: np.ndarray
    grown: int
    state: np.ndarray
    curve: Curve
    dt: float

    @property
    def begun(self) -> float:
        return self.begin + self.grown * self.dt


def retrace(m: mj.MjModel, start: np.ndarray, sign: Sign) -> Track:
    """Run from the start to the symptom, and record each step."""
    d, dt = placed(m, start), float(m.opt.timestep)
    begin = float(d.time)
    steps = max(1, round((sign.time - begin) / dt) + 1)
    speeds = np.zeros((steps + 1, m.nv))
    speeds[0] = np.abs(d.qvel)
    state, count = read(m, d), steps
    for i in range(steps):
        mj.mj_step(m, d)
        speeds[i + 1] = np.abs(d.qvel)
        # Stop at any warning of the engine, because the symptom is already known.
        if not np.isfinite(speeds[i + 1]).all() or any(int(d.warning[k].number) for k in (4, 5, 6)):
            count = i + 1
            break
        state = read(m, d)
    speeds = speeds[: count + 1]
    peaks = np.nan_to_num(speeds, nan=math.inf, posinf=math.inf).max(axis=1) if m.nv else np.zeros(len(speeds))
    usual = max(float(np.median(peaks[: max(1, len(peaks) // 2)])), 1.0)
    slow = np.flatnonzero(peaks <= GROWN * usual)
    grown = int(slow[-1]) if len(slow) else 0
    return Track(begin, speeds, grown, state, Curve(begin + dt * np.arange(len(peaks)), peaks), dt)


def gather(m: mj.MjModel, start: np.ndarray, track: Track) -> list[Cause]:
    """Apply the rules to the first state, and to states around the step where speeds start to grow. For each cause, return the
    occurrence with the highest ratio.
    """
    wanted = sorted({0, *(max(0, track.grown - k) for k in NEAR), min(track.grown + 1, len(track.speeds) - 1)})
    d, probe = placed(m, start), mj.MjData(m)
    found: dict[tuple, Cause] = {}
    for i in range(wanted[-1] + 1):
        if i in wanted:
            mj.mj_setState(m, probe, read(m, d), INTEGRATION)
            mj.mj_forward(m, probe)
            mj.mj_setState(m, probe, read(m, d), INTEGRATION)
            if np.isfinite(np.asarray(probe.qM)).all():
                for cause in causes.found(causes.Scene(m, probe, i == 0)):
                    key = cause.kind, cause.about
                    if key not in found or found[key].ratio < cause.ratio:
                        found[key] = cause
        mj.mj_step(m, d)
    return sorted(found.values(), key=lambda c: -c.ratio)


def proposed(m: mj.MjModel, suspects: list[Cause]) -> list[Remedy]:
    """Return the remedies to try: those that counter the first few causes, and those that help in general."""
    out = [remedy for cause in suspects[:MOST_CAUSES] for remedy in remedies.against(m, cause)]
    finite = [c.ratio for c in suspects if math.isfinite(c.ratio)]
    out += remedies.general(m, max(finite, default=2.0))
    titles: set[str] = set()
    return [r for r in out if not (r.title in titles or titles.add(r.title))]


def attempt(m: mj.MjModel, start: np.ndarray, remedy: Remedy, duration: float) -> Trial:
    """Run with a remedy for as long as the model ran without it, plus `AFTER` seconds."""
    model = copy.copy(m)
    d = placed(model, start)
    remedies.apply(model, d, remedy.edits)
    signs, begin = Signs(model, d), float(d.time)
    steps = math.ceil(duration / float(model.opt.timestep))
    stride = max(1, steps // POINTS)
    times, peaks, done, sign = [begin], [float(np.abs(d.qvel).max(initial=0.0))], 0, None
    clock = time.perf_counter()
    while done < steps and sign is None and time.perf_counter() - clock < PATIENCE:
        mj.mj_step(model, d, min(stride, steps - done))
        done += stride
        sign = signs.look()
        sign = sign if sign is not None and sign.bad else None
        times.append(float(d.time))
        peaks.append(float(np.nan_to_num(np.abs(d.qvel), nan=math.inf).max(initial=0.0)))
    helped = False if sign is not None else True if done >= steps else None
    return Trial(remedy, helped, sign, Curve(np.array(times), np.array(peaks)))


def rank(suspects: list[Cause], trials: list[Trial]) -> list[Found]:
    """Sort causes: first those whose remedy helped, then by decreasing ratio to the stability limit."""
    out = []
    for cause in suspects:
        results = [t.helped for t in trials if t.remedy.aims is cause]
        out.append(Found(cause, any(results) if results and any(r is not None for r in results) else None))
    return sorted(out, key=lambda f: (not f.cured, f.cause.ratio < 1.0, -f.cause.ratio))


def unexplained(m: mj.MjModel, trials: list[Trial]) -> list[Found]:
    """Return the time step as the cause if a shorter one helped; otherwise return nothing."""
    shorter = next((t for t in trials if t.remedy.edits[0].path == "opt.timestep"), None)
    if shorter is None or not shorter.helped:
        return []
    return [
        Found(
            Cause("timestep", ("", 0), 1.0, f"the time step of {float(m.opt.timestep):.3g} s is too long for this model"), True
        )
    ]


def chain(m: mj.MjModel, sign: Sign, track: Track) -> list[tuple[float, str]]:
    """Return what happened, in order: the first dof that moved too fast, the dofs that followed, and the symptom."""
    rows: list[tuple[float, str]] = []
    speeds, g = track.speeds, track.grown
    if m.nv and len(speeds) > g + 1:
        usual = np.maximum(np.median(speeds[: g + 1], axis=0), 1.0)
        with np.errstate(invalid="ignore"):
            over = ~(speeds[g:] <= GROWN * usual)
        first = np.where(over.any(axis=0), over.argmax(axis=0), len(speeds))
        after = np.nan_to_num(speeds[np.minimum(first + g, len(speeds) - 1), np.arange(m.nv)], nan=math.inf)
        for dof in np.lexsort((-after, first))[:CHAIN].tolist():
            if first[dof] < len(speeds):
                i = g + int(first[dof])
                rows.append(
                    (
                        track.begin + i * track.dt,
                        f"{dof_name(m, dof)} moves at {speeds[i, dof]:.3g}, usual: {float(usual[dof]):.3g}",
                    )
                )
    return [*rows, (sign.time, sign.text)]


def without(report: Report) -> Report:
    """Return the report without its states, for printing."""
    return replace(report, start=None, state=None)
