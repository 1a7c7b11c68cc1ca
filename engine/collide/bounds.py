"""Tests whether the bounding boxes of two geoms are apart. If so, the distance of the shapes need not be computed.

Two boxes are apart exactly if they are apart along one of 15 axes: the face normals of either box, and the cross products of an
edge of one with an edge of the other (S. Gottschalk, M. Lin, D. Manocha, OBBTree, 1996).
"""

from ..machine.jit import inline, kernel
from ..machine.lang import load
from ..math.vec import add3, mat_t_mat3, mat_t_vec3, mat_vec3, sub3
from ..tables.enums import mjtGeom

CAPSULE, CYLINDER, MESH, SDF, SPHERE = (int(mjtGeom[f"mjGEOM_{n}"]) for n in ("CAPSULE", "CYLINDER", "MESH", "SDF", "SPHERE"))
# Half sizes grow by this fraction of the boxes, so that rounding errors never separate shapes that touch.
SLACK = 1e-6


@inline
def bounding_box(m, g):
    """Return (center, half sizes) of a geom's box in its frame.

    The box of a primitive shape follows from its size, since a program that edits the size may not edit geom_aabb.
    """
    kind, size, box = m.geom_type[g], load(m.geom_size, g, 3), load(m.geom_aabb, g, 6)
    if kind == MESH or kind == SDF:
        return (box[0], box[1], box[2]), (box[3], box[4], box[5])
    half = size
    if kind == SPHERE:
        half = (size[0], size[0], size[0])
    elif kind == CYLINDER:
        half = (size[0], size[0], size[1])
    elif kind == CAPSULE:
        half = (size[0], size[0], size[0] + size[1])
    return (0.0, 0.0, 0.0), half


@inline
def along_faces(a, t, b, R, margin):
    """Return whether box b, with center t and axes R (rows: its coordinates), is beyond a face of box a."""
    return (
        abs(t[0]) > a[0] + b[0] * R[0] + b[1] * R[1] + b[2] * R[2] + margin
        or abs(t[1]) > a[1] + b[0] * R[3] + b[1] * R[4] + b[2] * R[5] + margin
        or abs(t[2]) > a[2] + b[0] * R[6] + b[1] * R[7] + b[2] * R[8] + margin
    )


@inline
def along_edges(a, b, t1, t2, r1, r2, s1, s2, f, margin):
    """Return whether two boxes are apart along the cross products of one edge of box a with the three edges of box b.

    The edge is parallel to one coordinate axis of box a; indices 1 and 2 denote the other two coordinates. t: center of b;
    r: coordinates of b's axes; s: their absolute values; f: absolute values of the coordinate along the edge. The cross
    products are shorter than unit vectors, so the margin is never too small.
    """
    return (
        abs(t2 * r1[0] - t1 * r2[0]) > a[0] * s2[0] + a[1] * s1[0] + b[1] * f[2] + b[2] * f[1] + margin
        or abs(t2 * r1[1] - t1 * r2[1]) > a[0] * s2[1] + a[1] * s1[1] + b[0] * f[2] + b[2] * f[0] + margin
        or abs(t2 * r1[2] - t1 * r2[2]) > a[0] * s2[2] + a[1] * s1[2] + b[0] * f[1] + b[1] * f[0] + margin
    )


@kernel
def boxes_prove_apart(m, d, g1, g2, margin):
    """Return True if the bounding boxes of two geoms are farther apart than the margin."""
    c1, a = bounding_box(m, g1)
    c2, b = bounding_box(m, g2)
    mat1, mat2 = load(d.geom_xmat, g1, 9), load(d.geom_xmat, g2, 9)
    way = sub3(add3(mat_vec3(mat2, c2), load(d.geom_xpos, g2, 3)), add3(mat_vec3(mat1, c1), load(d.geom_xpos, g1, 3)))
    t, R = mat_t_vec3(mat1, way), mat_t_mat3(mat1, mat2)
    S = (abs(R[0]), abs(R[1]), abs(R[2]), abs(R[3]), abs(R[4]), abs(R[5]), abs(R[6]), abs(R[7]), abs(R[8]))
    margin += SLACK * (a[0] + a[1] + a[2] + b[0] + b[1] + b[2])

    # test the face normals of either box
    if along_faces(a, t, b, S, margin):
        return True
    if along_faces(b, mat_t_vec3(R, t), a, (S[0], S[3], S[6], S[1], S[4], S[7], S[2], S[5], S[8]), margin):
        return True

    # test the cross products of their edges
    x, y, z = (R[0], R[1], R[2]), (R[3], R[4], R[5]), (R[6], R[7], R[8])
    u, v, w = (S[0], S[1], S[2]), (S[3], S[4], S[5]), (S[6], S[7], S[8])
    return (
        along_edges((a[1], a[2]), b, t[1], t[2], y, z, v, w, u, margin)
        or along_edges((a[2], a[0]), b, t[2], t[0], z, x, w, u, v, margin)
        or along_edges((a[0], a[1]), b, t[0], t[1], x, y, u, v, w, margin)
    )
