"""Structure of a Model that depends only on the tree and on poses; it is set when the Model is compiled.

It consists of the sparsity of the joint-space inertia M, of the dof-dof matrix D and of the body-dof matrix B, and of the
information which frames coincide.
"""

from ..machine.jit import inline, kernel, stage
from ..machine.lang import load
from ..tables.enums import mjtSameFrame

DIFFERENT, SAME_BODY, SAME_INERTIA, BODY_ROTATION, INERTIA_ROTATION = (
    int(mjtSameFrame[f"mjSAMEFRAME_{n}"]) for n in "NONE BODY INERTIA BODYROT INERTIAROT".split()
)
# tolerance for comparing frames
FRAME_EPS = 1e-6


@stage
def model_structure(m, d):
    """reads nothing; writes Model's dof_Madr, M_rownnz, M_rowadr, M_colind, mapM2M, D_rownnz, D_rowadr, D_diag, D_colind,
    mapM2D, mapD2M, B_rownnz, B_rowadr, B_colind, geom_sameframe, site_sameframe, and which joints and geoms bodies have.
    """
    inertia_rows(m)
    product_rows(m)
    body_rows(m)

    # Find the joints and geoms of each body.
    for b in range(m.nbody):
        m.body_jntnum[b] = m.body_geomnum[b] = 0
        m.body_jntadr[b] = m.body_geomadr[b] = -1
    for j in range(m.njnt - 1, -1, -1):
        m.body_jntadr[m.jnt_bodyid[j]] = j
        m.body_jntnum[m.jnt_bodyid[j]] += 1
    for g in range(m.ngeom - 1, -1, -1):
        m.body_geomadr[m.geom_bodyid[g]] = g
        m.body_geomnum[m.geom_bodyid[g]] += 1

    # Find frames that equal the body frame or the inertial frame.
    for g in range(m.ngeom):
        b = m.geom_bodyid[g]
        m.geom_sameframe[g] = relation(
            load(m.geom_pos, g, 3), load(m.geom_quat, g, 4), load(m.body_ipos, b, 3), load(m.body_iquat, b, 4)
        )
    for s in range(m.nsite):
        b = m.site_bodyid[s]
        m.site_sameframe[s] = relation(
            load(m.site_pos, s, 3), load(m.site_quat, s, 4), load(m.body_ipos, b, 3), load(m.body_iquat, b, 4)
        )


@inline
def near3(a, b):
    return abs(a[0] - b[0]) < FRAME_EPS and abs(a[1] - b[1]) < FRAME_EPS and abs(a[2] - b[2]) < FRAME_EPS


@inline
def near4(a, b):
    return abs(a[0] - b[0]) < FRAME_EPS and near3(a[1:], b[1:])


@inline
def same_turn(a, b):
    """Return whether two quaternions represent the same rotation; q and -q do."""
    return near4(a, b) or near4((-a[0], -a[1], -a[2], -a[3]), b)


@kernel
def relation(pos, quat, ipos, iquat):
    """Return the mjtSameFrame of a pose, given the inertial frame of its body."""
    if same_turn(quat, (1.0, 0.0, 0.0, 0.0)):
        return SAME_BODY if near3(pos, (0.0, 0.0, 0.0)) else BODY_ROTATION
    if same_turn(quat, iquat):
        return SAME_INERTIA if near3(pos, ipos) else INERTIA_ROTATION
    return DIFFERENT


@kernel
def inertia_rows(m):
    """Set the sparsity pattern of M, a lower triangle. The row of a dof lists its ancestors, starting at the root, then the
    dof itself. Rows of simple dofs have only the diagonal.
    """
    legacy = packed = 0
    for i in range(m.nv):
        parent, depth = m.dof_parentid[i], 0
        if parent >= 0:
            depth = m.D_diag[parent] + 1
        m.D_diag[i] = depth
        m.dof_Madr[i] = legacy
        m.M_rowadr[i] = packed

        j, step = i, 0
        width = 1 if m.dof_simplenum[i] != 0 else depth + 1
        m.M_rownnz[i] = width
        while step < width:
            at = packed + width - 1 - step
            m.M_colind[at] = j
            m.mapM2M[at] = legacy + step
            j = m.dof_parentid[j]
            step += 1
        legacy += depth + 1
        packed += width


@kernel
def product_rows(m):
    """Set the sparsity pattern of D. The row of a dof lists its ancestors, the dof itself, then its descendants."""
    for i in range(m.nv):
        m.D_rownnz[i] = 0
    for i in range(m.nv):
        m.D_rownnz[i] += m.D_diag[i] + 1
        j = m.dof_parentid[i]
        while j >= 0:
            m.D_rownnz[j] += 1
            j = m.dof_parentid[j]

    # Set the start of each row.
    start = 0
    for i in range(m.nv):
        m.D_rowadr[i] = start
        start += m.D_rownnz[i]
        m.D_rownnz[i] = 0

    # Process ancestors before their descendants, so that the columns of all rows ascend.
    for i in range(m.nv):
        full = m.M_rownnz[i] == m.D_diag[i] + 1
        for step in range(m.D_diag[i] + 1):
            m.mapM2D[m.D_rowadr[i] + m.D_diag[i] - step] = -1
        j = i
        for step in range(m.D_diag[i] + 1):
            low = m.D_rowadr[i] + m.D_diag[i] - step
            here = m.M_rowadr[i] + m.M_rownnz[i] - 1 - step if full or step == 0 else -1
            m.D_colind[low] = j
            m.mapM2D[low] = here
            if here >= 0:
                m.mapD2M[here] = low
            if step > 0:
                high = m.D_rowadr[j] + m.D_rownnz[j]
                m.D_colind[high] = i
                m.mapM2D[high] = here
                m.D_rownnz[j] += 1
            j = m.dof_parentid[j]
        m.D_rownnz[i] = m.D_diag[i] + 1


@kernel
def body_rows(m):
    """Set the sparsity pattern of B. The row of a body lists the dofs of its ancestors, then those of its subtree, which are
    contiguous."""
    for b in range(m.nbody):
        m.B_rownnz[b] = m.body_dofnum[b]
    for b in range(m.nbody - 1, 0, -1):
        m.B_rownnz[m.body_parentid[b]] += m.B_rownnz[b]

    at = own = 0
    for b in range(m.nbody):
        m.B_rowadr[b] = at
        above = last_dof_above(m, b)
        depth = m.D_diag[above] + 1 if above >= 0 else 0
        for step in range(depth):
            m.B_colind[at + depth - 1 - step] = above
            above = m.dof_parentid[above]
        for k in range(m.B_rownnz[b]):
            m.B_colind[at + depth + k] = own + k
        m.B_rownnz[b] += depth
        at += m.B_rownnz[b]
        own += m.body_dofnum[b]


@kernel
def last_dof_above(m, b):
    """Return the last dof of the nearest moving ancestor of a body, or -1."""
    p = m.body_parentid[b]
    while p > 0 and m.body_dofnum[p] == 0:
        p = m.body_parentid[p]
    return m.body_dofadr[p] + m.body_dofnum[p] - 1 if b > 0 and p > 0 else -1
