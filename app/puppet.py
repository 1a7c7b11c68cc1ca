"""Puppet mode: dragging a point of a body moves the joints between the body and the world, so that the point follows the mouse
within the joints' limits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import engine as mj

SLIDE, HINGE = int(mj.mjtJoint.mjJNT_SLIDE), int(mj.mjtJoint.mjJNT_HINGE)
# Damped least squares: number of iterations, damping relative to the trace of J J', and largest turn per iteration in radians.
ROUNDS, DAMPING, MOST_TURN = 40, 1e-3, 0.3
# If all turns are below STUCK (radians), the joints are stuck. They are then turned by NUDGE, at most NUDGES times.
STUCK, NUDGE, NUDGES = 2e-3, 0.1, 2
# The point has arrived if its distance to the goal, relative to the model's extent, is below this.
NEAR = 1e-6


def joints_above(m: Any, body: int) -> list[int]:
    """Return the hinges and slides from a body up to the world, or up to the first free or ball joint."""
    found: list[int] = []
    while body > 0:
        first, count = int(m.body_jntadr[body]), int(m.body_jntnum[body])
        own = list(range(first, first + count))
        if any(int(m.jnt_type[j]) not in (SLIDE, HINGE) for j in own):
            break
        found += own
        body = int(m.body_parentid[body])
    return sorted(found)


def reach(m: Any, d: Any, body: int, local: np.ndarray, goal: np.ndarray) -> list[int]:
    """Set the joints between a body and the world so that a point of the body comes as near to a goal as the limits allow.
    Return the joints that may have moved.
    """
    joints = np.array(joints_above(m, body), int)
    if not len(joints):
        return []
    address = np.asarray(m.jnt_qposadr)[joints]
    limited = np.asarray(m.jnt_limited)[joints].astype(bool)
    low = np.where(limited, np.asarray(m.jnt_range)[joints, 0], -np.inf)
    high = np.where(limited, np.asarray(m.jnt_range)[joints, 1], np.inf)
    with np.errstate(invalid="ignore"):
        middle = np.where(limited, 0.5 * (low + high), 0.0)

    best, kept, nudges = np.inf, np.array(d.qpos[address]), NUDGES
    for _ in range(ROUNDS):
        mj.mj_kinematics(m, d)
        point = np.asarray(d.xpos[body]) + np.asarray(d.xmat[body]).reshape(3, 3) @ local
        error = goal - point
        size = float(np.linalg.norm(error))
        if size < best:
            best, kept = size, np.array(d.qpos[address])
        if size < NEAR * max(1.0, float(m.stat.extent)):
            break
        move = step(motions(m, d, joints, point), error)
        q = np.array(d.qpos[address])
        # If joints are at their limits, solve again for the other joints only.
        blocked = (q <= low) & (move < 0) | (q >= high) & (move > 0)
        if blocked.any():
            free = motions(m, d, joints, point) * ~blocked
            move = step(free, error) * ~blocked
        turn = float(np.abs(move).max())
        if turn < STUCK and nudges:
            # Small turns of its joints cannot shorten a straight arm, so bend it a little first.
            nudges -= 1
            move = np.where(np.asarray(m.jnt_type)[joints] == HINGE, NUDGE * np.where(q > middle, -1.0, 1.0), 0.0)
            turn = NUDGE
        d.qpos[address] = np.clip(q + move * min(1.0, MOST_TURN / turn if turn else 1.0), low, high)

    d.qpos[address] = kept
    mj.mj_kinematics(m, d)
    return joints.tolist()


def motions(m: Any, d: Any, joints: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Return the motion of a point for a unit motion of each joint: (3, joints)."""
    axis, anchor = np.asarray(d.xaxis)[joints], np.asarray(d.xanchor)[joints]
    turns = np.asarray(m.jnt_type)[joints] == HINGE
    return np.where(turns[:, None], np.cross(axis, point - anchor), axis).T


def step(columns: np.ndarray, error: np.ndarray) -> np.ndarray:
    """Return the joint motion that reduces an error of the point, by damped least squares."""
    square = columns @ columns.T
    damping = DAMPING * max(float(np.trace(square)), 1e-12)
    return columns.T @ np.linalg.solve(square + damping * np.eye(3), error)


def setpoints(m: Any, d: Any, joints: list[int], q: np.ndarray) -> None:
    """Set the controls of position servos to the positions of their joints in `q`, an array like `qpos`."""
    for a in range(m.nactuator):
        gain, bias = np.asarray(m.actuator_gainprm[a]), np.asarray(m.actuator_biasprm[a])
        servo = float(gain[0]) > 0 and float(bias[1]) == -float(gain[0])
        joint = int(m.actuator_trnid[a][0])
        if servo and int(m.actuator_trntype[a]) == int(mj.mjtTrn.mjTRN_JOINT) and joint in joints:
            control, gear = int(m.actuator_ctrladr[a]), float(m.actuator_gear[a][0])
            value = gear * float(q[m.jnt_qposadr[joint]])
            if m.actuator_ctrllimited[control]:
                low, high = (float(x) for x in m.actuator_ctrlrange[control])
                value = min(max(value, low), high)
            d.ctrl[control] = value
