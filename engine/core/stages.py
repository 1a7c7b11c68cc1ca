"""Stages in motion: how compiled code finds them, what stops a call, and what is done then.

Compiled code calls stages through `TABLE`, an array of addresses with a place for each row of `tables.stage_rows`, so each stage
is compiled, cached, timed and replaced on its own, and only what a model needs is compiled at all. A zero entry makes the caller
stop with status MISSING; `recover` then imports the module, compiles or maps the stage, and the caller's step is run again from
its start.
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
# the same numbers, for looks at single ones
_ENTRIES = TABLE.data
owner.STAGE_NAMES.update(NAME)

# status of a Data after a compiled call
OK, MISSING, GROW, BROKEN, RAISED, NO_PLUGIN, WATCH, EDITED = 0, 1, 2, 3, 4, 5, 6, 7
# stages that look for edits of the Model when they are called with the status WATCH and the address of a table (see core.edits)
LOOKING = frozenset(("step_many", "forward_skip", "inverse_skip", "step1", "step2", "indices_differ"))
# those of them that something else stands in the place of (see core.debug): it need not know of this
REPLACED: set[str] = set()
# how many stages have something else in their place, or may have: then compiled calls (see calls.compiled) leave everything to Python
LAYERED = np.zeros(1, np.int64)
# bits of Data.full: of these no more are made than there is room for; the room is the reference's (core.arena)
FULL_CONTACTS, FULL_ROWS, LIMITED = 1, 2, 4

# the table of plugins (see core.plugin): a row for each slot
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
# when plugins are called
AT_RATES, AT_FORCES, AT_PASSIVE, AT_POS, AT_VEL, AT_ACC, AT_ADVANCE, AT_RESET = range(8)
CALL_PLUGINS = NUMBER["call_plugins"]


@jit.inline
def table_entry(d, k):
    """Address of row k of the stage table, or 0."""
    return longs_at(d.stage_table, k + 1)[k]


@jit.inline
def run(m, d, k):
    """Call stage k; False if the caller must stop (see Data.status)."""
    address = longs_at(d.stage_table, k + 1)[k]
    if address == 0:
        d.status = MISSING
        d.status_arg = k
        return False
    invoke(address, m, d)
    return d.status == OK


@jit.inline
def stage_address(d, k):
    """Address of stage k, or 0 with the status set."""
    address = longs_at(d.stage_table, k + 1)[k]
    if address == 0:
        d.status = MISSING
        d.status_arg = k
    return address


@jit.inline
def run_for(m, d, k, i):
    """Call stage k for element i; a place that no row fills (ABSENT) does nothing. False if the caller must stop."""
    address = stage_address(d, k)
    if address == ABSENT:
        return True
    if address != 0:
        invoke_index(address, m, d, i)
    return d.status == OK


@jit.inline
def value_for(m, d, k, i):
    """What stage k returns for element i; 0 where no row fills the place, or with the status set where the caller must stop."""
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
    """Call the plugins that have a part in a phase (AT_...); False if the caller must stop."""
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
def plugin_function(m, d, instance, column):
    """Address of a function of an instance's plugin, ABSENT if it has none, 0 with the status set if it must be prepared first."""
    k = PLUGIN_WIDTH * m.plugin[instance] + column
    address = longs_at(d.plugin_table, k + 1)[k]
    if address == 0:
        d.status = NO_PLUGIN
        d.status_arg = k
    return address


@jit.inline
def instance_data(m, d, instance):
    """Address of what a compiled plugin keeps for an instance: as `plugin_data`, which scripts can write over."""
    return longs_at(d.plugin_cells, m.nplugin)[instance]


def find(name) -> Any:
    """The Stage object of a row; imports its module."""
    # all modules of stages take 0.4 s to import, and a model needs some of them
    module = importlib.import_module(f"..{MODULE[name]}", __package__)
    return getattr(module, name)


def ensure(name) -> Any:
    """Compile or map a stage and enter its address in the table."""
    k = NUMBER[name]
    if not TABLE[k]:
        TABLE[PLACES[name]] = find(name).address
    return TABLE[k]


class EngineError(RuntimeError):
    """A compiled stage stopped for a reason that running it again cannot mend."""


# status: function of (Data, status_arg) that mends the cause or raises the error; modules above enter theirs
RECOVERIES = {MISSING: lambda _, k: ensure(NAME[k]), GROW: lambda d, _: d.grow()}


def recovery(status) -> Callable[..., Any]:
    """Decorator for the function that mends a status, or tells why it cannot."""

    def enter(function):
        RECOVERIES[status] = function
        return function

    return enter


def recover(d, m) -> None:
    """Mend what stopped a compiled call: a missing stage or plugin function, too little room for contacts and constraints."""
    status, argument = d.status, d.status_arg
    d.status = OK
    if status == EDITED:
        edits.accept(m, d)
        return
    if status not in RECOVERIES:
        raise EngineError(f"stage failed with status {status}, argument {argument}")
    RECOVERIES[status](d, argument)


# the cell of a Data's header that says how a call ended
STATUS, STATUS_ARG = (SCHEMAS["MjData"].slot[n] for n in ("status", "status_arg"))


def check_model(m, d) -> None:
    """ValueError unless a Data has the sizes of a Model: a copy of its own one will do. InvalidModel if its indices are wrong."""
    n = len(m.schema.sizes)
    if (d.storage.header[:n] != m.storage.header[:n]).any():
        raise ValueError("this MjData was made for another MjModel")
    edits.trust(m)


def check_edits(m, d) -> None:
    """InvalidModel if an index was changed to one that is out of range."""
    edits.trust(m)
    if m.storage.table:
        call("indices_differ", m, d)


def look(m, table, cells) -> tuple | None:
    """Have the next compiled call look for edits of what a table lists. The result must be held until the call is over: it is read there."""
    table = table if table[0] else edits.make_table(m)
    if table is not None:
        cells[STATUS_ARG], cells[STATUS] = table[0], WATCH
    return table


def call(name, m, d, *args) -> Any:
    """Run a stage from Python until it completes. DataInUse if another thread works on the Data."""
    if d.model is not m:
        check_model(m, d)
    number = NUMBER[name]
    if not _ENTRIES[number]:
        ensure(name)
    entry, model, data = jit.Stage.registry[name], m.storage.address, d.storage
    cells = data.integers
    table = m.storage.table if name in LOOKING and name not in REPLACED else None
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
            # what was accepted for this Data may go on to differ for others: it is looked at once
            table = None
    finally:
        owner.leave(data, depth)
