"""Normals of surfaces where rays hit them: of rays that asked for them, which later releases allow.

They are unit vectors in world axes and point out of a shape, wherever a ray comes from; zeros where nothing was hit. What a ray hits is
found by the compiled functions; a normal follows from the shape and the point alone.
"""

import numpy as np

from ..collide.sdf import field_distance, octree_gradient
from ..machine.interpret import plain
from ..machine.memory import as_data, as_model
from ..tables.compat_rows import holds
from ..tables.enums import mjtGeom

PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF = (
    int(mjtGeom[f"mjGEOM_{n}"]) for n in ("PLANE", "HFIELD", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX", "MESH", "SDF")
)
# of the size of a height field: what counts as its floor or its surface
TOUCH = 1e-9
# of the distance between the points at which the slope of a plugin's field is taken
STEP = 1e-6
_distance, _octree_gradient = plain(field_distance), plain(octree_gradient)


def _unit(v):
    n = float(np.linalg.norm(v))
    return v / n if n else np.array([0.0, 0.0, 1.0])


def _side(p, half, axes):
    """Outward normal of the side of a box, among those across `axes`, that is nearest to a point."""
    k = min(axes, key=lambda axis: abs(abs(p[axis]) - half[axis]))
    out = np.zeros(3)
    out[k] = 1.0 if p[k] >= 0 else -1.0
    return out


def shape_normal(kind, size, p) -> np.ndarray:
    """Outward normal of a plane, sphere, capsule, ellipsoid, cylinder or box of given size at a point of its surface, in its frame."""
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


def nearest_triangle(corners, p) -> int:
    """Number of the triangle (n, 3, 3) on which a point lies, or from which it is least far."""
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


def triangle_normal(corners) -> np.ndarray:
    """Normal of a triangle whose corners are seen counter-clockwise from outside."""
    return _unit(np.cross(corners[1] - corners[0], corners[2] - corners[0]))


def mesh_normal(m, g, p) -> np.ndarray:
    """Normal of the triangle of a mesh geom on which a point lies, in its frame."""
    mesh = m.geom_dataid[g]
    face = m.mesh_face[m.mesh_faceadr[mesh] :][: m.mesh_facenum[mesh]]
    corners = m.mesh_vert[m.mesh_vertadr[mesh] :][: m.mesh_vertnum[mesh]].astype(float)[face]
    return triangle_normal(corners[nearest_triangle(corners, p)])


def hfield_normal(m, g, p) -> np.ndarray:
    """Normal of the floor, of a triangle of the surface, or of a side of a height field at a point, in its frame."""
    h = m.geom_dataid[g]
    rx, ry, rz, base = m.hfield_size[h]
    if p[2] <= TOUCH * base:
        return _side(p + [0, 0, base / 2], (rx, ry, base / 2), (2, 0, 1))
    rows, columns = int(m.hfield_nrow[h]), int(m.hfield_ncol[h])
    z = m.hfield_data[m.hfield_adr[h] :][: rows * columns].reshape(rows, columns).astype(float) * rz
    dx, dy = 2 * rx / (columns - 1), 2 * ry / (rows - 1)
    c, r = (
        min(max(int((q + half) / step), 0), count - 2)
        for q, half, step, count in ((p[0], rx, dx, columns), (p[1], ry, dy, rows))
    )
    u, w = (p[0] + rx) / dx - c, (p[1] + ry) / dy - r
    near, right, far, opposite = z[r, c], z[r, c + 1], z[r + 1, c], z[r + 1, c + 1]
    slope = (right - near, opposite - right) if u >= w else (opposite - far, far - near)
    if abs(near + slope[0] * u + slope[1] * w - p[2]) > TOUCH * max(rx, ry, rz):
        return _side(p, (rx, ry), (0, 1))
    return _unit(np.array([-slope[0] / dx, -slope[1] / dy, 1.0]))


def field_normal(m, d, g, p) -> np.ndarray:
    """Direction in which a signed distance field grows at a point, in its frame: of an octree, or by differences of a plugin's function."""
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


def geom_normal(m, d, g, point) -> np.ndarray:
    """Outward unit normal, in world axes, of geom g at a point (3) of its surface."""
    mat = np.reshape(d.geom_xmat[g], (3, 3))
    p, kind = mat.T @ (point - d.geom_xpos[g]), int(m.geom_type[g])
    if kind == MESH:
        return mat @ mesh_normal(m, g, p)
    if kind == HFIELD:
        return mat @ hfield_normal(m, g, p)
    if kind == SDF:
        return mat @ field_normal(m, d, g, p)
    return mat @ shape_normal(kind, m.geom_size[g], p)


def write_normal(out, m, d, g, start, along, x) -> None:
    """Write the normal of geom g where a ray hits it at distance x, zeros if it misses, into an array; None: not wanted."""
    if out is None:
        return
    if x >= 0 and m.geom_type[g] == SDF and not holds("field_lengths", m.compat_bits):
        # distances to fields are in metres
        along = _unit(along)
    out[:] = geom_normal(m, d, int(g), start + x * along) if x >= 0 else 0


__all__ = []
