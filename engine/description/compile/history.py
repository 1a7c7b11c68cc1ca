"""Histories of controls and sensors: the number and length of stored samples.

adds   actuator: history; sensor: history
"""

from typing import NamedTuple

import numpy as np

from ...tables.consts import HISTORY_HEAD
from ..elements.element import Element
from ..elements.elements import compile_error
from ..elements.spec import setting
from ..language.arrays import true_rows
from .resolve import Compilation


class Histories(NamedTuple):
    """`kept`: number of values in all histories. `numbers`: `kept`, plus the sensor values that wait to enter a history."""

    kept: int
    numbers: int


def histories(c: Compilation) -> None:
    """Add the column `history`, (samples, interpolation), to actuators and sensors."""
    kept = waiting = 0
    for table, label in ((c.actuator, "actuator"), (c.sensor, "sensor")):
        if not table.n:
            continue
        table.history = np.stack([table.nsample, table.interp], 1)
        for i in true_rows((table.nsample > 0) | (table.delay > 0) | (label == "sensor" and table.interval.any(1))).tolist():
            samples, dim = max(0, int(table.nsample[i])), int((table.dim if label == "sensor" else table.ctrlnum)[i])
            _check(table.elems[i], samples, float(table.delay[i]), table.interval[i].tolist() if label == "sensor" else (0, 0))
            if not dim:
                raise compile_error(table.elems[i], "a history needs a control")
            if samples:
                kept += HISTORY_HEAD + samples * (1 + dim)
                waiting += dim if label == "sensor" else 0
    if kept and setting(c.spec, "option").timestep <= 0:
        raise compile_error(c.spec, "histories need a positive time step")
    c.histories = Histories(kept, kept + waiting)


def _check(e: Element, samples: int, delay: float, interval: list[float] | tuple[int, int]) -> None:
    """Raise an error for invalid settings of a history."""
    if delay > 0 and not samples:
        raise compile_error(e, "a delay needs a history: nsample")
    if interval[0] < 0:
        raise compile_error(e, "an interval cannot be negative")
    if interval[1] > 0:
        raise compile_error(e, "the phase of an interval cannot be positive")
    if interval[1] and interval[1] <= -interval[0]:
        raise compile_error(e, "the phase of an interval must be greater than -period")
