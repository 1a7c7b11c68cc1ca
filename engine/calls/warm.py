"""Compile stages ahead of use, in worker processes that fill the shared store of kernels.

Compiling holds one lock per process, so all cores are used by processes. A worker reads jobs from its standard input and answers each with
one line; what could not be kept in the store comes back in it. A stage is two jobs: its front end is quick where the helpers that it calls
are known from the stages before, so half of the workers are asked for it first, the others for machine code:

    names ──┬── front ── worker process ── half BASE64 ──┐       or ok: the store has it
            │                                            │
            └── back ─── worker process ── <── halves <──┘       ok: the store has it now; code BASE64: it could not be kept
                                                                 failed, a traceback
"""

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

# the folder that a worker must find the package in
HOME = pathlib.Path(sys.modules[__name__.partition(".")[0]].__path__[0]).parent
# what a worker on behalf of a window yields to it: the rest of the machine is for what the person looks at
NICE = 5
# seconds without work after which a lasting worker ends; it holds about 200 MB
IDLE = 5.0
FIRST, SOON, LATER = 0, 1, 2


def missing(names) -> list[Any]:
    """Those stages of a list whose compiled code is not in the cache."""
    return [n for n in names if not stages.find(n).cached]


@functools.cache
def cost(name) -> int:
    """What compiling a stage takes, roughly in proportion: the bytes of all functions that it reaches."""
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
    """Worker processes and the line of stages that wait for them.

    `finished(name, code, fault)` is called from a thread after each stage: machine code if the store could not keep it, a traceback if it
    could not be made. `lasting` workers stay for a while when the line is empty, and leave the machine to others while it is busy.
    """

    def __init__(self, count=None, finished: Callable[[str, bytes, str], Any] = lambda *_: None, lasting=False) -> None:
        self.count, self.finished, self.lasting = count or processors(), finished, lasting
        # name: (rank, -cost); the least comes first
        self.line: dict[str, tuple] = {}
        # what is compiled by half
        self.halves: dict[str, bytes] = {}
        # in work, halves that wait for a worker among them: name: (rank, -cost)
        self.busy: dict[str, tuple] = {}
        # what workers have spent on each stage
        self.seconds: dict[str, float] = {}
        self.changed = threading.Condition()
        self.closed = False
        self._threads: list[threading.Thread] = []
        # those of them that see to front ends first
        self._front: set[threading.Thread] = set()
        # threads whose worker is being ended
        self._ending: set[threading.Thread] = set()
        self._processes: set[subprocess.Popen] = set()

    def want(self, names: Iterable[str], rank: int = SOON) -> None:
        """Put stages into the line, or forward in it; the long ones of a rank first, so that none is left over at the end."""
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
        """Whether a stage is in the line or in work."""
        return name in self.line or name in self.busy

    def join(self, name: str | None = None) -> None:
        """Wait until a stage, or everything, is compiled or has failed."""
        with self.changed:
            self.changed.wait_for(
                lambda: not (self.waits(name) if name else self.line or self.busy or self._threads or self._ending)
            )

    def close(self) -> None:
        """End the workers; what they are at is lost."""
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

    # ---- threads -----------------------------------------------------------------------------------------------------------------------
    def _choose(self, thread):
        """The next job of a thread, (name, half or None), out of the line; None if there is none."""
        half = min(self.halves, key=lambda n: self.busy[n], default="")
        if not self.line and not half:
            return None
        first = min(self.line, key=lambda n: self.line[n], default="")
        if len(self._front) < (self.count + 1) // 2:
            self._front.add(thread)
        if thread in self._front:
            # machine code only where it is more urgent, or the others fall behind
            back = half and (not first or len(self.halves) >= self.count or self.busy[half][0] < self.line[first][0])
        elif half:
            back = True
        elif self.line[first][0] == FIRST:
            # somebody waits for it
            back = False
        else:
            # it would have to compile the helpers once more
            return None
        if back:
            return half, self.halves.pop(half)
        self.busy[first] = self.line.pop(first)
        return first, None

    def _next(self):
        """The next job; None if this thread is to end."""
        thread = threading.current_thread()
        with self.changed:
            while (job := self._choose(thread)) is None and not self.closed:
                if self.busy or self.line:
                    # machine code of what others are at will be wanted
                    self.changed.wait()
                elif not self.lasting or not self.changed.wait_for(lambda: self.line or self.closed, IDLE):
                    break
            if job is None:
                self._threads.remove(thread)
                self._front.discard(thread)
                self._ending.add(thread)
            return job

    def _serve(self):
        """Feed one worker process until there is nothing to do."""
        worker = None
        while (job := self._next()) is not None:
            name, half = job
            begin, answer = time.perf_counter(), b""
            try:
                worker = worker or self._start()
                kind, answer = _ask(worker, name, half)
            except OSError as error:
                kind, fault = "failed", f"{type(error).__name__}: {error}"
            else:
                fault = answer.decode() if kind == "failed" else ""
            if fault:
                self._end(worker)
                worker = None
            self.seconds[name] = self.seconds.get(name, 0.0) * (half is not None) + time.perf_counter() - begin
            if kind != "half" and not self.closed:
                self.finished(name, answer if kind == "code" else b"", fault)
            with self.changed:
                # after the end nobody would see to it
                if kind == "half" and not self.closed:
                    self.halves[name] = answer
                else:
                    del self.busy[name]
                self.changed.notify_all()
        self._end(worker)
        with self.changed:
            self._ending.discard(threading.current_thread())
            self.changed.notify_all()

    def _start(self):
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join([str(HOME), *filter(None, [os.environ.get("PYTHONPATH")])]))
        # what stands in the place of stages here is none of theirs
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

    def _end(self, worker):
        if worker is None:
            return
        worker.stdin.close()
        worker.wait()
        worker.stdout.close()
        with self.changed:
            self._processes.discard(worker)


def _ask(worker, name, half):
    """(kind of the answer, what comes with it) to one job."""
    worker.stdin.write(f"{name} {base64.b64encode(half).decode() if half else ''}\n")
    worker.stdin.flush()
    kind, _, rest = worker.stdout.readline().strip().partition(" ")
    if kind in ("half", "code", "ok"):
        return kind, base64.b64decode(rest)
    return "failed", f"stage {name} could not be compiled: {kind or 'the worker died'}\n{worker.stdout.read()}".encode()


def _answer(name, half):
    """A worker's answer to a job."""
    stage = stages.find(name)
    if half:
        code = stage.finish(pickle.loads(base64.b64decode(half)))
        return f"code {base64.b64encode(code).decode()}" if code else "ok"
    begun = stage.begin()
    return f"half {base64.b64encode(pickle.dumps(begun)).decode()}" if begun else "ok"


# jobs of a worker between two collections of garbage
COLLECTED = 8


def work(nice: int = 0) -> None:
    """The worker: do the jobs that come on standard input."""
    if nice:
        step_back(nice)
    gc.disable()
    for count, line in enumerate(sys.stdin):
        if count % COLLECTED == 0:
            # only what is new is looked at: most of it is there to stay
            gc.collect()
            gc.freeze()
        name, _, half = line.strip().partition(" ")
        try:
            answer = _answer(name, half)
        except Exception:
            answer = "failed\n" + traceback.format_exc()
        try:
            print(answer, flush=True)
        except BrokenPipeError:
            # whoever asked is gone
            os._exit(0)
        if answer.startswith("failed"):
            return
    # the compiler's objects would be cleared one by one, for a second
    os._exit(0)


def warmup(names=None, workers=None, progress=None) -> dict[Any, Any]:
    """Compile what is not cached of `names` (default: every stage). progress(done, total, name) is called after each stage.

    Returns {stage: seconds}. Raises RuntimeError with the first failing stage's traceback.
    """
    todo = missing(names if names is not None else stage_rows.everything())
    done, faults = [], []

    def finished(name, code, fault):
        done.append(name)
        if fault:
            faults.append(fault)
            pool.line.clear()
        elif code:
            stages.find(name).take(code)
        if progress:
            progress(len(done), len(todo), name)

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
