"""Two threads and one Data: an error that names both, never a crash; callbacks may still call any function."""

import copy
import os
import pickle
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest

import tumble
from tests.app.driver import ROOT
from tumble import rollout
from tumble.engine.api import entries
from tumble.engine.calls import compiled as calls
from tumble.engine.core import owner

MODEL = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <replicate count="5" offset="0 0 .25"><body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="s"/>
      </body></replicate>
  </worldbody>
  <sensor><accelerometer site="s0"/></sensor>
</mujoco>"""
STEPS = 10**7
SECONDS = 300
# seconds until two threads meet in a few lines
TRIES = 100


@pytest.fixture(scope="module")
def model():
    m = tumble.MjModel.from_xml_string(MODEL)
    tumble.mj_step(m, tumble.MjData(m), 100)
    return m


def cells(d: Any):
    """The owner cells of a Data."""
    return d.storage.integers


class Stepping:
    """Keep a thread inside `mj_step` with a Data until the block ends."""

    def __init__(self, m, d):
        self.m, self.d, self.inside, self.out = m, d, threading.Event(), threading.Event()

    def __enter__(self):
        def control(m, d):
            if d is self.d and threading.current_thread() is self.thread:
                self.inside.set()
                self.out.wait()

        tumble.set_mjcb_control(control)
        self.thread = threading.Thread(target=tumble.mj_step, args=(self.m, self.d), name="stepping")
        self.thread.start()
        self.inside.wait()
        return self

    def __exit__(self, *error):
        self.out.set()
        self.thread.join()
        tumble.set_mjcb_control(None)


def state_of(m):
    return np.zeros(tumble.mj_stateSize(m, int(tumble.mjtState.mjSTATE_INTEGRATION)))


# calls of a second thread with a Data that the first one is in: all are refused
REFUSED = {
    "mj_step": lambda m, d: tumble.mj_step(m, d),
    "many steps": lambda m, d: tumble.mj_step(m, d, 10),
    "mj_forward": lambda m, d: tumble.mj_forward(m, d),
    "mj_inverse": lambda m, d: tumble.mj_inverse(m, d),
    "mj_step1": lambda m, d: tumble.mj_step1(m, d),
    "mj_resetData": lambda m, d: tumble.mj_resetData(m, d),
    "mj_collision": lambda m, d: tumble.mj_collision(m, d),
    "mj_jacBody": lambda m, d: tumble.mj_jacBody(m, d, np.zeros((3, m.nv)), None, 1),
    "mj_getState": lambda m, d: tumble.mj_getState(m, d, state_of(m), tumble.mjtState.mjSTATE_INTEGRATION),
    "mj_setState": lambda m, d: tumble.mj_setState(m, d, state_of(m), tumble.mjtState.mjSTATE_INTEGRATION),
    "copy onto it": lambda m, d: tumble.mj_copyData(d, m, tumble.MjData(m)),
    "copy of it": lambda m, d: tumble.mj_copyData(tumble.MjData(m), m, d),
    "copy.copy": lambda m, d: copy.copy(d),
    "pickle": lambda m, d: pickle.dumps(d),
    "reserve": lambda m, d: d.reserve({n: 1 + (k + 997) % 4096 for n, k in d.capacities.items()}),
    "mj_addContact": lambda m, d: tumble.mj_addContact(m, d, tumble.MjContact()),
    "mj_ray": lambda m, d: tumble.mj_ray(m, d, np.zeros(3), np.ones(3), None, 1, -1, np.zeros(1, np.int32)),
    "rollout": lambda m, d: rollout.rollout(
        m, d, np.zeros((1, tumble.mj_stateSize(m, int(tumble.mjtState.mjSTATE_FULLPHYSICS)))), nstep=2
    ),
    "mjd_transitionFD": lambda m, d: tumble.mjd_transitionFD(
        m, d, 1e-6, True, np.zeros((2 * m.nv, 2 * m.nv)), None, None, None
    ),
}
# once as a script's first call, once after enough calls for compiled code
HOT = 100


@pytest.mark.parametrize("often", [False, True])
@pytest.mark.parametrize("name", REFUSED)
def test_a_second_thread_is_told_where_the_first_is(model, name, often):
    d, other = tumble.MjData(model), tumble.MjData(model)
    call = REFUSED[name]
    for _ in range(HOT if often else 0):
        call(model, other)
    with Stepping(model, d), pytest.raises(tumble.DataInUse) as refused:
        call(model, d)
    assert "thread 'stepping' in " in str(refused.value) and f"thread {threading.current_thread().name!r} in " in str(
        refused.value
    )
    assert "test_two_threads.py:" in str(refused.value)
    # nothing happened, and now it is allowed
    assert d.time == model.opt.timestep
    call(model, d)
    tumble.mj_step(model, d)


def test_nothing_is_made_twice(model):
    """A Model or Data cannot be initialized again, because its memory would be freed while it is in use."""
    m: Any = copy.copy(model)
    d: Any = tumble.MjData(m)
    for again in (
        lambda: d.__init__(m),
        lambda: d.__setstate__(d.__getstate__()),
        lambda: m.__init__(nq=3),
        lambda: m.__setstate__(m.__getstate__()),
    ):
        with pytest.raises(TypeError, match="cannot be initialized again"):
            again()


def test_what_is_only_read_needs_no_turn(model):
    """Attributes are memory: reads during a call return numbers from before or after."""
    d = tumble.MjData(model)
    tumble.mj_step(model, d, 200)
    with Stepping(model, d):
        assert d.time > 0 and d.qpos.size == model.nq and len(d.contact) == d.ncon and d.contact.dist.size == d.ncon
        assert len([c.geom1 for c in d.contact]) == d.ncon and repr(d)


def test_callbacks_call_what_they_like(model):
    """Callbacks may call any function, at any depth, because they run inside a call of the same thread."""
    d, before, seen = tumble.MjData(model), tumble.MjData(model), []

    def control(m, data):
        if data is d and len(seen) < 3:
            seen.append(0)
            tumble.mj_jacBody(m, data, np.zeros((3, m.nv)), None, 1)
            tumble.mj_copyData(before, m, data)
            tumble.mj_forward(m, data)
            pickle.dumps(data)

    tumble.set_mjcb_control(control)
    try:
        tumble.mj_step(model, d, 5)
        for _ in range(HOT):
            tumble.mj_step(model, d)
    finally:
        tumble.set_mjcb_control(None)
    assert len(seen) == 3
    assert cells(d)[owner.OWNER] == cells(d)[owner.DEPTH] == 0


def drawn(m, d):
    tumble.mjv_updateScene(
        m, d, tumble.MjvOption(), None, tumble.MjvCamera(), tumble.mjtCatBit.mjCAT_ALL, tumble.MjvScene(m, 100)
    )


@pytest.mark.parametrize("often", [False, True])
def test_a_picture_waits_for_the_end_of_a_step(model, often):
    d = tumble.MjData(model)
    for _ in range(HOT if often else 0):
        drawn(model, d)
    with Stepping(model, d) as first:
        drawing = threading.Thread(target=drawn, args=(model, d))
        drawing.start()
        drawing.join(0.05)
        assert drawing.is_alive()
        first.out.set()
        drawing.join()


def test_an_error_frees_it(model):
    d = tumble.MjData(model)

    def control(m, data):
        raise ZeroDivisionError

    for k in range(HOT):
        tumble.set_mjcb_control(control)
        try:
            with pytest.raises(ZeroDivisionError):
                tumble.mj_step(model, d, 1 + k % 2)
        finally:
            tumble.set_mjcb_control(None)
        assert cells(d)[owner.OWNER] == 0


GROWING = """
<mujoco>
  <worldbody>
    <replicate count="{count}" euler="0 0 1"><body><freejoint/><geom size=".1" pos=".05 0 0"/></body></replicate>
  </worldbody>
</mujoco>"""


def test_growth_inside_a_callback():
    """If a callback makes the Data grow, the outer call continues with the buffers that it began with."""
    m = tumble.MjModel.from_xml_string(GROWING.format(count=30))
    far, near = np.array(m.qpos0), np.array(m.qpos0)
    far[0::7] = np.arange(30)
    for place in ("control", "passive"):
        d, done = tumble.MjData(m), []
        d.qpos[:] = far

        def callback(model, data, d=d, done=done):
            if data is d and not done:
                done.append(0)
                data.qpos[:] = near
                tumble.mj_forward(model, data)
                data.qpos[:] = far

        setter = getattr(tumble, f"set_mjcb_{place}")
        setter(callback)
        try:
            tumble.mj_step(m, d, 3)
        finally:
            setter(None)
        assert done and np.isfinite(d.qpos).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_leaves_threads_behind(model):
    """In the child, a Data that another thread was in is free; one that the forking thread is in is not."""
    d, own = tumble.MjData(model), tumble.MjData(model)
    with Stepping(model, d), owner.inside(own, "fork"):
        child = os.fork()
        if not child:
            free, kept = cells(d)[owner.OWNER], cells(own)[owner.OWNER]
            os._exit(0 if free == 0 and kept == threading.get_ident() else 1)
        assert os.waitpid(child, 0)[1] == 0


def test_a_visit_waits_and_is_waited_for(model):
    d, order = tumble.MjData(model), []
    with Stepping(model, d) as first:

        def look():
            with owner.visit(d, "a look"):
                order.append("visit")

        visitor = threading.Thread(target=look)
        visitor.start()
        visitor.join(0.05)
        assert visitor.is_alive() and not order
        first.out.set()
        visitor.join()
    gone = threading.Event()

    def stay():
        with owner.visit(d, "a look"):
            gone.set()
            threading.Event().wait(0.05)
            order.append("left")

    visitor = threading.Thread(target=stay)
    visitor.start()
    gone.wait()
    tumble.mj_step(model, d)
    order.append("stepped")
    visitor.join()
    assert order == ["visit", "left", "stepped"]


HAMMER = """
import itertools, random, sys, threading, time
from tests.robust.test_two_threads import GROWING, MODEL, REFUSED, drawn
import tumble
sys.setswitchinterval(1e-5)
calls = {name: f for name, f in REFUSED.items() if name != "rollout"}
calls["mjv_updateScene"] = drawn
calls["views"] = lambda m, d: [c.dist for c in d.contact] + [d.efc_force.sum(), d.contact.pos.sum(), repr(d)]
models = [tumble.MjModel.from_xml_string(MODEL), tumble.MjModel.from_xml_string(GROWING.format(count=12))]
for m in models:
    d = tumble.MjData(m)
    for f in calls.values():
        f(m, d)
refused = done = 0
wrong = []
def work(f, m, d, until):
    global refused, done
    while time.monotonic() < until:
        try:
            f(m, d)
            done += 1
        except tumble.DataInUse:
            refused += 1
        except IndexError:
            # the other thread may have removed elements between two reads
            assert f is calls["views"]
        except Exception as error:
            wrong.append(repr(error))
            return
for (a, f), (b, g) in itertools.combinations_with_replacement(calls.items(), 2):
    for m in models:
        d = tumble.MjData(m)
        until = time.monotonic() + {seconds}
        threads = [threading.Thread(target=work, args=(h, m, d, until)) for h in (f, g)]
        for t in threads: t.start()
        for t in threads: t.join()
        for w in wrong: print("wrong", a, b, w)
        wrong.clear()
        assert d.storage.integers[tumble.engine.core.owner.OWNER] == 0
print("done", done > 0, refused > 0, file=sys.stderr)
print("through")
"""


def test_rows_of_compiled_calls_are_made_once(model, monkeypatch):
    """If several threads make the cells at once, all use the first ones: machine code keeps their addresses."""
    interval, function = sys.getswitchinterval(), tumble.mj_step.__self__
    assert function.prepare()
    kept = function.row
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(TRIES):
            monkeypatch.setattr(entries, "SHARED", {})
            function.row, gate, rows = None, threading.Barrier(8), []

            def prepare(gate=gate, rows=rows):
                gate.wait()
                function.prepare()
                rows.append(function.row)

            threads = [threading.Thread(target=prepare) for _ in range(gate.parties)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            assert {id(row) for row in rows} == {id(function.row)}
            assert function.row[calls.GLOBALS] == entries.shared()[0].ctypes.data
    finally:
        function.row = kept
        sys.setswitchinterval(interval)
    # with the first row again: a call that stops halfway because it needs more room
    m = tumble.MjModel.from_xml_string(GROWING.format(count=30))
    d, plain = tumble.MjData(m), tumble.MjData(m)
    for _ in range(3):
        tumble.mj_step(m, d)
        function.slow(m, plain)
    assert d.ncon == plain.ncon > 0


def test_all_pairs_of_calls(tmp_path):
    """If two threads call with one Data as often as they can, every call gives its result or the error, and none crashes."""
    code = HAMMER.replace("{seconds}", "0.01")
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code], capture_output=True, text=True, timeout=SECONDS, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["through"], done.stdout
    assert done.stderr.split()[-3:] == ["done", "True", "True"]
