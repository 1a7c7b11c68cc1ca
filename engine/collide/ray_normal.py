"""Computes surface normals at points hit by rays, for range finders that report normals.

Normals are unit vectors in world axes and point out of a shape, whatever the direction of the ray. `api.ray_normals` does the
same in Python.
"""

from math import sqrt

from ..machine.jit import inline, kernel
from ..machine.lang import load
from ..math.vec import cross3, dot3, mat_t_vec3, mat_vec3, sub3, unit3
from ..tables.enums import mjtGeom
from .ray_mesh import mesh_vertex
from .sdf import field_distance, octree_gradient

PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF = (
    int(mjtGeom[f"mjGEOM_{n}"]) for n in ("PLANE", "HFIELD", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX", "MESH", "SDF")
)
# TOUCH: a point within this fraction of a height field's size counts as being on its floor or surface.
# STEP: step (meters) of the finite differences of a plugin's field.
TOUCH, STEP = 1e-9, 1e-6
UP = (0.0, 0.0, 1.0)


@kernel
def side(p, half, sides):
    """Return the outward normal of the side of a box that is nearest to a point.

    With `sides`, only the four sides around z count.
    """
    best, k = abs(abs(p[0]) - half[0]), 0
    if abs(abs(p[1]) - half[1]) < best:
        best, k = abs(abs(p[1]) - half[1]), 1
    if not sides and abs(abs(p[2]) - half[2]) < best:
        k = 2
    sign = 1.0 if p[k] >= 0 else -1.0
    return sign if k == 0 else 0.0, sign if k == 1 else 0.0, sign if k == 2 else 0.0


@kernel
def away(a, b, c, p):
    """Return (approximate distance of a point from a triangle, the triangle's normal)."""
    e, f, o = sub3(b, a), sub3(c, a), sub3(p, a)
    normal, area = unit3(cross3(e, f))
    if area <= 0:
        return 1e300, normal
    u, v = dot3(cross3(o, f), normal) / area, dot3(cross3(e, o), normal) / area
    outside = max(0.0, max(-u, max(-v, u + v - 1)))
    return abs(dot3(o, normal)) + outside * sqrt(area), normal


@kernel
def mesh_normal(m, mesh, p):
    """Return the normal of the mesh triangle that is nearest to a point. The point usually lies on this triangle."""
    best, found = 1e300, UP
    for face in range(m.mesh_faceadr[mesh], m.mesh_faceadr[mesh] + m.mesh_facenum[mesh]):
        x, normal = away(mesh_vertex(m, mesh, face, 0), mesh_vertex(m, mesh, face, 1), mesh_vertex(m, mesh, face, 2), p)
        if x < best:
            best, found = x, normal
    return found


@inline
def height(m, h, r, c):
    return float(m.hfield_data[m.hfield_adr[h] + r * m.hfield_ncol[h] + c]) * m.hfield_size[h, 2]


@kernel
def hfield_normal(m, h, p):
    """Return the normal of a height field at a point of its floor, of a triangle of its surface, or of a side."""
    rx, ry, rz, base = load(m.hfield_size, h, 4)
    if p[2] <= TOUCH * base:
        q = (p[0], p[1], p[2] + base / 2)
        return (
            (0.0, 0.0, -1.0)
            if abs(abs(q[2]) - base / 2) <= min(abs(abs(p[0]) - rx), abs(abs(p[1]) - ry))
            else side(q, (rx, ry, base / 2), True)
        )
    rows, columns = m.hfield_nrow[h], m.hfield_ncol[h]
    dx, dy = 2 * rx / (columns - 1), 2 * ry / (rows - 1)
    c, r = min(max(int((p[0] + rx) / dx), 0), columns - 2), min(max(int((p[1] + ry) / dy), 0), rows - 2)
    u, w = (p[0] + rx) / dx - c, (p[1] + ry) / dy - r
    near, right, far, opposite = height(m, h, r, c), height(m, h, r, c + 1), height(m, h, r + 1, c), height(m, h, r + 1, c + 1)
    a, b = (right - near, opposite - right) if u >= w else (opposite - far, far - near)
    if abs(near + a * u + b * w - p[2]) > TOUCH * max(rx, max(ry, rz)):
        return side(p, (rx, ry, rz), True)
    v, _ = unit3((-a / dx, -b / dy, 1.0))
    return v


@kernel
def field_normal(m, d, g, p):
    """Return the unit gradient of a signed distance field: from its octree, or by finite differences of a plugin's function."""
    if m.geom_plugin[g] < 0:
        v, _ = unit3(octree_gradient(m, m.geom_dataid[g], p))
        return v
    x, y, z = p
    v, _ = unit3(
        (
            field_distance(m, d, g, (x + STEP, y, z)) - field_distance(m, d, g, (x - STEP, y, z)),
            field_distance(m, d, g, (x, y + STEP, z)) - field_distance(m, d, g, (x, y - STEP, z)),
            field_distance(m, d, g, (x, y, z + STEP)) - field_distance(m, d, g, (x, y, z - STEP)),
        )
    )
    return v


@kernel
def local_normal(m, d, g, p):
    """Return the outward unit normal of geom g at a point of its surface; point and normal are in the geom's frame."""
    kind, size = m.geom_type[g], load(m.geom_size, g, 3)

    # These shapes have a special function.
    if kind == PLANE:
        return UP
    if kind == MESH:
        return mesh_normal(m, m.geom_dataid[g], p)
    if kind == HFIELD:
        return hfield_normal(m, m.geom_dataid[g], p)
    if kind == SDF:
        return field_normal(m, d, g, p)
    if kind == BOX:
        return side(p, size, False)

    # For other shapes, the normal is a simple function of the point.
    if kind == CAPSULE:
        p = (p[0], p[1], p[2] - min(max(p[2], -size[1]), size[1]))
    elif kind == ELLIPSOID:
        p = (p[0] / (size[0] * size[0]), p[1] / (size[1] * size[1]), p[2] / (size[2] * size[2]))
    elif kind == CYLINDER:
        if abs(abs(p[2]) - size[1]) < abs(sqrt(p[0] * p[0] + p[1] * p[1]) - size[0]):
            return 0.0, 0.0, 1.0 if p[2] > 0 else -1.0
        p = (p[0], p[1], 0.0)
    v, length = unit3(p)
    return v if length > 0 else UP


@kernel
def geom_normal(m, d, g, point):
    """Return the outward unit normal, in world axes, of geom g at a point of its surface."""
    mat = load(d.geom_xmat, g, 9)
    return mat_vec3(mat, local_normal(m, d, g, mat_t_vec3(mat, sub3(point, load(d.geom_xpos, g, 3)))))
