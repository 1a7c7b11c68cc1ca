"""Bodies under the mouse: select, pull, turn, focus, track."""

import math

import numpy as np
import pytest

from tests.app.models import CUBE


@pytest.fixture(scope="module")
def cube(keep_viewer):
    made = keep_viewer(CUBE)
    made.started()
    return made


def test_select_pull_and_let_go(cube):
    viewer = cube
    viewer.key("backspace")
    viewer.click(*viewer.center(), times=2)
    viewer.until(lambda r: r["selected"] == 1, what="a double click selects the cube")
    start = viewer.fresh()["xpos"][1]
    viewer.drag(120, 0, button=3, keys=["ctrl"], release=False)
    viewer.until(lambda r: r["perturbing"])
    moved = viewer.until(lambda r: math.dist(r["xpos"][1], start) > 0.02, what="the cube follows the mouse")
    assert moved["running"]
    viewer.button(3, False)
    viewer.let_go("ctrl")
    viewer.until(lambda r: not r["perturbing"])
    # after the pull ends, it keeps its speed without gaining any
    viewer.key("backspace")
    viewer.until(lambda r: math.dist(r["xpos"][1], [0, 0, 0]) < 0.02)


def test_turn_while_running(cube):
    viewer = cube
    viewer.key("backspace")
    viewer.click(*viewer.center(), times=2)
    viewer.until(lambda r: r["selected"] == 1)
    viewer.drag(100, 0, button=1, keys=["ctrl"], release=False)
    viewer.until(lambda r: abs(r["qpos"][3]) < 0.999, what="the cube turns")
    viewer.button(1, False)
    viewer.let_go("ctrl")


def axis_of(before, after):
    """World axis of the turn between two unit quaternions, without its sign."""
    w0, v0, w1, v1 = before[0], np.array(before[1:]), after[0], np.array(after[1:])
    axis = w0 * v1 - w1 * v0 - np.cross(v1, v0)
    return np.abs(axis / np.linalg.norm(axis))


@pytest.mark.parametrize(
    "button,keys,level",
    [(1, ["ctrl"], False), (1, ["ctrl", "shift"], True), (3, ["ctrl"], False), (3, ["ctrl", "shift"], True)],
)
def test_each_pull_and_turn(cube, button, keys, level):
    """While paused, a drag with the right button moves the body in a vertical or horizontal plane; the left turns it."""
    viewer = cube
    viewer.key("esc")
    viewer.key("ctrl+a")
    if viewer.fresh()["running"]:
        viewer.key("space")
        viewer.until(lambda r: not r["running"])
    viewer.key("backspace")
    viewer.until(lambda r: r["time"] == 0 and math.dist(r["xpos"][1], [0, 0, 0]) < 1e-9)
    viewer.click(*viewer.center(), times=2)
    viewer.until(lambda r: r["selected"] == 1)
    start = viewer.fresh()["qpos"]
    viewer.drag(0, 70, button=button, keys=keys)
    if button == 3:
        row = viewer.until(lambda r: math.dist(r["qpos"][:3], start[:3]) > 0.05)
        moved = abs(row["qpos"][2] - start[2])
        assert moved < 1e-6 if level else moved > 0.03
    else:
        row = viewer.until(lambda r: abs(r["qpos"][3]) < 0.995)
        assert math.dist(row["qpos"][:3], start[:3]) < 1e-6, "a turn leaves it in place"
        assert axis_of(start[3:7], row["qpos"][3:7])[2] < 0.9, "a drag downwards does not turn about the vertical"
    viewer.key("backspace")
    viewer.key("space")
    viewer.until(lambda r: r["running"])


def test_alt_swaps_the_buttons(cube):
    viewer = cube
    viewer.key("esc")
    viewer.key("ctrl+a")
    start = viewer.fresh()
    viewer.drag(0, 60, button=1, keys=["alt"])
    moved = viewer.until(lambda r: r["lookat"] != start["lookat"], what="left with Alt pans")
    assert moved["azimuth"] == start["azimuth"]
    viewer.drag(60, 0, button=3, keys=["alt"])
    viewer.until(lambda r: r["azimuth"] != start["azimuth"], what="right with Alt turns")
    viewer.key("ctrl+a")


def test_parent_of_the_selected_body(make_viewer):
    viewer = make_viewer(
        CUBE.replace("<freejoint/>", '<freejoint/><body name="child"><geom size=".7"/></body>'), window=[820, 560]
    )
    viewer.started()
    viewer.click(*viewer.center(), times=2)
    viewer.until(lambda r: r["selected"] == 2)
    viewer.key("pageup")
    viewer.until(lambda r: r["selected"] == 1)
    viewer.key("pageup")
    viewer.until(lambda r: r["selected"] == 0)


def test_move_while_paused(cube):
    viewer = cube
    viewer.key("space")
    viewer.until(lambda r: not r["running"])
    viewer.key("backspace")
    viewer.until(lambda r: r["time"] == 0)
    viewer.click(*viewer.center(), times=2)
    viewer.until(lambda r: r["selected"] == 1)
    viewer.drag(80, 0, button=3, keys=["ctrl"])
    row = viewer.until(lambda r: math.dist(r["xpos"][1], [0, 0, 0]) > 0.05)
    assert row["time"] == 0
    # a click on the background selects nothing
    x, y, w, h = row["rect"]
    viewer.click(x + 0.03 * w, y + 0.5 * h, times=2)
    viewer.until(lambda r: r["selected"] == 0)
    viewer.key("space")
    viewer.until(lambda r: r["running"])


def test_look_at_and_track(cube):
    viewer = cube
    viewer.key("backspace")
    viewer.key("esc")
    viewer.click(*viewer.center(), button=3, times=2)
    viewer.until(lambda r: math.dist(r["lookat"], [0, 0, 0]) > 0.1, what="the point looked at is on the cube")
    viewer.hold("ctrl")
    viewer.click(*viewer.center(), button=3, times=2)
    viewer.let_go("ctrl")
    viewer.until(lambda r: r["camera"] == 1)
    viewer.key("esc")
    viewer.until(lambda r: r["camera"] == 0)
