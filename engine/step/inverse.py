"""Inverse dynamics: computes the forces that produce a given motion, and compares them with forward dynamics."""

from math import sqrt

from ..core.stages import run, stage_address
from ..core.timers import now
from ..dynamics.energy import inertia_times
from ..dynamics.force import apply_body_forces
from ..dynamics.inertia import solve
from ..dynamics.kinematics import SLEEP
from ..dynamics.metric import is_discrete, metric_times
from ..machine.jit import kernel, stage
from ..machine.lang import invoke_skip
from ..math.dense import dot
from ..tables.compat_rows import DRIVE, POLYNOMIAL
from ..tables.enums import mjtDisableBit, mjtEnableBit, mjtIntegrator
from ..tables.stage_rows import stage_id
from .checks import unedited
from .forward import (
    COLLISION,
    ENERGY,
    ENERGY_POS,
    ENERGY_VEL,
    FACTOR,
    IMPLICIT,
    IMPLICITFAST,
    MAKE_CONSTRAINT,
    MAKE_INERTIA,
    SENSOR_ACC,
    SENSOR_POS,
    SENSOR_VEL,
    STAGE_POS,
    STAGE_VEL,
    TRANSMISSION,
    implicit_terms,
    position_kinematics,
    velocity,
)
from .free_body import free_forces

INVDISCRETE = int(mjtEnableBit.mjENBL_INVDISCRETE)
NO_EULERDAMP = int(mjtDisableBit.mjDSBL_EULERDAMP)
EULER = int(mjtIntegrator.mjINT_EULER)
INV_CONSTRAINT, RNE_INVERSE, DERIVATIVE, DERIVATIVE_BIAS, INVERSE = (
    stage_id(n) for n in ("inv_constraint", "rne_inverse", "derivative_velocity", "derivative_bias", "inverse_skip")
)
EXTRA, EXTRA_SLOPES = POLYNOMIAL | DRIVE, stage_id("extra_slopes")


@stage
def inv_position(m, d):
    """reads qpos; writes everything in inverse dynamics that depends on positions only."""
    positions(m, d)


@kernel
def positions(m, d):
    if not (position_kinematics(m, d) and run(m, d, MAKE_INERTIA) and run(m, d, FACTOR) and run(m, d, COLLISION)):
        return False
    if not run(m, d, MAKE_CONSTRAINT):
        return False
    return m.nout == 0 or run(m, d, TRANSMISSION)


@kernel
def continuous_acceleration(m, d):
    """Convert qacc from a velocity change divided by the time step to the acceleration in the continuous equations of
    motion."""
    kind, h = m.opt.integrator, m.opt.timestep
    if kind == EULER:
        if m.opt.disableflags & NO_EULERDAMP:
            return True
        inertia_times(m, d, d.work_v1, d.qacc)
        for i in range(m.nv):
            d.work_v1[i] += h * m.dof_damping[i] * d.qacc[i]
        if m.features & EXTRA:
            if not run(m, d, EXTRA_SLOPES):
                return False
            for i in range(m.nv):
                d.work_v1[i] += h * d.work_v4[i] * d.qacc[i]

    elif kind == IMPLICIT or kind == IMPLICITFAST:
        if not run(m, d, DERIVATIVE) or kind == IMPLICIT and not run(m, d, DERIVATIVE_BIAS):
            return False
        inertia_times(m, d, d.work_v1, d.qacc)
        for i in range(m.nv):
            for a in range(m.D_rowadr[i], m.D_rowadr[i] + m.D_rownnz[i]):
                # implicitfast uses the lower triangle of qDeriv for both triangles.
                j = m.D_colind[a]
                if kind == IMPLICIT or j <= i:
                    d.work_v1[i] -= h * d.qDeriv[a] * d.qacc[j]
                    if kind == IMPLICITFAST and j < i:
                        d.work_v1[j] -= h * d.qDeriv[a] * d.qacc[i]
    else:
        return True

    solve(m, d, d.work_v1, 0, d.qLD, d.qLDiagInv, False)
    for i in range(m.nv):
        d.qacc[i] = d.work_v1[i]
    return True


@kernel
def inverse_forces(m, d, sensors):
    """writes qfrc_constraint, qfrc_inverse, and sensors of accelerations."""
    if not (run(m, d, INV_CONSTRAINT) and run(m, d, RNE_INVERSE)):
        return False
    if sensors and m.nsensor and not run(m, d, SENSOR_ACC):
        return False
    if is_discrete(m):
        metric_times(m, d, d.work_v1, d.qacc)
        free_forces(m, d)
        for i in range(m.nv):
            d.work_v1[i] -= d.efm_c[i]
    else:
        inertia_times(m, d, d.work_v1, d.qacc)
    for i in range(m.nv):
        d.qfrc_inverse[i] += d.work_v1[i] - d.qfrc_passive[i] - d.qfrc_constraint[i]
    return True


@stage("vMDii")
def inverse_skip(m, d, skip, skip_sensors):
    """reads qpos, qvel, qacc; writes qfrc_inverse and all it depends on (scratch: work_v3)."""
    if not unedited(d):
        return
    sensors = skip_sensors == 0
    energy = m.opt.enableflags & ENERGY != 0
    if skip < STAGE_POS:
        if not positions(m, d) or sensors and m.nsensor and not run(m, d, SENSOR_POS) or energy and not run(m, d, ENERGY_POS):
            return
    if skip < STAGE_VEL:
        if not velocity(m, d, now(d)):
            return
        if sensors and m.nsensor and not run(m, d, SENSOR_VEL) or energy and not run(m, d, ENERGY_VEL):
            return

    if is_discrete(m) and not implicit_terms(m, d):
        return

    # With INVDISCRETE, convert qacc to continuous time, and restore it afterwards.
    discrete = m.opt.enableflags & INVDISCRETE != 0
    if discrete:
        for i in range(m.nv):
            d.work_v3[i] = d.qacc[i]
    if not discrete or continuous_acceleration(m, d):
        inverse_forces(m, d, sensors)
    if discrete:
        for i in range(m.nv):
            d.qacc[i] = d.work_v3[i]


@stage
def rne_inverse(m, d):
    """reads qfrc_bias; writes qfrc_inverse: Coriolis, gravity and tendon bias forces of awake dofs."""
    sleep = m.opt.enableflags & SLEEP != 0 and d.nbody_awake < m.nbody
    for k in range(d.nv_awake if sleep else m.nv):
        i = d.dof_awake_ind[k] if sleep else k
        d.qfrc_inverse[i] = d.qfrc_bias[i]


@stage
def compare_inverse(m, d):
    """reads results of forward dynamics; writes solver_fwdinv: norms of the differences of constraint and of applied forces;
    qfrc_constraint and efc_force are overwritten and restored (scratch: work_v2, work_v4, work_efc_save).
    """
    d.solver_fwdinv[0] = d.solver_fwdinv[1] = 0.0
    if d.nefc == 0:
        return

    # Save the forces of forward dynamics.
    for i in range(m.nv):
        d.work_v2[i] = d.qfrc_applied[i] + d.qfrc_actuator[i]
        d.work_v4[i] = d.qfrc_constraint[i]
    apply_body_forces(m, d, d.work_v2)
    for k in range(d.nefc):
        d.work_efc_save[k] = d.efc_force[k]

    address = stage_address(d, INVERSE)
    if address == 0:
        return
    invoke_skip(address, m, d, STAGE_VEL, 1)

    # Compute the differences, and restore the saved forces.
    for i in range(m.nv):
        d.work_v1[i] = d.work_v4[i] - d.qfrc_constraint[i]
        d.work_v2[i] -= d.qfrc_inverse[i]
        d.qfrc_constraint[i] = d.work_v4[i]
    for k in range(d.nefc):
        d.efc_force[k] = d.work_efc_save[k]
    d.solver_fwdinv[0] = sqrt(dot(d.work_v1, 0, d.work_v1, 0, m.nv))
    d.solver_fwdinv[1] = sqrt(dot(d.work_v2, 0, d.work_v2, 0, m.nv))
