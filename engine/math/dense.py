"""Dense vectors and matrices in plain arrays, addressed by array and offset.

Sums are accumulated in four partial sums, combined as (0 + 2) + (1 + 3). This is the order of a four-lane vector unit, so
results do not depend on how the loop is compiled.
"""

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
