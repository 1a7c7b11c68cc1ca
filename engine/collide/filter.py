"""Decides which pairs of bodies and geoms may collide at all."""

from ..machine.jit import inline
from ..machine.lang import load
from ..math.vec import dot3, sub3
from ..tables.compat_rows import bit
from ..tables.consts import mjMAXVAL
from ..tables.enums import mjtEnableBit, mjtGeom

PLANE = int(mjtGeom.mjGEOM_PLANE)
OVERRIDE = int(mjtEnableBit.mjENBL_OVERRIDE)
SUM, OUTSIDE, STILL = bit("margin_sum"), bit("gap_outside"), bit("mocap_still")


@inline
def masks_meet(type1, affinity1, type2, affinity2):
    """Return whether the bit masks of two objects allow contacts."""
    return (type1 & affinity2) != 0 or (type2 & affinity1) != 0


@inline
def assign_margin(m, margin):
    """Return the given margin, or the option `o_margin` if the flag `override` is set."""
    return m.opt.o_margin if m.opt.enableflags & OVERRIDE else margin


@inline
def mix_margin(m, margin1, margin2, gap1, gap2):
    """Return the distance below which two objects are in contact. They exert forces only below this distance minus the gap
    (see `mix_gap`)."""
    changes = m.compat_bits
    margin = assign_margin(m, margin1 + margin2 if changes & SUM else max(margin1, margin2))
    return margin + gap1 + gap2 if changes & OUTSIDE else margin


@inline
def mix_gap(m, gap1, gap2):
    """Return the gap: objects exert forces only at distances below `mix_margin` minus the gap."""
    return gap1 + gap2 if m.compat_bits & SUM else max(gap1, gap2)


@inline
def mix_reach(m, reach1, reach2):
    """Return an upper bound of `mix_margin` over all geoms of two bodies, given the largest margins of the bodies' geoms."""
    if m.opt.enableflags & OVERRIDE and m.compat_bits & OUTSIDE == 0:
        return m.opt.o_margin
    # `o_margin` may be larger than the geoms' margins, so add it.
    more = m.opt.o_margin if m.opt.enableflags & OVERRIDE else 0.0
    return reach1 + reach2 + more if m.compat_bits & SUM else max(reach1, reach2)


@inline
def immovable(m, weld):
    """Return whether planes of a weld group are infinite. This is true of the world and, since 3.12, of mocap bodies."""
    return m.body_dofnum[weld] == 0 if m.compat_bits & STILL else weld == 0


@inline
def weld_and_parent(m, b):
    """Return (weld group of a body, parent weld group of that group)."""
    weld = m.body_weldid[b]
    return weld, m.body_weldid[m.body_parentid[weld]]


@inline
def bodies_apart(weld1, parent1, asleep1, weld2, parent2, asleep2, skip_parents):
    """Return True for two bodies that never collide: in one weld group, both at rest, or parent and child."""
    if weld1 == weld2 or (asleep1 and asleep2) or (asleep1 and weld2 == 0) or (asleep2 and weld1 == 0):
        return True
    return skip_parents and weld1 != 0 and weld2 != 0 and (weld1 == parent2 or weld2 == parent1)


@inline
def height_over(d, plane, g):
    """Return the height of a geom's center above a plane geom."""
    mat = load(d.geom_xmat, plane, 9)
    return dot3(sub3(load(d.geom_xpos, g, 3), load(d.geom_xpos, plane, 3)), (mat[2], mat[5], mat[8]))


@inline
def spheres_apart(m, d, g1, g2, margin):
    """Return True if the bounding spheres of two geoms, or a plane and a sphere, are farther apart than the margin."""
    r1, r2 = m.geom_rbound[g1], m.geom_rbound[g2]
    if r1 > 0 and r2 > 0:
        dif, reach = sub3(load(d.geom_xpos, g1, 3), load(d.geom_xpos, g2, 3)), r1 + r2 + margin
        return dot3(dif, dif) > reach * reach
    if m.geom_type[g1] == PLANE and r2 > 0 and height_over(d, g1, g2) > margin + r2:
        return True
    return m.geom_type[g2] == PLANE and r1 > 0 and height_over(d, g2, g1) > margin + r1


@inline
def unbounded(box):
    """Return (whether any side of a box is infinite, whether all sides are)."""
    x, y, z = box[3] >= mjMAXVAL, box[4] >= mjMAXVAL, box[5] >= mjMAXVAL
    return x or y or z, x and y and z
