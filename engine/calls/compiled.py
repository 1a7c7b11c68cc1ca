"""Fast calls of public functions: one C function checks a call's arguments against a row of rules, then runs the function's
machine code.

    mj_jac(m, d, ...) ──▶ enter_call ── arguments match its row ──▶ words ──▶ public_mj_jac (its own machine code)
                              └── anything else: other types or shapes, keyword arguments, errors ──▶ the function in Python

The interpreter calls `enter_call` directly, like a function written in C (`METH_FASTCALL | METH_KEYWORDS`), and the only
object it makes is the result. It accepts exactly the arguments that the Python function takes without conversion. All
other calls, including wrong ones, go to the Python function. So compiled and Python calls accept the same arguments, and a
call that `enter_call` refuses has changed nothing.

A row (int64) begins with the cells named below, followed by ARGUMENT cells for each argument. The words of a call are:
0 the result, or the function's constant; 1 the table of watched indices (see core.edits); then the arguments. Model and
Data take no words. A number takes one word. An array of fixed sizes takes one, for its address; other arrays also need a word
for each size.
"""

from ..core.data import MjData
from ..core.model import MjModel
from ..core.owner import DEPTH, OWNER
from ..core.owner import PLACE as OWNER_PLACE
from ..machine import layout
from ..machine.jit import inline, kernel, stage
from ..machine.lang import address_of, array_at, as_data, as_model, invoke_filter, invoke_words, longs_at, small_int
from ..machine.storage import Storage
from ..tables.schema import SCHEMAS

# Cells of a row:
# GLOBALS: address of the globals; SLOW: the Python function; MEND: the Python function for calls that stopped halfway
# COUNT: number of arguments; CODE: address of the code; RELEASES: whether it releases the interpreter lock
# LOOKS: whether it checks for edited indices; RESULT: type of the result; CONSTANT; PLACE: see core.owner.
GLOBALS, SLOW, MEND, COUNT, CODE, RELEASES, LOOKS, RESULT, CONSTANT, PLACE, FIRST = range(11)
# Cells of an argument:
# KIND: its type; OF: element type, record type or lowest integer; NEED: required array flags, or highest integer
# OPTIONAL: whether None is allowed; RULE, RULE2: rules for up to two sizes
# HOLDER, INDEX: slots of a record's columns and of its index.
KIND, OF, NEED, OPTIONAL, RULE, RULE2, HOLDER, INDEX, ARGUMENT = range(9)
MODEL, DATA, INTEGER, NUMBER, VECTOR, MATRIX, RECORD, OBJECT = range(1, 9)
NONE, COUNTED, MEASURED = range(3)
# a size's rule is the required size, or FREE, or SIZE minus the index of one of the model's sizes
FREE, SIZE = -1, -2
# globals, one row for all functions: address of stages.LAYERED, types, objects, C functions of the interpreter
(
    OFF,
    ARRAY_TYPE,
    FLOAT_TYPE,
    DOUBLE_TYPE,
    INT_TYPE,
    MODEL_TYPE,
    DATA_TYPE,
    NOTHING,
    ZERO,
    AS_LONG,
    AS_INDEX,
    CLEAR,
    CALL,
    SAVE,
    RESTORE,
    KEEP,
    DROP,
    FROM_LONG,
    NEGATIVE,
    IDENT,
    GLOBAL_COUNT,
) = range(21)
# words of a call; the last two are scratch and the overflow flag
WORDS = 48
SCRATCH, OVERFLOW = WORDS - 2, WORDS - 1

STORAGE, MODEL_OF = layout.slot_offset(MjModel, "storage"), layout.slot_offset(MjData, "model")
STORAGE_OF_DATA, ADDRESS, TABLE = (
    layout.slot_offset(MjData, "storage"),
    layout.slot_offset(Storage, "address"),
    layout.slot_offset(Storage, "table"),
)
ROW = layout.slot_offset(layout.Entry, "row")
STATUS = SCHEMAS["MjData"].slot["status"]
OWNER_CELLS = max(OWNER, DEPTH, OWNER_PLACE) + 1
TYPE, FLOAT_VALUE, TUPLE_ITEMS = layout.TYPE, layout.FLOAT_VALUE, layout.TUPLE_ITEMS
ARRAY_DATA, ARRAY_NDIM, ARRAY_SHAPE = layout.ARRAY_DATA, layout.ARRAY_NDIM, layout.ARRAY_SHAPE
ARRAY_DTYPE, ARRAY_FLAGS, CONTIGUOUS = layout.ARRAY_DTYPE, layout.ARRAY_FLAGS, layout.CONTIGUOUS
LOW_HALF = 2**32 - 1


@inline
def cell(address, offset):
    """Return the word at `address` plus `offset`."""
    return longs_at(address + offset, 1)[0]


@inline
def c_call(function, a, b, c, e):
    """Call the C function at an address with four words; functions with fewer arguments ignore the rest."""
    return invoke_filter(function, as_model(a), as_data(b), c, e)


@kernel
def read_integer(g, x, words, k, low, high):
    """Read an integer within [low, high] into words[k]; return False if x is not one."""
    own = cell(x, TYPE) == g[INT_TYPE]
    if not own:
        x = c_call(g[AS_INDEX], x, 0, 0, 0)
        if x == 0:
            c_call(g[CLEAR], 0, 0, 0, 0)
            return False
    flag = words + 8 * OVERFLOW
    w = longs_at(words, WORDS)
    w[OVERFLOW] = 0
    value = c_call(g[AS_LONG], x, flag, 0, 0)
    if not own:
        c_call(g[DROP], x, 0, 0, 0)
    w[k] = value
    return w[OVERFLOW] == 0 and low <= value <= high


@inline
def read_number(g, x, words, k):
    """Read a float, or an integer that converts to one, into words[k]; return False if x is neither."""
    kind = cell(x, TYPE)
    if kind == g[FLOAT_TYPE] or kind == g[DOUBLE_TYPE]:
        longs_at(words, WORDS)[k] = cell(x, FLOAT_VALUE)
        return True
    # Read the integer into another cell: the compiler assumes that a cell holds either integers or floats.
    if kind != g[INT_TYPE] or not read_integer(g, x, words, SCRATCH, -(2**53), 2**53):
        return False
    array_at(words, WORDS)[k] = float(longs_at(words, WORDS)[SCRATCH])
    return True


@inline
def fits(rule, size, model):
    """Return whether an array size satisfies its rule: a constant, FREE (any size), or a size of the Model."""
    if rule >= 0:
        return size == rule
    return rule == FREE or model != 0 and size == cell(model, 8 * (SIZE - rule))


@inline
def read_array(g, x, arg, w, k, model, dims):
    """Write the address and sizes of an array to `w`, starting at word k. Return the next word, or 0 if the array does not
    fit."""
    if cell(x, TYPE) != g[ARRAY_TYPE] or cell(x, ARRAY_NDIM) & LOW_HALF != dims or cell(x, ARRAY_DTYPE) != arg[OF]:
        return 0
    if cell(x, ARRAY_FLAGS) & arg[NEED] != arg[NEED]:
        return 0
    shape = cell(x, ARRAY_SHAPE)
    w[k] = cell(x, ARRAY_DATA)
    k += 1
    for i in range(dims):
        size, rule = cell(shape, 8 * i), arg[RULE + i]
        if not fits(rule, size, model):
            return 0
        if rule == FREE:
            w[k] = size
            k += 1
    return k


@kernel
def read_other(g, x, arg, words, k, model):
    """Read an argument that is neither Model nor Data. Return the next word, or 0 if the argument does not match its row."""
    w, kind = longs_at(words, WORDS), arg[KIND]

    # None is given for an optional argument
    if x == g[NOTHING] and arg[OPTIONAL]:
        w[k] = 0
        if kind == RECORD:
            return k + 2
        k += 1
        for i in range(kind - VECTOR + 1):
            if arg[RULE + i] == FREE:
                w[k] = 0
                k += 1
        return k

    # the most frequent types come first
    if kind == VECTOR:
        return read_array(g, x, arg, w, k, model, 1)
    if kind == INTEGER:
        if not read_integer(g, x, words, k, arg[OF], arg[NEED]):
            return 0
        rule = arg[RULE]
        return k + 1 if rule == FREE or 0 <= w[k] < cell(model, 8 * (SIZE - rule)) else 0
    if kind == NUMBER:
        return k + 1 if read_number(g, x, words, k) else 0
    if kind == MATRIX:
        return read_array(g, x, arg, w, k, model, 2)
    if kind == OBJECT:
        w[k] = x
        return k + 1

    # a record: pass the address of its columns, and its index
    if kind != RECORD or cell(x, TYPE) != arg[OF]:
        return 0
    columns = cell(cell(x, arg[HOLDER]), arg[RULE])
    if cell(columns, TYPE) != g[ARRAY_TYPE]:
        return 0
    w[k] = cell(columns, ARRAY_DATA)
    return k + 2 if read_integer(g, cell(x, arg[INDEX]), words, k + 1, 0, 2**31) else 0


@inline
def header(g, x, kind, offset, words, k):
    """Return the header address of a Model or Data, or 0 if x is neither; words[k] is scratch."""
    if cell(x, TYPE) != kind:
        return 0
    storage = cell(x, offset)
    if storage == 0:
        return 0
    address = cell(storage, ADDRESS)
    return longs_at(words, WORDS)[k] if address != 0 and read_integer(g, address, words, k, 4096, 2**63 - 1) else 0


@kernel
def read_arguments(g, row, args, words, structs):
    """Convert the arguments of a call to machine words and write them to `words`. Return whether all arguments match the rules
    in the function's row.

    structs: addresses of Model and Data, the Model object, and its table of watched indices.
    """
    r, s = longs_at(row, FIRST), longs_at(structs, 4)
    k = 2

    # word 0 is for the result, word 1 for the table of watched indices
    for i in range(r[COUNT]):
        x = cell(args, 8 * i)
        arg = longs_at(row + 8 * (FIRST + ARGUMENT * i), ARGUMENT)
        if arg[KIND] == MODEL:
            s[0] = header(g, x, g[MODEL_TYPE], STORAGE, words, k)
            if s[0] == 0:
                return False
            s[2] = x
            table = cell(cell(x, STORAGE), TABLE)
            s[3] = table if r[LOOKS] and table != g[NOTHING] else 0
        elif arg[KIND] == DATA:
            s[1] = header(g, x, g[DATA_TYPE], STORAGE_OF_DATA, words, k)
            if s[1] == 0 or s[2] != 0 and cell(x, MODEL_OF) != s[2]:
                return False
        else:
            k = read_other(g, x, arg, words, k, s[0])
            if k == 0:
                return False
    return True


@inline
def enter_data(g, data, place):
    """Enter a Data on this thread, if the call has one. Return the previous depth, or -1 if another thread uses the Data."""
    if data == 0:
        return 0
    me = c_call(g[IDENT], 0, 0, 0, 0)
    cells = longs_at(data, OWNER_CELLS)
    if cells[OWNER] != 0 and cells[OWNER] != me:
        return -1
    depth = cells[DEPTH]
    cells[OWNER] = me
    cells[DEPTH] = depth + 1
    if depth == 0:
        cells[OWNER_PLACE] = place
    return depth


@inline
def leave_data(data, depth):
    """Leave a Data: the counterpart of `enter_data`."""
    if data != 0:
        cells = longs_at(data, OWNER_CELLS)
        cells[DEPTH] = depth
        if depth == 0:
            cells[OWNER] = 0


@inline
def run_code(g, row, words, structs):
    """Run a function's machine code. Return 0 to leave the call to Python, 1 if it is done, 2 if it stopped halfway."""
    r, s, w = longs_at(row, FIRST), longs_at(structs, 4), longs_at(words, WORDS)
    w[0], w[1] = r[CONSTANT], 0
    if s[3] != 0:
        if not read_integer(g, cell(s[3], TUPLE_ITEMS), words, 1, 1, 2**63 - 1):
            return 0
        # hold a reference to the table, because another thread may replace it during the call
        c_call(g[KEEP], s[3], 0, 0, 0)
    if s[1] != 0:
        longs_at(s[1] + 8 * STATUS, 1)[0] = 0
    state = c_call(g[SAVE], 0, 0, 0, 0) if r[RELEASES] else 0
    done = c_call(r[CODE], s[0], s[1], words, WORDS)
    if r[RELEASES]:
        c_call(g[RESTORE], state, 0, 0, 0)
    if s[3] != 0:
        c_call(g[DROP], s[3], 0, 0, 0)
    if s[1] != 0 and cell(s[1], 8 * STATUS) != 0:
        return 2
    return 1 if done else 0


@inline
def result_of(g, kind, words):
    """Return a new reference to the result."""
    if kind == COUNTED:
        return c_call(g[FROM_LONG], longs_at(words, WORDS)[0], 0, 0, 0)
    if kind == MEASURED:
        # C functions that take a float cannot be called from here.
        # So make a new float by negating a constant, and overwrite its value before other code can see it.
        x = c_call(g[NEGATIVE], g[ZERO], 0, 0, 0)
        if x != 0:
            longs_at(x + FLOAT_VALUE, 1)[0] = longs_at(words, WORDS)[0]
        return x
    c_call(g[KEEP], g[NOTHING], 0, 0, 0)
    return g[NOTHING]


@stage("iiiii")
def enter_call(self, args, count, names):
    """reads and writes the same fields as the function that is called; see the top of this file.

    Its arguments and result are those of a METH_FASTCALL | METH_KEYWORDS function.
    """
    row = cell(cell(self, ROW), ARRAY_DATA)
    r = longs_at(row, FIRST)
    g = longs_at(r[GLOBALS], GLOBAL_COUNT)

    # run the machine code, unless stages are interpreted or the arguments do not match
    if count == r[COUNT] and names == 0 and cell(g[OFF], 0) == 0:
        words, structs = address_of(small_int(WORDS), 0), address_of(small_int(4), 0)
        s = longs_at(structs, 4)
        s[0], s[1], s[2], s[3] = 0, 0, 0, 0
        if read_arguments(g, row, args, words, structs):
            # this thread holds the interpreter lock, so no other thread is entering this Data
            depth = enter_data(g, s[1], r[PLACE])
            if depth >= 0:
                done = run_code(g, row, words, structs)
                result = 0
                if done == 1:
                    result = result_of(g, r[RESULT], words)
                elif done == 2:
                    # recover before other threads can enter
                    result = c_call(g[CALL], r[MEND], args, count, names)
                leave_data(s[1], depth)
                if done != 0:
                    return result

    # leave all other calls to Python
    return c_call(g[CALL], r[SLOW], args, count, names)


# ---- stages that Python calls --------------------------------------------------------------------------------------------
# cells of a stage's row: addresses of the globals and of its code, number of arguments, its Python function, whether it has a
# result
STAGE_GLOBALS, STAGE_CODE, STAGE_COUNT, STAGE_SLOW, STAGE_RESULT, STAGE_CELLS = range(6)


@inline
def read_word(g, x, words, k):
    """Read an integer, or the address of a contiguous array, into words[k]; return False if x is neither."""
    if cell(x, TYPE) != g[ARRAY_TYPE]:
        return read_integer(g, x, words, k, -(2**63), 2**63 - 1)
    longs_at(words, WORDS)[k] = cell(x, ARRAY_DATA)
    return cell(x, ARRAY_FLAGS) & CONTIGUOUS != 0


@stage("iiii")
def enter_stage(self, args, count):
    """reads and writes the same fields as the stage that is called. Arguments and result: METH_FASTCALL; `self` is the row,
    an array."""
    r = longs_at(cell(self, ARRAY_DATA), STAGE_CELLS)
    g = longs_at(r[STAGE_GLOBALS], GLOBAL_COUNT)

    # convert the arguments, or leave the call to Python
    words, fit = address_of(small_int(WORDS), 0), count == r[STAGE_COUNT]
    if fit:
        for k in range(count):
            if not read_word(g, cell(args, 8 * k), words, k):
                fit = False
                break
    if not fit:
        return c_call(g[CALL], r[STAGE_SLOW], args, count, 0)

    # run without the interpreter lock
    state = c_call(g[SAVE], 0, 0, 0, 0)
    result = invoke_words(r[STAGE_CODE], words)
    c_call(g[RESTORE], state, 0, 0, 0)
    if r[STAGE_RESULT] != 0:
        return c_call(g[FROM_LONG], result, 0, 0, 0)
    c_call(g[KEEP], g[NOTHING], 0, 0, 0)
    return g[NOTHING]
