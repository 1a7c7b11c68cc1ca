"""Reads and fills the histories of controls and sensors, which later releases added."""

import numpy as np

from ..core.data import MjData
from ..core.model import MjModel
from ..core.report import FatalError
from ..machine.interpret import plain
from ..sense.history import read
from ..tables.consts import HISTORY_HEAD
from .signature import public, require

_read = plain(read)


def _sample(
    m: MjModel, d: MjData, kind: str, i: int, dim: int, now: np.ndarray, time: float, result: np.ndarray, interp: int
) -> np.ndarray:
    """Return the value at the given time minus the delay. Return the current value if there is no history."""
    require(0 <= i < len(getattr(m, f"{kind}_delay")), f"{kind} id out of range")
    require(result.size == dim, f"result should have length {'actuator_ctrlnum' if kind == 'actuator' else 'sensor_dim'}[id]")
    samples, how = getattr(m, f"{kind}_history")[i].tolist()
    if samples <= 0:
        return now.copy()

    # read from the ring buffer
    at = int(m.npluginstate - m.nplastic - m.nhistory + getattr(m, f"{kind}_historyadr")[i])
    found = np.empty(dim)
    exact = _read(
        d.plugin_state,
        at,
        samples,
        dim,
        how if interp == -1 else interp,
        time - float(getattr(m, f"{kind}_delay")[i]),
        found,
        0,
    )
    if exact:
        return found
    result[:] = found
    return result


def _controls(m: MjModel, d: MjData, i: int) -> tuple[int, np.ndarray]:
    """Return (number of controls, their current values) of an actuator."""
    require(0 <= i < m.nactuator, "actuator id out of range")
    dim, start = int(m.actuator_ctrlnum[i]), int(m.actuator_ctrladr[i])
    return dim, d.ctrl[start : start + dim]


@public("m d id:i time:f result:V(ctrlnum)! interp:i", "numpy.ndarray")
def mj_readCtrl(m, d, id, time, result, interp):
    """Return the controls (ctrlnum,) of an actuator at the given time minus its delay. They come from its history, or from ctrl
    if it has none (since 3.5). TypeError if the actuator does not exist.

    time: in seconds
    result: receives interpolated values, and is then returned
    interp: 0 the last sample, 1 linear, 2 cubic, -1 the actuator's setting
    """
    dim, now = _controls(m, d, id)
    return _sample(m, d, "actuator", id, dim, now, time, result, interp)


@public("m d id:i time:f result:V(sensor_dim)! interp:i", "numpy.ndarray")
def mj_readSensor(m, d, id, time, result, interp):
    """Return the values (sensor_dim,) of a sensor at the given time minus its delay. They come from its history, or from
    sensordata if it has none (since 3.5). TypeError if the sensor does not exist.

    time: in seconds
    result: receives interpolated values, and is then returned
    interp: 0 the last sample, 1 linear, 2 cubic, -1 the sensor's setting
    """
    require(0 <= id < m.nsensor, "sensor id out of range")
    dim, start = int(m.sensor_dim[id]), int(m.sensor_adr[id])
    return _sample(m, d, "sensor", id, dim, d.sensordata[start : start + dim], time, result, interp)


def _fill(m: MjModel, d: MjData, kind: str, i: int, dim: int, times: np.ndarray | None, values: np.ndarray, label: str) -> int:
    """Write a history's times and samples, oldest first; return its index in MjData.history."""
    # check the arguments
    require(0 <= i < len(getattr(m, f"{kind}_delay")), f"{kind} id out of range")
    samples = int(getattr(m, f"{kind}_history")[i, 0])
    require(times is None or times.size == samples, f"times should have length {kind}_history[2*id]")
    require(values.shape == (samples, dim), f"values should have shape ({kind}_history[2*id], {label}[id])")
    if times is not None and (np.diff(times) <= 0).any():
        k = int(np.argmax(np.diff(times) <= 0))
        raise FatalError(
            "mju_historyInit: times must be strictly increasing, "
            f"got times[{k}]={times[k]:g} >= times[{k + 1}]={times[k + 1]:g}"
        )
    if samples <= 0:
        raise FatalError(f"{kind} {i} has no history buffer")

    # write in the order of the ring buffer
    start = int(getattr(m, f"{kind}_historyadr")[i])
    part = d.history[start : start + HISTORY_HEAD + samples * (1 + dim)]
    order = (int(part[1]) + 1 + np.arange(samples)) % samples
    if times is not None:
        part[HISTORY_HEAD + order] = times
    part[HISTORY_HEAD + samples :].reshape(samples, dim)[order] = values
    return start


@public("m d id:i times:V(nsample)? values:M(nsample,ctrlnum)")
def mj_initCtrlHistory(m, d, id, times, values):
    """Fill an actuator's history (since 3.5). FatalError if it has no history, or if times do not increase.

    times: in seconds, oldest first; None keeps them
    values: controls at these times
    """
    _fill(m, d, "actuator", id, _controls(m, d, id)[0], times, values, "actuator_ctrlnum")


@public("m d id:i times:V(nsample)? values:M(nsample,sensor_dim) phase:f")
def mj_initSensorHistory(m, d, id, times, values, phase):
    """Fill a sensor's history (since 3.5). FatalError if it has no history, or if times do not increase.

    times: in seconds, oldest first; None keeps them
    values: the sensor's values at these times
    phase: last sampling time in seconds
    """
    require(0 <= id < m.nsensor, "sensor id out of range")
    start = _fill(m, d, "sensor", id, int(m.sensor_dim[id]), times, values, "sensor_dim")
    d.history[start] = phase


__all__ = ["mj_initCtrlHistory", "mj_initSensorHistory", "mj_readCtrl", "mj_readSensor"]
