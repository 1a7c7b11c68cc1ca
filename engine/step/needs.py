"""Predicts the stages that a model will use, so that they can be compiled on all cores before the first step.

The last column of tables.stage_rows.STAGES has conditions. A condition is a word: the name of a function in this file, or of a
size of the Model, which holds if it is not zero. Words that need more than the Model (`pair`, `sensed`, `plugin`) get the text
after a colon, or else the stage's name. A stage that no condition predicts still works: it is compiled at its first call.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..collide.table import FAMILY, NONE
from ..core import plugin as plugins
from ..core import stages
from ..core.model import MjModel
from ..dynamics.sparsity import is_sparse
from ..machine import jit
from ..sense.catalog import runs
from ..tables import actuator_rows, compat_rows, stage_rows
from ..tables.enums import (
    mjtDisableBit,
    mjtEnableBit,
    mjtGeom,
    mjtIntegrator,
    mjtJoint,
    mjtObj,
    mjtSensor,
    mjtTrn,
    mjtWrap,
)
from ..tables.equality_rows import OURS
from ..tables.schema import FIRST_CAPACITY, MODEL_SIZES
from ..tables.solver_rows import BY_STAGE, DUAL

# capacities (contacts and rows) to reserve for each geom, as for a pile of boxes
PILE = {"nbroad_cap": 8, "ncon_cap": 8, "nefc_cap": 16, "nJ_cap": 200, "nH_cap": 40}
WORDS = {}


def word(function: Callable) -> Any:
    """Register a condition for use in the stage tables. A condition is a function of a Model and the text after a colon."""
    WORDS[function.__name__] = function
    return function


def disabled(m: MjModel, *names: Any) -> bool:
    """Return whether any of these disable flags is set."""
    return any(m.opt.disableflags & mjtDisableBit[f"mjDSBL_{n}"] for n in names)


def enabled(m: MjModel, name: str) -> bool:
    return m.opt.enableflags & mjtEnableBit[f"mjENBL_{name}"] != 0


@word
def always(m, _) -> bool:
    return True


@word
def changed(m, name) -> bool:
    """Return whether the compatibility change `name` applies to the model."""
    return m.compat_bits & compat_rows.bit(name) != 0


@word
def uses(m, name) -> bool:
    """Return whether the model uses the feature `name`, which was added after 3.4."""
    return m.features & getattr(compat_rows, name) != 0


# ---- options -----------------------------------------------------------------------------------------------------------
@word
def euler(m, _) -> bool:
    return not (rk4(m, _) or implicit(m, _))


@word
def discrete(m, _) -> bool:
    return m.opt.integrator == mjtIntegrator.mjINT_DISCRETE


@word
def rk4(m, _) -> bool:
    return m.opt.integrator == mjtIntegrator.mjINT_RK4


@word
def implicit(m, _) -> bool:
    return m.opt.integrator in (mjtIntegrator.mjINT_IMPLICIT, mjtIntegrator.mjINT_IMPLICITFAST)


@word
def full_implicit(m, _) -> bool:
    return m.opt.integrator == mjtIntegrator.mjINT_IMPLICIT


@word
def solver(m, name) -> bool:
    """Return whether `name` (`newton` or `solve_newton`, for example) is the model's solver."""
    return BY_STAGE[f"solve_{name.removeprefix('solve_')}"].number == m.opt.solver


@word
def dual(m, _) -> bool:
    """Return whether the solver solves for constraint forces (the dual problem)."""
    return m.opt.solver in DUAL


@word
def noslip(m, _) -> bool:
    return m.opt.noslip_iterations > 0


@word
def sparse(m, _) -> bool:
    return is_sparse.function(m)


@word
def sleep(m, _) -> bool:
    return enabled(m, "SLEEP")


@word
def energy(m, _) -> bool:
    return enabled(m, "ENERGY")


@word
def fwdinv(m, _) -> bool:
    return enabled(m, "FWDINV")


@word
def diagexact(m, _) -> bool:
    return enabled(m, "DIAGEXACT")


@word
def speculative(m, _) -> bool:
    return enabled(m, "SPECULATIVE")


@word
def multiccd(m, _) -> bool:
    return enabled(m, "MULTICCD")


@word
def native(m, _) -> bool:
    return not disabled(m, "NATIVECCD")


# ---- forces ------------------------------------------------------------------------------------------------------------
@word
def passive(m, _) -> bool:
    """Return whether passive forces are computed. They are not if both springs and dampers are disabled."""
    return not (disabled(m, "SPRING") and disabled(m, "DAMPER"))


@word
def damping(m, _) -> bool:
    return not disabled(m, "DAMPER")


@word
def fluid(m, _) -> bool:
    return m.opt.density != 0 or m.opt.viscosity != 0


@word
def spatial(m, _) -> bool:
    """Return whether there is a spatial tendon; fixed tendons do not count."""
    return bool(m.ntendon) and (m.wrap_type[m.tendon_adr] != mjtWrap.mjWRAP_JOINT).any()


@word
def armature(m, _) -> bool:
    return (m.tendon_armature != 0).any() or bool(m.ntendon and m.features & compat_rows.DRIVE)


@word
def actuated(m, _) -> bool:
    return not disabled(m, "ACTUATION")


@word
def general(m, _) -> bool:
    """Return whether an actuator drives something other than a tendon or a joint with one degree of freedom."""
    kind = m.actuator_trntype
    joints = kind <= mjtTrn.mjTRN_JOINTINPARENT
    other = ~joints & (kind != mjtTrn.mjTRN_TENDON)
    return bool(other.any()) or (m.jnt_type[m.actuator_trnid[joints, 0]] <= mjtJoint.mjJNT_BALL).any()


@word
def muscles(m, _) -> bool:
    """Return whether there are muscles, user-defined actuators or actuator models that MuJoCo does not have."""
    moved, servos = m.actuator_plugin < 0, actuator_rows.among(m, "gain", *actuator_rows.SEVERAL)
    gains, biases, states = (actuator_rows.more(m, what) for what in actuator_rows.TYPE)
    return (moved & ~servos & (gains | biases | states) | (m.actuator_actadr >= 0) & states).any()


@word
def driven(m, name) -> bool:
    """Return whether stage `name` computes the gain, bias or dynamics of any actuator."""
    rows = [row for row in actuator_rows.OURS if name in row.stages.values()]
    return any((actuator_rows.kinds_in(m, row.what) == row.number).any() for row in rows)


@word
def ranged(m, _) -> bool:
    """Return whether any actuator has a length range, which simulation may have to find."""
    return (m.actuator_lengthrange != 0).any()


# ---- constraints -------------------------------------------------------------------------------------------------------
@word
def contacts(m, _) -> bool:
    return not disabled(m, "CONSTRAINT", "CONTACT") and m.nbody + m.nflex > 1


@word
def equality(m, _) -> bool:
    return m.neq > 0 and m.nemax > 0 and not disabled(m, "CONSTRAINT", "EQUALITY")


@word
def related(m, name) -> bool:
    """Return whether stage `name` makes the constraint rows of any equality constraint."""
    return any(row.stage == name for row in OURS if (m.eq_type == row.number).any())


@word
def friction(m, _) -> bool:
    return not disabled(m, "CONSTRAINT", "FRICTIONLOSS")


@word
def limits(m, _) -> bool:
    return not disabled(m, "CONSTRAINT", "LIMIT")


@word
def constrained(m, _) -> bool:
    """Return whether any part of the model can produce a constraint row."""
    rubs = (m.dof_frictionloss != 0).any() or (m.tendon_frictionloss != 0).any()
    ends = m.jnt_limited.any() or m.tendon_limited.any()
    return equality(m, _) or friction(m, _) and rubs or limits(m, _) and ends or contacts(m, _)


# ---- collision ---------------------------------------------------------------------------------------------------------
def families(m: MjModel) -> set[str]:
    """Return the names of the collision functions for all pairs of geom types that can touch, or whose distance is measured."""
    found = set()
    if contacts(m, ""):
        moving = (m.geom_contype != 0) | (m.geom_conaffinity != 0)
        found |= pairs_of(m.geom_type[moving])
        for pair in zip(m.geom_type[m.pair_geom1].tolist(), m.geom_type[m.pair_geom2].tolist(), strict=True):
            found.add(tuple(sorted(pair)))
    if sensed(m, "sensor_distance"):
        found |= pairs_of(m.geom_type)
    numbers = {int(FAMILY[a, b]) for a, b in found} - {NONE}
    return {stage_rows.ROWS[k].name for k in numbers}


def pairs_of(kinds: Any) -> set[tuple[int, int]]:
    """Return the set of (lower type, higher type) for all pairs of geoms of the given types."""
    present, count = np.unique(kinds, return_counts=True)
    return {(int(a), int(b)) for a in present for b in present if a < b} | {
        (int(a), int(a)) for a, n in zip(present, count, strict=True) if n > 1
    }


@word
def pair(m, name) -> bool:
    """Return whether stage `name` collides any two of the geoms."""
    return name in families(m)


@word
def convex(m, _) -> bool:
    """Return whether any pair of geoms needs the general convex functions."""
    used = {"collide_convex", "collide_hfield"} | ({"collide_box_box"} if sensed(m, "sensor_distance") else set())
    return bool(used & families(m)) or bool(m.nflex) and contacts(m, _)


@word
def fields(m, _) -> bool:
    """Return whether there are signed distance fields that plugins define."""
    return ((m.geom_type == mjtGeom.mjGEOM_SDF) & (m.geom_plugin >= 0)).any()


# ---- sensors and plugins -----------------------------------------------------------------------------------------------
@word
def sensed(m, name) -> bool:
    """Return whether stage `name` computes any sensor, or quantities that a sensor needs."""
    if disabled(m, "SENSOR"):
        return False
    kinds = set(zip(m.sensor_type.tolist(), m.sensor_needstage.tolist(), strict=True))
    return any(name in runs(kind, phase) for kind, phase in kinds)


@word
def rays(m, _) -> bool:
    """Return whether a rangefinder reports more than a distance, or belongs to a camera."""
    finders = m.sensor_type == mjtSensor.mjSENS_RANGEFINDER
    return (
        not disabled(m, "SENSOR") and (finders & ((m.sensor_objtype != mjtObj.mjOBJ_SITE) | (m.sensor_intprm[:, 0] > 1))).any()
    )


@word
def plugin(m, name) -> bool:
    """Return whether there is an instance of plugin `name`."""
    known = (plugins.at(int(slot)) for slot in m.plugin)
    return any(p is not None and p.name == name for p in known)


# ---- the list ----------------------------------------------------------------------------------------------------------
def holds(m: MjModel, text: str, stage: str) -> bool:
    """Return whether a condition `a`, `!a`, `a:text` or `a|b` is true for a stage and a Model. KeyError if it contains an
    unknown name."""
    for atom in text.split("|"):
        name, _, argument = atom.lstrip("!").partition(":")
        value = getattr(m, name) != 0 if name in MODEL_SIZES else WORDS[name](m, argument or stage)
        if bool(value) != atom.startswith("!"):
            return True
    return False


def needed(m: MjModel) -> list[str]:
    """Return the names of the stages that loading, stepping and viewing a Model will call."""
    return [row.name for row in stage_rows.ROWS if row.needed and all(holds(m, text, row.name) for text in row.needed)]


def stepped(m: MjModel) -> list[str]:
    """Return the names of the stages that every step of a Model runs, except for stages needed only for loading or in some
    states."""
    rows = {row.name: row for row in stage_rows.ROWS}
    return [n for n in needed(m) if not rows[n].compiling and (rows[n].common or not rows[n].depends)]


def enter_interpreted(m: MjModel) -> None:
    """If stages run interpreted, register all stages that stepping a Model calls, and reserve memory for a pile of the Model's
    geoms.

    Interpreted steps are slow, and a step restarts for each stage that is not loaded and each time memory is too small.
    """
    if jit.Stage.stand_in or jit.Stage.newcomer:
        for name in stepped(m):
            stages.ensure(name)
        m.__dict__["room"] = {n: max(count, PILE.get(n, 0) * min(m.ngeom, 1000)) for n, count in FIRST_CAPACITY.items()}


# stages that nearly every model needs, so they can be compiled before a model is loaded
COMMON = [row.name for row in stage_rows.ROWS if row.common]
