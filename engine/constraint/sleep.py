"""Sleeping trees: when they wake up and when they fall asleep.

`tree_asleep` stores the state. For an awake tree, it is -1 minus the number of steps for which the tree must still be slow.
Trees that fell asleep together form a cycle, in which each stores the index of the next, and they wake together (manual,
Simulation, "Sleeping islands").
"""

from ..core.report import SLEEPLESS_FLEX, SLEEPLESS_TENDON
from ..core.stages import BROKEN
from ..dynamics.awake import AWAKE, FLEX_REST, update_awake
from ..machine.jit import inline, kernel, stage
from ..tables.compat_rows import bit
from ..tables.consts import mjMINAWAKE
from ..tables.enums import mjtEq, mjtObj, mjtSleepPolicy
from .append_rows import SLEEP

FULLY_AWAKE = -(1 + mjMINAWAKE)
NEVER, AUTO_NEVER = int(mjtSleepPolicy.mjSLEEP_NEVER), int(mjtSleepPolicy.mjSLEEP_AUTO_NEVER)
JOINT, TENDON, FLEX = (int(mjtEq[f"mjEQ_{n}"]) for n in ("JOINT", "TENDON", "FLEX"))
BODY = int(mjtObj.mjOBJ_BODY)
MOCAP_STILL = bit("mocap_still")


# ---- waking ------------------------------------------------------------------------------------------------------------
@kernel
def wake_tree(m, d, t, value):
    """Wake tree t and all trees that fell asleep with it; return the number of trees woken.

    If the tree is already awake, it stays awake for longer if necessary.
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
    """Return whether a tree may sleep: its policy allows this, no applied force acts on it, and it is slower than `tolerance`.

    With tolerance 0, it must be at rest."""
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
    and tree_awake, body_awake, body_awake_ind, parent_awake_ind, dof_awake_ind and their counts: wakes trees that the user has
    moved or pushed.
    """
    woken = 0
    d.work_woken[0] = 0
    if m.opt.enableflags & SLEEP == 0:
        # sleep was disabled: wake all trees
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
        # The tendons of trees that wake here were left out in this pass. A repeated pass must leave them out again.
        for t in range(m.ntree):
            d.work_asleep[t] = d.tree_asleep[t]
        for k in range(m.ntendon):
            if m.tendon_treenum[k] != 2 or not at_limit(m, d, k):
                continue
            a, b = m.tendon_treeid[k, 0], m.tendon_treeid[k, 1]
            if d.tree_awake[a] != d.tree_awake[b]:
                woken += wake_pair(m, d, a, b)
    if woken > 0:
        d.work_woken[0] = 1
        update_awake(m, d, False)


@inline
def at_limit(m, d, k):
    """Return whether a tendon is at one of its limits."""
    length, margin = d.ten_length[k], m.tendon_margin[k]
    return m.tendon_limited[k] != 0 and (length - m.tendon_range[k, 0] < margin or m.tendon_range[k, 1] - length < margin)


@inline
def stirs(m, d, b):
    """Return whether body b, which has no dofs, wakes the bodies that it touches or is constrained to, as mocap bodies and
    their descendants do."""
    return m.compat_bits & MOCAP_STILL != 0 and d.body_awake[b] == AWAKE


@kernel
def side_body(m, d, k, side):
    """Return a body on one side of a contact: the body of its geom or flex vertex, or the first body of its flex element."""
    g, f = d.contact_geom[k, side], d.contact_flex[k, side]
    if g >= 0:
        return m.geom_bodyid[g]
    if m.flex_interp[f] != 0:
        return m.flex_nodebodyid[m.flex_nodeadr[f]]
    v = d.contact_vert[k, side]
    if v < 0:
        v = m.flex_elem[m.flex_elemdataadr[f] + d.contact_elem[k, side] * (m.flex_dim[f] + 1)]
    return m.flex_vertbodyid[m.flex_vertadr[f] + v]


@stage
def wake_collision(m, d):
    """reads contact_geom, contact_flex, contact_vert, contact_elem, body_awake, tree_awake; writes tree_asleep, tree_awake,
    body_awake, body_awake_ind, parent_awake_ind, dof_awake_ind and their counts: an awake tree wakes trees that it touches.
    """
    woken = 0
    if m.opt.enableflags & SLEEP:
        for k in range(d.ncon):
            if m.compat_bits & FLEX_REST == 0 and (d.contact_geom[k, 0] < 0 or d.contact_geom[k, 1] < 0):
                continue
            b1, b2 = side_body(m, d, k, 0), side_body(m, d, k, 1)
            a, b = m.body_treeid[b1], m.body_treeid[b2]
            if a >= 0 and b >= 0:
                if d.tree_awake[a] != d.tree_awake[b]:
                    woken += wake_pair(m, d, a, b)
            elif a != b and d.tree_awake[max(a, b)] == 0 and stirs(m, d, b1 if a < 0 else b2):
                woken += wake_tree(m, d, max(a, b), FULLY_AWAKE)
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
        # Connect, weld, and the types that only Tumble has, refer to bodies or sites.
        if m.eq_objtype[e] != BODY:
            a, b = int(m.site_bodyid[a]), int(m.site_bodyid[b])
        a, b = int(m.body_treeid[a]), int(m.body_treeid[b])
    return a, b


@inline
def treeless_body(m, e, first):
    """Return the first or second body of an equality constraint, given that it belongs to no tree. For joints, it is the
    world."""
    if m.eq_type[e] == JOINT:
        return 0
    k = m.eq_obj1id[e] if first else m.eq_obj2id[e]
    return k if m.eq_objtype[e] == BODY else m.site_bodyid[k]


@inline
def flex_tree(m, f, k):
    """Return the tree (-1: none) of the k-th node of a flex, or of its k-th vertex if it has no nodes."""
    if m.flex_interp[f] != 0:
        return m.body_treeid[m.flex_nodebodyid[m.flex_nodeadr[f] + k]]
    return m.body_treeid[m.flex_vertbodyid[m.flex_vertadr[f] + k]]


@kernel
def wake_flex(m, d, f):
    """If part of a flex is awake, wake the rest for as long as that part; return the number of trees woken."""
    count = m.flex_nodenum[f] if m.flex_interp[f] != 0 else m.flex_vertnum[f]
    value = 0
    for k in range(count):
        t = flex_tree(m, f, k)
        if t >= 0 and d.tree_awake[t] != 0:
            value = int(d.tree_asleep[t])
            break

    # All trees of a flex fall asleep together, so waking one of them wakes all.
    if value < 0:
        for k in range(count):
            t = flex_tree(m, f, k)
            if t >= 0 and d.tree_awake[t] == 0:
                return wake_tree(m, d, t, value)
    return 0


@kernel
def first_of_cycle(m, d, t):
    """Return the smallest tree index in a sleeping tree's cycle. It identifies the trees that fell asleep together."""
    first, k = int(t), int(d.tree_asleep[t])
    count = 0
    while k != t and count < m.ntree:
        first = min(first, k)
        k = int(d.tree_asleep[k])
        count += 1
    return first


@stage
def wake_equality(m, d):
    """reads eq_active, body_awake, tree_awake; writes tree_asleep, tree_awake, body_awake, body_awake_ind, parent_awake_ind,
    dof_awake_ind and their counts: trees that an equality constraint holds together wake together.
    """
    woken = 0
    # Bodies that wake here missed this pass's collision. A repeated pass must find them asleep again.
    if d.work_woken[0] == 0:
        for t in range(m.ntree):
            d.work_asleep[t] = d.tree_asleep[t]

    # Visit constraints whose trees do not sleep together.
    if m.opt.enableflags & SLEEP:
        for e in range(m.neq):
            if d.eq_active[e] == 0:
                continue
            if m.eq_type[e] == FLEX and m.compat_bits & FLEX_REST:
                woken += wake_flex(m, d, m.eq_obj1id[e])
                continue
            if m.eq_type[e] == TENDON or m.eq_type[e] == FLEX:
                d.status, d.status_arg = BROKEN, SLEEPLESS_TENDON if m.eq_type[e] == TENDON else SLEEPLESS_FLEX
                return
            a, b = equality_trees(m, e)
            if (a < 0) != (b < 0) and d.tree_awake[max(a, b)] == 0 and stirs(m, d, treeless_body(m, e, a < 0)):
                woken += wake_tree(m, d, max(a, b), FULLY_AWAKE)
            if a < 0 or b < 0 or a == b or (d.tree_awake[a] != 0 and d.tree_awake[b] != 0):
                continue
            if d.tree_awake[a] != 0 or d.tree_awake[b] != 0:
                woken += wake_tree(m, d, b if d.tree_awake[a] != 0 else a, FULLY_AWAKE)
            elif d.tree_asleep[a] < 0 or d.tree_asleep[b] < 0 or first_of_cycle(m, d, a) != first_of_cycle(m, d, b):
                # The constraint connects trees that fell asleep separately: wake both sets.
                woken += wake_tree(m, d, a, FULLY_AWAKE)
                woken += wake_tree(m, d, b, FULLY_AWAKE)

    if woken > 0:
        d.work_woken[0] = 1
        update_awake(m, d, False)


# ---- falling asleep ----------------------------------------------------------------------------------------------------
@stage
def sleep_trees(m, d):
    """reads islands, qvel, qfrc_applied, xfrc_applied; writes tree_asleep, and qvel, qacc of trees that fall asleep: islands
    whose trees have all been slow for long enough, and unconstrained trees that have been slow for long enough.
    """
    if m.opt.enableflags & SLEEP == 0 or (d.nefc > 0 and d.nisland == 0):
        return

    # Count the steps for which each tree has been slow.
    for t in range(m.ntree):
        if d.tree_asleep[t] < 0:
            if not may_sleep(m, d, t, m.opt.sleep_tolerance):
                d.tree_asleep[t] = FULLY_AWAKE
            elif d.tree_asleep[t] < -1:
                d.tree_asleep[t] += 1

    # If all trees of an island are ready to sleep, they form a cycle.
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
    """Put a tree to sleep and stop its motion. `following`: next tree in its cycle."""
    d.tree_asleep[t] = following
    for i in range(m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]):
        d.qvel[i] = 0.0
        d.qacc[i] = 0.0
