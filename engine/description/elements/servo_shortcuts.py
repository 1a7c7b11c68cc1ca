"""Actuator shortcuts added after release 3.4: sets the fields for `pid`, `orientation` and `dcmotor`. See shortcuts."""

import math
from collections.abc import Sequence
from typing import Any

from ...tables.actuator_rows import has_trait, is_kind, set_kinds
from ..language.types import OFF, ON

NONE = (0.0,) * 10
# initial parameters of an actuator without a default class, by shortcut
STARTS = {
    "pid": {"gainprm": NONE, "biasprm": (0.0, -1.0) + NONE[2:], "dynprm": NONE},
    "orientation": {},
    "dcmotor": {"gainprm": NONE, "biasprm": NONE, "dynprm": NONE},
}
# bits of mjtCtrlInput; NO_INPUT: the motor has no controls
POS, VEL, FORCE, VOLTAGE, NO_INPUT = 1, 2, 4, 8, 16
# member of mjtCtrlChart for quaternions
QUAT = 2


def put(raw: dict[str, Any], field: str, i: int, *values: float) -> None:
    """Write `values` into a list field, starting at index `i`."""
    old = raw[field]
    raw[field] = (*old[:i], *values, *old[i + len(values) :])


def damping(raw: dict[str, Any], kv: float | None, dampratio: float | None) -> str:
    """Set a servo's damping (stored as a negative number) or its damping ratio (stored as a positive number). Return an error
    text, or ""."""
    if kv is not None and dampratio is not None:
        return "kv and dampratio cannot both be defined"
    for name, value, sign in (("kv", kv, -1), ("dampratio", dampratio, 1)):
        if value is not None and value < 0:
            return f"{name} cannot be negative"
        if value is not None:
            put(raw, "biasprm", 2, sign * value)
    return ""


def pid(
    raw: dict[str, Any],
    kp: float,
    kv: float | None = None,
    dampratio: float | None = None,
    ki: float = 0.0,
    imax: float = 0.0,
    slewmax: float = 0.0,
    inheritrange: float = 0.0,
    ctrlspec: int | None = None,
    posrange: Sequence[float] | None = None,
) -> str:
    """Make this a servo for position and velocity, with integral action on the position error. ValueError for a negative
    slewmax, kv or dampratio, for kv together with dampratio, and for posrange together with inheritrange.

    kp, kv, dampratio, inheritrange: as for `set_to_position`
    ki: integral gain
    imax: limit of the integral; 0: none
    slewmax: limit of the setpoint's rate of change, per second; 0: none
    ctrlspec: inputs of the control, bits of mjtCtrlInput
    posrange: float (2): range of the position control, in meters or radians
    """
    if slewmax < 0:
        return "slewmax cannot be negative"
    if posrange is not None:
        raw["ctrlrange"] = tuple(posrange)
    put(raw, "gainprm", 0, ki)
    put(raw, "biasprm", 1, -kp)
    put(raw, "dynprm", 0, imax if ki else 0.0, slewmax)
    set_kinds(raw, gain="pid", bias="affine", dyn="pid" if ki or slewmax else "none")
    raw["inheritrange"] = inheritrange
    if ctrlspec is not None:
        raw["ctrlspec"] = ctrlspec
    if inheritrange > 0 and any(raw["ctrlrange"]):
        return "posrange and inheritrange cannot both be defined"
    return damping(raw, kv, dampratio)


def orientation(
    raw: dict[str, Any], kp: float, kv: float | None = None, dampratio: float | None = None, ctrlspec: int | None = None
) -> str:
    """Make this a servo for an orientation. ValueError if kv or dampratio is negative, or if both are given.

    kp, kv, dampratio: as for `set_to_position`
    ctrlspec: inputs of the control, bits of mjtCtrlInput
    """
    put(raw, "gainprm", 0, kp)
    put(raw, "biasprm", 1, -kp)
    set_kinds(raw, gain="so3", bias="so3", dyn="none")
    if ctrlspec is not None:
        raw["ctrlspec"] = ctrlspec
    return damping(raw, kv, dampratio)


def _whole(given: Any, inherited: Sequence[float]) -> list[float]:
    """Return given values (None, a number or a list) as a list; fill in missing values from the inherited ones."""
    given = [] if given is None else list(given) if hasattr(given, "__len__") else [given]
    return given + list(inherited[len(given) :])


def _constants(motorconst: Sequence[float], resistance: float, nominal: Sequence[float], drag: float) -> tuple[float, float]:
    """Return (constant K, resistance R) of a DC motor.

    `nominal` is (voltage, stall torque, no-load speed); missing constants follow from it. `drag` is viscous friction.
    """
    by_torque, by_speed = motorconst
    voltage, torque, speed = nominal
    if voltage > 0 and by_speed <= 0 and speed > 0:
        # without load, the motor's torque only overcomes friction: omega = (V - R I) / K with torque K I = drag omega
        by_speed = voltage / speed
        if drag > 0 and resistance > 0:
            rest = voltage * voltage - 4 * resistance * drag * speed * speed
            by_speed = (voltage + math.sqrt(rest)) / (2 * speed) if rest > 0 else by_speed
        elif drag > 0 and torque > 0:
            less = by_speed - voltage * drag / torque
            by_speed = less if less > 0 else by_speed
    constant = math.sqrt(by_torque * by_speed) if by_torque > 0 and by_speed > 0 else max(by_torque, by_speed)
    if resistance == 0 and voltage > 0 and torque > 0:
        resistance = constant * voltage / torque
    return constant, resistance


def _thermal(raw: dict[str, Any], thermal: Sequence[float]) -> str:
    """Set the thermal parameters of a motor's winding; return an error text, or "".

    `thermal` is (resistance, capacitance, time constant, coefficient, reference, ambient); two of the first three give the
    third.
    """
    resistance, capacity, time, coefficient, reference, ambient = thermal
    if not any(x > 0 for x in thermal[:3]):
        put(raw, "dynprm", 2, 0.0, 0.0, 0.0)
        put(raw, "gainprm", 2, 0.0, 0.0)
        return ""
    if time > 0 and resistance > 0:
        capacity = time / resistance
    elif time > 0 and capacity > 0 and resistance == 0:
        resistance = time / capacity
    if resistance <= 0:
        return "DC motor: thermal resistance must be positive"
    if capacity <= 0:
        return "DC motor: thermal capacitance must be positive"
    put(raw, "dynprm", 2, resistance, capacity, ambient)
    put(raw, "gainprm", 2, coefficient, reference)
    return ""


def _limits(raw: dict[str, Any], saturation: Sequence[float], constant: float) -> None:
    """Set the torque limit, which is given directly or by a current, and the limit of the current's rate of change; remove
    inherited limits."""
    torque, current, rate = saturation
    raw.update(forcerange=(0.0, 0.0), forcelimited=OFF)
    most = torque if torque else constant * current
    if torque > 0 or current > 0:
        raw.update(forcerange=(-most, most), forcelimited=ON)
    put(raw, "dynprm", 1, max(rate, 0.0))


def dcmotor(
    raw: dict[str, Any],
    motorconst: Sequence[float] | float | None = None,
    resistance: float | None = None,
    nominal: Sequence[float] | float | None = None,
    saturation: Sequence[float] | float | None = None,
    inductance: Sequence[float] | float | None = None,
    cogging: Sequence[float] | float | None = None,
    controller: Sequence[float] | float | None = None,
    thermal: Sequence[float] | float | None = None,
    lugre: Sequence[float] | float | None = None,
    ctrlspec: int | None = None,
) -> str:
    """Make this an electric motor with its controller. Lists may be shorter than their fields; None keeps the current values.
    ValueError for negative or missing constants.

    motorconst: float (2): torque per current, voltage per speed; their geometric mean is used
    resistance: resistance of the winding in ohms
    nominal: float (3): voltage, stall torque and no-load speed, from which motorconst and resistance are computed
    saturation: float (3): maximum torque, or maximum current, and maximum rate of the current
    inductance: float (2): inductance in henries, or time constant of the current in seconds
    cogging: float (3): amplitude, poles and phase of the cogging torque
    controller: float (6): kp, ki, kd, and limits of the setpoint's rate, the integral and the voltage
    thermal: float (6): resistance, capacity, time constant, coefficient, reference and ambient temperature
    lugre: float (5): stiffness, damping, Coulomb torque, static torque, Stribeck velocity
    ctrlspec: inputs of the control, bits of mjtCtrlInput
    """

    # complete the lists with inherited values
    gain, bias, dyn = raw["gainprm"], raw["biasprm"], raw["dynprm"]
    ctrlspec = raw["ctrlspec"] if ctrlspec is None else ctrlspec
    motorconst, nominal = _whole(motorconst, (gain[1], 0.0)), _whole(nominal, (0.0, 0.0, 0.0))
    kp, ki, kd, slew, most, voltage = _whole(controller, (gain[4], gain[5], gain[6], dyn[7], dyn[8], gain[7]))
    coil, time = _whole(inductance, (0.0, dyn[0] if inductance is None else 0.0))

    # check and set the constants of the motor
    if min(motorconst) < 0:
        return "DC motor: motor constants must be non-negative"
    constant, ohm = _constants(motorconst, gain[0] if resistance is None else resistance, nominal, raw["damping"])
    if constant <= 0 and ctrlspec != NO_INPUT:
        return "DC motor: motor constant K must be positive"
    if ohm <= 0:
        return "DC motor: resistance R must be positive"
    if coil < 0:
        return "DC motor: inductance must be non-negative"
    if time < 0:
        return "DC motor: electrical time constant must be non-negative"

    # set the electrical part and the controller
    put(raw, "gainprm", 0, ohm, constant)
    put(raw, "gainprm", 4, kp, ki, kd, max(voltage, 0.0))
    put(raw, "dynprm", 0, coil / ohm if coil > 0 else time)
    put(raw, "dynprm", 7, slew, most)

    # set torque ripple, limits, temperature and bristle friction
    put(raw, "biasprm", 0, *_whole(cogging, bias[:3]))
    if saturation is not None:
        _limits(raw, _whole(saturation, (0.0, 0.0, dyn[1])), constant)
    error = _thermal(raw, _whole(thermal, (dyn[2], dyn[3], 0.0, gain[2], gain[3], dyn[4])))
    stiffness, drag, *friction = _whole(lugre, (dyn[5], dyn[6], *bias[3:6]))
    if stiffness > 0:
        put(raw, "dynprm", 5, stiffness, drag)
        put(raw, "biasprm", 3, *friction)
    else:
        put(raw, "dynprm", 5, 0.0, 0.0)
        put(raw, "biasprm", 3, 0.0, 0.0, 0.0)

    # types, and the number of activations, which depends on the parameters
    set_kinds(raw, gain="dcmotor", bias="dcmotor", dyn="dcmotor")
    raw.update(
        ctrlspec=ctrlspec,
        actearly=1,
        actlimited=OFF,
        actdim=motor_states(raw["gainprm"], raw["dynprm"]),
    )
    return error


def motor_states(gainprm: Sequence[float], dynprm: Sequence[float]) -> int:
    """Return the number of activations of a DC motor: setpoint, integral, temperature, bristles, current."""
    return sum(x > 0 for x in map(float, (dynprm[7], gainprm[5], dynprm[2], dynprm[5], dynprm[0])))


def controls(raw: dict[str, Any]) -> int:
    """Return the number of controls of an actuator."""
    spec = raw["ctrlspec"]
    if has_trait(raw, "gain", "turn"):
        return 4 if spec == QUAT else 3
    if has_trait(raw, "gain", "setpoints"):
        return bits(spec or POS | VEL)
    return bits(spec or VOLTAGE) if has_trait(raw, "gain", "electric") else 1


def activations(raw: dict[str, Any]) -> int:
    """Return the number of activations of an actuator."""
    if is_kind(raw, dyn="dcmotor"):
        return motor_states(raw["gainprm"], raw["dynprm"])
    if is_kind(raw, dyn="pid"):
        return pid_states(raw["gainprm"], raw["dynprm"])
    stateless = has_trait(raw, "dyn", "stateless")
    if has_trait(raw, "gain", "turn") and not stateless:
        return 3
    return raw["actdim"] if raw["actdim"] > 0 else int(not stateless)


def bits(spec: int) -> int:
    """Return how many inputs are set in `spec`, a combination of mjtCtrlInput bits."""
    return sum(bool(spec & bit) for bit in (POS, VEL, FORCE, VOLTAGE))


def pid_states(gainprm: Sequence[float], dynprm: Sequence[float]) -> int:
    """Return the number of activations of a pid servo: setpoint, integral."""
    return sum(x > 0 for x in map(float, (dynprm[1], gainprm[0])))
