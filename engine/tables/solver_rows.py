"""The TABLE of constraint solvers: a row holds everything that the engine knows about a solver. To add one, write a row and its
stage.

name    its word in MJCF and in the viewer; a leading `+`: ours, MuJoCo has no such solver
enum    its member of mjtSolver, without mjSOL_          number   the member's value; ours are 128 to 255
space   what it searches: `accelerations` (of joints, island by island) or `forces` (of all rows; needs A = J inv(M) J')
module  the module of its stage `solve_<module>(m, d)`
"""

from typing import NamedTuple

# KINDS: number of possible solvers. FIRST_OF_OURS: first number of the solvers that only Tumble has.
KINDS, FIRST_OF_OURS = 256, 128

SOLVERS = """
PGS      PGS      0   forces         solve.pgs
CG       CG       1   accelerations  solve.cg
Newton   NEWTON   2   accelerations  solve.newton
"""


class SolverRow(NamedTuple):
    """One row; its fields are described above."""

    name: str
    enum: str
    number: int
    space: str
    module: str
    ours: bool

    @property
    def stage(self) -> str:
        """Return the name of the solver's stage."""
        return f"solve_{self.module.rpartition('.')[2]}"


def _parse(line: str) -> SolverRow:
    name, enum, number, space, module = line.split()
    row = SolverRow(name.lstrip("+"), f"mjSOL_{enum}", int(number), space, module, name.startswith("+"))
    if space not in ("accelerations", "forces") or row.number >= KINDS or row.ours != (row.number >= FIRST_OF_OURS):
        raise ValueError(f"solver {row.name}: invalid space or number")
    return row


ROWS = [_parse(line) for line in SOLVERS.strip().splitlines()]
BY_STAGE = {row.stage: row for row in ROWS}
# numbers of the solvers that search for forces
DUAL = tuple(row.number for row in ROWS if row.space == "forces")
