"""Forward kinematics: poses of bodies, joints, inertial frames, geoms and sites."""

from math import cos, sin

from ..core.stages import in_lanes, run
from ..machine.jit import inline, kernel, stage
from ..machine.lang import flat, guessed, load, part_at, put_part, store, wide
from ..machine.layout import PACK
from ..math.circular import are_moderate, sines_cosines
from ..math.quat import quat_mat, quat_mul, quat_unit, rotate
from ..math.vec import add3, add_scaled3, mat_vec3, sub3
from ..tables.enums import mjtEnableBit, mjtJoint, mjtSameFrame
from ..tables.stage_rows import stage_id
from .awake import ASLEEP, AWAKE, STATIC

FREE, BALL, SLIDE, HINGE = (int(mjtJoint[n]) for n in ("mjJNT_FREE", "mjJNT_BALL", "mjJNT_SLIDE", "mjJNT_HINGE"))
NONE, BODY, INERTIA, BODYROT, INERTIAROT = (
    int(mjtSameFrame[f"mjSAMEFRAME_{n}"]) for n in ("NONE", "BODY", "INERTIA", "BODYROT", "INERTIAROT")
)
ORIGIN, UNTURNED = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
SLEEP = int(mjtEnableBit.mjENBL_SLEEP)
# From this number on, sines and cosines of a pack of angles take less time than those of single angles.
SEVERAL = 3
WAKE = stage_id("wake_moved")


@stage("vMD", lines=False)
def kinematics(m, d):
    """reads qpos, mocap_pos, mocap_quat; writes xpos, xquat, xmat, xanchor, xaxis, xipos, ximat, geom_xpos, geom_xmat,
    site_xpos, site_xmat.

    With sleep enabled also reads body_awake, writes tree_awake of trees that the user moved, and wakes them.
    """
    body_poses(m, d)
    if m.ntree and (m.opt.enableflags & SLEEP or d.ntree_awake < m.ntree):
        if not run(m, d, WAKE):
            return
    inertial_poses(m, d)
    geom_poses(m, d)
    site_poses(m, d)


@inline
def half_angles(m, d):
    """writes work_turn.

    This is done before the poses, because sines do not depend on each other, whereas a pose waits for that of the parent.
    """
    turn, n, hinges = d.work_turn, m.njnt, 0
    for j in range(n):
        turn[1, j] = 0.0
        if m.jnt_type[j] == HINGE:
            a = m.jnt_qposadr[j]
            turn[1, j] = 0.5 * (d.qpos[a] - m.qpos0[a])
            hinges += 1
    if not in_lanes() and hinges >= SEVERAL and wide():
        for first in range(0, n, PACK):
            if not turn_pack(d, n, first, min(n - first, PACK)):
                turn_each(m, d, first, min(first + PACK, n))
    elif hinges:
        turn_each(m, d, 0, n)


@inline
def turn_each(m, d, first, last):
    """Replace the angles of joints `first` to last - 1 in work_turn by their sines, and write their cosines."""
    for j in range(first, last):
        if m.jnt_type[j] == HINGE:
            half = d.work_turn[1, j]
            d.work_turn[0, j], d.work_turn[1, j] = cos(half), sin(half)


@inline
def turn_pack(d, n, first, count):
    """Do the same for `count` joints from `first` on, of n. Return False if an angle is too large or undefined."""
    turn = flat(d.work_turn)
    x = part_at(turn, n + first, count)
    if not are_moderate(x):
        return False
    s, c = sines_cosines(x)
    put_part(turn, first, count, c)
    put_part(turn, n + first, count, s)
    return True


@inline
def hinge_turn(d, j, axis):
    """Return the rotation of hinge j."""
    c, s = d.work_turn[0, j], d.work_turn[1, j]
    return c, axis[0] * s, axis[1] * s, axis[2] * s


@inline
def joint_motion(m, d, j, pos, quat):
    """Return (position, orientation) of a body after joint j has moved it; write xanchor, xaxis."""
    kind, a = m.jnt_type[j], m.jnt_qposadr[j]
    offset, axis = load(m.jnt_pos, j, 3), load(m.jnt_axis, j, 3)
    world_axis = rotate(quat, axis)
    # Most joints are at the body's origin.
    central = offset == ORIGIN
    anchor = pos if central else add3(rotate(quat, offset), pos)
    store(d.xanchor, j, anchor)
    store(d.xaxis, j, world_axis)
    if kind == SLIDE:
        pos = add_scaled3(pos, world_axis, d.qpos[a] - m.qpos0[a])
    else:
        quat = quat_mul(quat, hinge_turn(d, j, axis) if kind == HINGE else quat_unit(load(d.qpos, a, 4)))
        # The rotation is about the anchor, not about the body's origin.
        if not central:
            pos = sub3(anchor, rotate(quat, offset))
    return pos, quat


@kernel
def body_poses(m, d):
    """writes xpos, xquat, xmat, xanchor, xaxis; sleeping bodies that did not move keep their values (scratch: work_turn)."""
    sleep = (m.opt.enableflags & SLEEP) != 0
    half_angles(m, d)
    store(d.xpos, 0, (0.0, 0.0, 0.0))
    store(d.xquat, 0, (1.0, 0.0, 0.0, 0.0))
    store(d.xmat, 0, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    for b in range(1, m.nbody):
        if sleep and d.body_awake[b] == STATIC:
            continue

        # The pose of a free body is given by its coordinates; other bodies move relative to their parent.
        first, count = m.body_jntadr[b], m.body_jntnum[b]
        if count == 1 and m.jnt_type[first] == FREE:
            a = m.jnt_qposadr[first]
            pos, quat = load(d.qpos, a, 3), quat_unit(load(d.qpos, a + 3, 4))
            store(d.xanchor, first, pos)
            store(d.xaxis, first, load(m.jnt_axis, first, 3))
        else:
            p, mocap = m.body_parentid[b], m.body_mocapid[b]
            pos, quat = load(m.body_pos, b, 3), load(m.body_quat, b, 4)
            if mocap >= 0:
                pos, quat = load(d.mocap_pos, mocap, 3), quat_unit(load(d.mocap_quat, mocap, 4))
            if p:
                pos = add3(mat_vec3(load(d.xmat, p, 9), pos), load(d.xpos, p, 3))
                # Most bodies are not turned against their parents.
                turn = load(d.xquat, p, 4)
                quat = turn if guessed(quat == UNTURNED) else quat_mul(turn, quat)
            for j in range(first, first + count):
                pos, quat = joint_motion(m, d, j, pos, quat)

        quat = quat_unit(quat)
        if sleep and count and d.body_awake[b] == ASLEEP:
            # If a sleeping body moved, the user moved it, so its tree must wake.
            if pos == load(d.xpos, b, 3) and quat == load(d.xquat, b, 4):
                continue
            d.tree_awake[m.body_treeid[b]] = 1
        store(d.xpos, b, pos)
        store(d.xquat, b, quat)
        store(d.xmat, b, quat_mat(quat))


@inline
def place(m, d, b, pos, quat, same):
    """Return the world (position, matrix) of a frame fixed in body b; `same` says which of the body's frames it coincides
    with."""
    p, r = load(d.xpos, b, 3), load(d.xmat, b, 9)
    if same == BODY:
        return p, r
    if same == INERTIA:
        return load(d.xipos, b, 3), load(d.ximat, b, 9)
    world = add3(mat_vec3(r, pos), p)
    if same == BODYROT:
        return world, r
    if same == INERTIAROT:
        return world, load(d.ximat, b, 9)
    return world, quat_mat(quat_mul(load(d.xquat, b, 4), quat))


@kernel
def inertial_poses(m, d):
    """writes xipos, ximat."""
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nbody_awake < m.nbody
    store(d.xipos, 0, (0.0, 0.0, 0.0))
    store(d.ximat, 0, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    for k in range(1, d.nbody_awake if sleep else m.nbody):
        b = d.body_awake_ind[k] if sleep else k
        pos, mat = place(m, d, b, load(m.body_ipos, b, 3), load(m.body_iquat, b, 4), m.body_sameframe[b])
        store(d.xipos, b, pos)
        store(d.ximat, b, mat)


@kernel
def geom_poses(m, d):
    """writes geom_xpos, geom_xmat."""
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nbody_awake < m.nbody
    for g in range(m.ngeom):
        b = m.geom_bodyid[g]
        if sleep and d.body_awake[b] != AWAKE:
            continue
        pos, mat = place(m, d, b, load(m.geom_pos, g, 3), load(m.geom_quat, g, 4), m.geom_sameframe[g])
        store(d.geom_xpos, g, pos)
        store(d.geom_xmat, g, mat)


@kernel
def site_poses(m, d):
    """writes site_xpos, site_xmat."""
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nbody_awake < m.nbody
    for s in range(m.nsite):
        b = m.site_bodyid[s]
        if sleep and d.body_awake[b] != AWAKE:
            continue
        pos, mat = place(m, d, b, load(m.site_pos, s, 3), load(m.site_quat, s, 4), m.site_sameframe[s])
        store(d.site_xpos, s, pos)
        store(d.site_xmat, s, mat)
