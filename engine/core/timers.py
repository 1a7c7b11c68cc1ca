"""Stage timers: seconds and calls of each row of mjtTimer, in `Data.timer`.

Reading the clock takes as long as many a stage of a small model. So where one timer stops and another starts or stops at the
same place, both use one reading; and the processor's counter of cycles, which is read in half the time, replaces the clock as
soon as its rate is known.
"""

from ..machine.jit import inline, kernel
from ..machine.lang import clock_ns, cycles, invoke_clock
from ..tables.stage_rows import stage_id
from .stages import table_entry

HOOK_TIME = stage_id("hook_time")
# in nanoseconds: how long the rate is measured, and how long a reading may take to be precise enough
WINDOW, PRECISE = 10_000_000, 1_000


@kernel
def tune_clock(d):
    """Measure how long a cycle of the processor's counter is. From then on, `now` counts from another moment, so no timer may
    be running."""
    before, count = clock_ns(), cycles()
    after = clock_ns()
    if count == 0:
        d.cycle = -1.0
    elif after - before > PRECISE:
        # This thread was interrupted.
        return
    elif d.first_cycle == 0:
        d.first_cycle, d.first_clock = count, before
    elif before - d.first_clock > WINDOW:
        d.cycle = 1e-9 * (before - d.first_clock) / (count - d.first_cycle)


@inline
def first_now(d):
    """Return the current time at the start of a step. No timer runs there, so the way to measure time may change."""
    if d.timing != 0 and d.cycle == 0:
        tune_clock(d)
    return now(d)


@inline
def now(d):
    """Return seconds on a monotonic clock, or on the user's; 0 if timers are off."""
    if d.timing == 0:
        return 0.0
    address = table_entry(d, HOOK_TIME)
    if address != 0:
        d.clock = invoke_clock(address, d)
    else:
        d.clock = cycles() * d.cycle if d.cycle > 0 else clock_ns() * 1e-9
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
