"""Functions shared by Newton and CG: an island's part of the arrays, cost and forces, exact line search, statistics.

The problem: minimize over accelerations a the cost 1/2 (a - a0)' M (a - a0) + s(J a - aref), with a0 the acceleration without
constraints and s the cost of `constraint.update`. A problem is (island or -1, dofs, first dof, rows, first row, equality rows,
friction rows); without islands it is all of the Data's efc_ and q arrays, with islands a range of the iefc_ and i arrays.
"""

from math import sqrt

from ..constraint.rows import ELLIPTIC, NO_ISLAND
from ..constraint.update import ELLIPTIC_CONES, update_bilateral, update_cones, update_unilateral
from ..dynamics.metric import is_discrete, metric_times
from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel, leaf
from ..machine.lang import address_of, array_at, ints_at, load, matrix_at, store
from ..math.dense import dot, dot_fast, transposed_times
from ..math.dense import times as dense_times
from ..math.sparse import add_columns, add_transposed, columns_times, solve_tree, supernode_times, symmetric_times, transpose
from ..tables.compat_rows import bit
from ..tables.consts import mjMINVAL, mjNISLAND, mjNSOLVER
from ..tables.scratch import CONES, PROBLEM, TRANSPOSED

# operations of the Hessian's stages
BEGIN, REFRESH, SOLVE = range(3)
# bits of compatibility changes
EXIT, TRACE = bit("solver_exit"), bit("trace_scale")
# A solver stops after this many iterations without improvement, even if its iteration limit is higher.
# NaN forces never converge, and finite ones may stop improving.
PATIENCE = 1000


# ---- the arrays of a problem -------------------------------------------------------------------------------------------
@inline
def by_island(m, d):
    """Return whether each island is solved as a separate problem."""
    return d.nisland > 0 and m.opt.noslip_iterations == 0 and not m.opt.disableflags & NO_ISLAND and not is_discrete(m)


@inline
def problems(m, d):
    """Return the range (start, end) of problem indices for `open_problem`."""
    return (0, d.nisland) if by_island(m, d) else (-1, 0)


@kernel
def open_problem(m, d, k):
    """Store the problem of island k (-1: all rows) in work_problem, and return it."""
    p = d.work_problem
    if k < 0:
        store(p, 0, (k, m.nv, 0, d.nefc, 0, d.ne, d.nf))
    else:
        store(
            p,
            0,
            (k, d.island_nv[k], d.island_idofadr[k], d.island_nefc[k], d.island_iefcadr[k], d.island_ne[k], d.island_nf[k]),
        )
    p[CONES] = p[TRANSPOSED] = 0
    return the_problem(d)


@inline
def tally(gained, improvement, idle):
    """Return (total gain so far, number of iterations so far whose gain was below rounding error)."""
    total = gained + improvement
    return total, idle + (0 if total > gained else 1)


@inline
def the_problem(d):
    return load(d.work_problem, 0, PROBLEM)


@inline
def view(p, whole, sorted_array, first, n):
    """Return a problem's part of a float array: of `sorted_array` for an island, else the whole array."""
    return array_at(address_of(sorted_array, first) if p[0] >= 0 else address_of(whole, 0), n)


@inline
def int_view(p, whole, sorted_array, first, n):
    return ints_at(address_of(sorted_array, first) if p[0] >= 0 else address_of(whole, 0), n)


@kernel
def whole_scale(m, d):
    """Return the `problem_scale` of the problem of all rows."""
    if m.compat_bits & TRACE == 0:
        return 1 / (m.stat.meaninertia * max(1, m.nv))
    s = 0.0
    for i in range(m.nv):
        s += d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1]
    return 1 / max(mjMINVAL, s)


@inline
def problem_scale(m, d, p):
    """Return 1 / inertia. This factor makes cost and gradient independent of a model's size and mass."""
    if p[0] < 0:
        return whole_scale(m, d)
    s = 0.0
    for i in range(p[2], p[2] + p[1]):
        s += d.iM[d.iM_rowadr[i] + d.iM_rownnz[i] - 1]
    return 1 / s


@kernel
def times_inertia(m, d, p, y, x):
    """Set y = M x."""
    if is_discrete(m):
        metric_times(m, d, y, x)
    elif p[0] < 0:
        symmetric_times(y, d.M, m.M_rownnz, m.M_rowadr, m.M_colind, x, m.nv)
    else:
        symmetric_times(
            y,
            d.iM,
            ints_at(address_of(d.iM_rownnz, p[2]), p[1]),
            ints_at(address_of(d.iM_rowadr, p[2]), p[1]),
            d.iM_colind,
            x,
            p[1],
        )


# ---- rows --------------------------------------------------------------------------------------------------------------
@inline
def dense_rows(m, d, p):
    """Return the Jacobian of a problem as a matrix."""
    if p[0] < 0:
        return matrix_at(address_of(d.efc_J, 0), p[3], p[1])
    return matrix_at(address_of(d.iefc_J, d.nidof * p[4]), p[3], p[1])


@inline
def sparse_rows(d, p):
    """Return (values, nonzeros, addresses, columns, supernodes) of a problem's Jacobian."""
    n, row = p[3], p[4]
    return (
        d.efc_J if p[0] < 0 else d.iefc_J,
        int_view(p, d.efc_J_rownnz, d.iefc_J_rownnz, row, n),
        int_view(p, d.efc_J_rowadr, d.iefc_J_rowadr, row, n),
        d.efc_J_colind if p[0] < 0 else d.iefc_J_colind,
        int_view(p, d.efc_J_rowsuper, d.iefc_J_rowsuper, row, n),
    )


@kernel
def rows_times(m, d, p, y, x):
    """Set y = J x."""
    if is_sparse(m) and d.work_problem[TRANSPOSED]:
        for r in range(p[3]):
            y[r] = 0.0
        add_columns(y, d.solve_JT, d.solve_JT_end, d.solve_JT_row, x, p[1])
    elif is_sparse(m):
        J, nnz, adr, col, same = sparse_rows(d, p)
        supernode_times(y, J, nnz, adr, col, same, x, p[3])
    else:
        dense_times(y, dense_rows(m, d, p), x, p[3], p[1])


@kernel
def transpose_rows(m, d, p):
    """Store a problem's Jacobian by columns. This speeds up products with its transpose, because it avoids scattered writes."""
    if is_sparse(m):
        J, nnz, adr, col, same = sparse_rows(d, p)
        transpose(d.solve_JT, d.solve_JT_end, d.solve_JT_row, J, nnz, adr, col, p[3], p[1])
        d.work_problem[TRANSPOSED] = 1


@kernel
def set_joint_forces(m, d, p):
    """writes qfrc_constraint or ifrc_constraint = J' force."""
    _, nv, dof, n, row, ne, nf = p
    force, joint = view(p, d.efc_force, d.iefc_force, row, n), view(p, d.qfrc_constraint, d.ifrc_constraint, dof, nv)
    if is_sparse(m) and d.work_problem[TRANSPOSED]:
        columns_times(joint, d.solve_JT, d.solve_JT_end, d.solve_JT_row, force, nv)
    elif is_sparse(m):
        J, nnz, adr, col, same = sparse_rows(d, p)
        for i in range(nv):
            joint[i] = 0.0
        add_transposed(joint, J, nnz, adr, col, force, n)
    else:
        transposed_times(joint, dense_rows(m, d, p), force, n, nv)


# ---- cost and gradient -------------------------------------------------------------------------------------------------
@kernel
def update_problem(m, d, p, hessian):
    """reads solve_jar; writes forces and states; returns (cost of constraints, active rows, rows of contacts in the middle
    zone)."""
    _, nv, dof, n, row, ne, nf = p
    D, R = view(p, d.efc_D, d.iefc_D, row, n), view(p, d.efc_R, d.iefc_R, row, n)
    floss, force = view(p, d.efc_frictionloss, d.iefc_frictionloss, row, n), view(p, d.efc_force, d.iefc_force, row, n)
    state = int_view(p, d.efc_state, d.iefc_state, row, n)
    cost = update_bilateral(ne, nf, D, R, floss, d.solve_jar, state, force)
    cones = 0
    if m.opt.cone == ELLIPTIC_CONES:
        kind, ident = int_view(p, d.efc_type, d.iefc_type, row, n), int_view(p, d.efc_id, d.iefc_id, row, n)
        more, active, cones = update_cones(d, ne + nf, n, kind, ident, D, d.solve_jar, state, force, hessian)
    else:
        more, active = update_unilateral(ne + nf, n, D, d.solve_jar, state, force)
    return cost + more, active + ne + nf, cones


@leaf
def dot_of_differences(a, b, c, e, n):
    """Return (a - b) . (c - e)."""
    s = 0.0
    for i in range(n):
        s += (a[i] - b[i]) * (c[i] - e[i])
    return s


@kernel
def inertial_cost(m, d, p):
    """Return 1/2 (a - a0)' (M a - M a0)."""
    _, nv, dof, n, row, ne, nf = p
    qacc, smooth = view(p, d.qacc, d.iacc, dof, nv), view(p, d.qacc_smooth, d.iacc_smooth, dof, nv)
    force = view(p, d.qfrc_smooth, d.ifrc_smooth, dof, nv)
    return 0.5 * dot_of_differences(d.solve_Ma, force, qacc, smooth, nv)


@kernel
def set_gradient(m, d, p):
    """writes solve_grad = M a - (smooth and constraint forces)."""
    _, nv, dof, n, row, ne, nf = p
    smooth, constraint = view(p, d.qfrc_smooth, d.ifrc_smooth, dof, nv), view(p, d.qfrc_constraint, d.ifrc_constraint, dof, nv)
    for i in range(nv):
        d.solve_grad[i] = d.solve_Ma[i] - smooth[i] - constraint[i]


@kernel
def precondition(m, d, p):
    """Set solve_Mgrad = inv(M) solve_grad."""
    nv, dof = p[1], p[2]
    for i in range(nv):
        d.solve_Mgrad[i] = d.solve_grad[i]
    if is_discrete(m):
        solve_tree(d.solve_Mgrad, d.qH, d.qHDiagInv, m.M_rownnz, m.M_rowadr, m.M_colind, nv)
    elif p[0] < 0:
        solve_tree(d.solve_Mgrad, d.qLD, d.qLDiagInv, m.M_rownnz, m.M_rowadr, m.M_colind, nv)
    else:
        solve_tree(
            d.solve_Mgrad,
            d.iLD,
            array_at(address_of(d.iLDiagInv, dof), nv),
            ints_at(address_of(d.iM_rownnz, dof), nv),
            ints_at(address_of(d.iM_rowadr, dof), nv),
            d.iM_colind,
            nv,
        )


@inline
def left_to_gain(d, nv, scale):
    """Return an estimate of how much the cost can still fall: half of solve_grad' solve_Mgrad, scaled.

    If solve_Mgrad = inv(M) solve_grad, this is an upper bound, because the cost is convex and its Hessian is at least M. If
    solve_Mgrad uses the inverse Hessian, it is exact for a quadratic cost.
    """
    return max(0.0, 0.5 * scale * dot(d.solve_grad, 0, d.solve_Mgrad, 0, nv))


@kernel
def take_step(m, d, p, step):
    """Take a step along the search direction, and save the constraint states."""
    _, nv, dof, n, row, ne, nf = p
    qacc, state = view(p, d.qacc, d.iacc, dof, nv), int_view(p, d.efc_state, d.iefc_state, row, n)
    for i in range(nv):
        qacc[i] += d.solve_search[i] * step
        d.solve_Ma[i] += d.solve_Mv[i] * step
    for r in range(n):
        d.solve_jar[r] += d.solve_Jv[r] * step
    for r in range(n):
        d.solve_oldstate[r] = state[r]


@inline
def length(x, n):
    return sqrt(dot(x, 0, x, 0, n))


@kernel
def start_problem(m, d, p):
    """reads qacc as first guess; writes solve_Ma = M a, solve_jar = J a - aref."""
    _, nv, dof, n, row, _, _ = p
    qacc, aref = view(p, d.qacc, d.iacc, dof, nv), view(p, d.efc_aref, d.iefc_aref, row, n)
    times_inertia(m, d, p, d.solve_Ma, qacc)
    rows_times(m, d, p, d.solve_jar, qacc)
    for r in range(n):
        d.solve_jar[r] -= aref[r]


@kernel
def evaluate(m, d, p, hessian):
    """Return (cost, its inertial part, active rows, rows of contacts in the middle zone) at the current acceleration.

    Writes forces and states and, with `hessian`, contact_H.
    """
    cost, active, cones = update_problem(m, d, p, hessian)
    set_joint_forces(m, d, p)
    inertial = inertial_cost(m, d, p)
    return cost + inertial, inertial, active, cones


# ---- line search -------------------------------------------------------------------------------------------------------
@kernel
def prepare_line(m, d, p, inertial):
    """writes solve_quad: coefficients of each row's cost as a quadratic function of the step, but for equality rows.

    An elliptic contact has six more numbers in its next two rows. Returns the quadratic of the inertial cost (with the given
    constant) and of the equality rows.
    """
    _, nv, dof, n, row, ne, nf = p
    D, quad, jar, Jv = view(p, d.efc_D, d.iefc_D, row, n), d.solve_quad, d.solve_jar, d.solve_Jv
    smooth = view(p, d.qfrc_smooth, d.ifrc_smooth, dof, nv)
    for r in range(ne, n):
        x, v = jar[r], Jv[r]
        y = D[r] * x
        quad[r, 0] = 0.5 * (x * y)
        quad[r, 1] = v * y
        quad[r, 2] = 0.5 * (v * D[r] * v)
    if m.opt.cone == ELLIPTIC_CONES:
        kind, ident = int_view(p, d.efc_type, d.iefc_type, row, n), int_view(p, d.efc_id, d.iefc_id, row, n)
        prepare_cones(d, ne + nf, n, kind, ident, D)
    linear = dot_fast(d.solve_search, 0, d.solve_Ma, 0, nv) - dot_fast(smooth, 0, d.solve_search, 0, nv)

    # Equality rows are always active, so their quadratics are part of the base.
    q0, q1, q2 = line_equalities(ne, D, jar, Jv)
    return inertial + q0, linear + q1, 0.5 * dot_fast(d.solve_search, 0, d.solve_Mv, 0, nv) + q2


@leaf
def line_equalities(n, D, jar, Jv):
    """Return the cost of equality rows as a quadratic function of the step."""
    q0 = q1 = q2 = 0.0
    for r in range(n):
        x, v = jar[r], Jv[r]
        y = D[r] * x
        q0 += x * y
        q1 += v * y
        q2 += v * D[r] * v
    return 0.5 * q0, q1, 0.5 * q2


@kernel
def prepare_cones(d, first, n, kind, ident, D):
    """Sum each elliptic contact's quadratics in its first row; write its normal and tangential parts to the next two rows."""
    quad, jar, Jv = d.solve_quad, d.solve_jar, d.solve_Jv
    r = first
    while r < n:
        if kind[r] != ELLIPTIC:
            r += 1
            continue

        k = ident[r]
        dim, mu = d.contact_dim[k], d.contact_mu[k]
        uu = uv = vv = 0.0
        for j in range(1, dim):
            for c in range(3):
                quad[r, c] += quad[r + j, c]
            f = d.contact_friction[k, j - 1]
            u, v = jar[r + j] * f, Jv[r + j] * f
            uu += u * u
            uv += u * v
            vv += v * v

        quad[r + 1, 0], quad[r + 1, 1], quad[r + 1, 2] = jar[r] * mu, Jv[r] * mu, uu
        quad[r + 2, 0], quad[r + 2, 1], quad[r + 2, 2] = uv, vv, D[r] / ((mu * mu) * (1 + (mu * mu)))
        r += dim


@inline
def friction_line(start, slope, bound, f, step):
    """Return (constant, linear) coefficients of the cost of friction loss beyond its quadratic range."""
    if start + step * slope <= -bound:
        return f * (-0.5 * bound - start), -f * slope
    return f * (-0.5 * bound + start), f * slope


@kernel
def line_cones(d, first, n, kind, ident, step, q0, q1, q2):
    """Add the cost of limits and contacts, in models with elliptic contacts, to a quadratic function of the step.

    Return (quadratic, cost, slope, curvature); the last three belong to the parts that are not quadratic.
    """
    quad = d.solve_quad
    cost = slope = curve = 0.0
    r = first

    while r < n:
        use = False
        size = 1
        if kind[r] != ELLIPTIC:
            use = d.solve_jar[r] + step * d.solve_Jv[r] < 0

        # The normal and tangential parts at this step determine the contact's zone.
        else:
            k = ident[r]
            size, mu = d.contact_dim[k], d.contact_mu[k]
            rate, uv, vv, scale = quad[r + 1, 1], quad[r + 2, 0], quad[r + 2, 1], quad[r + 2, 2]
            normal = quad[r + 1, 0] + step * rate
            square = quad[r + 1, 2] + step * (2 * uv + step * vv)
            if square <= 0:
                use = normal < 0
            else:
                tangent = sqrt(square)
                if normal < mu * tangent:
                    use = mu * normal + tangent <= 0
                    if not use:
                        t1 = (uv + step * vv) / tangent
                        t2 = vv / tangent - (uv + step * vv) * t1 / (tangent * tangent)
                        gap, g1 = normal - mu * tangent, rate - mu * t1
                        cost += 0.5 * scale * gap * gap
                        slope += scale * gap * g1
                        curve += scale * (g1 * g1 + gap * (-mu * t2))

        if use:
            q0 += quad[r, 0]
            q1 += quad[r, 1]
            q2 += quad[r, 2]
        r += size
    return q0, q1, q2, cost, slope, curve


@kernel
def line_point(m, d, p, base, step):
    """Return (step, cost, slope, curvature) at a step along the search direction."""
    _, nv, dof, n, row, ne, nf = p
    quad, jar, Jv = d.solve_quad, d.solve_jar, d.solve_Jv
    q0, q1, q2 = base

    # The cost of friction loss is quadratic near zero, linear beyond its bound.
    if nf > 0:
        R, floss = view(p, d.efc_R, d.iefc_R, row, n), view(p, d.efc_frictionloss, d.iefc_frictionloss, row, n)
        for r in range(ne, ne + nf):
            bound = R[r] * floss[r]
            x = jar[r] + step * Jv[r]
            if -bound < x < bound:
                q0 += quad[r, 0]
                q1 += quad[r, 1]
                q2 += quad[r, 2]
            else:
                a, b = friction_line(jar[r], Jv[r], bound, floss[r], step)
                q0 += a
                q1 += b

    # Add limits and contacts.
    cost = slope = curve = 0.0
    if m.opt.cone == ELLIPTIC_CONES:
        kind, ident = int_view(p, d.efc_type, d.iefc_type, row, n), int_view(p, d.efc_id, d.iefc_id, row, n)
        q0, q1, q2, cost, slope, curve = line_cones(d, ne + nf, n, kind, ident, step, q0, q1, q2)
    else:
        for r in range(ne + nf, n):
            use = jar[r] + step * Jv[r] < 0
            q0 += quad[r, 0] if use else 0.0
            q1 += quad[r, 1] if use else 0.0
            q2 += quad[r, 2] if use else 0.0

    cost += step * step * q2 + step * q1 + q0
    slope += 2 * step * q2 + q1
    curve += 2 * q2
    return step, cost, slope, mjMINVAL if curve <= 0 else curve


@inline
def newton_step(x):
    return x[0] - x[2] / x[3]


@inline
def nearer(end, x):
    """Return whether point x is on the same side of the minimum as an end of the bracket, and nearer to the minimum."""
    if end[2] < 0:
        return x[2] < 0 and end[2] < x[2]
    return end[2] > 0 and x[2] > 0 and end[2] > x[2]


@inline
def shrink(end, a, b, c):
    """Move an end of the bracket to the point, of three, nearest to the minimum. Return (whether it moved, end)."""
    moved = False
    if nearer(end, a):
        end, moved = a, True
    if nearer(end, b):
        end, moved = b, True
    if nearer(end, c):
        end, moved = c, True
    return moved, end


@inline
def best_converged(a, b, c, enough):
    """Return (whether any of three points has converged, the converged point of lowest cost)."""
    found, x = False, a
    if abs(a[2]) < enough:
        found = True
    if abs(b[2]) < enough and (not found or b[1] < x[1]):
        found, x = True, b
    if abs(c[2]) < enough and (not found or c[1] < x[1]):
        found, x = True, c
    return found, x


@kernel
def line_search(m, d, p, base, scale, tolerance, limit):
    """Return (step that minimizes the cost, number of evaluations, slope there relative to the direction's length and scale).

    The slope counts as zero below `tolerance`. The cost along the line is convex and piecewise quadratic (with curved pieces
    where cones are elliptic), so its slope is monotonic and Newton's method is exact on each piece. Newton steps are made until
    the slope changes sign. Then [p1, p2] brackets the minimum, and each iteration tries three points: a Newton step from either
    end, and the middle. Each end moves to the one of these points that is nearest to the minimum on the end's side. Source:
    MuJoCo's manual, Computation, Solver algorithms; E. Todorov, Convex and analytically invertible dynamics with contacts and
    constraints, 2014.

        slope |          p2
              |       .-'
        ------+----.-'------ step         next1, next2: Newton steps from p1 and p2
              |  .'
              |p1
    """
    size = length(d.solve_search, p[1])
    if size < mjMINVAL:
        return 0.0, 0, 1.0

    # Start at zero, and take a first Newton step.
    enough, unit = tolerance * size / scale, scale / size
    p0 = line_point(m, d, p, base, 0.0)
    p1 = line_point(m, d, p, base, newton_step(p0))
    count = 2
    later = m.compat_bits & EXIT != 0
    if p0[1] < p1[1] and not later:
        p1 = p0
    if abs(p1[2]) < enough and (not later or p1[0] == 0 or p1[1] < p0[1]):
        return p1[0], count, abs(p1[2]) * unit

    # Newton steps until the slope changes sign.
    side = 1 if p1[2] < 0 else -1
    p2, moved = p1, later
    if later:
        p2 = p0
    while p1[2] * side <= -enough and count < limit:
        p2, moved = p1, True
        p1 = line_point(m, d, p, base, newton_step(p1))
        count += 1
        if abs(p1[2]) < enough and (not later or p1[1] < p0[1]):
            return p1[0], count, abs(p1[2]) * unit
    if count >= limit or not moved:
        return p1[0], count, abs(p1[2]) * unit

    # Shrink the bracket until a point converges.
    next2 = p1
    next1 = line_point(m, d, p, base, newton_step(p1))
    count += 1
    while count < limit:
        middle = line_point(m, d, p, base, 0.5 * (p1[0] + p2[0]))
        count += 1
        found, x = best_converged(next1, next2, middle, enough)
        if found:
            return x[0], count, abs(x[2]) * unit
        a, b = next1, next2
        moved1, p1 = shrink(p1, a, b, middle)
        if moved1:
            next1 = line_point(m, d, p, base, newton_step(p1))
            count += 1
        moved2, p2 = shrink(p2, a, b, middle)
        if moved2:
            next2 = line_point(m, d, p, base, newton_step(p2))
            count += 1
        # If neither end moved, rounding errors prevent further shrinking: stop.
        if not moved1 and not moved2:
            return middle[0], count, abs(middle[2]) * unit

    if p1[1] <= p2[1] and p1[1] < p0[1]:
        return p1[0], count, abs(p1[2]) * unit
    if p2[1] <= p1[1] and p2[1] < p0[1]:
        return p2[0], count, abs(p2[2]) * unit
    return 0.0, count, 1.0


@kernel
def search_step(m, d, p, inertial, scale):
    """Return (step along solve_search that minimizes the cost, number of evaluations, slope there); write solve_Mv, solve_Jv,
    solve_quad.
    """
    times_inertia(m, d, p, d.solve_Mv, d.solve_search)
    rows_times(m, d, p, d.solve_Jv, d.solve_search)
    base = prepare_line(m, d, p, inertial)
    return line_search(m, d, p, base, scale, m.opt.tolerance * m.opt.ls_tolerance, m.opt.ls_iterations)


# ---- statistics --------------------------------------------------------------------------------------------------------
@kernel
def count_changes(m, d, p):
    """Return the number of rows whose state differs from their saved state."""
    state = int_view(p, d.efc_state, d.iefc_state, p[4], p[3])
    changed = 0
    for r in range(p[3]):
        changed += 1 if state[r] != d.solve_oldstate[r] else 0
    return changed


@kernel
def save_statistics(d, island, k, improvement, gradient, slope, active, changed, evaluations, updates):
    """Save the statistics of iteration k of an island in Data, which has room only for the first islands and iterations."""
    if island < mjNISLAND and k < mjNSOLVER:
        r = max(0, island) * mjNSOLVER + k
        d.solver_improvement[r], d.solver_gradient[r], d.solver_lineslope[r] = improvement, gradient, slope
        d.solver_nactive[r], d.solver_nchange[r], d.solver_neval[r], d.solver_nupdate[r] = active, changed, evaluations, updates


@inline
def finish_statistics(d, island, iterations, nonzeros):
    if island < mjNISLAND:
        d.solver_niter[max(0, island)] += iterations
        d.solver_nnz[max(0, island)] = nonzeros
