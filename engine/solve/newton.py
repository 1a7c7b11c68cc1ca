"""Newton's method for constraint problems.

This file has the iteration. The Hessian H = M + J' D J + cone terms is updated, factored and solved by the stage for its
storage format.
"""

from ..constraint.update import ELLIPTIC_CONES
from ..core import stages
from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel, stage
from ..tables import stage_rows
from ..tables.scratch import CONES, GUESSED, HAD_CONES, NONZEROS, OPERATION, UPDATES
from .line_search import search_step
from .primal import (
    BEGIN,
    EXIT,
    PATIENCE,
    REFRESH,
    SOLVE,
    count_changes,
    evaluate,
    finish_statistics,
    left_to_gain,
    length,
    open_problem,
    precondition,
    problem_scale,
    problems,
    save_statistics,
    set_gradient,
    start_problem,
    take_step,
    tally,
)

DENSE, SPARSE = stage_rows.stage_id("hessian_dense"), stage_rows.stage_id("hessian_sparse")


@stage
def solve_newton(m, d):
    """reads rows (of islands, where there are any), qacc as first guess, M, qfrc_smooth, qacc_smooth; writes qacc, efc_force,
    efc_state, qfrc_constraint or iacc, iefc_force, iefc_state, ifrc_constraint; contact_H, solver statistics.
    """
    first, last = problems(m, d)
    for k in range(first, last):
        if not newton(m, d, open_problem(m, d, k)):
            # Islands that are solved start from their solutions when the stage is repeated.
            d.work_problem[GUESSED] = 0
            return


@inline
def hessian(m, d, operation, cones):
    """Run an operation of the Hessian's stage; return False if the stage is missing or needs more memory."""
    d.work_problem[OPERATION] = operation
    d.work_problem[HAD_CONES] = d.work_problem[CONES]
    d.work_problem[CONES] = cones
    return stages.run(m, d, SPARSE) if is_sparse(m) else stages.run(m, d, DENSE)


@kernel
def newton(m, d, p):
    """Minimize the cost of problem p (an island, or all rows); return False if the Hessian's stage stopped."""
    island, nv, _, n, _, _, _ = p
    elliptic = m.opt.cone == ELLIPTIC_CONES
    scale = problem_scale(m, d, p)

    start_problem(m, d, p)
    for r in range(n):
        d.solve_oldstate[r] = 0
    cost, inertial, active, cones = evaluate(m, d, p, elliptic)

    # Since 3.11, stop before computing the Hessian if the gradient is small enough.
    later = m.compat_bits & EXIT != 0
    small = done = False
    if later:
        set_gradient(m, d, p)
        precondition(m, d, p)
        small = scale * length(d.solve_grad, nv) < m.opt.tolerance
        if small and left_to_gain(d, nv, scale) < m.opt.tolerance:
            finish_statistics(d, island, 0, 0)
            return True

    if not hessian(m, d, BEGIN, cones):
        return False
    set_gradient(m, d, p)
    if later:
        hessian(m, d, SOLVE, cones)
        done = small and left_to_gain(d, nv, scale) < m.opt.tolerance

    k = idle = 0
    gained = 0.0
    while not done and k < m.opt.iterations and idle < PATIENCE:
        if not later:
            hessian(m, d, SOLVE, cones)
        for i in range(nv):
            d.solve_search[i] = -d.solve_Mgrad[i]

        step, evaluations, slope = search_step(m, d, p, inertial, scale)
        if step == 0.0:
            break
        take_step(m, d, p, step)

        # Evaluate the cost at the new point.
        old = cost
        cost, inertial, active, cones = evaluate(m, d, p, elliptic)
        changed = count_changes(m, d, p)
        hessian(m, d, REFRESH, cones)
        set_gradient(m, d, p)

        improvement, gradient = scale * (old - cost), scale * length(d.solve_grad, nv)
        save_statistics(
            d, island, k, improvement, gradient, slope, active, changed, evaluations, d.work_problem[UPDATES] + cones
        )
        k += 1
        gained, idle = tally(gained, improvement, idle)

        # Test for convergence.
        if later:
            hessian(m, d, SOLVE, cones)
            done = improvement > 0 and improvement < m.opt.tolerance or left_to_gain(d, nv, scale) < m.opt.tolerance
            done = done or gradient < m.opt.tolerance
        else:
            done = improvement < m.opt.tolerance or gradient < m.opt.tolerance
    finish_statistics(d, island, k, d.work_problem[NONZEROS])
    return True
