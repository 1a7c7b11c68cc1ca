"""How compiled code finds stages (compiled functions of a step), why a call is interrupted, and how it recovers.

Compiled code calls stages through `TABLE`, an array of addresses with a cell for each row of `tables.stage_rows`. Each
stage is therefore compiled, cached, timed and replaced separately, and only the stages that a model needs are compiled.
A zero cell makes the caller stop with status MISSING. `recover` then imports the module, compiles the stage or maps it
from the cache, and the caller's step starts over.
"""

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from ..machine import jit
from ..machine.lang import invoke, invoke_index, invoke_value, longs_at
from ..tables.schema import SCHEMAS
from ..tables.stage_rows import ABSENT, FILLED, MODULE, NAME, NUMBER, PLACES, SIZE
from . import edits, owner

TABLE = np.zeros(SIZE, np.int64)
TABLE[list(FILLED)] = list(FILLED.values())
TABLE_ADDRESS: int = TABLE.ctypes.data
# a view of the same cells with faster access to single cells
_ENTRIES = TABLE.data
owner.STAGE_NAMES.update(NAME)

# status of a Data after a compiled call
OK, MISSING, GROW, BROKEN, RAISED, NO_PLUGIN, WATCH, EDITED = 0, 1, 2, 3, 4, 5, 6, 7
# stages that compare watched indices when the status is WATCH; status_arg is then the address of a table (see core.edits)
LOOKING = frozenset(("step_many", "forward_skip", "inverse_skip", "step1", "step2", "indices_differ"))
# the stages in LOOKING that are replaced (see core.debug): a replacement need not compare indices
REPLACED: set[str] = set()
# Number of stages that are or may be replaced. If it is not 0, compiled entry points (see calls.compiled) call Python instead.
LAYERED = np.zeros(1, np.int64)
# Bits of Data.full: contacts or rows may not grow beyond the current capacity. LIMITED: the limit is MuJoCo's arena
# (core.arena).
FULL_CONTACTS, FULL_ROWS, LIMITED = 1, 2, 4

# table of plugins (see core.plugin): one row for each slot
PLUGIN_COLUMNS = (
    "capabilities",
    "needstage",
    "compute",
    "advance",
    "actuator_act_dot",
    "reset",
    "sdf_distance",
    "sdf_gradient",
)
PLUGIN_WIDTH, PLUGIN_SLOTS = len(PLUGIN_COLUMNS), 1024
# phases in which plugins are called
AT_RATES, AT_FORCES, AT_PASSIVE, AT_POS, AT_VEL, AT_ACC, AT_ADVANCE, AT_RESET = range(8)
CALL_PLUGINS = NUMBER["call_plugins"]


@jit.inline
def table_entry(d, k):
    """Return the address in row k of the stage table; 0 if stage k is not loaded."""
    return longs_at(d.stage_table, k + 1)[k]


@jit.inline
def run(m, d, k):
    """Call stage k. Return False if the caller must stop (see Data.status)."""
    address = longs_at(d.stage_table, k + 1)[k]
    if address == 0:
        d.status = MISSING
        d.status_arg = k
        return False
    invoke(address, m, d)
    return d.status == OK


@jit.inline
def stage_address(d, k):
    """Return the address of stage k. If it is not loaded, set the status MISSING and return 0."""
    address = longs_at(d.stage_table, k + 1)[k]
    if address == 0:
        d.status = MISSING
        d.status_arg = k
    return address


@jit.inline
def run_for(m, d, k, i):
    """Call stage k for element i; an ABSENT stage does nothing. Return False if the caller must stop (see Data.status)."""
    address = stage_address(d, k)
    if address == ABSENT:
        return True
    if address != 0:
        invoke_index(address, m, d, i)
    return d.status == OK


@jit.inline
def value_for(m, d, k, i):
    """Return the result of stage k for element i. Return 0 if the cell has no row, or if the caller must stop; the status is
    then set.
    """
    address = stage_address(d, k)
    return 0.0 if address == ABSENT or address == 0 else invoke_value(address, m, d, i)


@jit.inline
def call_hook(m, d, k):
    """Call a user's function of (Model, Data) if one is set."""
    address = longs_at(d.stage_table, k + 1)[k]
    if address != 0:
        invoke(address, m, d)


@jit.inline
def run_plugins(m, d, when):
    """Call the plugins that take part in a phase (AT_...). Return False if the caller must stop."""
    if m.nplugin == 0:
        return True
    address = longs_at(d.stage_table, CALL_PLUGINS + 1)[CALL_PLUGINS]
    if address == 0:
        d.status = MISSING
        d.status_arg = CALL_PLUGINS
        return False
    invoke_index(address, m, d, when)
    return d.status == OK


@jit.inline
def in_lanes():
    """Return whether the worlds of a batch are stepped side by side: kernels then cannot warn and have no packs."""
    return False


@jit.inline
def plugin_function(m, d, instance, column):
    """Return the address of a plugin's function; ABSENT if it has none. If it must be prepared first, set the status and return
    0."""
    k = PLUGIN_WIDTH * m.plugin[instance] + column
    address = longs_at(d.plugin_table, k + 1)[k]
    if address == 0:
        d.status = NO_PLUGIN
        d.status_arg = k
    return address


@jit.inline
def instance_data(m, d, instance):
    """Return the address of a compiled plugin's data for an instance. Unlike `plugin_data`, scripts cannot overwrite it."""
    return longs_at(d.plugin_cells, m.nplugin)[instance]


def find(name: str) -> Any:
    """Return the Stage object of a row; imports its module."""
    # Imported late: all modules with stages take 0.4 s, and a model needs only some of them.
    module = importlib.import_module(f"..{MODULE[name]}", __package__)
    return getattr(module, name)


def ensure(name: str) -> Any:
    """Compile a stage, or map it from the cache, and store its address in the table."""
    k = NUMBER[name]
    if not TABLE[k]:
        TABLE[PLACES[name]] = find(name).address
    return TABLE[k]


class EngineError(RuntimeError):
    """A compiled stage was interrupted for a reason that repeating it cannot fix."""


# {status: function of (Data, status_arg) that fixes the cause or raises}; modules that import this one register the functions
RECOVERIES = {MISSING: lambda _, k: ensure(NAME[k]), GROW: lambda d, _: d.grow()}


def recovery(status: int) -> Callable[..., Any]:
    """Return a decorator that registers a function for a status: it fixes the cause of the status or raises an exception."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        RECOVERIES[status] = function
        return function

    return enter


def recover(d: Any, m: Any) -> None:
    """Fix the cause that interrupted a compiled call: a stage or plugin function not loaded yet, or not enough memory for
    contacts and constraints.
    """
    status, argument = d.status, d.status_arg
    d.status = OK
    if status == EDITED:
        edits.accept(m, d)
        return
    if status not in RECOVERIES:
        raise EngineError(f"stage failed with status {status}, argument {argument}")
    RECOVERIES[status](d, argument)


# cells of a Data's header that describe how a call ended
STATUS, STATUS_ARG = (SCHEMAS["MjData"].slot[n] for n in ("status", "status_arg"))


def check_model(m: Any, d: Any) -> None:
    """Raise ValueError unless a Data has the sizes of a Model; it may have been made for a copy of the Model. InvalidModel if
    indices are wrong."""
    n = len(m.schema.sizes)
    if (d.storage.header[:n] != m.storage.header[:n]).any():
        raise ValueError("this MjData was made for another MjModel")
    edits.trust(m)


def check_edits(m: Any, d: Any) -> None:
    """Raise InvalidModel if an index was changed to one that is out of range."""
    edits.trust(m)
    if m.storage.table:
        call("indices_differ", m, d)


def look(m: Any, table: Any, cells: Any) -> tuple | None:
    """Make the next compiled call compare the arrays in a table of watched arrays. Keep the result alive until that call
    returns, because the call reads it.
    """
    table = table if table[0] else edits.make_table(m)
    if table is not None:
        cells[STATUS_ARG], cells[STATUS] = table[0], WATCH
    return table


def call(name: str, m: Any, d: Any, *args: Any) -> Any:
    """Run a stage from Python until it completes. DataInUse if another thread works on the Data."""
    if d.model is not m:
        check_model(m, d)

    # find the stage and the cells
    number = NUMBER[name]
    if not _ENTRIES[number]:
        ensure(name)
    entry, model, data = jit.Stage.registry[name], m.storage.address, d.storage
    cells = data.integers
    table = m.storage.table if name in LOOKING and name not in REPLACED else None

    # run the stage, and repeat it after each recovery
    depth = owner.enter(data, number)
    try:
        while True:
            cells[STATUS] = OK
            if table:
                table = look(m, table, cells)
            result = entry(model, data.address, *args)
            if cells[STATUS] == OK:
                return result
            recover(d, m)
            # compare only once: changed plugin indices count as changed even if they are valid for this Data (see core.edits)
            table = None
    finally:
        owner.leave(data, depth)
