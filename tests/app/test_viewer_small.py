"""A small window with large text: the overlays fit into it."""

import numpy as np

from tests.app.models import PENDULUM

SENSORS = PENDULUM.replace(
    "</mujoco>", "<sensor><clock name='time'/><e_kinetic name='kinetic'/><e_potential name='potential'/></sensor></mujoco>"
)
# height of the status bar, which shows a changing rate of pictures
STATUS = 40


def rested(viewer):
    """Wait until several pictures in a row are the same."""
    same, last = 0, None
    while same < 3:
        viewer.pictures(2)
        now = viewer.picture()[:-STATUS]
        same = same + 1 if last is not None and (now == last).all() else 0
        last = now


def changed(before, viewer):
    """The number of pixels above the status bar that differ from an earlier picture."""
    return int(np.count_nonzero(np.abs(before - viewer.picture())[:-STATUS].max(axis=2) > 8))


def test_the_info_box_fits(make_viewer):
    viewer = make_viewer(PENDULUM, window=[800, 560], font=150, info=True, panels={"watch": True})
    viewer.started()
    row = viewer.until(lambda r: r["boxes"].get("info"), what="no info box")
    (x, y, w, h), (left, top, width, height) = row["boxes"]["info"], row["rect"]
    assert left <= x and x + w <= left + width and top <= y and y + h <= top + height
    # a text that does not fit would be cut at the largest size that a box may have: some space is left
    viewer.key("ctrl+-")
    smaller = viewer.until(lambda r: r["settings"]["font"] == 140 and r["boxes"].get("info"))
    assert smaller["boxes"]["info"][2] <= width


def test_nothing_covers_the_info_box(make_viewer):
    """The plot of sensors is beside or above the box, or hidden. Changing numbers do not change the box's width."""
    for font in (100, 150):
        viewer = make_viewer(SENSORS, window=[800, 560], font=font, info=True, sensor=True)
        viewer.started()
        row = viewer.until(lambda r: r["boxes"].get("info"), what="no info box")
        widths = {row["boxes"]["info"][2]}
        for _ in range(20):
            row = viewer.fresh()
            widths.add(row["boxes"]["info"][2])
            if "sensorplot" in row["boxes"]:
                (x, y, w, h), (left, top, width, height) = row["boxes"]["info"], row["boxes"]["sensorplot"]
                assert x + w <= left or left + width <= x or y + h <= top or top + height <= y
        assert row["running"] and row["time"] > 0 and len(widths) == 1
        assert font > 100 or "sensorplot" in row["boxes"], "there is room for it"
        viewer.close()


def test_a_closed_box_leaves_nothing_behind(make_viewer):
    """A box that is closed leaves no pixels behind, at a text size for which box sizes are not whole pixels."""
    viewer = make_viewer(PENDULUM, window=[1088, 680], font=110, adaptive=False)
    viewer.started()
    viewer.key("space")
    # a slow load leaves a notice, which goes away by itself
    viewer.until(lambda r: not r["running"] and not r["notice"])
    rested(viewer)
    before = viewer.picture().astype(int)
    viewer.key("f1")
    viewer.until(lambda r: "helpbox" in r["boxes"])
    rested(viewer)
    assert changed(before, viewer) > 1000
    viewer.key("f1")
    viewer.until(lambda r: "helpbox" not in r["boxes"])
    rested(viewer)
    assert not changed(before, viewer)
