"""Stages that are not compiled yet run interpreted, while other processes compile them: a model is seen before its kernels are there.

    a stage is needed ── in the store? ── yes ── mapped, as ever
                             └─ no ── moved to the front of the line of those to compile, and meanwhile
                                        a row of the table of stages   interpreted, about 1 ms for a small model
                                        others (meshes, fields)        interpreted if there is little to do, else waited for
                                        inside `compiled_only()`       NotReady is raised: nobody wants steps of a second each

What is compiled takes its place at once, in the middle of whatever runs. Nothing is compiled in this process, so no thread of it waits for
the compiler: a window goes on drawing.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator

from ..core import debug, stages
from ..machine import jit
from ..tables import stage_rows
from .warm import FIRST, LATER, SOON, Workers, cost, missing

# what compiled functions outside of the table may take interpreted before their machine code is waited for: numbers of things in one call,
# each of which takes some microseconds and more, and seconds in all
LARGE, PATIENCE = 4000, 0.3
# those that count characters, with which less is to be done
TEXTS = {"hash_texts": 10 * LARGE, "obj_count": 10 * LARGE}


def _counts(args):
    """Numbers of things among the arguments of a stage: addresses are larger."""
    return [x for x in args if isinstance(x, int) and 0 <= x < 1 << 31]


class NotReady(RuntimeError):
    """A stage is still being compiled. What was asked for has not happened; it can be asked for again."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is still being compiled")
        self.name = name


class Meanwhile:
    """Interprets what is not compiled, from `start()` to `stop()`. `changed()` is called after each stage that is compiled, from its thread, and
    before somebody waits for one.

    Without `interpret` it is waited for; what nearly every model needs is compiled on all cores from the first such moment on.
    """

    def __init__(
        self, workers: int | None = None, changed: Callable[[], object] = lambda: None, interpret: bool = True
    ) -> None:
        self.interpret = interpret
        self.workers = Workers(workers, self._finished, lasting=True)
        self.changed = changed
        self.faults: dict[str, str] = {}
        # what is compiled since the line was last empty, and what compiling it took
        self.compiled: list[str] = []
        self.total = 0
        self._rate = 0.0
        self._layer = debug.Change()
        self._strict = threading.local()
        # seconds that callers have waited for machine code
        self.waited = 0.0
        # seconds that functions outside of the table have run interpreted
        self.spent: dict[str, float] = {}

    def start(self) -> "Meanwhile":
        jit.Stage.stand_in = self._stand_in
        return self

    def stop(self) -> None:
        """Stages are compiled where they are called, as without this."""
        jit.Stage.stand_in = None
        self.workers.close()
        self._layer.restore()

    # ---- what is wanted ------------------------------------------------------------------------------------------------------------------
    def want(self, names: Iterable[str], rank: int = SOON) -> None:
        """Have stages compiled that are not; rank: FIRST, SOON or LATER."""
        todo = [n for n in missing(names) if n not in self.faults]
        if not self.workers.line and not self.workers.busy:
            self.compiled, self.total = [], 0
        self.total += sum(not self.workers.waits(n) for n in todo)
        self.workers.want(todo, rank)

    def waiting(self, names: Iterable[str]) -> list[str]:
        """Those of some stages that are not compiled yet, but will be."""
        return [n for n in names if self.workers.waits(n) or n in self._layer.names and n not in self.faults]

    def wait(self, name: str) -> None:
        """Wait until a stage is compiled, or has failed."""
        begin = time.perf_counter()
        if self.workers.waits(name):
            self.changed()
        self.workers.join(name)
        self.waited += time.perf_counter() - begin

    def seconds_left(self) -> float | None:
        """About how long the line will take; None if nothing is known yet."""
        work = self.workers
        left = [*work.line, *work.busy]
        if not left or not self._rate:
            return None
        # what is in work is half done on the average
        return self._rate * (sum(map(cost, work.line.copy())) + 0.5 * sum(map(cost, work.busy.copy()))) / work.count

    @contextlib.contextmanager
    def compiled_only(self) -> Iterator[None]:
        """In this block, on this thread, what is not compiled raises NotReady."""
        self._strict.on = True
        try:
            yield
        finally:
            self._strict.on = False

    # ---- what happens ----------------------------------------------------------------------------------------------------------------------
    def _stand_in(self, stage, args):
        """A stage is needed that is not compiled. Returns what to call this once, or None if something stands in its place now."""
        name, listed = stage.name, stage.name in stage_rows.NUMBER
        strict = listed and getattr(self._strict, "on", False)
        if not self.interpret and not self.total:
            self.want(row.name for row in stage_rows.ROWS if row.common)
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
        entry = debug.interpreted_entry(stage)
        if not listed:
            return None if stage.cached else self._timed(name, entry[1])
        with jit.LOCK:
            if not stage.entered() and not stage.origin:
                self._layer.put(stage, *entry)
        return None

    def _timed(self, name, call):
        """Count the seconds that a function takes interpreted."""

        def timed(*args):
            begin = time.perf_counter()
            result = call(*args)
            self.spent[name] = self.spent.get(name, 0.0) + time.perf_counter() - begin
            return result

        return timed

    def _finished(self, name, code, fault):
        """A worker has compiled a stage, or could not."""
        if fault:
            self.faults[name] = fault
        else:
            stage = stages.find(name)
            with jit.LOCK:
                self._layer.drop(name)
                if code:
                    stage.take(code)
                # where it stands already it is mapped now, so that nobody waits for it later
                if name in stage_rows.NUMBER:
                    stages.ensure(name)
            self.compiled.append(name)
            rate = self.workers.seconds[name] / max(cost(name), 1)
            self._rate = 0.8 * self._rate + 0.2 * rate if self._rate else rate
        self.changed()


__all__ = ["FIRST", "LATER", "SOON", "Meanwhile", "NotReady"]
