"""Sensor types: the rows of tables.sensor_rows, with enumeration values in place of names, for look-ups by name or number."""

from typing import Any, NamedTuple

from ..tables import sensor_rows
from ..tables.enums import mjtDataType, mjtSensor, mjtStage

# {field of a contact sensor: number of values}, in the order of mjtConDataField; fields added after 3.4 come last
CONTACT_FIELDS = {"FOUND": 1, "FORCE": 3, "TORQUE": 3, "DIST": 1, "POS": 3, "NORMAL": 3, "TANGENT": 3, "LINVEL": 3, "ANGVEL": 3}
CONTACT_SIZES = tuple(CONTACT_FIELDS.values())
TACTILE_CHANNELS = 3
# {quantity that a range finder may report: number of values}, in the order of their bits
RAY_FIELDS = {"dist": 1, "dir": 3, "origin": 3, "point": 3, "normal": 3, "depth": 1}


class SensorType(NamedTuple):
    """A sensor type; `row` is its row in tables.sensor_rows."""

    name: str
    type: int
    stage: mjtStage
    dim: int
    datatype: mjtDataType
    row: sensor_rows.SensorRow


SENSORS = {
    row.name: SensorType(
        row.name,
        mjtSensor(row.number),
        mjtStage[f"mjSTAGE_{row.stage.upper()}"],
        row.dim,
        mjtDataType[f"mjDATATYPE_{row.datatype.upper()}"],
        row,
    )
    for row in sensor_rows.ROWS
}
BY_TYPE = {row.type: row for row in SENSORS.values()}


def types(names: str) -> tuple[int, ...]:
    """Return the enumeration values of sensor types by name, for use as constants in kernels."""
    return tuple(int(SENSORS[n].type) for n in names.split())


def contact_size(fields: int) -> int:
    """Return the number of values in a slot of a contact sensor. `fields`: sum of bits 1 << mjtConDataField."""
    return sum(n for k, n in enumerate(CONTACT_SIZES) if fields >> k & 1)


def ray_size(fields: int) -> int:
    """Return the number of values that a range finder has for each ray. `fields`: sum of bits; 0 means only the distance."""
    return sum(n for k, n in enumerate(RAY_FIELDS.values()) if fields >> k & 1) or 1


def sensor_dim(name: str, fields: int = 0, slots: int = 1, vertices: int = 0) -> int:
    """Return the dimension of a sensor. `fields`, `slots`: of a contact sensor; `vertices`: number in a tactile sensor's
    mesh."""
    if name == "contact":
        return slots * contact_size(fields)
    if name == "tactile":
        return TACTILE_CHANNELS * vertices
    return SENSORS[name].dim


def runs(kind: int, phase: int) -> set[Any]:
    """Return the names of the stages that run when a sensor type is computed in `phase` (mjtStage)."""
    row = sensor_rows.BY_NUMBER[kind]
    need = row.needs.get(mjtStage(phase).name.removeprefix("mjSTAGE_").lower())
    return {need, sensor_rows.stage_of(row)} - {None, ""}
