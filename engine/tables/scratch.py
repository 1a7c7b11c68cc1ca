"""Scratch arrays of Data through which one stage passes requests to another, and the meaning of their cells."""

# work_problem: first the numbers of the current problem (solve.primal.the_problem) ...
PROBLEM = 7
# ... then requests to the Hessian's stage and its results: operation, number of cones now and before, updates, nonzero elements
OPERATION, CONES, HAD_CONES, UPDATES, NONZEROS = range(PROBLEM, PROBLEM + 5)
# cell that says whether the Jacobian is also stored by columns (solve.primal.transpose_rows)
TRANSPOSED = 12
# cell with the contact for which the flex stage makes rows
FLEX_CONTACT = 13
