"""Small structs under their public names, and functions that fill them with defaults."""

from typing import Any

import numpy as np

from ..core.options import MjOption, MjVisual
from ..core.records import MjContact, MjLROpt, MjSolverStat, MjTimerStat, MjWarningStat
from ..tables.enums import mjtLRMode
from .signature import public

MjVisualHeadlight, MjVisualRgba = MjVisual.Headlight, MjVisual.Rgba
SOLREF, SOLIMP = (0.02, 1.0), (0.9, 0.95, 0.001, 0.5, 2.0)


def _need(function: str, x: Any, cls) -> None:
    """Raise TypeError unless an argument has the right class."""
    if not isinstance(x, cls):
        raise TypeError(f"{function}(): incompatible function arguments: needs {cls.__name__}, got {type(x).__name__}")


@public("opt:o")
def mj_defaultOption(opt):
    """Set options to their defaults."""
    _need("mj_defaultOption", opt, MjOption)
    opt.copy_from(MjOption())


@public("vis:o")
def mj_defaultVisual(vis):
    """Set visual options to their defaults."""
    _need("mj_defaultVisual", vis, MjVisual)
    vis.copy_from(MjVisual())


@public("opt:o")
def mj_defaultLROpt(opt):
    """Set options of length range computation to their defaults."""
    _need("mj_defaultLROpt", opt, MjLROpt)
    for name, value in (
        ("mode", mjtLRMode.mjLRMODE_MUSCLE),
        ("useexisting", 1),
        ("uselimit", 0),
        ("accel", 20),
        ("maxforce", 0),
        ("timeconst", 1),
        ("timestep", 0.01),
        ("inttotal", 10),
        ("interval", 2),
        ("tolrange", 0.05),
    ):
        setattr(opt, name, value)


@public("solref:o solimp:o")
def mj_defaultSolRefImp(solref, solimp):
    """Set the given arrays to the default solver parameters.

    solref: float64 (2), written: time constant in seconds, damping ratio; None if you do not need it
    solimp: float64 (5), written; None if you do not need it
    """
    for name, x, value in (("solref", solref, SOLREF), ("solimp", solimp, SOLIMP)):
        if x is None:
            continue
        if not isinstance(x, np.ndarray) or x.shape != (len(value),):
            raise TypeError(
                f"mj_defaultSolRefImp(): incompatible function arguments: {name} needs an array of {len(value)} numbers"
            )
        x[:] = value


__all__ = [
    "MjContact",
    "MjLROpt",
    "MjSolverStat",
    "MjTimerStat",
    "MjVisualHeadlight",
    "MjVisualRgba",
    "MjWarningStat",
    "mj_defaultLROpt",
    "mj_defaultOption",
    "mj_defaultSolRefImp",
    "mj_defaultVisual",
]
