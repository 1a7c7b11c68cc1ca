"""Inside-site sensors: whether the origin of an object lies in a site's shape."""

from ..dynamics.objects import object_pose
from ..machine.jit import stage
from ..machine.lang import load
from .zones import inside


@stage("vMDi")
def sensor_inside(m, d, i):
    """reads poses; writes sensordata of an inside-site sensor, without cutoff: 1 inside, 0 outside."""
    site = m.sensor_refid[i]
    point, _ = object_pose(d, m.sensor_objtype[i], m.sensor_objid[i])
    hit = inside(load(d.site_xpos, site, 3), load(d.site_xmat, site, 9), load(m.site_size, site, 3), m.site_type[site], point)
    d.sensordata[m.sensor_adr[i]] = 1.0 if hit else 0.0
