"""Finds length ranges of actuators by simulation: pulls in both directions until the actuator's length settles."""

from math import sqrt
from typing import Any

import numpy as np

from ..core import stages
from ..core.data import MjData
from ..core.model import MjModel
from ..core.report import FatalError
from ..core.stages import run
from ..dynamics.inertia import solve
from ..machine.jit import kernel, stage
from ..machine.lang import array_at
from ..tables import actuator_rows
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtLRMode, mjtTrn
from ..tables.stage_rows import stage_id

JOINTS = mjtTrn.mjTRN_JOINT, mjtTrn.mjTRN_JOINTINPARENT
SHORTEST_TIME = 0.01
STEP1, STEP2 = stage_id("step1"), stage_id("step2")

# Numbers of a pull: time limit, time when measuring begins, factor by which velocities decay in a step, signed acceleration,
# largest force, shortest and longest length, time before the step, phase of the step.
LIMIT, MEASURED, DECAY, ACCELERATION, MOST_FORCE, LOW, HIGH, TIME, PHASE, COUNT = range(10)
# Phases of a step: before the step, velocities have decayed, force is set. UNSTABLE: the simulation was reset.
BEGIN, POSED, PULLED, UNSTABLE = range(4)


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


@stage("vMDii")
def length_pulls(m, d, index, record):
    """writes qfrc_applied and qvel. Make steps until the time limit, each under a force along the actuator's moment that gives
    opt.accel.

    `record`: the address of COUNT numbers (see LIMIT), followed by nv numbers of scratch. PHASE says where a repeated call
    resumes, because each interrupted step must resume after the part that changed the state.
    """
    r, x = array_at(record, COUNT), array_at(record + 8 * COUNT, m.nv)
    row = m.actuator_outadr[index]
    while True:
        if r[PHASE] == BEGIN:
            if d.time >= r[LIMIT]:
                return
            r[TIME] = d.time
            for i in range(m.nv):
                d.qvel[i] *= r[DECAY]
            r[PHASE] = POSED

        if r[PHASE] == POSED:
            if not run(m, d, STEP1):
                return
            set_pull(m, d, row, r, x)
            r[PHASE] = PULLED

        if not run(m, d, STEP2):
            return
        # If NaN or huge values have caused a reset, the time has returned to 0.
        if not d.time > r[TIME]:
            r[PHASE] = UNSTABLE
            return
        r[PHASE] = BEGIN

        length = d.actuator_length[row]
        if d.time > r[MEASURED]:
            r[LOW], r[HIGH] = min(r[LOW], length), max(r[HIGH], length)


@kernel
def set_pull(m, d, row, r, x):
    """writes qfrc_applied: along a transmission's moment, scaled to the pull's acceleration, limited to its largest force."""
    start = d.moment_rowadr[row]
    end = start + d.moment_rownnz[row]
    for i in range(m.nv):
        x[i] = d.qfrc_applied[i] = 0.0
    for a in range(start, end):
        x[d.moment_colind[a]] = d.actuator_moment[a]
    solve(m, d, x, 0, d.qLD, d.qLDiagInv, False)

    squares = arms = 0.0
    for i in range(m.nv):
        squares += x[i] * x[i]
    for a in range(start, end):
        arms += d.actuator_moment[a] * d.actuator_moment[a]
    scale = r[ACCELERATION] / max(mjMINVAL, sqrt(squares))
    size = abs(scale) * sqrt(arms)
    if 0 < r[MOST_FORCE] < size:
        scale *= r[MOST_FORCE] / max(mjMINVAL, size)
    for a in range(start, end):
        d.qfrc_applied[d.moment_colind[a]] = scale * d.actuator_moment[a]


def pull(m: MjModel, sign: float, opt: Any) -> np.ndarray:
    """Return the initial numbers of a pull in the direction of `sign` (see `length_pulls`)."""
    r = np.zeros(COUNT + m.nv)
    r[LIMIT], r[MEASURED] = opt.inttotal, opt.inttotal - opt.interval
    r[DECAY] = np.exp(-m.opt.timestep / max(SHORTEST_TIME, opt.timeconst))
    r[ACCELERATION], r[MOST_FORCE] = sign * opt.accel, opt.maxforce
    r[LOW], r[HIGH] = np.inf, -np.inf
    return r


def settle(m: MjModel, d: MjData, index: int, sign: float, opt: Any) -> tuple[float, float]:
    """Return the (shortest, longest) length in the last interval of a pull."""
    stages.call("reset_data", m, d)
    r = pull(m, sign, opt)
    stages.call("length_pulls", m, d, index, r.ctypes.data)
    if r[PHASE] == UNSTABLE:
        raise FatalError(f"Unstable lengthrange simulation in actuator {index}")
    return (float(r[LOW]), float(r[HIGH])) if r[LOW] <= r[HIGH] else (0.0, 0.0)


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
