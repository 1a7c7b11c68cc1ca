"""Position sensors. Rarely used types have separate stages, which are compiled when a model uses them."""

from ..dynamics.objects import BODY, CAMERA, GEOM, SITE, object_body, object_pose
from ..machine.jit import kernel, stage
from ..machine.lang import load, store
from ..math.quat import quat_conj, quat_mul, quat_unit
from ..math.vec import column3, mat_t_vec3, sub3
from ..tables.enums import mjtConstraint
from .catalog import types
from .common import POS, clear_sensor, drive_numbers, finish, limit_row, measure, ready, skipped, switched_off

JOINT_LIMIT, TENDON_LIMIT = int(mjtConstraint.mjCNSTR_LIMIT_JOINT), int(mjtConstraint.mjCNSTR_LIMIT_TENDON)
JOINT_POS, TENDON_POS, ACTUATOR_POS, JOINT_LIMIT_POS, TENDON_LIMIT_POS = types(
    "jointpos tendonpos actuatorpos jointlimitpos tendonlimitpos"
)
FRAME_POS, FRAME_QUAT, FRAME_X, FRAME_Z = types("framepos framequat framexaxis framezaxis")
BALL_QUAT, SUBTREE_COM, MAGNETOMETER, CLOCK = types("ballquat subtreecom magnetometer clock")
E_POTENTIAL, E_KINETIC, USER = types("e_potential e_kinetic user")


@stage
def sensor_pos(m, d):
    """reads positions and poses, efc_pos, ten_length, actuator_length; writes sensordata of position sensors; runs the stages
    that they need.
    """
    if switched_off(m):
        return

    users, complete = False, 0
    for i in range(m.nsensor):
        if skipped(m, d, i, POS):
            continue
        kind, obj, adr = m.sensor_type[i], m.sensor_objid[i], m.sensor_adr[i]
        complete = ready(m, d, kind, POS, complete)
        if complete < 0:
            return

        # Sensor types that are missing here have separate stages.
        if kind == JOINT_POS:
            d.sensordata[adr] = d.qpos[m.jnt_qposadr[obj]]
        elif FRAME_POS <= kind <= FRAME_Z:
            frame_sensor(m, d, i)
        elif kind == TENDON_POS:
            d.sensordata[adr] = d.ten_length[obj]
        elif kind == ACTUATOR_POS:
            drive_numbers(m, d, i, d.actuator_length)
        elif kind == SUBTREE_COM:
            store(d.sensordata, adr, load(d.subtree_com, obj, 3))
        elif kind == BALL_QUAT:
            store(d.sensordata, adr, quat_unit(load(d.qpos, m.jnt_qposadr[obj], 4)))
        elif kind == MAGNETOMETER:
            store(d.sensordata, adr, mat_t_vec3(load(d.site_xmat, obj, 9), load(m.opt.magnetic, 0, 3)))
        elif kind == JOINT_LIMIT_POS or kind == TENDON_LIMIT_POS:
            r = limit_row(d, JOINT_LIMIT if kind == JOINT_LIMIT_POS else TENDON_LIMIT, obj)
            d.sensordata[adr] = d.efc_pos[r] - d.efc_margin[r] if r >= 0 else 0.0
        elif kind == CLOCK:
            d.sensordata[adr] = d.time
        elif kind == E_POTENTIAL:
            d.sensordata[adr] = d.energy[0]
        elif kind == E_KINETIC:
            d.sensordata[adr] = d.energy[1]
        elif kind == USER:
            clear_sensor(m, d, i)
            users = True
        elif not measure(m, d, i):
            return
    finish(m, d, POS, users)


@kernel
def frame_sensor(m, d, i):
    """Write the position, orientation or an axis of an object's frame, in the world or in a reference frame."""
    kind, adr = m.sensor_type[i], m.sensor_adr[i]
    obj, ref = m.sensor_objid[i], m.sensor_refid[i]
    if kind == FRAME_QUAT:
        q = object_quat(m, d, m.sensor_objtype[i], obj)
        if ref >= 0:
            q = quat_mul(quat_conj(object_quat(m, d, m.sensor_reftype[i], ref)), q)
        store(d.sensordata, adr, q)
        return
    x, mat = object_pose(d, m.sensor_objtype[i], obj)
    if kind != FRAME_POS:
        x = column3(mat, kind - FRAME_X)
    if ref >= 0:
        pos, mat = object_pose(d, m.sensor_reftype[i], ref)
        x = mat_t_vec3(mat, sub3(x, pos) if kind == FRAME_POS else x)
    store(d.sensordata, adr, x)


@kernel
def object_quat(m, d, kind, i):
    """Return the world orientation of an object, computed from the orientation of its body."""
    q = load(d.xquat, object_body(m, kind, i), 4)
    if kind == BODY:
        return quat_mul(q, load(m.body_iquat, i, 4))
    if kind == GEOM:
        return quat_mul(q, load(m.geom_quat, i, 4))
    if kind == SITE:
        return quat_mul(q, load(m.site_quat, i, 4))
    if kind == CAMERA:
        return quat_mul(q, load(m.cam_quat, i, 4))
    return q
