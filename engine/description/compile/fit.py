"""Primitive geoms in the place of meshes: the size that fits best."""

from ..elements.elements import compile_error
from ..language.types import BOX, CAPSULE, CYLINDER, ELLIPSOID, SPHERE


def fit_geom(c, g, i, mesh) -> tuple[float, float, float]:
    """Size of a primitive geom from a mesh's inertia box or bounding box; returns the box's centre."""
    kind, scale = int(g.type[i]), g.fitscale[i]
    center = (0.0, 0.0, 0.0)
    size = g.size[i]
    if not c.spec.compiler.raw["fitaabb"]:
        x, y, z = mesh.boxsz
        rows = {SPHERE: ((x + y + z) / 3,), CAPSULE: ((x + y) / 2, max(0.0, z - (x + y) / 4)), CYLINDER: ((x + y) / 2, z),
                ELLIPSOID: (x, y, z), BOX: (x, y, z)}
    else:
        center = tuple((mesh.aamm[:3] + mesh.aamm[3:]) / 2)
        x, y, z = mesh.aamm[3:] - center
        r = max(x, y)
        rows = {SPHERE: (max(x, y, z),), CAPSULE: (r, z - r), CYLINDER: (r, z), ELLIPSOID: (x, y, z), BOX: (x, y, z)}
    if kind not in rows:
        raise compile_error(g.elems[i], "this type of geom cannot be fitted to a mesh")
    size[:len(rows[kind])] = rows[kind]
    size *= scale
    return center
