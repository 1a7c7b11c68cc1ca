"""Matrices in compressed rows: for each row, the number and the address of its nonzeros, and their ascending column indices."""

from ..machine.jit import inline, kernel
from ..machine.lang import part_at, put_part, spread, wide
from ..machine.layout import PACK
from .dense import dot_fast

LAST = 2147483647


@inline
def gather(A, a, col, x, n):
    """Return the dot product A[a:a+n] . x[col[a:a+n]], accumulated in four partial sums as in `dense.dot`."""
    s0 = s1 = s2 = s3 = 0.0
    k = a
    end = a + n
    while k + 4 <= end:
        s0 += A[k] * x[col[k]]
        s1 += A[k + 1] * x[col[k + 1]]
        s2 += A[k + 2] * x[col[k + 2]]
        s3 += A[k + 3] * x[col[k + 3]]
        k += 4
    s = (s0 + s2) + (s1 + s3)
    while k < end:
        s += A[k] * x[col[k]]
        k += 1
    return s


@inline
def gather_fast(A, a, col, x, n):
    """Return the same as `gather`, summed in the fastest order if the columns are contiguous, as those of most rows are."""
    if col[a + n - 1] - col[a] == n - 1:
        return dot_fast(A, a, x, int(col[a]), n)
    return gather(A, a, col, x, n)


@kernel
def supernode_times(y, A, nnz, adr, col, same, x, n):
    """Compute y = A x for a matrix of n rows. The same[r] rows after row r have the same pattern, so four such rows are
    computed from the same gathered elements of x.
    """
    r = 0
    while r < n:
        if same[r] >= 3:
            k0, k1, k2, k3 = adr[r], adr[r + 1], adr[r + 2], adr[r + 3]
            s0 = s1 = s2 = s3 = 0.0
            for k in range(nnz[r]):
                v = x[col[k0 + k]]
                s0 += A[k0 + k] * v
                s1 += A[k1 + k] * v
                s2 += A[k2 + k] * v
                s3 += A[k3 + k] * v
            y[r], y[r + 1], y[r + 2], y[r + 3] = s0, s1, s2, s3
            r += 4
        else:
            y[r] = gather(A, adr[r], col, x, nnz[r])
            r += 1


@kernel
def supernode_times_two(y, z, A, nnz, adr, col, same, u, v, n):
    """Compute y = A u and z = A v as `supernode_times` does, reading A once."""
    r = 0
    while r < n:
        if same[r] >= 3:
            k0, k1, k2, k3 = adr[r], adr[r + 1], adr[r + 2], adr[r + 3]
            s0 = s1 = s2 = s3 = t0 = t1 = t2 = t3 = 0.0
            for k in range(nnz[r]):
                a, b = u[col[k0 + k]], v[col[k0 + k]]
                s0, t0 = s0 + A[k0 + k] * a, t0 + A[k0 + k] * b
                s1, t1 = s1 + A[k1 + k] * a, t1 + A[k1 + k] * b
                s2, t2 = s2 + A[k2 + k] * a, t2 + A[k2 + k] * b
                s3, t3 = s3 + A[k3 + k] * a, t3 + A[k3 + k] * b
            y[r], y[r + 1], y[r + 2], y[r + 3] = s0, s1, s2, s3
            z[r], z[r + 1], z[r + 2], z[r + 3] = t0, t1, t2, t3
            r += 4
        else:
            y[r], z[r] = gather(A, adr[r], col, u, nnz[r]), gather(A, adr[r], col, v, nnz[r])
            r += 1


@inline
def neighbors(col, a, most):
    """Return how many columns follow each other from address a on: at most `most`, and at most a pack."""
    n = 1
    while n < PACK and n < most and col[a + n] == col[a] + n:
        n += 1
    return n


@inline
def add_supernode(y, A, count, adr, col, first, end, x):
    """Add to y what rows `first` to end - 1, with the same `count` columns, contribute to A' x: up to a pack of neighboring
    columns at once."""
    start = 0
    while start < count:
        c, width = col[adr[first] + start], neighbors(col, adr[first] + start, count - start)
        s = part_at(y, c, width)
        for r in range(first, end):
            if x[r] != 0.0:
                s = s + spread(x[r]) * part_at(A, adr[r] + start, width)
        put_part(y, c, width, s)
        start += width


@kernel
def add_transposed(y, A, nnz, adr, col, same, x, n):
    """Add A' x to y, for a matrix of n rows. The same[r] rows after row r have the same pattern. Four and more such rows
    are added together."""
    r = 0
    while r < n:
        if wide() and same[r] >= 3:
            add_supernode(y, A, nnz[r], adr, col, r, r + same[r] + 1, x)
            r += same[r] + 1
            continue
        s = x[r]
        if s != 0.0:
            for k in range(adr[r], adr[r] + nnz[r]):
                y[col[k]] += A[k] * s
        r += 1


@kernel
def transpose(T, end, row, A, nnz, adr, col, n, width):
    """Convert a matrix of n rows and `width` columns to compressed columns: values T and their rows.

    end[j] = (end of column j, number of columns directly after it that have the same rows).
    """
    for j in range(width):
        end[j, 0] = 0
    for r in range(n):
        for k in range(adr[r], adr[r] + nnz[r]):
            end[col[k], 0] += 1

    # Set `end` to the start of each column. Storing the elements then advances it to the end.
    a = 0
    for j in range(width):
        a, end[j, 0] = a + end[j, 0], a
    for r in range(n):
        for k in range(adr[r], adr[r] + nnz[r]):
            j = col[k]
            T[end[j, 0]], row[end[j, 0]] = A[k], r
            end[j, 0] += 1
    find_equal_columns(end, row, width)


@kernel
def find_equal_columns(end, row, width):
    """Write to end[j, 1] how many columns directly after column j have the same rows as column j."""
    if width == 0:
        return
    end[width - 1, 1] = 0
    j = width - 2
    while j >= 0:
        start = end[j - 1, 0] if j > 0 else 0
        size = end[j, 0] - start
        same = size == end[j + 1, 0] - end[j, 0]
        k = start
        while same and k < end[j, 0]:
            same = row[k] == row[k + size]
            k += 1
        end[j, 1] = end[j + 1, 1] + 1 if same else 0
        j -= 1


@kernel
def columns_times(y, T, end, row, x, width):
    """Set y = A' x for a matrix stored by columns (see `transpose`), summed in the order of `add_transposed`.

    Three columns with the same rows, such as those of a point, share the elements of x.
    """
    a = j = 0
    while j < width:
        if end[j, 1] >= 2:
            size = end[j, 0] - a
            b, c = a + size, a + 2 * size
            s0 = s1 = s2 = 0.0
            for k in range(size):
                v = x[row[a + k]]
                s0 += T[a + k] * v
                s1 += T[b + k] * v
                s2 += T[c + k] * v
            y[j], y[j + 1], y[j + 2] = s0, s1, s2
            a += 3 * size
            j += 3
        else:
            s = 0.0
            for k in range(a, end[j, 0]):
                s += T[k] * x[row[k]]
            y[j] = s
            a = end[j, 0]
            j += 1


@kernel
def add_columns(y, T, end, row, x, width):
    """Add A x to y for a matrix stored by columns."""
    a = j = 0
    while j < width:
        if end[j, 1] >= 2:
            size = end[j, 0] - a
            b, c = a + size, a + 2 * size
            v0, v1, v2 = x[j], x[j + 1], x[j + 2]
            for k in range(size):
                y[row[a + k]] += (T[a + k] * v0 + T[b + k] * v1) + T[c + k] * v2
            a += 3 * size
            j += 3
        else:
            v = x[j]
            for k in range(a, end[j, 0]):
                y[row[k]] += T[k] * v
            a = end[j, 0]
            j += 1


@inline
def is_diagonal(nnz, adr, n):
    """Return whether a lower triangle of n rows, stored one after the other, has only its diagonal."""
    return n > 0 and adr[n - 1] + nnz[n - 1] == adr[0] + n


@kernel
def symmetric_times(y, A, nnz, adr, col, x, n):
    """Compute y = S x for a symmetric matrix S. A stores its lower triangle; each row's diagonal entry comes last."""
    for i in range(n):
        last = adr[i] + nnz[i] - 1
        xi = x[i]
        s = A[last] * xi
        k = last - 1
        while k >= adr[i]:
            j = col[k]
            s += A[k] * x[j]
            y[j] += A[k] * xi
            k -= 1
        y[i] = s


@inline
def same_columns(nnz, adr, col, r):
    """Return whether a row and the next have the same pattern of columns."""
    if nnz[r] != nnz[r + 1]:
        return False
    for k in range(nnz[r]):
        if col[adr[r] + k] != col[adr[r + 1] + k]:
            return False
    return True


@kernel
def merge_rows(x, xcol, a, s1, A1, col1, a1, n1, s2, A2, col2, a2, n2):
    """Write s1 row1 + s2 row2 to x[a:], xcol[a:], which must not overlap the rows. Return the number of nonzeros."""
    i, j, k = a1, a2, a
    while i < a1 + n1 or j < a2 + n2:
        left = col1[i] if i < a1 + n1 else LAST
        right = col2[j] if j < a2 + n2 else LAST
        v = 0.0
        if left <= right:
            v = s1 * A1[i]
            i += 1
        if right <= left:
            v += s2 * A2[j]
            j += 1
        x[k] = v
        xcol[k] = min(left, right)
        k += 1
    return k - a


@kernel
def solve_tree(x, L, inverse, nnz, adr, col, n):
    """Set x to inv(L' D L) x for a factor without fill-in and with unit diagonal; `inverse` is 1 / D."""
    if is_diagonal(nnz, adr, n):
        for i in range(n):
            x[i] *= inverse[i]
        return
    i = n - 1
    while i >= 0:
        s = x[i]
        if s != 0.0:
            for k in range(adr[i], adr[i] + nnz[i] - 1):
                x[col[k]] -= L[k] * s
        i -= 1
    for i in range(n):
        x[i] *= inverse[i]
    for i in range(n):
        x[i] -= gather(L, adr[i], col, x, nnz[i] - 1)
