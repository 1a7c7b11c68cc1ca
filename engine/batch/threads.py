"""Runs index ranges of worlds on threads.

Each thread has a Data and, if fields differ between worlds, its own model. Results therefore do not depend on the
number of threads, or on the thread that runs a range.
"""

import concurrent.futures
import contextlib
import itertools
import os
import threading
import time
from collections.abc import Generator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from ..core import hooks, owner, report, stages
from ..core.pace import SLICE, Pace
from ..core.stages import BROKEN, OK, RAISED
from ..core.turns import BatchInUse, Turn, inherited
from ..machine.jit import Stage
from ..machine.storage import address_of
from ..machine.systems import processors  # noqa: F401
from ..step.worlds import BUDGET, END, FRESH, NEXT, PHASE, STOP
from ..tables.validate import InvalidModel

# number of ranges per thread: several, so that no thread waits long for the last range
RANGES = 8
ENDLESS = 2**62
# seconds of work below which waking another thread does not pay off
WAKING = 2e-4
# for error messages: the operation that uses a Data
PLACE = "a call of a Batch"
_PLACE = owner.function_place(PLACE)
NOTHING_ENTERED = contextlib.nullcontext()
# stop flag of a call that only one thread runs: it is never set
UNSTOPPED = np.zeros(1, np.uint8)
_UNSTOPPED_AT = address_of(UNSTOPPED)
# status codes of step failures that are caused by wrong options
OF_OPTIONS = (report.BAD_SOLVER, report.BAD_INTEGRATOR, report.NOT_DISCRETE)


class SimulationError(RuntimeError):
    """Raised if worlds of a call failed. They keep their state from before the call; the other worlds are complete.
    `Batch.error(i)` returns the reason.

    ids: int (k,), the worlds that failed
    message: the reason for the first of them
    count: number of worlds in the call
    """

    ids: np.ndarray

    def __init__(self, ids: Any, message: str, count: int | None = None) -> None:
        self.ids = np.asarray(ids)
        first = ", ".join(map(str, self.ids[:10].tolist())) + (", ..." if len(self.ids) > 10 else "")
        of = "" if count is None else f" of {count}"
        super().__init__(f"MuJoCo raised in {len(self.ids)}{of} simulations ({first}); simulation {self.ids[0]}: {message}")


class Call:
    """One call on worlds: its description and outcome. `shown`: users' functions may hold references to the Datas of worlds."""

    def __init__(self, job: np.ndarray, count: int, chunk: int, outcome: Any, raises: bool, shown: bool = False) -> None:
        self.job, self.count, self.chunk, self.outcome, self.raises, self.shown = job, count, chunk, outcome, raises, shown
        self.stop, job[STOP] = UNSTOPPED, _UNSTOPPED_AT
        self.starts = itertools.count(0, chunk)
        self.failed = 0

    def share(self) -> None:
        """Let several threads run the call, which stops when its flag is set."""
        self.stop = np.zeros(1, np.uint8)
        self.job[STOP] = address_of(self.stop)

    def run(self, model: Any, model_of: Any, d: Any, persistent: Any, sliced: bool) -> None:
        """Run ranges of worlds until none are left. `sliced`: return to Python regularly, to handle signals."""
        job, ids = self.job.copy(), self.ids
        entry, shown = Stage.registry["run_worlds"], persistent if self.shown else None
        stops = self.stops(entry, job, address_of(job), model, d.storage, [d.storage.integers], sliced, shown)
        depth = owner.enter(d.storage, _PLACE)
        try:
            for _ in stops:
                world = int(job[NEXT] if ids is None else ids[job[NEXT]]) if job[NEXT] < job[END] else 0
                x = persistent[world] if persistent else d
                if x.status != OK and not self._mended(x, model_of(world) or model, world):
                    job[NEXT] += 1
                    job[PHASE] = FRESH
        finally:
            stops.close()
            owner.leave(d.storage, depth)

    def stops(
        self,
        entry: Any,
        job: np.ndarray,
        where: int,
        model: Any,
        first: Any,
        all_cells: "Sequence[memoryview[int]]",
        sliced: bool,
        shown: Any = None,
    ) -> Generator[None, None, None]:
        """Run ranges in compiled code; yield whenever the code returns before the end of a range.

        `where`: the job's address. `first`: the storage of the first Data that the code uses. `all_cells`: the header integers
        of all these Datas. `shown`: the Datas of all worlds, if the caller's functions may hold references to them.
        """
        at, pace = model.storage.address, Pace(first.pace)

        # take the next range
        for start in self.starts:
            if start >= self.count or self.stop[0]:
                return
            job[NEXT], job[END], job[PHASE] = start, min(start + self.chunk, self.count), FRESH
            for cells in all_cells:
                cells[stages.STATUS] = OK

            # run the range; lock the Datas that users' functions may refer to
            with self._entered(shown, start, int(job[END])) if shown else NOTHING_ENTERED:
                while True:
                    job[BUDGET] = pace.steps if sliced else ENDLESS
                    complete = entry(at, first.address, where)
                    if sliced:
                        pace.update(pace.steps - int(job[BUDGET]))
                    if complete:
                        break
                    if self.stop[0]:
                        return
                    yield
            first.pace = pace.steps

    @contextlib.contextmanager
    def _entered(self, persistent: Any, start: int, end: int) -> Generator[None, None, None]:
        """During a block, mark the Datas of a range's worlds as used by this thread."""
        with contextlib.ExitStack() as held:
            for k in range(start, end):
                held.enter_context(owner.inside(persistent[k if self.ids is None else int(self.ids[k])], PLACE))
            yield

    @property
    def ids(self) -> np.ndarray | None:
        """Ids of the call's worlds, None for all."""
        return self.outcome.ids

    def _mended(self, x: Any, model: Any, world: int) -> bool:
        """Remove the cause of a world's interruption. Return whether this succeeded; otherwise the world has failed."""
        raised = x.status == RAISED
        try:
            if x.status == BROKEN and x.status_arg in OF_OPTIONS:
                # report the options of this world, not those of the model from which the Data was made
                raise report.FatalError(report.broken_text(SimpleNamespace(model=model), x.status_arg))
            stages.recover(x, model)
            return True
        except Exception as error:
            x.status = OK
            # raise exceptions of the user's functions, and InvalidModel for wrong indices that the functions wrote
            if raised and (self.raises or isinstance(error, InvalidModel)):
                raise
            self.outcome.fail(world, str(error))
            self.failed += 1
            return False


class Threads:
    """The threads of a batch, including the calling thread. They start when needed, because a fork does not copy threads."""

    def __init__(self, count: int) -> None:
        self.count = count
        # seconds that the last call took
        self.spent = 0.0
        self._process, self._executor = 0, None
        self.turn = Turn("the Batch")

    def _started(self) -> concurrent.futures.ThreadPoolExecutor:
        """Return this process's threads; start them if necessary."""
        if self._executor is None or self._process != os.getpid():
            self._executor = concurrent.futures.ThreadPoolExecutor(self.count - 1, "batch")
            self._process = os.getpid()
        return self._executor

    def share(self, count: int, steps: int, d: Any) -> int:
        """Return the number of worlds, of `count`, that a thread takes at a time: all of them, if waking other threads takes
        longer than the work.

        `steps`: total steps of all worlds, 0 if the call makes no steps. `d`: a Data, which stores how many steps fit into a
        time slice.
        """
        if self.count == 1 or 0 < steps * SLICE < WAKING * d.storage.pace:
            return count
        return -(-count // (RANGES * self.count))

    def run(self, call: Call, models: Any, model_of: Any, data: Any, persistent: Any) -> None:
        """Run a call on all threads. When it returns or raises, no thread works on the call any more."""
        stages.ensure("run_worlds")
        begin = time.perf_counter()
        try:
            self._run(call, models, model_of, data, persistent)
        finally:
            self.spent = time.perf_counter() - begin

    def _run(self, call: Call, models: Any, model_of: Any, data: Any, persistent: Any) -> None:
        sliced = threading.get_ident() == threading.main_thread().ident

        # one thread is enough
        others = min(self.count, -(-call.count // call.chunk)) - 1
        if others <= 0:
            call.run(models[0], model_of, data[0], persistent, sliced)
            return
        call.share()
        submit, work = self._started().submit, inherited(call.run)
        futures = [submit(work, models[k], model_of, data[k], persistent, False) for k in range(1, others + 1)]
        try:
            call.run(models[0], model_of, data[0], persistent, sliced)
            for future in futures:
                # wait with a timeout: an endless wait would not notice signals
                while not future.done():
                    concurrent.futures.wait([future], SLICE)
                    self._check_process()
                future.result()
        finally:
            call.stop[0] = 1
            if self._process == os.getpid():
                concurrent.futures.wait(futures)

    def _check_process(self) -> None:
        """Raise BatchInUse if the process was forked during the call."""
        if self._process != os.getpid():
            raise BatchInUse("a function in the loop forked the process: a call cannot be completed without its threads")

    def close(self) -> None:
        """Stop the threads."""
        if self._executor is not None and self._process == os.getpid():
            self._executor.shutdown()
        self._executor = None


def check_callbacks() -> None:
    """Raise ValueError if a Python function is installed as a physics callback, because it would receive another world's
    objects."""
    for name in hooks.installed():
        if not hooks.address_of_code(hooks.get_callback(name)):
            raise ValueError(f"mjcb_{name} is a Python function: in a batch, physics callbacks must be compiled")
