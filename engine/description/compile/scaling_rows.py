"""TABLES of what frames scale: dimensions of fields as powers of length and mass. What depends on kinds of joints, tendons and actuators is in `scaling`."""

from ...tables import equality_rows, sensor_rows

# kind of element | field, powers of length and mass, which of its numbers (- for all)
ROWS = """
frame  | pos 1 0 -
body   | pos 1 0 -, ipos 1 0 -, mass 0 1 -, inertia 2 1 -, fullinertia 2 1 -
joint  | pos 1 0 -
geom   | pos 1 0 -, size 1 0 -, fromto 1 0 -, margin 1 0 -, gap 1 0 -, friction 1 0 12, solimp 1 0 2, surfacevel 1 0 012, mass 0 1 -, density -3 1 -
site   | pos 1 0 -, size 1 0 -, fromto 1 0 -
camera | pos 1 0 -, ipd 1 0 -, sensor_size 1 0 -, focal_length 1 0 -, principal_length 1 0 -
light  | pos 1 0 -, bulbradius 1 0 -, range 1 0 -, attenuation -1 0 1, attenuation -2 0 2
"""
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


def _lengths(text):
    for item in text.split(","):
        field, a, b, at = item.split()
        yield field, int(a), int(b), None if at == "-" else tuple(map(int, at))


def _sensors():
    numbers = {row.name: row.number for row in sensor_rows.ROWS}
    for line in REPORTS.strip().splitlines():
        head, names = line.split("|")
        for name in names.split():
            yield numbers[name], tuple(head.split())


LENGTHS = {kind.strip(): tuple(_lengths(text)) for kind, text in (line.split("|") for line in ROWS.strip().splitlines())}
SENSORS = dict(_sensors())
EQUALITY = {row.number: row.objects for row in equality_rows.ROWS}
# welds have a relative pose, and a length by which torques are weighed
WELD = equality_rows.BY_NAME["weld"].number
