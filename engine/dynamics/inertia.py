"""Joint-space inertia: composite bodies, sparse L'DL factorisation, solves.

Rows of M hold the ancestors of a dof, then the dof (M_rownnz, M_rowadr, M_colind). Composite inertias and the
factorisation without fill-in: R. Featherstone, Rigid Body Dynamics Algorithms, chapters 6 and 8.
"""

from ..core.counts import count_warning
from ..core.stages import run
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, store
from ..math.spatial import add10, dot6, inertia_mul
from ..tables.compat_rows import DRIVE, bit
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtWarning
from ..tables.stage_rows import stage_id
from .kinematics import SLEEP

INERTIA, PIVOTS, FAR = int(mjtWarning.mjWARN_INERTIA), bit("least_pivot"), 1e300
TENDON_ARMATURE, DRIVE_INERTIA = stage_id("tendon_armature"), stage_id("drive_inertia")


@stage
def make_inertia(m, d):
    """reads cinert, cdof; writes crb, M, qM."""
    composite_inertia(m, d)
    if m.features & DRIVE and not run(m, d, DRIVE_INERTIA):
        return
    for k in range(m.ntendon):
        if m.tendon_armature[k] != 0 or m.features & DRIVE:
            if not run(m, d, TENDON_ARMATURE):
                return
            break
    for k in range(m.nC):
        d.qM[m.mapM2M[k]] = d.M[k]


@stage
def composite_bodies(m, d):
    """reads cinert, cdof; writes crb, M without tendon armature."""
    composite_inertia(m, d)
    if m.features & DRIVE:
        run(m, d, DRIVE_INERTIA)


@kernel
def composite_inertia(m, d):
    """writes crb, M."""
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nv_awake < m.nv
    if sleep:
        for k in range(d.nbody_awake):
            b = d.body_awake_ind[k]
            store(d.crb, b, load(d.cinert, b, 10))
    else:
        for b in range(m.nbody):
            store(d.crb, b, load(d.cinert, b, 10))

    # Sum composite inertias from the leaves to the root.
    for k in range((d.nparent_awake if sleep else m.nbody) - 1, -1, -1):
        b = d.parent_awake_ind[k] if sleep else k
        p = m.body_parentid[b]
        if p > 0:
            store(d.crb, p, add10(load(d.crb, p, 10), load(d.crb, b, 10)))

    # Fill the rows of M.
    M = d.M
    for k in range(d.nv_awake if sleep else m.nv):
        i = d.dof_awake_ind[k] if sleep else k
        start, last = m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i] - 1
        # The diagonal inertia of a simple dof is constant.
        if m.dof_simplenum[i]:
            for a in range(start, last + 1):
                M[a] = 0.0
            M[start] = m.dof_M0[i]
            continue
        momentum = inertia_mul(load(d.crb, m.dof_bodyid[i], 10), load(d.cdof, i, 6))
        a, j = last, i
        while j >= 0:
            M[a] = dot6(load(d.cdof, j, 6), momentum)
            j = m.dof_parentid[j]
            a -= 1
        while a >= start:
            M[a] = 0.0
            a -= 1
        M[last] = m.dof_armature[i] + M[last]


@inline
def awake_dof(d, t, sleep):
    return d.dof_awake_ind[t] if sleep else t


@inline
def raised(L, at, least):
    """Raise a pivot to mjMINVAL if it is below `least`. Return whether it was."""
    if L[at] < least:
        L[at] = mjMINVAL
        return True
    return False


@inline
def eliminate(m, L, inverse, k, least):
    """Eliminate row k of the factor from the rows of its ancestors. Return the row if its pivot was raised, otherwise -1."""
    count, adr = m.M_rownnz, m.M_rowadr
    start = adr[k]
    diag = start + count[k] - 1
    lost = k if raised(L, diag, least) else -1
    r = 1 / L[diag]
    inverse[k] = r
    for a in range(diag - 1, start - 1, -1):
        i = m.M_colind[a]
        row, s = adr[i], L[a] * r
        for c in range(count[i]):
            L[row + c] -= s * L[start + c]
        # The remaining ancestors have shorter rows, so this entry can be overwritten.
        L[a] = s
    return lost


@inline
def eliminate_two(m, L, inverse, k, least):
    """Eliminate row k and its parent's row k - 1 from the rows of their common ancestors in one pass. Return the first row
    whose pivot was raised, otherwise -1."""
    count, adr = m.M_rownnz, m.M_rowadr
    first, second, n = adr[k], adr[k - 1], count[k - 1]

    # Eliminate row k from its parent's row, which is shorter by one entry.
    lost = k if raised(L, first + n, least) else -1
    r = 1 / L[first + n]
    s = L[first + n - 1] * r
    for c in range(n):
        L[second + c] -= s * L[first + c]
    L[first + n - 1] = s
    if raised(L, second + n - 1, least) and lost < 0:
        lost = k - 1
    q = 1 / L[second + n - 1]
    inverse[k], inverse[k - 1] = r, q

    # Eliminate both rows from those of the other ancestors.
    for a in range(n - 2, -1, -1):
        i = m.M_colind[second + a]
        row, s, u = adr[i], L[first + a] * r, L[second + a] * q
        for c in range(count[i]):
            L[row + c] = (L[row + c] - s * L[first + c]) - u * L[second + c]
        L[first + a], L[second + a] = s, u
    return lost


@inline
def factor(m, d, L, inverse, sleep):
    """Factor the matrix in L as L'DL, in place, from the last row up; `inverse` is set to 1 / D.

    Since 3.13, pivots have a lower limit, and a warning names the first that had to be raised.
    """
    least, lost = mjMINVAL if m.compat_bits & PIVOTS else -FAR, -1
    t = (d.nv_awake if sleep else m.nv) - 1
    while t >= 0:
        k = awake_dof(d, t, sleep)
        # Dofs of simple bodies are consecutive, but their rows are diagonal, so they are not eliminated in pairs.
        if t > 0 and m.dof_parentid[k] == k - 1 and m.M_rownnz[k] == m.M_rownnz[k - 1] + 1:
            row = eliminate_two(m, L, inverse, k, least)
            t -= 2
        else:
            row = eliminate(m, L, inverse, k, least)
            t -= 1
        lost = row if lost < 0 else lost
    if lost >= 0:
        count_warning(d, INERTIA, lost)


@inline
def subtract_row(x, offset, L, start, col, n, s):
    """Subtract s times the first n entries of a row of L from x."""
    if s != 0.0:
        for a in range(start, start + n):
            x[offset + col[a]] -= L[a] * s


@kernel
def solve(m, d, x, offset, L, inverse, sleep):
    """Set x[offset:offset+nv] = inv(L'DL) x, in place."""
    count, adr, col = m.M_rownnz, m.M_rowadr, m.M_colind
    n = d.nv_awake if sleep else m.nv
    t = n - 1
    while t >= 0:
        i = awake_dof(d, t, sleep)
        subtract_row(x, offset, L, adr[i], col, count[i] - 1, x[offset + i])
        t -= 1
    for t in range(n):
        i = awake_dof(d, t, sleep)
        x[offset + i] *= inverse[i]
    for t in range(n):
        i = awake_dof(d, t, sleep)
        width = count[i] - 1
        if width > 0:
            x[offset + i] -= gather_dot(L, adr[i], x, offset, col, width)


@inline
def gather_dot(L, start, x, offset, col, n):
    """Return the dot product of a sparse row and a dense vector, accumulated in four partial sums."""
    s0 = s1 = s2 = s3 = 0.0
    k = 0
    while k <= n - 4:
        a = start + k
        s0 += L[a] * x[offset + col[a]]
        s1 += L[a + 1] * x[offset + col[a + 1]]
        s2 += L[a + 2] * x[offset + col[a + 2]]
        s3 += L[a + 3] * x[offset + col[a + 3]]
        k += 4
    s = (s0 + s2) + (s1 + s3)
    while k < n:
        s += L[start + k] * x[offset + col[start + k]]
        k += 1
    return s


@stage
def factor_inertia(m, d):
    """reads M; writes qLD, qLDiagInv."""
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nv_awake < m.nv
    for k in range(m.nC):
        d.qLD[k] = d.M[k]
    factor(m, d, d.qLD, d.qLDiagInv, sleep)
