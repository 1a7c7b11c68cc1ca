"""Stage timers: seconds and calls of each row of mjtTimer, in `Data.timer`."""

from ..machine.jit import inline
from ..machine.lang import clock_ns, invoke_clock
from ..tables.stage_rows import stage_id
from .stages import table_entry

HOOK_TIME = stage_id("hook_time")


@inline
def now(d):
    """Return seconds on a monotonic clock, or on the user's; 0 if timers are off."""
    if d.timing == 0:
        return 0.0
    address = table_entry(d, HOOK_TIME)
    return clock_ns() * 1e-9 if address == 0 else invoke_clock(address, d)


@inline
def stop_timer(d, k, begin):
    """Add the time since `begin` to timer k; return the present time."""
    if d.timing == 0:
        return 0.0
    end = now(d)
    d.timer_duration[k] += end - begin
    d.timer_number[k] += 1
    return end
