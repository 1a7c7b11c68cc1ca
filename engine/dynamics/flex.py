"""Geometry of flexes: vertices, bounding boxes of elements, lengths and Jacobians of edges, velocities of edges.

A vertex is a body's origin, a point fixed in a body, or interpolated between the nodes of a cell (8 nodes linear, 27
quadratic).
"""

from ..machine.jit import inline, kernel, stage
from ..machine.lang import flat, load, small, store
from ..math.dense import dot
from ..math.vec import add3, cross3, dot3, mat_vec3, scale3, sub3, unit3
from ..tables.consts import mjMAXFLEXNODES
from ..tables.enums import mjtDisableBit
from .jacobian import arm, pair_chain
from .sparsity import is_sparse

NO_MIDPHASE = int(mjtDisableBit.mjDSBL_MIDPHASE)
MOST_NODES = 3 * mjMAXFLEXNODES
SLIDES = 2  # body_simple of a body that has three slide joints


@stage
def flex_pos(m, d):
    """reads xpos, xmat, cdof, subtree_com; writes flexvert_xpos, flexelem_aabb, bvh_aabb_dyn of flexes, flexedge_length,
    flexedge_J, flexedge_J_rownnz, flexedge_J_rowadr, flexedge_J_colind.
    """
    for f in range(m.nflex):
        if m.flex_interp[f]:
            interpolate(m, d, f)
        else:
            body_vertices(m, d, f)
        element_boxes(m, d, f)
        if m.opt.disableflags & NO_MIDPHASE == 0 and m.flex_bvhadr[f] >= 0:
            update_tree(m, d, f)
    sparse = is_sparse(m)
    for e in range(m.nflexedge):
        d.flexedge_J_rownnz[e] = d.flexedge_J_rowadr[e] = 0
    if not sparse:
        J = flat(d.flexedge_J)
        for k in range(d.flexedge_end * m.nv):
            J[k] = 0.0
    d.flexedge_end, end = m.nflexedge if sparse else 0, 0
    for f in range(m.nflex):
        # Edges of rigid and of interpolated flexes exert no forces.
        if not m.flex_rigid[f] and not m.flex_interp[f]:
            end = edges(m, d, f, sparse, end)
            if not sparse and has_rows(m, f):
                d.flexedge_end = m.flex_edgeadr[f] + m.flex_edgenum[f]


# ---- vertices ----------------------------------------------------------------------------------------------------------
@inline
def attached(m, d, b, pos, centered):
    """Return the world position of point `pos` of body b, or the body's origin if the flex is centered."""
    p = load(d.xpos, b, 3)
    return p if centered else add3(mat_vec3(load(d.xmat, b, 9), pos), p)


@kernel
def body_vertices(m, d, f):
    """writes flexvert_xpos of vertices attached to bodies."""
    for v in range(m.flex_vertadr[f], m.flex_vertadr[f] + m.flex_vertnum[f]):
        store(d.flexvert_xpos, v, attached(m, d, m.flex_vertbodyid[v], load(m.flex_vert, v, 3), m.flex_centered[f]))


@inline
def shape(s, i, order):
    """Return the Lagrange polynomial i of the nodes 0, 1 (order 1) or 0, 1/2, 1 (order 2)."""
    if order == 1:
        return s if i != 0 else 1 - s
    if i == 0:
        return 2 * s * s - 3 * s + 1
    return 4 * (s - s * s) if i == 1 else 2 * s * s - s


@inline
def basis(p, i, order):
    """Return the basis function of node i at a point of the unit cell."""
    if order == 1:
        return shape(p[2], i & 1, 1) * shape(p[1], i & 2, 1) * shape(p[0], i & 4, 1)
    return shape(p[2], i % 3, 2) * shape(p[1], (i // 3) % 3, 2) * shape(p[0], i // 9, 2)


@kernel
def interpolate(m, d, f):
    """writes flexvert_xpos of vertices interpolated from nodes."""
    nodes, first, count = small(MOST_NODES), m.flex_nodeadr[f], m.flex_nodenum[f]
    for k in range(count):
        n = first + k
        store(nodes, 3 * k, attached(m, d, m.flex_nodebodyid[n], load(m.flex_node, n, 3), m.flex_centered[f]))
    for v in range(m.flex_vertadr[f], m.flex_vertadr[f] + m.flex_vertnum[f]):
        at, p = load(m.flex_vert0, v, 3), (0.0, 0.0, 0.0)
        for k in range(count):
            p = add3(p, scale3(load(nodes, 3 * k, 3), basis(at, k, m.flex_interp[f])))
        store(d.flexvert_xpos, v, p)


# ---- boxes ---------------------------------------------------------------------------------------------------------------
@kernel
def element_boxes(m, d, f):
    """writes flexelem_aabb: center and half sizes, inflated by the radius."""
    # With a constant dimension, the loops over vertices are unrolled.
    if m.flex_dim[f] == 1:
        boxes_of(m, d, f, 1)
    elif m.flex_dim[f] == 2:
        boxes_of(m, d, f, 2)
    else:
        boxes_of(m, d, f, 3)


@inline
def boxes_of(m, d, f, dim):
    """Write the boxes of a flex whose elements have `dim` + 1 vertices."""
    radius, base = m.flex_radius[f], m.flex_vertadr[f]
    for e in range(m.flex_elemnum[f]):
        start = m.flex_elemdataadr[f] + e * (dim + 1)
        low = high = load(d.flexvert_xpos, base + m.flex_elem[start], 3)
        for k in range(1, dim + 1):
            p = load(d.flexvert_xpos, base + m.flex_elem[start + k], 3)
            low = (min(low[0], p[0]), min(low[1], p[1]), min(low[2], p[2]))
            high = (max(high[0], p[0]), max(high[1], p[1]), max(high[2], p[2]))
        for c in range(3):
            d.flexelem_aabb[m.flex_elemadr[f] + e, c] = 0.5 * (high[c] + low[c])
            d.flexelem_aabb[m.flex_elemadr[f] + e, c + 3] = 0.5 * (high[c] - low[c]) + radius


@kernel
def update_tree(m, d, f):
    """writes bvh_aabb_dyn of one flex: leaves enclose elements, parents enclose their children (which have larger indices)."""
    start, count, fixed = m.flex_bvhadr[f], m.flex_bvhnum[f], m.nbvhstatic
    for i in range(start + count - 1, start - 1, -1):
        node, at = m.bvh_nodeid[i], i - fixed
        if node >= 0:
            store(d.bvh_aabb_dyn, at, load(d.flexelem_aabb, m.flex_elemadr[f] + node, 6))
            continue
        a, b = start + m.bvh_child[i, 0] - fixed, start + m.bvh_child[i, 1] - fixed
        for c in range(3):
            low = min(d.bvh_aabb_dyn[a, c] - d.bvh_aabb_dyn[a, c + 3], d.bvh_aabb_dyn[b, c] - d.bvh_aabb_dyn[b, c + 3])
            high = max(d.bvh_aabb_dyn[a, c] + d.bvh_aabb_dyn[a, c + 3], d.bvh_aabb_dyn[b, c] + d.bvh_aabb_dyn[b, c + 3])
            d.bvh_aabb_dyn[at, c] = 0.5 * (high + low)
            d.bvh_aabb_dyn[at, c + 3] = 0.5 * (high - low)


# ---- edges ---------------------------------------------------------------------------------------------------------------
@inline
def has_rows(m, f):
    """Return whether anything uses the Jacobians of a flex's edges. Rigid and interpolated flexes have none."""
    used = m.flex_edgeequality[f] or m.flex_edgedamping[f] != 0 or m.flex_edgestiffness[f] != 0 or m.flex_damping[f] != 0
    return used and not m.flex_rigid[f] and not m.flex_interp[f]


@inline
def slides_alone(m, b):
    """Return whether a body has three slide joints, and a parent that never moves."""
    return m.body_simple[b] == SLIDES and m.body_dofnum[b] == 3 and m.dof_parentid[m.body_dofadr[b]] < 0


@inline
def slide_columns(m, d, b, direction, J, col, at):
    """Write the three columns of a vertex that is such a body, from element `at` on."""
    i = m.body_dofadr[b]
    for k in range(3):
        J[at + k], col[at + k] = dot3((d.cdof[i + k, 3], d.cdof[i + k, 4], d.cdof[i + k, 5]), direction), i + k


@inline
def edge_rate(d, i, side, direction, turn1, turn2, turn):
    """Return the rate of an edge's length at unit velocity of dof i, which moves its first end (side 1), its second (2) or both
    (3). turn1, turn2: the moments of the edge's direction at its ends; turn: their difference.
    """
    c = load(d.cdof, i, 6)
    axis = (c[0], c[1], c[2])
    if side == 3:
        return dot3(axis, turn)
    along = dot3((c[3], c[4], c[5]), direction)
    return along + dot3(axis, turn2) if side == 2 else -(along + dot3(axis, turn1))


@kernel
def edges(m, d, f, sparse, end):
    """writes flexedge_length, and the Jacobians of edges with forces, from `end` on (scratch: work_chain). Returns the new end.

    If a flex has no rows, MuJoCo also treats the rows before it as empty, and overwrites them or writes out of bounds.
    """
    J, col, base, needed = flat(d.flexedge_J), flat(d.flexedge_J_colind), m.flex_vertadr[f], has_rows(m, f)
    for e in range(m.flex_edgeadr[f], m.flex_edgeadr[f] + m.flex_edgenum[f]):
        v1, v2 = base + m.flex_edge[e, 0], base + m.flex_edge[e, 1]
        p1, p2 = load(d.flexvert_xpos, v1, 3), load(d.flexvert_xpos, v2, 3)
        direction, length = unit3(sub3(p2, p1))
        d.flexedge_length[e] = length
        if not needed:
            continue

        # Write the edge's row of the Jacobian.
        b1, b2 = m.flex_vertbodyid[v1], m.flex_vertbodyid[v2]
        if sparse and slides_alone(m, b1) and slides_alone(m, b2) and b1 != b2:
            d.flexedge_J_rowadr[e], d.flexedge_J_rownnz[e] = end, 6
            first = end if b1 < b2 else end + 3
            slide_columns(m, d, b1, scale3(direction, -1.0), J, col, first)
            slide_columns(m, d, b2, direction, J, col, 2 * end + 3 - first)
            end += 6
            continue
        n = pair_chain(m, b1, b2, d.work_chain)
        row = e * m.nv
        if sparse:
            row = end
            end += n
            d.flexedge_J_rowadr[e], d.flexedge_J_rownnz[e] = row, n
        turn1, turn2 = cross3(arm(m, d, p1, b1), direction), cross3(arm(m, d, p2, b2), direction)
        turn = sub3(turn2, turn1)
        for k in range(n):
            entry = d.work_chain[n - 1 - k]
            i = entry >> 2
            x = edge_rate(d, i, entry & 3, direction, turn1, turn2, turn)
            if sparse:
                J[row + k], col[row + k] = x, i
            else:
                J[row + i] = x
    return end


@stage
def flex_vel(m, d):
    """reads flexedge_J, qvel; writes flexedge_velocity."""
    for f in range(m.nflex):
        first, last = m.flex_edgeadr[f], m.flex_edgeadr[f] + m.flex_edgenum[f]
        if has_rows(m, f):
            edge_velocities(m, d, first, last)
        else:
            for e in range(first, last):
                d.flexedge_velocity[e] = 0.0


@kernel
def edge_velocities(m, d, first, last):
    """writes flexedge_velocity of a range of edges."""
    J, col = flat(d.flexedge_J), flat(d.flexedge_J_colind)
    sparse = is_sparse(m)
    for e in range(first, last):
        if sparse:
            s, start = 0.0, d.flexedge_J_rowadr[e]
            for a in range(start, start + d.flexedge_J_rownnz[e]):
                s += J[a] * d.qvel[col[a]]
            d.flexedge_velocity[e] = s
        else:
            d.flexedge_velocity[e] = dot(J, e * m.nv, d.qvel, 0, m.nv)
