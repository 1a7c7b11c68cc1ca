"""Sensors: referenced objects, data type, stage and dimension, as specified in tables.sensor_rows.

adds   sensor: objid refid
"""

from collections.abc import Sequence

import numpy as np

from ...sense.catalog import CONTACT_FIELDS, RAY_FIELDS, ray_size, sensor_dim
from ...sense.range import DISTANCE
from ...tables.compat_rows import holds
from ...tables.enums import mjtConDataField, mjtDataType, mjtStage
from ...tables.sensor_rows import BY_NUMBER, ROWS, SensorRow
from ..elements.element import Element
from ..elements.elements import MjsSensor, compile_error
from ..language.kinds import KIND_OF, KINDS
from ..language.types import (
    BALL,
    HFIELD,
    OBJ_ACTUATOR,
    OBJ_BODY,
    OBJ_CAMERA,
    OBJ_GEOM,
    OBJ_MESH,
    OBJ_SITE,
    OBJ_UNKNOWN,
    OBJ_XBODY,
    SLIDE,
    SPATIAL,
    numbers,
)
from .plugins import sensor_plugin
from .resolve import Compilation
from .table import Table

AXIS, QUAT = numbers(mjtDataType, "AXIS", "QUATERNION")
# fields and reductions (maxforce, netforce) of contact sensors that need forces
FORCES, BY_FORCE = (1 << int(mjtConDataField.mjCONDATA_FORCE)) | (1 << int(mjtConDataField.mjCONDATA_TORQUE)), (2, 3)
# maximum number of rays of a sensor
MAX_RAYS = 1 << 24
CONDATA = (1 << len(CONTACT_FIELDS)) - 1
# relative velocities of contacts, added by later releases; they cannot be combined with net forces
RATES, NET_FORCE = (1 << len(CONTACT_FIELDS)) - (1 << int(mjtConDataField.mjNCONDATA)), 3


def allowed_objects(row: SensorRow) -> tuple[int, ...] | None:
    """Return the types of object that a sensor may be attached to; None if any type is allowed or no object is needed."""
    if row.object in ("", "?any"):
        return None
    return SPATIAL if row.object == "frame" else tuple(KINDS[kind] for kind in row.object.split("|"))


ALLOWED = {number: allowed_objects(row) for number, row in BY_NUMBER.items()}
STAGES = {row.number: 0 if row.name == "plugin" else int(mjtStage[f"mjSTAGE_{row.stage.upper()}"]) for row in ROWS}
DATATYPES = {row.number: int(mjtDataType[f"mjDATATYPE_{row.datatype.upper()}"]) for row in ROWS}


def sensors(c: Compilation) -> None:
    """Set ids, data types, stages and dimensions of all sensors, as specified in tables.sensor_rows."""
    s = c.sensor
    s.objid, s.refid = np.full(s.n, -1), np.full(s.n, -1)
    for i, e in enumerate(s.elems):
        if s.noise[i] < 0 or s.cutoff[i] < 0:
            raise compile_error(e, "noise and cutoff cannot be negative")

        row = BY_NUMBER.get(int(s.type[i]))
        if row is None:
            raise compile_error(e, "unknown sensor type")
        _resolve(c, s, i, e, row)

        # set data type and stage
        if row.name != "user":
            s.datatype[i] = DATATYPES[row.number]
            if row.name != "plugin":
                s.needstage[i] = STAGES[row.number]

        # check the object, and set the dimension
        _check_object(s, i, e, ALLOWED[row.number])
        if row.check:
            CHECKS[row.check](c, s, i, e)
        if row.dim:
            s.dim[i] = row.dim
        if s.objtype[i] == OBJ_ACTUATOR and row.dim:
            s.dim[i] = c.actuator.outnum[s.objid[i]]
        if row.name in LATER:
            LATER[row.name](c, s, i)

        if s.cutoff[i] > 0 and (s.datatype[i] == QUAT or (s.datatype[i] == AXIS and row.name != "normal")):
            raise compile_error(e, "cutoff cannot be applied to an axis or a quaternion")


def _resolve(c: Compilation, s: Table, i: int, e: Element, row: SensorRow) -> None:
    objtype, reftype = int(s.objtype[i]), int(s.reftype[i])
    if objtype:
        if not s.objname[i]:
            raise compile_error(e, "the name of the sensorized object is missing")
        s.objid[i] = c.need_type(objtype, s.objname[i], e, "sensorized object")
    elif ALLOWED[row.number] is not None:
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


def _check_object(s: Table, i: int, e: Element, allowed: Sequence[int] | None) -> None:
    if allowed is not None and s.objtype[i] not in allowed:
        raise compile_error(e, "the sensor must be attached to a " + " or ".join(KIND_OF.get(k, "nothing") for k in allowed))


def _scalar_joint(c: Compilation, s: Table, i: int, e: Element) -> None:
    if c.joint.type[s.objid[i]] < SLIDE:
        raise compile_error(e, "the joint must be a hinge or slide")


def _ball_joint(c: Compilation, s: Table, i: int, e: Element) -> None:
    if c.joint.type[s.objid[i]] != BALL:
        raise compile_error(e, "the joint must be a ball joint")


def _limited_joint(c: Compilation, s: Table, i: int, e: Element) -> None:
    if not c.joint.is_limited[s.objid[i]]:
        raise compile_error(e, "the joint has no limit")


def _limited_tendon(c: Compilation, s: Table, i: int, e: Element) -> None:
    if not c.tendon.is_limited[s.objid[i]]:
        raise compile_error(e, "the tendon has no limit")


def _camera(c: Compilation, s: Table, i: int, e: Element) -> None:
    if s.reftype[i] != OBJ_CAMERA or not c.camera.resolution[s.refid[i]].all():
        raise compile_error(e, "the camera needs a resolution")


def _inside(c: Compilation, s: Table, i: int, e: Element) -> None:
    if s.reftype[i] != OBJ_SITE:
        raise compile_error(e, "the reference must be a site")


def _distance(c: Compilation, s: Table, i: int, e: Element) -> None:
    if s.reftype[i] not in (OBJ_BODY, OBJ_GEOM):
        raise compile_error(e, "distances are between bodies and geoms")
    if s.objtype[i] == s.reftype[i] and s.objid[i] == s.refid[i]:
        raise compile_error(e, "the two objects must be different")
    for kind, k in ((s.objtype[i], s.objid[i]), (s.reftype[i], s.refid[i])):
        if kind == OBJ_GEOM and c.geom.type[k] == HFIELD:
            raise compile_error(e, "height fields are not supported in distance sensors")


def _rays(c: Compilation, s: Table, i: int, e: Element) -> None:
    """Check the site of a single ray, or the camera whose pixels each have a ray; set the dimension."""
    pixels = 1
    if s.objtype[i] == OBJ_CAMERA:
        pixels = int(np.prod(c.camera.resolution[s.objid[i]].astype(np.int64)))
        if pixels <= 0:
            raise compile_error(e, "the camera needs a resolution")
        if pixels > MAX_RAYS:
            raise compile_error(
                e, f"the camera has {pixels} pixels, and the sensor needs a ray for each; the limit is {MAX_RAYS}"
            )
    if not 0 <= s.intprm[i, 0] < 1 << len(RAY_FIELDS):
        raise compile_error(e, f"data spec (intprm[0]) is a sum of bits of {len(RAY_FIELDS)}, got {s.intprm[i, 0]}")
    s.dim[i] = pixels * ray_size(int(s.intprm[i, 0]))


def _contact(c: Compilation, s: Table, i: int, e: Element) -> None:
    if s.objtype[i] not in (OBJ_UNKNOWN, OBJ_SITE, OBJ_BODY, OBJ_XBODY, OBJ_GEOM):
        raise compile_error(e, "first matching criterion: if set, must be (x)body, geom or site")
    if s.reftype[i] not in (OBJ_UNKNOWN, OBJ_BODY, OBJ_XBODY, OBJ_GEOM):
        raise compile_error(e, "second matching criterion: if set, must be (x)body or geom")

    bits, reduce, num = (int(v) for v in s.intprm[i])
    known = bits & CONDATA
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
    if bits & RATES and reduce == NET_FORCE:
        raise compile_error(e, "netforce reduction is incompatible with linvel or angvel")

    size = contact_size(bits, num)
    if size > np.iinfo(np.int32).max:
        raise compile_error(e, f"{num} contacts are more than a sensor can have")
    s.dim[i] = size


def contact_size(bits: int, num: int) -> int:
    """Return the dimension of a contact sensor, given the bits of its fields and its number of contacts."""
    return sensor_dim("contact", bits, num)


def data_size(sensor: MjsSensor) -> int:
    """Return the dimension of a spec's sensor; 0 if its plugin determines it, -1 for an unknown type."""
    raw, row = sensor.raw, BY_NUMBER.get(int(sensor.raw["type"]))
    if row is None:
        return -1
    if row.name == "contact":
        return contact_size(int(raw["intprm"][0]), int(raw["intprm"][2]))
    if row.name == "rangefinder":
        camera = sensor.spec.find("camera", raw["objname"]) if raw["objtype"] == OBJ_CAMERA else None
        return ray_size(int(raw["intprm"][0])) * (
            1 if camera is None else int(np.prod(np.array(camera.raw["resolution"]).astype(np.int64)))
        )
    if row.name == "user":
        return raw["dim"]
    if row.name == "tactile":
        mesh = sensor.spec.find("mesh", raw["objname"])
        return len(mesh.raw["uservert"]) if mesh is not None else 0
    return row.dim


def _contact_stage(c: Compilation, s: Table, i: int) -> None:
    """Let a contact sensor run before forces are computed, if it neither reports forces nor compares contacts by force."""
    rates = s.intprm[i, 0] & RATES
    if (rates or holds("contact_stage", c.compat_bits)) and not s.intprm[i, 0] & FORCES and s.intprm[i, 1] not in BY_FORCE:
        s.needstage[i] = mjtStage.mjSTAGE_VEL if rates else mjtStage.mjSTAGE_POS


def _ray_data(c: Compilation, s: Table, i: int) -> None:
    """Normalize the data bits of a range finder. Its data type is real, not positive, because -1 means that nothing was hit."""
    if holds("ray_data", c.compat_bits) or s.intprm[i, 0] > 0 or s.objtype[i] == OBJ_CAMERA:
        s.intprm[i, 0], s.datatype[i] = max(DISTANCE, s.intprm[i, 0]), mjtDataType.mjDATATYPE_REAL


def _user(c: Compilation, s: Table, i: int, e: Element) -> None:
    if s.dim[i] < 0:
        raise compile_error(e, "the dimension is negative")
    if (s.datatype[i] == AXIS and s.dim[i] != 3) or (s.datatype[i] == QUAT and s.dim[i] != 4):
        raise compile_error(e, "the dimension does not fit the data type")


def _tactile(c: Compilation, s: Table, i: int, e: Element) -> None:
    if s.reftype[i] != OBJ_GEOM:
        raise compile_error(e, "a tactile sensor needs a geom")
    same = c.geom.body == c.geom.body[s.refid[i]]
    if holds("tactile_solid", c.compat_bits) and not (same & ((c.geom.contype != 0) | (c.geom.conaffinity != 0))).any():
        raise compile_error(e, "no geom of the sensor's body can collide")
    s.dim[i] = sensor_dim("tactile", vertices=len(c.meshes[s.objid[i]].vert))


# {name in the column `check` of a row: function}
CHECKS = {
    "scalar_joint": _scalar_joint,
    "ball_joint": _ball_joint,
    "limited_joint": _limited_joint,
    "limited_tendon": _limited_tendon,
    "camera": _camera,
    "inside": _inside,
    "rays": _rays,
    "distance": _distance,
    "contact": _contact,
    "user": _user,
    "tactile": _tactile,
    "plugin": sensor_plugin,
}
# {name of a sensor: change of a later release}
LATER = {"contact": _contact_stage, "rangefinder": _ray_data}
