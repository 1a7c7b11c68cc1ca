"""Actuator lengths and moments: the length of each actuator's transmission, and how its force acts on the dofs.

Moments are sparse rows, packed one after another; columns ascend within a row. Exact zeros are omitted, except those of joints.
"""

from math import sqrt

from ..core.stages import run
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, store
from ..math.quat import quat_conj, quat_mul, quat_sub, quat_unit, quat_vel, rotate
from ..math.vec import add3, cross3, dot3, mat_t_vec3, mat_vec3, scale3, sub3
from ..tables.compat_rows import bit
from ..tables.enums import mjtCone, mjtEnableBit, mjtJoint, mjtTrn
from ..tables.stage_rows import stage_id
from .awake import ASLEEP, AWAKE, tendon_state
from .force import dof_translation, last_dof
from .sparsity import is_sparse
from .tendon import column_difference
from .tendon_rows import flat_columns, flat_jacobian

SLEEP = int(mjtEnableBit.mjENBL_SLEEP)
FREE, BALL = int(mjtJoint.mjJNT_FREE), int(mjtJoint.mjJNT_BALL)
JOINT, IN_PARENT, CRANK, TENDON, SITE, BODY, TURN = (
    int(mjtTrn[f"mjTRN_{n}"]) for n in ("JOINT", "JOINTINPARENT", "SLIDERCRANK", "TENDON", "SITE", "BODY", "SO3")
)
ELLIPTIC = int(mjtCone.mjCONE_ELLIPTIC)
IN_GAP = 1
GENERAL, SITE_TURN = stage_id("transmission_general"), bit("site_turn")


@stage
def transmission(m, d):
    """reads qpos, ten_length, ten_J, site and contact poses, cdof, efc_J.

    writes actuator_length, actuator_moment, moment_rownnz, moment_rowadr, moment_colind.
    """
    for i in range(m.nactuator):
        kind = m.actuator_trntype[i]
        if kind != TENDON and (kind > IN_PARENT or m.jnt_type[m.actuator_trnid[i, 0]] <= BALL):
            run(m, d, GENERAL)
            return
    sleep = m.opt.enableflags & SLEEP != 0 and d.nv_awake < m.nv
    adr = 0
    for i in range(m.nactuator):
        o, count = m.actuator_outadr[i], 0
        d.moment_rowadr[o] = adr
        if not (sleep and actuator_state(m, d, i) == ASLEEP):
            count = tendon_moment(m, d, i, o, adr) if m.actuator_trntype[i] == TENDON else scalar_moment(m, d, i, o, adr)
        d.moment_rownnz[o] = count
        adr += count


@stage
def transmission_general(m, d):
    """Do the same as stage `transmission`, for models with transmissions other than tendons and scalar joints.

    writes actuator_length, actuator_moment, moment_rownnz, moment_rowadr, moment_colind.
    """
    sleep = m.opt.enableflags & SLEEP != 0 and d.nv_awake < m.nv
    adr = 0
    for i in range(m.nactuator):
        o, count, kind = m.actuator_outadr[i], 0, m.actuator_trntype[i]
        if kind == TURN:
            adr = turn_moments(m, d, i, o, adr, not (sleep and actuator_state(m, d, i) == ASLEEP))
            continue

        d.moment_rowadr[o] = adr
        if not (sleep and actuator_state(m, d, i) == ASLEEP):
            if kind == TENDON:
                count = tendon_moment(m, d, i, o, adr)
            elif kind == CRANK:
                count = crank_moment(m, d, i, o, adr)
            elif kind == SITE:
                count = site_moment(m, d, i, o, adr) if m.actuator_trnid[i, 1] < 0 else relative_site_moment(m, d, i, o, adr)
            elif kind == BODY:
                count = adhesion_moment(m, d, i, o, adr)
            elif m.jnt_type[m.actuator_trnid[i, 0]] <= BALL:
                count = turning_moment(m, d, i, o, adr)
            else:
                count = scalar_moment(m, d, i, o, adr)
        d.moment_rownnz[o] = count
        adr += count


@inline
def actuator_state(m, d, i):
    """Return the sleep state of an actuator: ASLEEP if everything that it moves is asleep."""
    kind, target = m.actuator_trntype[i], m.actuator_trnid[i, 0]
    if kind == TENDON:
        return tendon_state(m, d, target)
    if kind == SITE or kind == TURN and m.actuator_trnid[i, 1] >= 0:
        return d.body_awake[m.site_bodyid[target]]
    if kind == BODY:
        return d.body_awake[target]
    if kind == CRANK:
        other = m.actuator_trnid[i, 1]
        either = d.body_awake[m.site_bodyid[target]] == AWAKE or d.body_awake[m.site_bodyid[other]] == AWAKE
        return AWAKE if either else ASLEEP
    return d.body_awake[m.jnt_bodyid[target]]


@inline
def scalar_moment(m, d, i, o, adr):
    """Handle a slide or hinge joint. This function and those below write the length of output o and its row at `adr`, and
    return the row's size.
    """
    j, gear = m.actuator_trnid[i, 0], m.actuator_gear[o, 0]
    d.actuator_length[o] = d.qpos[m.jnt_qposadr[j]] * gear
    d.moment_colind[adr] = m.jnt_dofadr[j]
    d.actuator_moment[adr] = gear
    return 1


@inline
def append(d, adr, count, k, x):
    """Add an entry to a row; return the row's new size."""
    if x == 0:
        return count
    d.moment_colind[adr + count] = k
    d.actuator_moment[adr + count] = x
    return count + 1


@kernel
def tendon_moment(m, d, i, o, adr):
    """Handle a tendon: the row is the tendon's Jacobian row, scaled."""
    t, gear = m.actuator_trnid[i, 0], m.actuator_gear[o, 0]
    d.actuator_length[o] = d.ten_length[t] * gear
    J = flat_jacobian(m, d)
    count = 0
    if is_sparse(m):
        columns = flat_columns(m, d)
        start = d.ten_J_rowadr[t]
        count = d.ten_J_rownnz[t]
        for k in range(count):
            d.moment_colind[adr + k] = columns[start + k]
            d.actuator_moment[adr + k] = J[start + k] * gear
        return count
    for k in range(m.nv):
        count = append(d, adr, count, k, J[t * m.nv + k] * gear)
    return count


@kernel
def turning_moment(m, d, i, o, adr):
    """Handle a ball or free joint: a torque, or a force and a torque, in the frame of the joint or of its parent."""
    j = m.actuator_trnid[i, 0]
    a, dof = m.jnt_qposadr[j], m.jnt_dofadr[j]
    gear = load(m.actuator_gear, o, 6)
    free = m.jnt_type[j] == FREE
    q = quat_unit(load(d.qpos, a + 3 if free else a, 4))
    axis = (gear[3], gear[4], gear[5]) if free else (gear[0], gear[1], gear[2])
    turned = rotate(quat_conj(q), axis) if m.actuator_trntype[i] == IN_PARENT else axis

    start = adr
    d.actuator_length[o] = 0.0
    if free:
        # A free joint's pose has no length along a wrench, so the length stays 0.
        for k in range(3):
            d.actuator_moment[adr + k] = gear[k]
        start += 3
    else:
        d.actuator_length[o] = dot3(quat_vel(q, 1.0), turned)

    for k in range(3):
        d.actuator_moment[start + k] = turned[k]
    count = start - adr + 3
    for k in range(count):
        d.moment_colind[adr + k] = dof + k
    return count


@kernel
def turn_moments(m, d, i, o, adr, awake):
    """Handle an orientation servo: three lengths and three rows. Return the start of the next row.

    The lengths are the rotation vector of a ball joint, or of a site relative to another; the rows are torques about the axes
    of the joint or the site.
    """
    j, ref = m.actuator_trnid[i, 0], m.actuator_trnid[i, 1]
    if ref < 0:
        store(d.actuator_length, o, quat_vel(quat_unit(load(d.qpos, m.jnt_qposadr[j], 4)), 1.0))
    else:
        turn = quat_mul(load(d.xquat, m.site_bodyid[j], 4), load(m.site_quat, j, 4))
        store(d.actuator_length, o, quat_sub(turn, quat_mul(load(d.xquat, m.site_bodyid[ref], 4), load(m.site_quat, ref, 4))))

    for k in range(3):
        d.moment_rowadr[o + k] = adr
        count = 0
        if awake and ref < 0:
            d.moment_colind[adr], d.actuator_moment[adr] = m.jnt_dofadr[j] + k, 1.0
            count = 1
        elif awake:
            axis = (d.site_xmat[j, k], d.site_xmat[j, 3 + k], d.site_xmat[j, 6 + k])
            a, b = last_dof(m, m.site_bodyid[ref]), last_dof(m, m.site_bodyid[j])
            while a != b:
                c = max(a, b)
                x = dot3(load(d.cdof, c, 3), axis)
                count = append(d, adr, count, c, x if b == c else -x)
                a = m.dof_parentid[a] if a == c else a
                b = m.dof_parentid[b] if b == c else b
            reverse(d, adr, count)
        d.moment_rownnz[o + k] = count
        adr += count
    return adr


@inline
def reverse(d, adr, count):
    """Reverse a row, so that its columns ascend."""
    low, high = adr, adr + count - 1
    while low < high:
        d.moment_colind[low], d.moment_colind[high] = d.moment_colind[high], d.moment_colind[low]
        d.actuator_moment[low], d.actuator_moment[high] = d.actuator_moment[high], d.actuator_moment[low]
        low += 1
        high -= 1
    return count


@kernel
def crank_moment(m, d, i, o, adr):
    """Handle a slider-crank: a rod of given length joins the crank's pin (first site) to a slider along the z axis of the
    second
    site."""
    pin, slider = m.actuator_trnid[i, 0], m.actuator_trnid[i, 1]
    rod, gear = m.actuator_cranklength[i], m.actuator_gear[o, 0]
    mat = load(d.site_xmat, slider, 9)
    axis = (mat[2], mat[5], mat[8])
    foot, tip = load(d.site_xpos, slider, 3), load(d.site_xpos, pin, 3)
    v = sub3(tip, foot)
    av = dot3(v, axis)
    det = av * av + rod * rod - dot3(v, v)
    # length = av - sqrt(det). If the rod is too short to reach, the slider follows the pin.
    length, by_v, by_axis = av, axis, v
    if det > 0:
        root = sqrt(det)
        length = av - root
        by_v = add3(scale3(axis, 1 - av / root), scale3(v, 1 / root))
        by_axis = scale3(v, 1 - av / root)
    d.actuator_length[o] = length * gear

    # Compute the row from the velocities of pin and slider, and from the rotation of the slider's axis.
    b0, b1 = m.site_bodyid[slider], m.site_bodyid[pin]
    offset0, offset1 = (
        sub3(foot, load(d.subtree_com, m.body_rootid[b0], 3)),
        sub3(tip, load(d.subtree_com, m.body_rootid[b1], 3)),
    )
    a, b = last_dof(m, b0), last_dof(m, b1)
    count = 0
    while a >= 0 or b >= 0:
        k = max(a, b)
        x = column_difference(d, k, a, offset0, b, offset1)
        turn = cross3(load(d.cdof, k, 3), axis) if a == k else (0.0, 0.0, 0.0)
        s = (
            by_axis[0] * turn[0]
            + by_v[0] * x[0]
            + (by_axis[1] * turn[1] + by_v[1] * x[1])
            + (by_axis[2] * turn[2] + by_v[2] * x[2])
        )
        count = append(d, adr, count, k, s * gear)
        a = m.dof_parentid[a] if a == k else a
        b = m.dof_parentid[b] if b == k else b
    return reverse(d, adr, count)


@kernel
def site_moment(m, d, i, o, adr):
    """Handle a site alone: a wrench in its frame. The actuator has no length."""
    s = m.actuator_trnid[i, 0]
    gear, mat = load(m.actuator_gear, o, 6), load(d.site_xmat, s, 9)
    force, torque = mat_vec3(mat, (gear[0], gear[1], gear[2])), mat_vec3(mat, (gear[3], gear[4], gear[5]))
    d.actuator_length[o] = 0.0
    b = m.site_bodyid[s]
    offset = sub3(load(d.site_xpos, s, 3), load(d.subtree_com, m.body_rootid[b], 3))
    k, count = last_dof(m, b), 0
    while k >= 0:
        x = dot3(dof_translation(d, k, offset), force) + dot3(load(d.cdof, k, 3), torque)
        count = append(d, adr, count, k, x)
        k = m.dof_parentid[k]
    return reverse(d, adr, count)


@kernel
def relative_site_moment(m, d, i, o, adr):
    """Handle a site with a reference site: a wrench between the two, in the frame of the reference site. It does not act on
    dofs that move both sites."""
    s, ref = m.actuator_trnid[i, 0], m.actuator_trnid[i, 1]
    gear, mat = load(m.actuator_gear, o, 6), load(d.site_xmat, ref, 9)
    shift, turn = (gear[0], gear[1], gear[2]), (gear[3], gear[4], gear[5])
    force, torque = mat_vec3(mat, shift), mat_vec3(mat, turn)
    pos, ref_pos = load(d.site_xpos, s, 3), load(d.site_xpos, ref, 3)
    b0, b1 = m.site_bodyid[ref], m.site_bodyid[s]

    # Length: displacement and rotation between the sites, along the wrench.
    length = 0.0
    if dot3(shift, shift) != 0:
        length += dot3(mat_t_vec3(mat, sub3(pos, ref_pos)), shift)
    if dot3(turn, turn) != 0:
        # Before 4.0, MuJoCo multiplies the quaternions in the wrong order.
        own, ref_own, body, ref_body = (
            load(m.site_quat, s, 4),
            load(m.site_quat, ref, 4),
            load(d.xquat, b1, 4),
            load(d.xquat, b0, 4),
        )
        right = m.compat_bits & SITE_TURN != 0
        q = quat_mul(body, own) if right else quat_mul(own, body)
        ref_q = quat_mul(ref_body, ref_own) if right else quat_mul(ref_own, ref_body)
        length += dot3(quat_sub(q, ref_q), turn)

    d.actuator_length[o] = length
    offset0, offset1 = (
        sub3(ref_pos, load(d.subtree_com, m.body_rootid[b0], 3)),
        sub3(pos, load(d.subtree_com, m.body_rootid[b1], 3)),
    )
    a, b = last_dof(m, b0), last_dof(m, b1)
    count = 0
    while a != b:
        k = max(a, b)
        axis = load(d.cdof, k, 3)
        sign = 1.0 if b == k else -1.0
        x = dot3(column_difference(d, k, a, offset0, b, offset1), force) + sign * dot3(axis, torque)
        count = append(d, adr, count, k, x)
        a = m.dof_parentid[a] if a == k else a
        b = m.dof_parentid[b] if b == k else b
    return reverse(d, adr, count)


@kernel
def adhesion_moment(m, d, i, o, adr):
    """Handle adhesion: the row is minus the mean of the normal Jacobians of a body's contacts (scratch: work_v1, work_v2)."""
    body = m.actuator_trnid[i, 0]
    d.actuator_length[o] = 0.0
    for k in range(m.nv):
        d.work_v1[k] = 0.0
        d.work_v2[k] = 0.0

    contacts = 0
    for c in range(d.ncon):
        g1, g2 = d.contact_geom[c, 0], d.contact_geom[c, 1]
        if g1 < 0 or g2 < 0 or m.geom_bodyid[g1] != body and m.geom_bodyid[g2] != body:
            continue
        if d.contact_exclude[c] == 0:
            contacts += 1
            add_contact_rows(m, d, c)
        elif d.contact_exclude[c] == IN_GAP:
            contacts += 1
            add_gap_normal(m, d, c, m.geom_bodyid[g1], m.geom_bodyid[g2])

    count = 0
    if contacts:
        for k in range(m.nv):
            count = append(d, adr, count, k, (d.work_v1[k] + d.work_v2[k]) * (-1.0 / contacts))
    return count


@kernel
def add_contact_rows(m, d, c):
    """Add the normal Jacobian of a contact to work_v1: its first constraint row, or the mean over its pyramid's edges."""
    start, rows, weight = d.contact_efc_address[c], 1, 1.0
    if start < 0:
        return
    if d.contact_dim[c] > 1 and m.opt.cone != ELLIPTIC:
        rows, weight = 2 * (d.contact_dim[c] - 1), 0.5 / (d.contact_dim[c] - 1)
    for r in range(start, start + rows):
        if is_sparse(m):
            first = d.efc_J_rowadr[r]
            for a in range(first, first + d.efc_J_rownnz[r]):
                d.work_v1[d.efc_J_colind[a]] += weight * d.efc_J[a]
        else:
            for k in range(m.nv):
                d.work_v1[k] += weight * d.efc_J[r * m.nv + k]


@kernel
def add_gap_normal(m, d, c, b1, b2):
    """Add to work_v2 the normal Jacobian of a contact within the gap, which has no constraint rows."""
    normal, pos = load(d.contact_frame, c, 3), load(d.contact_pos, c, 3)
    offset1 = sub3(pos, load(d.subtree_com, m.body_rootid[b1], 3))
    offset2 = sub3(pos, load(d.subtree_com, m.body_rootid[b2], 3))
    a, b = last_dof(m, b1), last_dof(m, b2)
    while a >= 0 or b >= 0:
        k = max(a, b)
        d.work_v2[k] += dot3(normal, column_difference(d, k, a, offset1, b, offset2))
        a = m.dof_parentid[a] if a == k else a
        b = m.dof_parentid[b] if b == k else b
