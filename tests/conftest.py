"""Shared fixtures: models from XML, poisoned outputs, comparison with a named tolerance. Tests that need drawing are skipped
where that is impossible.
"""

import os
import sys
import types

import pytest

from tests.optional import NO_PICTURES, lacks_pictures
from tests.oracle import load_pair

# Tests begin hundreds of processes. Where the environment forbids it to keep compiled modules, each would compile all of them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# The processor draws in tests. Threads of the renderer would take time from the test beside it, and can end the process (see
# `choose_software_threads`).
os.environ.setdefault("LP_NUM_THREADS", "0")


@pytest.fixture
def pair():
    """load_pair(xml) -> (reference model, reference data, model, data)."""
    return load_pair


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by their needs, so that `-m "not window"` and `-m "not oracle"` work without a mark in each file."""
    for item in items:
        if "server" in getattr(item, "fixturenames", ()):
            item.add_marker("window")
        if uses_reference(getattr(item, "module", None)):
            item.add_marker("oracle")


def uses_reference(module: types.ModuleType | None) -> bool:
    """Whether a test file names the reference, or one of our helpers that does."""
    named = vars(module).values() if module else ()
    modules = [x for x in named if isinstance(x, types.ModuleType)]
    return any(x.__name__ in ("mujoco", "tests.oracle") for x in modules) or load_pair in (x for x in named if callable(x))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.failed and (reason := lacks_pictures()) and any(words in str(report.longrepr) for words in NO_PICTURES):
        report.outcome = "skipped"
        report.longrepr = (str(item.path), item.location[1] or 0, f"Skipped: {reason}")
