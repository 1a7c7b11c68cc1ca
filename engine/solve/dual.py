"""Functions shared by PGS and noslip: residuals, blocks of A + R, friction within an elliptic cone, states, joint forces.

The dual problem: minimize 1/2 f' (A + R) f + f' b over forces f in the constraints' feasible sets, with b = J a0 - aref.
"""

from math import sqrt

from ..constraint.append_rows import ELLIPTIC
from ..constraint.update import CONE, LINEARNEG, LINEARPOS, QUADRATIC, SATISFIED, joint_forces
from ..core.stages import GROW
from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel
from ..machine.lang import address_of, array_at, matrix_at
from ..math.dense import dot_fast, times
from ..math.sparse import gather, solve_tree
from ..tables.consts import mjMINVAL
from .primal import save_statistics
from .qcqp import ellipsoid_2, ellipsoid_3, ellipsoid_n

# A change that raises the cost by more than this is undone, so that rounding errors do not make forces drift.
WORSE = 1e-10
SMALLEST = 1e-10
# A sparse matrix is made dense if it has at least one in so many elements.
FILLED = 8


@kernel
def open_matrix(m, d):
    """Return (address of A + R, whether its rows are sparse), or (0, False) if memory must grow.

    Sparse rows that have many elements are copied to a dense matrix, because sums over contiguous elements are several times
    faster.
    """
    n = int(d.nefc)
    if not is_sparse(m) or n * n > FILLED * d.nA:
        return address_of(d.efc_AR, 0), is_sparse(m)
    if n * n > d.nH_cap:
        d.need_H, d.status = n * n, GROW
        return 0, False

    for k in range(n * n):
        d.solve_H[k] = 0.0
    for r in range(n):
        for k in range(d.efc_AR_rowadr[r], d.efc_AR_rowadr[r] + d.efc_AR_rownnz[r]):
            d.solve_H[r * n + d.efc_AR_colind[k]] = d.efc_AR[k]
    return address_of(d.solve_H, 0), False


@inline
def matrix_values(d, address, sparse):
    """Return the elements of the matrix of `open_matrix`."""
    return array_at(address, d.nA if sparse else d.nefc * d.nefc)


@inline
def residual(d, AR, r, sparse):
    """Return the acceleration error b + (A + R) f of a row. AR, sparse: the matrix, see `open_matrix`."""
    if sparse:
        a, n = d.efc_AR_rowadr[r], d.efc_AR_rownnz[r]
        # The columns of most rows are contiguous.
        if d.efc_AR_colind[a + n - 1] - d.efc_AR_colind[a] == n - 1:
            return d.efc_b[r] + dot_fast(AR, a, d.efc_force, d.efc_AR_colind[a], n)
        return d.efc_b[r] + gather(AR, a, d.efc_AR_colind, d.efc_force, n)
    return d.efc_b[r] + dot_fast(AR, r * d.nefc, d.efc_force, 0, d.nefc)


@kernel
def start_residuals(d, AR, sparse):
    """writes solve_jar = b + (A + R) f of all rows."""
    if sparse:
        for r in range(d.nefc):
            d.solve_jar[r] = residual(d, AR, r, True)
    else:
        times(d.solve_jar, matrix_at(address_of(AR, 0), d.nefc, d.nefc), d.efc_force, d.nefc, d.nefc)
        for r in range(d.nefc):
            d.solve_jar[r] += d.efc_b[r]


@kernel
def shift_residuals(d, AR, r, change, sparse):
    """Update solve_jar after force r has changed. Do nothing if the change is 0, which is frequent: many forces stay at
    bounds."""
    if change != 0.0:
        e, a, n, first = d.solve_jar, r * d.nefc, d.nefc, 0
        if sparse:
            a, n = int(d.efc_AR_rowadr[r]), int(d.efc_AR_rownnz[r])
            first = int(d.efc_AR_colind[a])
            if d.efc_AR_colind[a + n - 1] - first != n - 1:
                for k in range(a, a + n):
                    e[d.efc_AR_colind[k]] += AR[k] * change
                return
        for c in range(n):
            e[first + c] += AR[a + c] * change


@inline
def entry_address(d, r, c, sparse):
    """Return the address of the entry in row r and column c of A. If A is sparse, the entry must exist."""
    if not sparse:
        return int(r * d.nefc + c)
    low, high = int(d.efc_AR_rowadr[r]), int(d.efc_AR_rowadr[r] + d.efc_AR_rownnz[r] - 1)
    while low < high:
        middle = (low + high) >> 1
        if d.efc_AR_colind[middle] < c:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def take_block(d, AR, A, first, n, sparse, without_R):
    """Copy the n x n diagonal block of A + R that begins at row `first` to A. With `without_R`, subtract R and keep the
    diagonal positive."""
    for i in range(n):
        a = entry_address(d, first + i, first, sparse)
        for j in range(n):
            A[i * n + j] = AR[a + j]
        if without_R:
            A[i * n + i] = max(SMALLEST, A[i * n + i] - d.efc_R[first + i])


@kernel
def invert_diagonal(d, AR, sparse, without_R):
    """writes solve_diagonal and solve_inverse: the diagonal of A + R (or of A, with `without_R`) and its inverse."""
    for r in range(d.nefc):
        x = AR[entry_address(d, r, r, sparse)]
        d.solve_diagonal[r] = max(mjMINVAL, x - d.efc_R[r]) if without_R else x
        d.solve_inverse[r] = 1 / d.solve_diagonal[r]


@kernel
def keep_better(d, first, n, A, old, res):
    """Return the change in cost from the `old` forces to those in efc_force. If the cost rises, restore the old forces."""
    change = 0.0
    for i in range(n):
        x = d.efc_force[first + i] - old[i]
        s = 0.0
        for j in range(n):
            s += A[i * n + j] * (d.efc_force[first + j] - old[j])
        change += 0.5 * x * s + x * res[i]
    if change > WORSE:
        for i in range(n):
            d.efc_force[first + i] = old[i]
        return 0.0
    return change


@kernel
def friction_in_cone(d, k, first, n, A, b, x, scratch):
    """Set the friction forces of contact k, rows `first` to first + n, that minimize 1/2 f'Af + f'b.

    The forces stay within the ellipse that the contact's normal force allows.
    """

    normal = d.efc_force[first - 1]
    if normal < mjMINVAL:
        for j in range(n):
            d.efc_force[first + j] = 0.0
        return

    mu = array_at(address_of(d.contact_friction, k), 5)
    if n == 2:
        at_edge = ellipsoid_2(x, A, b, mu, normal)
    elif n == 3:
        at_edge = ellipsoid_3(x, A, b, mu, normal)
    else:
        at_edge = ellipsoid_n(x, A, b, mu, normal, n, scratch)

    # Scale a solution at the friction bound, so that it is exactly on the ellipse. The solution is only near the ellipse,
    # because the multiplier is approximate.
    scale = 1.0
    if at_edge:
        s = 0.0
        for j in range(n):
            s += x[j] * x[j] / (mu[j] * mu[j])
        scale = sqrt(normal * normal / max(mjMINVAL, s))
    for j in range(n):
        d.efc_force[first + j] = x[j] * scale


# ---- states and results -----------------------------------------------------------------------------------------------------
@kernel
def cone_state(d, r):
    """Return the state of an elliptic contact from its forces."""
    k = d.efc_id[r]
    mu = d.contact_mu[k]
    normal = d.efc_force[r] / mu
    s = 0.0
    for j in range(1, d.contact_dim[k]):
        x = d.efc_force[r + j] / d.contact_friction[k, j - 1]
        s += x * x
    tangent = sqrt(s)
    if mu * normal >= tangent:
        return SATISFIED
    return QUADRATIC if normal + mu * tangent <= 0 else CONE


@inline
def row_of(d, first, c):
    """Return the constraint row at position c of a problem. `first`: first position of an island; -1: the problem is all
    rows."""
    return c if first < 0 else int(d.map_iefc2efc[first + c])


@kernel
def set_states(d, first, n, ne, nf):
    """writes efc_state of a problem's rows; returns (active rows, rows whose state has changed). `first`: as in `row_of`."""
    active, changed = ne + nf, 0
    c = 0
    while c < n:
        # The state follows from the force and the type of row.
        r = row_of(d, first, c)
        size = 1
        force, loss = d.efc_force[r], d.efc_frictionloss[r]
        if c < ne:
            state = QUADRATIC
        elif c < ne + nf:
            if force <= -loss:
                state = LINEARPOS
            else:
                state = LINEARNEG if force >= loss else QUADRATIC
        elif d.efc_type[r] == ELLIPTIC:
            size = int(d.contact_dim[d.efc_id[r]])
            state = cone_state(d, r)
            active += 0 if state == SATISFIED else size
        else:
            state = SATISFIED if force <= 0 else QUADRATIC
            active += 0 if state == SATISFIED else 1

        for j in range(r, r + size):
            changed += 1 if d.efc_state[j] != state else 0
            d.efc_state[j] = state
        c += size
    return active, changed


@kernel
def set_all_states(d):
    """As `set_states`, for all rows."""
    return set_states(d, -1, int(d.nefc), int(d.ne), int(d.nf))


@kernel
def save_sweep(d, k, improvement):
    """Set the constraint states after sweep k, and save its statistics."""
    active, changed = set_all_states(d)
    save_statistics(d, 0, k, improvement, 0.0, 0.0, active, changed, 0, 0)


@kernel
def finish_dual(m, d):
    """writes qfrc_constraint = J' f and qacc = qacc_smooth + inv(M) qfrc_constraint."""
    joint_forces(m, d)
    for i in range(m.nv):
        d.qacc[i] = d.qfrc_constraint[i]
    solve_tree(d.qacc, d.qLD, d.qLDiagInv, m.M_rownnz, m.M_rowadr, m.M_colind, m.nv)
    for i in range(m.nv):
        d.qacc[i] += d.qacc_smooth[i]
