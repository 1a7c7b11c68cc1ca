"""Threads, processes and signals: a Data used twice at once is an error that names both places; pools survive a fork; Ctrl+C ends long calls."""
import copy
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import tumble
from tests.app.driver import ROOT
from tumble import rollout
from tumble.engine.core.busy import BusyError

MODEL = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <replicate count="6" offset=".15 0 .2"><body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body></replicate>
  </worldbody>
</mujoco>"""
MANY = 10**9
SECONDS = 200
# Ctrl+C to the end of a call; the other half is for a machine that is busy with other things
LATENCY = 2 * 0.2


@pytest.fixture(scope="module")
def model():
    m = tumble.MjModel.from_xml_string(MODEL)
    tumble.mj_step(m, tumble.MjData(m), 100)
    return m


class Held:
    """A Data that another thread is in: a control callback waits there until the block ends."""

    def __init__(self, m, d):
        self.m, self.d, self.inside, self.go = m, d, threading.Event(), threading.Event()
        self.error = None

    def _wait(self, m, d):
        if d is self.d:
            self.inside.set()
            self.go.wait(SECONDS)

    def _run(self):
        try:
            tumble.mj_step(self.m, self.d)
        except BaseException as error:
            self.error = error

    def __enter__(self):
        tumble.set_mjcb_control(self._wait)
        self.thread = threading.Thread(target=self._run, name="the first")
        self.thread.start()
        assert self.inside.wait(SECONDS)
        return self

    def __exit__(self, *_):
        self.go.set()
        self.thread.join(SECONDS)
        tumble.set_mjcb_control(None)


USES = {
    "step": lambda m, d: tumble.mj_step(m, d),
    "many steps": lambda m, d: tumble.mj_step(m, d, 10),
    "forward": lambda m, d: tumble.mj_forward(m, d),
    "reset": lambda m, d: tumble.mj_resetData(m, d),
    "copied": lambda m, d: copy.copy(d),
    "copied with its model": lambda m, d: copy.deepcopy(d),
    "copied by name": lambda m, d: tumble.mj_copyData(tumble.MjData(m), m, d),
    "overwritten": lambda m, d: tumble.mj_copyData(d, m, tumble.MjData(m)),
    "pickled": lambda m, d: pickle.dumps(d),
    "state": lambda m, d: tumble.mj_setState(m, d, np.zeros(m.nq), int(tumble.mjtState.mjSTATE_QPOS)),
    "rollout": lambda m, d: rollout.rollout(m, d, np.zeros((1, tumble.mj_stateSize(m, int(tumble.mjtState.mjSTATE_FULLPHYSICS)))), nstep=2),
}


@pytest.mark.parametrize("use", USES)
def test_two_threads_on_one_data(model, use):
    d = tumble.MjData(model)
    with Held(model, d) as first:
        with pytest.raises(BusyError) as caught:
            USES[use](model, d)
        # both places: file and line of the two callers
        assert str(caught.value).count(os.path.basename(__file__)) == 2
        assert "thread 'the first'" in str(caught.value) and "thread 'MainThread'" in str(caught.value)
    assert first.error is None and d.time == model.opt.timestep
    # it is free again
    USES[use](model, d)


def test_a_callback_may_use_its_own_data(model):
    d, seen = tumble.MjData(model), []

    def control(m, data):
        if data is d:
            tumble.mj_kinematics(m, data)
            seen.append(copy.copy(data).time)
    tumble.set_mjcb_control(control)
    try:
        tumble.mj_step(model, d, 3)
    finally:
        tumble.set_mjcb_control(None)
    # a step that asks for more room runs again
    assert sorted(set(seen)) == [0, model.opt.timestep, 2 * model.opt.timestep] and d.storage.holder is None


def test_threads_that_race_for_one_data(model):
    """Whatever order they come in: steps or errors, and a state that any order of whole steps would give."""
    d, refused = tumble.MjData(model), []

    def work():
        for _ in range(40):
            try:
                tumble.mj_step(model, d, 20)
            except BusyError:
                refused.append(1)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    other = tumble.MjData(model)
    steps = round(d.time / model.opt.timestep)
    assert steps == 20 * (160 - len(refused))
    tumble.mj_step(model, other, steps)
    assert (d.qpos == other.qpos).all() and d.storage.holder is None


def test_the_last_reference_goes_while_a_thread_steps(model):
    threads = []
    for _ in range(4):
        d = tumble.MjData(model)
        threads.append(threading.Thread(target=tumble.mj_step, args=(model, d, 2000)))
        threads[-1].start()
        del d
    for t in threads:
        t.join()


def test_an_error_frees_the_data(model):
    d = tumble.MjData(model)

    def control(m, data):
        raise ValueError("no")
    tumble.set_mjcb_control(control)
    try:
        for call in (tumble.mj_step, tumble.mj_forward):
            with pytest.raises(ValueError, match="no"):
                call(model, d)
            assert d.storage.holder is None
    finally:
        tumble.set_mjcb_control(None)


# ---- processes ---------------------------------------------------------------------------------------------------------------
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("what", ["pool", "busy data"])
def test_a_fork(what):
    """In a process of its own, whose child inherits a pool without its threads, or a Data that a thread was in."""
    code = FORK.format(model=MODEL, what=what)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=SECONDS, cwd=ROOT)
    assert done.stdout.split() == ["child", "0", "parent"], done.stderr


FORK = '''
import os, threading, time
import numpy as np
import tumble
from tumble import rollout
m = tumble.MjModel.from_xml_string("""{model}""")
data = [tumble.MjData(m) for _ in range(2)]
state = np.zeros((8, tumble.mj_stateSize(m, int(tumble.mjtState.mjSTATE_FULLPHYSICS))))
state[:, 1:1 + m.nq] = m.qpos0
def work():
    if {what!r} == "pool":
        return rollout.rollout(m, data, state, nstep=5, persistent_pool=True)[0]
    tumble.mj_step(m, data[0], 5)
    return data[0].qpos.copy()
first = work()
if {what!r} == "busy data":
    threading.Thread(target=tumble.mj_step, args=(m, data[0], 10**9), daemon=True).start()
    time.sleep(0.2)
child = os.fork()
if not child:
    again = work()
    print("child" if {what!r} == "busy data" or (again == first).all() else "differs", flush=True)
    os._exit(0)
print(os.waitpid(child, 0)[1])
if {what!r} == "pool":
    assert (work() == first).all()
print("parent", flush=True)
os._exit(0)
'''


# ---- signals -----------------------------------------------------------------------------------------------------------------
INTERRUPTED = '''
import signal, sys, threading, time
import numpy as np
import tumble
from tumble import rollout
m = tumble.MjModel.from_xml_string("""{model}""")
data = [tumble.MjData(m) for _ in range(3)]
tumble.mj_step(m, data[0], 50)
tumble.mj_resetData(m, data[0])
size = tumble.mj_stateSize(m, int(tumble.mjtState.mjSTATE_FULLPHYSICS))
state = np.zeros((6, size))
state[:, 1:1 + m.nq] = m.qpos0
sent = []
def interrupt():
    time.sleep(0.7)
    sent.append(time.monotonic())
    signal.raise_signal(signal.SIGINT)
rollout.rollout(m, data[:1], state[:1], nstep=2)
out = np.zeros((6, 400_000, size))
tumble.mj_resetData(m, data[0])
threading.Thread(target=interrupt).start()
try:
    {call}
    print("went through")
except KeyboardInterrupt:
    late = time.monotonic() - sent[0]
    print("late" if late > {latency} else "stopped")
# whole steps, and everything usable
d = data[0]
steps = round(d.time / m.opt.timestep)
other = tumble.MjData(m)
if {bulk}:
    tumble.mj_step(m, other, steps)
    assert steps > 0 and (d.qpos == other.qpos).all() and (d.qvel == other.qvel).all()
time.sleep(0.2)
before = [x.time for x in data]
time.sleep(0.2)
assert [x.time for x in data] == before, "something still steps"
for x in data:
    tumble.mj_step(m, x, 3)
print("consistent")
'''
CALLS = {"mj_step": "tumble.mj_step(m, data[0], 10**9)",
         "rollout": "rollout.rollout(m, data[:1], state[:1], nstep=400_000, state=out[:1], sensordata=np.zeros((1, 400_000, 0)))",
         "rollout on threads": "rollout.rollout(m, data, state, nstep=400_000, state=out, sensordata=np.zeros((6, 400_000, 0)))"}


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
@pytest.mark.parametrize("call", CALLS)
def test_an_interrupt_ends_long_calls(call):
    code = INTERRUPTED.format(model=MODEL, call=CALLS[call], latency=LATENCY, bulk=call == "mj_step")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=SECONDS, cwd=ROOT)
    assert done.stdout.split() == ["stopped", "consistent"], done.stderr


def test_slices_change_nothing(model):
    """The same steps in one call on the main thread, which makes slices, on another thread, which does not, and one by one."""
    data = [tumble.MjData(model) for _ in range(3)]
    tumble.mj_step(model, data[0], 700)
    other = threading.Thread(target=tumble.mj_step, args=(model, data[1], 700))
    other.start()
    other.join()
    for _ in range(700):
        tumble.mj_step(model, data[2])
    assert data[0].time == pytest.approx(700 * model.opt.timestep)
    for d in data[1:]:
        assert d.time == data[0].time and (d.qpos == data[0].qpos).all()


def test_an_interrupt_in_a_callback(model):
    """Ctrl+C while a Python callback runs is raised by the call, as its other errors are."""
    d, start = tumble.MjData(model), time.monotonic()

    def control(m, data):
        if data is d and data.time > 0.02:
            signal.raise_signal(signal.SIGINT)
    tumble.set_mjcb_control(control)
    try:
        with pytest.raises(KeyboardInterrupt):
            tumble.mj_step(model, d, MANY)
    finally:
        tumble.set_mjcb_control(None)
    assert time.monotonic() - start < SECONDS and d.storage.holder is None
