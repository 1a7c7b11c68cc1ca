"""Forward dynamics and time steps, stage by stage.

    forward       position: kinematics, com_pos, camlight, flex, tendon, inertia, collision, constraints, transmission
                  velocity: tendon and actuator velocities, com_vel, passive, constraint reference, bias
                  acceleration: control, actuation, smooth_acceleration, constraint solver; sensors after each part
    step          checks, forward, check, integrator

Every function here returns whether it completed. False means that a stage was interrupted (Data.status tells why) and nothing
was integrated; the same call can be repeated.
"""

from ..constraint.project import is_dual
from ..core.stages import call_hook, run, table_entry
from ..core.timers import add_time, first_now, just_now, now, stop_timer
from ..dynamics.awake import undo_wake
from ..dynamics.kinematics import SLEEP
from ..dynamics.metric import is_discrete
from ..machine.jit import inline, kernel, stage
from ..tables.compat_rows import DRIVE
from ..tables.enums import mjtDisableBit, mjtEnableBit, mjtIntegrator, mjtSensor, mjtTimer
from ..tables.stage_rows import stage_id, stage_ids
from .checks import check_acc, check_pos, check_vel, options_known, uncount, unedited, warning_counts

ENERGY, FWDINV = (int(mjtEnableBit[f"mjENBL_{n}"]) for n in ("ENERGY", "FWDINV"))
NO_ACTUATION, NO_SENSOR = (int(mjtDisableBit[f"mjDSBL_{n}"]) for n in ("ACTUATION", "SENSOR"))
EULER, RK4, IMPLICIT, IMPLICITFAST = (int(mjtIntegrator[f"mjINT_{n}"]) for n in ("EULER", "RK4", "IMPLICIT", "IMPLICITFAST"))
POTENTIAL, KINETIC = int(mjtSensor.mjSENS_E_POTENTIAL), int(mjtSensor.mjSENS_E_KINETIC)
(
    T_STEP,
    T_FORWARD,
    T_POSITION,
    T_VELOCITY,
    T_ACTUATION,
    T_CONSTRAINT,
    T_ADVANCE,
    T_KINEMATICS,
    T_INERTIA,
    T_COLLISION,
    T_MAKE,
    T_PROJECT,
) = (
    int(mjtTimer[f"mjTIMER_{n}"])
    for n in (
        "STEP",
        "FORWARD",
        "POSITION",
        "VELOCITY",
        "ACTUATION",
        "CONSTRAINT",
        "ADVANCE",
        "POS_KINEMATICS",
        "POS_INERTIA",
        "POS_COLLISION",
        "POS_MAKE",
        "POS_PROJECT",
    )
)

KINEMATICS, COM_POS, CAMLIGHT, FLEX_POS, TENDON = stage_ids("kinematics com_pos camlight flex_pos tendon")
MAKE_INERTIA, FACTOR, COLLISION, TRANSMISSION = stage_ids("make_inertia factor_inertia collision transmission")
MAKE_CONSTRAINT, ISLAND, PROJECT, REFERENCE = stage_ids("make_constraint island project_constraint reference_constraint")
FLEX_VEL, TENDON_VEL, COM_VEL, PASSIVE, RNE, TENDON_BIAS = stage_ids("flex_vel tendon_vel com_vel passive rne tendon_bias")
ACTUATION, ACCELERATION, SOLVE, COMPARE = stage_ids("actuation smooth_acceleration solve_constraint compare_inverse")
SENSOR_POS, SENSOR_VEL, SENSOR_ACC, ENERGY_POS, ENERGY_VEL = stage_ids("sensor_pos sensor_vel sensor_acc energy_pos energy_vel")
WAKE_TENDON, WAKE_COLLISION, WAKE_EQUALITY = stage_ids("wake_tendon wake_collision wake_equality")
INTEGRATE_EULER, RUNGE_KUTTA, INTEGRATE_IMPLICIT = stage_ids("euler runge_kutta implicit")
HOOK_CONTROL = stage_id("hook_control")
METRIC, IMPLICIT_ROWS, METRIC_ACCELERATION, FREE_BODIES = stage_ids("metric implicit_rows metric_acceleration free_bodies")

# Values of `skip`: forward dynamics skips nothing, everything up to positions, or everything up to velocities.
STAGE_NONE, STAGE_POS, STAGE_VEL = 0, 1, 2


@kernel
def position_kinematics(m, d):
    """Compute poses, and lengths of tendons and flex edges."""
    if not (run(m, d, KINEMATICS) and run(m, d, COM_POS)):
        return False
    if (m.ncam or m.nlight) and not run(m, d, CAMLIGHT):
        return False
    if m.nflex and not run(m, d, FLEX_POS):
        return False
    if m.ntendon:
        if not run(m, d, TENDON):
            return False
        if m.opt.enableflags & SLEEP and not run(m, d, WAKE_TENDON):
            return False
    return True


@kernel
def position(m, d, begin):
    """Compute everything that depends on positions. `begin`: the current time."""
    if not position_kinematics(m, d):
        return False
    t = stop_timer(d, T_KINEMATICS, begin)

    if not (run(m, d, MAKE_INERTIA) and run(m, d, FACTOR)):
        return False
    t = stop_timer(d, T_INERTIA, t)

    # Detect collisions. If sleep is enabled, contacts wake up trees.
    if not run(m, d, COLLISION):
        return False
    # The collision's own timer has just stopped.
    add_time(d, T_COLLISION, t)
    t = just_now(d)
    if m.opt.enableflags & SLEEP:
        awake = d.ntree_awake
        if not run(m, d, WAKE_COLLISION):
            return False
        # Trees that a contact woke up can have contacts as well, so detect collisions again.
        if d.ntree_awake != awake and not run(m, d, COLLISION):
            return False
        if not run(m, d, WAKE_EQUALITY):
            return False

    # Make constraints and transmissions.
    if not (run(m, d, MAKE_CONSTRAINT) and run(m, d, ISLAND)):
        return False
    t = stop_timer(d, T_MAKE, t)
    if m.nout:
        if not run(m, d, TRANSMISSION):
            return False
        now(d)
    add_time(d, T_KINEMATICS, t)
    t = just_now(d)
    if d.nefc and is_dual(m):
        if not run(m, d, PROJECT):
            return False
        now(d)
    add_time(d, T_PROJECT, t)
    add_time(d, T_POSITION, begin)
    return True


@kernel
def actuator_velocity(m, d):
    """writes actuator_velocity."""
    if m.opt.disableflags & NO_ACTUATION:
        for i in range(m.nout):
            d.actuator_velocity[i] = 0.0
        return
    for i in range(m.nout):
        start, s = d.moment_rowadr[i], 0.0
        for a in range(start, start + d.moment_rownnz[i]):
            s += d.actuator_moment[a] * d.qvel[d.moment_colind[a]]
        d.actuator_velocity[i] = s


@stage
def drive_velocity(m, d):
    """reads qvel, actuator_moment; writes actuator_velocity, in vectorized steps that compute it world by world."""
    actuator_velocity(m, d)


@kernel
def velocity(m, d, begin):
    """Compute everything that depends on velocities. `begin`: the current time."""
    if m.nflexedge and not run(m, d, FLEX_VEL):
        return False
    if m.ntendon and not run(m, d, TENDON_VEL):
        return False
    actuator_velocity(m, d)
    if not (run(m, d, COM_VEL) and run(m, d, PASSIVE)):
        return False
    if d.nefc and not run(m, d, REFERENCE):
        return False
    if not run(m, d, RNE):
        return False
    for k in range(m.ntendon):
        if m.tendon_armature[k] != 0 or m.features & DRIVE:
            if not run(m, d, TENDON_BIAS):
                return False
            break
    stop_timer(d, T_VELOCITY, begin)
    return True


@kernel
def implicit_terms(m, d):
    """Compute the implicit parts of a `discrete` step: the effective inertia, and the constraint rows that use it."""
    return run(m, d, METRIC) and (d.nefc == 0 or run(m, d, IMPLICIT_ROWS))


@kernel
def acceleration(m, d, begin):
    """Compute everything that depends on controls and forces. `begin`: the current time."""
    if not run(m, d, ACTUATION):
        return False
    t = stop_timer(d, T_ACTUATION, begin)
    if not run(m, d, ACCELERATION):
        return False
    if is_discrete(m) and not (implicit_terms(m, d) and run(m, d, METRIC_ACCELERATION)):
        return False
    if not run(m, d, SOLVE) or is_discrete(m) and m.ntree and not run(m, d, FREE_BODIES):
        return False
    stop_timer(d, T_CONSTRAINT, t)
    return True


@inline
def sensed(m, kind):
    """Return whether there is a sensor of this energy type. If so, the sensor computes the energy."""
    if m.opt.disableflags & NO_SENSOR:
        return False
    for i in range(m.nsensor):
        if m.sensor_type[i] == kind:
            return True
    return False


@kernel
def after_position(m, d, sensors):
    """Compute position sensors and potential energy."""
    if sensors and m.nsensor and not run(m, d, SENSOR_POS):
        return False
    if not (sensors and sensed(m, POTENTIAL)):
        if m.opt.enableflags & ENERGY:
            return run(m, d, ENERGY_POS)
        d.energy[0] = d.energy[1] = 0.0
    return True


@kernel
def after_velocity(m, d, sensors):
    """Compute velocity sensors and kinetic energy."""
    if sensors and m.nsensor and not run(m, d, SENSOR_VEL):
        return False
    if m.opt.enableflags & ENERGY and not (sensors and sensed(m, KINETIC)):
        return run(m, d, ENERGY_VEL)
    return True


@inline
def after_sensors(m, d):
    """Return the current time. Without sensors and energies, nothing has run since the clock was last read."""
    return now(d) if m.nsensor or m.opt.enableflags & ENERGY else just_now(d)


@kernel
def forward(m, d, skip, sensors, begin):
    """Run forward dynamics, except for the parts up to `skip`. `begin`: the current time. If it is interrupted, put trees that
    collision woke up back to sleep, so that forward dynamics can be repeated.
    """
    if forward_parts(m, d, skip, sensors, begin):
        return True
    if m.opt.enableflags & SLEEP:
        undo_wake(m, d)
    return False


@kernel
def forward_parts(m, d, skip, sensors, begin):
    """Run the parts of forward dynamics in order, except for the parts up to `skip`."""
    if not options_known(m, d):
        return False
    if skip < STAGE_POS and not (position(m, d, begin) and after_position(m, d, sensors)):
        return False
    if skip < STAGE_VEL and not (velocity(m, d, after_sensors(m, d)) and after_velocity(m, d, sensors)):
        return False
    begin_acceleration = after_sensors(m, d)
    if m.opt.disableflags & NO_ACTUATION == 0 and table_entry(d, HOOK_CONTROL) != 0:
        call_hook(m, d, HOOK_CONTROL)
        begin_acceleration = now(d)
    if not acceleration(m, d, begin_acceleration):
        return False
    if sensors and m.nsensor:
        if not run(m, d, SENSOR_ACC):
            return False
        now(d)
    add_time(d, T_FORWARD, begin)
    return True


@kernel
def integrate(m, d, single, begin):
    """Integrate over one time step. RK4 is used only if `single` is true (one call makes the whole step); otherwise, Euler is
    used. `begin`: the current time."""
    kind = m.opt.integrator
    if kind == IMPLICIT or kind == IMPLICITFAST:
        done = run(m, d, INTEGRATE_IMPLICIT)
    elif kind == RK4 and single:
        done = run(m, d, RUNGE_KUTTA)
    else:
        done = run(m, d, INTEGRATE_EULER)
    stop_timer(d, T_ADVANCE, begin)
    return done


@kernel
def finish(m, d, single):
    """Check the accelerations and compute the next state."""
    if check_acc(m, d) and not forward(m, d, STAGE_NONE, True, now(d)):
        return False
    if m.opt.enableflags & FWDINV:
        if not run(m, d, COMPARE):
            return False
        now(d)
    return integrate(m, d, single, just_now(d))


@stage("iMDi")
def step_many(m, d, count):
    """Advance `count` time steps; return how many were completed."""
    if not unedited(d):
        return 0
    for k in range(count):
        begin, counts = first_now(d), warning_counts(d)
        check_pos(m, d)
        check_vel(m, d)
        if not forward(m, d, STAGE_NONE, True, begin) or not finish(m, d, True):
            uncount(m, d, counts)
            return k
        d.said = 0
        add_time(d, T_STEP, begin)
    return count


@stage("vMDii")
def forward_skip(m, d, skip, skip_sensors):
    """reads the state; writes everything up to qacc. Skips parts up to `skip`, and optionally sensors and energy."""
    if not unedited(d):
        return
    counts = warning_counts(d)
    if forward(m, d, skip, skip_sensors == 0, now(d)):
        d.said = 0
    else:
        uncount(m, d, counts)


@stage("vMDii")
def step_skip(m, d, skip, skip_sensors):
    """Make a step, except for the parts of forward dynamics up to `skip`, and optionally without sensors."""
    counts = warning_counts(d)
    check_pos(m, d)
    check_vel(m, d)
    if forward(m, d, skip, skip_sensors == 0, now(d)) and finish(m, d, True):
        d.said = 0
    else:
        uncount(m, d, counts)


@stage
def step1(m, d):
    """Run the part of a step that does not depend on controls and forces; these can be set afterwards."""
    if not unedited(d):
        return
    begin, counts = now(d), warning_counts(d)
    check_pos(m, d)
    check_vel(m, d)
    if not (
        position(m, d, begin)
        and after_position(m, d, True)
        and velocity(m, d, after_sensors(m, d))
        and after_velocity(m, d, True)
    ):
        uncount(m, d, counts)
        return
    d.said = 0
    call_hook(m, d, HOOK_CONTROL)
    stop_timer(d, T_STEP, begin)


@stage
def step2(m, d):
    """Run the part of a step that follows after controls and forces are set. In place of RK4, Euler is used."""
    if not unedited(d):
        return
    begin, counts = now(d), warning_counts(d)
    done = acceleration(m, d, begin)
    if done and m.nsensor:
        done = run(m, d, SENSOR_ACC)
        now(d)
    if done and finish(m, d, False):
        d.said = 0
        add_time(d, T_STEP, begin)
        d.timer_number[T_STEP] -= d.timing
    else:
        uncount(m, d, counts)


@stage
def fwd_kinematics(m, d):
    """reads qpos; writes poses, tendon and flex quantities."""
    position_kinematics(m, d)


@stage
def fwd_position(m, d):
    """reads qpos; writes everything that depends on positions."""
    position(m, d, now(d))


@stage
def fwd_velocity(m, d):
    """reads qvel, actuator_moment; writes actuator_velocity and, by its stages, everything else that depends on velocities."""
    velocity(m, d, now(d))
