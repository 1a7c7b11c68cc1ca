"""What a session shows: somebody who steps a simulation, be it the physics thread or a script's own loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from .. import engine as mj
from ..ui.intents import Intent
from .channels import Queue, Slot
from .simulation import Simulation, Status
from .transfer import Report

# carries a state from an old model and its Data over to new ones
Carry = Callable[[mj.MjModel, mj.MjData, mj.MjModel, mj.MjData], Report]


class Host(Protocol):
    """`passive`: a script steps. The window copies from `sim` under its lock, and reads `status` without it."""

    passive: bool
    sim: Simulation
    inbox: Queue[Any]
    replies: Queue[tuple[str, Any]]
    status: Slot[Status]

    @property
    def waiting(self) -> bool:
        """A script that steps has not been heard of for a while."""
        ...

    def post(self, intent: Intent) -> None:
        """Queue an intent; it is applied between steps."""

    def follow(self, seconds: float) -> None:
        """Wait until all that was posted has been done, at most so long; not for a script, which has a pace of its own."""

    def swap(self, m: mj.MjModel, d: mj.MjData | None, running: bool | None, carry: Carry | None) -> None:
        """Show a model that was compiled aside; the reply ("swapped", report) says when it has happened."""

    def stop(self) -> bool:
        """End it; False if it is stuck."""
        ...
