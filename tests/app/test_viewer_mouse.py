"""Bodies under the mouse: select, pull, turn, look at, track."""

import math

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
    moved = viewer.until(lambda r: math.dist(r["xpos"][1], start) > 0.05, what="the cube follows the mouse")
    assert moved["running"]
    viewer.button(3, False)
    viewer.let_go("ctrl")
    viewer.until(lambda r: not r["perturbing"])
    # nothing pulls any more: it keeps its speed, it does not gain
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
    # a click into the empty selects nothing
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
