"""Compile stages ahead of use, in worker processes that fill the shared store of kernels.

Compiling holds one lock per process, so all cores are used by processes. A worker reads names of stages from its standard input and
answers each with one line; what could not be kept in the store comes back in it.

    line of names ──┬── thread ── worker process ── ok                     the store has it
                    └── thread ── worker process ── code BASE64            it could not be kept
                                                    failed, a traceback
"""
import base64
import functools
import os
import pathlib
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from typing import Any

from . import stages

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
        self.count, self.finished, self.lasting = count or os.cpu_count() or 1, finished, lasting
        # name: (rank, -cost); the least comes first
        self.line: dict[str, tuple] = {}
        self.busy: dict[str, float] = {}
        self.seconds: dict[str, float] = {}
        self.changed = threading.Condition()
        self.closed = False
        self._threads: list[threading.Thread] = []
        # threads whose worker is being ended
        self._ending: set[threading.Thread] = set()
        self._processes: set[subprocess.Popen] = set()

    def want(self, names: Iterable[str], rank: int = SOON) -> None:
        """Put stages into the line, or forward in it; the long ones of a rank first, so that none is left over at the end."""
        with self.changed:
            for name in names:
                if name not in self.busy and not self.closed:
                    self.line[name] = min((rank, -cost(name)), self.line.get(name, (rank, 0)))
            while len(self._threads) < min(self.count, len(self.line) + len(self.busy)):
                thread = threading.Thread(target=self._serve, name="compiling", daemon=True)
                self._threads.append(thread)
                thread.start()
            self.changed.notify_all()

    def waits(self, name: str) -> bool:
        """Whether a stage is in the line or in work."""
        return name in self.line or name in self.busy

    def elapsed(self, name: str) -> float:
        """Seconds that a stage in work has taken so far."""
        return time.perf_counter() - self.busy.get(name, time.perf_counter())

    def join(self, name: str | None = None) -> None:
        """Wait until a stage, or everything, is compiled or has failed."""
        with self.changed:
            self.changed.wait_for(lambda: not (self.waits(name) if name else self.line or self.busy or self._threads or self._ending))

    def close(self) -> None:
        """End the workers; what they are at is lost."""
        with self.changed:
            self.closed = True
            self.line.clear()
            processes = list(self._processes)
            self.changed.notify_all()
        for process in processes:
            process.terminate()

    # ---- threads -----------------------------------------------------------------------------------------------------------------------
    def _next(self):
        """The next name; None if this thread is to end."""
        with self.changed:
            if self.lasting and not self.line and not self.closed:
                self.changed.wait_for(lambda: self.line or self.closed, IDLE)
            if not self.line:
                self._threads.remove(threading.current_thread())
                self._ending.add(threading.current_thread())
                return None
            name = min(self.line, key=lambda n: self.line[n])
            del self.line[name]
            self.busy[name] = time.perf_counter()
            return name

    def _serve(self):
        """Feed one worker process until there is nothing to do."""
        worker = None
        while (name := self._next()) is not None:
            try:
                worker = worker or self._start()
                code, fault = _ask(worker, name)
            except OSError as error:
                code, fault = b"", f"{type(error).__name__}: {error}"
            if fault:
                self._end(worker)
                worker = None
            if not self.closed:
                self.finished(name, code, fault)
            with self.changed:
                self.seconds[name] = time.perf_counter() - self.busy.pop(name)
                self.changed.notify_all()
        self._end(worker)
        with self.changed:
            self._ending.discard(threading.current_thread())
            self.changed.notify_all()

    def _start(self):
        flags = {"creationflags": 0x08000000} if sys.platform == "win32" else {}
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join([str(HOME), *filter(None, [os.environ.get("PYTHONPATH")])]))
        # what stands in the place of stages here is none of theirs
        environment.pop("TUMBLE_INTERPRET", None)
        command = f"from {__name__} import work; work({NICE if self.lasting else 0})"
        worker = subprocess.Popen([sys.executable, "-P", "-c", command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                  env=environment, **flags)
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


def _ask(worker, name):
    """(code, fault) of a stage: both empty if the store has it now."""
    worker.stdin.write(f"{name}\n")
    worker.stdin.flush()
    kind, _, rest = worker.stdout.readline().strip().partition(" ")
    if kind == "ok":
        return b"", ""
    if kind == "code":
        return base64.b64decode(rest), ""
    return b"", f"stage {name} could not be compiled: {kind or 'the worker died'}\n{worker.stdout.read()}"


def work(nice: int = 0) -> None:
    """The worker: compile the stages named on standard input."""
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    for line in sys.stdin:
        try:
            code = stages.find(line.strip()).compile_only()
            answer = f"code {base64.b64encode(code).decode()}" if code else "ok"
        except Exception:
            answer = "failed\n" + traceback.format_exc()
        try:
            print(answer, flush=True)
        except BrokenPipeError:
            # whoever asked is gone
            os._exit(0)
        if answer.startswith("failed"):
            return


def warmup(names=None, workers=None, progress=None) -> dict[Any, Any]:
    """Compile what is not cached of `names` (default: every stage). progress(done, total, name) is called after each stage.

    Returns {stage: seconds}. Raises RuntimeError with the first failing stage's traceback.
    """
    todo = missing(names if names is not None else stages.everything())
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
