"""Noslip solver: Gauss-Seidel iterations on friction forces only, after the main solver, and without the softness R."""

from ..constraint.append_rows import ELLIPTIC, PYRAMIDAL
from ..machine.jit import inline, kernel, stage
from ..machine.lang import small
from ..math.vec import clip
from ..tables.consts import mjMINVAL
from .dual import (
    ERROR,
    FRESH,
    finish_dual,
    friction_in_cone,
    keep_better,
    open_matrix,
    open_whole_problem,
    save_sweep,
    shift_residuals,
    start_residuals,
    take_block,
)
from .pgs import USUAL
from .primal import PATIENCE, tally, whole_scale


@stage
def solve_noslip(m, d):
    """reads efc_AR, efc_b, rows, efc_force; writes efc_force, efc_state, qfrc_constraint, qacc, solver_niter, solver
    statistics.
    """
    address, stride = open_matrix(m, d)
    if address == 0:
        return
    p = open_whole_problem(m, d, address, stride, True)
    scale = whole_scale(m, d)
    done = int(d.solver_niter[0])
    k = idle = 0
    gained = 0.0

    while k < m.opt.noslip_iterations and idle < PATIENCE:
        improvement = 0.0
        # Omitting R lowers the cost from the start by the contribution of R.
        if k == 0:
            for r in range(d.nefc):
                improvement += 0.5 * d.efc_force[r] * d.efc_force[r] * d.efc_R[r]
        if k % FRESH == 0:
            start_residuals(p, int(d.nefc))
        improvement = scale * (improvement + sweep_loss(d, p) + sweep_contacts(d, p))
        save_sweep(m, d, p, done + k, improvement)
        k += 1
        gained, idle = tally(gained, improvement, idle)
        if improvement < m.opt.noslip_tolerance:
            break

    d.solver_niter[0] += k
    finish_dual(m, d)


@kernel
def sweep_loss(d, p):
    """Improve the friction loss forces of dofs and tendons; return the decrease in cost."""
    gain = 0.0
    for r in range(d.ne, d.ne + d.nf):
        before, loss = d.efc_force[r], d.efc_frictionloss[r]
        error = p[ERROR][r] - d.efc_R[r] * before
        x = clip(before - error * d.solve_inverse[r], -loss, loss)
        d.efc_force[r] = x
        change = x - before
        shift_residuals(p, r, change)
        gain -= 0.5 * change * change * d.solve_diagonal[r] + change * error
    return gain


@kernel
def sweep_contacts(d, p):
    """Improve the friction forces of contacts; return the decrease in cost."""
    gain = 0.0
    r = d.ne + d.nf
    while r < d.nefc:
        kind = d.efc_type[r]
        if kind == PYRAMIDAL:
            end = r + 2 * (d.contact_dim[d.efc_id[r]] - 1)
            while r < end:
                gain -= improve_edges(d, p, r)
                r += 2
        elif kind == ELLIPTIC:
            n = d.contact_dim[d.efc_id[r]] - 1
            gain -= improve_friction(d, p, r + 1, n)
            r += n + 1
        else:
            r += 1
    return gain


@inline
def start_block(d, p, first, n, A, b, old, res):
    """Write residuals, old forces, the block of A, and the linear term b of the quadratic problem of n rows."""
    for j in range(n):
        old[j] = d.efc_force[first + j]
        res[j] = p[ERROR][first + j] - d.efc_R[first + j] * old[j]
    take_block(p, A, first, n, True)
    for j in range(n):
        s = 0.0
        for k in range(n):
            s += A[j * n + k] * old[k]
        b[j] = res[j] - s


@inline
def finish_block(d, p, first, n, A, old, res):
    """Keep the new forces of a block if they are better, and update the residuals. Return the change in cost."""
    change = keep_better(d.efc_force, first, n, A, old, res)
    for j in range(n):
        shift_residuals(p, first + j, d.efc_force[first + j] - old[j])
    return change


@kernel
def improve_edges(d, p, first):
    """Improve the forces of two opposite pyramid edges without changing their sum, the normal force. Return the change in
    cost."""
    A, b, old, res = small(4), small(2), small(2), small(2)
    if d.efc_force[first] == 0 and d.efc_force[first + 1] == 0:
        return 0.0
    start_block(d, p, first, 2, A, b, old, res)
    middle = 0.5 * (old[0] + old[1])
    curve = A[0] + A[3] - A[1] - A[2]
    y = 0.0
    if curve >= mjMINVAL:
        y = -(middle * (A[0] - A[3]) + b[0] - b[1]) / curve
        y = clip(y, -middle, middle)
    d.efc_force[first], d.efc_force[first + 1] = middle + y, middle - y
    return finish_block(d, p, first, 2, A, old, res)


@inline
def is_zero(x, first, n):
    for k in range(first, first + n):
        if x[k] != 0:
            return False
    return True


@inline
def improve_friction(d, p, first, n):
    """Improve the n friction forces of an elliptic contact; return the change in cost."""
    if d.efc_force[first - 1] < mjMINVAL and is_zero(d.efc_force, first, n):
        return 0.0
    return improve_usual_friction(d, p, first) if n == USUAL - 1 else improve_any_friction(d, p, first, n)


@kernel
def improve_usual_friction(d, p, first):
    """As `minimize_friction`. Since the number of rows is known, the compiler unrolls all loops over them."""
    A, b, old, res, x = small(4), small(2), small(2), small(2), small(2)
    return minimize_friction(d, p, first, USUAL - 1, A, b, old, res, x)


@kernel
def improve_any_friction(d, p, first, n):
    """As `minimize_friction`, for any number of rows."""
    A, b, old, res, x = small(25), small(5), small(5), small(5), small(5)
    return minimize_friction(d, p, first, n, A, b, old, res, x)


@inline
def minimize_friction(d, p, first, n, A, b, old, res, x):
    """Improve the n friction forces of an elliptic contact; return the change in cost. A, b, old, res, x: scratch
    arrays."""
    start_block(d, p, first, n, A, b, old, res)
    friction_in_cone(d, d.efc_force, d.efc_id[first], first, n, A, b, x)
    return finish_block(d, p, first, n, A, old, res)
