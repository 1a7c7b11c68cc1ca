"""The user's plugins are found in folders, run before models are loaded, skipped if they fail, and run again when they
are saved.
"""

import subprocess
import sys
import time
from functools import partial

import numpy as np
import pytest

import tumble as mj
from tests.app.driver import ROOT
from tumble.app import addons
from tumble.app.loading import Loader, Request, compile_file
from tumble.app.plugins import Plugins
from tumble.ui.board import Board, run

# relative error of constants that are computed in another order
ROUNDING = 1e-12
# Two ways to the same contact forces differ by the solver's tolerance, which grows in a bounce.
SOLVED = 1e-5
# pixels of the fired ball that must be seen at least
BALL_PIXELS = 30

DRAG = """
import tumble as mujoco
def drag(m, d, instance, capability):
    d.qfrc_passive[:] -= {factor} * d.qvel
mujoco.mjp_registerPlugin(mujoco.mjpPlugin("{name}", ("c",), mujoco.mjtPluginCapabilityBit.mjPLUGIN_PASSIVE, compute=drag))
"""
MODEL = """<mujoco><extension><plugin plugin="{name}"><instance name="oil"/></plugin></extension>
  <worldbody><body name="b"><plugin instance="oil"/><joint type="slide"/><geom size=".1"/></body></worldbody></mujoco>"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.delenv(addons.PATH, raising=False)
    monkeypatch.setattr(addons, "own_folder", lambda: tmp_path / "own")
    place = tmp_path / "given"
    place.mkdir()
    return place


def force(d):
    d.qvel[0] = 1
    mj.mj_forward(d.model, d)
    return d.qfrc_passive[0]


def test_folders_come_in_order(folder, tmp_path, monkeypatch):
    (tmp_path / "own").mkdir()
    monkeypatch.setenv(addons.PATH, f"{tmp_path / 'a'}:{tmp_path / 'b'}")
    assert addons.folders([str(folder)]) == [str(folder), str(tmp_path / "a"), str(tmp_path / "b"), str(tmp_path / "own")]


def test_one_that_fails_is_reported_and_skipped(folder):
    (folder / "a_broken.py").write_text("\n\nraise ValueError('no good')\n")
    (folder / "b_syntax.py").write_text("def (:\n")
    (folder / "c_good.py").write_text(DRAG.format(name="test.good", factor=2))
    (folder / "_not_one.py").write_text("raise SystemExit\n")
    plugins = Plugins([str(folder), str(folder / "missing")])
    rows = plugins.scan()
    assert [(row.line, bool(row.error)) for row in rows] == [(3, True), (1, True), (0, False)]
    assert rows[2].names == ("test.good",) and "missing" in plugins.missing[0]
    m = mj.MjModel.from_xml_string(MODEL.format(name="test.good"))
    assert force(mj.MjData(m)) == -2
    assert plugins.scan() == [], "nothing was saved"


def test_a_saved_file_takes_the_place_of_what_runs(folder):
    path = folder / "drag.py"
    path.write_text(DRAG.format(name="test.saved", factor=3))
    plugins = Plugins([str(folder)])
    plugins.scan()
    d = mj.MjData(mj.MjModel.from_xml_string(MODEL.format(name="test.saved")))
    assert force(d) == -3
    path.write_text(DRAG.format(name="test.saved", factor=55))
    assert [row.names for row in plugins.scan()] == [("test.saved",)]
    assert force(d) == -55, "a Data that is there already calls the new function"
    # a file that no longer runs keeps its last plugin
    path.write_text("nonsense(\n")
    assert plugins.scan()[0].error
    assert force(d) == -55


def test_others_cannot_take_a_name(folder):
    (folder / "thief.py").write_text(DRAG.format(name="mujoco.pid", factor=1))
    row = Plugins([str(folder)]).scan()[0]
    assert "already registered" in row.error


def test_every_command_takes_them(folder, tmp_path):
    (folder / "drag.py").write_text(DRAG.format(name="test.command", factor=1))
    model = tmp_path / "m.xml"
    model.write_text(MODEL.format(name="test.command"))
    run = [sys.executable, "-m", "tumble", "info", str(model)]
    alone = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    assert alone.returncode == 1 and "test.command" in alone.stderr
    assert (
        subprocess.run([*run, "--plugins", str(folder)], cwd=ROOT, capture_output=True, text=True, check=False).returncode == 0
    )


def test_a_file_that_is_saved_while_the_window_is_open(make_viewer, folder, monkeypatch):
    """Changing a wind plugin recompiles the model and continues the motion."""
    (folder / "drag.py").write_text(DRAG.format(name="test.window", factor=5))
    monkeypatch.setenv(addons.PATH, str(folder))
    viewer = make_viewer(MODEL.format(name="test.window"), panels={"plugins": True})
    before = viewer.started()
    assert not before["failure"] and "plugins" in viewer.until(lambda r: r["windows"])["windows"]
    before = viewer.until(lambda r: r["running"] and r["time"] > 0.2)
    (folder / "drag.py").write_text(DRAG.format(name="test.window", factor=50))
    row = viewer.until(lambda r: r["generation"] > before["generation"], what="the model is compiled anew")
    assert row["time"] > before["time"] and not row["failure"]
    (folder / "drag.py").write_text("nonsense(\n")
    row = viewer.until(lambda r: any("drag.py" in text for _level, text in r["log"]), what="the error of the file is told")
    assert viewer.process.poll() is None and viewer.fresh()["running"]


SLOW = """
import pathlib, time
def edit_spec(spec):
    while spec.modelname == "slow" and not pathlib.Path("go").exists():
        time.sleep(0.01)
"""


def test_a_slow_load_is_cancelled_by_its_button(make_viewer, folder, monkeypatch):
    """The current model stays, the cancelled one never comes, and the next one does not wait for it."""
    (folder / "slow.py").write_text(SLOW)
    monkeypatch.setenv(addons.PATH, str(folder))
    viewer = make_viewer(BALL)
    before = viewer.started()
    slow, other = viewer.folder / "slow.xml", viewer.folder / "other.xml"
    slow.write_text(BALL.replace("<mujoco>", '<mujoco model="slow">'))
    other.write_text(BALL.replace("<body>", '<body pos="0 0 1">'))
    assert viewer.drop(slow)
    viewer.until(lambda r: r["loading"] == str(slow))
    viewer.press("Cancel##load")
    row = viewer.reported("Loading slow.xml was cancelled")
    assert not row["loading"] and row["generation"] == before["generation"] and row["running"]
    assert viewer.drop(other)
    row = viewer.until(lambda r: r["path"] == str(other))
    (viewer.folder / "go").touch()
    time.sleep(0.5)
    later = viewer.fresh()
    assert later["path"] == str(other) and later["generation"] == row["generation"]


# --- functions for the viewer ---------------------------------------------------------------------------------------

VIEWER = """
def extend_viewer(board):
    board.add_panel("Mine").add_text("{title}")
    board.on_key("K", lambda: None)
def edit_spec(spec):
    spec.worldbody.add_body(name="{name}").add_geom(size=[.1, 0, 0])
"""
BALL = '<mujoco><worldbody><geom type="plane" size="1 1 1"/><body><freejoint/><geom size=".2"/></body></worldbody></mujoco>'


def titles(board):
    return [item.title for panel in board.panels for item in panel.items]


def test_a_file_adds_panels_and_bodies(folder):
    path = folder / "mine.py"
    path.write_text(VIEWER.format(title="one", name="added"))
    plugins = Plugins([str(folder)])
    plugins.scan()
    board, spec = Board(), mj.MjSpec.from_string(BALL)
    assert plugins.extending() and not plugins.extend(board)
    assert titles(board) == ["one"] and board.pressed("K")
    plugins.editor()(spec)
    assert spec.compile().body("added").id == 2
    # a file that no longer runs keeps the functions of its last run
    path.write_text("nonsense(\n")
    assert plugins.scan()[0].error and plugins.extending()
    # without such functions, nothing is called
    path.write_text("")
    plugins.scan()
    assert not plugins.extending() and plugins.editor() is None


def test_errors_of_functions_name_the_line(folder):
    path = folder / "mine.py"
    path.write_text("def extend_viewer(board):\n    board.nonsense()\ndef edit_spec(spec):\n\n    spec.nonsense()\n")
    plugins = Plugins([str(folder)])
    plugins.scan()
    assert [(row.line, row.path) for row in plugins.extend(Board())] == [(2, str(path))]
    model = folder / "m.xml"
    model.write_text(BALL)
    loader = Loader(partial(compile_file, editor=plugins.editor))
    failed = loader._load(Request(str(model)))
    assert (failed.file, failed.line) == (str(path), 5) and "mine.py" in failed.message


def launch(model=BALL):
    """Return the Board and the model of a viewer with the launcher, looking down from above."""
    plugins = Plugins(included=("launcher",))
    plugins.scan()
    board, spec = Board(), mj.MjSpec.from_string(model)
    plugins.editor()(spec)
    m = spec.compile()
    board.simulated, board.look = (m, mj.MjData(m)), lambda: (np.array([0.5, 0, 3]), np.array([0.0, 0, -1]))
    assert not plugins.extend(board)
    board.say("load")
    assert not list(run(board))
    return board


def control(board, title):
    return next(item for panel in board.panels for item in panel.items if item.title == title)


@pytest.mark.parametrize(("kind", "shape", "volume"), [(0, "sphere", 4 / 3 * np.pi), (1, "box", 8)])
def test_the_launcher_fires_what_the_compiler_would_make(kind, shape, volume):
    """A fired object has the constants of a compiled body of its size and density, and falls and lands as that body does."""
    board = launch()
    m, d = board.m, board.d
    control(board, "Kind").value, control(board, "Speed").value = kind, 2
    size, density = control(board, "Size").value, control(board, "Density").value
    mj.mj_step(m, d, 5)
    board.pressed("Enter")
    assert not list(run(board))

    same = mj.MjModel.from_xml_string(
        f'<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos=".5 0 {3 - 3 * size}"><freejoint/>'
        f'<geom type="{shape}" size="{size} {size} {size}" mass="{density * volume * size**3}"/></body></worldbody></mujoco>'
    )
    body = m.body(f"shot {('ball', 'box')[kind]} 0").id
    for field in ("mass", "inertia", "invweight0", "subtreemass"):
        assert np.allclose(getattr(m, f"body_{field}")[body], getattr(same, f"body_{field}")[1], rtol=ROUNDING), field
    geom, dof = m.body_geomadr[body], m.body_dofadr[body]
    for field in ("rbound", "aabb"):
        assert np.allclose(getattr(m, f"geom_{field}")[geom], getattr(same, f"geom_{field}")[1], rtol=ROUNDING), field
    for field in ("M0", "invweight0"):
        own, theirs = getattr(m, f"dof_{field}")[dof : dof + 6], getattr(same, f"dof_{field}")
        assert np.allclose(own, theirs, rtol=ROUNDING), field

    # the solver's tolerance is scaled by the mean inertia of all bodies, which differs
    e = mj.MjData(same)
    e.qvel[2] = -2
    for _ in range(1000):
        mj.mj_step(m, d)
        mj.mj_step(same, e)
    q = m.jnt_qposadr[m.body_jntadr[body]]
    assert 0 < d.qpos[q + 2] < 2 * size, "it lies on the floor"
    assert np.allclose(d.qpos[q : q + 3], e.qpos[:3], atol=SOLVED)


def test_the_launcher_takes_back():
    """The oldest object is fired again when all are in use; objects vanish after their life, and after a reset."""
    board = launch()
    m, d = board.m, board.d

    def shown():
        return int((m.geom_rgba[:, 3] > 0).sum()) - 2

    for _ in range(8):
        board.pressed("Enter")
        mj.mj_step(m, d, 20)
        assert not list(run(board))
    assert shown() == 6 and not d.warning.number.any()
    mj.mj_resetData(m, d)
    board.say("frame")
    assert not list(run(board)) and shown() == 0

    board.pressed("Enter")
    assert not list(run(board)) and shown() == 1
    control(board, "Life").value = 0.5
    mj.mj_step(m, d, int(0.6 / m.opt.timestep))
    board.say("frame")
    assert not list(run(board)) and shown() == 0
    assert not m.geom_contype[m.body_geomadr[m.body("shot ball 0").id]]


def test_included_plugins_are_turned_on_and_off():
    plugins = Plugins()
    assert plugins.editor() is None and not plugins.extending()
    assert [row.about() for row in plugins.include(("launcher",))] == ["a part of the viewer, a change of models"]
    assert plugins.extending() and plugins.editor() is not None and not plugins.changed()
    assert [row.about() for row in plugins.include(())] == ["none"]
    assert not plugins.extending() and plugins.editor() is None


def test_the_launcher_in_the_window(make_viewer):
    """With the launcher on, Enter fires a ball, which is seen although the simulation is paused."""
    viewer = make_viewer(BALL, launcher=True)
    assert viewer.started()["nbody"] == 14, "twelve bodies wait"
    viewer.key("space")
    viewer.until(lambda r: not r["running"])
    empty = viewer.picture()
    viewer.key("Enter")
    viewer.until(lambda _: seen(viewer.picture()) > seen(empty) + BALL_PIXELS, what="a ball is seen")


def seen(picture):
    """Number of orange pixels."""
    red, green, blue = (picture[..., k].astype(int) for k in range(3))
    return int(((red > 150) & (green > 60) & (green < 190) & (blue < 90)).sum())
