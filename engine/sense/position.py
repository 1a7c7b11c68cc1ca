"""Sensors of positions. Kinds that few models have are stages of their own, compiled when a model has one."""
from math import tan

import numpy as np

from ..core.consts import mjMINVAL, mjPI
from ..core.enums import mjtConstraint
from ..core.jit import inline, kernel, stage
from ..core.lang import load, store
from ..core.stages import run, stage_id
from ..dynamics.objects import BODY, CAMERA, GEOM, SITE, object_body, object_pose
from ..math.quat import quat_conj, quat_mul, quat_unit
from ..math.vec import column3, mat_t_vec3, sub3
from .catalog import types
from .common import POS, clear_sensor, finish, limit_row, skipped, switched_off
from .zones import inside

JOINT_LIMIT, TENDON_LIMIT = int(mjtConstraint.mjCNSTR_LIMIT_JOINT), int(mjtConstraint.mjCNSTR_LIMIT_TENDON)
JOINT_POS, TENDON_POS, ACTUATOR_POS, JOINT_LIMIT_POS, TENDON_LIMIT_POS = types("jointpos tendonpos actuatorpos jointlimitpos tendonlimitpos")
FRAME_POS, FRAME_QUAT, FRAME_X, FRAME_Z = types("framepos framequat framexaxis framezaxis")
BALL_QUAT, SUBTREE_COM, MAGNETOMETER, CLOCK = types("ballquat subtreecom magnetometer clock")
E_POTENTIAL, E_KINETIC, RANGEFINDER, DISTANCE, FROMTO = types("e_potential e_kinetic rangefinder distance fromto")
CAM_PROJECTION, INSIDE_SITE, USER = types("camprojection insidesite user")
ENERGY_POS, ENERGY_VEL, RARE, RANGE, DISTANCES = (
    stage_id(n) for n in ("energy_pos", "energy_vel", "sensor_rare", "sensor_range", "sensor_distance"))


@stage
def sensor_pos(m, d):
    """reads positions and poses, efc_pos, ten_length, actuator_length; writes sensordata of position sensors, energy if it is sensed."""
    if switched_off(m):
        return
    rare = ranges = distances = users = False
    for i in range(m.nsensor):
        if skipped(m, d, i, POS):
            continue
        kind, obj, adr = m.sensor_type[i], m.sensor_objid[i], m.sensor_adr[i]
        if kind == JOINT_POS:
            d.sensordata[adr] = d.qpos[m.jnt_qposadr[obj]]
        elif FRAME_POS <= kind <= FRAME_Z:
            frame_sensor(m, d, i)
        elif kind == TENDON_POS:
            d.sensordata[adr] = d.ten_length[obj]
        elif kind == ACTUATOR_POS:
            d.sensordata[adr] = d.actuator_length[obj]
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
            if not run(m, d, ENERGY_POS):
                return
            d.sensordata[adr] = d.energy[0]
        elif kind == E_KINETIC:
            if not run(m, d, ENERGY_VEL):
                return
            d.sensordata[adr] = d.energy[1]
        elif kind == USER:
            clear_sensor(m, d, i)
            users = True
        elif kind == RANGEFINDER:
            ranges = True
        elif DISTANCE <= kind <= FROMTO:
            distances = True
        else:
            rare = True
    if rare and not run(m, d, RARE) or ranges and not run(m, d, RANGE) or distances and not run(m, d, DISTANCES):
        return
    finish(m, d, POS, users)


@kernel
def frame_sensor(m, d, i):
    """Position, orientation or an axis of an object's frame, in the world or in a reference frame."""
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
    """World orientation of an object, composed from its body's."""
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


@stage
def sensor_rare(m, d):
    """reads poses; writes sensordata of camera projections and of inside-site sensors, without cutoff."""
    for i in range(m.nsensor):
        if skipped(m, d, i, POS):
            continue
        ref, adr = m.sensor_refid[i], m.sensor_adr[i]
        if m.sensor_type[i] == CAM_PROJECTION:
            store(d.sensordata, adr, pixel(m, d, ref, load(d.site_xpos, m.sensor_objid[i], 3)))
        elif m.sensor_type[i] == INSIDE_SITE:
            point, _ = object_pose(d, m.sensor_objtype[i], m.sensor_objid[i])
            hit = inside(load(d.site_xpos, ref, 3), load(d.site_xmat, ref, 9), load(m.site_size, ref, 3), m.site_type[ref], point)
            d.sensordata[adr] = 1.0 if hit else 0.0


@inline
def pixel(m, d, cam, point):
    """Image coordinates of a world point, in pixels from the upper left corner; the camera looks along its -z axis."""
    x, y, z = mat_t_vec3(load(d.cam_xmat, cam, 9), sub3(point, load(d.cam_xpos, cam, 3)))
    width, height = m.cam_resolution[cam, 0], m.cam_resolution[cam, 1]
    sensor = load(m.cam_sensorsize, cam, 2)
    if sensor[0] != 0 and sensor[1] != 0:
        # in single precision, like the fields themselves
        fx = float(m.cam_intrinsic[cam, 0] / sensor[0] * np.float32(width))
        fy = float(m.cam_intrinsic[cam, 1] / sensor[1] * np.float32(height))
    else:
        fx = fy = 0.5 / tan(m.cam_fovy[cam] * mjPI / 360.0) * height
    depth = z
    if abs(z) < mjMINVAL:
        depth = -mjMINVAL if z < 0 else mjMINVAL
    return (-fx * x + width / 2.0 * z) / depth, (fy * y + height / 2.0 * z) / depth
