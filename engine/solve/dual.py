"""Functions shared by PGS and noslip: residuals, blocks of A + R, friction within an elliptic cone, states, joint forces.

The dual problem: minimize 1/2 f' (A + R) f + f' b over forces f in the constraints' feasible sets, with b = J a0 - aref.
"""

from math import sqrt

from ..constraint.append_rows import ELLIPTIC
from ..constraint.update import CONE, ELLIPTIC_CONES, LINEARNEG, LINEARPOS, QUADRATIC, SATISFIED, joint_forces
from ..core.stages import GROW
from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel
from ..machine.lang import address_of, array_at, ints_at, matrix_at, pack_at, part_at, put_pack, spread
from ..machine.layout import PACK
from ..math.dense import dot_fast, times
from ..math.sparse import gather_fast, solve_tree
from ..math.upward import padded
from ..tables.consts import mjMINVAL
from .primal import save_statistics
from .qcqp import ellipsoid_2, ellipsoid_3, ellipsoid_n

# A change that raises the cost by more than this is undone, so that rounding errors do not make forces drift.
WORSE = 1e-10
SMALLEST = 1e-10
# A sparse matrix is copied to a dense one if at least one element in this number is stored.
FILLED = 8
# Parts of a problem, which is a tuple:
# VALUES     elements of A + R                STRIDE   length of its rows, or 0 if they are sparse
# COLUMNS, ADDRESSES, COUNTS                  columns of the elements, first element and number of elements of sparse rows
# FORCE, B, LOSS, KIND, IDENT, SOFTNESS       force, b, friction loss, type, id and R of each row
# ERROR      residual of each row, in whole packs
VALUES, STRIDE, COLUMNS, ADDRESSES, COUNTS, FORCE, B, LOSS, KIND, IDENT, SOFTNESS, ERROR = range(12)
# After this many sweeps, residuals are computed anew, because each change of a force adds its rounding error to them.
FRESH = 16


# ---- problems --------------------------------------------------------------------------------------------------------------
@inline
def is_filled(n, nonzeros):
    """Return whether a sparse matrix of n rows is copied to a dense one, because sums over contiguous elements are several
    times faster."""
    return n * n <= FILLED * nonzeros


@inline
def room_for(d, n, size):
    """Return whether solve_L has room for the residuals of n rows, and solve_H for `size` elements of a matrix. If not, request
    it; the step must then stop."""
    size = max(size, padded(n))
    if size > d.nH_cap:
        d.need_H, d.status = size, GROW
        return False
    return True


@kernel
def open_matrix(m, d):
    """Return (address of A + R, length of its rows; 0: they are sparse), or (0, 0) if memory must grow."""
    n = int(d.nefc)
    whole = not is_sparse(m) or d.nA == n * n
    copied = not whole and is_filled(n, d.nA)
    if not room_for(d, n, n * n if copied else 0):
        return 0, 0
    if not copied:
        return address_of(d.efc_AR, 0), n if whole else 0

    for k in range(n * n):
        d.solve_H[k] = 0.0
    for r in range(n):
        for k in range(d.efc_AR_rowadr[r], d.efc_AR_rowadr[r] + d.efc_AR_rownnz[r]):
            d.solve_H[r * n + d.efc_AR_colind[k]] = d.efc_AR[k]
    return address_of(d.solve_H, 0), n


@inline
def whole_problem(d, address, stride):
    """Return the problem of all rows. address, stride: see `open_matrix`."""
    n = d.nefc
    return (
        array_at(address, n * n if stride else d.nA),
        stride,
        ints_at(address_of(d.efc_AR_colind, 0), d.nA),
        ints_at(address_of(d.efc_AR_rowadr, 0), n),
        ints_at(address_of(d.efc_AR_rownnz, 0), n),
        array_at(address_of(d.efc_force, 0), n),
        array_at(address_of(d.efc_b, 0), n),
        array_at(address_of(d.efc_frictionloss, 0), n),
        ints_at(address_of(d.efc_type, 0), n),
        ints_at(address_of(d.efc_id, 0), n),
        array_at(address_of(d.efc_R, 0), n),
        array_at(address_of(d.solve_L, 0), padded(n)),
    )


# ---- residuals -------------------------------------------------------------------------------------------------------------
@inline
def residual(p, r):
    """Return the acceleration error b + (A + R) f of a row."""
    stride = p[STRIDE]
    if stride:
        return p[B][r] + dot_fast(p[VALUES], r * stride, p[FORCE], 0, stride)
    return p[B][r] + gather_fast(p[VALUES], int(p[ADDRESSES][r]), p[COLUMNS], p[FORCE], int(p[COUNTS][r]))


@kernel
def start_residuals(p, n):
    """Compute the residuals b + (A + R) f of all n rows."""
    if p[STRIDE]:
        times(p[ERROR], matrix_at(address_of(p[VALUES], 0), n, n), p[FORCE], n, n)
        for r in range(n):
            p[ERROR][r] += p[B][r]
    else:
        for r in range(n):
            p[ERROR][r] = residual(p, r)


@kernel
def shift_residuals(p, r, change):
    """Update the residuals after force r has changed. Do nothing if the change is 0, which is frequent: many forces stay at
    bounds."""
    if change != 0.0:
        error, values, n, col = p[ERROR], p[VALUES], p[STRIDE], p[COLUMNS]
        if n:
            k, x = 0, spread(change)
            while k < n:
                put_pack(error, k // PACK, pack_at(error, k // PACK) + part_at(values, r * n + k, n - k) * x)
                k += PACK
            return
        a, n = int(p[ADDRESSES][r]), int(p[COUNTS][r])
        first = int(col[a])
        if col[a + n - 1] - first != n - 1:
            for k in range(a, a + n):
                error[col[k]] += values[k] * change
            return
        for c in range(n):
            error[first + c] += values[a + c] * change


@inline
def entry_address(p, r, c):
    """Return the address of the entry in row r and column c of A. If A is sparse, the entry must exist."""
    if p[STRIDE]:
        return int(r * p[STRIDE] + c)
    low = int(p[ADDRESSES][r])
    high = low + p[COUNTS][r] - 1
    while low < high:
        middle = (low + high) >> 1
        if p[COLUMNS][middle] < c:
            low = middle + 1
        else:
            high = middle
    return low


@inline
def take_block(p, A, first, n, without_R):
    """Copy the n x n diagonal block of A + R that begins at row `first` to A. With `without_R`, subtract R and keep the
    diagonal positive."""
    for i in range(n):
        a = entry_address(p, first + i, first)
        for j in range(n):
            A[i * n + j] = p[VALUES][a + j]
        if without_R:
            A[i * n + i] = max(SMALLEST, A[i * n + i] - p[SOFTNESS][first + i])


@kernel
def invert_diagonal(d, p, n, without_R):
    """writes solve_diagonal and solve_inverse of n rows: the diagonal of A + R (or of A, with `without_R`) and its inverse."""
    for r in range(n):
        x = p[VALUES][entry_address(p, r, r)]
        d.solve_diagonal[r] = max(mjMINVAL, x - p[SOFTNESS][r]) if without_R else x
        d.solve_inverse[r] = 1 / d.solve_diagonal[r]


# ---- forces ----------------------------------------------------------------------------------------------------------------
@inline
def keep_better(force, first, n, A, old, res):
    """Return the change in cost from the `old` forces to the current ones. If the cost rises, restore the old forces."""
    change = 0.0
    for i in range(n):
        x = force[first + i] - old[i]
        s = 0.0
        for j in range(n):
            s += A[i * n + j] * (force[first + j] - old[j])
        change += 0.5 * x * s + x * res[i]
    if change > WORSE:
        for i in range(n):
            force[first + i] = old[i]
        return 0.0
    return change


@inline
def friction_in_cone(d, force, k, first, n, A, b, x):
    """Set the friction forces of contact k, rows `first` to first + n, that minimize 1/2 f'Af + f'b.

    The forces stay within the ellipse that the contact's normal force allows.
    """

    normal = force[first - 1]
    if normal < mjMINVAL:
        for j in range(n):
            force[first + j] = 0.0
        return

    mu = array_at(address_of(d.contact_friction, k), 5)
    if n == 2:
        at_edge = ellipsoid_2(x, A, b, mu, normal)
    elif n == 3:
        at_edge = ellipsoid_3(x, A, b, mu, normal)
    elif n == 5:
        at_edge = ellipsoid_n(x, A, b, mu, normal, 5)
    else:
        at_edge = ellipsoid_n(x, A, b, mu, normal, n)

    # Scale a solution at the friction bound, so that it is exactly on the ellipse. The solution is only near the ellipse,
    # because the multiplier is approximate.
    scale = 1.0
    if at_edge:
        s = 0.0
        for j in range(n):
            s += x[j] * x[j] / (mu[j] * mu[j])
        scale = sqrt(normal * normal / max(mjMINVAL, s))
    for j in range(n):
        force[first + j] = x[j] * scale


# ---- states and results -----------------------------------------------------------------------------------------------------
@kernel
def cone_state(d, p, r):
    """Return the state of an elliptic contact from its forces."""
    force, k = p[FORCE], p[IDENT][r]
    mu = d.contact_mu[k]
    normal = force[r] / mu
    s = 0.0
    for j in range(1, d.contact_dim[k]):
        x = force[r + j] / d.contact_friction[k, j - 1]
        s += x * x
    tangent = sqrt(s)
    if mu * normal >= tangent:
        return SATISFIED
    return QUADRATIC if normal + mu * tangent <= 0 else CONE


@kernel
def set_states(m, d, p, state, n, ne, nf):
    """Set the states of n rows; return (active rows, rows whose state has changed)."""
    changed = 0
    for r in range(ne + nf):
        current = QUADRATIC
        if r >= ne and abs(p[FORCE][r]) >= p[LOSS][r]:
            current = LINEARPOS if p[FORCE][r] <= -p[LOSS][r] else LINEARNEG
        changed += 1 if state[r] != current else 0
        state[r] = current
    active = ne + nf
    if m.opt.cone == ELLIPTIC_CONES:
        return set_states_with_cones(d, p, state, n, active, changed)
    for r in range(ne + nf, n):
        current = SATISFIED if p[FORCE][r] <= 0 else QUADRATIC
        active += 0 if current == SATISFIED else 1
        changed += 1 if state[r] != current else 0
        state[r] = current
    return active, changed


@kernel
def set_states_with_cones(d, p, state, n, first, changed):
    """Set the states of limits and contacts, from row `first` on; return as `set_states`."""
    active, r = first, first
    while r < n:
        size = 1
        if p[KIND][r] == ELLIPTIC:
            size = int(d.contact_dim[p[IDENT][r]])
            current = cone_state(d, p, r)
        else:
            current = SATISFIED if p[FORCE][r] <= 0 else QUADRATIC
        active += 0 if current == SATISFIED else size
        for j in range(r, r + size):
            changed += 1 if state[j] != current else 0
            state[j] = current
        r += size
    return active, changed


@kernel
def set_all_states(m, d, p):
    """As `set_states`, for all rows."""
    return set_states(m, d, p, ints_at(address_of(d.efc_state, 0), d.nefc), int(d.nefc), int(d.ne), int(d.nf))


@inline
def open_whole_problem(m, d, address, stride, without_R):
    """Return the problem of all rows, after its diagonal was inverted and the states of its rows were set. address, stride: see
    `open_matrix`; without_R: see `invert_diagonal`."""
    p = whole_problem(d, address, stride)
    invert_diagonal(d, p, int(d.nefc), without_R)
    set_all_states(m, d, p)
    return p


@kernel
def save_sweep(m, d, p, k, improvement):
    """Set the constraint states after sweep k, and save its statistics."""
    active, changed = set_all_states(m, d, p)
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
