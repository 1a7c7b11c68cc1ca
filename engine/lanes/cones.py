"""Elliptic contacts of several constraint problems in one vector: cost, forces, second derivatives, and cost along a line.

A contact has a normal row and tangential rows. Multiplied by friction, their jar are a point; the zone in which this point
lies decides the contact's cost (`constraint.update`). What the rows contain, from the first one, r, on; u and v are the
tangential parts of jar and Jv, multiplied by friction:

    row      direction                FRICTION        line search: Q0     Q1             Q2
    r        normal                   mu              cost of the whole contact, if it is quadratic
    r + 1    tangents, then torsion   coefficient     normal              its rate       u u
    r + 2    and rolling              coefficient     u v                 v v            scale of the middle zone
    ...

Lanes whose problem has fewer contacts, and the last rows of smaller contacts, have zeros: no force, no cost. `rows` is (rows
of the vectors, rows without contacts, contacts, rows of the largest contact).
"""

from ..machine.jit import inline, kernel
from ..machine.lang import bits_of, mask_of, pack_at, pick, put_pack, roots_of, spread, trailing_zeros
from .packed import (
    ABOVE,
    CHANGED,
    CONE,
    FACTOR,
    FACTOR_TILES,
    FRICTION,
    GROUP_TILES,
    INSIDE,
    JACOBIAN,
    JAR,
    JV,
    LARGEST,
    MIDDLE,
    Q0,
    Q1,
    Q2,
    ROW_FORCE,
    SIZES,
    STATE,
    TILE,
    WEIGHT,
    D,
    matrix,
    padded,
    part,
    spot,
    tiles_of,
    words,
)


@inline
def scale_of(weight, mu):
    """Return the scale of a contact's cost in the middle zone. `weight` is D of the contact's normal row."""
    return weight / (mu * mu * (spread(1.0) + mu * mu))


@kernel
def polar(at, n, r, dim):
    """Return (normal, tangent): the scaled normal of the contact at row r, and the length of its tangential part."""
    jar, friction = part(at, JAR, n), part(at, FRICTION, n)
    square = spread(0.0)
    for j in range(r + 1, r + dim):
        u = pack_at(jar, j) * pack_at(friction, j)
        square = square + u * u
    return pack_at(jar, r) * pack_at(friction, r), roots_of(square)


@kernel
def evaluate_cones(at, rows, cost, active, changed):
    """Add the contacts to (cost, active rows, rows whose state changed); also return the number of rows of contacts in the
    middle zone. Writes states and forces, and the change of each row's weight in the Hessian."""
    n, plain, _, dim = rows
    friction, sizes, state, gain = part(at, FRICTION, n), part(at, SIZES, n), part(at, STATE, n), part(at, WEIGHT, n)
    weight, jar, force = part(at, D, n), part(at, JAR, n), part(at, ROW_FORCE, n)
    zero, half, cones = spread(0.0), spread(0.5), spread(0.0)
    for r in range(plain, n, dim):
        mu, size = pack_at(friction, r), pack_at(sizes, r)
        normal, tangent = polar(at, n, r, dim)

        # upper zone: no force; lower zone: the unbounded force; middle zone: friction is at its bound
        straight = bits_of(tangent <= zero)
        upper = bits_of(normal >= mu * tangent) | straight & bits_of(normal >= zero)
        lower = ~upper & (bits_of(mu * normal + tangent <= zero) | straight & bits_of(normal < zero))
        above, inside, middle = mask_of(upper), mask_of(lower), mask_of(~(upper | lower))
        scale, gap = scale_of(pack_at(weight, r), mu), normal - mu * tangent
        cost = cost + pick(middle, half * scale * gap * gap, zero)
        pull = -scale * gap * mu
        turn = -pull / tangent

        before = pack_at(state, r)
        now = pick(inside, spread(INSIDE), pick(middle, spread(MIDDLE), spread(ABOVE)))
        put_pack(state, r, now)
        was = before == spread(INSIDE)
        for j in range(r, r + dim):
            x, w, f = pack_at(jar, j), pack_at(weight, j), pack_at(friction, j)
            y = w * x
            bound = pull if j == r else turn * (x * f) * f
            put_pack(force, j, pick(inside, -y, pick(middle, bound, zero)))
            put_pack(gain, j, pick(inside, w, zero) - pick(was, w, zero))
            cost = cost + pick(inside, half * y * x, zero)
        active = active + pick(above, zero, size)
        changed = changed + pick(now == before, zero, size)
        cones = cones + pick(middle, size, zero)
    return cost, active, changed, cones


# ---- the Hessian ---------------------------------------------------------------------------------------------------------
@kernel
def add_cones(at, nv, rows):
    """Add J' C J to the lower triangle of FACTOR for each contact in the middle zone, with the second derivatives C of its
    cost."""
    n, plain, _, dim = rows
    state, J, CJ = part(at, STATE, n), part(at, JACOBIAN, n * nv), part(at, CHANGED, dim * nv)
    C, groups = part(at, CONE, LARGEST * LARGEST), words(at, GROUP_TILES, padded(n) // TILE)
    for r in range(plain, n, dim):
        if bits_of(pack_at(state, r) == spread(MIDDLE)) == 0:
            continue
        second_derivatives(at, n, r, dim)
        mask = 0
        for j in range(r, r + dim):
            mask |= groups[j // TILE]
        rest = mask
        while rest != 0:
            first = TILE * trailing_zeros(rest)
            rest &= rest - 1
            for a in range(dim):
                for i in range(first, min(first + TILE, nv)):
                    s = spread(0.0)
                    for b in range(dim):
                        s = s + pack_at(C, a * dim + b) * pack_at(J, (r + b) * nv + i)
                    put_pack(CJ, a * nv + i, s)
        add_cone(at, nv, J, CJ, r, dim, mask)


@kernel
def add_cone(at, nv, J, CJ, r, dim, mask):
    """Add J' (C J) to FACTOR for the contact at row r, whose Jacobian has nonzeros in the tiles of a mask."""
    L, factor = matrix(at, FACTOR, nv), words(at, FACTOR_TILES, tiles_of(nv))
    rest = mask
    while rest != 0:
        t = trailing_zeros(rest)
        rest &= rest - 1
        columns = mask & factor[t]
        while columns != 0:
            k = TILE * trailing_zeros(columns)
            columns &= columns - 1
            for i in range(TILE * t, min(TILE * t + TILE, nv)):
                for c in range(k, min(k + TILE, i + 1)):
                    s = pack_at(L, spot(i, c))
                    for j in range(dim):
                        s = s + pack_at(J, (r + j) * nv + i) * pack_at(CJ, j * nv + c)
                    put_pack(L, spot(i, c), s)


@kernel
def second_derivatives(at, n, r, dim):
    """Write the second derivatives of the cost of the contact at row r to CONE; zeros in lanes that are not in the middle
    zone. Source: derivatives of scale / 2 (normal - mu tangent)^2, see `constraint.update.cone_hessian`."""
    jar, friction, weight = part(at, JAR, n), part(at, FRICTION, n), part(at, D, n)
    C, zero, one = part(at, CONE, LARGEST * LARGEST), spread(0.0), spread(1.0)
    middle = pack_at(part(at, STATE, n), r) == spread(MIDDLE)
    mu = pack_at(friction, r)
    normal, tangent = polar(at, n, r, dim)
    scale = scale_of(pack_at(weight, r), mu)
    side, bend = -mu / tangent, mu * normal / (tangent * tangent * tangent)
    diagonal = mu * mu - mu * normal / tangent
    for a in range(dim):
        sa = pack_at(friction, r + a)
        ua = pack_at(jar, r + a) * sa
        for b in range(a, dim):
            sb = pack_at(friction, r + b)
            ub = pack_at(jar, r + b) * sb
            h = one
            if a > 0:
                h = bend * ub * ua
                if a == b:
                    h = h + diagonal
            elif b > 0:
                h = side * ub
            h = pick(middle, h * (scale * sa * sb), zero)
            put_pack(C, a * dim + b, h)
            put_pack(C, b * dim + a, h)


# ---- the line search -----------------------------------------------------------------------------------------------------
@kernel
def prepare_cones(at, rows):
    """Sum each contact's quadratics in its first row; write its normal and tangential parts to the next two rows."""
    n, plain, _, dim = rows
    q0, q1, q2 = part(at, Q0, n), part(at, Q1, n), part(at, Q2, n)
    friction, jar, Jv = part(at, FRICTION, n), part(at, JAR, n), part(at, JV, n)
    for r in range(plain, n, dim):
        mu = pack_at(friction, r)
        a, b, c = pack_at(q0, r), pack_at(q1, r), pack_at(q2, r)
        uu = uv = vv = spread(0.0)
        for j in range(r + 1, r + dim):
            a, b, c = a + pack_at(q0, j), b + pack_at(q1, j), c + pack_at(q2, j)
            u, v = pack_at(jar, j) * pack_at(friction, j), pack_at(Jv, j) * pack_at(friction, j)
            uu, uv, vv = uu + u * u, uv + u * v, vv + v * v
        put_three(q0, q1, q2, r, a, b, c)
        put_three(q0, q1, q2, r + 1, pack_at(jar, r) * mu, pack_at(Jv, r) * mu, uu)
        put_three(q0, q1, q2, r + 2, uv, vv, scale_of(pack_at(part(at, D, n), r), mu))


@inline
def put_three(x, y, z, r, a, b, c):
    put_pack(x, r, a)
    put_pack(y, r, b)
    put_pack(z, r, c)


@kernel
def cones_at(at, rows, a, b, c, step):
    """Add the cost of contacts along the search line. a, b, c: coefficients of the cost that is quadratic in the step.

    Return these coefficients, and cost, slope and curvature of the contacts in the middle zone, where the cost is not
    quadratic.
    """
    n, plain, _, dim = rows
    q0, q1, q2, friction = part(at, Q0, n), part(at, Q1, n), part(at, Q2, n), part(at, FRICTION, n)
    zero, half, two = spread(0.0), spread(0.5), spread(2.0)
    cost = slope = curve = zero
    for r in range(plain, n, dim):
        mu, rate, uv, vv = pack_at(friction, r), pack_at(q1, r + 1), pack_at(q0, r + 2), pack_at(q1, r + 2)
        normal = pack_at(q0, r + 1) + step * rate
        square = pack_at(q2, r + 1) + step * (two * uv + step * vv)
        tangent = roots_of(square)

        straight = bits_of(square <= zero)
        under, lower = bits_of(normal < mu * tangent), bits_of(mu * normal + tangent <= zero)
        whole = mask_of(straight & bits_of(normal < zero) | ~straight & under & lower)
        middle = mask_of(~straight & under & ~lower)
        a = a + pick(whole, pack_at(q0, r), zero)
        b = b + pick(whole, pack_at(q1, r), zero)
        c = c + pick(whole, pack_at(q2, r), zero)

        # t1 and t2: first and second derivative of `tangent`; g1: derivative of `gap`
        scale, t1 = pack_at(q2, r + 2), (uv + step * vv) / tangent
        t2 = vv / tangent - (uv + step * vv) * t1 / (tangent * tangent)
        gap, g1 = normal - mu * tangent, rate - mu * t1
        cost = cost + pick(middle, half * scale * gap * gap, zero)
        slope = slope + pick(middle, scale * gap * g1, zero)
        curve = curve + pick(middle, scale * (g1 * g1 - gap * mu * t2), zero)
    return a, b, c, cost, slope, curve
