"""Host: steps the simulation of a session, either as the physics thread or as a script's own loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from .. import engine as mj
from ..ui.intents import Intent
from .channels import Queue, Slot
from .simulation import Simulation, Status
from .transfer import Report

# Carries a state from an old model and its Data over to new ones.
Carry = Callable[[mj.MjModel, mj.MjData, mj.MjModel, mj.MjData], Report]


class Host(Protocol):
    """Steps a simulation. `passive`: a script steps. The window copies `sim` under its lock, and reads `status` without it."""

    passive: bool
    sim: Simulation
    inbox: Queue[Any]
    replies: Queue[tuple[str, Any]]
    status: Slot[Status]

    @property
    def waiting(self) -> bool:
        """Whether a script that steps has not called for a while."""
        ...

    def post(self, intent: Intent) -> None:
        """Queue an intent; it is applied between steps."""

    def follow(self, seconds: float) -> None:
        """Wait until all posted intents are applied, at most this long. Scripts are not waited for, because they step when they
        choose.
        """

    def swap(self, m: mj.MjModel, d: mj.MjData | None, running: bool | None, carry: Carry | None) -> None:
        """Show a compiled model; the reply ("swapped", report) confirms it."""

    def stop(self) -> bool:
        """Stop stepping. Return False if the thread is stuck."""
        ...
