"""Camera projections: the position of a site in a camera's image, in pixels."""

from math import tan

import numpy as np

from ..machine.jit import inline, stage
from ..machine.lang import load, store
from ..math.vec import mat_t_vec3, sub3
from ..tables.consts import mjMINVAL, mjPI


@stage("vMDi")
def sensor_camera(m, d, i):
    """reads site_xpos, cam_xpos, cam_xmat; writes sensordata of a camera projection, without cutoff."""
    store(d.sensordata, m.sensor_adr[i], pixel(m, d, m.sensor_refid[i], load(d.site_xpos, m.sensor_objid[i], 3)))


@inline
def pixel(m, d, cam, point):
    """Return the image coordinates of a world point, in pixels from the upper left corner; the camera looks along its -z
    axis."""
    x, y, z = mat_t_vec3(load(d.cam_xmat, cam, 9), sub3(point, load(d.cam_xpos, cam, 3)))
    width, height = m.cam_resolution[cam, 0], m.cam_resolution[cam, 1]
    sensor = load(m.cam_sensorsize, cam, 2)
    if sensor[0] != 0 and sensor[1] != 0:
        # Compute in single precision, like the model's fields.
        fx = float(m.cam_intrinsic[cam, 0] / sensor[0] * np.float32(width))
        fy = float(m.cam_intrinsic[cam, 1] / sensor[1] * np.float32(height))
    else:
        fx = fy = 0.5 / tan(m.cam_fovy[cam] * mjPI / 360.0) * height
    depth = z
    if abs(z) < mjMINVAL:
        depth = -mjMINVAL if z < 0 else mjMINVAL
    return (-fx * x + width / 2.0 * z) / depth, (fy * y + height / 2.0 * z) / depth
