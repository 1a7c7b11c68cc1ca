"""One line for a script that waits for the compiler: what happens, how far it is, and how to do it in advance.

Written to stderr once in a process, after it has spent some seconds on compiling. Nothing is written in workers, which somebody
else started to share the work, nor with TUMBLE_QUIET in the environment. A window and the commands show a bar of their own and
compile elsewhere.
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

# seconds of compiling after which it is said
AFTER = 2.0


class Notice:
    """Adds up the time that this process spends on compiling; `say(text)` is called once, from a thread of its own."""

    def __init__(self, say: Callable[[str], object], after: float = AFTER) -> None:
        self.say, self.left, self.said = say, after, False
        self.count = 0

    @contextmanager
    def watching(self, stage: jit.Stage) -> Iterator[None]:
        """Around the compilation of one stage."""
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
    """What is said: `done` kernels are compiled, `left` of those that nearly every model needs are not."""
    far = f"{done} done" + (f", about {left} left" if left else "")
    return (
        f"tumble: compiling kernels, once on this machine ({far}). `tumble warmup` compiles all of them in advance; "
        "TUMBLE_QUIET=1 silences this line."
    )


def silent() -> bool:
    """Whether this process says nothing: it was asked not to, or it works for another one."""
    # a worker has this module, as it was started with it
    processes = sys.modules.get("multiprocessing.process")
    return bool(os.environ.get("TUMBLE_QUIET")) or processes is not None and processes.parent_process() is not None


def to_stderr(text: str) -> None:
    """Write a line for people, where there is a place for it."""
    if sys.stderr is not None:
        print(text, file=sys.stderr, flush=True)


def watch() -> None:
    """From now on compiling in this process is noticed."""
    jit.Stage.watching = Notice(to_stderr).watching
