"""Acceleration and force sensors."""

from ..dynamics.objects import head3, into_frame, object_body, object_pose, object_rate, shift_force, tail3
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, store
from ..math.vec import sub3
from ..tables.enums import mjtTrn
from .catalog import types
from .common import ACC, clear_sensor, drive_numbers, finish, limit_row, measure, ready, skipped, switched_off
from .position import JOINT_LIMIT, TENDON_LIMIT

TRN_TENDON = int(mjtTrn.mjTRN_TENDON)
ACCELEROMETER, FORCE, TORQUE, FRAME_LIN, FRAME_ANG = types("accelerometer force torque framelinacc frameangacc")
ACTUATOR, JOINT_ACT, TENDON_ACT, JOINT_LIMIT_FRC, TENDON_LIMIT_FRC = types(
    "actuatorfrc jointactuatorfrc tendonactuatorfrc jointlimitfrc tendonlimitfrc"
)
(USER,) = types("user")


@stage
def sensor_acc(m, d):
    """reads accelerations, forces, contacts; writes sensordata of acceleration sensors; runs the stages that they need."""
    if switched_off(m):
        return

    users, complete = False, 0
    for i in range(m.nsensor):
        if skipped(m, d, i, ACC):
            continue
        kind, obj, adr = m.sensor_type[i], m.sensor_objid[i], m.sensor_adr[i]
        complete = ready(m, d, kind, ACC, complete)
        if complete < 0:
            return

        # Sensor types that are missing here have separate stages.
        if kind == ACTUATOR:
            drive_numbers(m, d, i, d.actuator_force)
        elif kind == JOINT_ACT:
            d.sensordata[adr] = d.qfrc_actuator[m.jnt_dofadr[obj]]
        elif kind == TENDON_ACT:
            d.sensordata[adr] = tendon_pull(m, d, obj)
        elif kind == JOINT_LIMIT_FRC or kind == TENDON_LIMIT_FRC:
            r = limit_row(d, JOINT_LIMIT if kind == JOINT_LIMIT_FRC else TENDON_LIMIT, obj)
            d.sensordata[adr] = d.efc_force[r] if r >= 0 else 0.0
        elif kind == USER:
            clear_sensor(m, d, i)
            users = True
        elif kind == ACCELEROMETER or FORCE <= kind <= TORQUE or FRAME_LIN <= kind <= FRAME_ANG:
            body_sensor(m, d, i)
        elif not measure(m, d, i):
            return
    finish(m, d, ACC, users)


@inline
def tendon_pull(m, d, t):
    """Return the total force of the actuators on a tendon."""
    force = 0.0
    for i in range(m.nactuator):
        if m.actuator_trntype[i] == TRN_TENDON and m.actuator_trnid[i, 0] == t:
            force += d.actuator_force[m.actuator_outadr[i]]
    return force


@kernel
def body_sensor(m, d, i):
    """Write the acceleration of a frame, or the force or torque between a site's body and its parent."""
    kind, objtype, obj = m.sensor_type[i], m.sensor_objtype[i], m.sensor_objid[i]
    pos, mat = object_pose(d, objtype, obj)
    b = object_body(m, objtype, obj)
    if kind == FORCE or kind == TORQUE:
        shift = sub3(pos, load(d.subtree_com, m.body_rootid[b], 3))
        f = into_frame(mat, shift_force(load(d.cfrc_int, b, 6), shift))
        store(d.sensordata, m.sensor_adr[i], tail3(f) if kind == FORCE else head3(f))
        return
    a = object_rate(m, d, b, pos, mat, kind == ACCELEROMETER)
    store(d.sensordata, m.sensor_adr[i], head3(a) if kind == FRAME_ANG else tail3(a))
