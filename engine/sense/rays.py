"""Range finders as extended after MuJoCo 3.4: a ray for each pixel of a camera, and several quantities for each ray."""

from math import tan

import numpy as np

from ..collide.ray import ray_scene
from ..collide.ray_normal import geom_normal
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, store
from ..math.vec import add_scaled3, column3, mat_vec3, scale3, unit3
from ..tables.consts import mjPI
from ..tables.enums import mjtObj
from .catalog import RAY_FIELDS

CAMERA = int(mjtObj.mjOBJ_CAMERA)
DIST, DIR, ORIGIN, POINT, NORMAL, DEPTH = (1 << k for k in range(len(RAY_FIELDS)))
NOTHING = (0.0, 0.0, 0.0)


@stage("vMDi")
def sensor_rays(m, d, i):
    """reads site, camera and geom poses; writes sensordata of a range finder with data or a camera, without cutoff."""
    obj, at = m.sensor_objid[i], m.sensor_adr[i]
    end = at + m.sensor_dim[i]
    if m.sensor_objtype[i] != CAMERA:
        along = column3(load(d.site_xmat, obj, 9), 2)
        report(m, d, i, at, end, load(d.site_xpos, obj, 3), along, 1.0, m.site_bodyid[obj])
        return

    # Cast a ray for each pixel.
    width, height = int(m.cam_resolution[obj, 0]), int(m.cam_resolution[obj, 1])
    mat, eye = load(d.cam_xmat, obj, 9), load(d.cam_xpos, obj, 3)
    flat = m.cam_orthographic[obj] != 0
    for row in range(height):
        for column in range(width):
            if flat:
                span = m.cam_fovy[obj]
                x, y = ((column + 0.5) / width - 0.5) * span, (0.5 - (row + 0.5) / height) * span
                start, along, share = (
                    add_scaled3(add_scaled3(eye, column3(mat, 0), x), column3(mat, 1), y),
                    scale3(column3(mat, 2), -1.0),
                    1.0,
                )
            else:
                v = pixel_ray(m, obj, column + 0.5, row + 0.5, width, height)
                start, along, share = eye, mat_vec3(mat, v), -v[2]
            at = report(m, d, i, at, end, start, along, share, m.cam_bodyid[obj])


@kernel
def pixel_ray(m, cam, x, y, width, height):
    """Return the unit vector through a point of an image, given in pixels from the upper left corner, in the camera's frame."""
    sensor = load(m.cam_sensorsize, cam, 2)
    if sensor[0] != 0 and sensor[1] != 0:
        # Compute in single precision, like the model's fields.
        fx = float(m.cam_intrinsic[cam, 0] / sensor[0] * np.float32(width))
        fy = float(m.cam_intrinsic[cam, 1] / sensor[1] * np.float32(height))
        cx = float(m.cam_intrinsic[cam, 2] / sensor[0] * np.float32(width))
        cy = float(m.cam_intrinsic[cam, 3] / sensor[1] * np.float32(height))
    else:
        fx = fy = 0.5 / tan(m.cam_fovy[cam] * mjPI / 360.0) * height
        cx, cy = 0.5 * width, 0.5 * height
    v, _ = unit3(((x - cx) / fx, (cy - y) / fy, -1.0))
    return v


@inline
def put(d, at, end, v):
    """Write three numbers if they fit before `end`; return the next address."""
    if at + 3 <= end:
        store(d.sensordata, at, v)
    return at + 3


@inline
def put_one(d, at, end, x):
    if at < end:
        d.sensordata[at] = x
    return at + 1


@kernel
def report(m, d, i, at, end, start, along, share, body):
    """Cast a ray and write its quantities, starting at address `at`; return the next address.

    `share`: ratio of depth along the camera's axis to distance along the ray.
    """
    fields = m.sensor_intprm[i, 0]
    x, g = ray_scene(m, d, start, along, 0, True, body)
    hit = x >= 0
    if fields & DIST or fields == 0:
        at = put_one(d, at, end, x)
    if fields & DIR:
        at = put(d, at, end, along if hit else NOTHING)
    if fields & ORIGIN:
        at = put(d, at, end, start)
    point = add_scaled3(start, along, x) if hit else NOTHING
    if fields & POINT:
        at = put(d, at, end, point)
    if fields & NORMAL:
        at = put(d, at, end, geom_normal(m, d, g, point) if hit else NOTHING)
    if fields & DEPTH:
        at = put_one(d, at, end, x * share if hit else x)
    return at
