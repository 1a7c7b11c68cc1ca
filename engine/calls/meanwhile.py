"""Runs stages interpreted while other processes compile them, so that a model is shown before its kernels are compiled.

    a stage is needed ── in the store? ── yes ── mapped, as usual
                             └─ no ── moved to the front of the compiler's queue; until it is compiled:
                                        stages with a table row        interpreted, about 1 ms for a small model
                                        others (meshes, fields)        interpreted if this is quick, else the caller waits
                                        inside `compiled_only()`       raises NotReady: interpreted, each step takes seconds

Machine code replaces a stage as soon as it arrives, even during a call. This process compiles nothing, so none of its threads
waits for the compiler, and a window keeps drawing.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..core import debug, stages
from ..machine import jit
from ..tables import stage_rows
from .warm import FIRST, LATER, SOON, Workers, cost, missing

# minimum number of measured stages for an estimate
MEASURED = 4
# Limits for interpreting functions that have no row in the table of stages; beyond them, callers wait for machine code.
# LARGE: elements that one call processes, each in some microseconds or more. PATIENCE: total seconds of one function.
LARGE, PATIENCE = 4000, 0.3
# larger limits for functions whose elements are characters, because a character takes little time
TEXTS = {"hash_texts": 10 * LARGE, "obj_count": 10 * LARGE}


def _counts(args: Iterable[Any]) -> list[int]:
    """Return the counts among a stage's arguments. Integers that are too large for a count are addresses."""
    return [x for x in args if isinstance(x, int) and 0 <= x < 1 << 31]


class NotReady(RuntimeError):
    """Raised if a stage is still being compiled. The refused call had no effect and can be repeated later."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is still being compiled")
        self.name = name


class Meanwhile:
    """Interprets stages that are not compiled yet, from `start()` to `stop()`.

    `changed()` is called after each compiled stage, from the thread that received it, and before a caller waits for
    one. Without `interpret`, callers wait for machine code; the first wait starts to compile the stages that nearly every model
    needs, on all cores.
    """

    def __init__(
        self, workers: int | None = None, changed: Callable[[], object] = lambda: None, interpret: bool = True
    ) -> None:
        self.interpret = interpret
        self.workers = Workers(workers, self._finished, lasting=True)
        self.changed = changed
        self.faults: dict[str, str] = {}
        # stages compiled, and number of stages requested, since the queue was last empty
        self.compiled: list[str] = []
        self.total = 0
        # total cost, total seconds and number of the measured stages, to estimate the remaining time
        self._cost, self._seconds, self._jobs = 0.0, 0.0, 0
        self._layer = debug.Change()
        self._strict = threading.local()
        # total seconds that callers have waited for machine code
        self.waited = 0.0
        # {function outside the table: seconds that it has run interpreted}
        self.spent: dict[str, float] = {}

    def start(self) -> "Meanwhile":
        """Start interpreting."""
        jit.Stage.stand_in = self._stand_in
        return self

    def stop(self) -> None:
        """Stop interpreting: from now on, a call of an uncompiled stage compiles it first."""
        jit.Stage.stand_in = None
        self.workers.close()
        self._layer.restore()

    # ---- requests --------------------------------------------------------------------------------------------------------
    def want(self, names: Iterable[str], rank: int = SOON) -> None:
        """Request the compilation of stages that are not compiled; rank: FIRST, SOON or LATER."""
        todo = [n for n in missing(names) if n not in self.faults]
        if not self.workers.line and not self.workers.busy:
            self.compiled, self.total = [], 0
        self.total += sum(not self.workers.waits(n) for n in todo)
        self.workers.want(todo, rank)

    def waiting(self, names: Iterable[str]) -> list[str]:
        """Return the stages in `names` that are queued or being compiled."""
        return [n for n in names if self.workers.waits(n) or n in self._layer.names and n not in self.faults]

    def wait(self, name: str) -> None:
        """Wait until a stage is compiled or its compilation has failed."""
        begin = time.perf_counter()
        if self.workers.waits(name):
            self.changed()
        self.workers.join(name)
        self.waited += time.perf_counter() - begin

    def seconds_left(self) -> float | None:
        """Return an estimate of the seconds until the queue is empty, or None if unknown."""
        work = self.workers
        left = [*work.line, *work.busy]
        if not left or self._jobs < self.workers.count + MEASURED:
            return None
        # assume that each job in progress is half done
        waiting = sum(map(cost, work.line.copy())) + 0.5 * sum(map(cost, work.busy.copy()))
        return self._seconds / self._cost * waiting / work.count

    @contextlib.contextmanager
    def compiled_only(self) -> Iterator[None]:
        """During this block, let calls of uncompiled stages on this thread raise NotReady."""
        self._strict.on = True
        try:
            yield
        finally:
            self._strict.on = False

    # ---- results ---------------------------------------------------------------------------------------------------------
    def _stand_in(self, stage: Any, args: Any) -> Any:
        """Handle a call of a stage that is not compiled. Return a function for this one call, or None if the stage can now be
        entered."""
        name, listed = stage.name, stage.name in stage_rows.NUMBER
        strict = listed and getattr(self._strict, "on", False)

        # without `interpret`, the first caller that waits also starts to compile the stages that nearly every model needs
        if not self.interpret and not self.total:
            self.want(row.name for row in stage_rows.ROWS if row.common)

        # queue the stage, and wait if interpreting would take too long
        if name not in self.faults:
            most = TEXTS.get(name, LARGE)
            large = not listed and (max(_counts(args), default=most) >= most or self.spent.get(name, 0.0) > PATIENCE)
            urgent = strict or large or not self.interpret
            self.want([name], FIRST if urgent else SOON if listed and name not in stage_rows.COMPILING else LATER)
            if strict:
                raise NotReady(name)
            if urgent:
                self.wait(name)
                if stage.entry:
                    return None

        # interpret the stage: for this call, or until it is compiled
        entry = debug.interpreted_entry(stage)
        if not listed:
            return None if stage.cached else self._timed(name, entry[1])
        with jit.LOCK:
            if not stage.entered() and not stage.origin:
                self._layer.put(stage, *entry)
        return None

    def _timed(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a function to add up the seconds that it runs interpreted."""

        def timed(*args: Any) -> Any:
            begin = time.perf_counter()
            result = call(*args)
            self.spent[name] = self.spent.get(name, 0.0) + time.perf_counter() - begin
            return result

        return timed

    def _finished(self, name: str, code: bytes, fault: str) -> None:
        """Handle a worker's result: the stage was compiled, or failed with the traceback `fault`."""
        if fault:
            self.faults[name] = fault
        else:
            stage = stages.find(name)
            with jit.LOCK:
                self._layer.drop(name)
                if code:
                    stage.take(code)
                # if the stage has a row in the table, map the code now, so that no call waits for it later
                if name in stage_rows.NUMBER:
                    stages.ensure(name)
            self.compiled.append(name)
            # the first job of each process also starts the compiler
            self._jobs += 1
            if self._jobs > self.workers.count:
                self._cost += max(cost(name), 1)
                self._seconds += self.workers.seconds[name]
        self.changed()


__all__ = ["FIRST", "LATER", "SOON", "Meanwhile", "NotReady"]
