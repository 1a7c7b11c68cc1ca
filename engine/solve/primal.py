"""Functions shared by Newton and CG: an island's part of the arrays, cost and forces, statistics.

The problem: minimize over accelerations a the cost 1/2 (a - a0)' M (a - a0) + s(J a - aref), with a0 the acceleration without
constraints and s the cost of `constraint.update`. A problem is (island or -1, dofs, first dof, rows, first row, equality rows,
friction rows). Without islands, it covers the Data's efc_ and q arrays; an island covers a range of the iefc_ and i arrays.
"""

from math import sqrt

from ..constraint.append_rows import NO_ISLAND
from ..constraint.update import ELLIPTIC_CONES, update_bilateral, update_cones, update_unilateral
from ..dynamics.metric import is_discrete, metric_times
from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel, leaf
from ..machine.lang import address_of, array_at, ints_at, load, matrix_at, store
from ..math.dense import copy, dot, transposed_times
from ..math.dense import times as dense_times
from ..math.sparse import add_columns, add_transposed, columns_times, solve_tree, supernode_times, symmetric_times, transpose
from ..tables.compat_rows import bit
from ..tables.consts import mjMINVAL, mjNISLAND, mjNSOLVER
from ..tables.scratch import CONES, GUESSED, PROBLEM, TRANSPOSED

# operations of the Hessian's stages
BEGIN, REFRESH, SOLVE = range(3)
# bits of compatibility changes
EXIT, TRACE = bit("solver_exit"), bit("trace_scale")
# A solver stops after this many iterations without improvement, even if its iteration limit is higher.
# NaN forces never converge, and finite ones may stop improving.
PATIENCE = 1000


# ---- the arrays of a problem -------------------------------------------------------------------------------------------
@inline
def by_island(m, d):
    """Return whether each island is solved as a separate problem."""
    return d.nisland > 0 and m.opt.noslip_iterations == 0 and not m.opt.disableflags & NO_ISLAND and not is_discrete(m)


@inline
def problems(m, d):
    """Return the range (start, end) of problem indices for `open_problem`."""
    return (0, d.nisland) if by_island(m, d) else (-1, 0)


@kernel
def open_problem(m, d, k):
    """Store the problem of island k (-1: all rows) in work_problem, and return it."""
    p = d.work_problem
    if k < 0:
        store(p, 0, (k, m.nv, 0, d.nefc, 0, d.ne, d.nf))
    else:
        store(
            p,
            0,
            (k, d.island_nv[k], d.island_idofadr[k], d.island_nefc[k], d.island_iefcadr[k], d.island_ne[k], d.island_nf[k]),
        )
    p[CONES] = p[TRANSPOSED] = 0
    return the_problem(d)


@inline
def tally(gained, improvement, idle):
    """Return (total gain so far, number of iterations so far whose gain was below rounding error)."""
    total = gained + improvement
    return total, idle + (0 if total > gained else 1)


@inline
def the_problem(d):
    return load(d.work_problem, 0, PROBLEM)


@inline
def view(p, whole, sorted_array, first, n):
    """Return a problem's part of a float array: of `sorted_array` for an island, else the whole array."""
    return array_at(address_of(sorted_array, first) if p[0] >= 0 else address_of(whole, 0), n)


@inline
def int_view(p, whole, sorted_array, first, n):
    return ints_at(address_of(sorted_array, first) if p[0] >= 0 else address_of(whole, 0), n)


@kernel
def whole_scale(m, d):
    """Return the `problem_scale` of the problem of all rows."""
    if m.compat_bits & TRACE == 0:
        return 1 / (m.stat.meaninertia * max(1, m.nv))
    s = 0.0
    for i in range(m.nv):
        s += d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1]
    return 1 / max(mjMINVAL, s)


@inline
def problem_scale(m, d, p):
    """Return 1 / inertia. This factor makes cost and gradient independent of a model's size and mass."""
    if p[0] < 0:
        return whole_scale(m, d)
    s = 0.0
    for i in range(p[2], p[2] + p[1]):
        s += d.iM[d.iM_rowadr[i] + d.iM_rownnz[i] - 1]
    return 1 / s


@kernel
def times_inertia(m, d, p, y, x):
    """Set y = M x."""
    if is_discrete(m):
        metric_times(m, d, y, x)
    elif p[0] < 0:
        symmetric_times(y, d.M, m.M_rownnz, m.M_rowadr, m.M_colind, x, m.nv)
    else:
        symmetric_times(
            y,
            d.iM,
            ints_at(address_of(d.iM_rownnz, p[2]), p[1]),
            ints_at(address_of(d.iM_rowadr, p[2]), p[1]),
            d.iM_colind,
            x,
            p[1],
        )


# ---- rows --------------------------------------------------------------------------------------------------------------
@inline
def dense_rows(m, d, p):
    """Return the Jacobian of a problem as a matrix."""
    if p[0] < 0:
        return matrix_at(address_of(d.efc_J, 0), p[3], p[1])
    return matrix_at(address_of(d.iefc_J, d.nidof * p[4]), p[3], p[1])


@inline
def sparse_rows(d, p):
    """Return (values, nonzeros, addresses, columns, supernodes) of a problem's Jacobian."""
    n, row = p[3], p[4]
    return (
        d.efc_J if p[0] < 0 else d.iefc_J,
        int_view(p, d.efc_J_rownnz, d.iefc_J_rownnz, row, n),
        int_view(p, d.efc_J_rowadr, d.iefc_J_rowadr, row, n),
        d.efc_J_colind if p[0] < 0 else d.iefc_J_colind,
        int_view(p, d.efc_J_rowsuper, d.iefc_J_rowsuper, row, n),
    )


@kernel
def rows_times(m, d, p, y, x):
    """Set y = J x."""
    if is_sparse(m) and d.work_problem[TRANSPOSED]:
        for r in range(p[3]):
            y[r] = 0.0
        add_columns(y, d.solve_JT, d.solve_JT_end, d.solve_JT_row, x, p[1])
    elif is_sparse(m):
        J, nnz, adr, col, same = sparse_rows(d, p)
        supernode_times(y, J, nnz, adr, col, same, x, p[3])
    else:
        dense_times(y, dense_rows(m, d, p), x, p[3], p[1])


@kernel
def transpose_rows(m, d, p):
    """Store a problem's Jacobian by columns. This speeds up products with its transpose, because it avoids scattered writes."""
    if is_sparse(m):
        J, nnz, adr, col, same = sparse_rows(d, p)
        transpose(d.solve_JT, d.solve_JT_end, d.solve_JT_row, J, nnz, adr, col, p[3], p[1])
        d.work_problem[TRANSPOSED] = 1


@kernel
def set_joint_forces(m, d, p):
    """writes qfrc_constraint or ifrc_constraint = J' force."""
    _, nv, dof, n, row, ne, nf = p
    force, joint = view(p, d.efc_force, d.iefc_force, row, n), view(p, d.qfrc_constraint, d.ifrc_constraint, dof, nv)
    if is_sparse(m) and d.work_problem[TRANSPOSED]:
        columns_times(joint, d.solve_JT, d.solve_JT_end, d.solve_JT_row, force, nv)
    elif is_sparse(m):
        J, nnz, adr, col, same = sparse_rows(d, p)
        for i in range(nv):
            joint[i] = 0.0
        add_transposed(joint, J, nnz, adr, col, same, force, n)
    else:
        transposed_times(joint, dense_rows(m, d, p), force, n, nv)


# ---- cost and gradient -------------------------------------------------------------------------------------------------
@kernel
def update_problem(m, d, p, hessian):
    """reads solve_jar; writes forces and states; returns (cost of constraints, active rows, rows of contacts in the middle
    zone)."""
    _, nv, dof, n, row, ne, nf = p
    D, R = view(p, d.efc_D, d.iefc_D, row, n), view(p, d.efc_R, d.iefc_R, row, n)
    floss, force = view(p, d.efc_frictionloss, d.iefc_frictionloss, row, n), view(p, d.efc_force, d.iefc_force, row, n)
    state = int_view(p, d.efc_state, d.iefc_state, row, n)
    cost = update_bilateral(ne, nf, D, R, floss, d.solve_jar, state, force)
    cones = 0
    if m.opt.cone == ELLIPTIC_CONES:
        kind, ident = int_view(p, d.efc_type, d.iefc_type, row, n), int_view(p, d.efc_id, d.iefc_id, row, n)
        more, active, cones = update_cones(d, ne + nf, n, kind, ident, D, d.solve_jar, state, force, hessian)
    else:
        more, active = update_unilateral(ne + nf, n, D, d.solve_jar, state, force)
    return cost + more, active + ne + nf, cones


@leaf
def dot_of_differences(a, b, c, e, n):
    """Return (a - b) . (c - e)."""
    s = 0.0
    for i in range(n):
        s += (a[i] - b[i]) * (c[i] - e[i])
    return s


@kernel
def inertial_cost(m, d, p):
    """Return 1/2 (a - a0)' (M a - M a0)."""
    _, nv, dof, n, row, ne, nf = p
    qacc, smooth = view(p, d.qacc, d.iacc, dof, nv), view(p, d.qacc_smooth, d.iacc_smooth, dof, nv)
    force = view(p, d.qfrc_smooth, d.ifrc_smooth, dof, nv)
    return 0.5 * dot_of_differences(d.solve_Ma, force, qacc, smooth, nv)


@kernel
def set_gradient(m, d, p):
    """writes solve_grad = M a - (smooth and constraint forces)."""
    _, nv, dof, n, row, ne, nf = p
    smooth, constraint = view(p, d.qfrc_smooth, d.ifrc_smooth, dof, nv), view(p, d.qfrc_constraint, d.ifrc_constraint, dof, nv)
    for i in range(nv):
        d.solve_grad[i] = d.solve_Ma[i] - smooth[i] - constraint[i]


@kernel
def precondition(m, d, p):
    """Set solve_Mgrad = inv(M) solve_grad."""
    nv, dof = p[1], p[2]
    for i in range(nv):
        d.solve_Mgrad[i] = d.solve_grad[i]
    if is_discrete(m):
        solve_tree(d.solve_Mgrad, d.qH, d.qHDiagInv, m.M_rownnz, m.M_rowadr, m.M_colind, nv)
    elif p[0] < 0:
        solve_tree(d.solve_Mgrad, d.qLD, d.qLDiagInv, m.M_rownnz, m.M_rowadr, m.M_colind, nv)
    else:
        solve_tree(
            d.solve_Mgrad,
            d.iLD,
            array_at(address_of(d.iLDiagInv, dof), nv),
            ints_at(address_of(d.iM_rownnz, dof), nv),
            ints_at(address_of(d.iM_rowadr, dof), nv),
            d.iM_colind,
            nv,
        )


@inline
def left_to_gain(d, nv, scale):
    """Return an estimate of how much the cost can still fall: half of solve_grad' solve_Mgrad, scaled.

    If solve_Mgrad = inv(M) solve_grad, this is an upper bound, because the cost is convex and its Hessian is at least M. If
    solve_Mgrad uses the inverse Hessian, it is exact for a quadratic cost.
    """
    return max(0.0, 0.5 * scale * dot(d.solve_grad, 0, d.solve_Mgrad, 0, nv))


@kernel
def take_step(m, d, p, step):
    """Take a step along the search direction, and save the constraint states."""
    _, nv, dof, n, row, ne, nf = p
    qacc, state = view(p, d.qacc, d.iacc, dof, nv), int_view(p, d.efc_state, d.iefc_state, row, n)
    for i in range(nv):
        qacc[i] += d.solve_search[i] * step
        d.solve_Ma[i] += d.solve_Mv[i] * step
    for r in range(n):
        d.solve_jar[r] += d.solve_Jv[r] * step
    for r in range(n):
        d.solve_oldstate[r] = state[r]


@inline
def length(x, n):
    return sqrt(dot(x, 0, x, 0, n))


@kernel
def start_problem(m, d, p):
    """reads qacc as first guess; writes solve_Ma = M a, solve_jar = J a - aref."""
    island, nv, dof, n, row, _, _ = p
    times_inertia(m, d, p, d.solve_Ma, view(p, d.qacc, d.iacc, dof, nv))
    if not d.work_problem[GUESSED]:
        aref = view(p, d.efc_aref, d.iefc_aref, row, n)
        rows_times(m, d, p, d.solve_jar, view(p, d.qacc, d.iacc, dof, nv))
        for r in range(n):
            d.solve_jar[r] -= aref[r]
    elif island >= 0:
        copy(d.solve_jar, 0, d.solve_first, row, n)


@kernel
def evaluate(m, d, p, hessian):
    """Return (cost, its inertial part, active rows, rows of contacts in the middle zone) at the current acceleration.

    Writes forces and states and, with `hessian`, contact_H.
    """
    cost, active, cones = update_problem(m, d, p, hessian)
    set_joint_forces(m, d, p)
    inertial = inertial_cost(m, d, p)
    return cost + inertial, inertial, active, cones


# ---- statistics --------------------------------------------------------------------------------------------------------
@kernel
def count_changes(m, d, p):
    """Return the number of rows whose state differs from their saved state."""
    state = int_view(p, d.efc_state, d.iefc_state, p[4], p[3])
    changed = 0
    for r in range(p[3]):
        changed += 1 if state[r] != d.solve_oldstate[r] else 0
    return changed


@kernel
def save_statistics(d, island, k, improvement, gradient, slope, active, changed, evaluations, updates):
    """Save the statistics of iteration k of an island in Data, which has room only for the first islands and iterations."""
    if island < mjNISLAND and k < mjNSOLVER:
        r = max(0, island) * mjNSOLVER + k
        d.solver_improvement[r], d.solver_gradient[r], d.solver_lineslope[r] = improvement, gradient, slope
        d.solver_nactive[r], d.solver_nchange[r], d.solver_neval[r], d.solver_nupdate[r] = active, changed, evaluations, updates


@inline
def finish_statistics(d, island, iterations, nonzeros):
    if island < mjNISLAND:
        d.solver_niter[max(0, island)] += iterations
        d.solver_nnz[max(0, island)] = nonzeros
