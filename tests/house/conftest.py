"""The trees of the sources are let go after the last rule."""

import pytest

from tests.house import sources


@pytest.fixture(scope="package", autouse=True)
def trees():
    yield
    sources.forget()
