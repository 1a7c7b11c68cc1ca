"""A context of ImGui for panels without a window."""

import pytest

from tests.ui.null import NullGui


@pytest.fixture
def gui():
    made = NullGui()
    yield made
    made.close()
