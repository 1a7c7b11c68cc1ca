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
from ..machine.lang import address_of, array_at, ints_at, small
from ..math.upward import padded
from ..math.vec import clip
from ..tables.consts import mjMINVAL
from .dual import (
    FORCE,
    IDENT,
    KIND,
    LOSS,
    finish_dual,
    invert_diagonal,
    is_filled,
    open_matrix,
    room_for,
    set_all_states,
    set_states,
    start_residuals,
    whole_problem,
)
from .pgs import BOUNDED, FREE, NONNEGATIVE, sweep_cone, sweep_simple
from .primal import PATIENCE, finish_statistics, save_statistics, tally, whole_scale

FACTOR, STEP = np.uint64(6364136223846793005), np.uint64(1)
S18, S27, S59 = (np.uint64(n) for n in (18, 27, 59))
WORD, SHIFTS = np.uint64(0xFFFFFFFF), np.uint64(31)
# columns of solve_quad: forces before and after extrapolation
BEFORE, START = 0, 1


@inline
def next_word(state):
    """Return (32 random bits, next state) of the PCG32 generator."""
    word = (((state >> S18) ^ state) >> S27) & WORD
    turn = state >> S59
    back = (np.uint64(32) - turn) & SHIFTS
    return ((word >> turn) | (word << back)) & WORD, state * FACTOR + STEP


@inline
def size_of(d, p, r):
    return int(d.contact_dim[p[IDENT][r]]) if p[KIND][r] == ELLIPTIC else 1


@kernel
def find_blocks(d, p, n):
    """writes solve_oldstate: the first rows of a problem's blocks, that is, of rows that are improved together; returns their
    number."""
    count = r = 0
    while r < n:
        d.solve_oldstate[count] = r
        count += 1
        r += size_of(d, p, r)
    return count


@kernel
def shuffle(d, count, state):
    """Shuffle the blocks; return the next state of the random generator."""
    for i in range(count - 1, 0, -1):
        word, state = next_word(state)
        j = int(word % np.uint64(i + 1))
        d.solve_oldstate[i], d.solve_oldstate[j] = d.solve_oldstate[j], d.solve_oldstate[i]
    return state


# ---- one iteration -----------------------------------------------------------------------------------------------------
@inline
def into_cone(d, p, r, dim):
    """Project a contact's forces onto its friction cone: nonnegative normal force, friction within the ellipse that it
    allows."""
    force, k = p[FORCE], p[IDENT][r]
    normal = force[r]
    if normal < 0:
        for j in range(dim):
            force[r + j] = 0.0
        return
    s = 0.0
    for j in range(1, dim):
        x = force[r + j] / d.contact_friction[k, j - 1]
        s += x * x
    if s > normal * normal:
        s = sqrt(normal * normal / max(mjMINVAL, s))
        for j in range(1, dim):
            force[r + j] *= s


@kernel
def carry_on(d, p, n, ne, nf, beta):
    """Extrapolate forces by the fraction beta of their last change, if beta > 0. Save the forces before and after."""
    force, kept = p[FORCE], d.solve_quad
    for r in range(n):
        x = force[r]
        if beta > 0:
            force[r] = x + beta * (x - kept[r, BEFORE])
        kept[r, BEFORE] = x

    # Project the forces onto their feasible sets.
    r = ne if beta > 0 else n
    while r < n:
        dim = size_of(d, p, r)
        if r < ne + nf:
            force[r] = clip(force[r], -p[LOSS][r], p[LOSS][r])
        elif p[KIND][r] == ELLIPTIC:
            into_cone(d, p, r, dim)
        else:
            force[r] = max(force[r], 0.0)
        r += dim
    for r in range(n):
        kept[r, START] = force[r]


@kernel
def visit(d, p, ne, nf, count, A, old, res):
    """Improve every block once, in the order of solve_oldstate; return the decrease in cost."""
    gain = 0.0
    for k in range(count):
        r = int(d.solve_oldstate[k])
        if p[KIND][r] == ELLIPTIC:
            gain += sweep_cone(d, p, r, A, old, res)
        else:
            gain += sweep_simple(d, p, r, r + 1, FREE if r < ne else BOUNDED if r < ne + nf else NONNEGATIVE)
    return gain


@inline
def turned_back(d, p, n):
    """Return whether the sweep changed the forces against the direction of the momentum."""
    s = 0.0
    for r in range(n):
        s += (p[FORCE][r] - d.solve_quad[r, START]) * (d.solve_quad[r, START] - d.solve_quad[r, BEFORE])
    return s < 0


@kernel
def improve(m, d, p, island, state, n, ne, nf, scale, active, A, old, res):
    """Solve a problem. state: states of its rows; active: number of active rows of all problems. Return the new number."""
    invert_diagonal(d, p, n, False)
    count = find_blocks(d, p, n)
    _, random = next_word(np.uint64(0))
    k = momentum = idle = 0
    gained = 0.0
    here, _ = set_states(m, d, p, state, n, ne, nf)
    others = active - here

    # In each iteration, extrapolate, shuffle and sweep.
    while k < m.opt.iterations and idle < PATIENCE:
        carry_on(d, p, n, ne, nf, (momentum - 1.0) / (momentum + 2.0) if k > 0 else 0.0)
        # Residuals are not extrapolated with the forces: their rounding errors would be, too, and grow.
        start_residuals(p, n)
        random = shuffle(d, count, random)
        improvement = scale * visit(d, p, ne, nf, count, A, old, res)
        here, changed = set_states(m, d, p, state, n, ne, nf)
        save_statistics(d, island, k, improvement, 0.0, 0.0, others + here, changed, 0, 0)
        momentum = 0 if k > 0 and turned_back(d, p, n) else momentum + 1
        k += 1
        gained, idle = tally(gained, improvement, idle)
        if improvement < m.opt.tolerance:
            break
    finish_statistics(d, island, k, nonzeros_of(m, d, island))
    return others + here


# ---- islands -----------------------------------------------------------------------------------------------------------
@inline
def island_scale(m, d, k):
    """Return 1 / (trace of M over the island's dofs), which scales the island's cost."""
    s = 0.0
    for c in range(d.island_nv[k]):
        i = d.map_idof2dof[d.island_idofadr[k] + c]
        s += d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1]
    return 1 / max(mjMINVAL, s)


@inline
def nonzeros_of(m, d, k):
    """Return the number of elements of A + R in the rows of island k, or in all rows if k is -1."""
    n = int(d.nefc if k < 0 else d.island_nefc[k])
    if not is_sparse(m):
        return n * n
    if k < 0:
        return int(d.nA)
    s = 0
    for c in range(d.island_iefcadr[k], d.island_iefcadr[k] + n):
        s += d.efc_AR_rownnz[d.map_iefc2efc[c]]
    return s


@inline
def room_for_islands(m, d):
    """Return whether there is room for the matrix of each island."""
    most = rows = 0
    for k in range(d.nisland):
        n, nonzeros = int(d.island_nefc[k]), nonzeros_of(m, d, k)
        most, rows = max(most, n * n if is_filled(n, nonzeros) else nonzeros), max(rows, n)
    return room_for(d, rows, most)


@kernel
def copy_matrix(m, d, first, n, filled):
    """Copy A + R of an island's n rows: to a dense matrix if it is filled, otherwise to sparse rows."""
    H, size = d.solve_H, 0
    if filled:
        for k in range(n * n):
            H[k] = 0.0
    for c in range(n):
        r = int(d.map_iefc2efc[first + c])
        if not is_sparse(m):
            for k in range(n):
                H[c * n + k] = d.efc_AR[r * d.nefc + d.map_iefc2efc[first + k]]
            continue
        d.work_B_rowadr[c], d.work_B_rownnz[c] = size, d.efc_AR_rownnz[r]
        for a in range(d.efc_AR_rowadr[r], d.efc_AR_rowadr[r] + d.efc_AR_rownnz[r]):
            column = int(d.map_efc2iefc[d.efc_AR_colind[a]]) - first
            if filled:
                H[c * n + column] = d.efc_AR[a]
            else:
                H[size], d.solve_Lcol[size] = d.efc_AR[a], column
                size += 1


@inline
def island_problem(d, first, n, stride, size):
    """Return the problem of an island, with the parts that `whole_problem` returns. size: number of elements of its matrix."""
    return (
        array_at(address_of(d.solve_H, 0), size),
        stride,
        ints_at(address_of(d.solve_Lcol, 0), size),
        ints_at(address_of(d.work_B_rowadr, 0), n),
        ints_at(address_of(d.work_B_rownnz, 0), n),
        array_at(address_of(d.solve_force, 0), n),
        array_at(address_of(d.solve_b, 0), n),
        array_at(address_of(d.iefc_frictionloss, first), n),
        ints_at(address_of(d.iefc_type, first), n),
        ints_at(address_of(d.iefc_id, first), n),
        array_at(address_of(d.iefc_R, first), n),
        array_at(address_of(d.solve_L, 0), padded(n)),
    )


@kernel
def solve_island(m, d, k, active, A, old, res):
    """Solve island k with copies of its rows, which are contiguous. active: see `improve`."""
    first, n = int(d.island_iefcadr[k]), int(d.island_nefc[k])
    nonzeros = nonzeros_of(m, d, k)
    filled = is_filled(n, nonzeros)
    copy_matrix(m, d, first, n, filled)
    for c in range(n):
        r = d.map_iefc2efc[first + c]
        d.solve_force[c], d.solve_b[c] = d.efc_force[r], d.efc_b[r]

    p = island_problem(d, first, n, n if filled else 0, n * n if filled else nonzeros)
    state, ne, nf = ints_at(address_of(d.work_B_mark, 0), n), int(d.island_ne[k]), int(d.island_nf[k])
    active = improve(m, d, p, k, state, n, ne, nf, island_scale(m, d, k), active, A, old, res)
    for c in range(n):
        r = d.map_iefc2efc[first + c]
        d.efc_force[r], d.efc_state[r] = d.solve_force[c], state[c]
    return active


@stage
def solve_pgs_momentum(m, d):
    """reads efc_AR, efc_b, rows, islands; writes efc_force, efc_state, qfrc_constraint, qacc, solver statistics."""
    A, old, res = small(36), small(6), small(6)
    islands = d.nisland > 0 and not m.opt.disableflags & NO_ISLAND
    n, address, stride = int(d.nefc), address_of(d.efc_AR, 0), 0
    # The rows of a single island are usually all rows, in the same order.
    apart = islands and d.island_nefc[0] < n
    if apart:
        if not room_for_islands(m, d):
            return
    else:
        address, stride = open_matrix(m, d)
        if address == 0:
            return
    # If islands are solved separately, the matrix of this problem is not read.
    p = whole_problem(d, address, stride)
    active, _ = set_all_states(m, d, p)
    if apart:
        for k in range(d.nisland):
            active = solve_island(m, d, k, active, A, old, res)
    else:
        scale = island_scale(m, d, 0) if islands else whole_scale(m, d)
        state = ints_at(address_of(d.efc_state, 0), n)
        improve(m, d, p, 0 if islands else -1, state, n, int(d.ne), int(d.nf), scale, active, A, old, res)
    finish_dual(m, d)
