"""Panels are drawn in each frame while somebody does something, else in one of three; what
follows the view is drawn in each.
"""

from types import SimpleNamespace

import pytest

from tumble.app import interface
from tumble.app.interface import KEPT_FRAMES, KEPT_SECONDS, Interface
from tumble.ui.context import Scratch

FRAME = 1 / 60


class Time:
    """A clock that is turned by hand."""

    def __init__(self):
        self.now = 100.0

    def perf_counter(self):
        return self.now


@pytest.fixture
def made(monkeypatch):
    clock = Time()
    monkeypatch.setattr(interface, "time", clock)
    own = Interface.__new__(Interface)
    own.labels, own.arrange, own.kept, own.drawn_at = set(), "", 0, clock.now
    own.session = SimpleNamespace(
        display=SimpleNamespace(refined=False, shot="", cuttings=[], labels=[], photos=SimpleNamespace(busy=False)),
        filming=SimpleNamespace(recorder=None),
        scratch=Scratch(),
        activity=SimpleNamespace(touched=False),
        gui=SimpleNamespace(busy=lambda: False),
    )
    return own, clock


def drawn(own, clock, frames, step):
    """In which of so many frames the panels are drawn."""
    out = []
    for _ in range(frames):
        clock.now += step
        stays = own.stays()
        if not stays:
            own.kept, own.drawn_at = 0, clock.now
        out.append(not stays)
    return out


def test_one_frame_in_three(made):
    own, clock = made
    assert drawn(own, clock, 2 * KEPT_FRAMES, FRAME) == [False, False, True] * 2


def test_slow_frames_have_them_all(made):
    own, clock = made
    assert all(drawn(own, clock, 5, 1.01 * KEPT_SECONDS))


@pytest.mark.parametrize(
    "what",
    (
        "touched",
        "refined",
        "shot",
        "cuttings",
        "photo",
        "recorder",
        "labels",
        "shown labels",
        "handles",
        "busy",
        "arrange",
        "flash",
    ),
)
def test_every_frame_where_they_are_looked_at(made, what):
    own, clock = made
    session = own.session
    setters = {
        "touched": lambda: setattr(session.activity, "touched", True),
        "refined": lambda: setattr(session.display, "refined", True),
        "shot": lambda: setattr(session.display, "shot", "a.png"),
        "cuttings": lambda: session.display.cuttings.append(("a.png", (0, 0, 1, 1))),
        "photo": lambda: setattr(session.display.photos, "busy", True),
        "recorder": lambda: setattr(session.filming, "recorder", object()),
        "labels": lambda: session.display.labels.append((0, 0, "a", 1)),
        "shown labels": lambda: own.labels.add("a"),
        "handles": lambda: session.scratch.numbers.update(gizmo={"at": (1, 2)}),
        "busy": lambda: setattr(session.gui, "busy", lambda: True),
        "arrange": lambda: setattr(own, "arrange", "edit"),
        "flash": lambda: session.scratch.numbers.update(flash={"joint": interface.reveal.time.perf_counter()}),
    }
    setters[what]()
    assert all(drawn(own, clock, 5, FRAME))
