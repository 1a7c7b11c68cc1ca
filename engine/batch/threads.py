"""Ranges of worlds on threads. Each thread has a Data and, where fields differ from world to world, a model of its own; so results do not
depend on how many there are, nor on who takes what.
"""

import concurrent.futures
import contextlib
import itertools
import os
import threading
from collections.abc import Generator, Iterable
from types import SimpleNamespace
from typing import Any

import numpy as np

from ..core import hooks, owner, report, stages
from ..core.pace import SLICE, Pace
from ..core.stages import BROKEN, OK, RAISED
from ..core.turns import BatchInUse, Turn, inherited
from ..machine.jit import Stage
from ..machine.systems import processors  # noqa: F401
from ..step.worlds import BUDGET, END, FRESH, NEXT, PHASE, STOP
from ..tables.validate import InvalidModel

# ranges that each thread takes, so that none waits long for the last one
RANGES = 8
ENDLESS = 2**62
# how errors name what works in a Data
PLACE = "a call of a Batch"
# codes of what makes a step give up that are about options
OF_OPTIONS = (report.BAD_SOLVER, report.BAD_INTEGRATOR, report.NOT_DISCRETE)


class SimulationError(RuntimeError):
    """Some worlds of a call failed: `ids`. They keep the state from before the call; the others are complete. `Batch.error(i)` says why."""

    ids: np.ndarray

    def __init__(self, ids: Any, message: str, count: int | None = None):
        self.ids = np.asarray(ids)
        first = ", ".join(map(str, self.ids[:10].tolist())) + (", ..." if len(self.ids) > 10 else "")
        of = "" if count is None else f" of {count}"
        super().__init__(f"MuJoCo raised in {len(self.ids)}{of} simulations ({first}); simulation {self.ids[0]}: {message}")


class Call:
    """One call on a range of worlds: its description, and what became of it. `shown`: the caller's functions may keep Data of worlds."""

    def __init__(self, job, count, chunk, outcome, raises, shown=False):
        self.job, self.count, self.chunk, self.outcome, self.raises, self.shown = job, count, chunk, outcome, raises, shown
        self.stop = np.zeros(1, np.uint8)
        job[STOP] = self.stop.ctypes.data
        self.starts = itertools.count(0, chunk)
        self.failed = 0

    def run(self, model, model_of, d, persistent, sliced) -> None:
        """Take ranges until there are none left. `sliced`: come back now and then, so that the interpreter sees signals."""
        job, ids = self.job.copy(), self.ids
        stops = self.stops(Stage.registry["run_worlds"], job, model, [d], sliced, persistent if self.shown else None)
        with owner.inside(d, PLACE), contextlib.closing(stops):
            for _ in stops:
                world = int(job[NEXT] if ids is None else ids[job[NEXT]]) if job[NEXT] < job[END] else 0
                x = persistent[world] if persistent else d
                if x.status != OK and not self._mended(x, model_of(world) or model, world):
                    job[NEXT] += 1
                    job[PHASE] = FRESH

    def stops(self, entry, job, model, data, sliced, shown=None) -> Generator[None, None, None]:
        """Bring ranges through compiled code, which works with some Data; comes back each time that it stops before the end of one. `shown`: the Data of
        all worlds, if the caller's functions may have kept some."""
        first, where = data[0], job.ctypes.data
        pace = Pace(first.storage.pace)
        for start in self.starts:
            if start >= self.count or self.stop[0]:
                return
            job[NEXT], job[END], job[PHASE] = start, min(start + self.chunk, self.count), FRESH
            for x in data:
                x.status = OK
            with contextlib.ExitStack() as held:
                for x in self._worlds(shown, start, int(job[END])) if shown else ():
                    held.enter_context(owner.inside(x, PLACE))
                while True:
                    job[BUDGET] = pace.steps if sliced else ENDLESS
                    complete = entry(model.storage.address, first.storage.address, where)
                    if sliced:
                        pace.update(pace.steps - int(job[BUDGET]))
                    if complete:
                        break
                    if self.stop[0]:
                        return
                    yield
        first.storage.pace = pace.steps

    def _worlds(self, persistent, start, end) -> Iterable[Any]:
        """Data of the worlds of a range."""
        return [persistent[k if self.ids is None else int(self.ids[k])] for k in range(start, end)]

    @property
    def ids(self) -> np.ndarray | None:
        """Numbers of the worlds, None for all."""
        return self.outcome.ids

    def _mended(self, x, model, world):
        """Whether the cause why a world stopped is gone; if not, it has failed."""
        raised = x.status == RAISED
        try:
            if x.status == BROKEN and x.status_arg in OF_OPTIONS:
                # the world's options, not those that the Data was made with
                raise report.FatalError(report.broken_text(SimpleNamespace(model=model), x.status_arg))
            stages.recover(x, model)
            return True
        except Exception as error:
            x.status = OK
            # what a function of the caller's raised is the caller's, as are indices that it wrote
            if raised and (self.raises or isinstance(error, InvalidModel)):
                raise
            self.outcome.fail(world, str(error))
            self.failed += 1
            return False


class Threads:
    """The threads of a batch, the caller's among them. A fork takes none along: they are started when they are needed."""

    def __init__(self, count):
        self.count = count
        self._process, self._executor = 0, None
        self.turn = Turn("the Batch")

    def _started(self):
        if self._executor is None or self._process != os.getpid():
            self._executor = concurrent.futures.ThreadPoolExecutor(self.count - 1, "batch")
            self._process = os.getpid()
        return self._executor

    def run(self, call, models, model_of, data, persistent) -> None:
        """Run a call; when this returns, with or without an error, nobody works on it."""
        stages.ensure("run_worlds")
        sliced = threading.current_thread() is threading.main_thread()
        others = min(self.count, -(-call.count // call.chunk)) - 1
        if others <= 0:
            call.run(models[0], model_of, data[0], persistent, sliced)
            return
        submit, work = self._started().submit, inherited(call.run)
        futures = [submit(work, models[k], model_of, data[k], persistent, False) for k in range(1, others + 1)]
        try:
            call.run(models[0], model_of, data[0], persistent, sliced)
            for future in futures:
                # a wait without end would not see a signal
                while not future.done():
                    concurrent.futures.wait([future], SLICE)
                    self._check_process()
                future.result()
        finally:
            call.stop[0] = 1
            if self._process == os.getpid():
                concurrent.futures.wait(futures)

    def _check_process(self):
        if self._process != os.getpid():
            raise BatchInUse("a function in the loop forked the process: a call cannot be completed without its threads")

    def close(self) -> None:
        if self._executor is not None and self._process == os.getpid():
            self._executor.shutdown()
        self._executor = None


def check_callbacks() -> None:
    """ValueError if a Python function is installed as a physics callback: it would be called with another world's objects."""
    for name in hooks.installed():
        if not hooks.address_of_code(hooks.get_callback(name)):
            raise ValueError(f"mjcb_{name} is a Python function: in a batch, physics callbacks must be compiled ones")
