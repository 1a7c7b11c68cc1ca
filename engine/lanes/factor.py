"""Matrix operations on several constraint problems in one vector: products, updates of the Hessian, factorizations. `problems`
defines the layout.

The order of summation is fixed. Padding rows add exact zeros, so the other problems do not change a problem's result.
"""

from ..machine.jit import inline, kernel
from ..machine.lang import bits_of, pack_at, pick, put_pack, roots_of, small_int, spread, trailing_zeros
from ..machine.layout import PACK
from ..tables.consts import mjMINVAL
from .problems import CHANGED, FACTOR, GAIN, GRADIENT, HESSIAN, JACOBIAN, SEARCH, WEIGHT, part


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
def add_rows(at, nv, n, first):
    """For each row whose Hessian weight changes by w, add w J[r]' J[r] to H. Return (number of changed rows in each problem,
    whether any row changed).

    At first, H gets nearly all rows of each problem. Later, only a few rows change, at different indices, and are compacted
    to the top:

        row  0   w . . w         w w w w
             1   . w . .   ──▶   . w . w       unused entries have weight 0
             2   . w w w
    """
    gain, J = part(at, WEIGHT, n), part(at, JACOBIAN, n * nv)
    counts, zero, one = spread(0.0), spread(0.0), spread(1.0)
    for r in range(n):
        counts = counts + pick(pack_at(gain, r) != zero, one, zero)
    if first:
        add_products(part(at, HESSIAN, nv * nv), J, gain, nv, n)
        return counts, n > 0
    most = compact(at, nv, n)
    add_products(part(at, HESSIAN, nv * nv), part(at, CHANGED, most * nv), part(at, GAIN, most), nv, most)
    return counts, most > 0


@kernel
def compact(at, nv, n):
    """Copy each problem's rows whose weight changes to CHANGED, and the changes to GAIN. Return the largest number of such rows
    in a problem."""
    gain, J = part(at, WEIGHT, n), part(at, JACOBIAN, n * nv)
    rows, weights = part(at, CHANGED, n * nv), part(at, GAIN, n)
    counts, most = small_int(PACK), 0
    for lane in range(PACK):
        counts[lane] = 0
    for r in range(n):
        moved = bits_of(pack_at(gain, r) != spread(0.0))
        while moved != 0:
            lane = trailing_zeros(moved)
            moved &= moved - 1
            k = counts[lane]
            counts[lane] = k + 1
            if k == most:
                for i in range(k * nv, (k + 1) * nv):
                    put_pack(rows, i, spread(0.0))
                put_pack(weights, k, spread(0.0))
                most += 1
            weights[PACK * k + lane] = gain[PACK * r + lane]
            for i in range(nv):
                rows[PACK * (k * nv + i) + lane] = J[PACK * (r * nv + i) + lane]
    return most


@kernel
def add_products(H, X, weights, nv, count):
    """Add w x' x to the lower triangle of H for each of `count` rows x of X and its weight w, in tiles of four rows and
    columns."""
    if count == 0:
        return
    i = 0
    while i < nv:
        k = 0
        while k <= i:
            add_tile(H, X, weights, nv, count, i, k)
            k += 4
        i += 4


@inline
def four(x, first, last):
    """Return four packs from `first` on, but none beyond `last`."""
    return (
        pack_at(x, first),
        pack_at(x, min(first + 1, last)),
        pack_at(x, min(first + 2, last)),
        pack_at(x, min(first + 3, last)),
    )


@inline
def put_four(x, first, last, a):
    """Write four packs from `first` on, but none beyond `last`."""
    put_pack(x, first, a[0])
    put_pack(x, min(first + 1, last), a[1])
    put_pack(x, min(first + 2, last), a[2])
    put_pack(x, min(first + 3, last), a[3])


@inline
def plus(a, w, x):
    """Return a + w x for four packs."""
    return a[0] + w * x[0], a[1] + w * x[1], a[2] + w * x[2], a[3] + w * x[3]


@kernel
def add_tile(H, X, weights, nv, count, i, k):
    """Add the rows' products to one tile of H: rows from i on, columns from k on. At the edge of the matrix, the last row or
    column is computed several times. Values above the diagonal are not used."""
    end = nv - 1
    i1, i2, i3 = min(i + 1, end), min(i + 2, end), min(i + 3, end)
    a, b = four(H, i * nv + k, i * nv + end), four(H, i1 * nv + k, i1 * nv + end)
    c, e = four(H, i2 * nv + k, i2 * nv + end), four(H, i3 * nv + k, i3 * nv + end)
    for r in range(count):
        w, at = pack_at(weights, r), r * nv
        x = four(X, at + k, at + end)
        a, b = plus(a, w * pack_at(X, at + i), x), plus(b, w * pack_at(X, at + i1), x)
        c, e = plus(c, w * pack_at(X, at + i2), x), plus(e, w * pack_at(X, at + i3), x)
    put_four(H, i * nv + k, i * nv + end, a)
    put_four(H, i1 * nv + k, i1 * nv + end, b)
    put_four(H, i2 * nv + k, i2 * nv + end, c)
    put_four(H, i3 * nv + k, i3 * nv + end, e)


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
