"""The TABLE of equality constraints: a row holds everything that the engine knows about a type. To add a type, write a row and
its kernel.

    name        its element in MJCF; a leading `+`: ours, MuJoCo has no such constraint
    enum        its member of mjtEq, without mjEQ_           number    the member's value; ours are 128 to 255
    objects     type of the objects that it relates; `anchors`: two bodies, or two sites; ours relate anchors
    rows        number of scalar constraints that it makes
    vector      rows that share one impedance, which depends on the length of the vector of their errors
    check       function of description.compile.equality that checks it
    kernel      module of the kernel that makes its rows; for ours, its stage `equality_<module>(m, d, e)` appends the rows
                of constraint e
    attributes  of its element, as in description.language.grammar
    data        for anchors: attributes stored in eq_data, and their first index. `body:` prefix: only for bodies, zero if
                omitted; a trailing `!`: required for bodies
    sentence    what it is, for tooltips and the manual

Other code that treats types differently (sleep, islands, forces on bodies, anchors at qpos0, drawing) is listed in
tests/house/test_kinds.py. For our own types, trees sleep and wake together and each row has its own impedance. Their
forces act in joint space only, like those of coupled joints: cfrc_ext does not contain them.
"""

from typing import NamedTuple

# KINDS: number of possible types. FIRST_OF_OURS: first number of the types that only Tumble has.
KINDS, FIRST_OF_OURS = 256, 128
ANCHORS = "anchors"

EQUALITIES = """
connect  CONNECT  0  anchors  3  3  -            constraint.equality
         | $equality, body1 s, body2 s, anchor f3, site1 s, site2 s
         | body:anchor=0!
         | two bodies share a point
weld     WELD     1  anchors  7  6  -            constraint.equality
         | $equality, body1 s, body2 s, relpose f7, anchor f3, site1 s, site2 s, torquescale f
         | body:anchor=0 body:relpose=3 torquescale=10
         | two bodies keep their relative pose
joint    JOINT    2  joint    1  1  scalar_joints constraint.equality
         | $equality, joint1>name1 s!, joint2>name2 s, polycoef>data f1:5
         | -
         | the coordinate of a joint is a polynomial of another joint's coordinate
tendon   TENDON   3  tendon   1  1  -            constraint.equality
         | $equality, tendon1>name1 s!, tendon2>name2 s, polycoef>data f1:5
         | -
         | the length of a tendon is a polynomial of another tendon's length
flex     FLEX     4  flex     1  1  soft_flex    constraint.equality
         | $equality, flex>name1 s!
         | -
         | edges of a deformable body keep their lengths
"""
# numbers of types that MuJoCo removed
REMOVED = {"mjEQ_DISTANCE": 5}


class Datum(NamedTuple):
    """An attribute that is stored in eq_data."""

    name: str
    start: int
    of_bodies: bool
    needed: bool


class EqualityRow(NamedTuple):
    """One row; its fields are described above."""

    name: str
    enum: str
    number: int
    objects: str
    rows: int
    vector: int
    check: str
    kernel: str
    attributes: str
    data: tuple[Datum, ...]
    sentence: str
    ours: bool

    @property
    def stage(self) -> str:
        """Return the name of the stage that makes the rows of a type that only Tumble has."""
        return f"equality_{self.kernel.rpartition('.')[2]}"


def _datum(text: str) -> Datum:
    left, _, start = text.rstrip("!").partition("=")
    return Datum(left.removeprefix("body:"), int(start), left.startswith("body:"), text.endswith("!"))


def _parse(head: str, attributes: str, data: str, sentence: str) -> EqualityRow:
    name, enum, number, objects, rows, vector, check, kernel = head.split()
    row = EqualityRow(
        name.lstrip("+"),
        f"mjEQ_{enum}",
        int(number),
        objects,
        int(rows),
        int(vector),
        check.strip("-"),
        kernel,
        attributes,
        tuple(_datum(text) for text in data.split() if text != "-"),
        sentence,
        name.startswith("+"),
    )

    # types that only Tumble has relate anchors, and their rows have separate impedances
    if (
        row.number >= KINDS
        or row.ours != (row.number >= FIRST_OF_OURS)
        or row.ours
        and (row.objects, row.vector) != (ANCHORS, 1)
    ):
        raise ValueError(f"equality {row.name}: invalid number, objects or vector")
    return row


def _rows() -> list[EqualityRow]:
    lines = [line.strip().lstrip("| ") for line in EQUALITIES.strip().splitlines()]
    return [_parse(*lines[k : k + 4]) for k in range(0, len(lines), 4)]


ROWS = _rows()
OURS = [row for row in ROWS if row.ours]
BY_NAME = {row.name: row for row in ROWS}
BY_NUMBER = {row.number: row for row in ROWS}
