"""Scratch arrays of Data through which one stage passes requests to another: the meaning of their cells."""

# work_problem: first the numbers of the current problem (solve.primal.the_problem) ...
PROBLEM = 7
# ... then requests to the Hessian's stage and its results: operation, cones now and before, updates, elements of the factor
OPERATION, CONES, HAD_CONES, UPDATES, NONZEROS = range(PROBLEM, PROBLEM + 5)
# whether the Jacobian is there by columns, too (solve.primal.transpose_rows)
TRANSPOSED = 12
# the contact for which the stage for flex contacts should make rows
FLEX_CONTACT = 13
