"""Factors of small symmetric matrices, computed from the last row up. The length of a row is a multiple of PACK.

A = L' inv(D) L, where row i of L has columns up to i, and D is the diagonal of L. Unlike in a Cholesky factor, no row has to
wait for a square root. The products of four finished rows are subtracted from all rows above them, eight columns at a time, so
the numbers of a pack never have to be summed. Results beyond the diagonal, in a row's last pack, are never used.
"""

from ..machine.jit import inline, kernel, kernel_fast
from ..machine.lang import pack_at, put_pack, spread
from ..machine.layout import PACK


@inline
def padded(n):
    """Return the length of a row for n columns: a multiple of PACK."""
    return (n + PACK - 1) // PACK * PACK


@kernel
def copy_triangle(L, H, n, stride):
    """Copy the lower triangle of H, both with n rows of length `stride`, to L."""
    for i in range(n):
        first = i * stride // PACK
        for k in range(first, first + i // PACK + 1):
            put_pack(L, k, pack_at(H, k))


@inline
def inverse(pivot, floor, clear):
    """Return (inverse of a pivot that is raised to `floor`, 0 if the rest of its row becomes zero, else 1)."""
    return 1 / max(pivot, floor), 0.0 if clear and pivot < floor else 1.0


@kernel
def finish_four(L, last, stride, floor, clear):
    """Finish four rows, the lowest of which is `last`, from which all rows below have been subtracted."""
    # First compute what the four rows have in each other's columns, in registers: each pivot waits for the one before.
    x, y, z, w = last * stride, (last - 1) * stride, (last - 2) * stride, (last - 3) * stride
    p0, f0 = inverse(L[x + last], floor, clear)
    a1, a2, a3 = L[x + last - 1] * f0, L[x + last - 2] * f0, L[x + last - 3] * f0
    m1, m2, m3 = a1 * p0, a2 * p0, a3 * p0
    p1, f1 = inverse(L[y + last - 1] - a1 * m1, floor, clear)
    b2, b3 = (L[y + last - 2] - a2 * m1) * f1, (L[y + last - 3] - a3 * m1) * f1
    n2, n3 = b2 * p1, b3 * p1
    p2, f2 = inverse(L[z + last - 2] - a2 * m2 - b2 * n2, floor, clear)
    c3 = (L[z + last - 3] - a3 * m2 - b3 * n2) * f2
    o3 = c3 * p2
    p3, f3 = inverse(L[w + last - 3] - a3 * m3 - b3 * n3 - c3 * o3, floor, clear)

    # Then compute all columns.
    g0, g1, g2, g3 = spread(f0), spread(f1), spread(f2), spread(f3)
    s1, s2, s3, t2, t3, u3 = spread(m1), spread(m2), spread(m3), spread(n2), spread(n3), spread(o3)
    i, j, k, e = x // PACK, y // PACK, z // PACK, w // PACK
    for c in range(last // PACK + 1):
        r0 = pack_at(L, i + c) * g0
        r1 = (pack_at(L, j + c) - s1 * r0) * g1
        r2 = (pack_at(L, k + c) - s2 * r0 - t2 * r1) * g2
        put_pack(L, i + c, r0)
        put_pack(L, j + c, r1)
        put_pack(L, k + c, r2)
        put_pack(L, e + c, (pack_at(L, e + c) - s3 * r0 - t3 * r1 - u3 * r2) * g3)
    L[x + last], L[y + last - 1], L[z + last - 2], L[w + last - 3] = p0, p1, p2, p3


@kernel
def finish_top(L, last, stride, floor, clear):
    """Finish the rows up to `last`, fewer than four, from which all rows below have been subtracted."""
    for i in range(last, -1, -1):
        for r in range(last, i, -1):
            s = L[r * stride + i] * L[r * stride + r]
            for k in range(i + 1):
                L[i * stride + k] -= s * L[r * stride + k]
        p, f = inverse(L[i * stride + i], floor, clear)
        for k in range(i):
            L[i * stride + k] *= f
        L[i * stride + i] = p


@kernel
def factor_upward(L, n, stride, floor, clear):
    """Factor the lower triangle of L, n rows of length `stride`, in place; the diagonal stores the inverse pivots. Pivots are
    raised to `floor`. With `clear`, the rest of such a row becomes zero."""
    last = n - 1
    while last >= 3:
        finish_four(L, last, stride, floor, clear)

        # Subtract their products from the rows above, two rows at a time.
        i = last - 4
        while i >= 0:
            subtract_four(L, i, last, stride)
            i -= 2
        last -= 4
    finish_top(L, last, stride, floor, clear)


@inline
def subtract_four(L, i, last, stride):
    """Subtract from rows i and i - 1 the products with the four rows up to `last`. Row 0 has no row above it."""
    width, above = stride // PACK, max(i - 1, 0)
    p, q, r, s = last * width, (last - 1) * width, (last - 2) * width, (last - 3) * width
    x, y, z, w = last * stride, (last - 1) * stride, (last - 2) * stride, (last - 3) * stride
    p0, p1, p2, p3 = L[x + last], L[y + last - 1], L[z + last - 2], L[w + last - 3]
    a0, a1, a2, a3 = spread(L[x + i] * p0), spread(L[y + i] * p1), spread(L[z + i] * p2), spread(L[w + i] * p3)
    b0, b1, b2, b3 = (
        spread(L[x + above] * p0),
        spread(L[y + above] * p1),
        spread(L[z + above] * p2),
        spread(L[w + above] * p3),
    )
    a, b = i * width, above * width
    for k in range(i // PACK + 1):
        c0, c1, c2, c3 = pack_at(L, p + k), pack_at(L, q + k), pack_at(L, r + k), pack_at(L, s + k)
        if i > 0:
            put_pack(L, b + k, pack_at(L, b + k) - (b0 * c0 + b1 * c1) - (b2 * c2 + b3 * c3))
        put_pack(L, a + k, pack_at(L, a + k) - (a0 * c0 + a1 * c1) - (a2 * c2 + a3 * c3))


@kernel_fast
def solve_upward(x, L, b, n, stride):
    """Set x = inv(A) b, given the factor of A from `factor_upward`, two rows at a time."""
    for i in range(n):
        x[i] = b[i]
    i = n - 1
    while i >= 1:
        a, c = i * stride, (i - 1) * stride
        s = x[i] * L[a + i]
        t = (x[i - 1] - L[a + i - 1] * s) * L[c + i - 1]
        x[i], x[i - 1] = s, t
        for k in range(i - 1):
            x[k] -= L[a + k] * s + L[c + k] * t
        i -= 2
    if i == 0:
        x[0] *= L[0]

    # Solve with L.
    i = 0
    while i + 2 <= n:
        a, c = i * stride, (i + 1) * stride
        s = t = 0.0
        for k in range(i):
            s += L[a + k] * x[k]
            t += L[c + k] * x[k]
        s = x[i] - s * L[a + i]
        x[i], x[i + 1] = s, x[i + 1] - (t + L[c + i] * s) * L[c + i + 1]
        i += 2
    if i < n:
        a = i * stride
        s = 0.0
        for k in range(i):
            s += L[a + k] * x[k]
        x[i] -= s * L[a + i]
