"""Runs cases in forked processes, so that a case that ends its process is detected, and other cases continue."""

import collections
import faulthandler
import mmap
import os
import pathlib
import resource
import signal
import struct
import time
import traceback

from tests.fuzz.cases import compiled, run
from tests.robust.memory import guard
from tests.robust.test_trusted_models import MODELS
from tumble.engine.core import stages
from tumble.engine.tables import stage_rows

# processor seconds and bytes that one case may take
SECONDS, BYTES = 5.0, 2 << 30
CHUNK = 1000
SEEDS = pathlib.Path(__file__).with_name("seeds.txt")


def warm():
    """Map all kernels and compile the models that cases begin with, once for all children."""
    for name in stage_rows.names():
        stages.ensure(name)
    for name in stage_rows.LOADER_MODULE:
        stages.find(name).address  # noqa: B018
    for name in MODELS:
        compiled(name)


class Runner:
    """Run cases of one kind from a seed on. The outcome is in `cases`, `words` (verdict: number) and `findings` [(seed,
    description)].
    """

    def __init__(self, kind, start):
        self.kind, self.next = kind, start
        self.cases, self.words, self.findings = 0, collections.Counter(), []
        # the child's progress, for its parent: seed, verdicts
        self._shared = mmap.mmap(-1, 24)

    def work(self, seconds):
        """Run cases until the time is over."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.chunk(CHUNK, end)
        return self

    def chunk(self, count, end=float("inf"), seconds=SECONDS):
        """Up to `count` cases in one child, each within `seconds` of processor time."""
        first = self.next
        self._shared[:] = struct.pack("<3q", first, 0, 0)
        out, into = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(out)
            self._child(first, count, end, into, seconds)
        os.close(into)
        with os.fdopen(out) as file:
            texts = file.read().splitlines()
        _, status = os.waitpid(child, 0)
        seed, ok, refused = struct.unpack("<3q", self._shared[:])
        self.words.update(ok=ok, refused=refused)
        self.findings += [(int(s), what) for s, what in (t.split(" ", 1) for t in texts)]
        self.cases += ok + refused + len(texts)
        self.next = seed
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            what = "too long" if number == signal.SIGPROF else signal.Signals(number).name
            self.findings.append((seed, what))
            self.cases, self.next = self.cases + 1, seed + 1

    def _child(self, first, count, end, into, seconds):
        faulthandler.disable()
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        # buffers lie between protected pages
        guard()
        used = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * mmap.PAGESIZE
        resource.setrlimit(resource.RLIMIT_AS, (used + BYTES, used + BYTES))
        found = {"ok": 0, "refused": 0}
        for seed in range(first, first + count):
            if time.monotonic() > end:
                break
            self._shared[:] = struct.pack("<3q", seed, *found.values())
            signal.setitimer(signal.ITIMER_PROF, seconds)
            try:
                found[run(self.kind, seed)] += 1
            except BaseException as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                os.write(
                    into,
                    f"{seed} {type(error).__name__}: {str(error)[:200]!r} at "
                    f"{pathlib.Path(place.filename).name}:{place.lineno}\n".encode(),
                )
            self._shared[:] = struct.pack("<3q", seed + 1, *found.values())
        signal.setitimer(signal.ITIMER_PROF, 0)
        os._exit(0)


def kept():
    """[(kind, seed)] of earlier failures."""
    return [(kind, int(seed)) for kind, seed, *_ in map(str.split, SEEDS.read_text().splitlines()) if not kind.startswith("#")]
