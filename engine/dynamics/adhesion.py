"""Adhesive contacts: the attraction of a contact along its normal, and the joint forces it causes.

Adhesion shifts the cone of contact forces down along the normal. An attraction of this size is added to the passive forces, and
the reference acceleration of the contact's normal row rises by R times the adhesion (`constraint.adhesive`). A contact under
pressure then behaves as before, and a contact that is pulled holds up to the adhesion. Source: the manual of later MuJoCo
releases, Computation, Constraint parameters, Adhesion.
"""

from ..machine.jit import inline, kernel, stage
from ..tables.enums import mjtCone
from .kinematics import SLEEP
from .sparsity import is_sparse

PYRAMID = int(mjtCone.mjCONE_PYRAMIDAL)


@kernel
def pair_of(m, g1, g2):
    """Return the explicit pair of two geoms, -1 if there is none."""
    for k in range(m.npair):
        a, b = m.pair_geom1[k], m.pair_geom2[k]
        if (a == g1 and b == g2) or (a == g2 and b == g1):
            return k
    return -1


@inline
def mix_adhesion(m, g1, g2):
    """Return the adhesion of two geoms without a pair: the sum, or that of the geom with higher priority."""
    p1, p2 = m.geom_priority[g1], m.geom_priority[g2]
    return (m.geom_adhesion[g1] if p1 >= p2 else 0.0) + (m.geom_adhesion[g2] if p2 >= p1 else 0.0)


@kernel
def contact_adhesion(m, d, k):
    """Return the adhesion of contact k; 0 if it involves objects other than geoms."""
    g1, g2 = d.contact_geom[k, 0], d.contact_geom[k, 1]
    if g1 < 0 or g2 < 0:
        return 0.0
    pair = pair_of(m, g1, g2)
    return m.pair_adhesion[pair] if pair >= 0 else mix_adhesion(m, g1, g2)


@inline
def edges_of(m, d, k):
    """Return the number of rows that share a contact's normal: all edges of a pyramid, else one."""
    dim = d.contact_dim[k]
    return 2 * (dim - 1) if dim > 1 and m.opt.cone == PYRAMID else 1


@stage
def adhesive_forces(m, d):
    """reads contacts, efc_J; adds to qfrc_adhesion, and the same to qfrc_passive."""
    sparse = is_sparse(m)
    for k in range(d.ncon):
        row = d.contact_efc_address[k]
        force = contact_adhesion(m, d, k) if row >= 0 else 0.0
        if force == 0:
            continue
        # Two opposite edges of a pyramid are the normal plus and minus a friction direction.
        edges = 2 if edges_of(m, d, k) > 1 else 1
        for r in range(row, row + edges):
            start, count = (d.efc_J_rowadr[r], d.efc_J_rownnz[r]) if sparse else (r * m.nv, m.nv)
            for a in range(start, start + count):
                i = d.efc_J_colind[a] if sparse else a - start
                d.qfrc_adhesion[i] -= d.efc_J[a] * force / edges
    sleep = m.opt.enableflags & SLEEP != 0 and d.nv_awake < m.nv
    for k in range(d.nv_awake if sleep else m.nv):
        i = d.dof_awake_ind[k] if sleep else k
        d.qfrc_passive[i] += d.qfrc_adhesion[i]
