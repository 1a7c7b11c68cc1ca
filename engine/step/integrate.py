"""Integrators: semi-implicit Euler with implicit joint damping, and fourth-order Runge-Kutta."""

from ..core.arena import FRAME, RK_ACT, RK_Q, RK_V, limited, push
from ..core.stages import AT_ADVANCE, run, run_for, run_plugins, stage_address
from ..dynamics.actuation import actuator_disabled
from ..dynamics.actuator_models import is_turning, next_activation, shorten_turn
from ..dynamics.awake import ASLEEP, update_awake
from ..dynamics.inertia import factor, solve
from ..dynamics.kinematics import BALL, FREE, SLEEP
from ..dynamics.metric import is_discrete
from ..dynamics.plastic import keep_tendons
from ..machine.jit import inline, kernel, stage
from ..machine.lang import address_of
from ..math.vec import add_scaled3, cross3
from ..tables.compat_rows import DRIVE, HISTORY, PLASTIC, POLYNOMIAL, SERVO, bit
from ..tables.enums import mjtDisableBit
from ..tables.stage_rows import stage_id
from .coordinates import integrate_joint

NO_EULERDAMP, NO_DAMPER, NO_ACTUATION = (int(mjtDisableBit[f"mjDSBL_{n}"]) for n in ("EULERDAMP", "DAMPER", "ACTUATION"))
SLEEP_TREES, FORWARD_AGAIN, FORWARD_SKIP = (stage_id(n) for n in ("sleep_trees", "forward_after_sleep", "forward_skip"))
TURN, RK_MEAN = bit("rk_turn"), bit("rk_mean")
PLASTIC_FLOW = stage_id("plastic_flow")
PUSH, FORWARD_SUBSTEP, EXTRA_SLOPES, EXTRA = (
    stage_id("push_history"),
    stage_id("forward_substep"),
    stage_id("extra_slopes"),
    POLYNOMIAL | DRIVE,
)


@kernel
def advance_position(m, d, qvel, dt, sleep):
    """Integrate qpos with velocity qvel for time dt. If `sleep` is true, skip sleeping bodies."""
    for j in range(m.njnt):
        if not sleep or d.body_awake[m.jnt_bodyid[j]] != ASLEEP:
            integrate_joint(m, j, d.qpos, qvel, dt)


@inline
def advance_activations(m, d, act_dot):
    """Integrate act over one step at the given rates."""
    if m.na and m.opt.disableflags & NO_ACTUATION == 0:
        for i in range(m.nactuator):
            adr = m.actuator_actadr[i]
            for a in range(adr, adr + m.actuator_actnum[i]):
                d.act[a] = next_activation(m, d, i, a, 0.0 if actuator_disabled(m, i) else act_dot[a])
            if is_turning(m, i) and adr >= 0:
                shorten_turn(d, adr)


@inline
def stages_of_sleep_ready(m, d):
    """Return whether all stages that the rest of the step needs are loaded. The step must not stop later: once activations have
    changed or trees have fallen asleep, it could not be repeated.
    """
    if m.opt.enableflags & SLEEP == 0 or m.ntree == 0:
        return True
    return stage_address(d, SLEEP_TREES) != 0 and stage_address(d, FORWARD_AGAIN) != 0 and stage_address(d, FORWARD_SKIP) != 0


@inline
def fall_asleep(m, d):
    """Put trees to sleep that have moved slowly for long enough, and zero their velocities. Return False if a stage was
    interrupted.

    Keeps work_v1, work_v2 (scratch: work_v3, work_v4).
    """
    if m.opt.enableflags & SLEEP == 0 or m.ntree == 0:
        return True
    before = d.ntree_awake
    if not run(m, d, SLEEP_TREES):
        return False

    count = 0
    for t in range(m.ntree):
        count += d.tree_asleep[t] < 0
    if count != before:
        # Save the accelerations to integrate: they may be in scratch memory that forward dynamics overwrites.
        for i in range(m.nv):
            d.work_v3[i], d.work_v4[i] = d.work_v1[i], d.work_v2[i]
        if not run(m, d, FORWARD_AGAIN):
            return False
        for i in range(m.nv):
            d.work_v1[i], d.work_v2[i] = d.work_v3[i], d.work_v4[i]
        update_awake(m, d, False)
    return True


@kernel
def advance(m, d, act_dot, qacc, qvel):
    """writes act, qvel, qpos, time, qacc_warmstart: integrates act and qvel at the given rates, then qpos with velocity `qvel`,
    which may be the new velocity.
    """
    if not stages_of_sleep_ready(m, d) or m.features & HISTORY and stage_address(d, PUSH) == 0:
        return
    if m.features & PLASTIC and stage_address(d, PLASTIC_FLOW) == 0:
        return

    # Take history samples before trees fall asleep.
    if m.features & HISTORY and not run(m, d, PUSH):
        return

    # Integrate the states.
    advance_activations(m, d, act_dot)
    if not fall_asleep(m, d):
        return
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.ntree_awake < m.ntree
    h = m.opt.timestep
    for k in range(d.nv_awake if sleep else m.nv):
        i = d.dof_awake_ind[k] if sleep else k
        d.qvel[i] += h * qacc[i]
    advance_position(m, d, qvel, h, sleep)

    # Advance plastic flow and plugins, which have separate states.
    if m.features & PLASTIC:
        run_for(m, d, PLASTIC_FLOW, 0 if address_of(qvel, 0) == address_of(d.qvel, 0) else 1)
    d.time += h
    run_plugins(m, d, AT_ADVANCE)
    for i in range(m.nv):
        d.qacc_warmstart[i] = d.qacc[i]


@inline
def damped(m, d, sleep):
    """Return whether any awake dof has damping."""
    for k in range(d.nv_awake if sleep else m.nv):
        if m.dof_damping[d.dof_awake_ind[k] if sleep else k] > 0:
            return True
    return False


@stage
def euler(m, d):
    """reads qacc, qfrc_smooth, qfrc_constraint, M; writes the next state, and qH, qHDiagInv where joints are damped.

    Damping acts at the end of the step: (M + h B) a = f.
    """
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nv_awake < m.nv
    n = d.nv_awake if sleep else m.nv
    extra = m.features & EXTRA != 0
    if is_discrete(m) or m.opt.disableflags & (NO_EULERDAMP | NO_DAMPER) or not (extra or damped(m, d, sleep)):
        advance(m, d, d.act_dot, d.qacc, d.qvel)
        return

    # Compute M + h B, where B includes the derivatives of damping polynomials.
    h = m.opt.timestep
    for k in range(m.nC):
        d.qH[k] = d.M[k]
    for k in range(n):
        i = d.dof_awake_ind[k] if sleep else k
        d.qH[m.M_rowadr[i] + m.M_rownnz[i] - 1] += h * m.dof_damping[i]
        d.work_v1[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i]
    if extra:
        if not run(m, d, EXTRA_SLOPES):
            return
        for i in range(m.nv):
            d.qH[m.M_rowadr[i] + m.M_rownnz[i] - 1] += h * d.work_v4[i]

    factor(m, d, d.qH, d.qHDiagInv, sleep)
    solve(m, d, d.work_v1, 0, d.qH, d.qHDiagInv, sleep)
    advance(m, d, d.act_dot, d.work_v1, d.qvel)


# ---- Runge-Kutta -----------------------------------------------------------------------------------------------------------
@kernel
def save_slopes(m, d, s):
    """Save the slopes of substep s: velocity, acceleration and activation rates."""
    for i in range(m.nv):
        d.work_rk_v[s, i] = d.qvel[i]
        d.work_rk_acc[s, i] = d.qacc[i]
    for i in range(m.na):
        d.work_rk_actdot[s, i] = d.act_dot[i]


@kernel
def turn_slopes(m, d, s, time):
    """Convert angular velocities of free and ball joints in substep s to rates of u, the rotation vector relative to the step's
    start.

    The rate of u is v + u x v / 2 + u x (u x v) / 12 (H. Munthe-Kaas, High order Runge-Kutta methods on manifolds, 1999).
    """
    for j in range(m.njnt):
        if m.jnt_type[j] == FREE or m.jnt_type[j] == BALL:
            i = m.jnt_dofadr[j] + (3 if m.jnt_type[j] == FREE else 0)
            v = d.work_rk_v[s, i], d.work_rk_v[s, i + 1], d.work_rk_v[s, i + 2]
            u = time * d.work_rk_v[s - 1, i], time * d.work_rk_v[s - 1, i + 1], time * d.work_rk_v[s - 1, i + 2]
            across = cross3(u, v)
            v = add_scaled3(add_scaled3(v, across, 0.5), cross3(u, across), 1.0 / 12.0)
            d.work_rk_v[s, i], d.work_rk_v[s, i + 1], d.work_rk_v[s, i + 2] = v


@kernel
def restore_start(m, d):
    """Restore the state at the start of the step."""
    for i in range(m.nq):
        d.qpos[i] = d.work_rk_q[i]
    for i in range(m.nv):
        d.qvel[i] = d.work_rk_v[0, i]
    for i in range(m.na):
        d.act[i] = d.work_rk_act[i]


@kernel
def scale_slope(m, d, s, c):
    """Set work_v1, work_v2 and work_rk_dact to c times the slopes of substep s."""
    # Do not sum over all substeps with zero weights: unused slopes are from the previous step and may be NaN. Adding zero turns
    # negative zeros into positive ones, as such a sum would.
    for i in range(m.nv):
        d.work_v1[i] = 0.0 + c * d.work_rk_v[s, i]
        d.work_v2[i] = 0.0 + c * d.work_rk_acc[s, i]
    for i in range(m.na):
        d.work_rk_dact[i] = 0.0 + c * d.work_rk_actdot[s, i]


@kernel
def combine(m, d, c0, c1, c2, c3):
    """Set work_v1, work_v2, work_rk_dact to the weighted sums of all substeps' velocities, accelerations and activation
    rates."""
    v, acc, rate = d.work_rk_v, d.work_rk_acc, d.work_rk_actdot
    for i in range(m.nv):
        d.work_v1[i] = c0 * v[0, i] + c1 * v[1, i] + c2 * v[2, i] + c3 * v[3, i]
        d.work_v2[i] = c0 * acc[0, i] + c1 * acc[1, i] + c2 * acc[2, i] + c3 * acc[3, i]
    for i in range(m.na):
        d.work_rk_dact[i] = c0 * rate[0, i] + c1 * rate[1, i] + c2 * rate[2, i] + c3 * rate[3, i]


@inline
def begin_substep(m, d, s, c, time):
    """Set the state to the step's initial state, advanced by c time steps at the slopes of the previous substep."""
    h = m.opt.timestep
    scale_slope(m, d, s - 1, c)
    restore_start(m, d)
    advance_position(m, d, d.work_v1, h, False)
    for i in range(m.nv):
        d.qvel[i] += h * d.work_v2[i]
    for i in range(m.na):
        d.act[i] += h * d.work_rk_dact[i]
    d.time = time + c * h


@inline
def end_substep(m, d, s, c):
    """Save the slopes of substep s, whose time is at fraction c of the time step."""
    save_slopes(m, d, s)
    if m.compat_bits & TURN:
        turn_slopes(m, d, s, c * m.opt.timestep)


@kernel
def substep(m, d, s, c, time):
    """Advance the step's initial state by c time steps at the slopes of the previous substep; compute the slopes there. Return
    whether this completed."""
    begin_substep(m, d, s, c, time)
    if not run(m, d, FORWARD_SUBSTEP):
        restore_start(m, d)
        d.time = time
        return False
    end_substep(m, d, s, c)
    return True


@inline
def begin_slopes(m, d):
    """Save the state and the slopes at the start of the step."""
    for i in range(m.nq):
        d.work_rk_q[i] = d.qpos[i]
    for i in range(m.na):
        d.work_rk_act[i] = d.act[i]
    if m.features & SERVO:
        for o in range(m.nout):
            d.work_rk_drive[o] = d.actuator_velocity[o]
    if m.features & PLASTIC:
        keep_tendons(m, d)
    save_slopes(m, d, 0)


@inline
def advance_by_slopes(m, d):
    """Advance from the initial state of the step by the weighted sum of the slopes."""
    combine(m, d, 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0)
    restore_start(m, d)
    # Motor friction continues from the velocity at the start of the step.
    if m.features & SERVO:
        for o in range(m.nout):
            d.actuator_velocity[o] = d.work_rk_drive[o]
    if m.compat_bits & RK_MEAN:
        for i in range(m.nv):
            d.qacc[i] = d.work_v2[i]
    advance(m, d, d.work_rk_dact, d.work_v2, d.work_v1)


@inline
def push_substeps(m, d):
    """Count the scratch of a Runge-Kutta step, if the arena is limited."""
    if limited(d):
        push(d, FRAME, 8)
        push(d, RK_Q * m.nq + RK_V * m.nv + RK_ACT * m.na, 8)


@stage
def count_substeps(m, d):
    """writes pstack, maxuse_stack, maxuse_arena: counts the scratch of a Runge-Kutta step before each
    substep of a vectorized step."""
    d.pstack = 0
    push_substeps(m, d)


@stage
def forget_substeps(m, d):
    """writes pstack: undoes `count_substeps`."""
    d.pstack = 0


@stage("vMD", lines=False)
def runge_kutta(m, d):
    """reads the state and its slopes; writes the next qpos, qvel, act, time, qacc_warmstart; pstack.

    The classical fourth-order Runge-Kutta method, on the group of poses.
    """
    time = d.time
    begin_slopes(m, d)
    stack, done = d.pstack, True
    push_substeps(m, d)
    for s in range(1, 4):
        done = done and substep(m, d, s, 1.0 if s == 3 else 0.5, time)
    d.pstack = stack
    if not done:
        return
    d.time = time
    advance_by_slopes(m, d)
