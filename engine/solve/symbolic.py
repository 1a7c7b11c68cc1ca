"""Finds the sparsity patterns of a sparse Hessian and its factor. Each row's columns are a set of bits in 64-bit words.

The factor L' L = H is computed from the last row up, so the kinematic tree causes no fill-in. Row i of the pattern holds the
columns up to i. Eliminating row r adds its columns to row c, where c is the largest of them.
"""

from ..dynamics.metric import is_discrete
from ..machine.jit import inline, kernel
from ..machine.lang import address_of, count_ones, flat, highest_bit, longs_at, trailing_zeros
from .primal import int_view


@inline
def words_of(nv):
    return (nv + 63) >> 6


@inline
def is_full(d, p):
    """Return whether a row of the Jacobian has all dofs of the problem. Then H and its factor are full."""
    nv, n, row, r = p[1], p[3], p[4], 0
    nnz, same = int_view(p, d.efc_J_rownnz, d.iefc_J_rownnz, row, n), int_view(p, d.efc_J_rowsuper, d.iefc_J_rowsuper, row, n)
    while r < n and nnz[r] < nv:
        r += same[r] + 1
    return r < n


@kernel
def find_pattern(m, d, p, bits, dense):
    """writes bits (nv x words): the columns of each row of L, except of a dense and full one. Returns (nonzeros of H as MuJoCo
    counts them, nonzeros of L)."""
    nv = p[1]
    if dense and is_full(d, p):
        triangle = nv * (nv + 1) // 2
        nnz, adr = inertia_row(m, d, p, nv - 1)
        return triangle + adr + nnz, triangle
    words = words_of(nv)
    for k in range(nv * words):
        bits[k] = 0

    # Add pairs of dofs that constraints, tendons and actuators couple.
    add_rows(m, d, p, bits, words)
    if is_discrete(m):
        tcol = flat(d.ten_J_colind)
        for t in range(m.ntendon):
            if d.efm_ts[t] != 0:
                add_row(d, tcol, d.ten_J_rowadr[t], d.ten_J_rownnz[t], bits, words)
        for i in range(m.nout):
            if d.efm_as[i] != 0:
                add_row(d, d.moment_colind, d.moment_rowadr[i], d.moment_rownnz[i], bits, words)
    count = total(bits, nv * words)

    # As in MuJoCo, count all entries of the inertia up to the island's last row.
    nnz, adr = inertia_row(m, d, p, nv - 1)
    count += adr + nnz

    # Add the pattern of the inertia, then the fill-in.
    for i in range(nv):
        nnz, adr = inertia_row(m, d, p, i)
        col = m.M_colind if p[0] < 0 else d.iM_colind
        for a in range(adr, adr + nnz):
            bits[i * words + (col[a] >> 6)] |= 1 << (col[a] & 63)
    eliminate(bits, nv, words)
    return count, total(bits, nv * words)


@inline
def inertia_row(m, d, p, i):
    """Return (number of nonzeros, address) of a row of M."""
    if p[0] < 0:
        return int(m.M_rownnz[i]), int(m.M_rowadr[i])
    return int(d.iM_rownnz[p[2] + i]), int(d.iM_rowadr[p[2] + i])


@inline
def total(bits, n):
    s = 0
    for k in range(n):
        s += count_ones(bits[k])
    return s


@kernel
def add_rows(m, d, p, bits, words):
    """Add the pattern of J' J: all pairs of dofs in each row."""
    n, row = p[3], p[4]
    nnz, adr = int_view(p, d.efc_J_rownnz, d.iefc_J_rownnz, row, n), int_view(p, d.efc_J_rowadr, d.iefc_J_rowadr, row, n)
    same = int_view(p, d.efc_J_rowsuper, d.iefc_J_rowsuper, row, n)
    col = d.efc_J_colind if p[0] < 0 else d.iefc_J_colind
    r = 0
    while r < n:
        add_row(d, col, adr[r], nnz[r], bits, words)
        r += same[r] + 1


@inline
def add_row(d, col, start, count, bits, words):
    """Add all pairs of dofs in a row."""
    mask = d.work_chain
    for w in range(words):
        mask[w] = 0
    for a in range(start, start + count):
        c = col[a]
        last = c >> 6
        mask[last] |= 1 << (c & 63)
        for w in range(last + 1):
            bits[c * words + w] |= mask[w]


@kernel
def eliminate(bits, nv, words):
    """Add the fill-in of the factorization."""
    r = nv - 1
    while r > 0:
        parent = previous_column(bits, r, words)
        if parent >= 0:
            last = parent >> 6
            for w in range(last):
                bits[parent * words + w] |= bits[r * words + w]
            keep = bits[r * words + last]
            shift = parent & 63
            bits[parent * words + last] |= keep if shift == 63 else keep & ((1 << (shift + 1)) - 1)
        r -= 1


@inline
def previous_column(bits, r, words):
    """Return the largest column before the diagonal of row r, or -1 if there is none."""
    w = r >> 6
    x = bits[r * words + w] & ((1 << (r & 63)) - 1)
    while x == 0 and w > 0:
        w -= 1
        x = bits[r * words + w]
    return -1 if x == 0 else (w << 6) + highest_bit(x)


@kernel
def list_columns(d, nv, bits):
    """writes solve_Lnnz, solve_Ladr, solve_Lcol: the pattern as compressed rows, diagonals last; solve_node: the first row of
    each row's supernode.

    A supernode is a range of rows, of which each has the columns of the row before it and its own diagonal.
    """
    words = words_of(nv)
    a = 0
    for i in range(nv):
        d.solve_Ladr[i] = a
        for w in range((i >> 6) + 1):
            x = bits[i * words + w]
            while x != 0:
                d.solve_Lcol[a] = (w << 6) + trailing_zeros(x)
                x &= x - 1
                a += 1
        n = d.solve_Lnnz[i] = a - d.solve_Ladr[i]
        continues = i > 0 and n == d.solve_Lnnz[i - 1] + 1 and d.solve_Lcol[a - 2] == i - 1
        d.solve_node[i] = d.solve_node[i - 1] if continues else i


@inline
def bit_rows(d, nv):
    """Return the array of 64-bit words for a pattern's rows. It occupies the memory that the factor will use later."""
    return longs_at(address_of(d.solve_L, 0), nv * words_of(nv))
