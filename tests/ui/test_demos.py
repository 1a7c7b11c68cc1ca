"""The windows for authors of panels open from the menu and close by their buttons."""

import pytest

from tests.ui.null import Stage
from tumble.app.config import Config
from tumble.ui import demos

# an open window has at least so many vertices
LEAST = 100


@pytest.mark.parametrize("title", [title for title, _ in demos.WINDOWS])
def test_a_window_is_drawn_until_it_is_closed(gui, monkeypatch, title):
    stage = Stage(gui, None, None, Config())
    opened = stage.scratch.of(demos.Opened).titles
    opened.add(title)
    for _ in range(3):
        gui.frame(lambda: demos.draw(stage.context()))
    assert opened == {title} and gui.vertices() > LEAST
    monkeypatch.setattr(demos, "WINDOWS", ((title, lambda: False),))
    gui.frame(lambda: demos.draw(stage.context()))
    assert not opened
