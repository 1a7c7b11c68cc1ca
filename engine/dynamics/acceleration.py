"""Acceleration without constraints."""

from ..machine.jit import stage
from .force import apply_body_forces
from .inertia import solve
from .kinematics import SLEEP


@stage
def smooth_acceleration(m, d):
    """reads qfrc_passive, qfrc_bias, qfrc_applied, qfrc_actuator, xfrc_applied, qLD, qLDiagInv; writes qfrc_smooth,
    qacc_smooth.
    """
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nv_awake < m.nv
    n = d.nv_awake if sleep else m.nv
    for k in range(n):
        i = d.dof_awake_ind[k] if sleep else k
        d.qfrc_smooth[i] = d.qfrc_passive[i] - d.qfrc_bias[i] + d.qfrc_applied[i] + d.qfrc_actuator[i]
    apply_body_forces(m, d, d.qfrc_smooth)
    for k in range(n):
        i = d.dof_awake_ind[k] if sleep else k
        d.qacc_smooth[i] = d.qfrc_smooth[i]
    solve(m, d, d.qacc_smooth, 0, d.qLD, d.qLDiagInv, sleep)
