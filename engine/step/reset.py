"""Reset of a Data to the model's initial configuration, and loading of key frames."""
from ..core.consts import mjMINAWAKE
from ..core.enums import mjtEnableBit
from ..core.jit import kernel, stage
from ..core.lang import bytes_at
from ..core.stages import run, stage_id
from ..dynamics.awake import update_awake

FULLY_AWAKE = -(1 + mjMINAWAKE)
SLEEP = int(mjtEnableBit.mjENBL_SLEEP)
RESET_SLEEP = stage_id("reset_sleep")


@stage
def reset_data(m, d):
    """reads qpos0, eq_active0, body_pos, body_quat; writes every field of Data except plugin state."""
    reset(m, d)


@kernel
def reset(m, d):
    """Whether it completed: with sleep, static bodies get their poses, which may take stages that are not there yet."""
    set_initial(m, d)
    return m.opt.enableflags & SLEEP == 0 or run(m, d, RESET_SLEEP)


@kernel
def set_initial(m, d):
    clear_counts(d)
    # plugin state survives a reset: plugins reset it themselves
    start = d.arrays_address
    raw = bytes_at(start, d.arrays_bytes)
    for k in range(d.arrays_bytes):
        raw[k] = 0
    d.time = 0.0
    for i in range(m.nq):
        d.qpos[i] = m.qpos0[i]
    for i in range(m.neq):
        d.eq_active[i] = m.eq_active0[i]
    for t in range(m.ntree):
        d.tree_asleep[t] = FULLY_AWAKE
    for b in range(m.nbody):
        k = m.body_mocapid[b]
        if k >= 0:
            for c in range(3):
                d.mocap_pos[k, c] = m.body_pos[b, c]
            for c in range(4):
                d.mocap_quat[k, c] = m.body_quat[b, c]
    update_awake(m, d, False)


@kernel
def clear_counts(d):
    """writes the counts of contacts, constraints and islands, and the memory statistics."""
    d.ncon = d.ne = d.nf = d.nl = d.nefc = d.nJ = d.nA = 0
    d.nisland = d.nidof = 0
    d.maxuse_con = d.maxuse_efc = d.maxuse_stack = d.maxuse_arena = 0
