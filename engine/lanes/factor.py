"""Matrices of several problems in one vector, in the layout of `problems`: products, rows of the Hessian, factors.

Sums are taken in a fixed order, whatever the other problems are: adding a problem's zeros does not change its bits.
"""

from ..machine.jit import inline, kernel
from ..machine.lang import bits_of, pack_at, pick, put_pack, roots_of, small_int, spread, trailing_zeros
from ..machine.layout import PACK
from ..tables.consts import mjMINVAL
from .problems import FACTOR, GRADIENT, HESSIAN, JACOBIAN, SEARCH, TOLD, WEIGHT, WEIGHTED, part


@kernel
def copy_triangle(B, A, nv):
    """Copy the lower triangle; negative zeros become positive, so that adding zeros keeps all bits."""
    zero = spread(0.0)
    for i in range(nv):
        for k in range(i + 1):
            put_pack(B, i * nv + k, pack_at(A, i * nv + k) + zero)


@kernel
def times_symmetric(y, A, x, nv):
    """Set y = A x for a symmetric matrix given by its lower triangle."""
    for i in range(nv):
        s, v = pack_at(A, i * nv + i) * pack_at(x, i), pack_at(x, i)
        for k in range(i):
            a = pack_at(A, i * nv + k)
            s = s + a * pack_at(x, k)
            put_pack(y, k, pack_at(y, k) + a * v)
        put_pack(y, i, s)


@kernel
def times(y, A, x, rows, row_step, columns, column_step):
    """Set y = A x for a matrix whose element (i, k) is pack i row_step + k column_step. Each pass over x serves four rows."""
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
    """Add w J[r]' J[r] to H for rows that gain or lose weight. Return (number of such rows in each problem, whether there are
    any).

    In any one problem few rows change, in different places. Each problem's changed rows are therefore moved up, one
    after another:

        row  0   w . . w         w w w w
             1   . w . .   ──▶   . w . w       unused places have weight 0
             2   . w w w
    """
    gain, J, W = part(at, WEIGHT, n), part(at, JACOBIAN, n * nv), part(at, WEIGHTED, 2 * n * nv)
    counts, most = small_int(PACK), 0
    for lane in range(PACK):
        counts[lane] = 0

    # move the rows of each problem up
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

    # add them to H in tiles of two rows and four columns
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
    """Set a row to zero in all problems."""
    for i in range(2 * k * nv, 2 * (k + 1) * nv):
        put_pack(W, i, spread(0.0))


@inline
def take_row(W, k, J, r, w, nv, lane):
    """Copy row r of one problem to row k, and also multiplied by its weight."""
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
    """Add rows to the tile of H with rows i and i + 1 and columns k to k + 3, as far as they exist. Values above the diagonal
    are not used."""
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
    """Write a row of a tile."""
    # Columns beyond the last one repeat it: write in descending order, so that the true column is written last.
    put_pack(H, row + k3, e)
    put_pack(H, row + k2, c)
    put_pack(H, row + k1, b)
    put_pack(H, row + k, a)


# ---- factor --------------------------------------------------------------------------------------------------------------
@kernel
def cholesky(A, nv):
    """Factor A = L L' in place, in its lower triangle. The diagonal stores the inverse pivots."""
    floor, one = spread(mjMINVAL), spread(1.0)
    for j in range(nv):
        s = pack_at(A, j * nv + j)
        for k in range(j):
            x = pack_at(A, j * nv + k)
            s = s - x * x
        pivot = one / roots_of(pick(s < floor, floor, s))
        put_pack(A, j * nv + j, pivot)

        # the column below the pivot, four rows at a time
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
    """Set SEARCH = - inv(L L') GRADIENT."""
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
