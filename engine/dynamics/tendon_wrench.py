"""Forces of spatial tendons on bodies, at the points of their paths. MuJoCo 3.14 and later include them in cfrc_ext."""

from ..machine.jit import inline, kernel, stage
from ..machine.lang import address_of, array_at, ints_at, load
from ..math.curves import quartic_slope
from ..math.vec import scale3, sub3, unit3
from ..tables.compat_rows import PLASTIC
from ..tables.enums import mjtConstraint, mjtEq, mjtWrap
from .extra import drag
from .objects import add_external, join6
from .plastic import moved_tendon
from .sparsity import is_sparse
from .tendon import JOINT, OBJ_PULLEY, OBJ_SITE, PULLEY
from .tendon_force import NO_DAMPER, NO_SPRING, TRN_TENDON, length_acceleration, spring_excess, whole_armature
from .tendon_rows import flat_columns, flat_jacobian

EQUALITY, FRICTION, LIMIT = (int(mjtConstraint[f"mjCNSTR_{n}"]) for n in ("EQUALITY", "FRICTION_TENDON", "LIMIT_TENDON"))
EQ_TENDON, SITE = int(mjtEq.mjEQ_TENDON), int(mjtWrap.mjWRAP_SITE)


@stage
def tendon_wrench(m, d):
    """reads ten_length, ten_velocity, ten_J, wrap_obj, wrap_xpos, actuator_force, efc_force, qacc; adds to cfrc_ext
    (scratch: work_tendon).
    """
    for t in range(m.ntendon):
        d.work_tendon[t] = passive_force(m, d, t) - inertial_force(m, d, t)
    for i in range(m.nactuator):
        if m.actuator_trntype[i] == TRN_TENDON:
            t, o, v = m.actuator_trnid[i, 0], m.actuator_outadr[i], d.ten_velocity[m.actuator_trnid[i, 0]]
            gear = m.actuator_gear[o, 0]
            d.work_tendon[t] += gear * d.actuator_force[o]
            if m.opt.disableflags & NO_DAMPER == 0:
                d.work_tendon[t] -= (
                    gear
                    * gear
                    * (m.actuator_damping[i] * v + drag(m.actuator_dampingpoly[i, 0], m.actuator_dampingpoly[i, 1], v))
                )
    add_rows(m, d)
    for t in range(m.ntendon):
        if m.wrap_type[m.tendon_adr[t]] != JOINT and d.work_tendon[t] != 0:
            pull(m, d, t, d.work_tendon[t])


@kernel
def passive_force(m, d, t):
    """Return the force of a tendon's spring and damper, along its length."""
    force, v = 0.0, d.ten_velocity[t]
    if m.opt.disableflags & NO_SPRING == 0:
        x = -spring_excess(d.ten_length[t], m.tendon_lengthspring[t, 0], m.tendon_lengthspring[t, 1])
        if m.features & PLASTIC:
            force += moved_tendon(m, d, t)
        force -= (m.tendon_stiffness[t] + (m.tendon_stiffnesspoly[t, 0] + m.tendon_stiffnesspoly[t, 1] * x) * x) * x
    if m.opt.disableflags & NO_DAMPER == 0:
        force -= m.tendon_damping[t] * v + drag(m.tendon_dampingpoly[t, 0], m.tendon_dampingpoly[t, 1], v)
    return force


@kernel
def inertial_force(m, d, t):
    """Return the force that accelerates a tendon's armature."""
    armature = whole_armature(m, t, m.tendon_armature[t])
    if armature == 0:
        return 0.0
    J, columns, sparse = flat_jacobian(m, d), flat_columns(m, d), is_sparse(m)
    start, count = (d.ten_J_rowadr[t], d.ten_J_rownnz[t]) if sparse else (t * m.nv, m.nv)
    rate = length_acceleration(m, d, t)
    for k in range(count):
        rate += J[start + k] * d.qacc[columns[start + k] if sparse else k]
    return armature * rate


@inline
def equality_slope(m, d, e, other):
    """Return d (length of first tendon) / d (length of second tendon), as equality e requires it."""
    return quartic_slope(
        m.eq_data[e, 1], m.eq_data[e, 2], m.eq_data[e, 3], m.eq_data[e, 4], d.ten_length[other] - m.tendon_length0[other]
    )


@kernel
def add_rows(m, d):
    """Add the forces of equalities, friction and limits of tendons to work_tendon."""
    for r in range(d.nefc):
        kind, i, f = d.efc_type[r], d.efc_id[r], d.efc_force[r]
        if kind == EQUALITY and m.eq_type[i] == EQ_TENDON:
            other = m.eq_obj2id[i]
            d.work_tendon[m.eq_obj1id[i]] += f
            if other >= 0:
                d.work_tendon[other] -= f * equality_slope(m, d, i, other)
        elif kind == FRICTION:
            d.work_tendon[i] += f
        elif kind == LIMIT:
            # If a tendon has two limit rows, the second belongs to the upper limit.
            second = r > 0 and d.efc_type[r - 1] == LIMIT and d.efc_id[r - 1] == i
            lower = d.efc_pos[r] == d.ten_length[i] - m.tendon_range[i, 0] and not second
            d.work_tendon[i] += f if lower else -f


@kernel
def pull(m, d, t, force):
    """Apply a force to both ends of each straight piece of a path, in opposite directions."""
    points, objects = array_at(address_of(d.wrap_xpos, 0), 6 * m.nwrap), ints_at(address_of(d.wrap_obj, 0), 2 * m.nwrap)
    w, divisor, body0 = m.tendon_adr[t], 1.0, -1
    for n in range(d.ten_wrapadr[t], d.ten_wrapadr[t] + d.ten_wrapnum[t]):
        kind = objects[n]

        # Find the body at this point of the path.
        body1 = -1
        if kind == OBJ_PULLEY:
            while m.wrap_type[w] != PULLEY:
                w += 1
            divisor = m.wrap_prm[w]
            w += 1
        elif kind == OBJ_SITE:
            while m.wrap_type[w] != SITE:
                w += 1
            body1 = m.site_bodyid[m.wrap_objid[w]]
            w += 1
        else:
            body1 = m.geom_bodyid[kind]

        # Apply the force to the straight piece from the previous point.
        if body0 >= 0 and body1 >= 0 and body0 != body1:
            p0, p1 = load(points, 3 * (n - 1), 3), load(points, 3 * n, 3)
            along, _ = unit3(sub3(p1, p0))
            f = scale3(along, force / divisor)
            wrench = join6((0.0, 0.0, 0.0), f)
            if body0:
                add_external(m, d, body0, p0, wrench, -1.0)
            if body1:
                add_external(m, d, body1, p1, wrench, 1.0)
        body0 = body1
