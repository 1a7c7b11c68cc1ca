"""Projected Gauss-Seidel as in MuJoCo 3.11 and later: islands one by one, constraints in shuffled order, with momentum.

Before each sweep, forces are extrapolated by (k - 1) / (k + 2) of their last change (Y. Nesterov, 1983) and projected onto
their feasible sets. The count k restarts if the sweep moves against this momentum (B. O'Donoghue, E. Candes, Adaptive restart
for accelerated gradient schemes, 2015). The random order comes from PCG32 (M. O'Neill, 2014), always with the same seed. Array
solve_oldstate stores the first row of each block, solve_quad the forces before and after extrapolation.
"""

from math import sqrt

import numpy as np

from ..constraint.append_rows import ELLIPTIC, NO_ISLAND
from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel, stage
from ..machine.lang import small
from ..math.vec import clip
from ..tables.consts import mjMINVAL
from .dual import (
    finish_dual,
    invert_diagonal,
    matrix_values,
    open_matrix,
    residual,
    row_of,
    set_all_states,
    set_states,
    shift_residuals,
)
from .pgs import BOUNDED, FREE, NONNEGATIVE, sweep_cone, sweep_simple
from .primal import PATIENCE, finish_statistics, save_statistics, tally, whole_scale

FACTOR, STEP = np.uint64(6364136223846793005), np.uint64(1)
S18, S27, S59 = (np.uint64(n) for n in (18, 27, 59))
WORD, SHIFTS = np.uint64(0xFFFFFFFF), np.uint64(31)
# columns of solve_quad: forces before and after extrapolation, residuals before it
BEFORE, START, ERROR = range(3)
# Residuals are computed anew after this many iterations, so that rounding errors do not add up.
FRESH = 32


@inline
def next_word(state):
    """Return (32 random bits, next state) of the PCG32 generator."""
    word = (((state >> S18) ^ state) >> S27) & WORD
    turn = state >> S59
    back = (np.uint64(32) - turn) & SHIFTS
    return ((word >> turn) | (word << back)) & WORD, state * FACTOR + STEP


@inline
def size_of(d, r):
    return int(d.contact_dim[d.efc_id[r]]) if d.efc_type[r] == ELLIPTIC else 1


@kernel
def find_blocks(d, first, n):
    """writes solve_oldstate: start positions of a problem's blocks, that is, of rows that are improved together; returns their
    number."""
    count = c = 0
    while c < n:
        d.solve_oldstate[count] = c
        count += 1
        c += size_of(d, row_of(d, first, c))
    return count


@kernel
def shuffle(d, count, state):
    """Shuffle the blocks; return the next state of the random generator."""
    for i in range(count - 1, 0, -1):
        word, state = next_word(state)
        j = int(word % np.uint64(i + 1))
        d.solve_oldstate[i], d.solve_oldstate[j] = d.solve_oldstate[j], d.solve_oldstate[i]
    return state


@inline
def into_cone(d, r, dim):
    """Project a contact's forces onto its friction cone: nonnegative normal force, friction within the ellipse that it
    allows."""
    normal, k = d.efc_force[r], d.efc_id[r]
    if normal < 0:
        for j in range(dim):
            d.efc_force[r + j] = 0.0
        return
    s = 0.0
    for j in range(1, dim):
        x = d.efc_force[r + j] / d.contact_friction[k, j - 1]
        s += x * x
    if s > normal * normal:
        s = sqrt(normal * normal / max(mjMINVAL, s))
        for j in range(1, dim):
            d.efc_force[r + j] *= s


@kernel
def carry_on(d, first, n, beta):
    """Extrapolate forces and residuals by the fraction beta of their last change. Save the forces before and after."""
    force, error, kept = d.efc_force, d.solve_jar, d.solve_quad

    # The residuals are affine functions of the forces, so they are extrapolated in the same way.
    for c in range(n):
        r = row_of(d, first, c)
        x, e = force[r], error[r]
        if beta > 0:
            force[r] = x + beta * (x - kept[r, BEFORE])
            error[r] = e + beta * (e - kept[r, ERROR])
        kept[r, BEFORE], kept[r, ERROR], kept[r, START] = x, e, force[r]


@kernel
def into_bounds(d, AR, sparse, first, n, ne, nf):
    """Project extrapolated forces onto their feasible sets. Update the residuals and the saved forces."""
    force = d.efc_force
    c = ne
    while c < n:
        r = row_of(d, first, c)
        dim = size_of(d, r)
        if c < ne + nf:
            force[r] = clip(force[r], -d.efc_frictionloss[r], d.efc_frictionloss[r])
        elif d.efc_type[r] == ELLIPTIC:
            into_cone(d, r, dim)
        else:
            force[r] = max(force[r], 0.0)
        for j in range(r, r + dim):
            shift_residuals(d, AR, j, force[j] - d.solve_quad[j, START], sparse)
            d.solve_quad[j, START] = force[j]
        c += dim


@kernel
def refresh(d, AR, sparse, first, n):
    """Compute the residuals of a problem's rows anew."""
    for c in range(n):
        r = row_of(d, first, c)
        d.solve_jar[r] = residual(d, AR, r, sparse)


@kernel
def visit(d, AR, sparse, first, ne, nf, count, A, old, res):
    """Improve every block once, in the order of solve_oldstate; return the decrease in cost."""
    gain = 0.0
    for k in range(count):
        c = int(d.solve_oldstate[k])
        r = row_of(d, first, c)
        if d.efc_type[r] == ELLIPTIC:
            gain += sweep_cone(d, AR, sparse, r, A, old, res)
        else:
            gain += sweep_simple(d, AR, sparse, r, r + 1, FREE if c < ne else BOUNDED if c < ne + nf else NONNEGATIVE)
    return gain


@inline
def turned_back(d, first, n):
    """Return whether the sweep changed the forces against the direction of the momentum."""
    s = 0.0
    for c in range(n):
        r = row_of(d, first, c)
        s += (d.efc_force[r] - d.solve_quad[r, START]) * (d.solve_quad[r, START] - d.solve_quad[r, BEFORE])
    return s < 0


@kernel
def solve_part(m, d, AR, sparse, island, first, n, ne, nf, scale, active, A, old, res):
    """Solve an island, or all rows if `island` is -1. `active`: number of active rows of all islands; return the new number."""
    count = find_blocks(d, first, n)
    _, state = next_word(np.uint64(0))
    k = momentum = idle = 0
    gained = 0.0
    here, _ = set_states(d, first, n, ne, nf)
    others = active - here

    # In each iteration, extrapolate, shuffle and sweep.
    while k < m.opt.iterations and idle < PATIENCE:
        if k % FRESH == 0:
            refresh(d, AR, sparse, first, n)
        beta = (momentum - 1.0) / (momentum + 2.0) if k > 0 else 0.0
        carry_on(d, first, n, beta)
        if beta > 0:
            into_bounds(d, AR, sparse, first, n, ne, nf)
        state = shuffle(d, count, state)
        improvement = scale * visit(d, AR, sparse, first, ne, nf, count, A, old, res)
        here, changed = set_states(d, first, n, ne, nf)
        save_statistics(d, island, k, improvement, 0.0, 0.0, others + here, changed, 0, 0)
        momentum = 0 if k > 0 and turned_back(d, first, n) else momentum + 1
        k += 1
        gained, idle = tally(gained, improvement, idle)
        if improvement < m.opt.tolerance:
            break

    nonzeros = n * n
    if is_sparse(m):
        nonzeros = 0
        for c in range(n):
            nonzeros += d.efc_AR_rownnz[row_of(d, first, c)]
    finish_statistics(d, island, k, nonzeros)
    return others + here


@inline
def island_scale(m, d, k):
    """Return 1 / (trace of M over the island's dofs), which scales the island's cost."""
    s = 0.0
    for c in range(d.island_nv[k]):
        i = d.map_idof2dof[d.island_idofadr[k] + c]
        s += d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1]
    return 1 / max(mjMINVAL, s)


@stage
def solve_pgs_momentum(m, d):
    """reads efc_AR, efc_b, rows, islands; writes efc_force, efc_state, qfrc_constraint, qacc, solver statistics."""
    A, old, res = small(36), small(6), small(6)
    address, sparse = open_matrix(m, d)
    if address == 0:
        return
    AR = matrix_values(d, address, sparse)
    invert_diagonal(d, AR, sparse, False)
    active, _ = set_all_states(d)

    # Solve each island separately, if there are islands.
    if d.nisland > 0 and not m.opt.disableflags & NO_ISLAND:
        for k in range(d.nisland):
            active = solve_part(
                m,
                d,
                AR,
                sparse,
                k,
                int(d.island_iefcadr[k]),
                int(d.island_nefc[k]),
                int(d.island_ne[k]),
                int(d.island_nf[k]),
                island_scale(m, d, k),
                active,
                A,
                old,
                res,
            )
    else:
        solve_part(m, d, AR, sparse, -1, -1, int(d.nefc), int(d.ne), int(d.nf), whole_scale(m, d), active, A, old, res)
    finish_dual(m, d)
