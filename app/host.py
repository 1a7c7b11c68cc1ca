"""The interface of a host, which steps the simulation of a session: either the physics thread, or a script's own loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from .. import engine as mj
from ..ui.intents import Intent
from .channels import Queue, Slot
from .simulation import Simulation, Status
from .transfer import Report

# A function that transfers the state of an old model and its Data to a new model and its Data.
Carry = Callable[[mj.MjModel, mj.MjData, mj.MjModel, mj.MjData], Report]


class Host(Protocol):
    """Steps a simulation. `passive`: a script makes the steps. The window copies Data from `sim` under its lock, and reads
    `status` without the lock.
    """

    passive: bool
    sim: Simulation
    inbox: Queue[Any]
    replies: Queue[tuple[str, Any]]
    status: Slot[Status]

    @property
    def waiting(self) -> bool:
        """Whether a script steps this simulation, but has not called for a while."""
        ...

    def post(self, intent: Intent) -> None:
        """Queue an intent; it is applied between steps."""

    def follow(self, seconds: float) -> None:
        """Wait until all posted intents are applied, but at most `seconds`. Do not wait for a script, which steps when it
        chooses.
        """

    def relax(self, on: bool) -> None:
        """If `on`, step in fewer, longer bursts, because the window is not visible. This has no effect on scripts."""

    def swap(self, m: mj.MjModel, d: mj.MjData | None, running: bool | None, carry: Carry | None) -> None:
        """Replace the model by a compiled one; the reply ("swapped", report) confirms it."""

    def stop(self) -> bool:
        """Stop stepping. Return False if the physics thread is stuck."""
        ...
