"""Range finders: distance of the nearest geom along a site's z axis."""
from ..collide.ray import ray_scene
from ..core.jit import stage
from ..core.lang import load
from ..math.vec import column3
from .catalog import types
from .common import POS, skipped

(RANGEFINDER,) = types("rangefinder")


@stage
def sensor_range(m, d):
    """reads site and geom poses; writes sensordata of range finders, without cutoff; -1 where nothing is hit."""
    for i in range(m.nsensor):
        if m.sensor_type[i] != RANGEFINDER or skipped(m, d, i, POS):
            continue
        site = m.sensor_objid[i]
        along = column3(load(d.site_xmat, site, 9), 2)
        x, _ = ray_scene(m, d, load(d.site_xpos, site, 3), along, 0, True, m.site_bodyid[site])
        d.sensordata[m.sensor_adr[i]] = x
