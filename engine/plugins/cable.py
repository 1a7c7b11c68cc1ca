"""mujoco.elasticity.cable: torques that resist bending and twisting of a chain of bodies.

Each body of an instance is a segment of an inextensible rod with ball joints. The rotation from one segment to the next,
divided by the distance between them, is the strain. `twist` and `bend` are the moduli (Pa). With `flat`, the shape at rest is
the straight rod. `vmax` is the stress at the end of the color scale when segments are colored by stress; if it is 0, they keep
their own colors.
"""

from collections.abc import Sequence
from math import atan2, pi, sqrt
from typing import Any

import numpy as np

from ..core import stages
from ..core.plugin import config, mjpPlugin, number
from ..core.stages import instance_data
from ..dynamics.force import apply_force
from ..machine.jit import inline, stage
from ..machine.lang import array_at, load, matrix_at
from ..math.quat import quat_conj, quat_mul, quat_vel, rotate
from ..math.vec import add3, sub3
from ..tables.enums import mjtGeom, mjtPluginCapabilityBit

ROUND = (int(mjtGeom.mjGEOM_CYLINDER), int(mjtGeom.mjGEOM_CAPSULE))
BOX = int(mjtGeom.mjGEOM_BOX)
# cells of an instance's data: header, then a row of WIDTH numbers for each body
FIRST, COUNT, VMAX, HEAD = range(4)
REST, STRESS, STIFFNESS, LENGTH, WIDTH = 0, 3, 6, 9, 10


@inline
def ball_quat(m, d, b):
    """Return the orientation of body b in its parent's frame, from the last three dofs of its first joint."""
    return quat_mul(load(m.body_quat, b, 4), load(d.qpos, m.jnt_qposadr[m.body_jntadr[b]] + m.body_dofnum[b] - 3, 4))


@inline
def bending(rows, k, turn):
    """Return the torque that resists bending and twisting between segment k of the cable and the previous one."""
    w, rest, stiffness = quat_vel(turn, 1.0), load(rows, k, 3), load_from(rows, k, STIFFNESS)
    length = rows[k, LENGTH]
    return (
        -stiffness[0] * (w[0] - rest[0]) / length,
        -stiffness[1] * (w[1] - rest[1]) / length,
        -stiffness[2] * (w[2] - rest[2]) / length,
    )


@inline
def load_from(rows, k, start):
    """Return three numbers of row k."""
    return rows[k, start], rows[k, start + 1], rows[k, start + 2]


@inline
def keep_stress(rows, k, x):
    """Store the stress of segment k."""
    rows[k, STRESS], rows[k, STRESS + 1], rows[k, STRESS + 2] = x


@stage("vMDii")
def plugin_cable(m, d, instance, bit):
    """reads qpos, xquat, xpos, cdof, subtree_com; writes qfrc_passive, and the stresses in the instance's data."""
    head = array_at(instance_data(m, d, instance), HEAD)
    first, count = int(head[FIRST]), int(head[COUNT])
    rows = matrix_at(instance_data(m, d, instance) + 8 * HEAD, count, WIDTH)
    for k in range(count):
        stiffness, b = load_from(rows, k, STIFFNESS), first + k
        if stiffness[0] == 0 and stiffness[1] == 0 and stiffness[2] == 0:
            continue

        # Add the torques from both neighboring segments.
        torque = (0.0, 0.0, 0.0)
        if k > 0:
            turn = ball_quat(m, d, b)
            # Convert the torque to the frame of this segment.
            x = rotate(quat_conj(turn), bending(rows, k, turn))
            keep_stress(rows, k, x)
            torque = add3(torque, x)
        if k < count - 1:
            x = bending(rows, k + 1, ball_quat(m, d, b + 1))
            keep_stress(rows, k + 1, x)
            torque = sub3(torque, x)
        apply_force(m, d, d.qfrc_passive, b, load(d.xpos, b, 3), (0.0, 0.0, 0.0), rotate(load(d.xquat, b, 4), torque))


def _turn(a: Sequence[float], b: Sequence[float]) -> np.ndarray:
    """Return the rotation vector r with b * quat(r) = a, for quaternions a and b."""
    b = (b[0], -b[1], -b[2], -b[3])
    w = b[0] * a[0] - b[1] * a[1] - b[2] * a[2] - b[3] * a[3]
    v = np.array(
        (
            b[0] * a[1] + b[1] * a[0] + b[2] * a[3] - b[3] * a[2],
            b[0] * a[2] - b[1] * a[3] + b[2] * a[0] + b[3] * a[1],
            b[0] * a[3] + b[1] * a[2] - b[2] * a[1] + b[3] * a[0],
        )
    )
    s = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    if s < 1e-15:
        return np.zeros(3)
    angle = 2 * atan2(s, w)
    return v / s * (angle - 2 * pi if angle > pi else angle)


def section(kind: int, size: Sequence[float]) -> tuple[float, float, float]:
    """Return (torsion constant, second moments of area about y and z) of a geom's cross-section in m^4; zeros for other
    shapes."""
    if kind in ROUND:
        r4 = size[0] ** 4
        return pi * r4 / 2, pi * r4 / 4.0, pi * r4 / 4.0
    if kind == BOX:
        h, w = size[1], size[2]
        a, b = max(h, w), min(h, w)
        return (
            a * b**3 * (16 / 3.0 - 3.36 * b / a * (1 - b**4 / a**4 / 12)),
            (2 * w) ** 3 * 2 * h / 12.0,
            (2 * h) ** 3 * 2 * w / 12.0,
        )
    return 0.0, 0.0, 0.0


def init(m: Any, d: Any, instance: int) -> np.ndarray:
    """Return each segment's rest shape and stiffness. Raise ValueError if bodies are not consecutive or lack a ball joint."""
    twist, bend, vmax = (number(m, instance, key) for key in ("twist", "bend", "vmax"))

    # Check that the bodies are consecutive.
    bodies = np.flatnonzero(m.body_plugin == instance)
    count = len(bodies)
    data = np.zeros(HEAD + WIDTH * count)
    if not count:
        return data
    first = int(bodies[0])
    if bodies[-1] - first != count - 1:
        missing = next(b for b in range(first, int(bodies[-1])) if m.body_plugin[b] != instance)
        raise ValueError(f"body {missing} lies between bodies of the cable and does not have the requested plugin instance")
    # kinematics at the reference pose; a Data under construction has no awake bodies yet
    d.qpos[:], d.nbody_awake = m.qpos0, m.nbody
    stages.call("kinematics", m, d)
    data[:HEAD] = first, count, vmax
    rows = data[HEAD:].reshape(count, WIDTH)
    flat = config(m, instance, "flat") == "true"

    # Compute the rest shape, stiffness and length of each segment.
    for k in range(count):
        b = first + k
        if k and (m.body_jntnum[b] == 0 or m.body_dofnum[b] < 3):
            raise ValueError(f"body {b} has no ball joint")
        if k and not flat:
            a = int(m.jnt_qposadr[m.body_jntadr[b]] + m.body_dofnum[b] - 3)
            rows[k, REST : REST + 3] = _turn(m.body_quat[b].tolist(), d.qpos[a : a + 4].tolist())
        if m.body_geomnum[b]:
            g = m.body_geomadr[b]
            torsion, iy, iz = section(int(m.geom_type[g]), m.geom_size[g].tolist())
            rows[k, STIFFNESS : STIFFNESS + 3] = torsion * twist, iy * bend, iz * bend
        if k:
            rows[k, LENGTH] = np.sqrt(((d.xpos[b] - d.xpos[b - 1]) ** 2).sum())
    return data


def copy(dest: Any, m: Any, src: Any, instance: int) -> None:
    """Copy the stresses, so that a copied Data is drawn with the same colors."""
    np.copyto(dest.plugin_object(instance), src.plugin_object(instance))


def scale_colors(x: np.ndarray, top: float) -> np.ndarray:
    """Return colors (n, 3) for values from 0 to `top`, from blue through green to red."""
    v = np.clip(x, 0, top) / top
    return np.stack((np.clip(4 * v - 2, 0, 1), np.minimum(np.minimum(4 * v, 1), 4 - 4 * v), np.clip(2 - 4 * v, 0, 1)), -1)


def visualize(m: Any, d: Any, opt: Any, scn: Any, instance: int) -> None:
    """Color the first geom of each segment by the mean stress at the segment's ends. This changes the model's colors."""
    data = d.plugin_object(instance)
    first, count, vmax = int(data[FIRST]), int(data[COUNT]), data[VMAX]
    if not vmax or not count:
        return
    stress = data[HEAD:].reshape(count, WIDTH)[:, STRESS : STRESS + 3]
    after = np.minimum(np.arange(count) + 1, count - 1)
    left, right = stress.copy(), stress[after]
    # The cable's first and last segment have a free end: use the stress at their other end.
    left[0], right[-1] = stress[after[0]], stress[-1]
    mean = 0.5 * (left + right)
    geoms = m.body_geomadr[first : first + count]
    has = geoms >= 0
    m.geom_rgba[geoms[has], :3] = scale_colors(np.sqrt((mean * mean).sum(1)), vmax)[has]


PLUGIN = mjpPlugin(
    "mujoco.elasticity.cable",
    ("twist", "bend", "flat", "vmax"),
    mjtPluginCapabilityBit.mjPLUGIN_PASSIVE,
    nstate=0,
    init=init,
    copy=copy,
    compute=plugin_cable,
    visualize=visualize,
)
