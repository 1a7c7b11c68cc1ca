"""Tells a script that it is waiting for the compiler: one line with the reason, the progress, and how to compile in advance.

The line is written to stderr once per process, after some seconds of compiling. Worker processes do not write it, and it is
off if TUMBLE_QUIET is set in the environment. The viewer and the commands compile in other processes and show a progress bar.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..core import stages
from ..machine import jit
from ..tables import stage_rows

# seconds of compiling after which the line is written
AFTER = 2.0


class Notice:
    """Adds up the time that this process spends compiling. After some seconds it calls `say(text)` once, from a separate
    thread."""

    def __init__(self, say: Callable[[str], object], after: float = AFTER) -> None:
        self.say, self.left, self.said = say, after, False
        self.count = 0

    @contextmanager
    def watching(self, stage: jit.Stage) -> Iterator[None]:
        """Return a context manager that measures the compilation of a stage."""
        if self.said or silent():
            yield
            return
        begin, timer = time.perf_counter(), threading.Timer(max(0.0, self.left), self._due)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            self.left -= time.perf_counter() - begin
            self.count += 1

    def _due(self) -> None:
        if not self.said:
            self.said = True
            self.say(line(self.count, sum(not stages.find(row.name).cached for row in stage_rows.ROWS if row.common)))


def line(done: int, left: int) -> str:
    """Return the line of text. `done`: number of kernels compiled. `left`: number still missing of those that nearly every
    model needs."""
    far = f"{done} done" + (f", about {left} left" if left else "")
    return (
        f"tumble: compiling kernels, once on this machine ({far}). `tumble warmup` compiles all of them in advance; "
        "TUMBLE_QUIET=1 silences this line."
    )


def silent() -> bool:
    """Return whether this process must not write the line: TUMBLE_QUIET is set, or the process is a worker."""
    # multiprocessing loads this module in its workers
    processes = sys.modules.get("multiprocessing.process")
    return bool(os.environ.get("TUMBLE_QUIET")) or processes is not None and processes.parent_process() is not None


def to_stderr(text: str) -> None:
    """Write a line to stderr, if the process has one."""
    if sys.stderr is not None:
        print(text, file=sys.stderr, flush=True)


def watch() -> None:
    """Start measuring the time that this process compiles."""
    jit.Stage.watching = Notice(to_stderr).watching
