"""The general convex collision function: GJK for shapes that are apart or barely touch, EPA for penetration, further contacts
on request."""

from ..core.stages import GROW, stage_address
from ..geom.support import CAPSULE, KIND, LINE, MARGIN, POINT, SIZE, SPHERE, integers, numbers
from ..machine.jit import inline, stage
from ..machine.lang import address_of, invoke_pair, load, small, store
from ..math.vec import add_scaled3, sub3, unit3
from ..tables.compat_rows import bit
from ..tables.stage_rows import stage_id
from .epa import FOUND, NOT_STARTED, epa, room_for
from .gjk import FAR, SIMPLEX_CELLS, WIDTH, gjk

MULTI, CLIP = stage_id("ccd_multi"), stage_id("ccd_clip")
CLIPS, NEAREST = bit("multi_clip"), bit("last_face")
FAR_SIDE = 150  # start of the second shape's points in `witness`


@inline
def shrink(shape, bare):
    """Shrink a sphere to a point or a capsule to a line; return the removed radius and margin.

    Other shapes lose their margin only if `bare` is set (since 4.0).
    """
    block, ints = numbers(shape), integers(shape)
    kind = ints[KIND]
    taken = 0.5 * block[MARGIN]
    if kind == SPHERE or kind == CAPSULE:
        ints[KIND] = POINT if kind == SPHERE else LINE
        taken += block[SIZE]
    elif not bare:
        return 0.0
    block[MARGIN] = 0.0
    return taken


@inline
def restore(shape, margin):
    """Undo `shrink`."""
    block, ints = numbers(shape), integers(shape)
    block[MARGIN] = margin
    if ints[KIND] == POINT:
        ints[KIND] = SPHERE
    elif ints[KIND] == LINE:
        ints[KIND] = CAPSULE


@inline
def inflate(witness, taken1, taken2):
    """Move the nearest points of two shrunk shapes to their surfaces."""
    p, q = load(witness, 0, 3), load(witness, FAR_SIDE, 3)
    n, _ = unit3(sub3(q, p))
    store(witness, 0, add_scaled3(p, n, taken1))
    store(witness, FAR_SIDE, add_scaled3(q, n, -taken2))


@inline
def keep_corners(simplex, n, corners):
    """Write the corners of each shape's nearest feature (corner, edge or face)."""
    for k in range(3):
        store(corners, WIDTH * k, load(simplex, WIDTH * min(k, n - 1), WIDTH))


@stage("iMDiif")
def ccd(m, d, a, b, cutoff):
    """reads shape blocks at addresses a and b, ccd_contacts, ccd_newer; writes ccd_dist, witness, ccd_corners.

    Sets ccd_dist to the signed distance, or to FAR beyond the cutoff. With cutoff 0, ccd_dist only tells whether the shapes
    overlap; it is also the depth unless ccd_contacts (the number of requested contacts) is 0. If it is FAR then, witness begins
    with the normal of a separating plane. Returns the number of point pairs found, or -1 if the step must stop.
    """
    simplex, weights, witness, corners = small(SIMPLEX_CELLS), small(4), d.witness, d.ccd_corners
    tolerance, limit = m.opt.ccd_tolerance, m.opt.ccd_iterations
    clips, sound = m.compat_bits & CLIPS != 0 or d.ccd_newer != 0, m.compat_bits & NEAREST != 0 or d.ccd_newer != 0
    margin1, margin2 = numbers(a)[MARGIN], numbers(b)[MARGIN]

    # First try round shapes without their radius: while the cores are apart, GJK alone gives the contact. Since 4.0, this also
    # applies to all shapes with a margin.
    taken1, taken2 = shrink(a, sound), shrink(b, sound)
    if taken1 > 0 or taken2 > 0:
        dist, n, _ = gjk(a, b, simplex, weights, witness, FAR_SIDE, cutoff + (taken1 + taken2), tolerance, limit, sound)
        restore(a, margin1)
        restore(b, margin2)
        if dist > tolerance:
            # The cores are apart, so any penetration is shallow.
            if dist < FAR:
                inflate(witness, taken1, taken2)
                if cutoff == 0 and dist > taken1 + taken2:
                    # with cutoff 0, the caller needs only the direction of a separating plane
                    store(witness, 0, sub3(load(witness, 0, 3), load(witness, FAR_SIDE, 3)))
            found = 1 if dist < FAR else 0
            dist -= taken1 + taken2
            if d.ccd_newer:
                keep_corners(simplex, n, corners)
            d.ccd_dist = FAR if dist > cutoff else dist
            if clips and d.ccd_contacts > 1 and dist < 0:
                keep_corners(simplex, n, corners)
                address = stage_address(d, CLIP)
                return invoke_pair(address, m, d, a, b, dist) if address else -1
            return found
        if d.ccd_contacts == 0:
            d.ccd_dist = 0.0
            return 0

    # Otherwise, measure the distance of the complete shapes.
    dist, n, apart = gjk(a, b, simplex, weights, witness, FAR_SIDE, cutoff, tolerance, limit, sound)
    d.ccd_dist = dist
    if d.ccd_newer and n > 0:
        keep_corners(simplex, n, corners)
    if d.ccd_contacts == 0 or dist > tolerance or n < 2 or apart:
        return 1 if dist < FAR else 0

    # The shapes overlap: EPA finds the depth.
    d.need_epa = room_for(limit)
    if d.need_epa > d.nepa_cap:
        d.status = GROW
        return -1
    dist, outcome = epa(a, b, simplex, n, witness, FAR_SIDE, corners, tolerance, limit, address_of(d.epa_room, 0), sound)
    d.ccd_dist = dist
    if outcome != FOUND:
        # If the shapes barely touch, the nearest points found by GJK remain valid.
        return 1 if outcome == NOT_STARTED else 0

    # Make further contacts from the facing sides of the shapes.
    if d.ccd_contacts > 1:
        address = stage_address(d, CLIP if clips else MULTI)
        return invoke_pair(address, m, d, a, b, dist) if address else -1
    return 1
