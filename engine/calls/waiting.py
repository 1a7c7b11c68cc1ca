"""One line for a script that waits for the compiler: the reason, the progress, and how to compile in advance.

The line is written to stderr once per process, after some seconds of compiling. It is not written in workers, which
another process started to share the work, nor if TUMBLE_QUIET is set in the environment. A window and the commands show
their own progress bar and compile in other processes.
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
    """Adds up the time that this process spends compiling; `say(text)` is called once, from a separate thread."""

    def __init__(self, say: Callable[[str], object], after: float = AFTER) -> None:
        self.say, self.left, self.said = say, after, False
        self.count = 0

    @contextmanager
    def watching(self, stage: jit.Stage) -> Iterator[None]:
        """Measure the compilation of one stage, as a context manager."""
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
    """Return the text: `done` kernels are compiled, and `left` of those that nearly every model needs are missing."""
    far = f"{done} done" + (f", about {left} left" if left else "")
    return (
        f"tumble: compiling kernels, once on this machine ({far}). `tumble warmup` compiles all of them in advance; "
        "TUMBLE_QUIET=1 silences this line."
    )


def silent() -> bool:
    """Return whether this process stays quiet: the environment says so, or the process is a worker."""
    # workers are started with this module, so it is loaded in them
    processes = sys.modules.get("multiprocessing.process")
    return bool(os.environ.get("TUMBLE_QUIET")) or processes is not None and processes.parent_process() is not None


def to_stderr(text: str) -> None:
    """Write a line to stderr, if the process has one."""
    if sys.stderr is not None:
        print(text, file=sys.stderr, flush=True)


def watch() -> None:
    """Start measuring the compilation in this process."""
    jit.Stage.watching = Notice(to_stderr).watching
