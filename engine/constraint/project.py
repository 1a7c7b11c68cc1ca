"""The rows' inverse inertia A = J inv(M) J', with R added to its diagonal: the matrix of the dual solvers.

A = B B' with B = J inv(L) sqrt(inv(D)) from the factor M = L' D L. Two rows of B have common columns if their rows of J move
the same kinematic tree, because L adds all ancestors of a row's dofs, up to the root.
"""

from math import sqrt

from ..core.arena import FRAME, aligned, fits, forget_rows, keep, limited, push
from ..core.stages import GROW
from ..dynamics.force import last_dof
from ..dynamics.kinematics import BALL
from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel, stage
from ..machine.lang import address_of, matrix_at
from ..math.dense import gram
from ..math.sparse import gather_fast
from ..tables.solver_rows import DUAL
from .append_rows import FRICTION_DOF, FRICTIONLESS, LIMIT_JOINT

UNKNOWN = -2


@inline
def searches_forces(m):
    """Return whether the solver works on constraint forces."""
    found = False
    for number in DUAL:
        found = found or m.opt.solver == number
    return found


@inline
def is_dual(m):
    """Return whether the inverse inertia in constraint space is needed, by the solver or after it."""
    return searches_forces(m) or m.opt.noslip_iterations > 0


@stage
def project_constraint(m, d):
    """reads efc_J, efc_R, qLD; writes efc_AR, nA, for sparse Jacobians efc_AR_rownnz, efc_AR_rowadr, efc_AR_colind; parena,
    pstack, warnings.
    """
    if d.nefc == 0 or not is_dual(m):
        return
    stack = d.pstack
    if is_sparse(m):
        project_sparse(m, d)
    else:
        project_dense(m, d)
    d.pstack = stack


@inline
def room_for(d, n):
    d.need_A = n
    if n > d.nA_cap:
        d.status = GROW
        return False
    return True


@kernel
def room_for_dense(m, d):
    """Return whether the arena has room for a dense AR; if not, drop all constraint rows."""
    push(d, FRAME, 8)
    push(d, 8 * m.nv, 8)
    end = aligned(d.parena, 8) + 8 * d.nA
    if not fits(d, end):
        forget_rows(d)
        return False
    keep(d, end)
    push(d, 16 * d.nefc * m.nv, 8)
    return True


@kernel
def room_for_sparse(m, d, size):
    """Return whether the arena has room for a sparse AR and its square root B (`size` nonzeros); if not, drop all constraint
    rows."""
    push(d, FRAME, 8)
    push(d, 8 * m.nv + 12 * d.nefc + 12 * m.nv + 24 * size, 8)
    end = aligned(d.parena + 8 * d.nefc, 8) + 12 * d.nA
    if not fits(d, end):
        forget_rows(d)
        return False
    keep(d, end)
    return True


@inline
def root_inverse(m, d, i):
    """Return 1 / sqrt(D)."""
    return 1 / sqrt(d.qLD[m.M_rowadr[i] + m.M_rownnz[i] - 1])


# ---- dense -------------------------------------------------------------------------------------------------------------
@inline
def paths_of_row(m, d, r):
    """Return (dof, dof): the row involves no dofs but these and their ancestors; -1: none. (UNKNOWN, UNKNOWN): it may involve
    any."""
    kind, k = d.efc_type[r], int(d.efc_id[r])
    if kind == FRICTION_DOF:
        return k, -1
    if kind == LIMIT_JOINT:
        return int(m.jnt_dofadr[k]) + (2 if m.jnt_type[k] == BALL else 0), -1
    if kind >= FRICTIONLESS and d.contact_geom[k, 0] >= 0 and d.contact_geom[k, 1] >= 0:
        return last_dof(m, m.geom_bodyid[d.contact_geom[k, 0]]), last_dof(m, m.geom_bodyid[d.contact_geom[k, 1]])
    return UNKNOWN, UNKNOWN


@inline
def eliminate(m, d, B, row, i, scale):
    """Subtract the part of dof i from its ancestors in a row of B; finish column i."""
    s = B[row + i]
    if s != 0.0:
        for a in range(m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i] - 1):
            B[row + m.M_colind[a]] -= d.qLD[a] * s
        B[row + i] = s * scale[i]


@kernel
def project_dense(m, d):
    """Compute A + R as a dense matrix."""
    n, nv = d.nefc, m.nv
    if not room_for(d, n * max(n, nv)):
        return
    d.nA = n * n
    if limited(d) and not room_for_dense(m, d):
        return

    # Compute B = J inv(L) sqrt(inv(D)) row by row, each from its last column.
    B, J, scale, end = d.work_B, d.efc_J, d.solve_Mv, d.work_B_rownnz
    for i in range(nv):
        scale[i] = root_inverse(m, d, i)
    for r in range(n):
        row = r * nv
        for k in range(row, row + nv):
            B[k] = J[k]
        i, other = paths_of_row(m, d, r)
        if i == UNKNOWN:
            i = nv - 1
            while i >= 0 and J[row + i] == 0.0:
                i -= 1
            end[r] = i + 1
            while i >= 0:
                eliminate(m, d, B, row, i, scale)
                i -= 1
            continue

        # Most rows involve the dofs of one or two paths to the root.
        end[r] = max(i, other) + 1
        while i >= 0 or other >= 0:
            k = max(i, other)
            eliminate(m, d, B, row, k, scale)
            i = int(m.dof_parentid[i]) if i == k else i
            other = int(m.dof_parentid[other]) if other == k else other

    # A = B B'.
    gram(matrix_at(address_of(d.efc_AR, 0), n, n), matrix_at(address_of(B, 0), n, nv), n, end)
    for r in range(n):
        d.efc_AR[r * n + r] += d.efc_R[r]


# ---- sparse ------------------------------------------------------------------------------------------------------------
@kernel
def complete_row(m, d, r, a):
    """Write the column indices of row r of B, starting at address a; return their count.

    They are the row's columns in J and all their ancestors, in ascending order."""
    start, k = d.efc_J_rowadr[r], d.efc_J_rownnz[r]
    col = d.work_chain
    n = 0
    parent = -1

    # Starting from the last column, merge the row's columns in J with the ancestors of the columns merged so far.
    while True:
        own = int(d.efc_J_colind[start + k - 1]) if k > 0 else -1
        if own < 0 and parent < 0:
            break
        if own >= parent:
            k -= 1
        else:
            own = parent
        col[n] = own
        n += 1
        parent = int(m.dof_parentid[own])

    if a + n <= d.nA_cap:
        for c in range(n):
            d.work_B_colind[a + c] = col[n - 1 - c]
    return n


@kernel
def fill_row(m, d, r, x, scale):
    """Compute the values of row r of B. x is a dense scratch row; it must be zero, and is zero again afterwards. scale: see
    `root_inverse`."""
    col, B, L = d.work_B_colind, d.work_B, d.qLD
    a, n = d.work_B_rowadr[r], d.work_B_rownnz[r]
    for k in range(d.efc_J_rowadr[r], d.efc_J_rowadr[r] + d.efc_J_rownnz[r]):
        x[d.efc_J_colind[k]] = d.efc_J[k]
    k = a + n - 1
    while k >= a:
        i = col[k]
        s = x[i]
        for e in range(m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i] - 1):
            x[m.M_colind[e]] -= L[e] * s
        B[k] = s * scale[i]
        x[i] = 0.0
        k -= 1


@kernel
def list_roots(m, d, n):
    """For each root dof, list the rows that depend on it. Count the entries of each row of A; return the total."""
    head, follow, mark = d.solve_head, d.work_B_next, d.work_B_mark
    for i in range(m.nv):
        head[i] = -1
    for r in range(n):
        d.efc_AR_rownnz[r] = 0
        mark[r] = -1
    # A row can have several root dofs. The lists contain addresses of entries of B.
    for r in range(n):
        for k in range(d.work_B_rowadr[r], d.work_B_rowadr[r] + d.work_B_rownnz[r]):
            i = d.work_B_colind[k]
            if m.dof_parentid[i] < 0:
                follow[k] = head[i]
                head[i] = k
                d.work_B_row[k] = r
                e = int(k)
                while e >= 0:
                    c = d.work_B_row[e]
                    if mark[c] != r:
                        mark[c] = r
                        d.efc_AR_rownnz[r] += 1
                        if c != r:
                            d.efc_AR_rownnz[c] += 1
                    e = follow[e]

    size = 0
    for r in range(n):
        d.efc_AR_rowadr[r] = size
        size += d.efc_AR_rownnz[r]
    return size


@kernel
def project_sparse(m, d):
    """Compute A + R in compressed rows."""
    n, nv = d.nefc, m.nv
    size = 0
    for r in range(n):
        count = complete_row(m, d, r, size)
        d.work_B_rowadr[r], d.work_B_rownnz[r] = size, count
        size += count
    if not room_for(d, size):
        return

    # Compute the values of B.
    x, scale = d.solve_Mv, d.solve_grad
    for i in range(nv):
        x[i], scale[i] = 0.0, root_inverse(m, d, i)
    for r in range(n):
        fill_row(m, d, r, x, scale)

    # Find the pattern of A.
    d.nA = list_roots(m, d, n)
    if not room_for(d, max(d.nA, size)) or (limited(d) and not room_for_sparse(m, d, size)):
        return

    # Compute the rows of A.
    for r in range(n):
        d.efc_AR_rownnz[r] = 0
        d.work_B_mark[r] = -1
    for r in range(n):
        set_row(m, d, r, x)


@kernel
def set_row(m, d, r, x):
    """Compute row r of A up to its diagonal, and mirror the values to column r of earlier rows."""
    B, col, adr, nnz = d.work_B, d.work_B_colind, d.work_B_rowadr, d.work_B_rownnz
    for k in range(adr[r], adr[r] + nnz[r]):
        x[col[k]] = B[k]
        # Mark rows that share this root dof, latest first.
        if m.dof_parentid[col[k]] < 0:
            e = int(k)
            while e >= 0:
                d.work_B_mark[d.work_B_row[e]] = r
                e = d.work_B_next[e]

    # Compute entries for the marked rows and write them to both triangles of A.
    a = d.efc_AR_rowadr[r]
    for c in range(r + 1):
        if d.work_B_mark[c] == r:
            s = gather_fast(B, adr[c], col, x, nnz[c])
            k = a + d.efc_AR_rownnz[r]
            d.efc_AR_colind[k] = c
            d.efc_AR_rownnz[r] += 1
            if c == r:
                d.efc_AR[k] = s + d.efc_R[r]
            else:
                d.efc_AR[k] = s
                k = d.efc_AR_rowadr[c] + d.efc_AR_rownnz[c]
                d.efc_AR_colind[k] = r
                d.efc_AR[k] = s
                d.efc_AR_rownnz[c] += 1

    for k in range(adr[r], adr[r] + nnz[r]):
        x[col[k]] = 0.0
