"""Mouse drags: directions, a window that loses the focus, and menus that no drag may open. See also test_window_drags."""

import time

import numpy as np
import pytest

BALL = """<mujoco><option gravity="0 0 0"/><visual><headlight ambient="0 0 0" diffuse="0 0 0" specular="0 0 0"/>
 <global azimuth="70" elevation="-30"/></visual><statistic extent="1.2" center="0 0 .1"/>
 <asset><material name="lamp" emission="1" specular="0"/></asset><worldbody>
 <geom type="box" size=".4 .3 .01" pos="0 0 -.3" rgba=".3 .3 .3 1" material="lamp"/>
 <body pos=".1 -.1 .1"><geom type="box" size=".2 .15 .02" pos="0 0 -.05" rgba=".2 .3 .5 1" material="lamp"/>
  <geom size=".025" rgba="1 0 0 1" material="lamp"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module")
def viewer(keep_viewer):
    made = keep_viewer(BALL, window=[820, 560])
    made.started()
    made.key("space")
    made.until(lambda r: not r["running"])
    return made


def middle(viewer):
    """Center of the red ball in the window; None if it is not visible."""
    x, y, _w, _h = (int(v) for v in viewer.row()["rect"])
    image = viewer.view().astype(int)
    red = (image[..., 0] > 120) & (image[..., 1] < 70) & (image[..., 2] < 70)
    if red.sum() < 9:
        return None
    rows, columns = np.nonzero(red)
    return x + columns.mean() + 0.5, y + rows.mean() + 0.5


def settled(viewer, seconds=20.0):
    """Position of the ball once it is at rest."""
    end, last = time.monotonic() + seconds, None
    while time.monotonic() < end:
        viewer.fresh()
        now = middle(viewer)
        if now is not None and now == last:
            return now
        last = now
    assert last is not None, "the ball is not in sight"
    return last


def test_a_drag_follows_the_hand(viewer):
    """The model follows the direction of a drag; another test compares all gestures with simulate's."""
    start = viewer.fresh()
    viewer.drag(0, 60)
    row = viewer.until(lambda r: r["elevation"] != start["elevation"])
    assert viewer.fresh()["elevation"] < start["elevation"], "a drag downwards shows more from above"
    assert row["azimuth"] == start["azimuth"]
    viewer.drag(60, 0)
    viewer.until(lambda r: r["azimuth"] < start["azimuth"], what="the model turns with the hand")
    viewer.drag(0, 60, button=2)
    viewer.until(lambda r: r["distance"] < start["distance"], what="a drag downwards with the middle button comes nearer")


def test_a_lost_window_ends_a_drag_without_a_jump(viewer):
    x, y = viewer.center()
    viewer.drag(40, 0, release=False)
    row = viewer.pictures()
    viewer.lose_focus()
    viewer.move(x - 120, y - 100)
    viewer.button(1, False)
    later = viewer.pictures()
    assert (later["azimuth"], later["elevation"]) == (row["azimuth"], row["elevation"])
    viewer.take_focus()
    viewer.drag(-30, 0, start=(x - 100, y))
    turned = viewer.until(lambda r: r["azimuth"] != row["azimuth"])
    viewer.fresh()
    assert 0 < viewer.row()["azimuth"] - row["azimuth"] < 40 and turned["elevation"] == row["elevation"]


def test_no_menu_after_a_drag_with_the_right_button(viewer):
    x, y = settled(viewer)
    for there_and_back in (True, False):
        viewer.move(x, y)
        viewer.button(3, True)
        viewer.move(x + 30, y)
        viewer.move(x + (0 if there_and_back else 30), y)
        viewer.button(3, False)
        viewer.pictures()
        assert not viewer.fresh()["menu"]
        x, y = settled(viewer)
    viewer.click(x, y, button=3)
    viewer.until(lambda r: r["menu"], what="a click brings it")
