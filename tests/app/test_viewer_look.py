"""Default visual cues: an outline around the selection, a tooltip for the object under the mouse, a robot that has only
visuals.
"""

import numpy as np
import pytest

from tests.app.models import CUBE

ROBOT = """<robot name="look">
  <link name="base"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
  <link name="arm">
    <inertial><mass value="2"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0 0 1"/><geometry><cylinder radius=".1" length="1"/></geometry></visual>
  </link>
  <joint name="swing" type="revolute">
    <parent link="base"/><child link="arm"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
</robot>
"""
# a wall before the cube: a selection is seen through it
WALL = CUBE.replace(
    '<body name="cube">', '<geom name="wall" type="box" size=".6 .02 .3" pos="0 -.6 -.2" rgba=".3 .5 .7 1"/><body name="cube">'
)
LINE = np.array([0xFF, 0xB0, 0x00])
# tolerance of a pixel's color to that of the line, where edges are blended
NEAR = 24


def line(viewer):
    """(y, x) of the pixels of the view that have the colour of the outline."""
    return np.argwhere(np.abs(viewer.view().astype(int) - LINE).max(axis=2) < NEAR)


@pytest.fixture(scope="module")
def viewer(keep_viewer):
    made = keep_viewer(WALL, info=False)
    made.started()
    made.key("space")
    made.until(lambda r: not r["running"])
    return made


def test_what_is_selected_has_an_outline(viewer):
    assert not len(line(viewer))
    x, y = viewer.center()
    left, top, _width, height = viewer.row()["rect"]
    # above the wall, where the cube is seen
    viewer.click(x, y - 0.12 * height, times=2)
    viewer.until(lambda r: r["selected"] == 1)
    # the mouse moves away, so that nothing covers the cube
    viewer.move(x, top + 3)
    viewer.until(lambda r: len(line(viewer)) > 200, what="no outline")
    found = line(viewer)
    low, high = found.min(axis=0), found.max(axis=0)
    # all around: also behind the wall, which hides the lower part of the cube
    assert high[0] - low[0] > 0.2 * height and high[1] - low[1] > 0.2 * height
    # a double click on the background deselects it
    viewer.click(left + 12, top + 40, times=2)
    viewer.until(lambda r: r["selected"] <= 0)
    viewer.until(lambda r: not len(line(viewer)), what="the outline stays")


def test_a_resting_mouse_explains(viewer):
    x, y = viewer.center()
    height = viewer.row()["rect"][3]
    viewer.move(x, y - 0.12 * height)
    said = viewer.until(lambda r: r["hover"], what="nothing is said")["hover"]
    assert (
        said[0] == "geom cube"
        and said[1].startswith("Of body cube, ")
        and said[1].endswith(" kg")
        and "double click" in said[2]
    )
    # when the mouse moves by one pixel, the tooltip disappears, and then returns
    viewer.move(x + 1, y - 0.12 * height)
    viewer.until(lambda r: not r["hover"])
    viewer.until(lambda r: r["hover"] == said)
    # over a panel, the view shows no tooltip
    viewer.move(viewer.row()["size"][0] - 60, 300)
    viewer.until(lambda r: not r["hover"])


def test_a_robot_of_visuals_only_is_seen(make_viewer):
    viewer = make_viewer(ROBOT, name="look.urdf", info=False)
    row = viewer.until(lambda r: "visual geoms only" in r.get("notice", ""), 300.0, "it is not said why nothing touches")
    # the world, and a body for each link
    assert row["nbody"] == 3
    # the robot has no actuators, so its simulation starts paused
    assert not row["running"]
    viewer.key("space")
    viewer.started()
    x, y = viewer.center()
    viewer.move(x, y)
    viewer.until(lambda r: r["hover"] and r["hover"][0].startswith("geom "), what="there is nothing to see")
