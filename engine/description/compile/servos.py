"""Actuators with several controls or forces: counts of both, and checks of pid servos, orientation servos and DC motors.

adds   actuator: ctrladr ctrlnum inputs outadr outnum
reads  actuator: is_ctrllimited
"""

from typing import Any

import numpy as np

from ...core.model import MjModel
from ...tables.actuator_rows import SEVERAL, TYPE, among, are, is_kind, row_of
from ..elements.element import Element
from ..elements.elements import compile_error
from ..elements.servo_shortcuts import FORCE, NO_INPUT, POS, QUAT, VEL, VOLTAGE, bits, motor_states, pid_states
from ..language.arrays import true_rows
from ..language.types import (
    AUTO,
    BALL,
    OFF,
    ON,
    TRN_BODY,
    TRN_JOINT,
    TRN_SITE,
)
from .resolve import Compilation
from .table import Table

# PRESSURE: bit (mjtCtrlInput) of the input pressure, which plain actuators accept in addition to pos and vel.
# SETPOINTS: bits of all inputs that a controller can have.
# EXPMAP: default parametrization (mjtCtrlChart) of orientations in controls.
PRESSURE, SETPOINTS, EXPMAP = 32, POS | VEL | FORCE, 1
# names of gains, biases and dynamics that occur only in servos or motors
PARTS = {"gain": ("pid", "so3", "dcmotor"), "bias": ("so3", "dcmotor"), "dyn": ("pid", "dcmotor")}


def servos(c: Compilation, a: Table) -> None:
    """Add the columns `inputs` (a resolved ctrlspec), `ctrlnum` and `outnum`. Set the number of activations where it depends on
    parameters."""
    a.inputs, a.ctrlnum, a.outnum = a.ctrlspec.copy(), np.ones(a.n, np.int64), np.ones(a.n, np.int64)
    servo = among(a, "gain", *SEVERAL)

    for i in true_rows(servo | _parts(a)).tolist():
        raw, e = {name: getattr(a, name)[i] for name in TYPE.values()}, a.elems[i]
        if a.plugin[i] is not None and a.plugin[i].raw["active"]:
            raise compile_error(e, "an actuator of a plugin cannot have the dynamics or gains of servos and motors")
        if is_kind(raw, gain="so3") != is_kind(raw, bias="so3"):
            raise compile_error(e, f"{TYPE['gain']} and {TYPE['bias']} must both be 'so3'")
        if len({is_kind(raw, **{what: "dcmotor"}) for what in TYPE}) > 1:
            raise compile_error(e, f"{TYPE['gain']}, {TYPE['bias']} and {TYPE['dyn']} must all be 'dcmotor'")
        if is_kind(raw, dyn="pid") and not is_kind(raw, gain="pid"):
            raise compile_error(e, f"{TYPE['dyn']} 'pid' requires {TYPE['gain']} 'pid'")
        row = row_of(raw, "gain")
        assert row is not None
        CHECKS[row.name](c, a, i, e, raw)
    for i in true_rows(a.ctrlspec.astype(bool) & ~servo).tolist():
        if a.ctrlspec[i] not in (POS, VEL, PRESSURE):
            raise compile_error(a.elems[i], "an actuator that is not a servo or motor has one input: pos, vel or pressure")
    a.ctrladr, a.outadr = np.cumsum(a.ctrlnum) - a.ctrlnum, np.cumsum(a.outnum) - a.outnum


def _parts(a: Table) -> np.ndarray:
    """Return a mask of actuators whose gain, bias or dynamics occurs only in servos or motors."""
    return np.any([are(a, **{what: name}) for what, names in PARTS.items() for name in names], axis=0)


def _states(a: Table, i: int, e: Element, count: int) -> None:
    """Set the number of activations of servos and motors, which depends on the parameters."""
    if a.actdim[i] > 0 and a.actdim[i] != count:
        raise compile_error(e, f"actdim is {int(a.actdim[i])}, but the parameters ask for {count} activations")
    a.actdim[i] = count


def _pid(c: Compilation, a: Table, i: int, e: Element, raw: dict[str, Any]) -> None:
    inputs = a.inputs[i] = a.ctrlspec[i] or POS | VEL
    states = is_kind(raw, dyn="pid")

    # check that the types of gain, bias and dynamics fit together
    if not is_kind(raw, bias="affine"):
        raise compile_error(e, "a pid servo needs biastype 'affine'")
    if not states and not is_kind(raw, dyn="none"):
        raise compile_error(e, "a pid servo needs dyntype 'none' or 'pid'")
    if not states and a.gainprm[i, 0]:
        raise compile_error(e, "the integral gain of a pid servo (gainprm[0]) needs dyntype 'pid'")

    if a.trntype[i] == TRN_BODY:
        raise compile_error(e, "a pid servo cannot act on a body")
    if inputs & ~SETPOINTS:
        raise compile_error(e, "inputs of a pid servo must be some of pos, vel, ff")

    # check the activations
    if states:
        if min(a.dynprm[i, :2]) < 0:
            raise compile_error(e, "imax and slewmax (dynprm) of a pid servo cannot be negative")
        if not inputs & POS:
            raise compile_error(e, "activations of a pid servo need the input pos")
        count = pid_states(a.gainprm[i], a.dynprm[i])
        if not count:
            raise compile_error(e, "dyntype 'pid' needs a positive ki or slewmax")
        _states(a, i, e, count)
    a.ctrlnum[i] = bits(inputs)


def _orientation(c: Compilation, a: Table, i: int, e: Element, raw: dict[str, Any]) -> None:
    inputs, states = a.ctrlspec[i] or EXPMAP, is_kind(raw, dyn="integrator")
    a.inputs[i] = inputs

    if not states and not is_kind(raw, dyn="none"):
        raise compile_error(e, "an orientation servo needs dyntype 'none' or 'integrator'")
    if a.gainprm[i, 0] != -a.biasprm[i, 1]:
        raise compile_error(e, "an orientation servo needs gainprm[0] == -biasprm[1]")

    # check the transmission
    if a.trntype[i] == TRN_SITE:
        if a.trnid[i, 1] < 0:
            raise compile_error(e, "an orientation servo on a site needs a refsite")
    elif a.trntype[i] != TRN_JOINT or c.joint.type[a.trnid[i, 0]] != BALL:
        raise compile_error(e, "an orientation servo acts on a ball joint or a site")

    # check inputs and limits
    if inputs not in (EXPMAP, QUAT) or inputs == QUAT and states:
        raise compile_error(e, "the input of an orientation servo is expmap, or quat with dyntype 'none'")
    if (a.forcelimited[i] == ON or a.forcelimited[i] == AUTO and a.forcerange[i, 0] < a.forcerange[i, 1]) and a.forcerange[
        i, 0
    ] != 0:
        raise compile_error(e, "forcerange[0] of an orientation servo must be 0: the size of its torque is limited")

    if states:
        _states(a, i, e, 3)
        if a.actlimited[i] == ON and not a.actrange[i].any():
            a.actlimited[i] = OFF
    a.ctrlnum[i], a.outnum[i] = 4 if inputs == QUAT else 3, 3


def _motor(c: Compilation, a: Table, i: int, e: Element, raw: dict[str, Any]) -> None:
    inputs = a.inputs[i] = a.ctrlspec[i] or VOLTAGE
    if inputs != NO_INPUT and inputs & ~(SETPOINTS | VOLTAGE):
        raise compile_error(e, "inputs of a DC motor must be none, or some of pos, vel, ff, voltage")
    controlled, gain = inputs != NO_INPUT and inputs & SETPOINTS, a.gainprm[i]
    if controlled and gain[1] <= 0:
        raise compile_error(e, "the controller of a DC motor needs a positive motor constant")
    if not controlled and (gain[4:7].any() or a.dynprm[i, 7] > 0):
        raise compile_error(e, "the controller of a DC motor needs one of the inputs pos, vel, ff")
    if gain[5] > 0 and not inputs & POS:
        raise compile_error(e, "the integral gain of a DC motor needs the input pos")
    if not a.actearly[i]:
        raise compile_error(e, "actearly of a DC motor cannot be false")
    _states(a, i, e, motor_states(gain, a.dynprm[i]))
    a.ctrlnum[i] = bits(inputs)


# {name of a gain with several controls: function that checks the actuator}
CHECKS = {"pid": _pid, "so3": _orientation, "dcmotor": _motor}


def control_limits(a: Table) -> tuple[np.ndarray, np.ndarray]:
    """Return (limited, ranges) of all controls. They equal the actuator's own, but a pid servo has separate ranges for velocity
    and force."""
    limited, ranges = np.repeat(a.is_ctrllimited, a.ctrlnum), np.repeat(a.ctrlrange, a.ctrlnum, axis=0)
    for i in true_rows(among(a, "gain", "setpoints")).tolist():
        k = int(a.ctrladr[i]) + bool(a.inputs[i] & POS)
        for bit, span in ((VEL, a.velrange[i]), (FORCE, a.ffrange[i])):
            if a.inputs[i] & bit:
                limited[k], ranges[k] = span[0] < span[1], span
                k += 1
    return limited, ranges


def neutral_controls(m: MjModel) -> np.ndarray:
    """Return neutral values of controls: 0, or the unit quaternion for orientations."""
    found = np.zeros(m.nu)
    found[m.actuator_ctrladr[among(m, "gain", "turn") & (m.actuator_ctrlspec == QUAT)]] = 1
    return found
