r"""Constraint problems of several worlds in one vector: their memory layout, and the copies into and out of it.

A problem (see `solve.primal`) is an island of a world, or a whole world. PACK problems share memory; a pack holds one element
of a vector or matrix for each of these problems:

    H[i, j] of problems 0 to 7    pack i nv + j of matrix H          nv, n: dofs and rows of the largest of them
    row r                         jar, D, low, high, loss, ...       smaller problems get extra rows and dofs without effect

A row's cost is quadratic between `low` and `high`, and linear with slope `loss` beyond:

                         low          high
    equality            -inf           inf          \\          /   cost of friction loss
    friction loss       -R loss        R loss         \\.____./
    limits, contacts    -inf           0               |    |
                                                      low  high
"""

from math import inf
from typing import Any

from ..constraint.update import ELLIPTIC_CONES
from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel
from ..machine.lang import address_of, array_at, flat, pack_columns, put_pack, small_int, spread
from ..machine.layout import PACK
from ..solve.primal import (
    EXIT,
    by_island,
    dense_rows,
    open_problem,
    problem_scale,
    sparse_rows,
    update_problem,
    view,
)
from ..tables.solver_rows import BY_STAGE

NEWTON = BY_STAGE["solve_newton"].number
# limits on dofs, rows and Jacobian size of a problem; larger problems are solved individually
MOST_DOFS, MOST_ROWS, MOST_NUMBERS = 64, 256, 4096
# Offsets, counted in packs: dof matrices, the Jacobian, its changed rows, dof vectors, row vectors. `gather` writes PACK packs
# at a time, so each size is a multiple of PACK.
MATRIX = MOST_DOFS * MOST_DOFS
INERTIA, HESSIAN, FACTOR, JACOBIAN, CHANGED = 0, MATRIX, 2 * MATRIX, 3 * MATRIX, 3 * MATRIX + MOST_NUMBERS
DOFS = CHANGED + MOST_NUMBERS
ACC, SMOOTH_ACC, SMOOTH_FORCE, MA, GRADIENT, SEARCH, MV, FORCE = range(DOFS, DOFS + 8 * MOST_DOFS, MOST_DOFS)
ROWS = DOFS + 8 * MOST_DOFS
D, LOW, HIGH, LOSS, JAR, JV, ROW_FORCE, STATE, WEIGHT, GAIN, Q0, Q1, Q2 = range(ROWS, ROWS + 13 * MOST_ROWS, MOST_ROWS)
SCALE = ROWS + 13 * MOST_ROWS
# statistics of a solver iteration: improvement, gradient, slope, active rows, changed rows, evaluations, updates
TOLD = SCALE + 1
# a pack of zeros, which nothing writes, and a pack for the last numbers of each problem's vector
ZEROS = TOLD + 7
ENDS = ZEROS + 1
SIZE = ENDS + PACK
# vectors that are copied from the worlds
ACC_OF, SMOOTH_ACC_OF, SMOOTH_FORCE_OF, D_OF, AREF_OF, JACOBIAN_OF, VECTORS = range(7)
SOURCES = VECTORS * PACK


def takes(m: Any) -> bool:
    """Return whether a model's problems can be solved in vectors: only by Newton's method, with pyramidal cones and the rules
    of MuJoCo 3.4."""
    return m.opt.solver == NEWTON and m.opt.cone != ELLIPTIC_CONES and not m.compat_bits & EXIT


@inline
def part(at, place, count):
    """Return `count` packs of the solver memory at address `at`, starting at offset `place`."""
    return array_at(at + 8 * PACK * place, PACK * count)


@inline
def has_room(nv, n):
    """Return whether a problem with nv dofs and n rows fits into the solver memory."""
    return nv <= MOST_DOFS and n <= MOST_ROWS and nv * n <= MOST_NUMBERS


@kernel
def fits(m, d):
    """Return whether all problems of a world fit into the solver memory."""
    if not by_island(m, d):
        return has_room(m.nv, d.nefc)
    for k in range(d.nisland):
        if not has_room(d.island_nv[k], d.island_nefc[k]):
            return False
    return True


@kernel
def clear(at, nv, n):
    """Initialize memory for problems with up to nv dofs and n rows: dofs without coupling, rows without force."""
    zero, one = spread(0.0), spread(1.0)
    M = part(at, INERTIA, nv * nv)
    for i in range(nv):
        for k in range(i):
            put_pack(M, i * nv + k, zero)
        put_pack(M, i * nv + i, one)
    for place in (HIGH, LOSS, STATE):
        x = part(at, place, n)
        for r in range(n):
            put_pack(x, r, zero)
    low = part(at, LOW, n)
    for r in range(n):
        put_pack(low, r, spread(-inf))
    put_pack(part(at, SCALE, 1), 0, one)


@kernel
def enter(m, d, k, at, nv, lane, sources, lengths):
    """Copy problem k of a world to lane `lane`, except for the vectors that `gather` copies: write where they are."""
    p = open_problem(m, d, k)
    enter_inertia(m, d, p, at, nv, lane)
    enter_bounds(m, d, p, at, lane)
    part(at, SCALE, 1)[lane] = problem_scale(m, d, p)

    _, size, dof, n, row, _, _ = p
    sources[PACK * ACC_OF + lane] = address_of(view(p, d.qacc, d.iacc, dof, size), 0)
    sources[PACK * SMOOTH_ACC_OF + lane] = address_of(view(p, d.qacc_smooth, d.iacc_smooth, dof, size), 0)
    sources[PACK * SMOOTH_FORCE_OF + lane] = address_of(view(p, d.qfrc_smooth, d.ifrc_smooth, dof, size), 0)
    sources[PACK * D_OF + lane] = address_of(view(p, d.efc_D, d.iefc_D, row, n), 0)
    sources[PACK * AREF_OF + lane] = address_of(view(p, d.efc_aref, d.iefc_aref, row, n), 0)
    for v in range(AREF_OF + 1):
        lengths[PACK * v + lane] = size if v <= SMOOTH_FORCE_OF else n
    if not is_sparse(m):
        sources[PACK * JACOBIAN_OF + lane] = address_of(flat(dense_rows(m, d, p)), 0)
    lengths[PACK * JACOBIAN_OF + lane] = size * n


@kernel
def enter_inertia(m, d, p, at, nv, lane):
    """Copy a problem's inertia to the vectors."""
    M = part(at, INERTIA, nv * nv)
    for i in range(p[1]):
        if p[0] < 0:
            for a in range(m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i]):
                M[PACK * (i * nv + m.M_colind[a]) + lane] = d.M[a]
        else:
            first = d.iM_rowadr[p[2] + i]
            for a in range(first, first + d.iM_rownnz[p[2] + i]):
                M[PACK * (i * nv + d.iM_colind[a]) + lane] = d.iM[a]


@kernel
def enter_bounds(m, d, p, at, lane):
    """Copy the bounds of a problem's equality and friction rows to the vectors."""
    _, _, _, n, row, ne, nf = p
    R, floss = view(p, d.efc_R, d.iefc_R, row, n), view(p, d.efc_frictionloss, d.iefc_frictionloss, row, n)
    low, high, loss = part(at, LOW, n), part(at, HIGH, n), part(at, LOSS, n)
    for r in range(ne):
        high[PACK * r + lane] = inf
    for r in range(ne, ne + nf):
        loss[PACK * r + lane] = floss[r]
        low[PACK * r + lane], high[PACK * r + lane] = -R[r] * floss[r], R[r] * floss[r]


@inline
def block(at, lane, source, left):
    """Return the address of the next PACK numbers of a vector, of which `left` remain at an address. After the last one come
    zeros."""
    if left >= PACK:
        return source
    if left <= 0:
        return address_of(part(at, ZEROS, 1), 0)
    rest, end = array_at(source, left), part(at, ENDS + lane, 1)
    for i in range(PACK):
        end[i] = rest[i] if i < left else 0.0
    return address_of(end, 0)


@kernel
def gather(at, place, sources, lengths, vector, most):
    """Copy a vector of each problem, of up to `most` numbers, to packs from `place` on. Shorter vectors, and those of lanes
    without a problem, are continued by zeros.

    Blocks of PACK numbers of PACK problems are transposed at once, because single numbers would write to each line of memory
    PACK times.
    """
    x, places = part(at, place, most + PACK - 1), small_int(PACK)
    k = 0
    while k < most:
        for lane in range(PACK):
            source, left = sources[PACK * vector + lane] + 8 * k, lengths[PACK * vector + lane] - k
            places[lane] = block(at, lane, source, left)
        pack_columns(x, k, places, 0)
        k += PACK


@kernel
def gather_rows(at, nv, n, sources, lengths):
    """As `gather`, for the Jacobians of problems with different numbers of dofs."""
    J, places = part(at, JACOBIAN, nv * n + PACK - 1), small_int(PACK)
    for r in range(n):
        k = 0
        while k < nv:
            for lane in range(PACK):
                dofs, rows = lengths[PACK * ACC_OF + lane], lengths[PACK * D_OF + lane]
                left = dofs - k if r < rows else 0
                places[lane] = block(at, lane, sources[PACK * JACOBIAN_OF + lane] + 8 * (r * dofs + k), left)
            pack_columns(J, r * nv + k, places, 0)
            k += PACK


@kernel
def gather_all(at, nv, n, sources, lengths):
    """Copy the vectors of all problems, except for the Jacobian."""
    gather(at, ACC, sources, lengths, ACC_OF, nv)
    gather(at, SMOOTH_ACC, sources, lengths, SMOOTH_ACC_OF, nv)
    gather(at, SMOOTH_FORCE, sources, lengths, SMOOTH_FORCE_OF, nv)
    gather(at, D, sources, lengths, D_OF, n)
    gather(at, JAR, sources, lengths, AREF_OF, n)


@kernel
def clear_jacobian(at, nv, n):
    """Set the Jacobian to zero; then `enter_jacobian` can write its nonzeros."""
    J = part(at, JACOBIAN, nv * n)
    for k in range(nv * n):
        put_pack(J, k, spread(0.0))


@kernel
def enter_jacobian(m, d, k, at, nv, lane):
    """Copy the nonzeros of the sparse Jacobian of a world's problem k to a lane."""
    p = open_problem(m, d, k)
    n = p[3]
    y = part(at, JACOBIAN, nv * n)
    J, nnz, adr, col, _ = sparse_rows(d, p)
    for r in range(n):
        for a in range(adr[r], adr[r] + nnz[r]):
            y[PACK * (r * nv + col[a]) + lane] = J[a]


@inline
def leave_numbers(at, place, x, n, lane):
    """Copy n numbers from one lane of packs to the world."""
    y = part(at, place, n)
    for k in range(n):
        x[k] = y[PACK * k + lane]


@kernel
def leave(m, d, k, at, lane):
    """writes accelerations and forces of problem k of a world, from lane `lane`."""
    p = open_problem(m, d, k)
    _, nv, dof, n, _, _, _ = p
    leave_numbers(at, ACC, view(p, d.qacc, d.iacc, dof, nv), nv, lane)
    leave_numbers(at, FORCE, view(p, d.qfrc_constraint, d.ifrc_constraint, dof, nv), nv, lane)
    leave_numbers(at, JAR, d.solve_jar, n, lane)
    update_problem(m, d, p, False)
