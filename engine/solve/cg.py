"""Conjugate gradients with M as preconditioner (E. Polak, G. Ribiere, 1969; started anew when the direction would turn back)."""
from ..core.consts import mjMINVAL
from ..core.jit import kernel, stage
from ..core.lang import address_of, array_at, ints_at
from ..math.sparse import solve_tree
from .primal import (
    count_changes,
    evaluate,
    finish_statistics,
    length,
    open_problem,
    problem_scale,
    problems,
    save_statistics,
    search_step,
    set_gradient,
    start_problem,
    take_step,
)


@stage
def solve_cg(m, d):
    """reads rows (of islands, where there are any), qacc as first guess, M, qLD, qfrc_smooth, qacc_smooth; writes qacc, efc_force,
    efc_state, qfrc_constraint or iacc, iefc_force, iefc_state, ifrc_constraint; solver statistics.
    """
    first, last = problems(m, d)
    for k in range(first, last):
        descend(m, d, open_problem(m, d, k))


@kernel
def precondition(m, d, p):
    """solve_Mgrad = inv(M) solve_grad"""
    nv, dof = p[1], p[2]
    for i in range(nv):
        d.solve_Mgrad[i] = d.solve_grad[i]
    if p[0] < 0:
        solve_tree(d.solve_Mgrad, d.qLD, d.qLDiagInv, m.M_rownnz, m.M_rowadr, m.M_colind, nv)
    else:
        solve_tree(d.solve_Mgrad, d.iLD, array_at(address_of(d.iLDiagInv, dof), nv), ints_at(address_of(d.iM_rownnz, dof), nv),
                   ints_at(address_of(d.iM_rowadr, dof), nv), d.iM_colind, nv)


@kernel
def descend(m, d, p):
    """Solve a problem."""
    island, nv, _, _, _, _, _ = p
    scale = problem_scale(m, d, p)
    start_problem(m, d, p)
    cost, inertial, _, _ = evaluate(m, d, p, False)
    set_gradient(m, d, p)
    precondition(m, d, p)
    for i in range(nv):
        d.solve_search[i] = -d.solve_Mgrad[i]

    k = 0
    while k < m.opt.iterations:
        step, evaluations, slope = search_step(m, d, p, inertial, scale)
        if step == 0.0:
            break
        take_step(m, d, p, step)
        for i in range(nv):
            d.solve_old[i, 0], d.solve_old[i, 1] = d.solve_grad[i], d.solve_Mgrad[i]
        old = cost
        cost, inertial, active, _ = evaluate(m, d, p, False)
        set_gradient(m, d, p)
        precondition(m, d, p)
        improvement, gradient = scale * (old - cost), scale * length(d.solve_grad, nv)
        save_statistics(d, island, k, improvement, gradient, slope, active, count_changes(m, d, p), evaluations, 0)
        k += 1
        if improvement < m.opt.tolerance or gradient < m.opt.tolerance:
            break
        # beta = g' inv(M) (g - g_old) / g_old' inv(M) g_old: how much of the old direction is kept
        beta = 0.0
        before = 0.0
        for i in range(nv):
            beta += d.solve_grad[i] * (d.solve_Mgrad[i] - d.solve_old[i, 1])
            before += d.solve_old[i, 0] * d.solve_old[i, 1]
        beta = max(0.0, beta / max(mjMINVAL, before))
        for i in range(nv):
            d.solve_search[i] = beta * d.solve_search[i] - d.solve_Mgrad[i]
    finish_statistics(d, island, k, 0)
