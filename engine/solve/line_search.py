"""The exact line search of Newton and CG: the step along a direction that minimizes the cost.

The cost along the line is a sum of one function for each row, which is quadratic on each side of the row's bounds.
"""

from math import sqrt

from ..constraint.append_rows import ELLIPTIC
from ..constraint.update import ELLIPTIC_CONES
from ..machine.jit import inline, kernel, leaf
from ..math.dense import dot_fast
from ..tables.consts import mjMINVAL
from .primal import EXIT, int_view, length, rows_times, times_inertia, view


@kernel
def prepare_line(m, d, p, inertial):
    """writes solve_quad: coefficients of each row's cost as a quadratic function of the step, except for equality rows.

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
