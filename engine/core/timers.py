"""Stage timers: seconds and calls of each row of mjtTimer, in `Data.timer`.

Reading the clock takes as long as many a stage of a small model. So where one timer stops and another starts or stops at the
same place, both use one reading.
"""

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
    d.clock = clock_ns() * 1e-9 if address == 0 else invoke_clock(address, d)
    return d.clock


@inline
def just_now(d):
    """Return what `now` returned last."""
    return d.clock


@inline
def add_time(d, k, begin):
    """Add the time from `begin` to the last reading of the clock to timer k."""
    if d.timing != 0:
        d.timer_duration[k] += d.clock - begin
        d.timer_number[k] += 1


@inline
def stop_timer(d, k, begin):
    """Add the time since `begin` to timer k; return the current time."""
    end = now(d)
    add_time(d, k, begin)
    return end
