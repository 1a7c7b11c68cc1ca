"""The TABLE of sensors: a row holds everything that the engine knows about a type. To add a sensor, write a row and its kernel.

    name      its element in MJCF; a leading `+`: ours, MuJoCo has no such sensor
    enum      its member of mjtSensor, without mjSENS_        number    the member's value; ours are 128 to 255
    stage     pos, vel or acc: when it is computed            dim       how many numbers it has; 0: `check` decides
    datatype  member of mjtDataType                           object    what it is attached to
    reference what it is measured against                     check     its check, in description.compile.sensors
    needs     a stage whose results the sensor reads, and which only some models need; `vel:stage` if only sensors of
              stage vel need it
    kernel    module whose stage `sensor_<module>(m, d, i)` writes the numbers of sensor i; `-`: one of sense.position,
              velocity, acceleration

Objects and references are types of elements: one type, whose name is the attribute (`site="..."`); `frame`, any of body,
xbody, geom, site and camera (`objtype="..." objname="..."`, `reftype="..." refname="..."`); alternatives `body|geom`
(`geom1="..."`, `body2="..."`); `?any`: the reader of this sensor finds them. A line with `|` below a row lists attributes
that do not follow from object and reference, as in description.language.grammar.
"""

from collections.abc import Iterator
from typing import NamedTuple

# TYPES: number of possible types. FIRST_OF_OURS: first number of the types that only Tumble has.
TYPES, FIRST_OF_OURS = 256, 128

SENSORS = """
touch              TOUCH           0   acc  1  positive    site       -          -               -            sense.touch
accelerometer      ACCELEROMETER   1   acc  3  real        site       -          -               rne_post     -
velocimeter        VELOCIMETER     2   vel  3  real        site       -          -               -            -
gyro               GYRO            3   vel  3  real        site       -          -               -            -
force              FORCE           4   acc  3  real        site       -          -               rne_post     -
torque             TORQUE          5   acc  3  real        site       -          -               rne_post     -
magnetometer       MAGNETOMETER    6   pos  3  real        site       -          -               -            -
camprojection      CAMPROJECTION   8   pos  2  real        site       camera     camera          -            sense.camera
rangefinder        RANGEFINDER     7   pos  0  positive    site|camera -         rays            -            sense.range
| $sensor, site s, camera s, data s
jointpos           JOINTPOS        9   pos  1  real        joint      -          scalar_joint    -            -
jointvel           JOINTVEL        10  vel  1  real        joint      -          scalar_joint    -            -
tendonpos          TENDONPOS       11  pos  1  real        tendon     -          -               -            -
tendonvel          TENDONVEL       12  vel  1  real        tendon     -          -               -            -
actuatorpos        ACTUATORPOS     13  pos  1  real        actuator   -          -               -            -
actuatorvel        ACTUATORVEL     14  vel  1  real        actuator   -          -               -            -
actuatorfrc        ACTUATORFRC     15  acc  1  real        actuator   -          -               -            -
jointactuatorfrc   JOINTACTFRC     16  acc  1  real        joint      -          scalar_joint    -            -
tendonactuatorfrc  TENDONACTFRC    17  acc  1  real        tendon     -          -               -            -
ballquat           BALLQUAT        18  pos  4  quaternion  joint      -          ball_joint      -            -
ballangvel         BALLANGVEL      19  vel  3  real        joint      -          ball_joint      -            -
jointlimitpos      JOINTLIMITPOS   20  pos  1  real        joint      -          limited_joint   -            -
jointlimitvel      JOINTLIMITVEL   21  vel  1  real        joint      -          limited_joint   -            -
jointlimitfrc      JOINTLIMITFRC   22  acc  1  real        joint      -          limited_joint   -            -
tendonlimitpos     TENDONLIMITPOS  23  pos  1  real        tendon     -          limited_tendon  -            -
tendonlimitvel     TENDONLIMITVEL  24  vel  1  real        tendon     -          limited_tendon  -            -
tendonlimitfrc     TENDONLIMITFRC  25  acc  1  real        tendon     -          limited_tendon  -            -
framepos           FRAMEPOS        26  pos  3  real        frame      frame      -               -            -
framequat          FRAMEQUAT       27  pos  4  quaternion  frame      frame      -               -            -
framexaxis         FRAMEXAXIS      28  pos  3  axis        frame      frame      -               -            -
frameyaxis         FRAMEYAXIS      29  pos  3  axis        frame      frame      -               -            -
framezaxis         FRAMEZAXIS      30  pos  3  axis        frame      frame      -               -            -
framelinvel        FRAMELINVEL     31  vel  3  real        frame      frame      -               -            -
frameangvel        FRAMEANGVEL     32  vel  3  real        frame      frame      -               -            -
framelinacc        FRAMELINACC     33  acc  3  real        frame      -          -               rne_post     -
frameangacc        FRAMEANGACC     34  acc  3  real        frame      -          -               rne_post     -
subtreecom         SUBTREECOM      35  pos  3  real        body       -          -               -            -
subtreelinvel      SUBTREELINVEL   36  vel  3  real        body       -          -               subtree_vel  -
subtreeangmom      SUBTREEANGMOM   37  vel  3  real        body       -          -               subtree_vel  -
insidesite         INSIDESITE      38  pos  1  positive    frame      site       inside          -            sense.inside
distance           GEOMDIST        39  pos  1  real        body|geom  body|geom  distance        -            sense.distance
normal             GEOMNORMAL      40  pos  3  axis        body|geom  body|geom  distance        -            sense.distance
fromto             GEOMFROMTO      41  pos  6  real        body|geom  body|geom  distance        -            sense.distance
contact            CONTACT         42  acc  0  real        ?any       ?any       contact         -            sense.contact
| $sensor, $pairof, subtree1 s, subtree2 s, site s, num i, data s, reduce @reduce
e_potential        E_POTENTIAL     43  pos  1  real        -          -          -               energy_pos   -
e_kinetic          E_KINETIC       44  pos  1  real        -          -          -               energy_vel   -
clock              CLOCK           45  pos  1  real        -          -          -               -            -
user               USER            48  pos  0  real        ?any       -          user            vel:subtree_vel,acc:rne_post -
| $sensor, objtype s, objname s, datatype @datatype, needstage @stage, dim i!
tactile            TACTILE         46  acc  0  real        mesh       geom       tactile         -            sense.tactile
| name s, cutoff f, $history, user>userdata f*, geom s!, mesh s!
plugin             PLUGIN          47  pos  0  real        ?any       ?any       plugin          -            -
| name s, cutoff f, $history, user>userdata f*, plugin s, instance s, objtype s, objname s, $reference
"""


class SensorRow(NamedTuple):
    """One row, split into words."""

    name: str
    enum: str
    number: int
    stage: str
    dim: int
    datatype: str
    object: str
    reference: str
    check: str
    needs: dict
    kernel: str
    attributes: str
    ours: bool


def _parse(line: str, attributes: str) -> SensorRow:
    name, enum, number, stage, dim, datatype, *kinds, check, needs, kernel = line.split()
    # {stage of the sensor: stage that must run first}
    pairs = [x.rpartition(":")[::2] for x in needs.split(",") if x != "-"]
    (about, against), kernel = ["" if x == "-" else x for x in kinds], "" if kernel == "-" else kernel
    return SensorRow(
        name.lstrip("+"),
        f"mjSENS_{enum}",
        int(number),
        stage,
        int(dim),
        datatype,
        about,
        against,
        "" if check == "-" else check,
        {phase or stage: need for phase, need in pairs},
        kernel,
        attributes,
        name.startswith("+"),
    )


def _rows(text: str) -> Iterator[SensorRow]:
    lines = text.strip().splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if not line.startswith("|"):
            yield _parse(line, following[1:].strip() if following.startswith("|") else "")


ROWS = list(_rows(SENSORS))
BY_NUMBER = {row.number: row for row in ROWS}


def stage_of(row: SensorRow) -> str:
    """Return the name of the stage that computes only this sensor; "" if one of the three common stages computes it."""
    return f"sensor_{row.kernel.rpartition('.')[2]}" if row.kernel else ""
