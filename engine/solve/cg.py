"""Conjugate gradients with M as preconditioner (E. Polak, G. Ribiere, 1969), restarted if the new direction would not
descend."""

from ..machine.jit import kernel, leaf, stage
from ..tables.consts import mjMINVAL
from .line_search import search_step
from .primal import (
    EXIT,
    PATIENCE,
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
    transpose_rows,
)

# After this many iterations, many more are likely, so transposing the Jacobian pays off.
SETTLED = 2
# the lower bound of beta uses this fraction of the gradient's length
FLOOR = 0.01


@stage
def solve_cg(m, d):
    """reads rows (of islands, where there are any), qacc as first guess, M, qLD, qfrc_smooth, qacc_smooth; writes qacc,
    efc_force, efc_state, qfrc_constraint or iacc, iefc_force, iefc_state, ifrc_constraint; solver statistics.
    """
    first, last = problems(m, d)
    for k in range(first, last):
        descend(m, d, open_problem(m, d, k))


@leaf
def kept_fraction(grad, Mgrad, old, n):
    """Return beta, the fraction of the old direction that the next direction contains."""
    change = before = 0.0
    for i in range(n):
        change += grad[i] * (Mgrad[i] - old[i, 1])
        before += old[i, 0] * old[i, 1]
    return max(0.0, change / max(mjMINVAL, before))


@kernel
def turn(d, nv):
    """Compute the next direction by W. Hager and H. Zhang, A new conjugate gradient method with guaranteed descent, 2005."""
    grad, Mgrad, old, along = d.solve_grad, d.solve_Mgrad, d.solve_old, d.solve_search
    bend = 0.0
    for i in range(nv):
        bend += along[i] * (grad[i] - old[i, 0])

    # Drop the old direction if the cost has no curvature along it.
    beta = 0.0
    if bend >= mjMINVAL:
        change = turned = slope = 0.0
        for i in range(nv):
            y = grad[i] - old[i, 0]
            change += y * (Mgrad[i] - old[i, 1])
            turned += y * Mgrad[i]
            slope += along[i] * grad[i]
        beta = (turned - 2 * (change / bend) * slope) / bend
        beta = max(beta, -1 / max(mjMINVAL, length(along, nv) * min(FLOOR, length(grad, nv))))
    for i in range(nv):
        along[i] = beta * along[i] - Mgrad[i]


@kernel
def descend(m, d, p):
    """Minimize the cost of problem p (an island, or all rows) by conjugate gradients."""
    island, nv, _, _, _, _, _ = p
    scale = problem_scale(m, d, p)
    start_problem(m, d, p)
    cost, inertial, _, _ = evaluate(m, d, p, False)
    set_gradient(m, d, p)
    precondition(m, d, p)
    for i in range(nv):
        d.solve_search[i] = -d.solve_Mgrad[i]

    k = idle = 0
    gained = 0.0
    later = m.compat_bits & EXIT != 0
    done = later and left_to_gain(d, nv, scale) < m.opt.tolerance

    while not done and k < m.opt.iterations and idle < PATIENCE:
        if k == SETTLED:
            transpose_rows(m, d, p)
        step, evaluations, slope = search_step(m, d, p, inertial, scale)
        if step == 0.0:
            break
        take_step(m, d, p, step)

        # Save the gradient, then evaluate the cost at the new point.
        for i in range(nv):
            d.solve_old[i, 0], d.solve_old[i, 1] = d.solve_grad[i], d.solve_Mgrad[i]
        old = cost
        cost, inertial, active, _ = evaluate(m, d, p, False)
        set_gradient(m, d, p)
        precondition(m, d, p)

        improvement, gradient = scale * (old - cost), scale * length(d.solve_grad, nv)
        save_statistics(d, island, k, improvement, gradient, slope, active, count_changes(m, d, p), evaluations, 0)
        k += 1
        gained, idle = tally(gained, improvement, idle)
        if (improvement < m.opt.tolerance and (improvement > 0 or not later)) or gradient < m.opt.tolerance:
            break

        # Compute the next direction.
        if later:
            turn(d, nv)
            continue
        # Keep the fraction beta = g' inv(M) (g - g_old) / g_old' inv(M) g_old of the old direction.
        beta = kept_fraction(d.solve_grad, d.solve_Mgrad, d.solve_old, nv)
        for i in range(nv):
            d.solve_search[i] = beta * d.solve_search[i] - d.solve_Mgrad[i]
    finish_statistics(d, island, k, 0)
