"""Shows session logs and motions on the timeline. A thread replays a log; then its model and states are shown."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import engine as mj
from ..ui import intents as I
from .loading import Loaded
from .logbook import load
from .parts import Parts
from .replay import replay
from .state_history import INTEGRATION, read_state
from .trajectory import Trajectory

# Maximum number of states into which a motion is converted.
MOST_STATES = 2000


@dataclass
class Repeating:
    """The replay of a session log. After its end, this object contains the model, the states and the last Data, or the reason
    why the replay failed.
    """

    path: str = ""
    thread: threading.Thread | None = None
    found: tuple[Any, np.ndarray, Any] | None = None
    error: str = ""
    begin: float = 0.0
    # stops the replay, which may take forever
    stop: threading.Event = field(default_factory=threading.Event)

    def run(self, path: str, stop: threading.Event) -> None:
        """Replay the session."""
        found, reason = None, ""
        try:
            events, items, _end = load(path)
            sim = replay(events, items, stop.is_set)
            assert sim.history is not None
            found = sim.m, sim.history.states(), sim.d
        except (ValueError, OSError, MemoryError, mj.FatalError) as error:
            reason = str(error) or type(error).__name__
        if not stop.is_set():
            self.found, self.error = found, reason


def open_log(s: Parts, path: str) -> None:
    """Start to replay a session log, and stop the replay of another one."""
    if s.host.passive:
        return
    state = s.scratch.of(Repeating)
    state.stop.set()
    state.path, state.found, state.error, state.begin = os.path.abspath(path), None, "", time.perf_counter()
    state.stop = threading.Event()
    state.thread = threading.Thread(target=state.run, args=(state.path, state.stop), name="session log", daemon=True)
    state.thread.start()
    s.messages.note("info", f"Repeating the session in {os.path.basename(path)}", show=True)


def follow(s: Parts) -> None:
    """Show the session when its replay has ended."""
    state = s.scratch.of(Repeating)
    if state.thread is None or state.thread.is_alive():
        return
    state.thread, found, name = None, state.found, os.path.basename(state.path)
    if found is None:
        s.messages.note("error", f"{name}: {state.error}", show=True)
        return
    m, states, d = found
    seconds = time.perf_counter() - state.begin
    s.document.loaded(Loaded(state.path, m, d, mj.MjData(m), seconds, (state.path,), False))
    s.host.post(I.FillHistory(states))
    s.messages.note("info", f"{name} is on the timeline: {len(states)} states; to play them, use its menu", show=True)


def states_of(m: mj.MjModel, motion: Trajectory) -> np.ndarray:
    """Convert a motion to states, at most MOST_STATES of them. Their times start at 0."""
    d, size = mj.MjData(m), mj.mj_stateSize(m, INTEGRATION)
    rows = np.unique(np.linspace(0, len(motion) - 1, min(len(motion), MOST_STATES)).round().astype(int))
    out = np.empty((len(rows), size))
    for row, k in enumerate(rows.tolist()):
        d.time = float(motion.time[k] - motion.time[0])
        motion.put(d, d.time, False)
        out[row] = read_state(m, d, size)
    return out


def on_timeline(s: Parts, index: int) -> None:
    """Put a motion on the timeline, in place of the recorded states."""
    m, ghosts = s.view.m, s.view.ghosts
    if m is None or ghosts is None or s.host.passive or not 0 <= index < len(ghosts.rows):
        return
    motion = ghosts.rows[index].motion
    s.host.post(I.FillHistory(states_of(m, motion)))
    s.messages.note("info", f"{motion.name} is on the timeline", show=True)
