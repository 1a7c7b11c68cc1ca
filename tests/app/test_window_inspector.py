"""The inspector as people use it, by real events on one window: several elements together, copies and pastes, units, defaults
with their reset, drags of a vector's numbers, and rows of the explorer dragged into other bodies.
"""

import pytest

SCENE = """<mujoco>
  <compiler angle="degree"/>
  <option gravity="0 0 0"/>
  <statistic center="0 0 .3" extent="1.2"/>
  <worldbody>
    <light pos="0 0 3"/>
    <body name="left" pos="-.4 0 .3">
      <geom name="one" type="box" size=".12 .12 .12" rgba=".9 .2 .1 1"/>
    </body>
    <body name="right" pos=".4 0 .3" euler="0 0 30">
      <joint name="turn" axis="0 1 0" range="-90 45"/>
      <geom name="two" type="box" size=".12 .12 .2" rgba=".1 .3 .9 1"/>
    </body>
  </worldbody>
</mujoco>
"""


def text(viewer):
    return (viewer.folder / "model.xml").read_text()


def write(viewer, words):
    for letter in words:
        viewer.key({" ": "space", "*": "shift+8"}.get(letter, letter))


def row_of(viewer, *name):
    return viewer.until(lambda r: all(one in r["element_rows"] for one in name), what=f"the rows {name}")["element_rows"]


def line(viewer, label):
    """Position of a row of the explorer."""
    x, y, w, h = viewer.until(lambda r: label in r["tree_rows"], what=f"the row {label}")["tree_rows"][label]
    return x + 0.4 * w, y + 0.5 * h


def test_the_inspector_edits_several_elements(make_viewer):
    viewer = make_viewer(SCENE, window=[1000, 820], info=False, panels={"element": True, "joint": False, "control": False})
    viewer.started()

    # both bodies are opened, and both geoms selected in the explorer
    for body in ("left", "right"):
        x, y = line(viewer, f"body {body}")
        left = viewer.row()["tree_rows"][f"body {body}"][0]
        viewer.click(left + 12, y)
        viewer.until(lambda r, geom={"left": "one", "right": "two"}[body]: f"geom {geom}" in r["tree_rows"])
    viewer.click(*line(viewer, "geom one"))
    viewer.until(lambda r: r["chosen"] == [["geom", 0]])
    viewer.hold("ctrl")
    viewer.click(*line(viewer, "geom two"))
    viewer.let_go("ctrl")
    viewer.until(lambda r: r["chosen"] == [["geom", 1], ["geom", 0]])

    # typing over a default writes the attribute of both geoms; an expression is written as its value
    viewer.click(*row_of(viewer, "friction")["friction"])
    viewer.key("ctrl+a")
    write(viewer, "1/4 0.1")
    viewer.newer(lambda: viewer.key("enter"))
    assert text(viewer).count('friction="0.25 0.1"') == 2
    assert viewer.fresh()["chosen"] == [["geom", 1], ["geom", 0]], "both are selected again"

    # the reset button removes the attribute from both
    viewer.newer(lambda: viewer.click(*row_of(viewer, "reset friction")["reset friction"]))
    assert text(viewer) == SCENE
    for _ in range(2):
        viewer.click(*viewer.center())
        viewer.newer(lambda: viewer.key("ctrl+z"))
    assert text(viewer) == SCENE

    # a drag on one number of a vector changes only this number
    viewer.click(*line(viewer, "body left"))
    viewer.until(lambda r: r["chosen"] == [["body", 1]])
    x, y = row_of(viewer, "pos", "pos z")["pos z"]
    viewer.newer(lambda: viewer.drag(20, 0, start=(x, y)))
    fresh = text(viewer).split('name="left" pos="')[1].split('"')[0].split()
    assert fresh[:2] == ["-.4", "0"] and 0.3 < float(fresh[2]) < 0.6
    viewer.click(*viewer.center())
    viewer.newer(lambda: viewer.key("ctrl+z"))
    assert text(viewer) == SCENE

    # angles in radians: the file keeps its degrees
    viewer.click(*line(viewer, "joint turn"))
    viewer.until(lambda r: r["element"] == ["joint", 0])
    viewer.click(*viewer.center())
    viewer.key("ctrl+k")
    viewer.until(lambda r: r["settings"]["palette"])
    write(viewer, "angles radians")
    viewer.until(lambda r: r["typed"] == "angles radians")
    viewer.key("enter")
    viewer.until(lambda r: r["settings"]["angles"] == "radians")
    viewer.click(*row_of(viewer, "range")["range"])
    viewer.key("ctrl+a")
    write(viewer, "-pi/3 pi/6")
    viewer.newer(lambda: viewer.key("enter"))
    assert 'range="-60 30"' in text(viewer)
    viewer.click(*viewer.center())
    viewer.newer(lambda: viewer.key("ctrl+z"))
    viewer.until(lambda r: text(viewer) == SCENE and not r["loading"], what="the text as it was")

    # copied and pasted into the world, with a new name; then deleted
    viewer.click(*line(viewer, "body right"))
    viewer.until(lambda r: r["chosen"] == [["body", 2]])
    viewer.key("ctrl+alt+c")
    viewer.until(lambda r: "Copied body right" in r["notice"])
    viewer.click(*line(viewer, "body world"))
    viewer.until(lambda r: r["chosen"] == [])
    viewer.key("ctrl+v")
    viewer.until(lambda r: r["nbody"] == 4 and not r["loading"], what="the pasted body")
    assert 'name="right_2"' in text(viewer) and 'name="turn_2"' in text(viewer)
    viewer.until(lambda r: r["chosen"] == [["body", 3]], what="the new body is selected")
    viewer.key("delete")
    viewer.until(lambda r: r["nbody"] == 3 and not r["loading"])
    assert text(viewer) == SCENE

    # a row dragged onto another body: the element stays where it is
    before = viewer.fresh()["xpos"]
    x, y = line(viewer, "body left")
    to = line(viewer, "body right")
    viewer.newer(lambda: viewer.drag(to[0] - x, to[1] - y, start=(x, y)))
    assert text(viewer).index('name="right"') < text(viewer).index('name="left"')
    # the order of the bodies in the model has changed
    row = viewer.fresh()
    assert row["xpos"][2] == pytest.approx(before[1], abs=0.02)

    # Ctrl+click in the view
    viewer.click(*viewer.center())
    viewer.key("space")
    viewer.until(lambda r: not r["running"])
    viewer.newer(lambda: viewer.key("ctrl+z"))
    undo = viewer.fresh()["undo"]
    x, y, w, h = viewer.row()["rect"]
    spots = [(x + part * w, y + 0.5 * h) for part in (0.22, 0.78)]
    viewer.click(*spots[0], times=2)
    viewer.until(lambda r: r["chosen"] == [["body", 1]], what="the left body is selected")
    viewer.hold("ctrl")
    viewer.click(*spots[1])
    viewer.let_go("ctrl")
    row = viewer.until(lambda r: len(r["chosen"]) == 2, what="both bodies are selected")
    assert {kind for kind, _i in row["chosen"]} == {"body"} and viewer.pictures()["undo"] == undo, "a click pulls nothing"


LONG = """<mujoco><worldbody><light pos="0 0 3"/>
<body name="link" pos="-0.123456789 0.98765432 0.33333333" quat="0.70710678 0 0.70710678 0">
<geom name="shell" type="box" size=".1 .2 .3"/></body></worldbody></mujoco>"""


def test_a_narrow_inspector_shows_whole_vectors_below_one_row_of_tools(make_viewer):
    """Vectors too long for the column get their own line with fewer digits; while the user types, all digits are shown."""
    viewer = make_viewer(LONG, window=[800, 560], panels={"element": True, "joint": False, "control": False})
    viewer.until(lambda r: r.get("frame", 0) > 3)
    x, y, w, h = viewer.row()["rect"]
    viewer.key("ctrl+shift+f")
    viewer.key("ctrl+k")
    viewer.until(lambda r: r["settings"]["palette"])
    viewer.write("link body")
    viewer.until(lambda r: r["typed"] == "link body")
    viewer.key("enter")
    rows = row_of(viewer, "name", "pos", "quat")
    viewer.pictures()
    rows = row_of(viewer, "name", "pos", "quat")
    # the field is below its label, and as wide as the inspector
    left = x + w
    assert rows["quat"][0] < rows["name"][0] - 20 and rows["quat"][0] > left
    top = min(spot[1] for label, spot in viewer.row()["buttons"].items() if label.endswith("##more"))
    assert 0 < rows["name"][1] - top < 5 * 15, "the fields begin below the row of tools"

    # typing begins with all digits: only the number that is changed changes
    viewer.click(*rows["pos"])
    viewer.key("end")
    viewer.key("backspace")
    viewer.newer(lambda: viewer.key("enter"))
    assert 'pos="-0.123456789 0.98765432 0.3333333"' in text(viewer)

    # the handles are chosen from a menu
    viewer.press("##handles")
    viewer.press("Turn")
    viewer.until(lambda r: r["settings"]["gizmo"] == "turn")
