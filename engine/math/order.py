"""Sorting of integer keys in scratch arrays."""

from ..machine.jit import kernel

# Runs up to this length are sorted by insertion.
RUN = 24


@kernel
def sort_keys(a, b, n):
    """Sort a[:n] in ascending order in place; b is scratch of the same length."""
    for start in range(0, n, RUN):
        for j in range(start + 1, min(start + RUN, n)):
            x, k = a[j], j
            while k > start and a[k - 1] > x:
                a[k] = a[k - 1]
                k -= 1
            a[k] = x

    width = RUN
    while width < n:
        # Merge neighboring runs into b, then copy back.
        for start in range(0, n, 2 * width):
            middle, end = min(start + width, n), min(start + 2 * width, n)
            i, j = start, middle
            for k in range(start, end):
                if j >= end or (i < middle and a[i] <= a[j]):
                    b[k] = a[i]
                    i += 1
                else:
                    b[k] = a[j]
                    j += 1
        for k in range(n):
            a[k] = b[k]
        width *= 2


@kernel
def settle_keys(a, n, most):
    """Sort a[:n], which is nearly in order, in place by insertion. If this takes more than `most` moves, stop and return False;
    a[:n] is then only partly sorted.
    """
    moves = 0
    for j in range(1, n):
        x, k = a[j], j
        while k > 0 and a[k - 1] > x:
            a[k] = a[k - 1]
            k -= 1
        a[k] = x
        moves += j - k
        if moves > most:
            return False
    return True
