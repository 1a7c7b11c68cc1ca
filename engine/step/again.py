"""Forward dynamics repeated in the middle of a step: in Runge-Kutta substeps, and after trees have fallen asleep."""

from ..core.stages import stage_address
from ..machine.jit import stage
from ..machine.lang import invoke_skip
from ..tables.stage_rows import stage_id

FORWARD_SKIP = stage_id("forward_skip")
STAGE_NONE, STAGE_POS = 0, 1


@stage
def forward_substep(m, d):
    """Run forward dynamics without sensors and energy."""
    address = stage_address(d, FORWARD_SKIP)
    if address != 0:
        invoke_skip(address, m, d, STAGE_NONE, 1)


@stage
def forward_after_sleep(m, d):
    """Recompute velocity-dependent quantities and accelerations."""
    address = stage_address(d, FORWARD_SKIP)
    if address != 0:
        invoke_skip(address, m, d, STAGE_POS, 0)
