"""Drags a body with the mouse: starts a drag, moves the drag's reference pose, converts it to forces or poses. Also moves the
whole model.

Translation uses a critically damped spring from the selected point to the reference point, scaled by the effective mass at
the selected point, with torsional damping about the spring's direction. Rotation uses a critically damped spring toward the
reference orientation.
"""

from __future__ import annotations

import math
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from ...engine.core.data import MjData
from ...engine.core.model import MjModel
from ...engine.tables.enums import mjtJoint, mjtPertBit
from .abstract import MjvScene
from .camera import (
    MOVE_H,
    MOVE_H_REL,
    MOVE_V,
    MOVE_V_REL,
    ORTHO_DRAG,
    ROTATE_H,
    ROTATE_V,
    ZOOM,
    drag_vector,
    head_in_model,
    head_in_room,
    mjv_frustumHeight,
)
from .options import MjvPerturb
from .rotate import MINVAL, axis_quat, conj, cross, mul_pose, mul_quat, neg_pose, normalize, quat_vel, unit_quat

FREE = int(mjtJoint.mjJNT_FREE)
TRANSLATE, ROTATE = int(mjtPertBit.mjPERT_TRANSLATE), int(mjtPertBit.mjPERT_ROTATE)
MAX_TURN = math.pi / 2
ZOOM_RANGE = (0.01, 100.0)


def body_point(d: MjData, body: int, local: npt.ArrayLike) -> np.ndarray:
    """Return the world position of a point that is given in a body's frame."""
    return np.asarray(d.xmat[body]).reshape(3, 3) @ np.asarray(local, float) + d.xpos[body]


def inertial_quat(m: MjModel, d: MjData, body: int) -> np.ndarray:
    """Return the world orientation of a body's inertial frame."""
    return mul_quat(d.xquat[body], m.body_iquat[body])


def mobility(m: MjModel, d: MjData, body: int, point: np.ndarray) -> float:
    """Return the trace of the inverse effective mass at a point of a body: J inv(M) J', from the factor M = L' D L."""
    while body and not m.body_dofnum[body]:
        body = int(m.body_parentid[body])
    if not body:
        return 0.0

    # Compute the Jacobian of the point, for the degrees of freedom of the body and of its ancestors.
    arm = point - np.asarray(d.subtree_com)[int(m.body_rootid[body])]
    jac = np.zeros((m.nv, 3))
    i = int(m.body_dofadr[body] + m.body_dofnum[body]) - 1
    chain = []
    cdof = np.asarray(d.cdof).reshape(-1, 6)
    while i >= 0:
        jac[i] = cdof[i, 3:] + cross(cdof[i, :3], arm)
        chain.append(i)
        i = int(m.dof_parentid[i])

    # Backward substitution with L along the same chain.
    adr, num, col, factor = (np.asarray(x) for x in (m.M_rowadr, m.M_rownnz, m.M_colind, d.qLD))
    for i in chain:
        row = slice(int(adr[i]), int(adr[i] + num[i]) - 1)
        jac[col[row]] -= np.asarray(factor).ravel()[row][:, None] * jac[i]
    return float((jac[chain] ** 2 * np.asarray(d.qLDiagInv)[chain][:, None]).sum())


def mjv_initPerturb(m: MjModel, d: MjData, scn: MjvScene, pert: MjvPerturb) -> None:
    """Start a drag of the selected body. From the body's pose, set the drag's reference pose and point, the mass at the point,
    and the mouse scale."""
    body = int(pert.select)
    if not 0 < body < m.nbody:
        return
    point = body_point(d, body, pert.localpos)
    give = mobility(m, d, body, point)
    pert.localmass = 3 / max(give, MINVAL) if give else 1
    flex = int(pert.flexselect)
    if flex >= 0 and not m.flex_rigid[flex]:
        pert.localmass *= 2.0 * m.flex_edgenum[flex] / m.flex_vertnum[flex]

    pert.refpos, pert.refquat, pert.refselpos = d.xipos[body], inertial_quat(m, d, body), point
    head, forward, _ = head_in_model(scn)
    pert.scale = mjv_frustumHeight(scn) * float((point - head) @ forward) * (ORTHO_DRAG if scn.glcam.orthographic[0] else 1)


def mjv_movePerturb(
    m: MjModel, d: MjData, action: SupportsIndex, reldx: Any, reldy: Any, scn: MjvScene, pert: MjvPerturb
) -> None:
    """Move the reference pose of a drag by a mouse motion, in fractions of the viewport height.

    action: mjtMouse
    reldx, reldy: motion of the mouse, in fractions of the viewport's height
    """
    action, body = int(action), int(pert.select)
    _, forward, _ = head_in_model(scn)
    vec = drag_vector(action, reldx, reldy, forward)
    if action in (MOVE_V_REL, MOVE_H_REL):
        axes = np.asarray(d.xmat[body]).reshape(3, 3)
        vec = axes[:, 0 if action == MOVE_H_REL else 2] * reldy + axes[:, 1] * reldx

    if action in (MOVE_V, MOVE_H, MOVE_V_REL, MOVE_H_REL):
        pert.refpos += vec * pert.scale
        pert.refselpos += vec * pert.scale
    elif action in (ROTATE_V, ROTATE_H):
        axis, length = normalize(vec)
        ref = unit_quat(mul_quat(axis_quat(axis, length * 2 * math.pi), pert.refquat))
        if 0 < body < m.nbody:
            base = inertial_quat(m, d, body)
            axis, angle = normalize(quat_vel(mul_quat(conj(base), ref)))
            if angle > MAX_TURN:
                ref = mul_quat(base, axis_quat(axis, MAX_TURN))
        pert.refquat = ref


def mjv_applyPerturbPose(m: MjModel, d: MjData, pert: MjvPerturb, flg_paused: SupportsIndex) -> None:
    """Move a dragged mocap body to the reference pose. While paused, also move a free body, or the free root of the body's
    tree."""
    body = int(pert.select)
    if not 0 < body < m.nbody or not (pert.active | pert.active2):
        return
    pos, quat = mul_pose(pert.refpos, pert.refquat, *neg_pose(m.body_ipos[body], np.array(m.body_iquat[body])))
    mocap, root = int(m.body_mocapid[body]), int(m.body_rootid[body])
    if mocap >= 0:
        d.mocap_pos[mocap], d.mocap_quat[mocap] = pos, quat
        return
    if not flg_paused:
        return

    # Find the free body: the body itself, or the free root of its tree.
    for owner in (body, root):
        jnt = int(m.body_jntadr[owner])
        if int(m.body_jntnum[owner]) == 1 and int(m.jnt_type[jnt]) == FREE:
            a = int(m.jnt_qposadr[jnt])
            if owner != body:
                # Move the root so that the selected body gets the reference pose.
                rel = mul_pose(*neg_pose(d.xpos[body], np.array(d.xquat[body])), d.qpos[a : a + 3], d.qpos[a + 3 : a + 7])
                pos, quat = mul_pose(pos, quat, *rel)
            d.qpos[a : a + 3], d.qpos[a + 3 : a + 7] = pos, quat
            return


def mjv_applyPerturbForce(m: MjModel, d: MjData, pert: MjvPerturb) -> None:
    """Write a drag's force and torque into `xfrc_applied` of the selected body."""
    body, act = int(pert.select), int(pert.active) | int(pert.active2)
    if not 0 <= body < m.nbody or not act:
        return
    com = np.array(d.xipos[body])
    spin, lin = np.array(d.cvel[body][:3]), np.array(d.cvel[body][3:])
    lin = lin + cross(spin, com - np.asarray(d.subtree_com)[int(m.body_rootid[body])])
    weight = float(np.asarray(m.body_invweight0).reshape(-1, 2)[body, 1])
    inertia = 1 / max(MINVAL, weight) if weight else 1.0

    # For a translation, use a spring and a damper at the selected point.
    stiff, turn, mass = float(m.vis.map.stiffness), float(m.vis.map.stiffnessrot), pert.localmass
    if act & TRANSLATE:
        point = body_point(d, body, pert.localpos)
        gap, arm = point - pert.refselpos, point - com
        force = -stiff * mass * gap - math.sqrt(stiff) * mass * (lin + cross(spin, arm))
        along, _ = normalize(gap)
        d.xfrc_applied[body, :3] = force
        d.xfrc_applied[body, 3:] = cross(arm, force) - math.sqrt(turn) * inertia * float(along @ spin) * along

    # For a rotation, use a spring and a damper toward the reference orientation.
    if act & ROTATE:
        gap = mul_quat(pert.refquat, conj(inertial_quat(m, d, body)))
        d.xfrc_applied[body, 3:] = quat_vel(gap) * (turn * inertia) - math.sqrt(turn) * inertia * spin


def mjv_moveModel(m: MjModel, action: SupportsIndex, reldx: Any, reldy: Any, roomup: npt.ArrayLike, scn: MjvScene) -> None:
    """Move, turn or scale the whole model in the room. Do nothing if the scene transform is off.

    action: mjtMouse
    reldx, reldy: motion of the mouse, in fractions of the viewport's height
    roomup: float64 (3): the up direction in the room, a unit vector
    """
    if not scn.enabletransform:
        return
    action, up = int(action), np.asarray(roomup, float).ravel()
    _, forward, _ = head_in_room(scn)
    forward, _ = normalize(forward - up * (forward @ up))
    right, _ = normalize(cross(forward, up))
    if action in (ROTATE_V, ROTATE_H):
        axis, length = normalize((up if action == ROTATE_V else forward) * reldx + right * reldy)
        scn.rotate = unit_quat(mul_quat(axis_quat(axis, length * math.pi), scn.rotate.astype(float)))
    elif action in (MOVE_V, MOVE_V_REL, MOVE_H, MOVE_H_REL):
        vertical = action in (MOVE_V, MOVE_V_REL)
        scn.translate += ((right * reldx - (up if vertical else forward) * reldy) * m.stat.extent).astype(np.float32)
    elif action == ZOOM:
        scn.scale = min(max(scn.scale + math.log(1 + scn.scale / 3) * reldy * 3, ZOOM_RANGE[0]), ZOOM_RANGE[1])
    else:
        raise ValueError(f"unknown mouse action {action}")
