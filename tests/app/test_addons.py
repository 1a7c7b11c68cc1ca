"""The person's plugins: found in folders, run before models are loaded, skipped when they
fail, run again when they are saved.
"""

import subprocess
import sys

import pytest

import tumble as mj
from tests.app.driver import ROOT
from tumble.app import addons
from tumble.app.plugins import Plugins

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
    # a file that does not run any more leaves the last one
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
    """A wind that is made stronger: the model is compiled anew and the motion goes on."""
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
