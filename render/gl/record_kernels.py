"""Compiled per-geom work of a frame: instance records, and the bounds of shadow casters.

Geoms are passed as the address of their columns (`Rows.columns`), other arrays as the address of their first element.
"""

from math import isfinite, sqrt

from ...engine.machine.jit import stage
from ...engine.machine.lang import array_at, bytes_at, floats_at, ints_at, load, longs_at, store
from ...engine.tables.enums import mjtCatBit, mjtGeom
from ..scene.kernels import (
    G_AXES,
    G_CAST,
    G_CATEGORY,
    G_EMISSION,
    G_POS,
    G_RBOUND,
    G_RGBA,
    G_SEG,
    G_SHININESS,
    G_SIZE,
    G_SPECULAR,
    G_TYPE,
    column_int,
    columns,
    single3,
)

# Number of floats in a record, and the offsets of its parts: scale, color, surface, texture (the pose begins at 0)
RECORD, SCALE, RGBA, SURFACE, TEX = 28, 12, 16, 20, 24
BEHIND_ALPHA = 0.3
SMALLEST_SCALE = 1e-12
CAPSULE, TRIANGLE, PLANE, ARROW = (
    int(getattr(mjtGeom, f"mjGEOM_{name}")) for name in ("CAPSULE", "TRIANGLE", "PLANE", "ARROW")
)
DECOR = int(mjtCatBit.mjCAT_DECOR)


@stage("viiiiiiiii")
def fill_records(geoms_at, order_at, shape_at, behind_at, n, count, own_first, own_end, records_at):
    """Fill the instance records of `count` of n geoms, in the given order, without textures. Shapes own_first to own_end are
    already scaled."""
    g, order, shape, behind = columns(geoms_at), longs_at(order_at, count), longs_at(shape_at, n), bytes_at(behind_at, n)
    for k in range(count):
        i = order[k]
        out = floats_at(records_at + 4 * RECORD * k, RECORD)
        axes, pos, size = floats_at(g[G_AXES] + 36 * i, 9), floats_at(g[G_POS] + 12 * i, 3), single3(g[G_SIZE], i)

        # Write the pose: three rows of axes and position.
        for row in range(3):
            store(out, 4 * row, load(axes, 3 * row, 3))
            out[4 * row + 3] = pos[row]

        # Write the scale, which depends on the type.
        half, kind = 0.0, column_int(g[G_TYPE], i)
        if own_first <= shape[i] < own_end:
            size = 1.0, 1.0, 1.0
        if kind == CAPSULE:
            # The caps of a capsule are scaled uniformly, and its middle is stretched.
            size, half = (size[0], size[1], 0.5 * (size[0] + size[1])), size[2]
        elif kind == TRIANGLE:
            size = size[0], size[1], 1.0
        for axis in range(3):
            out[SCALE + axis] = SMALLEST_SCALE if size[axis] < SMALLEST_SCALE else size[axis]
        out[SCALE + 3] = half

        # Write the color; planes seen from behind are faded.
        store(out, RGBA, load(floats_at(g[G_RGBA] + 16 * i, 4), 0, 4))
        if behind[i] != 0:
            out[RGBA + 3] = BEHIND_ALPHA * out[RGBA + 3]

        # Write the surface properties; there is no texture yet.
        shininess = floats_at(g[G_SHININESS] + 4 * i, 1)[0]
        out[SURFACE], out[SURFACE + 1] = floats_at(g[G_EMISSION] + 4 * i, 1)[0], floats_at(g[G_SPECULAR] + 4 * i, 1)[0]
        out[SURFACE + 2] = 0.0 if shininess < 0.0 else 1.0 if shininess > 1.0 else shininess
        out[SURFACE + 3] = ints_at(g[G_SEG] + 4 * i, 1)[0]
        for j in range(TEX, RECORD):
            out[j] = 0.0


@stage("iiiiii")
def caster_bounds(geoms_at, n, points_at, count, found_at):
    """Find center and radius (4 floats) of a sphere around `count` points and all shadow casters except planes. Return 0 if
    there are none.

    Infinite positions are skipped, because with them all shadows would disappear.
    """
    g, points, found = columns(geoms_at), array_at(points_at, 3 * count), array_at(found_at, 4)
    any_there, low, high, radius = 0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0
    mid = 0.0, 0.0, 0.0

    # The first pass finds the bounding box of all shadow casters, the second the radius around the center of this box.
    for turn in range(2):
        for i in range(n + count):
            if i < n:
                kind = column_int(g[G_TYPE], i)
                if (
                    column_int(g[G_CATEGORY], i) == DECOR
                    or kind == PLANE
                    or kind >= ARROW
                    or bytes_at(g[G_CAST] + i, 1)[0] == 0
                ):
                    continue
                pos, size = single3(g[G_POS], i), single3(g[G_SIZE], i)
                r = max(1.0 * floats_at(g[G_RBOUND] + 4 * i, 1)[0], size[0], size[1], size[2])
            else:
                pos, r = load(points, 3 * (i - n), 3), 0.0

            # Skip infinite and NaN positions.
            if not (isfinite(pos[0]) and isfinite(pos[1]) and isfinite(pos[2])):
                continue
            if turn == 1:
                x, y, z = pos[0] - mid[0], pos[1] - mid[1], pos[2] - mid[2]
                radius = max(radius, sqrt(x * x + y * y + z * z) + r)
            elif any_there == 0:
                any_there, low, high = 1, (pos[0] - r, pos[1] - r, pos[2] - r), (pos[0] + r, pos[1] + r, pos[2] + r)
            else:
                low = min(low[0], pos[0] - r), min(low[1], pos[1] - r), min(low[2], pos[2] - r)
                high = max(high[0], pos[0] + r), max(high[1], pos[1] + r), max(high[2], pos[2] + r)
        mid = 0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2])
    store(found, 0, (mid[0], mid[1], mid[2], radius))
    return any_there
