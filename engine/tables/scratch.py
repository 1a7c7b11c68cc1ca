"""Scratch arrays of Data through which one stage passes requests to another, and the meaning of their cells."""

# Cells of work_problem. The first PROBLEM cells describe the current problem (solve.primal.the_problem).
PROBLEM = 7
# The next cells belong to the stage that computes the Hessian. The solver writes the requested operation, and the current and
# the previous number of rows of contacts in the cone's middle zone. The stage returns the number of updates and of nonzeros.
OPERATION, CONES, HAD_CONES, UPDATES, NONZEROS = range(PROBLEM, PROBLEM + 5)
# cell that says whether the Jacobian is also stored by columns (solve.primal.transpose_rows)
TRANSPOSED = 12
# cell with the contact for which the flex stage makes rows
FLEX_CONTACT = 13
# cell that says whether solve_jar, or solve_first for islands, already has J a - aref of the accelerations that the solver
# starts from
GUESSED = 14

# The table of starts of a hull (see geom.support) has a cell for each cell of a cubic grid, 2 to the power of AXIS_BITS of them
# along an axis, and one more that says whether the hull has a table.
AXIS_BITS = 3
HAS_TABLE = 1 << (3 * AXIS_BITS)
START_CELLS = HAS_TABLE + 1
