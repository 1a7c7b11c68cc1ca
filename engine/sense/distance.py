"""Distance sensors: the smallest signed distance between two geoms or two bodies, its direction, or its end points."""

from ..collide.distance import distance_of_geoms
from ..collide.filter import spheres_apart
from ..collide.flex_pairs import DOUBT
from ..collide.table import user_function
from ..core.stages import OK
from ..machine.jit import inline, kernel, stage
from ..machine.lang import store
from ..math.vec import sub3, unit3
from ..tables.enums import mjtGeom
from .catalog import types
from .common import BODY, POS

DISTANCE, FROMTO = types("distance fromto")
SDF = int(mjtGeom.mjGEOM_SDF)
# The spheres must be farther apart by this fraction of the distance, so that rounding errors leave out no pair.
ROUNDING = 1e-9


@stage("vMDi")
def sensor_distance(m, d, i):
    """reads geom poses; writes sensordata of a distance, normal or fromto sensor, without cutoff (which bounds the search).
    Directly following sensors that measure the same pair share the search, and are written as well.
    """
    if i > 0 and same_search(m, i - 1, i):
        return
    distance, start, end = nearest_pair(m, d, i)
    if d.status != OK:
        return

    # Write the result to all sensors that share the search.
    along = sub3(end, start)
    if along[0] != 0 or along[1] != 0 or along[2] != 0:
        along, _ = unit3(along)
    k = i
    while k < m.nsensor and (k == i or same_search(m, k - 1, k)):
        kind, adr = m.sensor_type[k], m.sensor_adr[k]
        if kind == DISTANCE:
            d.sensordata[adr] = distance
        elif kind == FROMTO:
            store(d.sensordata, adr, start)
            store(d.sensordata, adr + 3, end)
        else:
            store(d.sensordata, adr, along)
        k += 1


@inline
def of_pair(m, i):
    """Return whether sensor i is a distance, normal or fromto sensor and belongs to the position stage."""
    return DISTANCE <= m.sensor_type[i] <= FROMTO and m.sensor_needstage[i] == POS


@inline
def same_search(m, i, j):
    """Return whether two sensors measure the same pair of objects with the same cutoff."""
    return (
        of_pair(m, i)
        and of_pair(m, j)
        and m.sensor_objtype[i] == m.sensor_objtype[j]
        and m.sensor_objid[i] == m.sensor_objid[j]
        and m.sensor_reftype[i] == m.sensor_reftype[j]
        and m.sensor_refid[i] == m.sensor_refid[j]
        and m.sensor_cutoff[i] == m.sensor_cutoff[j]
    )


@inline
def geoms_of(m, kind, i):
    """Return (first geom, number of geoms) of a body or a geom."""
    return (m.body_geomadr[i], m.body_geomnum[i]) if kind == BODY else (i, 1)


@inline
def certainly_beyond(m, d, g1, g2, distance):
    """Return whether two geoms are farther apart than a distance because their bounding spheres are. A user's function or a
    signed distance field may find a smaller distance than that of the spheres, so it is always asked."""
    type1, type2 = m.geom_type[g1], m.geom_type[g2]
    if type1 == SDF or type2 == SDF or user_function(d, min(type1, type2), max(type1, type2)) != 0:
        return False
    return spheres_apart(m, d, g1, g2, distance + DOUBT * m.opt.ccd_tolerance + ROUNDING * abs(distance))


@kernel
def nearest_pair(m, d, i):
    """Return (distance, both end points) of the nearest pair of geoms for sensor i; the cutoff and zeros if no pair is
    nearer."""
    cutoff, point = m.sensor_cutoff[i], (0.0, 0.0, 0.0)
    best, start, end = cutoff, point, point
    first1, count1 = geoms_of(m, m.sensor_objtype[i], m.sensor_objid[i])
    first2, count2 = geoms_of(m, m.sensor_reftype[i], m.sensor_refid[i])
    for g1 in range(first1, first1 + count1):
        for g2 in range(first2, first2 + count2):
            if certainly_beyond(m, d, g1, g2, best):
                continue
            x, p, q = distance_of_geoms(m, d, g1, g2, cutoff)
            if x < best:
                best, start, end = x, p, q
    return best, start, end
