"""Collides flexes with bodies, with other flexes and with themselves.

Pairs of a geom and an element, or of two elements, are found by descending two bounding volume trees, and collided in the order
of their indices. Within one flex, pairs are collided in the order of the search, or found by sweep and prune along the flex's
longest side.
"""

from ..core.arena import FRAME, PAIR_CONTACTS, has_room, limited, push
from ..core.stages import GROW
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, store
from ..math.order import sort_keys
from ..math.vec import mat_t_vec3, scale3, transpose3
from ..tables.enums import mjtDisableBit, mjtGeom
from .filter import OUTSIDE, immovable, masks_meet, mix_margin, mix_reach
from .flex_few import few, thin
from .flex_pairs import (
    boxes_meet,
    collide_element_vertex,
    collide_elements,
    collide_geom_element,
    collide_inverted,
    collide_plane_flex,
    sphere_meets,
)
from .flex_still import active, examine, list_elements, rests
from .mid import IDENTITY, NOWHERE, boxes_apart, nodes_apart, surface
from .sweep import LOW, close_box, gather_close, in_order, least_room, open_box, sort_ends

PLANE = int(mjtGeom.mjGEOM_PLANE)
MIDPHASE = int(mjtDisableBit.mjDSBL_MIDPHASE)
SELF_NONE, SELF_NARROW, SELF_BVH, SELF_SAP, SELF_AUTO = range(5)
PAIRS = 1000000  # maximum number of pairs that the sweep within a flex returns


@inline
def must_grow(d, rows):
    """Return whether the search needs more memory than is allocated. If so, set the status to GROW, which requests more."""
    if rows <= d.nbroad_cap:
        return False
    d.need_broad = rows
    d.status = GROW
    return True


@inline
def geom_masks_meet(m, g, f):
    return masks_meet(m.geom_contype[g], m.geom_conaffinity[g], m.flex_contype[f], m.flex_conaffinity[f])


@inline
def node_box(m, d, n, body):
    """Return the bounding box of a tree node. The frame of the box is a body's inertial frame, or the world frame for a
    flex."""
    return load(m.bvh_aabb, n, 6) if body else load(d.bvh_aabb_dyn, n - m.nbvhstatic, 6)


@inline
def flex_reach(m, f):
    """Return the distance from a flex within which contacts are made."""
    return m.flex_margin[f] + m.flex_gap[f] if m.compat_bits & OUTSIDE else m.flex_margin[f]


@inline
def leaves_meet(m, d, g, f, box):
    """Return True if a geom and an element may collide: their bit masks match, and their bounding boxes are within the
    margin."""
    margin = mix_margin(m, m.geom_margin[g], m.flex_margin[f], m.geom_gap[g], m.flex_gap[f])
    pos = load(d.geom_xpos, g, 3)
    return (
        geom_masks_meet(m, g, f)
        and sphere_meets(pos, m.geom_rbound[g] + margin, box)
        and not boxes_apart(load(m.geom_aabb, g, 6), pos, load(d.geom_xmat, g, 9), box, NOWHERE, IDENTITY, margin)
    )


@inline
def tree_rows(m, b):
    return m.body_bvhnum[b] if b < m.nbody else m.flex_bvhnum[b - m.nbody]


@kernel
def search(m, d, b1, b2, at_once):
    """reads tree boxes; writes tree_stack, tree_pair, bvh_active. Returns the number of pairs found, or -1 if the step must
    stop.

    Search for pairs of b1, a body or flex, and flex b2. With `at_once`, pairs of elements are collided as soon as they are
    found.
    """
    body, f1, f2 = b1 < m.nbody, b1 - m.nbody, b2 - m.nbody
    adr1, adr2 = m.body_bvhadr[b1] if body else m.flex_bvhadr[f1], m.flex_bvhadr[f2]
    mat = load(d.ximat, b1, 9) if body else IDENTITY
    pos = load(d.xipos, b1, 3) if body else NOWHERE
    cross, way = transpose3(mat), scale3(pos, -1.0)
    way1 = mat_t_vec3(mat, way)
    margin = mix_reach(m, m.body_margin[b1] if body else flex_reach(m, f1), flex_reach(m, f2))

    # Descend from the roots of both trees.
    mark, stack, depth, found = m.vis.global__bvactive, d.tree_stack, 1, 0
    if mark:
        d.bvh_end = max(d.bvh_end, adr1 + tree_rows(m, b1), adr2 + tree_rows(m, b2))
    store(stack, 0, (adr1, adr2))
    while depth:
        depth -= 1
        n1, n2 = load(stack, depth, 2)
        left1, right1 = load(m.bvh_child, n1, 2)
        left2, right2 = load(m.bvh_child, n2, 2)
        leaf1, leaf2 = left1 < 0 and right1 < 0, left2 < 0 and right2 < 0
        if b1 == b2 and n1 > n2:
            continue

        # Two leaves are a pair, unless filters reject it.
        box1, box2 = node_box(m, d, n1, body), node_box(m, d, n2, False)
        if leaf1 and leaf2:
            i, e = m.bvh_nodeid[n1], m.bvh_nodeid[n2]
            if body and not leaves_meet(m, d, i, f2, box2):
                continue
            if at_once:
                if not collide_elements(m, d, f1, i, f2, e):
                    return -1
            elif not body or m.geom_type[i] != PLANE:
                if found < d.nbroad_cap:
                    d.tree_pair[found] = (i << 32) + e
                found += 1

        # For a body, compare boxes along the axes of both frames; for two flexes, along the world axes.
        elif body:
            if nodes_apart(box1, box2, cross, way1, way, margin):
                continue
        elif not boxes_meet(box1, box2, margin):
            continue

        # Descend into the larger box.
        if mark:
            d.bvh_active[n1] = d.bvh_active[n2] = 1
        if leaf1 and leaf2:
            continue
        first = leaf2 or (not leaf1 and surface(box1) > surface(box2))
        for side in range(2):
            if first:
                child = left1 if side == 0 else right1
            else:
                child = left2 if side == 0 else right2
            if child >= 0:
                store(stack, depth, (child + adr1, n2) if first else (n1, child + adr2))
                depth += 1
    return found


@kernel
def collide_trees(m, d, b1, b2):
    """Collide a body or flex with another flex, in the order of geoms and elements. Return False if the step must stop."""
    room, body, f = tree_rows(m, b1) + tree_rows(m, b2), b1 < m.nbody, b2 - m.nbody
    if must_grow(d, room):
        return False
    found = search(m, d, b1, b2, False)
    if body and immovable(m, m.body_weldid[b1]):
        # Planes have no box in the tree: add them as pairs, which are sorted together with the others.
        for g in range(m.body_geomadr[b1], m.body_geomadr[b1] + m.body_geomnum[b1]):
            if m.geom_type[g] == PLANE:
                if found < d.nbroad_cap:
                    d.tree_pair[found] = g << 32
                found += 1
    if must_grow(d, found):
        return False

    sort_keys(d.tree_pair, d.broad_merge, found)
    thinned, first = few(m, b1, f), d.ncon
    for k in range(found):
        i, e = d.tree_pair[k] >> 32, d.tree_pair[k] & LOW
        if body and m.geom_type[i] == PLANE:
            collide_plane_flex(m, d, i, f)
        elif not (collide_geom_element(m, d, i, f, e) if body else collide_elements(m, d, b1 - m.nbody, i, f, e)):
            return False

        # When all contacts with this geom, or with the other flex, are found, reduce their number.
        if thinned and (k == found - 1 or body and d.tree_pair[k + 1] >> 32 != i):
            if not thin(d, first):
                return False
            first = d.ncon
    return True


@kernel
def collide_all(m, d, b1, b2):
    """Collide each geom of a body, or each element of a flex, with each element of another flex. Return False if the step must
    stop."""
    f, first = b2 - m.nbody, d.ncon
    thinned = few(m, b1, f)
    if b1 >= m.nbody:
        for i in range(m.flex_elemnum[b1 - m.nbody]):
            for e in range(m.flex_elemnum[f]):
                if not collide_elements(m, d, b1 - m.nbody, i, f, e):
                    return False
        return not thinned or thin(d, first)

    # Collide the geoms of a body one by one.
    for g in range(m.body_geomadr[b1], m.body_geomadr[b1] + m.body_geomnum[b1]):
        if not geom_masks_meet(m, g, f):
            continue
        first = d.ncon
        if m.geom_type[g] == PLANE:
            collide_plane_flex(m, d, g, f)
        else:
            for e in range(m.flex_elemnum[f]):
                if not collide_geom_element(m, d, g, f, e):
                    return False
        if thinned and not thin(d, first):
            return False
    return True


@inline
def count_sweep(d, n, pairs):
    """Count the scratch memory that MuJoCo needs to sweep n elements.

    It holds the elements' indices and boxes, pairs, interval ends in two orders, and the elements whose intervals are open.
    """
    push(d, FRAME, 8)
    push(d, 4 * n, 4)
    push(d, 8 * 6 * n, 8)
    push(d, 4 * pairs, 4)
    push(d, 2 * (8 + 4) * 2 * n, 4)


@kernel
def sweep_elements(m, d, f):
    """Collide the elements of one flex, found by sweep and prune along the flex's longest side, unless they are known to be
    apart. Return False if the step must stop."""
    count = 0
    for e in range(m.flex_elemnum[f]):
        count += active(m, f, e)
    if count < 2:
        return True
    if must_grow(d, least_room(count)):
        return False
    inside, pairs, most, stack, first = 0, 0, min(count * (count - 1) // 2, PAIRS), d.pstack, d.ncon
    if limited(d):
        count_sweep(d, count, most)
    if rests(m, d, f) and has_room(d, PAIR_CONTACTS):
        d.pstack = stack
        return True

    # When the interval of an element opens, compare the element with all elements whose intervals are open.
    n = list_elements(m, d, f, 0.0)
    elements, keys, close = d.broad_body, d.broad_key, d.tree_stack
    sort_ends(keys, d.broad_merge, d.broad_box, n)
    for k in range(2 * n):
        i = (keys[k] & LOW) >> 1
        if keys[k] & 1:
            inside = close_box(d, i, inside)
            continue
        # The order of pairs determines the order of contacts.
        found = gather_close(d, i, inside)
        in_order(d, close, found)
        for j in range(found):
            if pairs < most and not collide_elements(m, d, f, elements[close[j, 0]], f, elements[i]):
                return False
            pairs += 1
        inside = open_box(d, i, inside, k)
    d.pstack = stack
    examine(m, d, f, d.ncon > first)
    return True


@kernel
def collide_itself(m, d, f):
    """Collide a flex with itself: listed elements and vertices, inverted tetrahedra, pairs of elements. Return False if the
    step must stop.
    """
    if m.flex_internal[f]:
        for k in range(m.flex_evpairadr[f], m.flex_evpairadr[f] + m.flex_evpairnum[f]):
            if not collide_element_vertex(m, d, f, m.flex_evpair[k, 0], m.flex_evpair[k, 1]):
                return False
        if m.flex_dim[f] == 3:
            collide_inverted(m, d, f)

    # Collide pairs of elements, found by trees, by sweep and prune, or by trying all pairs. Interpolated flexes are skipped.
    mode = m.flex_selfcollide[f]
    if mode == SELF_NONE or m.flex_interp[f]:
        return True
    if not m.opt.disableflags & MIDPHASE and mode != SELF_NARROW and m.flex_bvhadr[f] >= 0:
        if mode == SELF_BVH or (mode == SELF_AUTO and m.flex_dim[f] == 3):
            return not must_grow(d, 2 * m.flex_bvhnum[f]) and search(m, d, m.nbody + f, m.nbody + f, True) >= 0
        return sweep_elements(m, d, f)
    for i in range(m.flex_elemnum[f]):
        if active(m, f, i):
            for j in range(i + 1, m.flex_elemnum[f]):
                if active(m, f, j) and not collide_elements(m, d, f, i, f, j):
                    return False
    return True


@stage("iMDiif")
def collide_flex(m, d, b1, b2, margin):
    """reads poses of geoms and flexes; writes ncon, contact rows, manifold, shapes, flex_points, bvh_active, tree_stack,
    tree_pair, broad_body, broad_box, broad_active, broad_place, broad_open, broad_key, broad_merge.

    Collide b1, a body or flex, with flex b2. If both are equal, collide the flex with itself. Return -1 if the step must stop.
    """
    if b1 == b2:
        return 0 if collide_itself(m, d, b2 - m.nbody) else -1
    if (
        not m.opt.disableflags & MIDPHASE
        and m.flex_bvhadr[b2 - m.nbody] >= 0
        and (m.body_bvhadr[b1] if b1 < m.nbody else m.flex_bvhadr[b1 - m.nbody]) >= 0
    ):
        return 0 if collide_trees(m, d, b1, b2) else -1
    return 0 if collide_all(m, d, b1, b2) else -1
