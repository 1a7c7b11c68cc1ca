"""Mouse drags and the picture: the point that is panned, pulled or zoomed stays under the cursor, judged by pixels of the real
window.
"""

import math
import time

import numpy as np
import pytest

# tolerance in pixels between a point and the cursor, and of the measured center of a small ball
CLOSE = 2.0
BALL = """<mujoco><option gravity="0 0 0"/><visual><headlight ambient="0 0 0" diffuse="0 0 0" specular="0 0 0"/>
 <global orthographic="{orthographic}" fovy="{fovy}" azimuth="70" elevation="-30"/></visual>
 <statistic extent="1.2" center="0 0 .1"/>
 <asset><material name="lamp" emission="1" specular="0"/></asset><worldbody>
 <geom type="box" size=".4 .3 .01" pos="0 0 -.3" rgba=".3 .3 .3 1" material="lamp"/>
 <body name="thing" pos=".1 -.1 .1">{joint}<geom type="box" size=".2 .15 .02" pos="0 0 -.05" rgba=".2 .3 .5 1" material="lamp"/>
  <geom size=".025" rgba="1 0 0 1" material="lamp"/></body></worldbody></mujoco>"""


def ball(orthographic, free):
    fovy = 1.6 if orthographic else 45
    return BALL.format(
        orthographic="true" if orthographic else "false", fovy=fovy, joint='<freejoint align="false"/>' if free else ""
    )


def middle(viewer):
    """Center of the red ball in the window; None if it is not visible."""
    x, y, _w, _h = (int(v) for v in viewer.row()["rect"])
    image = viewer.view().astype(int)
    red = (image[..., 0] > 120) & (image[..., 1] < 70) & (image[..., 2] < 70)
    if red.sum() < 9:
        return None
    rows, columns = np.nonzero(red)
    return x + columns.mean() + 0.5, y + rows.mean() + 0.5


def settled(viewer, wanted=None, seconds=20.0):
    """Position of the ball once it is at rest, or once it is where it should be."""
    end, last = time.monotonic() + seconds, None
    while time.monotonic() < end:
        viewer.fresh()
        now = middle(viewer)
        if now is not None and wanted is not None and math.dist(now, wanted) <= CLOSE:
            return now
        if wanted is None and now is not None and now == last:
            return now
        last = now
    assert last is not None, "the ball is not in sight"
    return last


def paused(viewer):
    viewer.started()
    if viewer.fresh()["running"]:
        viewer.key("space")
        viewer.until(lambda r: not r["running"])
    viewer.key("backspace")
    viewer.until(lambda r: r["time"] == 0)


def held_to(viewer, way, button, keys, steps):
    """Grab the ball, drag it by `way` pixels and hold it there; return the positions of cursor and ball."""
    start = settled(viewer)
    # the system's cursor has whole pixels
    start = round(start[0]), round(start[1])
    before = settled(viewer)
    slip = before[0] - start[0], before[1] - start[1]
    to = start[0] + way[0], start[1] + way[1]
    viewer.drag(*way, button=button, keys=keys, start=start, steps=steps, release=False)
    wanted = to[0] + slip[0], to[1] + slip[1]
    found = settled(viewer, wanted)
    viewer.button(button, False)
    viewer.let_go(*keys)
    return wanted, found


@pytest.mark.parametrize("orthographic", [False, True])
def test_a_pan_holds_what_is_under_the_cursor(make_viewer, orthographic):
    viewer = make_viewer(ball(orthographic, False), window=[820, 560], adaptive=False)
    paused(viewer)
    for font in (100, 150, 200):
        while (now := viewer.fresh()["settings"]["font"]) != font:
            viewer.key("ctrl+=")
            viewer.until(lambda r, now=now: r["settings"]["font"] != now)
        # upright, level and steep; slow and fast
        for way, keys, steps in (((70, -40), (), 3), ((-50, 30), ("shift",), 12), ((-30, -40), (), 12), ((20, 40), (), 2)):
            wanted, found = held_to(viewer, way, 3, keys, steps)
            assert math.dist(wanted, found) <= CLOSE, (font, way, keys, wanted, found)
        viewer.key("ctrl+a")


@pytest.mark.parametrize("camera", ["free", "orthographic", "tracking"])
def test_a_pull_holds_what_is_under_the_cursor(make_viewer, camera):
    viewer = make_viewer(ball(camera == "orthographic", True), window=[820, 560], adaptive=False)
    paused(viewer)
    at = settled(viewer)
    if camera == "tracking":
        viewer.hold("ctrl")
        viewer.click(*at, button=3, times=2)
        viewer.let_go("ctrl")
        viewer.until(lambda r: r["camera"] == 1)
    at = settled(viewer)
    viewer.click(*at, times=2)
    viewer.until(lambda r: r["selected"] == 1)
    # the drawn pull would cover the ball
    flags = viewer.fresh()["vis_flags"]
    viewer.key("o")
    viewer.until(lambda r: sum(r["vis_flags"]) == sum(flags) - 1)
    for way, keys, steps in (((60, -50), ("ctrl",), 3), ((-50, 20), ("ctrl", "shift"), 12), ((-30, 40), ("ctrl",), 2)):
        wanted, found = held_to(viewer, way, 3, keys, steps)
        assert math.dist(wanted, found) <= CLOSE, (way, keys, wanted, found)
    assert viewer.fresh()["camera"] == (1 if camera == "tracking" else 0)


def test_the_wheel_zooms_to_the_cursor(make_viewer):
    viewer = make_viewer(ball(False, False), window=[820, 560], adaptive=False)
    paused(viewer)
    x, y, w, h = viewer.row()["rect"]
    # away from the center
    viewer.drag(0.25 * w, -0.2 * h, button=3)
    at, before = settled(viewer), viewer.fresh()["distance"]
    viewer.move(*at)
    for button, sign in ((4, -1), (5, 1)):
        for _ in range(4):
            viewer.button(button, True)
            viewer.button(button, False)
        row = viewer.until(lambda r, sign=sign, before=before: sign * (r["distance"] - before) > 0.01)
        found = settled(viewer, at)
        assert math.dist(at, found) <= CLOSE + 0.5, (button, at, found)
        before = row["distance"]


def test_a_drag_follows_the_hand(make_viewer):
    """The directions of all cameras' gestures; another test compares them with simulate's."""
    viewer = make_viewer(ball(False, False), window=[820, 560], adaptive=False)
    paused(viewer)
    start = viewer.fresh()
    viewer.drag(0, 60)
    row = viewer.until(lambda r: r["elevation"] != start["elevation"])
    assert viewer.fresh()["elevation"] < start["elevation"], "a drag downwards shows more from above"
    assert row["azimuth"] == start["azimuth"]
    viewer.drag(60, 0)
    viewer.until(lambda r: r["azimuth"] < start["azimuth"], what="the model turns with the hand")
    viewer.drag(0, 60, button=2)
    viewer.until(lambda r: r["distance"] < start["distance"], what="a drag downwards with the middle button comes nearer")


def test_a_lost_window_ends_a_drag_without_a_jump(make_viewer):
    viewer = make_viewer(ball(False, False), window=[820, 560], adaptive=False)
    paused(viewer)
    x, y = viewer.center()
    viewer.drag(40, 0, release=False)
    row = viewer.fresh()
    viewer.lose_focus()
    viewer.move(x - 120, y - 100)
    viewer.button(1, False)
    later = viewer.fresh()
    assert (later["azimuth"], later["elevation"]) == (row["azimuth"], row["elevation"])
    viewer.take_focus()
    viewer.drag(-30, 0, start=(x - 100, y))
    turned = viewer.until(lambda r: r["azimuth"] != row["azimuth"])
    viewer.fresh()
    assert 0 < viewer.row()["azimuth"] - row["azimuth"] < 40 and turned["elevation"] == row["elevation"]


def test_no_menu_after_a_drag_with_the_right_button(make_viewer):
    viewer = make_viewer(ball(False, False), window=[820, 560], adaptive=False)
    paused(viewer)
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
