r"""Finds geoms that move farther within a step than their thickness, and geoms whose paths may meet (flag `speculative`).

A geom moves by its current velocity: its center c by dx, and its points turn about c by dw. No point of its surface
moves farther than

    s = |dx| + |dw| r          r: radius of the bounding sphere about c

A geom is fast if s is more than the smallest half side of its box: only such geoms can pass through others undetected. Whether
two geoms may meet is decided with bounds that hold on the whole path:

      c --- dx ---> c'         two spheres: the smallest distance of their centers p + t v on the path, for t from 0 to 1
     ( )           ( )         a box along an axis: its interval at the start, grown by at most |dw| r, and extended by dx to
     one side

Source: the manual of later MuJoCo releases, Computation, Speculative contacts. Called by broad, mid and contact.
"""

from ..dynamics.objects import head3, out_of_com, tail3
from ..machine.jit import inline, kernel
from ..machine.lang import load
from ..math.vec import add3, add_scaled3, column3, dot3, mat_vec3, norm3, scale3, sub3
from ..tables.enums import mjtDisableBit, mjtEnableBit, mjtGeom
from .filter import height_over, spheres_apart

SPECULATIVE, NATIVECCD = int(mjtEnableBit.mjENBL_SPECULATIVE), int(mjtDisableBit.mjDSBL_NATIVECCD)
PLANE, HFIELD, SPHERE, SDF = (int(mjtGeom[f"mjGEOM_{n}"]) for n in ("PLANE", "HFIELD", "SPHERE", "SDF"))


@inline
def speculates(m):
    """Return whether the flag `speculative` is set and this step looks for contacts ahead of time."""
    return (m.opt.enableflags & SPECULATIVE) != 0 and not m.opt.disableflags & NATIVECCD


@inline
def displacement(m, d, g):
    """Return the translation dx and rotation dw of a geom within a step. Rotating a sphere changes nothing, so its dw is 0."""
    v = out_of_com(m, d, d.cvel, m.geom_bodyid[g], load(d.geom_xpos, g, 3))
    turn = 0.0 if m.geom_type[g] == SPHERE else m.opt.timestep
    return scale3(tail3(v), m.opt.timestep), scale3(head3(v), turn)


@inline
def travel(m, g, dx, dw):
    """Return an upper bound of the distance that a point of a geom's surface can move."""
    return norm3(dx) + norm3(dw) * m.geom_rbound[g]


@inline
def sweeps(m, g):
    """Return whether geom g's motion is considered. The motion of height fields and SDFs is ignored."""
    kind = m.geom_type[g]
    return kind != HFIELD and kind != SDF


@inline
def is_fast(m, g, way):
    """Return whether geom g is fast: the length `way` of its path exceeds its thickness."""
    return sweeps(m, g) and way > min(m.geom_aabb[g, 3], min(m.geom_aabb[g, 4], m.geom_aabb[g, 5]))


@kernel
def fast_body(m, d, b):
    """Return whether any geom of a body is fast."""
    if m.body_weldid[b] == 0:
        return False
    for g in range(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b]):
        dx, dw = displacement(m, d, g)
        if is_fast(m, g, travel(m, g, dx, dw)):
            return True
    return False


@inline
def sink(d, plane, g, dx):
    """Return the smallest height of a geom's center above a plane along the geom's path."""
    mat = load(d.geom_xmat, plane, 9)
    return height_over(d, plane, g) + min(0.0, dot3(dx, column3(mat, 2)))


@kernel
def swept_apart(m, d, g1, g2, dx1, dx2, margin):
    """Return True if the bounding spheres of two geoms, or a plane and a sphere, stay farther apart than the margin on their
    paths.
    """
    r1, r2 = m.geom_rbound[g1], m.geom_rbound[g2]
    if r1 > 0 and r2 > 0:
        p, v = sub3(load(d.geom_xpos, g2, 3), load(d.geom_xpos, g1, 3)), sub3(dx2, dx1)
        square = dot3(v, v)
        t = min(max(-dot3(p, v) / square, 0.0), 1.0) if square > 0 else 0.0
        return norm3(add_scaled3(p, v, t)) > r1 + r2 + margin
    if m.geom_type[g1] == PLANE and r2 > 0:
        return sink(d, g1, g2, dx2) > margin + r2
    if m.geom_type[g2] == PLANE and r1 > 0:
        return sink(d, g2, g1, dx1) > margin + r1
    return spheres_apart(m, d, g1, g2, margin)


@kernel
def swept_interval(m, d, g, axis):
    """Return the (lowest, highest) coordinate along an axis of a geom's box. For a fast geom, the box covers its whole path."""
    mat, box, pos, r = load(d.geom_xmat, g, 9), load(m.geom_aabb, g, 6), load(d.geom_xpos, g, 3), m.geom_rbound[g]
    centre, here = dot3(add3(pos, mat_vec3(mat, (box[0], box[1], box[2]))), axis), dot3(pos, axis)
    half = (
        abs(dot3(column3(mat, 0), axis)) * box[3]
        + abs(dot3(column3(mat, 1), axis)) * box[4]
        + abs(dot3(column3(mat, 2), axis)) * box[5]
    )
    low, high = centre - half, centre + half
    dx, dw = displacement(m, d, g)
    if is_fast(m, g, travel(m, g, dx, dw)):
        turned, along = norm3(dw) * r, dot3(dx, axis)
        low, high = max(low - turned, here - r) + min(0.0, along), min(high + turned, here + r) + max(0.0, along)
    return low, high
