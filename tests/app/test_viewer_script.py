"""A script's panels, marks and functions in a real window, driven by real events; several windows at once; a window
drawn by the script.
"""

import json
import os
import textwrap
import time

import numpy as np
import pytest
from Xlib import X, display
from Xlib.ext import xtest

from tests.app import prepared
from tests.app.driver import PATIENT, ROOT, drop
from tests.app.models import PENDULUM
from tests.app.test_passive_window import Running

# frames without a change of the layout, or seconds without a frame
STEADY, RESTS = 5, 2.0
# plain `python`: no launcher
BEGIN = """
import json, sys, time
import numpy as np
import tumble as mujoco
import tumble.viewer
from tumble.ui.context import Seen
m = mujoco.MjModel.from_xml_string(open("model.xml").read())
d = mujoco.MjData(m)
heard = []
def places_of(s):
    s.parts.seen = s.parts.seen or Seen()
    return s.parts.seen.script
"""
# prints positions and events until the window is closed
LOOP = """
end = time.time() + 60
while v.is_running() and time.time() < end:
    mujoco.mj_step(m, d)
    v.sync()
    s = v._viewer.session
    places = dict(places_of(s))
    r = s.gestures.rect
    row = {"places": places, "view": [r.x, r.y, r.w, r.h], "heard": heard, "log": [line.text for line in\
 list(s.messages.log.lines)], "frame": s.parts.activity.frame_count,
           "inset": {k[1]: float(np.ptp(im)) for k, im in dict(s.parts.insets.shown).items()}, **report()}
    with open("row.part", "w") as file:
        json.dump(row, file, default=str)
    import os
    os.replace("row.part", "row.json")
    time.sleep(0.01)
print("over", len(v.panels), len(v.marks), flush=True)
"""


@pytest.fixture
def script(server, tmp_path):
    """run(text) -> a Running script."""
    made = []

    def start(text, loop=LOOP):
        (tmp_path / "model.xml").write_text(PENDULUM)
        (tmp_path / "script.py").write_text(BEGIN + textwrap.dedent(text) + loop)
        env = dict(
            os.environ,
            DISPLAY=server.name,
            TUMBLE_CONFIG=str(tmp_path / "s.json"),
            PYTHONPATH=str(ROOT),
            LIBGL_ALWAYS_SOFTWARE="1",
        )
        with open(tmp_path / "err", "w") as errors:
            process = prepared.talk(["script.py"], tmp_path, env, errors)
        made.append(Mouse(server, process))
        made[-1].errors, made[-1].folder = tmp_path / "err", tmp_path
        return made[-1]

    yield start
    for running in made:
        running.process.kill()
        running.display.close()


class Mouse(Running):
    """A running script whose window is clicked."""

    def row(self):
        path = self.folder / "row.json"
        text = path.read_text() if path.exists() else ""
        # the script may be writing the file
        return json.loads(text) if text.endswith("}") else {}

    def until(self, condition, what=""):
        end = time.monotonic() + PATIENT
        while True:
            row = self.row()
            if row and condition(row):
                return row
            assert self.process.poll() is None and time.monotonic() < end, f"{what}: {row}\n{self.errors.read_text()}"
            time.sleep(0.05)

    def click(self, x, y, times=1, drag=0):
        o = self.display.screen().root.translate_coords(self.window(), 0, 0)
        xtest.fake_input(self.display, X.MotionNotify, 0, x=int(o.x + x), y=int(o.y + y))
        for _ in range(times):
            for kind in (X.ButtonPress, X.ButtonRelease):
                self.display.sync()
                time.sleep(0.06)
                xtest.fake_input(self.display, kind, 1)
                if drag and kind == X.ButtonPress:
                    self.display.sync()
                    time.sleep(0.06)
                    xtest.fake_input(self.display, X.MotionNotify, 0, x=int(o.x + x + drag), y=int(o.y + y))
        self.display.sync()

    def middle(self, title, share=0.5):
        # a new window is at its final position when some frames have not moved it, or when it draws no more
        place, since, last, drawn = None, 0, -1, 0.0
        while True:
            row = self.until(lambda r: r["places"].get(title, [0, 0, 0, 0])[2] > 0, f"no {title}")
            if row["frame"] != last:
                last, drawn = row["frame"], time.monotonic()
            if row["places"][title] != place:
                place, since = row["places"][title], row["frame"]
            elif row["frame"] >= since + STEADY or time.monotonic() > drawn + RESTS:
                break
            time.sleep(0.05)
        x, y, w, h = place
        return x + share * w, y + h / 2


ONE = """
v = mujoco.viewer.launch_passive(m, d, show_left_ui=False)
kp = v.add_slider("kp", 0, 100, 20, lambda value: heard.append(["kp", value]))
on = v.add_checkbox("on", False, lambda value: heard.append(["on", value]))
v.add_button("Go", lambda: heard.append("go"))
v.add_button("Fail", lambda: 1 / 0)
plot = v.add_plot("error", ("a", "b"))
v.add_image("eye", np.full((8, 8, 3), 200, np.uint8))
eyes = v.add_panel("Eyes")
eyes.add_camera(-1, "depth", title="depth")
eyes.add_camera(-1, "segmentation", title="segmentation")
mark = v.add_points([v.cam.lookat], size=0.4, rgba=(1, 0, 1, 1))
v.add_labels([v.cam.lookat], "here")
v.on_click(lambda hit: heard.append(["click", hit.kind, hit.index]))
v.on_select(lambda kind, index: heard.append(["select", kind, index]))
v.on_drop(lambda paths: heard.append(["drop", *paths]))
v.on_key("H", lambda: heard.append("key"))
report = lambda: {"kp": kp.value, "on": on.value, "haze": v._view.render_flags[:], "time": d.time}
"""


def test_controls_marks_and_functions(script, server):
    r = script(ONE)
    r.until(
        lambda row: row["inset"].get("depth", 0) > 100 and row["inset"].get("segmentation", 0) > 100, "no pictures of cameras"
    )
    flags = r.row()["haze"]
    r.click(*r.middle("Go"))
    r.until(lambda row: "go" in row["heard"], "the button is not heard")
    r.click(*r.middle("on", 0.1))
    r.until(lambda row: row["on"] and ["on", True] in row["heard"])
    r.click(*r.middle("kp", 0.7))
    row = r.until(lambda row: row["kp"] != 20 and any(h[0] == "kp" for h in row["heard"]))
    assert 0 < row["kp"] <= 100 and [h for h in row["heard"] if h[0] == "kp"][-1][1] == row["kp"]
    # a function that fails is a message, and the script continues
    r.click(*r.middle("Fail"))
    row = r.until(lambda row: any("ZeroDivisionError" in text for text in row["log"]), "the error is not said")
    r.until(lambda later: later["time"] > row["time"] + 0.01)
    # a key owned by the script has no other effect
    r.key("h")
    row = r.until(lambda row: "key" in row["heard"])
    assert row["haze"] == flags
    x, y, w, h = row["view"]
    # above the lower panel, left of the upper one
    r.click(x + 40, y + 120)
    r.until(lambda row: any(each[0] == "click" for each in row["heard"]), "the click is not heard")
    count = len([each for each in r.row()["heard"] if each[0] == "click"])
    # a drag is no click
    r.click(x + 40, y + 120, drag=60)
    time.sleep(0.5)
    assert len([each for each in r.row()["heard"] if each[0] == "click"]) == count
    (r.folder / "note.txt").write_text("hello")
    screen = display.Display(server.name)
    assert drop(server.name, screen.create_resource_object("window", r.window().id), [str(r.folder / "note.txt")])
    screen.close()
    r.until(lambda row: ["drop", str(r.folder / "note.txt")] in row["heard"], "the drop is not heard")
    # the mark is where the camera points
    seen = r.picture()[::-1][int(y) : int(y + h), int(x) : int(x + w)]
    pink = (seen[:, :, 0] > 120) & (seen[:, :, 2] > 120) & (seen[:, :, 1] < 110)
    assert pink.sum() > 50
    r.key("q", "Control_L")
    line = r.process.stdout.readline()
    while line and not line.startswith("over"):
        line = r.process.stdout.readline()
    assert line.split() == ["over", "0", "0"], r.errors.read_text()


def test_a_double_click_is_a_selection(script):
    """The script receives the window's selection."""
    r = script("""
    v = mujoco.viewer.launch_passive(m, d, show_left_ui=False, show_right_ui=False)
    v.on_select(lambda kind, index: heard.append([kind, index]))
    mujoco.mj_forward(m, d)
    v.cam.lookat[:], v.cam.distance = d.xipos[1], 2.5
    m.opt.gravity[:] = 0
    report = lambda: {"selected": v.perturb.select}
    """)
    x, y, w, h = r.until(lambda row: row["view"][2] > 100)["view"]
    time.sleep(1.0)
    r.click(x + w / 2, y + h / 2, times=2)
    row = r.until(lambda row: row["heard"], "no selection")
    assert row["heard"][-1][1] == row["selected"] > 0


def test_two_windows_at_once(script):
    """Two windows move and show their own panels. If one is closed, the other keeps running."""
    r = script("""
    from tumble.app.windows import Windows
    other = mujoco.MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/><geom name='ball' size='.2'/></body>\
</worldbody></mujoco>")
    e = mujoco.MjData(other)
    v = mujoco.viewer.launch_passive(m, d, show_left_ui=False)
    u = mujoco.viewer.launch_passive(other, e, show_right_ui=False)
    v.add_slider("mine", 0, 1)
    u.add_slider("yours", 0, 1)
    def report():
        if u.is_running():
            mujoco.mj_step(other, e)
            u.sync()
            if d.time > 0.4:
                u.close()
        s = u._viewer._session
        return {"frames": [v._viewer.session.activity.frame_count, s.activity.frame_count], "open": [v.is_running(),\
 u.is_running()],
                "shown": [v._viewer.session.snapshot.m.nq, s.snapshot.m.nq], "time": [d.time, e.time],
                "panels": [list(places_of(x)) for x in (v._viewer.session, s)], "threads": [t.name for\
 t in __import__("threading").enumerate()]}
    """)
    row = r.until(lambda row: row["panels"] == [["mine"], ["yours"]] and row["open"] == [True, True], "both draw")
    assert row["shown"] == [8, 7] and row["threads"].count("viewer") == 1
    row = r.until(lambda row: row["open"] == [True, False], "the other stays")
    later = r.until(lambda new: new["frames"][0] > row["frames"][0] + 5, "the first window stands still")
    assert later["open"] == [True, False] and "Traceback" not in r.errors.read_text()


def test_a_panel_is_docked_beside_the_view(script):
    """New panels are docked beside the view, below the existing ones, in the order in which they were added."""
    r = script("""
    v = mujoco.viewer.launch_passive(m, d)
    for title in ("First", "Second"):
        panel = v.add_panel(title)
        panel.add_button(f"in {title}", lambda: heard.append(title))
    def report():
        return {"frames": v._viewer.session.activity.frame_count}
    """)
    row = r.until(lambda row: len(row["places"]) == 2 and row["frames"] > 12, "nothing is drawn")
    x, y, w, h = row["view"]
    first, second = row["places"]["in First"], row["places"]["in Second"]
    assert min(first[0], second[0]) >= x + w and second[1] > first[1] + 30
    r.click(*r.middle("in Second"))
    r.until(lambda row: "Second" in row["heard"], "a docked panel is not heard")


def test_a_window_says_that_it_waits_for_the_script(script):
    r = script(
        """
    v = mujoco.viewer.launch_passive(m, d)
    def report():
        if d.time > 0.05 and not heard:
            heard.append("asleep")
            json.dump({"heard": heard}, open("row.json", "w"))
            time.sleep(8)
        return {"time": d.time}
    """
    )
    r.until(lambda row: "asleep" in row["heard"], "runs")
    end = time.monotonic() + PATIENT
    while "waiting for the script" not in (r.window().get_wm_name() or ""):
        assert time.monotonic() < end, r.window().get_wm_name()
        time.sleep(0.05)
    r.until(lambda row: row.get("time", 0) > 0.06, "runs on")
    while "waiting" in (r.window().get_wm_name() or ""):
        assert time.monotonic() < end + PATIENT
        time.sleep(0.05)


def test_a_window_drawn_by_the_script(script):
    """Without a thread of its own, a window is drawn and gets events in `sync`, also while paused. The script can use a
    Renderer in between. Closing frees the window.
    """
    r = script("""
    v = mujoco.viewer.launch_passive(m, d, show_left_ui=False, own_thread=False)
    v.add_button("Go", lambda: heard.append("go"))
    picture = mujoco.Renderer(m, 40, 60)
    def report():
        picture.update_scene(d)
        return {"threads": [t.name for t in __import__("threading").enumerate()], "frames":\
 v._viewer.session.activity.frame_count,
                "seen": int(np.ptp(picture.render())), "time": d.time}
    """)
    row = r.until(lambda row: row["frames"] > 10 and row["places"], "nothing is drawn")
    assert "viewer" not in row["threads"] and row["seen"] > 0
    r.key("space")
    time.sleep(1.0)
    still = r.row()["time"]
    time.sleep(0.5)
    assert r.row()["time"] == still, "paused"
    x, y = r.middle("Go")
    r.click(x, y)
    time.sleep(2.0)
    # a step, so that the script reports its events
    r.key("Right")
    r.until(lambda row: "go" in row["heard"], "not heard while paused")
    r.key("space")
    r.until(lambda row: row["time"] > still + 0.05, "runs again")
    seen = r.picture()
    assert np.ptp(seen) > 100
    r.key("q", "Control_L")
    assert r.process.wait(30) == 0 and "Traceback" not in r.errors.read_text()


def test_the_viewer_that_steps_has_a_board_too(script):
    """`launch` blocks; its functions are called between steps."""
    r = script(
        """
    from tumble.viewer import Board
    import os, threading
    board = Board()
    gain = board.add_slider("gain", 0, 10, 1)
    board.add_button("Fail", lambda: 1 / 0)
    board.add_button("Stop", lambda: heard.append(board))
    def look():
        while not sessions or not heard:
            time.sleep(0.05)
            if sessions:
                s = sessions[0]
                r = s.gestures.rect
                row = {"places": dict(places_of(s)), "view": [r.x, r.y, r.w, r.h], "log": [l.text for l\
 in list(s.messages.log.lines)], "frame": s.parts.activity.frame_count}
                open("row.part", "w").write(json.dumps(row))
                os.replace("row.part", "row.json")
        sessions[0].window.close()
        sessions[0].window.wake()
    sessions = []
    import tumble.app.passive as passive
    original = passive.make_session
    passive.make_session = lambda *a: sessions.append(original(*a)) or sessions[-1]
    threading.Thread(target=look, daemon=True).start()
    mujoco.viewer.launch(m, d, board=board)
    print("over", len(board.panels), flush=True)
    """,
        "",
    )
    r.click(*r.middle("Fail"))
    r.until(lambda row: any("ZeroDivisionError" in text for text in row["log"]), "the error is not said")
    r.click(*r.middle("Stop"))
    assert r.process.stdout.readline().split() == ["over", "0"], r.errors.read_text()
