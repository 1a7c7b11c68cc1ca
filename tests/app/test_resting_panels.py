"""Panels are drawn in each frame while the user acts, else in every third frame; parts that follow the view are drawn
in each.
"""

from types import SimpleNamespace

import pytest

from tumble.app import interface
from tumble.app.interface import KEPT_FRAMES, KEPT_SECONDS, Interface
from tumble.ui import gizmo, labels, layout, reveal
from tumble.ui.context import Scratch

FRAME = 1 / 60


class Time:
    """A clock set by hand."""

    def __init__(self):
        self.now = 100.0

    def perf_counter(self):
        return self.now


@pytest.fixture
def made(monkeypatch):
    clock = Time()
    monkeypatch.setattr(interface, "time", clock)
    own = Interface.__new__(Interface)
    own.kept, own.drawn_at = 0, clock.now
    own.parts = SimpleNamespace(
        display=SimpleNamespace(refined=False, shot="", cuttings=[], labels=[], photos=SimpleNamespace(busy=False)),
        filming=SimpleNamespace(recorder=None),
        scratch=Scratch(),
        activity=SimpleNamespace(touched=False),
        gui=SimpleNamespace(busy=lambda: False),
    )
    return own, clock


def drawn(own, clock, frames, step):
    """Return in how many of some frames the panels are drawn."""
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
    parts = own.parts
    setters = {
        "touched": lambda: setattr(parts.activity, "touched", True),
        "refined": lambda: setattr(parts.display, "refined", True),
        "shot": lambda: setattr(parts.display, "shot", "a.png"),
        "cuttings": lambda: parts.display.cuttings.append(("a.png", (0, 0, 1, 1))),
        "photo": lambda: setattr(parts.display.photos, "busy", True),
        "recorder": lambda: setattr(parts.filming, "recorder", object()),
        "labels": lambda: parts.display.labels.append((0, 0, "a", 1)),
        "shown labels": lambda: parts.scratch.of(labels.Written).texts.add("a"),
        "handles": lambda: setattr(parts.scratch.of(gizmo.Handles), "at", [1, 2]),
        "busy": lambda: setattr(parts.gui, "busy", lambda: True),
        "arrange": lambda: setattr(parts.scratch.of(layout.Wanted), "preset", "edit"),
        "flash": lambda: reveal.ask(parts.scratch, "joint"),
    }
    setters[what]()
    assert all(drawn(own, clock, 5, FRAME))
