"""Actuators with several controls, forces or activations, from releases after 3.4: pid servos, orientation servos, DC motors.

Bits of actuator_ctrlspec tell which of (position, velocity, force, voltage) are controls of a pid servo or DC motor;
the others are 0. None of this runs unless a bit of the Model's `features` is set (see step.reference). A motor whose
number of activations does not match its parameters exerts no torque.
"""

from math import exp, sin

from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, store
from ..math.curves import positive
from ..math.quat import axis_angle, quat_sub, quat_unit
from ..math.vec import clip, norm3, scale3
from ..tables.actuator_rows import number
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtCtrlChart, mjtCtrlInput
from .actuation import DYN_NONE, actuator_asleep, actuator_disabled
from .actuator_models import (
    bristle_decay,
    is_motor,
    is_pid,
    is_servo,
    is_turning,
    motor_slots,
    nearest_round,
    next_activation,
    turn_of_drive,
)

BIAS_MOTOR, DYN_PID = number("bias", "dcmotor"), number("dyn", "pid")
POSITION, VELOCITY, FORCE, VOLTAGE = (int(mjtCtrlInput[f"mjINPUT_{n}"]) for n in ("POS", "VEL", "FF", "VOLTAGE"))
CONTROLLED, QUATERNION = POSITION | VELOCITY | FORCE, int(mjtCtrlChart.mjCHART_QUAT)


@stage
def servo_forces(m, d):
    """reads act, actuator_length, actuator_velocity; writes act_dot and actuator_force of servos and motors (scratch:
    work_ctrl).
    """
    for i in range(m.nactuator):
        if not is_servo(m, i) or actuator_asleep(m, d, i):
            continue
        if is_pid(m, i):
            if m.actuator_dyntype[i] == DYN_PID and m.actuator_actadr[i] >= 0:
                pid_rates(m, d, i)
            if not actuator_disabled(m, i):
                pid_force(m, d, i)
        elif is_motor(m, i):
            slots = motor_slots(m, i)
            if slots[5] == m.actuator_actnum[i]:
                motor_rates(m, d, i, slots)
                if not actuator_disabled(m, i):
                    motor_force(m, d, i, slots)
        elif is_turning(m, i) and not actuator_disabled(m, i):
            turn_force(m, d, i)


@stage
def servo_limits(m, d):
    """reads act, act_dot, actuator_length; limits actuator_force of servos and motors and adds the friction of motors."""
    for i in range(m.nactuator):
        if not is_servo(m, i):
            continue
        o = m.actuator_outadr[i]
        if m.actuator_forcelimited[i]:
            if is_turning(m, i):
                torque, most = load(d.actuator_force, o, 3), m.actuator_forcerange[i, 1]
                size = norm3(torque)
                if size > most:
                    store(d.actuator_force, o, scale3(torque, most / size))
            else:
                d.actuator_force[o] = clip(d.actuator_force[o], m.actuator_forcerange[i, 0], m.actuator_forcerange[i, 1])
        if m.actuator_biastype[i] == BIAS_MOTOR and not actuator_asleep(m, d, i) and not actuator_disabled(m, i):
            d.actuator_force[o] += motor_friction(m, d, i, d.actuator_length[o])


@inline
def inputs(m, d, i):
    """Return (position, velocity, force, voltage): controls of an actuator, 0 for those it lacks."""
    spec, u = m.actuator_ctrlspec[i], m.actuator_ctrladr[i]
    position = velocity = force = voltage = 0.0
    if spec & POSITION:
        position = d.work_ctrl[u]
        u += 1
    if spec & VELOCITY:
        velocity = d.work_ctrl[u]
        u += 1
    if spec & FORCE:
        force = d.work_ctrl[u]
        u += 1
    if spec & VOLTAGE:
        voltage = d.work_ctrl[u]
    return position, velocity, force, voltage


@kernel
def follow(m, d, i, adr, fastest, turn):
    """Limit the rate at which the first control changes. Activation `adr` stores the rate-limited control. Rotational
    setpoints take the shorter way."""
    u, dt, last = m.actuator_ctrladr[i], m.opt.timestep, d.act[adr]
    reached = clip(nearest_round(d.work_ctrl[u], last, turn), last - fastest * dt, last + fastest * dt)
    d.act_dot[adr] = (reached - last) / dt
    d.work_ctrl[u] = reached


@inline
def gathered(error, integral, most):
    """Return the rate of the integral of an error; 0 if the integral is beyond its limit."""
    if most > 0 and (integral >= most and error > 0 or integral <= -most and error < 0):
        return 0.0
    return error


# ---- pid servos: kp, kd are -biasprm[1:3], ki is gainprm[0], dynprm[0:2] are integral and setpoint rate limits ---------
@kernel
def pid_rates(m, d, i):
    """Set the rates of activations: the rate-limited setpoint, then the integral of the error, if the servo has them."""
    adr, end, turn = m.actuator_actadr[i], m.actuator_actadr[i] + m.actuator_actnum[i], turn_of_drive(m, i)
    if m.actuator_dynprm[i, 1] > 0:
        follow(m, d, i, adr, m.actuator_dynprm[i, 1], turn)
        adr += 1
    if m.actuator_gainprm[i, 0] > 0 and adr < end:
        error = nearest_round(d.work_ctrl[m.actuator_ctrladr[i]] - d.actuator_length[m.actuator_outadr[i]], 0.0, turn)
        d.act_dot[adr] = gathered(error, d.act[adr], m.actuator_dynprm[i, 0])


@kernel
def pid_force(m, d, i):
    o = m.actuator_outadr[i]
    length, velocity = d.actuator_length[o], d.actuator_velocity[o]
    position, rate, force, _ = inputs(m, d, i)
    force += m.actuator_biasprm[i, 0] + m.actuator_biasprm[i, 1] * (
        length - nearest_round(position, length, turn_of_drive(m, i))
    )
    force += m.actuator_biasprm[i, 2] * (velocity - rate)
    if m.actuator_actnum[i] > 0 and m.actuator_gainprm[i, 0] > 0:
        a = m.actuator_actadr[i] + m.actuator_actnum[i] - 1
        force += m.actuator_gainprm[i, 0] * (next_activation(m, d, i, a, d.act_dot[a]) if m.actuator_actearly[i] else d.act[a])
    d.actuator_force[o] = force


# ---- orientation servos ------------------------------------------------------------------------------------------------
@inline
def turn_quat(x):
    """Return the quaternion of a rotation vector."""
    angle = norm3(x)
    return axis_angle(scale3(x, 1 / angle), angle) if angle >= mjMINVAL else (1.0, 0.0, 0.0, 0.0)


@kernel
def turn_force(m, d, i):
    """Set the torque towards the setpoint, with damping."""
    u, o, a = m.actuator_ctrladr[i], m.actuator_outadr[i], m.actuator_actadr[i]
    if m.actuator_ctrlspec[i] == QUATERNION:
        target = quat_unit(load(d.work_ctrl, u, 4))
    elif m.actuator_dyntype[i] == DYN_NONE:
        target = turn_quat(load(d.work_ctrl, u, 3))
    elif m.actuator_actearly[i]:
        target = turn_quat(
            (
                next_activation(m, d, i, a, d.act_dot[a]),
                next_activation(m, d, i, a + 1, d.act_dot[a + 1]),
                next_activation(m, d, i, a + 2, d.act_dot[a + 2]),
            )
        )
    else:
        target = turn_quat(load(d.act, a, 3))
    error = quat_sub(target, turn_quat(load(d.actuator_length, o, 3)))
    kp, constant, damping = m.actuator_gainprm[i, 0], m.actuator_biasprm[i, 0], m.actuator_biasprm[i, 2]
    for k in range(3):
        d.actuator_force[o + k] = kp * error[k] + constant + damping * d.actuator_velocity[o + k]


# ---- DC motors ---------------------------------------------------------------------------------------------------------
@kernel
def controller_voltage(m, d, i, slots):
    """Return the voltage that the controller requests for its torque, before limiting; 0 without a controller."""
    o = m.actuator_outadr[i]
    length, velocity = d.actuator_length[o], d.actuator_velocity[o]
    position, rate, torque, _ = inputs(m, d, i)
    if m.actuator_ctrlspec[i] & CONTROLLED == 0:
        return 0.0
    integral = d.act[m.actuator_actadr[i] + slots[1]] if slots[1] >= 0 else 0.0
    torque += (
        m.actuator_gainprm[i, 4] * (position - length)
        + m.actuator_gainprm[i, 6] * (rate - velocity)
        + m.actuator_gainprm[i, 5] * integral
    )
    return m.actuator_gainprm[i, 0] / positive(m.actuator_gainprm[i, 1]) * torque + m.actuator_gainprm[i, 1] * velocity


@inline
def drive_voltage(m, d, i, slots):
    """Return the voltage at the terminals: that of the controller, within its limit, plus the voltage control."""
    wanted, most = controller_voltage(m, d, i, slots), m.actuator_gainprm[i, 7]
    return inputs(m, d, i)[3] + (clip(wanted, -most, most) if most > 0 else wanted)


@inline
def resistance(m, d, i, slots):
    """Return the resistance at the winding's temperature."""
    if slots[2] < 0:
        return m.actuator_gainprm[i, 0]
    warmth = d.act[m.actuator_actadr[i] + slots[2]] + m.actuator_dynprm[i, 4] - m.actuator_gainprm[i, 3]
    return m.actuator_gainprm[i, 0] * (1 + m.actuator_gainprm[i, 2] * warmth)


@kernel
def motor_rates(m, d, i, slots):
    """Set the rates of setpoint, integral, temperature, bristles and current, if the motor has them."""
    setpoint, integral, temperature, bristles, current, _ = slots
    adr, o = m.actuator_actadr[i], m.actuator_outadr[i]
    velocity, R, K = d.actuator_velocity[o], m.actuator_gainprm[i, 0], m.actuator_gainprm[i, 1]
    if setpoint >= 0:
        follow(m, d, i, adr + setpoint, m.actuator_dynprm[i, 7], 0.0)
    if integral >= 0:
        error = d.work_ctrl[m.actuator_ctrladr[i]] - d.actuator_length[o]
        d.act_dot[adr + integral] = gathered(error, d.act[adr + integral], m.actuator_dynprm[i, 8])
    voltage = drive_voltage(m, d, i, slots)
    if temperature >= 0:
        R = resistance(m, d, i, slots)
        flow = d.act[adr + current] if current >= 0 else (voltage - K * velocity) / R
        d.act_dot[adr + temperature] = (
            R * flow * flow - d.act[adr + temperature] / m.actuator_dynprm[i, 2]
        ) / m.actuator_dynprm[i, 3]
    if bristles >= 0:
        d.act_dot[adr + bristles] = velocity - bristle_decay(m, i, velocity) * d.act[adr + bristles]
    if current >= 0:
        rate, most = (voltage / R - K / R * velocity - d.act[adr + current]) / m.actuator_dynprm[i, 0], m.actuator_dynprm[i, 1]
        d.act_dot[adr + current] = clip(rate, -most, most) if most > 0 else rate


@kernel
def motor_force(m, d, i, slots):
    """Set the torque of the motor's current. The current is an activation, or follows the voltage instantly."""
    o, K = m.actuator_outadr[i], m.actuator_gainprm[i, 1]
    if slots[4] >= 0:
        a = m.actuator_actadr[i] + slots[4]
        d.actuator_force[o] = K * next_activation(m, d, i, a, d.act_dot[a])
    else:
        d.actuator_force[o] = (
            K / positive(resistance(m, d, i, slots)) * (drive_voltage(m, d, i, slots) - K * d.actuator_velocity[o])
        )


@inline
def motor_friction(m, d, i, angle):
    """Return the torque of cogging and friction, which is independent of the current."""
    torque, slots = 0.0, motor_slots(m, i)
    if m.actuator_biasprm[i, 0] != 0:
        torque += m.actuator_biasprm[i, 0] * sin(m.actuator_biasprm[i, 1] * angle + m.actuator_biasprm[i, 2])
    if slots[3] >= 0 and slots[5] == m.actuator_actnum[i]:
        a = m.actuator_actadr[i] + slots[3]
        torque -= m.actuator_dynprm[i, 5] * d.act[a] + m.actuator_dynprm[i, 6] * d.act_dot[a]
    return torque


# ---- derivatives -------------------------------------------------------------------------------------------------------
@kernel
def controlled_share(m, d, i, slots):
    """Return a motor's torque per volt of its controller; 0 without a controller, or if the voltage is at its limit."""
    most = m.actuator_gainprm[i, 7]
    if m.actuator_ctrlspec[i] & CONTROLLED == 0 or most > 0 and abs(controller_voltage(m, d, i, slots)) >= most:
        return 0.0
    return torque_share(m, d, i, slots)


@inline
def torque_share(m, d, i, slots):
    """Return a motor's torque per volt at the end of a step, during which its current follows the voltage only partly."""
    tau = m.actuator_dynprm[i, 0]
    share = 1 - exp(-m.opt.timestep / tau) if tau > 0 else 1.0
    return m.actuator_gainprm[i, 1] / positive(resistance(m, d, i, slots)) * share


@kernel
def servo_slope(m, d, i):
    """Return d actuator_force / d actuator_velocity of a servo or motor; rate limits are ignored."""
    if not is_motor(m, i):
        return m.actuator_biasprm[i, 2]
    slots = motor_slots(m, i)
    if slots[5] != m.actuator_actnum[i]:
        return 0.0
    K = m.actuator_gainprm[i, 1]
    # The controller's voltage compensates the back-EMF.
    by_rate = controlled_share(m, d, i, slots) * (K - m.actuator_gainprm[i, 6] * m.actuator_gainprm[i, 0] / positive(K))
    return by_rate - torque_share(m, d, i, slots) * K - max(m.actuator_dynprm[i, 6], 0.0)


@kernel
def servo_stiffness(m, d, i):
    """Return d actuator_force / d actuator_length of a servo or motor."""
    if is_pid(m, i):
        return m.actuator_biasprm[i, 1]
    if is_turning(m, i):
        return -m.actuator_gainprm[i, 0]
    slots = motor_slots(m, i)
    if not is_motor(m, i) or slots[5] != m.actuator_actnum[i]:
        return 0.0
    return (
        -controlled_share(m, d, i, slots)
        * m.actuator_gainprm[i, 4]
        * m.actuator_gainprm[i, 0]
        / positive(m.actuator_gainprm[i, 1])
    )


@inline
def torque_at_limit(m, d, i):
    """Return whether an orientation servo's torque is at its limit."""
    return norm3(load(d.actuator_force, m.actuator_outadr[i], 3)) >= m.actuator_forcerange[i, 1]
