"""Earlier failures stay fixed, and a few cases of every kind find no new ones."""

import os
import signal
import sys

import pytest

from tests.fuzz import cases
from tests.fuzz.runner import Runner, kept

COUNT, SEED, COMPILING = 15, 7, 600
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks, and bounds memory")


@pytest.mark.parametrize("kind", cases.KINDS)
def test_a_few_of_every_kind(kind):
    found = Runner(kind, SEED)
    found.chunk(COUNT)
    if found.findings:
        # kernels that were missing get compiled, which does not count
        Runner(kind, SEED).chunk(COUNT, seconds=COMPILING)
        found = Runner(kind, SEED)
        found.chunk(COUNT)
    assert found.findings == [] and found.cases == COUNT
    assert found.words["ok"] > 0


@pytest.mark.parametrize(("kind", "seed"), kept() or [("texts", 1)])
def test_what_failed_once(kind, seed):
    found = Runner(kind, seed)
    found.chunk(1)
    assert found.findings == []


def test_findings_are_found(monkeypatch):
    """A crash, a wrong error and too much memory are reported, and the cases after them still run."""
    acts = {1: lambda: os.kill(os.getpid(), signal.SIGSEGV), 3: lambda: {}["no"], 5: lambda: bytearray(3 << 30)}
    monkeypatch.setitem(cases.KINDS, "bad", lambda rng: None)
    monkeypatch.setattr("tests.fuzz.runner.run", lambda kind, seed: (acts.get(seed, lambda: None)(), "ok")[1])
    found = Runner("bad", 0)
    while found.next < 8:
        found.chunk(8 - found.next)
    assert [(seed, what.split(":")[0]) for seed, what in found.findings] == [
        (1, "SIGSEGV"),
        (3, "KeyError"),
        (5, "MemoryError"),
    ]
    assert found.cases == 8 and found.words["ok"] == 5
