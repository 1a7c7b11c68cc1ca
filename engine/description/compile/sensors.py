"""Sensors: the objects they refer to, their data type, stage and dimension, one row a type.

adds   sensor: objid refid
"""

import numpy as np

from ...core.enums import mjtDataType, mjtSensor, mjtStage
from ..elements.elements import compile_error
from ..language.kinds import KIND_OF
from ..language.types import (
    BALL,
    HFIELD,
    OBJ_ACTUATOR,
    OBJ_BODY,
    OBJ_CAMERA,
    OBJ_GEOM,
    OBJ_JOINT,
    OBJ_MESH,
    OBJ_SITE,
    OBJ_TENDON,
    OBJ_UNKNOWN,
    OBJ_XBODY,
    SLIDE,
    SPATIAL,
    numbers,
)
from .plugins import sensor_plugin

REAL, POSITIVE, AXIS, QUAT = numbers(mjtDataType, "REAL", "POSITIVE", "AXIS", "QUATERNION")
POS, VEL, ACC = numbers(mjtStage, "POS", "VEL", "ACC")
NCONDATA = 7
# words of data in a contact sensor, by bit: found force torque dist pos normal tangent
CONTACT_SIZES = (1, 3, 3, 1, 3, 3, 3)

# sensor type: (object types allowed, data type, stage, dimension); dimension 0 is computed
ROWS = {
    "TOUCH": (OBJ_SITE, POSITIVE, ACC, 1), "ACCELEROMETER": (OBJ_SITE, REAL, ACC, 3), "VELOCIMETER": (OBJ_SITE, REAL, VEL, 3),
    "GYRO": (OBJ_SITE, REAL, VEL, 3), "FORCE": (OBJ_SITE, REAL, ACC, 3), "TORQUE": (OBJ_SITE, REAL, ACC, 3),
    "MAGNETOMETER": (OBJ_SITE, REAL, POS, 3), "RANGEFINDER": (OBJ_SITE, POSITIVE, POS, 1), "CAMPROJECTION": (OBJ_SITE, REAL, POS, 2),
    "JOINTPOS": (OBJ_JOINT, REAL, POS, 1), "JOINTVEL": (OBJ_JOINT, REAL, VEL, 1), "TENDONPOS": (OBJ_TENDON, REAL, POS, 1),
    "TENDONVEL": (OBJ_TENDON, REAL, VEL, 1), "ACTUATORPOS": (OBJ_ACTUATOR, REAL, POS, 1), "ACTUATORVEL": (OBJ_ACTUATOR, REAL, VEL, 1),
    "ACTUATORFRC": (OBJ_ACTUATOR, REAL, ACC, 1), "JOINTACTFRC": (OBJ_JOINT, REAL, ACC, 1), "TENDONACTFRC": (OBJ_TENDON, REAL, ACC, 1),
    "BALLQUAT": (OBJ_JOINT, QUAT, POS, 4), "BALLANGVEL": (OBJ_JOINT, REAL, VEL, 3), "JOINTLIMITPOS": (OBJ_JOINT, REAL, POS, 1),
    "JOINTLIMITVEL": (OBJ_JOINT, REAL, VEL, 1), "JOINTLIMITFRC": (OBJ_JOINT, REAL, ACC, 1), "TENDONLIMITPOS": (OBJ_TENDON, REAL, POS, 1),
    "TENDONLIMITVEL": (OBJ_TENDON, REAL, VEL, 1), "TENDONLIMITFRC": (OBJ_TENDON, REAL, ACC, 1), "FRAMEPOS": (SPATIAL, REAL, POS, 3),
    "FRAMEQUAT": (SPATIAL, QUAT, POS, 4), "FRAMEXAXIS": (SPATIAL, AXIS, POS, 3), "FRAMEYAXIS": (SPATIAL, AXIS, POS, 3),
    "FRAMEZAXIS": (SPATIAL, AXIS, POS, 3), "FRAMELINVEL": (SPATIAL, REAL, VEL, 3), "FRAMEANGVEL": (SPATIAL, REAL, VEL, 3),
    "FRAMELINACC": (SPATIAL, REAL, ACC, 3), "FRAMEANGACC": (SPATIAL, REAL, ACC, 3), "SUBTREECOM": (OBJ_BODY, REAL, POS, 3),
    "SUBTREELINVEL": (OBJ_BODY, REAL, VEL, 3), "SUBTREEANGMOM": (OBJ_BODY, REAL, VEL, 3), "INSIDESITE": (SPATIAL, POSITIVE, POS, 1),
    "GEOMDIST": ((OBJ_BODY, OBJ_GEOM), REAL, POS, 1), "GEOMNORMAL": ((OBJ_BODY, OBJ_GEOM), AXIS, POS, 3),
    "GEOMFROMTO": ((OBJ_BODY, OBJ_GEOM), REAL, POS, 6), "CONTACT": (None, REAL, ACC, 0),
    "E_POTENTIAL": (None, REAL, POS, 1), "E_KINETIC": (None, REAL, POS, 1), "CLOCK": (None, REAL, POS, 1),
    "TACTILE": (OBJ_MESH, REAL, ACC, 0), "PLUGIN": (None, REAL, 0, 0), "USER": (None, REAL, 0, 0),
}
WITHOUT_OBJECT = ("E_POTENTIAL", "E_KINETIC", "CLOCK", "PLUGIN", "CONTACT", "USER")
_NAMES = {}


def type_names():
    """Type number → name without its prefix."""
    if not _NAMES:
        _NAMES.update((int(v), v.name[7:]) for v in mjtSensor if v.name.startswith("mjSENS_"))
    return _NAMES


def sensors(c):
    """Ids, data types, stages and dimensions of all sensors."""
    s = c.sensor
    s.objid, s.refid = np.full(s.n, -1), np.full(s.n, -1)
    names = type_names()
    for i, e in enumerate(s.elems):
        if s.noise[i] < 0 or s.cutoff[i] < 0:
            raise compile_error(e, "noise and cutoff cannot be negative")
        name = names.get(int(s.type[i]))
        if name not in ROWS:
            raise compile_error(e, "unknown sensor type")
        _resolve(c, s, i, e, name)
        allowed, datatype, stage, dim = ROWS[name]
        if name != "USER":
            s.datatype[i] = datatype
            if name != "PLUGIN":
                s.needstage[i] = stage
        _check_object(s, i, e, name, allowed)
        check = _CHECKS.get(name)
        if check:
            check(c, s, i, e)
        if dim:
            s.dim[i] = dim
        if s.cutoff[i] > 0 and (s.datatype[i] == QUAT or (s.datatype[i] == AXIS and name != "GEOMNORMAL")):
            raise compile_error(e, "cutoff cannot be applied to an axis or a quaternion")


def _resolve(c, s, i, e, name):
    objtype, reftype = int(s.objtype[i]), int(s.reftype[i])
    if objtype:
        if not s.objname[i]:
            raise compile_error(e, "the name of the sensorized object is missing")
        s.objid[i] = c.need_type(objtype, s.objname[i], e, "sensorized object")
    elif name not in WITHOUT_OBJECT:
        raise compile_error(e, "the type of the sensorized object is not known", s.objname[i])
    if reftype:
        if not s.refname[i]:
            raise compile_error(e, "the name of the reference object is missing")
        s.refid[i] = c.need_type(reftype, s.refname[i], e, "reference")
        if reftype not in SPATIAL:
            raise compile_error(e, "the reference must be a body, xbody, geom, site or camera")
    for kind, k in ((objtype, s.objid[i]), (reftype, s.refid[i])):
        if kind == OBJ_GEOM:
            c.geom.visual[k] = False
        elif kind == OBJ_MESH:
            c.mesh.visual[k] = False


def _check_object(s, i, e, name, allowed):
    if allowed is None:
        return
    allowed = allowed if isinstance(allowed, tuple) else (allowed,)
    if s.objtype[i] not in allowed:
        raise compile_error(e, "the sensor must be attached to a " + " or ".join(KIND_OF.get(k, "nothing") for k in allowed))


def _scalar_joint(c, s, i, e):
    if c.joint.type[s.objid[i]] < SLIDE:
        raise compile_error(e, "the joint must be a hinge or slide")


def _ball_joint(c, s, i, e):
    if c.joint.type[s.objid[i]] != BALL:
        raise compile_error(e, "the joint must be a ball joint")


def _limited_joint(c, s, i, e):
    if not c.joint.is_limited[s.objid[i]]:
        raise compile_error(e, "the joint has no limit")


def _limited_tendon(c, s, i, e):
    if not c.tendon.is_limited[s.objid[i]]:
        raise compile_error(e, "the tendon has no limit")


def _camera(c, s, i, e):
    if s.reftype[i] != OBJ_CAMERA or not c.camera.resolution[s.refid[i]].all():
        raise compile_error(e, "the camera needs a resolution")


def _inside(c, s, i, e):
    if s.reftype[i] != OBJ_SITE:
        raise compile_error(e, "the reference must be a site")


def _distance(c, s, i, e):
    if s.reftype[i] not in (OBJ_BODY, OBJ_GEOM):
        raise compile_error(e, "distances are between bodies and geoms")
    if s.objtype[i] == s.reftype[i] and s.objid[i] == s.refid[i]:
        raise compile_error(e, "the two objects must be different")
    for kind, k in ((s.objtype[i], s.objid[i]), (s.reftype[i], s.refid[i])):
        if kind == OBJ_GEOM and c.geom.type[k] == HFIELD:
            raise compile_error(e, "height fields are not supported in distance sensors")


def _contact(c, s, i, e):
    if s.objtype[i] not in (OBJ_UNKNOWN, OBJ_SITE, OBJ_BODY, OBJ_XBODY, OBJ_GEOM):
        raise compile_error(e, "first matching criterion: if set, must be (x)body, geom or site")
    if s.reftype[i] not in (OBJ_UNKNOWN, OBJ_BODY, OBJ_XBODY, OBJ_GEOM):
        raise compile_error(e, "second matching criterion: if set, must be (x)body or geom")
    bits, reduce, num = (int(v) for v in s.intprm[i])
    known = bits & (1 << NCONDATA) - 1
    if bits <= 0:
        raise compile_error(e, f"data spec (intprm[0]) must be positive, got {bits}")
    if not known:
        raise compile_error(e, f"data spec intprm[0]={bits} must have at least one bit set of the first mjNCONDATA bits")
    if known != bits:
        raise compile_error(e, f"data spec intprm[0]={bits} has bits set beyond the first mjNCONDATA bits")
    if not 0 <= reduce <= 3:
        raise compile_error(e, f"unknown reduction criterion. got {reduce}, must be from 0 to 3")
    if num <= 0:
        raise compile_error(e, "num (intprm[2]) must be positive in sensor")
    size = contact_size(bits, num)
    if size > np.iinfo(np.int32).max:
        raise compile_error(e, f"{num} contacts are more than a sensor can have")
    s.dim[i] = size


def contact_size(bits, num):
    """Numbers of a contact sensor: fields by bit, for so many contacts."""
    return num * sum(n for b, n in enumerate(CONTACT_SIZES) if bits >> b & 1)


def data_size(sensor):
    """How many numbers a sensor of a spec gives; 0 if its plugin decides, -1 for an unknown type."""
    raw, name = sensor.raw, type_names().get(int(sensor.raw["type"]))
    if name == "CONTACT":
        return contact_size(int(raw["intprm"][0]), int(raw["intprm"][2]))
    if name == "USER":
        return raw["dim"]
    if name == "TACTILE":
        mesh = sensor.spec.find("mesh", raw["objname"])
        return len(mesh.raw["uservert"]) if mesh is not None else 0
    return ROWS[name][3] if name in ROWS else -1


def _user(c, s, i, e):
    if s.dim[i] < 0:
        raise compile_error(e, "the dimension is negative")
    if (s.datatype[i] == AXIS and s.dim[i] != 3) or (s.datatype[i] == QUAT and s.dim[i] != 4):
        raise compile_error(e, "the dimension does not fit the data type")


def _tactile(c, s, i, e):
    if s.reftype[i] != OBJ_GEOM:
        raise compile_error(e, "a tactile sensor needs a geom")
    s.dim[i] = 3 * len(c.meshes[s.objid[i]].vert)


def _plugin(c, s, i, e):
    sensor_plugin(c, s, i, e)


_CHECKS = {
    "CAMPROJECTION": _camera, "JOINTPOS": _scalar_joint, "JOINTVEL": _scalar_joint, "JOINTACTFRC": _scalar_joint,
    "BALLQUAT": _ball_joint, "BALLANGVEL": _ball_joint, "JOINTLIMITPOS": _limited_joint, "JOINTLIMITVEL": _limited_joint,
    "JOINTLIMITFRC": _limited_joint, "TENDONLIMITPOS": _limited_tendon, "TENDONLIMITVEL": _limited_tendon,
    "TENDONLIMITFRC": _limited_tendon, "INSIDESITE": _inside, "GEOMDIST": _distance, "GEOMNORMAL": _distance,
    "GEOMFROMTO": _distance, "CONTACT": _contact, "USER": _user, "TACTILE": _tactile, "PLUGIN": _plugin,
}
