"""Matrix operations on several constraint problems in one vector, tile by tile: products, updates of the Hessian,
factorizations. `packed` defines the layout, `pattern` the tiles.

The last tile may be incomplete. Its rows are processed one by one, by the same operations in the same order: a problem's last
tile may be incomplete beside some problems, and complete beside others that have more dofs.

The order of summation is fixed: ascending in products, descending in the factorization. Tiles and rows of zeros add exact
zeros, so the other problems do not change a problem's result.
"""

from ..machine.jit import inline, kernel
from ..machine.lang import (
    bits_of,
    highest_bit,
    minus_product,
    pack_at,
    pick,
    plus_product,
    put_pack,
    roots_of,
    small_int,
    spread,
    trailing_zeros,
)
from ..machine.layout import PACK
from ..tables.consts import mjMINVAL
from .packed import (
    CHANGED,
    CHANGED_TILES,
    COLUMN_TILES,
    FACTOR,
    FACTOR_TILES,
    GAIN,
    GRADIENT,
    GROUP_TILES,
    HESSIAN,
    INERTIA,
    INERTIA_TILES,
    JACOBIAN,
    TILE,
    WEIGHT,
    matrix,
    padded,
    part,
    spot,
    tile_spot,
    tiles_of,
    words,
)
from .pattern import begin_changed, lower


# ---- tiles ---------------------------------------------------------------------------------------------------------------
@inline
def four(x, first):
    """Return four packs from `first` on."""
    return pack_at(x, first), pack_at(x, first + 1), pack_at(x, first + 2), pack_at(x, first + 3)


@inline
def put_four(x, first, a):
    """Write four packs from `first` on."""
    put_pack(x, first, a[0])
    put_pack(x, first + 1, a[1])
    put_pack(x, first + 2, a[2])
    put_pack(x, first + 3, a[3])


@inline
def plus(a, w, x):
    """Return a + w x for four packs."""
    return plus_product(a[0], w, x[0]), plus_product(a[1], w, x[1]), plus_product(a[2], w, x[2]), plus_product(a[3], w, x[3])


@inline
def minus(a, w, x):
    """Return a - w x for four packs."""
    return (
        minus_product(a[0], w, x[0]),
        minus_product(a[1], w, x[1]),
        minus_product(a[2], w, x[2]),
        minus_product(a[3], w, x[3]),
    )


@inline
def plus_dot(s, a, x):
    """Return s + a . x, with the products added one by one."""
    return plus_product(plus_product(plus_product(plus_product(s, a[0], x[0]), a[1], x[1]), a[2], x[2]), a[3], x[3])


@inline
def tile_at(x, first, step):
    """Return the four rows of a tile. first: its first pack; step: packs from one row to the next."""
    return four(x, first), four(x, first + step), four(x, first + 2 * step), four(x, first + 3 * step)


@inline
def put_tile(x, first, step, a):
    """Write the four rows of a tile."""
    put_four(x, first, a[0])
    put_four(x, first + step, a[1])
    put_four(x, first + 2 * step, a[2])
    put_four(x, first + 3 * step, a[3])


# ---- products ------------------------------------------------------------------------------------------------------------
@kernel
def times_inertia(at, y, x, nv):
    """Set y = M x."""
    M, tiles, full = matrix(at, INERTIA, nv), words(at, INERTIA_TILES, tiles_of(nv)), nv // TILE
    for t in range(full):
        i, mask = TILE * t, lower(tiles[t], t)
        a = b = c = e = spread(0.0)
        v = four(x, i)
        while mask != 0:
            k = TILE * trailing_zeros(mask)
            mask &= mask - 1
            p, q, r, s = tile_at(M, spot(i, k), TILE)
            w, above = four(x, k), four(y, k)
            a, b, c, e = plus_dot(a, p, w), plus_dot(b, q, w), plus_dot(c, r, w), plus_dot(e, s, w)
            put_four(y, k, plus(plus(plus(plus(above, v[0], p), v[1], q), v[2], r), v[3], s))

        # The tile at the diagonal: only its lower triangle is stored.
        p, q, r, s = tile_at(M, spot(i, i), TILE)
        a = plus_dot(a, (p[0], q[0], r[0], s[0]), v)
        b = plus_dot(b, (q[0], q[1], r[1], s[1]), v)
        c = plus_dot(c, (r[0], r[1], r[2], s[2]), v)
        e = plus_dot(e, s, v)
        put_four(y, i, (a, b, c, e))

    for i in range(TILE * full, nv):
        mask, s, v = lower(tiles[full], full), spread(0.0), pack_at(x, i)
        while mask != 0:
            k = TILE * trailing_zeros(mask)
            mask &= mask - 1
            p = four(M, spot(i, k))
            s = plus_dot(s, p, four(x, k))
            put_four(y, k, plus(four(y, k), v, p))
        for k in range(TILE * full, i):
            p = pack_at(M, spot(i, k))
            s = plus_product(s, p, pack_at(x, k))
            put_pack(y, k, plus_product(pack_at(y, k), v, p))
        put_pack(y, i, plus_product(s, pack_at(M, spot(i, i)), v))


@kernel
def times_rows(at, y, x, n, nv):
    """Set y = J x. `n`: rows, in whole tiles."""
    J, groups, full = part(at, JACOBIAN, n * nv), words(at, GROUP_TILES, n // TILE), nv // TILE
    for g in range(n // TILE):
        mask, first = lower(groups[g], full), TILE * g * nv
        a = b = c = e = spread(0.0)
        while mask != 0:
            k = TILE * trailing_zeros(mask)
            mask &= mask - 1
            w = four(x, k)
            p, q, r, s = tile_at(J, first + k, nv)
            a, b, c, e = plus_dot(a, p, w), plus_dot(b, q, w), plus_dot(c, r, w), plus_dot(e, s, w)
        if groups[g] >> full != 0:
            for k in range(TILE * full, nv):
                a, b, c, e = plus((a, b, c, e), pack_at(x, k), column_at(J, first + k, nv))
        put_four(y, TILE * g, (a, b, c, e))


@inline
def column_at(x, first, step):
    """Return four packs, `step` packs apart."""
    return pack_at(x, first), pack_at(x, first + step), pack_at(x, first + 2 * step), pack_at(x, first + 3 * step)


@kernel
def transposed_rows(at, y, x, n, nv):
    """Set y = J' x. `n`: rows, in whole tiles."""
    J, groups, full = part(at, JACOBIAN, n * nv), words(at, GROUP_TILES, n // TILE), nv // TILE
    for t in range(full):
        a = b = c = e = spread(0.0)
        for g in range(n // TILE):
            if groups[g] >> t & 1 != 0:
                v = four(x, TILE * g)
                p, q, r, s = tile_at(J, TILE * (g * nv + t), nv)
                a, b, c, e = plus(plus(plus(plus((a, b, c, e), v[0], p), v[1], q), v[2], r), v[3], s)
        put_four(y, TILE * t, (a, b, c, e))
    for k in range(TILE * full, nv):
        a = spread(0.0)
        for g in range(n // TILE):
            if groups[g] >> full != 0:
                a = plus_dot(a, four(x, TILE * g), column_at(J, TILE * g * nv + k, nv))
        put_pack(y, k, a)


# ---- the Hessian ---------------------------------------------------------------------------------------------------------
@kernel
def begin_hessian(at, nv):
    """Set H = M. Negative zeros become positive, so that adding zeros later does not change any bit."""
    M, H, zero = matrix(at, INERTIA, nv), matrix(at, HESSIAN, nv), spread(0.0)
    inertia, factor = words(at, INERTIA_TILES, tiles_of(nv)), words(at, FACTOR_TILES, tiles_of(nv))
    for t in range(tiles_of(nv)):
        mask = factor[t]
        while mask != 0:
            u = trailing_zeros(mask)
            mask &= mask - 1
            known = inertia[t] >> u & 1 != 0
            for k in range(tile_spot(t, u), tile_spot(t, u) + TILE * TILE):
                put_pack(H, k, pack_at(M, k) + zero if known else zero)


@kernel
def copy_hessian(at, nv):
    """Copy H to FACTOR."""
    H, L, factor = matrix(at, HESSIAN, nv), matrix(at, FACTOR, nv), words(at, FACTOR_TILES, tiles_of(nv))
    for t in range(tiles_of(nv)):
        mask = factor[t]
        while mask != 0:
            first = tile_spot(t, trailing_zeros(mask))
            mask &= mask - 1
            put_tile(L, first, TILE, tile_at(H, first, TILE))


@kernel
def add_rows(at, nv, n, first):
    """For each row whose Hessian weight changes by w, add w J[r]' J[r] to H. Return (number of changed rows in each problem,
    whether any row changed). `n`: rows, in whole tiles.

    At first, H gets nearly all rows of each problem. Later, only a few rows change, at different indices, and are compacted
    to the top:

        row  0   w . . w         w w w w
             1   . w . .   ──▶   . w . w       unused entries have weight 0
             2   . w w w
    """
    gain, counts, zero, one = part(at, WEIGHT, n), spread(0.0), spread(0.0), spread(1.0)
    for r in range(n):
        counts = counts + pick(pack_at(gain, r) != zero, one, zero)
    if first:
        add_products(at, part(at, JACOBIAN, n * nv), gain, words(at, GROUP_TILES, n // TILE), nv, n)
        return counts, n > 0
    most = padded(compact(at, nv, n))
    changed = words(at, CHANGED_TILES, n // TILE)
    add_products(at, part(at, CHANGED, most * nv), part(at, GAIN, most), changed, nv, most)
    return counts, most > 0


@kernel
def compact(at, nv, n):
    """Copy each problem's rows whose weight changes to CHANGED, and the changes to GAIN. Return the largest number of such rows
    in a problem."""
    gain, J, zero = part(at, WEIGHT, n), part(at, JACOBIAN, n * nv), spread(0.0)
    rows, weights = part(at, CHANGED, n * nv), part(at, GAIN, n)
    groups, changed = words(at, GROUP_TILES, n // TILE), words(at, CHANGED_TILES, n // TILE)
    counts, most = small_int(PACK), 0
    for lane in range(PACK):
        counts[lane] = 0
    begin_changed(at, n)
    for r in range(n):
        moved = bits_of(pack_at(gain, r) != zero)
        while moved != 0:
            lane = trailing_zeros(moved)
            moved &= moved - 1
            k = counts[lane]
            counts[lane] = k + 1
            if k == most:
                if k % TILE == 0:
                    for i in range(k * nv, (k + TILE) * nv):
                        put_pack(rows, i, zero)
                    put_four(weights, k, (zero, zero, zero, zero))
                most += 1
            weights[PACK * k + lane] = gain[PACK * r + lane]
            mask = groups[r // TILE]
            changed[k // TILE] |= mask
            while mask != 0:
                c = TILE * trailing_zeros(mask)
                mask &= mask - 1
                for i in range(c, min(c + TILE, nv)):
                    rows[PACK * (k * nv + i) + lane] = J[PACK * (r * nv + i) + lane]
    return most


@kernel
def add_products(at, X, weights, groups, nv, count):
    """Add w x' x to the lower triangle of H for each of `count` rows x of X and its weight w. groups: the tiles of four rows of
    X."""
    if count == 0:
        return
    H, factor, full = matrix(at, HESSIAN, nv), words(at, FACTOR_TILES, tiles_of(nv)), nv // TILE
    for t in range(full):
        mask = factor[t]
        while mask != 0:
            u = trailing_zeros(mask)
            mask &= mask - 1
            add_tile(H, X, weights, groups, nv, count, t, u)
    for i in range(TILE * full, nv):
        mask = lower(factor[full], full)
        while mask != 0:
            u = trailing_zeros(mask)
            mask &= mask - 1
            add_part(H, X, weights, groups, nv, count, i, u)
        for k in range(TILE * full, i + 1):
            s = pack_at(H, spot(i, k))
            for r in range(count):
                if groups[r // TILE] >> full != 0:
                    s = plus_product(s, pack_at(weights, r) * pack_at(X, r * nv + i), pack_at(X, r * nv + k))
            put_pack(H, spot(i, k), s)


@inline
def add_tile(H, X, weights, groups, nv, count, t, u):
    """Add the rows' products to one tile of H."""
    both, i, k = 1 << t | 1 << u, TILE * t, TILE * u
    a, b, c, e = tile_at(H, spot(i, k), TILE)
    for g in range(count // TILE):
        if groups[g] & both != both:
            continue
        for r in range(TILE * g, TILE * g + TILE):
            w, x, y = pack_at(weights, r), four(X, r * nv + k), four(X, r * nv + i)
            a, b, c, e = plus(a, w * y[0], x), plus(b, w * y[1], x), plus(c, w * y[2], x), plus(e, w * y[3], x)
    put_tile(H, spot(i, k), TILE, (a, b, c, e))


@inline
def add_part(H, X, weights, groups, nv, count, i, u):
    """Add the rows' products to row i of one tile of H."""
    both, k = 1 << (i // TILE) | 1 << u, TILE * u
    a = four(H, spot(i, k))
    for g in range(count // TILE):
        if groups[g] & both != both:
            continue
        for r in range(TILE * g, TILE * g + TILE):
            a = plus(a, pack_at(weights, r) * pack_at(X, r * nv + i), four(X, r * nv + k))
    put_four(H, spot(i, k), a)


# ---- factor --------------------------------------------------------------------------------------------------------------
@kernel
def cholesky(at, A, nv):
    """Factor A = L' L, from the last dof to the first; the diagonal of L, in FACTOR, has the inverse pivots. A may be in the
    same memory."""
    L, tiles = matrix(at, FACTOR, nv), tiles_of(nv)
    factor, column = words(at, FACTOR_TILES, tiles), words(at, COLUMN_TILES, tiles)
    last_rows(L, A, factor, nv)
    t = nv // TILE - 1
    while t >= 0:
        # the diagonal first, because the other tiles need its pivots
        mask, after = factor[t], ~((2 << t) - 1)
        while mask != 0:
            u = highest_bit(mask)
            mask ^= 1 << u
            a = without_rows(L, tile_at(A, tile_spot(t, u), TILE), column[t] & column[u] & after, nv, t, u)
            if u == t:
                a = corner(a)
            else:
                a = side(a, tile_at(L, tile_spot(t, t), TILE))
            put_tile(L, tile_spot(t, u), TILE, a)
        t -= 1


@inline
def last_rows(L, A, factor, nv):
    """Factor the rows of an incomplete last tile."""
    full, i = nv // TILE, nv - 1
    while i >= TILE * full:
        mask = factor[full]
        while mask != 0:
            u = highest_bit(mask)
            mask ^= 1 << u
            # the diagonal first, because the other columns need its pivot
            k = min(TILE * u + TILE, i + 1) - 1
            while k >= TILE * u:
                s, j = pack_at(A, spot(i, k)), nv - 1
                while j > i:
                    s = minus_product(s, pack_at(L, spot(j, i)), pack_at(L, spot(j, k)))
                    j -= 1
                put_pack(L, spot(i, k), inverse_pivot(s) if k == i else pack_at(L, spot(i, i)) * s)
                k -= 1
        i -= 1


@inline
def without_rows(L, tile, rows, nv, t, u):
    """Subtract from tile (t, u) the products of L's rows of the tiles in a mask, the last row first."""
    a, b, c, e = tile
    while rows != 0:
        s = highest_bit(rows)
        rows ^= 1 << s
        j = min(TILE * s + TILE, nv) - 1
        while j >= TILE * s:
            x, y = four(L, spot(j, TILE * u)), four(L, spot(j, TILE * t))
            a, b, c, e = minus(a, y[0], x), minus(b, y[1], x), minus(c, y[2], x), minus(e, y[3], x)
            j -= 1
    return a, b, c, e


@inline
def inverse_pivot(s):
    """Return 1 / sqrt(s), where s is at least mjMINVAL."""
    floor = spread(mjMINVAL)
    return spread(1.0) / roots_of(pick(s < floor, floor, s))


@inline
def scaled(a, w):
    """Return w a for four packs."""
    return w * a[0], w * a[1], w * a[2], w * a[3]


@inline
def corner(tile):
    """Return the factor of a tile at the diagonal, of which only the lower triangle is used."""
    a, b, c, e = tile
    w = inverse_pivot(e[3])
    e = scaled(e, w)
    a, b, c = minus(a, e[0], e), minus(b, e[1], e), minus(c, e[2], e)
    v = inverse_pivot(c[2])
    c = scaled(c, v)
    a, b = minus(a, c[0], c), minus(b, c[1], c)
    u = inverse_pivot(b[1])
    b = scaled(b, u)
    a = minus(a, b[0], b)
    return (
        (inverse_pivot(a[0]), a[1], a[2], a[3]),
        (b[0], u, b[2], b[3]),
        (c[0], c[1], v, c[3]),
        (e[0], e[1], e[2], w),
    )


@inline
def side(tile, pivots):
    """Return the factor of a tile beside the diagonal. pivots: the factor of the tile at the diagonal."""
    a, b, c, e = tile
    e = scaled(e, pivots[3][3])
    a, b, c = minus(a, pivots[3][0], e), minus(b, pivots[3][1], e), minus(c, pivots[3][2], e)
    c = scaled(c, pivots[2][2])
    a, b = minus(a, pivots[2][0], c), minus(b, pivots[2][1], c)
    b = scaled(b, pivots[1][1])
    return scaled(minus(a, pivots[1][0], b), pivots[0][0]), b, c, e


@kernel
def solve_factored(at, nv, place):
    """Set the vector at `place` to -inv(L' L) GRADIENT."""
    L, grad, x = matrix(at, FACTOR, nv), part(at, GRADIENT, nv), part(at, place, nv)
    factor, full = words(at, FACTOR_TILES, tiles_of(nv)), nv // TILE
    for i in range(nv):
        put_pack(x, i, -pack_at(grad, i))

    # Solve with L', from the last dof to the first.
    i = nv - 1
    while i >= TILE * full:
        mask, s = lower(factor[full], full), pack_at(x, i) * pack_at(L, spot(i, i))
        put_pack(x, i, s)
        while mask != 0:
            k = TILE * trailing_zeros(mask)
            mask &= mask - 1
            put_four(x, k, minus(four(x, k), s, four(L, spot(i, k))))
        for k in range(TILE * full, i):
            put_pack(x, k, minus_product(pack_at(x, k), s, pack_at(L, spot(i, k))))
        i -= 1
    t = full - 1
    while t >= 0:
        i, mask = TILE * t, lower(factor[t], t)
        a, b, c, e = four(x, i)
        p, q, r, s = tile_at(L, spot(i, i), TILE)
        e = e * s[3]
        a, b, c = minus_product(a, e, s[0]), minus_product(b, e, s[1]), minus_product(c, e, s[2])
        c = c * r[2]
        a, b = minus_product(a, c, r[0]), minus_product(b, c, r[1])
        b = b * q[1]
        a = minus_product(a, b, q[0]) * p[0]
        put_four(x, i, (a, b, c, e))
        while mask != 0:
            k = TILE * trailing_zeros(mask)
            mask &= mask - 1
            p, q, r, s = tile_at(L, spot(i, k), TILE)
            put_four(x, k, minus(minus(minus(minus(four(x, k), e, s), c, r), b, q), a, p))
        t -= 1

    # Solve with L, from the first dof to the last.
    for t in range(full):
        i, mask = TILE * t, lower(factor[t], t)
        a, b, c, e = four(x, i)
        while mask != 0:
            k = TILE * trailing_zeros(mask)
            mask &= mask - 1
            w = four(x, k)
            p, q, r, s = tile_at(L, spot(i, k), TILE)
            a, b, c, e = minus_dot(a, p, w), minus_dot(b, q, w), minus_dot(c, r, w), minus_dot(e, s, w)
        p, q, r, s = tile_at(L, spot(i, i), TILE)
        a = a * p[0]
        b = minus_product(b, q[0], a) * q[1]
        c = minus_product(minus_product(c, r[0], a), r[1], b) * r[2]
        e = minus_product(minus_product(minus_product(e, s[0], a), s[1], b), s[2], c) * s[3]
        put_four(x, i, (a, b, c, e))
    for i in range(TILE * full, nv):
        mask, s = lower(factor[full], full), pack_at(x, i)
        while mask != 0:
            k = TILE * trailing_zeros(mask)
            mask &= mask - 1
            s = minus_dot(s, four(L, spot(i, k)), four(x, k))
        for k in range(TILE * full, i):
            s = minus_product(s, pack_at(L, spot(i, k)), pack_at(x, k))
        put_pack(x, i, s * pack_at(L, spot(i, i)))


@inline
def minus_dot(s, a, x):
    """Return s - a . x, with the products subtracted one by one."""
    return minus_product(minus_product(minus_product(minus_product(s, a[0], x[0]), a[1], x[1]), a[2], x[2]), a[3], x[3])
