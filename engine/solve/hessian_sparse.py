"""The solver's Hessian for sparse Jacobians: a dense triangle for few dofs, compressed rows for many.

Compressed rows of H have the factor's pattern from the start, so H can be copied and factored without searching for fill-in.
"""

from math import sqrt

from ..constraint.update import CONE, QUADRATIC
from ..core.stages import GROW
from ..dynamics.metric import is_discrete
from ..machine.jit import inline, kernel, stage
from ..machine.lang import address_of, flat, matrix_at
from ..math.dense import cholesky, cholesky_solve
from ..math.sparse import gather
from ..tables.compat_rows import bit
from ..tables.consts import mjMINVAL
from ..tables.scratch import CONES, HAD_CONES, NONZEROS, OPERATION, UPDATES
from .primal import BEGIN, ELLIPTIC_CONES, SOLVE, int_view, sparse_rows, the_problem, view
from .symbolic import bit_rows, find_pattern, inertia_row, list_columns, words_of

# Up to this number of dofs, a dense triangle is faster.
DENSE_DOFS = 64
LOST_ROWS = bit("lost_rows")


@stage
def hessian_sparse(m, d):
    """reads rows, states, solve_oldstate, solve_grad, M; writes solve_H, solve_L and its pattern, solve_Mgrad."""
    p, operation, cones = the_problem(d), d.work_problem[OPERATION], d.work_problem[CONES]
    nv = p[1]
    dense = nv <= DENSE_DOFS

    if operation == BEGIN and not start_pattern(m, d, p, dense):
        return
    L = matrix_at(address_of(d.solve_L, 0), nv, nv)
    if operation == SOLVE:
        if dense:
            cholesky_solve(d.solve_Mgrad, L, d.solve_grad, nv)
        else:
            solve_factored(d, nv)
        return

    # Update H. Factor it if H or a contact in the middle zone of its cone has changed.
    if operation == BEGIN:
        start_hessian(m, d, p, dense)
    changed = update_hessian(m, d, p, dense)
    d.work_problem[UPDATES] = changed
    if operation == BEGIN or changed > 0 or cones > 0 or d.work_problem[HAD_CONES] > 0:
        size = nv * nv if dense else d.solve_Ladr[nv - 1] + d.solve_Lnnz[nv - 1]
        for k in range(size):
            d.solve_L[k] = d.solve_H[k]
        if cones > 0:
            add_cones(m, d, p, dense)
        if dense:
            cholesky(L, nv, mjMINVAL, m.compat_bits & LOST_ROWS != 0)
        else:
            factor(d, nv, m.compat_bits & LOST_ROWS != 0)


@kernel
def start_pattern(m, d, p, dense):
    """Find the pattern of the factor, and clear H; return False if there is no room."""
    nv = p[1]
    d.need_H = nv * nv if dense else nv * words_of(nv)
    if d.need_H > d.nH_cap:
        d.status = GROW
        return False
    bits = bit_rows(d, nv)
    nonzeros, filled = find_pattern(m, d, p, bits)
    d.work_problem[NONZEROS] = nonzeros + filled * (2 if m.opt.cone == ELLIPTIC_CONES else 1)
    size = nv * nv
    if not dense:
        d.need_H = size = filled
        if filled > d.nH_cap:
            d.status = GROW
            return False
        list_columns(d, nv, bits)
    for k in range(size):
        d.solve_H[k] = 0.0
    return True


# ---- entries of a row of H ------------------------------------------------------------------------------------------------
@inline
def row_of(d, i, nv, dense):
    return i * nv if dense else int(d.solve_Ladr[i])


@inline
def find_entry(d, a, i, c, nv, dense):
    """Return the address of the entry in row i and column c. Compressed rows are searched starting at address a."""
    if dense:
        return i * nv + c
    while d.solve_Lcol[a] != c:
        a += 1
    return a


@kernel
def start_hessian(m, d, p, dense):
    """Set H = M."""
    nv = p[1]
    col = m.M_colind if p[0] < 0 else d.iM_colind
    M = d.efm_M if is_discrete(m) else d.M if p[0] < 0 else d.iM
    for i in range(nv):
        nnz, adr = inertia_row(m, d, p, i)
        a = row_of(d, i, nv, dense)
        for k in range(adr, adr + nnz):
            a = find_entry(d, a, i, col[k], nv, dense)
            d.solve_H[a] = M[k]
    if is_discrete(m):
        add_couplings(m, d, dense)


@kernel
def add_couplings(m, d, dense):
    """Add s w'w to H for each tendon and actuator that contributes to the effective inertia. w: its Jacobian row, s: scale."""
    J, tcol = flat(d.ten_J), flat(d.ten_J_colind)
    for t in range(m.ntendon):
        if d.efm_ts[t] != 0:
            a = int(d.ten_J_rowadr[t])
            add_outer(d, J, tcol, d.ten_J_rownnz[t], m.nv, dense, a, d.efm_ts[t], a, 0.0, a, 0.0, a, 0.0)
    for i in range(m.nout):
        if d.efm_as[i] != 0:
            a = int(d.moment_rowadr[i])
            add_outer(
                d, d.actuator_moment, d.moment_colind, d.moment_rownnz[i], m.nv, dense, a, d.efm_as[i], a, 0.0, a, 0.0, a, 0.0
            )


# ---- rows that became active or inactive ----------------------------------------------------------------------------------
@inline
def weight_change(state, old, D, r):
    now, before = state[r] == QUADRATIC, old[r] == QUADRATIC
    if now == before:
        return 0.0
    return D[r] if now else -D[r]


@kernel
def update_hessian(m, d, p, dense):
    """Update H from the saved states to the current ones; return the number of rows whose state has changed.

    Rows with the same pattern are added four at a time.
    """
    n, row = p[3], p[4]
    J, nnz, adr, col, same = sparse_rows(d, p)
    D, state, old = view(p, d.efc_D, d.iefc_D, row, n), int_view(p, d.efc_state, d.iefc_state, row, n), d.solve_oldstate
    changed = 0
    r = 0
    while r < n:
        # Collect up to four rows with the same pattern.
        count = min(int(same[r]), 3) + 1
        w0 = weight_change(state, old, D, r)
        w1 = weight_change(state, old, D, r + 1) if count > 1 else 0.0
        w2 = weight_change(state, old, D, r + 2) if count > 2 else 0.0
        w3 = weight_change(state, old, D, r + 3) if count > 3 else 0.0
        more = (1 if w0 != 0.0 else 0) + (1 if w1 != 0.0 else 0) + (1 if w2 != 0.0 else 0) + (1 if w3 != 0.0 else 0)

        if more > 0:
            changed += more
            a0 = int(adr[r])
            add_outer(
                d,
                J,
                col,
                nnz[r],
                p[1],
                dense,
                a0,
                w0,
                adr[r + 1] if count > 1 else a0,
                w1,
                adr[r + 2] if count > 2 else a0,
                w2,
                adr[r + 3] if count > 3 else a0,
                w3,
            )
        r += count
    return changed


@kernel
def add_outer(d, J, col, nnz, nv, dense, a0, w0, a1, w1, a2, w2, a3, w3):
    """Add the sum of w J' J over four rows with the same pattern to H."""
    H = d.solve_H
    for i in range(nnz):
        c = col[a0 + i]
        s0, s1, s2, s3 = w0 * J[a0 + i], w1 * J[a1 + i], w2 * J[a2 + i], w3 * J[a3 + i]
        if dense:
            a = c * nv
            for k in range(i + 1):
                H[a + col[a0 + k]] += (s0 * J[a0 + k] + s1 * J[a1 + k]) + (s2 * J[a2 + k] + s3 * J[a3 + k])
        else:
            a = d.solve_Ladr[c]
            for k in range(i + 1):
                a = find_entry(d, a, c, col[a0 + k], nv, False)
                H[a] += (s0 * J[a0 + k] + s1 * J[a1 + k]) + (s2 * J[a2 + k] + s3 * J[a3 + k])


@kernel
def add_cones(m, d, p, dense):
    """Add J_c' H_c J_c to L for each contact in the middle zone of its cone."""
    nv, n, row = p[1], p[3], p[4]
    J, nnz, adr, col, same = sparse_rows(d, p)
    state, ident = int_view(p, d.efc_state, d.iefc_state, row, n), int_view(p, d.efc_id, d.iefc_id, row, n)
    r = 0
    while r < n:
        if state[r] != CONE:
            r += 1
            continue

        c = ident[r]
        dim, width, first = d.contact_dim[c], nnz[r], adr[r]
        for e in range(dim):
            start = adr[r + e]
            # Compute one row of H_c J_c, then its product with J_c.
            for i in range(width):
                s = 0.0
                for b in range(dim):
                    s += d.contact_H[c, e * dim + b] * J[adr[r + b] + i]
                d.solve_Mv[i] = s
            for i in range(width):
                x, k = J[start + i], col[first + i]
                a = row_of(d, k, nv, dense)
                for j in range(i + 1):
                    a = find_entry(d, a, k, col[first + j], nv, dense)
                    d.solve_L[a] += x * d.solve_Mv[j]
        r += dim


# ---- factor in compressed rows ---------------------------------------------------------------------------------------------
@kernel
def factor(d, nv, clear):
    """Factor H = L' L in place, from the last row up. With `clear`, a row whose pivot is raised has zeros in all other entries.

    Each row subtracts the contributions of the rows below it that have an entry in its diagonal's column. Those rows wait in a
    list at the column for which they are needed next.
    """
    L, col, nnz, adr = d.solve_L, d.solve_Lcol, d.solve_Lnnz, d.solve_Ladr
    sums, head, follow, at = d.solve_Mv, d.solve_head, d.solve_follow, d.solve_at
    for i in range(nv):
        sums[i] = 0.0
        head[i] = -1
    i = nv - 1
    while i >= 0:
        # Add the contributions of finished rows that wait for this column.
        r = head[i]
        while r >= 0:
            after = follow[r]
            start, end = adr[r], at[r]
            s = L[end]
            for k in range(start, end + 1):
                sums[col[k]] += s * L[k]
            wait(d, r, end - 1)
            r = after

        # Finish this row.
        start, end = adr[i], adr[i] + nnz[i] - 1
        square = L[end] - sums[i]
        sums[i] = 0.0
        pivot = sqrt(square if square > mjMINVAL else mjMINVAL)
        L[end] = pivot
        pivot = 0.0 if clear and square < mjMINVAL else 1 / pivot
        for k in range(start, end):
            c = col[k]
            L[k] = (L[k] - sums[c]) * pivot
            sums[c] = 0.0
        wait(d, i, end - 1)
        i -= 1


@inline
def wait(d, r, k):
    """Add row r to the list of rows that wait for the column of its entry k. Do nothing if the row has no entry k."""
    if k >= d.solve_Ladr[r]:
        c = d.solve_Lcol[k]
        d.solve_at[r] = k
        d.solve_follow[r] = d.solve_head[c]
        d.solve_head[c] = r


@kernel
def solve_factored(d, nv):
    """Set solve_Mgrad = inv(L' L) solve_grad."""
    L, col, nnz, adr, x = d.solve_L, d.solve_Lcol, d.solve_Lnnz, d.solve_Ladr, d.solve_Mgrad
    for i in range(nv):
        x[i] = d.solve_grad[i]
    i = nv - 1
    while i >= 0:
        end = adr[i] + nnz[i] - 1
        s = x[i]
        if s != 0.0:
            s /= L[end]
            x[i] = s
            for k in range(adr[i], end):
                x[col[k]] -= L[k] * s
        i -= 1
    for i in range(nv):
        x[i] = (x[i] - gather(L, adr[i], col, x, nnz[i] - 1)) / L[adr[i] + nnz[i] - 1]
