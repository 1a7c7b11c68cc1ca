"""Compiled part of `setconst`: constants that depend only on the tree, on the pose at qpos0, and on the pose at qpos_spring."""

from ..core.stages import run
from ..dynamics.actuator_models import is_servo
from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, store
from ..math.vec import distance3, sub3
from ..tables.compat_rows import ADHESION, DRIVE, HISTORY, PLASTIC, POLYNOMIAL, SERVO, SURFACE, bit
from ..tables.enums import mjtGeom, mjtJoint, mjtSleepPolicy, mjtTrn, mjtWrap
from ..tables.stage_rows import stage_ids

KINEMATICS, COM_POS, CAMLIGHT, FLEX_POS, TENDON, MAKE_INERTIA, FACTOR_INERTIA, TRANSMISSION, DIAGONAL, WEIGHTS, FLEX_WEIGHTS = (
    stage_ids(
        "kinematics com_pos camlight flex_pos tendon make_inertia factor_inertia transmission "
        "diagonal_inertia inverse_weights flex_weights"
    )
)
WRAP_JOINT, WRAP_SITE, WRAP_SPHERE, WRAP_CYLINDER = (int(mjtWrap[f"mjWRAP_{n}"]) for n in "JOINT SITE SPHERE CYLINDER".split())
ON_JOINT, ON_JOINT_IN_PARENT, ON_SLIDER_CRANK, ON_TENDON, ON_SITE, ON_BODY, ON_TURN = (
    int(mjtTrn[f"mjTRN_{n}"]) for n in "JOINT JOINTINPARENT SLIDERCRANK TENDON SITE BODY SO3".split()
)
PLANE, HFIELD = int(mjtGeom.mjGEOM_PLANE), int(mjtGeom.mjGEOM_HFIELD)
FREE, BALL, HINGE = int(mjtJoint.mjJNT_FREE), int(mjtJoint.mjJNT_BALL), int(mjtJoint.mjJNT_HINGE)
AUTO, AUTO_NEVER, AUTO_ALLOWED, ALLOWED, INITIALLY = (
    int(mjtSleepPolicy[f"mjSLEEP_{n}"]) for n in "AUTO AUTO_NEVER AUTO_ALLOWED ALLOWED INIT".split()
)
SMALLEST = 1e-5
PLANE_REACH, FLEX_REST = bit("plane_reach"), bit("flex_rest")
FAR = 1e10


# ---- independent of the configuration -----------------------------------------------------------------------------------
@stage("iMD")
def tree_constants(m, d):
    """writes Model's body_subtreemass, body_treeid, tree_bodyadr, tree_bodynum, tree_dofadr, tree_dofnum, tendon_treenum,
    tendon_treeid, tree_sleep_policy, features. Returns -1, or t * ntree + tree if a tree that is configured to sleep is kept
    awake by tendon t.
    """
    m.features = used_features(m)
    for b in range(m.nbody):
        m.body_subtreemass[b] = m.body_mass[b]
    for b in range(m.nbody - 1, 0, -1):
        m.body_subtreemass[m.body_parentid[b]] += m.body_subtreemass[b]
    tree_spans(m)
    tendon_trees(m)
    for t in range(m.ntendon):
        if couples(m, t):
            for k in range(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t]):
                tree = wrap_tree(m, k)
                if tree >= 0 and (m.tree_sleep_policy[tree] == ALLOWED or m.tree_sleep_policy[tree] == INITIALLY):
                    return t * m.ntree + tree
    sleep_policies(m)
    return -1


@inline
def bent(coefficients, i):
    """Return whether a row of polynomial coefficients has a nonzero entry."""
    return coefficients[i, 0] != 0 or coefficients[i, 1] != 0


@kernel
def used_features(m):
    """Return a bit mask of the features added after 3.4 that a model uses. Steps do not spend time on unused features."""
    found = 0
    for j in range(m.njnt):
        found |= POLYNOMIAL if bent(m.jnt_stiffnesspoly, j) else 0
    for i in range(m.nv):
        found |= POLYNOMIAL if bent(m.dof_dampingpoly, i) else 0
    for t in range(m.ntendon):
        found |= POLYNOMIAL if bent(m.tendon_stiffnesspoly, t) or bent(m.tendon_dampingpoly, t) else 0
    for g in range(m.ngeom):
        for k in range(6):
            found |= SURFACE if m.geom_surfacevel[g, k] != 0 else 0
        found |= ADHESION if m.geom_adhesion[g] != 0 else 0
    for k in range(m.npair):
        found |= ADHESION if m.pair_adhesion[k] != 0 else 0
    for i in range(m.nactuator):
        found |= SERVO if is_servo(m, i) else 0
        found |= DRIVE if m.actuator_armature[i] != 0 or m.actuator_damping[i] != 0 or bent(m.actuator_dampingpoly, i) else 0
    return found | (HISTORY if m.nhistory else 0) | (PLASTIC if m.nplastic else 0)


@kernel
def tree_spans(m):
    """Set the index ranges of each tree's bodies and dofs; they are contiguous."""
    for t in range(m.ntree):
        m.tree_bodynum[t] = m.tree_dofnum[t] = 0
    for b in range(m.nbody):
        weld = m.body_weldid[b]
        m.body_treeid[b] = -1
        if m.body_dofnum[weld] > 0:
            tree = m.dof_treeid[m.body_dofadr[weld]]
            m.body_treeid[b] = tree
            if m.tree_bodynum[tree] == 0:
                m.tree_bodyadr[tree] = b
            m.tree_bodynum[tree] += 1
    for i in range(m.nv):
        tree = m.dof_treeid[i]
        if m.tree_dofnum[tree] == 0:
            m.tree_dofadr[tree] = i
        m.tree_dofnum[tree] += 1


@kernel
def wrap_tree(m, k):
    """Return the tree to which element k of a tendon's path belongs, or -1."""
    kind, i = m.wrap_type[k], m.wrap_objid[k]
    if kind == WRAP_JOINT:
        return m.body_treeid[m.jnt_bodyid[i]]
    if kind == WRAP_SITE:
        return m.body_treeid[m.site_bodyid[i]]
    if kind == WRAP_SPHERE or kind == WRAP_CYLINDER:
        return m.body_treeid[m.geom_bodyid[i]]
    return -1


@kernel
def tendon_trees(m):
    """Set how many trees each tendon spans, and the first two of these trees along its path."""
    for t in range(m.ntendon):
        first, count = m.tendon_adr[t], 0
        m.tendon_treeid[t, 0] = m.tendon_treeid[t, 1] = -1
        for k in range(first, first + m.tendon_num[t]):
            tree = wrap_tree(m, k)
            new = tree >= 0
            for before in range(first, k):
                new = new and wrap_tree(m, before) != tree
            if new:
                if count < 2:
                    m.tendon_treeid[t, count] = tree
                count += 1
        m.tendon_treenum[t] = count


@inline
def couples(m, t):
    """Return whether a tendon exerts forces between several trees, or spans more than two."""
    springy = m.tendon_stiffness[t] != 0 or bent(m.tendon_stiffnesspoly, t)
    return (
        m.tendon_treenum[t] > 2
        or m.tendon_treenum[t] == 2
        and (springy or m.tendon_damping[t] != 0 or bent(m.tendon_dampingpoly, t) or driven(m, t))
    )


@kernel
def driven(m, t):
    """Return whether an actuator adds inertia or damping to a tendon."""
    for i in range(m.nactuator):
        if m.actuator_trntype[i] == ON_TENDON and m.actuator_trnid[i, 0] == t:
            if m.actuator_armature[i] != 0 or m.actuator_damping[i] != 0 or bent(m.actuator_dampingpoly, i):
                return True
    return False


@inline
def keep_awake(m, tree):
    if tree >= 0 and m.tree_sleep_policy[tree] == AUTO:
        m.tree_sleep_policy[tree] = AUTO_NEVER


@kernel
def keep_tendon_awake(m, t):
    for k in range(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t]):
        keep_awake(m, wrap_tree(m, k))


@kernel
def sleep_policies(m):
    """Mark trees as never sleeping if they have actuators, are coupled by tendons with stiffness, or carry flexes without edge
    constraints.
    """

    # Keep trees awake that are moved by actuators.
    for a in range(m.nactuator):
        kind, i = m.actuator_trntype[a], m.actuator_trnid[a, 0]
        if kind == ON_TENDON:
            keep_tendon_awake(m, i)
        elif kind == ON_JOINT or kind == ON_JOINT_IN_PARENT:
            keep_awake(m, m.body_treeid[m.jnt_bodyid[i]])
        elif kind == ON_SITE or kind == ON_SLIDER_CRANK:
            keep_awake(m, m.body_treeid[m.site_bodyid[i]])
        elif kind == ON_TURN:
            keep_awake(m, m.body_treeid[m.site_bodyid[i] if m.actuator_trnid[a, 1] >= 0 else m.jnt_bodyid[i]])
        elif kind == ON_BODY:
            keep_awake(m, m.body_treeid[i])

    # Keep trees awake that are coupled by a tendon.
    for t in range(m.ntendon):
        if couples(m, t):
            keep_tendon_awake(m, t)

    # Keep trees with flexes awake.
    for f in range(m.nflex):
        if m.compat_bits & FLEX_REST and m.flex_edgeequality[f] != 0:
            continue
        if m.flex_interp[f] != 0:
            for k in range(m.flex_nodeadr[f], m.flex_nodeadr[f] + m.flex_nodenum[f]):
                keep_awake(m, m.body_treeid[m.flex_nodebodyid[k]])
        else:
            for k in range(m.flex_vertadr[f], m.flex_vertadr[f] + m.flex_vertnum[f]):
                keep_awake(m, m.body_treeid[m.flex_vertbodyid[k]])

    for t in range(m.ntree):
        if m.tree_sleep_policy[t] == AUTO:
            m.tree_sleep_policy[t] = AUTO_ALLOWED


# ---- at qpos0 -------------------------------------------------------------------------------------------------------------
@stage
def reference_constants(m, d):
    """reads nothing; writes qpos and Model's dof_M0, lengths, inverse weights, offsets of cameras and lights, dof_length, stat
    (scratch: work_cacc).
    """
    for i in range(m.nq):
        d.qpos[i] = m.qpos0[i]
    # In M, rows of simple dofs are copies of dof_M0, so dof_M0 must have a value before M is computed.
    for i in range(m.nv):
        m.dof_M0[i] = 1.0

    if not (
        run(m, d, KINEMATICS) and run(m, d, COM_POS) and run(m, d, CAMLIGHT) and run(m, d, MAKE_INERTIA) and run(m, d, DIAGONAL)
    ):
        return
    if m.nflex > 0 and not run(m, d, FLEX_POS):
        return
    if m.ntendon > 0 and not run(m, d, TENDON):
        return
    if not (run(m, d, MAKE_INERTIA) and run(m, d, FACTOR_INERTIA)):
        return
    if m.nout > 0 and not run(m, d, TRANSMISSION):
        return

    # Set lengths and weights.
    for t in range(m.ntendon):
        m.tendon_length0[t] = d.ten_length[t]
    for a in range(m.nout):
        m.actuator_length0[a] = d.actuator_length[a]
    if not run(m, d, WEIGHTS):
        return
    for e in range(m.nflexedge):
        m.flexedge_length0[e] = d.flexedge_length[e]
    if m.nflexedge > 0 and not run(m, d, FLEX_WEIGHTS):
        return

    # Set offsets and statistics.
    camera_offsets(m, d)
    light_offsets(m, d)
    extent(m, d)
    means(m, d)


@inline
def looked_at(body, target):
    """Return the body whose center of mass is the origin of a camera's or light's offset: its target, or else its own body."""
    return target if target >= 0 else body


@kernel
def camera_offsets(m, d):
    """Set offsets of cameras from their bodies, and from their targets' centers of mass."""
    for i in range(m.ncam):
        point, body = load(d.cam_xpos, i, 3), m.cam_bodyid[i]
        store(m.cam_pos0, i, sub3(point, load(d.xpos, body, 3)))
        store(m.cam_poscom0, i, sub3(point, load(d.subtree_com, looked_at(body, m.cam_targetbodyid[i]), 3)))
        store(m.cam_mat0, i, load(d.cam_xmat, i, 9))


@kernel
def light_offsets(m, d):
    """Set offsets of lights from their bodies, and from their targets' centers of mass."""
    for i in range(m.nlight):
        point, body = load(d.light_xpos, i, 3), m.light_bodyid[i]
        store(m.light_pos0, i, sub3(point, load(d.xpos, body, 3)))
        store(m.light_poscom0, i, sub3(point, load(d.subtree_com, looked_at(body, m.light_targetbodyid[i]), 3)))
        store(m.light_dir0, i, load(d.light_xdir, i, 3))


# ---- statistics -----------------------------------------------------------------------------------------------------------
@kernel
def geom_reach(m, g):
    """Return the radius with which a geom contributes to the model's extent."""
    if m.geom_rbound[g] > 0:
        return m.geom_rbound[g]
    if m.geom_type[g] == PLANE:
        x, y = m.geom_size[g, 0], m.geom_size[g, 1]
        return max(x, y) * 0.1 if x != 0 or y != 0 else 0.01 if m.compat_bits & PLANE_REACH else 1.0
    if m.geom_type[g] == HFIELD:
        x, y, z, w = load(m.hfield_size, m.geom_dataid[g], 4)
        return max(max(x, y), max(z, w)) * 0.1
    return 0.0


@inline
def grown(low, high, point, reach):
    """Return the corners of a box after enlarging it to contain a ball."""
    return (
        (min(low[0], point[0] - reach), min(low[1], point[1] - reach), min(low[2], point[2] - reach)),
        (max(high[0], point[0] + reach), max(high[1], point[1] + reach), max(high[2], point[2] + reach)),
    )


@kernel
def extent(m, d):
    """Set stat.center and stat.extent from the box around all bodies, joints, sites and geoms."""
    low, high = (FAR, FAR, FAR), (-FAR, -FAR, -FAR)
    for b in range(1, m.nbody):
        low, high = grown(low, high, load(d.xpos, b, 3), 0.0)
        low, high = grown(low, high, load(d.xipos, b, 3), 0.0)
    for j in range(m.njnt):
        low, high = grown(low, high, load(d.xanchor, j, 3), 0.0)
    for s in range(m.nsite):
        low, high = grown(low, high, load(d.site_xpos, s, 3), 0.0)
    for g in range(m.ngeom):
        low, high = grown(low, high, load(d.geom_xpos, g, 3), geom_reach(m, g))
    for k in range(3):
        m.stat.center[k] = (low[k] + high[k]) * 0.5
    if high[0] > low[0]:
        m.stat.extent = max(SMALLEST, max(max(high[0] - low[0], high[1] - low[1]), high[2] - low[2]))


@inline
def enlarge(d, b, length):
    """If the stored length of body b is less than `length`, set it to `length`."""
    d.work_cacc[b, 0] = max(d.work_cacc[b, 0], length)


@kernel
def body_sizes(m, d):
    """Set work_cacc[:, 0] to the approximate length of each body, estimated from its joints, geoms and flex edges."""
    for b in range(m.nbody):
        d.work_cacc[b, 0] = 0.0
    for j in range(m.njnt):
        body, anchor = m.jnt_bodyid[j], load(d.xanchor, j, 3)
        parent = m.body_parentid[body]
        enlarge(d, body, distance3(load(d.xipos, body, 3), anchor))
        enlarge(d, parent, distance3(load(d.xipos, parent, 3), anchor))
    d.work_cacc[0, 0] = 0.0
    for g in range(m.ngeom):
        body = m.geom_bodyid[g]
        if m.geom_rbound[g] > 0 and body > 0:
            enlarge(d, body, m.geom_rbound[g] + distance3(load(d.xipos, body, 3), load(d.geom_xpos, g, 3)))
    for f in range(m.nflex):
        flex_sizes(m, d, f)
    for b in range(1, m.nbody):
        enlarge(d, b, SMALLEST)


@kernel
def flex_sizes(m, d, f):
    """Raise the stored lengths of a flex's bodies to the distances between its nodes, or to the lengths of its edges."""
    if m.flex_interp[f] != 0:
        first, last = m.flex_nodeadr[f], m.flex_nodeadr[f] + m.flex_nodenum[f]
        for i in range(first, last):
            for j in range(first, last):
                a, b = m.flex_nodebodyid[i], m.flex_nodebodyid[j]
                enlarge(d, a, distance3(load(d.xpos, a, 3), load(d.xpos, b, 3)))
        return
    for e in range(m.flex_edgeadr[f], m.flex_edgeadr[f] + m.flex_edgenum[f]):
        for column in range(2):
            enlarge(d, m.flex_vertbodyid[m.flex_vertadr[f] + m.flex_edge[e, column]], m.flexedge_length0[e])


@kernel
def means(m, d):
    """Set stat.meansize, stat.meanmass, stat.meaninertia and dof_length."""
    body_sizes(m, d)

    if m.nbody > 1:
        size = mass = 0.0
        for b in range(1, m.nbody):
            size += d.work_cacc[b, 0] / (m.nbody - 1)
            mass += m.body_mass[b]
        m.stat.meansize = size
        m.stat.meanmass = mass / (m.nbody - 1)

    for i in range(m.nv):
        j = m.dof_jntid[i]
        kind = m.jnt_type[j]
        turning = kind == BALL or kind == HINGE or kind == FREE and i - m.jnt_dofadr[j] >= 3
        m.dof_length[i] = d.work_cacc[m.dof_bodyid[i], 0] if turning else 1.0

    if m.nv > 0:
        inertia = 0.0
        for i in range(m.nv):
            inertia += d.qM[m.dof_Madr[i]]
        m.stat.meaninertia = inertia / m.nv
    m.stat.extent = max(m.stat.extent, 2 * m.stat.meansize)


# ---- at qpos_spring ---------------------------------------------------------------------------------------------------------
@stage
def spring_constants(m, d):
    """reads nothing; writes qpos, and Model's tendon_lengthspring where it is -1 (to be computed)."""
    for i in range(m.nq):
        d.qpos[i] = m.qpos_spring[i]
    if not (run(m, d, KINEMATICS) and run(m, d, COM_POS)):
        return
    if m.ntendon > 0 and not run(m, d, TENDON):
        return
    for t in range(m.ntendon):
        if m.tendon_lengthspring[t, 0] == -1 and m.tendon_lengthspring[t, 1] == -1:
            m.tendon_lengthspring[t, 0] = m.tendon_lengthspring[t, 1] = d.ten_length[t]
    if m.nout > 0:
        run(m, d, TRANSMISSION)
