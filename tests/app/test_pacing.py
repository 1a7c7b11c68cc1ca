"""Simulation follows the wall clock, and the meters show the achieved rate."""

import math

import pytest

from tumble.app import pacing
from tumble.app.pacing import REAL_TIME, SPEEDS, RateMeter, SyncClock, nearest_speed

# sums of floating-point steps
ROUND = 1e-9


def simulate(clock, speed, seconds, step, tick=1 / 500, cost=0.0):
    """Run the loop against an artificial clock; return the simulated seconds."""
    wall = sim = 0.0
    while wall < seconds:
        lag = clock.lag(wall, sim, speed)
        if lag is None:
            sim += step
            wall += cost
        elif lag > 0:
            for _ in range(math.ceil(lag / step)):
                sim += step
                wall += cost
        wall += tick
    return sim


@pytest.mark.parametrize("speed", [1.0, 0.5, 0.1, 3.0])
def test_follows_the_wall_clock(speed):
    seconds, step = 4.0, 0.002
    assert abs(simulate(SyncClock(), speed, seconds, step) - speed * seconds) < 2 * step + speed / 500


def test_a_slow_machine_is_tied_anew_instead_of_building_up_debt():
    # every step costs four times its simulated time
    clock, step = SyncClock(), 0.01
    sim = simulate(clock, 1.0, 10.0, step, cost=4 * step)
    assert sim <= 10.0 / 4 + 1
    # once steps are fast again, the loop does not speed up to catch up
    lag = clock.lag(10.0, sim, 1.0)
    assert lag is None or lag <= pacing.MISALIGN + ROUND


@pytest.mark.parametrize("wall,sim", [(1.0, -0.5), (-1.0, 0.0), (1.0, 5.0)])
def test_misalignment(wall, sim):
    clock = SyncClock()
    assert clock.lag(0.0, 0.0, 1.0) is None
    assert clock.lag(0.01, 0.0, 1.0) == pytest.approx(0.01)
    # one of the clocks ran backwards, or the two are too far apart
    assert clock.lag(wall, sim, 1.0) is None


def test_change_of_speed_ties_the_clocks_anew():
    clock = SyncClock()
    clock.lag(0.0, 0.0, 1.0)
    assert clock.lag(0.05, 0.0, 0.5) is None
    assert clock.lag(0.09, 0.0, 0.5) == pytest.approx(0.02)


def test_unlimited_speed_is_always_due():
    assert SyncClock().lag(0.0, 0.0, math.inf) == math.inf


def test_budget_leaves_time_for_drawing():
    assert SyncClock(60).budget == pytest.approx(0.7 / 60)


def test_speed_table():
    assert list(SPEEDS) == sorted(SPEEDS, reverse=True)
    assert SPEEDS[REAL_TIME] == 100 and len(SPEEDS) - REAL_TIME == 31
    assert SPEEDS[nearest_speed(100)] == 100
    assert SPEEDS[nearest_speed(9.2)] == 10
    assert SPEEDS[nearest_speed(1e-9)] == 0.1
    # a model may request slow motion, but never more than real time
    assert SPEEDS[nearest_speed(1000)] == 100


def test_meter_measures_the_rate_over_its_window():
    meter = RateMeter(0.5)
    assert meter.rate is None
    for i in range(400):
        meter.add(i * 0.01, i * 0.01 * (1.0 if i < 200 else 0.25))
        if i == 150:
            assert meter.rate == pytest.approx(1.0)
    assert meter.rate == pytest.approx(0.25)
    # a reset of the simulation starts over
    meter.add(4.0, 0.0)
    assert meter.rate is None


def test_pacer_keeps_the_rhythm(monkeypatch):
    now, slept = [0.0], []
    monkeypatch.setattr(pacing.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(pacing.time, "sleep", lambda s: (slept.append(s), now.__setitem__(0, now[0] + s)))
    pacer = pacing.Pacer(50)
    for work in (0.005, 0.012, 0.05, 0.001):
        now[0] += work
        pacer.wait()
    # short frames are padded to 20 ms; a late frame does not shorten the next one
    assert slept == pytest.approx([0.015, 0.008, 0.019])


def test_effort_follows_the_frames():
    """Late frames lower the quality within a few frames, spare time raises it slowly; a software rasterizer starts low."""
    from tumble.app.effort import BEST, PATIENCE_DOWN, ROWS, SOFTWARE_RATE, SOFTWARE_START, Effort

    hardware, software = Effort(60.0, "NVIDIA"), Effort(60.0, "llvmpipe (LLVM 15)")
    assert software.software and not hardware.software
    assert hardware.row == BEST and hardware.smooth
    assert software.index == SOFTWARE_START
    for _ in range(PATIENCE_DOWN * len(ROWS)):
        software.feed(1e3)
    assert software.row == ROWS[-1] and not software.smooth
    for _ in range(50):
        software.feed(1.0)
    assert software.row == ROWS[-1], "not at once"
    for _ in range(100_000):
        software.feed(1.0)
    assert software.row == BEST
    # on such a machine the reference viewer draws nine frames a second; the target is more than three times that
    assert 1e3 / software.budget > 27 and SOFTWARE_RATE > 27


def test_large_models_start_and_stay_in_a_cheap_quality_of_a_software_renderer():
    """A small model afterwards returns to the best quality. A graphics card draws all models at the same quality."""
    from tumble.app.effort import BEST, LARGE, LARGE_ROW, SOFTWARE_START, Effort

    hardware, software = Effort(60.0, "NVIDIA"), Effort(60.0, "llvmpipe (LLVM 15)")
    for effort in (hardware, software):
        effort.expect(int(LARGE))
    assert software.index == SOFTWARE_START and hardware.index == 0
    for effort in (hardware, software):
        effort.expect(int(LARGE) + 1)
    assert software.index == LARGE_ROW and hardware.index == 0
    assert software.still.level == software.row.level and software.still.scale == 1.0 and hardware.still == BEST
    for _ in range(10_000):
        software.feed(1.0)
    assert software.index == LARGE_ROW
    software.expect(0)
    for _ in range(10_000):
        software.feed(1.0)
    assert software.index == 0 and software.still == BEST
