"""Actuator shortcuts: the fields that `motor`, `position`, ... set; one function for each row of language.shortcut_rows.

Each function sets fields of `raw`, the actuator's, and returns an error text, empty if all is well.
"""

import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

from ..language.shortcut_rows import ROWS
from ..language.types import (
    BIAS_AFFINE,
    BIAS_MUSCLE,
    BIAS_NONE,
    DYN_FILTER,
    DYN_FILTEREXACT,
    DYN_INTEGRATOR,
    DYN_MUSCLE,
    DYN_NONE,
    GAIN_AFFINE,
    GAIN_FIXED,
    GAIN_MUSCLE,
    ON,
)
from . import servo_shortcuts
from .servo_shortcuts import dcmotor, orientation, pid

# shortcuts where -1 means "not given"
SERVOS = ("position", "intvelocity")
# shortcuts of later releases
LATER: dict[str, Callable] = {"pid": pid, "orientation": orientation, "dcmotor": dcmotor}
# meaning of a shortcut's control, since release 3.16: bits of mjtCtrlInput
INPUTS = {"position": 1, "velocity": 2, "intvelocity": 2, "cylinder": 32}


def _put(raw: dict[str, Any], field: str, i: int, value: float) -> None:
    """Set one number of a list field."""
    values = raw[field]
    raw[field] = (*values[:i], value, *values[i + 1 :])


def _types(raw: dict[str, Any], dyn: int, gain: int, bias: int) -> None:
    raw.update(dyntype=dyn, gaintype=gain, biastype=bias)


def motor(raw: dict[str, Any]) -> str:
    """Force proportional to control."""
    _put(raw, "gainprm", 0, 1.0)
    _types(raw, DYN_NONE, GAIN_FIXED, BIAS_NONE)
    return ""


def position(
    raw: dict[str, Any],
    kp: float,
    kv: float | None = None,
    dampratio: float | None = None,
    timeconst: float | None = None,
    inheritrange: float = 0.0,
) -> str:
    """Servo to a position; kv is stored negative, a damping ratio positive."""
    _put(raw, "gainprm", 0, kp)
    _put(raw, "biasprm", 1, -kp)

    # damping
    if dampratio is not None and kv is not None:
        return "kv and dampratio cannot both be defined"
    if kv is not None:
        if kv < 0:
            return "kv cannot be negative"
        _put(raw, "biasprm", 2, -kv)
    if dampratio is not None:
        if dampratio < 0:
            return "dampratio cannot be negative"
        _put(raw, "biasprm", 2, dampratio)

    # filter of the setpoint
    if timeconst is not None:
        if timeconst < 0:
            return "timeconst cannot be negative"
        _put(raw, "dynprm", 0, timeconst)
        raw["dyntype"] = DYN_NONE if timeconst == 0 else DYN_FILTEREXACT

    # control range from the joint's range
    raw["inheritrange"] = inheritrange
    if inheritrange > 0 and any(raw["ctrlrange"]):
        return "ctrlrange and inheritrange cannot both be defined"
    raw.update(gaintype=GAIN_FIXED, biastype=BIAS_AFFINE)
    return ""


def intvelocity(
    raw: dict[str, Any],
    kp: float,
    kv: float | None = None,
    dampratio: float | None = None,
    timeconst: float | None = None,
    inheritrange: float = 0.0,
) -> str:
    """Servo to the integral of the control."""
    position(raw, kp, kv, dampratio, timeconst, inheritrange)
    raw.update(dyntype=DYN_INTEGRATOR, actlimited=ON)
    if inheritrange > 0 and any(raw["actrange"]):
        return "actrange and inheritrange cannot both be defined"
    return ""


def velocity(raw: dict[str, Any], kv: float) -> str:
    """Servo to a velocity."""
    raw["biasprm"] = (0.0, 0.0, -kv) + (0.0,) * 7
    _put(raw, "gainprm", 0, kv)
    _types(raw, DYN_NONE, GAIN_FIXED, BIAS_AFFINE)
    return ""


def damper(raw: dict[str, Any], kv: float) -> str:
    """Damping proportional to control."""
    raw["gainprm"] = (0.0, 0.0, -kv) + (0.0,) * 7
    raw["ctrllimited"] = ON
    _types(raw, DYN_NONE, GAIN_AFFINE, BIAS_NONE)
    if kv < 0:
        return "damping coefficient cannot be negative"
    if raw["ctrlrange"][0] < 0 or raw["ctrlrange"][1] < 0:
        return "damper control range cannot be negative"
    return ""


def cylinder(raw: dict[str, Any], timeconst: float, bias: Any, area: float, diameter: float = -1.0) -> str:
    """Pneumatic or hydraulic cylinder."""
    _put(raw, "dynprm", 0, timeconst)
    for i, v in enumerate(bias if hasattr(bias, "__len__") else (bias,)):
        _put(raw, "biasprm", i, v)
    _put(raw, "gainprm", 0, math.pi / 4 * diameter * diameter if diameter >= 0 else area)
    _types(raw, DYN_FILTER, GAIN_FIXED, BIAS_AFFINE)
    return ""


# muscle parameters in gainprm: index, value that means "not set", default
_MUSCLE = (
    (0, 1, 0.75),
    (1, 0, 1.05),
    (2, 0, -1.0),
    (3, 0, 200.0),
    (4, 0, 0.5),
    (5, 0, 1.6),
    (6, 0, 1.5),
    (7, 0, 1.3),
    (8, 0, 1.2),
)


def muscle(
    raw: dict[str, Any],
    timeconst: Sequence[float] = (-1, -1),
    tausmooth: float = 0.0,
    range: Sequence[float] = (-1, -1),
    force: float = -1,
    scale: float = -1,
    lmin: float = -1,
    lmax: float = -1,
    vmax: float = -1,
    fpmax: float = -1,
    fvmax: float = -1,
) -> str:
    """Muscle: activation dynamics and force-length-velocity curve; negative arguments keep what is there."""

    # replace unset parameters by their defaults
    dyn, gain = list(raw["dynprm"]), list(raw["gainprm"])
    if dyn[0] == 1:
        dyn[0] = 0.01
    if dyn[1] == 0:
        dyn[1] = 0.04
    for i, unset, value in _MUSCLE:
        if gain[i] == unset:
            gain[i] = value

    # then those that are given
    if tausmooth < 0:
        return "muscle tausmooth cannot be negative"
    dyn[2] = tausmooth
    for i in (0, 1):
        if timeconst[i] >= 0:
            dyn[i] = timeconst[i]
        if range[i] >= 0:
            gain[i] = range[i]
    for i, v in zip((2, 3, 4, 5, 6, 7, 8), (force, scale, lmin, lmax, vmax, fpmax, fvmax)):
        if v >= 0:
            gain[i] = v

    raw["dynprm"], raw["gainprm"] = tuple(dyn), tuple(gain)
    raw["biasprm"] = tuple(gain[:9]) + tuple(raw["biasprm"][9:])
    _types(raw, DYN_MUSCLE, GAIN_MUSCLE, BIAS_MUSCLE)
    return ""


def adhesion(raw: dict[str, Any], gain: float) -> str:
    """Adhesive force at the contacts of a body."""
    _put(raw, "gainprm", 0, gain)
    raw.update(ctrllimited=ON, gaintype=GAIN_FIXED, biastype=BIAS_NONE)
    if gain < 0:
        return "adhesion gain cannot be negative"
    if raw["ctrlrange"][0] < 0 or raw["ctrlrange"][1] < 0:
        return "adhesion control range cannot be negative"
    return ""


def fail(error: str) -> None:
    """Raise ValueError if there is an error text."""
    if error:
        raise ValueError(error)


def set_later(set_raw: Callable[..., Any]) -> Callable:
    """Return the method `set_to_...` of a shortcut that a later release added."""

    def method(self, *args: float | list[float], **kwargs: Any) -> None:
        bound = own.bind(self, *args, **kwargs).arguments
        # -1 means "not given"
        given = {
            n: x for n, x in bound.items() if n != "self" and x is not None and not (isinstance(x, int | float) and x == -1)
        }
        self.raw.update(servo_shortcuts.STARTS[set_raw.__name__])
        fail(set_raw(self.raw, **{"ctrlspec": 0, **given}))

    own = _as_method(set_raw)
    setattr(method, "__signature__", own)
    return method


def _as_method(set_raw: Callable[..., Any]) -> inspect.Signature:
    """Return the signature of a shortcut as a method of an actuator."""
    own = inspect.signature(set_raw)
    first = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return own.replace(parameters=[first, *[*own.parameters.values()][1:]], return_annotation=inspect.Signature.empty)


def _public(name: str) -> Callable[..., None]:
    set_raw = LATER.get(name) or globals()[name]

    if name in SERVOS:

        def set_servo(
            self, kp: float, kv: float = -1, dampratio: float = -1, timeconst: float = -1, inheritrange: float = False
        ) -> None:
            # -1 means "not given"
            given = {n: x for n, x in (("kv", kv), ("dampratio", dampratio), ("timeconst", timeconst)) if x != -1}
            fail(set_raw(self.raw, kp, inheritrange=float(inheritrange), **given))

        set_to = set_servo
    elif name in LATER:
        set_to = set_later(set_raw)
    else:

        def set_other(self, *args: Any, **kwargs: Any) -> None:
            fail(set_raw(self.raw, *args, **kwargs))

        set_to = set_other
        setattr(set_to, "__signature__", _as_method(set_raw))

    set_to.__name__ = "set_to_" + name
    set_to.__doc__ = set_raw.__doc__
    return set_to


# {name: method} for the class of actuators
METHODS = {f"set_to_{row.name}": _public(row.name) for row in ROWS}
