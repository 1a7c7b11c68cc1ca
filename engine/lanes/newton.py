"""Newton's method, or conjugate gradients, for up to PACK constraint problems at once, one in each lane of a pack.

    worlds that have rows      problems by size      H, L, J, ... of 8 problems in vectors          accelerations, forces
    ─────────────────────  ──▶ ────────────────  ──▶ ─────────────────────────────────────── ──▶  of each world
                                                      until the last problem is done

A finished problem keeps its values while the others continue, and padding rows add nothing. A problem's result
therefore does not depend on the others.

This is `solve.newton` or `solve.cg` with their iterations, line search and stopping rules (MuJoCo 3.4). The differences, with
reasons:

    solve.newton                                   here
    one problem, a stage of (Model, Data)          8 problems in vectors: each number is a pack, each decision a mask
    leaves its loop when it is done                runs until all are done; finished problems are masked out (`going`)
    Hessian dense or sparse, of any size           tiles (`pattern`), of at most MOST_DOFS dofs: one memory layout serves all 8
    updates the factor row by row                  adds changed rows to H and factors again: problems change different rows
    rows in the order of the Data                  elliptic contacts last, so that all lanes have them in the same rows
    stopping rules of 3.4 and later releases       those of 3.4 only (`problems.takes`)

Both use the same code to open a problem, compute its scale, record statistics (`solve.primal`), and update constraint states
at the end.
"""

from math import inf

from ..dynamics.sparsity import is_sparse
from ..machine.jit import inline, kernel, stage
from ..machine.lang import bits_of, longs_at, mask_of, pack_at, pick, put_pack, roots_of, small_int, spread, store
from ..machine.layout import PACK
from ..solve.primal import PATIENCE, finish_statistics, problems, save_statistics
from .cones import add_cones, evaluate_cones
from .conjugate import begin_directions, keep_gradient, turn
from .factor import (
    add_rows,
    begin_hessian,
    cholesky,
    copy_hessian,
    solve_factored,
    times_inertia,
    times_rows,
    transposed_rows,
)
from .line import search_line
from .packed import (
    ABOVE,
    ACC,
    BELOW,
    FACTOR,
    FORCE,
    GRADIENT,
    HESSIAN,
    HIGH,
    INSIDE,
    JACOBIAN,
    JAR,
    JV,
    LOSS,
    LOW,
    MA,
    MOST_DOFS,
    MV,
    ROW_FORCE,
    SCALE,
    SEARCH,
    SMOOTH_ACC,
    SMOOTH_FORCE,
    STATE,
    TOLD,
    WEIGHT,
    D,
    has_room,
    matrix,
    padded,
    part,
)
from .pattern import FEW_DOFS, begin_jacobian, find_pattern, scan_jacobian, take_all
from .problems import (
    JACOBIAN_OF,
    NEWTON,
    SOURCES,
    clear,
    clear_rows,
    enter,
    enter_jacobian,
    gather,
    gather_all,
    gather_rows,
    leave,
    shape_of,
)
from .run import HALTED, LANE_MODELS, OPEN, QUEUE, SCRATCH, SOLVED, SOLVING, WIDTH, data_of, model_of, note_of

# columns of the list of problems: lane, island, dofs, rows in the vectors, rows without contacts, contacts, rows of the largest
# contact
LANE, ISLAND, NV, N, PLAIN, CONTACTS, DIM, COLUMNS = range(8)


@stage("vMDi")
def newton_of_lanes(m, d, address):
    """reads the description at `address`, and the problems of lanes that wait for the solver; writes what `solve_newton`
    writes for each."""
    job = longs_at(address, LANE_MODELS + 1)
    count = list_problems(m, job)
    first = 0
    while first < count:
        last = end_of_group(job, first, count)
        solve_together(m, job, first, last)
        first = last


@inline
def problem_at(job, q):
    """Return row q of the list of problems."""
    return longs_at(job[QUEUE] + 8 * COLUMNS * q, COLUMNS)


@kernel
def list_problems(m, job):
    """List the problems of all lanes, most rows first, so that problems of similar size are solved together; return their
    number."""
    count = 0
    for lane in range(job[WIDTH]):
        if note_of(job, lane)[OPEN] != SOLVING or note_of(job, lane)[HALTED] != 0:
            continue
        # solve each lane only once, even if it is later excluded from the vectorized step
        note_of(job, lane)[OPEN] = SOLVED
        x = data_of(job, lane)

        # insert the lane's problems, sorted by number of rows
        first, last = problems(m, x)
        for k in range(first, last):
            nv, plain, contacts, dim = shape_of(m, x, k)
            n, q = plain + contacts * dim, count
            while q > 0 and problem_at(job, q - 1)[N] < n:
                one, before = problem_at(job, q), problem_at(job, q - 1)
                for c in range(COLUMNS):
                    one[c] = before[c]
                q -= 1
            one = problem_at(job, q)
            store(one, 0, (lane, k, nv, n, plain, contacts, dim))
            count += 1
    return count


@kernel
def end_of_group(job, first, count):
    """Return the end of the group that starts at `first`. A group has at most PACK problems, all of which must fit into
    memory."""
    q, nv, rows = first, 0, (0, 0, 0, 1)
    while q < min(first + PACK, count):
        nv, rows = with_room_for(nv, rows, problem_at(job, q))
        if q > first and not has_room(nv, rows[0]):
            break
        q += 1
    return q


@inline
def with_room_for(nv, rows, one):
    """Return (dofs, rows) of vectors that also hold one more problem. `rows`: as in `cones`."""
    plain, contacts, dim = max(rows[1], one[PLAIN]), max(rows[2], one[CONTACTS]), max(rows[3], one[DIM])
    return max(nv, one[NV]), (plain + contacts * dim, plain, contacts, dim)


@kernel
def solve_together(m, job, first, last):
    """Solve problems `first` to `last` - 1 of the list together."""
    at, nv, rows, fewest = job[SCRATCH], 0, (0, 0, 0, 1), MOST_DOFS
    for q in range(first, last):
        one = problem_at(job, q)
        nv, rows = with_room_for(nv, rows, one)
        fewest = min(fewest, one[NV])
    n = rows[0]

    # copy the problems into the vectors
    sources, lengths = small_int(SOURCES), small_int(SOURCES)
    for i in range(SOURCES):
        lengths[i] = 0
    clear(at, nv, n)
    for q in range(first, last):
        one = problem_at(job, q)
        x = data_of(job, one[LANE])
        enter(model_of(job, one[LANE]), x, one[ISLAND], at, nv, rows, q - first, sources, lengths)
    gather_all(at, nv, rows, sources, lengths)
    few = nv <= FEW_DOFS
    if is_sparse(m):
        # the functions of cones read whole rows
        whole = few or rows[2] > 0
        if whole:
            clear_rows(at, nv, 0, padded(n))
        else:
            begin_jacobian(at, nv, padded(n))
        for q in range(first, last):
            one = problem_at(job, q)
            x = data_of(job, one[LANE])
            enter_jacobian(model_of(job, one[LANE]), x, one[ISLAND], at, nv, n, q - first, whole)
    else:
        whole = True
        if fewest == nv and rows[2] == 0:
            gather(at, JACOBIAN, sources, lengths, JACOBIAN_OF, nv * n)
        else:
            gather_rows(at, nv, n, sources, lengths)
        clear_rows(at, nv, n, padded(n))

    # find the tiles that may have nonzeros
    if few:
        take_all(at, nv, padded(n))
    else:
        if whole:
            scan_jacobian(at, nv, padded(n))
        find_pattern(at, nv, padded(n))

    iterate(m, job, at, nv, rows, first, last)
    for q in range(first, last):
        one = problem_at(job, q)
        leave(model_of(job, one[LANE]), data_of(job, one[LANE]), one[ISLAND], at, n, q - first)


@kernel
def iterate(m, job, at, nv, rows, first, last):
    """Run the model's solver; write accelerations, forces, the rows' J a - aref, and each problem's statistics."""
    scale = pack_at(part(at, SCALE, 1), 0)
    tolerance, zero = spread(m.opt.tolerance), spread(0.0)
    start(at, nv, rows[0])
    cost, inertial, active, changed, cones = evaluate(at, nv, rows)
    gradient(at, nv)
    newton, updates = m.opt.solver == NEWTON, zero
    if newton:
        hessian(at, nv, rows, cones, True)
    else:
        begin_directions(at, nv)
    going, k = (1 << (last - first)) - 1, 0
    gained, idle = zero, zero

    # iterate while any problem is active
    while going != 0 and k < m.opt.iterations:
        if newton:
            solve_factored(at, nv, SEARCH)
        step, evaluations, slope = search_direction(m, at, nv, rows, inertial, scale, going)
        # a problem ends without a step if the line search finds no improvement
        stopped = going & ~bits_of(step != zero)
        finish(m, job, first, stopped, k)
        going &= ~stopped
        if going == 0:
            break
        take_step(at, nv, rows[0], step, going)
        old, had = cost, cones
        cost, inertial, active, changed, cones = evaluate(at, nv, rows)
        if newton:
            updates = hessian(at, nv, rows, cones + had, False) + cones
        else:
            keep_gradient(at, nv)
        size = gradient(at, nv)
        improvement, left = scale * (old - cost), scale * size

        # update statistics and apply stopping rules
        tell(m, job, at, first, going, k, improvement, left, slope, active, changed, evaluations, updates)
        k += 1
        total = gained + improvement
        idle = pick(total > gained, idle, idle + spread(1.0))
        gained = total
        done = going & bits_of((improvement < tolerance) | (left < tolerance) | (idle >= spread(PATIENCE + 0.0)))
        finish(m, job, first, done, k)
        going &= ~done
        if going != 0 and not newton:
            turn(at, nv)
    finish(m, job, first, going, k)


@kernel
def finish(m, job, first, bits, k):
    """Finish the statistics of problems that stopped after k iterations."""
    lane = 0
    while bits >> lane != 0:
        if bits >> lane & 1 != 0:
            one = problem_at(job, first + lane)
            finish_statistics(data_of(job, one[LANE]), one[ISLAND], k, one[NV] * one[NV] if m.opt.solver == NEWTON else 0)
        lane += 1


@kernel
def tell(m, job, at, first, bits, k, improvement, left, slope, active, changed, evaluations, updates):
    """Write the statistics of iteration k."""
    told = part(at, TOLD, 7)
    put_pack(told, 0, improvement)
    put_pack(told, 1, left)
    put_pack(told, 2, slope)
    put_pack(told, 3, active)
    put_pack(told, 4, changed)
    put_pack(told, 5, evaluations)
    put_pack(told, 6, updates)

    # each problem stores its own statistics
    lane = 0
    while bits >> lane != 0:
        if bits >> lane & 1 != 0:
            one, t = problem_at(job, first + lane), lane
            save_statistics(
                data_of(job, one[LANE]),
                one[ISLAND],
                k,
                told[t],
                told[PACK + t],
                told[2 * PACK + t],
                int(told[3 * PACK + t]),
                int(told[4 * PACK + t]),
                int(told[5 * PACK + t]),
                int(told[6 * PACK + t]),
            )
        lane += 1


# ---- parts of an iteration -----------------------------------------------------------------------------------------------
@kernel
def start(at, nv, n):
    """Set MA = M a and JAR = J a - aref. At the start of the call, JAR contains aref."""
    acc, jar, distance = part(at, ACC, nv), part(at, JAR, n), part(at, JV, padded(n))
    times_inertia(at, part(at, MA, nv), acc, nv)
    times_rows(at, distance, acc, padded(n), nv)
    for r in range(n):
        put_pack(jar, r, pack_at(distance, r) - pack_at(jar, r))


@kernel
def evaluate(at, nv, rows):
    """Return (cost, its inertial part, active rows, rows whose state changed, rows of contacts in the middle zone); the last
    three are counts.

    Writes the states and forces of rows, FORCE, and the change of each row's weight in the Hessian.
    """
    n, plain, contacts, _ = rows
    weight, low, high, loss, jar = part(at, D, n), part(at, LOW, n), part(at, HIGH, n), part(at, LOSS, n), part(at, JAR, n)
    force, state, gain = part(at, ROW_FORCE, padded(n)), part(at, STATE, n), part(at, WEIGHT, n)
    zero, one, half = spread(0.0), spread(1.0), spread(0.5)
    cost, active, changed, cones = zero, zero, zero, zero
    for r in range(plain):
        x, w, f, bound = pack_at(jar, r), pack_at(weight, r), pack_at(loss, r), pack_at(high, r)
        inside, below = (x > pack_at(low, r)) & (x < bound), x <= pack_at(low, r)
        y = w * x
        flat = pick(below, f, -f)
        put_pack(force, r, pick(inside, -y, flat))
        cost = cost + pick(inside, half * y * x, pick(f == zero, zero, -half * bound * f - flat * x))
        before, now = pack_at(state, r), pick(inside, spread(INSIDE), pick(below, spread(BELOW), spread(ABOVE)))
        put_pack(state, r, now)
        put_pack(gain, r, pick(inside, w, zero) - pick(before == spread(INSIDE), w, zero))
        # equality and friction rows are always active
        active = active + pick(inside | (pack_at(low, r) > spread(-inf)), one, zero)
        changed = changed + pick(now == before, zero, one)
    if contacts > 0:
        cost, active, changed, cones = evaluate_cones(at, rows, cost, active, changed)

    # compute the forces on dofs, and the inertial cost
    transposed_rows(at, part(at, FORCE, nv), force, padded(n), nv)
    acc, smooth, pull, Ma = part(at, ACC, nv), part(at, SMOOTH_ACC, nv), part(at, SMOOTH_FORCE, nv), part(at, MA, nv)
    inertial = zero
    for i in range(nv):
        inertial = inertial + half * (pack_at(Ma, i) - pack_at(pull, i)) * (pack_at(acc, i) - pack_at(smooth, i))
    return cost + inertial, inertial, active, changed, cones


@kernel
def hessian(at, nv, rows, cones, first):
    """Update H for the current row states and factor it, with the second derivatives of cones. Return the number of rows added
    to or removed from H. `cones`: not zero if a contact is or was in the middle zone."""
    if first:
        begin_hessian(at, nv)
    updates, some = add_rows(at, nv, padded(rows[0]), first)
    curved = bits_of(cones != spread(0.0)) != 0
    if curved:
        copy_hessian(at, nv)
        add_cones(at, nv, rows)
    if first or some or curved:
        cholesky(at, matrix(at, FACTOR if curved else HESSIAN, nv), nv)
    return updates


@kernel
def gradient(at, nv):
    """writes GRADIENT = M a - forces; returns its length."""
    Ma, pull, force, grad = part(at, MA, nv), part(at, SMOOTH_FORCE, nv), part(at, FORCE, nv), part(at, GRADIENT, nv)
    square = spread(0.0)
    for i in range(nv):
        x = pack_at(Ma, i) - pack_at(pull, i) - pack_at(force, i)
        put_pack(grad, i, x)
        square = square + x * x
    return roots_of(square)


@kernel
def search_direction(m, at, nv, rows, inertial, scale, going):
    """Return (step, evaluations, slope) of the line search along SEARCH; also write MV and JV."""
    n = rows[0]
    search, Mv, Ma, pull = part(at, SEARCH, nv), part(at, MV, nv), part(at, MA, nv), part(at, SMOOTH_FORCE, nv)
    times_inertia(at, Mv, search, nv)
    times_rows(at, part(at, JV, padded(n)), search, padded(n), nv)
    linear = square = size = spread(0.0)
    for i in range(nv):
        x = pack_at(search, i)
        linear = linear + x * (pack_at(Ma, i) - pack_at(pull, i))
        square = square + x * pack_at(Mv, i)
        size = size + x * x
    return search_line(m, at, rows, inertial, linear, spread(0.5) * square, roots_of(size), scale, going)


@kernel
def take_step(at, nv, n, step, going):
    """Move the problems in the mask `going` by `step` along SEARCH."""
    move = mask_of(going)
    acc, search, Ma, Mv = part(at, ACC, nv), part(at, SEARCH, nv), part(at, MA, nv), part(at, MV, nv)
    for i in range(nv):
        a, b = pack_at(acc, i), pack_at(Ma, i)
        put_pack(acc, i, pick(move, a + pack_at(search, i) * step, a))
        put_pack(Ma, i, pick(move, b + pack_at(Mv, i) * step, b))
    jar, Jv = part(at, JAR, n), part(at, JV, n)
    for r in range(n):
        x = pack_at(jar, r)
        put_pack(jar, r, pick(move, x + pack_at(Jv, r) * step, x))
