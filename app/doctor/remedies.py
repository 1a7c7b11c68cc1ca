"""Changes of the model that counter each type of cause; the table AGAINST lists them. Each change is also available as an
intent in the viewer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ... import engine as mj
from ...ui.element_names import joint_title, name
from ..settable import set_field
from . import measure
from .causes import IMPLICIT, Cause

_I, _D = mj.mjtIntegrator, mj.mjtDisableBit
NEWTON = int(getattr(mj.mjtSolver, "mjSOL_NEWTON"))
# Target for a changed spring or damper, as a fraction of the stability limit. Errors start to grow at twice this value.
GOOD = 0.25
USUAL_REF = (0.02, 1.0)
USUAL_GRAVITY = (0.0, 0.0, -9.81)
# Time steps are shortened by at most this factor.
SHORTEST = 200
# Factors to try for an actuator that is too strong.
WEAKER = (1e-2, 1e-4, 1e-7)
ROUND_STEPS = (1.0, 2.0, 5.0)


@dataclass(frozen=True)
class Edit:
    """A changed value. `path` begins with `opt.`, `m.` or `d.`; the index None means the whole field."""

    path: str
    index: Any
    value: Any


@dataclass(frozen=True)
class Remedy:
    """A change of the model. `aims` is the cause that it counters; None if it helps in general."""

    title: str
    edits: tuple[Edit, ...]
    aims: Cause | None = None


def apply(m: mj.MjModel, d: mj.MjData, edits: tuple[Edit, ...]) -> None:
    """Apply edits to a Model and a Data."""
    for edit in edits:
        set_field(m, d, edit.path, edit.value, edit.index)


def short(x: Any) -> str:
    """Return numbers as text with few digits."""
    return " ".join(f"{float(v):.3g}" for v in np.ravel(x))


def scaled(m: mj.MjModel, field: str, index: Any, factor: float, title: str, what: str) -> Remedy:
    old = np.array(getattr(m, field)[index], float)
    return Remedy(f"{what} of {title}: {short(old)} -> {short(old * factor)}", (Edit(f"m.{field}", index, old * factor),))


def softer(cause: Cause) -> float:
    """Return the factor by which to reduce a stiffness, so that the spring is stable at this time step."""
    return (GOOD / cause.ratio) ** 2 if cause.ratio > GOOD else 0.1


def armature(m: mj.MjModel, dofs: Any, factor: float, title: str) -> Remedy:
    """Return a remedy: an armature (rotor inertia) that divides a spring's squared frequency by `factor`."""
    index = list(dofs)
    old, own = np.array(m.dof_armature[index], float), np.maximum(np.asarray(m.dof_M0, float)[index], 1e-9)
    new = old + own * max(factor - 1.0, 1.0)
    return Remedy(f"armature of {title}: {short(old[0])} -> {short(new[0])}", (Edit("m.dof_armature", index, new),))


def _spring(m: mj.MjModel, cause: Cause) -> Iterator[Remedy]:
    joint = cause.about[1]
    yield scaled(m, "jnt_stiffness", joint, softer(cause), joint_title(m, joint), "stiffness")
    yield armature(m, measure.dofs_of(m, joint), 1.0 / softer(cause), joint_title(m, joint))


def _tendon(m: mj.MjModel, cause: Cause) -> Iterator[Remedy]:
    t = cause.about[1]
    if m.tendon_stiffness[t]:
        yield scaled(m, "tendon_stiffness", t, softer(cause), name(m, "tendon", t), "stiffness")
    if m.tendon_damping[t]:
        yield scaled(m, "tendon_damping", t, GOOD / max(cause.ratio, GOOD), name(m, "tendon", t), "damping")
        yield implicit()


def _servo(m: mj.MjModel, cause: Cause) -> Iterator[Remedy]:
    i = cause.about[1]
    factor, old, bias = softer(cause), np.array(m.actuator_gainprm[i], float), np.array(m.actuator_biasprm[i], float)
    gain, new = old.copy(), bias.copy()
    gain[0], new[1:3] = old[0] * factor, bias[1:3] * (factor, math.sqrt(factor))
    yield Remedy(
        f"kp of actuator {name(m, 'actuator', i)}: {short(-bias[1])} -> {short(-new[1])}",
        (Edit("m.actuator_gainprm", i, gain), Edit("m.actuator_biasprm", i, new)),
    )
    if int(m.actuator_trntype[i]) == int(mj.mjtTrn.mjTRN_JOINT):
        joint = int(m.actuator_trnid[i][0])
        yield armature(m, measure.dofs_of(m, joint), 1.0 / factor, joint_title(m, joint))


def _feedback(m: mj.MjModel, cause: Cause) -> Iterator[Remedy]:
    yield implicit()
    i = cause.about[1]
    factor, bias, gain = (
        GOOD / max(cause.ratio, GOOD),
        np.array(m.actuator_biasprm[i], float),
        np.array(m.actuator_gainprm[i], float),
    )
    new = bias.copy()
    new[2] *= factor
    # In a velocity servo, the gain equals kv and changes with it.
    if gain[0] == -bias[2] and not bias[1]:
        gain[0] *= factor
    yield Remedy(
        f"kv of actuator {name(m, 'actuator', i)}: {short(-bias[2])} -> {short(-new[2])}",
        (Edit("m.actuator_biasprm", i, new), Edit("m.actuator_gainprm", i, gain)),
    )


def _runaway(m: mj.MjModel, cause: Cause) -> Iterator[Remedy]:
    kind, i = cause.about
    if kind == "actuator":
        bias = np.array(m.actuator_biasprm[i], float)
        new = bias.copy()
        new[1:3] = -np.abs(bias[1:3])
        yield Remedy(
            f"feedback of actuator {name(m, kind, i)}: {short(bias[1:3])} -> {short(new[1:3])}",
            (Edit("m.actuator_biasprm", i, new),),
        )
    elif kind == "tendon":
        yield Remedy(
            f"spring and damping of tendon {name(m, kind, i)} pull",
            (
                Edit("m.tendon_stiffness", i, abs(float(m.tendon_stiffness[i]))),
                Edit("m.tendon_damping", i, abs(float(m.tendon_damping[i]))),
            ),
        )
    else:
        dofs = list(measure.dofs_of(m, i))
        yield Remedy(
            f"spring and damping of {joint_title(m, i)} made positive",
            (
                Edit("m.jnt_stiffness", i, abs(float(m.jnt_stiffness[i]))),
                Edit("m.dof_damping", dofs, np.abs(np.asarray(m.dof_damping)[dofs])),
            ),
        )


def _damping(m: mj.MjModel, cause: Cause) -> Iterator[Remedy]:
    yield implicit()
    dofs = list(measure.dofs_of(m, cause.about[1]))
    old = np.array(m.dof_damping[dofs], float)
    factor = GOOD / max(cause.ratio, GOOD)
    yield Remedy(
        f"damping of {joint_title(m, cause.about[1])}: {short(old[0])} -> {short(old[0] * factor)}",
        (Edit("m.dof_damping", dofs, old * factor),),
    )


def _filter(m: mj.MjModel, cause: Cause) -> Iterator[Remedy]:
    i = cause.about[1]
    title = name(m, "actuator", i)
    yield Remedy(
        f"dyntype of actuator {title}: filter -> filterexact",
        (Edit("m.actuator_dyntype", i, int(mj.mjtDyn.mjDYN_FILTEREXACT)),),
    )


def _contact(m: mj.MjModel, cause: Cause) -> Iterator[Remedy]:
    g = cause.about[1]
    stiff = [x for x in range(m.ngeom) if tuple(np.asarray(m.geom_solref[x], float)) != USUAL_REF]
    if stiff:
        yield Remedy(
            f"solref of {name(m, 'geom', g)} and others: the default {short(USUAL_REF)}",
            (Edit("m.geom_solref", stiff, np.tile(USUAL_REF, (len(stiff), 1))),),
        )
    yield from _refsafe(m)
    yield Remedy(f"no contacts of geom {name(m, 'geom', g)}", (Edit("m.geom_contype", g, 0), Edit("m.geom_conaffinity", g, 0)))


def _refsafe(m: mj.MjModel) -> Iterator[Remedy]:
    flags = int(m.opt.disableflags)
    if flags & int(_D.mjDSBL_REFSAFE):
        yield Remedy(
            "refsafe on: time constants of constraints are at least two time steps",
            (Edit("opt.disableflags", None, flags & ~int(_D.mjDSBL_REFSAFE)),),
        )


def _constraint(m: mj.MjModel, cause: Cause) -> Iterator[Remedy]:
    i = cause.about[1]
    yield Remedy(
        f"solref of equality {name(m, 'equality', i)}: {short(m.eq_solref[i])} -> {short(USUAL_REF)}",
        (Edit("m.eq_solref", i, np.array(USUAL_REF)),),
    )
    yield from _refsafe(m)


def _limit(m: mj.MjModel, cause: Cause) -> Iterator[Remedy]:
    kind, i = cause.about
    field = "jnt_solref" if kind == "joint" else "tendon_solref_lim"
    yield Remedy(
        f"solreflimit of {kind} {name(m, kind, i)}: {short(getattr(m, field)[i])} -> {short(USUAL_REF)}",
        (Edit(f"m.{field}", i, np.array(USUAL_REF)),),
    )
    yield from _refsafe(m)


def _penetration(m: mj.MjModel, cause: Cause) -> Iterator[Remedy]:
    g = cause.about[1]
    yield Remedy(f"no contacts of geom {name(m, 'geom', g)}", (Edit("m.geom_contype", g, 0), Edit("m.geom_conaffinity", g, 0)))


def _inertia(m: mj.MjModel, cause: Cause) -> Iterator[Remedy]:
    joint = cause.about[1]
    dofs = measure.dofs_of(m, joint)
    typical = max(float(np.median(np.asarray(m.dof_M0, float))), 1e-6)
    yield armature(m, dofs, 0.1 * typical / max(float(m.dof_M0[dofs.start]), 1e-9), joint_title(m, joint))


def _force(m: mj.MjModel, cause: Cause) -> Iterator[Remedy]:
    i = cause.about[1]
    for factor in WEAKER:
        yield scaled(m, "actuator_gainprm", (i, 0), factor, f"actuator {name(m, 'actuator', i)}", "gain")


def _gravity(m: mj.MjModel, _cause: Cause) -> Iterator[Remedy]:
    yield Remedy(
        f"gravity: {short(m.opt.gravity)} -> {short(USUAL_GRAVITY)}", (Edit("opt.gravity", None, np.array(USUAL_GRAVITY)),)
    )


def _control(m: mj.MjModel, cause: Cause) -> Iterator[Remedy]:
    yield Remedy(f"control of actuator {name(m, 'actuator', cause.about[1])}: 0", (Edit("d.ctrl", cause.about[1], 0.0),))


def _state(m: mj.MjModel, cause: Cause) -> Iterator[Remedy]:
    joint = cause.about[1]
    begin = int(m.jnt_qposadr[joint])
    end = int(m.jnt_qposadr[joint + 1]) if joint + 1 < m.njnt else m.nq
    yield Remedy(
        f"start with {joint_title(m, joint)} at rest at qpos0",
        (Edit("d.qpos", slice(begin, end), np.array(m.qpos0[begin:end])), Edit("d.qvel", list(measure.dofs_of(m, joint)), 0.0)),
    )


def _spin(_m: mj.MjModel, _cause: Cause) -> Iterator[Remedy]:
    yield Remedy("integrator: implicit", (Edit("opt.integrator", None, int(_I.mjINT_IMPLICIT)),))
    yield Remedy("integrator: RK4", (Edit("opt.integrator", None, int(_I.mjINT_RK4)),))


def _fluid(m: mj.MjModel, _cause: Cause) -> Iterator[Remedy]:
    yield implicit()
    yield Remedy("integrator: implicit", (Edit("opt.integrator", None, int(_I.mjINT_IMPLICIT)),))
    yield Remedy(
        f"no medium (density {float(m.opt.density):.3g}, viscosity {float(m.opt.viscosity):.3g})",
        (Edit("opt.density", None, 0.0), Edit("opt.viscosity", None, 0.0)),
    )


def _flex(m: mj.MjModel, cause: Cause) -> Iterator[Remedy]:
    fields = [f for f in ("flex_stiffness", "flex_bending", "flex_edgestiffness") if hasattr(m, f)]
    edits = tuple(Edit(f"m.{f}", None, np.array(getattr(m, f)) * softer(cause)) for f in fields)
    yield Remedy(f"stiffness of flex {name(m, 'flex', cause.about[1])}: {softer(cause):.2g} times as much", edits)


def _solver(m: mj.MjModel, _cause: Cause) -> Iterator[Remedy]:
    yield Remedy(
        "solver: Newton with 100 iterations",
        (Edit("opt.solver", None, NEWTON), Edit("opt.iterations", None, max(100, int(m.opt.iterations)))),
    )


AGAINST: dict[str, Callable[[mj.MjModel, Cause], Iterator[Remedy]]] = {
    "spring": _spring,
    "tendon": _tendon,
    "servo": _servo,
    "feedback": _feedback,
    "runaway": _runaway,
    "damping": _damping,
    "filter": _filter,
    "contact": _contact,
    "constraint": _constraint,
    "limit": _limit,
    "penetration": _penetration,
    "inertia": _inertia,
    "force": _force,
    "gravity": _gravity,
    "control": _control,
    "state": _state,
    "spin": _spin,
    "fluid": _fluid,
    "flex": _flex,
    "solver": _solver,
}


def against(m: mj.MjModel, cause: Cause) -> list[Remedy]:
    """Return the remedies that counter a cause."""
    return [Remedy(r.title, r.edits, cause) for r in AGAINST[cause.kind](m, cause)]


def implicit() -> Remedy:
    return Remedy("integrator: implicitfast", (Edit("opt.integrator", None, int(_I.mjINT_IMPLICITFAST)),))


def general(m: mj.MjModel, ratio: float) -> list[Remedy]:
    """Return remedies that help in general: a shorter time step, an implicit integrator, armature everywhere."""
    out, dt = [], float(m.opt.timestep)
    wanted = dt / min(max(2.0 * ratio, 4.0) if math.isfinite(ratio) else 4.0, SHORTEST)
    exponent = 10.0 ** math.floor(math.log10(wanted))
    step = max(x * exponent for x in ROUND_STEPS if x * exponent <= wanted * (1 + 1e-9))
    out.append(Remedy(f"time step: {dt:.3g} -> {step:.3g} s", (Edit("opt.timestep", None, step),)))
    if int(m.opt.integrator) not in IMPLICIT:
        out.append(implicit())
    return out
