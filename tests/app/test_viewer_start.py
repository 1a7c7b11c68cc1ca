"""The first minute by real events: the start page, hints, the timeline, folded columns."""

import pytest

from tests.app.driver import START
from tests.app.models import PENDULUM


def test_the_first_start_shows_a_model_and_what_to_do(make_viewer):
    """The window shows a card and a hint. The hint disappears after a rotation of the view, the card after the first action."""
    viewer = make_viewer(window=[1088, 680])
    viewer.close()
    viewer = type(viewer)(viewer.server, viewer.folder, START, size=(1088, 680))
    try:
        row = viewer.started()
        assert row["path"].endswith("arm.xml") and row["rect"][2] >= 0.6 * 1088
        row = viewer.until(lambda r: {"start", "hint"} <= set(r["boxes"]), what="no card")
        before = row["azimuth"]
        x, y, w, h = row["rect"]
        left, top, wide, high = row["boxes"]["hint"]
        assert left + wide < x + 0.4 * w and top + high < y + 0.2 * h, "the hint is in a corner, not over the model"
        viewer.drag(120, 0, start=(x + 0.8 * w, y + 0.4 * h))
        row = viewer.until(lambda r: "start" not in r["boxes"] and r["settings"]["hints"] == 1)
        assert row["azimuth"] != before
        # hints that were followed do not appear in another window
        viewer.until(lambda r: "hint" in r["boxes"])
        assert not viewer.fresh()["panel_errors"]
    finally:
        assert viewer.close() == 0
    assert viewer.kept()["hints"] == 1


def test_the_timeline_goes_back(make_viewer):
    """A click on the track goes to that time and stays there; the button runs the simulation from there."""
    viewer = make_viewer(PENDULUM, window=[1088, 680])
    viewer.started()
    viewer.until(lambda r: r["time"] > 1.0 and r["timeline"])
    viewer.key("space")
    row = viewer.until(lambda r: not r["running"])
    last = viewer.fresh()["time"]
    left, top, right, bottom = row["timeline"]
    viewer.click(left + 0.5 * (right - left), 0.5 * (top + bottom))
    # the position changes at once, the displayed state one frame later
    row = viewer.until(lambda r: r["position"] < 0 and r["time"] < last)
    assert row["time"] == pytest.approx(0.5 * last, abs=0.15 * last)
    viewer.click(right, 0.5 * (top + bottom))
    viewer.until(lambda r: r["position"] == 0)


def test_folded_columns_open_over_the_view(make_viewer):
    """At 800 x 560 with text of 200 % each column is one click away."""
    viewer = make_viewer(PENDULUM, window=[800, 560], font=200)
    viewer.started()
    width = viewer.until(lambda r: "explorer" not in r["windows"])["rect"][2]
    assert width > 0.8 * 800
    viewer.click(30, 95)
    viewer.until(lambda r: r["rail"] == "left")
    viewer.click(30, 155)
    row = viewer.until(lambda r: r["rail"] == "right")
    viewer.pictures()
    assert row["rect"][2] == width and not viewer.fresh()["panel_errors"]
    viewer.click(30, 155)
    viewer.until(lambda r: not r["rail"])
