"""Processes and signals: thread pools survive a fork, and Ctrl+C ends long calls between two steps."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import tumble
from tests.app.driver import ROOT

MODEL = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <replicate count="6" offset=".15 0 .2"><body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body></replicate>
  </worldbody>
</mujoco>"""
MANY = 10**9
SECONDS = 200
# seconds from Ctrl+C to the end of a call; half of them allow for a busy machine
LATENCY = 2 * 0.2


@pytest.fixture(scope="module")
def model():
    m = tumble.MjModel.from_xml_string(MODEL)
    tumble.mj_step(m, tumble.MjData(m), 100)
    return m


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_pool_survives_a_fork():
    """A forked child, which inherits a pool without its threads, can use the pool, and so can its parent."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORK.format(model=MODEL)],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        cwd=ROOT,
    )
    assert done.stdout.split() == ["child", "0", "parent"], done.stderr


FORK = '''
import os
import numpy as np
import tumble
from tumble import rollout
m = tumble.MjModel.from_xml_string("""{model}""")
data = [tumble.MjData(m) for _ in range(2)]
state = np.zeros((8, tumble.mj_stateSize(m, int(tumble.mjtState.mjSTATE_FULLPHYSICS))))
state[:, 1:1 + m.nq] = m.qpos0
def work():
    return rollout.rollout(m, data, state, nstep=5, persistent_pool=True)[0]
first = work()
child = os.fork()
if not child:
    print("child" if (work() == first).all() else "differs", flush=True)
    os._exit(0)
print(os.waitpid(child, 0)[1])
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
# whoever started this may ignore the signal
signal.signal(signal.SIGINT, signal.default_int_handler)
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
CALLS = {
    "mj_step": "tumble.mj_step(m, data[0], 10**9)",
    "rollout": "rollout.rollout(m, data[:1], state[:1], nstep=400_000, state=out[:1], sensordata=np.zeros((1, 400_000, 0)))",
    "rollout on threads": "rollout.rollout(m, data, state, nstep=400_000, state=out, sensordata=np.zeros((6, 400_000, 0)))",
}


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
@pytest.mark.parametrize("call", CALLS)
def test_an_interrupt_ends_long_calls(call):
    code = INTERRUPTED.format(model=MODEL, call=CALLS[call], latency=LATENCY, bulk=call == "mj_step")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=SECONDS, cwd=ROOT)
    assert done.stdout.split() == ["stopped", "consistent"], done.stderr


def test_slices_change_nothing(model):
    """Steps are the same in one call on the main thread (in slices), in one call on another thread, and one by one."""
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
    """Ctrl+C while a Python callback runs is raised by the call, like its other errors."""
    d, start = tumble.MjData(model), time.monotonic()

    def control(m, data):
        assert data.time < 1.0
        if data is d and data.time > 0.02:
            signal.raise_signal(signal.SIGINT)

    # workers of parallel tests ignore the signal
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    tumble.set_mjcb_control(control)
    try:
        with pytest.raises(KeyboardInterrupt):
            tumble.mj_step(model, d, MANY)
    finally:
        tumble.set_mjcb_control(None)
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - start < SECONDS
