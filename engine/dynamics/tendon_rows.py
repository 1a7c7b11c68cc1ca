"""Rows of the tendon Jacobian `ten_J`: nv numbers per tendon, or packed nonzeros, row after row, if the model is sparse.

The packed form uses the front part of `ten_J` and `ten_J_colind`, so both are addressed as flat arrays here.
"""

from ..machine.jit import inline
from ..machine.lang import address_of, array_at, ints_at
from .sparsity import is_sparse


@inline
def flat_jacobian(m, d):
    """Return ten_J as one flat array."""
    return array_at(address_of(d.ten_J, 0), m.ntendon * m.nv)


@inline
def flat_columns(m, d):
    """Return ten_J_colind as one flat array."""
    return ints_at(address_of(d.ten_J_colind, 0), m.ntendon * m.nv)


@inline
def add_tendon_row(m, d, target, t, s):
    """Add s times the Jacobian row of tendon t to target."""
    J = flat_jacobian(m, d)
    if is_sparse(m):
        columns = flat_columns(m, d)
        start = d.ten_J_rowadr[t]
        for a in range(start, start + d.ten_J_rownnz[t]):
            target[columns[a]] += s * J[a]
    else:
        start = t * m.nv
        for i in range(m.nv):
            target[i] += s * J[start + i]
