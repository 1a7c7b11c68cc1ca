"""Which trees, bodies and dofs are awake, derived from `tree_asleep`."""

from ..machine.jit import inline, kernel
from ..tables.compat_rows import bit
from ..tables.enums import mjtEnableBit, mjtSleepState

SLEEP = int(mjtEnableBit.mjENBL_SLEEP)
FLEX_REST, SLEEP_WHOLE = bit("flex_rest"), bit("sleep_whole")
STATIC, ASLEEP, AWAKE = (int(mjtSleepState[n]) for n in ("mjS_STATIC", "mjS_ASLEEP", "mjS_AWAKE"))


@kernel
def update_awake(m, d, static_awake):
    """reads tree_asleep; writes tree_awake, body_awake, body_awake_ind, parent_awake_ind, dof_awake_ind and their counts.

    With `static_awake`, static bodies count as awake, so that stages that otherwise skip them write their poses once.
    """
    count = 0
    for t in range(m.ntree):
        d.tree_awake[t] = d.tree_asleep[t] < 0
        count += d.tree_awake[t]
    d.ntree_awake = count

    bodies = parents = 0
    for b in range(m.nbody):
        tree = m.body_treeid[b]
        if tree >= 0:
            state = AWAKE if d.tree_awake[tree] else ASLEEP
        elif static_awake or m.body_mocapid[m.body_rootid[b]] >= 0:
            state = AWAKE
        else:
            state = STATIC
        d.body_awake[b] = state
        if state != ASLEEP:
            d.body_awake_ind[bodies] = b
            bodies += 1
        if b and d.body_awake[m.body_parentid[b]] != ASLEEP:
            d.parent_awake_ind[parents] = b
            parents += 1
    d.nbody_awake, d.nparent_awake = bodies, parents

    dofs = 0
    for i in range(m.nv):
        b = m.dof_bodyid[i]
        if m.body_treeid[b] >= 0 and d.body_awake[b] == AWAKE:
            d.dof_awake_ind[dofs] = i
            dofs += 1
    d.nv_awake = dofs


@kernel
def undo_wake(m, d):
    """Put trees that tendons or equality constraints woke in this pass back to sleep."""
    if d.work_woken[0] != 0:
        d.work_woken[0] = 0
        for t in range(m.ntree):
            d.tree_asleep[t] = d.work_asleep[t]
        update_awake(m, d, False)


@inline
def tendon_state(m, d, t):
    """Return STATIC if tendon t spans no tree, ASLEEP if every tree that it spans sleeps, else AWAKE."""
    trees = m.tendon_treenum[t]
    if trees == 0:
        return STATIC
    if trees > 2 or d.tree_awake[m.tendon_treeid[t, 0]] or trees == 2 and d.tree_awake[m.tendon_treeid[t, 1]]:
        return AWAKE
    return ASLEEP


@kernel
def flex_state(m, d, f):
    """Return the sleep state of flex f: that of its first movable body, because all sleep and wake together; STATIC if it has
    none."""
    if m.flex_interp[f] != 0:
        for k in range(m.flex_nodeadr[f], m.flex_nodeadr[f] + m.flex_nodenum[f]):
            if m.body_treeid[m.flex_nodebodyid[k]] >= 0:
                return d.body_awake[m.flex_nodebodyid[k]]
    else:
        for k in range(m.flex_vertadr[f], m.flex_vertadr[f] + m.flex_vertnum[f]):
            if m.body_treeid[m.flex_vertbodyid[k]] >= 0:
                return d.body_awake[m.flex_vertbodyid[k]]
    return STATIC


@inline
def flexes_rest(m, d):
    """Return whether flexes can sleep and any body is asleep."""
    return m.compat_bits & FLEX_REST != 0 and m.opt.enableflags & SLEEP != 0 and d.nbody_awake < m.nbody


@inline
def flex_asleep(m, d, f):
    """Return whether flex f sleeps."""
    return flexes_rest(m, d) and flex_state(m, d, f) == ASLEEP
