"""Persistence across restarts: all settings, and for each model file the camera, watch list, speed and noise."""

import json

import pytest

from tests.app.driver import FIRST_START
from tests.app.models import CUBE, PENDULUM
from tumble.app.config import SETTINGS, Config
from tumble.app.memory import FILES
from tumble.app.settings import SAVE_SECONDS

# values other than the default, where the row does not give one
OTHER = {
    "ring_seconds": 20.0,
    "font": 125,
    "hints": 2,
    "groups": {"geom": 0b101, "site": 0b10000},
    "bvh_depth": 3,
    "flex_layer": 2,
    "window": [1000, 700],
    "layout": "[Window][x]\nPos=1,2\n",
    "panels": {"physics": True, "file": False},
    "detached": ["joint"],
    "keys": {"info": "F9"},
    "recent": ["/a.xml"],
    "vis_flags": {"0": 1},
    "render_flags": {"2": 0},
    "label": 2,
    "frame": 3,
    "editor": "vi {file}",
    "models": {"/a.xml": {"watch": ["qvel"]}},
    "imports": {"/a.urdf": {"free": True}},
    "layouts": {"mine": {"left": False}},
    "record_fps": 60,
    "record_folder": "~/films",
    "trusted": ["/models"],
}


def other(row):
    """A value of a setting that is not its default."""
    if row.name in OTHER:
        return OTHER[row.name]
    return not row.default if isinstance(row.default, bool) else next(value for value in row.choices if value != row.default)


@pytest.mark.parametrize("row", [r for r in SETTINGS if r.saved], ids=lambda r: r.name)
def test_every_row_is_written_and_read(row, tmp_path):
    config = Config(tmp_path / "s.json")
    value = tuple(other(row)) if isinstance(row.default, tuple) else other(row)
    config[row.name] = value
    assert config[row.name] == value != row.default
    config.save()
    assert Config(config.path)[row.name] == value


def test_two_windows_keep_each_others_settings(tmp_path):
    path = tmp_path / "s.json"
    first, second = Config(path), Config(path)
    first["theme"], first["models"] = "light", {"/a.xml": {"watch": ["a"]}}
    first.save()
    second["info"], second["models"] = True, {"/b.xml": {"watch": ["b"]}}
    second.save()
    again = Config(path)
    assert (again["theme"], again["info"]) == ("light", True)
    assert again["models"] == {"/a.xml": {"watch": ["a"]}, "/b.xml": {"watch": ["b"]}}
    # a setting with its default value is removed from the file
    again["theme"], again["models"] = "dark", {"/b.xml": {"watch": ["b"]}}
    again.save()
    assert "theme" not in json.loads(path.read_text()) and list(Config(path)["models"]) == ["/b.xml"]


def test_a_file_that_cannot_be_read_is_put_aside(tmp_path):
    path = tmp_path / "s.json"
    for text in ('{"theme": "light"', "[" * 100_000, "[1]"):
        path.write_text(text)
        config = Config(path)
        assert config.damage and config["theme"] == "dark"
        assert (tmp_path / "s.damaged").read_text() == text and not path.exists()
    config["theme"] = "light"
    config.save()
    assert Config(path)["theme"] == "light" and not Config(path).damage


def test_every_setting_reaches_the_window_and_stays(make_viewer):
    """A session that changes nothing shows the saved values and loses none of them."""
    rows = {
        row.name: other(row) for row in SETTINGS if row.saved and row.name not in ("layout", "maximized", "models", "recent")
    }
    viewer = make_viewer(PENDULUM, **rows)
    row = viewer.started()
    for name, value in rows.items():
        if name in row["settings"]:
            assert row["settings"][name] == value, name
    assert row["geomgroup"] == [1, 0, 1, 0, 0, 0] and row["sitegroup"] == [0, 0, 0, 0, 1, 0]
    assert (row["label"], row["frame_mode"]) == (2, 3) and row["vis_flags"][0] == 1 and row["render_flags"][2] == 0
    assert row["pause_update"] and row["busy_wait"] and row["detached"] == ["joint"] and not row["panels"]["file"]
    assert row["size"] == [1000, 700] and row["panel_errors"] == 0
    assert viewer.close() == 0
    after = viewer.kept()
    for name, value in rows.items():
        assert after[name] == value, name
    assert "[Docking]" in after["layout"]


def test_a_model_comes_back_as_it_was_left(make_viewer):
    """Camera, watched fields, speed and noise belong to the file; another file has its own."""
    viewer = make_viewer(PENDULUM)
    viewer.started()
    path = str(viewer.folder / "model.xml")
    viewer.drag(80, 40)
    viewer.key("-")
    viewer.key("ctrl+k")
    viewer.until(lambda r: r["settings"]["palette"])
    viewer.write("qacc_warmstart")
    viewer.key("enter")
    viewer.until(lambda r: not r["settings"]["palette"] and "qacc_warmstart" in r["watch"])
    left = viewer.fresh()
    # another model starts with its own defaults
    other = viewer.folder / "other.xml"
    other.write_text(CUBE)
    assert viewer.drop(other)
    row = viewer.until(lambda r: r["path"] == str(other) and r["nbody"] == 2)
    assert row["azimuth"] != left["azimuth"]
    viewer.key("]")
    assert viewer.close() == 0
    models = viewer.kept()["models"]
    assert set(models[path]) == {"camera", "watch", "speed"} and models[path]["watch"] == left["watch"]
    # the next session; noise is added to the saved settings, as if the user had set it
    models[path]["noise"] = [0.25, 0.5]
    again = make_viewer.again(viewer, models=models)
    row = again.started()
    again.until(lambda r: r["speed"] == left["speed"] and r["noise"] == [0.25, 0.5])
    for name in ("azimuth", "elevation", "distance", "lookat"):
        assert row[name] == pytest.approx(left[name], abs=1e-5), name
    assert row["watch"] == left["watch"] and "from the last session" in row["notice"]
    assert again.close() == 0
    assert again.kept()["models"] == models


# possible contents after manual edits, a crash or another version
BAD = {
    "wrong types": {
        "detached": [["x"], 3],
        "recent": [1, None],
        "window": ["a", None],
        "keys": {"run": 5, "info": "nonsense"},
        "editor": 4,
        "vis_flags": {"\u00b2": 1, "-1": 1, "999": 1, "0": "x"},
        "render_flags": {"0": [1]},
        "groups": {"geom": -5, "x": 1},
        "panels": {"watch": "open", "nowhere": True},
        "models": {"MODEL": {"camera": {"lookat": [1, 2, "x"], "distance": -1}}},
    },
    "out of range": {
        "label": 60,
        "frame": -4,
        "font": 1e300,
        "bvh_depth": 1e9,
        "window": [0, 100000],
        "vis_flags": {str(10**30): 1},
        "models": {"MODEL": {"camera": {"lookat": [1e300] * 3, "fixed": 77, "tracking": "nobody"}, "speed": -3, "noise": [1]}},
    },
    "a camera of another model": {
        "models": {"MODEL": {"camera": {"fixed": "gone"}, "watch": ["gone", 3, "d.qpos[99]"], "speed": "fast"}}
    },
    "a layout of nothing": {"layout": "[Docking][Data]\nDockSpace ID=zzz\n[[[[\u0001", "models": {"MODEL": 5}},
    "no layout": {"layout": "garbage", "models": []},
}


def test_a_damaged_file_hurts_nobody(make_viewer):
    viewer = make_viewer(PENDULUM)
    for name, rows in BAD.items():
        viewer.until(lambda r: r["frame"] > 3, FIRST_START)
        assert viewer.close() == 0, viewer.output()
        viewer = make_viewer.again(viewer, **json.loads(json.dumps(rows).replace('"MODEL"', json.dumps(viewer.model))))
        row = viewer.started()
        assert row["panel_errors"] == 0 and row["rect"][2] > 100 and row["rect"][3] > 100, name
        assert "Traceback" not in viewer.output(), name


def test_only_so_many_files_are_remembered(make_viewer):
    models = {f"/{i}.xml": {"watch": ["qvel"]} for i in range(3 * FILES)}
    viewer = make_viewer(PENDULUM, models=models)
    viewer.started()
    viewer.drag(60, 30)
    assert viewer.close() == 0
    after = list(viewer.kept()["models"])
    assert len(after) == FILES and after[-1] == viewer.model and after[0] == f"/{2 * FILES + 1}.xml"


def test_settings_are_written_while_it_runs(make_viewer):
    """A session that is killed has saved its earlier settings."""
    viewer = make_viewer(PENDULUM)
    viewer.started()
    viewer.key("f2")
    viewer.until(lambda r: r["settings"]["info"])
    viewer.until(lambda r: viewer.kept().get("info"), 2 * SAVE_SECONDS, "settings are not written")
    viewer.process.kill()
