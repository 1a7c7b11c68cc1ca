"""Newton's method with a dense Hessian H = M + J' D J + cones.

H is kept up to date row by row as constraints become active or inactive, and factored again: for the sizes at hand that is
cheaper than rank-one updates of the factor, and loses no accuracy.
"""
from ..constraint.rows import NO_ISLAND
from ..constraint.update import CONE, ELLIPTIC_CONES, QUADRATIC
from ..core.consts import mjMINVAL
from ..core.jit import inline, kernel, stage
from ..core.lang import address_of, matrix_at
from ..core.stages import GROW
from ..math.dense import cholesky, cholesky_solve, times, transposed_times
from .primal import (
    count_changes,
    finish_statistics,
    inertial_cost,
    int_part,
    island_problem,
    length,
    line_search,
    move,
    part,
    prepare_line,
    problem_scale,
    save_statistics,
    set_gradient,
    times_inertia,
    update_problem,
    whole_problem,
)


@stage
def solve_newton(m, d):
    """reads rows (of islands, where there are any), qacc as first guess, M, qfrc_smooth, qacc_smooth; writes qacc, efc_force, efc_state,
    qfrc_constraint or iacc, iefc_force, iefc_state, ifrc_constraint; contact_H, solver statistics.
    """
    if d.nisland > 0 and m.opt.noslip_iterations == 0 and not m.opt.disableflags & NO_ISLAND:
        for k in range(d.nisland):
            if not newton(m, d, island_problem(d, k)):
                return
    else:
        newton(m, d, whole_problem(m, d))


@inline
def jacobian_of(m, d, p):
    if p[0] < 0:
        return matrix_at(address_of(d.efc_J, 0), p[3], p[1])
    return matrix_at(address_of(d.iefc_J, d.nidof * p[4]), p[3], p[1])


@kernel
def newton(m, d, p):
    """Solve a problem; False if there is no room for the Hessian."""
    island, nv, dof, n, row, ne, nf = p
    if nv * nv > d.nH_cap:
        d.need_H = nv * nv
        d.status = GROW
        return False
    J = jacobian_of(m, d, p)
    H, L = matrix_at(address_of(d.solve_H, 0), nv, nv), matrix_at(address_of(d.solve_L, 0), nv, nv)
    qacc, force = part(p, d.qacc, d.iacc, dof, nv), part(p, d.efc_force, d.iefc_force, row, n)
    pushed, aref = part(p, d.qfrc_constraint, d.ifrc_constraint, dof, nv), part(p, d.efc_aref, d.iefc_aref, row, n)
    elliptic = m.opt.cone == ELLIPTIC_CONES
    scale = problem_scale(m, d, p)

    times_inertia(m, d, p, d.solve_Ma, qacc)
    times(d.solve_jar, J, qacc, n, nv)
    for r in range(n):
        d.solve_jar[r] -= aref[r]
        d.solve_oldstate[r] = 0
    cost, active, cones = update_problem(m, d, p, elliptic)
    transposed_times(pushed, J, force, n, nv)
    base0 = inertial_cost(m, d, p)
    cost += base0
    start_hessian(m, d, p, H)
    update_hessian(m, d, p, H, J)
    factor(d, p, H, L, J, cones)

    set_gradient(m, d, p)

    k = 0
    while k < m.opt.iterations:
        cholesky_solve(d.solve_Mgrad, L, d.solve_grad, nv)
        for i in range(nv):
            d.solve_search[i] = -d.solve_Mgrad[i]
        times_inertia(m, d, p, d.solve_Mv, d.solve_search)
        times(d.solve_Jv, J, d.solve_search, n, nv)
        base = prepare_line(m, d, p, base0)
        step, evaluations, slope = line_search(m, d, p, base, scale, m.opt.tolerance * m.opt.ls_tolerance, m.opt.ls_iterations)
        if step == 0.0:
            break
        move(m, d, p, step)
        old, had_cones = cost, cones
        cost, active, cones = update_problem(m, d, p, elliptic)
        transposed_times(pushed, J, force, n, nv)
        base0 = inertial_cost(m, d, p)
        cost += base0
        changed = count_changes(m, d, p)
        updates = update_hessian(m, d, p, H, J)
        if updates > 0 or cones > 0 or had_cones > 0:
            factor(d, p, H, L, J, cones)
        set_gradient(m, d, p)
        improvement, gradient = scale * (old - cost), scale * length(d.solve_grad, nv)
        save_statistics(d, island, k, improvement, gradient, slope, active, changed, evaluations, updates + cones)
        k += 1
        if improvement < m.opt.tolerance or gradient < m.opt.tolerance:
            break
    finish_statistics(d, island, k, nv * nv)
    return True


# ---- Hessian ---------------------------------------------------------------------------------------------------------------------------
@kernel
def start_hessian(m, d, p, H):
    """H = M, lower triangle."""
    for i in range(p[1]):
        for k in range(i + 1):
            H[i, k] = 0.0
    for i in range(p[1]):
        if p[0] < 0:
            for a in range(m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i]):
                H[i, m.M_colind[a]] = d.M[a]
        else:
            first = d.iM_rowadr[p[2] + i]
            for a in range(first, first + d.iM_rownnz[p[2] + i]):
                H[i, d.iM_colind[a]] = d.iM[a]


@kernel
def add_outer(H, J, nv, r0, w0, r1, w1, r2, w2, r3, w3):
    """H += sum of w J[r]' J[r] over four rows, lower triangle. Rows of one contact have their zeros in common."""
    for i in range(nv):
        a, b, c, e = J[r0, i], J[r1, i], J[r2, i], J[r3, i]
        if a != 0.0 or b != 0.0 or c != 0.0 or e != 0.0:
            a *= w0
            b *= w1
            c *= w2
            e *= w3
            for k in range(i + 1):
                H[i, k] += (a * J[r0, k] + b * J[r1, k]) + (c * J[r2, k] + e * J[r3, k])


@inline
def next_change(state, old, D, r, n):
    """(row, weight) of the next row from r on that became active or inactive; row n if there is none."""
    while r < n:
        now, before = state[r] == QUADRATIC, old[r] == QUADRATIC
        if now != before:
            return r, D[r] if now else -D[r]
        r += 1
    return n, 0.0


@kernel
def update_hessian(m, d, p, H, J):
    """Bring H from the remembered states to the present ones; the number of rows that changed."""
    n, row = p[3], p[4]
    D, state = part(p, d.efc_D, d.iefc_D, row, n), int_part(p, d.efc_state, d.iefc_state, row, n)
    changed = 0
    r3 = -1
    while True:
        r0, w0 = next_change(state, d.solve_oldstate, D, r3 + 1, n)
        if r0 == n:
            return changed
        r1, w1 = next_change(state, d.solve_oldstate, D, r0 + 1, n)
        r2, w2 = next_change(state, d.solve_oldstate, D, r1 + 1, n)
        r3, w3 = next_change(state, d.solve_oldstate, D, r2 + 1, n)
        changed += 1 + (1 if r1 < n else 0) + (1 if r2 < n else 0) + (1 if r3 < n else 0)
        # missing rows have no weight, but must exist
        add_outer(H, J, p[1], r0, w0, min(r1, n - 1), w1, min(r2, n - 1), w2, min(r3, n - 1), w3)


@kernel
def factor(d, p, H, L, J, cones):
    """L = Cholesky factor of H and the contributions of contacts in a cone."""
    nv = p[1]
    for i in range(nv):
        for k in range(i + 1):
            L[i, k] = H[i, k]
    if cones > 0:
        add_cones(d, p, L, J)
    cholesky(L, nv, mjMINVAL)


@kernel
def add_cones(d, p, L, J):
    """L += J_c' H_c J_c of each contact in a cone."""
    nv, n, row = p[1], p[3], p[4]
    state, ident = int_part(p, d.efc_state, d.iefc_state, row, n), int_part(p, d.efc_id, d.iefc_id, row, n)
    r = 0
    while r < n:
        if state[r] != CONE:
            r += 1
            continue
        c = ident[r]
        dim = d.contact_dim[c]
        for a in range(dim):
            # one row of H_c J_c, then its product with J_c
            for i in range(nv):
                s = 0.0
                for b in range(dim):
                    s += d.contact_H[c, a * dim + b] * J[r + b, i]
                d.solve_Mv[i] = s
            for i in range(nv):
                x = J[r + a, i]
                if x != 0.0:
                    for k in range(i + 1):
                        L[i, k] += x * d.solve_Mv[k]
        r += dim
