"""Inverse weights of flex edges at the reference configuration."""

from ..dynamics.sparsity import is_sparse
from ..machine.jit import stage
from ..machine.lang import flat
from .weights import row_weight


@stage
def flex_weights(m, d):
    """reads flexedge_J, qLD at qpos0; writes Model's flexedge_invweight0 (scratch: work_v1, work_v2)."""
    sparse = is_sparse(m)
    for f in range(m.nflex):
        if m.flex_interp[f]:
            continue
        base = m.flex_vertadr[f]
        for e in range(m.flex_edgeadr[f], m.flex_edgeadr[f] + m.flex_edgenum[f]):
            b1, b2 = m.flex_vertbodyid[base + m.flex_edge[e, 0]], m.flex_vertbodyid[base + m.flex_edge[e, 1]]
            if m.flexedge_rigid[e]:
                m.flexedge_invweight0[e] = 0.0
                continue
            if m.body_simple[b1] == 2 and m.body_simple[b2] == 2:
                m.flexedge_invweight0[e] = (1 / m.body_mass[b1] + 1 / m.body_mass[b2]) / 2
                continue
            start, count = (d.flexedge_J_rowadr[e], d.flexedge_J_rownnz[e]) if sparse else (0, 0)
            m.flexedge_invweight0[e] = row_weight(m, d, sparse, e, flat(d.flexedge_J), flat(d.flexedge_J_colind), start, count)
