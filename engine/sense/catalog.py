"""The sensor table, one row a type: name in the modelling language, stage, numbers, data type, what it is attached to, reference.

`0` numbers: the count depends on the sensor (see `sensor_dim`). Objects: names of mjtObj in lower case, `|` between alternatives;
`frame` is body, xbody, geom, site or camera. The position of a row is no number of anything: types are looked up by enum name.
"""
from typing import NamedTuple

from ..core.enums import mjtConDataField, mjtDataType, mjtSensor, mjtStage

ROWS = """
touch              TOUCH           acc  1  positive    site             -
accelerometer      ACCELEROMETER   acc  3  real        site             -
velocimeter        VELOCIMETER     vel  3  real        site             -
gyro               GYRO            vel  3  real        site             -
force              FORCE           acc  3  real        site             -
torque             TORQUE          acc  3  real        site             -
magnetometer       MAGNETOMETER    pos  3  real        site             -
rangefinder        RANGEFINDER     pos  1  positive    site             -
camprojection      CAMPROJECTION   pos  2  real        site             camera
jointpos           JOINTPOS        pos  1  real        joint            -
jointvel           JOINTVEL        vel  1  real        joint            -
tendonpos          TENDONPOS       pos  1  real        tendon           -
tendonvel          TENDONVEL       vel  1  real        tendon           -
actuatorpos        ACTUATORPOS     pos  1  real        actuator         -
actuatorvel        ACTUATORVEL     vel  1  real        actuator         -
actuatorfrc        ACTUATORFRC     acc  1  real        actuator         -
jointactuatorfrc   JOINTACTFRC     acc  1  real        joint            -
tendonactuatorfrc  TENDONACTFRC    acc  1  real        tendon           -
ballquat           BALLQUAT        pos  4  quaternion  joint            -
ballangvel         BALLANGVEL      vel  3  real        joint            -
jointlimitpos      JOINTLIMITPOS   pos  1  real        joint            -
jointlimitvel      JOINTLIMITVEL   vel  1  real        joint            -
jointlimitfrc      JOINTLIMITFRC   acc  1  real        joint            -
tendonlimitpos     TENDONLIMITPOS  pos  1  real        tendon           -
tendonlimitvel     TENDONLIMITVEL  vel  1  real        tendon           -
tendonlimitfrc     TENDONLIMITFRC  acc  1  real        tendon           -
framepos           FRAMEPOS        pos  3  real        frame            frame
framequat          FRAMEQUAT       pos  4  quaternion  frame            frame
framexaxis         FRAMEXAXIS      pos  3  axis        frame            frame
frameyaxis         FRAMEYAXIS      pos  3  axis        frame            frame
framezaxis         FRAMEZAXIS      pos  3  axis        frame            frame
framelinvel        FRAMELINVEL     vel  3  real        frame            frame
frameangvel        FRAMEANGVEL     vel  3  real        frame            frame
framelinacc        FRAMELINACC     acc  3  real        frame            -
frameangacc        FRAMEANGACC     acc  3  real        frame            -
subtreecom         SUBTREECOM      pos  3  real        body             -
subtreelinvel      SUBTREELINVEL   vel  3  real        body             -
subtreeangmom      SUBTREEANGMOM   vel  3  real        body             -
insidesite         INSIDESITE      pos  1  positive    frame            site
distance           GEOMDIST        pos  1  real        body|geom        body|geom
normal             GEOMNORMAL      pos  3  axis        body|geom        body|geom
fromto             GEOMFROMTO      pos  6  real        body|geom        body|geom
contact            CONTACT         acc  0  real        site|body|geom   body|geom
e_potential        E_POTENTIAL     pos  1  real        -                -
e_kinetic          E_KINETIC       pos  1  real        -                -
clock              CLOCK           pos  1  real        -                -
tactile            TACTILE         acc  0  real        mesh             geom
plugin             PLUGIN          pos  0  real        any              any
user               USER            pos  0  real        any              -
"""

# numbers of each field of a contact sensor, in the order of mjtConDataField
CONTACT_FIELDS = {"FOUND": 1, "FORCE": 3, "TORQUE": 3, "DIST": 1, "POS": 3, "NORMAL": 3, "TANGENT": 3}
CONTACT_SIZES = tuple(CONTACT_FIELDS[f.name.removeprefix("mjCONDATA_")] for f in mjtConDataField if f.name != "mjNCONDATA")
TACTILE_CHANNELS = 3


class SensorType(NamedTuple):
    """One row."""
    name: str
    type: mjtSensor
    stage: mjtStage
    dim: int
    datatype: mjtDataType
    objects: tuple
    references: tuple


def _parse(line):
    name, enum, stage, dim, datatype, objects, references = line.split()
    kinds = [tuple(x.split("|")) if x != "-" else () for x in (objects, references)]
    return SensorType(name, mjtSensor[f"mjSENS_{enum}"], mjtStage[f"mjSTAGE_{stage.upper()}"], int(dim),
                      mjtDataType[f"mjDATATYPE_{datatype.upper()}"], *kinds)


SENSORS = {row.name: row for row in map(_parse, ROWS.strip().splitlines())}
BY_TYPE = {row.type: row for row in SENSORS.values()}


def types(names):
    """Numbers of sensor types by name, for use as constants in kernels."""
    return tuple(int(SENSORS[n].type) for n in names.split())


def contact_size(fields):
    """Numbers a slot of a contact sensor holds; `fields` is a sum of 1 << mjtConDataField."""
    return sum(n for k, n in enumerate(CONTACT_SIZES) if fields >> k & 1)


def sensor_dim(name, fields=0, slots=1, vertices=0):
    """Numbers of a sensor: `fields` and `slots` of a contact sensor, `vertices` of a tactile sensor's mesh."""
    if name == "contact":
        return slots * contact_size(fields)
    if name == "tactile":
        return TACTILE_CHANNELS * vertices
    return SENSORS[name].dim
