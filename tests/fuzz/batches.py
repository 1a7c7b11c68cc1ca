"""Kinds of random cases around many worlds and long runs: programs of Batch calls, arrays assigned to every public attribute,
runs that are copied and restored.
"""

import copy
import functools
import gc
import os
import threading
import time
import warnings

import numpy as np

import tumble
from tests.parity.fuzz import random_model
from tests.robust import memory
from tests.robust.test_assignment import arrays, in_batch, in_model, in_scene, in_spec, wrong_values
from tests.robust.test_trusted_models import MODELS, strange
from tumble import batch
from tumble.engine.tables.validate import INDICES

# errors that a program of calls may raise; all others are findings
REFUSALS = (
    ValueError,
    TypeError,
    IndexError,
    AttributeError,
    tumble.FatalError,
    tumble.DataInUse,
    batch.BatchInUse,
    batch.SimulationError,
    MemoryError,
    ZeroDivisionError,
)
INTEGRATION = int(tumble.mjtState.mjSTATE_INTEGRATION)
SLEEP = int(tumble.mjtEnableBit.mjENBL_SLEEP)
NUMBERS = (0.0, 1.0, -1.0, 0.5, 1e-9, 1e9, float("nan"), float("inf"))


# ---- programs of Batch calls ---------------------------------------------------------------------------------------------
def pushes(m, d, i, x):
    if m.nv > 0:
        d.qfrc_applied[0] = x[i]


def counts(m, d, i, x):
    x[i] += d.time


def scatters(m, d, i, x, rows):
    x[i] = rows[0]
    rows[i] = 1


FUNCTIONS = (pushes, counts)
MOMENTS = ("before_step", "after_step", "at_reset")


@functools.cache
def prepare():
    """Compile the functions once, for all children."""
    m = tumble.MjModel.from_xml_string(MODELS[sorted(MODELS)[0]])
    b = batch.Batch(m, 2, 1, lanes=False)
    for function in FUNCTIONS:
        b.before_step(function, np.zeros(2))
    b.before_step(scatters, np.zeros(2), np.zeros(2, np.int32))


class Program:
    """Make random calls of a Batch, one method for each. `made`: the functions in its loop."""

    def __init__(self, rng):
        self.rng = rng
        self.m = tumble.MjModel.from_xml_string(MODELS[rng.choice(sorted(MODELS))])
        self.n = rng.randint(1, 6)
        self.b = batch.Batch(self.m, self.n, rng.randint(1, 3), rng.random() < 0.2, lanes=False)
        self.made, self.threads = [], []

    def ids(self):
        kind = self.rng.randrange(5)
        if kind < 3:
            return None
        return (
            [k for k in range(self.n) if self.rng.random() < 0.5]
            if kind == 3
            else self.rng.choice(([0, 0], [99], [-1], "x", [0.5], np.ones(self.n, bool)))
        )

    def value(self, x):
        if self.rng.random() < 0.3:
            return self.rng.choice([*wrong_values(x)])
        return np.array(self.rng.choice(NUMBERS)).astype(x.dtype) if self.rng.random() < 0.3 else np.array(x)

    def step(self):
        self.b.step(self.ids(), self.rng.choice((1, 1, 2, 5, 0)), self.rng.choice((0, 0, 1, 2, 3, 4)))

    def forward(self):
        self.b.forward(self.ids(), self.rng.choice((0, 1, 2, 3, 9)))

    def reset(self):
        self.b.reset(self.ids(), self.rng.choice((-1, -1, 0, 1, 99)))

    def rollout(self):
        names = [self.rng.choice(sorted(batch.DATA_FIELDS)) for _ in range(self.rng.randrange(4))]
        control = None if self.rng.random() < 0.5 else np.array(self.rng.choice(NUMBERS))
        self.b.rollout(self.rng.choice((1, 3, 0)), control, record=(*names, INTEGRATION), ids=self.ids())

    def bind(self):
        name = self.rng.choice(sorted(batch.DATA_FIELDS))
        x = self.b.bind(name)
        if x.flags.writeable and x.size:
            x.reshape(-1)[self.rng.randrange(x.size)] = self.rng.choice(NUMBERS)

    def assign(self):
        name = self.rng.choice(
            ("state", "warning", "random", "status", "qpos", "qvel", "ctrl", "act", "xpos", "model", "ids", "userdata")
        )
        setattr(self.b, name, self.value(np.asarray(getattr(self.b, name))))

    def expand(self):
        name = self.rng.choice(sorted(batch.MODEL_FIELDS))
        rows = self.b.expand(name).reshape(-1)
        if rows.size:
            number = self.rng.choice(strange(rows)) if rows.dtype.kind in "iu" else self.rng.choice((0.1, 1.0, 2.0))
            rows[self.rng.randrange(rows.size)] = np.array(number).astype(rows.dtype)

    def constants(self):
        self.b.set_const(self.ids())

    def models(self):
        other = copy.copy(self.m)
        if self.rng.random() < 0.3:
            name = self.rng.choice(sorted(INDICES))
            x = getattr(other, name).reshape(-1)
            if x.size:
                x[self.rng.randrange(x.size)] = np.array(self.rng.choice(strange(x))).astype(x.dtype)
        self.b.set_models(self.rng.choice((None, None, other, [other] * self.n, [other], [None] * self.n)))

    def function(self):
        moment = getattr(self.b, self.rng.choice(MOMENTS))
        x = np.zeros(self.n)
        if self.rng.random() < 0.2:
            x.flags.writeable = False
        self.made.append(
            moment(scatters, x, np.zeros(self.n, np.int32))
            if self.rng.random() < 0.2
            else moment(self.rng.choice(FUNCTIONS), x)
        )

    def slow_function(self):
        act = self.rng.choice(("raise", "call", "edit", "grow", "fork", "index"))

        def slow(m, d, i):
            if act == "raise" and self.rng.random() < 0.3:
                raise ZeroDivisionError
            if act == "call":
                self.rng.choice((self.step, self.bind, self.expand, self.reset, self.models))()
            elif act == "edit":
                d.qvel[:] = self.rng.choice(NUMBERS)
            elif act == "grow":
                d.reserve({n: k + 64 for n, k in d.capacities.items()})
            elif act == "index" and self.b.nthread == 1:
                # other threads would continue with this one's values; the next call detects that
                x = getattr(m, self.rng.choice(sorted(INDICES))).reshape(-1)
                if x.size:
                    x[self.rng.randrange(x.size)] = np.array(self.rng.choice(strange(x))).astype(x.dtype)
            elif act == "fork" and self.rng.random() < 0.2:
                child(lambda: None)

        self.made.append(getattr(self.b, self.rng.choice(MOMENTS))(slow))

    def remove(self):
        if self.made:
            k = self.rng.randrange(len(self.made))
            # refused while another thread is in a call; the function then stays in the loop
            self.b.remove(self.made[k])
            del self.made[k]

    def restart(self):
        self.b.restart(
            self.rng.choice((None, np.ones(self.n, bool), np.zeros(self.n, np.uint8), np.zeros(1, bool), np.zeros(self.n), 1))
        )

    def observe(self):
        try:
            self.b.observe(
                self.rng.choice(("qpos", "qvel", "time", "sensordata", "body:x.xpos", "x")),
                dtype=self.rng.choice((np.float64, np.float32)),
            )
        except KeyError as error:
            assert "Invalid name" in str(error)

    def queries(self):
        self.b.jac(self.rng.choice((0, 1, 99)), np.zeros(3), self.ids())
        self.b.ray(np.zeros(3), np.array(self.rng.choice(((0, 0, 1), (1, 1, 1), (0, 0, 0))), float), ids=self.ids())

    def one(self):
        sim = self.rng.choice((0, self.n - 1, 99, -1))
        m, d = self.b.get_model(sim), self.b.get_data(sim)
        tumble.mj_step(m, d)

    def shared(self):
        m = self.b.shared_model
        m.opt.timestep = self.rng.choice((0.001, 0.005))
        m.opt.integrator = self.rng.choice((0, 1, 2, 3, 77) if self.rng.random() < 0.1 else (0, 1, 2, 3))
        if self.rng.random() < 0.3:
            x = getattr(m, self.rng.choice(sorted(INDICES))).reshape(-1)
            if x.size:
                x[self.rng.randrange(x.size)] = np.array(self.rng.choice(strange(x))).astype(x.dtype)

    def other_thread(self):
        def work():
            for _ in range(5):
                try:
                    self.rng.choice((self.step, self.forward, self.bind, self.one, self.assign))()
                except REFUSALS:
                    continue

        self.threads.append(threading.Thread(target=work))
        self.threads[-1].start()

    def fork(self):
        child(lambda: self.b.step())

    def collect(self):
        gc.collect()

    def join(self):
        while self.threads:
            self.threads.pop().join()


CALLS = [f for n, f in vars(Program).items() if callable(f) and n not in ("__init__", "ids", "value", "join")]


def child(work):
    """Do something in a forked process, which ends within a second."""
    pid = os.fork()
    if not pid:
        try:
            work()
        except REFUSALS:
            pass
        finally:
            os._exit(0)
    end = time.monotonic() + 4
    while not os.waitpid(pid, os.WNOHANG)[0]:
        if time.monotonic() > end:
            os.kill(pid, 9)
            os.waitpid(pid, 0)
            raise AssertionError("a forked process hangs")
        time.sleep(0.002)


def batches(rng):
    """Make fifteen calls; afterwards worlds step bit for bit like single simulations with their models and states."""
    warnings.simplefilter("ignore")
    prepare()
    program = Program(rng)
    for _ in range(15):
        try:
            rng.choice(CALLS)(program)
        except REFUSALS:
            continue
    program.join()
    b = program.b
    for function in program.made:
        b.remove(function)
    b.restart(None)
    try:
        before, singles = b.state.copy(), [(b.get_model(i), b.get_data(i)) for i in range(program.n)]
        b.step()
    except REFUSALS:
        return
    if b.persistent:
        return
    for i, (m, d) in enumerate(singles):
        found = np.empty(b.nstate)
        tumble.mj_setState(m, d, before[i], INTEGRATION)
        tumble.mj_step(m, d)
        tumble.mj_getState(m, d, found, INTEGRATION)
        assert found.tobytes() == b.state[i].tobytes(), f"world {i} steps to other bits"


# ---- assigned arrays -------------------------------------------------------------------------------------------------------
def assigned(rng):
    """Assign arrays of any type to public attributes of any object; then use the models, simulations, scenes and batches."""
    warnings.simplefilter("ignore")
    things = rng.choice((in_model, in_model, in_scene, in_scene, in_batch, in_batch, in_spec))()
    for _ in range(20):
        thing = rng.choice(things)
        found = [*arrays(thing)]
        if not found:
            continue
        name, x = rng.choice(found)
        value = rng.choice([*wrong_values(x), np.array(x), rng.choice(NUMBERS), rng.choice((0, -1, 10**9))])
        try:
            setattr(thing, name, value)
        except (TypeError, ValueError, AttributeError, OverflowError):
            continue
        after = getattr(thing, name)
        assert isinstance(after, np.ndarray) and (after.dtype, after.shape) == (x.dtype, x.shape), (
            f"{type(thing).__name__}.{name}"
        )
    for thing in things:
        try:
            if isinstance(thing, tumble.MjData):
                tumble.mj_step(thing.model, thing, 2)
            elif isinstance(thing, batch.Batch):
                thing.step(nstep=2)
            elif isinstance(thing, tumble.MjvScene):
                m = tumble.MjModel.from_xml_string(MODELS[sorted(MODELS)[0]])
                tumble.mjv_updateScene(
                    m, tumble.MjData(m), tumble.MjvOption(), None, tumble.MjvCamera(), 7, tumble.MjvScene(m, 100)
                )
            elif isinstance(thing, tumble.MjSpec):
                thing.compile()
        except REFUSALS:
            continue


# ---- long runs ---------------------------------------------------------------------------------------------------------------
def edited(m, d, rng):
    """One edit of options, flags, masses or the state."""
    kind = rng.randrange(9)
    if kind == 0:
        m.opt.integrator = rng.randrange(4)
    elif kind == 1:
        m.opt.solver, m.opt.cone = rng.randrange(3), rng.randrange(2)
    elif kind == 2:
        m.opt.disableflags ^= 1 << rng.randrange(len(tumble.mjtDisableBit) - 1)
    elif kind == 3:
        m.opt.enableflags ^= 1 << rng.choice([k for k in range(len(tumble.mjtEnableBit) - 1) if 1 << k != SLEEP])
    elif kind == 4 and m.nbody > 1:
        m.body_mass[rng.randrange(1, m.nbody)] *= rng.choice((0.5, 2.0))
    elif kind == 5 and m.nv:
        d.qvel[rng.randrange(m.nv)] = rng.choice(NUMBERS)
    elif kind == 6 and m.nu:
        d.ctrl[:] = rng.gauss(0, 1)
    elif kind == 7:
        tumble.mj_resetData(m, d)
    else:
        m.opt.timestep = rng.choice((0.001, 0.002, 0.01))


def long_runs(rng, steps=0):
    """A run with edits. Copies of it, and its state in another Data with foreign bytes in all its memory, step to the
    same bits.
    """
    warnings.simplefilter("ignore")
    try:
        text = random_model(rng.randrange(2**31)) if rng.random() < 0.7 else MODELS[rng.choice(sorted(MODELS))]
        m = tumble.MjModel.from_xml_string(text)
    except ValueError:
        return
    if m.nbody > 30 or m.opt.enableflags & SLEEP or m.nplugin:
        return
    if rng.random() < 0.5:
        m.opt.disableflags |= int(tumble.mjtDisableBit.mjDSBL_AUTORESET)
    d, other, done = tumble.MjData(m), tumble.MjData(m), 0
    saved = np.empty(tumble.mj_stateSize(m, INTEGRATION))
    ends = [np.empty_like(saved) for _ in range(2)]
    while done < (steps or rng.choice((50, 200, 1000))):
        edited(m, d, rng)
        count = rng.choice((1, 1, 2, 5, 20))
        restored = rng.random() < 0.7
        if restored:
            tumble.mj_getState(m, d, saved, INTEGRATION)
            memory.poison(other, rng.choice(memory.PATTERNS))
            tumble.mj_setState(m, other, saved, INTEGRATION)
        twin = other if restored else copy.copy(d)
        try:
            for x in (d, twin):
                tumble.mj_step(m, x, count)
        except (tumble.FatalError, MemoryError):
            # a combination of options that is refused
            edited(m, d, rng)
            continue
        for x, end in zip((d, twin), ends, strict=True):
            tumble.mj_getState(m, x, end, INTEGRATION)
        assert ends[0].tobytes() == ends[1].tobytes(), (
            f"{'the restored state' if restored else 'a copy'} differs after {done} steps"
        )
        done += count
