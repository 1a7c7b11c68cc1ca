"""The exact diagonal of the rows' inverse inertia A = J inv(M) J', for the option `diagexact`.

Without this option the diagonal is estimated from constants of the model.
"""

from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, stage


@inline
def squared_length(m, d, x):
    """Return x inv(M) x' for a row vector x, and overwrite x with zeros.

    With the factor M = L' D L it is the sum of squares of x inv(L) sqrt(inv(D)).
    """
    total, i, L = 0.0, m.nv - 1, d.qLD
    while i >= 0:
        s = x[i]
        if s != 0.0:
            last = m.M_rowadr[i] + m.M_rownnz[i] - 1
            for a in range(m.M_rowadr[i], last):
                x[m.M_colind[a]] -= L[a] * s
            total += s * s / L[last]
            x[i] = 0.0
        i -= 1
    return total


@stage
def exact_diagonal(m, d):
    """reads efc_J, qLD; writes efc_diagApprox (scratch: work_v1)."""
    x, sparse = d.work_v1, is_sparse(m)
    for i in range(m.nv):
        x[i] = 0.0
    for r in range(d.nefc):
        start, count = (d.efc_J_rowadr[r], d.efc_J_rownnz[r]) if sparse else (r * m.nv, m.nv)
        for k in range(count):
            x[d.efc_J_colind[start + k] if sparse else k] = d.efc_J[start + k]
        d.efc_diagApprox[r] = squared_length(m, d, x)
