"""Derivative, with respect to velocity, of the forces of dampers along flex edges."""

from ..dynamics.sparsity import is_sparse
from ..machine.jit import stage
from ..machine.lang import flat
from ..tables.compat_rows import bit
from .derivative import add_outer_dense, add_outer_sparse

EXPLICIT = bit("edge_explicit")


@stage
def derivative_flex(m, d):
    """reads flexedge_J; writes qDeriv -= damping J'J of each edge, before release 4.0."""
    if m.compat_bits & EXPLICIT:
        return
    sparse = is_sparse(m)
    for f in range(m.nflex):
        b = -m.flex_edgedamping[f]
        if m.flex_rigid[f] or b == 0:
            continue
        for e in range(m.flex_edgeadr[f], m.flex_edgeadr[f] + m.flex_edgenum[f]):
            if m.flexedge_rigid[e]:
                continue
            if sparse:
                add_outer_sparse(
                    m, d, flat(d.flexedge_J), flat(d.flexedge_J_colind), d.flexedge_J_rowadr[e], d.flexedge_J_rownnz[e], b
                )
            else:
                add_outer_dense(m, d, d.flexedge_J, e, b)
