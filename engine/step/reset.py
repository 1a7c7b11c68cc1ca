"""Resets a Data to the model's initial configuration."""

from ..core.stages import AT_RESET, run, run_plugins
from ..dynamics.actuator_models import is_turning
from ..dynamics.awake import update_awake
from ..machine.jit import inline, kernel, stage
from ..machine.lang import address_of, longs_at
from ..tables.compat_rows import HISTORY, PLASTIC, SERVO
from ..tables.consts import mjMINAWAKE
from ..tables.enums import mjtCtrlChart, mjtEnableBit
from ..tables.stage_rows import stage_id

FULLY_AWAKE = -(1 + mjMINAWAKE)
SLEEP = int(mjtEnableBit.mjENBL_SLEEP)
QUATERNION = int(mjtCtrlChart.mjCHART_QUAT)
RESET_SLEEP, RESET_HISTORY, RESET_PLASTIC = stage_id("reset_sleep"), stage_id("reset_history"), stage_id("reset_plastic")


@stage
def reset_data(m, d):
    """reads qpos0, eq_active0, body_pos, body_quat; writes every field of Data; plugins reset their state."""
    reset(m, d)


@kernel
def reset(m, d):
    """Reset everything; return whether this completed. If sleep is enabled, also compute poses of static bodies, which may need
    stages that are not compiled yet.
    """
    set_initial(m, d)
    if m.features & HISTORY and not run(m, d, RESET_HISTORY):
        return False
    if m.features & PLASTIC and not run(m, d, RESET_PLASTIC):
        return False
    if m.opt.enableflags & SLEEP and not run(m, d, RESET_SLEEP):
        return False
    return run_plugins(m, d, AT_RESET)


@kernel
def clear_arrays(m, d):
    """writes 0 to all arrays, except the state of plugins, which reset it themselves."""
    start = d.arrays_address
    # Arrays begin and end at 8-byte boundaries.
    words = longs_at(start, d.arrays_bytes // 8)
    first = (address_of(d.plugin_state, 0) - start) // 8 if m.npluginstate else 0
    for k in range(first):
        words[k] = 0
    for k in range(first + m.npluginstate, d.arrays_bytes // 8):
        words[k] = 0


@kernel
def set_initial(m, d):
    clear_counts(d)
    if d.fresh:
        d.fresh = 0
    else:
        clear_arrays(m, d)

    restore_plugin_data(m, d)
    d.time = 0.0
    for i in range(m.nq):
        d.qpos[i] = m.qpos0[i]
    set_quaternions(m, d)
    for i in range(m.neq):
        d.eq_active[i] = m.eq_active0[i]
    for t in range(m.ntree):
        d.tree_asleep[t] = FULLY_AWAKE

    # Set mocap bodies to their initial poses.
    for b in range(m.nbody):
        k = m.body_mocapid[b]
        if k >= 0:
            for c in range(3):
                d.mocap_pos[k, c] = m.body_pos[b, c]
            for c in range(4):
                d.mocap_quat[k, c] = m.body_quat[b, c]
    update_awake(m, d, False)


@kernel
def set_quaternions(m, d):
    """Set controls that are orientations to the unit quaternion, because zeros are not a valid quaternion."""
    if m.features & SERVO:
        for i in range(m.nactuator):
            if is_turning(m, i) and m.actuator_ctrlspec[i] == QUATERNION:
                d.ctrl[m.actuator_ctrladr[i]] = 1.0


@inline
def restore_plugin_data(m, d):
    """writes plugin, plugin_data: the values of this Data's own instances. Copying another Data may have overwritten them."""
    for i in range(m.nplugin):
        d.plugin[i] = m.plugin[i]
        d.plugin_data[i] = longs_at(d.plugin_cells, m.nplugin)[i]


@kernel
def clear_counts(d):
    """Clear the counts of contacts, constraints and islands, the memory statistics, and the record of reported warnings."""
    d.ncon = d.ne = d.nf = d.nl = d.nefc = d.nJ = d.nA = 0
    d.nisland = d.nidof = 0
    d.maxuse_con = d.maxuse_efc = d.maxuse_stack = d.maxuse_arena = d.parena = d.said = 0
