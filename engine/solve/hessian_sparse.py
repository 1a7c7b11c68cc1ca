"""The solver's Hessian for sparse Jacobians: a dense triangle for few dofs, compressed rows for many.

Compressed rows of H have the factor's pattern from the start, so H can be copied and factored without searching for fill-in.
"""

from math import sqrt

from ..constraint.update import CONE, QUADRATIC
from ..core.stages import GROW
from ..dynamics.metric import is_discrete
from ..machine.jit import inline, kernel, stage
from ..machine.lang import flat, part_at, put_part, spread, wide
from ..math.sparse import neighbors
from ..math.upward import copy_triangle, factor_upward, padded, solve_upward
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
    if operation == SOLVE:
        if dense:
            solve_upward(d.solve_Mgrad, d.solve_L, d.solve_grad, nv, padded(nv))
        else:
            solve_factored(d, nv)
        return

    # Update H. Factor it if H or a contact in the middle zone of its cone has changed.
    if operation == BEGIN:
        start_hessian(m, d, p, dense)
    changed = update_hessian(m, d, p, dense)
    d.work_problem[UPDATES] = changed
    if operation == BEGIN or changed > 0 or cones > 0 or d.work_problem[HAD_CONES] > 0:
        if dense:
            copy_triangle(d.solve_L, d.solve_H, nv, padded(nv))
        else:
            for k in range(d.solve_Ladr[nv - 1] + d.solve_Lnnz[nv - 1]):
                d.solve_L[k] = d.solve_H[k]
        if cones > 0:
            add_cones(m, d, p, dense)
        if dense:
            factor_upward(d.solve_L, nv, padded(nv), mjMINVAL, m.compat_bits & LOST_ROWS != 0)
        else:
            factor(d, nv, m.compat_bits & LOST_ROWS != 0)


@kernel
def start_pattern(m, d, p, dense):
    """Find the pattern of the factor, and clear H; return False if there is no room."""
    nv = p[1]
    d.need_H = nv * (padded(nv) if dense else words_of(nv))
    if d.need_H > d.nH_cap:
        d.status = GROW
        return False
    bits = bit_rows(d, nv)
    nonzeros, filled = find_pattern(m, d, p, bits, dense)
    d.work_problem[NONZEROS] = nonzeros + filled * (2 if m.opt.cone == ELLIPTIC_CONES else 1)
    size = nv * padded(nv)
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
    return i * padded(nv) if dense else int(d.solve_Ladr[i])


@inline
def find_entry(d, a, i, c, nv, dense):
    """Return the address of the entry in row i and column c. Compressed rows are searched starting at address a."""
    if dense:
        return i * padded(nv) + c
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
    if dense and wide():
        add_blocks(H, J, col, nnz, padded(nv), a0, w0, a1, w1, a2, w2, a3, w3)
        return
    for i in range(nnz):
        c = col[a0 + i]
        s0, s1, s2, s3 = w0 * J[a0 + i], w1 * J[a1 + i], w2 * J[a2 + i], w3 * J[a3 + i]
        if dense:
            a = c * padded(nv)
            for k in range(i + 1):
                H[a + col[a0 + k]] += (s0 * J[a0 + k] + s1 * J[a1 + k]) + (s2 * J[a2 + k] + s3 * J[a3 + k])
        else:
            a = d.solve_Ladr[c]
            for k in range(i + 1):
                a = find_entry(d, a, c, col[a0 + k], nv, False)
                H[a] += (s0 * J[a0 + k] + s1 * J[a1 + k]) + (s2 * J[a2 + k] + s3 * J[a3 + k])


@kernel
def add_blocks(H, J, col, n, stride, a0, w0, a1, w1, a2, w2, a3, w3):
    """As `add_outer`, for a dense triangle with rows of length `stride`. Entries beyond its diagonal are never used."""
    start = 0
    while start < n:
        # Most columns have neighbors: take up to a pack of them.
        first, width = col[a0 + start], neighbors(col, a0 + start, n - start)
        p0, p1 = part_at(J, a0 + start, width), part_at(J, a1 + start, width)
        p2, p3 = part_at(J, a2 + start, width), part_at(J, a3 + start, width)
        for i in range(start, n):
            more = spread(w0 * J[a0 + i]) * p0 + spread(w1 * J[a1 + i]) * p1
            more = more + (spread(w2 * J[a2 + i]) * p2 + spread(w3 * J[a3 + i]) * p3)
            a = col[a0 + i] * stride + first
            put_part(H, a, width, part_at(H, a, width) + more)
        start += width


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
@inline
def six_addresses(d, r, last):
    """Return the addresses of six rows of a supernode, starting with row r; row `last` repeats."""
    adr = d.solve_Ladr
    return (
        int(adr[r]),
        int(adr[min(r + 1, last)]),
        int(adr[min(r + 2, last)]),
        int(adr[min(r + 3, last)]),
        int(adr[min(r + 4, last)]),
        int(adr[min(r + 5, last)]),
    )


@inline
def six_entries(d, r, last, k):
    """Return (addresses of six rows of a supernode, their entries at position k), starting with row r. Beyond row `last`, the
    entries are zero."""
    L, a = d.solve_L, six_addresses(d, r, last)
    return a, (
        L[a[0] + k],
        L[a[1] + k] if r + 1 <= last else 0.0,
        L[a[2] + k] if r + 2 <= last else 0.0,
        L[a[3] + k] if r + 3 <= last else 0.0,
        L[a[4] + k] if r + 4 <= last else 0.0,
        L[a[5] + k] if r + 5 <= last else 0.0,
    )


@kernel
def subtract_rows(d, y, first, last, k):
    """Subtract from k + 1 entries, beginning at address y, what rows `first` to `last` of a supernode contribute to the row of
    their column at position k. The entries have the columns with which those rows begin."""
    L = d.solve_L
    r = first
    while r <= last:
        (a, b, c, e, f, g), (s, t, u, v, w, x) = six_entries(d, r, last, k)
        if last - r < 3:
            for j in range(k + 1):
                L[y + j] -= s * L[a + j] + t * L[b + j] + u * L[c + j]
        else:
            for j in range(k + 1):
                L[y + j] -= (s * L[a + j] + t * L[b + j] + u * L[c + j]) + (v * L[e + j] + w * L[f + j] + x * L[g + j])
        r += 6


@kernel
def subtract_scattered(d, y, first, last, k):
    """As `subtract_rows`, for a row that begins at address y and has further columns; solve_place has their positions."""
    L, col, place, start = d.solve_L, d.solve_Lcol, d.solve_place, d.solve_Ladr[first]
    r = first
    while r <= last:
        (a, b, c, e, f, g), (s, t, u, v, w, x) = six_entries(d, r, last, k)
        if last - r < 3:
            for j in range(k + 1):
                L[y + place[col[start + j]]] -= s * L[a + j] + t * L[b + j] + u * L[c + j]
        else:
            for j in range(k + 1):
                L[y + place[col[start + j]]] -= (s * L[a + j] + t * L[b + j] + u * L[c + j]) + (
                    v * L[e + j] + w * L[f + j] + x * L[g + j]
                )
        r += 6


@kernel
def take_node(d, r, last, first):
    """Subtract what a finished supernode (rows r to `last`) contributes to the supernode that begins with row `first`. Then put
    it on the list of the next one that it contributes to."""
    col, adr, place = d.solve_Lcol, d.solve_Ladr, d.solve_place
    start, k = int(adr[r]), int(d.solve_at[r])
    begin = int(place[col[start]])
    together = place[col[start + k]] - begin == k
    while k >= 0 and col[start + k] >= first:
        y = int(adr[col[start + k]])
        if together:
            subtract_rows(d, y + begin, r, last, k)
        else:
            subtract_scattered(d, y, r, last, k)
        k -= 1
    wait(d, r, k)


@kernel
def factor(d, nv, clear):
    """Factor H = L' L in place, from the last row up; diagonals are inverted. With `clear`, a row whose pivot is raised has
    zeros in all other entries.

    Rows of a supernode are processed together. A finished supernode contributes to those above it that it has columns of: it
    waits in the list of the next one.
    """
    L, col, nnz, adr, node = d.solve_L, d.solve_Lcol, d.solve_Lnnz, d.solve_Ladr, d.solve_node
    for i in range(nv):
        d.solve_head[i] = -1
    last = nv - 1
    while last >= 0:
        # Subtract the contributions of finished supernodes.
        first, start = int(node[last]), int(adr[last])
        for k in range(nnz[last]):
            d.solve_place[col[start + k]] = k
        r = int(d.solve_head[first])
        while r >= 0:
            after = int(d.solve_follow[r])
            take_node(d, r, end_of_node(d, r, nv), first)
            r = after

        # Finish the rows of this one.
        for i in range(last, first - 1, -1):
            n, a = int(nnz[i]) - 1, int(adr[i])
            if i < last:
                subtract_rows(d, a, i + 1, last, n)
            square = L[a + n]
            pivot = sqrt(square if square > mjMINVAL else mjMINVAL)
            L[a + n] = 1 / pivot
            scale = 0.0 if clear and square < mjMINVAL else L[a + n]
            for k in range(a, a + n):
                L[k] *= scale
        wait(d, first, int(nnz[first]) - 2)
        last = first - 1


@inline
def end_of_node(d, r, nv):
    """Return the last row of the supernode that begins with row r."""
    while r + 1 < nv and d.solve_node[r + 1] == d.solve_node[r]:
        r += 1
    return r


@inline
def wait(d, r, k):
    """Add the supernode that begins with row r to the list of the one that has the row's column at position k. Do nothing if k
    is negative."""
    if k >= 0:
        c = d.solve_node[d.solve_Lcol[d.solve_Ladr[r] + k]]
        d.solve_at[r] = k
        d.solve_follow[r] = d.solve_head[c]
        d.solve_head[c] = r


@kernel
def solve_factored(d, nv):
    """Set solve_Mgrad = inv(L' L) solve_grad."""
    nnz, node, x = d.solve_Lnnz, d.solve_node, d.solve_Mgrad
    for i in range(nv):
        x[i] = d.solve_grad[i]
    last = nv - 1
    while last >= 0:
        first = int(node[last])
        forward(d, x, first, last, int(nnz[first]) - 1)
        last = first - 1
    first = 0
    while first < nv:
        last = end_of_node(d, first, nv)
        backward(d, x, first, last, int(nnz[first]) - 1)
        first = last + 1


@inline
def forward(d, x, first, last, n):
    """Solve L' y = x for the rows of a supernode; subtract their contributions to its other n columns."""
    L, col, adr, start = d.solve_L, d.solve_Lcol, d.solve_Ladr, d.solve_Ladr[first]
    for i in range(last, first - 1, -1):
        a = adr[i] + n
        x[i] *= L[a + i - first]
        for k in range(i - first):
            x[first + k] -= L[a + k] * x[i]
    r = first
    while r <= last:
        a, b, c, e, f, g = six_addresses(d, r, last)
        s, t, u = x[r], x[r + 1] if r + 1 <= last else 0.0, x[r + 2] if r + 2 <= last else 0.0
        if last - r < 3:
            for j in range(n):
                x[col[start + j]] -= s * L[a + j] + t * L[b + j] + u * L[c + j]
        else:
            v, w, y = x[r + 3], x[r + 4] if r + 4 <= last else 0.0, x[r + 5] if r + 5 <= last else 0.0
            for j in range(n):
                x[col[start + j]] -= (s * L[a + j] + t * L[b + j] + u * L[c + j]) + (v * L[e + j] + w * L[f + j] + y * L[g + j])
        r += 6


@inline
def backward(d, x, first, last, n):
    """Solve L y = x for the rows of a supernode, given y of its other n columns."""
    L, col, adr, start = d.solve_L, d.solve_Lcol, d.solve_Ladr, d.solve_Ladr[first]
    r = first
    while r <= last:
        a, b, c, e, f, g = six_addresses(d, r, last)
        s = t = u = v = w = z = 0.0
        if last - r < 3:
            for j in range(n):
                y = x[col[start + j]]
                s, t, u = s + L[a + j] * y, t + L[b + j] * y, u + L[c + j] * y
        else:
            for j in range(n):
                y = x[col[start + j]]
                s, t, u = s + L[a + j] * y, t + L[b + j] * y, u + L[c + j] * y
                v, w, z = v + L[e + j] * y, w + L[f + j] * y, z + L[g + j] * y
        sums = (s, t, u, v, w, z)
        for k in range(min(6, last - r + 1)):
            x[r + k] -= sums[k]
        r += 6
    for i in range(first, last + 1):
        a = adr[i] + n
        s = x[i]
        for k in range(i - first):
            s -= L[a + k] * x[first + k]
        x[i] = s * L[a + i - first]
