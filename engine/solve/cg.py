"""Conjugate gradients with M as preconditioner (Polak-Ribiere, started anew when the direction would turn back)."""
from ..core.consts import mjMINVAL
from ..core.jit import kernel, stage
from ..core.lang import address_of, array_at, ints_at
from ..math.sparse import solve_tree
from .primal import (
    count_changes,
    finish_statistics,
    inertial_cost,
    length,
    line_search,
    open_problem,
    prepare_line,
    problem_scale,
    problems,
    rows_times,
    save_statistics,
    set_gradient,
    set_joint_forces,
    take_step,
    times_inertia,
    update_problem,
    view,
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
    island, nv, dof, n, row, ne, nf = p
    qacc, aref = view(p, d.qacc, d.iacc, dof, nv), view(p, d.efc_aref, d.iefc_aref, row, n)
    scale = problem_scale(m, d, p)
    times_inertia(m, d, p, d.solve_Ma, qacc)
    rows_times(m, d, p, d.solve_jar, qacc)
    for r in range(n):
        d.solve_jar[r] -= aref[r]
    cost, active, cones = update_problem(m, d, p, False)
    set_joint_forces(m, d, p)
    base0 = inertial_cost(m, d, p)
    cost += base0
    set_gradient(m, d, p)
    precondition(m, d, p)
    for i in range(nv):
        d.solve_search[i] = -d.solve_Mgrad[i]

    k = 0
    while k < m.opt.iterations:
        times_inertia(m, d, p, d.solve_Mv, d.solve_search)
        rows_times(m, d, p, d.solve_Jv, d.solve_search)
        base = prepare_line(m, d, p, base0)
        step, evaluations, slope = line_search(m, d, p, base, scale, m.opt.tolerance * m.opt.ls_tolerance, m.opt.ls_iterations)
        if step == 0.0:
            break
        take_step(m, d, p, step)
        for i in range(nv):
            d.solve_old[i, 0], d.solve_old[i, 1] = d.solve_grad[i], d.solve_Mgrad[i]
        old = cost
        cost, active, cones = update_problem(m, d, p, False)
        set_joint_forces(m, d, p)
        base0 = inertial_cost(m, d, p)
        cost += base0
        set_gradient(m, d, p)
        precondition(m, d, p)
        improvement, gradient = scale * (old - cost), scale * length(d.solve_grad, nv)
        save_statistics(d, island, k, improvement, gradient, slope, active, count_changes(m, d, p), evaluations, 0)
        k += 1
        if improvement < m.opt.tolerance or gradient < m.opt.tolerance:
            break
        turn = 0.0
        before = 0.0
        for i in range(nv):
            turn += d.solve_grad[i] * (d.solve_Mgrad[i] - d.solve_old[i, 1])
            before += d.solve_old[i, 0] * d.solve_old[i, 1]
        turn = max(0.0, turn / max(mjMINVAL, before))
        for i in range(nv):
            d.solve_search[i] = turn * d.solve_search[i] - d.solve_Mgrad[i]
    finish_statistics(d, island, k, 0)
