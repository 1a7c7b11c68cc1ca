"""Signed distances of points from shapes, negative inside: analytic shapes, and meshes through an octree that samples their
distance field.

Formulas of the analytic shapes follow I. Quilez, distance functions. Points are in the shape's own frame.
"""

from math import inf, sqrt

from ..machine.jit import inline, kernel
from ..machine.lang import load
from ..math.vec import clip, norm3, unit3
from ..tables.enums import mjtGeom

PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX = (
    int(mjtGeom[f"mjGEOM_{n}"]) for n in ("PLANE", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX")
)
# A point outside the octree's box is moved this far into it.
INTO_BOX, DEEPEST = 1e-6, 100


@kernel
def box_distance(x, size):
    """Return the Euclidean distance outside a box. Inside, return the distance along a direction that is radial at the center
    and normal at the faces.
    """
    a = (abs(x[0]) - size[0], abs(x[1]) - size[1], abs(x[2]) - size[2])
    if a[0] >= 0 or a[1] >= 0 or a[2] >= 0:
        return norm3((max(a[0], 0.0), max(a[1], 0.0), max(a[2], 0.0))) + min(max(a[0], max(a[1], a[2])), 0.0)
    b, _ = unit3((-size[0] / a[0], -size[1] / a[1], -size[2] / a[2]))
    return -min(-a[0] / abs(b[0]), min(-a[1] / abs(b[1]), -a[2] / abs(b[2]))) * norm3(b)


@kernel
def shape_distance(kind, size, x):
    """Return the signed distance from an analytic shape; infinity for other geom types."""
    if kind == SPHERE:
        return norm3(x) - size[0]
    if kind == BOX:
        return box_distance(x, size)
    if kind == CAPSULE:
        return norm3((x[0], x[1], x[2] - clip(x[2], -size[1], size[1]))) - size[0]
    if kind == CYLINDER:
        a, b = sqrt(x[0] * x[0] + x[1] * x[1]) - size[0], abs(x[2]) - size[1]
        p, q = max(a, 0.0), max(b, 0.0)
        return min(max(a, b), 0.0) + sqrt(p * p + q * q)
    if kind == ELLIPSOID:
        a = (x[0] / size[0], x[1] / size[1], x[2] / size[2])
        k = norm3(a)
        return k * (k - 1.0) / norm3((a[0] / size[0], a[1] / size[1], a[2] / size[2]))
    if kind == PLANE:
        return x[2]
    return inf


@inline
def into_box(x, center, half):
    """Return (coordinate clamped to an interval, distance of the original coordinate from the interval)."""
    r = x - center
    out = abs(r) - half
    if out < 0:
        return x, 0.0
    return x - (out + INTO_BOX if r > 0 else -(out + INTO_BOX)), out


@kernel
def octree_distance(m, mesh, x):
    """Return the signed distance from a mesh, interpolated in the octree's cells. For a point outside the octree, add the
    distance from the octree's box."""
    root = m.mesh_octadr[mesh]
    box = load(m.oct_aabb, root, 6)
    beyond = 0.0
    if abs(x[0] - box[0]) > box[3] or abs(x[1] - box[1]) > box[4] or abs(x[2] - box[2]) > box[5]:
        px, ax = into_box(x[0], box[0], box[3])
        py, ay = into_box(x[1], box[1], box[4])
        pz, az = into_box(x[2], box[2], box[5])
        x, beyond = (px, py, pz), sqrt(ax * ax + ay * ay + az * az)

    # Descend to the leaf.
    node = 0
    for _ in range(DEEPEST):
        box = load(m.oct_aabb, root + node, 6)
        low = (box[0] - box[3], box[1] - box[4], box[2] - box[5])
        # Compute widths as differences of bounds: outside, gradients are finite differences that amplify every rounding error.
        width = (box[0] + box[3] - low[0], box[1] + box[4] - low[1], box[2] + box[5] - low[2])
        u, v, w = (x[0] - low[0]) / width[0], (x[1] - low[1]) / width[1], (x[2] - low[2]) / width[2]

        # At a leaf, interpolate the values at its corners.
        child = load(m.oct_child, root + node, 8)
        if (
            max(max(max(child[0], child[1]), max(child[2], child[3])), max(max(child[4], child[5]), max(child[6], child[7])))
            == -1
        ):
            c = load(m.oct_coeff, root + node, 8)
            a, b, e = 1 - u, 1 - v, 1 - w
            inner = (
                a * b * e * c[0]
                + u * b * e * c[1]
                + a * v * e * c[2]
                + u * v * e * c[3]
                + a * b * w * c[4]
                + u * b * w * c[5]
                + a * v * w * c[6]
                + u * v * w * c[7]
            )
            return inner + beyond

        octant = (0 if u < 0.5 else 1) + (0 if v < 0.5 else 2) + (0 if w < 0.5 else 4)
        node = m.oct_child[root + node, octant]
    return inf
