"""Stage that calls plugin functions in each phase of the pipeline."""

from ..core.stages import (
    AT_ACC,
    AT_ADVANCE,
    AT_FORCES,
    AT_PASSIVE,
    AT_POS,
    AT_RATES,
    AT_RESET,
    AT_VEL,
    OK,
    PLUGIN_COLUMNS,
    PLUGIN_WIDTH,
    plugin_function,
)
from ..machine.jit import inline, stage
from ..machine.lang import invoke_skip, longs_at
from ..tables.enums import mjtPluginCapabilityBit, mjtStage
from ..tables.stage_rows import ABSENT

ACTUATOR, SENSOR, PASSIVE = (int(mjtPluginCapabilityBit[f"mjPLUGIN_{n}"]) for n in ("ACTUATOR", "SENSOR", "PASSIVE"))
NEED_NONE, NEED_POS, NEED_VEL, NEED_ACC = (int(mjtStage[f"mjSTAGE_{n}"]) for n in ("NONE", "POS", "VEL", "ACC"))
COMPUTE, ADVANCE, RATES, RESET = (PLUGIN_COLUMNS.index(n) for n in ("compute", "advance", "actuator_act_dot", "reset"))
NOTHING = (0, 0)


@inline
def function_in_phase(able, need, when):
    """Return (column of the function that a plugin runs in phase `when`, its last argument). Column 0: the plugin runs none."""
    if when == AT_RATES:
        return (RATES, ACTUATOR) if able & ACTUATOR else NOTHING
    if when == AT_FORCES:
        return (COMPUTE, ACTUATOR) if able & ACTUATOR else NOTHING
    if when == AT_PASSIVE:
        return (COMPUTE, PASSIVE) if able & PASSIVE else NOTHING
    if when == AT_ADVANCE:
        return ADVANCE, 0
    if when == AT_RESET:
        return RESET, 1
    now = (
        when == AT_POS
        and (need == NEED_POS or need == NEED_NONE)
        or when == AT_VEL
        and need == NEED_VEL
        or when == AT_ACC
        and need == NEED_ACC
    )
    return (COMPUTE, SENSOR) if able & SENSOR and now else NOTHING


@stage("vMDi")
def call_plugins(m, d, when):
    """reads what plugins read; writes every field that plugins write in a phase (AT_... of core.stages)."""
    for i in range(m.nplugin):
        start = PLUGIN_WIDTH * m.plugin[i]
        row = longs_at(d.plugin_table, start + PLUGIN_WIDTH)
        column, argument = function_in_phase(row[start], row[start + 1], when)
        if column:
            address = plugin_function(m, d, i, column)
            if address == 0:
                return
            if address != ABSENT:
                invoke_skip(address, m, d, i, argument)
                if d.status != OK:
                    return
