"""Copies constraint problems of several worlds into the memory of a pack (`packed`), and the results out of it."""

from math import inf
from typing import Any

from ..constraint.append_rows import ELLIPTIC
from ..constraint.update import ELLIPTIC_CONES
from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel
from ..machine.lang import address_of, array_at, flat, longs_at, pack_columns, put_pack, small_int, spread
from ..machine.layout import PACK
from ..solve.primal import (
    EXIT,
    dense_rows,
    int_view,
    open_problem,
    problem_scale,
    problems,
    sparse_rows,
    update_problem,
    view,
)
from ..tables.solver_rows import BY_STAGE
from .packed import (
    ACC,
    ENDS,
    FORCE,
    FRICTION,
    GROUP_LANES,
    HIGH,
    INERTIA,
    INERTIA_TILES,
    JACOBIAN,
    JAR,
    LOSS,
    LOW,
    ORDER,
    ROW_FORCE,
    SCALE,
    SIZES,
    SMOOTH_ACC,
    SMOOTH_FORCE,
    STATE,
    TILE,
    WEIGHT,
    ZEROS,
    D,
    has_room,
    matrix,
    padded,
    part,
    spot,
    tiles_of,
    words,
)
from .pattern import begin_inertia, mark_inertia, mark_jacobian

NEWTON, CG = BY_STAGE["solve_newton"].number, BY_STAGE["solve_cg"].number
# vectors that are copied from the worlds
ACC_OF, SMOOTH_ACC_OF, SMOOTH_FORCE_OF, D_OF, AREF_OF, JACOBIAN_OF, VECTORS = range(7)
SOURCES = VECTORS * PACK


def takes(m: Any) -> bool:
    """Return whether a model's problems can be solved in vectors: only by Newton's method or conjugate gradients, with the
    rules of MuJoCo 3.4."""
    return (m.opt.solver == NEWTON or m.opt.solver == CG) and not m.compat_bits & EXIT


@kernel
def shape_of(m, d, k):
    """Return (dofs, rows without contacts, contacts, rows of the largest contact) of problem k. Only elliptic contacts count
    as such."""
    nv, n, first = (m.nv, int(d.nefc), 0) if k < 0 else (int(d.island_nv[k]), int(d.island_nefc[k]), int(d.island_iefcadr[k]))
    if m.opt.cone != ELLIPTIC_CONES:
        return nv, n, 0, 1
    kind = int_view((k,), d.efc_type, d.iefc_type, first, n)
    ident = int_view((k,), d.efc_id, d.iefc_id, first, n)
    plain, contacts, largest, r = 0, 0, 1, 0
    while r < n:
        if kind[r] == ELLIPTIC:
            size = int(d.contact_dim[ident[r]])
            contacts, largest, r = contacts + 1, max(largest, size), r + size
        else:
            plain, r = plain + 1, r + 1
    return nv, plain, contacts, largest


@kernel
def fits(m, d):
    """Return whether all problems of a world fit into the solver memory."""
    first, last = problems(m, d)
    for k in range(first, last):
        nv, plain, contacts, largest = shape_of(m, d, k)
        if not has_room(nv, plain + contacts * largest):
            return False
    return True


@kernel
def clear(at, nv, n):
    """Initialize memory for problems with up to nv dofs and n rows: dofs without coupling, rows without force."""
    zero = spread(0.0)
    begin_inertia(at, nv)
    for place in (HIGH, LOSS, STATE, FRICTION, SIZES):
        x = part(at, place, n)
        for r in range(n):
            put_pack(x, r, zero)
    low = part(at, LOW, n)
    for r in range(n):
        put_pack(low, r, spread(-inf))
    for place in (ROW_FORCE, WEIGHT):
        x = part(at, place, padded(n))
        for r in range(n, padded(n)):
            put_pack(x, r, zero)
    put_pack(part(at, SCALE, 1), 0, spread(1.0))


@inline
def order_of(at, n):
    """Return ORDER as an array of integers. Element PACK r + l is the number of row r in the problem of lane l."""
    return longs_at(at + 8 * PACK * ORDER, PACK * n)


@kernel
def enter(m, d, k, at, nv, rows, lane, sources, lengths):
    """Copy problem k of a world to lane `lane`, except for the vectors that `gather` copies: write where they are."""
    p = open_problem(m, d, k)
    enter_order(m, d, p, at, rows, lane)
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
def enter_order(m, d, p, at, rows, lane):
    """Write the order of a problem's rows (-1: no row), and the friction and sizes of elliptic contacts. `rows`: as in
    `cones`."""
    n, plain, _, largest = rows
    order, friction, sizes = order_of(at, n), part(at, FRICTION, n), part(at, SIZES, n)
    for r in range(n):
        order[PACK * r + lane] = -1
    if m.opt.cone != ELLIPTIC_CONES:
        for r in range(p[3]):
            order[PACK * r + lane] = r
        return

    kind = int_view(p, d.efc_type, d.iefc_type, p[4], p[3])
    ident = int_view(p, d.efc_id, d.iefc_id, p[4], p[3])
    row, block, r = 0, plain, 0
    while r < p[3]:
        if kind[r] != ELLIPTIC:
            order[PACK * row + lane] = r
            row += 1
            r += 1
            continue
        k = ident[r]
        size = int(d.contact_dim[k])
        sizes[PACK * block + lane], friction[PACK * block + lane] = size, d.contact_mu[k]
        for j in range(size):
            order[PACK * (block + j) + lane] = r + j
            if j > 0:
                friction[PACK * (block + j) + lane] = d.contact_friction[k, j - 1]
        block += largest
        r += size


@kernel
def enter_inertia(m, d, p, at, nv, lane):
    """Copy a problem's inertia to the vectors."""
    M, tiles = matrix(at, INERTIA, nv), words(at, INERTIA_TILES, tiles_of(nv))
    for i in range(p[1]):
        if p[0] < 0:
            for a in range(m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i]):
                mark_inertia(M, tiles, i, m.M_colind[a])
                M[PACK * spot(i, m.M_colind[a]) + lane] = d.M[a]
        else:
            first = d.iM_rowadr[p[2] + i]
            for a in range(first, first + d.iM_rownnz[p[2] + i]):
                mark_inertia(M, tiles, i, d.iM_colind[a])
                M[PACK * spot(i, d.iM_colind[a]) + lane] = d.iM[a]


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
    """As `gather`, for the Jacobians of problems with different numbers of dofs, or whose rows have another order."""
    J, order, places = part(at, JACOBIAN, nv * n + PACK - 1), order_of(at, n), small_int(PACK)
    for r in range(n):
        k = 0
        while k < nv:
            for lane in range(PACK):
                dofs, row = lengths[PACK * ACC_OF + lane], order[PACK * r + lane]
                left = dofs - k if row >= 0 else 0
                places[lane] = block(at, lane, sources[PACK * JACOBIAN_OF + lane] + 8 * (row * dofs + k), left)
            pack_columns(J, r * nv + k, places, 0)
            k += PACK


@kernel
def gather_ordered(at, place, sources, lengths, vector, n):
    """Copy a number of each row to packs from `place` on. The rows are sorted as ORDER says; rows without a number there get
    zero."""
    x, order = part(at, place, n), order_of(at, n)
    for lane in range(PACK):
        length = lengths[PACK * vector + lane]
        if length > 0:
            source = array_at(sources[PACK * vector + lane], length)
            for r in range(n):
                row = order[PACK * r + lane]
                x[PACK * r + lane] = source[row] if row >= 0 else 0.0
        else:
            for r in range(n):
                x[PACK * r + lane] = 0.0


@kernel
def gather_all(at, nv, rows, sources, lengths):
    """Copy the vectors of all problems, except for the Jacobian."""
    n, _, contacts, _ = rows
    gather(at, ACC, sources, lengths, ACC_OF, nv)
    gather(at, SMOOTH_ACC, sources, lengths, SMOOTH_ACC_OF, nv)
    gather(at, SMOOTH_FORCE, sources, lengths, SMOOTH_FORCE_OF, nv)
    if contacts > 0:
        gather_ordered(at, D, sources, lengths, D_OF, n)
        gather_ordered(at, JAR, sources, lengths, AREF_OF, n)
    else:
        gather(at, D, sources, lengths, D_OF, n)
        gather(at, JAR, sources, lengths, AREF_OF, n)


@kernel
def clear_rows(at, nv, first, last):
    """Set rows of the Jacobian to zero."""
    J = part(at, JACOBIAN, nv * last)
    for k in range(nv * first, nv * last):
        put_pack(J, k, spread(0.0))


@kernel
def enter_jacobian(m, d, k, at, nv, n, lane, whole):
    """Copy the nonzeros of the sparse Jacobian of a world's problem k to a lane. whole: the Jacobian was cleared; otherwise,
    its tiles are cleared when the first number is written to them."""
    p = open_problem(m, d, k)
    y, order = part(at, JACOBIAN, nv * padded(n)), order_of(at, n)
    lanes = words(at, GROUP_LANES, padded(n) // TILE * tiles_of(nv))
    J, nnz, adr, col, _ = sparse_rows(d, p)
    for r in range(n):
        row = order[PACK * r + lane]
        if row >= 0:
            for a in range(adr[row], adr[row] + nnz[row]):
                if not whole:
                    mark_jacobian(y, lanes, nv, r, col[a], lane)
                y[PACK * (r * nv + col[a]) + lane] = J[a]


@inline
def leave_numbers(at, place, x, n, lane):
    """Copy n numbers from one lane of packs to the world."""
    y = part(at, place, n)
    for k in range(n):
        x[k] = y[PACK * k + lane]


@kernel
def leave(m, d, k, at, n, lane):
    """writes accelerations and forces of problem k of a world, from lane `lane`."""
    p = open_problem(m, d, k)
    _, nv, dof, _, _, _, _ = p
    leave_numbers(at, ACC, view(p, d.qacc, d.iacc, dof, nv), nv, lane)
    leave_numbers(at, FORCE, view(p, d.qfrc_constraint, d.ifrc_constraint, dof, nv), nv, lane)
    jar, order = part(at, JAR, n), order_of(at, n)
    for r in range(n):
        row = order[PACK * r + lane]
        if row >= 0:
            d.solve_jar[row] = jar[PACK * r + lane]
    update_problem(m, d, p, m.opt.cone == ELLIPTIC_CONES)
