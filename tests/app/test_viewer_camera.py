"""The camera by real events: axis gizmo, flight, framing after a keyframe, the grid of models without a ground."""

import numpy as np
import pytest

from tests.app.models import PENDULUM
from tests.app.test_actions import session
from tumble.app.fly import direction
from tumble.ui import axes, grid

VOID = """<mujoco model="void"><worldbody><light pos="0 0 3"/>
<body name="a" pos="0 0 .5"><freejoint/><geom size=".1"/><geom type="box" size=".05 .05 .2" pos=".2 0 0"/></body></worldbody>
<option gravity="0 0 0"/>
<keyframe><key name="here" qpos="0 0 .5 1 0 0 0"/><key name="far" qpos="50 0 20 1 0 0 0"/></keyframe></mujoco>"""


@pytest.mark.parametrize("name", ["+x", "-x", "+y", "-y", "+z", "-z"])
def test_each_end_looks_along_its_axis(name):
    """The camera is at the end of the axis and looks back along it."""
    way = np.eye(3)["xyz".index(name[1])] * (1 if name[0] == "+" else -1)
    assert direction(*axes.look(name)) == pytest.approx(-way, abs=1e-12)


def test_what_moves_is_lost_when_it_leaves_the_picture(tmp_path):
    s = session(VOID, tmp_path)
    s.view.update()
    assert not s.view.lost()
    for pos in ((50, 0, 20), (-80, 0, 0), (0, 0, -40)):
        s.view.d.geom_xpos[:] = np.array(pos) + s.view.d.geom_xpos - s.view.d.geom_xpos[0]
        assert s.view.lost(), pos
        s.view.frame(True)
        s.view.update()
        assert not s.view.lost(), pos


def test_a_grid_has_round_cells_and_reaches_beyond_the_model():
    for step in (0.001, 0.2, 5.0):
        shapes = grid.made(step)
        assert len(shapes) == 4 and all(one.ngeom for one in shapes)


def test_the_axis_gizmo_turns_the_view(make_viewer):
    """A click on an axis end looks along that axis, and a drag turns the view. Neither selects a body."""
    viewer = make_viewer(PENDULUM, window=[1088, 680])
    viewer.started()
    viewer.key("space")
    x, y, w, _h = viewer.until(lambda r: not r["running"])["rect"]
    em = 15
    center = x + w - (0.3 + 0.5 * axes.SIZE) * em, y + (0.3 + 0.5 * axes.SIZE) * em
    # look from above: the end of the z axis is drawn above the center, closer to it the steeper the view is
    elevation = np.radians(viewer.fresh()["elevation"])
    viewer.click(center[0], center[1] - axes.ARM * em * np.cos(elevation))
    row = viewer.until(lambda r: r["elevation"] == -90)
    before = row["azimuth"]
    viewer.drag(30, -20, start=center)
    viewer.until(lambda r: r["azimuth"] != before and r["elevation"] != -90)
    assert not viewer.fresh()["selected"] and not viewer.fresh()["panel_errors"]


def test_flying_by_keys(make_viewer):
    """While flying, W moves along the view, letters are not commands, and a drag turns about the eye. Escape ends flying."""
    viewer = make_viewer(PENDULUM, window=[1088, 680])
    viewer.started()
    viewer.key("shift+`")
    row = viewer.until(lambda r: r["settings"]["fly"])
    viewer.hold("w")
    after = viewer.until(lambda r: np.linalg.norm(np.subtract(r["lookat"], row["lookat"])) > 0.2)
    viewer.let_go("w")
    moved = np.subtract(after["lookat"], row["lookat"])
    assert moved / np.linalg.norm(moved) == pytest.approx(direction(row["azimuth"], row["elevation"]), abs=1e-3)
    assert after["render_flags"] == row["render_flags"] and after["vis_flags"] == row["vis_flags"]
    rest = viewer.fresh()
    viewer.drag(60, 20)
    turned = viewer.until(lambda r: r["azimuth"] != rest["azimuth"])
    turned = viewer.fresh()

    def eye(r):
        return np.array(r["lookat"]) - r["distance"] * direction(r["azimuth"], r["elevation"])

    assert eye(turned) == pytest.approx(eye(rest), abs=1e-6)
    viewer.key("esc")
    viewer.until(lambda r: not r["settings"]["fly"])


def test_a_keyframe_that_leaves_the_view_is_framed(make_viewer):
    viewer = make_viewer(VOID, window=[1088, 680], panels={"simulation": True})
    viewer.started()
    before = viewer.fresh()
    viewer.key("ctrl+k")
    viewer.until(lambda r: r["settings"]["palette"])
    viewer.write("load far")
    viewer.until(lambda r: r["typed"] == "load far")
    viewer.key("enter")
    row = viewer.until(lambda r: r["qpos"][0] == pytest.approx(50.0) and abs(r["lookat"][0] - 50) < 2)
    assert "view was adjusted" in row["notice"] or row["lookat"] != before["lookat"]
