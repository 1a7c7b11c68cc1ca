"""Files: dropped, edited, broken, repaired, loaded repeatedly."""

import json
import time
import zipfile

from tests.app.driver import FIRST_START
from tests.app.models import CUBE, PENDULUM
from tumble.app.document import Document
from tumble.app.loading import Loaded

# memory that loading the same model repeatedly may cost in total
GROWTH = 20 * 2**20
RELOADS = 24


def test_drop_a_file(make_viewer, tmp_path):
    viewer = make_viewer()
    viewer.until(lambda r: r["frame"] > 3, FIRST_START)
    other = tmp_path / "with space and é.xml"
    other.write_text(PENDULUM)
    assert viewer.drop(other)
    row = viewer.until(lambda r: r["path"] == str(other) and r.get("time", 0) > 0, FIRST_START)
    assert row["nbody"] == 3
    # junk leaves the model unchanged and is reported
    junk = tmp_path / "junk.xml"
    junk.write_text("this is no model")
    assert viewer.drop(junk)
    viewer.until(lambda r: r["failure"])
    assert viewer.row()["path"] == str(other) and viewer.row()["running"]


def test_edit_and_reload_by_key(make_viewer):
    viewer = make_viewer(PENDULUM, auto_reload=False)
    first = viewer.started()
    path = viewer.folder / "model.xml"
    path.write_text(PENDULUM.replace('pos="1 0 0.5"', 'pos="1 0.75 0.5"'))
    time.sleep(0.6)
    assert viewer.fresh()["generation"] == first["generation"], "nothing may happen without the key"
    viewer.key("ctrl+l")
    row = viewer.until(lambda r: r["generation"] > first["generation"] and "xpos" in r and abs(r["xpos"][2][1] - 0.75) < 0.01)
    assert row["azimuth"] == first["azimuth"], "the camera stays"


def test_saving_reloads_and_keeps_the_motion(make_viewer):
    viewer = make_viewer(PENDULUM)
    viewer.started()
    viewer.key("space")
    before = viewer.until(lambda r: not r["running"])
    path = viewer.folder / "model.xml"
    aside = viewer.folder / "model.tmp"
    aside.write_text(PENDULUM.replace('size="0.2 0.2 0.2"', 'size="0.3 0.2 0.2"'))
    aside.rename(path)
    viewer.until(
        lambda r: r["generation"] > before["generation"] and abs(r["time"] - before["time"]) < 0.2 and not r["running"]
    )


def test_a_broken_edit_and_its_repair(make_viewer):
    viewer = make_viewer(PENDULUM)
    before = viewer.started()
    path = viewer.folder / "model.xml"
    path.write_text(PENDULUM.replace('type="box"', 'tyype="box"'))
    broken = viewer.until(lambda r: r["failure"])
    line = next(i for i, text in enumerate(PENDULUM.splitlines(), 1) if 'type="box"' in text)
    assert broken["failure_line"] == line
    assert "tyype" in broken["failure"]
    # the last good model continues to run
    viewer.until(lambda r: r["generation"] == before["generation"] and r["time"] > broken["time"] + 0.1)
    path.write_text(PENDULUM)
    viewer.until(lambda r: not r["failure"] and r["generation"] > before["generation"])


def test_many_reloads_cost_nothing(make_viewer):
    viewer = make_viewer(PENDULUM, auto_reload=False)
    row = viewer.started()
    base = threads = None
    for i in range(RELOADS):
        viewer.key("ctrl+l")
        row = viewer.until(lambda r, g=row["generation"]: r["generation"] > g)
        if i == RELOADS // 4:
            base, threads = viewer.fresh()["memory"], row["threads"]
    assert viewer.fresh()["memory"] - base < GROWTH
    assert row["threads"] <= threads


def test_formats(make_viewer, tmp_path):
    """MJCF, URDF and compiled models are recognized by the name's suffix; other files are refused with a message."""
    import tumble as mj

    viewer = make_viewer()
    viewer.until(lambda r: r["frame"] > 3, FIRST_START)
    m = mj.MjModel.from_xml_string(PENDULUM)
    mj.mj_saveModel(m, str(tmp_path / "a.mjb"), None)
    (tmp_path / "b.urdf").write_text(
        '<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" '
        'ixz="0" iyz="0"/></inertial></link></robot>'
    )
    for name, bodies in (("a.mjb", 3), ("b.urdf", 1)):
        assert viewer.drop(tmp_path / name)
        row = viewer.until(lambda r, name=name: r["path"].endswith(name) and "nbody" in r, FIRST_START)
        assert row["nbody"] >= bodies
    (tmp_path / "c.docx").write_bytes(b"PK\3\4 no model")
    assert viewer.drop(tmp_path / "c.docx")
    viewer.until(lambda r: r["failure"])


def test_a_compiler_warning_pauses():
    """A model that the compiler warned about is shown, paused, with the warning."""
    asked = []

    class Host:
        passive = True

        def swap(self, m, d, running, carry):
            asked.append(running)

    left = []
    document = Document(Host(), None, {}, None, lambda: None, lambda: left.append(True))
    for warning, wanted in (("thin ice", False), ("", None)):
        document.loaded(Loaded("x.xml", None, None, None, 0.0, (), False, warning))
        assert asked[-1] is wanted
    assert len(left) == 2


def test_quit_saves_the_settings(make_viewer):
    viewer = make_viewer(PENDULUM)
    viewer.started()
    viewer.key("f2")
    viewer.until(lambda r: r["settings"]["info"])
    assert viewer.close() == 0, viewer.output()
    saved = json.loads(viewer.settings.read_text())
    assert saved["info"] is True and saved["recent"] == [str(viewer.folder / "model.xml")]
    assert "Traceback" not in (viewer.folder / "stderr.txt").read_text()


def test_exports_and_pictures_never_overwrite(make_viewer):
    """Exports get a new number, messages show the complete path, and Save writes no model beside the sources."""
    viewer = make_viewer(PENDULUM)
    viewer.started()
    viewer.key("ctrl+s")
    viewer.until(lambda r: "There is no unsaved text" in r["notice"])
    assert not (viewer.folder / "mjmodel.xml").exists()
    saved = viewer.folder / "mjmodel.xml"
    saved.write_text("mine")
    viewer.key("ctrl+e")
    other = viewer.folder / "mjmodel_1.xml"
    viewer.reported(str(other))
    assert 'name="loose" type="free"' in other.read_text() and saved.read_text() == "mine"
    for name in ("screenshot.png", "screenshot_1.png"):
        viewer.key("ctrl+p")
        viewer.reported(name)
    assert not viewer.fresh()["failure"]


def test_an_error_can_be_put_away(make_viewer, tmp_path):
    """The error's button or Escape closes the error. Afterwards, Ctrl+L refers to the displayed model again."""
    viewer = make_viewer(PENDULUM)
    path = viewer.started()["path"]
    bad = tmp_path / "bad.xml"
    bad.write_text("<mujoco><nonsense/></mujoco>")
    assert viewer.drop(bad)
    viewer.until(lambda r: r["failure"] and "message" in r["boxes"])
    viewer.key("esc")
    viewer.until(lambda r: not r["failure"])
    assert viewer.drop(bad)
    row = viewer.until(lambda r: r["failure"] and "message" in r["boxes"])
    generation = row["generation"]
    viewer.key("esc")
    viewer.until(lambda r: not r["failure"])
    viewer.key("ctrl+l")
    row = viewer.until(lambda r: r["generation"] > generation)
    assert row["path"] == path and not row["failure"]


def test_archives_open_and_what_is_no_model_says_so(make_viewer, tmp_path):
    viewer = make_viewer(PENDULUM)
    viewer.started()
    archive = tmp_path / "model.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("inside/cube.xml", CUBE)
    assert viewer.drop(archive)
    viewer.until(lambda r: r["path"] == str(archive) and r["nbody"] == 2)
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n123")
    assert viewer.drop(picture)
    row = viewer.until(lambda r: r["failure"])
    assert "picture.png is not a model" in row["failure"] and row["nbody"] == 2
    folder = tmp_path / "folder"
    folder.mkdir()
    assert viewer.drop(folder)
    viewer.until(lambda r: r["browsing"], what="a folder is opened in the file dialog")
