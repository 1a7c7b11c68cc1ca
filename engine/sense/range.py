"""Range finders: distance of the nearest geom along a site's z axis."""
from ..collide.ray import ray_scene
from ..core.jit import stage
from ..core.lang import load
from ..math.vec import column3


@stage("vMDi")
def sensor_range(m, d, i):
    """reads site and geom poses; writes sensordata of a range finder, without cutoff; -1 where nothing is hit."""
    site = m.sensor_objid[i]
    along = column3(load(d.site_xmat, site, 9), 2)
    x, _ = ray_scene(m, d, load(d.site_xpos, site, 3), along, 0, True, m.site_bodyid[site])
    d.sensordata[m.sensor_adr[i]] = x
