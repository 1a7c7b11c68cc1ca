"""Points inside the shapes that sites and geoms can have."""

from ..machine.jit import inline
from ..math.vec import clip, dot3, mat_t_vec3, sub3
from ..tables.enums import mjtGeom

PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX = (
    int(mjtGeom[f"mjGEOM_{n}"]) for n in ("PLANE", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX")
)


@inline
def inside(pos, mat, size, kind, point):
    """Return whether a world point lies strictly inside a shape at a pose or, if the shape is a plane, below the plane."""
    v = sub3(point, pos)
    if kind == SPHERE:
        return dot3(v, v) < size[0] * size[0]
    x, y, z = mat_t_vec3(mat, v)
    if kind == CAPSULE:
        over = z - clip(z, -size[1], size[1])
        return x * x + y * y + over * over < size[0] * size[0]
    if kind == ELLIPSOID:
        return x * x / (size[0] * size[0]) + y * y / (size[1] * size[1]) + z * z / (size[2] * size[2]) < 1
    if kind == CYLINDER:
        return abs(z) < size[1] and x * x + y * y < size[0] * size[0]
    if kind == BOX:
        return abs(x) < size[0] and abs(y) < size[1] and abs(z) < size[2]
    return kind == PLANE and z < 0
