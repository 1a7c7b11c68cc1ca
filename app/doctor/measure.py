"""Measures how fast a model responds along the rows of a Jacobian: the inverse inertia, and the rates of springs, dampers,
servos and constraints.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ... import engine as mj
from ...engine.tables.actuator_rows import are

FREE, BALL = int(mj.mjtJoint.mjJNT_FREE), int(mj.mjtJoint.mjJNT_BALL)
SIX = {FREE: 6, BALL: 3}
# For each kind of element, at most this many rows are examined.
MOST_ROWS = 300


class Rate(NamedTuple):
    """Stiffness `k` and damping `b` along a row with inverse inertia `c`."""

    index: int
    k: float
    b: float
    c: float


def compliance(m: mj.MjModel, d: mj.MjData, rows: np.ndarray) -> np.ndarray:
    """Return the inverse inertia along each row of a Jacobian (n, nv): diag(J M^-1 J')."""
    rows = np.ascontiguousarray(rows, float)
    solved = np.empty_like(rows)
    mj.mj_solveM(m, d, solved, rows)
    return np.einsum("ij,ij->i", rows, solved)


def dofs_of(m: mj.MjModel, joint: int) -> range:
    """Return the degrees of freedom of a joint."""
    begin = int(m.jnt_dofadr[joint])
    return range(begin, begin + SIX.get(int(m.jnt_type[joint]), 1))


def joints(m: mj.MjModel, d: mj.MjData) -> list[Rate]:
    """Return the rates of joint springs and dampers."""
    stiffness, damping = np.asarray(m.jnt_stiffness, float), np.asarray(m.dof_damping, float)
    found = [j for j in range(m.njnt) if stiffness[j] or damping[dofs_of(m, j).start]]
    found = sorted(found, key=lambda j: -abs(stiffness[j]) - abs(damping[dofs_of(m, j).start]))[:MOST_ROWS]
    dofs = [(j, dof) for j in found for dof in dofs_of(m, j)]
    if not dofs:
        return []
    rows = np.zeros((len(dofs), m.nv))
    rows[np.arange(len(dofs)), [dof for _j, dof in dofs]] = 1.0
    return [
        Rate(j, float(stiffness[j]), float(damping[dof]), float(c))
        for (j, dof), c in zip(dofs, compliance(m, d, rows), strict=True)
        if c > 0
    ]


def sparse_rows(
    count: int, nv: int, nonzeros: np.ndarray, address: np.ndarray, columns: np.ndarray, values: np.ndarray
) -> np.ndarray:
    """Return a compressed sparse matrix as a dense one."""
    rows = np.zeros((count, nv))
    for i in range(count):
        begin, n = int(address[i]), int(nonzeros[i])
        rows[i, np.asarray(columns[begin : begin + n])] = values[begin : begin + n]
    return rows


def tendon_rows(m: mj.MjModel, d: mj.MjData) -> np.ndarray:
    """Return the Jacobian of tendon lengths (ntendon, nv)."""
    if not mj.mj_isSparse(m):
        return np.array(d.ten_J, float).reshape(m.ntendon, m.nv)
    return sparse_rows(m.ntendon, m.nv, d.ten_J_rownnz, d.ten_J_rowadr, np.ravel(d.ten_J_colind), np.ravel(d.ten_J))


def actuator_rows(m: mj.MjModel, d: mj.MjData) -> np.ndarray:
    """Return the moment arms of actuator forces (nout, nv)."""
    return sparse_rows(m.nout, m.nv, d.moment_rownnz, d.moment_rowadr, np.ravel(d.moment_colind), np.ravel(d.actuator_moment))


def tendons(m: mj.MjModel, d: mj.MjData) -> list[Rate]:
    """Return the rates of tendon springs and dampers."""
    found = np.flatnonzero((np.asarray(m.tendon_stiffness) != 0) | (np.asarray(m.tendon_damping) != 0))[:MOST_ROWS]
    if not len(found):
        return []
    c = compliance(m, d, tendon_rows(m, d)[found])
    return [
        Rate(int(t), float(m.tendon_stiffness[t]), float(m.tendon_damping[t]), float(x))
        for t, x in zip(found, c, strict=True)
        if x > 0
    ]


def actuators(m: mj.MjModel, d: mj.MjData) -> list[Rate]:
    """Return the length and velocity feedback of actuators: force = gain control + b0 + b1 length + b2 velocity."""
    if not m.nactuator:
        return []
    affine, gains = are(m, bias="affine"), are(m, gain="affine")
    bias, gain = np.asarray(m.actuator_biasprm, float), np.asarray(m.actuator_gainprm, float)
    # An actuator with affine gain has one control.
    drive = np.zeros(m.nactuator)
    drive[gains] = np.where(np.asarray(m.actuator_dyntype) == 0, np.append(d.ctrl, 0.0)[np.asarray(m.actuator_ctrladr)], 0.0)[
        gains
    ]
    k = -np.where(affine, bias[:, 1], 0.0) - np.where(gains, gain[:, 1] * drive, 0.0)
    b = -np.where(affine, bias[:, 2], 0.0) - np.where(gains, gain[:, 2] * drive, 0.0)
    found = np.flatnonzero((k != 0) | (b != 0))[:MOST_ROWS]
    if not len(found):
        return []
    c = compliance(m, d, actuator_rows(m, d)[np.asarray(m.actuator_outadr)[found]])
    return [Rate(int(i), float(k[i]), float(b[i]), float(x)) for i, x in zip(found, c, strict=True) if x > 0]


def probe(m: mj.MjModel, d: mj.MjData, direction: np.ndarray, size: float = 1e-6) -> float:
    """Return the squared frequency, in 1/s^2, of the passive forces along a direction of motion. It is computed by finite
    differences on a separate Data.
    """
    other = mj.MjData(m)
    mj.mj_copyData(other, m, d)
    mj.mj_fwdPosition(m, other)
    mj.mj_fwdVelocity(m, other)
    before, momentum = np.array(other.qfrc_passive), np.zeros(m.nv)
    mj.mj_mulM(m, other, momentum, direction)
    mj.mj_integratePos(m, other.qpos, direction, size)
    mj.mj_fwdPosition(m, other)
    mj.mj_fwdVelocity(m, other)
    inertia = float(direction @ momentum)
    return -float(direction @ (np.asarray(other.qfrc_passive) - before)) / size / inertia if inertia > 0 else 0.0
