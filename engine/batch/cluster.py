"""Distributes work to processes or machines: index ranges of trajectories or worlds become tasks for an executor, a Dask
client or Ray.

    target ── futures ──┬── worker: finds the models by their hashes ── function(models, ...) ── result, seconds
                        └── worker: lacks a model ── reports this, and gets it with the task

Ranges are cut to take about a second, estimated from earlier ranges. A result depends only on its range, bit for bit, not
on the worker. If a worker dies or does not answer, its range is run again. Workers whose machine code may differ are
refused.
"""

from __future__ import annotations

import concurrent.futures
import functools
import hashlib
import multiprocessing
import os
import pathlib
import pickle
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

from ..core import hooks
from ..core.model import MjModel
from ..machine import target
from ..machine.systems import processors
from ..tables.values import read_integer
from .parcels import folder as parcels_folder
from .parcels import unwrapped, wrapped

# types of a worker's answer
DONE, MISSING, REFUSED, FAILED = range(4)
# number of tasks that each worker runs or has queued; more than one, so that no worker is idle
AHEAD = 2
# a range of worlds may be at most this many times longer than the longest one timed so far
GROWTH = 8
# number of finished ranges per worker that may wait until an earlier range is finished
BACKLOG = 8
# number of models that a worker caches in addition to those in use
KEPT = 32
# seconds between checks for workers that do not answer
LOOK = 1.0
# environment variables that affect the results of kernels
SETTINGS = ("TUMBLE_LEVEL", "TUMBLE_INTERPRET")
# prefixes of addresses of Dask schedulers; all other addresses are Ray's
DASK = ("dask:", "tcp://", "tls://")


class ClusterError(RuntimeError):
    """Raised if workers cannot be used: their version or processor differs, too many died, or the executor is broken."""


# ---- on the worker -------------------------------------------------------------------------------------------------------
_models: OrderedDict[str, MjModel] = OrderedDict()
_lock = threading.Lock()


@functools.cache
def identity() -> tuple[tuple[str, str], ...]:
    """Return everything, besides the task, on which the bits of results depend: ((name, value), ...)."""
    own = hashlib.blake2b(digest_size=8)
    root = pathlib.Path(__file__).parents[1]
    for path in sorted(root.rglob("*.py")):
        own.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return (
        ("sources of the engine", own.hexdigest()),
        ("processor and compiler", target.of_host(False)),
        *((name, os.environ.get(name, "")) for name in SETTINGS),
    )


def work(
    expected: tuple[tuple[str, str], ...],
    function: Callable[..., Any],
    keys: Sequence[str],
    sent: dict[str, bytes],
    arguments: Any,
    folder: str = "",
) -> tuple[Any, ...]:
    """Run one task in a worker. `folder`: shared-memory folder for parcels (large arrays).

    Returns (DONE, result, seconds), (MISSING,) if a model is missing, (REFUSED, text) or (FAILED, error).
    """
    differences = [(name, there, here) for (name, there), (_, here) in zip(expected, identity()) if there != here]
    if differences:
        return REFUSED, "; ".join(f"{name}: {here!r} there, {there!r} here" for name, there, here in differences)
    try:
        arguments = unwrapped(arguments)
        models = _take(keys, sent)
        if models is None:
            return (MISSING,)
        begin = time.perf_counter()
        result = function(models, *arguments)
        return DONE, wrapped(result, folder), time.perf_counter() - begin
    except Exception as error:
        return FAILED, _portable(error)


def _take(keys: Sequence[str], sent: dict[str, bytes]) -> list[MjModel] | None:
    """Return the models with the given hashes; None if one of them was neither cached nor sent."""
    with _lock:
        for key, raw in sent.items():
            if key not in _models:
                _models[key] = pickle.loads(raw)
        if any(key not in _models for key in keys):
            return None
        for key in keys:
            _models.move_to_end(key)
        found = [_models[key] for key in keys]
        while len(_models) > KEPT + len(set(keys)):
            _models.popitem(last=False)
    return found


def _portable(error: Exception) -> Exception:
    """Return the error, or a RuntimeError with its text if it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))
        return error
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")


# ---- adapters to executors -----------------------------------------------------------------------------------------------
class Pool:
    """An executor, its number of workers, and the function that makes a new executor if this one breaks."""

    def __init__(self, executor: Any, workers: int, make: Callable[[], Any] | None = None, owned: bool = False) -> None:
        self.executor, self.workers, self.make, self.owned = executor, max(1, workers), make, owned
        self.generation = 0
        # processes on this machine can share memory
        self.shared = parcels_folder() if isinstance(executor, concurrent.futures.ProcessPoolExecutor) else None

    @property
    def folder(self) -> str:
        """Folder for parcels (large arrays sent through shared memory); empty if there is none."""
        return self.shared.name if self.shared else ""

    def renew(self) -> None:
        """Replace a broken executor. Raise ClusterError if there is no function that makes a replacement."""
        if self.make is None:
            raise ClusterError(
                "the executor is broken because a worker died; to repeat failed tasks, pass a function that makes an executor"
            )
        self._stop(False)
        self.executor, self.owned = self.make(), True
        self.generation += 1

    def close(self, hurry: bool = False) -> None:
        """Stop the workers that this object started. `hurry`: do not wait for busy workers."""
        self._stop(hurry)
        if self.shared:
            self.shared.cleanup()
            self.shared = None

    def _stop(self, hurry: bool) -> None:
        """Stop the executor, if this pool started it."""
        if not self.owned:
            return
        processes = getattr(self.executor, "_processes", None)
        if hurry:
            for process in list((processes or {}).values()):
                process.kill()
        self.executor.shutdown(wait=not hurry, cancel_futures=True)


class RayTasks:
    """Ray tasks with the interface of an executor."""

    def __init__(self, address: str) -> None:
        self._ray: Any = import_module("ray")
        if not self._ray.is_initialized():
            self._ray.init(address=address)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return a future of function(*arguments). Ray's own retries are off: the caller repeats lost tasks."""
        return self._ray.remote(function).options(max_retries=0).remote(*arguments).future()

    def workers(self) -> int:
        """Return how many tasks the cluster can run at once."""
        return int(self._ray.cluster_resources().get("CPU", 1))


class DaskTasks:
    """The scheduler of a Dask cluster, found by its address, with the interface of an executor."""

    def __init__(self, address: str) -> None:
        self.client: Any = import_module("distributed").Client(address.removeprefix(DASK[0]))
        self._executor: Any = self.client.get_executor(pure=False)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return a future of function(*arguments)."""
        return self._executor.submit(function, *arguments)

    def workers(self) -> int:
        """Return how many tasks the cluster can run at once."""
        return sum(self.client.nthreads().values())

    def shutdown(self, wait: bool = True, cancel_futures: bool = False) -> None:
        """Disconnect from the cluster, which keeps running."""
        self._executor.shutdown(wait=wait)
        self.client.close()


def processes(count: int) -> concurrent.futures.ProcessPoolExecutor:
    """Return an executor of processes on this machine. They are spawned, without this process's threads and locks."""
    return concurrent.futures.ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"))


def open_pool(where: Any, workers: int = 0) -> Pool:
    """Return a pool for a number of processes, the address of a Ray or Dask cluster, a Dask client, an executor, or a function
    that makes an executor. Raise TypeError for anything else."""
    if isinstance(where, str):
        tasks = DaskTasks(where) if where.startswith(DASK) else RayTasks(where)
        return Pool(tasks, workers or tasks.workers(), owned=isinstance(tasks, DaskTasks))
    if hasattr(where, "get_executor"):
        return Pool(where.get_executor(pure=False), workers or sum(where.nthreads().values()))

    # the caller's own executor: if it breaks, only a process pool can be replaced
    if hasattr(where, "submit"):
        workers = workers or getattr(where, "_max_workers", 0) or processors()
        again = isinstance(where, concurrent.futures.ProcessPoolExecutor)
        return Pool(where, workers, functools.partial(processes, workers) if again else None)
    if callable(where):
        executor = where()
        return Pool(executor, workers or getattr(executor, "_max_workers", 0) or processors(), where, True)

    # a number of processes
    if isinstance(where, bool) or not hasattr(where, "__index__"):
        raise TypeError(
            "cluster needs a number of processes, the address of a Ray or Dask cluster, a Dask client, an executor "
            f"or a function that makes one, got {type(where).__name__}"
        )
    count = read_integer(where, 1, 4096)
    return Pool(processes(count), count, functools.partial(processes, count), True)


# ---- in the calling process ----------------------------------------------------------------------------------------------
class Cluster:
    """The workers of `rollout(..., cluster=...)`, and their task settings. `with Cluster(4) as c:` keeps its processes
    between calls. TypeError for other arguments, ValueError unless seconds and timeout are positive.

    where: a number of processes on this machine, the address of a Ray cluster ("auto", "host:6379", "ray://host:10001") or
        of a Dask scheduler ("tcp://host:8786", "dask:host:8786"), a dask.distributed.Client, any concurrent.futures.Executor
        (MPI, Loky, ...), or a function without arguments that returns an executor. The function is called again if a worker's
        death breaks the executor.
    workers: number of concurrent tasks; 0: as many as `where` reports
    seconds: target duration of a task in seconds
    timeout: seconds without an answer after which a task is reassigned
    attempts: maximum number of tries of a task
    progress: called as progress(done, count) when a range is complete
    """

    def __init__(
        self,
        where: Any,
        *,
        workers: int = 0,
        seconds: float = 1.0,
        timeout: float = 600.0,
        attempts: int = 5,
        progress: Callable[[int, int], object] | None = None,
    ) -> None:
        self.where, self.workers = where, read_integer(workers, 0, 2**20)
        self.seconds, self.timeout, self.attempts, self.progress = (
            float(seconds),
            float(timeout),
            read_integer(attempts, 1, 2**20),
            progress,
        )
        if not self.seconds > 0 or not self.timeout > 0:
            raise ValueError("seconds and timeout must be positive")
        self._pool: Pool | None = None

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None:
        self.close()

    def pool(self) -> Any:
        """The workers: a Pool, started when first used."""
        if self._pool is None:
            self._pool = open_pool(self.where, self.workers)
        return self._pool

    def close(self, hurry: bool = False) -> None:
        """Stop the processes that this object started. `hurry`: do not wait for their tasks."""
        if self._pool is not None:
            self._pool.close(hurry)
        self._pool = None

    def spread(
        self, function: Callable[..., Any], models: Sequence[MjModel], count: int, cut: Callable[[int, int], tuple[Any, ...]]
    ) -> Iterator[tuple[int, int, Any]]:
        """Yield (start, stop, function(models[start:stop], *cut(start, stop))), in order, for ranges that cover range(count).
        ClusterError is raised if a worker has another version or processor, or if a range fails too often.

        function: importable by workers; its exceptions are raised here
        models: one for each index, or a single model, which the function receives in a list of length one
        """
        run = _Run(self, function, models, count, cut)
        try:
            yield from run.results()
        except BaseException:
            run.abandon()
            raise
        run.finish()


class _Task:
    """A range of worlds or trajectories, and the number of times it was submitted."""

    def __init__(self, start: int, stop: int) -> None:
        self.start, self.stop = start, stop
        self.attempts, self.complete, self.whole = 0, False, False


class _Flight:
    """A task that was submitted to a worker."""

    def __init__(self, task: _Task, generation: int) -> None:
        self.task, self.generation = task, generation
        self.begun, self.late = time.monotonic(), False


class _Run:
    """One call of `spread`: tasks at workers, tasks to repeat, and finished ranges that wait for earlier ones to finish."""

    def __init__(
        self,
        cluster: Cluster,
        function: Callable[..., Any],
        models: Sequence[MjModel],
        count: int,
        cut: Callable[[int, int], tuple[Any, ...]],
    ) -> None:
        self.cluster, self.pool, self.function, self.count, self.cut = cluster, cluster.pool(), function, count, cut
        raw = {id(m): pickle.dumps(m) for m in {id(m): m for m in models}.values()}
        keys = {k: hashlib.blake2b(x, digest_size=16).hexdigest() for k, x in raw.items()}
        self.raw = {keys[k]: x for k, x in raw.items()}
        self.keys = [keys[id(m)] for m in models]
        # {hash of a model: number of workers that received it}
        self.sent = dict.fromkeys(self.raw, 0)
        self.flights: dict[Any, _Flight] = {}
        self.again: list[_Task] = []
        self.complete: dict[int, tuple[int, Any]] = {}
        self.next, self.size, self.measured, self.renewals, self.ndone = 0, 1, False, 0, 0

    def results(self) -> Iterator[tuple[int, int, Any]]:
        """Yield the results of ranges, in order."""
        at = 0
        while at < self.count:
            self._fill()
            self._wait()
            while at in self.complete:
                stop, result = self.complete.pop(at)
                yield at, stop, result
                at = stop

    def abandon(self) -> None:
        """Stop all work, because its results are no longer needed."""
        for future in self.flights:
            future.cancel()
        self.cluster.close(hurry=True)

    def finish(self) -> None:
        """Finish without waiting for workers that do not answer."""
        if self.flights:
            self.abandon()

    # ---- submitting tasks ------------------------------------------------------------------------------------------------
    def _fill(self) -> None:
        """Submit tasks until every worker has enough of them."""
        depth = self.pool.workers * (AHEAD if self.measured else 1)
        while sum(not f.late for f in self.flights.values()) < depth:
            task = self.again.pop(0) if self.again else self._cut_next()
            if task is None:
                return
            if not task.complete:
                self._submit(task)

    def _cut_next(self) -> _Task | None:
        """Cut off the next range and return it as a task. Return None if there is none, or if too many finished ranges
        wait."""
        if self.next >= self.count or len(self.complete) > BACKLOG * self.pool.workers:
            return None
        # divide the last part evenly among the workers
        n = min(self.size, -(-(self.count - self.next) // self.pool.workers))
        task = _Task(self.next, self.next + n)
        self.next += n
        return task

    def _submit(self, task: _Task) -> None:
        """Submit a task, together with models that its worker may not have."""
        if task.attempts >= self.cluster.attempts:
            raise ClusterError(
                f"{task.start}..{task.stop - 1} of {self.count} failed {task.attempts} times: workers died or did not answer"
            )

        # send the models that not every worker has received yet
        task.attempts += 1
        keys = self.keys if len(self.keys) == 1 else self.keys[task.start : task.stop]
        models = {k: self.raw[k] for k in dict.fromkeys(keys) if task.whole or self.sent[k] < self.pool.workers}
        for k in models:
            self.sent[k] += 1
        arguments = (
            identity(),
            self.function,
            keys,
            models,
            wrapped(self.cut(task.start, task.stop), self.pool.folder),
            self.pool.folder,
        )

        # if the executor is broken, replace it and submit the task again
        while True:
            try:
                future = self.pool.executor.submit(work, *arguments)
                break
            except concurrent.futures.BrokenExecutor as error:
                self._renew(error)
        self.flights[future] = _Flight(task, self.pool.generation)

    # ---- collecting results ---------------------------------------------------------------------------------------------
    def _wait(self) -> None:
        """Wait for a result; repeat the tasks of workers that do not answer."""
        if not self.flights:
            return
        done, _ = concurrent.futures.wait(self.flights, LOOK, concurrent.futures.FIRST_COMPLETED)
        for future in done:
            self._land(future, self.flights.pop(future))
        now = time.monotonic()
        for flight in self.flights.values():
            if not flight.late and now - flight.begun > self.cluster.timeout:
                flight.late = True
                self.again.append(flight.task)

    def _land(self, future: Any, flight: _Flight) -> None:
        """Process the outcome of a completed future."""
        task = flight.task
        if task.complete:
            return
        lost = concurrent.futures.CancelledError() if future.cancelled() else future.exception()
        if lost is not None:
            self._lost(flight, lost)
            return
        kind, *rest = future.result()
        if kind == MISSING:
            # A missing model is not counted as a failure: the next worker that runs the task gets all models.
            task.attempts -= 1
            task.whole = True
            self.again.append(task)
        elif kind == REFUSED:
            raise ClusterError(f"a worker would compute different results: {rest[0]}")
        elif kind == FAILED:
            raise rest[0]
        else:
            self._take(task, *rest)

    def _take(self, task: _Task, result: Any, seconds: float) -> None:
        """Store a result, and adapt the length of later ranges to the time that this range took."""
        n = task.stop - task.start
        task.complete = True
        self.complete[task.start] = task.stop, unwrapped(result)
        self.size = int(min(max(1, n * self.cluster.seconds / max(seconds, 1e-9)), max(self.size, GROWTH * n)))
        self.measured = True
        self.ndone += n
        if self.cluster.progress is not None:
            self.cluster.progress(self.ndone, self.count)

    def _lost(self, flight: _Flight, error: BaseException) -> None:
        """Repeat a task whose worker died."""
        if flight.task.attempts >= self.cluster.attempts:
            task = flight.task
            raise ClusterError(
                f"{task.start}..{task.stop - 1} of {self.count} failed {task.attempts} times: {error!r}"
            ) from error
        if isinstance(error, concurrent.futures.BrokenExecutor) and flight.generation == self.pool.generation:
            self._renew(error)
        self.again.append(flight.task)

    def _renew(self, error: BaseException) -> None:
        """Replace the workers. New workers have no models yet. The futures of the old workers report their tasks as lost."""
        self.renewals += 1
        if self.renewals > self.cluster.attempts:
            raise ClusterError(f"workers died {self.renewals} times") from error
        self.pool.renew()
        self.sent = dict.fromkeys(self.raw, 0)


def check_alone() -> None:
    """Raise ValueError if a physics callback is installed, because workers lack it."""
    for name in hooks.installed():
        raise ValueError(f"mjcb_{name} is installed in this process only, so workers would compute different results")


def as_cluster(where: Any) -> tuple[Cluster, bool]:
    """Return (Cluster for the caller's `cluster` argument, whether this call made it and must close it)."""
    return (where, False) if isinstance(where, Cluster) else (Cluster(where), True)
