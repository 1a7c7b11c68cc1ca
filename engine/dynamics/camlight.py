"""Poses of cameras and lights, by mode: fixed to a body, tracking it, or aimed at another."""

from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, store
from ..math.quat import quat_mat, quat_mul, rotate
from ..math.vec import add3, cross3, mat_vec3, sub3, unit3
from ..tables.enums import mjtCamLight
from .awake import AWAKE
from .kinematics import SLEEP

FIXED, TRACK, TRACKCOM, TARGETBODY, TARGETBODYCOM = (
    int(mjtCamLight[f"mjCAMLIGHT_{n}"]) for n in ("FIXED", "TRACK", "TRACKCOM", "TARGETBODY", "TARGETBODYCOM")
)


@stage
def camlight(m, d):
    """reads xpos, xquat, xmat, subtree_com; writes cam_xpos, cam_xmat, light_xpos, light_xdir."""
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nbody_awake < m.nbody
    cameras(m, d, sleep)
    lights(m, d, sleep)


@inline
def resting(d, body, target, sleep):
    """Return whether the body of a camera or light, and its target body if there is one, are certain not to have moved."""
    return sleep and d.body_awake[body] != AWAKE and (target < 0 or d.body_awake[target] != AWAKE)


@inline
def looking(pos, point):
    """Return the matrix (columns x, y, z) of a camera at pos that looks along -z at a point, with x horizontal."""
    z, _ = unit3(sub3(pos, point))
    x, _ = unit3(cross3((0.0, 0.0, 1.0), z))
    y, _ = unit3(cross3(z, x))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@kernel
def cameras(m, d, sleep):
    """writes cam_xpos, cam_xmat."""
    for i in range(m.ncam):
        b, target, mode = m.cam_bodyid[i], m.cam_targetbodyid[i], m.cam_mode[i]
        if resting(d, b, target, sleep):
            continue
        pos = add3(mat_vec3(load(d.xmat, b, 9), load(m.cam_pos, i, 3)), load(d.xpos, b, 3))
        mat = quat_mat(quat_mul(load(d.xquat, b, 4), load(m.cam_quat, i, 4)))
        if mode == TRACK:
            pos, mat = add3(load(d.xpos, b, 3), load(m.cam_pos0, i, 3)), load(m.cam_mat0, i, 9)
        elif mode == TRACKCOM:
            pos, mat = add3(load(d.subtree_com, b, 3), load(m.cam_poscom0, i, 3)), load(m.cam_mat0, i, 9)
        elif mode == TARGETBODY and target >= 0:
            mat = looking(pos, load(d.xpos, target, 3))
        elif mode == TARGETBODYCOM and target >= 0:
            mat = looking(pos, load(d.subtree_com, target, 3))
        store(d.cam_xpos, i, pos)
        store(d.cam_xmat, i, mat)


@kernel
def lights(m, d, sleep):
    """writes light_xpos, light_xdir."""
    for i in range(m.nlight):
        b, target, mode = m.light_bodyid[i], m.light_targetbodyid[i], m.light_mode[i]
        if resting(d, b, target, sleep):
            continue
        pos = add3(mat_vec3(load(d.xmat, b, 9), load(m.light_pos, i, 3)), load(d.xpos, b, 3))
        direction = rotate(load(d.xquat, b, 4), load(m.light_dir, i, 3))
        if mode == TRACK:
            pos, direction = add3(load(d.xpos, b, 3), load(m.light_pos0, i, 3)), load(m.light_dir0, i, 3)
        elif mode == TRACKCOM:
            pos, direction = add3(load(d.subtree_com, b, 3), load(m.light_poscom0, i, 3)), load(m.light_dir0, i, 3)
        elif mode == TARGETBODY and target >= 0:
            direction = sub3(load(d.xpos, target, 3), pos)
        elif mode == TARGETBODYCOM and target >= 0:
            direction = sub3(load(d.subtree_com, target, 3), pos)
        store(d.light_xpos, i, pos)
        store(d.light_xdir, i, unit3(direction)[0])
