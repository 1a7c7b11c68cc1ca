"""Checks of the state for NaN and huge values. If any are found, the simulation is reset, unless automatic reset is
disabled."""

from ..constraint.project import searches_forces
from ..core.counts import tell
from ..core.stages import BROKEN, EDITED, OK, WATCH, table_entry
from ..dynamics.kinematics import SLEEP
from ..dynamics.metric import is_discrete
from ..machine.jit import inline, kernel, stage
from ..machine.lang import longs_at
from ..tables.consts import mjMAXVAL
from ..tables.enums import mjtDisableBit, mjtIntegrator, mjtWarning
from ..tables.solver_rows import KINDS
from ..tables.stage_rows import ABSENT, SOLVERS
from .reset import reset

NO_AUTORESET = int(mjtDisableBit.mjDSBL_AUTORESET)
BAD_QPOS, BAD_QVEL, BAD_QACC, BAD_CTRL = (int(mjtWarning[f"mjWARN_BAD{n}"]) for n in ("QPOS", "QVEL", "QACC", "CTRL"))
CONTACTFULL, CNSTRFULL, INERTIA = (int(mjtWarning[f"mjWARN_{n}"]) for n in ("CONTACTFULL", "CNSTRFULL", "INERTIA"))
# the warnings that a step may count, in the order of `warning_counts`
COUNTED = BAD_QPOS, BAD_QVEL, BAD_QACC, BAD_CTRL, CONTACTFULL, CNSTRFULL, INERTIA
BAD_SOLVER, BAD_INTEGRATOR, NOT_DISCRETE = 1, 2, 5
# number of elasticity coefficients per flex element
ELASTIC = 21
INTEGRATORS = len(mjtIntegrator)


@inline
def options_known(m, d):
    """Return whether the model's solver and integrator exist and can be combined; if not, set the status."""
    if not 0 <= m.opt.solver < KINDS or table_entry(d, SOLVERS + m.opt.solver) == ABSENT:
        d.status, d.status_arg = BROKEN, BAD_SOLVER
        return False
    if not 0 <= m.opt.integrator < INTEGRATORS:
        d.status, d.status_arg = BROKEN, BAD_INTEGRATOR
        return False
    if is_discrete(m) and not discrete_possible(m):
        d.status, d.status_arg = BROKEN, NOT_DISCRETE
        return False
    return True


@kernel
def discrete_possible(m):
    """Return whether the integrator `discrete` supports a model.

    It needs a solver that works on accelerations, and no noslip iterations, sleep or elastic flexes, which it would have to
    treat implicitly.
    """
    if searches_forces(m) or m.opt.noslip_iterations > 0 or m.opt.enableflags & SLEEP:
        return False
    for f in range(m.nflex):
        if m.flex_edgestiffness[f] != 0 or m.flex_edgedamping[f] != 0 or m.flex_damping[f] != 0:
            return False
        for k in range(ELASTIC if m.flex_elemnum[f] > 0 else 0):
            if m.flex_stiffness[m.flex_elemadr[f], k] != 0:
                return False
    return True


@kernel
def differ(address):
    """Return whether watched arrays differ from their copies. Also return True if the budget of calls is used up, so that
    Python compares the arrays.

    Layout of the table at `address`: number of rows, calls left; then for each row the address of an array, the address of its
    copy, and their size in 8-byte words.
    """
    count = longs_at(address, 1)[0]
    table = longs_at(address, 2 + 3 * count)
    table[1] -= 1
    if table[1] < 0:
        return True
    for k in range(count):
        words = table[3 * k + 4]
        now, kept, bits = longs_at(table[3 * k + 2], words), longs_at(table[3 * k + 3], words), 0
        for i in range(words):
            bits |= now[i] ^ kept[i]
        if bits != 0:
            return True
    return False


@inline
def unedited(d):
    """If Python has requested to watch the Model for edits (see core.edits) and there are edits, set the status and return
    False."""
    if d.status != WATCH:
        return True
    d.status = OK
    if differ(d.status_arg):
        d.status = EDITED
        return False
    return True


@stage("iMD")
def indices_differ(m, d):
    """reads the watched indices of the Model; writes nothing. Returns whether any was changed."""
    return 0 if unedited(d) else 1


@inline
def is_bad(x):
    """Return whether x is NaN or larger than mjMAXVAL."""
    return not -mjMAXVAL <= x <= mjMAXVAL


@kernel
def warn(m, d, kind, index):
    """Report a warning, and reset the simulation if resets are enabled. Count the warning afterwards, because a reset clears
    the counts. Return whether there was a reset.
    """
    tell(d, kind, index)
    again = m.opt.disableflags & NO_AUTORESET == 0
    if again:
        if not reset(m, d):
            # The reset is incomplete: interrupt the step, which will be repeated. A negative count marks the pending reset.
            d.warning_number[kind], d.warning_lastinfo[kind] = -1, index
            return False
    else:
        d.warning_number[kind] += 1
    d.warning_number[kind] += 1
    d.warning_lastinfo[kind] = index
    return again


@inline
def warning_counts(d):
    """Return the counts of warnings and the time, to be passed to `uncount` if this run of the step is interrupted."""
    n = d.warning_number
    return (n[BAD_QPOS], n[BAD_QVEL], n[BAD_QACC], n[BAD_CTRL], n[CONTACTFULL], n[CNSTRFULL], n[INERTIA]), d.time


@inline
def note_said(d, counts):
    """Remember warnings that an interrupted run of the step reported for the first time, so that its repetition does not report
    them again."""
    for k in range(len(COUNTED)):
        if counts[k] == 0 and d.warning_number[COUNTED[k]] > 0:
            d.said |= 1 << COUNTED[k]


@kernel
def uncount(m, d, before):
    """Undo the warning counts of an interrupted run of the step, which will be repeated. Keep a completed reset and its
    counts."""
    counts, time = before
    note_said(d, counts)
    qpos, qvel, qacc, ctrl, contacts, rows, pivots = counts
    n = d.warning_number
    if m.opt.disableflags & NO_AUTORESET:
        n[BAD_QPOS], n[BAD_QVEL], n[BAD_QACC] = qpos, qvel, qacc
    elif d.time != time or n[BAD_QPOS] != qpos or n[BAD_QVEL] != qvel or n[BAD_QACC] != qacc:
        ctrl = contacts = rows = pivots = 0
    n[BAD_CTRL], n[CONTACTFULL], n[CNSTRFULL], n[INERTIA] = ctrl, contacts, rows, pivots


@kernel
def resumed(m, d):
    """Complete a pending reset. Return whether a reset was pending and is now complete."""
    for kind in range(BAD_QPOS, BAD_QACC + 1):
        if d.warning_number[kind] < 0:
            return warn(m, d, kind, d.warning_lastinfo[kind])
    return False


@kernel
def check_pos(m, d):
    if resumed(m, d):
        return
    for i in range(m.nq):
        if is_bad(d.qpos[i]):
            warn(m, d, BAD_QPOS, i)
            return


@kernel
def check_vel(m, d):
    if resumed(m, d):
        return
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nv_awake < m.nv
    for k in range(d.nv_awake if sleep else m.nv):
        i = d.dof_awake_ind[k] if sleep else k
        if is_bad(d.qvel[i]):
            warn(m, d, BAD_QVEL, i)
            return


@kernel
def check_acc(m, d):
    """Check accelerations. Return whether the simulation was reset, so that forward dynamics must run again."""
    if resumed(m, d):
        return True
    sleep = (m.opt.enableflags & SLEEP) != 0 and d.nv_awake < m.nv
    for k in range(d.nv_awake if sleep else m.nv):
        i = d.dof_awake_ind[k] if sleep else k
        if is_bad(d.qacc[i]):
            return warn(m, d, BAD_QACC, i)
    return False


@stage
def check_positions(m, d):
    """reads qpos; resets everything if it finds NaN or huge values, and counts the warning."""
    check_pos(m, d)


@stage
def check_velocities(m, d):
    """reads qvel; resets everything if it finds NaN or huge values, and counts the warning."""
    check_vel(m, d)


@stage("iMD")
def check_accelerations(m, d):
    """reads qacc; resets everything if it finds NaN or huge values, and counts the warning. Returns whether forward
    dynamics must run again.
    """
    return 1 if check_acc(m, d) else 0
