"""Time steps, forward and inverse dynamics, and their components.

All functions take (m, d): an MjModel, which is not changed, and an MjData of that model.
"""

from collections.abc import Callable
from threading import get_ident, main_thread
from typing import Any

from ..calls import compiled as calls
from ..core import owner, stages
from ..core.data import MjData
from ..core.model import MjModel
from ..core.pace import Pace
from ..core.report import FatalError
from ..core.stages import OK, STATUS
from ..machine import jit
from ..tables import stage_rows
from ..tables.enums import mjtStage
from ..tables.values import read_integer
from . import entries
from .signature import public
from .state import fill_results

PLACE = owner.function_place("mj_step")


def _single(function: Callable[..., Any]) -> Any:
    """Route calls for a single step into compiled code. The function handles all other calls, and errors."""
    return entries.enter(
        function, lambda: (entries.Argument("m", calls.MODEL), entries.Argument("d", calls.DATA)), "api.bodies:step(m, d, w)"
    )


@_single
def mj_step(m: MjModel, d: MjData, nstep: int = 1) -> None:
    """mj_step(m: mujoco._structs.MjModel, d: mujoco._structs.MjData, nstep: typing.SupportsInt = 1) -> None

    Advance simulation. Optionally, repeat nstep times. One call into compiled code does all steps, without the
    interpreter lock.
    """
    # the checks of `public`, written out because this function is called most often
    try:
        if d.model is not m:
            stages.check_model(m, d)
        data = d.storage
    except AttributeError:
        raise TypeError(
            "mj_step(): incompatible function arguments: "
            f"needs MjModel and MjData, got {type(m).__name__} and {type(d).__name__}"
        ) from None

    # mark the Data as in use, then make the step
    entry = jit.Stage.registry.get("step_many") or stages.find("step_many")
    left = read_integer(nstep)
    depth = owner.enter(data, PLACE)
    try:
        _steps(entry, m, d, left)
    finally:
        owner.leave(data, depth)


def _steps(entry: Any, m: MjModel, d: MjData, left: int) -> None:
    """Make all steps of a call that has entered the Data."""
    # check for edited indices
    model, data = m.storage.address, d.storage
    table, cells = m.storage.table, data.integers
    if table:
        if "step_many" in stages.REPLACED:
            stages.check_edits(m, d)
        else:
            table = stages.look(m, table, cells)
    # the main thread must return to the interpreter now and then to handle signals
    slices = left > data.pace and get_ident() == main_thread().ident
    pace = Pace(data.pace) if slices else None
    while left > 0:
        done = entry(model, data.address, min(left, pace.steps) if pace else left)
        left -= done
        # an interrupted step has changed nothing: fix the cause and repeat it
        if cells[STATUS] != OK:
            stages.recover(d, m)
        if pace:
            pace.update(done)
            data.pace = pace.steps


@public("m d", code="api.bodies:part(m, d, w)", constant=stage_rows.stage_id("step1"))
def mj_step1(m, d):
    """Make the first part of a step: checks, and everything that does not depend on controls and applied forces."""
    stages.call("step1", m, d)


@public("m d", code="api.bodies:part(m, d, w)", constant=stage_rows.stage_id("step2"))
def mj_step2(m, d):
    """Make the second part of a step: forces, accelerations, integration (Runge-Kutta becomes Euler)."""
    stages.call("step2", m, d)


@public("m d", code="api.bodies:?forward(m, d, w)")
def mj_forward(m, d):
    """Run forward dynamics: everything from positions to accelerations; time does not advance."""
    # a full stack must raise an error, because scripts mark it as full to test that
    if 0 < d.narena <= d.pstack:
        raise FatalError("mj_stackAlloc: out of memory, stack overflow")
    stages.call("forward_skip", m, d, int(mjtStage.mjSTAGE_NONE), 0)


@public("m d skipstage:i skipsensor:i")
def mj_forwardSkip(m, d, skipstage, skipsensor):
    """Run forward dynamics without the stages up to `skipstage` (mjtStage) and, if `skipsensor`, without sensors."""
    stages.call("forward_skip", m, d, int(skipstage), int(skipsensor))


@public("m d", code="api.bodies:inverse(m, d, w)")
def mj_inverse(m, d):
    """Run inverse dynamics: qfrc_inverse from qpos, qvel, qacc."""
    stages.call("inverse_skip", m, d, int(mjtStage.mjSTAGE_NONE), 0)


@public("m d skipstage:i skipsensor:i")
def mj_inverseSkip(m, d, skipstage, skipsensor):
    """Run inverse dynamics without the stages up to `skipstage` (mjtStage) and, if `skipsensor`, without sensors."""
    stages.call("inverse_skip", m, d, int(skipstage), int(skipsensor))


@public("m d", code="api.bodies:component(m, d, w)", constant=stage_rows.stage_id("reset_data"))
def mj_resetData(m, d):
    """Reset everything to initial values: configuration qpos0; zero velocities, controls and forces."""
    stages.check_edits(m, d)
    stages.call("reset_data", m, d)


@public("m d debug_value:c")
def mj_resetDataDebug(m, d, debug_value):
    """Reset, and fill results with a byte value, to reveal results that are never computed."""
    mj_resetData(m, d)
    fill_results(d, debug_value)


@public("m d key:i")
def mj_resetDataKeyframe(m, d, key):
    """Reset, then load a keyframe; an index out of range loads none."""
    mj_resetData(m, d)
    key = int(key)
    if 0 <= key < m.nkey:
        d.time = m.key_time[key]
        for name, source in (("qpos", "qpos"), ("qvel", "qvel"), ("act", "act"), ("ctrl", "ctrl")):
            getattr(d, name)[:] = getattr(m, f"key_{source}")[key]
        d.plastic[:] = m.key_plastic[key]
        d.mocap_pos[:] = m.key_mpos[key].reshape(-1, 3)
        d.mocap_quat[:] = m.key_mquat[key].reshape(-1, 4)


# public name: (stage, description)
COMPONENTS = {
    "mj_fwdKinematics": ("fwd_kinematics", "Poses, tendon and flex lengths."),
    "mj_fwdPosition": ("fwd_position", "Everything that depends on positions."),
    "mj_fwdVelocity": ("fwd_velocity", "Everything that depends on velocities."),
    "mj_fwdActuation": ("actuation", "Actuator forces."),
    "mj_fwdAcceleration": ("smooth_acceleration", "Accelerations without constraints."),
    "mj_fwdConstraint": ("solve_constraint", "Constraint forces and accelerations."),
    "mj_Euler": ("euler", "Euler integrator, semi-implicit in velocity."),
    "mj_implicit": ("implicit", "Step with an integrator that is implicit in velocity."),
    "mj_kinematics": ("kinematics", "Poses of bodies, joints, geoms and sites."),
    "mj_comPos": ("com_pos", "Inertias and motion axes in frames at the centre of mass."),
    "mj_camlight": ("camlight", "Poses of cameras and lights."),
    "mj_flex": ("flex_pos", "Vertices, bounding boxes and edges of deformables."),
    "mj_tendon": ("tendon", "Tendon lengths and moments."),
    "mj_transmission": ("transmission", "Actuator lengths and moments."),
    "mj_makeM": ("make_inertia", "Joint-space inertia with tendon armature."),
    "mj_crb": ("composite_bodies", "Composite inertias and joint-space inertia."),
    "mj_factorM": ("factor_inertia", "Sparse factorisation of the joint-space inertia."),
    "mj_comVel": ("com_vel", "Velocities of bodies, rates of motion axes."),
    "mj_passive": ("passive", "Spring, damper, gravity compensation and fluid forces."),
    "mj_subtreeVel": ("subtree_vel", "Linear velocity and angular momentum of subtrees."),
    "mj_rnePostConstraint": ("rne_post", "Accelerations and forces of bodies, with all constraint forces."),
    "mj_collision": ("collision", "Contacts."),
    "mj_makeConstraint": ("make_constraint", "Constraint rows."),
    "mj_island": ("island", "Islands of constraints."),
    "mj_projectConstraint": ("project_constraint", "Inverse inertia in constraint space."),
    "mj_referenceConstraint": ("reference_constraint", "Constraint velocities and reference accelerations."),
    "mj_sensorPos": ("sensor_pos", "Sensors that depend on positions."),
    "mj_sensorVel": ("sensor_vel", "Sensors that depend on velocities."),
    "mj_sensorAcc": ("sensor_acc", "Sensors that depend on accelerations and forces."),
    "mj_energyPos": ("energy_pos", "Potential energy."),
    "mj_energyVel": ("energy_vel", "Kinetic energy."),
    "mj_invPosition": ("inv_position", "Position-dependent part of inverse dynamics."),
    "mj_invVelocity": ("fwd_velocity", "Velocity-dependent part of inverse dynamics."),
    "mj_invConstraint": ("inv_constraint", "Constraint forces of given accelerations."),
    "mj_compareFwdInv": ("compare_inverse", "Difference of forward and inverse dynamics."),
}


def _component(name: str, stage: str, doc: str) -> Any:
    """Return the public function that runs one stage."""

    def run(m: MjModel, d: MjData) -> None:
        stages.check_edits(m, d)
        stages.call(stage, m, d)

    run.__name__ = run.__qualname__ = name
    run.__doc__ = doc
    return public("m d", code="api.bodies:component(m, d, w)", constant=stage_rows.stage_id(stage))(run)


for _name, (_stage, _doc) in COMPONENTS.items():
    globals()[_name] = _component(_name, _stage, _doc)


@public("m d N:i")
def mj_RungeKutta(m, d, N):
    """Make a Runge-Kutta step of order N; only 4 is supported."""
    if N != 4:
        raise FatalError("mj_RungeKutta: supported RK orders: N=4")
    stages.call("runge_kutta", m, d)


__all__ = [
    "mj_RungeKutta",
    "mj_forward",
    "mj_forwardSkip",
    "mj_inverse",
    "mj_inverseSkip",
    "mj_resetData",
    "mj_resetDataDebug",
    "mj_resetDataKeyframe",
    "mj_step",
    "mj_step1",
    "mj_step2",
    *COMPONENTS,
]
