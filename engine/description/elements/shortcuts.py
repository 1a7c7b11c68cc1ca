"""Actuator shortcuts: sets the fields for `motor`, `position`, ...; one function for each row of language.shortcut_rows.

Each function sets fields of `raw`, which belongs to the actuator. It returns an error text, empty if there is no error.
"""

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

from ...tables.actuator_rows import BY_NAME, set_kinds
from ..language.shortcut_rows import ROWS
from ..language.types import ON
from . import servo_shortcuts
from .servo_shortcuts import dcmotor, orientation, pid

# shortcuts where -1 means "not given"
SERVOS = ("position", "intvelocity")
# shortcuts that later releases added
LATER: dict[str, Callable] = {"pid": pid, "orientation": orientation, "dcmotor": dcmotor}
# meaning of a shortcut's control (since release 3.16): bits of mjtCtrlInput
INPUTS = {"position": 1, "velocity": 2, "intvelocity": 2, "cylinder": 32}


def _put(raw: dict[str, Any], field: str, i: int, value: float) -> None:
    """Set one number of a list field."""
    values = raw[field]
    raw[field] = (*values[:i], value, *values[i + 1 :])


def motor(raw: dict[str, Any]) -> str:
    """Make this a motor, whose force is proportional to control."""
    _put(raw, "gainprm", 0, 1.0)
    set_kinds(raw, dyn="none", gain="fixed", bias="none")
    return ""


def position(
    raw: dict[str, Any],
    kp: float,
    kv: float | None = None,
    dampratio: float | None = None,
    timeconst: float | None = None,
    inheritrange: float = 0.0,
) -> str:
    """Make this a position servo. `kv` is stored as a negative number, a damping ratio as a positive number. ValueError for a
    negative kv, dampratio or timeconst other than -1, for both kv and dampratio, and for inheritrange with a control range.

    kp: stiffness, in newtons per meter or newton meters per radian
    kv: damping, in newton seconds per meter or newton meter seconds per radian; -1: none
    dampratio: damping ratio instead of kv; -1: none
    timeconst: time constant of the setpoint's filter in seconds; -1: none
    inheritrange: control range, relative to the joint's range; 0: none
    """
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

    # set the filter of the setpoint
    if timeconst is not None:
        if timeconst < 0:
            return "timeconst cannot be negative"
        _put(raw, "dynprm", 0, timeconst)
        set_kinds(raw, dyn="none" if timeconst == 0 else "filterexact")

    # derive the control range from the joint's range
    raw["inheritrange"] = inheritrange
    if inheritrange > 0 and any(raw["ctrlrange"]):
        return "ctrlrange and inheritrange cannot both be defined"
    set_kinds(raw, gain="fixed", bias="affine")
    return ""


def intvelocity(
    raw: dict[str, Any],
    kp: float,
    kv: float | None = None,
    dampratio: float | None = None,
    timeconst: float | None = None,
    inheritrange: float = 0.0,
) -> str:
    """Make this a position servo whose setpoint is the integral of the control. Errors are those of `set_to_position`.

    kp, kv, dampratio, timeconst, inheritrange: as for `set_to_position`
    """
    position(raw, kp, kv, dampratio, timeconst, inheritrange)
    set_kinds(raw, dyn="integrator")
    raw["actlimited"] = ON
    if inheritrange > 0 and any(raw["actrange"]):
        return "actrange and inheritrange cannot both be defined"
    return ""


def velocity(raw: dict[str, Any], kv: float) -> str:
    """Make this a velocity servo.

    kv: force per velocity, in newton seconds per meter or newton meter seconds per radian
    """
    raw["biasprm"] = (0.0, 0.0, -kv) + (0.0,) * 7
    _put(raw, "gainprm", 0, kv)
    set_kinds(raw, dyn="none", gain="fixed", bias="affine")
    return ""


def damper(raw: dict[str, Any], kv: float) -> str:
    """Make this a damper, whose damping is proportional to control. ValueError for a negative kv or control range.

    kv: damping at control 1, in newton seconds per meter or newton meter seconds per radian
    """
    raw["gainprm"] = (0.0, 0.0, -kv) + (0.0,) * 7
    raw["ctrllimited"] = ON
    set_kinds(raw, dyn="none", gain="affine", bias="none")
    if kv < 0:
        return "damping coefficient cannot be negative"
    if raw["ctrlrange"][0] < 0 or raw["ctrlrange"][1] < 0:
        return "damper control range cannot be negative"
    return ""


def cylinder(raw: dict[str, Any], timeconst: float, bias: Any, area: float, diameter: float = -1.0) -> str:
    """Make this a pneumatic or hydraulic cylinder.

    timeconst: time constant of the activation in seconds
    bias: one number or up to three: parameters of the bias
    area: area of the piston in square meters
    diameter: diameter of the piston in meters, instead of its area; negative: use area
    """
    _put(raw, "dynprm", 0, timeconst)
    for i, v in enumerate(bias if hasattr(bias, "__len__") else (bias,)):
        _put(raw, "biasprm", i, v)
    _put(raw, "gainprm", 0, math.pi / 4 * diameter * diameter if diameter >= 0 else area)
    set_kinds(raw, dyn="filter", gain="fixed", bias="affine")
    return ""


# initial parameters of an actuator; in a muscle, parameters that still have these values get the muscle's defaults
_UNSET = (1.0,) + (0.0,) * 9


def _with_defaults(values: Sequence[float], what: str) -> list[float]:
    """Return the parameters of a muscle's gain or dynamics, with the muscle's defaults for parameters that are not set."""
    row = BY_NAME[what, "muscle"]
    defaults = [p.default if v == unset else v for v, unset, p in zip(values, _UNSET, row.parameters, strict=False)]
    return [*defaults, *values[len(defaults) :]]


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
    """Make this a muscle, with activation dynamics and a force-length-velocity curve. Negative arguments keep the current
    values. ValueError for a negative tausmooth.

    timeconst: float (2): time constants of activation and deactivation in seconds
    tausmooth: width of the smooth transition between them
    range: float (2): range of lengths, relative to the optimal length
    force: maximum active force in newtons
    scale: if force is not set, largest force times acceleration at unit force
    lmin, lmax: ends of the force-length curve, in optimal lengths
    vmax: velocity at which the force vanishes, in optimal lengths per second
    fpmax: passive force at lmax, relative to the largest active force
    fvmax: active force at the largest lengthening velocity, relative to that at rest
    """
    dyn, gain = _with_defaults(raw["dynprm"], "dyn"), _with_defaults(raw["gainprm"], "gain")

    # replace the numbers for which an argument is given
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
    set_kinds(raw, dyn="muscle", gain="muscle", bias="muscle")
    return ""


def adhesion(raw: dict[str, Any], gain: float) -> str:
    """Make this an adhesive force at the contacts of a body. ValueError for a negative gain or control range.

    gain: force at control 1, in newtons
    """
    _put(raw, "gainprm", 0, gain)
    set_kinds(raw, gain="fixed", bias="none")
    raw["ctrllimited"] = ON
    if gain < 0:
        return "adhesion gain cannot be negative"
    if raw["ctrlrange"][0] < 0 or raw["ctrlrange"][1] < 0:
        return "adhesion control range cannot be negative"
    return ""


def fail(error: str) -> None:
    """Raise ValueError with the error message, if it is not empty."""
    if error:
        raise ValueError(error)


def set_later(set_raw: Callable[..., Any]) -> Callable:
    """Return the method `set_to_...` for a shortcut that a later release added."""

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
    """Return the signature of a shortcut's function as a method of an actuator."""
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

    @functools.wraps(set_to)
    def method(self, *args: Any, **kwargs: Any) -> None:
        set_to(self, *args, **kwargs)
        self.shortcut = name

    setattr(method, "__signature__", inspect.signature(set_to))
    method.__name__, method.__qualname__, method.__doc__ = f"set_to_{name}", f"set_to_{name}", set_raw.__doc__
    return method


# {name: method} for the actuators' class
METHODS = {f"set_to_{row.name}": _public(row.name) for row in ROWS}
