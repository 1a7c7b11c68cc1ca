"""Computes constraint forces and accelerations: warm start, copies sorted by island, solver, copying back."""

from ..constraint.append_rows import NO_WARMSTART
from ..constraint.project import searches_forces
from ..constraint.reference import row_velocity, two_row_velocities
from ..constraint.update import joint_forces, update_all
from ..core import stages
from ..dynamics.metric import is_discrete, metric_times
from ..machine.jit import inline, kernel, stage
from ..math.sparse import symmetric_times
from ..tables import stage_rows
from ..tables.consts import mjNISLAND
from ..tables.scratch import GUESSED
from .primal import by_island

SOLVE_NOSLIP, FORCE_COST = stage_rows.stage_id("solve_noslip"), stage_rows.stage_id("force_cost")


@stage
def solve_constraint(m, d):
    """reads rows, islands, qacc_smooth, qfrc_smooth, qacc_warmstart, M; writes qacc, qfrc_constraint, efc_force, efc_state,
    efc_b, i-copies of islands, solver statistics.
    """
    if not is_discrete(m):
        solve(m, d)
        return
    # Add the forces of implicit springs while the rows are solved.
    for i in range(m.nv):
        d.efm_force[i] = d.qfrc_smooth[i]
        d.qfrc_smooth[i] += d.efm_c[i]
    solve(m, d)
    for i in range(m.nv):
        d.qfrc_smooth[i] = d.efm_force[i]


@kernel
def solve(m, d):
    """Solve the constraint rows, given the smooth forces and the inertia that the integrator uses."""
    if begin(m, d) and stages.run(m, d, stage_rows.SOLVERS + m.opt.solver):
        end(m, d)


@kernel
def begin(m, d):
    """Prepare the input of the solver; return False if there is nothing to solve, or a stage is missing."""
    for i in range(m.nv):
        d.qfrc_constraint[i] = 0.0
    if d.nefc == 0:
        for i in range(m.nv):
            d.qacc[i] = d.qacc_smooth[i]
        clear_iterations(d)
        return False
    d.work_problem[GUESSED] = 1
    if not warm_start(m, d):
        return False
    clear_iterations(d)
    if uses_islands(m, d):
        gather(m, d)
    return True


@inline
def uses_islands(m, d):
    return not searches_forces(m) and by_island(m, d)


@kernel
def end(m, d):
    """Copy results of islands back, and run the noslip solver if enabled."""
    if uses_islands(m, d):
        scatter(d)
    if m.opt.noslip_iterations > 0:
        stages.run(m, d, SOLVE_NOSLIP)


@stage
def begin_solution(m, d):
    """reads and writes the fields that `solve_constraint` uses before the solver."""
    begin(m, d)


@stage
def end_solution(m, d):
    """reads and writes the fields that `solve_constraint` uses after the solver."""
    end(m, d)


@inline
def clear_iterations(d):
    for k in range(mjNISLAND):
        d.solver_niter[k] = 0


# ---- warm start --------------------------------------------------------------------------------------------------------
@kernel
def warm_start(m, d):
    """writes qacc, the first guess of the solver; efc_b; solve_jar = J qacc - aref; and efc_force. Returns False if a stage is
    missing.

    The guess is the last step's solution if its cost is lower than without constraint forces.
    """
    if m.opt.disableflags & NO_WARMSTART:
        row_velocity(m, d, d.efc_b, d.qacc_smooth)
        for r in range(d.nefc):
            d.efc_b[r] -= d.efc_aref[r]
            d.solve_jar[r] = d.efc_b[r]
            d.efc_force[r] = 0.0
        for i in range(m.nv):
            d.qacc[i] = d.qacc_smooth[i]
        return True

    # Evaluate the rows without constraint forces, and at the last step's solution.
    two_row_velocities(m, d, d.efc_b, d.qacc_smooth, d.solve_jar, d.qacc_warmstart)
    for r in range(d.nefc):
        d.efc_b[r] -= d.efc_aref[r]
        d.solve_jar[r] -= d.efc_aref[r]
    for i in range(m.nv):
        d.qacc[i] = d.qacc_warmstart[i]
    warm = update_all(m, d, d.solve_jar, False)

    # Choose the start of lower cost. Dual solvers compare the cost of forces, primal solvers the cost of accelerations.
    if searches_forces(m):
        joint_forces(m, d)
        if not stages.run(m, d, FORCE_COST):
            return False
    else:
        if is_discrete(m):
            metric_times(m, d, d.solve_Ma, d.qacc_warmstart)
        else:
            symmetric_times(d.solve_Ma, d.M, m.M_rownnz, m.M_rowadr, m.M_colind, d.qacc_warmstart, m.nv)
        for i in range(m.nv):
            warm += 0.5 * (d.solve_Ma[i] - d.qfrc_smooth[i]) * (d.qacc_warmstart[i] - d.qacc_smooth[i])
        cold = update_all(m, d, d.efc_b, False)
        if warm > cold:
            for i in range(m.nv):
                d.qacc[i] = d.qacc_smooth[i]
            for r in range(d.nefc):
                d.solve_jar[r] = d.efc_b[r]
        elif not warm <= cold:
            # NaN may come from dofs without constraints, whose accelerations are replaced.
            d.work_problem[GUESSED] = 0

    # Dofs without constraints get their smooth acceleration.
    if d.nisland > 0:
        for k in range(d.nidof, m.nv):
            i = d.map_idof2dof[k]
            d.qacc[i] = d.qacc_smooth[i]
    return True


# ---- islands -----------------------------------------------------------------------------------------------------------
@kernel
def gather(m, d):
    """writes the copies sorted by island (fields i...) of quantities that depend on velocity and acceleration."""
    for k in range(d.nidof):
        i = d.map_idof2dof[k]
        d.ifrc_smooth[k], d.ifrc_constraint[k] = d.qfrc_smooth[i], d.qfrc_constraint[i]
        d.iacc_smooth[k], d.iacc[k] = d.qacc_smooth[i], d.qacc[i]
    for k in range(d.nefc):
        r = d.map_iefc2efc[k]
        d.iefc_force[k], d.iefc_aref[k], d.solve_first[k] = d.efc_force[r], d.efc_aref[r], d.solve_jar[r]


@kernel
def scatter(d):
    """reads iacc, ifrc_constraint, iefc_force; writes qacc, qfrc_constraint, efc_force."""
    for k in range(d.nidof):
        i = d.map_idof2dof[k]
        d.qacc[i], d.qfrc_constraint[i] = d.iacc[k], d.ifrc_constraint[k]
    for r in range(d.nefc):
        d.efc_force[r] = d.iefc_force[d.map_efc2iefc[r]]
