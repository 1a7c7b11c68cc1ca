"""Poses, velocities and accelerations of bodies, geoms, sites and cameras; forces of contacts. Public functions are stages."""

from ..machine.jit import inline, kernel, stage
from ..machine.lang import array_at, load, store
from ..math.quat import quat_mul
from ..math.spatial import add_scaled6
from ..math.vec import add3, cross3, mat_t_vec3, sub3
from ..tables.compat_rows import ADHESION, bit
from ..tables.enums import mjtCone, mjtObj
from .adhesion import contact_adhesion

BODY, XBODY, GEOM, SITE, CAMERA = (int(mjtObj[f"mjOBJ_{n}"]) for n in ("BODY", "XBODY", "GEOM", "SITE", "CAMERA"))
STILL = bit("still_rate")
PYRAMIDAL = int(mjtCone.mjCONE_PYRAMIDAL)


@inline
def object_body(m, kind, i):
    """Return the body that carries an object."""
    if kind == GEOM:
        return m.geom_bodyid[i]
    if kind == SITE:
        return m.site_bodyid[i]
    if kind == CAMERA:
        return m.cam_bodyid[i]
    return i


@kernel
def object_pose(d, kind, i):
    """Return (position, rotation matrix) of an object: BODY is the inertial frame, XBODY the body frame."""
    if kind == BODY:
        return load(d.xipos, i, 3), load(d.ximat, i, 9)
    if kind == GEOM:
        return load(d.geom_xpos, i, 3), load(d.geom_xmat, i, 9)
    if kind == SITE:
        return load(d.site_xpos, i, 3), load(d.site_xmat, i, 9)
    if kind == CAMERA:
        return load(d.cam_xpos, i, 3), load(d.cam_xmat, i, 9)
    return load(d.xpos, i, 3), load(d.xmat, i, 9)


@inline
def head3(v):
    return v[0], v[1], v[2]


@inline
def tail3(v):
    return v[3], v[4], v[5]


@inline
def join6(a, b):
    return a[0], a[1], a[2], b[0], b[1], b[2]


@inline
def weld_frames(m, d, e, b1, b2):
    """Return the quaternions of the first and second frame that weld e holds parallel."""
    q1, q2 = load(d.xquat, b1, 4), load(d.xquat, b2, 4)
    if m.eq_objtype[e] == BODY:
        return quat_mul(q1, (m.eq_data[e, 6], m.eq_data[e, 7], m.eq_data[e, 8], m.eq_data[e, 9])), q2
    return quat_mul(q1, load(m.site_quat, m.eq_obj1id[e], 4)), quat_mul(q2, load(m.site_quat, m.eq_obj2id[e], 4))


@inline
def shift_motion(v, shift):
    """Shift the reference point of a motion vector by `shift`."""
    return join6(head3(v), sub3(tail3(v), cross3(shift, head3(v))))


@inline
def shift_force(f, shift):
    """Shift the reference point of a force vector (torque, force) by `shift`."""
    return join6(sub3(head3(f), cross3(shift, tail3(f))), tail3(f))


@inline
def into_frame(mat, v):
    """Rotate a 6-vector from the world's axes to the axes of a frame."""
    return join6(mat_t_vec3(mat, head3(v)), mat_t_vec3(mat, tail3(v)))


@inline
def out_of_com(m, d, x, b, point):
    """Return row b of cvel or cacc, moved to a world point; zero for bodies that are welded to the world."""
    if m.body_weldid[b] == 0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    return shift_motion(load(x, b, 6), sub3(point, load(d.subtree_com, m.body_rootid[b], 3)))


@inline
def point_velocity(m, d, b, point):
    """Return the linear velocity of a world point of body b."""
    return tail3(out_of_com(m, d, d.cvel, b, point))


@inline
def object_motion(m, d, b, point, mat, local):
    """Return the 6D velocity (angular, linear) of an object, along the world's axes or the object's."""
    v = out_of_com(m, d, d.cvel, b, point)
    return into_frame(mat, v) if local else v


@inline
def object_rate(m, d, b, point, mat, local):
    """Return the 6D acceleration (angular, linear) of an object. It includes gravity as an acceleration of the world."""
    v, a = out_of_com(m, d, d.cvel, b, point), out_of_com(m, d, d.cacc, b, point)
    if m.body_weldid[b] == 0 and m.compat_bits & STILL:
        # The acceleration of a static body includes gravity, like that of any other body at rest.
        a = load(d.cacc, 0, 6)
    if local:
        v, a = into_frame(mat, v), into_frame(mat, a)
    return join6(head3(a), add3(tail3(a), cross3(head3(v), tail3(v))))


@kernel
def add_external(m, d, b, point, force, sign):
    """Add sign * (torque, force), which acts at a world point, to cfrc_ext of body b."""
    shift = sub3(load(d.subtree_com, m.body_rootid[b], 3), point)
    store(d.cfrc_ext, b, add_scaled6(load(d.cfrc_ext, b, 6), shift_force(force, shift), sign))


@kernel
def contact_wrench(m, d, k):
    """Return the force and torque of contact k in its frame (normal first), minus its adhesion; zeros if it has no constraint
    rows."""
    if m.features & ADHESION == 0 or d.contact_efc_address[k] < 0:
        return row_wrench(m, d, k)
    f = row_wrench(m, d, k)
    return f[0] - contact_adhesion(m, d, k), f[1], f[2], f[3], f[4], f[5]


@kernel
def row_wrench(m, d, k):
    """Return the force and torque that the constraint rows of contact k exert in its frame; zeros if it has none."""
    a = d.contact_efc_address[k]
    zero = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if a < 0:
        return zero
    dim, f = d.contact_dim[k], d.efc_force

    if m.opt.cone != PYRAMIDAL or dim == 1:
        if dim == 1:
            return f[a], 0.0, 0.0, 0.0, 0.0, 0.0
        if dim == 3:
            return f[a], f[a + 1], f[a + 2], 0.0, 0.0, 0.0
        if dim == 4:
            return f[a], f[a + 1], f[a + 2], f[a + 3], 0.0, 0.0
        return load(f, a, 6)

    # A pyramid has two edges per friction direction: their sum is the normal force, their difference the friction.
    normal = f[a] + f[a + 1] + f[a + 2] + f[a + 3]
    x, y = (f[a] - f[a + 1]) * d.contact_friction[k, 0], (f[a + 2] - f[a + 3]) * d.contact_friction[k, 1]
    if dim == 3:
        return normal, x, y, 0.0, 0.0, 0.0
    normal = normal + f[a + 4] + f[a + 5]
    spin = (f[a + 4] - f[a + 5]) * d.contact_friction[k, 2]
    if dim == 4:
        return normal, x, y, spin, 0.0, 0.0
    normal = normal + f[a + 6] + f[a + 7] + f[a + 8] + f[a + 9]
    return (
        normal,
        x,
        y,
        spin,
        (f[a + 6] - f[a + 7]) * d.contact_friction[k, 3],
        (f[a + 8] - f[a + 9]) * d.contact_friction[k, 4],
    )


@stage("vMDiiii")
def object_velocity(m, d, kind, i, result, local):
    """reads cvel, poses; writes 6 numbers (angular, linear velocity) at address `result`."""
    pos, mat = object_pose(d, kind, i)
    store(array_at(result, 6), 0, object_motion(m, d, object_body(m, kind, i), pos, mat, local != 0))


@stage("vMDiiii")
def object_acceleration(m, d, kind, i, result, local):
    """reads cvel, cacc, poses; writes 6 numbers (angular, linear acceleration) at address `result`."""
    pos, mat = object_pose(d, kind, i)
    store(array_at(result, 6), 0, object_rate(m, d, object_body(m, kind, i), pos, mat, local != 0))


@stage("vMDii")
def contact_force(m, d, k, result):
    """reads efc_force, contact_*; writes 6 numbers (force, torque in the contact's frame) at address `result`."""
    store(array_at(result, 6), 0, contact_wrench(m, d, k) if 0 <= k < d.ncon else (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
