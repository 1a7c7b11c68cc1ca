"""Copies the model of a spec that is compiled repeatedly without edits, as some environments do at each reset.

    compilation    1st    2nd    3rd                4th                                 5th
                   -      -      store the state    same state: store a copy as well    same state: return a copy of the copy

If scripts edit the spec between its compilations, its state is looked at only now and then.
"""

from collections.abc import Sequence
from typing import Any

from ...core.model import MjModel
from ..elements.spec import MjSpec
from ..elements.state import state_of
from ..files.repeatable import has_other_inputs, is_copyable
from ..files.resources import unchanged

# how many compilations after the first one are not looked at; most specs are compiled once or twice
FEW = 1
# after this many edits in a row, the next 2, 4, 8 ... compilations are not looked at
PATIENT, LONGEST = 2, 64


class Repeated:
    """What is stored for a spec. `skip`: number of compilations that are not looked at; `edits`: of those in a row that found
    another state."""

    __slots__ = ("edits", "model", "seen", "skip", "state")

    def __init__(self) -> None:
        self.state: tuple | None = None
        self.model: MjModel | None = None
        self.seen: Sequence[tuple[str, Any]] = ()
        self.edits, self.skip = 0, FEW


def begin(spec: MjSpec) -> tuple | None:
    """Return the state of a spec that is about to be compiled; None at its first compilation, or if its model may depend on
    anything else."""
    kept = spec.repeated
    if kept is None:
        spec.repeated = Repeated()
        return None
    if has_other_inputs():
        kept.state = kept.model = None
        return None
    if kept.skip:
        kept.skip -= 1
        return None
    return state_of(spec)


def known(spec: MjSpec, state: tuple | None) -> MjModel | None:
    """Return a copy of the model that a spec in this state was compiled to, or None."""
    kept = spec.repeated
    if state is None or kept.model is None or kept.state != state or not unchanged(kept.seen):
        return None
    return kept.model.__copy__()


def remember(spec: MjSpec, state: tuple | None, m: MjModel, seen: Sequence[tuple[str, Any]] | None) -> None:
    """Record that a spec in this state was compiled. `seen`: as in `is_copyable`."""
    if state is None:
        return
    kept = spec.repeated
    if kept.state != state:
        kept.state, kept.model, kept.edits = state, None, kept.edits + 1
        if kept.edits > PATIENT:
            kept.skip = min(LONGEST, 2 ** (kept.edits - PATIENT))
    elif is_copyable(m, seen):
        kept.model, kept.seen, kept.edits = m.__copy__(), seen or (), 0
        kept.model.storage.held = None
