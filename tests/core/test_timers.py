"""Timers of stages: parts add up to the whole, and agree with a clock outside, whether steps read the clock or count cycles."""

import pathlib
import time

import pytest

import tumble
from tumble import mjtTimer

HUMANOID = str(pathlib.Path(__file__).parents[2] / "assets" / "models" / "humanoid.xml")
# Steps of 10 ms and more, of which calls and interruptions take at most half.
LEAST_SHARE = 0.5
# The rate of the processor's counter is measured over 10 ms, with an error of at most 1 us.
RATE_ERROR = 1.001
# rounding of sums of some thousand times
ROUNDING = 1e-9
PARTS = {
    "STEP": ["FORWARD", "ADVANCE"],
    "FORWARD": ["POSITION", "VELOCITY", "ACTUATION", "CONSTRAINT"],
    "POSITION": ["POS_KINEMATICS", "POS_INERTIA", "POS_COLLISION", "POS_MAKE", "POS_PROJECT"],
    "POS_COLLISION": ["COL_BROAD", "COL_NARROW"],
}


def durations(d):
    return {t.name[8:]: d.timer[int(t)].duration for t in list(mjtTimer.__members__.values())[: len(d.timer)]}


def run(m, d, steps):
    """Return (seconds of each timer during these steps, seconds outside)."""
    before, begin = durations(d), time.perf_counter()
    tumble.mj_step(m, d, steps)
    outside = time.perf_counter() - begin
    return {name: after - before[name] for name, after in durations(d).items()}, outside


@pytest.mark.parametrize("cycle", ["measured", "none"])
def test_parts_add_up(cycle):
    m = tumble.MjModel.from_xml_path(HUMANOID)
    d = tumble.MjData(m)
    tumble.mj_step(m, d, 2000)
    if cycle == "none":
        d.cycle = -1.0
    else:
        assert d.cycle != 0, "no step was able to measure the rate of the processor's counter"
    spent, outside = run(m, d, 1000)
    assert LEAST_SHARE * outside < spent["STEP"] < RATE_ERROR * outside
    for whole, parts in PARTS.items():
        assert all(spent[part] >= 0 for part in parts)
        assert sum(spent[part] for part in parts) <= spent[whole] + ROUNDING, whole


def test_calls_are_counted():
    """As in MuJoCo, a step counts once, and kinematics twice: transmissions belong to it."""
    m = tumble.MjModel.from_xml_path(HUMANOID)
    d = tumble.MjData(m)
    # The first steps are interrupted while stages are loaded, and their parts are counted again.
    tumble.mj_step(m, d, 2000)
    before = [t.number for t in d.timer]
    tumble.mj_step(m, d, 10)
    counts = {t.name[8:]: d.timer[int(t)].number - before[int(t)] for t in list(mjtTimer.__members__.values())[: len(d.timer)]}
    assert counts["STEP"] == counts["FORWARD"] == counts["POS_COLLISION"] == counts["COL_NARROW"] == 10
    assert counts["POS_KINEMATICS"] == 20


def test_the_time_of_a_control_callback_belongs_to_no_part():
    m = tumble.MjModel.from_xml_path(HUMANOID)
    d = tumble.MjData(m)
    tumble.mj_step(m, d, 10)
    tumble.set_mjcb_control(lambda model, data: time.sleep(0.01))
    try:
        spent, outside = run(m, d, 5)
    finally:
        tumble.set_mjcb_control(None)
    assert spent["FORWARD"] > LEAST_SHARE * outside
    assert sum(spent[part] for part in PARTS["FORWARD"]) < LEAST_SHARE * outside


def test_timers_that_are_off_stay_as_they_are():
    m = tumble.MjModel.from_xml_path(HUMANOID)
    d = tumble.MjData(m)
    tumble.mj_step(m, d)
    d.timing = 0
    before = durations(d)
    tumble.mj_step(m, d, 3)
    assert durations(d) == before
