"""Springs with plastic deformation (since 4.0): beyond `springyield`, the force of a joint's or tendon's spring stays constant,
and the spring's rest position moves.

Rest positions are state: the last `nplastic` numbers of plugin_state. Joints come first (a coordinate, or a quaternion), then
tendons (two lengths). Other stages compute forces with the model's rest positions. The stages here add the change due to the
deformed rest positions. None of this runs unless a bit of the Model's `features` is set.
"""

from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, store
from ..math.quat import quat_integrate, quat_sub, quat_unit
from ..math.vec import norm3, scale3
from ..tables.enums import mjtDisableBit, mjtEnableBit
from .awake import ASLEEP, AWAKE, tendon_state
from .extra import potential
from .kinematics import BALL
from .sparsity import is_sparse
from .tendon_force import spring_excess
from .tendon_rows import add_tendon_row, flat_columns, flat_jacobian

NO_SPRING, SLEEP = int(mjtDisableBit.mjDSBL_SPRING), int(mjtEnableBit.mjENBL_SLEEP)


@inline
def first(m):
    """Return the address of the plastic state in plugin_state."""
    return m.npluginstate - m.nplastic


@kernel
def first_of_tendons(m):
    at = first(m)
    for j in range(m.njnt):
        at += m.jnt_plasticnum[j]
    return at


@stage
def reset_plastic(m, d):
    """reads nothing; writes the plastic state in plugin_state: the model's rest positions."""
    at, p = first(m), d.plugin_state
    for j in range(m.njnt):
        n = m.jnt_plasticnum[j]
        for k in range(n):
            p[at + k] = m.qpos_spring[m.jnt_qposadr[j] + k]
        at += n
    for t in range(m.ntendon):
        n = m.tendon_plasticnum[t]
        for k in range(n):
            p[at + k] = m.tendon_lengthspring[t, k]
        at += n


# ---- forces ------------------------------------------------------------------------------------------------------------------
@inline
def strength(a, b, c, x):
    """Return the stiffness of a spring stretched by x."""
    return a + (b + c * x) * x


@stage
def plastic_forces(m, d):
    """reads qpos, ten_length, ten_J, plugin_state; adds to qfrc_spring the change in spring force due to deformation."""
    if m.opt.disableflags & NO_SPRING:
        return
    sleep = m.opt.enableflags & SLEEP != 0 and d.nbody_awake < m.nbody
    at = first(m)
    for j in range(m.njnt):
        n = m.jnt_plasticnum[j]
        if n > 0 and not (sleep and d.body_awake[m.jnt_bodyid[j]] == ASLEEP):
            joint_change(m, d, j, at)
        at += n
    for t in range(m.ntendon):
        if m.tendon_plasticnum[t] > 0:
            if not sleep or tendon_state(m, d, t) == AWAKE:
                force = tendon_change(m, d, t, at)
                if force != 0:
                    add_tendon_row(m, d, d.qfrc_spring, t, force)
            at += m.tendon_plasticnum[t]


@kernel
def joint_change(m, d, j, at):
    """Add to qfrc_spring a joint spring's force minus the force that it would have with the model's rest position."""
    q, i = m.jnt_qposadr[j], m.jnt_dofadr[j]
    a, b, c = m.jnt_stiffness[j], m.jnt_stiffnesspoly[j, 0], m.jnt_stiffnesspoly[j, 1]
    if m.jnt_type[j] == BALL:
        turn = quat_unit(load(d.qpos, q, 4))
        new, old = quat_sub(turn, load(d.plugin_state, at, 4)), quat_sub(turn, load(m.qpos_spring, q, 4))
        kn, ko = strength(a, b, c, norm3(new)), strength(a, b, c, norm3(old))
        for k in range(3):
            d.qfrc_spring[i + k] += ko * old[k] - kn * new[k]
    else:
        new, old = d.qpos[q] - d.plugin_state[at], d.qpos[q] - m.qpos_spring[q]
        d.qfrc_spring[i] += strength(a, b, c, old) * old - strength(a, b, c, new) * new


@kernel
def tendon_change(m, d, t, at):
    """Return a tendon spring's force minus the force that it would have with the model's rest lengths."""
    length, a, b, c = d.ten_length[t], m.tendon_stiffness[t], m.tendon_stiffnesspoly[t, 0], m.tendon_stiffnesspoly[t, 1]
    new = -spring_excess(length, d.plugin_state[at], d.plugin_state[at + 1])
    old = -spring_excess(length, m.tendon_lengthspring[t, 0], m.tendon_lengthspring[t, 1])
    return strength(a, b, c, old) * old - strength(a, b, c, new) * new


@kernel
def moved_tendon(m, d, t):
    """Return the `tendon_change` of tendon t, or 0 if its spring cannot deform."""
    if m.tendon_plasticnum[t] == 0:
        return 0.0
    at = first_of_tendons(m)
    for k in range(t):
        at += m.tendon_plasticnum[k]
    return tendon_change(m, d, t, at)


@inline
def stored(a, b, c, x):
    """Return the energy stored in a spring that is stretched by x."""
    return 0.5 * a * x * x + potential(b, c, x)


@stage
def plastic_energy(m, d):
    """reads qpos, ten_length, plugin_state; adds to energy the change in spring energy due to deformation."""
    at, e = first(m), d.energy[0]
    for j in range(m.njnt):
        n = m.jnt_plasticnum[j]
        if n > 0:
            q, a, b, c = m.jnt_qposadr[j], m.jnt_stiffness[j], m.jnt_stiffnesspoly[j, 0], m.jnt_stiffnesspoly[j, 1]
            if m.jnt_type[j] == BALL:
                turn = quat_unit(load(d.qpos, q, 4))
                e += stored(a, b, c, norm3(quat_sub(turn, load(d.plugin_state, at, 4)))) - stored(
                    a, b, c, norm3(quat_sub(turn, load(m.qpos_spring, q, 4)))
                )
            else:
                e += stored(a, b, c, d.qpos[q] - d.plugin_state[at]) - stored(a, b, c, d.qpos[q] - m.qpos_spring[q])
        at += n

    for t in range(m.ntendon):
        if m.tendon_plasticnum[t] > 0:
            a, b, c = m.tendon_stiffness[t], m.tendon_stiffnesspoly[t, 0], m.tendon_stiffnesspoly[t, 1]
            new = -spring_excess(d.ten_length[t], d.plugin_state[at], d.plugin_state[at + 1])
            old = -spring_excess(d.ten_length[t], m.tendon_lengthspring[t, 0], m.tendon_lengthspring[t, 1])
            e += stored(a, b, c, new) - stored(a, b, c, old)
            at += m.tendon_plasticnum[t]
    d.energy[0] = e


# ---- flow --------------------------------------------------------------------------------------------------------------
@stage("vMDi")
def plastic_flow(m, d, mean):
    """reads the next qpos, ten_length, ten_J and qvel, or with `mean` the values saved at the start and work_v1; writes the
    plastic state in plugin_state.
    """
    if m.opt.disableflags & NO_SPRING:
        return
    sleep = m.opt.enableflags & SLEEP != 0 and d.nbody_awake < m.nbody
    at = first(m)
    for j in range(m.njnt):
        n = m.jnt_plasticnum[j]
        if n > 0 and not (sleep and d.body_awake[m.jnt_bodyid[j]] == ASLEEP):
            give_way(m, d, j, at)
        at += n
    for t in range(m.ntendon):
        if m.tendon_plasticnum[t] > 0:
            if not sleep or tendon_state(m, d, t) == AWAKE:
                lengthen(m, d, t, at, mean != 0)
            at += m.tendon_plasticnum[t]


@kernel
def give_way(m, d, j, at):
    """Move the rest position of a joint's spring to within its yield distance of the joint's position."""
    q, most, p = m.jnt_qposadr[j], m.jnt_springyield[j], d.plugin_state
    if m.jnt_type[j] == BALL:
        rest = load(p, at, 4)
        x = quat_sub(quat_unit(load(d.qpos, q, 4)), rest)
        size = norm3(x)
        if size > most:
            store(p, at, quat_integrate(rest, scale3(x, 1 - most / size), 1.0))
    elif d.qpos[q] - p[at] > most:
        p[at] = d.qpos[q] - most
    elif d.qpos[q] - p[at] < -most:
        p[at] = d.qpos[q] + most


@kernel
def keep_tendons(m, d):
    """writes work_rk_length, work_rk_row: lengths and Jacobian rows of tendons that can deform."""
    J, columns, sparse, row = flat_jacobian(m, d), flat_columns(m, d), is_sparse(m), first_of_tendons(m) - first(m)
    for t in range(m.ntendon):
        if m.tendon_plasticnum[t] > 0:
            d.work_rk_length[row] = d.ten_length[t]
            for i in range(m.nv):
                d.work_rk_row[row, i] = 0.0 if sparse else J[t * m.nv + i]
            if sparse:
                for k in range(d.ten_J_rowadr[t], d.ten_J_rowadr[t] + d.ten_J_rownnz[t]):
                    d.work_rk_row[row, columns[k]] = J[k]
            row += m.tendon_plasticnum[t]


@kernel
def next_length(m, d, t, at, mean):
    """Return the length of a tendon after the step."""
    rate = 0.0
    if mean:
        row = at - first(m)
        for i in range(m.nv):
            rate += d.work_rk_row[row, i] * d.work_v1[i]
        return d.work_rk_length[row] + m.opt.timestep * rate
    J, columns, sparse = flat_jacobian(m, d), flat_columns(m, d), is_sparse(m)
    start, count = (d.ten_J_rowadr[t], d.ten_J_rownnz[t]) if sparse else (t * m.nv, m.nv)
    for k in range(count):
        rate += J[start + k] * d.qvel[columns[start + k] if sparse else k]
    return d.ten_length[t] + m.opt.timestep * rate


@kernel
def lengthen(m, d, t, at, mean):
    """Move the rest lengths of a tendon's spring to within its yield distance of the next length; a lower rest length of 0
    (slack) stays.
    """
    length, most, p = next_length(m, d, t, at, mean), m.tendon_springyield[t], d.plugin_state
    shift = 0.0
    if length > p[at + 1] + most:
        shift = length - most - p[at + 1]
    elif length < p[at] - most:
        shift = length + most - p[at]
    if not (shift > 0 and m.tendon_lengthspring[t, 0] == 0 and m.tendon_lengthspring[t, 1] > 0):
        p[at] += shift
    p[at + 1] += shift
