"""Centers of mass of subtrees, and inertias and joint axes in frames at those points."""

from ..machine.jit import kernel, stage
from ..machine.lang import load, store
from ..math.spatial import body_inertia
from ..math.vec import add3, cross3, scale3, sub3
from ..tables.consts import mjMINVAL
from .awake import ASLEEP
from .kinematics import BALL, FREE, SLEEP, SLIDE


@stage
def com_pos(m, d):
    """reads xipos, ximat, xmat, xanchor, xaxis; writes subtree_com, cinert, cdof."""
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nbody_awake < m.nbody
    subtree_centres(m, d, sleep)
    for k in range(1, d.nbody_awake if sleep else m.nbody):
        b = d.body_awake_ind[k] if sleep else k
        offset = sub3(load(d.xipos, b, 3), load(d.subtree_com, m.body_rootid[b], 3))
        store(d.cinert, b, body_inertia(load(m.body_inertia, b, 3), load(d.ximat, b, 9), offset, m.body_mass[b]))
    store(d.cinert, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    motion_axes(m, d, sleep)


@kernel
def subtree_centres(m, d, sleep):
    """writes subtree_com; sleeping subtrees keep their center and count as one mass."""
    bodies = d.nbody_awake if sleep else m.nbody
    for k in range(bodies):
        b = d.body_awake_ind[k] if sleep else k
        store(d.subtree_com, b, scale3(load(d.xipos, b, 3), m.body_mass[b]))

    # Sum the moments of mass from the leaves to the root.
    for k in range((d.nparent_awake if sleep else m.nbody) - 1, -1, -1):
        b = d.parent_awake_ind[k] if sleep else k
        if b:
            p = m.body_parentid[b]
            moment = load(d.subtree_com, b, 3)
            if sleep and d.body_awake[b] == ASLEEP:
                moment = scale3(moment, m.body_subtreemass[b])
            store(d.subtree_com, p, add3(load(d.subtree_com, p, 3), moment))

    for k in range(bodies):
        b = d.body_awake_ind[k] if sleep else k
        mass = m.body_subtreemass[b]
        if mass < mjMINVAL:
            store(d.subtree_com, b, load(d.xipos, b, 3))
        else:
            store(d.subtree_com, b, scale3(load(d.subtree_com, b, 3), 1.0 / mass))


@kernel
def motion_axes(m, d, sleep):
    """writes cdof: rotation and, at the subtree's center of mass, translation for a unit velocity of each dof."""
    for k in range(m.njnt):
        b = m.jnt_bodyid[k]
        if sleep and d.body_awake[b] == ASLEEP:
            continue
        i, kind = m.jnt_dofadr[k], m.jnt_type[k]
        axis = load(d.xaxis, k, 3)
        if kind == SLIDE:
            store(d.cdof, i, (0.0, 0.0, 0.0, axis[0], axis[1], axis[2]))
            continue
        offset = sub3(load(d.subtree_com, m.body_rootid[b], 3), load(d.xanchor, k, 3))
        if kind == FREE:
            store(d.cdof, i, (0.0, 0.0, 0.0, 1.0, 0.0, 0.0))
            store(d.cdof, i + 1, (0.0, 0.0, 0.0, 0.0, 1.0, 0.0))
            store(d.cdof, i + 2, (0.0, 0.0, 0.0, 0.0, 0.0, 1.0))
            i += 3
        if kind == FREE or kind == BALL:
            # Rotations of free and ball joints are about the axes of the body frame.
            for c in range(3):
                axis = (d.xmat[b, c], d.xmat[b, c + 3], d.xmat[b, c + 6])
                v = cross3(axis, offset)
                store(d.cdof, i + c, (axis[0], axis[1], axis[2], v[0], v[1], v[2]))
        else:
            v = cross3(axis, offset)
            store(d.cdof, i, (axis[0], axis[1], axis[2], v[0], v[1], v[2]))
