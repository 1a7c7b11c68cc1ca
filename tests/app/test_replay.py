"""A session's log repeats it to the same bits, in another process, too."""

import subprocess
import sys

import numpy as np
import pytest

import tumble as mj
from tests.app.driver import ROOT
from tests.app.models import PENDULUM
from tumble.app.commands import apply
from tumble.app.history import read_state
from tumble.app.logbook import Logbook, decoded, encoded, load
from tumble.app.pacing import SPEEDS
from tumble.app.replay import replay
from tumble.app.simulation import Simulation
from tumble.ui import intents as I

STEPS = 150


def quiet(kind, value):
    assert kind != "error", value


def began():
    sim = Simulation(log=Logbook())
    m = mj.MjModel.from_xml_string(PENDULUM)
    sim.adopt(m, mj.MjData(m), True)
    apply(sim, I.SetSpeed(index=len(SPEEDS) - 1 if SPEEDS[-1] > SPEEDS[0] else 0), quiet)
    return sim


def act(sim, rng):
    """One random thing that a person or the loop does."""
    m, d = sim.loaded
    choice = int(rng.integers(13))
    if choice < 4:
        sim.burst() if sim.running else sim.idle()
    elif choice == 4:
        apply(sim, I.SetRunning(), quiet)
    elif choice == 5:
        apply(sim, I.Step(int(rng.integers(-5, 6)) or 1), quiet)
    elif choice == 6:
        apply(sim, I.SetField("d.ctrl", float(rng.normal()), 0), quiet)
    elif choice == 7:
        point = rng.normal(size=3)
        apply(sim, I.Perturb({"select": 2, "active": int(rng.integers(1, 3)), "refpos": point, "refselpos": point, "localmass": 1.0, "scale": 1.0}), quiet)
    elif choice == 8:
        apply(sim, I.Perturb({"active": 0}), quiet)
    elif choice == 9:
        apply(sim, I.SetNoise(float(rng.integers(2)) * 0.3, 0.1), quiet)
    elif choice == 10:
        apply(sim, I.Scrub(-int(rng.integers(20))), quiet)
    elif choice == 11:
        apply(sim, [I.Reset(), I.LoadKey(0), I.ResetJoint(0), I.SetBit("disableflags", 2, bool(rng.integers(2)))][int(rng.integers(4))], quiet)
    else:
        apply(sim, I.SetField("opt.gravity", rng.normal(size=3) * 5), quiet)


def bits(sim):
    return read_state(*sim.loaded, sim.history.size).view(np.int64)


@pytest.mark.parametrize("seed", range(12))
def test_random_sessions_come_to_the_same_bits(seed, tmp_path):
    sim, rng = began(), np.random.default_rng(seed)
    for _ in range(STEPS):
        act(sim, rng)
    path = str(tmp_path / "session.zip")
    apply(sim, I.SaveFile("log", path), quiet)
    events, items, end = load(path)
    assert sum(event for event in events if event > 0) > 100
    np.testing.assert_array_equal(end.view(np.int64), bits(sim))
    again = replay(events, items)
    np.testing.assert_array_equal(bits(again), bits(sim))
    assert len(again.history) == len(sim.history) and again.history.position == sim.history.position
    if seed:
        return
    # and in another process; an end that is not that of the log is said
    run = subprocess.run([sys.executable, "-m", "tumble", "replay", path], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0 and "the same bits" in run.stdout, run.stderr
    end[1] += 1e-15
    sim.log.save(path, end)
    run = subprocess.run([sys.executable, "-m", "tumble", "replay", path], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 3 and "number 1" in run.stderr


@pytest.mark.parametrize("value", [1, 0.1, float("inf"), "text", None, True, (1, 2.5), [1], slice(1, 3), np.arange(6.0).reshape(2, 3), np.float64(2.0),
                                   {"a": np.arange(3)}, I.Together((I.SetField("d.qpos", np.ones(2), slice(0, 2)), I.Reset()))])
def test_values_survive(value):
    assert repr(decoded(encoded(value))) == repr(value).replace("np.float64(2.0)", "2.0")


def test_what_is_no_log_is_refused(tmp_path):
    path = tmp_path / "session.zip"
    path.write_text("no")
    with pytest.raises(ValueError, match="no log"):
        load(str(path))
    with pytest.raises(KeyError):
        decoded({"intent": "Quit", "fields": {}})
