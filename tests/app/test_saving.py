"""Saving: from the file panel's intent, and `tumble compile`."""

import os

import numpy as np
import pytest

import tumble as mj
from tests.app.models import PENDULUM
from tumble.app import commands
from tumble.app.__main__ import main
from tumble.app.simulation import Simulation
from tumble.ui import intents as I


def save(m, kind, path):
    """Return the replies to a save intent."""
    sim = Simulation(running=False)
    sim.adopt(m, mj.MjData(m))
    replies = []
    commands.apply(sim, I.SaveFile(kind, str(path)), lambda kind, value: replies.append((kind, value)))
    return replies


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "pendulum.xml"
    path.write_text(PENDULUM)
    return path


def test_saved_xml_holds_what_was_changed(file, tmp_path):
    m = mj.MjModel.from_xml_path(str(file))
    # the same edits as from panels: gravity, a color, a keyframe
    m.opt.gravity[2] = -1.5
    m.geom_rgba[1] = 0, 0.5, 1, 0.25
    m.key_qpos[0, 0] = 2.5
    assert save(m, "xml", tmp_path / "out.xml") == [("saved", f"Saved {tmp_path / 'out.xml'}")]
    again = mj.MjModel.from_xml_path(str(tmp_path / "out.xml"))
    assert again.opt.gravity[2] == -1.5 and again.key_qpos[0, 0] == 2.5
    np.testing.assert_array_equal(again.geom_rgba, m.geom_rgba)
    np.testing.assert_array_equal(again.body_inertia, m.body_inertia)


def test_every_kind_has_a_usual_name(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    m = mj.MjModel.from_xml_path(str(file))
    for kind, name in commands.SAVE_NAMES.items():
        # files of a session with steps and intents: tests/app/test_replay.py
        if kind == "log":
            continue
        assert save(m, kind, "") == [("saved", f"Saved {tmp_path / name}")]
        assert os.path.getsize(name) > 0


def test_an_imported_robot_is_saved_as_a_folder(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "arm.urdf").write_text('<robot name="my arm"><link name="base"/><link name="free"/></robot>')
    m = mj.import_model(tmp_path / "arm.urdf").compile()
    assert save(m, "folder", "") == [("saved", f"Saved {tmp_path / 'my_arm'}")]
    assert mj.MjModel.from_xml_path(str(tmp_path / "my_arm/my_arm.xml")).nbody == 3
    assert (tmp_path / "my_arm/report.md").is_file()
    [(kind, text)] = save(mj.MjModel.from_xml_path(str(file)), "folder", "")
    assert kind == "error" and "Save XML" in text


def test_a_folder_that_is_missing_is_a_message(file, tmp_path):
    m = mj.MjModel.from_xml_path(str(file))
    [(kind, text)] = save(m, "xml", tmp_path / "missing" / "out.xml")
    assert kind == "error" and "out.xml" in text


@pytest.mark.parametrize("suffix", [".xml", ".mjb", ".txt"])
def test_compile(file, tmp_path, suffix, capsys):
    out = tmp_path / ("out" + suffix)
    assert main(["compile", str(file), str(out)]) == 0
    assert str(out) in capsys.readouterr().out and out.stat().st_size > 0
    if suffix == ".xml":
        m, again = (mj.MjModel.from_xml_path(str(p)) for p in (file, out))
        assert again.nq == m.nq and bytes(again.names) == bytes(m.names)
        np.testing.assert_array_equal(again.jnt_range, m.jnt_range)


def test_compile_to_an_unknown_format(file, tmp_path, capsys):
    assert main(["compile", str(file), str(tmp_path / "out.png")]) == 2
    assert ".xml" in capsys.readouterr().err and not (tmp_path / "out.png").exists()
