"""The inertia and its factor, branch by branch: what a dof's ancestors have in common stays in packs while its subtree is
visited.

Dofs are numbered branch by branch. So the ancestors of the next dof are, above some depth, those of the last one. Here is the
factor, which visits dofs from the last down:

    dof  depth         dof    its ancestors' rows, by depth
     0     0            5     0 4
     1     1  ┐         4     0
     2     2  │         3     0 1           row 0 stays; row 1 is read from the matrix
     3     2  ┘         2     0 1
     4     1  ┐         1     0
     5     2  ┘

A row is read when its first descendant is visited. From then on, the row of each descendant is subtracted from it, PACK
columns at a time. Rows are padded to a multiple of PACK: those at depths 0 to 7 have one pack each, the next eight have two,
and so on. What is beyond a row's diagonal, and rows of dofs that are finished, may hold anything: they are changed with the
others, which is faster than a test.
"""

from ..machine.jit import inline, kernel
from ..machine.lang import (
    address_of,
    array_at,
    guessed,
    load,
    mask_of,
    pack_at,
    part_at,
    pick,
    put_pack,
    put_part,
    spread,
    subtract_outer,
    subtract_two_outer,
    times,
    wide,
)
from ..machine.layout import PACK
from ..math.spatial import inertia_mul
from ..tables.consts import mjMINVAL

# Numbers in work_front. work_front_rest continues it in memory, so there is room for all rows of the longest branch, of n dofs,
# up to the end of a block of PACK rows: 32 b (b + 1) numbers for b blocks, of which nD >= n^2 are in the rest.
FRONT = 112
# PACK as a power of two: shifts are faster than divisions, which have to round down below zero
BITS = 3
# Packs are faster than single numbers if rows have at least this many numbers on average.
LONG = 4


@inline
def follows_parent(m, k):
    """Return whether the row of dof k is that of its parent k - 1 with one entry more, so that both can be used together.

    Dofs of simple bodies are consecutive, but their rows are diagonal.
    """
    return k > 0 and m.dof_parentid[k] == k - 1 and m.M_rownnz[k] == m.M_rownnz[k - 1] + 1


@inline
def are_long(m):
    """Return whether rows are long enough, and registers wide enough, for packs."""
    return wide() and m.nC >= LONG * m.nv


@inline
def front(m, d):
    """Return work_front and work_front_rest as one array."""
    return array_at(address_of(d.work_front, 0), FRONT + m.nD)


# ---- factor --------------------------------------------------------------------------------------------------------------
@inline
def place(depth):
    """Return the first pack of the row at a depth."""
    block, row = depth >> BITS, depth & PACK - 1
    return (block + 1) * ((PACK >> 1) * block + row)


@inline
def read_row(F, depth, L, start):
    """Copy the row of a dof at a depth, depth + 1 numbers of L, to its packs."""
    first = place(depth)
    for j in range((depth >> BITS) + 1):
        put_pack(F, first + j, part_at(L, start + PACK * j, depth + 1 - PACK * j))


@inline
def read_ancestors(F, m, L, start, first, end):
    """Read the rows of a dof's ancestors from depth `first` on."""
    for a in range(first, end):
        read_row(F, a, L, m.M_rowadr[m.M_colind[start + a]])


@inline
def guarded(pivot, limited, lost, k):
    """Return (pivot of dof k, raised to mjMINVAL if pivots are limited; the first dof whose pivot was raised)."""
    if guessed(limited and pivot < mjMINVAL):
        return mjMINVAL, k if lost < 0 else lost
    return pivot, lost


@inline
def short_row(F, n, kept, L, start):
    """Return (the row at depth n < 2 PACK in two packs; its pivot; the number before the pivot, if there is one)."""
    before = max(n - 1, 0)
    if kept > n:
        x = place(n)
        return pack_at(F, x), pack_at(F, x + (n >> BITS)), F[PACK * x + n], F[PACK * x + before]
    return part_at(L, start, n + 1), part_at(L, start + PACK, n + 1 - PACK), L[start + n], L[start + before]


@inline
def write_short_row(L, start, n, low, high, pivot):
    """Write a finished row: n numbers, from two packs, and the pivot."""
    put_part(L, start, n, low)
    if n > PACK:
        put_part(L, start + PACK, n - PACK, high)
    L[start + n] = pivot


@inline
def finish_short(m, F, L, inverse, k, pair, kept, limited, lost):
    """Finish the row of dof k, at a depth less than 2 PACK, in registers; with `pair`, also its parent's row, of dof k - 1.
    Return `lost`, as in `guarded`."""
    n, start = m.M_rownnz[k] - 1, m.M_rowadr[k]
    read_ancestors(F, m, L, start, kept, n - 1 if pair else n)
    low, high, pivot, last = short_row(F, n, kept, L, start)
    pivot, lost = guarded(pivot, limited, lost, k)
    r = 1 / pivot
    inverse[k] = r
    s0, s1 = low * spread(r), high * spread(r)
    if not pair:
        subtract_outer(F, 0, 1, s0, low)
        if n > PACK:
            subtract_outer(F, PACK, 2, s1, low)
            subtract_outer(F, PACK + 1, 2, s1, high)
        write_short_row(L, start, n, s0, s1, pivot)
        return lost

    # Subtract the row from the row of the parent.
    above, s = m.M_rowadr[k - 1], spread(last * r)
    low2, high2, q, _ = short_row(F, n - 1, kept, L, above)
    low2, high2 = low2 - times(s, low), high2 - times(s, high)
    q, lost = guarded(q - last * r * last, limited, lost, k - 1)
    r2 = 1 / q
    inverse[k - 1] = r2
    t0, t1 = low2 * spread(r2), high2 * spread(r2)
    subtract_two_outer(F, 0, 1, s0, low, t0, low2)
    if n > PACK + 1:
        subtract_two_outer(F, PACK, 2, s1, low, t1, low2)
        subtract_two_outer(F, PACK + 1, 2, s1, high, t1, high2)
    write_short_row(L, start, n, s0, s1, pivot)
    write_short_row(L, above, n - 1, t0, t1, q)
    return lost


@inline
def write_row(L, start, n, F, x, r, pivot):
    """Write a finished row: n numbers, which are multiplied by r, and the pivot."""
    s = spread(r)
    for j in range(n + PACK - 1 >> BITS):
        put_part(L, start + PACK * j, n - PACK * j, pack_at(F, x + j) * s)
    L[start + n] = pivot


@inline
def finish_long(m, F, L, inverse, k, pair, kept, limited, lost):
    """Finish rows as `finish_short`, at any depth."""
    n, start = m.M_rownnz[k] - 1, m.M_rowadr[k]
    if kept <= n:
        read_ancestors(F, m, L, start, kept, n)
        read_row(F, n, L, start)
    x = place(n)
    pivot, lost = guarded(F[PACK * x + n], limited, lost, k)
    r = 1 / pivot
    inverse[k] = r
    write_row(L, start, n, F, x, r, pivot)
    if not pair:
        for block in range(n + PACK - 1 >> BITS):
            scaled = pack_at(F, x + block) * spread(r)
            for j in range(block + 1):
                subtract_outer(F, place(PACK * block) + j, block + 1, scaled, pack_at(F, x + j))
        return lost

    # Subtract the row from the row of the parent. Then subtract both from the rows of the other ancestors.
    n, y = n - 1, place(n - 1)
    s = spread(F[PACK * x + n] * r)
    for j in range((n >> BITS) + 1):
        put_pack(F, y + j, pack_at(F, y + j) - times(s, pack_at(F, x + j)))
    pivot, lost = guarded(F[PACK * y + n], limited, lost, k - 1)
    q = 1 / pivot
    inverse[k - 1] = q
    write_row(L, m.M_rowadr[k - 1], n, F, y, q, pivot)
    for block in range(n + PACK - 1 >> BITS):
        first, step = place(PACK * block), block + 1
        scaled, other = pack_at(F, x + block) * spread(r), pack_at(F, y + block) * spread(q)
        for j in range(block + 1):
            subtract_two_outer(F, first + j, step, scaled, pack_at(F, x + j), other, pack_at(F, y + j))
    return lost


@kernel
def factor_branches(m, d, L, inverse, sleep, limited):
    """Factor the matrix in L as L'DL, in place; `inverse` is set to 1 / D. Return the first dof whose pivot was raised,
    otherwise -1 (scratch: work_front)."""
    F = front(m, d)
    lost, kept = -1, 0
    t = (d.nv_awake if sleep else m.nv) - 1
    while t >= 0:
        k = d.dof_awake_ind[t] if sleep else t
        t -= 1
        n, start = m.M_rownnz[k] - 1, m.M_rowadr[k]
        if m.dof_simplenum[k]:
            # The row of a simple dof has only a pivot.
            L[start], lost = guarded(L[start], limited, lost, k)
            inverse[k] = 1 / L[start]
            continue

        pair = follows_parent(m, k)
        if n < 2 * PACK:
            lost = finish_short(m, F, L, inverse, k, pair, kept, limited, lost)
        else:
            lost = finish_long(m, F, L, inverse, k, pair, kept, limited, lost)
        kept = n
        if pair:
            kept, t = n - 1, t - 1
    return lost


# ---- inertia -------------------------------------------------------------------------------------------------------------
@inline
def inserted(x, low, high, first, second):
    """Return (first, second), two packs, with the number x where the masks low and high hold."""
    return pick(low, spread(x), first), pick(high, spread(x), second)


@inline
def products(momentum, a, b, c, e, f, g):
    """Return the products of a momentum and PACK motion vectors, given as six packs, summed in the order of `dot6`."""
    p, q, r, s, t, u = momentum
    first = times(spread(p), a) + times(spread(r), c)
    second = times(spread(q), b) + times(spread(s), e)
    return (first + second) + (times(spread(t), f) + times(spread(u), g))


@inline
def fill_long_row(m, d, F, i, axis, momentum):
    """Fill the row of dof i from column 2 PACK on, and insert its axis in the packs."""
    n, start = m.M_rownnz[i] - 1, m.M_rowadr[i]
    here, last = mask_of(1 << (n & PACK - 1)), n >> BITS
    for c in range(6):
        put_pack(F, 6 * last + c, pick(here, spread(axis[c]), pack_at(F, 6 * last + c)))
    for j in range(2, last + 1):
        x, first = 6 * j, PACK * j
        a, b, c = pack_at(F, x), pack_at(F, x + 1), pack_at(F, x + 2)
        e, f, g = pack_at(F, x + 3), pack_at(F, x + 4), pack_at(F, x + 5)
        row = products(momentum, a, b, c, e, f, g)
        if j == last:
            row = row + pick(here, spread(m.dof_armature[i]), spread(0.0))
        put_part(d.M, start + first, n + 1 - first, row)


@kernel
def fill_rows(m, d, sleep):
    """reads crb, cdof; writes M: products of each dof's momentum and the motion axes of its ancestors (scratch: work_front).

    Packs have one component of the axes of PACK dofs: a0 to a5 are the first on the current branch, b0 to b5 the next, and
    others are in work_front.
    """
    M, F, zero = d.M, front(m, d), spread(0.0)
    a0 = a1 = a2 = a3 = a4 = a5 = b0 = b1 = b2 = b3 = b4 = b5 = zero
    for k in range(d.nv_awake if sleep else m.nv):
        i = d.dof_awake_ind[k] if sleep else k
        n, start = m.M_rownnz[i] - 1, m.M_rowadr[i]
        # The diagonal inertia of a simple dof is constant.
        if m.dof_simplenum[i]:
            M[start] = m.dof_M0[i]
            continue
        axis = load(d.cdof, i, 6)
        momentum = inertia_mul(load(d.crb, m.dof_bodyid[i], 10), axis)
        bit = 1 << n if n < 2 * PACK else 0
        low, high = mask_of(bit), mask_of(bit >> PACK)
        a0, b0 = inserted(axis[0], low, high, a0, b0)
        a1, b1 = inserted(axis[1], low, high, a1, b1)
        a2, b2 = inserted(axis[2], low, high, a2, b2)
        a3, b3 = inserted(axis[3], low, high, a3, b3)
        a4, b4 = inserted(axis[4], low, high, a4, b4)
        a5, b5 = inserted(axis[5], low, high, a5, b5)
        armature = spread(m.dof_armature[i])
        put_part(M, start, n + 1, products(momentum, a0, a1, a2, a3, a4, a5) + pick(low, armature, zero))
        if n >= PACK:
            rest = products(momentum, b0, b1, b2, b3, b4, b5) + pick(high, armature, zero)
            put_part(M, start + PACK, n + 1 - PACK, rest)
        if n >= 2 * PACK:
            fill_long_row(m, d, F, i, axis, momentum)
