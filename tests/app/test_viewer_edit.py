"""Edits by real events: handles in the view and fields of the Element panel change the file, undo puts its bytes back."""

import pytest

# a post in the middle of the view, placed by a frame; line ends and quotes must be kept
SCENE = """<!-- a post -->\r
<mujoco model='post'>\r
  <statistic center="0 0 0" extent="1"/>\r
  <worldbody>\r
    <light pos="0 -2 4" dir="0 0.4 -1"/>\r
    <frame euler='0 0 90'>\r
      <body name="post"    pos='0 0 0'>  <!-- moved by hand -->\r
        <geom name="block" type="box" size=".2 .2 .2" rgba=".9 .2 .1 1"/>\r
      </body>\r
    </frame>\r
    <body name="swing" pos="0 0 .8"><joint axis="0 1 0"/><geom size=".15" pos=".2 0 0"/></body>\r
  </worldbody>\r
</mujoco>\r
"""


@pytest.fixture
def viewer(make_viewer):
    made = make_viewer(gizmo="move", info=False)
    made.close()
    (made.folder / "model.xml").write_bytes(SCENE.encode())
    made.model = str(made.folder / "model.xml")
    again = make_viewer.again(made)
    again.started()
    again.click(*again.center(), times=2)
    again.until(lambda r: r["selected"] == 1, what="a double click selects the post")
    return again


def text(viewer):
    return (viewer.folder / "model.xml").read_bytes().decode()


def take_hold(viewer, dx=0.0, dy=0.0):
    """Move the mouse onto the handles."""
    x, y = viewer.until(lambda r: r["gizmo"].get("at"))["gizmo"]["at"]
    viewer.move(x + dx, y + dy)
    viewer.until(lambda r: r["gizmo"]["over"], what="the handles feel the mouse")


def dragging(viewer):
    """Drag the handles and hold the button: return (the row before, the handles' position)."""
    before = viewer.fresh()
    take_hold(viewer)
    viewer.button(1, True)
    viewer.until(lambda r: r["gizmo"]["using"])
    x, y = before["gizmo"]["at"]
    for k in range(1, 7):
        viewer.move(x + 10 * k, y - 5 * k)
    return before, (x, y)


def test_a_drag_of_the_handles_changes_the_file(viewer):
    before, _ = dragging(viewer)
    row = viewer.until(lambda r: abs(r["xpos"][1][2]) > 0.02, what="the post is moved in the model while the drag lasts")
    assert text(viewer) == SCENE and row["azimuth"] == before["azimuth"], "the file waits, and the camera stays"
    viewer.button(1, False)
    row = viewer.until(
        lambda r: r["generation"] > before["generation"] and not r["gizmo"]["using"], what="the model of the edited file"
    )
    assert row["time"] > before["time"] and row["element"] == ["body", 1], "the motion goes on, the selection stays"
    old, new = SCENE.splitlines(), text(viewer).splitlines()
    changed = [k for k, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    assert (
        changed == [6]
        and new[6].startswith('      <body name="post"    pos=\'')
        and new[6].endswith("'>  <!-- moved by hand -->")
    )
    assert text(viewer).count("\r\n") == SCENE.count("\r\n")
    place = [float(x) for x in new[6].split("'")[1].split()]
    # The position is in the frame, which is turned by a right angle.
    # The first picture of the new model may still have the old state.
    there = pytest.approx([-place[1], place[0], place[2]], abs=1e-6)
    row = viewer.until(lambda r: r["xpos"][1] == there, what="the post is where the file says")
    viewer.key("ctrl+z")
    viewer.until(lambda r: r["generation"] > row["generation"])
    assert text(viewer) == SCENE
    viewer.until(lambda r: r["xpos"][1] == pytest.approx([0, 0, 0], abs=1e-9))
    viewer.key("ctrl+shift+z")
    viewer.until(lambda r: r["xpos"][1] == pytest.approx(row["xpos"][1], abs=1e-9))
    assert text(viewer).splitlines() == new


def test_escape_gives_a_drag_up(viewer):
    """Escape returns the dragged element to its position, and the file keeps its bytes. Further motion of the pressed mouse
    drags nothing."""
    before, (x, y) = dragging(viewer)
    viewer.until(lambda r: abs(r["xpos"][1][2]) > 0.02)
    viewer.key("esc")
    viewer.until(lambda r: r["xpos"][1] == pytest.approx(before["xpos"][1], abs=1e-9) and not r["gizmo"]["using"])
    viewer.move(x + 90, y - 60)
    viewer.button(1, False)
    row = viewer.fresh()
    assert row["xpos"][1] == pytest.approx(before["xpos"][1], abs=1e-9) and row["azimuth"] == before["azimuth"]
    assert row["generation"] == before["generation"] and text(viewer) == SCENE
    # another press grabs the handles again
    take_hold(viewer)
    viewer.button(1, True)
    viewer.until(lambda r: r["gizmo"]["using"])
    viewer.button(1, False)


def test_a_field_of_the_element_panel_changes_the_file(make_viewer):
    viewer = make_viewer(
        SCENE.replace("\r", ""), panels={"element": True}, detached=["element"], info=False, window=[1200, 850]
    )
    before = viewer.started()
    scene = text(viewer)
    viewer.click(*viewer.center(), times=2)
    row = viewer.until(lambda r: r["selected"] == 1 and "pos" in r["element_rows"])
    viewer.click(*row["element_rows"]["pos"])
    viewer.key("ctrl+a")
    viewer.write("0 .25 0")
    viewer.key("enter")
    moved = pytest.approx([-0.25, 0, 0], abs=1e-9)
    row = viewer.until(
        lambda r: r["generation"] > before["generation"] and r["xpos"][1] == moved, what="the model of the edited file"
    )
    assert text(viewer) == scene.replace("pos='0 0 0'", "pos='0 .25 0'")
    assert row["undo"][-1] == "body post: pos = 0 .25 0"
    viewer.click(*viewer.until(lambda r: "delete" in r["element_rows"])["element_rows"]["delete"])
    row = viewer.until(lambda r: r["nbody"] == 2, what="a model without the post")
    assert 'post"' not in text(viewer) and "<!-- moved by hand -->" not in text(viewer)
    # two edits are undone in two steps
    for _ in range(2):
        viewer.click(*viewer.center())
        viewer.key("ctrl+z")
        row = viewer.until(lambda r, last=row: r["generation"] > last["generation"])
    assert text(viewer) == scene


STILL = """<mujoco><option gravity="0 0 0"/><statistic center="0 0 0" extent="1"/><worldbody><light pos="0 -2 4"/>
<body name="post"><geom name="block" type="box" size=".35 .35 .35"/></body>
<body pos="0 0 .8"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body></worldbody></mujoco>"""


def test_the_menu_of_the_view_duplicates_and_deletes(make_viewer):
    """The menu of a right click on a geom duplicates and deletes it. Both are edits of the file that can be undone."""
    viewer = make_viewer(STILL)
    viewer.started()
    path = viewer.folder / "model.xml"
    for label, count in (("Duplicate", 3), ("Delete", 1)):
        viewer.click(*viewer.center(), button=3)
        # a menu closes when a model is loaded: each step waits for the model of the one before
        viewer.newer(lambda label=label: viewer.press(label))
        assert path.read_text().count("<geom") == count
        viewer.newer(lambda: viewer.key("ctrl+z"))
        assert path.read_text() == STILL
