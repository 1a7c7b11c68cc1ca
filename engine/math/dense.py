"""Dense vectors and matrices in plain arrays, addressed by array and offset.

Sums are accumulated in four partial sums, combined as (0 + 2) + (1 + 3). This is the order of a four-lane vector unit, so
results do not depend on how the loop is compiled.
"""

from math import sqrt

from ..machine.jit import inline, kernel, kernel_fast, leaf


@inline
def dot(x, i, y, j, n):
    """Return the dot product x[i:i+n] . y[j:j+n], accumulated in four partial sums."""
    s0 = s1 = s2 = s3 = 0.0
    k = 0
    while k <= n - 4:
        s0 += x[i + k] * y[j + k]
        s1 += x[i + k + 1] * y[j + k + 1]
        s2 += x[i + k + 2] * y[j + k + 2]
        s3 += x[i + k + 3] * y[j + k + 3]
        k += 4
    s = (s0 + s2) + (s1 + s3)
    if n - k == 3:
        s += x[i + k] * y[j + k] + x[i + k + 1] * y[j + k + 1] + x[i + k + 2] * y[j + k + 2]
    elif n - k == 2:
        s += x[i + k] * y[j + k] + x[i + k + 1] * y[j + k + 1]
    elif n - k == 1:
        s += x[i + k] * y[j + k]
    return s


@kernel
def copy(y, j, x, i, n):
    for k in range(n):
        y[j + k] = x[i + k]


# ---- matrices: lower triangles in square arrays, row by row ------------------------------------------------------------
@leaf
def dot_fast(x, i, y, j, n):
    """Return the dot product x[i:i+n] . y[j:j+n], summed in the fastest order."""
    s = 0.0
    for k in range(n):
        s += x[i + k] * y[j + k]
    return s


@kernel_fast
def times(y, A, x, n, k):
    """Set y = A x for an n x k matrix. Each pass over x computes four rows."""
    r = 0
    while r + 4 <= n:
        s0 = s1 = s2 = s3 = 0.0
        for i in range(k):
            v = x[i]
            s0 += A[r, i] * v
            s1 += A[r + 1, i] * v
            s2 += A[r + 2, i] * v
            s3 += A[r + 3, i] * v
        y[r], y[r + 1], y[r + 2], y[r + 3] = s0, s1, s2, s3
        r += 4
    while r < n:
        s0 = 0.0
        for i in range(k):
            s0 += A[r, i] * x[i]
        y[r] = s0
        r += 1


@kernel_fast
def gram(A, B, n, end):
    """Set A = B B' for a matrix B of n rows. Row r has only zeros after its first end[r] columns.

    Each pass over a row computes its products with four others.
    """
    for r in range(n):
        c = 0
        while c + 4 <= r + 1:
            s0 = s1 = s2 = s3 = 0.0
            for i in range(min(end[r], max(end[c], end[c + 1], end[c + 2], end[c + 3]))):
                v = B[r, i]
                s0 += B[c, i] * v
                s1 += B[c + 1, i] * v
                s2 += B[c + 2, i] * v
                s3 += B[c + 3, i] * v
            A[r, c], A[r, c + 1], A[r, c + 2], A[r, c + 3] = s0, s1, s2, s3
            c += 4
        while c <= r:
            s0 = 0.0
            for i in range(min(end[r], end[c])):
                s0 += B[c, i] * B[r, i]
            A[r, c] = s0
            c += 1

        # A is symmetric: copy this row to the other triangle.
        for c in range(r):
            A[c, r] = A[r, c]


@kernel
def transposed_times(y, A, x, n, k):
    """Set y = A' x for an n x k matrix."""
    for i in range(k):
        y[i] = 0.0
    for r in range(n):
        s = x[r]
        if s != 0.0:
            for i in range(k):
                y[i] += A[r, i] * s


@kernel_fast
def cholesky(A, n, floor, clear):
    """Factor A = L L', two columns at a time. L replaces the lower triangle of A; the diagonal stores the inverse pivots.

    Return the number of pivots whose squares did not have to be raised to `floor`. With `clear`, columns below raised pivots
    become zero.
    """
    rank = n
    j = 0
    while j + 2 <= n:
        # Compute both pivots.
        s, t, u = A[j, j], A[j + 1, j], A[j + 1, j + 1]
        for k in range(j):
            v, w = A[j, k], A[j + 1, k]
            s -= v * v
            t -= v * w
            u -= w * w
        lost = s < floor
        if lost:
            s = floor
            rank -= 1
        p = 1 / sqrt(s)
        A[j, j] = p
        if lost and clear:
            p = 0.0
        t *= p
        u -= t * t
        lost = u < floor
        if lost:
            u = floor
            rank -= 1
        q = 1 / sqrt(u)
        A[j + 1, j], A[j + 1, j + 1] = t, q
        if lost and clear:
            q = 0.0

        # Compute both columns below the pivots, four rows at a time.
        i = j + 2
        while i + 4 <= n:
            a0, a1, a2, a3 = A[i, j], A[i + 1, j], A[i + 2, j], A[i + 3, j]
            b0, b1, b2, b3 = A[i, j + 1], A[i + 1, j + 1], A[i + 2, j + 1], A[i + 3, j + 1]
            for k in range(j):
                v, w = A[j, k], A[j + 1, k]
                a0 -= A[i, k] * v
                b0 -= A[i, k] * w
                a1 -= A[i + 1, k] * v
                b1 -= A[i + 1, k] * w
                a2 -= A[i + 2, k] * v
                b2 -= A[i + 2, k] * w
                a3 -= A[i + 3, k] * v
                b3 -= A[i + 3, k] * w
            a0, a1, a2, a3 = a0 * p, a1 * p, a2 * p, a3 * p
            A[i, j], A[i + 1, j], A[i + 2, j], A[i + 3, j] = a0, a1, a2, a3
            A[i, j + 1], A[i + 1, j + 1] = (b0 - a0 * t) * q, (b1 - a1 * t) * q
            A[i + 2, j + 1], A[i + 3, j + 1] = (b2 - a2 * t) * q, (b3 - a3 * t) * q
            i += 4
        while i < n:
            a0, b0 = A[i, j], A[i, j + 1]
            for k in range(j):
                a0 -= A[i, k] * A[j, k]
                b0 -= A[i, k] * A[j + 1, k]
            a0 *= p
            A[i, j], A[i, j + 1] = a0, (b0 - a0 * t) * q
            i += 1
        j += 2

    # If the number of columns is odd, compute the last one alone.
    if j < n:
        s = A[j, j]
        for k in range(j):
            s -= A[j, k] * A[j, k]
        if s < floor:
            s = floor
            rank -= 1
        A[j, j] = 1 / sqrt(s)
    return rank


@kernel_fast
def cholesky_solve(x, L, b, n):
    """Set x = inv(L L') b, given the factor L of `cholesky`, two rows at a time."""
    i = 0
    while i + 2 <= n:
        s, t = b[i], b[i + 1]
        for k in range(i):
            s -= L[i, k] * x[k]
            t -= L[i + 1, k] * x[k]
        s *= L[i, i]
        x[i], x[i + 1] = s, (t - L[i + 1, i] * s) * L[i + 1, i + 1]
        i += 2
    if i < n:
        s = b[i]
        for k in range(i):
            s -= L[i, k] * x[k]
        x[i] = s * L[i, i]

    # Solve backwards with the transposed factor.
    i = n - 1
    while i >= 1:
        s = x[i] * L[i, i]
        t = (x[i - 1] - L[i, i - 1] * s) * L[i - 1, i - 1]
        x[i], x[i - 1] = s, t
        for k in range(i - 1):
            x[k] -= L[i, k] * s + L[i - 1, k] * t
        i -= 2
    if i == 0:
        x[0] *= L[0, 0]
