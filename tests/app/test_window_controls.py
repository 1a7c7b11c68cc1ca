"""Controls that are rarely used, clicked by real events: the menu of the timeline, motions on it, and values of Visualization
and of cameras into the source.
"""

from tests.app.models import PENDULUM
from tests.app.test_window_inspector import line
from tests.app.test_window_source import text
from tests.app.test_window_timeline import chosen, spot
from tumble.ui import icons

TOUCH = """<mujoco><worldbody><light pos="0 0 3"/><geom name="floor" type="plane" size="2 2 .1"/>
<body pos="0 0 .4"><freejoint/><geom name="ball" size=".1"/></body></worldbody></mujoco>"""


def paused_after(viewer, seconds):
    viewer.until(lambda r: r.get("time", 0) > seconds, 300)
    viewer.key("space")
    return viewer.until(lambda r: not r["running"])


def test_the_menu_of_the_timeline(make_viewer):
    """The menu zooms to the marked range, marks new contacts, and switches looping."""
    panels = {"motions": True, "joint": False, "control": False}
    viewer = make_viewer(TOUCH, window=[900, 660], info=False, panels=panels)
    viewer.until(lambda r: r.get("time", 0) > 0.1, 300)
    viewer.key("space")
    viewer.until(lambda r: not r["running"])
    chosen(viewer, "Mark new contacts")
    viewer.key("backspace")
    viewer.key("space")
    viewer.until(lambda r: any("floor touches ball" == words for _time, words in r["begun"]), what="the mark of the contact")
    paused_after(viewer, 1.0)

    # on a slow machine, the run before the reset may reach beyond the point where the drag begins
    x, y = spot(viewer, 0.3)
    viewer.drag(spot(viewer, 0.9)[0] - x, 0, start=(x, y), keys=("shift",))
    viewer.until(lambda r: r["range"])
    chosen(viewer, "Zoom to the range")
    row = viewer.until(lambda r: r["zoom"] != [0, 1])
    # states before the reset belong to another run, so the range begins after them
    assert 0.25 < row["zoom"][0] < row["zoom"][1] and abs(row["zoom"][1] - 0.9) < 0.05

    # without a range, playback runs once and stays at the end
    chosen(viewer, "Clear the range")
    viewer.until(lambda r: not r["range"])
    chosen(viewer, "Show everything")
    viewer.until(lambda r: r["zoom"] == [0, 1])
    viewer.click(*spot(viewer, 0.7))
    viewer.until(lambda r: r["position"] < -2)
    chosen(viewer, "Play")
    viewer.until(lambda r: r["playing"] == 1 or r["position"] == 0)
    row = viewer.until(lambda r: not r["playing"] and r["position"] == 0, what="the end")
    assert not row["running"]

    # putting a kept motion on the timeline replaces the states that were recorded after it
    viewer.press("Keep the past##keep_past")
    row = viewer.until(lambda r: r["ghosts"])
    count, end = row["ghosts"][0][1], row["time"]
    viewer.key("space")
    paused_after(viewer, end + 0.3)
    assert viewer.pictures()["history"] > count
    viewer.press("On the timeline")
    row = viewer.until(lambda r: r["history"] == count and abs(r["time"] - end) < 1e-6, what="the states of the motion")
    assert row["position"] == 0 and not row["running"]


def test_the_look_of_the_model_gets_into_its_source(make_viewer):
    shown = {"visualization": True, "element": True, "cameras": True, "joint": False, "control": False, "simulation": False}
    viewer = make_viewer(PENDULUM, window=[1100, 860], info=False, panels=shown)
    viewer.started()
    viewer.key("space")
    viewer.until(lambda r: not r["running"])
    viewer.pictures()
    viewer.press("Off")
    viewer.pictures()
    assert text(viewer) == PENDULUM, "so far it holds in memory"
    viewer.newer(lambda: viewer.press("Write to source##visual"))
    assert '<headlight active="0"/>' in text(viewer).replace("false", "0")

    # a value of a camera in the running model
    viewer.click(*line(viewer, "camera side"))
    viewer.until(lambda r: r["element"] == ["camera", 1])
    # the filter at the left of these buttons finds values of the model, too
    buttons = viewer.pictures()["buttons"]
    x, y, _w, h = min(buttons[f"{icon}##{name}"] for icon, name in ((icons.SAVE, "write"), (icons.MOVE, "handles")))
    viewer.click(x - 30, y + 0.5 * h)
    viewer.write("fovy")
    viewer.press("m.cam_fovy")
    viewer.key("ctrl+a")
    viewer.write("60")
    viewer.key("enter")
    viewer.until(lambda r: r["undo"] and "cam_fovy" in r["undo"][-1])
    assert "fovy" not in text(viewer)
    viewer.newer(lambda: viewer.press(f"{icons.SAVE}##write"))
    assert 'name="side"' in text(viewer) and text(viewer).count('fovy="60"') == 1

    # the camera of the view
    viewer.newer(lambda: viewer.press("Write view to source"))
    assert '<camera name="view" pos=' in text(viewer)
