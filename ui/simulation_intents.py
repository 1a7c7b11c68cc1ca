"""What a person can ask of the simulation, and the base of all such requests. A panel, a key or a gesture emits one of these;
somebody else carries it out.

`target` says who: `sim` intents go in order to the thread that owns Data and are applied between steps; `view` intents are
applied by the main thread at the start of the next frame.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar


@dataclass(frozen=True)
class Intent:
    """`logged`: session logs hold it, and a log from somebody else may ask for it. So it changes the simulation and nothing
    else: no files, settings, programs or clipboard.
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
    """The decorator that puts functions for kinds of intents into a table: `@handles(Reset)` after `handles =
    entering(TABLE)`.
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
    """None toggles."""

    value: bool | None = None


@dataclass(frozen=True)
class Step(LoggedIntent):
    """Positive: forward (through recorded states first, then by stepping); negative: back in history."""

    count: int = 1


@dataclass(frozen=True)
class Scrub(LoggedIntent):
    """Go to a recorded state: 0 newest, -1 the one before."""

    position: int


@dataclass(frozen=True)
class ScrubTime(LoggedIntent):
    """Go to the recorded state whose time is nearest."""

    time: float


@dataclass(frozen=True)
class Follow(SimIntent):
    """Record these channels, as `app.recorder` reads them, and no others."""

    channels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reset(LoggedIntent):
    pass


@dataclass(frozen=True)
class SetSpeed(LoggedIntent):
    """`index` into the speed table, or a relative `notches` (negative is faster)."""

    index: int | None = None
    notches: int = 0


@dataclass(frozen=True)
class SetNoise(LoggedIntent):
    std: float | None = None
    rate: float | None = None


@dataclass(frozen=True)
class SetLoop(LoggedIntent):
    """`name`: busy_wait, pause_update, stop_unstable, ring_seconds or key (keyframe that noise pulls to)."""

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

    `path` starts with `opt.`, `vis.<group>.`, `stat.`, `m.` or `d.`; app.settable says which fields it may name. `index` is
    what numpy takes; None replaces all of it.
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
    """Derive the model's constants again after edits of its fields."""


@dataclass(frozen=True)
class ClearControls(LoggedIntent):
    pass


@dataclass(frozen=True)
class ResetJoint(LoggedIntent):
    """Back to qpos0."""

    joint: int


@dataclass(frozen=True)
class Perturb(LoggedIntent):
    """The mouse pulls: values of the perturbation's fields; `active` 0 lets go."""

    values: dict = field(default_factory=dict)


@dataclass(frozen=True)
class CopyState(SimIntent):
    """Put a keyframe element on the clipboard."""

    full: bool = False


@dataclass(frozen=True)
class SaveFile(SimIntent):
    """`kind`: xml, mjb, folder (of an imported robot), model or data (text), log (of the session), motion (the kept past).

    An empty path means the usual name in the working directory.
    """

    kind: str
    path: str = ""


@dataclass(frozen=True)
class Restore(LoggedIntent):
    """Put a whole state in place: numbers of mjSTATE_INTEGRATION."""

    state: Any


@dataclass(frozen=True)
class Together(LoggedIntent):
    """Several intents that take something back or repeat it: they are no news to the list of what was done."""

    intents: tuple = ()


@dataclass(frozen=True)
class Change(LoggedIntent):
    """Several edits that are one thing, under one title."""

    title: str
    intents: tuple = ()


@dataclass(frozen=True)
class Examine(SimIntent):
    """Have the doctor look at what was marked: the number of the mark, -1 for the last; without marks at what comes next."""

    mark: int = -1
