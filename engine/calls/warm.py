"""Compiles stages in advance, in worker processes that fill the shared store of kernels.

Compiling holds one lock per process, so using all cores takes several processes. A worker reads jobs from its standard
input and answers each with one line; if the store could not keep the code, the line contains it. Each stage
takes two jobs, front end and machine code. A front end is quick in a process that has already compiled the stage's helpers,
so half of the workers prefer front ends, the others machine code:

    names ──┬── front ── worker process ── half BASE64 ──┐       or ok: the store has it
            │                                            │
            └── back ─── worker process ── <── halves <──┘       ok: the store has it now; code BASE64: it could not be stored
                                                                 failed, a traceback
"""

from __future__ import annotations

import base64
import functools
import gc
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from typing import Any

from ..core import stages
from ..machine.systems import QUIET, processors, step_back
from ..tables import stage_rows

# the folder from which workers import this package
HOME = pathlib.Path(sys.modules[__name__.partition(".")[0]].__path__[0]).parent
# niceness of a viewer's workers, so that the viewer itself has priority
NICE = 5
# a lasting worker, which uses about 200 MB, ends after this many idle seconds
IDLE = 5.0
FIRST, SOON, LATER = 0, 1, 2


def missing(names: Iterable[str]) -> list[Any]:
    """Return the stages in `names` whose machine code is not cached."""
    return [n for n in names if not stages.find(n).cached]


@functools.cache
def cost(name: str) -> int:
    """Return a number roughly proportional to a stage's compile time: the bytecode size of all functions it reaches."""
    found, left = set(), [stages.find(name).function]
    while left:
        function = left.pop()
        if function in found:
            continue
        found.add(function)
        kernels = (function.__globals__.get(n) for n in function.__code__.co_names)
        left += filter(None, (getattr(k, "function", None) or getattr(k, "py_func", None) for k in kernels))
    return sum(len(f.__code__.co_code) for f in found)


class Workers:
    """Worker processes, and the queue of stages that they compile.

    `finished(name, code, fault)` is called from a thread after each stage. `code` is the machine code if the store could
    not save it; `fault` is a traceback if compiling failed. `lasting` workers stay for a while after the queue is empty,
    and run at low priority.
    """

    def __init__(
        self, count: int | None = None, finished: Callable[[str, bytes, str], Any] = lambda *_: None, lasting: bool = False
    ) -> None:
        self.count, self.finished, self.lasting = count or processors(), finished, lasting
        # the queue, {name: (rank, -cost)}; the smallest value comes first
        self.line: dict[str, tuple] = {}
        # {stage whose front end is done: its intermediate code, the first half of the job}
        self.halves: dict[str, bytes] = {}
        # stages in progress, including halves that wait for a worker: {name: (rank, -cost)}
        self.busy: dict[str, tuple] = {}
        # {stage: seconds that workers have spent on it}
        self.seconds: dict[str, float] = {}
        self.changed = threading.Condition()
        self.closed = False
        self._threads: list[threading.Thread] = []
        # threads whose workers prefer front ends
        self._front: set[threading.Thread] = set()
        # threads whose worker is being stopped
        self._ending: set[threading.Thread] = set()
        self._processes: set[subprocess.Popen] = set()

    def want(self, names: Iterable[str], rank: int = SOON) -> None:
        """Add stages to the queue, or raise their rank. Within a rank, slow stages come first, so that none is left for the
        end."""
        with self.changed:
            for name in names:
                if name in self.busy:
                    self.busy[name] = min((rank, -cost(name)), self.busy[name])
                elif not self.closed:
                    self.line[name] = min((rank, -cost(name)), self.line.get(name, (rank, 0)))
            while len(self._threads) < min(self.count, len(self.line) + len(self.busy)):
                thread = threading.Thread(target=self._serve, name="compiling", daemon=True)
                self._threads.append(thread)
                thread.start()
            self.changed.notify_all()

    def waits(self, name: str) -> bool:
        """Return whether a stage is in the queue or in progress."""
        return name in self.line or name in self.busy

    def join(self, name: str | None = None) -> None:
        """Wait until a stage (or every stage) is compiled or has failed."""
        with self.changed:
            self.changed.wait_for(
                lambda: not (self.waits(name) if name else self.line or self.busy or self._threads or self._ending)
            )

    def close(self) -> None:
        """Stop the workers; their unfinished work is lost."""
        with self.changed:
            self.closed = True
            self.line.clear()
            for name in self.halves:
                del self.busy[name]
            self.halves.clear()
            processes = list(self._processes)
            self.changed.notify_all()
        for process in processes:
            process.terminate()

    # ---- threads ---------------------------------------------------------------------------------------------------------
    def _choose(self, thread: threading.Thread) -> tuple[str, bytes | None] | None:
        """Remove the next job for a thread from the queue, and return it as (name, half or None). Return None if there is no
        job."""
        half = min(self.halves, key=lambda n: self.busy[n], default="")
        if not self.line and not half:
            return None
        first = min(self.line, key=lambda n: self.line[n], default="")

        # the first half of the threads prefer front ends
        if len(self._front) < (self.count + 1) // 2:
            self._front.add(thread)
        if thread in self._front:
            # prefer front ends, unless machine code is more urgent or the other threads fall behind
            back = half and (not first or len(self.halves) >= self.count or self.busy[half][0] < self.line[first][0])
        elif half:
            back = True
        elif self.line[first][0] == FIRST:
            # a caller is waiting for this stage
            back = False
        else:
            # this worker would have to compile the stage's helpers again
            return None

        # remove the job from the queue
        if back:
            return half, self.halves.pop(half)
        self.busy[first] = self.line.pop(first)
        return first, None

    def _next(self) -> tuple[str, bytes | None] | None:
        """Wait for the next job; return None if this thread should end."""
        thread = threading.current_thread()
        with self.changed:
            while (job := self._choose(thread)) is None and not self.closed:
                if self.busy or self.line:
                    # the jobs in progress will need machine code next
                    self.changed.wait()
                elif not self.lasting or not self.changed.wait_for(lambda: self.line or self.closed, IDLE):
                    break
            if job is None:
                self._threads.remove(thread)
                self._front.discard(thread)
                self._ending.add(thread)
            return job

    def _serve(self) -> None:
        """Send jobs to one worker process until there are none."""
        worker = None
        while (job := self._next()) is not None:
            # a new job
            name, half = job
            begin, answer = time.perf_counter(), b""
            try:
                worker = worker or self._start()
                kind, answer = _ask(worker, name, half)
            except OSError as error:
                kind, fault = "failed", f"{type(error).__name__}: {error}"
            else:
                fault = answer.decode() if kind == "failed" else ""

            # replace a failed worker
            if fault:
                self._end(worker)
                worker = None
            self.seconds[name] = self.seconds.get(name, 0.0) * (half is not None) + time.perf_counter() - begin
            if kind != "half" and not self.closed:
                self.finished(name, answer if kind == "code" else b"", fault)
            with self.changed:
                # after `close`, no other thread would finish the second half
                if kind == "half" and not self.closed:
                    self.halves[name] = answer
                else:
                    del self.busy[name]
                self.changed.notify_all()

        # there are no more jobs
        self._end(worker)
        with self.changed:
            self._ending.discard(threading.current_thread())
            self.changed.notify_all()

    def _start(self) -> subprocess.Popen:
        """Start a worker process."""
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join([str(HOME), *filter(None, [os.environ.get("PYTHONPATH")])]))
        # workers must compile stages even if this process interprets them
        environment.pop("TUMBLE_INTERPRET", None)
        command = f"from {__name__} import work; work({NICE if self.lasting else 0})"
        worker = subprocess.Popen(
            [sys.executable, "-P", "-c", command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            creationflags=QUIET,
        )
        with self.changed:
            self._processes.add(worker)
        return worker

    def _end(self, worker: Any) -> None:
        """End a worker process."""
        if worker is None:
            return
        worker.stdin.close()
        worker.wait()
        worker.stdout.close()
        with self.changed:
            self._processes.discard(worker)


def _ask(worker: Any, name: str, half: bytes | None) -> tuple[str, bytes]:
    """Send one job to a worker; return (type of the answer, its contents)."""
    worker.stdin.write(f"{name} {base64.b64encode(half).decode() if half else ''}\n")
    worker.stdin.flush()
    kind, _, rest = worker.stdout.readline().strip().partition(" ")
    if kind in ("half", "code", "ok"):
        return kind, base64.b64decode(rest)
    return "failed", f"stage {name} could not be compiled: {kind or 'the worker died'}\n{worker.stdout.read()}".encode()


def _answer(name: str, half: str) -> str:
    """Do a job in the worker; return the answer."""
    stage = stages.find(name)
    if half:
        code = stage.finish(pickle.loads(base64.b64decode(half)))
        return f"code {base64.b64encode(code).decode()}" if code else "ok"
    begun = stage.begin()
    return f"half {base64.b64encode(pickle.dumps(begun)).decode()}" if begun else "ok"


# number of jobs between two garbage collections in a worker
COLLECTED = 8


def work(nice: int = 0) -> None:
    """Main function of a worker: do the jobs that arrive on standard input."""
    if nice:
        step_back(nice)
    gc.disable()
    for count, line in enumerate(sys.stdin):
        if count % COLLECTED == 0:
            # objects created so far stay alive: exempt them from garbage collection, so that only new ones are searched
            gc.collect()
            gc.freeze()

        # a job that fails ends this worker, which is then replaced
        name, _, half = line.strip().partition(" ")
        try:
            answer = _answer(name, half)
        except Exception:
            answer = "failed\n" + traceback.format_exc()
        try:
            print(answer, flush=True)
        except BrokenPipeError:
            # the process that sent the jobs has ended
            os._exit(0)
        if answer.startswith("failed"):
            return

    # exit at once: freeing the compiler's objects would take a second
    os._exit(0)


def warmup(
    names: Iterable[str] | None = None, workers: int | None = None, progress: Callable[[int, int, str], Any] | None = None
) -> dict[Any, Any]:
    """Compile the stages `names` (default: every stage), except those that are already cached.

    progress(done, total, name) is called after each stage. Returns {stage: seconds}. Raises RuntimeError with the traceback
    of the first stage that fails.
    """
    # find the stages that are not cached
    todo = missing(names if names is not None else stage_rows.everything())
    done, faults = [], []

    def finished(name: str, code: bytes, fault: str) -> None:
        done.append(name)
        if fault:
            faults.append(fault)
            pool.line.clear()
        elif code:
            stages.find(name).take(code)
        if progress:
            progress(len(done), len(todo), name)

    # compile, and stop at the first failure
    pool = Workers(workers, finished)
    pool.want(todo)
    try:
        pool.join()
    finally:
        pool.close()
    if faults:
        raise RuntimeError(faults[0])
    return pool.seconds


__all__ = ["Workers", "missing", "warmup", "work"]
