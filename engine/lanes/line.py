"""The exact line search of `solve.primal` for several problems at once. Each problem takes the same steps as when solved alone;
finished problems wait.

A point is (step, cost, slope, curvature), each a pack. `going`: a bit mask of the problems still searching.
"""

from ..machine.jit import inline, kernel
from ..machine.lang import bits_of, mask_of, pack_at, pick, put_pack, sizes_of, spread
from ..tables.consts import mjMINVAL
from .cones import cones_at, prepare_cones
from .packed import HIGH, JAR, JV, LOSS, LOW, Q0, Q1, Q2, D, part


@inline
def choose(bits, a, b):
    """Return point `a` for the problems in `bits`, and point `b` for the others."""
    mask = mask_of(bits)
    return pick(mask, a[0], b[0]), pick(mask, a[1], b[1]), pick(mask, a[2], b[2]), pick(mask, a[3], b[3])


@inline
def newton_step(x):
    """Return the step to the minimum of the local quadratic approximation."""
    return x[0] - x[2] / x[3]


@kernel
def prepare(at, rows):
    """Write each row's cost as a quadratic function of the step; return whether any row has friction loss."""
    n = rows[0]
    weight, jar, Jv, loss = part(at, D, n), part(at, JAR, n), part(at, JV, n), part(at, LOSS, n)
    q0, q1, q2, half, rubs = part(at, Q0, n), part(at, Q1, n), part(at, Q2, n), spread(0.5), 0
    for r in range(n):
        x, v, w = pack_at(jar, r), pack_at(Jv, r), pack_at(weight, r)
        y = w * x
        put_pack(q0, r, half * (x * y))
        put_pack(q1, r, v * y)
        put_pack(q2, r, half * (v * w * v))
        rubs |= bits_of(pack_at(loss, r) != spread(0.0))
    prepare_cones(at, rows)
    return rubs != 0


@kernel
def point(at, rows, rubs, base, step):
    """Return the point at a step: (step, cost, slope, curvature)."""
    n, plain, contacts, _ = rows
    low, high, jar, Jv = part(at, LOW, n), part(at, HIGH, n), part(at, JAR, n), part(at, JV, n)
    Qa, Qb, Qc, loss = part(at, Q0, n), part(at, Q1, n), part(at, Q2, n), part(at, LOSS, n)
    zero, half, two = spread(0.0), spread(0.5), spread(2.0)
    q0, q1, q2 = base

    # rows are quadratic inside their bounds, linear outside
    for r in range(plain):
        start, slope = pack_at(jar, r), pack_at(Jv, r)
        x, bound = start + step * slope, pack_at(high, r)
        inside = (x > pack_at(low, r)) & (x < bound)
        a, b = zero, zero
        if rubs:
            f = pack_at(loss, r)
            flat = pick(x <= pack_at(low, r), -f, f)
            a, b = pick(f == zero, zero, flat * start - half * bound * f), pick(f == zero, zero, flat * slope)
        q0 = q0 + pick(inside, pack_at(Qa, r), a)
        q1 = q1 + pick(inside, pack_at(Qb, r), b)
        q2 = q2 + pick(inside, pack_at(Qc, r), zero)
    cost = slope = curve = zero
    if contacts > 0:
        q0, q1, q2, cost, slope, curve = cones_at(at, rows, q0, q1, q2, step)
    cost, slope = cost + (step * step * q2 + step * q1 + q0), slope + (two * step * q2 + q1)
    curve = curve + two * q2
    return step, cost, slope, pick(curve <= zero, spread(mjMINVAL), curve)


@inline
def nearer(end, x):
    """Return whether a point is on the same side of the minimum as one end of the bracket, and closer to the minimum than this
    end."""
    zero = spread(0.0)
    return ((end[2] < zero) & (x[2] < zero) & (end[2] < x[2])) | ((end[2] > zero) & (x[2] > zero) & (end[2] > x[2]))


@inline
def shrink(end, a, b, c, going):
    """Move one end of the bracket to the nearest of three points on its side; return (problems whose end moved, the new
    end)."""
    one = bits_of(nearer(end, a)) & going
    end = choose(one, a, end)
    two = bits_of(nearer(end, b)) & going
    end = choose(two, b, end)
    three = bits_of(nearer(end, c)) & going
    return one | two | three, choose(three, c, end)


@inline
def best_converged(a, b, c, enough):
    """Return (problems in which at least one of three points has converged, the converged point with the lowest cost)."""
    found = bits_of(sizes_of(a[2]) < enough)
    best = a
    better = bits_of(sizes_of(b[2]) < enough) & (bits_of(b[1] < best[1]) | ~found)
    best = choose(better, b, best)
    found |= better
    better = bits_of(sizes_of(c[2]) < enough) & (bits_of(c[1] < best[1]) | ~found)
    return found | better, choose(better, c, best)


@inline
def counted(bits, count):
    """Increment the evaluation counts of the problems in `bits`."""
    return pick(mask_of(bits), count + spread(1.0), count)


@kernel
def search_line(m, at, rows, constant, linear, square, size, scale, going):
    """Run `solve.primal.line_search`; return (step, number of evaluations, slope at the step).

    The inertial cost is a quadratic of the step; `size` is the length of the direction.
    """
    base, zero = (constant, linear, square), spread(0.0)
    limit = spread(m.opt.ls_iterations + 0.0)

    # start point: the better one of no step and a full Newton step
    rubs = prepare(at, rows)
    enough, unit = spread(m.opt.tolerance * m.opt.ls_tolerance) * size / scale, scale / size
    going &= ~bits_of(size < spread(mjMINVAL))
    p0 = point(at, rows, rubs, base, zero)
    p1 = point(at, rows, rubs, base, newton_step(p0))
    p1 = choose(bits_of(p0[1] < p1[1]), p0, p1)
    result, count = (zero, zero, zero, zero), spread(2.0)
    searched = going
    done = going & bits_of(sizes_of(p1[2]) < enough)
    result = choose(done, p1, result)
    going &= ~done

    # Newton steps until the slope changes sign
    side = pick(p1[2] < zero, spread(1.0), spread(-1.0))
    p2, moved = p1, 0
    on = going & bits_of((p1[2] * side <= -enough) & (count < limit))
    while on != 0:
        p2 = choose(on, p1, p2)
        moved |= on
        p1 = choose(on, point(at, rows, rubs, base, newton_step(p1)), p1)
        count = counted(on, count)
        done = on & bits_of(sizes_of(p1[2]) < enough)
        result = choose(done, p1, result)
        going &= ~done
        on &= ~done & bits_of((p1[2] * side <= -enough) & (count < limit))

    # problems without a bracket are done; the others search inside it
    closed = going & (bits_of(count >= limit) | ~moved)
    result = choose(closed, p1, result)
    going &= ~closed
    lost = 0
    if going != 0:
        result, count, lost = search_bracket(at, rows, rubs, base, p0, p1, p2, going, enough, count, limit, result)
    nowhere = ~searched | lost
    return (
        choose(nowhere, (zero, zero, zero, zero), result)[0],
        pick(mask_of(~searched), zero, count),
        pick(mask_of(nowhere), spread(1.0), sizes_of(result[2]) * unit),
    )


@kernel
def search_bracket(at, rows, rubs, base, p0, p1, p2, going, enough, count, limit, result):
    """Search between two points that bracket the minimum. Return (points, numbers of evaluations, problems that found no better
    point)."""
    half = spread(0.5)
    next2 = p1
    next1 = point(at, rows, rubs, base, newton_step(p1))
    count = counted(going, count)
    on = going & bits_of(count < limit)
    while on != 0:
        middle = point(at, rows, rubs, base, half * (p1[0] + p2[0]))
        count = counted(on, count)
        found, x = best_converged(next1, next2, middle, enough)
        done = on & found
        result = choose(done, x, result)
        on &= ~done
        going &= ~done
        a, b = next1, next2
        moved1, p1 = shrink(p1, a, b, middle, on)
        if moved1 != 0:
            next1 = choose(moved1, point(at, rows, rubs, base, newton_step(p1)), next1)
            count = counted(moved1, count)
        moved2, p2 = shrink(p2, a, b, middle, on)
        if moved2 != 0:
            next2 = choose(moved2, point(at, rows, rubs, base, newton_step(p2)), next2)
            count = counted(moved2, count)
        # stop when rounding no longer lets the bracket shrink
        stuck = on & ~(moved1 | moved2)
        result = choose(stuck, middle, result)
        on &= ~stuck
        going &= ~stuck
        on &= bits_of(count < limit)

    # if nothing converged, take the better end of the bracket, provided that it improves on the start
    first = going & bits_of((p1[1] <= p2[1]) & (p1[1] < p0[1]))
    result = choose(first, p1, result)
    second = going & ~first & bits_of((p2[1] <= p1[1]) & (p2[1] < p0[1]))
    return choose(second, p2, result), count, going & ~first & ~second
