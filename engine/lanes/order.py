"""The order of the parts of a vectorized step, as in `step.forward`; and small kernels that only vectorized steps use.

lanes     check the state; positions, velocities, forces, smooth acceleration, the solution without constraints
each      world by itself: collision, constraint rows, islands; solver if there are rows
          (if actuators act at contacts, collision and constraint rows come before the actuators)
lanes     check the acceleration; sensors, energies; for Runge-Kutta, three substeps that repeat the two lines above
each      world that left the vectorized step: the whole step, from its state
lanes     integration
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..core.arena import asked
from ..step.checks import is_bad
from ..step.forward import ENERGY, KINETIC, POTENTIAL, actuator_velocity
from ..step.integrate import advance_by_slopes, begin_slopes, begin_substep, end_substep, restore_start
from ..step.reset import reset
from ..tables import stage_rows
from ..tables.compat_rows import ADHESION, HISTORY, PLASTIC, SERVO
from ..tables.enums import mjtDisableBit, mjtEnableBit, mjtIntegrator, mjtTrn
from ..tables.stage_rows import stage_id
from .symbols import LEFT

_OFF = int(mjtEnableBit.mjENBL_SLEEP) | int(mjtEnableBit.mjENBL_FWDINV)
_NO_SENSOR = int(mjtDisableBit.mjDSBL_SENSOR)
_AHEAD = int(mjtEnableBit.mjENBL_SPECULATIVE)
_EULER, _RK4, _DISCRETE = (int(mjtIntegrator[f"mjINT_{n}"]) for n in ("EULER", "RK4", "DISCRETE"))
_AT_CONTACTS = int(mjtTrn.mjTRN_BODY)
# key under which the time at the start of the step is kept; it is not a field
_TIME = "time at the start"
_LAST = 3
# stages that find contacts and make constraint rows; only worlds with contacts or rows need them
ROWS = ("collision", "make_constraint", "island")
# the stage that tests listed body pairs for contact, and the broad-phase stage that it replaces
LISTED, BROAD = "collide_pairs", "broad_phase"

# stages that solve for the constraint forces
SOLUTION = ("reference_constraint", "solve_constraint")
# stages that sensors may run
_MEASURED = frozenset(("subtree_vel", "rne_post", "energy_pos", "energy_vel"))
# stages that run only if there are constraint rows
_AFTER_ROWS = ("constraint_rate", "reference_constraint", "project_constraint")
# fields that collision reads only to predict contacts
AHEAD_ALONE = frozenset(("cvel", "cdof", "subtree_com"))


def _of(package: str, used: Sequence[str]) -> list[str]:
    """Return those stages in `used` that are defined in a package (see `step.needs`)."""
    return [n for n in used if stage_rows.MODULE[n].startswith(package + ".")]


def touching(used: Sequence[str]) -> list[str]:
    """Return the stages that find contacts."""
    return [ROWS[0], *(n for n in _of("collide", used) if n not in ROWS)]


def touching_listed(used: Sequence[str]) -> list[str]:
    """Return the stages that find contacts between listed body pairs."""
    return [LISTED, *(n for n in touching(used) if n not in (ROWS[0], BROAD))]


def making(used: Sequence[str]) -> list[str]:
    """Return the stages that make constraint rows."""
    return [ROWS[1], *(n for n in _of("constraint", used) if n not in (*ROWS, *_AFTER_ROWS))]


def solving(used: Sequence[str]) -> list[str]:
    """Return the stages that process constraint rows, and the stages that solve for constraint forces."""
    return [ROWS[2], *SOLUTION, *(n for n in used if n in _AFTER_ROWS), *_of("solve", used)]


def measuring(used: Sequence[str]) -> list[str]:
    """Return the stages of sensors, and the stages that they run."""
    return [*_of("sense", used), *(n for n in used if n in _MEASURED), "object_velocity", "contact_force"]


def integrating(used: Sequence[str]) -> list[str]:
    """Return the stage of implicit integrators, and the stages of derivatives that it may run."""
    return ["implicit", *(n for n in used if n.startswith("derivative_"))]


# results of the solver that later stages read
SOLVED = frozenset(("qacc", "qfrc_constraint"))
HOOKS = [stage_id(f"hook_{n}") for n in "control passive sensor act_dyn act_gain act_bias contactfilter time".split()]


def check_state(m: Any, d: Any) -> None:
    """Exclude worlds whose state has NaN or huge values from the vectorized step, so that they are reset."""
    for i in range(m.nq):
        if is_bad(d.qpos[i]):
            reset(m, d)
    for i in range(m.nv):
        if is_bad(d.qvel[i]):
            reset(m, d)


class Beginning:
    """Traces the beginning of a step: all worlds are in the vectorized step, until one fails `check_state`."""

    @staticmethod
    def trace_with(tracer: Any, m: Any, d: Any) -> None:
        """Trace this part."""
        tracer.tape.write(LEFT, 0.0)
        tracer.read(check_state)(m, d)


def check_acceleration(m: Any, d: Any) -> None:
    """Like `check_state`, for accelerations."""
    for i in range(m.nv):
        if is_bad(d.qacc[i]):
            reset(m, d)


def no_energy(m: Any, d: Any) -> None:
    """Set both energies to zero."""
    d.energy[0] = d.energy[1] = 0.0


class Substep:
    """Traces a Runge-Kutta substep. After substeps 1 to 3, forward dynamics runs; after the last one, the step ends."""

    def __init__(self, number: int) -> None:
        self.number = number

    def trace_with(self, tracer: Any, m: Any, d: Any) -> None:
        """Trace this substep."""
        s = self.number
        if s == 1:
            tracer.read(begin_slopes)(m, d)
            d.keep(_TIME, d.time)
        else:
            tracer.read(end_substep)(m, d, s - 1, _fraction(s - 1))
        if s <= _LAST:
            tracer.read(begin_substep)(m, d, s, _fraction(s), d.kept(_TIME))
        else:
            # worlds that are excluded from the vectorized step repeat the step from this state
            tracer.read(restore_start)(m, d)
            d.time = d.kept(_TIME)


def _fraction(s: int) -> float:
    """Return the fraction of the time step at which a substep is evaluated."""
    return 1.0 if s == _LAST else 0.5


class Part(NamedTuple):
    """A part of a step: its name, the traced kernel (None: the stage of that name), and whether an untraceable part may run
    world by world. alone: it always does."""

    name: str
    kernel: Any = None
    scalar: bool = True
    alone: bool = False


def obstacle(m: Any) -> str:
    """Return why steps of a model cannot run on lanes; an empty string if they can."""
    # options
    if m.opt.enableflags & _OFF:
        return "sleep and the comparison of inverse dynamics need whole steps"
    if m.opt.enableflags & _AHEAD:
        return "contacts ahead of time need the motion of each world"

    # elements and features of the model
    if m.nflex or m.nplugin:
        return "deformables and plugins need whole steps"
    if m.opt.integrator == _DISCRETE:
        return "the integrator discrete solves whole steps"
    if m.features & HISTORY:
        return "delays need the history of each world"
    if m.features & SERVO:
        return "servos with several controls and motors need whole steps"
    if m.features & ADHESION:
        return "contacts that pull need whole steps"
    if m.features & PLASTIC:
        return "springs that yield need the state of each world"
    if m.nv == 0:
        return "nothing moves"
    return ""


def acts_at_contacts(m: Any) -> bool:
    """Return whether actuators act at contacts, which must then be found before the actuators' forces."""
    return any(m.actuator_trntype == _AT_CONTACTS)


def before_contacts(m: Any) -> list[Part]:
    """Return the parts that need positions alone, up to the factors of the inertia. The actuators' parts come later."""
    parts = [Part("kinematics"), Part("com_pos")]
    if m.ncam or m.nlight:
        parts.append(Part("camlight"))
    if m.ntendon:
        parts.append(Part("tendon"))
    return [*parts, Part("make_inertia"), Part("factor_inertia")]


def before_solution(m: Any) -> list[Part]:
    """Return the parts from the actuators' transmissions to the smooth acceleration, and the solution without constraints."""
    at_contacts = acts_at_contacts(m)
    parts = [Part("transmission", alone=at_contacts)] if m.nu else []
    if m.ntendon:
        parts.append(Part("tendon_vel"))
    if at_contacts:
        parts.append(Part("drive_velocity", alone=True))
    else:
        parts.append(Part("actuator_velocity", actuator_velocity, False))
    parts += [Part("com_vel"), Part("passive"), Part("rne")]
    if any(m.tendon_armature != 0):
        parts.append(Part("tendon_bias"))
    return [
        *parts,
        Part("actuation", alone=at_contacts),
        Part("smooth_acceleration"),
        Part("solve_constraint", None, False),
    ]


def after_rows(m: Any) -> list[Part]:
    """Return the parts between the solver and the integrator."""
    sensors = (
        [Part(n) for n in ("sensor_pos", "sensor_vel", "sensor_acc")]
        if m.nsensor and not m.opt.disableflags & _NO_SENSOR
        else []
    )
    return [
        *sensors,
        *_energies(m, [int(kind) for kind in m.sensor_type] if sensors else []),
        Part("check_acceleration", check_acceleration, False),
    ]


def _energies(m: Any, measured: Sequence[int]) -> list[Part]:
    """Return the parts for energies that no sensor computes."""
    if m.opt.enableflags & ENERGY == 0:
        # As in `step.forward.after_position`: if the energy flag is off, only the sensor's result is stored.
        return [Part("no_energy", no_energy)] if KINETIC in measured and POTENTIAL not in measured else []
    return [Part(name) for name, kind in (("energy_pos", POTENTIAL), ("energy_vel", KINETIC)) if kind not in measured]


def substeps(m: Any) -> list[Part]:
    """Return the Runge-Kutta substeps. Forward dynamics follows each of them except the last."""
    return [Part(f"substep_{s}", Substep(s), False) for s in range(1, _LAST + 2)] if m.opt.integrator == _RK4 else []


def scratch(m: Any) -> list[list[int]]:
    """Return the stages that begin, and those that end counting the scratch of substeps: one of each if it may take the memory
    of contacts, otherwise none."""
    counts = m.opt.integrator == _RK4 and asked(m)
    return [[stage_id(n)] if counts else [] for n in ("count_substeps", "forget_substeps")]


def after_substep(m: Any) -> list[Part]:
    """Return the parts that follow forward dynamics in a substep; they include no sensors."""
    return _energies(m, ()) or [Part("no_energy", no_energy)]


def integrator(m: Any) -> Part:
    """Return the part that ends the step."""
    if m.opt.integrator == _RK4:
        return Part("runge_kutta", advance_by_slopes, False)
    if m.opt.integrator == _EULER:
        return Part("euler", None, False)
    # the moments of actuators at contacts depend on the state
    return Part("implicit", None, False, acts_at_contacts(m))
