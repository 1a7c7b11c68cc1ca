"""Collides pairs of convex geoms that have no special function.

There is one contact, where the shapes overlap most. With the option `multiccd`, boxes and meshes get several contacts from one
pass. Other pairs are collided again with both shapes slightly turned about the first contact; distinct contacts are kept.
"""

from ..core.stages import stage_address
from ..geom.support import CELLS, KIND, MAT, MESH, POS, SDF, SIMPLEX, SIZE, integers, numbers, place_mesh, place_shape
from ..machine.jit import inline, stage
from ..machine.lang import address_of, invoke_pair, load, store
from ..math.quat import axis_angle, quat_mat
from ..math.vec import add3, distance3, frame_of, mat_mat3, mat_vec3, scale3, sub3, transpose3, unit3
from ..tables.compat_rows import bit
from ..tables.enums import mjtDisableBit, mjtEnableBit, mjtGeom
from ..tables.stage_rows import stage_id
from .apart import remember_plane, still_apart
from .bounds import boxes_prove_apart
from .ccd import FAR_SIDE
from .ccd_clip import has_features
from .manifold import DIST, NORMAL, ROW, put
from .manifold import POS as PLACE
from .mpr import DIRECTION as MPR_DIRECTION
from .mpr import PLACE as MPR_PLACE
from .mpr import better_normal

MULTICCD = int(mjtEnableBit.mjENBL_MULTICCD)
SPHERE, ELLIPSOID, BOX = int(mjtGeom.mjGEOM_SPHERE), int(mjtGeom.mjGEOM_ELLIPSOID), int(mjtGeom.mjGEOM_BOX)
CLIPS = bit("multi_clip")
NATIVECCD = int(mjtDisableBit.mjDSBL_NATIVECCD)
CCD, MPR = stage_id("ccd"), stage_id("mpr")
APART = 1e-3  # distinct contacts are farther apart than this fraction of the smaller shape's radius
ANGLE = 1e-3  # angle (radians) by which shapes are turned to find more contacts


@inline
def place_geom(m, d, shape, g, margin):
    """Fill a shape block from a geom."""
    kind = m.geom_type[g]
    place_shape(shape, kind, load(d.geom_xpos, g, 3), load(d.geom_xmat, g, 9), load(m.geom_size, g, 3), margin)
    if kind == MESH or kind == SDF:
        k = m.geom_dataid[g]
        vertices, graph = m.mesh_vert, m.mesh_graph
        place_mesh(shape, k, vertices, m.mesh_vertadr[k], m.mesh_vertnum[k], graph, m.mesh_graphadr[k], d.hull_starts)


@inline
def append_rows(m, d, address, a, b, k, margin):
    """Run the convex function on two shape blocks, and append a manifold row for each contact.

    Return the next free row, or -1 if a needed stage is not loaded yet.
    """
    found, out = invoke_pair(address, m, d, a, b, 0.0), d.manifold
    if found <= 0 or d.ccd_dist >= 0:
        return k if found >= 0 else -1

    dist = margin + d.ccd_dist
    several = m.compat_bits & CLIPS != 0

    # Without the flag `nativeccd`, MPR finds one contact; its normal is corrected from the shapes.
    if m.opt.disableflags & NATIVECCD:
        place, normal = load(d.witness, MPR_PLACE, 3), load(d.witness, MPR_DIRECTION, 3)
        x, y = numbers(a), numbers(b)
        if integers(a)[KIND] == SIMPLEX or integers(b)[KIND] == SIMPLEX:
            return put(out, k, dist, place, normal)
        normal = better_normal(
            integers(a)[KIND],
            load(x, POS, 3),
            load(x, MAT, 9),
            load(x, SIZE, 3),
            integers(b)[KIND],
            load(y, POS, 3),
            load(y, MAT, 9),
            load(y, SIZE, 3),
            place,
            normal,
        )
        return put(out, k, dist, place, normal)

    # Append one manifold row for each point pair.
    for i in range(found):
        p, q = load(d.witness, 3 * i, 3), load(d.witness, FAR_SIDE + 3 * i, 3)
        normal, depth = unit3(sub3(p, q))
        k = put(out, k, margin - depth if several and found > 1 else dist, scale3(add3(p, q), 0.5), normal)
    return k


@inline
def turn_shape(shape, mat, pos, turn, centre):
    """Rotate a shape about a point."""
    block = numbers(shape)
    arm = sub3(centre, pos)
    store(block, MAT, mat_mat3(turn, mat))
    store(block, POS, sub3(pos, sub3(mat_vec3(turn, arm), arm)))


@inline
def seek_more(m, d, address, a, b, margin, nearness):
    """Collide again, with both shapes rotated by small angles about the first contact's tangents; return the number of rows."""
    out, count = d.manifold, 1
    place = load(out, PLACE, 3)
    frame = frame_of(load(out, NORMAL, 3), (0.0, 0.0, 0.0))
    mat1, mat2 = load(numbers(a), MAT, 9), load(numbers(b), MAT, 9)
    pos1, pos2 = load(numbers(a), POS, 3), load(numbers(b), POS, 3)
    d.ccd_contacts = 1

    # Make two small rotations about each tangent.
    for trial in range(4):
        axis = (frame[3], frame[4], frame[5]) if trial < 2 else (frame[6], frame[7], frame[8])
        turn = quat_mat(axis_angle(axis, ANGLE if trial & 1 else -ANGLE))
        turn_shape(a, mat1, pos1, turn, place)
        turn_shape(b, mat2, pos2, transpose3(turn), place)
        if append_rows(m, d, address, a, b, count, margin) > count:
            out[ROW * count + DIST] = out[DIST]
            fresh = True
            for k in range(count):
                fresh = fresh and distance3(load(out, ROW * k + PLACE, 3), load(out, ROW * count + PLACE, 3)) > nearness
            count += fresh
    return count


@stage("iMDiif")
def collide_convex(m, d, g1, g2, margin):
    """reads geom_xpos, geom_xmat; writes shapes, manifold, ccd_contacts, apart_geoms, apart_normal. Returns the number of
    rows.
    """
    if boxes_prove_apart(m, d, g1, g2, margin):
        return 0

    # Fill the shape blocks of both geoms.
    native = not m.opt.disableflags & NATIVECCD
    address = stage_address(d, CCD if native else MPR)
    if address == 0:
        return -1
    a = address_of(d.shapes, 0)
    b = address_of(d.shapes, CELLS)
    place_geom(m, d, a, g1, margin)
    place_geom(m, d, b, g2, margin)

    # Determine the number of contacts to request.
    type1, type2 = m.geom_type[g1], m.geom_type[g2]
    multi = (m.opt.enableflags & MULTICCD) != 0
    flat = (type1 == BOX or type1 == MESH) and (type2 == BOX or type2 == MESH)
    if m.compat_bits & CLIPS:
        flat = native and has_features(m, type1, m.geom_dataid[g1]) and has_features(m, type2, m.geom_dataid[g2])
    d.ccd_contacts = 4 if multi and flat and (margin <= 0 or m.compat_bits & CLIPS) else 1
    one_pass = native and d.ccd_contacts > 1
    if native and still_apart(m, d, a, b, g1, g2):
        return 0
    count = append_rows(m, d, address, a, b, 0, margin)
    if native:
        remember_plane(d, g1, g2, count)

    # Since 3.17, the native function does not rotate shapes to find more contacts.
    if native and m.compat_bits & CLIPS:
        return count
    smooth = type1 == SPHERE or type1 == ELLIPSOID or type2 == SPHERE or type2 == ELLIPSOID
    if not multi or one_pass or count != 1 or smooth:
        return count
    return seek_more(m, d, address, a, b, margin, APART * min(m.geom_rbound[g1], m.geom_rbound[g2]))
