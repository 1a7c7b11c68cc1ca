"""Shared fixtures: models from XML, poisoned outputs, closeness with a named tolerance. Tests that want to draw
are skipped where that is impossible.
"""

import pytest

from tests.optional import NO_PICTURES, lacks_pictures
from tests.oracle import load_pair


@pytest.fixture
def pair():
    """load_pair(xml) -> (reference model, reference data, model, data)."""
    return load_pair


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.failed and (reason := lacks_pictures()) and any(words in str(report.longrepr) for words in NO_PICTURES):
        report.outcome = "skipped"
        report.longrepr = (str(item.path), item.location[1] or 0, f"Skipped: {reason}")
