"""Touch sensors: the sum of normal forces of contacts in a zone around a site."""

from ..dynamics.objects import contact_wrench
from ..geom.ray_shape import ray_shape
from ..machine.jit import stage
from ..machine.lang import load
from ..math.vec import scale3, unit3


@stage("vMDi")
def sensor_touch(m, d, i):
    """reads contacts, efc_force, site poses; writes sensordata of a touch sensor, without cutoff."""
    site = m.sensor_objid[i]
    body = m.site_bodyid[site]
    pos, mat, size = load(d.site_xpos, site, 3), load(d.site_xmat, site, 9), load(m.site_size, site, 3)

    total = 0.0
    for k in range(d.ncon):
        g1, g2 = d.contact_geom[k, 0], d.contact_geom[k, 1]
        first, second = g1 >= 0 and m.geom_bodyid[g1] == body, g2 >= 0 and m.geom_bodyid[g2] == body
        if d.contact_efc_address[k] < 0 or not (first or second):
            continue
        force = contact_wrench(m, d, k)[0]
        if force <= 0:
            continue
        # Count a contact if a ray from the contact point along its force, pointing out of the sensor's body, hits the zone.
        ray, _ = unit3(scale3(load(d.contact_frame, k, 3), force))
        hit = ray_shape(m.site_type[site], pos, mat, size, load(d.contact_pos, k, 3), scale3(ray, -1.0) if second else ray)
        if hit >= 0:
            total += force
    d.sensordata[m.sensor_adr[i]] = total
