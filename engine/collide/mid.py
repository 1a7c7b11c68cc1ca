"""Mid phase: finds the geoms of two bodies that may touch, by descending the bounding volume trees of both bodies.

Oriented boxes are compared along their face normals only (S. Gottschalk et al., OBBTree, 1996, without the edge axes).
"""

import numpy as np

from ..core.arena import CONTACT, FRAME, PAIR_CONTACTS, fits, limited, push
from ..core.stages import GROW, LIMITED
from ..machine.jit import inline, kernel
from ..machine.lang import load, store
from ..math.order import sort_keys
from ..math.vec import mat_t_mat3, mat_t_vec3, sub3
from .contact import collide_geoms, count_contacts
from .filter import mix_margin, mix_reach, spheres_apart, unbounded

IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
NOWHERE = (0.0, 0.0, 0.0)


@inline
def beyond(half, middle, box, row, shift, margin):
    """Return whether a box and an interval are farther apart along an axis than the margin.

    half, middle: half-length and center of the interval; row: scalar products of the axis with the axes of the box's frame;
    shift: coordinate of that frame's origin along the axis.
    """
    x, y, z = row
    centre = box[0] * x + box[1] * y + box[2] * z + shift
    return half + (abs(box[3] * x) + abs(box[4] * y) + abs(box[5] * z)) + margin < abs(centre - middle)


@inline
def nodes_apart(box1, box2, cross, way1, way2, margin):
    """Return True if two boxes, each given in its own frame, are separated along one of their face normals.

    cross: scalar products of the axes of frame 1 (rows) with those of frame 2 (columns); way1, way2: coordinates, along the
    axes of frame 1 and of frame 2, of the vector from the origin of frame 1 to that of frame 2.
    """
    some1, all1 = unbounded(box1)
    some2, all2 = unbounded(box2)
    if all1 or all2:
        return False

    # Test the three axes of each frame. Skip a frame if the other box has an infinite side, which overlaps any box along them.
    if not some2 and (
        beyond(box1[3], box1[0], box2, (cross[0], cross[1], cross[2]), way1[0], margin)
        or beyond(box1[4], box1[1], box2, (cross[3], cross[4], cross[5]), way1[1], margin)
        or beyond(box1[5], box1[2], box2, (cross[6], cross[7], cross[8]), way1[2], margin)
    ):
        return True
    return not some1 and (
        beyond(box2[3], box2[0], box1, (cross[0], cross[3], cross[6]), -way2[0], margin)
        or beyond(box2[4], box2[1], box1, (cross[1], cross[4], cross[7]), -way2[1], margin)
        or beyond(box2[5], box2[2], box1, (cross[2], cross[5], cross[8]), -way2[2], margin)
    )


@inline
def boxes_apart(box1, pos1, mat1, box2, pos2, mat2, margin):
    """Return True if two boxes, each given in its own frame, are separated along one of their face normals."""
    way = sub3(pos2, pos1)
    return nodes_apart(box1, box2, mat_t_mat3(mat1, mat2), mat_t_vec3(mat1, way), mat_t_vec3(mat2, way), margin)


@inline
def geoms_apart(m, d, g1, g2, margin):
    """Return True if the boxes of two geoms are separated along one of their face normals."""
    return boxes_apart(
        load(m.geom_aabb, g1, 6),
        load(d.geom_xpos, g1, 3),
        load(d.geom_xmat, g1, 9),
        load(m.geom_aabb, g2, 6),
        load(d.geom_xpos, g2, 3),
        load(d.geom_xmat, g2, 9),
        margin,
    )


@inline
def surface(box):
    x, y, z = box[3] - box[0], box[4] - box[1], box[5] - box[2]
    return x * y + y * z + z * x


@inline
def listed(m, g1, g2, start, end):
    """Return True if geoms g1 and g2 are one of the explicit pairs `start` to `end`."""
    for k in range(start, end):
        a, b = m.pair_geom1[k], m.pair_geom2[k]
        if (a == g1 and b == g2) or (a == g2 and b == g1):
            return True
    return False


@kernel
def search_trees(m, d, b1, b2, start, end):
    """reads poses, tree boxes; writes tree_stack, tree_pair, bvh_active. Returns the number of geom pairs whose boxes touch."""
    adr1, adr2 = m.body_bvhadr[b1], m.body_bvhadr[b2]

    # Compute the frame of each body relative to the other.
    mat1, mat2 = load(d.ximat, b1, 9), load(d.ximat, b2, 9)
    way = sub3(load(d.xipos, b2, 3), load(d.xipos, b1, 3))
    cross, way1, way2 = mat_t_mat3(mat1, mat2), mat_t_vec3(mat1, way), mat_t_vec3(mat2, way)
    body_margin = mix_reach(m, m.body_margin[b1], m.body_margin[b2])
    mark = m.vis.global__bvactive

    # Descend from the roots of both trees.
    stack, depth, found = d.tree_stack, 1, 0
    store(stack, 0, (adr1, adr2))
    while depth:
        depth -= 1
        n1, n2 = load(stack, depth, 2)
        left1, right1 = load(m.bvh_child, n1, 2)
        left2, right2 = load(m.bvh_child, n2, 2)
        leaf1, leaf2 = left1 < 0 and right1 < 0, left2 < 0 and right2 < 0

        # Two leaves are a pair of geoms.
        if leaf1 and leaf2:
            g1, g2 = m.bvh_nodeid[n1], m.bvh_nodeid[n2]
            margin = mix_margin(m, m.geom_margin[g1], m.geom_margin[g2], m.geom_gap[g1], m.geom_gap[g2])
            if spheres_apart(m, d, g1, g2, margin) or geoms_apart(m, d, g1, g2, margin):
                continue
            if not listed(m, g1, g2, start, end):
                if m.geom_type[g1] > m.geom_type[g2]:
                    g1, g2 = g2, g1
                if found < d.nbroad_cap:
                    d.tree_pair[found] = (g1 << 32) + g2
                found += 1
        else:
            box1, box2 = load(m.bvh_aabb, n1, 6), load(m.bvh_aabb, n2, 6)
            if nodes_apart(box1, box2, cross, way1, way2, body_margin):
                continue
            # Descend into the node with the larger box.
            if leaf2 or (not leaf1 and surface(box1) > surface(box2)):
                if left1 >= 0:
                    store(stack, depth, (left1 + adr1, n2))
                    depth += 1
                if right1 >= 0:
                    store(stack, depth, (right1 + adr1, n2))
                    depth += 1
            else:
                if left2 >= 0:
                    store(stack, depth, (n1, left2 + adr2))
                    depth += 1
                if right2 >= 0:
                    store(stack, depth, (n1, right2 + adr2))
                    depth += 1
        if mark:
            d.bvh_active[n1] = d.bvh_active[n2] = 1
    if mark:
        d.bvh_end = max(d.bvh_end, adr1 + m.body_bvhnum[b1], adr2 + m.body_bvhnum[b2])
    return found


@kernel
def collide_trees(m, d, b1, b2, start, end):
    """Collide the geoms of two bodies in the order of their ids, except explicit pairs `start` to `end`. Return False if the
    step must stop."""
    room = m.body_bvhnum[b1] + m.body_bvhnum[b2]

    found = search_trees(m, d, b1, b2, start, end) if room <= d.nbroad_cap else room
    if max(found, room) > d.nbroad_cap:
        d.need_broad = max(found, room)
        d.status = GROW
        return False

    # If the Data may not grow, keep only the number of pairs for which MuJoCo would have memory.
    pairs, stack, first, full = d.tree_pair, d.pstack, d.ncon, d.full
    if limited(d):
        push(d, FRAME, 8)
        push(d, 8 * room, 4)
        if not fits(d, (first + PAIR_CONTACTS * found) * CONTACT):
            found = admit(m, d, found)
            d.full = full & ~LIMITED

    sort_keys(pairs, d.broad_merge, max(found, 0))
    go_on = found >= 0
    for k in range(found):
        go_on = go_on and collide_geoms(m, d, pairs[k] >> 32, pairs[k] & 0xFFFFFFFF)
    d.full, d.pstack = full, stack

    # MuJoCo sorts contacts, which takes scratch memory.
    if limited(d) and d.ncon > first + 1:
        d.parena = d.ncon * CONTACT
        push(d, FRAME, 8)
        push(d, (d.ncon - first) * CONTACT, 8)
        d.pstack = stack
    return go_on


@kernel
def admit(m, d, found):
    """Keep those pairs in tree_pair that touch and fit into the arena. Return their count, or -1 if the step must stop.

    Pairs are taken in the order of the search.
    """
    pairs, first, kept, count = d.tree_pair, d.ncon, 0, np.int64(0)
    for k in range(found):
        pair = pairs[k]
        count = np.int64(count_contacts(m, d, pair >> 32, pair & 0xFFFFFFFF))
        if count < 0:
            break
        if count > 0:
            pairs[kept] = pair
            kept += 1
            d.ncon += count
    d.ncon = first
    return -1 if count < 0 else kept
