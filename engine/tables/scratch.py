"""Scratch arrays of Data in which one stage leaves orders for another: what stands in which cell."""

# work_problem: first the numbers of the problem that is being solved (solve.primal.the_problem) ...
PROBLEM = 7
# ... then orders for the stage of the Hessian and its answers: what to do, cones now and before, updates made, elements of the factor
OPERATION, CONES, HAD_CONES, UPDATES, NONZEROS = range(PROBLEM, PROBLEM + 5)
# the contact whose rows the stage for contacts of flexes is to make
FLEX_CONTACT = 13
