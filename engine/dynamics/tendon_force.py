"""Tendons in the dynamics: springs and dampers, inertia along the tendon (armature) and its bias force."""

from ..machine.jit import inline, kernel, stage
from ..machine.lang import load
from ..math.vec import add3, add_scaled3, cross3, dot3, scale3, sub3, unit3
from ..tables.compat_rows import DRIVE
from ..tables.enums import mjtDisableBit, mjtEnableBit, mjtTrn
from .awake import ASLEEP, AWAKE, tendon_state
from .force import axis_rate, dof_translation, last_dof
from .objects import point_velocity
from .sparsity import is_sparse
from .tendon import JOINT, PULLEY
from .tendon_rows import add_tendon_row, flat_columns, flat_jacobian

SLEEP = int(mjtEnableBit.mjENBL_SLEEP)
NO_SPRING, NO_DAMPER = int(mjtDisableBit.mjDSBL_SPRING), int(mjtDisableBit.mjDSBL_DAMPER)
TRN_TENDON = int(mjtTrn.mjTRN_TENDON)


@inline
def spring_excess(length, low, high):
    """Return by how much a length is outside the spring's rest lengths low .. high: negative above, positive below."""
    if length > high:
        return high - length
    return low - length if length < low else 0.0


@stage
def tendon_passive(m, d):
    """reads ten_length, ten_velocity, ten_J; adds to qfrc_spring, qfrc_damper."""
    sleep = m.opt.enableflags & SLEEP != 0 and d.nbody_awake < m.nbody
    for t in range(m.ntendon):
        if sleep and tendon_state(m, d, t) != AWAKE:
            continue
        stiffness = 0.0 if m.opt.disableflags & NO_SPRING else m.tendon_stiffness[t]
        damping = 0.0 if m.opt.disableflags & NO_DAMPER else m.tendon_damping[t]
        length, low, high = d.ten_length[t], m.tendon_lengthspring[t, 0], m.tendon_lengthspring[t, 1]
        spring = stiffness * spring_excess(length, low, high)
        damper = -damping * d.ten_velocity[t]
        if spring != 0:
            add_tendon_row(m, d, d.qfrc_spring, t, spring)
        if damper != 0:
            add_tendon_row(m, d, d.qfrc_damper, t, damper)


@inline
def gear_squared(m, a):
    """Return gear squared: the factor that converts an actuator's armature and damping to its joint or tendon."""
    gear = m.actuator_gear[m.actuator_outadr[a], 0]
    return gear * gear


@inline
def whole_armature(m, t, armature):
    """Return the armature of a tendon plus that of its actuators."""
    if m.features & DRIVE:
        for a in range(m.nactuator):
            if m.actuator_trntype[a] == TRN_TENDON and m.actuator_trnid[a, 0] == t:
                armature += gear_squared(m, a) * m.actuator_armature[a]
    return armature


@stage
def tendon_armature(m, d):
    """reads ten_J; adds armature J'J to M, in M's sparsity."""
    sleep = m.opt.enableflags & SLEEP != 0 and d.nv_awake < m.nv
    for t in range(m.ntendon):
        armature = whole_armature(m, t, m.tendon_armature[t])
        if armature == 0 or sleep and tendon_state(m, d, t) == ASLEEP:
            continue
        if is_sparse(m):
            add_sparse_square(m, d, t, armature)
        else:
            add_dense_square(m, d, t, armature)


@kernel
def add_dense_square(m, d, t, armature):
    J = flat_jacobian(m, d)
    row = t * m.nv
    for i in range(m.nv):
        s = armature * J[row + i]
        if s != 0:
            start = m.M_rowadr[i]
            for a in range(start, start + m.M_rownnz[i]):
                d.M[a] += s * J[row + m.M_colind[a]]


@kernel
def add_sparse_square(m, d, t, armature):
    """Add the square of a sparse row to M. Both have ascending columns, so one pass suffices."""
    J, columns = flat_jacobian(m, d), flat_columns(m, d)
    start = d.ten_J_rowadr[t]
    end = start + d.ten_J_rownnz[t]
    for b in range(start, end):
        s = armature * J[b]
        if s == 0:
            continue
        i = columns[b]
        k = start
        adr = m.M_rowadr[i]
        for a in range(adr, adr + m.M_rownnz[i]):
            while k < end and columns[k] < m.M_colind[a]:
                k += 1
            if k < end and columns[k] == m.M_colind[a]:
                d.M[a] += s * J[k]


@stage
def tendon_bias(m, d):
    """reads ten_J, cdof, cdof_dot, cvel, qvel; adds the bias force of tendon armature to qfrc_bias."""
    add_bias(m, d, d.qfrc_bias)


@stage
def tendon_bias_inverse(m, d):
    """reads ten_J, cdof, cdof_dot, cvel, qvel; adds the bias force of tendon armature to qfrc_inverse."""
    add_bias(m, d, d.qfrc_inverse)


@kernel
def add_bias(m, d, target):
    sleep = m.opt.enableflags & SLEEP != 0 and d.ntree_awake < m.ntree
    for t in range(m.ntendon):
        armature = whole_armature(m, t, m.tendon_armature[t])
        if armature == 0 or sleep and tendon_state(m, d, t) == ASLEEP:
            continue
        force = armature * length_acceleration(m, d, t)
        if force != 0:
            add_tendon_row(m, d, target, t, force)


@kernel
def length_acceleration(m, d, t):
    """Return the second derivative of a tendon's length at zero joint acceleration: (dJ/dt) qvel.

    Tendons that wrap around geoms must not have armature, so they are not handled.
    """
    w = m.tendon_adr[t]
    last = w + m.tendon_num[t] - 1
    if m.wrap_type[w] == JOINT:
        return 0.0
    divisor, total = 1.0, 0.0
    while w < last:
        if m.wrap_type[w] == PULLEY:
            divisor = m.wrap_prm[w]
        elif m.wrap_type[w + 1] != PULLEY:
            s0, s1 = m.wrap_objid[w], m.wrap_objid[w + 1]
            if m.site_bodyid[s0] != m.site_bodyid[s1]:
                total += site_distance_acceleration(m, d, s0, s1) / divisor
        w += 1
    return total


@inline
def site_distance_acceleration(m, d, s0, s1):
    """Return the second derivative of the distance between two sites. The motion axes and the direction from site to site
    change."""
    body0, body1 = m.site_bodyid[s0], m.site_bodyid[s1]
    p0, p1 = load(d.site_xpos, s0, 3), load(d.site_xpos, s1, 3)
    v0, v1 = point_velocity(m, d, body0, p0), point_velocity(m, d, body1, p1)
    along, distance = unit3(sub3(p1, p0))
    turning = sub3(v1, v0)
    turning = add_scaled3(turning, along, -dot3(along, turning))
    turning = scale3(turning, 1 / distance if distance > 1e-15 else 0.0)
    return chain_acceleration(m, d, body1, p1, v1, along, turning) - chain_acceleration(m, d, body0, p0, v0, along, turning)


@kernel
def chain_acceleration(m, d, body, point, velocity, along, turning):
    """Return the sum of (rate of J . along + J . turning) qvel over the dofs that move a point. J: Jacobian column of a dof."""
    offset = sub3(point, load(d.subtree_com, m.body_rootid[body], 3))
    total = 0.0
    i = last_dof(m, body)
    while i >= 0:
        axis = load(d.cdof, i, 6)
        rate = axis_rate(m, d, i, axis)
        column = add3((rate[3], rate[4], rate[5]), cross3((rate[0], rate[1], rate[2]), offset))
        column = add3(column, cross3((axis[0], axis[1], axis[2]), velocity))
        total += (dot3(column, along) + dot3(dof_translation(d, i, offset), turning)) * d.qvel[i]
        i = m.dof_parentid[i]
    return total
