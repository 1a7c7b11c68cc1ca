"""Decides whether Jacobians are stored as sparse rows."""

from ..machine.jit import inline
from ..tables.enums import mjtJacobian

SPARSE, AUTO = int(mjtJacobian.mjJAC_SPARSE), int(mjtJacobian.mjJAC_AUTO)
SPARSE_FROM = 60


@inline
def is_sparse(m):
    """Return whether Jacobians are sparse: if requested, or by default with 60 or more dofs."""
    return m.opt.jacobian == SPARSE or (m.opt.jacobian == AUTO and m.nv >= SPARSE_FROM)
