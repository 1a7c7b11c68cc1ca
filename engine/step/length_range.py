"""Finds length ranges of actuators by simulation: pulls in both directions until the actuator's length settles."""

from typing import Any

import numpy as np

from ..core import stages
from ..core.data import MjData
from ..core.model import MjModel
from ..core.report import FatalError
from ..tables import actuator_rows
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtLRMode, mjtTrn

JOINTS = mjtTrn.mjTRN_JOINT, mjtTrn.mjTRN_JOINTINPARENT
SHORTEST_TIME = 0.01


def wanted(m: MjModel, index: int, mode: Any) -> bool:
    """Return whether the mode (mjtLRMode) includes the type of an actuator."""
    muscle, user = (actuator_rows.either(m, trait)[index] for trait in ("muscle", "user"))
    return (
        mode == mjtLRMode.mjLRMODE_ALL
        or mode == mjtLRMode.mjLRMODE_MUSCLE
        and muscle
        or mode == mjtLRMode.mjLRMODE_MUSCLEUSER
        and (muscle or user)
    )


def limits(m: MjModel, index: int) -> np.ndarray | None:
    """Return the range of the joint or tendon that an actuator pulls, or None."""
    kind, k = m.actuator_trntype[index], m.actuator_trnid[index, 0]
    if kind in JOINTS and m.jnt_limited[k]:
        return m.jnt_range[k]
    if kind == mjtTrn.mjTRN_TENDON and m.tendon_limited[k]:
        return m.tendon_range[k]
    return None


def pull(m: MjModel, d: MjData, index: int, sign: float, opt: Any) -> float:
    """Make a step under a force along the actuator's moment, scaled so that the acceleration has the magnitude opt.accel.
    Return the length before the step.
    """
    d.qvel[:] *= np.exp(-m.opt.timestep / max(SHORTEST_TIME, opt.timeconst))
    stages.call("step1", m, d)
    moment = d.actuator(index).moment
    acceleration = moment.copy()
    stages.call("solve_inertia", m, d, acceleration.ctypes.data, 1)
    force = moment * (sign * opt.accel / max(mjMINVAL, float(np.linalg.norm(acceleration))))
    size = float(np.linalg.norm(force))
    if 0 < opt.maxforce < size:
        force *= opt.maxforce / max(mjMINVAL, size)
    d.qfrc_applied[:] = force
    stages.call("step2", m, d)
    return float(d.actuator_length[m.actuator_outadr[index]])


def settle(m: MjModel, d: MjData, index: int, sign: float, opt: Any) -> tuple[float, float]:
    """Return the (shortest, longest) length in the last interval of a pull."""
    stages.call("reset_data", m, d)
    low = high = 0.0
    seen = False
    while d.time < opt.inttotal:
        before = d.time
        length = pull(m, d, index, sign, opt)
        # If NaN or huge values have caused a reset, the time has returned to 0.
        if not d.time > before:
            raise FatalError(f"Unstable lengthrange simulation in actuator {index}")
        if d.time > opt.inttotal - opt.interval:
            low, high = (min(low, length), max(high, length)) if seen else (length, length)
            seen = True
    return low, high


def set_length_range(m: MjModel, d: MjData, index: int, opt: Any) -> None:
    """Set actuator_lengthrange of one actuator, with options `opt` (MjLROpt); `d` is scratch. FatalError if no range is
    found."""
    span = m.actuator_lengthrange[m.actuator_outadr[index]]
    if not wanted(m, index, opt.mode) or opt.useexisting and span[0] < span[1]:
        return
    known = limits(m, index) if opt.uselimit else None
    if known is not None:
        span[:] = known
        return

    # Store the first limit before searching for the second, because muscle forces depend on it.
    ends = [settle(m, d, index, -1, opt)]
    span[0] = ends[0][0]
    ends.append(settle(m, d, index, 1, opt))
    span[1] = ends[1][1]

    width = span[1] - span[0]
    if width <= 0:
        raise FatalError(f"Invalid lengthrange ({span[0]:g}, {span[1]:g}) in actuator {index}")
    for low, high in ends:
        if high - low > opt.tolrange * width:
            raise FatalError(
                f"Lengthrange computation did not converge in actuator {index}:\n  eval ({low:g}, {high:g})\n"
                f"  range ({span[0]:g}, {span[1]:g})"
            )
