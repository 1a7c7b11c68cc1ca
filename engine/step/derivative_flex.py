"""Derivative, with respect to velocity, of the forces of dampers along flex edges."""

from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, stage
from ..machine.lang import flat, load
from ..tables.compat_rows import bit
from .derivative import add_outer_dense, add_outer_sparse

EXPLICIT = bit("edge_explicit")


@inline
def block_alone(m, i):
    """Return whether the rows of qDeriv of dofs i to i + 2 have exactly these three columns, as for a vertex with three
    slides."""
    alone = i + 2 < m.nv
    for k in range(i, min(i + 3, m.nv)):
        alone = alone and m.D_rownnz[k] == 3 and m.D_colind[m.D_rowadr[i] + 3 * (k - i)] == i
    return alone


@inline
def add_block(m, d, J, at, i, b):
    """Add b J'J to such a block, whose rows follow each other. The three entries of J begin at `at`."""
    row, adr = load(J, at, 3), m.D_rowadr[i]
    for k in range(3):
        for c in range(3):
            d.qDeriv[adr + 3 * k + c] += row[k] * b * row[c]


@stage
def derivative_flex(m, d):
    """reads flexedge_J; writes qDeriv -= damping J'J of each edge, before release 4.0."""
    if m.compat_bits & EXPLICIT:
        return
    J, col, sparse = flat(d.flexedge_J), flat(d.flexedge_J_colind), is_sparse(m)
    for f in range(m.nflex):
        b = -m.flex_edgedamping[f]
        if m.flex_rigid[f] or b == 0:
            continue
        for e in range(m.flex_edgeadr[f], m.flex_edgeadr[f] + m.flex_edgenum[f]):
            if m.flexedge_rigid[e]:
                continue
            if not sparse:
                add_outer_dense(m, d, d.flexedge_J, e, b)
                continue
            start, n = d.flexedge_J_rowadr[e], d.flexedge_J_rownnz[e]
            if n == 6 and block_alone(m, col[start]) and block_alone(m, col[start + 3]):
                add_block(m, d, J, start, col[start], b)
                add_block(m, d, J, start + 3, col[start + 3], b)
            else:
                add_outer_sparse(m, d, J, col, start, n, b)
