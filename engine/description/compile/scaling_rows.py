"""Tables for frame scaling: quantities that sensors report, and equality constraints. column_rows lists the units of
attributes."""

from collections.abc import Iterator
from typing import Any

from ...tables import equality_rows, sensor_rows

# powers of length and mass: for a force along a length, and for a torque
LINEAR, ANGULAR = (1, 1), (2, 1)
# {quantity that a sensor reports: powers of length and mass}; `force` is the force on the sensor's object
VALUES = {"length": (1, 0), "force": (1, 1), "torque": (2, 1), "momentum": (2, 1)}
# kind of the sensor's object, reported quantity | names of sensors
REPORTS = """
object length   | accelerometer velocimeter rangefinder framepos framelinvel framelinacc subtreecom subtreelinvel
object force    | touch force
object torque   | torque
object momentum | subtreeangmom
both length     | distance fromto
joint length    | jointpos jointvel jointlimitpos jointlimitvel
joint force     | jointactuatorfrc jointlimitfrc
tendon length   | tendonpos tendonvel tendonlimitpos tendonlimitvel
tendon force    | tendonactuatorfrc tendonlimitfrc
actuator length | actuatorpos actuatorvel
actuator force  | actuatorfrc
"""


def _sensors() -> Iterator[Any]:
    numbers = {row.name: row.number for row in sensor_rows.ROWS}
    for line in REPORTS.strip().splitlines():
        head, names = line.split("|")
        for name in names.split():
            yield numbers[name], tuple(head.split())


SENSORS = dict(_sensors())
EQUALITY = {row.number: row.objects for row in equality_rows.ROWS}
# welds are scaled separately: they have a relative pose, and `torquescale`, a length
WELD = equality_rows.BY_NAME["weld"].number
