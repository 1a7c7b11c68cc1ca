"""Broad phase: finds pairs of bodies (and flexes, numbered after the bodies) whose boxes along the scene's principal axes
overlap.
"""

from ..core.stages import GROW
from ..dynamics.awake import AWAKE, flex_asleep, flex_state, flexes_rest
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, small, small_int, store
from ..math.eigen import axes3
from ..math.order import settle_keys, sort_keys
from ..math.vec import dot3, sub3
from ..tables.enums import mjtDisableBit, mjtEnableBit, mjtGeom, mjtSleepState
from .filter import OUTSIDE, STILL, bodies_apart, immovable, masks_meet, weld_and_parent
from .sweep import LOW, MOVES, close_box, gather_close, least_room, open_box, sort_ends
from .swept import speculates, swept_interval

PLANE = int(mjtGeom.mjGEOM_PLANE)
FILTERPARENT = int(mjtDisableBit.mjDSBL_FILTERPARENT)
OVERRIDE, SLEEP = int(mjtEnableBit.mjENBL_OVERRIDE), int(mjtEnableBit.mjENBL_SLEEP)
ASLEEP = int(mjtSleepState.mjS_ASLEEP)
# up to this number, pairs are sorted without grouping them by body first
FEW = 32
# columns of broad_filter
WELD, PARENT, CONTYPE, AFFINITY, MARKS = range(5)
# marks: of a body that is asleep; of one without dofs, which does not collide with other marked ones; of what does not move, so
# that a flex does not collide with it if the flex has the mark, too
RESTS, FIXED, IDLE = 1, 2, 4
# weld group of a flex, less its number
FLEX = -1
# Up to this number of boxes, comparing all pairs is faster than sorting.
FEW_BOXES = 32


@inline
def masks(m, b):
    """Return (contype, conaffinity) of a body or flex."""
    if b < m.nbody:
        return m.body_contype[b], m.body_conaffinity[b]
    return m.flex_contype[b - m.nbody], m.flex_conaffinity[b - m.nbody]


@inline
def may_collide(m, b):
    contype, affinity = masks(m, b)
    return contype != 0 or affinity != 0


@kernel
def add_pair(m, d, b1, b2):
    """Append a pair of bodies to broad_pair; pairs beyond its capacity are only counted."""
    type1, affinity1 = masks(m, b1)
    type2, affinity2 = masks(m, b2)
    if masks_meet(type1, affinity1, type2, affinity2):
        if d.nbroad < d.nbroad_cap:
            d.broad_pair[d.nbroad] = (min(b1, b2) << 16) + max(b1, b2)
        d.nbroad += 1


@inline
def asleep(m, d, b):
    return (m.opt.enableflags & SLEEP) != 0 and d.body_awake[b] == ASLEEP


@inline
def moving(m, d, b):
    """Return whether a body or flex has dofs and is awake."""
    if b < m.nbody:
        return m.body_treeid[b] >= 0 and d.body_awake[b] == AWAKE
    return flex_state(m, d, b - m.nbody) == AWAKE


@kernel
def pair_with_ground(m, d, skip_parents):
    """Pair every moving body or flex with the world, and with fixed or mocap bodies that have a plane."""
    for ground in range(m.nbody):
        weld1, parent1 = weld_and_parent(m, ground)
        if not immovable(m, weld1) or not may_collide(m, ground):
            continue
        endless = ground == 0 and m.body_geomnum[0] > 0
        for g in range(m.body_geomadr[ground], m.body_geomadr[ground] + m.body_geomnum[ground]):
            endless = endless or m.geom_type[g] == PLANE
        if not endless:
            continue
        for b in range(m.nbody):
            if may_collide(m, b):
                weld, parent = weld_and_parent(m, b)
                if not (m.compat_bits & STILL and m.body_dofnum[weld] == 0) and not bodies_apart(
                    weld1, parent1, weld1 == 0, weld, parent, asleep(m, d, b), skip_parents
                ):
                    add_pair(m, d, ground, b)
        for f in range(m.nflex):
            if not flex_asleep(m, d, f):
                add_pair(m, d, ground, m.nbody + f)


@inline
def add_moments(sums, p, origin):
    """Add a point to (3 sums of coordinates relative to an origin, 6 sums of their products)."""
    x, y, z = sub3(p, origin)
    sx, sy, sz, a, b, c, e, f, h = sums
    return sx + x, sy + y, sz + z, a + x * x, b + x * y, c + x * z, e + y * y, f + y * z, h + z * z


@kernel
def main_axes(m, d):
    """Return (principal axes, in columns, of the centers of all geoms and flex vertices outside the world body; count of these
    points)."""
    first = m.body_geomnum[0]
    count, sums = m.ngeom - first, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    origin = load(d.geom_xpos, first, 3) if count else (0.0, 0.0, 0.0)

    # Sum up the moments relative to one of the points, so that rounding does not depend on the scene's place in the world.
    for g in range(first, m.ngeom):
        sums = add_moments(sums, load(d.geom_xpos, g, 3), origin)
    for v in range(m.nflexvert):
        if m.flex_vertbodyid[v]:
            if count == 0:
                origin = load(d.flexvert_xpos, v, 3)
            sums = add_moments(sums, load(d.flexvert_xpos, v, 3), origin)
            count += 1
    if count == 0:
        return (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), 0

    # Find the principal axes of the points' covariance.
    s = 1.0 / count
    x, y, z, a, b, c, e, f, h = sums
    x, y, z = x * s, y * s, z * s
    a, b, c = a * s - x * x, b * s - x * y, c * s - x * z
    e, f, h = e * s - y * y, f * s - y * z, h * s - z * z
    return axes3((a, b, c, b, e, f, c, f, h)), count


@kernel
def box_of(m, d, b, frame):
    """Return the bounds of a body or flex along the rows of a frame matrix: (3 lower, 3 upper).

    The bounds enclose the bounding spheres of a body's geoms (or the geoms' paths, if contacts are sought ahead of time), or a
    flex's vertices.
    """
    override = (m.opt.enableflags & OVERRIDE) != 0
    swept, big = speculates(m), 1e300
    x0 = y0 = z0 = big
    x1 = y1 = z1 = -big
    rx, ry, rz = (frame[0], frame[1], frame[2]), (frame[3], frame[4], frame[5]), (frame[6], frame[7], frame[8])

    # Enclose the geoms of a body, or the vertices of a flex.
    flex = b >= m.nbody
    f = b - m.nbody
    start = m.flex_vertadr[f] if flex else m.body_geomadr[b]
    count = m.flex_vertnum[f] if flex else m.body_geomnum[b]
    for i in range(start, start + count):
        p = load(d.flexvert_xpos, i, 3) if flex else load(d.geom_xpos, i, 3)
        r = m.flex_radius[f] if flex else m.geom_rbound[i]
        if override:
            margin = 0.5 * m.opt.o_margin
        else:
            margin = m.flex_margin[f] if flex else m.geom_margin[i]
        if m.compat_bits & OUTSIDE:
            margin += m.flex_gap[f] if flex else m.geom_gap[i]
        x, y, z = dot3(p, rx), dot3(p, ry), dot3(p, rz)
        if swept and not flex:
            (a, b1), (c, e), (h, k) = swept_interval(m, d, i, rx), swept_interval(m, d, i, ry), swept_interval(m, d, i, rz)
            x0, y0, z0 = min(x0, a - margin), min(y0, c - margin), min(z0, h - margin)
            x1, y1, z1 = max(x1, b1 + margin), max(y1, e + margin), max(z1, k + margin)
            continue
        x0, y0, z0 = min(x0, x - r - margin), min(y0, y - r - margin), min(z0, z - r - margin)
        x1, y1, z1 = max(x1, x + r + margin), max(y1, y + r + margin), max(z1, z + r + margin)
    return x0, y0, z0, x1, y1, z1


@inline
def list_filter(m, d, i):
    """writes row i of broad_filter: what decides whether the body or flex of box i may collide."""
    kept, b = d.broad_filter, d.broad_body[i]
    kept[i, CONTYPE], kept[i, AFFINITY] = masks(m, b)
    kept[i, MARKS] = IDLE if m.nflex > 0 and flexes_rest(m, d) and not moving(m, d, b) else 0
    if b < m.nbody:
        weld, parent = weld_and_parent(m, b)
        kept[i, WELD], kept[i, PARENT] = weld, parent
        if m.compat_bits & STILL and m.body_dofnum[weld] == 0:
            kept[i, MARKS] |= FIXED
        if asleep(m, d, b):
            kept[i, MARKS] |= RESTS
    else:
        kept[i, WELD], kept[i, PARENT] = FLEX - b, FLEX


@inline
def may_touch(kept, i, j, skip_parents):
    """Return whether the bodies or flexes of two boxes pass all filters."""
    weld1, weld2, both = kept[i, WELD], kept[j, WELD], kept[i, MARKS] & kept[j, MARKS]
    return (
        masks_meet(kept[i, CONTYPE], kept[i, AFFINITY], kept[j, CONTYPE], kept[j, AFFINITY])
        and not both & FIXED
        and not (both & IDLE and (weld1 < 0 or weld2 < 0))
        and not bodies_apart(
            weld1, kept[i, PARENT], kept[i, MARKS] & RESTS, weld2, kept[j, PARENT], kept[j, MARKS] & RESTS, skip_parents
        )
    )


@kernel
def add_close(d, i, found, skip_parents):
    """Add those pairs of box i and the `found` boxes in tree_stack that pass the filters."""
    body, close, pairs, count, b1 = d.broad_body, d.tree_stack, d.broad_pair, d.nbroad, d.broad_body[i]
    for k in range(found):
        j = close[k, 0]
        if may_touch(d.broad_filter, i, j, skip_parents):
            if count < d.nbroad_cap:
                pairs[count] = (min(b1, body[j]) << 16) + max(b1, body[j])
            count += 1
    d.nbroad = count


@kernel
def compare_all(m, d, n, skip_parents):
    """Add those pairs of the first n boxes, all of bodies, that overlap and pass the filters, by comparing all pairs."""
    box, pairs, still = d.broad_box, d.broad_pair, m.compat_bits & STILL != 0
    body, weld, parent, rest = small_int(FEW_BOXES), small_int(FEW_BOXES), small_int(FEW_BOXES), small_int(FEW_BOXES)
    contype, affinity, meets = small_int(FEW_BOXES), small_int(FEW_BOXES), small_int(FEW_BOXES)
    x0, y0, z0 = small(FEW_BOXES), small(FEW_BOXES), small(FEW_BOXES)
    x1, y1, z1 = small(FEW_BOXES), small(FEW_BOXES), small(FEW_BOXES)
    for i in range(n):
        b = d.broad_body[i]
        x0[i], y0[i], z0[i], x1[i], y1[i], z1[i] = load(box, i, 6)
        body[i], rest[i], contype[i], affinity[i] = b, asleep(m, d, b), m.body_contype[b], m.body_conaffinity[b]
        weld[i], parent[i] = weld_and_parent(m, b)
        # Since 3.12, bodies without dofs do not collide with each other.
        if still and m.body_dofnum[weld[i]] == 0:
            rest[i] |= FIXED

    # Bodies are in ascending order, so the pairs are too.
    count = d.nbroad
    for i in range(n - 1):
        # This loop has no branches, so several boxes are compared at a time.
        for j in range(i + 1, n):
            aside = (x0[j] > x1[i]) | (x0[i] > x1[j])
            meets[j] = 1 - (aside | (y0[j] > y1[i]) | (y0[i] > y1[j]) | (z0[j] > z1[i]) | (z0[i] > z1[j]))
        for j in range(i + 1, n):
            if (
                meets[j]
                and masks_meet(contype[i], affinity[i], contype[j], affinity[j])
                and not rest[i] & rest[j] & FIXED
                and not bodies_apart(weld[i], parent[i], rest[i] & 1, weld[j], parent[j], rest[j] & 1, skip_parents)
            ):
                if count < d.nbroad_cap:
                    pairs[count] = (body[i] << 16) + body[j]
                count += 1
    d.nbroad = count


@kernel
def sweep(m, d, n, skip_parents):
    """Add those pairs of the first n boxes that overlap and pass the filters."""
    for i in range(n):
        list_filter(m, d, i)
    keys, count = d.broad_key, 0
    sort_ends(keys, d.broad_merge, d.broad_box, n)
    for k in range(2 * n):
        i = (keys[k] & LOW) >> 1
        if keys[k] & 1:
            count = close_box(d, i, count)
        else:
            add_close(d, i, gather_close(d, i, count), skip_parents)
            count = open_box(d, i, count, k)


@kernel
def sort_pairs(d, total):
    """Sort broad_pair: group the pairs by their first id (below `total`), then sort within each group."""
    pairs, dealt, end, n = d.broad_pair, d.broad_merge, d.broad_active, d.nbroad
    if n <= FEW:
        sort_keys(pairs, dealt, n)
        return
    # Pairs of few boxes are in order, unless a fixed body has a plane.
    if settle_keys(pairs, n, FEW):
        return

    # `end`: at first the start of each group; copying the pairs advances it to the end of the group.
    for b in range(total):
        end[b] = 0
    for k in range(n):
        end[pairs[k] >> 16] += 1
    a = 0
    for b in range(total):
        a, end[b] = a + end[b], a
    for k in range(n):
        b = pairs[k] >> 16
        dealt[end[b]] = pairs[k]
        end[b] += 1

    # Sort within groups by insertion, because most are short. The long groups of the ground are already in order.
    if not settle_keys(dealt, n, MOVES * n):
        sort_keys(dealt, d.tree_pair, n)
    for k in range(n):
        pairs[k] = dealt[k]


@stage
def broad_phase(m, d):
    """reads geom_xpos, flexvert_xpos, body_awake; writes broad_pair in increasing order, nbroad, broad_key, broad_merge,
    broad_body, broad_filter, broad_active, broad_place, broad_open, broad_box, tree_stack, tree_pair. With many boxes, starts
    from the order in broad_key if that is still usable.

    A pair is (first id << 16) + second id; some occur more than once.
    """
    d.nbroad = 0
    total = m.nbody + m.nflex
    if least_room(total) > d.nbroad_cap:
        d.need_broad = least_room(total)
        d.status = GROW
        return

    # Pair bodies that have planes first, because planes have no box.
    skip_parents = (m.opt.disableflags & FILTERPARENT) == 0
    pair_with_ground(m, d, skip_parents)
    frame, count = main_axes(m, d)

    # Find all other pairs by comparing boxes.
    if count:
        n = 0
        for b in range(1, total):
            if may_collide(m, b):
                d.broad_body[n] = b
                store(d.broad_box, n, box_of(m, d, b, frame))
                n += 1
        if n <= FEW_BOXES and m.nflex == 0:
            compare_all(m, d, n, skip_parents)
        else:
            sweep(m, d, n, skip_parents)

    # If there is not enough memory for all pairs, request more.
    if d.nbroad > d.nbroad_cap:
        d.need_broad = d.nbroad
        d.status = GROW
    elif count:
        sort_pairs(d, total)
