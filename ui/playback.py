"""Playing of recorded states: forwards or backwards at the chosen speed, over a range of the timeline, in a loop or once for a
film. The main loop advances it in every frame, while the simulation is paused.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .context import Scratch
from .intents import Intent, LoadKey, Record, Reset, Scrub, ScrubTime, SetRunning, Step

# Playing advances by at most this many seconds of wall time per picture, so that a slow picture skips little of the range.
MOST_STEP = 0.25
# Pausing takes at most this many seconds. If the simulation still runs after that, the user has started it again.
PAUSING = 0.5


@dataclass
class Playback:
    """The state of playback, and marks on the timeline. Times are in simulation seconds since the last reset.

    `rate`: 1 forwards, -1 backwards, 0 stopped. `at`: the simulation time to show. `span`: the marked range. `film`: frames per
    second of a film of the range, or 0; `shown`: its first state is on screen. `zoom`: the visible part of the states, as
    fractions. `loop`: whether playback restarts at its end; None restarts only for a marked range.
    """

    rate: float = 0.0
    at: float = 0.0
    since: float = 0.0
    loop: bool | None = None
    film: float = 0.0
    shown: bool = False
    span: tuple[float, float] | None = None
    bookmarks: list[float] = field(default_factory=list)
    zoom: tuple[float, float] = (0.0, 1.0)

    @property
    def loops(self) -> bool:
        """Whether playing restarts from the beginning at its end."""
        return self.span is not None if self.loop is None else self.loop

    def clear(self) -> None:
        """Forget everything, because another model is shown."""
        self.rate, self.film, self.span, self.zoom = 0.0, 0.0, None, (0.0, 1.0)
        self.bookmarks.clear()


def ends(state: Playback, status: Any) -> tuple[float, float]:
    """Return first and last time to play: the marked range, or everything since the last reset."""
    first, last = status.span
    if state.span is None:
        return first, last
    return max(first, state.span[0]), min(last, state.span[1])


def time_of(status: Any, position: int) -> float:
    """Return the time of a recorded state. For a state before the last reset, return the first time after the reset."""
    first, last = status.span
    return last + (last - first) * max(position, 1 - status.run) / max(1, status.run - 1)


def position_of(status: Any, time: float) -> int:
    """Return the recorded state at a time: 0 is the newest, -1 the state before it."""
    first, last = status.span
    if last <= first:
        return 0
    return min(0, max(1 - status.run, round((time - last) / (last - first) * (status.run - 1))))


def start(scratch: Scratch, status: Any, rate: float, now: float, film: float = 0.0) -> bool:
    """Start playing, or stop if it plays in this direction already. Return False if nothing has been recorded."""
    state = scratch.of(Playback)
    if status.run < 2:
        return False
    if state.rate == rate and not film:
        state.rate = 0.0
        return True
    first, last = ends(state, status)
    at = time_of(status, status.position)
    edge = last if rate > 0 else first
    inside = first <= at <= last and abs(at - edge) > 1e-9 and not film
    state.rate, state.film, state.since, state.shown = rate, film, now, False
    state.at = at if inside else first if rate > 0 else last
    return True


def advance(scratch: Scratch, status: Any, now: float, speed: float, ready: bool) -> list[Intent]:
    """Return the requests that show the state that is due. `ready`: a film is being recorded and needs no frame now."""
    state = scratch.of(Playback)
    if not state.rate:
        return []
    first, last = ends(state, status)
    if status.running or last <= first:
        # The simulation is still pausing, or the user has started it again.
        return stop(state) if last <= first or now - state.since > PAUSING else []

    if state.film and not state.shown:
        # The film begins once its first state is on screen.
        state.shown = True
        return [ScrubTime(state.at), Record(True)]
    if state.film and not ready:
        return []

    state.at += 1.0 / state.film if state.film else state.rate * speed * min(now - state.since, MOST_STEP)
    state.since = now
    if not first <= state.at <= last:
        if state.film:
            return stop(state)
        if not state.loops:
            # Stop exactly at the end of the range, even if pictures are far apart in time.
            edge = last if state.rate > 0 else first
            return [ScrubTime(edge), *stop(state)]
        state.at = first if state.rate > 0 else last
    return [ScrubTime(state.at)]


def heard(scratch: Scratch, intent: Intent, queue: list[Intent]) -> bool:
    """Stop playing if the user goes to another state or presses the run/pause key; that key then does not start the simulation.
    Append the request that ends a film to the queue. Return whether the request needs no other handling.
    """
    state = scratch.of(Playback)
    paused = bool(state.rate) and isinstance(intent, SetRunning) and intent.value is None
    if paused or isinstance(intent, Scrub | Step | Reset | LoadKey):
        queue += stop(state)
    return paused


def stop(state: Playback) -> list[Intent]:
    """Stop playing; return the request that ends a film of the range."""
    film, state.rate, state.film = state.film, 0.0, 0.0
    return [Record(False)] if film else []
