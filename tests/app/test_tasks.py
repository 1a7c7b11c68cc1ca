"""Tasks of a newcomer in the first quarter of an hour, from the default layout. Each has a maximum number of actions: chords,
clicks, drags, drops or typed texts.
"""

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.app.driver import ROOT
from tumble.ui import axes

SIZE = 1088, 680
EM = 15
ROBOT = """<mujoco model="robot"><compiler angle="degree"/>
<worldbody><light pos="0 0 3"/><geom name="floor" type="plane" size="2 2 .1" rgba=".4 .4 .4 1"/>
<body name="base" pos="0 0 .1"><geom name="foot" type="cylinder" size=".2 .1" rgba=".8 .8 .8 1"/>
 <body name="upper" pos="0 0 .1"><joint name="shoulder" axis="0 1 0" range="-90 90" limited="true" damping="1"/>
  <geom name="bone" type="capsule" fromto="0 0 0 0 0 .5" size=".06" rgba=".9 .5 .1 1"/>
  <body name="lower" pos="0 0 .5"><joint name="elbow" axis="0 1 0" range="-120 120" limited="true" damping="1"/>
   <geom name="forearm" type="capsule" fromto="0 0 0 0 0 .4" size=".05" rgba=".2 .5 .9 1"/></body></body></body>
<body name="ball" pos=".6 0 .6"><freejoint/><geom name="marble" size=".08" rgba=".8 .1 .1 1"/></body></worldbody>
<actuator><position name="shoulder" joint="shoulder" kp="30" ctrlrange="-1.5 1.5"/>
<position name="elbow" joint="elbow" kp="20" ctrlrange="-2 2"/></actuator></mujoco>"""


class Person:
    """Acts on a viewer and counts."""

    def __init__(self, viewer):
        self.viewer, self.actions = viewer, 0

    def key(self, chord):
        self.actions += 1
        self.viewer.key(chord)

    def click(self, *spot, **more):
        self.actions += 1
        self.viewer.click(*spot, **more)

    def drag(self, *way, **more):
        self.actions += 1
        self.viewer.drag(*way, **more)

    def drop(self, path):
        self.actions += 1
        assert self.viewer.drop(path)

    def write(self, text):
        self.actions += 1
        self.viewer.write(text)

    def find(self, text):
        """Open the palette, type a text, and press Enter."""
        self.key("ctrl+k")
        self.viewer.until(lambda r: r["settings"]["palette"])
        self.write(text)
        self.viewer.until(lambda r: r["typed"] == text)
        self.key("enter")
        self.viewer.until(lambda r: not r["settings"]["palette"])

    def until(self, condition, what=""):
        return self.viewer.until(condition, what=what)

    @property
    def row(self):
        return self.viewer.fresh()


def at(row, name):
    x, y, w, h = row["shown"][name]
    return x + w - 60, y + 0.5 * h


def open_a_robot(p):
    p.drop(p.viewer.folder / "robot.xml")
    p.until(lambda r: r["path"].endswith("robot.xml") and r.get("nbody") == 5)


def pause(p):
    p.key("space")
    p.until(lambda r: not r["running"])


def find_the_elbow(p):
    p.find("elbow joint")
    p.until(lambda r: r["element"] == ["joint", 1] and "joint 1" in r["shown"])
    # the row has its final position once it no longer flashes
    p.until(lambda r: not r["shown"])
    p.place = at([r for r in p.viewer.rows if "joint 1" in r["shown"]][-1], "joint 1")


def move_it(p):
    before = p.row["qpos"][1]
    p.drag(40, 0, start=p.place)
    p.until(lambda r: abs(r["qpos"][1] - before) > 0.1)


def undo(p):
    moved = p.row["qpos"][1]
    p.key("ctrl+z")
    p.until(lambda r: abs(r["qpos"][1] - moved) > 0.1)


def plot_its_torque(p):
    p.click(*p.place, button=3)
    row = p.until(lambda r: r["menu"] and r["menu_rows"].get("force of actuators"))
    x, y, w, h = row["menu_rows"]["force of actuators"]
    p.click(x + 0.5 * w, y + 0.5 * h)
    p.until(lambda r: r["plots"] and "plot" in r["windows"])


def run(p):
    p.key("space")
    p.until(lambda r: r["running"])


def see_it_again(p):
    """Pause, and go to the middle of the recorded time."""
    p.until(lambda r: r["time"] > 1.0)
    p.key("space")
    row = p.until(lambda r: not r["running"])
    left, top, right, bottom = row["timeline"]
    p.click(0.5 * (left + right), 0.5 * (top + bottom))
    p.until(lambda r: r["position"] < 0)


def one_step(p):
    time_before = p.row["time"]
    p.key("right")
    p.until(lambda r: r["time"] > time_before)


def copy_a_keyframe(p):
    p.key("ctrl+c")
    p.until(lambda r: "clipboard" in r["notice"])


def take_a_picture(p):
    p.key("ctrl+p")
    p.viewer.reported("screenshot.png")


def film(p):
    p.key("ctrl+r")
    p.until(lambda r: r["recording"] is not None)
    p.key("space")
    begin = p.until(lambda r: r["running"])["time"]
    p.until(lambda r: r["time"] > begin + 0.5)
    p.key("ctrl+r")
    p.until(lambda r: r["recording"] is None and list(p.viewer.folder.glob("recording_01.*")))


def select_in_the_view(p):
    p.find("reset")
    p.until(lambda r: r["time"] < 0.3)
    p.key("ctrl+shift+f")
    p.until(lambda r: r["element"] is not None)
    p.viewer.pictures()
    pixels = p.viewer.picture().astype(int)
    x, y, w, h = (int(v) for v in p.row["rect"])
    part = pixels[y : y + h, x : x + w]
    blue = np.argwhere((part[..., 2] > part[..., 0] + 60) & (part[..., 2] > 120))
    assert len(blue) > 30
    row, column = blue[len(blue) // 2]
    p.click(x + column, y + row, times=2)
    p.until(lambda r: r["selected"] == 3)


def rename_it(p):
    row = p.until(lambda r: "pos" in r["element_rows"] and r["element_rows"]["name"][1] > 60)
    generation = row["generation"]
    p.click(*row["element_rows"]["name"])
    p.key("ctrl+a")
    p.write("shin")
    p.key("enter")
    p.until(lambda r: r["generation"] > generation)
    assert 'name="shin"' in (p.viewer.folder / "robot.xml").read_text()


def undo_the_name(p):
    p.key("ctrl+z")
    p.until(lambda r: 'name="lower"' in (p.viewer.folder / "robot.xml").read_text() and not r["loading"])


def see_a_typo_and_its_line(p):
    """Another editor saves a typo: the error appears without any action, and disappears after the correction."""
    path, text = p.viewer.folder / "robot.xml", (p.viewer.folder / "robot.xml").read_text()
    path.write_text(text.replace('type="plane"', 'type="plain"'))
    # another load may have read the file while it was being written
    row = p.until(lambda r: r["failure"] and r["failure_line"] == 2)
    assert row["running"]
    path.write_text(text)
    p.until(lambda r: not r["failure"])


def look_from_above(p):
    row = p.row
    x, y, w, _h = row["rect"]
    elevation = np.radians(row["elevation"])
    middle = x + w - (0.3 + 0.5 * axes.SIZE) * EM, y + (0.3 + 0.5 * axes.SIZE) * EM
    p.click(middle[0], middle[1] - axes.ARM * EM * np.cos(elevation))
    p.until(lambda r: r["elevation"] == -90)


def the_usual_view(p):
    p.find("default view")
    p.until(lambda r: r["elevation"] != -90)


def slower(p):
    speed = p.row["speed"]
    p.key("-")
    p.until(lambda r: r["speed"] == speed + 1)


def see_contacts(p):
    flags = p.row["vis_flags"]
    p.key("c")
    p.until(lambda r: r["vis_flags"] != flags)


def default_flags(p):
    p.find("default flags")
    p.until(lambda r: r["vis_flags"][14] == 0)


def compare_two_runs(p):
    p.find("keep the past")
    p.until(lambda r: len(r["ghosts"]) == 1)
    p.key("backspace")
    p.until(lambda r: r["time"] < 0.5)


def light_theme(p):
    p.find("theme light")
    p.until(lambda r: r["settings"]["theme"] == "light")


def export_the_model(p):
    p.key("ctrl+e")
    p.until(lambda r: (p.viewer.folder / "mjmodel.xml").exists())


def hide_what_is_selected(p):
    p.find("marble geom")
    p.until(lambda r: r["element"][0] == "geom")
    p.key("ctrl+h")
    p.until(lambda r: 2 in r["looks"]["geom"])


def larger_text(p):
    p.key("ctrl+=")
    p.until(lambda r: r["settings"]["font"] == 110)


def the_keys(p):
    p.key("f1")
    p.until(lambda r: "helpbox" in r["boxes"])
    p.key("f1")
    p.until(lambda r: "helpbox" not in r["boxes"])


# task -> the most actions that it may take
TASKS = {
    open_a_robot: 1,
    pause: 1,
    find_the_elbow: 3,
    move_it: 1,
    undo: 1,
    plot_its_torque: 2,
    run: 1,
    see_it_again: 2,
    one_step: 1,
    copy_a_keyframe: 1,
    take_a_picture: 1,
    film: 3,
    select_in_the_view: 5,
    rename_it: 4,
    undo_the_name: 1,
    see_a_typo_and_its_line: 0,
    look_from_above: 1,
    the_usual_view: 3,
    slower: 1,
    see_contacts: 1,
    default_flags: 3,
    compare_two_runs: 4,
    light_theme: 3,
    export_the_model: 1,
    hide_what_is_selected: 4,
    larger_text: 1,
    the_keys: 2,
}


def test_tasks_of_a_newcomer(make_viewer):
    """All tasks succeed one after another in one window. If TUMBLE_PICTURES names a folder, it gets a picture of each."""
    arm = ROOT / "assets" / "models" / "arm.xml"
    viewer = make_viewer(arm.read_text(), window=list(SIZE), record_folder=".")
    if not viewer.folder.exists():
        pytest.skip("no folder")
    (viewer.folder / "robot.xml").write_text(ROBOT)
    viewer.started()
    person = Person(viewer)
    folder = os.environ.get("TUMBLE_PICTURES")
    for k, (task, most) in enumerate(TASKS.items()):
        person.actions = 0
        task(person)
        assert person.actions <= most, f"{task.__name__} takes {person.actions} actions"
        assert not any(text.startswith("panel ") for _level, text in viewer.row()["log"]), (task.__name__, viewer.row()["log"])
        if folder:
            viewer.pictures()
            Image.fromarray(viewer.picture()).save(Path(folder) / f"{k:02d}_{task.__name__}.png")
    assert "Traceback" not in viewer.output()
