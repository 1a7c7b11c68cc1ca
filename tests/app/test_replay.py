"""The log of a session reproduces it bit for bit, even in another process."""

import subprocess
import sys

import numpy as np
import pytest

import tumble as mj
from tests.app.driver import ROOT
from tests.app.models import PENDULUM
from tests.app.sessions import act, began, bits, quiet
from tumble.app.commands import apply
from tumble.app.logbook import decoded, encoded, load
from tumble.app.replay import replay
from tumble.ui import intents as I

STEPS = 150


@pytest.mark.parametrize("seed", range(12))
def test_random_sessions_come_to_the_same_bits(seed, tmp_path):
    sim, rng = began(mj.MjModel.from_xml_string(PENDULUM)), np.random.default_rng(seed)
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
    # another process replays the log, too, and reports an end that differs
    run = subprocess.run([sys.executable, "-m", "tumble", "replay", path], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0 and "bit for bit the same" in run.stdout, run.stderr
    end[1] += 1e-15
    sim.log.save(path, end)
    run = subprocess.run([sys.executable, "-m", "tumble", "replay", path], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 3 and "value 1" in run.stderr


@pytest.mark.parametrize(
    "value",
    [
        1,
        0.1,
        float("inf"),
        "text",
        None,
        True,
        (1, 2.5),
        [1],
        slice(1, 3),
        np.arange(6.0).reshape(2, 3),
        np.float64(2.0),
        {"a": np.arange(3)},
        I.Together((I.SetField("d.qpos", np.ones(2), slice(0, 2)), I.Reset())),
    ],
)
def test_values_survive(value):
    assert repr(decoded(encoded(value))) == repr(value).replace("np.float64(2.0)", "2.0")


def test_what_is_no_log_is_refused(tmp_path):
    path = tmp_path / "session.zip"
    path.write_text("no")
    with pytest.raises(ValueError, match="not a session log"):
        load(str(path))
    with pytest.raises(ValueError, match="must not contain 'Quit'"):
        decoded({"intent": "Quit", "fields": {}})
