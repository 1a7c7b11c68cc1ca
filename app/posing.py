"""Posing mode: no gravity, no springs, and a viscous medium, so that a body stays where it was pulled to.

The mode changes options of the running model. At its end, it sets them back to what they were.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import engine as mj

# Forces that are off in this mode, and the viscosity that it adds, in Pa s.
OFF = int(mj.mjtDisableBit.mjDSBL_GRAVITY) | int(mj.mjtDisableBit.mjDSBL_SPRING)
VISCOSITY = 10.0


@dataclass(frozen=True)
class Posing:
    """The options before the mode began: which of the forces were off, and the viscosity."""

    off: int
    viscosity: float


def begin(m: Any) -> Posing:
    """Set the options of the mode."""
    before = Posing(int(m.opt.disableflags) & OFF, float(m.opt.viscosity))
    m.opt.disableflags |= OFF
    m.opt.viscosity = before.viscosity + VISCOSITY
    return before


def end(m: Any, before: Posing) -> None:
    """Set the options back. A viscosity that the user set during the mode stays."""
    m.opt.disableflags = int(m.opt.disableflags) & ~OFF | before.off
    if m.opt.viscosity == before.viscosity + VISCOSITY:
        m.opt.viscosity = before.viscosity
