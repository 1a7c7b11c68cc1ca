"""Reset if sleep is enabled: computes the poses of static bodies once, and puts trees marked `init` to sleep."""

from ..core.counts import say
from ..core.report import NOT_ASLEEP, SLEEPLESS
from ..core.stages import BROKEN, run
from ..core.timers import now
from ..dynamics.awake import update_awake
from ..machine.jit import inline, stage
from ..tables.compat_rows import bit
from ..tables.enums import mjtSleepPolicy
from ..tables.stage_rows import stage_id
from .forward import CAMLIGHT, COM_POS, KINEMATICS, STAGE_NONE, TENDON, forward
from .reset import FULLY_AWAKE

INIT = int(mjtSleepPolicy.mjSLEEP_INIT)
CONST_WIDE = bit("const_wide")
SLEEP_TREES = stage_id("sleep_trees")


@inline
def stay_awake(m, d):
    """Fully wake up trees that are marked `init` but could not start asleep."""
    for t in range(m.ntree):
        if m.tree_sleep_policy[t] == INIT and d.tree_asleep[t] < 0:
            d.tree_asleep[t] = FULLY_AWAKE


@stage
def reset_sleep(m, d):
    """reads tree_sleep_policy; writes poses of static bodies and, if trees start asleep, every result of forward dynamics."""
    update_awake(m, d, True)
    asleep = 0
    for t in range(m.ntree):
        asleep += m.tree_sleep_policy[t] == INIT

    if asleep == 0:
        if run(m, d, KINEMATICS) and run(m, d, COM_POS) and (m.ncam + m.nlight == 0 or run(m, d, CAMLIGHT)) and m.ntendon:
            run(m, d, TENDON)
        update_awake(m, d, False)
        return

    # Trees marked `init` fall asleep after forward dynamics has run once.
    if not forward(m, d, STAGE_NONE, True, now(d)):
        return
    for t in range(m.ntree):
        d.tree_asleep[t] = -1 if m.tree_sleep_policy[t] == INIT else FULLY_AWAKE
    if not run(m, d, SLEEP_TREES):
        return

    # Check that all trees marked `init` are asleep now.
    for t in range(m.ntree):
        if m.tree_sleep_policy[t] == INIT and d.tree_asleep[t] < 0:
            if m.compat_bits & CONST_WIDE == 0:
                d.status, d.status_arg = BROKEN, NOT_ASLEEP + m.tree_bodyadr[t]
                return
            say(d, SLEEPLESS, m.tree_bodyadr[t])
            stay_awake(m, d)
            break

    for i in range(m.nv):
        d.qacc_smooth[i] = d.qfrc_smooth[i] = 0.0
    d.nefc = d.nisland = 0
    for k in range(d.ncon):
        d.contact_efc_address[k] = -1
    update_awake(m, d, False)
