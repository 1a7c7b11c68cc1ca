"""The renderer's own copy of Data. Once per frame it is updated under the lock, then read by the renderer's thread without the
lock.
"""

from __future__ import annotations

from typing import Any

from .. import engine as mj
from .lock import HoldMeter
from .simulation import Simulation

# Seconds to wait for the lock, longer than a slice of steps. While kernels compile, the lock may be held for seconds; then the
# old picture is shown.
PATIENCE = 0.004


class Snapshot:
    """A copy of the simulation's Data. `m` and `d` belong to the renderer; they are None before the first model."""

    def __init__(self) -> None:
        self.m: Any = None
        self.d: Any = None
        self.meter = HoldMeter()
        self.missed = 0

    def adopt(self, m: Any, d: Any) -> None:
        """Use a new model. `d` is a separate Data, only for the renderer."""
        self.m, self.d = m, d

    def take(self, sim: Simulation) -> bool:
        """Copy the simulation's Data. Return False if the lock was not available in time, or if the simulation has another
        model.
        """
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
