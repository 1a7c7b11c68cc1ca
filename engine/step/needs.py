"""Which stages a model will use, so that they can be compiled ahead, on all cores, before the first step.

The last column of tables.stage_rows.STAGES names conditions: the words of this file, each a function of a Model, or a size of the Model, which
holds if it is not zero. A word that asks for more than the Model (`pair`, `sensed`, `plugin`) gets what stands behind a colon, or else
the stage's name. A stage that a condition misses is not lost: it is compiled when it is first called.
"""

from typing import Any

import numpy as np

from ..collide.table import FAMILY, NONE
from ..core import plugin as plugins
from ..core import stages
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

# of a pile of boxes: what there is for each box
PILE = {"nbroad_cap": 8, "ncon_cap": 8, "nefc_cap": 16, "nJ_cap": 200, "nH_cap": 40}
WORDS = {}


def word(function) -> Any:
    """Enter a condition: a function of a Model and a text."""
    WORDS[function.__name__] = function
    return function


def disabled(m, *names) -> bool:
    """Whether any of these options is switched off."""
    return any(m.opt.disableflags & mjtDisableBit[f"mjDSBL_{n}"] for n in names)


def enabled(m, name) -> bool:
    return m.opt.enableflags & mjtEnableBit[f"mjENBL_{name}"] != 0


@word
def always(m, _) -> bool:
    return True


@word
def changed(m, name) -> bool:
    """A silent change of later releases that holds."""
    return m.compat_bits & compat_rows.bit(name) != 0


@word
def uses(m, name) -> bool:
    """A feature of later releases."""
    return m.features & getattr(compat_rows, name) != 0


# ---- options ---------------------------------------------------------------------------------------------------------------------------
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
    """The model's solver: `newton`, or the stage itself."""
    return BY_STAGE[f"solve_{name.removeprefix('solve_')}"].number == m.opt.solver


@word
def dual(m, _) -> bool:
    """A solver that works on constraint forces."""
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


# ---- forces ----------------------------------------------------------------------------------------------------------------------------
@word
def passive(m, _) -> bool:
    """Passive forces are left out when springs and dampers both are."""
    return not (disabled(m, "SPRING") and disabled(m, "DAMPER"))


@word
def damping(m, _) -> bool:
    return not disabled(m, "DAMPER")


@word
def fluid(m, _) -> bool:
    return m.opt.density != 0 or m.opt.viscosity != 0


@word
def spatial(m, _) -> bool:
    """A tendon through sites, not a sum of joints."""
    return bool(m.ntendon) and (m.wrap_type[m.tendon_adr] != mjtWrap.mjWRAP_JOINT).any()


@word
def armature(m, _) -> bool:
    return (m.tendon_armature != 0).any() or bool(m.ntendon and m.features & compat_rows.DRIVE)


@word
def actuated(m, _) -> bool:
    return not disabled(m, "ACTUATION")


@word
def general(m, _) -> bool:
    """An actuator on something else than a tendon or a joint with one degree of freedom."""
    kind = m.actuator_trntype
    joints = kind <= mjtTrn.mjTRN_JOINTINPARENT
    other = ~joints & (kind != mjtTrn.mjTRN_TENDON)
    return bool(other.any()) or (m.jnt_type[m.actuator_trnid[joints, 0]] <= mjtJoint.mjJNT_BALL).any()


@word
def muscles(m, _) -> bool:
    """Muscles, user-defined actuators and actuator models of ours."""
    moved, servos = m.actuator_plugin < 0, actuator_rows.among(m, "gain", *actuator_rows.SEVERAL)
    gains, biases, states = (actuator_rows.more(m, what) for what in actuator_rows.TYPE)
    return (moved & ~servos & (gains | biases | states) | (m.actuator_actadr >= 0) & states).any()


@word
def driven(m, name) -> bool:
    """An actuator whose gain, bias or dynamics this stage computes."""
    rows = [row for row in actuator_rows.OURS if name in row.stages.values()]
    return any((actuator_rows.kinds_in(m, row.what) == row.number).any() for row in rows)


@word
def ranged(m, _) -> bool:
    """Ranges of actuator lengths, which may have been found by pulling."""
    return (m.actuator_lengthrange != 0).any()


# ---- constraints -----------------------------------------------------------------------------------------------------------------------
@word
def contacts(m, _) -> bool:
    return not disabled(m, "CONSTRAINT", "CONTACT") and m.nbody + m.nflex > 1


@word
def equality(m, _) -> bool:
    return m.neq > 0 and m.nemax > 0 and not disabled(m, "CONSTRAINT", "EQUALITY")


@word
def related(m, name) -> bool:
    """An equality constraint whose rows this stage makes."""
    return any(row.stage == name for row in OURS if (m.eq_type == row.number).any())


@word
def friction(m, _) -> bool:
    return not disabled(m, "CONSTRAINT", "FRICTIONLOSS")


@word
def limits(m, _) -> bool:
    return not disabled(m, "CONSTRAINT", "LIMIT")


@word
def constrained(m, _) -> bool:
    """Anything that can make a row of the constraint list."""
    rubs = (m.dof_frictionloss != 0).any() or (m.tendon_frictionloss != 0).any()
    ends = m.jnt_limited.any() or m.tendon_limited.any()
    return equality(m, _) or friction(m, _) and rubs or limits(m, _) and ends or contacts(m, _)


# ---- collision -------------------------------------------------------------------------------------------------------------------------
def families(m) -> set[str]:
    """Names of the collision functions of the pairs of geom types that can touch or are measured."""
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


def pairs_of(kinds) -> set[tuple[int, int]]:
    """{(lower type, higher type)} of any two of some geoms."""
    present, count = np.unique(kinds, return_counts=True)
    return {(int(a), int(b)) for a in present for b in present if a < b} | {
        (int(a), int(a)) for a, n in zip(present, count, strict=True) if n > 1
    }


@word
def pair(m, name) -> bool:
    """Two geoms that this stage collides."""
    return name in families(m)


@word
def convex(m, _) -> bool:
    """Something that the general convex functions collide."""
    used = {"collide_convex", "collide_hfield"} | ({"collide_box_box"} if sensed(m, "sensor_distance") else set())
    return bool(used & families(m)) or bool(m.nflex) and contacts(m, _)


@word
def fields(m, _) -> bool:
    """Signed distance fields that plugins define."""
    return ((m.geom_type == mjtGeom.mjGEOM_SDF) & (m.geom_plugin >= 0)).any()


# ---- sensors and plugins ---------------------------------------------------------------------------------------------------------------
@word
def sensed(m, name) -> bool:
    """A sensor that is computed by this stage, or from its results."""
    if disabled(m, "SENSOR"):
        return False
    kinds = set(zip(m.sensor_type.tolist(), m.sensor_needstage.tolist(), strict=True))
    return any(name in runs(kind, phase) for kind, phase in kinds)


@word
def rays(m, _) -> bool:
    """A range finder that reports more than a distance, or of a camera."""
    finders = m.sensor_type == mjtSensor.mjSENS_RANGEFINDER
    return (
        not disabled(m, "SENSOR") and (finders & ((m.sensor_objtype != mjtObj.mjOBJ_SITE) | (m.sensor_intprm[:, 0] > 1))).any()
    )


@word
def plugin(m, name) -> bool:
    """An instance of a plugin of this name."""
    known = (plugins.at(int(slot)) for slot in m.plugin)
    return any(p is not None and p.name == name for p in known)


# ---- the list --------------------------------------------------------------------------------------------------------------------------
def holds(m, text, stage) -> bool:
    """Whether a condition `a`, `!a`, `a:text` or `a|b` holds for a stage and a Model. KeyError for a word that nobody defined."""
    for atom in text.split("|"):
        name, _, argument = atom.lstrip("!").partition(":")
        value = getattr(m, name) != 0 if name in MODEL_SIZES else WORDS[name](m, argument or stage)
        if bool(value) != atom.startswith("!"):
            return True
    return False


def needed(m) -> list[str]:
    """Names of the stages that loading, stepping and viewing a Model will call."""
    return [row.name for row in stage_rows.ROWS if row.needed and all(holds(m, text, row.name) for text in row.needed)]


def stepped(m) -> list[str]:
    """Names of those stages without which no step of a Model can be done: not what only loading it calls, nor what only some states need."""
    rows = {row.name: row for row in stage_rows.ROWS}
    return [n for n in needed(m) if not rows[n].compiling and (rows[n].common or not rows[n].depends)]


def enter_interpreted(m) -> None:
    """Where stages run interpreted, a pass takes seconds perhaps: enter all that stepping a Model calls, and the room for a pile of its
    geoms, since a pass is begun again for each stage that is found missing and each time that there is too little room.
    """
    if jit.Stage.stand_in or jit.Stage.newcomer:
        for name in stepped(m):
            stages.ensure(name)
        m.__dict__["room"] = {n: max(count, PILE.get(n, 0) * min(m.ngeom, 1000)) for n, count in FIRST_CAPACITY.items()}


# what nearly every model needs, known before one is read
COMMON = [row.name for row in stage_rows.ROWS if row.common]
