"""Dense vectors and matrices in plain arrays, addressed by array and offset.

Sums run over four lanes, combined as (0 + 2) + (1 + 3): the order a four-lane vector unit gives, so results do not depend on
how the loop is compiled.
"""
from ..core.jit import inline, kernel


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


@inline
def axpy(y, j, x, i, s, n):
    """y[j:j+n] += s x[i:i+n]"""
    for k in range(n):
        y[j + k] += x[i + k] * s


@kernel
def zero(x, i, n):
    for k in range(n):
        x[i + k] = 0.0


@kernel
def copy(y, j, x, i, n):
    for k in range(n):
        y[j + k] = x[i + k]
