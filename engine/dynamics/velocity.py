"""Velocities of bodies, and rates of change of the motion axes."""

from ..machine.jit import inline, kernel, stage
from ..machine.lang import load, store
from ..math.spatial import add6, add_scaled6, cross_motion, scale6
from .kinematics import BALL, FREE, SLEEP


@stage
def com_vel(m, d):
    """reads cdof, qvel; writes cvel, cdof_dot."""
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nbody_awake < m.nbody
    store(d.cvel, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for k in range(1, d.nbody_awake if sleep else m.nbody):
        b = d.body_awake_ind[k] if sleep else k
        body_velocity(m, d, b)


@inline
def three_dofs(x, i, v):
    """Return the sum of three motion axes, weighted by velocities."""
    return add_scaled6(add_scaled6(scale6(load(x, i, 6), v[i]), load(x, i + 1, 6), v[i + 1]), load(x, i + 2, 6), v[i + 2])


@kernel
def body_velocity(m, d, b):
    """writes cvel of body b and cdof_dot of its dofs."""
    v = load(d.cvel, m.body_parentid[b], 6)
    i = m.body_dofadr[b]
    first = m.body_jntadr[b]

    for j in range(first, first + m.body_jntnum[b]):
        kind = m.jnt_type[j]
        if kind == FREE:
            for c in range(3):
                store(d.cdof_dot, i + c, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
            v = add6(v, three_dofs(d.cdof, i, d.qvel))
            i += 3
        if kind == FREE or kind == BALL:
            # Axes of a ball joint turn with the parent: the joint's own velocity does not change them.
            for c in range(3):
                store(d.cdof_dot, i + c, cross_motion(v, load(d.cdof, i + c, 6)))
            v = add6(v, three_dofs(d.cdof, i, d.qvel))
            i += 3
        else:
            axis = load(d.cdof, i, 6)
            store(d.cdof_dot, i, cross_motion(v, axis))
            v = add6(v, scale6(axis, d.qvel[i]))
            i += 1
    store(d.cvel, b, v)
