"""Operations on configurations outside of a Data: difference, integration, normalization. Arrays are float64, given by
address."""

from ..dynamics.kinematics import BALL, FREE
from ..machine.jit import inline, kernel, stage
from ..machine.lang import array_at, load, store
from ..math.quat import quat_integrate, quat_sub, quat_unit


@kernel
def difference(m, v, dt, q1, q2):
    """Set v to the velocity that takes configuration q1 to q2 in time dt."""
    for j in range(m.njnt):
        a, i, kind = m.jnt_qposadr[j], m.jnt_dofadr[j], m.jnt_type[j]
        if kind == FREE:
            for c in range(3):
                v[i + c] = (q2[a + c] - q1[a + c]) / dt
            a += 3
            i += 3
        if kind == FREE or kind == BALL:
            turn, rate = quat_sub(load(q2, a, 4), load(q1, a, 4)), 1 / dt
            store(v, i, (turn[0] * rate, turn[1] * rate, turn[2] * rate))
        else:
            v[i] = (q2[a] - q1[a]) / dt


@inline
def integrate_joint(m, j, q, v, dt):
    """Integrate the coordinates of joint j in configuration q with velocity v over time dt."""
    a, i, kind = m.jnt_qposadr[j], m.jnt_dofadr[j], m.jnt_type[j]
    if kind == FREE:
        for c in range(3):
            q[a + c] += dt * v[i + c]
        a += 3
        i += 3
    if kind == FREE or kind == BALL:
        store(q, a, quat_integrate(load(q, a, 4), load(v, i, 3), dt))
    else:
        q[a] += dt * v[i]


@kernel
def integrate_position(m, q, v, dt):
    """Integrate configuration q with velocity v over time dt, in place."""
    for j in range(m.njnt):
        integrate_joint(m, j, q, v, dt)


@stage("vMifii")
def difference_pos(m, result, dt, start, end):
    """writes nv numbers at address `result`: the velocity that takes the configuration at `start` to that at `end` in time
    dt.
    """
    difference(m, array_at(result, m.nv), dt, array_at(start, m.nq), array_at(end, m.nq))


@stage("vMiif")
def advance_pos(m, position, velocity, dt):
    """Integrate the configuration at the address `position` over time dt, in place, with the velocity at the address
    `velocity`."""
    integrate_position(m, array_at(position, m.nq), array_at(velocity, m.nv), dt)


@stage("vMi")
def unit_quaternions(m, position):
    """Normalize the quaternions in the configuration of nq numbers at an address."""
    q = array_at(position, m.nq)
    for j in range(m.njnt):
        kind = m.jnt_type[j]
        if kind == FREE or kind == BALL:
            a = m.jnt_qposadr[j] + (3 if kind == FREE else 0)
            store(q, a, quat_unit(load(q, a, 4)))
