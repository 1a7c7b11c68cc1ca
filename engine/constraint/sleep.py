"""Sleeping trees: when they wake up and when they fall asleep.

`tree_asleep` holds the state. An awake tree has -1 minus the number of steps for which it must still be slow. Trees that fell
asleep together form a cycle, each with the number of the next one, and wake together (manual, Simulation, "Sleeping islands").
"""

from ..core.report import SLEEPLESS_FLEX, SLEEPLESS_TENDON
from ..core.stages import BROKEN
from ..dynamics.awake import update_awake
from ..machine.jit import inline, kernel, stage
from ..tables.consts import mjMINAWAKE
from ..tables.enums import mjtEq, mjtObj, mjtSleepPolicy
from .rows import SLEEP

FULLY_AWAKE = -(1 + mjMINAWAKE)
NEVER, AUTO_NEVER = int(mjtSleepPolicy.mjSLEEP_NEVER), int(mjtSleepPolicy.mjSLEEP_AUTO_NEVER)
JOINT, TENDON, FLEX = (int(mjtEq[f"mjEQ_{n}"]) for n in ("JOINT", "TENDON", "FLEX"))
BODY = int(mjtObj.mjOBJ_BODY)


# ---- waking ------------------------------------------------------------------------------------------------------------
@kernel
def wake_tree(m, d, t, value):
    """Wake tree t and all trees that fell asleep with it; return the number of trees woken.

    An awake tree stays awake longer if necessary.
    """
    if d.tree_asleep[t] < 0:
        d.tree_asleep[t] = min(value, int(d.tree_asleep[t]))
        return 0
    count = 0
    k = int(t)
    while d.tree_asleep[k] >= 0 and count < m.ntree:
        following = int(d.tree_asleep[k])
        d.tree_asleep[k] = value
        count += 1
        k = following
    return count


@kernel
def wake_pair(m, d, a, b):
    """If one of two trees sleeps, wake it for as long as the other one stays awake; return the number of trees woken."""
    if d.tree_awake[a] != 0:
        return wake_tree(m, d, b, int(d.tree_asleep[a]))
    return wake_tree(m, d, a, int(d.tree_asleep[b]))


@kernel
def may_sleep(m, d, t, tolerance):
    """Return whether a tree may sleep: this is allowed, nothing pushes it, and it is slower than the tolerance (0: at rest)."""
    policy = m.tree_sleep_policy[t]
    if policy == NEVER or policy == AUTO_NEVER:
        return False
    for b in range(m.tree_bodyadr[t], m.tree_bodyadr[t] + m.tree_bodynum[t]):
        for c in range(6):
            if d.xfrc_applied[b, c] != 0.0:
                return False
    for i in range(m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]):
        if d.qfrc_applied[i] != 0.0:
            return False
        speed = abs(d.qvel[i])
        if tolerance > 0:
            if m.dof_length[i] * speed >= tolerance:
                return False
        elif speed != 0.0:
            return False
    return True


@stage
def wake_moved(m, d):
    """reads tree_awake (set for sleeping trees whose pose has changed), qvel, qfrc_applied, xfrc_applied; writes tree_asleep,
    and tree_awake, body_awake, body_awake_ind, parent_awake_ind, dof_awake_ind and their counts: wakes what the user has
    touched.
    """
    woken = 0
    d.work_woken[0] = 0
    if m.opt.enableflags & SLEEP == 0:
        # sleep was switched off
        if d.ntree_awake < m.ntree:
            woken = 1
            for t in range(m.ntree):
                d.tree_asleep[t] = FULLY_AWAKE
    else:
        for t in range(m.ntree):
            if d.tree_asleep[t] >= 0 and (d.tree_awake[t] != 0 or not may_sleep(m, d, t, 0.0)):
                woken += wake_tree(m, d, t, FULLY_AWAKE)
    if woken > 0:
        update_awake(m, d, False)


@stage
def wake_tendon(m, d):
    """reads ten_length, tree_awake; writes tree_asleep, tree_awake, body_awake, body_awake_ind, parent_awake_ind,
    dof_awake_ind and their counts: a tendon at its limit between two trees keeps both awake.
    """
    woken = 0
    if m.opt.enableflags & SLEEP:
        for k in range(m.ntendon):
            if m.tendon_treenum[k] != 2 or not at_limit(m, d, k):
                continue
            a, b = m.tendon_treeid[k, 0], m.tendon_treeid[k, 1]
            if d.tree_awake[a] != d.tree_awake[b]:
                woken += wake_pair(m, d, a, b)
    if woken > 0:
        update_awake(m, d, False)


@inline
def at_limit(m, d, k):
    """Return whether a tendon is at one of its limits."""
    length, margin = d.ten_length[k], m.tendon_margin[k]
    return m.tendon_limited[k] != 0 and (length - m.tendon_range[k, 0] < margin or m.tendon_range[k, 1] - length < margin)


@stage
def wake_collision(m, d):
    """reads contact_geom, tree_awake; writes tree_asleep, tree_awake, body_awake, body_awake_ind, parent_awake_ind,
    dof_awake_ind and their counts: an awake tree wakes the one that it touches.
    """
    woken = 0
    if m.opt.enableflags & SLEEP:
        for k in range(d.ncon):
            g1, g2 = d.contact_geom[k, 0], d.contact_geom[k, 1]
            if g1 < 0 or g2 < 0:
                continue
            a, b = m.body_treeid[m.geom_bodyid[g1]], m.body_treeid[m.geom_bodyid[g2]]
            if a >= 0 and b >= 0 and d.tree_awake[a] != d.tree_awake[b]:
                woken += wake_pair(m, d, a, b)
    if woken > 0:
        update_awake(m, d, False)


@inline
def equality_trees(m, e):
    """Return the trees (-1: none) that an equality constraint of bodies, sites or joints connects."""
    kind, a, b = m.eq_type[e], int(m.eq_obj1id[e]), int(m.eq_obj2id[e])
    if kind == JOINT:
        a = int(m.body_treeid[m.jnt_bodyid[a]]) if a >= 0 else -1
        b = int(m.body_treeid[m.jnt_bodyid[b]]) if b >= 0 else -1
    elif kind == TENDON or kind == FLEX:
        a, b = -1, -1
    else:
        # Connect, weld and our own types.
        if m.eq_objtype[e] != BODY:
            a, b = int(m.site_bodyid[a]), int(m.site_bodyid[b])
        a, b = int(m.body_treeid[a]), int(m.body_treeid[b])
    return a, b


@kernel
def first_of_cycle(m, d, t):
    """Return the smallest index in a sleeping tree's cycle; it identifies the trees that sleep together."""
    first, k = int(t), int(d.tree_asleep[t])
    count = 0
    while k != t and count < m.ntree:
        first = min(first, k)
        k = int(d.tree_asleep[k])
        count += 1
    return first


@stage
def wake_equality(m, d):
    """reads eq_active, tree_awake; writes tree_asleep, tree_awake, body_awake, body_awake_ind, parent_awake_ind,
    dof_awake_ind and their counts: trees that an equality constraint holds together wake together.
    """
    woken = 0
    # Bodies that wake here missed this pass's collision. A repeated pass must find them asleep again.
    for t in range(m.ntree):
        d.work_asleep[t] = d.tree_asleep[t]

    # Visit constraints whose trees do not sleep together.
    if m.opt.enableflags & SLEEP:
        for e in range(m.neq):
            if d.eq_active[e] == 0:
                continue
            if m.eq_type[e] == TENDON or m.eq_type[e] == FLEX:
                d.status, d.status_arg = BROKEN, SLEEPLESS_TENDON if m.eq_type[e] == TENDON else SLEEPLESS_FLEX
                return
            a, b = equality_trees(m, e)
            if a < 0 or b < 0 or a == b or (d.tree_awake[a] != 0 and d.tree_awake[b] != 0):
                continue
            if d.tree_awake[a] != 0 or d.tree_awake[b] != 0:
                woken += wake_tree(m, d, b if d.tree_awake[a] != 0 else a, FULLY_AWAKE)
            elif d.tree_asleep[a] < 0 or d.tree_asleep[b] < 0 or first_of_cycle(m, d, a) != first_of_cycle(m, d, b):
                # The constraint joined two sets of trees that had fallen asleep separately.
                woken += wake_tree(m, d, a, FULLY_AWAKE)
                woken += wake_tree(m, d, b, FULLY_AWAKE)

    if woken > 0:
        d.work_woken[0] = 1
        update_awake(m, d, False)


# ---- falling asleep ----------------------------------------------------------------------------------------------------
@stage
def sleep_trees(m, d):
    """reads islands, qvel, qfrc_applied, xfrc_applied; writes tree_asleep, and of trees that fall asleep qvel, qacc: islands
    whose trees have all been slow for long enough, and trees without constraints that have.
    """
    if m.opt.enableflags & SLEEP == 0 or (d.nefc > 0 and d.nisland == 0):
        return

    # Count the steps for which each tree was slow.
    for t in range(m.ntree):
        if d.tree_asleep[t] < 0:
            if not may_sleep(m, d, t, m.opt.sleep_tolerance):
                d.tree_asleep[t] = FULLY_AWAKE
            elif d.tree_asleep[t] < -1:
                d.tree_asleep[t] += 1

    # Islands whose trees are all ready form a cycle.
    used = 0
    for g in range(d.nisland):
        first, n = d.island_itreeadr[g], d.island_ntree[g]
        ready = True
        for k in range(first, first + n):
            ready = ready and d.tree_asleep[d.map_itree2tree[k]] == -1
        if ready:
            for k in range(first, first + n):
                following = d.map_itree2tree[k + 1 if k + 1 < first + n else first]
                rest(m, d, d.map_itree2tree[k], following)
        used += n

    # Trees without constraints fall asleep separately.
    for k in range(used, m.ntree):
        t = d.map_itree2tree[k] if d.nisland > 0 else k
        if d.tree_asleep[t] == -1:
            rest(m, d, t, t)


@inline
def rest(m, d, t, following):
    """Stop a tree; `following` is the next tree in its cycle."""
    d.tree_asleep[t] = following
    for i in range(m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]):
        d.qvel[i] = 0.0
        d.qacc[i] = 0.0
