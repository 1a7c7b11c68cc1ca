"""Fields derived from kinematics at the reference pose: inverse weights, statistics, spring constants, length ranges."""

import math
import warnings
from typing import Any

import numpy as np

from ...core.data import MjData, scratch
from ...core.model import MjModel
from ...core.plugin import PluginError
from ...core.report import FatalError
from ...core.stages import call
from ...step.length_range import set_length_range
from ...step.needs import enter_interpreted
from ...step.setconst import set_const
from ...tables.actuator_rows import either
from ...tables.compat_rows import holds
from ...tables.enums import mjtDisableBit, mjtEnableBit, mjtGeom, mjtIntegrator, mjtLRMode, mjtSleepPolicy, mjtWarning
from ..elements.elements import compile_error
from ..elements.spec import SETTINGS, MjSpec, setting
from ..language.arrays import true_rows
from ..language.errors import SpecError
from ..language.types import numbers
from .resolve import Compilation

INERTIA = int(mjtWarning.mjWARN_INERTIA)
NO_CONTACT, SLEEP = int(mjtDisableBit.mjDSBL_CONTACT), int(mjtEnableBit.mjENBL_SLEEP)
SLEEP_INIT = int(mjtSleepPolicy.mjSLEEP_INIT)
NO_OTHER_FORCES = sum(numbers(mjtDisableBit, "FRICTIONLOSS", "CONTACT", "SPRING", "DAMPER", "GRAVITY", "ACTUATION"))
LR_NONE, LR_MUSCLE, LR_MUSCLEUSER, LR_ALL = numbers(mjtLRMode, "NONE", "MUSCLE", "MUSCLEUSER", "ALL")
SDF = int(mjtGeom.mjGEOM_SDF)
DISCRETE, IMPLICIT = int(mjtIntegrator.mjINT_DISCRETE), numbers(mjtIntegrator, "IMPLICIT", "IMPLICITFAST")
# maximum number of steps in a simulation that finds a length range
MAX_PULL = 100_000


def check_flexes(c: Compilation, m: MjModel) -> None:
    """Raise an error for flexes whose forces the integrator cannot handle: in MuJoCo since 3.13, or only in Tumble."""
    discrete, implicit = m.opt.integrator == DISCRETE, m.opt.integrator in IMPLICIT
    if not m.nflex or not (discrete or holds("flex_implicit", c.compat_bits)):
        return
    for f, e in enumerate(c.flex.elems):
        elements = slice(int(m.flex_elemadr[f]), int(m.flex_elemadr[f] + m.flex_elemnum[f]))
        edges = slice(int(m.flex_edgeadr[f]), int(m.flex_edgeadr[f] + m.flex_edgenum[f]))
        elastic = m.flex_stiffness[elements].any() or m.flex_bending[edges].any()
        if discrete and elastic:
            raise compile_error(
                e,
                "attribute 'young': elasticity of flexes in the metric of the integrator discrete (MuJoCo 3.11) is not "
                "supported: use Euler with a small timestep",
            )
        if discrete and m.flex_passive[f] and not m.flex_rigid[f]:
            raise compile_error(
                e,
                "attribute 'passive': passive contacts of flexes with the integrator discrete (MuJoCo 3.12) are not supported",
            )
        if implicit and elastic:
            raise compile_error(
                e,
                "implicit and implicitfast do not integrate the elasticity of flexes: use Euler with a small timestep",
            )
        if m.flex_passive[f] and not m.flex_rigid[f] and m.flex_dim[f] > 1:
            raise compile_error(e, "passive contact of flexes needs the integrator discrete")


def check_fields(c: Compilation, m: MjModel) -> None:
    """Raise an error for flexes that may touch a signed distance field. Later releases test such a flex vertex by vertex."""
    if not holds("flex_fields", c.compat_bits):
        return
    for f, e in enumerate(c.flex.elems):
        for g in np.flatnonzero(m.geom_type == SDF):
            if m.flex_contype[f] & m.geom_conaffinity[g] or m.geom_contype[g] & m.flex_conaffinity[f]:
                raise compile_error(
                    e,
                    "attributes 'contype' and 'conaffinity': contacts of flexes with signed distance fields (MuJoCo 3.6) are "
                    f"not supported, exclude those with geom {m.geom(g).name!r}",
                )


def constants(c: Compilation, m: MjModel) -> None:
    """Compute the constants of a model, then overwrite statistics with the values given in the spec."""
    check_flexes(c, m)
    check_fields(c, m)
    spec = c.spec
    # switch off contacts and sleep while constants are computed
    flags = m.opt.disableflags, m.opt.enableflags
    m.opt.disableflags |= NO_CONTACT
    m.opt.enableflags &= ~SLEEP

    try:
        d = scratch(m)
    except PluginError as error:
        raise compile_error(c.plugin.elems[error.instance], str(error)) from error
    call("model_structure", m, d)

    # start with a count of 1: only the first warning is printed, and here `check_inertia` reports the problem
    raised = holds("least_pivot", c.compat_bits)
    if raised:
        d.warning[INERTIA].number = 1
    set_const(m, d, compiling=True)
    if raised and d.warning[INERTIA].number > 1:
        m.__dict__["singular_dof"] = int(d.warning[INERTIA].lastinfo)
    spring_damper(c, m)
    length_ranges(c, m, d)
    m.opt.disableflags, m.opt.enableflags = flags
    first_sleep(c, m)

    # statistics given in the spec replace the computed ones
    stat = setting(spec, "stat")
    if stat is SETTINGS["stat"]:
        return
    for name in ("meaninertia", "meanmass", "meansize", "extent"):
        value = getattr(stat, name)
        if not math.isnan(value):
            setattr(m.stat, name, value)
    if not math.isnan(stat.center[0]):
        m.stat.center[:] = stat.center


def first_sleep(c: Compilation, m: MjModel) -> None:
    """Raise an error if a tree that should be asleep initially cannot sleep."""
    if m.opt.enableflags & SLEEP and not holds("const_wide", m.compat_bits) and (m.tree_sleep_policy == SLEEP_INIT).any():
        enter_interpreted(m)
        try:
            # keep these array capacities: the next Data will need the same
            m.__dict__["room"] = MjData(m).capacities
        except FatalError as error:
            first = int(m.tree_bodyadr[np.argmax(m.tree_sleep_policy == SLEEP_INIT)])
            raise compile_error(c.body.elems[first], str(error)) from None


def spring_damper(c: Compilation, m: MjModel) -> None:
    """Set the stiffness and damping of joints from a time constant and a damping ratio."""
    j = c.joint
    if not j.given("springdamper"):
        return
    for i in true_rows((j.springdamper > 0).all(1)):
        timeconst, ratio = j.springdamper[i]
        dofs = slice(int(j.dofadr[i]), int(j.dofadr[i] + j.nv[i]))
        inertia = j.nv[i] / max(1e-15, float(m.dof_invweight0[dofs].sum()))
        m.jnt_stiffness[i] = inertia / max(1e-15, timeconst * timeconst * ratio * ratio)
        m.dof_damping[dofs] = 2 * inertia / max(1e-15, timeconst)


def length_ranges(c: Compilation, m: MjModel, d: MjData) -> None:
    """Find, by simulation, the length ranges of the actuators that the compiler options select."""

    # find the actuators that need a range
    options = c.spec.compiler.LRopt.raw
    if not m.nactuator or options["mode"] == LR_NONE:
        return
    muscle, user = either(m, "muscle"), either(m, "user")
    wanted = {LR_MUSCLE: muscle, LR_MUSCLEUSER: muscle | user, LR_ALL: m.actuator_outnum == 1}[options["mode"]]
    if options["useexisting"]:
        span = m.actuator_lengthrange[m.actuator_outadr]
        wanted = wanted & ~(span[:, 0] < span[:, 1])
    if not wanted.any():
        return

    step = options["timestep"] if options["timestep"] > 0 else m.opt.timestep
    if not options["inttotal"] <= MAX_PULL * step:
        raise SpecError(f"lengthrange: inttotal {options['inttotal']:g} is more than {MAX_PULL} steps of {step:g}")
    # during the simulation, only the pulling force moves the model
    saved = m.opt.timestep, m.opt.disableflags
    m.opt.disableflags = NO_OTHER_FORCES
    if options["timestep"] > 0:
        m.opt.timestep = options["timestep"]
    try:
        for i in true_rows(wanted):
            try:
                set_length_range(m, d, int(i), c.spec.compiler.LRopt)
            except FatalError as error:
                raise SpecError(str(error), c.actuator.elems[i].place) from None
    finally:
        m.opt.timestep, m.opt.disableflags = saved


def check_inertia(spec: MjSpec, m: MjModel) -> None:
    """Raise ValueError (a UserWarning from 4.0 on) if the joints of a body are redundant, so that its inertia matrix is
    singular.
    """
    dof = m.__dict__.pop("singular_dof", None)
    if dof is None:
        if not m.nv or not np.isnan(np.dot(m.dof_invweight0, m.dof_invweight0)):
            return
        dof = int(np.argmax(np.isnan(m.dof_invweight0)))
    body = int(m.dof_bodyid[dof])
    names = ", ".join(_shown(m.joint(j)) for j in np.flatnonzero(m.jnt_bodyid == body).tolist())
    where = f"joints {names} of body {_shown(m.body(body))}"
    text = f"the inertia matrix is singular at DOF {dof}: do {where} move it in the same way?"
    if not holds("singular_told", spec.compat_bits):
        raise SpecError(f"Nan, Inf or huge value in QACC at DOF {dof}. The simulation is unstable: {text}")
    warnings.warn(text, UserWarning, stacklevel=3)


def _shown(element: Any) -> str:
    """Return an element's name for messages: its name in quotes, or its id if it has none."""
    return f"'{element.name}'" if element.name else str(element.id)
