"""Finite differences of a step, and of inverse dynamics, with respect to configuration, velocity, activation or acceleration,
and control.

Results and scratch are float64 arrays. The stages get the address of a list of their addresses; a result with address 0 is
skipped. An interrupted stage leaves the state unchanged, so that it can be repeated.
"""

from ..core.stages import OK, run, stage_address
from ..machine.jit import inline, kernel, stage
from ..machine.lang import array_at, invoke_skip, longs_at
from ..tables.enums import mjtDisableBit
from ..tables.stage_rows import stage_id
from .coordinates import difference, integrate_position

NO_WARMSTART = int(mjtDisableBit.mjDSBL_WARMSTART)
STEP_SKIP, INVERSE_SKIP, ACTUATION = stage_id("step_skip"), stage_id("inverse_skip"), stage_id("actuation")
STAGE_NONE, STAGE_POS, STAGE_VEL = 0, 1, 2
# Perturbed inputs. The table of a step's results has one slot for each input, in this order, then the same for sensors.
POSITION, VELOCITY, ACTIVATION, CONTROL = 0, 1, 2, 3
SAVED, NEXT, PLUS, MINUS, SENSOR, SENSOR_PLUS, SENSOR_MINUS, DIRECTION = range(8, 16)


# ---- state -------------------------------------------------------------------------------------------------------------
@kernel
def copy_range(x, i, y, j, n):
    """Copy y[j:j+n] to x[i:i+n]. Return i + n, the next free index."""
    for k in range(n):
        x[i + k] = y[j + k]
    return i + n


@kernel
def save(m, d, x):
    """Save everything that a step changes to the array x."""
    x[0] = d.time
    k = copy_range(x, 1, d.qpos, 0, m.nq)
    k = copy_range(x, k, d.qvel, 0, m.nv)
    k = copy_range(x, k, d.act, 0, m.na)
    k = copy_range(x, k, d.plugin_state, 0, m.npluginstate)
    k = copy_range(x, k, d.ctrl, 0, m.nu)
    copy_range(x, k, d.qacc_warmstart, 0, m.nv)


@kernel
def restore(m, d, x):
    d.time = x[0]
    k = 1
    copy_range(d.qpos, 0, x, k, m.nq)
    copy_range(d.qvel, 0, x, k + m.nq, m.nv)
    k += m.nq + m.nv
    copy_range(d.act, 0, x, k, m.na)
    copy_range(d.plugin_state, 0, x, k + m.na, m.npluginstate)
    k += m.na + m.npluginstate
    copy_range(d.ctrl, 0, x, k, m.nu)
    if m.opt.disableflags & NO_WARMSTART == 0:
        copy_range(d.qacc_warmstart, 0, x, k + m.nu, m.nv)


@inline
def state_size(m):
    return m.nq + m.nv + m.na


@kernel
def outcome(m, d, slots, state, sensors, skip, sense):
    """Make a step, copy the new state and sensors to slots `state` and `sensors`, then restore the old state. Return False if
    the step was interrupted.
    """
    address = stage_address(d, STEP_SKIP)
    if address != 0:
        invoke_skip(address, m, d, skip, 0 if sense else 1)
    done = d.status == OK
    if done:
        x = array_at(slots[state], state_size(m))
        k = copy_range(x, 0, d.qpos, 0, m.nq)
        k = copy_range(x, k, d.qvel, 0, m.nv)
        copy_range(x, k, d.act, 0, m.na)
        if sense:
            copy_range(array_at(slots[sensors], m.nsensordata), 0, d.sensordata, 0, m.nsensordata)
    restore(m, d, array_at(slots[SAVED], 1 + state_size(m) + m.npluginstate + m.nu + m.nv))
    return done


# ---- differences of a step ---------------------------------------------------------------------------------------------
@kernel
def slope(result, i, before, after, j, h, n):
    """Set result[i:i+n] = (after - before)[j:j+n] / h."""
    r = 1 / h
    for k in range(n):
        result[i + k] = r * (after[j + k] - before[j + k])


@kernel
def state_slope(m, result, before, after, h):
    """Set the difference of two states, expressed as velocities and divided by h."""
    if m.nq == m.nv:
        slope(result, 0, before, after, 0, h, 2 * m.nv + m.na)
    else:
        difference(m, result, h, before, after)
        slope(result, m.nv, before, after, m.nq, h, m.nv + m.na)


@inline
def between(x, low, high):
    return low <= x <= high


@kernel
def nudge(m, d, kind, i, h, direction):
    """Perturb component i of an input by h."""
    if kind == POSITION:
        for k in range(m.nv):
            direction[k] = 0.0
        direction[i] = 1.0
        integrate_position(m, d.qpos, direction, h)
    elif kind == VELOCITY:
        d.qvel[i] += h
    elif kind == ACTIVATION:
        d.act[i] += h
    else:
        d.ctrl[i] += h


@kernel
def differentiate(m, d, slots, kind, count, eps, centered, skip, sense):
    """Fill the rows of the derivatives with respect to one input (`kind`). Return False if a step was interrupted."""
    width = 2 * m.nv + m.na
    if slots[kind] == 0 and slots[kind + 4] == 0:
        return True
    direction = array_at(slots[DIRECTION], m.nv)
    for i in range(count):
        ahead, back = True, centered

        # Keep a limited control within its range.
        if kind == CONTROL and m.actuator_ctrllimited[i]:
            u, low, high = d.ctrl[i], m.actuator_ctrlrange[i, 0], m.actuator_ctrlrange[i, 1]
            ahead = between(u, low, high) and between(u + eps, low, high)
            back = (centered or not ahead) and between(u, low, high) and between(u - eps, low, high)

        # Make a step from the perturbed inputs.
        if ahead:
            nudge(m, d, kind, i, eps, direction)
            if not outcome(m, d, slots, PLUS, SENSOR_PLUS, skip, sense):
                return False
        if back:
            nudge(m, d, kind, i, -eps, direction)
            if not outcome(m, d, slots, MINUS, SENSOR_MINUS, skip, sense):
                return False

        # Write the derivative of the state.
        h = 2 * eps if ahead and back else eps
        if slots[kind] != 0:
            row = array_at(slots[kind] + 8 * i * width, width)
            if ahead or back:
                n = state_size(m)
                state_slope(m, row, array_at(slots[MINUS if back else NEXT], n), array_at(slots[PLUS if ahead else NEXT], n), h)
            else:
                clear(row, width)

        # Write the derivative of the sensors.
        if slots[kind + 4] != 0:
            n = m.nsensordata
            row = array_at(slots[kind + 4] + 8 * i * n, n)
            # For centered differences of sensors with respect to controls, MuJoCo returns the wrong sign; match it.
            if kind == CONTROL and ahead and back:
                slope(row, 0, array_at(slots[SENSOR_PLUS], n), array_at(slots[SENSOR_MINUS], n), 0, h, n)
            elif ahead or back:
                slope(
                    row,
                    0,
                    array_at(slots[SENSOR_MINUS if back else SENSOR], n),
                    array_at(slots[SENSOR_PLUS if ahead else SENSOR], n),
                    0,
                    h,
                    n,
                )
            else:
                clear(row, n)
    return True


@kernel
def clear(x, n):
    for k in range(n):
        x[k] = 0.0


@stage("vMDfii")
def finite_transition(m, d, eps, centered, addresses):
    """Differentiate a step by finite differences.

    reads the state; writes 8 matrices, one row per input: derivatives of the next state and of sensors with respect to q,
    v, act, ctrl. Also writes what a step writes, except the state itself.
    """
    slots = longs_at(addresses, 16)
    sense = slots[4] != 0 or slots[5] != 0 or slots[6] != 0 or slots[7] != 0
    save(m, d, array_at(slots[SAVED], 1 + state_size(m) + m.npluginstate + m.nu + m.nv))
    if not outcome(m, d, slots, NEXT, SENSOR, STAGE_NONE, sense):
        return

    # Go from controls to positions: for each input, only the parts of forward dynamics that depend on it are recomputed.
    for kind in range(CONTROL, -1, -1):
        count, skip = m.nv, STAGE_NONE
        if kind == CONTROL:
            count, skip = m.nu, STAGE_VEL
        elif kind == ACTIVATION:
            count, skip = m.na, STAGE_VEL
        elif kind == VELOCITY:
            skip = STAGE_POS
        if not differentiate(m, d, slots, kind, count, eps, centered != 0, skip, sense):
            return


# ---- differences of inverse dynamics -----------------------------------------------------------------------------------
F_POSITION, F_VELOCITY, F_ACCELERATION, S_POSITION, S_VELOCITY, S_ACCELERATION, M_POSITION = range(7)
POS0, FORCE, FORCE_PLUS, SENSOR0, MASS, STEP = range(7, 13)


@kernel
def inverse_force(m, d, force, skip, sense, actuated):
    """Write the joint forces of the current motion, minus actuator forces if requested, to `force`. Return False if a stage was
    interrupted."""
    address = stage_address(d, INVERSE_SKIP)
    if address == 0:
        return False
    invoke_skip(address, m, d, skip, 0 if sense else 1)
    if d.status != OK:
        return False
    copy_range(force, 0, d.qfrc_inverse, 0, m.nv)
    if actuated:
        if not run(m, d, ACTUATION):
            return False
        for i in range(m.nv):
            force[i] -= d.qfrc_actuator[i]
    return True


@kernel
def inverse_rows(m, d, slots, kind, i, eps):
    """Fill row i of the derivatives of force and sensors with respect to one input (`kind`)."""
    if slots[kind] != 0:
        slope(
            array_at(slots[kind] + 8 * i * m.nv, m.nv),
            0,
            array_at(slots[FORCE], m.nv),
            array_at(slots[FORCE_PLUS], m.nv),
            0,
            eps,
            m.nv,
        )
    if slots[kind + 3] != 0:
        n = m.nsensordata
        slope(array_at(slots[kind + 3] + 8 * i * n, n), 0, array_at(slots[SENSOR0], n), d.sensordata, 0, eps, n)


@kernel
def inverse_nudged(m, d, slots, kind, i, eps, sense, actuated):
    """Perturb component i of an input, fill row i of the derivatives, and restore the input. Return False if a stage was
    interrupted."""
    force = array_at(slots[FORCE_PLUS], m.nv)
    if kind == F_POSITION:
        nudge(m, d, POSITION, i, eps, array_at(slots[STEP], m.nv))
        done = inverse_force(m, d, force, STAGE_NONE, sense, actuated)
        copy_range(d.qpos, 0, array_at(slots[POS0], m.nq), 0, m.nq)
    else:
        x = d.qvel if kind == F_VELOCITY else d.qacc
        old = x[i]
        x[i] = old + eps
        done = inverse_force(m, d, force, STAGE_POS if kind == F_VELOCITY else STAGE_VEL, sense, actuated)
        x[i] = old

    if not done:
        return False
    inverse_rows(m, d, slots, kind, i, eps)
    if kind == F_POSITION and slots[M_POSITION] != 0:
        slope(array_at(slots[M_POSITION] + 8 * i * m.nM, m.nM), 0, array_at(slots[MASS], m.nM), d.qM, 0, eps, m.nM)
    return True


@stage("vMDfii")
def finite_inverse(m, d, eps, actuated, addresses):
    """Differentiate inverse dynamics by finite differences.

    reads qpos, qvel, qacc; writes 7 matrices, one row per dof: derivatives of force and sensors with respect to q, v, acc,
    and of qM with respect to q. Also writes what inverse dynamics writes.
    """
    slots = longs_at(addresses, 13)
    sense = slots[S_POSITION] != 0 or slots[S_VELOCITY] != 0 or slots[S_ACCELERATION] != 0
    copy_range(array_at(slots[POS0], m.nq), 0, d.qpos, 0, m.nq)
    if not inverse_force(m, d, array_at(slots[FORCE], m.nv), STAGE_NONE, sense, actuated != 0):
        return
    copy_range(array_at(slots[SENSOR0], m.nsensordata), 0, d.sensordata, 0, m.nsensordata)
    copy_range(array_at(slots[MASS], m.nM), 0, d.qM, 0, m.nM)
    for kind in range(F_ACCELERATION, -1, -1):
        if slots[kind] == 0 and slots[kind + 3] == 0 and not (kind == F_POSITION and slots[M_POSITION] != 0):
            continue
        for i in range(m.nv):
            if not inverse_nudged(m, d, slots, kind, i, eps, sense, actuated != 0):
                return
