"""TABLES of what frames scale: what sensors report, and kinds of equality constraints. Dimensions of attributes are in language.column_rows."""

from ...tables import equality_rows, sensor_rows

# powers of a force along a length, and of a torque
LINEAR, ANGULAR = (1, 1), (2, 1)
# what sensors report: powers; `force` is that of what it belongs to
VALUES = {"length": (1, 0), "force": (1, 1), "torque": (2, 1), "momentum": (2, 1)}
# kind that a sensor belongs to, what it reports: names of sensors
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


def _sensors():
    numbers = {row.name: row.number for row in sensor_rows.ROWS}
    for line in REPORTS.strip().splitlines():
        head, names = line.split("|")
        for name in names.split():
            yield numbers[name], tuple(head.split())


SENSORS = dict(_sensors())
EQUALITY = {row.number: row.objects for row in equality_rows.ROWS}
# welds have a relative pose, and a length by which torques are weighed
WELD = equality_rows.BY_NAME["weld"].number
