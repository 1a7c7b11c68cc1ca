"""Projected Gauss-Seidel: improves the forces of one constraint after another, while all other forces are fixed."""

from ..constraint.append_rows import ELLIPTIC
from ..constraint.update import ELLIPTIC_CONES
from ..core import stages
from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel, stage
from ..machine.lang import address_of, guessed, small
from ..math.dense import dot
from ..math.vec import clip
from ..tables import stage_rows
from ..tables.compat_rows import bit
from ..tables.consts import mjMINVAL
from .dual import (
    ERROR,
    FORCE,
    FRESH,
    IDENT,
    KIND,
    LOSS,
    STRIDE,
    VALUES,
    WORSE,
    finish_dual,
    friction_in_cone,
    keep_better,
    open_matrix,
    open_whole_problem,
    residual,
    save_sweep,
    shift_residuals,
    start_residuals,
    take_block,
    whole_problem,
)
from .primal import PATIENCE, finish_statistics, tally, whole_scale

# types of bounds on the force of a row
FREE, BOUNDED, NONNEGATIVE = range(3)
# Most elliptic contacts have friction in two directions only: number of their rows, and of the elements of the rows' matrix.
USUAL, SQUARE = 3, 9
LATER, MOMENTUM = bit("pgs_momentum"), stage_rows.stage_id("solve_pgs_momentum")


@stage
def force_cost(m, d):
    """reads efc_AR, efc_b, efc_force; writes efc_force, qfrc_constraint: zero if zero forces have a lower cost."""
    p = whole_problem(d, address_of(d.efc_AR, 0), 0 if is_sparse(m) else int(d.nefc))
    cost = 0.0
    for r in range(d.nefc):
        cost += d.efc_force[r] * (d.efc_b[r] + 0.5 * (residual(p, r) - d.efc_b[r]))
    if cost > 0:
        for r in range(d.nefc):
            d.efc_force[r] = 0.0
        for i in range(m.nv):
            d.qfrc_constraint[i] = 0.0


@stage
def solve_pgs(m, d):
    """reads efc_AR, efc_b, rows; writes efc_force, efc_state, qfrc_constraint, qacc, solver statistics."""
    if m.compat_bits & LATER:
        stages.run(m, d, MOMENTUM)
        return

    # Sweep until the cost hardly decreases.
    address, stride = open_matrix(m, d)
    if address == 0:
        return
    p = open_whole_problem(m, d, address, stride, False)
    scale = whole_scale(m, d)
    k = idle = 0
    gained = 0.0
    while k < m.opt.iterations and idle < PATIENCE:
        if k % FRESH == 0:
            start_residuals(p, int(d.nefc))
        improvement = scale * sweep(m, d, p)
        save_sweep(m, d, p, k, improvement)
        k += 1
        gained, idle = tally(gained, improvement, idle)
        if improvement < m.opt.tolerance:
            break

    nonzeros = d.nefc * d.nefc
    if is_sparse(m):
        nonzeros = 0
        for r in range(d.nefc):
            nonzeros += d.efc_AR_rownnz[r]
    finish_statistics(d, 0, k, nonzeros)
    finish_dual(m, d)


@kernel
def sweep(m, d, p):
    """Improve every constraint once; return the decrease in cost."""
    gain = sweep_simple(d, p, 0, d.ne, FREE)
    gain += sweep_simple(d, p, d.ne, d.ne + d.nf, BOUNDED)
    if m.opt.cone == ELLIPTIC_CONES:
        return gain + sweep_cones(d, p)
    return gain + sweep_simple(d, p, d.ne + d.nf, d.nefc, NONNEGATIVE)


@kernel
def sweep_simple(d, p, first, last, kind):
    """Improve rows whose force is bounded independently of other forces; return the decrease in cost.

    The force is FREE, BOUNDED by the friction loss, or NONNEGATIVE.
    """
    force, inverse, diagonal = p[FORCE], d.solve_inverse, d.solve_diagonal
    gain = 0.0

    # Compute the best force within its bounds.
    error = p[ERROR][first] if first < last else 0.0
    for r in range(first, last):
        before = force[r]
        x = before - error * inverse[r]
        if kind == NONNEGATIVE:
            x = 0.0 if x < 0 else x
        elif kind == BOUNDED:
            loss = p[LOSS][r]
            x = clip(x, -loss, loss)

        # Keep the old force if the cost would rise.
        change = x - before
        cost = 0.5 * change * change * diagonal[r] + change * error
        if guessed(cost > WORSE):
            x, cost = before, 0.0
        force[r] = x
        gain -= cost

        # The next row's residual comes first: its force waits for it, while the others take long.
        change, after = x - before, min(r + 1, last - 1)
        if p[STRIDE]:
            error = p[ERROR][after] + p[VALUES][r * p[STRIDE] + after] * change
            shift_residuals(p, r, change)
        else:
            shift_residuals(p, r, change)
            error = p[ERROR][after]
    return gain


@inline
def sweep_cone(d, p, r, A, old, res):
    """Improve one elliptic contact; return the decrease in cost."""
    dim = int(d.contact_dim[p[IDENT][r]])
    if dim == USUAL:
        return sweep_usual_cone(d, p, r)
    return sweep_cone_of(d, p, r, dim, A, old, res)


@kernel
def sweep_usual_cone(d, p, r):
    """As `sweep_cone_of`. Since the number of rows is known, the compiler unrolls all loops over them."""
    A, old, res = small(SQUARE), small(USUAL), small(USUAL)
    return sweep_cone_of(d, p, r, USUAL, A, old, res)


@inline
def sweep_cone_of(d, p, r, dim, A, old, res):
    """Improve one elliptic contact of `dim` rows; return the decrease in cost. A, old, res: scratch arrays."""
    force = p[FORCE]
    for j in range(dim):
        res[j] = p[ERROR][r + j]
        old[j] = force[r + j]
    take_block(p, A, r, dim, False)
    improve_cone(d, p, r, dim, A, old, res)
    change = keep_better(force, r, dim, A, old, res)
    for j in range(dim):
        shift_residuals(p, r + j, force[r + j] - old[j])
    return -change


@kernel
def sweep_cones(d, p):
    """Improve all limits and contacts in a model with elliptic contacts; return the decrease in cost."""
    A, old, res = small(36), small(6), small(6)
    gain = 0.0
    r = d.ne + d.nf
    while r < d.nefc:
        if p[KIND][r] != ELLIPTIC:
            gain += sweep_simple(d, p, r, r + 1, NONNEGATIVE)
            r += 1
            continue
        gain += sweep_cone(d, p, r, A, old, res)
        r += d.contact_dim[p[IDENT][r]]
    return gain


@inline
def improve_cone(d, p, r, dim, A, old, res):
    """If the normal force is zero, find the best normal force, otherwise the best factor for the whole force. Then find the
    best friction for the new normal force."""
    force = p[FORCE]

    if force[r] < mjMINVAL:
        force[r] = max(0.0, force[r] - res[0] * d.solve_inverse[r])
        for j in range(1, dim):
            force[r + j] = 0.0
    else:
        curve = slope = 0.0
        for i in range(dim):
            curve += old[i] * dot(A, i * dim, old, 0, dim)
            slope += old[i] * res[i]
        if curve >= mjMINVAL:
            x = -slope / curve
            # The normal force must stay positive.
            if force[r] + x * old[0] < 0:
                x = -old[0] / force[r]
            for j in range(dim):
                force[r + j] += x * old[j]

    # Find the friction force; b includes the effect of the changed normal force.
    C, b, x = small(25), small(5), small(5)
    n = dim - 1
    for j in range(n):
        s = res[1 + j]
        for k in range(n):
            C[j * n + k] = A[(j + 1) * dim + 1 + k]
            s -= C[j * n + k] * old[1 + k]
        b[j] = s + A[(j + 1) * dim] * (force[r] - old[0])
    friction_in_cone(d, force, p[IDENT][r], r + 1, n, C, b, x)
