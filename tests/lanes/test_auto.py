"""lanes='auto': small jobs have the bits of single steps, large jobs switch to lanes that another process makes, and a failure
there stops no step.
"""

import subprocess
import time
import warnings

import numpy as np
import pytest

import tumble as mj
from tests.tolerance import LANES, difference
from tumble import batch
from tumble.engine.batch import lanes as choice
from tumble.engine.lanes import build

# the first number differs in each test, so that no other test has had the model translated
PENDULUM = """
<mujoco>
  <worldbody>
    <body pos="0 0 {height}"><joint name="a" axis="0 1 0" damping=".1"/>
      <geom size=".05" pos=".3 0 0" mass="1" contype="0" conaffinity="0"/>
      {more}
    </body>
  </worldbody>
  <actuator><motor joint="a"/></actuator>
</mujoco>"""
FLEX = """
<mujoco>
  <worldbody><flexcomp name="cloth" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" mass="1"/></worldbody>
</mujoco>"""
PATIENCE = 60.0


def pendulum(more=""):
    return mj.MjModel.from_xml_string(PENDULUM.format(height=1 + time.time_ns() % 10**9 * 1e-9, more=more))


def begun(model, lanes, worlds=16):
    b = batch.Batch(model, worlds, 1, lanes=lanes)
    b.qpos = np.random.default_rng(3).uniform(-1, 1, b.qpos.shape)
    return b


def until_lanes(b):
    """Return the number of steps until lanes are used."""
    end = time.monotonic() + PATIENCE
    while b._lanes.made is None and b._lanes.wanted == "auto":
        assert time.monotonic() < end
        b.step()
        time.sleep(0.01)


@pytest.fixture
def at_once(monkeypatch):
    """Lanes are used as soon as they exist, whether or not they are faster."""
    monkeypatch.setattr(choice, "FEW", 1)
    monkeypatch.setattr(choice, "MOST_CALLS", 0)


@pytest.fixture
def processes(monkeypatch):
    """Number of processes started."""
    found, popen = [], subprocess.Popen
    monkeypatch.setattr(build.subprocess, "Popen", lambda *args, **named: found.append(popen(*args, **named)) or found[-1])
    yield found
    for process in found:
        process.kill()
        process.wait()


def test_small_jobs_have_the_bits_of_single_steps(processes):
    m = pendulum()
    auto, single = begun(m, "auto"), begun(m, False)
    for b in (auto, single):
        b.step(nstep=200)
    assert auto.state.tobytes() == single.state.tobytes()
    assert not processes


def test_large_jobs_go_over_to_lanes(at_once, processes):
    m = pendulum()
    b = begun(m, "auto")
    b.step()
    assert b._lanes.made is None, "the first step waits for nothing"
    until_lanes(b)
    assert len(processes) == 1
    assert b._lanes.wanted == "auto"
    b.state[:] = begun(m, False).state
    lanes, single = begun(m, True), begun(m, False)
    for x in (b, lanes, single):
        x.step()
    assert b.state.tobytes() == lanes.state.tobytes()
    assert difference(b.state, single.state) < LANES
    # the next batch of this model uses the translated program from its first step
    after = begun(m, "auto")
    after.step()
    assert after._lanes.made is not None
    assert len(processes) == 1


def test_batches_of_one_model_share_a_process(at_once, processes):
    m = pendulum()
    one, two = begun(m, "auto"), begun(m, "auto")
    one.step()
    two.step()
    until_lanes(one)
    until_lanes(two)
    assert len(processes) == 1


def test_models_that_have_no_lanes_stay_with_single_steps(at_once, processes):
    b = batch.Batch(mj.MjModel.from_xml_string(FLEX), 4, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        until_lanes(b)
    assert b._lanes.wanted is False
    assert not processes
    b.step()


def test_a_process_that_dies_stops_no_step(at_once, processes):
    b = begun(pendulum(), "auto")
    b.step()
    processes[0].kill()
    processes[0].wait()
    until_lanes(b)
    assert b._lanes.wanted is False, "it is not tried again"
    b.step()


def test_where_no_process_can_be_started_it_is_said_once(at_once, monkeypatch):
    def refuse(*args, **named):
        raise OSError("no processes here")

    monkeypatch.setattr(build.subprocess, "Popen", refuse)
    b = begun(pendulum(), "auto")
    with pytest.warns(choice.LanesWarning, match="no processes here") as found:
        b.step()
    assert found[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        b.step()


def test_lanes_that_are_asked_for_and_missing_are_said_where_it_is_called():
    b = batch.Batch(mj.MjModel.from_xml_string(FLEX), 4, 1, lanes=True)
    with pytest.warns(choice.LanesWarning) as found:
        b.step()
    assert found[0].filename == __file__


def test_models_that_change_with_every_call_are_not_translated_each_time(at_once, processes):
    b, end = begun(pendulum(), "auto"), time.monotonic() + PATIENCE
    while b._lanes.wanted == "auto":
        assert time.monotonic() < end
        if b._lanes.made is not None and b._lanes.made.current():
            b.shared_model.opt.timestep *= 1.01
        b.step()
        time.sleep(0.01)
    assert len(processes) == choice.MOST_TRANSLATIONS


def test_functions_that_are_not_compiled_keep_worlds_alone(at_once, processes):
    b = begun(pendulum(), "auto")

    def push(m, d, i):
        d.ctrl[0] = time.monotonic()

    with pytest.warns(batch.SlowFunction):
        b.before_step(push)
    b.step()
    assert not processes


class Clock:
    """Threads whose calls take a given time, on lanes or world by world."""

    count, spent = 1, 0.0

    def __init__(self, **seconds):
        self.seconds = seconds

    def calls(self, made, batch_, count):
        """Make calls of one step; return whether each ran on lanes."""
        found = []
        for _ in range(count):
            lanes = made.lanes_for(batch_._expansion, self, "", frozenset(), 1)
            found.append(lanes is not None)
            self.spent = self.seconds["lanes" if lanes else "alone"]
        return found


@pytest.mark.parametrize("faster", ["lanes", "alone"])
def test_what_is_faster_stays(monkeypatch, faster):
    """Calls of both kinds alternate until they took long enough; then the faster kind is used."""
    monkeypatch.setattr(choice, "FEW", 1)
    b = begun(pendulum(), "auto")
    until_lanes(b)
    made, clock = b._lanes, Clock(**{"lanes": 0.03, "alone": 0.03, faster: 0.02})
    made._trial = choice.Trial()
    found = clock.calls(made, b, 20)
    assert found[:4] == [True, False, True, False]
    assert set(found[-8:]) == {faster == "lanes"}


@pytest.mark.parametrize("faster", ["lanes", "alone"])
@pytest.mark.parametrize("factor", [2.0, 0.5])
def test_the_choice_is_made_again_when_steps_take_another_time(monkeypatch, faster, factor):
    monkeypatch.setattr(choice, "FEW", 1)
    b = begun(pendulum(), "auto")
    until_lanes(b)
    made, slower = b._lanes, "alone" if faster == "lanes" else "lanes"
    clock = Clock(**{faster: 0.02, slower: 0.03})
    made._trial = choice.Trial()
    assert set(clock.calls(made, b, 20)[-8:]) == {faster == "lanes"}

    # noise changes nothing
    clock.seconds[faster] = 0.022
    assert set(clock.calls(made, b, 200)) == {faster == "lanes"}

    # now the other kind is faster
    clock.seconds = {faster: 0.02 * factor, slower: 0.015 * factor}
    found = clock.calls(made, b, 60)
    assert set(found[-8:]) == {faster != "lanes"}


def test_trials_become_rare(monkeypatch):
    """If the speed keeps changing, the pauses between trials become longer."""
    monkeypatch.setattr(choice, "FEW", 1)
    b = begun(pendulum(), "auto")
    until_lanes(b)
    made, clock = b._lanes, Clock(lanes=0.03, alone=0.02)
    made._trial, found = choice.Trial(), []
    for k in range(100):
        clock.seconds = {"lanes": 0.03, "alone": 0.02} if k % 2 else {"lanes": 0.3, "alone": 0.2}
        found.append(sum(clock.calls(made, b, 100)))
    assert sum(found[:20]) > 3 * sum(found[-20:])


def test_a_call_that_cannot_run_on_lanes_is_not_measured():
    trial = choice.Trial()
    assert trial.says_lanes(9.0, 10)
    trial.skip()
    assert trial.says_lanes(1e-9, 10), "the time of the skipped call says nothing about lanes"
    assert not trial.says_lanes(1.0, 10)
    assert trial.says_lanes(2.0, 10) and not trial.says_lanes(1.0, 10)
    assert trial.says_lanes(2.0, 10) and not trial.rests(1.0, 10)


def test_a_call_without_steps_is_not_measured():
    trial = choice.Trial()
    assert trial.says_lanes(9.0, 0) and trial.says_lanes(1.0, 10) and not trial.says_lanes(1.0, 0)
    assert not trial.says_lanes(1.0, 10)
