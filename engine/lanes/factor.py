"""Matrix operations on several constraint problems in one vector: products, updates of the Hessian, factorizations. `problems`
defines the layout.

The order of summation is fixed. Padding rows add exact zeros, so the other problems do not change a problem's result.
"""

from ..machine.jit import inline, kernel
from ..machine.lang import bits_of, pack_at, pick, put_pack, roots_of, small_int, spread, trailing_zeros
from ..machine.layout import PACK
from ..tables.consts import mjMINVAL
from .problems import FACTOR, GRADIENT, HESSIAN, JACOBIAN, SEARCH, TOLD, WEIGHT, WEIGHTED, part


@kernel
def copy_triangle(B, A, nv):
    """Set the lower triangle of B to that of A. Negative zeros become positive, so that adding zeros later does not change any
    bit."""
    zero = spread(0.0)
    for i in range(nv):
        for k in range(i + 1):
            put_pack(B, i * nv + k, pack_at(A, i * nv + k) + zero)


@kernel
def times_symmetric(y, A, x, nv):
    """Set y = A x for a symmetric matrix A, of which only the lower triangle is stored."""
    for i in range(nv):
        s, v = pack_at(A, i * nv + i) * pack_at(x, i), pack_at(x, i)
        for k in range(i):
            a = pack_at(A, i * nv + k)
            s = s + a * pack_at(x, k)
            put_pack(y, k, pack_at(y, k) + a * v)
        put_pack(y, i, s)


@kernel
def times(y, A, x, rows, row_step, columns, column_step):
    """Set y = A x. Element (i, k) of A is in pack i * row_step + k * column_step. Each pass over x computes four elements of
    y."""
    i = 0
    while i + 4 <= rows:
        a = b = c = e = spread(0.0)
        for k in range(columns):
            v, at = pack_at(x, k), i * row_step + k * column_step
            a = a + pack_at(A, at) * v
            b = b + pack_at(A, at + row_step) * v
            c = c + pack_at(A, at + 2 * row_step) * v
            e = e + pack_at(A, at + 3 * row_step) * v
        put_pack(y, i, a)
        put_pack(y, i + 1, b)
        put_pack(y, i + 2, c)
        put_pack(y, i + 3, e)
        i += 4
    while i < rows:
        a = spread(0.0)
        for k in range(columns):
            a = a + pack_at(A, i * row_step + k * column_step) * pack_at(x, k)
        put_pack(y, i, a)
        i += 1


@inline
def times_rows(y, J, x, n, nv):
    """Set y = J x."""
    times(y, J, x, n, nv, nv, 1)


@inline
def transposed_rows(y, J, x, n, nv):
    """Set y = J' x."""
    times(y, J, x, nv, 1, n, nv)


# ---- the Hessian ---------------------------------------------------------------------------------------------------------
@kernel
def add_rows(at, nv, n):
    """For each row whose Hessian weight changes by w, add w J[r]' J[r] to H. Return (number of changed rows in each problem,
    whether any row changed).

    In each problem only a few rows change, at different indices. The changed rows of each problem are therefore compacted
    to the top:

        row  0   w . . w         w w w w
             1   . w . .   ──▶   . w . w       unused entries have weight 0
             2   . w w w
    """
    gain, J, W = part(at, WEIGHT, n), part(at, JACOBIAN, n * nv), part(at, WEIGHTED, 2 * n * nv)
    counts, most = small_int(PACK), 0
    for lane in range(PACK):
        counts[lane] = 0

    # compact the changed rows of each problem
    for r in range(n):
        moved = bits_of(pack_at(gain, r) != spread(0.0))
        while moved != 0:
            lane = trailing_zeros(moved)
            moved &= moved - 1
            k = counts[lane]
            counts[lane] = k + 1
            if k == most:
                clear_row(W, k, nv)
                most += 1
            take_row(W, k, J, r, gain[PACK * r + lane], nv, lane)

    # add the compacted rows to H, in tiles of two rows and four columns
    H = part(at, HESSIAN, nv * nv)
    i = 0
    while i < nv:
        k = 0
        while k <= i:
            add_tile(H, W, nv, most, i, k)
            k += 4
        i += 2
    return counts_of(at, counts), most > 0


@inline
def clear_row(W, k, nv):
    """Set row k to zero in all problems."""
    for i in range(2 * k * nv, 2 * (k + 1) * nv):
        put_pack(W, i, spread(0.0))


@inline
def take_row(W, k, J, r, w, nv, lane):
    """Copy row r of J to row k of W for one problem. Each element is stored twice: unchanged, and multiplied by w."""
    for i in range(nv):
        x = J[PACK * (r * nv + i) + lane]
        W[PACK * 2 * (k * nv + i) + lane] = x
        W[PACK * (2 * (k * nv + i) + 1) + lane] = w * x


@inline
def counts_of(at, counts):
    """Return integer counts as a pack."""
    x = part(at, TOLD, 1)
    for lane in range(PACK):
        x[lane] = counts[lane]
    return pack_at(x, 0)


@kernel
def add_tile(H, W, nv, count, i, k):
    """Add the compacted rows to one tile of H: rows i and i + 1, columns k to k + 3, clipped at the edge of the matrix. Values
    above the diagonal are not used."""
    i1, k1, k2, k3 = min(i + 1, nv - 1), min(k + 1, nv - 1), min(k + 2, nv - 1), min(k + 3, nv - 1)
    a, b, c, e = pack_at(H, i * nv + k), pack_at(H, i * nv + k1), pack_at(H, i * nv + k2), pack_at(H, i * nv + k3)
    p, q, s, t = pack_at(H, i1 * nv + k), pack_at(H, i1 * nv + k1), pack_at(H, i1 * nv + k2), pack_at(H, i1 * nv + k3)
    for r in range(count):
        u, v = pack_at(W, 2 * (r * nv + i) + 1), pack_at(W, 2 * (r * nv + i1) + 1)
        x = pack_at(W, 2 * (r * nv + k))
        a, p = a + u * x, p + v * x
        x = pack_at(W, 2 * (r * nv + k1))
        b, q = b + u * x, q + v * x
        x = pack_at(W, 2 * (r * nv + k2))
        c, s = c + u * x, s + v * x
        x = pack_at(W, 2 * (r * nv + k3))
        e, t = e + u * x, t + v * x
    put_row(H, i1 * nv, k, k1, k2, k3, p, q, s, t)
    put_row(H, i * nv, k, k1, k2, k3, a, b, c, e)


@inline
def put_row(H, row, k, k1, k2, k3, a, b, c, e):
    """Write one row of a tile to H."""
    # write in descending order: columns beyond the matrix are clipped to its last column, whose true value must be written last
    put_pack(H, row + k3, e)
    put_pack(H, row + k2, c)
    put_pack(H, row + k1, b)
    put_pack(H, row + k, a)


# ---- factor --------------------------------------------------------------------------------------------------------------
@kernel
def cholesky(A, nv):
    """Factor A = L L' in place, in the lower triangle; the diagonal stores the inverse pivots."""
    floor, one = spread(mjMINVAL), spread(1.0)
    for j in range(nv):
        s = pack_at(A, j * nv + j)
        for k in range(j):
            x = pack_at(A, j * nv + k)
            s = s - x * x
        pivot = one / roots_of(pick(s < floor, floor, s))
        put_pack(A, j * nv + j, pivot)

        # compute the column below the pivot, four rows at a time
        i = j + 1
        while i + 4 <= nv:
            a, b, c, e = (
                pack_at(A, i * nv + j),
                pack_at(A, (i + 1) * nv + j),
                pack_at(A, (i + 2) * nv + j),
                pack_at(A, (i + 3) * nv + j),
            )
            for k in range(j):
                x = pack_at(A, j * nv + k)
                a = a - pack_at(A, i * nv + k) * x
                b = b - pack_at(A, (i + 1) * nv + k) * x
                c = c - pack_at(A, (i + 2) * nv + k) * x
                e = e - pack_at(A, (i + 3) * nv + k) * x
            put_pack(A, i * nv + j, a * pivot)
            put_pack(A, (i + 1) * nv + j, b * pivot)
            put_pack(A, (i + 2) * nv + j, c * pivot)
            put_pack(A, (i + 3) * nv + j, e * pivot)
            i += 4
        while i < nv:
            a = pack_at(A, i * nv + j)
            for k in range(j):
                a = a - pack_at(A, i * nv + k) * pack_at(A, j * nv + k)
            put_pack(A, i * nv + j, a * pivot)
            i += 1


@kernel
def solve_factored(at, nv):
    """Set SEARCH = -inv(L L') GRADIENT."""
    L, grad, x = part(at, FACTOR, nv * nv), part(at, GRADIENT, nv), part(at, SEARCH, nv)
    for i in range(nv):
        put_pack(x, i, -pack_at(grad, i))

    # forward, then backward substitution
    for j in range(nv):
        s = pack_at(x, j) * pack_at(L, j * nv + j)
        put_pack(x, j, s)
        for i in range(j + 1, nv):
            put_pack(x, i, pack_at(x, i) - pack_at(L, i * nv + j) * s)
    j = nv - 1
    while j >= 0:
        s = pack_at(x, j) * pack_at(L, j * nv + j)
        put_pack(x, j, s)
        for k in range(j):
            put_pack(x, k, pack_at(x, k) - pack_at(L, j * nv + k) * s)
        j -= 1
