"""Determines whether another geom lies between two geoms that will meet within the step (see `ahead`).

x1 o-----------o----o x2          each point moves its share of the distance to the meeting point
         meet

On its path, a point must not enter a geom with which it can have contacts. A geom that the point is already in, or
touches, does not count, because that contact exists now.
"""

from ..dynamics.adhesion import pair_of
from ..machine.jit import inline, kernel
from ..machine.lang import load
from ..math.vec import add_scaled3, dot3, norm3, sub3
from ..tables.enums import mjtDisableBit
from .filter import bodies_apart, masks_meet, weld_and_parent
from .ray import ray_geom
from .ray_normal import geom_normal
from .swept import HFIELD, PLANE, SDF

FILTERPARENT = int(mjtDisableBit.mjDSBL_FILTERPARENT)


@kernel
def excluded(m, b1, b2):
    """Return whether contacts of two bodies are excluded."""
    signature = (min(b1, b2) << 16) + max(b1, b2)
    for k in range(m.nexclude):
        if (m.exclude_signature[k] & 0xFFFFFFFF) == signature:
            return True
    return False


@kernel
def may_touch(m, g1, g2):
    """Return whether two geoms of different bodies can make contacts with each other."""
    if pair_of(m, g1, g2) >= 0:
        return True
    if not masks_meet(m.geom_contype[g1], m.geom_conaffinity[g1], m.geom_contype[g2], m.geom_conaffinity[g2]):
        return False
    b1, b2 = m.geom_bodyid[g1], m.geom_bodyid[g2]
    weld1, parent1 = weld_and_parent(m, b1)
    weld2, parent2 = weld_and_parent(m, b2)
    return not bodies_apart(
        weld1, parent1, False, weld2, parent2, False, (m.opt.disableflags & FILTERPARENT) == 0
    ) and not excluded(m, b1, b2)


@inline
def enters(m, d, g, start, along):
    """Return whether a segment enters a geom from outside. Planes count as infinite."""
    if m.geom_type[g] == PLANE:
        mat, pos = load(d.geom_xmat, g, 9), load(d.geom_xpos, g, 3)
        normal = (mat[2], mat[5], mat[8])
        height = dot3(normal, sub3(start, pos))
        return height > 0 and height + dot3(normal, along) < 0
    x = ray_geom(m, d, g, start, along)
    if not 0 < x < 1:
        return False
    return dot3(geom_normal(m, d, g, add_scaled3(start, along, x)), along) < 0


@kernel
def blocked(m, d, g, other, start, along):
    """Return whether some geom blocks a point of geom g on its path towards geom `other`."""
    length, weld = norm3(along), m.body_weldid[m.geom_bodyid[other]]
    if length == 0:
        return False
    for i in range(m.ngeom):
        kind = m.geom_type[i]
        if i == g or i == other or kind == HFIELD or kind == SDF or weld and m.body_weldid[m.geom_bodyid[i]] == weld:
            continue
        if kind != PLANE and norm3(sub3(load(d.geom_xpos, i, 3), start)) > length + m.geom_rbound[i]:
            continue
        if may_touch(m, g, i) and enters(m, d, i, start, along):
            return True
    return False


@kernel
def hidden(m, d, g1, g2, p, q, share):
    """Return whether another geom blocks the path of point p of geom g1, or of point q of geom g2, to the point where they
    meet.

    Point p moves the fraction `share` of the distance from p to q, and q the rest of it.
    """
    along = sub3(q, p)
    return blocked(m, d, g1, g2, p, (share * along[0], share * along[1], share * along[2])) or blocked(
        m, d, g2, g1, q, ((share - 1) * along[0], (share - 1) * along[1], (share - 1) * along[2])
    )
