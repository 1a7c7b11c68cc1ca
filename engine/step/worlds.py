"""Many worlds on few Data: a world's state is loaded into a Data, processed, and saved. One compiled call processes a range of
worlds.

    for each world:   the world's model fields -> Model    state, warnings -> Data
                      steps | forward | reset | a caller's function
                      state, warnings <- Data              bound fields <- Data

The result depends only on the world, never on the worlds that the Data held before.
"""

from ..core.stages import OK, stage_address
from ..core.timers import now
from ..machine.jit import inline, kernel, stage
from ..machine.lang import (
    array_at,
    as_data,
    as_model,
    bytes_at,
    copy_bytes,
    floats_at,
    header_of,
    ints_at,
    invoke_filter,
    invoke_skip,
    longs_at,
)
from ..tables.enums import mjtState, mjtWarning
from ..tables.schema import SCHEMAS
from ..tables.stage_rows import stage_id
from .checks import options_known, uncount, warning_counts
from .forward import STAGE_VEL, after_position, after_velocity, position, velocity
from .reset import reset
from .state import transfer_state

STEP_SKIP, FORWARD_SKIP = stage_id("step_skip"), stage_id("forward_skip")
INTEGRATION, WARNINGS = int(mjtState.mjSTATE_INTEGRATION), int(mjtWarning.mjNWARNING)
STAGE_NONE, STAGE_ACC = 0, 3
OPT, STAT = SCHEMAS["MjModel"].slot["opt"], SCHEMAS["MjModel"].slot["stat"]

# modes: what a call does with each world
STEP, FORWARD, RESET, APPLY = range(4)
# Cells of a call description. NEXT, SUBSTEP and PHASE are the cursor: next world, its next substep, and the phase of this
# substep. Addresses of omitted parts are 0.
# fmt: off
(
    MODE, NEXT, END, SUBSTEP, PHASE, BUDGET, STOP, IDS, STATE, NSTATE, WARNING, MODELS, DATAS, INPUTS, NINPUT, OUTPUTS,
    NOUTPUT, NSTEP, STAGE, KEYS, CONTROL, SPEC, NCONTROL, RECORDS, NRECORD, WARNED, HALTS, HOOKS, NHOOK, DONE, FUNCTION,
    ARGUMENTS, SAVES, ACCEPT, CELLS,
) = range(35)
# fmt: on
# Phases of a world: not started; within a substep: before its functions, before its step, after its step, recorded; finished.
FRESH, READY, CALLED, STEPPED, RECORDED, FINISHED = range(6)
# Columns of rows of inputs, outputs and records: type, slot in the struct's header, offset in the array,
# address of the first world's value, stride between worlds in bytes, size in bytes.
# For inputs that are indices, OFFSET is the address of the first world's checked copy; for other inputs, it is 0.
KIND, SLOT, OFFSET, ADDRESS, STRIDE, BYTES, COLUMNS = range(7)
# Types of rows: array, header cell, header integer stored as int32, array stored as float32, components of the state.
ARRAY, CELL, COUNT, SINGLE, PACKED = range(5)
# For an input row, the type also encodes the struct: type + STRUCT * struct.
STRUCT = 8
OF_MODEL, OF_OPT, OF_STAT = range(3)
# columns of a row of functions: address, phase in which to call the function, address of its arguments
CODE, WHEN, TABLE, HOOK_COLUMNS = range(4)
BEFORE, AFTER, AT_RESET = range(3)


# ---- in and out --------------------------------------------------------------------------------------------------------
@inline
def cell(header, slot):
    """Return a cell of a struct's header."""
    return longs_at(header, slot + 1)[slot]


@inline
def equal(a, b, n):
    """Return whether n bytes at two addresses are equal."""
    one, other = bytes_at(a, n), bytes_at(b, n)
    for k in range(n):
        if one[k] != other[k]:
            return False
    return True


@kernel
def take(w, x, job, row, i):
    """Write world i's value of a Model field (for indices, the checked copy). Return whether indices are valid."""
    header, struct = header_of(w), row[KIND] // STRUCT
    if struct == OF_OPT:
        header = cell(header, OPT)
    elif struct == OF_STAT:
        header = cell(header, STAT)

    kind, slot, source = row[KIND] % STRUCT, row[SLOT], row[ADDRESS] + i * row[STRIDE]
    if row[OFFSET] != 0:
        checked = row[OFFSET] + i * row[STRIDE]
        if not equal(source, checked, row[BYTES]) and invoke_filter(job[ACCEPT], w, x, i, 0) == 0:
            return False
        source = checked
    if kind == ARRAY:
        copy_bytes(cell(header, slot), source, row[BYTES])
    elif kind == COUNT:
        longs_at(header, slot + 1)[slot] = ints_at(source, 1)[0]
    else:
        copy_bytes(header + 8 * slot, source, 8)
    return True


@kernel
def put(w, x, row, i):
    """Copy a field of the Data to world i's position in the memory to which a row points."""
    header, kind, slot, target = header_of(x), row[KIND], row[SLOT], row[ADDRESS] + i * row[STRIDE]
    if kind == ARRAY:
        copy_bytes(target, cell(header, slot) + row[OFFSET], row[BYTES])
    elif kind == CELL:
        copy_bytes(target, header + 8 * slot, 8)
    elif kind == COUNT:
        ints_at(target, 1)[0] = cell(header, slot)
    elif kind == SINGLE:
        n = row[BYTES] // 4
        single, source = floats_at(target, n), array_at(cell(header, slot) + row[OFFSET], n)
        for k in range(n):
            single[k] = source[k]
    else:
        transfer_state(w, x, array_at(target, row[BYTES] // 8), row[OFFSET], False)


@inline
def row_at(table, k):
    return longs_at(table + 8 * COLUMNS * k, COLUMNS)


@kernel
def take_all(w, x, job, i):
    """Write all Model fields for which world i has its own values. Return whether its indices are valid; if not, a callback has
    raised an error.
    """
    for k in range(job[NINPUT]):
        if not take(w, x, job, row_at(job[INPUTS], k), i):
            return False
    return True


@kernel
def begin(w, x, job, i):
    """Load world i into its Model and Data; return whether its Model is valid."""
    if not take_all(w, x, job, i):
        return False
    if job[MODE] == RESET:
        return True
    transfer_state(w, x, array_at(job[STATE] + 8 * i * job[NSTATE], job[NSTATE]), INTEGRATION, True)
    counts = ints_at(job[WARNING] + 8 * WARNINGS * i, 2 * WARNINGS)
    for k in range(WARNINGS):
        x.warning_lastinfo[k], x.warning_number[k] = counts[2 * k], counts[2 * k + 1]
    if job[DATAS] == 0:
        # Clear energies: if a step does not compute them, the energies of another world would remain.
        x.energy[0] = x.energy[1] = 0.0
    return True


@kernel
def end(w, x, job, i):
    """Save world i from its Data."""
    if job[SAVES] == 0:
        return
    transfer_state(w, x, array_at(job[STATE] + 8 * i * job[NSTATE], job[NSTATE]), INTEGRATION, False)
    counts = ints_at(job[WARNING] + 8 * WARNINGS * i, 2 * WARNINGS)
    for k in range(WARNINGS):
        counts[2 * k], counts[2 * k + 1] = x.warning_lastinfo[k], x.warning_number[k]
    for k in range(job[NOUTPUT]):
        put(w, x, row_at(job[OUTPUTS], k), i)


@kernel
def record(w, x, job, place):
    """Copy the recorded fields to the given position in the memory for records."""
    for k in range(job[NRECORD]):
        put(w, x, row_at(job[RECORDS], k), place)


@inline
def warned(x):
    """Return the total number of warnings in the Data of a world."""
    total = 0
    for k in range(WARNINGS):
        total += x.warning_number[k]
    return total


# ---- work on one world -------------------------------------------------------------------------------------------------
@kernel
def call_functions(w, x, job, i, when):
    """Call the user's functions for a phase; return whether all succeeded."""
    for k in range(job[NHOOK]):
        row = longs_at(job[HOOKS] + 8 * HOOK_COLUMNS * k, HOOK_COLUMNS)
        if row[WHEN] == when:
            invoke_skip(row[CODE], w, x, i, row[TABLE])
            if x.status != OK:
                return False
    return True


@kernel
def up_to(w, x, last):
    """Run forward dynamics up to a stage (mjtStage)."""
    if last == STAGE_ACC:
        address = stage_address(x, FORWARD_SKIP)
        if address == 0:
            return False
        invoke_skip(address, w, x, 0, 0)
        return x.status == OK
    if last == STAGE_NONE:
        return True
    counts = warning_counts(x)
    if options_known(w, x) and position(w, x, now(x)) and after_position(w, x, True):
        if last < STAGE_VEL or velocity(w, x, now(x)) and after_velocity(w, x, True):
            x.said = 0
            return True
    uncount(w, x, counts)
    return False


@kernel
def load_key(w, x, key):
    """Set the state of a Data to that of a keyframe."""
    x.time = w.key_time[key]
    for k in range(w.nq):
        x.qpos[k] = w.key_qpos[key, k]
    for k in range(w.nv):
        x.qvel[k] = w.key_qvel[key, k]
    for k in range(w.na):
        x.act[k] = w.key_act[key, k]
    for k in range(w.nu):
        x.ctrl[k] = w.key_ctrl[key, k]
    for k in range(w.nplastic):
        x.plugin_state[w.npluginstate - w.nplastic + k] = w.key_plastic[key, k]
    for b in range(w.nmocap):
        for k in range(3):
            x.mocap_pos[b, k] = w.key_mpos[key, 3 * b + k]
        for k in range(4):
            x.mocap_quat[b, k] = w.key_mquat[key, 4 * b + k]


@kernel
def start_again(w, x, key):
    """Restart from the initial state, or from a keyframe; return whether this completed."""
    if not reset(w, x):
        return False
    for k in range(WARNINGS):
        x.warning_lastinfo[k] = x.warning_number[k] = 0
    if key >= 0:
        load_key(w, x, key)
    return True


@kernel
def begin_somewhere(w, x, job, i):
    """Call the user's functions for restarts, and reload the Model fields that they may have changed. Return False if one of
    these calls was interrupted.
    """
    if not call_functions(w, x, job, i, AT_RESET):
        return False
    return take_all(w, x, job, i)


@kernel
def restart_ended(w, x, job, i):
    """If world i is marked as ended, restart it and call the user's functions for restarts. Return False if one of these calls
    was interrupted."""
    if job[DONE] == 0 or bytes_at(job[DONE], i + 1)[i] == 0:
        return True
    key = -1 if job[KEYS] == 0 else ints_at(job[KEYS], i + 1)[i]
    return start_again(w, x, key) and begin_somewhere(w, x, job, i)


@kernel
def substep(w, x, job, i, k):
    """Make one step of world i, the k-th world of the call; return whether it completed. The cursor tells which parts are
    already done."""
    t = job[SUBSTEP]

    # Set controls, and call the functions before a step.
    if job[PHASE] == READY:
        if job[CONTROL] != 0:
            n = job[NCONTROL]
            transfer_state(w, x, array_at(job[CONTROL] + 8 * n * (k * job[NSTEP] + t), n), job[SPEC], True)
        if not call_functions(w, x, job, i, BEFORE):
            return False
        job[PHASE] = CALLED

    # Make the step.
    if job[PHASE] == CALLED:
        address = stage_address(x, STEP_SKIP)
        if address == 0:
            return False
        invoke_skip(address, w, x, 0, 0)
        if x.status != OK:
            return False
        job[PHASE] = STEPPED

    # Call the functions after a step, and record results.
    if job[PHASE] == STEPPED:
        if not call_functions(w, x, job, i, AFTER):
            return False
        record(w, x, job, k * job[NSTEP] + t)
        job[PHASE] = RECORDED

    if not restart_ended(w, x, job, i):
        return False
    job[PHASE] = READY
    job[SUBSTEP] = t + 1
    return True


@kernel
def substeps(w, x, job, i, k):
    """Make all steps of world i; return False if a step was interrupted or the budget of steps is used up."""
    while job[SUBSTEP] < job[NSTEP]:
        if job[HALTS] != 0 and job[PHASE] == READY and warned(x) > job[WARNED]:
            # A world that has been halted by a warning repeats its last results.
            for t in range(job[SUBSTEP], job[NSTEP]):
                record(w, x, job, k * job[NSTEP] + t)
            job[SUBSTEP] = job[NSTEP]
            return True
        if not substep(w, x, job, i, k):
            return False
        job[BUDGET] -= 1
        if bytes_at(job[STOP], 1)[0] != 0 or job[BUDGET] <= 0 and job[SUBSTEP] < job[NSTEP]:
            return False
    return True


@kernel
def work(w, x, job, i, k):
    """Process world i, the k-th world of the call; return whether its processing is complete."""
    mode = job[MODE]
    if mode == STEP:
        if job[PHASE] != FINISHED and not substeps(w, x, job, i, k):
            return False
        job[PHASE] = FINISHED
        return up_to(w, x, job[STAGE])

    job[BUDGET] -= 1
    if mode == APPLY:
        invoke_skip(job[FUNCTION], w, x, k, job[ARGUMENTS])
        return x.status == OK
    if mode == RESET and job[PHASE] != FINISHED:
        key = -1 if job[KEYS] == 0 else ints_at(job[KEYS], k + 1)[k]
        if not (start_again(w, x, key) and begin_somewhere(w, x, job, i)):
            return False
        # Draw random numbers only once, even if a later part of the call is interrupted.
        job[PHASE] = FINISHED
    return up_to(w, x, job[STAGE])


@stage("iMDi")
def run_worlds(m, d, address):
    """reads a description of CELLS integers at an address; writes states, warnings and bound fields of its worlds.

    Returns whether the range is complete: 0 if the budget of steps is used up, or if a world was interrupted (Data.status
    tells why). Repeating the call continues there.
    """
    job = longs_at(address, CELLS)
    while job[NEXT] < job[END]:
        k = job[NEXT]
        i = k if job[IDS] == 0 else ints_at(job[IDS], k + 1)[k]
        w = m if job[MODELS] == 0 else as_model(longs_at(job[MODELS], i + 1)[i])
        x = d if job[DATAS] == 0 else as_data(longs_at(job[DATAS], i + 1)[i])
        if job[PHASE] == FRESH:
            if not begin(w, x, job, i):
                return 0
            job[SUBSTEP], job[PHASE], job[WARNED] = 0, READY, warned(x)
        if not work(w, x, job, i, k):
            return 0
        end(w, x, job, i)
        job[PHASE] = FRESH
        job[NEXT] = k + 1
        if bytes_at(job[STOP], 1)[0] != 0 or job[BUDGET] <= 0:
            return 1 if job[NEXT] == job[END] else 0
    return 1
