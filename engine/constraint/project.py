"""The rows' inverse inertia A = J inv(M) J', with R added to its diagonal: the matrix of the dual solvers.

A = B B' with B = J inv(L) sqrt(inv(D)) from the factor M = L' D L. Two rows of B have common columns if their rows of J move
the same kinematic tree, because L adds all ancestors of a row's dofs, up to the root.

B is computed for PACK rows at once, and A in blocks of PACK rows and columns. Where few elements are nonzero, as in scenes with
many small trees, rows are compressed, and one number is computed after the other.
"""

from math import sqrt

from ..core.arena import FRAME, aligned, fits, forget_rows, keep, limited, push
from ..core.stages import GROW
from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel, stage
from ..machine.lang import (
    address_of,
    bits_of,
    pack_at,
    pack_columns,
    put_pack,
    put_part,
    small_int,
    spread,
    unpack_columns,
)
from ..machine.layout import PACK
from ..math.sparse import gather_fast
from ..math.upward import padded
from ..tables.solver_rows import DUAL

# B is computed in packs if at least one number in this many is not zero.
CROWDED = 8


@inline
def searches_forces(m):
    """Return whether the solver works on constraint forces."""
    found = False
    for number in DUAL:
        found = found or m.opt.solver == number
    return found


@inline
def is_dual(m):
    """Return whether the inverse inertia in constraint space is needed, by the solver or after it."""
    return searches_forces(m) or m.opt.noslip_iterations > 0


@stage
def project_constraint(m, d):
    """reads efc_J, efc_R, qLD; writes efc_AR, nA, for sparse Jacobians efc_AR_rownnz, efc_AR_rowadr, efc_AR_colind; parena,
    pstack, warnings.
    """
    if d.nefc == 0 or not is_dual(m):
        return
    stack = d.pstack
    if is_sparse(m):
        project_sparse(m, d)
    else:
        project_dense(m, d)
    d.pstack = stack


@inline
def room_for(d, n):
    d.need_A = n
    if n > d.nA_cap:
        d.status = GROW
        return False
    return True


@kernel
def room_for_dense(m, d):
    """Return whether the arena has room for a dense AR; if not, drop all constraint rows."""
    push(d, FRAME, 8)
    push(d, 8 * m.nv, 8)
    end = aligned(d.parena, 8) + 8 * d.nA
    if not fits(d, end):
        forget_rows(d)
        return False
    keep(d, end)
    push(d, 16 * d.nefc * m.nv, 8)
    return True


@kernel
def room_for_sparse(m, d, size):
    """Return whether the arena has room for a sparse AR and its square root B (`size` nonzeros); if not, drop all constraint
    rows."""
    push(d, FRAME, 8)
    push(d, 8 * m.nv + 12 * d.nefc + 12 * m.nv + 24 * size, 8)
    end = aligned(d.parena + 8 * d.nefc, 8) + 12 * d.nA
    if not fits(d, end):
        forget_rows(d)
        return False
    keep(d, end)
    return True


@inline
def root_inverse(m, d, i):
    """Return 1 / sqrt(D)."""
    return 1 / sqrt(d.qLD[m.M_rowadr[i] + m.M_rownnz[i] - 1])


# ---- packs of rows -----------------------------------------------------------------------------------------------------
@inline
def pack_room(n, nv):
    """Return how many numbers `multiply` needs in work_B: for n rows of B in packs, and for a block of A."""
    return padded(n) * nv + PACK * PACK


@kernel
def enter_rows(m, d, B, first, at):
    """Copy rows `first` to first + PACK - 1 of the Jacobian to packs: pack at + i has the elements of dof i."""
    nv, zero = m.nv, spread(0.0)
    last = min(first + PACK, int(d.nefc))
    if not is_sparse(m) and last == first + PACK and nv >= PACK:
        # The last block may overlap the one before.
        places = small_int(PACK)
        for j in range(PACK):
            places[j] = address_of(d.efc_J, (first + j) * nv)
        i = 0
        while i < nv:
            k = min(i, nv - PACK)
            pack_columns(B, at + k, places, k)
            i += PACK
        return

    for i in range(nv):
        put_pack(B, at + i, zero)
    for r in range(first, last):
        if is_sparse(m):
            for k in range(d.efc_J_rowadr[r], d.efc_J_rowadr[r] + d.efc_J_rownnz[r]):
                B[PACK * (at + d.efc_J_colind[k]) + r - first] = d.efc_J[k]
        else:
            for i in range(nv):
                B[PACK * (at + i) + r - first] = d.efc_J[r * nv + i]


@kernel
def eliminate(m, d, B, at, scale):
    """Compute B = J inv(L) sqrt(inv(D)) of the rows in packs from `at` on, from the last dof to the first. Write the dofs on
    which the rows depend to work_chain; return their number."""
    count, zero = 0, spread(0.0)
    for back in range(m.nv):
        i = m.nv - 1 - back
        x = pack_at(B, at + i)
        if bits_of(x != zero) != 0:
            d.work_chain[count] = i
            count += 1
            for a in range(m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i] - 1):
                k = at + m.M_colind[a]
                put_pack(B, k, pack_at(B, k) - spread(d.qLD[a]) * x)
            put_pack(B, at + i, x * spread(scale[i]))
    return count


@kernel
def multiply_block(m, d, A, n, first, second, count):
    """Write the block B B' of rows and columns of A, and its mirror image. first, second <= first: the block's first row and
    column; count: number of dofs in work_chain."""
    B, rows, columns, room = d.work_B, first // PACK * m.nv, second // PACK * m.nv, padded(n) // PACK * m.nv
    a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = spread(0.0)
    for q in range(count):
        i = int(d.work_chain[q])
        x, k = pack_at(B, rows + i), PACK * (columns + i)
        a0 = a0 + spread(B[k]) * x
        a1 = a1 + spread(B[k + 1]) * x
        a2 = a2 + spread(B[k + 2]) * x
        a3 = a3 + spread(B[k + 3]) * x
        a4 = a4 + spread(B[k + 4]) * x
        a5 = a5 + spread(B[k + 5]) * x
        a6 = a6 + spread(B[k + 6]) * x
        a7 = a7 + spread(B[k + 7]) * x

    # Pack j has the elements of column j.
    put_pack(B, room, a0)
    put_pack(B, room + 1, a1)
    put_pack(B, room + 2, a2)
    put_pack(B, room + 3, a3)
    put_pack(B, room + 4, a4)
    put_pack(B, room + 5, a5)
    put_pack(B, room + 6, a6)
    put_pack(B, room + 7, a7)
    for j in range(min(PACK, n - second)):
        put_part(A, (second + j) * n + first, n - first, pack_at(B, room + j))
    if first == second:
        return

    # Rows of the mirror image that do not exist are written to the first of these packs, which is not read again.
    places = small_int(PACK)
    for j in range(PACK):
        places[j] = address_of(A, (first + j) * n + second) if first + j < n else address_of(B, PACK * room)
    unpack_columns(B, room, places, 0)


@kernel
def multiply(m, d, A, n):
    """Compute A without R as a dense matrix. work_B must have `pack_room`."""
    scale = d.solve_Mv
    for i in range(m.nv):
        scale[i] = root_inverse(m, d, i)
    first = 0
    while first < n:
        enter_rows(m, d, d.work_B, first, first // PACK * m.nv)
        count = eliminate(m, d, d.work_B, first // PACK * m.nv, scale)
        second = 0
        while second <= first:
            multiply_block(m, d, A, n, first, second, count)
            second += PACK
        first += PACK


# ---- dense -------------------------------------------------------------------------------------------------------------
@kernel
def project_dense(m, d):
    """Compute A + R as a dense matrix."""
    n = int(d.nefc)
    if not room_for(d, max(n * n, pack_room(n, m.nv))):
        return
    d.nA = n * n
    if limited(d) and not room_for_dense(m, d):
        return
    multiply_whole(m, d, n)


@kernel
def multiply_whole(m, d, n):
    """Compute all elements of A + R, row by row."""
    multiply(m, d, d.efc_AR, n)
    for r in range(n):
        d.efc_AR[r * n + r] += d.efc_R[r]


# ---- sparse ------------------------------------------------------------------------------------------------------------
@kernel
def complete_row(m, d, r, a):
    """Write the column indices of row r of B, starting at address a; return their count.

    They are the row's columns in J and all their ancestors, in ascending order."""
    start, k = d.efc_J_rowadr[r], d.efc_J_rownnz[r]
    col = d.work_chain
    n = 0
    parent = -1

    # Starting from the last column, merge the row's columns in J with the ancestors of the columns merged so far.
    while True:
        own = int(d.efc_J_colind[start + k - 1]) if k > 0 else -1
        if own < 0 and parent < 0:
            break
        if own >= parent:
            k -= 1
        else:
            own = parent
        col[n] = own
        n += 1
        parent = int(m.dof_parentid[own])

    if a + n <= d.nA_cap:
        for c in range(n):
            d.work_B_colind[a + c] = col[n - 1 - c]
    return n


@kernel
def fill_row(m, d, r, x, scale):
    """Compute the values of row r of B. x is a dense scratch row; it must be zero, and is zero again afterwards. scale: see
    `root_inverse`."""
    col, B, L = d.work_B_colind, d.work_B, d.qLD
    a, n = d.work_B_rowadr[r], d.work_B_rownnz[r]
    for k in range(d.efc_J_rowadr[r], d.efc_J_rowadr[r] + d.efc_J_rownnz[r]):
        x[d.efc_J_colind[k]] = d.efc_J[k]
    k = a + n - 1
    while k >= a:
        i = col[k]
        s = x[i]
        for e in range(m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i] - 1):
            x[m.M_colind[e]] -= L[e] * s
        B[k] = s * scale[i]
        x[i] = 0.0
        k -= 1


@kernel
def list_roots(m, d, n):
    """For each root dof, list the rows that depend on it. Count the entries of each row of A; return the total."""
    head, follow, mark = d.solve_head, d.work_B_next, d.work_B_mark
    for i in range(m.nv):
        head[i] = -1
    for r in range(n):
        d.efc_AR_rownnz[r] = 0
        mark[r] = -1
    # A row can have several root dofs. The lists contain addresses of entries of B.
    for r in range(n):
        for k in range(d.work_B_rowadr[r], d.work_B_rowadr[r] + d.work_B_rownnz[r]):
            i = d.work_B_colind[k]
            if m.dof_parentid[i] < 0:
                follow[k] = head[i]
                head[i] = k
                d.work_B_row[k] = r
                e = int(k)
                while e >= 0:
                    c = d.work_B_row[e]
                    if mark[c] != r:
                        mark[c] = r
                        d.efc_AR_rownnz[r] += 1
                        if c != r:
                            d.efc_AR_rownnz[c] += 1
                    e = follow[e]

    size = 0
    for r in range(n):
        d.efc_AR_rowadr[r] = size
        size += d.efc_AR_rownnz[r]
    return size


@kernel
def is_whole(m, d):
    """Return whether all rows depend on the same tree, and only on it, so that all elements of A are stored."""
    tree = -1
    for r in range(d.nefc):
        a, count = d.efc_J_rowadr[r], d.efc_J_rownnz[r]
        if count == 0:
            return False
        first, last = int(m.dof_treeid[d.efc_J_colind[a]]), int(m.dof_treeid[d.efc_J_colind[a + count - 1]])
        if first != last or (tree >= 0 and first != tree):
            return False
        tree = first
    return True


@kernel
def project_whole(m, d, n):
    """Compute A + R if no element is left out: each compressed row has n elements."""
    if not room_for(d, max(n * n, pack_room(n, m.nv))):
        return
    d.nA = n * n
    for r in range(n):
        d.efc_AR_rownnz[r], d.efc_AR_rowadr[r] = n, r * n
        for c in range(n):
            d.efc_AR_colind[r * n + c] = c
    multiply_whole(m, d, n)


@kernel
def project_sparse(m, d):
    """Compute A + R in compressed rows."""
    n, nv = int(d.nefc), m.nv
    # A limit on memory counts the elements of B.
    if not limited(d) and is_whole(m, d):
        project_whole(m, d, n)
        return
    size = 0
    for r in range(n):
        count = complete_row(m, d, r, size)
        d.work_B_rowadr[r], d.work_B_rownnz[r] = size, count
        size += count
    filled = pack_room(n, nv) <= CROWDED * size
    if not room_for(d, max(size, pack_room(n, nv)) if filled else size):
        return
    if filled and n * n > d.nH_cap:
        d.need_H, d.status = n * n, GROW
        return

    # Find the pattern of A.
    d.nA = list_roots(m, d, n)
    if not room_for(d, max(d.nA, size)) or (limited(d) and not room_for_sparse(m, d, size)):
        return

    # Compute the values of A: in packs if most elements of B in packs are not zero.
    x, scale = d.solve_Mv, d.solve_grad
    if filled:
        multiply(m, d, d.solve_H, n)
    else:
        for i in range(nv):
            x[i], scale[i] = 0.0, root_inverse(m, d, i)
        for r in range(n):
            fill_row(m, d, r, x, scale)
    for r in range(n):
        d.efc_AR_rownnz[r] = 0
        d.work_B_mark[r] = -1
    for r in range(n):
        set_row(m, d, r, x, filled)


@kernel
def set_row(m, d, r, x, filled):
    """Write row r of A up to its diagonal, and mirror the values to column r of earlier rows. filled: the values are in
    solve_H."""
    B, col, adr, nnz = d.work_B, d.work_B_colind, d.work_B_rowadr, d.work_B_rownnz
    for k in range(adr[r], adr[r] + nnz[r]):
        if not filled:
            x[col[k]] = B[k]
        # Mark rows that share this root dof, latest first.
        if m.dof_parentid[col[k]] < 0:
            e = int(k)
            while e >= 0:
                d.work_B_mark[d.work_B_row[e]] = r
                e = d.work_B_next[e]

    # Compute entries for the marked rows and write them to both triangles of A.
    a = d.efc_AR_rowadr[r]
    for c in range(r + 1):
        if d.work_B_mark[c] == r:
            s = d.solve_H[r * d.nefc + c] if filled else gather_fast(B, adr[c], col, x, nnz[c])
            k = a + d.efc_AR_rownnz[r]
            d.efc_AR_colind[k] = c
            d.efc_AR_rownnz[r] += 1
            if c == r:
                d.efc_AR[k] = s + d.efc_R[r]
            else:
                d.efc_AR[k] = s
                k = d.efc_AR_rowadr[c] + d.efc_AR_rownnz[c]
                d.efc_AR_colind[k] = r
                d.efc_AR[k] = s
                d.efc_AR_rownnz[c] += 1

    if not filled:
        for k in range(adr[r], adr[r] + nnz[r]):
            x[col[k]] = 0.0
