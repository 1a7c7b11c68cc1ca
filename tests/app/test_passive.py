"""The passive viewer's exchange with a script, without a window: the script steps; the user pauses, steps, scrubs,
edits, reloads.
"""

import threading

import numpy as np
import pytest

import tumble as mj
from tests.app.models import PENDULUM
from tumble.app.passive import PassiveHost, from_script, launch_passive
from tumble.app.transfer import transfer
from tumble.ui import intents as I

# seconds to wait for another thread
PATIENT = 10.0
# number of model swaps under a running script: enough that some of them coincide with a step
RELOADS = 200


class Script(threading.Thread):
    """A typical loop of a script."""

    def __init__(self):
        super().__init__(daemon=True)
        self.m = mj.MjModel.from_xml_string(PENDULUM)
        self.d = mj.MjData(self.m)
        self.host = PassiveHost(self.m, self.d)
        self.rounds, self.go_on = 0, True

    def run(self):
        while self.go_on:
            mj.mj_step(*self.host.given)
            self.host.sync(state_only=self.rounds % 2 == 0)
            self.rounds += 1
            threading.Event().wait(0.001)


@pytest.fixture
def script():
    made = Script()
    made.start()
    yield made
    made.go_on = False
    made.host.stop()
    made.join(PATIENT)


def until(condition):
    for _ in range(int(PATIENT / 0.005)):
        if condition():
            return
        threading.Event().wait(0.005)
    raise AssertionError("waited in vain")


def paused(script):
    until(lambda: script.rounds > 5)
    script.host.post(I.SetRunning(False))
    until(lambda: not script.host.status.peek().running)
    return script.rounds


def test_pause_step_and_history(script):
    """While paused, the script waits inside `sync`. Each step lets it run one round; stepping back shows earlier states."""
    rounds = paused(script)
    threading.Event().wait(0.1)
    assert script.rounds == rounds
    time = script.d.time
    script.host.post(I.Step())
    until(lambda: script.rounds == rounds + 1)
    threading.Event().wait(0.1)
    assert script.rounds == rounds + 1 and script.d.time == pytest.approx(time + 0.002)
    later = np.array(script.d.qpos)
    script.host.post(I.Step(-1))
    until(lambda: script.host.status.peek().position == -1)
    until(lambda: script.d.time == pytest.approx(time))
    script.host.post(I.Step(1))
    until(lambda: script.host.status.peek().position == 0)
    until(lambda: np.array_equal(script.d.qpos, later))
    script.host.post(I.SetRunning(True))
    until(lambda: script.rounds > rounds + 5)


def test_sliders_and_options_reach_the_script(script):
    paused(script)
    script.host.post(I.SetField("d.qpos", 0.7, 0))
    script.host.post(I.SetField("opt.gravity", np.array([0, 0, -1.0])))
    script.host.post(I.SetField("d.ctrl", 2.5, 0))
    until(lambda: script.d.qpos[0] == 0.7 and script.d.ctrl[0] == 2.5)
    assert script.m.opt.gravity[2] == -1
    until(lambda: script.host.sim.d.qpos[0] == 0.7)
    script.host.post(I.Reset())
    until(lambda: script.d.time == 0)


def test_a_pull_ends_without_a_trace(script):
    until(lambda: script.rounds > 5)
    script.host.post(
        I.Perturb(
            {"select": 2, "active": 1, "refpos": np.array([1.0, 0, 3]), "refselpos": np.array([1.0, 0, 3]), "localmass": 1.0}
        )
    )
    until(lambda: np.any(script.d.xfrc_applied[2]))
    script.host.post(I.Perturb({"active": 0}))
    until(lambda: not np.any(script.d.xfrc_applied))


def test_measured_speed(script):
    until(lambda: script.host.status.peek().measured is not None)
    assert script.host.status.peek().measured > 0


def test_reload_runs_the_loader(script):
    until(lambda: script.rounds > 20)
    edited = PENDULUM.replace('size="0.2 0.2 0.2"', 'size="0.3 0.2 0.2"')

    def loader():
        m = mj.MjModel.from_xml_string(edited)
        return m, mj.MjData(m)

    m, d, copy, warning = from_script(loader)("model", None)
    assert warning == "" and copy is not d
    before = script.d.time
    script.host.swap(m, d, None, transfer)
    assert dict(script.host.replies.drain())["swapped"].kept > 5
    assert script.host.own.m is m and script.host.own.d is d and d.time >= before, "the motion goes on"
    rounds = script.rounds
    until(lambda: script.rounds > rounds + 3 and d.time > before + 0.004)
    assert script.host.sim.d is not d


def test_a_script_that_steps_without_the_lock_never_has_half_of_a_reload():
    """Models of other sizes replace the script's own, one after another, while it steps as fast as it can: each step
    uses a matching pair.
    """
    bigger = PENDULUM.replace("</worldbody>", '<body pos="3 0 0"><freejoint/><geom size="0.1"/></body></worldbody>')
    models = [mj.MjModel.from_xml_string(text) for text in (bigger, PENDULUM)]
    m = mj.MjModel.from_xml_string(PENDULUM)
    host, failures, over = PassiveHost(m, mj.MjData(m)), [], threading.Event()

    def stepping():
        try:
            while not over.is_set():
                given = host.given
                mj.mj_step(*given)
                assert host.given is given, "what it has changes inside `sync` alone"
                host.sync(state_only=False)
        except Exception as error:
            failures.append(error)

    thread = threading.Thread(target=stepping, daemon=True)
    thread.start()
    for i in range(RELOADS):
        m = models[i % 2]
        host.swap(m, mj.MjData(m), None, None)
        until(lambda m=m: failures or host.given[0] is m)
    over.set()
    thread.join(PATIENT)
    assert not failures and not thread.is_alive()


@pytest.mark.parametrize("bad", [("no model", None), (None, "no data")])
def test_wrong_arguments(bad):
    m = mj.MjModel.from_xml_string(PENDULUM)
    with pytest.raises(ValueError, match="mujoco.Mj"):
        launch_passive(bad[0] or m, bad[1] or mj.MjData(m))


def test_what_is_only_noted_is_shown_when_nothing_newer_comes():
    """Calls in quick succession only record the state; the window makes the picture from the last one."""
    m = mj.MjModel.from_xml_string(PENDULUM)
    d = mj.MjData(m)
    host = PassiveHost(m, d)
    host.sync(state_only=False)
    skipped = 0
    for _ in range(50):
        mj.mj_step(m, d)
        host.sync(state_only=False)
        skipped += host.behind
    assert skipped > 10, "most calls come too soon for anybody to see them"
    d.qpos[0] = 0.3
    host.exchanged = threading.TIMEOUT_MAX
    host.sync(state_only=False)
    assert host.behind and host.sim.d.qpos[0] != 0.3
    d.qpos[0] = 5.0
    host.exchanged = 0.0
    host.catch_up()
    assert host.sim.d.qpos[0] == 0.3 and host.sim.d.time == d.time and not host.behind
    wanted = mj.MjData(m)
    wanted.qpos[:], wanted.qvel[:] = host.sim.d.qpos, host.sim.d.qvel
    mj.mj_forward(m, wanted)
    np.testing.assert_array_equal(host.sim.d.xpos, wanted.xpos)
