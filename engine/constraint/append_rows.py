"""How rows are appended to the list of constraints: memory, addresses in the Jacobian, and columns common to all rows.

Rows are appended in one pass. `reserve_rows` keeps counting after the memory is used up, so that one failed pass tells the
driver how much memory to reserve. A dense Jacobian has nv numbers a row; a sparse one has packed rows with their column
indices.
"""

from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel
from ..machine.lang import flat, put_part, spread, wide
from ..machine.layout import PACK
from ..tables.enums import mjtDisableBit, mjtEnableBit

DISABLED = {n[7:]: int(v) for n, v in mjtDisableBit.__members__.items() if n.startswith("mjDSBL_")}
NO_CONSTRAINT, NO_EQUALITY, NO_FRICTIONLOSS = DISABLED["CONSTRAINT"], DISABLED["EQUALITY"], DISABLED["FRICTIONLOSS"]
NO_LIMIT, NO_CONTACT = DISABLED["LIMIT"], DISABLED["CONTACT"]
NO_WARMSTART, NO_ISLAND = DISABLED["WARMSTART"], DISABLED["ISLAND"]
SLEEP = int(mjtEnableBit.mjENBL_SLEEP)
EQUALITY, FRICTION_DOF, FRICTION_TENDON, LIMIT_JOINT, LIMIT_TENDON, FRICTIONLESS, PYRAMIDAL, ELLIPTIC = range(8)
# up to this many numbers are cleared in packs
FEW = 512


@inline
def some_asleep(m, d):
    """Return whether any tree sleeps, so that rows of sleeping trees are left out."""
    return (m.opt.enableflags & SLEEP) != 0 and d.ntree_awake < m.ntree


@inline
def reserve_rows(m, d, sparse, size, width):
    """Reserve `size` rows with at most `width` nonzeros each; return False if they do not fit."""
    d.need_efc += size
    d.need_J += size * (width if sparse else m.nv)
    return d.need_efc <= d.nefc_cap and d.need_J <= d.nJ_cap


@inline
def row_address(m, d, sparse):
    """Return the address where the Jacobian of the next row begins."""
    return d.nJ if sparse else d.nefc * m.nv


@kernel
def clear_row(m, d, first, count):
    """Set part of the Jacobian to zero."""
    # Packs are faster than a call of memset, which the compiler makes of a loop.
    if wide() and count <= FEW:
        for k in range(0, count, PACK):
            put_part(d.efc_J, first + k, min(PACK, count - k), spread(0.0))
        return
    for k in range(first, first + count):
        d.efc_J[k] = 0.0


@inline
def put_row(d, row, kind, ident, pos, margin, floss, inertia):
    """Set the values of a row that are known when it is appended. `inertia`: approximate inverse inertia."""
    d.efc_type[row] = kind
    d.efc_id[row] = ident
    d.efc_pos[row] = pos
    d.efc_margin[row] = margin
    d.efc_frictionloss[row] = floss
    d.efc_diagApprox[row] = inertia


@inline
def close_rows(d, sparse, size, width):
    """Count `size` appended rows of `width` nonzeros."""
    if sparse:
        a = d.nJ
        for r in range(d.nefc, d.nefc + size):
            d.efc_J_rownnz[r] = width
            d.efc_J_rowadr[r] = a
            a += width
        d.nJ = a
    d.nefc += size


@inline
def put_single(m, d, sparse, dof, value, kind, ident, pos, margin, floss, inertia):
    """Append a row whose only nonzero is `value` at a dof."""
    if reserve_rows(m, d, sparse, 1, 1):
        a = row_address(m, d, sparse)
        if sparse:
            d.efc_J[a] = value
            d.efc_J_colind[a] = dof
        else:
            clear_row(m, d, a, m.nv)
            d.efc_J[a + dof] = value
        put_row(d, d.nefc, kind, ident, pos, margin, floss, inertia)
        close_rows(d, sparse, 1, 1)


@kernel
def put_tendon(m, d, t, scale, kind, ident, pos, margin, floss, inertia):
    """Append a row whose Jacobian is a multiple of a tendon's, unless the tendon's is empty."""
    sparse = is_sparse(m)
    count = d.ten_J_rownnz[t] if sparse else m.nv
    if reserve_rows(m, d, sparse, 1, count):
        J, col = flat(d.ten_J), flat(d.ten_J_colind)
        a = row_address(m, d, sparse)
        start = d.ten_J_rowadr[t] if sparse else t * m.nv
        found = sparse and count > 0
        for k in range(count):
            x = J[start + k]
            d.efc_J[a + k] = scale * x
            found = found or x != 0.0
        if sparse:
            for k in range(count):
                d.efc_J_colind[a + k] = col[start + k]
        if found:
            put_row(d, d.nefc, kind, ident, pos, margin, floss, inertia)
            close_rows(d, sparse, 1, count)
