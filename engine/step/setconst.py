"""Fields of a Model that follow from others: masses of subtrees, quantities at qpos0 and qpos_spring, statistics."""
import numpy as np

from ..core.consts import mjMINVAL
from ..core.data import MjData
from ..core.enums import mjtCamLight, mjtEq, mjtGeom, mjtJoint, mjtObj, mjtSleepPolicy, mjtTrn, mjtWrap
from ..core.stages import call

CONNECT, WELD = int(mjtEq["mjEQ_CONNECT"]), int(mjtEq["mjEQ_WELD"])
SMALLEST = 1e-5
FAR = 1e10
POLICY = mjtSleepPolicy


def set_const(m, d=None) -> None:
    """Recompute the dependent fields of a Model, as after changing masses, poses or limits.

    d is scratch and ends in configuration qpos_spring; without it, one is made.
    """
    fixed(m)
    d = d or MjData(m)
    at_reference(m, d)
    statistics(m, d)
    at_spring(m, d)


# ---- independent of the configuration -----------------------------------------------------------------------------------
def fixed(m) -> None:
    """body_subtreemass, ngravcomp, tree spans, trees of tendons, automatic sleep policies."""
    mass = m.body_mass.copy()
    parents = m.body_parentid.tolist()
    for b in range(m.nbody - 1, 0, -1):
        mass[parents[b]] += mass[b]
    m.body_subtreemass[:] = mass
    m.storage.header[m.schema.size_slot["ngravcomp"]] = int((m.body_gravcomp > 0).sum())
    moving = m.body_dofnum[m.body_weldid] > 0
    m.body_treeid[:] = -1
    m.body_treeid[moving] = m.dof_treeid[m.body_dofadr[m.body_weldid[moving]]]
    for start, count, owner in ((m.tree_bodyadr, m.tree_bodynum, m.body_treeid), (m.tree_dofadr, m.tree_dofnum, m.dof_treeid)):
        trees, first, number = np.unique(owner, return_index=True, return_counts=True)
        keep = trees >= 0
        start[trees[keep]], count[trees[keep]] = first[keep], number[keep]
    trees = [tendon_trees(m, t) for t in range(m.ntendon)]
    for t, found in enumerate(trees):
        m.tendon_treenum[t] = len(found)
        m.tendon_treeid[t] = (found + [-1, -1])[:2]
    sleep_policies(m, trees)


def wrap_body(m, k) -> int:
    """Body of a tendon's path element, or -1."""
    kind, i = m.wrap_type[k], m.wrap_objid[k]
    if kind == mjtWrap.mjWRAP_JOINT:
        return m.jnt_bodyid[i]
    if kind == mjtWrap.mjWRAP_SITE:
        return m.site_bodyid[i]
    if kind in (mjtWrap.mjWRAP_SPHERE, mjtWrap.mjWRAP_CYLINDER):
        return m.geom_bodyid[i]
    return -1


def tendon_trees(m, t) -> list[int]:
    """Trees along a tendon, each once, in path order."""
    found = {}
    for k in range(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t]):
        b = wrap_body(m, k)
        if b >= 0 and m.body_treeid[b] >= 0:
            found[int(m.body_treeid[b])] = True
    return list(found)


def actuated_trees(m, k, tendons) -> list[int]:
    """Trees that an actuator acts on directly."""
    kind, target = m.actuator_trntype[k], m.actuator_trnid[k, 0]
    if kind == mjtTrn.mjTRN_TENDON:
        return tendons[target]
    if kind in (mjtTrn.mjTRN_JOINT, mjtTrn.mjTRN_JOINTINPARENT):
        body = m.jnt_bodyid[target]
    elif kind in (mjtTrn.mjTRN_SITE, mjtTrn.mjTRN_SLIDERCRANK):
        body = m.site_bodyid[target]
    elif kind == mjtTrn.mjTRN_BODY:
        body = target
    else:
        return []
    return [int(m.body_treeid[body])] if m.body_treeid[body] >= 0 else []


def sleep_policies(m, tendons) -> None:
    """tree_sleep_policy: trees that are actuated, coupled by springy tendons or carry deformables do not sleep by themselves."""
    policy = m.tree_sleep_policy

    def keep_awake(trees):
        for t in trees:
            if policy[t] == POLICY.mjSLEEP_AUTO:
                policy[t] = POLICY.mjSLEEP_AUTO_NEVER

    for k in range(m.nu):
        keep_awake(actuated_trees(m, k, tendons))
    for t, trees in enumerate(tendons):
        stiff = m.tendon_stiffness[t] != 0 or m.tendon_damping[t] != 0
        if len(trees) > 2 or len(trees) == 2 and stiff:
            keep_awake(trees)
            bad = [t2 for t2 in trees if policy[t2] in (POLICY.mjSLEEP_ALLOWED, POLICY.mjSLEEP_INIT)]
            if bad:
                why = "which spans more than 2 trees" if len(trees) > 2 else "with non-zero stiffness or damping"
                raise ValueError(f"tree {bad[0]} connected to tendon {t} {why}, sleeping not allowed")
    for f in range(m.nflex):
        nodes = m.flex_interp[f] != 0
        start, count = (m.flex_nodeadr[f], m.flex_nodenum[f]) if nodes else (m.flex_vertadr[f], m.flex_vertnum[f])
        bodies = (m.flex_nodebodyid if nodes else m.flex_vertbodyid)[start:start + count]
        keep_awake([int(t) for t in m.body_treeid[bodies] if t >= 0])
    policy[policy == POLICY.mjSLEEP_AUTO] = POLICY.mjSLEEP_AUTO_ALLOWED


# ---- at qpos0 -------------------------------------------------------------------------------------------------------------
def at_reference(m, d) -> None:
    """Lengths, inverse weights, equality anchors, camera and light offsets, damping from damping ratios."""
    modes = m.cam_mode.copy(), m.light_mode.copy()
    rigid = m.flex_rigid.copy()
    m.cam_mode[:] = m.light_mode[:] = mjtCamLight.mjCAMLIGHT_FIXED
    m.flex_rigid[:] = 0
    d.qpos[:] = m.qpos0
    try:
        for name in ("kinematics", "com_pos", "camlight"):
            call(name, m, d)
        diagonal(m, d)
        if m.nflex:
            call("flex_pos", m, d)
        if m.ntendon:
            call("tendon", m, d)
        call("make_inertia", m, d)
        call("factor_inertia", m, d)
        if m.nu:
            call("transmission", m, d)
    finally:
        m.cam_mode[:], m.light_mode[:] = modes
        m.flex_rigid[:] = rigid
    m.flexedge_length0[:] = d.flexedge_length
    m.tendon_length0[:] = d.ten_length
    m.actuator_length0[:] = d.actuator_length
    call("inverse_weights", m, d)
    if m.nflexedge:
        call("flex_weights", m, d)
    equality_anchors(m, d)
    for k in range(m.ncam):
        b, target = m.cam_bodyid[k], m.cam_targetbodyid[k]
        m.cam_pos0[k] = d.cam_xpos[k] - d.xpos[b]
        m.cam_poscom0[k] = d.cam_xpos[k] - d.subtree_com[target if target >= 0 else b]
        m.cam_mat0[k] = d.cam_xmat[k]
    for k in range(m.nlight):
        b, target = m.light_bodyid[k], m.light_targetbodyid[k]
        m.light_pos0[k] = d.light_xpos[k] - d.xpos[b]
        m.light_poscom0[k] = d.light_xpos[k] - d.subtree_com[target if target >= 0 else b]
        m.light_dir0[k] = d.light_xdir[k]
    damping_ratios(m, d)


def diagonal(m, d) -> None:
    """dof_M0, which simple dofs need before their row of M can be filled."""
    m.dof_M0[:] = 1.0
    call("make_inertia", m, d)
    call("diagonal_inertia", m, d)


def equality_anchors(m, d) -> None:
    """eq_data that the user left out: anchors and relative poses at qpos0."""
    for e in range(m.neq):
        a, b = m.eq_obj1id[e], m.eq_obj2id[e]
        data, bodies = m.eq_data[e], m.eq_objtype[e] == mjtObj.mjOBJ_BODY
        if m.eq_type[e] == CONNECT:
            if not bodies:
                data[:] = 0
                continue
            data[3:6] = move_anchor(d, a, b, data[:3])
        elif m.eq_type[e] == WELD and bodies:
            if data[6:10].any():
                data[6:10] /= max(np.linalg.norm(data[6:10]), mjMINVAL)
                continue
            data[3:6] = move_anchor(d, b, a, data[:3])
            data[6:10] = relative_turn(d.xquat[a], d.xquat[b])


def move_anchor(d, source, target, point) -> np.ndarray:
    """A point of one body's frame in another body's frame.

    Sums are written out: a stiff constraint that starts at rest has forces of nothing but their rounding.
    """
    place = (d.xmat[source].reshape(3, 3) * point).sum(1) + d.xpos[source]
    return (d.xmat[target].reshape(3, 3).T * (place - d.xpos[target])).sum(1)


def relative_turn(a, b) -> tuple[float, float, float, float]:
    """conjugate(a) * b"""
    w, x, y, z = a[0], -a[1], -a[2], -a[3]
    return (w * b[0] - x * b[1] - y * b[2] - z * b[3], w * b[1] + x * b[0] + y * b[3] - z * b[2],
            w * b[2] - x * b[3] + y * b[0] + z * b[1], w * b[3] + x * b[2] - y * b[1] + z * b[0])


def damping_ratios(m, d) -> None:
    """biasprm of position actuators whose third parameter is positive: a damping ratio, turned into damping of the reflected inertia."""
    gain, bias = m.actuator_gainprm, m.actuator_biasprm
    for k in np.flatnonzero((gain[:, 0] == -bias[:, 1]) & (bias[:, 2] > 0)):
        span = slice(d.moment_rowadr[k], d.moment_rowadr[k] + d.moment_rownnz[k])
        squared = np.abs(d.actuator_moment[span]) ** 2
        used = squared > mjMINVAL
        mass = (m.dof_M0[d.moment_colind[span]][used] / squared[used]).sum()
        bias[k, 2] = -(bias[k, 2] * 2 * np.sqrt(gain[k, 0] * mass))


# ---- statistics -----------------------------------------------------------------------------------------------------------
def geom_reach(m) -> np.ndarray:
    """Radius that a geom counts with in the model's extent."""
    reach = np.where(m.geom_rbound > 0, m.geom_rbound, 0.0)
    for g in np.flatnonzero(m.geom_rbound <= 0):
        if m.geom_type[g] == mjtGeom.mjGEOM_PLANE:
            size = m.geom_size[g, :2]
            reach[g] = max(size) * 0.1 if size.any() else 1.0
        elif m.geom_type[g] == mjtGeom.mjGEOM_HFIELD:
            reach[g] = m.hfield_size[m.geom_dataid[g]].max() * 0.1
    return reach


def body_sizes(m, d) -> np.ndarray:
    """Approximate length of each body: its joints, its geoms, its flex edges."""
    size = np.zeros(m.nbody)
    if m.njnt:
        for body in (m.jnt_bodyid, m.body_parentid[m.jnt_bodyid]):
            np.maximum.at(size, body, np.linalg.norm(d.xipos[body] - d.xanchor, axis=1))
    size[0] = 0
    g = np.flatnonzero((m.geom_rbound > 0) & (m.geom_bodyid > 0))
    b = m.geom_bodyid[g]
    np.maximum.at(size, b, m.geom_rbound[g] + np.linalg.norm(d.xipos[b] - d.geom_xpos[g], axis=1))
    for f in range(m.nflex):
        if m.flex_interp[f]:
            nodes = m.flex_nodebodyid[m.flex_nodeadr[f]:m.flex_nodeadr[f] + m.flex_nodenum[f]]
            apart = np.linalg.norm(d.xpos[nodes][:, None] - d.xpos[nodes][None], axis=2).max(axis=1)
            np.maximum.at(size, nodes, apart)
        else:
            span = slice(m.flex_edgeadr[f], m.flex_edgeadr[f] + m.flex_edgenum[f])
            for column in (0, 1):
                np.maximum.at(size, m.flex_vertbodyid[m.flex_vertadr[f] + m.flex_edge[span, column]], m.flexedge_length0[span])
    size[1:] = np.maximum(size[1:], SMALLEST)
    return size


def statistics(m, d) -> None:
    """stat and dof_length, from the configuration qpos0."""
    low, high = np.full(3, FAR), np.full(3, -FAR)
    reach = geom_reach(m)[:, None]
    for points, radius in ((d.xpos[1:], 0), (d.xipos[1:], 0), (d.xanchor, 0), (d.site_xpos, 0), (d.geom_xpos, reach)):
        if len(points):
            low, high = np.minimum(low, (points - radius).min(axis=0)), np.maximum(high, (points + radius).max(axis=0))
    m.stat.center = (low + high) * 0.5
    if high[0] > low[0]:
        m.stat.extent = max(SMALLEST, (high - low).max())
    size = body_sizes(m, d)
    if m.nbody > 1:
        m.stat.meansize = (size[1:] / (m.nbody - 1)).sum()
        m.stat.meanmass = m.body_mass[1:].sum() / (m.nbody - 1)
    m.dof_length[:] = 1
    if m.nv:
        kind = m.jnt_type[m.dof_jntid]
        turning = (kind == mjtJoint.mjJNT_BALL) | (kind == mjtJoint.mjJNT_HINGE) | (
            (kind == mjtJoint.mjJNT_FREE) & (np.arange(m.nv) - m.jnt_dofadr[m.dof_jntid] >= 3))
        m.dof_length[turning] = size[m.dof_bodyid[turning]]
        m.stat.meaninertia = d.qM[m.dof_Madr].sum() / m.nv
    m.stat.extent = max(m.stat.extent, 2 * m.stat.meansize)


# ---- at qpos_spring ---------------------------------------------------------------------------------------------------------
def at_spring(m, d) -> None:
    """Rest lengths of tendons that were left to be computed."""
    d.qpos[:] = m.qpos_spring
    call("kinematics", m, d)
    call("com_pos", m, d)
    if m.ntendon:
        call("tendon", m, d)
        unset = (m.tendon_lengthspring == -1).all(axis=1)
        m.tendon_lengthspring[unset] = d.ten_length[unset, None]
    if m.nu:
        call("transmission", m, d)
