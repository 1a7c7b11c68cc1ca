"""Requests of the user to the simulation, and the base class of all requests. Panels, keys and gestures emit requests; other
modules apply them.

`target` names the receiver. `sim` intents go in order to the thread that owns Data, and are applied between steps. `view`
intents are applied by the main thread at the start of the next frame.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar


@dataclass(frozen=True)
class Intent:
    """A request. `logged`: session logs may contain it, even logs from untrusted sources, so it must change only the
    simulation: no files, settings, programs or clipboard.
    """

    target: ClassVar[str] = "view"
    logged: ClassVar[bool] = False


@dataclass(frozen=True)
class SimIntent(Intent):
    target: ClassVar[str] = "sim"


@dataclass(frozen=True)
class LoggedIntent(SimIntent):
    logged: ClassVar[bool] = True


def entering(table: dict[type, Any]) -> Callable[[type], Callable]:
    """Return a decorator that enters a function in a table, under a type of intent. Example: `handles = entering(TABLE)`, then
    `@handles(Reset)` before a function.
    """

    def of_kind(kind: type) -> Callable:
        def put(function: Callable) -> Callable:
            table[kind] = function
            return function

        return put

    return of_kind


# --- running -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SetRunning(LoggedIntent):
    """Run or pause; None toggles."""

    value: bool | None = None


@dataclass(frozen=True)
class Step(LoggedIntent):
    """Step: a positive count goes forward (first through recorded states, then by stepping), a negative one goes back in
    history."""

    count: int = 1


@dataclass(frozen=True)
class Scrub(LoggedIntent):
    """Go to a recorded state: 0 is the newest, -1 the state before it."""

    position: int


@dataclass(frozen=True)
class ScrubTime(LoggedIntent):
    """Go to the recorded state nearest in time."""

    time: float


@dataclass(frozen=True)
class Follow(SimIntent):
    """Record exactly these channels, given in the notation of `app.recorder`."""

    channels: tuple[str, ...] = ()


@dataclass(frozen=True)
class FillHistory(SimIntent):
    """Replace the recorded states by those of a recording: rows of mjSTATE_INTEGRATION, oldest first."""

    states: Any


@dataclass(frozen=True)
class Reset(LoggedIntent):
    pass


@dataclass(frozen=True)
class SetSpeed(LoggedIntent):
    """Set the speed: an `index` into the speed table, or a relative number of `notches` (negative is faster)."""

    index: int | None = None
    notches: int = 0


@dataclass(frozen=True)
class SetNoise(LoggedIntent):
    std: float | None = None
    rate: float | None = None


@dataclass(frozen=True)
class SetLoop(LoggedIntent):
    """Set an option of the loop. `name`: busy_wait, pause_update, stop_unstable, puppet, posing, mark_contacts,
    ring_seconds or key (keyframe for noise). None toggles a switch.
    """

    name: str
    value: Any


@dataclass(frozen=True)
class LoadKey(LoggedIntent):
    key: int


@dataclass(frozen=True)
class SaveKey(LoggedIntent):
    key: int


# --- editing the simulation --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SetField(LoggedIntent):
    """Write `value` at `index` of a named array or scalar.

    `path` starts with `opt.`, `vis.<group>.`, `stat.`, `m.` or `d.`; app.settable says which fields are allowed. `index` is
    a numpy index; None replaces the whole field.
    """

    path: str
    value: Any
    index: Any = None


FLAG_FIELDS = ("disableflags", "enableflags", "disableactuator")


@dataclass(frozen=True)
class SetBit(LoggedIntent):
    """Set or clear one bit of a field of `opt` that holds flags (FLAG_FIELDS)."""

    name: str
    bit: int
    value: bool


@dataclass(frozen=True)
class Recompute(LoggedIntent):
    """Recompute the model's derived constants after edits of its fields."""


@dataclass(frozen=True)
class ClearControls(LoggedIntent):
    pass


@dataclass(frozen=True)
class ResetJoint(LoggedIntent):
    """Reset a joint to qpos0."""

    joint: int


@dataclass(frozen=True)
class Perturb(LoggedIntent):
    """Pull with the mouse. `values`: the perturbation's fields, of which `active` 0 ends the pull. `still`: the pull ends
    without having moved, so it was only a click.
    """

    values: dict = field(default_factory=dict)
    still: bool = False


@dataclass(frozen=True)
class CopyState(SimIntent):
    """Copy a keyframe element to the clipboard."""

    full: bool = False


@dataclass(frozen=True)
class SaveFile(SimIntent):
    """Save a file. `kind`: xml, mjb, folder (imported robot), model or data (text), log (of the session), motion (recorded
    states).

    An empty path means the usual name in the working directory. `span`: first and last time of a motion, since the last reset.
    """

    kind: str
    path: str = ""
    span: tuple[float, float] | None = None


@dataclass(frozen=True)
class Restore(LoggedIntent):
    """Restore a whole state: an mjSTATE_INTEGRATION vector."""

    state: Any


@dataclass(frozen=True)
class Together(LoggedIntent):
    """Apply several intents of an undo or redo, without a new entry in the undo history."""

    intents: tuple = ()


@dataclass(frozen=True)
class Change(LoggedIntent):
    """Apply several edits as one action with one title."""

    title: str
    intents: tuple = ()


@dataclass(frozen=True)
class Examine(SimIntent):
    """Let the doctor examine a mark, given by its index (-1 for the last). Without marks, it examines the current state and
    what follows."""

    mark: int = -1
