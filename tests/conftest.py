"""Shared fixtures: models from XML, poisoned outputs, closeness with a named tolerance."""
import pytest

from tests.oracle import load_pair


@pytest.fixture
def pair():
    """load_pair(xml) -> (reference model, reference data, model, data)."""
    return load_pair
