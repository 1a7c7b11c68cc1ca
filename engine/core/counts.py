"""Counts of warnings (mjtWarning) in a Data: compiled code counts, and tells the first of a kind to `hook_warning` (see core.hooks)."""

from ..machine.jit import inline, kernel
from ..machine.lang import as_model, header_of, invoke_filter
from ..tables.stage_rows import stage_id
from .stages import table_entry

HOOK_WARNING = stage_id("hook_warning")


@kernel
def tell(d, kind, info):
    """Say a warning that was not counted yet, unless the same pass said it before it stopped."""
    bit = 1 << kind
    hook = table_entry(d, HOOK_WARNING)
    if d.said & bit:
        d.said ^= bit
    elif hook != 0 and d.warning_number[kind] == 0:
        # the Model is not known here, and not needed: the Data stands in its place
        invoke_filter(hook, as_model(header_of(d)), d, kind, info)


@kernel
def say(d, kind, info):
    """Say what has no count."""
    hook = table_entry(d, HOOK_WARNING)
    if hook != 0:
        invoke_filter(hook, as_model(header_of(d)), d, kind, info)


@inline
def count_warning(d, kind, info):
    """Count a warning about an element or size, and say it if it is the first of its kind (mj_warning)."""
    tell(d, kind, info)
    d.warning_number[kind] += 1
    d.warning_lastinfo[kind] = info
