"""Velocity sensors."""

from ..dynamics.objects import head3, object_body, object_motion, object_pose, tail3
from ..machine.jit import kernel, stage
from ..machine.lang import load, store
from ..math.vec import add3, cross3, mat_t_vec3, sub3
from .catalog import types
from .common import VEL, clear_sensor, drive_numbers, finish, limit_row, measure, ready, skipped, switched_off
from .position import JOINT_LIMIT, TENDON_LIMIT

VELOCIMETER, GYRO, JOINT_VEL, TENDON_VEL, ACTUATOR_VEL = types("velocimeter gyro jointvel tendonvel actuatorvel")
BALL_VEL, JOINT_LIMIT_VEL, TENDON_LIMIT_VEL, FRAME_LIN, FRAME_ANG = types(
    "ballangvel jointlimitvel tendonlimitvel framelinvel frameangvel"
)
SUBTREE_LIN, SUBTREE_ANG, USER = types("subtreelinvel subtreeangmom user")


@stage
def sensor_vel(m, d):
    """reads velocities, cvel, efc_vel; writes sensordata of velocity sensors; runs the stages that they need."""
    if switched_off(m):
        return
    users, complete = False, 0

    for i in range(m.nsensor):
        if skipped(m, d, i, VEL):
            continue
        kind, obj, adr = m.sensor_type[i], m.sensor_objid[i], m.sensor_adr[i]
        complete = ready(m, d, kind, VEL, complete)
        if complete < 0:
            return

        # Sensor types that are missing here have separate stages.
        if kind == JOINT_VEL:
            d.sensordata[adr] = d.qvel[m.jnt_dofadr[obj]]
        elif kind == GYRO or kind == VELOCIMETER:
            pos, mat = load(d.site_xpos, obj, 3), load(d.site_xmat, obj, 9)
            v = object_motion(m, d, m.site_bodyid[obj], pos, mat, True)
            store(d.sensordata, adr, head3(v) if kind == GYRO else tail3(v))
        elif kind == FRAME_LIN or kind == FRAME_ANG:
            frame_velocity(m, d, i)
        elif kind == TENDON_VEL:
            d.sensordata[adr] = d.ten_velocity[obj]
        elif kind == ACTUATOR_VEL:
            drive_numbers(m, d, i, d.actuator_velocity)
        elif kind == BALL_VEL:
            store(d.sensordata, adr, load(d.qvel, m.jnt_dofadr[obj], 3))
        elif kind == SUBTREE_LIN:
            store(d.sensordata, adr, load(d.subtree_linvel, obj, 3))
        elif kind == SUBTREE_ANG:
            store(d.sensordata, adr, load(d.subtree_angmom, obj, 3))
        elif kind == JOINT_LIMIT_VEL or kind == TENDON_LIMIT_VEL:
            r = limit_row(d, JOINT_LIMIT if kind == JOINT_LIMIT_VEL else TENDON_LIMIT, obj)
            d.sensordata[adr] = d.efc_vel[r] if r >= 0 else 0.0
        elif kind == USER:
            clear_sensor(m, d, i)
            users = True
        elif not measure(m, d, i):
            return
    finish(m, d, VEL, users)


@kernel
def frame_velocity(m, d, i):
    """Return the linear or angular velocity of an object, in the world or as seen from a moving reference frame."""
    kind, ref_kind, ref = m.sensor_objtype[i], m.sensor_reftype[i], m.sensor_refid[i]
    pos, mat = object_pose(d, kind, m.sensor_objid[i])
    v = object_motion(m, d, object_body(m, kind, m.sensor_objid[i]), pos, mat, False)
    w, v = head3(v), tail3(v)
    if ref >= 0:
        ref_pos, mat = object_pose(d, ref_kind, ref)
        u = object_motion(m, d, object_body(m, ref_kind, ref), ref_pos, mat, False)
        v = mat_t_vec3(mat, add3(sub3(v, tail3(u)), cross3(sub3(pos, ref_pos), head3(u))))
        w = mat_t_vec3(mat, sub3(w, head3(u)))
    store(d.sensordata, m.sensor_adr[i], v if m.sensor_type[i] == FRAME_LIN else w)
