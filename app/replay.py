"""`tumble replay log`: repeat a session without a window, and compare the final state with the recorded one bit for bit."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .. import engine as mj
from . import commands
from .logbook import ADOPT, STATE, Code, load
from .noise import ControlNoise
from .simulation import Simulation
from .state_history import INTEGRATION, read_state
from .told import fail

# Number of steps after which Ctrl+C is noticed.
SLICE = 1000


class ReplayError(ValueError):
    """An event of a log that cannot be repeated."""


def replay(events: Iterable[int], items: list[tuple[str, Any]], stopped: Callable[[], bool] = lambda: False) -> Simulation:
    """Repeat a log; return the simulation at its end. Raise ReplayError if an event cannot be repeated, or once `stopped`
    returns True: a log may have more steps than anyone can wait for.
    """
    sim = Simulation()
    for k, event in enumerate(events):
        try:
            _event(sim, event, items, stopped)
        except (ValueError, TypeError, ArithmeticError, LookupError, MemoryError, mj.FatalError) as error:
            raise ReplayError(f"event {k} of the log cannot be repeated: {error or type(error).__name__}") from error
    return sim


def _event(sim: Simulation, event: int, items: list[tuple[str, Any]], stopped: Callable[[], bool]) -> None:
    if stopped():
        raise ReplayError("stopped")
    if event <= Code.ITEM:
        _item(sim, *items[Code.ITEM - event])
    elif event <= 0:
        EVENTS[Code(event)](sim)
    else:
        for done in range(0, event, SLICE):
            if stopped():
                raise ReplayError("stopped")
            mj.mj_step(*sim.loaded, min(SLICE, event - done))


def _item(sim: Simulation, kind: str, value: Any) -> None:
    if kind == ADOPT:
        m, state, seed = value
        sim.adopt(m, mj.MjData(m), True)
        sim.noise = ControlNoise(m, seed)
        mj.mj_setState(m, sim.d, state, INTEGRATION)
        assert sim.history is not None
        sim.history.clear()
        sim.history.add(*sim.loaded)
    elif kind == STATE:
        mj.mj_setState(*sim.loaded, value, INTEGRATION)
    else:
        try:
            commands.apply(sim, value, lambda kind, value: None)
        except Exception as error:
            # The intent failed in the session as well, and the session continued.
            print(f"{type(value).__name__}: {error}", file=sys.stderr)


def _record(sim: Simulation) -> None:
    assert sim.history is not None
    sim.history.add(*sim.loaded)


def _branch(sim: Simulation) -> None:
    assert sim.history is not None
    sim.history.branch()


def _noise(sim: Simulation) -> None:
    assert sim.noise is not None
    sim.noise.apply(*sim.loaded, sim.key)


def _stop(sim: Simulation) -> None:
    sim.running = False


EVENTS = {
    Code.RECORD: _record,
    Code.PULL: Simulation.apply_perturb,
    Code.PLACE: Simulation.place_perturb,
    Code.FORWARD: Simulation.forward,
    Code.SETTLE: Simulation.settle,
    Code.STOP: _stop,
    Code.NOISE: _noise,
    Code.BRANCH: _branch,
}


def command(options: argparse.Namespace) -> int:
    """Replay a log. The exit status is 0 if the final state is bit-identical to the recorded one, and 3 if not."""
    try:
        events, items, end = load(options.log)
        sim = replay(events, items)
    except OSError as error:
        fail(f"{options.log}: {error.strerror or error}", 1)
    except (ValueError, mj.FatalError) as error:
        fail(f"{options.log}: {error}", 1)
    m, d = sim.loaded
    now = read_state(m, d, mj.mj_stateSize(m, INTEGRATION))
    if now.shape != end.shape:
        fail(f"{options.log}: the final state has {end.size} numbers, but the model's state has {now.size}", 1)
    same = np.array_equal(now.view(np.int64), end.view(np.int64))
    steps = sum(event for event in events if event > 0)
    print(f"{steps} steps, {sum(kind == 'intent' for kind, _value in items)} intents, {float(d.time):.6g} s")
    if same:
        print("bit for bit the same as in the session")
        return 0
    where = int(np.flatnonzero(now.view(np.int64) != end.view(np.int64))[0])
    print(f"the final state differs: value {where} is {now[where]!r}, it was {end[where]!r}", file=sys.stderr)
    return 3


COMMANDS = {"replay": command}
