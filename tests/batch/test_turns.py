"""A batch is idle or in a call: changes that would free memory under compiled code are refused, other calls wait, and forks
start with new locks.
"""

import gc
import os
import threading
import time
import warnings

import numpy as np
import pytest

import tumble
from tumble import batch, rollout
from tumble.engine.batch.threads import RANGES, Threads

BALL = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
SECONDS = 20


@pytest.fixture
def ball():
    return tumble.MjModel.from_xml_string(BALL)


class Held:
    """Keep a batch in a call on another thread until the block ends: a function in the loop waits."""

    def __init__(self, b):
        self.b, self.inside, self.out, self.raised = b, threading.Event(), threading.Event(), []

    def __enter__(self):
        def wait(m, d, i):
            self.inside.set()
            self.out.wait(SECONDS)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.function = self.b.before_step(wait)
        self.thread = threading.Thread(target=self.step, name="stepping")
        self.thread.start()
        assert self.inside.wait(SECONDS)
        return self

    def step(self):
        try:
            self.b.step()
        except BaseException as error:
            self.raised.append(error)

    def __exit__(self, *error):
        self.out.set()
        self.thread.join()
        self.b.remove(self.function)
        assert not self.raised, self.raised


def nothing(m, d, i):
    d.time += 0.0


CHANGES = {
    "bind": lambda b: b.bind("xpos"),
    "attribute": lambda b: b.xquat,
    "expand": lambda b: b.expand("body_mass"),
    "named": lambda b: setattr(b.body(1), "mass", 2.0),
    "set_models": lambda b: b.set_models(b.model),
    "before_step": lambda b: b.before_step(nothing),
    "restart": lambda b: b.restart(np.zeros(b.nsim, bool)),
    "observe": lambda b: b.observe("qpos"),
    "remove": lambda b: b.remove(None),
    "get_model": lambda b: b.get_model(0),
}
# actions that a function in the loop must not do either
CALLS = {
    "step": lambda b: b.step(),
    "forward": lambda b: b.forward(),
    "reset": lambda b: b.reset(),
    "rollout": lambda b: b.rollout(2),
    "set_const": lambda b: b.set_const(),
    "jac": lambda b: b.jac(1, np.zeros(3)),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_in_a_call_names_both_places(ball, change):
    b = batch.Batch(ball, 4, nthread=2, lanes=False)
    with Held(b), pytest.raises(batch.BatchInUse) as refused:
        change(b)
    text = str(refused.value)
    assert "thread 'stepping' in Batch.step or rollout" in text and f"thread {threading.current_thread().name!r} in " in text
    assert "test_turns.py:" in text
    change(b)
    b.set_models(None)
    b.step()


@pytest.mark.parametrize("nthread", [1, 3])
@pytest.mark.parametrize("inner", [*CALLS, *CHANGES])
def test_functions_in_the_loop_are_inside_the_call(ball, inner, nthread):
    """A function in the loop cannot call or change its own batch, neither on the caller's thread nor on the batch's threads."""
    b = batch.Batch(ball, 6, nthread=nthread, lanes=False)
    call = {**CALLS, **CHANGES}[inner]

    def function(m, d, i):
        call(b)

    with pytest.warns(batch.SlowFunction):
        held = b.before_step(function)
    with pytest.raises(batch.BatchInUse):
        b.step()
    b.remove(held)
    b.step()
    assert (b.status == 0).all() and b.error(0) == ""


def test_batches_inside_each_other(ball):
    """One batch's function may step another batch, but not, through it, the first one."""
    first, second = (batch.Batch(ball, 4, nthread=2, lanes=False) for _ in range(2))
    with pytest.warns(batch.SlowFunction):
        first.before_step(lambda m, d, i: second.step())
    first.step()
    assert second.state[0, 0] == pytest.approx(4 * ball.opt.timestep)
    with pytest.warns(batch.SlowFunction):
        second.before_step(lambda m, d, i: first.forward())
    with pytest.raises(batch.BatchInUse):
        first.step()


def test_calls_of_other_threads_wait(ball):
    b = batch.Batch(ball, 4, nthread=2, lanes=False)
    with Held(b) as held:
        other = threading.Thread(target=b.step)
        other.start()
        other.join(0.05)
        assert other.is_alive()
        held.out.set()
        other.join()
    assert b.state[0, 0] == pytest.approx(2 * ball.opt.timestep)


def test_a_data_of_a_call_belongs_to_it(ball):
    """Users cannot step the template, or Data that Python functions have kept, during a call."""
    kept = []
    for persistent in (False, True):
        b = batch.Batch(ball, 3, nthread=1, persistent=persistent, lanes=False)
        with pytest.warns(batch.SlowFunction):
            b.after_step(lambda m, d, i: kept.append(d))
        b.step()
        with Held(b), pytest.raises(tumble.DataInUse):
            tumble.mj_step(b.shared_model, kept[-1])
        tumble.mj_step(b.shared_model, kept[-1])


def test_models_come_and_go_while_another_thread_steps(ball):
    b, stop, refused = batch.Batch(ball, 64, nthread=2, lanes=False), [], 0

    def work():
        while not stop:
            b.step(nstep=5)

    thread = threading.Thread(target=work)
    thread.start()
    for name in sorted(batch.DATA_FIELDS):
        try:
            b.set_models(tumble.MjModel.from_xml_string(BALL))
            b.bind(name)
            b.set_models(None)
            gc.collect()
        except batch.BatchInUse:
            refused += 1
    stop.append(1)
    thread.join()
    assert refused > 0
    b.set_models(None)
    b.step()


def pieces(m, n):
    return np.zeros((n, tumble.mj_stateSize(m, int(tumble.mjtState.mjSTATE_FULLPHYSICS)))) + np.r_[np.zeros(4), 1, np.zeros(9)]


def test_a_rollout_inside_a_callback_of_its_own_pool(ball):
    """A callback cannot use or close the pool that runs it, because the pool's threads would wait for themselves."""
    starts, seen = pieces(ball, 4), []
    with rollout.Rollout(nthread=2) as pool:
        for inner in (lambda: pool.rollout(ball, [tumble.MjData(ball) for _ in range(2)], starts, nstep=2), pool.close):
            tumble.set_mjcb_control(lambda m, d, inner=inner: inner())
            try:
                with pytest.raises(batch.BatchInUse, match="the Rollout is in a call"):
                    pool.rollout(ball, [tumble.MjData(ball) for _ in range(2)], starts, nstep=2)
            finally:
                tumble.set_mjcb_control(None)
        seen.append(pool.rollout(ball, [tumble.MjData(ball) for _ in range(2)], starts, nstep=2)[0])
    assert np.isfinite(seen[0]).all()


def in_child(work):
    """Return the exit status of a forked child that runs a function; None if it hangs."""
    pid = os.fork()
    if not pid:
        try:
            work()
            os._exit(0)
        except BaseException:
            os._exit(1)
    return ended(pid)


def ended(pid):
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    return None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_fork_during_a_call(ball):
    """The child has no call in progress; a child forked inside a function in the loop cannot complete its parent's call."""
    b = batch.Batch(ball, 16, nthread=2, lanes=False)
    b.step()
    with Held(b) as held:
        assert in_child(lambda: (b.remove(held.function), b.bind("xpos"), b.step(), b.step())) == 0
    pool = rollout.Rollout(nthread=2)
    pool.rollout(ball, [tumble.MjData(ball) for _ in range(2)], pieces(ball, 4), nstep=2)
    assert (
        in_child(lambda: (pool.rollout(ball, [tumble.MjData(ball) for _ in range(2)], pieces(ball, 4), nstep=2), pool.close()))
        == 0
    )
    pool.close()
    caller, codes = threading.get_ident(), []

    def fork(m, d, i):
        if threading.get_ident() == caller and not codes:
            codes.append(0)
            pid = os.fork()
            if pid:
                codes.append(ended(pid))
            else:
                codes.append("child")

    with pytest.warns(batch.SlowFunction):
        b.before_step(fork)
    try:
        b.step(nstep=2)
    except batch.BatchInUse:
        if codes[-1] == "child":
            os._exit(7)
        raise
    if codes[-1] == "child":
        os._exit(8)
    # the calling thread had all ranges, or the missing thread had taken none
    assert codes[1] in (7, 8)


def test_a_small_call_stays_on_its_thread(monkeypatch):
    b = batch.Batch(tumble.MjModel.from_xml_string(BALL), 8, nthread=2, lanes=False)
    for _ in range(8):
        b.step()

    # the duration of a step is known now: waking the other thread would take longer than the work
    assert b._data[0].storage.pace > 1
    b._data[0].storage.pace = 1 << 20
    monkeypatch.setattr(b._threads, "_started", lambda: pytest.fail("a thread was woken"))
    b.step()
    b.rollout(3)


def test_a_large_call_is_divided():
    threads, one = Threads(4), tumble.MjData(tumble.MjModel.from_xml_string(BALL))
    one.storage.pace = 100
    assert threads.share(4096, 4096, one) == 4096 // (4 * RANGES)
    # work that is not counted in steps is divided, too
    one.storage.pace = 1 << 30
    assert threads.share(4096, 0, one) == 4096 // (4 * RANGES)
    assert threads.share(4096, 4096, one) == Threads(1).share(4096, 0, one) == 4096


def test_callers_wait_for_their_turn():
    b, done = batch.Batch(tumble.MjModel.from_xml_string(BALL), 4, nthread=1), []
    callers = [threading.Thread(target=lambda: [b.step() for _ in range(200)] and done.append(1)) for _ in range(4)]
    for t in callers:
        t.start()
    for t in callers:
        t.join(60)
    assert len(done) == 4
    assert b.state[:, 0] == pytest.approx(800 * b.model.opt.timestep)
