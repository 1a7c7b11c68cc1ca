"""Rules that find elements that are too fast, too strong or too light for the time step, given a model and its state. RULES
lists them.

Each rule yields causes with a `ratio`; beyond a ratio of 1, explicit integration becomes unstable.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ... import engine as mj
from ...ui.element_names import control_names, control_owners, dof_joint, dof_name, joint_title, name, qpos_joint
from . import measure
from .signs import geom_title

_I, _D = mj.mjtIntegrator, mj.mjtDisableBit
RK4, EULER = int(_I.mjINT_RK4), int(_I.mjINT_EULER)
IMPLICIT = tuple(int(_I[f"mjINT_{n}"]) for n in ("IMPLICIT", "IMPLICITFAST", "DISCRETE"))
# Causes with a lower ratio are not reported.
LEAST = 0.5
# States, controls and gravity above these values are treated as mistakes, like NaN.
HUGE_STATE, HUGE_CONTROL, HUGE_GRAVITY = 1e6, 1e6, 1e3
# An inertia below LIGHT times the model's median is negligible. Geoms overlap deeply if their penetration exceeds INSIDE times
# the smaller geom's size.
LIGHT, INSIDE = 1e-5, 0.3
# Number of steps over which the motion of an actuator's load is estimated.
STRONG_STEPS = 10.0
# Limits for explicit gyroscopic forces: relative difference of the principal moments, and angle turned in one step.
ROUND, SPIN = 0.05, 0.3


@dataclass(frozen=True)
class Cause:
    """A cause: its `kind`, the element it is `about`, the `ratio` of its rate to the stability limit, and a `text` with the
    values.
    """

    kind: str
    about: tuple[str, int]
    ratio: float
    text: str


@dataclass(frozen=True)
class Scene:
    """The model and state that rules examine, after `mj_forward`. `first`: whether it is the first state of the trajectory."""

    m: mj.MjModel
    d: mj.MjData
    first: bool

    @property
    def dt(self) -> float:
        return float(self.m.opt.timestep)


def found(scene: Scene) -> list[Cause]:
    """Return the causes that the rules find at a state."""
    return [cause for rule in RULES for cause in rule(scene) if cause.ratio >= LEAST and not math.isnan(cause.ratio)]


def wave(k: float, c: float, dt: float) -> float:
    """Return the ratio of a spring's frequency to the highest frequency that is stable at this time step."""
    return 0.5 * math.sqrt(max(0.0, k) * c) * dt


def too_stiff(k: float, c: float, dt: float) -> str:
    """Describe a spring that is too stiff."""
    return f"{k:.3g} on an inertia of {1 / c:.3g}, needs a time step below {2.0 / math.sqrt(k * c):.2g} s, not {dt:.2g} s"


def too_damped(b: float, c: float, dt: float) -> str:
    """Describe a damper that is too strong."""
    most = f"needs a time step below {2 / (b * c):.2g} s, not {dt:.2g} s"
    return f"{b:.3g} on an inertia of {1 / c:.3g}, is integrated explicitly and {most}"


def springs(s: Scene) -> Iterator[Cause]:
    """Find joints whose springs are too stiff or repel, or whose explicit dampers are too strong."""
    m, dt = s.m, s.dt
    explicit = (
        int(m.opt.integrator) == RK4
        or int(m.opt.integrator) == EULER
        and bool(int(m.opt.disableflags) & int(_D.mjDSBL_EULERDAMP))
    )
    for rate in measure.joints(m, s.d):
        about, title = ("joint", rate.index), joint_title(m, rate.index)
        if rate.k > 0:
            yield Cause("spring", about, wave(rate.k, rate.c, dt), f"the spring of {title}, {too_stiff(rate.k, rate.c, dt)}")
        yield from runaway(about, f"the spring of {title}", f"the damping of {title}", rate, dt)
        if explicit and rate.b > 0:
            yield Cause(
                "damping", about, 0.5 * rate.b * rate.c * dt, f"the damping of {title}, {too_damped(rate.b, rate.c, dt)}"
            )


def runaway(about: tuple[str, int], spring: str, damper: str, rate: measure.Rate, dt: float) -> Iterator[Cause]:
    """Find negative springs and dampers. Their motion grows without limit, however short the time step is."""
    # Growth is worth reporting if it reaches a factor of e within half a second.
    long = max(0.5, 100 * dt)
    if rate.k < 0:
        fast = math.sqrt(-rate.k * rate.c)
        yield Cause(
            "runaway",
            about,
            fast * long,
            f"{spring} is {rate.k:.3g}: it repels, and the motion grows by a factor of e every {1 / fast:.2g} s",
        )
    if rate.b < 0:
        fast = -rate.b * rate.c
        yield Cause(
            "runaway",
            about,
            fast * long,
            f"{damper} is {rate.b:.3g}: it accelerates, and the speed grows by a factor of e every {1 / fast:.2g} s",
        )


def tendons(s: Scene) -> Iterator[Cause]:
    """Find tendons whose springs are too stiff or whose dampers are too strong."""
    explicit = int(s.m.opt.integrator) not in IMPLICIT
    for rate in measure.tendons(s.m, s.d):
        about, title, dt = ("tendon", rate.index), f"tendon {name(s.m, 'tendon', rate.index)}", s.dt
        stretch = wave(rate.k, rate.c, dt)
        drag = 0.5 * rate.b * rate.c * dt if explicit else 0.0
        if stretch >= drag and rate.k > 0:
            yield Cause("tendon", about, stretch, f"the spring of {title}, {too_stiff(rate.k, rate.c, dt)}")
        elif rate.b > 0 and drag:
            yield Cause("tendon", about, drag, f"the damping of {title}, {too_damped(rate.b, rate.c, dt)}")
        yield from runaway(about, f"the spring of {title}", f"the damping of {title}", rate, dt)


def servos(s: Scene) -> Iterator[Cause]:
    """Find actuators whose position or velocity feedback, or whose activation filter, is too fast for the time step."""
    m, dt = s.m, s.dt
    explicit = int(m.opt.integrator) not in IMPLICIT
    for rate in measure.actuators(m, s.d):
        about, title = ("actuator", rate.index), f"actuator {name(m, 'actuator', rate.index)}"
        stiff, damped = wave(rate.k, rate.c, dt), 0.5 * rate.b * rate.c * dt if explicit else 0.0
        if rate.k > 0 and stiff >= damped:
            yield Cause("servo", about, stiff, f"the position that {title} holds, with {too_stiff(rate.k, rate.c, dt)}")
        elif rate.b > 0 and damped:
            yield Cause("feedback", about, damped, f"the braking of {title}, {too_damped(rate.b, rate.c, dt)}")
        yield from runaway(about, f"the feedback of length of {title}", f"the feedback of velocity of {title}", rate, dt)
    if m.na:
        for i in np.flatnonzero(np.asarray(m.actuator_dyntype) == int(mj.mjtDyn.mjDYN_FILTER)).tolist():
            tau = float(m.actuator_dynprm[i][0])
            yield Cause(
                "filter",
                ("actuator", i),
                0.5 * dt / max(tau, 1e-15),
                f"the filter of actuator {name(m, 'actuator', i)} has a time "
                f"constant of {tau:.2g} s, integrated explicitly: steps below {2 * tau:.2g} s; it is {dt:.2g} s",
            )


EFC = mj.mjtConstraint
OWNERS = {
    int(EFC.mjCNSTR_EQUALITY): "constraint",
    int(EFC.mjCNSTR_LIMIT_JOINT): "limit",
    int(EFC.mjCNSTR_LIMIT_TENDON): "limit",
    int(EFC.mjCNSTR_CONTACT_FRICTIONLESS): "contact",
    int(EFC.mjCNSTR_CONTACT_PYRAMIDAL): "contact",
    int(EFC.mjCNSTR_CONTACT_ELLIPTIC): "contact",
}


def constraints(s: Scene) -> Iterator[Cause]:
    """Find constraint rows whose own spring or damper is too fast for the time step. The reference acceleration is aref = -b v
    - k imp r; the constraint achieves a fraction imp of it.
    """
    m, d, dt = s.m, s.d, s.dt
    worst: dict[tuple[str, tuple[str, int]], Cause] = {}
    n = int(d.nefc)
    kinds, ids, values = (np.asarray(x)[:n].tolist() for x in (d.efc_type, d.efc_id, d.efc_KBIP))
    for kind, ident, (k, b, imp, _slope) in zip(kinds, ids, values, strict=True):
        if kind not in OWNERS:
            continue
        what, about = OWNERS[kind], element(m, d, kind, ident)
        ratio = max(0.5 * math.sqrt(max(0.0, k) * imp) * dt, 0.5 * b * imp * dt)
        title = constraint_title(m, what, about, d, ident)
        text = f"{title} has a stiffness of {k:.3g} 1/s^2 and a damping of {b:.3g} 1/s: too fast for time steps of {dt:.2g} s"
        if b < 0:
            ratio, text = max(ratio, 1.0 - b * imp * dt), f"{title} has a negative damping, {b:.3g} 1/s: it accelerates"
        if (what, about) not in worst or worst[what, about].ratio < ratio:
            worst[what, about] = Cause(what, about, ratio, text)
    yield from worst.values()


def element(m: mj.MjModel, d: mj.MjData, kind: int, ident: int) -> tuple[str, int]:
    """Return the element of a constraint row. For a contact, return a geom that is not fixed to the world, if there is one."""
    if kind == int(EFC.mjCNSTR_EQUALITY):
        return "equality", ident
    if kind == int(EFC.mjCNSTR_LIMIT_JOINT):
        return "joint", ident
    if kind == int(EFC.mjCNSTR_LIMIT_TENDON):
        return "tendon", ident
    pair = [g for g in np.asarray(d.contact.geom).reshape(-1, 2)[ident].tolist() if g >= 0]
    moving = [g for g in pair if int(m.geom_bodyid[g]) and int(m.body_weldid[m.geom_bodyid[g]])]
    return "geom", (moving or pair or [0])[0]


def constraint_title(m: mj.MjModel, what: str, about: tuple[str, int], d: mj.MjData, ident: int) -> str:
    if what == "contact":
        pair = [geom_title(m, g) for g in np.asarray(d.contact.geom).reshape(-1, 2)[ident].tolist() if g >= 0]
        return f"the contact of {' and '.join(pair)}"
    if what == "limit":
        return f"the limit of {joint_title(m, about[1]) if about[0] == 'joint' else 'tendon ' + name(m, 'tendon', about[1])}"
    return f"equality {name(m, 'equality', about[1])}"


def overlaps(s: Scene) -> Iterator[Cause]:
    """Find geoms that overlap deeply at the start, so that contact forces throw them apart."""
    if not s.first:
        return
    m, d = s.m, s.d
    for k in range(int(d.ncon)):
        pair = [g for g in np.asarray(d.contact.geom).reshape(-1, 2)[k].tolist() if g >= 0]
        sizes = [float(m.geom_rbound[g]) for g in pair if m.geom_rbound[g] > 0]
        depth = -float(d.contact[k].dist)
        if sizes and depth > INSIDE * min(sizes):
            text = f"{' and '.join(geom_title(m, g) for g in pair)} overlap by {depth:.3g} m at the start"
            yield Cause("penetration", ("geom", pair[0]), depth / min(sizes), text)


def inertias(s: Scene) -> Iterator[Cause]:
    """Find degrees of freedom with almost no inertia compared with the others."""
    m = s.m
    if not m.nv:
        return
    turns = np.array([int(m.jnt_type[dof_joint(m, i)]) != int(mj.mjtJoint.mjJNT_SLIDE) for i in range(m.nv)])
    own = np.asarray(m.dof_M0, float)
    for group in (turns, ~turns):
        if not group.any():
            continue
        typical = float(np.median(own[group])) if group.sum() > 2 else float(own[group].max())
        for dof in np.flatnonzero(group & (own < LIGHT * typical)).tolist():
            about = ("joint", dof_joint(m, dof))
            yield Cause(
                "inertia",
                about,
                math.sqrt(LIGHT * typical / max(own[dof], 1e-300)),
                f"{dof_name(m, dof)} has an inertia of {own[dof]:.2g} "
                f"(others: {typical:.2g}) and an armature of {float(m.dof_armature[dof]):.2g}",
            )


def forces(s: Scene) -> Iterator[Cause]:
    """Find actuators that move their loads too far within a few steps, and excessive gravity."""
    m, d, dt = s.m, s.d, s.dt
    pull = float(np.linalg.norm(m.opt.gravity))
    if pull > HUGE_GRAVITY:
        yield Cause(
            "gravity",
            ("", 0),
            pull / HUGE_GRAVITY,
            f"gravity is {pull:.3g} m/s^2; a step of {dt:.2g} s falls {0.5 * pull * dt * dt:.2g} m",
        )

    if not m.nactuator:
        return

    for i in np.flatnonzero(~(np.abs(np.asarray(d.ctrl)) < HUGE_CONTROL)).tolist():
        yield Cause(
            "control",
            ("actuator", control_owners(m)[i]),
            math.inf,
            f"the control of actuator {control_names(m)[i]} is {float(d.ctrl[i]):.3g}",
        )

    fed = {rate.index for rate in measure.actuators(m, d)}
    rows = np.asarray(m.actuator_outadr)
    force = np.asarray(d.actuator_force, float)[rows]
    driven = [i for i in np.flatnonzero(np.abs(force) > 0).tolist() if i not in fed]

    if driven:
        # Skip dofs with negligible inertia. Any force moves them too far, and the rule `inertias` reports them.
        heaviest = 1.0 / (LIGHT * float(np.median(np.asarray(m.dof_M0))))
        for i, c in zip(driven, measure.compliance(m, d, measure.actuator_rows(m, d)[rows[driven]]), strict=True):
            given = abs(force[i]) * float(c)
            moved = given * (STRONG_STEPS * dt) ** 2
            text = (
                f"actuator {name(m, 'actuator', i)} gives {force[i]:.3g}, an acceleration of {given:.3g}: "
                f"in {STRONG_STEPS:.0f} steps "
                f"it moves its load by {moved:.2g}"
            )
            yield Cause("force", ("actuator", i), 0.1 * moved * min(1.0, heaviest / float(c)), text)


def states(s: Scene) -> Iterator[Cause]:
    """Find implausible initial positions and velocities."""
    if not s.first:
        return
    m, d = s.m, s.d
    for dof in np.flatnonzero(~(np.abs(np.asarray(d.qvel)) < HUGE_STATE)).tolist():
        yield Cause(
            "state",
            ("joint", dof_joint(m, dof)),
            math.inf,
            f"{dof_name(m, dof)} starts with a speed of {float(d.qvel[dof]):.3g}",
        )
    for i in np.flatnonzero(~(np.abs(np.asarray(d.qpos)) < HUGE_STATE)).tolist():
        joint = qpos_joint(m, i)
        yield Cause("state", ("joint", joint), math.inf, f"{joint_title(m, joint)} starts at {float(d.qpos[i]):.3g}")


def spins(s: Scene) -> Iterator[Cause]:
    """Find bodies that turn far in one step and have unequal principal moments of inertia. Explicit integration of their
    gyroscopic forces is inaccurate.
    """
    m, d, dt = s.m, s.d, s.dt
    if int(m.opt.integrator) == IMPLICIT[0] or not s.first:
        return
    for joint in np.flatnonzero(np.isin(np.asarray(m.jnt_type), (measure.FREE, measure.BALL))).tolist():
        dofs = measure.dofs_of(m, joint)
        turn = float(np.linalg.norm(d.qvel[dofs.stop - 3 : dofs.stop]))
        body = int(m.jnt_bodyid[joint])
        moments = np.sort(np.asarray(m.body_inertia[body], float))
        if moments[2] > 0 and moments[2] - moments[0] > ROUND * moments[2] and math.isfinite(turn):
            text = (
                f"body {name(m, 'body', body)} turns by {turn * dt:.2g} rad in a step, "
                f"with moments of inertia from {moments[0]:.2g} "
                f"to {moments[2]:.2g}"
            )
            yield Cause("spin", ("joint", joint), turn * dt / SPIN * (1 - float(moments[0] / moments[2])), text)


def fluids(s: Scene) -> Iterator[Cause]:
    """Find dofs whose fluid drag removes more than their whole speed in one step."""
    m, d, dt = s.m, s.d, s.dt
    if not (m.opt.density or m.opt.viscosity) or not m.nv:
        return
    slowed, speed = np.zeros((1, m.nv)), np.abs(np.asarray(d.qvel, float))
    mj.mj_solveM(m, d, slowed, np.array(d.qfrc_fluid, float).reshape(1, -1))
    share = np.where(speed > 0, np.abs(slowed[0]) * dt / np.maximum(speed, 1e-9), 0.0)
    dof = int(np.argmax(np.where(speed > 1e-6, share, 0.0)))
    text = (
        f"the medium (density {float(m.opt.density):.3g}, viscosity {float(m.opt.viscosity):.3g}) "
        f"changes the speed of {dof_name(m, dof)} "
        f"by {float(share[dof]):.2g} times its value in one step"
    )
    yield Cause("fluid", ("joint", dof_joint(m, dof)), 0.5 * float(share[dof]), text)


def flexes(s: Scene) -> Iterator[Cause]:
    """Find elastic flexes that are too stiff for the time step, in the direction of their current motion."""
    m, d, dt = s.m, s.d, s.dt
    bodies = np.asarray(m.flex_vertbodyid) if m.nflex else np.zeros(0, int)
    for f in range(m.nflex):
        own = bodies[int(m.flex_vertadr[f]) : int(m.flex_vertadr[f]) + int(m.flex_vertnum[f])]
        moving = np.isin(np.asarray(m.dof_bodyid), own)
        if not moving.any():
            continue
        # In the stiffest mode, neighbouring vertices move in opposite directions.
        direction = np.where(moving, np.where(np.arange(m.nv) // 3 % 2 == 0, 1.0, -1.0), 0.0)
        direction[np.arange(m.nv) % 3 == 2] *= -1
        direction /= np.linalg.norm(direction)
        square = measure.probe(m, d, direction)
        if square > 0:
            omega = math.sqrt(square)
            most = f"needs a time step below {2 / omega:.2g} s, not {dt:.2g} s"
            text = f"flex {name(m, 'flex', f)} oscillates at {omega:.3g} rad/s and {most}"
            yield Cause("flex", ("flex", f), 0.5 * omega * dt, text)


def solver(s: Scene) -> Iterator[Cause]:
    """Report that the solver reached its iteration limit."""
    m, d = s.m, s.d
    most = int(m.opt.iterations)
    used = int(np.max(np.asarray(d.solver_niter))) if int(d.nefc) else 0
    if used >= most and not s.first:
        text = f"the solver stopped after {used} iterations, its limit, with {int(d.nefc)} rows of constraints"
        yield Cause("solver", ("", 0), 0.6 + 1.0 / max(1, most), text)


RULES: tuple[Callable[[Scene], Iterator[Cause]], ...] = (
    springs,
    tendons,
    servos,
    constraints,
    overlaps,
    inertias,
    forces,
    states,
    spins,
    fluids,
    flexes,
    solver,
)
