"""Scripts that bring their own loop: the passive viewer, and programs written for the `mujoco` package."""

import os
import subprocess
import sys
import textwrap

import pytest

from tests.app.driver import FIRST_START, ROOT
from tests.app.models import PENDULUM
from tumble.app.passive import as_list, key_adapter

SCRIPT = """
import sys, time
import mujoco
import mujoco.viewer

m = mujoco.MjModel.from_xml_string(open(sys.argv[1]).read())
d = mujoco.MjData(m)
with mujoco.viewer.launch_passive(m, d) as viewer:
    assert viewer.is_running() and viewer.m is m and viewer.d is d
    with viewer.lock():
        viewer.cam.distance = 7.5
        viewer.opt.flags[mujoco.mjtVisFlag.mjVIS_CONTACTPOINT] = 1
    mujoco.mjv_initGeom(viewer.user_scn.geoms[0], mujoco.mjtGeom.mjGEOM_SPHERE, [0.1, 0, 0], [0, 0, 1],
                        [1, 0, 0, 0, 1, 0, 0, 0, 1], [1, 0, 0, 1])
    viewer.user_scn.ngeom = 1
    viewer.set_texts((None, mujoco.mjtGridPos.mjGRID_TOPRIGHT, "left", "right"))
    for i in range(60):
        mujoco.mj_step(m, d)
        viewer.sync(state_only=i % 2 == 0)
        time.sleep(0.01)
    assert viewer.cam.distance == 7.5
assert not viewer.is_running()
viewer.sync()
print("time", round(d.time, 6), "module", mujoco.MjModel.__module__.split(".")[0])
"""


def test_a_passive_script_runs_on_this_engine(server, tmp_path):
    (tmp_path / "model.xml").write_text(PENDULUM)
    (tmp_path / "script.py").write_text(textwrap.dedent(SCRIPT))
    env = dict(os.environ, DISPLAY=server.name, TUMBLE_CONFIG=str(tmp_path / "s.json"), PYTHONPATH=str(ROOT))
    done = subprocess.run(
        [sys.executable, "-m", "tumble", "run", "script.py", "model.xml"],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        timeout=FIRST_START,
    )
    assert done.returncode == 0, done.stderr
    assert "time 0.12 module tumble" in done.stdout
    assert "Traceback" not in done.stderr, done.stderr


def test_a_missing_script_is_one_clear_line(capsys):
    from tumble.app.dropin import run_script

    assert run_script("no_such_script.py", []) == 1
    assert "no_such_script.py" in capsys.readouterr().err


@pytest.mark.parametrize("count", [1, 3])
def test_key_callbacks_with_and_without_modifiers(count):
    heard = []
    callback = key_adapter(
        (lambda key: heard.append((key,))) if count == 1 else (lambda key, action, mods: heard.append((key, action, mods)))
    )
    callback(65, 1, 2)
    callback(65, 0, 2)
    assert heard == ([(65,)] if count == 1 else [(65, 1, 2), (65, 0, 2)])
    assert key_adapter(None) is None


def test_one_tuple_or_a_list():
    assert as_list((1, 2)) == [(1, 2)] and as_list([(1, 2), (3, 4)]) == [(1, 2), (3, 4)]


LAUNCH = """
import sys, threading, time
import mujoco
import mujoco.viewer

calls = []

def loader():
    m = mujoco.MjModel.from_xml_string(open(sys.argv[1]).read())
    calls.append(m)
    return m, mujoco.MjData(m)

def drive():
    import tumble.ui.intents as I
    while not sessions:
        time.sleep(0.05)
    s = sessions[0]
    while len(calls) < 1 or s.snapshot.m is None:
        time.sleep(0.05)
    s.queue.append(I.Reload())
    while len(calls) < 2:
        time.sleep(0.05)
    s.queue.append(I.Quit())
    s.window.wake()

sessions = []
import tumble.app.passive
original = tumble.app.passive.make_session

def make(*args):
    sessions.append(original(*args))
    return sessions[-1]

tumble.app.passive.make_session = make
threading.Thread(target=drive, daemon=True).start()
mujoco.viewer.launch(loader=loader)
print("loads", len(calls))
"""

ASSETS = """
import sys, time
import numpy as np
import mujoco
import mujoco.viewer

m = mujoco.MjModel.from_xml_string('''<mujoco><asset><hfield name="h" nrow="4" ncol="4" size="1 1 .5 .1"/>
 <texture name="t" type="2d" builtin="flat" width="8" height="8" rgb1="1 0 0"/><material name="m" texture="t"/>
 <mesh name="tetra" vertex="0 0 0 .3 0 0 0 .3 0 0 0 .3"/></asset><worldbody><light pos="0 0 3"/>
 <geom type="hfield" hfield="h"/><geom type="mesh" mesh="tetra" material="m" pos="0 0 1"/></worldbody></mujoco>''')
d = mujoco.MjData(m)
with mujoco.viewer.launch_passive(m, d, show_left_ui=False, show_right_ui=False) as viewer:
    viewer.sync()
    time.sleep(0.3)
    m.hfield_data[:] = np.linspace(0, 1, 16)
    m.tex_data[:] = 90
    m.mesh_vert[:] *= 1.5
    viewer.update_hfield(0), viewer.update_texture(0), viewer.update_mesh(0)
    viewer.update_mesh(99)
    rect = mujoco.MjrRect(0, 0, 6, 4)
    viewer.set_images((rect, np.zeros((4, 6, 3), np.uint8)))
    try:
        viewer.set_images((rect, np.zeros((5, 6, 3), np.uint8)))
    except ValueError as error:
        print("refused")
    figure = mujoco.MjvFigure()
    viewer.set_figures((mujoco.MjrRect(10, 10, 100, 80), figure))
    for _ in range(3):
        viewer.sync()
        time.sleep(0.1)
    viewer.clear_images(), viewer.clear_figures(), viewer.clear_texts()
print("done")
"""


def run_script(server, folder, text, *arguments):
    (folder / "script.py").write_text(textwrap.dedent(text))
    env = dict(os.environ, DISPLAY=server.name, TUMBLE_CONFIG=str(folder / "s.json"), PYTHONPATH=str(ROOT))
    done = subprocess.run(
        [sys.executable, "-m", "tumble", "run", "script.py", *arguments],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=FIRST_START,
    )
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    return done.stdout


def test_launch_with_a_loader(server, tmp_path):
    """Reload in the window runs the script's loader again."""
    (tmp_path / "model.xml").write_text(PENDULUM)
    assert "loads 2" in run_script(server, tmp_path, LAUNCH, "model.xml")


def test_assets_are_shown_again(server, tmp_path):
    out = run_script(server, tmp_path, ASSETS)
    assert "refused" in out and "done" in out


def test_images_must_fit_their_viewport():
    import numpy as np

    from tumble.app.passive import Handle
    from tumble.render.scene import MjrRect

    class Viewer:
        overlays = type("Overlays", (), {"images": []})()

    handle = Handle.__new__(Handle)
    handle._viewer = Viewer()
    with pytest.raises(ValueError, match="viewport"):
        handle.set_images((MjrRect(0, 0, 6, 4), np.zeros((4, 5, 3), np.uint8)))
    handle.set_images([(MjrRect(0, 0, 6, 4), np.zeros((4, 6, 3), np.uint8))])
    assert len(Viewer.overlays.images) == 1
