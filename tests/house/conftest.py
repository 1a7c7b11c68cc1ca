"""Frees the syntax trees of the sources after the last test that uses them."""

import pytest

from tests.house import sources


@pytest.fixture(scope="package", autouse=True)
def trees():
    yield
    sources.forget()
