"""The number of a slider stands still, and is readable at every position of its handle."""

import numpy as np
import pytest

from tests.app.test_viewer_reveal import palette

SWING = """<mujoco><worldbody><body><joint name="swing" axis="0 1 0" limited="true" range="-90 90"/>
    <geom size=".1" pos="0 0 1"/></body></worldbody></mujoco>"""
# channels of the pixels of a handle (orange), and the minimum channels of a number (white)
ORANGE, WHITE = ((200, 90, 40), (256, 170, 130)), 175
# pixels: a handle is at least this wide, and a number with a point and a digit has at least this width
HANDLE_WIDTH, NUMBER_WIDTH = 4, 15


def parts(pixels):
    """Pixels of the handle, and of the number, in a picture of the inside of a slider: (rows, columns) each."""
    low, high = (np.array(end) for end in ORANGE)
    return np.nonzero(((pixels >= low) & (pixels < high)).all(2)), np.nonzero(pixels.min(2) > WHITE)


@pytest.mark.parametrize(("size", "font"), [((900, 620), 100), ((800, 560), 150)], ids=("usual", "small window, large text"))
def test_a_handle_never_covers_the_number_which_stands_still(make_viewer, size, font):
    viewer = make_viewer(SWING, window=list(size), font=font)
    viewer.started()
    viewer.key("space")
    viewer.until(lambda r: not r["running"])
    palette(viewer, "swing")
    viewer.until(lambda r: "joint 0" in r["shown"])
    # wait for the end of the row's flash, and take its latest position, because it may have moved
    viewer.until(lambda r: not r["shown"])
    x, y, w, h = [r["shown"]["joint 0"] for r in viewer.rows if "joint 0" in r["shown"]][-1]
    inside = slice(int(y + 0.15 * h), int(y + 0.85 * h))
    (_rows, columns), _number = parts(viewer.picture()[inside, int(x) : int(x + w)])
    assert columns.max() - columns.min() >= HANDLE_WIDTH - 1, "no handle is seen"
    at, ends = x + float(columns.mean()), []
    low = y + 0.7 * h
    right = x + w - 12 * font / 100
    viewer.move(at, low)
    viewer.button(1, True)
    for share in np.linspace(-1, 1, 9):
        viewer.move(at + share * (right - at), low)
        if share == -1:
            viewer.until(lambda r: r["qpos"][0] < -1.4)
        # at the ends nothing changes any more
        viewer.fresh()
        seen = viewer.fresh()["qpos"][0]
        # the name and the button before the slider are white, too
        left = int(at - (right - at)) - 2
        handle, number = parts(viewer.picture()[inside, left : int(x + w)])
        assert np.ptp(handle[1]) >= HANDLE_WIDTH - 1 and np.ptp(number[1]) >= NUMBER_WIDTH, seen
        assert number[0].max() < handle[0].min(), f"the handle covers the number at {seen:.3f}"
        ends.append(int(number[1].max()))
    viewer.until(lambda r: r["qpos"][0] > 1.4)
    viewer.button(1, False)
    # the ink of a 1 is narrower than its digit's room
    assert np.ptp(ends) <= 5 * font / 100, ends


TWO = """<mujoco><worldbody><body><joint name="first" axis="0 1 0" limited="true" range="-90 90"/><geom size=".1" pos="0 0 1"/>
    <body pos="0 0 1"><joint name="second" axis="0 1 0" limited="true" range="-90 90"/><geom size=".1"/></body></body>
    </worldbody></mujoco>"""


def test_a_slider_is_moved_by_keys(make_viewer):
    """A command focuses a slider. Arrow keys move it and select the next one; after Escape they step the simulation again."""
    viewer = make_viewer(TWO, window=[1088, 680])
    viewer.started()
    viewer.key("space")
    viewer.until(lambda r: not r["running"])
    begin = viewer.fresh()["qpos"]
    palette(viewer, "joint panel")
    viewer.key("right")
    row = viewer.until(lambda r: r["qpos"][0] > begin[0] + 0.02)
    assert row["qpos"][0] == pytest.approx(begin[0] + 0.01 * np.pi, abs=1e-6) and row["time"] == viewer.rows[-1]["time"]
    viewer.key("end")
    viewer.until(lambda r: r["qpos"][0] == pytest.approx(np.pi / 2))
    viewer.key("down")
    viewer.key("shift+left")
    row = viewer.until(lambda r: r["qpos"][1] < begin[1] - 0.002)
    assert row["qpos"][1] == pytest.approx(begin[1] - 0.001 * np.pi, abs=1e-6)
    viewer.key("up")
    viewer.key("home")
    viewer.until(lambda r: r["qpos"][0] == pytest.approx(-np.pi / 2))
    # none of these keys stepped the simulation; after Escape, the arrow does
    time = viewer.fresh()["time"]
    viewer.key("esc")
    viewer.key("right")
    viewer.until(lambda r: r["time"] > time)
