"""Range finders: distance of the nearest geom along a site's z axis.

For other data, or a ray for each pixel of a camera, see `rays`.
"""

from ..collide.ray import ray_scene
from ..core.stages import run_for
from ..machine.jit import stage
from ..machine.lang import load
from ..math.vec import column3
from ..tables.enums import mjtObj
from ..tables.stage_rows import stage_id

SITE, RAYS = int(mjtObj.mjOBJ_SITE), stage_id("sensor_rays")
# Bit of the distance, the first quantity that a range finder may report.
DISTANCE = 1


@stage("vMDi")
def sensor_range(m, d, i):
    """reads site and geom poses; writes sensordata of a range finder, without cutoff; -1 where nothing is hit."""
    if m.sensor_objtype[i] != SITE or m.sensor_intprm[i, 0] > DISTANCE:
        run_for(m, d, RAYS, i)
        return
    site = m.sensor_objid[i]
    along = column3(load(d.site_xmat, site, 9), 2)
    x, _ = ray_scene(m, d, load(d.site_xpos, site, 3), along, 0, True, m.site_bodyid[site])
    d.sensordata[m.sensor_adr[i]] = x
