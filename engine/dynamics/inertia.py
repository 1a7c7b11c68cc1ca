"""Joint-space inertia: composite bodies, sparse L'DL factorisation, solves.

Rows of M hold the ancestors of a dof, then the dof (M_rownnz, M_rowadr, M_colind). Composite inertias and the
factorisation without fill-in: R. Featherstone, Rigid Body Dynamics Algorithms, chapters 6 and 8.
"""

from ..core.counts import count_warning
from ..core.stages import in_lanes, run
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, store
from ..math.spatial import add10, dot6, inertia_mul
from ..tables.compat_rows import DRIVE, bit
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtWarning
from ..tables.stage_rows import stage_id
from .branches import are_long, factor_branches, fill_rows, follows_parent
from .kinematics import SLEEP

INERTIA, PIVOTS = int(mjtWarning.mjWARN_INERTIA), bit("least_pivot")
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

    if not in_lanes() and are_long(m):
        fill_rows(m, d, sleep)
        return
    M = d.M
    for k in range(d.nv_awake if sleep else m.nv):
        i = awake_dof(d, k, sleep)
        start, last = m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i] - 1
        # The diagonal inertia of a simple dof is constant.
        if m.dof_simplenum[i]:
            M[start] = m.dof_M0[i]
            continue
        momentum = inertia_mul(load(d.crb, m.dof_bodyid[i], 10), load(d.cdof, i, 6))
        for a in range(start, last + 1):
            M[a] = dot6(load(d.cdof, m.M_colind[a], 6), momentum)
        M[last] = m.dof_armature[i] + M[last]


@inline
def awake_dof(d, t, sleep):
    return d.dof_awake_ind[t] if sleep else t


@inline
def raised(L, at, limited):
    """Raise a pivot to mjMINVAL if pivots are limited. Return whether it was smaller."""
    if limited and L[at] < mjMINVAL:
        L[at] = mjMINVAL
        return True
    return False


@inline
def eliminate(m, L, inverse, k, limited):
    """Eliminate row k of the factor from the rows of its ancestors. Return the row if its pivot was raised, otherwise -1."""
    count, adr = m.M_rownnz, m.M_rowadr
    start = adr[k]
    diag = start + count[k] - 1
    lost = k if raised(L, diag, limited) else -1
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
def eliminate_two(m, L, inverse, k, limited):
    """Eliminate row k and its parent's row k - 1 from the rows of their common ancestors in one pass. Return the first row
    whose pivot was raised, otherwise -1."""
    count, adr = m.M_rownnz, m.M_rowadr
    first, second, n = adr[k], adr[k - 1], count[k - 1]

    # Eliminate row k from its parent's row, which is shorter by one entry.
    lost = k if raised(L, first + n, limited) else -1
    r = 1 / L[first + n]
    s = L[first + n - 1] * r
    for c in range(n):
        L[second + c] -= s * L[first + c]
    L[first + n - 1] = s
    if raised(L, second + n - 1, limited) and lost < 0:
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
    limited, lost = m.compat_bits & PIVOTS != 0 and not in_lanes(), -1
    if not in_lanes() and are_long(m):
        lost = factor_branches(m, d, L, inverse, sleep, limited)
    else:
        t = (d.nv_awake if sleep else m.nv) - 1
        while t >= 0:
            k = awake_dof(d, t, sleep)
            if follows_parent(m, k):
                row = eliminate_two(m, L, inverse, k, limited)
                t -= 2
            else:
                row = eliminate(m, L, inverse, k, limited)
                t -= 1
            lost = row if lost < 0 else lost
    if lost >= 0:
        count_warning(d, INERTIA, lost)


@inline
def subtract_row(x, offset, L, start, col, n, s):
    """Subtract s times the first n entries of a row of L from x."""
    if in_lanes() or s != 0.0:
        for a in range(start, start + n):
            x[offset + col[a]] -= L[a] * s


@inline
def subtract_two_rows(x, offset, L, start, other, col, n, s, t):
    """Subtract s and t times the first n entries of two rows of L, which are in the same columns, from x."""
    if in_lanes() or s != 0.0 or t != 0.0:
        for a in range(n):
            x[offset + col[start + a]] -= L[start + a] * s + L[other + a] * t


@kernel
def solve(m, d, x, offset, L, inverse, sleep):
    """Set x[offset:offset+nv] = inv(L'DL) x, in place."""
    count, adr, col = m.M_rownnz, m.M_rowadr, m.M_colind
    end = d.nv_awake if sleep else m.nv
    t = end - 1
    while t >= 0:
        i = awake_dof(d, t, sleep)
        n, s = count[i] - 1, x[offset + i]
        if n == 0:
            t -= 1
        elif follows_parent(m, i):
            x[offset + i - 1] -= L[adr[i] + n - 1] * s
            subtract_two_rows(x, offset, L, adr[i], adr[i - 1], col, n - 1, s, x[offset + i - 1])
            t -= 2
        else:
            subtract_row(x, offset, L, adr[i], col, n, s)
            t -= 1
    for t in range(end):
        i = awake_dof(d, t, sleep)
        x[offset + i] *= inverse[i]
    t = 0
    while t < end:
        i = awake_dof(d, t, sleep)
        n = count[i] - 1
        if n == 0:
            t += 1
        elif t + 1 < end and follows_parent(m, i + 1):
            # A parent and its child, whose number is the next, have the same ancestors.
            s, u = gather_two_dots(L, adr[i], adr[i + 1], x, offset, col, n)
            x[offset + i] -= s
            x[offset + i + 1] -= u + L[adr[i + 1] + n] * x[offset + i]
            t += 2
        else:
            x[offset + i] -= gather_dot(L, adr[i], x, offset, col, n)
            t += 1


@inline
def gather_two_dots(L, start, other, x, offset, col, n):
    """Return the dot products of two sparse rows, in the same n columns, and a dense vector."""
    s0 = s1 = t0 = t1 = 0.0
    k = 0
    while k <= n - 2:
        a, b = start + k, other + k
        y, z = x[offset + col[a]], x[offset + col[a + 1]]
        s0 += L[a] * y
        s1 += L[a + 1] * z
        t0 += L[b] * y
        t1 += L[b + 1] * z
        k += 2
    if k < n:
        y = x[offset + col[start + k]]
        s0 += L[start + k] * y
        t0 += L[other + k] * y
    return s0 + s1, t0 + t1


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
    if m.compat_bits & PIVOTS and in_lanes():
        # A world whose pivots are too small leaves its lane at the warning, and makes this step alone.
        least = 1.0
        for k in range(m.nv):
            least = min(least, d.qLD[m.M_rowadr[k] + m.M_rownnz[k] - 1])
        if least < mjMINVAL:
            count_warning(d, INERTIA, 0)
