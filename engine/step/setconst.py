"""Fields of a Model that follow from others: masses of subtrees, quantities at qpos0 and qpos_spring, statistics."""
import numpy as np

from ..core.consts import mjMINVAL
from ..core.data import MjData
from ..core.enums import mjtCamLight, mjtEq, mjtGeom, mjtJoint, mjtObj, mjtSleepPolicy, mjtTrn, mjtWrap
from ..core.stages import call

CONNECT, WELD = int(mjtEq["mjEQ_CONNECT"]), int(mjtEq["mjEQ_WELD"])
WRAP_JOINT, WRAP_SITE = int(mjtWrap.mjWRAP_JOINT), int(mjtWrap.mjWRAP_SITE)
WRAP_GEOMS = int(mjtWrap.mjWRAP_SPHERE), int(mjtWrap.mjWRAP_CYLINDER)
# what actuators act on
ON_JOINT, ON_SITE, ON_BODY = ([int(mjtTrn[f"mjTRN_{n}"]) for n in names.split()] for names in ("JOINT JOINTINPARENT", "SITE SLIDERCRANK", "BODY"))
ON_TENDON = int(mjtTrn.mjTRN_TENDON)
PLANE, HFIELD = int(mjtGeom.mjGEOM_PLANE), int(mjtGeom.mjGEOM_HFIELD)
FREE, BALL, HINGE = int(mjtJoint.mjJNT_FREE), int(mjtJoint.mjJNT_BALL), int(mjtJoint.mjJNT_HINGE)
FIXED = int(mjtCamLight.mjCAMLIGHT_FIXED)
SMALLEST = 1e-5
FAR = 1e10
AUTO, AUTO_NEVER, AUTO_ALLOWED = (int(mjtSleepPolicy[f"mjSLEEP_{n}"]) for n in ("AUTO", "AUTO_NEVER", "AUTO_ALLOWED"))
CHOSEN = int(mjtSleepPolicy.mjSLEEP_ALLOWED), int(mjtSleepPolicy.mjSLEEP_INIT)


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
    mass, parents = m.body_mass.tolist(), m.body_parentid.tolist()
    for b in range(m.nbody - 1, 0, -1):
        mass[parents[b]] += mass[b]
    m.body_subtreemass[:] = mass
    m.storage.header[m.schema.size_slot["ngravcomp"]] = np.count_nonzero(m.body_gravcomp > 0)
    weld = m.body_weldid
    moving = m.body_dofnum[weld] > 0
    m.body_treeid[:] = -1
    m.body_treeid[moving] = m.dof_treeid[m.body_dofadr[weld[moving]]]
    for start, count, owner in ((m.tree_bodyadr, m.tree_bodynum, m.body_treeid), (m.tree_dofadr, m.tree_dofnum, m.dof_treeid)):
        rows = np.flatnonzero(owner >= 0)
        # of several rows of a tree the last that is assigned counts: the first of all
        start[owner[rows[::-1]]] = rows[::-1]
        count[:] = np.bincount(owner[rows], minlength=m.ntree)
    trees = [tendon_trees(m, t) for t in range(m.ntendon)]
    for t, found in enumerate(trees):
        m.tendon_treenum[t] = len(found)
        m.tendon_treeid[t] = (found + [-1, -1])[:2]
    sleep_policies(m, trees)


def wrap_body(m, k) -> int:
    """Body of a tendon's path element, or -1."""
    kind, i = int(m.wrap_type[k]), m.wrap_objid[k]
    if kind == WRAP_JOINT:
        return m.jnt_bodyid[i]
    if kind == WRAP_SITE:
        return m.site_bodyid[i]
    if kind in WRAP_GEOMS:
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


def actuated_trees(m, tendons) -> list[int]:
    """Trees that actuators act on directly."""
    trees, kinds, targets = [], m.actuator_trntype, m.actuator_trnid[:, 0]
    for types, bodies in ((ON_JOINT, m.jnt_bodyid), (ON_SITE, m.site_bodyid), (ON_BODY, np.arange(m.nbody))):
        on = targets[(kinds == types[0]) | (kinds == types[-1])]
        trees += m.body_treeid[bodies[on]].tolist()
    for t in targets[kinds == ON_TENDON].tolist():
        trees += tendons[t]
    return [t for t in trees if t >= 0]


def sleep_policies(m, tendons) -> None:
    """tree_sleep_policy: trees that are actuated, coupled by springy tendons or carry deformables do not sleep by themselves."""
    policy = m.tree_sleep_policy.tolist()

    def keep_awake(trees):
        for t in trees:
            if policy[t] == AUTO:
                policy[t] = AUTO_NEVER

    if m.nu:
        keep_awake(actuated_trees(m, tendons))
    for t, trees in enumerate(tendons):
        stiff = m.tendon_stiffness[t] != 0 or m.tendon_damping[t] != 0
        if len(trees) > 2 or len(trees) == 2 and stiff:
            keep_awake(trees)
            bad = [t2 for t2 in trees if policy[t2] in CHOSEN]
            if bad:
                why = "which spans more than 2 trees" if len(trees) > 2 else "with non-zero stiffness or damping"
                raise ValueError(f"tree {bad[0]} connected to tendon {t} {why}, sleeping not allowed")
    for f in range(m.nflex):
        nodes = m.flex_interp[f] != 0
        start, count = (m.flex_nodeadr[f], m.flex_nodenum[f]) if nodes else (m.flex_vertadr[f], m.flex_vertnum[f])
        bodies = (m.flex_nodebodyid if nodes else m.flex_vertbodyid)[start:start + count]
        keep_awake([t for t in m.body_treeid[bodies].tolist() if t >= 0])
    m.tree_sleep_policy[:] = [AUTO_ALLOWED if p == AUTO else p for p in policy]


# ---- at qpos0 -------------------------------------------------------------------------------------------------------------
def at_reference(m, d) -> None:
    """Lengths, inverse weights, equality anchors, camera and light offsets, damping from damping ratios."""
    # lengths of rigid flexes are computed, too
    plain = ((m.cam_mode, FIXED), (m.light_mode, FIXED), (m.flex_rigid, 0))
    saved = [x.copy() for x, _ in plain]
    for x, value in plain:
        x[:] = value
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
        for (x, _), values in zip(plain, saved, strict=True):
            x[:] = values
    m.tendon_length0[:] = d.ten_length
    m.actuator_length0[:] = d.actuator_length
    call("inverse_weights", m, d)
    if m.nflexedge:
        m.flexedge_length0[:] = d.flexedge_length
        call("flex_weights", m, d)
    equality_anchors(m, d)
    if m.ncam:
        m.cam_pos0[:], m.cam_poscom0[:] = offsets(d, d.cam_xpos, m.cam_bodyid, m.cam_targetbodyid)
        m.cam_mat0[:] = d.cam_xmat
    if m.nlight:
        m.light_pos0[:], m.light_poscom0[:] = offsets(d, d.light_xpos, m.light_bodyid, m.light_targetbodyid)
        m.light_dir0[:] = d.light_xdir
    if m.nu:
        damping_ratios(m, d)


def offsets(d, points, body, target) -> tuple[np.ndarray, np.ndarray]:
    """Of points from their bodies, and from the centres of mass of what they look at (their bodies if that is nothing)."""
    return points - d.xpos[body], points - d.subtree_com[np.where(target >= 0, target, body)]


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
    for g in np.flatnonzero(m.geom_rbound <= 0).tolist():
        if m.geom_type[g] == PLANE:
            size = m.geom_size[g, :2]
            reach[g] = max(size) * 0.1 if size.any() else 1.0
        elif m.geom_type[g] == HFIELD:
            reach[g] = m.hfield_size[m.geom_dataid[g]].max() * 0.1
    return reach


def lengths(rows) -> np.ndarray:
    """Lengths of the rows of an array."""
    return np.sqrt(np.add.reduce(rows * rows, 1))


def body_sizes(m, d) -> np.ndarray:
    """Approximate length of each body: its joints, its geoms, its flex edges."""
    size = np.zeros(m.nbody)
    if m.njnt:
        for body in (m.jnt_bodyid, m.body_parentid[m.jnt_bodyid]):
            np.maximum.at(size, body, lengths(d.xipos[body] - d.xanchor))
    size[0] = 0
    g = np.flatnonzero((m.geom_rbound > 0) & (m.geom_bodyid > 0))
    b = m.geom_bodyid[g]
    np.maximum.at(size, b, m.geom_rbound[g] + lengths(d.xipos[b] - d.geom_xpos[g]))
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
    reach, points = geom_reach(m)[:, None], (d.xpos[1:], d.xipos[1:], d.xanchor, d.site_xpos)
    low = np.concatenate((*points, d.geom_xpos - reach)).min(axis=0, initial=FAR)
    high = np.concatenate((*points, d.geom_xpos + reach)).max(axis=0, initial=-FAR)
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
        turning = (kind == BALL) | (kind == HINGE) | (
            (kind == FREE) & (np.arange(m.nv) - m.jnt_dofadr[m.dof_jntid] >= 3))
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
