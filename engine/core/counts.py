"""Counts of warnings (mjtWarning) in a Data. Compiled code counts each warning and reports the first of each type to
`hook_warning` (core.hooks)."""

from ..machine.jit import inline, kernel
from ..machine.lang import as_model, header_of, invoke_filter
from ..tables.stage_rows import stage_id
from .stages import table_entry

HOOK_WARNING = stage_id("hook_warning")


@kernel
def tell(d, kind, info):
    """Report a warning if it is the first of its type (its count is 0), unless an interrupted run of this step has already
    reported it."""
    bit = 1 << kind
    hook = table_entry(d, HOOK_WARNING)
    if d.said & bit:
        d.said ^= bit
    elif hook != 0 and d.warning_number[kind] == 0:
        # The Model is unknown here. Pass the Data in place of the Model, which the hook does not use.
        invoke_filter(hook, as_model(header_of(d)), d, kind, info)


@kernel
def say(d, kind, info):
    """Report a warning without counting it."""
    hook = table_entry(d, HOOK_WARNING)
    if hook != 0:
        invoke_filter(hook, as_model(header_of(d)), d, kind, info)


@inline
def count_warning(d, kind, info):
    """Count a warning about an element or size, and report the warning if it is the first of its type (mj_warning)."""
    tell(d, kind, info)
    d.warning_number[kind] += 1
    d.warning_lastinfo[kind] = info
