"""Signed distance of two geoms."""

from ..core.stages import stage_address
from ..geom.support import CELLS
from ..machine.jit import kernel, stage
from ..machine.lang import address_of, array_at, invoke_pair, load, store
from ..math.vec import add_scaled3
from ..tables.enums import mjtDisableBit
from ..tables.stage_rows import stage_id
from .ccd import FAR_SIDE
from .convex import place_geom
from .manifold import DIST, NORMAL, POS, ROW
from .table import FAMILY, NONE, pair_function, user_function

NATIVECCD = int(mjtDisableBit.mjDSBL_NATIVECCD)
CCD, CONVEX, BOXES = stage_id("ccd"), stage_id("collide_convex"), stage_id("collide_box_box")
NOWHERE = (0.0, 0.0, 0.0)


@kernel
def distance_of_geoms(m, d, g1, g2, limit):
    """Return (distance, nearest point of g1, nearest point of g2). If the distance is `limit` or more, return `limit` and
    zeros.

    Convex pairs are measured by GJK, other pairs by their (or the user's) collision function, with the limit as margin.

    writes manifold, shapes, witness. If a needed stage is not loaded yet, sets the status of the Data.
    """
    flip = m.geom_type[g1] > m.geom_type[g2]
    low, high = (g2, g1) if flip else (g1, g2)
    type1, type2 = m.geom_type[low], m.geom_type[high]
    family = FAMILY[type1, type2]

    # Convex pairs use GJK.
    if user_function(d, type1, type2) == 0 and (family == CONVEX or family == BOXES) and not m.opt.disableflags & NATIVECCD:
        address = stage_address(d, CCD)
        if address == 0:
            return limit, NOWHERE, NOWHERE
        a, b = address_of(d.shapes, 0), address_of(d.shapes, CELLS)
        place_geom(m, d, a, g1, 0.0)
        place_geom(m, d, b, g2, 0.0)
        d.ccd_contacts = 1
        if invoke_pair(address, m, d, a, b, limit) > 0:
            return min(d.ccd_dist, limit), load(d.witness, 0, 3), load(d.witness, FAR_SIDE, 3)
        return min(d.ccd_dist, limit), NOWHERE, NOWHERE

    # For other pairs, take the deepest row of their collision function.
    address = pair_function(d, type1, type2)
    if address == 0 or address == NONE:
        return limit, NOWHERE, NOWHERE
    count = invoke_pair(address, m, d, low, high, limit)
    best, dist, rows = -1, limit, d.manifold
    for k in range(count):
        if rows[ROW * k + DIST] < dist:
            best, dist = k, rows[ROW * k + DIST]
    if best < 0:
        return limit, NOWHERE, NOWHERE
    place, normal, half = (
        load(rows, ROW * best + POS, 3),
        load(rows, ROW * best + NORMAL, 3),
        -0.5 * dist if flip else 0.5 * dist,
    )
    return dist, add_scaled3(place, normal, -half), add_scaled3(place, normal, half)


@stage("fMDiifi")
def geom_distance(m, d, g1, g2, limit, points):
    """reads geom poses; writes manifold, shapes, witness, and both nearest points (6 numbers) at address `points` unless that
    is 0.

    Returns the distance.
    """
    dist, p, q = distance_of_geoms(m, d, g1, g2, limit)
    if points:
        target = array_at(points, 6)
        store(target, 0, p)
        store(target, 3, q)
    return dist
