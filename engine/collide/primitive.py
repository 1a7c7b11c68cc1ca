"""Collides pairs of planes, spheres, capsules and cylinders by simple formulas."""

from ..machine.jit import stage
from ..machine.lang import load
from ..tables.compat_rows import bit
from ..tables.enums import mjtGeom
from .plane import plane_box, plane_capsule, plane_cylinder, plane_ellipsoid, plane_sphere
from .sphere_capsule import capsule_capsule, parallel_capsules, point_on_segment, side_by_side, sphere_cylinder, sphere_sphere

PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER = (
    int(mjtGeom[f"mjGEOM_{n}"]) for n in ("PLANE", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER")
)

SIDE_BY_SIDE = bit("side_by_side")


@stage("iMDiif")
def collide_primitive(m, d, g1, g2, margin):
    """reads geom_xpos, geom_xmat; writes manifold. Returns the number of rows."""
    out = d.manifold
    pos1, mat1, size1 = load(d.geom_xpos, g1, 3), load(d.geom_xmat, g1, 9), load(m.geom_size, g1, 3)
    pos2, mat2, size2 = load(d.geom_xpos, g2, 3), load(d.geom_xmat, g2, 9), load(m.geom_size, g2, 3)
    axis1, axis2 = (mat1[2], mat1[5], mat1[8]), (mat2[2], mat2[5], mat2[8])
    first, second = m.geom_type[g1], m.geom_type[g2]

    # Order the geoms by type.
    if first == PLANE:
        if second == SPHERE:
            return plane_sphere(out, 0, margin, pos1, axis1, pos2, size2[0])
        if second == CAPSULE:
            return plane_capsule(out, 0, margin, pos1, axis1, pos2, axis2, size2)
        if second == ELLIPSOID:
            return plane_ellipsoid(out, 0, margin, pos1, axis1, pos2, mat2, size2)
        if second == CYLINDER:
            return plane_cylinder(out, 0, margin, pos1, axis1, pos2, mat2, size2)
        return plane_box(out, 0, margin, pos1, axis1, pos2, mat2, size2)

    if first == CAPSULE:
        if m.compat_bits & SIDE_BY_SIDE and side_by_side(axis1, axis2):
            return parallel_capsules(out, 0, margin, pos1, axis1, size1, pos2, axis2, size2)
        return capsule_capsule(out, 0, margin, pos1, axis1, size1, pos2, axis2, size2)
    if second == CYLINDER:
        return sphere_cylinder(out, 0, margin, pos1, axis1, size1[0], pos2, axis2, size2)
    if second == CAPSULE:
        pos2 = point_on_segment(pos1, pos2, axis2, size2[1])
    return sphere_sphere(out, 0, margin, pos1, axis1, size1[0], pos2, axis2, size2[0])
