"""The renderer's own copy of Data: copied once a frame under the lock, then read on this thread without it."""

from __future__ import annotations

from typing import Any

from .. import engine as mj
from .lock import HoldMeter
from .simulation import Simulation

# Longer than a slice of steps. While kernels compile, the lock may be held for seconds, and the old picture is shown.
PATIENCE = 0.004


class Snapshot:
    """The copy; `m` and `d` belong to the renderer, and are None before the first model."""

    def __init__(self) -> None:
        self.m: Any = None
        self.d: Any = None
        self.meter = HoldMeter()
        self.missed = 0

    def adopt(self, m: Any, d: Any) -> None:
        """Use a new model; `d` is a separate Data for the renderer."""
        self.m, self.d = m, d

    def take(self, sim: Simulation) -> bool:
        """Copy the simulation's Data. Return False if the lock was not available in time, or the models differ."""
        if self.m is None:
            return False
        asked = self.meter.now()
        with sim.lock.urgent(PATIENCE) as held:
            if not held:
                self.missed += 1
                return False
            got = self.meter.now()
            same = sim.m is self.m and sim.d is not None
            if same:
                mj.mj_copyData(self.d, *sim.loaded)
            done = self.meter.now()
        self.meter.add(asked, got, done)
        return same
