"""Buttons of the window write changes of the running model into its source: a keyframe, options, a remedy of the doctor, the
view's camera.
"""

import tumble as mj

STIFF = """<mujoco model="stiff">
  <option timestep="0.01"/>
  <worldbody>
    <light pos="0 0 3"/>
    <body name="arm" pos="0 0 .6">
      <joint name="hinge" axis="0 1 0" stiffness="50000" damping="0"/>
      <geom name="rod" type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
    </body>
  </worldbody>
</mujoco>
"""


def text(viewer):
    return (viewer.folder / "model.xml").read_text()


def command(viewer, title):
    viewer.click(*viewer.center())
    viewer.key("ctrl+k")
    viewer.until(lambda r: r["settings"]["palette"])
    for letter in title:
        viewer.key({" ": "space"}.get(letter, letter))
    viewer.until(lambda r: r["typed"] == title)
    viewer.key("enter")
    viewer.until(lambda r: not r["settings"]["palette"])


def test_buttons_write_into_the_source(make_viewer):
    shown = {"simulation": True, "physics": True, "joint": False, "control": False}
    viewer = make_viewer(STIFF, window=[900, 860], info=False, stop_unstable=True, panels=shown)
    # the spring is too stiff for the time step
    viewer.until(lambda r: r.get("marks") and not r["running"], 300, "the simulation becomes unstable")

    # the doctor finds a remedy; it is used, and written
    x, y, w, h = viewer.until(lambda r: r["boxes"].get("trouble"))["boxes"]["trouble"]
    # its first button
    viewer.click(x + 40, y + h - 16)
    viewer.until(lambda r: r["doctor"]["helped"] and not r["doctor"]["busy"], 300, "a remedy that helps")
    x, y, w, h = viewer.pictures()["windows"]["doctor"]
    viewer.click(x + 0.6 * w, y + 0.7 * h, button=5, times=2)
    viewer.pictures()
    viewer.press("Use##0")
    # an action is written with a capital letter
    viewer.until(lambda r: r["undo"] and r["undo"][-1].lower() in map(str.lower, r["doctor"]["helped"]))
    assert text(viewer) == STIFF, "so far it holds in memory"
    before = viewer.fresh()["generation"]
    viewer.pictures()
    viewer.press("Write to source##")
    viewer.until(lambda r: r["generation"] > before and r["undo"][-1] == "1 live value written")
    fixed = text(viewer)
    assert fixed != STIFF and mj.MjModel.from_xml_string(fixed).ngeom == 1
    assert viewer.row()["undo"][-1].endswith("written")

    # a keyframe of the state on screen
    viewer.newer(lambda: viewer.press("Add keyframe"))
    assert '<key name="key1"' in text(viewer)
    viewer.click(*viewer.center())
    viewer.newer(lambda: viewer.key("ctrl+z"))
    assert text(viewer) == fixed

    # an option
    before = mj.MjModel.from_xml_string(fixed).opt.timestep
    viewer.press("-##timestep")
    viewer.until(lambda r: "timestep" in r["undo"][-1])
    generation = viewer.fresh()["generation"]
    command(viewer, "write live changes")
    viewer.until(lambda r: r["generation"] > generation)
    assert mj.MjModel.from_xml_string(text(viewer)).opt.timestep < before
    command(viewer, "write live changes")
    viewer.until(lambda r: "has all values" in r["notice"])

    # the view's camera
    viewer.newer(lambda: command(viewer, "camera to the source"))
    assert '<camera name="view" pos=' in text(viewer)
