"""Forces and inertia of features added after MuJoCo 3.4: polynomial springs and dampers, armature and damping of actuators.

A spring pulls with f(x) = a x + b x^2 + c x^3, a damper with f(v) = a v + b v |v| + c v^3; the linear terms are in
`dynamics.passive` and `dynamics.tendon_force`. Actuators add gear^2 times their armature and damping to a joint or a tendon.
None of this runs unless a bit of the Model's `features` is set (see step.setconst).
"""

from math import sqrt

from ..machine.jit import inline, kernel, stage
from ..machine.lang import flat, load
from ..math.quat import quat_sub, quat_unit
from ..math.vec import dot3, sub3
from ..tables.enums import mjtDisableBit, mjtTrn
from .awake import ASLEEP
from .kinematics import BALL, FREE, SLEEP
from .sparsity import is_sparse
from .tendon_force import gear_squared, spring_excess
from .tendon_rows import add_tendon_row

NO_SPRING, NO_DAMPER = int(mjtDisableBit.mjDSBL_SPRING), int(mjtDisableBit.mjDSBL_DAMPER)
TRN_JOINT, TRN_JOINTINPARENT, TRN_TENDON = (int(mjtTrn[f"mjTRN_{n}"]) for n in ("JOINT", "JOINTINPARENT", "TENDON"))


@inline
def drag(b, c, v):
    """Return the higher-order terms of a polynomial damper's force."""
    return (b * abs(v) + c * v * v) * v


@inline
def drag_slope(b, c, v):
    """Return the derivative of the higher-order terms of a polynomial damper's force."""
    return 2 * b * abs(v) + 3 * c * v * v


@inline
def spring_slope(b, c, x):
    """Return the derivative of the higher-order terms of a polynomial spring's force."""
    return (2 * b + 3 * c * x) * x


# ---- forces ------------------------------------------------------------------------------------------------------------
@stage
def extra_forces(m, d):
    """reads qpos, qvel, ten_length, ten_velocity, ten_J; adds to qfrc_spring, qfrc_damper."""
    if m.opt.disableflags & NO_SPRING == 0:
        joint_terms(m, d)
        for t in range(m.ntendon):
            x = -spring_excess(d.ten_length[t], m.tendon_lengthspring[t, 0], m.tendon_lengthspring[t, 1])
            force = -(m.tendon_stiffnesspoly[t, 0] + m.tendon_stiffnesspoly[t, 1] * x) * x * x
            if force != 0:
                add_tendon_row(m, d, d.qfrc_spring, t, force)

    if m.opt.disableflags & NO_DAMPER:
        return
    for i in range(m.nv):
        d.qfrc_damper[i] -= drag(m.dof_dampingpoly[i, 0], m.dof_dampingpoly[i, 1], d.qvel[i])
    for t in range(m.ntendon):
        force = -drag(m.tendon_dampingpoly[t, 0], m.tendon_dampingpoly[t, 1], d.ten_velocity[t])
        if force != 0:
            add_tendon_row(m, d, d.qfrc_damper, t, force)

    # Actuator damping acts on the actuator's joint or tendon.
    for a in range(m.nactuator):
        kind, target, scale = m.actuator_trntype[a], m.actuator_trnid[a, 0], gear_squared(m, a)
        linear, b, c = scale * m.actuator_damping[a], scale * m.actuator_dampingpoly[a, 0], scale * m.actuator_dampingpoly[a, 1]
        if kind == TRN_JOINT or kind == TRN_JOINTINPARENT:
            i = m.jnt_dofadr[target]
            d.qfrc_damper[i] -= linear * d.qvel[i] + drag(b, c, d.qvel[i])
        elif kind == TRN_TENDON:
            v = d.ten_velocity[target]
            force = -(linear * v + drag(b, c, v))
            if force != 0:
                add_tendon_row(m, d, d.qfrc_damper, target, force)


@kernel
def joint_terms(m, d):
    """Add the higher-order terms of joint springs. For positions and orientations, the spring acts along the displacement and
    depends on its length.
    """
    sleep = m.opt.enableflags & SLEEP != 0 and d.ntree_awake < m.ntree
    for j in range(m.njnt):
        b, c = m.jnt_stiffnesspoly[j, 0], m.jnt_stiffnesspoly[j, 1]
        if b == 0 and c == 0 or sleep and d.body_awake[m.jnt_bodyid[j]] == ASLEEP:
            continue
        a, i, kind = m.jnt_qposadr[j], m.jnt_dofadr[j], m.jnt_type[j]
        if kind == FREE:
            vector_term(d, i, sub3(load(d.qpos, a, 3), load(m.qpos_spring, a, 3)), b, c)
            a += 3
            i += 3
        if kind == FREE or kind == BALL:
            vector_term(d, i, quat_sub(quat_unit(load(d.qpos, a, 4)), load(m.qpos_spring, a, 4)), b, c)
        else:
            x = d.qpos[a] - m.qpos_spring[a]
            d.qfrc_spring[i] -= (b + c * x) * x * x


@inline
def vector_term(d, i, x, b, c):
    size = sqrt(dot3(x, x))
    scale = (b + c * size) * size
    for k in range(3):
        d.qfrc_spring[i + k] -= scale * x[k]


@stage
def extra_energy(m, d):
    """reads qpos, ten_length; adds the potential energy of the springs' higher-order terms to energy."""
    e = d.energy[0]
    for j in range(m.njnt):
        b, c = m.jnt_stiffnesspoly[j, 0], m.jnt_stiffnesspoly[j, 1]
        a, kind = m.jnt_qposadr[j], m.jnt_type[j]
        if b == 0 and c == 0:
            continue
        if kind == FREE:
            x = sub3(load(d.qpos, a, 3), load(m.qpos_spring, a, 3))
            e += potential(b, c, sqrt(dot3(x, x)))
            a += 3
        if kind == FREE or kind == BALL:
            x = quat_sub(load(d.qpos, a, 4), load(m.qpos_spring, a, 4))
            e += potential(b, c, sqrt(dot3(x, x)))
        else:
            e += potential(b, c, d.qpos[a] - m.qpos_spring[a])
    for t in range(m.ntendon):
        x = -spring_excess(d.ten_length[t], m.tendon_lengthspring[t, 0], m.tendon_lengthspring[t, 1])
        e += potential(m.tendon_stiffnesspoly[t, 0], m.tendon_stiffnesspoly[t, 1], x)
    d.energy[0] = e


@inline
def potential(b, c, x):
    return (b / 3 + c * x / 4) * x * x * x


# ---- inertia -----------------------------------------------------------------------------------------------------------
@stage
def drive_inertia(m, d):
    """reads M; adds the armature of actuators that drive joints to M."""
    for a in range(m.nactuator):
        if m.actuator_trntype[a] == TRN_JOINT or m.actuator_trntype[a] == TRN_JOINTINPARENT:
            i = m.jnt_dofadr[m.actuator_trnid[a, 0]]
            # For simple dofs, the constant diagonal already includes the armature.
            if m.dof_simplenum[i] == 0:
                d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1] += gear_squared(m, a) * m.actuator_armature[a]


@stage
def drive_diagonal(m, d):
    """reads nothing; adds the armature of actuators that drive joints to the Model's dof_M0."""
    for a in range(m.nactuator):
        if m.actuator_trntype[a] == TRN_JOINT or m.actuator_trntype[a] == TRN_JOINTINPARENT:
            m.dof_M0[m.jnt_dofadr[m.actuator_trnid[a, 0]]] += gear_squared(m, a) * m.actuator_armature[a]


# ---- derivatives with respect to velocity ------------------------------------------------------------------------------
@stage
def extra_slopes(m, d):
    """reads qvel; writes work_v4: the extra damping of each dof, without that of tendons."""
    for i in range(m.nv):
        d.work_v4[i] = drag_slope(m.dof_dampingpoly[i, 0], m.dof_dampingpoly[i, 1], d.qvel[i])
    for a in range(m.nactuator):
        if m.actuator_trntype[a] == TRN_JOINT or m.actuator_trntype[a] == TRN_JOINTINPARENT:
            i = m.jnt_dofadr[m.actuator_trnid[a, 0]]
            d.work_v4[i] += gear_squared(m, a) * (
                m.actuator_damping[a] + drag_slope(m.actuator_dampingpoly[a, 0], m.actuator_dampingpoly[a, 1], d.qvel[i])
            )


@kernel
def tendon_drag_slope(m, d, t):
    """Return the damping that higher-order terms and actuators add to a tendon."""
    slope = drag_slope(m.tendon_dampingpoly[t, 0], m.tendon_dampingpoly[t, 1], d.ten_velocity[t])
    for a in range(m.nactuator):
        if m.actuator_trntype[a] == TRN_TENDON and m.actuator_trnid[a, 0] == t:
            more = drag_slope(m.actuator_dampingpoly[a, 0], m.actuator_dampingpoly[a, 1], d.ten_velocity[t])
            slope += gear_squared(m, a) * (m.actuator_damping[a] + more)
    return slope


@stage
def extra_derivative(m, d):
    """reads qvel, ten_velocity, ten_J, work_v4; adds to qDeriv."""
    for i in range(m.nv):
        d.qDeriv[m.D_rowadr[i] + m.D_diag[i]] -= d.work_v4[i]
    for t in range(m.ntendon):
        slope = tendon_drag_slope(m, d, t)
        if slope != 0:
            add_square(m, d, t, -slope)


@kernel
def add_square(m, d, t, b):
    """Add b J'J to qDeriv, where J is the row of a tendon."""
    J, columns, sparse = flat(d.ten_J), flat(d.ten_J_colind), is_sparse(m)
    start = d.ten_J_rowadr[t] if sparse else t * m.nv
    count = d.ten_J_rownnz[t] if sparse else m.nv
    for p in range(count):
        k = columns[start + p] if sparse else p
        s = b * J[start + p]
        if s == 0:
            continue
        for q in range(count):
            j = columns[start + q] if sparse else q
            for a in range(m.D_rowadr[k], m.D_rowadr[k] + m.D_rownnz[k]):
                if m.D_colind[a] == j:
                    d.qDeriv[a] += s * J[start + q]
