"""The solver's Hessian as a dense triangle, for dense Jacobians.

H is updated row by row as constraints become active or inactive, and then factored from scratch. For usual sizes, this is
cheaper than rank-one updates of the factor, and loses no accuracy.
"""

from ..constraint.update import CONE, QUADRATIC
from ..core.stages import GROW
from ..dynamics.metric import add_moment, is_discrete
from ..dynamics.tendon_rows import add_tendon_row
from ..machine.jit import inline, kernel, stage
from ..machine.lang import address_of, bits_of, matrix_at, pack_at, part_at, put_pack, spread
from ..machine.layout import PACK
from ..math.upward import copy_triangle, factor_upward, padded, solve_upward
from ..tables.compat_rows import bit
from ..tables.consts import mjMINVAL
from ..tables.scratch import CONES, HAD_CONES, NONZEROS, OPERATION, UPDATES
from .primal import BEGIN, SOLVE, dense_rows, int_view, the_problem, view

LOST_ROWS = bit("lost_rows")


@stage
def hessian_dense(m, d):
    """reads rows, states, solve_oldstate, solve_grad, M; writes solve_H, solve_L, solve_Mgrad."""
    p, operation, cones = the_problem(d), d.work_problem[OPERATION], d.work_problem[CONES]
    nv = p[1]
    stride = padded(nv)
    if nv * stride > d.nH_cap:
        d.need_H = nv * stride
        d.status = GROW
        return

    H, L = matrix_at(address_of(d.solve_H, 0), nv, stride), matrix_at(address_of(d.solve_L, 0), nv, stride)
    if operation == SOLVE:
        solve_upward(d.solve_Mgrad, d.solve_L, d.solve_grad, nv, stride)
        return

    # Update H. Factor it if H or a contact in the middle zone of its cone has changed.
    J = dense_rows(m, d, p)
    if operation == BEGIN:
        start_hessian(m, d, p, H)
        d.work_problem[NONZEROS] = nv * nv
    changed = update_hessian(d, p)
    d.work_problem[UPDATES] = changed
    if operation == BEGIN or changed > 0 or cones > 0 or d.work_problem[HAD_CONES] > 0:
        copy_triangle(d.solve_L, d.solve_H, nv, stride)
        if cones > 0:
            add_cones(d, p, L, J)
        factor_upward(d.solve_L, nv, stride, mjMINVAL, m.compat_bits & LOST_ROWS != 0)


@kernel
def start_hessian(m, d, p, H):
    """Set the lower triangle of H to M."""
    discrete = is_discrete(m)
    packs = padded(p[1]) // PACK
    for i in range(p[1]):
        for k in range(i * packs, i * packs + i // PACK + 1):
            put_pack(d.solve_H, k, spread(0.0))
    for i in range(p[1]):
        if p[0] < 0:
            for a in range(m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i]):
                H[i, m.M_colind[a]] = d.efm_M[a] if discrete else d.M[a]
        else:
            first = d.iM_rowadr[p[2] + i]
            for a in range(first, first + d.iM_rownnz[p[2] + i]):
                H[i, d.iM_colind[a]] = d.iM[a]
    if discrete:
        add_couplings(m, d, H)


@kernel
def add_couplings(m, d, H):
    """Add s w'w to the lower triangle of H for tendons and actuators in the effective inertia (scratch: solve_Mv)."""
    w = d.solve_Mv
    for k in range(m.ntendon + m.nout):
        s = d.efm_ts[k] if k < m.ntendon else d.efm_as[k - m.ntendon]
        if s == 0:
            continue
        for i in range(m.nv):
            w[i] = 0.0
        if k < m.ntendon:
            add_tendon_row(m, d, w, k, 1.0)
        else:
            add_moment(m, d, k - m.ntendon, w, 1.0, False)
        for i in range(m.nv):
            if w[i] != 0:
                for j in range(i + 1):
                    H[i, j] += s * w[i] * w[j]


@kernel
def add_outer(H, stride, J, n, r0, w0, r1, w1, r2, w2, r3, w3):
    """Add the sum of w J' J over four rows, which begin at the addresses r0 to r3 and have n columns, to the lower triangle of
    H, a pack of columns at once. Skips columns that are zero in all four. Entries beyond the diagonal are never used.
    """
    nothing = spread(0.0)
    for start in range(0, n, PACK):
        width = min(PACK, n - start)
        p0, p1 = part_at(J, r0 + start, width), part_at(J, r1 + start, width)
        p2, p3 = part_at(J, r2 + start, width), part_at(J, r3 + start, width)
        if bits_of((p0 != nothing) | (p1 != nothing) | (p2 != nothing) | (p3 != nothing)) == 0:
            continue
        for i in range(start, n):
            a, b, c, e = J[r0 + i], J[r1 + i], J[r2 + i], J[r3 + i]
            if a != 0.0 or b != 0.0 or c != 0.0 or e != 0.0:
                k = (i * stride + start) // PACK
                more = spread(w0 * a) * p0 + spread(w1 * b) * p1
                put_pack(H, k, pack_at(H, k) + (more + (spread(w2 * c) * p2 + spread(w3 * e) * p3)))


@inline
def next_change(state, old, D, r, n):
    """Search for the next row, starting at row r, that became active or inactive. Return (row, weight). The row is n if there
    is none."""
    while r < n:
        now, before = state[r] == QUADRATIC, old[r] == QUADRATIC
        if now != before:
            return r, D[r] if now else -D[r]
        r += 1
    return n, 0.0


@kernel
def update_hessian(d, p):
    """Update H from the saved states to the current ones; return the number of rows whose state has changed."""
    nv, n, row = p[1], p[3], p[4]
    J, base = (d.efc_J, 0) if p[0] < 0 else (d.iefc_J, d.nidof * row)
    D, state = view(p, d.efc_D, d.iefc_D, row, n), int_view(p, d.efc_state, d.iefc_state, row, n)
    changed = 0
    r3 = -1
    while True:
        r0, w0 = next_change(state, d.solve_oldstate, D, r3 + 1, n)
        if r0 == n:
            return changed
        r1, w1 = next_change(state, d.solve_oldstate, D, r0 + 1, n)
        r2, w2 = next_change(state, d.solve_oldstate, D, r1 + 1, n)
        r3, w3 = next_change(state, d.solve_oldstate, D, r2 + 1, n)
        changed += 1 + (1 if r1 < n else 0) + (1 if r2 < n else 0) + (1 if r3 < n else 0)
        # Unused rows get weight 0, but their addresses must be valid.
        a0, a1 = base + r0 * nv, base + min(r1, n - 1) * nv
        a2, a3 = base + min(r2, n - 1) * nv, base + min(r3, n - 1) * nv
        add_outer(d.solve_H, padded(nv), J, nv, a0, w0, a1, w1, a2, w2, a3, w3)


@kernel
def add_cones(d, p, L, J):
    """Add J_c' H_c J_c to L for each contact in the middle zone of its cone."""
    nv, n, row = p[1], p[3], p[4]
    state, ident = int_view(p, d.efc_state, d.iefc_state, row, n), int_view(p, d.efc_id, d.iefc_id, row, n)
    r = 0
    while r < n:
        if state[r] != CONE:
            r += 1
            continue

        c = ident[r]
        dim = d.contact_dim[c]
        for a in range(dim):
            # Compute one row of H_c J_c, then its product with J_c.
            for i in range(nv):
                s = 0.0
                for b in range(dim):
                    s += d.contact_H[c, a * dim + b] * J[r + b, i]
                d.solve_Mv[i] = s
            for i in range(nv):
                x = J[r + a, i]
                if x != 0.0:
                    for k in range(i + 1):
                        L[i, k] += x * d.solve_Mv[k]
        r += dim
