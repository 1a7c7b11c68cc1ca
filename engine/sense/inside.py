"""Inside-site sensors: whether the origin of an object lies in a site's shape."""

from ..dynamics.objects import object_pose
from ..machine.jit import stage
from ..machine.lang import load
from ..tables.compat_rows import bit
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtObj
from .zones import inside

BODY, LIGHT = int(mjtObj.mjOBJ_BODY), bit("inside_mass")


@stage("vMDi")
def sensor_inside(m, d, i):
    """reads poses; writes sensordata of an inside-site sensor, without cutoff: 1 inside, 0 outside."""
    site = m.sensor_refid[i]
    point, _ = object_pose(d, m.sensor_objtype[i], m.sensor_objid[i])
    b = m.sensor_objid[i]
    if m.compat_bits & LIGHT and m.sensor_objtype[i] == BODY and b > 0:
        # a body without mass is represented by the bodies below it, such as those of a flex's vertices
        if m.body_mass[b] < mjMINVAL and m.body_subtreemass[b] >= mjMINVAL:
            point = load(d.subtree_com, b, 3)
    hit = inside(load(d.site_xpos, site, 3), load(d.site_xmat, site, 9), load(m.site_size, site, 3), m.site_type[site], point)
    d.sensordata[m.sensor_adr[i]] = 1.0 if hit else 0.0
