"""Conversion of Cartesian forces to joint forces."""

from ..machine.jit import inline, kernel
from ..machine.lang import load
from ..math.spatial import cross_motion
from ..math.vec import add3, cross3, dot3, sub3
from ..tables.enums import mjtJoint

FREE, BALL = int(mjtJoint.mjJNT_FREE), int(mjtJoint.mjJNT_BALL)


@inline
def last_dof(m, b):
    """Return the last dof on the path from the root that moves body b, or -1."""
    while b and m.body_dofnum[b] == 0:
        b = m.body_parentid[b]
    return m.body_dofadr[b] + m.body_dofnum[b] - 1 if b else -1


@inline
def dof_translation(d, i, offset):
    """Return the velocity, at a point `offset` from the subtree's center of mass, for a unit velocity of dof i."""
    axis = load(d.cdof, i, 6)
    return add3((axis[3], axis[4], axis[5]), cross3((axis[0], axis[1], axis[2]), offset))


@inline
def axis_rate(m, d, i, axis):
    """Return the rate of change of the axis of dof i, a motion about the subtree's center of mass."""
    j = m.dof_jntid[i]
    if m.jnt_type[j] == BALL or m.jnt_type[j] == FREE and i >= m.jnt_dofadr[j] + 3:
        # The axes of a quaternion joint move with the body.
        return cross_motion(load(d.cvel, m.dof_bodyid[i], 6), axis)
    return load(d.cdof_dot, i, 6)


@kernel
def apply_force(m, d, target, b, point, force, torque):
    """Add J' (force, torque) to target, for a wrench at a world point of body b."""
    offset = sub3(point, load(d.subtree_com, m.body_rootid[b], 3))
    i = last_dof(m, b)
    while i >= 0:
        axis = load(d.cdof, i, 3)
        target[i] += dot3(dof_translation(d, i, offset), force)
        target[i] += dot3(axis, torque)
        i = m.dof_parentid[i]


@kernel
def apply_body_forces(m, d, target):
    """Add the joint forces of xfrc_applied to target."""
    for b in range(1, m.nbody):
        x = load(d.xfrc_applied, b, 6)
        if x[0] != 0 or x[1] != 0 or x[2] != 0 or x[3] != 0 or x[4] != 0 or x[5] != 0:
            apply_force(m, d, target, b, load(d.xipos, b, 3), (x[0], x[1], x[2]), (x[3], x[4], x[5]))
