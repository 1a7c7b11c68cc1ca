"""The rows' inverse inertia A = J inv(M) J', with R added to its diagonal: the matrix of the dual solvers.

A = B B' with B = J inv(L) sqrt(inv(D)) from the factor M = L' D L. Two rows of B have common columns if their rows of J move
the same kinematic tree, because L adds all ancestors of a row's dofs, up to the root.
"""

from math import sqrt

from ..core.arena import FRAME, aligned, fits, forget_rows, keep, limited, push
from ..core.stages import GROW
from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel, stage
from ..machine.lang import bits_of, pack_at, put_pack, spread, trailing_zeros
from ..machine.layout import PACK
from ..math.sparse import gather
from ..tables.solver_rows import DUAL


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


# ---- dense -------------------------------------------------------------------------------------------------------------
#
# work_B has B' with a row for each dof, so that vector registers hold numbers of several constraint rows:
#
#             n columns, padded to whole tiles
#     nv   [  B' = inv(sqrt(D) L') J'         ]        A = (B')' B', in tiles of TALL rows and WIDE packs
#     TALL [  the rows of A of a tile         ]
#
TALL, WIDE = 4, 2


@kernel
def project_dense(m, d):
    """Compute A + R as a dense matrix."""
    n, nv = d.nefc, m.nv
    packs = (n + WIDE * PACK - 1) // (WIDE * PACK) * WIDE
    width = packs * PACK
    if not room_for(d, max(n * max(n, nv), (nv + TALL) * width)):
        return
    d.nA = n * n
    if limited(d) and not room_for_dense(m, d):
        return
    transposed_root(m, d, packs)

    A, sums = d.efc_AR, nv * width
    for first in range(0, n, TALL):
        count = list_dofs(m, d, first // TALL)
        for c in range(0, packs, WIDE):
            multiply_tile(d, first, count, c, packs, nv * packs + c)
        for r in range(first, min(first + TALL, n)):
            for c in range(n):
                A[r * n + c] = d.work_B[sums + (r - first) * width + c]
            A[r * n + r] += d.efc_R[r]


@inline
def place_number(d, nv, width, k):
    """Copy number k of J to J', and mark its dof and its group of rows."""
    r, i = k // nv, k % nv
    d.work_B[i * width + r] = d.efc_J[k]
    d.work_chain[i] |= 1 << (r // TALL & 63)


@kernel
def transposed_root(m, d, packs):
    """Write B' = inv(sqrt(D) L') J', and to work_chain, for each dof, a bit for each group of TALL constraint rows that it
    moves. Groups whose numbers differ by 64 share a bit."""
    nv, width = m.nv, packs * PACK
    B, J, groups = d.work_B, d.efc_J, d.work_chain
    for k in range(nv * width):
        B[k] = 0.0
    for i in range(nv):
        groups[i] = 0

    # Most numbers of J are zero, so look at whole packs.
    size = d.nefc * nv
    for k in range(size // PACK):
        bits = bits_of(pack_at(J, k) != spread(0.0))
        while bits != 0:
            place_number(d, nv, width, k * PACK + trailing_zeros(bits))
            bits &= bits - 1
    for k in range(size // PACK * PACK, size):
        if J[k] != 0.0:
            place_number(d, nv, width, k)

    # Eliminate from the last dof. This adds to the rows of its ancestors; rows that remain zero are skipped.
    i = nv - 1
    while i >= 0:
        if groups[i] != 0:
            own = i * packs
            for a in range(m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i] - 1):
                j = int(m.M_colind[a])
                groups[j] |= groups[i]
                add_packs(B, j * packs, spread(-d.qLD[a]), own, packs)
            scale = spread(root_inverse(m, d, i))
            for c in range(own, own + packs):
                put_pack(B, c, scale * pack_at(B, c))
        i -= 1


@inline
def add_packs(x, to, factor, k, count):
    """Add a multiple of the packs from k to those from `to`."""
    for c in range(count):
        put_pack(x, to + c, pack_at(x, to + c) + factor * pack_at(x, k + c))


@kernel
def list_dofs(m, d, group):
    """List the dofs that move a group of constraint rows in work_B_colind; return their count. Most rows involve few dofs."""
    count = 0
    for i in range(m.nv):
        if d.work_chain[i] >> (group & 63) & 1:
            d.work_B_colind[count] = i
            count += 1
    return count


@kernel
def multiply_tile(d, first, count, c, packs, to):
    """Write rows `first` to first + TALL - 1 and packs c to c + WIDE - 1 of A to work_B, from pack `to` on, as the sum over the
    listed dofs. The sums stay in registers."""
    B, width = d.work_B, packs * PACK
    a0 = a1 = b0 = b1 = c0 = c1 = d0 = d1 = spread(0.0)
    for e in range(count):
        i = int(d.work_B_colind[e])
        k = i * width + first
        x, y = pack_at(B, i * packs + c), pack_at(B, i * packs + c + 1)
        s = spread(B[k])
        a0, a1 = a0 + s * x, a1 + s * y
        s = spread(B[k + 1])
        b0, b1 = b0 + s * x, b1 + s * y
        s = spread(B[k + 2])
        c0, c1 = c0 + s * x, c1 + s * y
        s = spread(B[k + 3])
        d0, d1 = d0 + s * x, d1 + s * y
    put_pack(B, to, a0)
    put_pack(B, to + 1, a1)
    put_pack(B, to + packs, b0)
    put_pack(B, to + packs + 1, b1)
    put_pack(B, to + 2 * packs, c0)
    put_pack(B, to + 2 * packs + 1, c1)
    put_pack(B, to + 3 * packs, d0)
    put_pack(B, to + 3 * packs + 1, d1)


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
def fill_row(m, d, r, x):
    """Compute the values of row r of B. x is a dense scratch row; it must be zero, and is zero again afterwards."""
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
        B[k] = s * root_inverse(m, d, i)
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
def project_sparse(m, d):
    """Compute A + R in compressed rows."""
    n, nv = d.nefc, m.nv
    size = 0
    for r in range(n):
        count = complete_row(m, d, r, size)
        d.work_B_rowadr[r], d.work_B_rownnz[r] = size, count
        size += count
    if not room_for(d, size):
        return

    # Compute the values of B.
    x = d.solve_Mv
    for i in range(nv):
        x[i] = 0.0
    for r in range(n):
        fill_row(m, d, r, x)

    # Find the pattern of A.
    d.nA = list_roots(m, d, n)
    if not room_for(d, max(d.nA, size)) or (limited(d) and not room_for_sparse(m, d, size)):
        return

    # Compute the rows of A.
    for r in range(n):
        d.efc_AR_rownnz[r] = 0
        d.work_B_mark[r] = -1
    for r in range(n):
        set_row(m, d, r, x)


@kernel
def set_row(m, d, r, x):
    """Compute row r of A up to its diagonal, and mirror the values to column r of earlier rows."""
    B, col, adr, nnz = d.work_B, d.work_B_colind, d.work_B_rowadr, d.work_B_rownnz
    for k in range(adr[r], adr[r] + nnz[r]):
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
            s = gather(B, adr[c], col, x, nnz[c])
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

    for k in range(adr[r], adr[r] + nnz[r]):
        x[col[k]] = 0.0
