"""Dense vectors and matrices in plain arrays, addressed by array and offset.

Sums run over four lanes, combined as (0 + 2) + (1 + 3): the order a four-lane vector unit gives, so results do not depend on
how the loop is compiled.
"""

from math import sqrt

from ..machine.jit import inline, kernel, kernel_fast, leaf


@inline
def dot(x, i, y, j, n):
    """x[i:i+n] . y[j:j+n]"""
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
    """Return x[i:i+n] . y[j:j+n], summed in the fastest order."""
    s = 0.0
    for k in range(n):
        s += x[i + k] * y[j + k]
    return s


@kernel_fast
def times(y, A, x, n, k):
    """y = A x for an n x k matrix; four rows share each pass over x."""
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
def gram(A, B, n, k):
    """A = B B' for an n x k matrix; four rows share each pass over another one."""
    for r in range(n):
        c = 0
        while c + 4 <= r + 1:
            s0 = s1 = s2 = s3 = 0.0
            for i in range(k):
                v = B[r, i]
                s0 += B[c, i] * v
                s1 += B[c + 1, i] * v
                s2 += B[c + 2, i] * v
                s3 += B[c + 3, i] * v
            A[r, c], A[r, c + 1], A[r, c + 2], A[r, c + 3] = s0, s1, s2, s3
            c += 4
        while c <= r:
            s0 = 0.0
            for i in range(k):
                s0 += B[c, i] * B[r, i]
            A[r, c] = s0
            c += 1

        # The other triangle.
        for c in range(r):
            A[c, r] = A[r, c]


@kernel
def transposed_times(y, A, x, n, k):
    """y = A' x for an n x k matrix."""
    for i in range(k):
        y[i] = 0.0
    for r in range(n):
        s = x[r]
        if s != 0.0:
            for i in range(k):
                y[i] += A[r, i] * s


@kernel_fast
def cholesky(A, n, floor):
    """Factor A = L L' in place of its lower triangle. Return the number of pivots that did not have to be raised to `floor`."""
    rank = n
    for j in range(n):
        # Pivot.
        s0 = A[j, j]
        for k in range(j):
            s0 -= A[j, k] * A[j, k]
        if s0 < floor:
            s0 = floor
            rank -= 1
        pivot = sqrt(s0)
        A[j, j] = pivot
        pivot = 1 / pivot

        # Column below the pivot, four rows at a time.
        i = j + 1
        while i + 4 <= n:
            s0, s1, s2, s3 = A[i, j], A[i + 1, j], A[i + 2, j], A[i + 3, j]
            for k in range(j):
                v = A[j, k]
                s0 -= A[i, k] * v
                s1 -= A[i + 1, k] * v
                s2 -= A[i + 2, k] * v
                s3 -= A[i + 3, k] * v
            A[i, j], A[i + 1, j], A[i + 2, j], A[i + 3, j] = s0 * pivot, s1 * pivot, s2 * pivot, s3 * pivot
            i += 4
        while i < n:
            s0 = A[i, j]
            for k in range(j):
                s0 -= A[i, k] * A[j, k]
            A[i, j] = s0 * pivot
            i += 1
    return rank


@kernel_fast
def cholesky_solve(x, L, b, n):
    """x = inv(L L') b"""
    for i in range(n):
        s = b[i]
        for k in range(i):
            s -= L[i, k] * x[k]
        x[i] = s / L[i, i]
    i = n - 1
    while i >= 0:
        s = x[i] / L[i, i]
        x[i] = s
        for k in range(i):
            x[k] -= L[i, k] * s
        i -= 1
