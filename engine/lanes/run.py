"""Compiled code that steps worlds on lanes: each group of W worlds runs the program of a step, which `program` builds.

A call runs one group after another. Each lane has a world, a Data (and a Model if fields differ between worlds), and a
column of lane memory:

    rows of worlds ── begin_group ──▶ Datas ── fill_lanes ──▶ lane memory      element e of lane l is number e W + l
                                                                  │
    for each step:   before_step      set controls, stop worlds   │
                     call_on_lanes    functions before the step   │
                     run_program      CODE ASK: all lanes at once │   EACH: rows for one lane after the other
                                      ◀── IN: Data to lane ───────┼──── OUT, AHEAD: lane to Data ──▶ CALL: run a stage
                                      TOGETHER: the solver        │
                     show, call_on_lanes, record_lanes, restart_lanes
                                                                  ▼
    rows of worlds ◀── end ───────── Datas ◀── show ────────── lane memory

Operations of the program's rows:

    CODE k             traced code of part k, all lanes at once
    ASK k j            like CODE k; but if most worlds had contacts in the step before, run part j, a faster and coarser test
    EACH a b who       rows a to b for each lane that is still in the vectorized step (STAYS) or has left it (LEAVES):
        AHEAD a b l        first copy like OUT for all lanes at once; l = BUSY: only if most worlds had rows in the step before
        OUT a b l          use copy rows a to b, from lane memory to the Data, unless AHEAD has copied level l
        IN a b             use copy rows a to b, from the Data to lane memory
        CALL k             run stage k on the Data
        LISTED             write pairs of bodies that may touch to broad_pair of the Data
        NEEDED e f         the lane is done unless element e or f is nonzero, so that the world may have constraint rows
        TOUCHED e n        skip n rows unless element e is nonzero, so that the world may have contacts
        ROWS               the lane is done unless its world has contacts or constraint rows
        CONTACTS n         skip n rows if the world has no contacts
        BARE n             skip n rows if the world has contacts
        STEP_ALONE         make the whole step on the Data
        PASS               the lane does not wait for the solver
        OPENED             the lane waits for the solver; a problem that does not fit is solved alone
        CLOSED             the lane is done unless it waited
    TOGETHER           solve the problems of all waiting lanes, several at once

A lane with a warning or reset leaves the vectorized step: it makes this step alone on its Data. If a lane is interrupted (a
stage is not loaded, memory must grow), the call returns to Python. The next call continues at PHASE, SUBSTEP, ITEM,
LANE, RESUMED. Lanes without a world compute with copies of the first world's numbers; their results are never read.

Copy rows (BORDER) are the table of fields that are copied between lane memory and Datas.
"""

import numpy as np

from ..core.stages import GROW, OK, run, run_for, stage_address
from ..machine.jit import inline, kernel, stage
from ..machine.lang import (
    address_of,
    array_at,
    as_data,
    as_model,
    bytes_at,
    copy_bytes,
    header_of,
    ints_at,
    invoke,
    invoke_skip,
    longs_at,
    pack_columns,
    trailing_zeros,
    unpack_columns,
)
from ..machine.layout import PACK
from ..step.state import transfer_state
from ..step.worlds import (
    AFTER,
    BEFORE,
    BUDGET,
    CALLED,
    CELLS,
    CONTROL,
    DONE,
    END,
    FINISHED,
    FRESH,
    HALTS,
    IDS,
    MODE,
    NCONTROL,
    NEXT,
    NHOOK,
    NSTEP,
    PHASE,
    READY,
    RECORDED,
    SPEC,
    STAGE,
    STEP,
    STEPPED,
    STOP,
    SUBSTEP,
    begin,
    call_functions,
    cell,
    end,
    record,
    restart_ended,
    up_to,
    warned,
)
from ..tables.stage_rows import SOLVERS, stage_id
from .problems import fits
from .symbols import LEFT
from .touch import BITS

STEP_SKIP, NEWTON_OF_LANES = stage_id("step_skip"), stage_id("newton_of_lanes")
# cells (integers) of a job's description, after those of `step.worlds`
# fmt: off
(
    # WIDTH: worlds per vector; MEMORY, SIZE: address and number of elements of lane memory; CODE_AT: address of the traced code
    WIDTH, MEMORY, SIZE, CODE_AT,
    # Addresses: PROGRAM: NPROGRAM program rows; BORDER: copy rows (see ELEMENT); LANE_DATA: Datas; NOTES: records (see BEGAN).
    PROGRAM, NPROGRAM, BORDER, LANE_DATA, NOTES,
    # Copy rows are in ranges. Controls end at row CONTROL_ROWS (exclusive), the state at STATE_ROWS. Recorded fields are rows
    # RECORD_FIRST to RECORD_LAST; fields copied at the end of a call follow, up to END_LAST.
    STATE_ROWS, CONTROL_ROWS, RECORD_FIRST, RECORD_LAST, END_LAST,
    # ITEM, LANE: current program row and lane. KNOWN: NKNOWN integer fields that depend only on the Model (in MODEL_DATA).
    ITEM, LANE, KNOWN, NKNOWN, MODEL_DATA,
    # CROWDED: most worlds have contacts. Highest level (see ALONE) of AHEAD copies: LEVEL for a step, GIVEN for current rows.
    CROWDED, LEVEL, GIVEN,
    # SCRATCH, QUEUE: memory and problem list of the solver. LANE_MODELS: the lanes' Models. OWN: NOWN rows (see OWN_ELEMENT).
    SCRATCH, QUEUE, LANE_MODELS, OWN, NOWN,
    # Ends (exclusive) of ranges of copy rows for users' functions: fields that they read, write before a step, and after it.
    SHOWN_LAST, BEFORE_LAST, AFTER_LAST,
    # PAIRS: NPAIRS signatures of body pairs; PAIRS_AT: element of the first bit. RESUMED: the per-lane row that was
    # interrupted, or 0. PLACES: the address of a field in each Data.
    PAIRS, NPAIRS, PAIRS_AT, RESUMED, PLACES,
) = range(CELLS, CELLS + 35)
LANE_CELLS = PLACES + PACK
(
    CODE, EACH, AHEAD, OUT, IN, CALL, NEEDED, ROWS, STEP_ALONE, CONTACTS, TOUCHED, ASK, BARE, PASS, OPENED, CLOSED,
    TOGETHER, LISTED,
) = range(18)
# fmt: on
STAYS, LEAVES = range(2)
# Levels of AHEAD copies: none (a lane was interrupted), the fields that all lanes need, or also those of constraint rows.
ALONE, ALWAYS, BUSY = range(3)
ROW = 4
# columns of a copy row: first element in lane memory, the field's slot in a Data, number of values, whether a header scalar
ELEMENT, FIELD, NUMBERS, SINGLE = range(4)
# columns of a row of OWN: first element in lane memory, count, address of world 0's numbers, bytes from one world to the next
OWN_ELEMENT, OWN_NUMBERS, OWN_ADDRESS, OWN_STRIDE, OWN_ROW = range(5)
# Record of a lane. BEGAN: warnings at the start; HALTED: whether its world was halted; OPEN: 0, SOLVING or SOLVED; NOTE: size.
BEGAN, HALTED, OPEN, NOTE = range(4)
SOLVING, SOLVED = 1, 2
# Value of HALTED if an error halted the lane's world, which keeps its state from before the call.
FAILED = 2


@inline
def rows_at(address, k):
    return longs_at(address + 8 * ROW * k, ROW)


@inline
def data_of(job, lane):
    return as_data(longs_at(job[LANE_DATA], lane + 1)[lane])


@inline
def model_of(job, lane):
    return as_model(longs_at(job[LANE_MODELS], lane + 1)[lane])


@inline
def note_of(job, lane):
    return longs_at(job[NOTES] + 8 * NOTE * lane, NOTE)


@inline
def is_set(job, element, lane):
    return array_at(job[MEMORY] + 8 * element * job[WIDTH], lane + 1)[lane] != 0.0


@kernel
def move(job, x, lane, first, last, out):
    """Copy the fields of copy rows `first` to `last` - 1 from lane memory to a Data if `out`, else in the other direction."""
    width, memory = job[WIDTH], array_at(job[MEMORY], job[SIZE] * job[WIDTH])
    header = header_of(x)
    for r in range(first, last):
        row = rows_at(job[BORDER], r)
        place, n = row[ELEMENT] * width + lane, row[NUMBERS]
        field = array_at(header + 8 * row[FIELD] if row[SINGLE] else cell(header, row[FIELD]), n)
        if out:
            for k in range(n):
                field[k] = memory[place + k * width]
        else:
            for k in range(n):
                memory[place + k * width] = field[k]


@kernel
def move_all(job, first, last, out):
    """Like `move`, but for all lanes: transpose blocks of PACK numbers of PACK worlds."""
    if job[WIDTH] != PACK:
        for lane in range(job[WIDTH]):
            move(job, data_of(job, lane), lane, first, last, out)
        return

    # get each field's addresses in the Datas; then copy blocks of PACK numbers, and the remainder
    memory, places = array_at(job[MEMORY], job[SIZE] * PACK), longs_at(address_of(job, PLACES), PACK)
    for r in range(first, last):
        row = rows_at(job[BORDER], r)
        for lane in range(PACK):
            header = header_of(data_of(job, lane))
            places[lane] = header + 8 * row[FIELD] if row[SINGLE] else cell(header, row[FIELD])
        k, n = 0, row[NUMBERS]
        while k + PACK <= n:
            if out:
                unpack_columns(memory, row[ELEMENT] + k, places, k)
            else:
                pack_columns(memory, row[ELEMENT] + k, places, k)
            k += PACK
        for lane in range(PACK):
            field = array_at(places[lane], n)
            for i in range(k, n):
                place = (row[ELEMENT] + i) * PACK + lane
                if out:
                    field[i] = memory[place]
                else:
                    memory[place] = field[i]


@kernel
def show(job, count, first, last):
    """Copy fields from lane memory to the Datas of all worlds whose newest values are in lane memory."""
    if first == last:
        return
    whole = count == job[WIDTH]
    for lane in range(count):
        whole = whole and note_of(job, lane)[HALTED] == 0 and not is_set(job, LEFT, lane)
    if whole:
        move_all(job, first, last, True)
        return
    for lane in range(count):
        if note_of(job, lane)[HALTED] == 0 and not is_set(job, LEFT, lane):
            move(job, data_of(job, lane), lane, first, last, True)


@kernel
def give_ahead(job, first, last):
    """Run the AHEAD rows at the beginning of a range of per-lane rows."""
    job[GIVEN] = job[LEVEL]
    for r in range(first, last):
        row = rows_at(job[PROGRAM], r)
        if row[0] != AHEAD:
            return
        if row[3] <= job[LEVEL]:
            move_all(job, row[1], row[2], True)


@kernel
def list_pairs(job, x, lane):
    """Write the pairs of bodies whose bits are set in a lane to broad_pair; return False if they do not fit."""
    count, words, n, pairs = job[NPAIRS], -(-job[NPAIRS] // BITS), 0, longs_at(job[PAIRS], job[NPAIRS])
    memory = array_at(job[MEMORY] + 8 * job[PAIRS_AT] * job[WIDTH], words * job[WIDTH])
    for word in range(words):
        bits = np.int64(memory[word * job[WIDTH] + lane])
        while bits != 0:
            if n < x.nbroad_cap:
                x.broad_pair[n] = pairs[BITS * word + trailing_zeros(bits)]
            n += 1
            bits &= bits - 1
    x.nbroad = n
    if n > x.nbroad_cap:
        x.need_broad, x.status = count, GROW
        return False
    return True


@inline
def no_rows(x):
    """Set the counts of contacts and constraint rows to 0."""
    x.ncon = x.ne = x.nf = x.nl = x.nefc = x.nJ = x.nA = x.nisland = x.nidof = 0


@inline
def wait_for_solver(m, job, x, lane):
    """Queue a lane with constraint rows for the vectorized solver. Solve large problems now; return False if interrupted."""
    note = note_of(job, lane)
    if x.nefc == 0:
        return True
    if fits(m, x):
        note[OPEN] = SOLVING
        return True
    if not run(m, x, SOLVERS + m.opt.solver):
        return False
    note[OPEN] = SOLVED
    return True


@kernel
def lane_rows(job, lane, first, last):
    """Run rows of the program for one lane; return False if a stage was interrupted, in row RESUMED."""
    m, x, r = model_of(job, lane), data_of(job, lane), max(first, job[RESUMED])
    while r < last:
        row = rows_at(job[PROGRAM], r)
        op = row[0]
        job[RESUMED] = r
        r += 1

        # run rows that copy fields or call stages
        if op == OUT:
            if row[3] == ALONE or row[3] > job[GIVEN]:
                move(job, x, lane, row[1], row[2], True)
        elif op == IN:
            move(job, x, lane, row[1], row[2], False)
        elif op == CALL:
            if not run(m, x, row[1]):
                return False
        elif op == LISTED:
            if not list_pairs(job, x, lane):
                return False
        elif op == NEEDED:
            if not is_set(job, row[1], lane) and not is_set(job, row[2], lane):
                no_rows(x)
                return True
        elif op == TOUCHED:
            if not is_set(job, row[1], lane):
                no_rows(x)
                r += row[2]
        elif op == ROWS:
            if x.nefc == 0 and x.ncon == 0:
                x.nisland = x.nidof = 0
                return True
        elif op == CONTACTS:
            if x.ncon == 0:
                r += row[1]
        elif op == BARE:
            if x.ncon != 0:
                r += row[1]
        elif op == PASS:
            note_of(job, lane)[OPEN] = 0
        elif op == OPENED:
            if not wait_for_solver(m, job, x, lane):
                return False
        elif op == CLOSED:
            if note_of(job, lane)[OPEN] == 0:
                return True
        elif op == STEP_ALONE:
            address = stage_address(x, STEP_SKIP)
            if address == 0:
                return False
            invoke_skip(address, m, x, 0, 0)
            if x.status != OK:
                return False
    return True


@kernel
def run_program(m, job, count):
    """Run one step of a group. Return False if a lane was interrupted; ITEM and LANE then tell where to continue."""
    while job[ITEM] < job[NPROGRAM]:
        row = rows_at(job[PROGRAM], job[ITEM])
        if row[0] == CODE:
            invoke(job[CODE_AT], job[MEMORY], row[1])
        elif row[0] == ASK:
            # this test only decides how much work is done: both traces give the same results
            invoke(job[CODE_AT], job[MEMORY], row[2] if job[CROWDED] != 0 else row[1])
        elif row[0] == TOGETHER:
            if not run_for(m, data_of(job, 0), NEWTON_OF_LANES, address_of(job, 0)):
                return False
        else:
            # run the per-lane rows, starting at row ITEM and lane LANE, or in the middle of these rows
            if job[LANE] == 0 and job[RESUMED] == 0:
                give_ahead(job, row[1], row[2])
            while job[LANE] < count:
                lane = job[LANE]
                who = LEAVES if is_set(job, LEFT, lane) else STAYS
                if who == row[3] and note_of(job, lane)[HALTED] == 0 and not lane_rows(job, lane, row[1], row[2]):
                    # the lane will run again, with values that may differ from the values copied ahead
                    job[GIVEN] = ALONE
                    return False
                job[RESUMED] = 0
                job[LANE] = lane + 1
        job[LANE] = 0
        job[ITEM] += 1

    # the step is complete
    job[ITEM] = 0
    return True


@inline
def world_of(job, k):
    return k if job[IDS] == 0 else ints_at(job[IDS], k + 1)[k]


@kernel
def restore_known(job, x):
    """Restore the integers that traced parts assume, which a scalar step or forward dynamics may have changed."""
    header, source = header_of(x), job[MODEL_DATA]
    for k in range(job[NKNOWN]):
        row = longs_at(job[KNOWN] + 16 * k, 2)
        copy_bytes(cell(header, row[0]), cell(source, row[0]), row[1])


@kernel
def fill_lanes(job, count, last):
    """Copy the fields of copy rows 0 to `last` - 1 from the Datas of all worlds to lane memory."""
    if count == job[WIDTH]:
        move_all(job, 0, last, False)
        return
    for lane in range(job[WIDTH]):
        move(job, data_of(job, lane if lane < count else 0), lane, 0, last, False)


@kernel
def fill_own(job, lane, i):
    """Copy world i's values of the Model fields that differ between worlds to lane memory."""
    width, memory = job[WIDTH], array_at(job[MEMORY], job[SIZE] * job[WIDTH])
    for k in range(job[NOWN]):
        row = longs_at(job[OWN] + 8 * OWN_ROW * k, OWN_ROW)
        n, place = row[OWN_NUMBERS], row[OWN_ELEMENT] * width + lane
        values = array_at(row[OWN_ADDRESS] + i * row[OWN_STRIDE], n)
        for j in range(n):
            memory[place + j * width] = values[j]


@kernel
def begin_group(job, count):
    """Load worlds into Models, Datas and lane memory. Return False if a Model is invalid; job[LANE] is then the lane."""
    for lane in range(count):
        x = data_of(job, lane)
        if not begin(model_of(job, lane), x, job, world_of(job, job[NEXT] + lane)):
            job[LANE] = lane
            return False
        restore_known(job, x)
        note = note_of(job, lane)
        note[BEGAN], note[HALTED], note[OPEN] = warned(x), 0, 0
    for lane in range(job[WIDTH]):
        fill_own(job, lane, world_of(job, job[NEXT] + (lane if lane < count else 0)))
    fill_lanes(job, count, job[STATE_ROWS])
    job[SUBSTEP] = job[ITEM] = job[LANE] = job[RESUMED] = 0
    return True


@kernel
def before_step(job, count):
    """Halt worlds that have warnings, if requested; set the controls of this step."""
    t, n, touching, busy, halted = job[SUBSTEP], job[NCONTROL], 0, 0, count < job[WIDTH]
    for lane in range(count):
        x, note = data_of(job, lane), note_of(job, lane)
        if t > 0 and is_set(job, LEFT, lane):
            restore_known(job, x)
        touching += x.ncon > 0
        busy += x.nefc > 0

        # halt the world and store its current state
        if job[HALTS] != 0 and note[HALTED] == 0 and warned(x) > note[BEGAN]:
            if t > 0 and not is_set(job, LEFT, lane):
                move(job, x, lane, 0, job[STATE_ROWS], True)
            note[HALTED] = 1
        if job[CONTROL] != 0 and note[HALTED] == 0:
            transfer_state(
                model_of(job, lane),
                x,
                array_at(job[CONTROL] + 8 * n * ((job[NEXT] + lane) * job[NSTEP] + t), n),
                job[SPEC],
                True,
            )
        halted = halted or note[HALTED] != 0
    job[CROWDED] = 1 if 2 * touching > count else 0
    # the Data of a halted world contains its state, which lane memory must not overwrite
    job[LEVEL] = ALONE if halted else BUSY if 2 * busy > count else ALWAYS
    if job[CONTROL] != 0:
        fill_lanes(job, count, job[CONTROL_ROWS])


# ---- functions in the loop -----------------------------------------------------------------------------------------------
@kernel
def call_on_lanes(job, count, when, first, last):
    """Call the users' functions of a phase, starting with the current lane. Then copy the fields that they may write to lane
    memory. Return False if a function was interrupted."""
    while job[NHOOK] != 0 and job[LANE] < count:
        lane = job[LANE]
        if note_of(job, lane)[HALTED] == 0:
            if not call_functions(model_of(job, lane), data_of(job, lane), job, world_of(job, job[NEXT] + lane), when):
                return False
        job[LANE] = lane + 1
    job[LANE] = 0
    if first != last and job[LEVEL] != ALONE:
        move_all(job, first, last, False)
    elif first != last:
        for lane in range(job[WIDTH]):
            move(job, data_of(job, lane if lane < count else 0), lane, first, last, False)
    return True


@kernel
def restart_lanes(job, count):
    """Restart worlds marked as ended, starting with the current lane. Return False if a restart was interrupted."""
    while job[DONE] != 0 and job[LANE] < count:
        lane = job[LANE]
        i, x = world_of(job, job[NEXT] + lane), data_of(job, lane)
        if note_of(job, lane)[HALTED] == 0 and bytes_at(job[DONE], i + 1)[i] != 0:
            if not restart_ended(model_of(job, lane), x, job, i):
                return False
            move(job, x, lane, 0, job[STATE_ROWS], False)
            fill_own(job, lane, i)
            # from here on, this world's Data is newer than lane memory
            array_at(job[MEMORY] + 8 * LEFT * job[WIDTH], lane + 1)[lane] = 1.0
        job[LANE] = lane + 1
    job[LANE] = 0
    return True


# ---- steps ---------------------------------------------------------------------------------------------------------------
@kernel
def record_lanes(job, count):
    """Record the results of a step; a halted world repeats its last results."""
    show(job, count, job[RECORD_FIRST], job[RECORD_LAST])
    for lane in range(count):
        record(model_of(job, lane), data_of(job, lane), job, (job[NEXT] + lane) * job[NSTEP] + job[SUBSTEP])


@kernel
def finish_group(job, count):
    """Store the worlds of a group. Return False if forward dynamics after the last step was interrupted."""
    while job[LANE] < count:
        lane = job[LANE]
        m, x = model_of(job, lane), data_of(job, lane)
        if note_of(job, lane)[HALTED] != FAILED:
            if not up_to(m, x, job[STAGE]):
                return False
            end(m, x, job, world_of(job, job[NEXT] + lane))
        job[LANE] = lane + 1
    return True


@kernel
def steps(m, job, count):
    """Run the steps of a group; return False if a lane was interrupted or the budget of steps is used up."""
    while job[SUBSTEP] < job[NSTEP]:
        if job[PHASE] == READY:
            if job[LANE] == 0:
                before_step(job, count)
            if not call_on_lanes(job, count, BEFORE, job[SHOWN_LAST], job[BEFORE_LAST]):
                return False
            job[PHASE] = CALLED
        if job[PHASE] == CALLED:
            if not run_program(m, job, count):
                return False
            show(job, count, job[END_LAST], job[SHOWN_LAST])
            job[PHASE] = STEPPED
        if job[PHASE] == STEPPED:
            if not call_on_lanes(job, count, AFTER, job[BEFORE_LAST], job[AFTER_LAST]):
                return False
            record_lanes(job, count)
            job[PHASE] = RECORDED

        # restart ended worlds; return to Python when the budget of steps is used up
        if not restart_lanes(job, count):
            return False
        job[SUBSTEP] += 1
        job[PHASE] = READY
        job[BUDGET] -= count
        if (bytes_at(job[STOP], 1)[0] != 0 or job[BUDGET] <= 0) and job[SUBSTEP] < job[NSTEP]:
            return False
    return True


@stage("iMDi")
def run_lanes(m, d, address):
    """reads a description of LANE_CELLS integers at an address; writes states, warnings and bound fields of its worlds, by
    steps only.

    Only runs steps. Like `run_worlds`, it returns whether the range is complete. The status is in the Data of lane LANE.
    """
    job = longs_at(address, LANE_CELLS)
    if job[MODE] != STEP:
        return 0

    # continue with the interrupted group, or begin the next one
    while job[NEXT] < job[END]:
        count = min(job[WIDTH], job[END] - job[NEXT])
        if job[PHASE] == FRESH:
            if not begin_group(job, count):
                return 0
            job[PHASE] = READY
        if job[PHASE] != FINISHED:
            if not steps(m, job, count):
                return 0
            # the Datas have the newest inputs anyway
            show(job, count, job[CONTROL_ROWS], job[STATE_ROWS])
            show(job, count, job[RECORD_LAST], job[END_LAST])
            job[PHASE] = FINISHED
            job[ITEM] = job[LANE] = 0
        if not finish_group(job, count):
            return 0
        job[PHASE] = FRESH
        job[NEXT] += count
        if bytes_at(job[STOP], 1)[0] != 0 or job[BUDGET] <= 0:
            return 1 if job[NEXT] >= job[END] else 0
    return 1
