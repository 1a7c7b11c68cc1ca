"""The kinematic tree, compiled: dofs of bodies and joints, welded bodies, diagonal inertias.

Structure that needs no tables is in engine/step/structure.py.

adds   body: dofadr dofnum jntnum rootid sameframe treeid weldid; joint: dofadr nq nv qposadr
reads  actuator: trnid; body: parent; tendon: wrap
"""

from typing import Any

import numpy as np

from ...machine.jit import inline, kernel, stage
from ...machine.lang import longs_at, matrix_at
from ...step.structure import FRAME_EPS
from ...tables.compat_rows import holds
from ..language.orient import EPS
from ..language.types import (
    BALL,
    BODY_ROTATION,
    DIFFERENT,
    FREE,
    HINGE,
    JOINT_NQ,
    JOINT_NV,
    SAME_BODY,
    SLIDE,
    TRN_TENDON,
    WRAP_CYLINDER,
    WRAP_SITE,
    WRAP_SPHERE,
)

# arrays of integers that the kernels read and write: one row per name, one column per body, joint or dof
BODY = "parent jntnum dofnum weldid dofadr rootid treeid sameframe simple".split()
JOINT = "type body nv nq dofadr qposadr".split()
DOF = "jnt body parent tree simplenum".split()
PARENT, JNTNUM, DOFNUM, WELDID, DOFADR, ROOTID, TREEID, SAMEFRAME, SIMPLE = range(len(BODY))
KIND, OWNER, NV, NQ, FIRST, QPOSADR = range(len(JOINT))
DOF_JOINT, DOF_BODY, DOF_PARENT, DOF_TREE, DOF_SIMPLE = range(len(DOF))
FREE_NV, FREE_NQ, BALL_NV, BALL_NQ = JOINT_NV[FREE], JOINT_NQ[FREE], JOINT_NV[BALL], JOINT_NQ[BALL]


@stage("iiiiiii")
def tree_topology(body_at, nbody, joint_at, njnt, dof_at, room):
    """reads parents of bodies, and types and bodies of joints, in order; writes the other rows of joints, bodies and dofs.

    Exceptions: sameframe and simple of bodies, simplenum of dofs. Rows of dofs have `room` columns. Returns the number of dofs.
    """

    parent, jntnum, dofnum = (
        longs_at(body_at + 8 * nbody * PARENT, nbody),
        longs_at(body_at + 8 * nbody * JNTNUM, nbody),
        longs_at(body_at + 8 * nbody * DOFNUM, nbody),
    )
    for b in range(nbody):
        jntnum[b] = dofnum[b] = 0
    nv = place_joints(joint_at, njnt, jntnum, dofnum, dof_at, room)

    # set ids of welded bodies, trees and roots, and dofs of each body
    weldid, dofadr, rootid, treeid = (
        longs_at(body_at + 8 * nbody * WELDID, nbody),
        longs_at(body_at + 8 * nbody * DOFADR, nbody),
        longs_at(body_at + 8 * nbody * ROOTID, nbody),
        longs_at(body_at + 8 * nbody * TREEID, nbody),
    )
    before, tree = longs_at(dof_at + 8 * room * DOF_PARENT, room), longs_at(dof_at + 8 * room * DOF_TREE, room)
    at, ntree = 0, 0
    for b in range(nbody):
        up = parent[b]
        weldid[b] = b if jntnum[b] > 0 else weldid[up] if b > 0 else 0
        rootid[b] = rootid[up] if up > 0 else b
        dofadr[b] = at if dofnum[b] > 0 else -1
        for k in range(dofnum[b]):
            before[at] = at - 1 if k > 0 else last_dof(parent, dofadr, dofnum, up)
            if before[at] < 0:
                ntree += 1
            tree[at] = ntree - 1
            at += 1
        treeid[b] = tree[dofadr[weldid[b]]] if dofnum[weldid[b]] > 0 else -1
    return nv


@kernel
def place_joints(joint_at, njnt, jntnum, dofnum, dof_at, room):
    """Set the widths and addresses of joints, the joint and body of each dof, and the numbers of joints and dofs of each body.
    Return the number of dofs."""
    kind, owner = longs_at(joint_at + 8 * njnt * KIND, njnt), longs_at(joint_at + 8 * njnt * OWNER, njnt)
    nv, nq = longs_at(joint_at + 8 * njnt * NV, njnt), longs_at(joint_at + 8 * njnt * NQ, njnt)
    first, qposadr = longs_at(joint_at + 8 * njnt * FIRST, njnt), longs_at(joint_at + 8 * njnt * QPOSADR, njnt)
    joint, body = longs_at(dof_at + 8 * room * DOF_JOINT, room), longs_at(dof_at + 8 * room * DOF_BODY, room)
    dofs, coordinates = 0, 0
    for j in range(njnt):
        first[j], qposadr[j] = dofs, coordinates
        nv[j] = FREE_NV if kind[j] == FREE else BALL_NV if kind[j] == BALL else 1
        nq[j] = FREE_NQ if kind[j] == FREE else BALL_NQ if kind[j] == BALL else 1
        jntnum[owner[j]] += 1
        dofnum[owner[j]] += nv[j]
        for i in range(dofs, dofs + nv[j]):
            joint[i], body[i] = j, owner[j]
        dofs += nv[j]
        coordinates += nq[j]
    return dofs


@kernel
def last_dof(parent, dofadr, dofnum, b):
    """Return the last dof of a body or of its nearest ancestor with dofs; -1 if there is none."""
    while b > 0 and dofnum[b] == 0:
        b = parent[b]
    return dofadr[b] + dofnum[b] - 1 if b > 0 else -1


@inline
def near(x, i, k, value):
    return abs(x[i, k] - value) < FRAME_EPS


@inline
def unturned(x, i):
    """Return whether a quaternion, or its negative, is the unit quaternion."""
    level = near(x, i, 4, 0.0) and near(x, i, 5, 0.0) and near(x, i, 6, 0.0)
    return level and (near(x, i, 3, 1.0) or near(x, i, 3, -1.0))


@stage("viiiiiiiiii")
def diagonal_bodies(body_at, nbody, joint_at, njnt, dof_at, room, pose_at, hinge_at, barred_at, size_at):
    """reads the result of `tree_topology`, inertial frames of bodies (position, quaternion), and positions and axes of joints.

    `barred_at`: bodies whose inertia is not diagonal. Writes sameframe and simple of bodies, simplenum of dofs, sizes
    nM, nC, nB.
    """
    parent, dofnum, rootid = (
        longs_at(body_at + 8 * nbody * PARENT, nbody),
        longs_at(body_at + 8 * nbody * DOFNUM, nbody),
        longs_at(body_at + 8 * nbody * ROOTID, nbody),
    )
    frame, level = longs_at(body_at + 8 * nbody * SAMEFRAME, nbody), longs_at(body_at + 8 * nbody * SIMPLE, nbody)
    pose, barred = matrix_at(pose_at, nbody, 7), longs_at(barred_at, nbody)

    # compare the inertial frame with the body frame; a simple body has no children
    for b in range(nbody):
        frame[b], up, level[b] = DIFFERENT, parent[b], 0
        if unturned(pose, b):
            at_origin = near(pose, b, 0, 0.0) and near(pose, b, 1, 0.0) and near(pose, b, 2, 0.0)
            frame[b] = SAME_BODY if at_origin else BODY_ROTATION
        if frame[b] == SAME_BODY and (rootid[b] == b or parent[up] == 0 and dofnum[up] == 0):
            level[b] = 1
    for b in range(1, nbody):
        if parent[b] > 0:
            level[parent[b]] = 0

    # joints, and other properties of bodies, lower the `simple` levels further
    slides_only(level, joint_at, njnt, matrix_at(hinge_at, njnt, 6))
    for b in range(nbody):
        if barred[b] != 0:
            level[b] = 0
    count_elements(body_at, nbody, dof_at, room, longs_at(size_at, 3))


@kernel
def slides_only(level, joint_at, njnt, hinge):
    """Update the `simple` levels of bodies: 0 if a joint is oblique or comes after a rotation, 2 if a simple body has only
    slide joints.
    """
    kind, owner = longs_at(joint_at + 8 * njnt * KIND, njnt), longs_at(joint_at + 8 * njnt * OWNER, njnt)
    j = 0
    while j < njnt:
        b, turned, sliding, straight = owner[j], False, True, True
        while j < njnt and owner[j] == b:
            along, off = 0, False
            for k in range(3):
                along += 1 if abs(hinge[j, 3 + k]) > EPS else 0
                off = off or abs(hinge[j, k]) >= FRAME_EPS
            straight = straight and not (turned or off or along != 1 and kind[j] >= SLIDE)
            sliding = sliding and kind[j] == SLIDE
            turned = turned or kind[j] == BALL or kind[j] == HINGE
            j += 1
        if not straight:
            level[b] = 0
        elif sliding and level[b] > 0:
            level[b] = 2


@kernel
def count_elements(body_at, nbody, dof_at, room, size):
    """Set simplenum of dofs, and the sizes nM, nC and nB."""
    parent, dofnum = longs_at(body_at + 8 * nbody * PARENT, nbody), longs_at(body_at + 8 * nbody * DOFNUM, nbody)
    level = longs_at(body_at + 8 * nbody * SIMPLE, nbody)
    body, before = longs_at(dof_at + 8 * room * DOF_BODY, room), longs_at(dof_at + 8 * room * DOF_PARENT, room)
    simplenum = longs_at(dof_at + 8 * room * DOF_SIMPLE, room)

    # rows of B
    size[0] = size[1] = size[2] = run = 0
    for b in range(nbody - 1, -1, -1):
        # In the sparse matrix B, the row of a body lists the dofs of the body, its ancestors and its subtree. So the dofs of b
        # are in b's row and in the rows of all ancestors of b, the world included.
        up = parent[b] if b > 0 else -1
        size[2] += dofnum[b]
        while up >= 0:
            size[2] += dofnum[b] + dofnum[up]
            up = parent[up] if up > 0 else -1

    # count the elements of M and C
    nv = 0
    for b in range(nbody):
        nv += dofnum[b]
    for i in range(nv - 1, -1, -1):
        run = run + 1 if level[body[i]] > 0 else 0
        simplenum[i] = run
        depth, j = 1, before[i]
        while j >= 0:
            depth += 1
            j = before[j]
        size[0] += depth
        size[1] += depth if run == 0 else 1


def topology(c: Any) -> None:
    """Set weld ids, dof counts, addresses of joints and dofs, and nv and ntree. Parents of bodies and bodies of joints must be
    set."""
    body, joint = c.body, c.joint
    c.tree_rows = bodies, joints = np.zeros((len(BODY), body.n), np.int64), np.zeros((len(JOINT), max(joint.n, 1)), np.int64)
    bodies[PARENT] = body.parent
    if joint.n:
        joints[KIND], joints[OWNER] = joint.type, joint.body
    room = FREE_NV * joints.shape[1]
    c.dof_rows = dofs = np.zeros((len(DOF), room), np.int64)
    c.nv = nv = tree_topology(bodies, body.n, joints, joint.n, dofs, room)
    for names, rows, table in ((BODY[JNTNUM:], bodies[JNTNUM:], body), (JOINT[NV:], joints[NV:, : joint.n], joint)):
        for name, row in zip(names, rows):
            setattr(table, name, row)
    if holds("mocap_weld", c.compat_bits) and body.mocap.any():
        for b in range(1, body.n):
            if not body.jntnum[b]:
                body.weldid[b] = b if body.mocap[b] else body.weldid[body.parent[b]]
    c.dof = dict(zip(DOF, dofs[:, :nv]))
    c.ntree = int(c.dof["tree"][-1]) + 1 if nv else 0


def elements(c: Any) -> None:
    """Find diagonal inertias, and count the elements of M and B."""
    body, j = c.body, c.joint
    bodies, joints = c.tree_rows
    pose, hinge = np.concatenate((body.ipos, body.iquat), 1), np.concatenate((j.pos, j.axis), 1) if j.n else np.zeros((1, 6))
    size, barred = np.zeros(3, np.int64), _barred(c)
    diagonal_bodies(bodies, body.n, joints, j.n, c.dof_rows, c.dof_rows.shape[1], pose, hinge, barred, size)
    c.nM, c.nC, c.nB = size.tolist()


def _barred(c: Any) -> np.ndarray:
    """Return a mask of bodies whose inertia is not diagonal: bodies under tendons that have armature, and bodies that the user
    excluded."""
    barred = np.zeros(c.body.n, np.int64)
    if c.body.given("simple"):
        barred[:] = [e.raw["simple"] == 0 for e in c.body.elems]
    a = c.actuator
    driven = set(a.trnid[(a.trntype == TRN_TENDON) & (a.armature != 0), 0].tolist()) if a.n else ()
    for i, rows in enumerate(c.tendon.wrap):
        if c.tendon.armature[i] != 0 or i in driven:
            for kind, obj, _ in rows:
                if kind == WRAP_SITE:
                    barred[c.site.body[obj]] = 1
                elif kind in (WRAP_SPHERE, WRAP_CYLINDER):
                    barred[c.geom.body[obj]] = 1
    return barred


def starts(counts: np.ndarray) -> np.ndarray:
    """Return the starts of consecutive runs, given their lengths."""
    return np.cumsum(counts) - counts
