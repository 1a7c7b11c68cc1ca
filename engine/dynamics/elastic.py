"""Forces of flexes: bending of shells, elasticity of elements, of interpolated cells and of edges.

Elements: the energy is a quadratic form in the changes of squared edge lengths (Saint Venant-Kirchhoff with the metric of
flex_stiffness). Damping extrapolates the elongation, after L. Kharevych et al., Geometric, Variational Integrators for Computer
Animation, 2006. Shells: quadratic bending after E. Grinspun, with a term for a curved rest shape. Cells: corotated linear
elasticity; the rotation of the deformation gradient after M. Müller et al., A Robust Method to Extract the Rotational Part of
Deformations, 2016.
"""

from ..machine.jit import inline, kernel, stage
from ..machine.lang import flat, load, small, store
from ..math.quat import axis_angle, quat_conj, quat_mat, quat_mul, quat_unit, rotate
from ..math.vec import add3, add_scaled3, cross3, dot3, mat_t_vec3, mat_vec3, scale3, sub3, unit3
from ..tables.compat_rows import bit
from ..tables.consts import mjMINVAL
from ..tables.enums import mjtDisableBit
from .awake import SLEEP_WHOLE, flex_asleep
from .flex import MOST_NODES, SLIDES, attached, shape
from .force import apply_force
from .objects import out_of_com, tail3
from .sparsity import is_sparse

NO_SPRING, NO_DAMPER = (int(mjtDisableBit[f"mjDSBL_{n}"]) for n in ("SPRING", "DAMPER"))
ROTATION_STEPS, ROTATION_TOLERANCE = 500, 1e-9
ELEMENT_DATA, CURVE = 21, 16
APART, CELL_TURN, FRAMES = bit("flex_apart"), bit("cell_turn"), bit("flex_frames")


@stage
def flex_passive(m, d):
    """reads flexvert_xpos, flexedge_length, flexedge_velocity, flexedge_J, qvel; adds to qfrc_spring and qfrc_damper
    (scratch: work_flex).
    """
    springs, dampers = m.opt.disableflags & NO_SPRING == 0, m.opt.disableflags & NO_DAMPER == 0
    for f in range(m.nflex):
        if m.flex_dim[f] == 1 or m.flex_rigid[f] or m.compat_bits & SLEEP_WHOLE and flex_asleep(m, d, f):
            continue
        if m.flex_dim[f] == 2:
            bend(m, d, f, springs, dampers)
        if m.flex_stiffness[m.flex_elemadr[f], 0] == 0:
            continue
        if m.flex_interp[f]:
            cell_forces(m, d, f, springs, dampers)
        elif m.compat_bits & APART:
            if springs:
                stretch(m, d, f, 1.0, 0.0, d.qfrc_spring)
            if dampers and m.flex_damping[f] > 0:
                stretch(m, d, f, 0.0, 1.0, d.qfrc_damper)
        else:
            stretch(m, d, f, 1.0, 1.0, d.qfrc_spring)
    for f in range(m.nflex):
        if not m.flex_rigid[f] and not (m.compat_bits & SLEEP_WHOLE and flex_asleep(m, d, f)):
            edge_forces(m, d, f, m.flex_edgestiffness[f] if springs else 0.0, m.flex_edgedamping[f] if dampers else 0.0)


@inline
def vertex_velocity(d, adr):
    return d.qvel[adr], d.qvel[adr + 1], d.qvel[adr + 2]


@inline
def along_slides(m, d, b, v, back):
    """Convert a vector from the axes of body b's three slide joints to world axes or, with `back`, the other way. MuJoCo 3.4
    assumes that these joints are parallel to the world axes."""
    if m.compat_bits & FRAMES == 0:
        return v
    frame = load(d.xmat, b, 9)
    return mat_t_vec3(frame, v) if back else mat_vec3(frame, v)


@inline
def end_velocity(m, d, b, place):
    """Return the velocity of a vertex that is a point of body b."""
    if m.body_simple[b] == SLIDES or m.compat_bits & APART == 0:
        return along_slides(m, d, b, vertex_velocity(d, m.body_dofadr[b]), False)
    return tail3(out_of_com(m, d, d.cvel, b, place))


@kernel
def bend(m, d, f, springs, dampers):
    """Add the forces on the four vertices of each pair of triangles that share an edge."""
    base = m.flex_vertadr[f]
    for e in range(m.flex_edgeadr[f], m.flex_edgeadr[f] + m.flex_edgenum[f]):
        if m.flex_edgeflap[e, 1] == -1:
            continue
        v = (base + m.flex_edge[e, 0], base + m.flex_edge[e, 1], base + m.flex_edgeflap[e, 0], base + m.flex_edgeflap[e, 1])
        p0, p1 = load(d.flexvert_xpos, v[0], 3), load(d.flexvert_xpos, v[1], 3)
        p2, p3 = load(d.flexvert_xpos, v[2], 3), load(d.flexvert_xpos, v[3], 3)

        # Compute area-weighted normals.
        a, b, c = sub3(p1, p0), sub3(p2, p0), sub3(p3, p0)
        n1, n2, n3 = cross3(b, c), cross3(c, a), cross3(a, b)
        n0 = scale3(add3(add3(n1, n2), n3), -1.0)
        u = (m.flex_vertbodyid[v[0]], m.flex_vertbodyid[v[1]], m.flex_vertbodyid[v[2]], m.flex_vertbodyid[v[3]])
        w0, w1 = end_velocity(m, d, u[0], p0), end_velocity(m, d, u[1], p1)
        w2, w3 = end_velocity(m, d, u[2], p2), end_velocity(m, d, u[3], p3)

        curve = m.flex_bending[e, CURVE]
        for i in range(4):
            k = (
                m.flex_bending[e, 4 * i],
                m.flex_bending[e, 4 * i + 1],
                m.flex_bending[e, 4 * i + 2],
                m.flex_bending[e, 4 * i + 3],
            )
            normal = n0 if i == 0 else n1 if i == 1 else n2 if i == 2 else n3
            spring = add_scaled3(mix(k, p0, p1, p2, p3), normal, curve)
            damper = scale3(mix(k, w0, w1, w2, w3), m.flex_damping[f])
            body = u[i]
            if m.body_simple[body] != SLIDES and m.compat_bits & APART:
                # The vertex's body has no joints, or other joints than three slides.
                place, zero = p0 if i == 0 else p1 if i == 1 else p2 if i == 2 else p3, (0.0, 0.0, 0.0)
                if springs:
                    apply_force(m, d, d.qfrc_spring, body, place, scale3(spring, -1.0), zero)
                if dampers:
                    apply_force(m, d, d.qfrc_damper, body, place, scale3(damper, -1.0), zero)
                continue
            adr = m.body_dofadr[body]
            spring, damper = along_slides(m, d, body, spring, True), along_slides(m, d, body, damper, True)
            for x in range(m.body_dofnum[body]):
                if springs:
                    d.qfrc_spring[adr + x] -= spring[x]
                if dampers:
                    d.qfrc_damper[adr + x] -= damper[x]


@inline
def mix(k, a, b, c, e):
    """Return the weighted sum of four vectors."""
    return add_scaled3(add_scaled3(add_scaled3(scale3(a, k[0]), b, k[1]), c, k[2]), e, k[3])


# ---- elements ----------------------------------------------------------------------------------------------------------
@inline
def edge_ends(dim, k):
    """Return the local vertices of edge k of a triangle or a tetrahedron."""
    if dim == 2:
        return (k + 1) % 3, (k + 2) % 3
    if k < 3:
        return k, (k + 1) % 3
    if k == 3:
        return 2, 3
    return (0, 3) if k == 4 else (1, 3)


@inline
def metric(k, i, n):
    """Return the index of entry (i, k), i <= k, of a symmetric matrix of size n whose upper triangle is stored row by row."""
    return i * n - (i * (i - 1)) // 2 + (k - i)


@inline
def pull_vertices(m, d, f, dim, count, elastic, damping):
    """Add the forces of elements with `dim` + 1 vertices and `count` edges to work_flex."""
    base, edges = m.flex_vertadr[f], m.flex_edgeadr[f]
    change, force = small(6), small(12)
    for t in range(m.flex_elemnum[f]):
        vertices, element = m.flex_elemdataadr[f] + t * (dim + 1), m.flex_elemadr[f] + t

        # Compute changes of squared edge lengths.
        for k in range(count):
            e = edges + m.flex_elemedge[m.flex_elemedgeadr[f] + t * count + k]
            now, rest = d.flexedge_length[e], m.flexedge_length0[e]
            before = now - d.flexedge_velocity[e] * m.opt.timestep
            change[k] = elastic * (now * now - rest * rest) + (now * now - before * before) * damping

        # Tensions pull the ends of the edges.
        for x in range(3 * (dim + 1)):
            force[x] = 0.0
        for k in range(count):
            tension = 0.0
            for i in range(count):
                tension += change[i] * m.flex_stiffness[element, metric(max(i, k), min(i, k), count)]
            a, b = edge_ends(dim, k)
            pa = load(d.flexvert_xpos, base + m.flex_elem[vertices + a], 3)
            pb = load(d.flexvert_xpos, base + m.flex_elem[vertices + b], 3)
            pull = scale3(sub3(pa, pb), tension)
            store(force, 3 * a, sub3(load(force, 3 * a, 3), pull))
            store(force, 3 * b, add3(load(force, 3 * b, 3), pull))
        for k in range(dim + 1):
            v = base + m.flex_elem[vertices + k]
            store(d.work_flex, v, add3(load(d.work_flex, v, 3), load(force, 3 * k, 3)))


@kernel
def stretch(m, d, f, elastic, damped, forces):
    """Add forces of triangles and tetrahedra to `forces`, the joint forces: `elastic` times elasticity, `damped` times
    damping."""
    base = m.flex_vertadr[f]
    damping = damped * m.flex_damping[f] / m.opt.timestep if m.opt.timestep > 0 else 0.0
    for v in range(base, base + m.flex_vertnum[f]):
        store(d.work_flex, v, (0.0, 0.0, 0.0))

    # With constant counts, the loops over an element's edges and vertices are unrolled.
    if m.flex_dim[f] == 2:
        pull_vertices(m, d, f, 2, 3, elastic, damping)
    else:
        pull_vertices(m, d, f, 3, 6, elastic, damping)

    # Convert vertex forces to joint forces.
    for v in range(base, base + m.flex_vertnum[f]):
        b = m.flex_vertbodyid[v]
        if m.body_simple[b] != SLIDES:
            # The vertex is pinned: its body does not have the three slide joints of a free vertex.
            apply_force(m, d, forces, b, load(d.flexvert_xpos, v, 3), load(d.work_flex, v, 3), (0.0, 0.0, 0.0))
        else:
            force = along_slides(m, d, b, load(d.work_flex, v, 3), True)
            for x in range(m.body_dofnum[b]):
                forces[m.body_dofadr[b] + x] += force[x]


# ---- cells -------------------------------------------------------------------------------------------------------------
@inline
def slope(s, i, order):
    """Return the derivative of the Lagrange polynomial `shape`."""
    if order == 1:
        return 1.0 if i != 0 else -1.0
    if i == 0:
        return 4 * s - 3
    return 4 - 8 * s if i == 1 else 4 * s - 1


@kernel
def gradient(nodes, order):
    """Return the deformation gradient at the center of the cell, row by row."""
    rows = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    r0, r1, r2 = rows
    n = 0
    for i in range(order + 1):
        for j in range(order + 1):
            for k in range(order + 1):
                a, b, c = shape(0.5, i, order), shape(0.5, j, order), shape(0.5, k, order)
                g = (slope(0.5, i, order) * b * c, a * slope(0.5, j, order) * c, a * b * slope(0.5, k, order))
                p = load(nodes, 3 * n, 3)
                r0, r1, r2 = add_scaled3(r0, g, p[0]), add_scaled3(r1, g, p[1]), add_scaled3(r2, g, p[2])
                n += 1
    return r0[0], r0[1], r0[2], r1[0], r1[1], r1[2], r2[0], r2[1], r2[2]


@kernel
def rotation_of(a):
    """Return the rotational part of a matrix, as a quaternion. It is rotated until its axes and the matrix's columns, as pairs
    of vectors, exert no total torque on each other."""
    q = (1.0, 0.0, 0.0, 0.0)
    for _ in range(ROTATION_STEPS):
        r = quat_mat(q)
        c0, c1, c2 = (a[0], a[3], a[6]), (a[1], a[4], a[7]), (a[2], a[5], a[8])
        r0, r1, r2 = (r[0], r[3], r[6]), (r[1], r[4], r[7]), (r[2], r[5], r[8])
        torque = add3(add3(cross3(r0, c0), cross3(r1, c1)), cross3(r2, c2))
        axis, angle = unit3(scale3(torque, 1.0 / (abs(dot3(r0, c0) + dot3(r1, c1) + dot3(r2, c2)) + mjMINVAL)))
        if angle < ROTATION_TOLERANCE:
            break
        q = quat_unit(quat_mul(axis_angle(axis, angle), q))
    return q


@inline
def per_length(a, size):
    """Divide the columns of a matrix by the sides of a box."""
    x, y, z = size
    return a[0] / x, a[1] / y, a[2] / z, a[3] / x, a[4] / y, a[5] / z, a[6] / x, a[7] / y, a[8] / z


@kernel
def cell_forces(m, d, f, springs, dampers):
    """Add corotated elasticity and damping of one interpolated flex.

    Node displacements, in the frame of the cell's mean rotation, are multiplied by a constant stiffness matrix.
    """
    nodes, speed = small(MOST_NODES), small(MOST_NODES)
    first, count, centered = m.flex_nodeadr[f], m.flex_nodenum[f], m.flex_centered[f]
    mean = (0.0, 0.0, 0.0)
    exact = m.compat_bits & CELL_TURN
    for k in range(count):
        b = m.flex_nodebodyid[first + k]
        p = attached(m, d, b, load(m.flex_node, first + k, 3), centered)
        store(nodes, 3 * k, p)
        at = p if exact else load(d.xipos, b, 3)
        store(
            speed,
            3 * k,
            along_slides(m, d, b, vertex_velocity(d, m.body_dofadr[b]), False)
            if centered
            else tail3(out_of_com(m, d, d.cvel, b, at)),
        )

        mean = add_scaled3(mean, p, 1.0 / count)
    for k in range(count):
        store(nodes, 3 * k, sub3(load(nodes, 3 * k, 3), mean))

    # Compute displacements and velocities in the rotated frame.
    slopes = gradient(nodes, m.flex_interp[f])
    if exact:
        # The reference cell is a box, from its first node to its last.
        slopes = per_length(slopes, sub3(load(m.flex_node0, first + count - 1, 3), load(m.flex_node0, first, 3)))
    turn = rotation_of(slopes)
    back = quat_conj(turn)
    shift, middle = small(MOST_NODES), (0.5, 0.5, 0.5)
    for k in range(count):
        p = add3(rotate(back, load(nodes, 3 * k, 3)), middle)
        store(nodes, 3 * k, p)
        store(speed, 3 * k, rotate(back, load(speed, 3 * k, 3)))
        store(shift, 3 * k, sub3(p, load(m.flex_node0, first + k, 3)))

    # Compute forces, and rotate them back to world axes.
    K = flat(m.flex_stiffness)
    start, n = ELEMENT_DATA * m.flex_elemadr[f], 3 * count
    for k in range(count):
        force, drag = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for j in range(n):
            column = (K[start + 3 * k * n + j], K[start + (3 * k + 1) * n + j], K[start + (3 * k + 2) * n + j])
            force, drag = add_scaled3(force, column, shift[j]), add_scaled3(drag, column, speed[j])
        force, drag = rotate(turn, force), scale3(rotate(turn, drag), m.flex_damping[f])
        b = m.flex_nodebodyid[first + k]
        if centered:
            force, drag = along_slides(m, d, b, force, True), along_slides(m, d, b, drag, True)
            for x in range(3):
                if springs:
                    d.qfrc_spring[m.body_dofadr[b] + x] += force[x]
                if dampers:
                    d.qfrc_damper[m.body_dofadr[b] + x] += drag[x]
        else:
            # Since 4.0, a force on a node at the origin of its body acts on the dofs of this body only.
            own = load(m.flex_node, first + k, 3)
            if exact and m.body_dofnum[b] > 0 and own[0] == 0 and own[1] == 0 and own[2] == 0:
                frame = load(d.xmat, b, 9)
                force, drag = mat_t_vec3(frame, force), mat_t_vec3(frame, drag)
                for x in range(3):
                    if springs:
                        d.qfrc_spring[m.body_dofadr[b] + x] += force[x]
                    if dampers:
                        d.qfrc_damper[m.body_dofadr[b] + x] += drag[x]
                continue

            # MuJoCo 3.4 applies forces where the node is in the frame of the cell.
            at = attached(m, d, b, load(m.flex_node, first + k, 3), centered) if exact else load(nodes, 3 * k, 3)
            zero = (0.0, 0.0, 0.0)
            if springs:
                apply_force(m, d, d.qfrc_spring, b, at, force, zero)
            if dampers:
                apply_force(m, d, d.qfrc_damper, b, at, drag, zero)


# ---- edges -------------------------------------------------------------------------------------------------------------
@kernel
def edge_forces(m, d, f, stiffness, damping):
    """Add the forces of springs and dampers along edges."""
    if stiffness == 0 and damping == 0:
        return
    J, col, sparse = flat(d.flexedge_J), flat(d.flexedge_J_colind), is_sparse(m)
    for e in range(m.flex_edgeadr[f], m.flex_edgeadr[f] + m.flex_edgenum[f]):
        if m.flexedge_rigid[e]:
            continue
        spring, damper = stiffness * (m.flexedge_length0[e] - d.flexedge_length[e]), -damping * d.flexedge_velocity[e]
        row, count = (d.flexedge_J_rowadr[e], d.flexedge_J_rownnz[e]) if sparse else (e * m.nv, m.nv)
        if stiffness != 0:
            for k in range(count):
                d.qfrc_spring[col[row + k] if sparse else k] += J[row + k] * spring
        if damping != 0:
            for k in range(count):
                d.qfrc_damper[col[row + k] if sparse else k] += J[row + k] * damper
