"""The TABLE of equality constraints: all that the engine knows of a kind is in its row; a new one is a row and the kernel that it names.

    name        its element in the modelling language; a `+` before it: ours, the reference has no such constraint
    enum        its member of mjtEq, without mjEQ_           number    the member's value: of ours, 128 to 255
    objects     kind of what it relates; `anchors`: two bodies, or two sites; ours relate anchors
    rows        how many scalar constraints it counts for    vector    rows that share the impedance of their errors' length
    check       function of description.compile.equality that checks it
    kernel      module of the kernel that makes its rows: of ours, its stage `equality_<module>(m, d, e)` appends those of constraint e
    attributes  of its element, as in description.language.grammar
    data        of anchors: attributes that are numbers of eq_data, and where they start. `body:` before one: of bodies only, zero if it is
                left out; a trailing `!`: bodies need it
    sentence    what it is, in tooltips and in the manual

The places that treat kinds differently beyond this (sleep, islands, forces at bodies, anchors at qpos0, drawing) are named by
tests/house/test_kinds.py. Of ours: trees sleep and wake together, each row has an impedance of its own, and forces act in joint space only, as
those of coupled joints do: cfrc_ext leaves them out.
"""

from typing import NamedTuple

# numbers of kinds: those of the reference, then ours
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
         | the coordinate of a joint is a polynomial of another's
tendon   TENDON   3  tendon   1  1  -            constraint.equality
         | $equality, tendon1>name1 s!, tendon2>name2 s, polycoef>data f1:5
         | -
         | the length of a tendon is a polynomial of another's
flex     FLEX     4  flex     1  1  soft_flex    constraint.equality
         | $equality, flex>name1 s!
         | -
         | edges of a deformable body keep their lengths
"""
# numbers that the reference keeps for kinds that it no longer has
REMOVED = {"mjEQ_DISTANCE": 5}


class Datum(NamedTuple):
    """An attribute that is numbers of eq_data."""

    name: str
    start: int
    of_bodies: bool
    needed: bool


class EqualityRow(NamedTuple):
    """One row; see above."""

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
        """Name of the stage that makes the rows of one of ours."""
        return f"equality_{self.kernel.rpartition('.')[2]}"


def _datum(text):
    left, _, start = text.rstrip("!").partition("=")
    return Datum(left.removeprefix("body:"), int(start), left.startswith("body:"), text.endswith("!"))


def _parse(head, attributes, data, sentence):
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
    if (
        row.number >= KINDS
        or row.ours != (row.number >= FIRST_OF_OURS)
        or row.ours
        and (row.objects, row.vector) != (ANCHORS, 1)
    ):
        raise ValueError(f"equality {row.name}: number, objects or vector")
    return row


def _rows():
    lines = [line.strip().lstrip("| ") for line in EQUALITIES.strip().splitlines()]
    return [_parse(*lines[k : k + 4]) for k in range(0, len(lines), 4)]


ROWS = _rows()
OURS = [row for row in ROWS if row.ours]
BY_NAME = {row.name: row for row in ROWS}
BY_NUMBER = {row.number: row for row in ROWS}
