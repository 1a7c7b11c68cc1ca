"""mujoco.sensor.touch_grid: contact forces on a site's body, in a grid of directions seen from the site.

The site looks along its negative z axis. Columns are azimuths (towards +x), rows elevations (towards +y). Up to six
channels: force and torque along the contact's normal and two tangents. `fov` is the field of view (degrees to each side);
`gamma` makes cells near the middle smaller.
"""

from math import atan2, pi, sqrt
from typing import Any

import numpy as np

from ..core.plugin import mjpPlugin, number, numbers
from ..core.stages import instance_data
from ..dynamics.objects import contact_wrench, head3, tail3
from ..machine.jit import inline, kernel, stage
from ..machine.lang import array_at, load
from ..math.vec import coordinate3, mat_t_vec3, sub3
from ..tables.enums import mjtObj, mjtPluginCapabilityBit, mjtSensor, mjtStage

PLUGIN_SENSOR, SITE = int(mjtSensor.mjSENS_PLUGIN), int(mjtObj.mjOBJ_SITE)
# cells of an instance's data: header, then angles between columns, angles between rows, distances and counts
CHANNELS, COLUMNS, ROWS, SENSOR, HEAD = range(5)


@inline
def bin_of(edges, start, count, x):
    """Return the index of the interval that contains x, or -1. The `count` sorted interval ends begin at edges[start]."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if x <= edges[start + middle]:
            high = middle
        else:
            low = middle + 1
    return -1 if low == 0 or low == count else low - 1


@inline
def into_site(frame, mat, v):
    """Convert a vector from the contact's frame to the site's frame; return its coordinates in the order (z, x, y)."""
    x = mat_t_vec3(mat, mat_t_vec3(frame, v))
    return x[2], x[0], x[1]


@kernel
def add_contact(m, d, c, site, p, out, body):
    """Add the wrench of contact c to the cell that contains the contact's direction, as seen from the site."""
    # Find the cell.
    columns, rows = int(p[COLUMNS]), int(p[ROWS])
    mat, frame = load(d.site_xmat, site, 9), load(d.contact_frame, c, 9)
    x, y, z = mat_t_vec3(mat, sub3(load(d.contact_pos, c, 3), load(d.site_xpos, site, 3)))
    level = x * x + z * z
    i = bin_of(p, HEAD, columns + 1, atan2(x, -z))
    j = bin_of(p, HEAD + columns + 1, rows + 1, atan2(y, sqrt(level)))
    if i < 0 or j < 0:
        return
    cell, size = j * columns + i, rows * columns
    b1, b2 = m.geom_bodyid[d.contact_geom[c, 0]], m.geom_bodyid[d.contact_geom[c, 1]]
    # Contact forces act on the second geom: negate them if the site's body has the first one.
    sign = -1.0 if body < max(b1, b2) else 1.0
    wrench = contact_wrench(m, d, c)
    force = into_site(frame, mat, head3(wrench))
    torque = into_site(frame, mat, tail3(wrench))
    for k in range(int(p[CHANNELS])):
        value = coordinate3(force, k) if k < 3 else coordinate3(torque, k - 3)
        d.sensordata[out + k * size + cell] += sign * value

    # Accumulate the distance, whose mean is drawn.
    at = HEAD + columns + rows + 2 + cell
    p[at] += sqrt(level + y * y)
    p[at + size] += 1.0


@stage("vMDii")
def plugin_touch_grid(m, d, instance, bit):
    """reads contacts, efc_force, site poses; writes sensordata, and the mean distances of contacts in the instance's data."""
    head = array_at(instance_data(m, d, instance), HEAD)
    columns, rows, sensor = int(head[COLUMNS]), int(head[ROWS]), int(head[SENSOR])
    size, start = columns * rows, HEAD + columns + rows + 2
    p = array_at(instance_data(m, d, instance), start + 2 * size)
    out = m.sensor_adr[sensor]

    # clear the sensor's values, and the cells' distances and counts
    for k in range(m.sensor_dim[sensor]):
        d.sensordata[out + k] = 0.0
    for k in range(2 * size):
        p[start + k] = 0.0

    # Visit the contacts of the site's body.
    site = m.sensor_objid[sensor]
    body = m.body_weldid[m.site_bodyid[site]]
    welded = m.body_weldid[body]
    for c in range(d.ncon):
        g1, g2 = d.contact_geom[c, 0], d.contact_geom[c, 1]
        if g1 >= 0 and m.body_weldid[m.geom_bodyid[g1]] == welded or g2 >= 0 and m.body_weldid[m.geom_bodyid[g2]] == welded:
            if g1 >= 0 and g2 >= 0:
                add_contact(m, d, c, site, p, out, body)
    for k in range(size):
        if p[start + size + k] > 0:
            p[start + k] /= p[start + size + k]


def grid(m: Any, instance: int) -> tuple[int, int, int]:
    """Return (channels, columns, rows) of an instance. Raise ValueError if the configuration is invalid."""
    channels = int(number(m, instance, "nchannel")) or 1
    if not 1 <= channels <= 6:
        raise ValueError("nchannel must be between 1 and 6")
    size = numbers(m, instance, "size")
    if len(size) != 2:
        raise ValueError("Both horizontal and vertical resolutions must be specified")
    columns, rows = map(int, size)
    if columns <= 0 or rows <= 0:
        raise ValueError("Horizontal and vertical resolutions must be positive")
    return channels, columns, rows


def bin_edges(count: int, gamma: float, degrees: float) -> list[float]:
    """Return the count + 1 angles (rad) that separate the cells along one axis."""
    step, x, edges = 2 / count, -1.0, []
    for _ in range(count + 1):
        edges.append(gamma * x**5 + (1 - gamma) * x if gamma else x)
        x += step
    scale = degrees * pi / 180
    return [e * scale for e in edges]


def nsensordata(m: Any, instance: int, sensor: int) -> int:
    """Return the dimension of the sensor."""
    channels, columns, rows = grid(m, instance)
    return channels * columns * rows


def init(m: Any, d: Any, instance: int) -> np.ndarray:
    """Return the initial data of an instance: grid and cell edges. Raise ValueError if the configuration is invalid."""
    channels, columns, rows = grid(m, instance)
    fov = numbers(m, instance, "fov")
    if len(fov) != 2:
        raise ValueError("Both horizontal and vertical fields of view must be specified")
    if not 0 < fov[0] <= 180:
        raise ValueError("`fov[0]` must be a float between (0, 180] degrees")
    if not 0 < fov[1] <= 90:
        raise ValueError("`fov[1]` must be a float between (0, 90] degrees")

    # Read the spacing parameter, and find the sensor.
    gamma = number(m, instance, "gamma")
    if not 0 <= gamma <= 1:
        raise ValueError("`gamma` must be a nonnegative float between [0, 1]")
    sensors = np.flatnonzero((m.sensor_type == PLUGIN_SENSOR) & (m.sensor_plugin == instance))
    if not len(sensors):
        raise ValueError(f"sensor not found for plugin instance {instance}")
    if (m.sensor_objtype[sensors] != SITE).any():
        raise ValueError("Touch Grid sensor must be attached to a site")
    edges = bin_edges(columns, gamma, fov[0]) + bin_edges(rows, gamma, fov[1])
    return np.array([channels, columns, rows, sensors[0], *edges] + [0.0] * (2 * columns * rows))


def copy(dest: Any, m: Any, src: Any, instance: int) -> None:
    """Copy the distances, so that a copied Data is drawn with the same ones."""
    np.copyto(dest.plugin_object(instance), src.plugin_object(instance))


PLUGIN = mjpPlugin(
    "mujoco.sensor.touch_grid",
    ("nchannel", "size", "fov", "gamma"),
    mjtPluginCapabilityBit.mjPLUGIN_SENSOR,
    mjtStage.mjSTAGE_ACC,
    nstate=0,
    nsensordata=nsensordata,
    init=init,
    copy=copy,
    compute=plugin_touch_grid,
)
