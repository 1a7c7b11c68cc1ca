"""Surface normals where rays hit, for rays that request them (a feature of later releases).

Normals are unit vectors in world coordinates. They point out of a shape, wherever the ray comes from; zeros if nothing was
hit. Compiled functions find the geom and the distance; the normal follows from the shape and the point alone.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..collide.sdf import field_distance, octree_gradient
from ..core.data import MjData
from ..core.model import MjModel
from ..machine.interpret import plain
from ..machine.memory import as_data, as_model
from ..tables.compat_rows import holds
from ..tables.enums import mjtGeom

PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF = (
    int(mjtGeom[f"mjGEOM_{n}"]) for n in ("PLANE", "HFIELD", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX", "MESH", "SDF")
)
# tolerance of a height field's floor and surface, relative to its size
TOUCH = 1e-9
# step of finite differences in a plugin's distance field
STEP = 1e-6
_distance, _octree_gradient = plain(field_distance), plain(octree_gradient)


def _unit(v: np.ndarray) -> np.ndarray:
    """Return a vector scaled to length 1; the z axis for a zero vector."""
    n = float(np.linalg.norm(v))
    return v / n if n else np.array([0.0, 0.0, 1.0])


def _side(p: np.ndarray, half: Sequence[float], axes: Sequence[int]) -> np.ndarray:
    """Return the outward normal of the side of a box that is nearest to a point, among the sides perpendicular to `axes`."""
    k = min(axes, key=lambda axis: abs(abs(p[axis]) - half[axis]))
    out = np.zeros(3)
    out[k] = 1.0 if p[k] >= 0 else -1.0
    return out


def shape_normal(kind: int, size: Any, p: Any) -> np.ndarray:
    """Return the outward normal of a primitive shape at a point of its surface, in its frame."""
    if kind == PLANE:
        return np.array([0.0, 0.0, 1.0])
    if kind == CAPSULE:
        return _unit(p - [0, 0, min(max(p[2], -size[1]), size[1])])
    if kind == ELLIPSOID:
        return _unit(p / np.square(size))
    if kind == CYLINDER:
        cap = abs(abs(p[2]) - size[1]) < abs(np.hypot(p[0], p[1]) - size[0])
        return np.array([0.0, 0.0, np.sign(p[2])]) if cap else _unit(np.array([p[0], p[1], 0.0]))
    return _side(p, size, (0, 1, 2)) if kind == BOX else _unit(p)


def nearest_triangle(corners: np.ndarray, p: np.ndarray) -> int:
    """Return the index of the triangle, among (n, 3, 3), that contains a point or is nearest to it."""
    a, edge1, edge2 = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normal, offset = np.cross(edge1, edge2), p - a
    area = np.linalg.norm(normal, axis=1)
    with np.errstate(all="ignore"):
        unit = normal / area[:, None]
        u = np.einsum("ij,ij->i", np.cross(offset, edge2), unit) / area
        v = np.einsum("ij,ij->i", np.cross(edge1, offset), unit) / area
        outside = np.maximum(0, np.maximum.reduce([-u, -v, u + v - 1])) * np.sqrt(area)
        away = np.abs(np.einsum("ij,ij->i", offset, unit)) + outside
    return int(np.nanargmin(np.where(area > 0, away, np.inf)))


def triangle_normal(corners: np.ndarray) -> np.ndarray:
    """Return the normal of a triangle whose corners are counter-clockwise when seen from outside."""
    return _unit(np.cross(corners[1] - corners[0], corners[2] - corners[0]))


def mesh_normal(m: MjModel, g: int, p: np.ndarray) -> np.ndarray:
    """Return the normal of the triangle of a mesh geom that contains a point, in the geom's frame."""
    mesh = m.geom_dataid[g]
    face = m.mesh_face[m.mesh_faceadr[mesh] :][: m.mesh_facenum[mesh]]
    corners = m.mesh_vert[m.mesh_vertadr[mesh] :][: m.mesh_vertnum[mesh]].astype(float)[face]
    return triangle_normal(corners[nearest_triangle(corners, p)])


def hfield_normal(m: MjModel, g: int, p: np.ndarray) -> np.ndarray:
    """Return the normal of a height field at a point of its floor, surface or sides, in the geom's frame."""
    h = m.geom_dataid[g]
    rx, ry, rz, base = m.hfield_size[h]
    if p[2] <= TOUCH * base:
        return _side(p + [0, 0, base / 2], (rx, ry, base / 2), (2, 0, 1))

    # find the triangle of the surface below or above the point
    rows, columns = int(m.hfield_nrow[h]), int(m.hfield_ncol[h])
    z = m.hfield_data[m.hfield_adr[h] :][: rows * columns].reshape(rows, columns).astype(float) * rz
    dx, dy = 2 * rx / (columns - 1), 2 * ry / (rows - 1)
    c, r = (
        min(max(int((q + half) / step), 0), count - 2)
        for q, half, step, count in ((p[0], rx, dx, columns), (p[1], ry, dy, rows))
    )
    u, w = (p[0] + rx) / dx - c, (p[1] + ry) / dy - r
    near, right, far, opposite = z[r, c], z[r, c + 1], z[r + 1, c], z[r + 1, c + 1]

    # a point off the surface lies on a side
    slope = (right - near, opposite - right) if u >= w else (opposite - far, far - near)
    if abs(near + slope[0] * u + slope[1] * w - p[2]) > TOUCH * max(rx, ry, rz):
        return _side(p, (rx, ry), (0, 1))
    return _unit(np.array([-slope[0] / dx, -slope[1] / dy, 1.0]))


def field_normal(m: MjModel, d: MjData, g: int, p: np.ndarray) -> np.ndarray:
    """Return the direction in which a signed distance field grows at a point, in the geom's frame.

    The gradient comes from an octree, or from differences of a plugin's function.
    """
    seen = as_model(m.storage.address)
    if m.geom_plugin[g] < 0:
        return _unit(np.array(_octree_gradient(seen, int(m.geom_dataid[g]), tuple(p.tolist()))))
    data, steps = as_data(d.storage.address), STEP * np.eye(3)
    return _unit(
        np.array(
            [
                _distance(seen, data, g, tuple((p + s).tolist())) - _distance(seen, data, g, tuple((p - s).tolist()))
                for s in steps
            ]
        )
    )


def geom_normal(m: MjModel, d: MjData, g: int, point: np.ndarray) -> np.ndarray:
    """Return the outward unit normal, in world coordinates, of geom g at a point (3) of its surface."""
    mat = np.reshape(d.geom_xmat[g], (3, 3))
    p, kind = mat.T @ (point - d.geom_xpos[g]), int(m.geom_type[g])
    if kind == MESH:
        return mat @ mesh_normal(m, g, p)
    if kind == HFIELD:
        return mat @ hfield_normal(m, g, p)
    if kind == SDF:
        return mat @ field_normal(m, d, g, p)
    return mat @ shape_normal(kind, m.geom_size[g], p)


def write_normal(out: np.ndarray | None, m: MjModel, d: MjData, g: int, start: np.ndarray, along: np.ndarray, x: float) -> None:
    """Write the normal where a ray hits geom g at distance x; zeros if it misses. With `out` None, compute nothing."""
    if out is None:
        return
    if x >= 0 and m.geom_type[g] == SDF and not holds("field_lengths", m.compat_bits):
        # MuJoCo 3.4 measures distances to signed distance fields in meters, not in lengths of the ray's direction
        along = _unit(along)
    out[:] = geom_normal(m, d, int(g), start + x * along) if x >= 0 else 0


__all__ = []
