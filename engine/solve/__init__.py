"""Solvers, which compute the accelerations and forces that satisfy the constraint rows.

driver         warm start, islands, choice of solver
inverse        forces of given accelerations
primal         shared by Newton and CG: cost, gradient, statistics
line_search    the step along a direction that minimizes the cost
newton, cg     the two methods
hessian_dense, hessian_sparse, symbolic   Newton's matrix, factored; its pattern
dual           shared by PGS and noslip
pgs, pgs_momentum, noslip   the methods that work on forces; qcqp: friction within an ellipse
"""
