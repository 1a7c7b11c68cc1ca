"""Drawing of plugins: their `visualize` functions, and decor for the plugins that are included with the engine.

Plugins draw before the model, so their changes to the model's colors are visible in the same update.
"""

import numpy as np

from ...engine.core import plugin
from ...engine.core.data import MjData
from ...engine.core.model import MjModel
from ...engine.plugins import sdf_field, touch_grid
from ...engine.tables.enums import mjtCatBit, mjtGeom, mjtObj, mjtVisFlag
from .abstract import MjvScene
from .emit import Build, connector, spread_size
from .options import MjvOption, MjvPerturb

BOX, SPHERE, LINE = (int(mjtGeom["mjGEOM_" + k]) for k in ("BOX", "SPHERE", "LINE"))
UNKNOWN, DECOR = int(mjtObj.mjOBJ_UNKNOWN), int(mjtCatBit.mjCAT_DECOR)
V_SDFITER = int(mjtVisFlag.mjVIS_SDFITER)
# Thickness of a touch grid's boxes, as a fraction of the contact's distance.
THICKNESS = 0.02
# PIECE: fraction of a path's step that is drawn, so that steps can be distinguished.
# BALL: size of the balls at the path's ends, as a fraction of the mean size.
PIECE, BALL = 0.95, 0.2


def draw_plugins(m: MjModel, d: MjData, opt: MjvOption, scn: MjvScene) -> None:
    """Let all plugin instances draw."""
    plugin.visualize(m, d, opt, scn)
    c = Build(m, d, opt, MjvPerturb(), DECOR, scn)
    for i, slot in enumerate(m.plugin):
        instance = plugin.at(int(slot))
        draw = SHIPPED.get(instance.name) if instance is not None else None
        if draw is not None:
            draw(c, i)


def touch_boxes(c: Build, i: int) -> None:
    """Add a box for each touched cell of a touch grid, in the cell's direction, at the mean distance of its contacts."""
    m, d = c.m, c.d
    data = d.plugin_object(i)
    channels, columns, rows, sensor = data[: touch_grid.HEAD].astype(int)
    size = columns * rows

    # Get readings and mean distances of the cells, by row and column.
    start = int(m.sensor_adr[sensor])
    values = d.sensordata[start : start + channels * size].reshape(channels, rows, columns)
    top = np.abs(values[0]).max()
    at = touch_grid.HEAD + columns + rows + 2
    distance = data[at : at + size].reshape(rows, columns)

    # Find the touched cells, column by column.
    col, row = np.nonzero(distance.T)
    if not top or not len(col):
        return

    # Compute the box of each cell, at the cell's angles and distance.
    edges = data[touch_grid.HEAD : at]
    x, y = edges[: columns + 1], edges[columns + 1 :]
    dist = distance[row, col]
    azimuth, elevation = 0.5 * (x[col + 1] + x[col]), 0.5 * (y[row + 1] + y[row])
    half = np.stack((dist * 0.5 * (x[col + 1] - x[col]), dist * 0.5 * (y[row + 1] - y[row]), dist * THICKNESS), 1)
    site = int(m.sensor_objid[sensor])
    mat = d.site_xmat[site].reshape(3, 3)
    away = dist * (1 - THICKNESS)
    local = np.stack(
        (away * np.cos(elevation) * np.sin(azimuth), away * np.sin(elevation), -away * np.cos(elevation) * np.cos(azimuth)), 1
    )
    turn = _about(-mat[:, 1], azimuth) @ _about(mat[:, 0], elevation) @ mat

    # Show up to three channels as red, green and blue.
    rgba = np.ones((len(col), 4), np.float32)
    for k in range(min(channels, 3)):
        rgba[:, k] = np.abs(values[k, row, col]) / top
    c.emit(
        len(col),
        type=BOX,
        size=half,
        pos=local @ mat.T + d.site_xpos[site],
        mat=turn.reshape(-1, 9),
        rgba=rgba,
        objid=sensor,
        objtype=UNKNOWN,
        category=DECOR,
    )


def _about(axis: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Return rotation matrices (n, 3, 3) about a unit axis."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle)[:, None, None] * cross + (1 - np.cos(angle))[:, None, None] * (cross @ cross)


def descent(c: Build, i: int) -> None:
    """Add the gradient descent paths from a distance field's last collision: a ball at each end, and lines from blue to red."""
    m, d = c.m, c.d
    found = np.flatnonzero(m.geom_plugin == i)
    if not c.flags[V_SDFITER] or not len(found):
        return
    g = int(found[0])
    rotation, offset = _mesh_frame(m, d, g)
    for k, path in enumerate(sdf_field.paths(d.plugin_object(i))):
        n = len(path)
        if not n:
            continue

        # Add balls at the ends.
        points = path @ rotation.T + offset
        colors = np.array([[0, 0, 1, 1], [1, 0, 0, 1]], np.float32)
        size = spread_size(np.full(2, SPHERE), np.full((2, 3), BALL * m.stat.meansize))
        c.emit(
            2,
            type=SPHERE,
            size=size,
            pos=points[[0, n - 1]],
            mat=d.geom_xmat[g],
            rgba=colors,
            objtype=UNKNOWN,
            category=DECOR,
            objid=k,
        )

        # Add lines, each slightly shorter than the descent step that it shows.
        if n > 1:
            start, end = points[:-1], points[1:]
            share = (np.arange(n - 1) + 1) / max(n - 1, 1)
            rgba = np.stack((share, 0 * share, 1 - share, np.ones(n - 1)), 1).astype(np.float32)
            c.emit(
                n - 1,
                type=LINE,
                rgba=rgba,
                objtype=UNKNOWN,
                category=DECOR,
                objid=k,
                **connector(LINE, 2, start, start + PIECE * (end - start)),
            )


def _mesh_frame(m: MjModel, d: MjData, g: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (matrix, position) of the frame of a geom's distance field: the geom's frame before its mesh was centered."""
    w, x, y, z = m.geom_quat[g]
    local = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    rotation = d.geom_xmat[g].reshape(3, 3) @ local.T
    return rotation, d.geom_xpos[g] - rotation @ m.geom_pos[g]


SHIPPED = {"mujoco.sensor.touch_grid": touch_boxes}
SHIPPED |= {f"mujoco.sdf.{k}": descent for k in ("bolt", "bowl", "gear", "nut")}
