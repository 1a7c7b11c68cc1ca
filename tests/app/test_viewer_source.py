"""The source pane by real events: typing, saving, undo, errors, the user's editor."""

import sys
import time

import pytest

from tests.app.models import PENDULUM

OPEN = {"source": True}
# a panel's title, its row of buttons, and the error line below
BUTTONS, ERROR = 42, 70


@pytest.fixture
def viewer(make_viewer):
    made = make_viewer(PENDULUM, panels=OPEN, info=False)
    made.started()
    made.until(lambda r: "source" in r["windows"] and r["source"])
    return made


def place(viewer, dx, dy):
    x, y, w, h = viewer.fresh()["windows"]["source"]
    return x + (dx if dx >= 0 else w + dx), y + (dy if dy >= 0 else h + dy)


def into_text(viewer):
    """Click into the text, then move to its beginning."""
    file = str(viewer.folder / "model.xml")
    viewer.click(*place(viewer, 200, -40))
    viewer.until(lambda r: r["source"][file][0] > 1)
    viewer.key("ctrl+home")
    viewer.until(lambda r: r["source"][file][0] == 1)
    return file


def test_typing_saving_and_taking_back(viewer):
    """Ctrl+S in the text saves this file and reloads with the motion kept; the typing can be undone afterwards."""
    file = into_text(viewer)
    before = viewer.fresh()
    viewer.write("<!--hjq-->")
    row = viewer.until(lambda r: r["unsaved"] == [file])
    assert row["vis_flags"] == before["vis_flags"] and row["running"], "letters are no commands here"
    assert (viewer.folder / "model.xml").read_text() == PENDULUM
    viewer.key("ctrl+s")
    row = viewer.until(lambda r: r["generation"] > before["generation"] and not r["unsaved"])
    assert (viewer.folder / "model.xml").read_text() == "<!--hjq-->" + PENDULUM
    assert row["time"] > before["time"], "the motion goes on"
    assert not (viewer.folder / "mjmodel.xml").exists(), "the chord has its other meaning only outside of the text"
    for _ in range(10):
        viewer.key("ctrl+z")
    viewer.until(lambda r: r["unsaved"] == [file])
    viewer.key("ctrl+s")
    viewer.until(lambda r: not r["unsaved"])
    assert (viewer.folder / "model.xml").read_text() == PENDULUM


def test_an_error_is_underlined_and_a_click_goes_there(viewer):
    file = into_text(viewer)
    generation = viewer.row()["generation"]
    text = PENDULUM.replace('size="0.2 0.2 0.2"', 'size="0.2 0.2 nix"')
    line = next(i for i, row in enumerate(text.splitlines(), 1) if "nix" in row)
    (viewer.folder / "model.xml").write_text(text)
    row = viewer.until(lambda r: r["failure_line"] == line and r["source"][file][1])
    assert row["running"] and row["generation"] == generation
    assert row["source"][file][0] == 1, "the cursor stays where the user types"
    viewer.click(*place(viewer, 60, ERROR))
    viewer.until(lambda r: r["source"][file][0] == line)
    (viewer.folder / "model.xml").write_text(PENDULUM)
    viewer.until(lambda r: not r["failure"] and not r["source"][file][1])


def test_an_include_is_followed(viewer):
    (viewer.folder / "part.xml").write_text(
        "<mujoco>\n <worldbody>\n  <geom size='.1' contype='x'/>\n </worldbody>\n</mujoco>\n"
    )
    (viewer.folder / "model.xml").write_text(PENDULUM.replace("<worldbody>", '<include file="part.xml"/><worldbody>'))
    part = str(viewer.folder / "part.xml")
    viewer.until(lambda r: r["source"].get(part) == [3, True, False])
    (viewer.folder / "part.xml").write_text("<mujoco>\n <worldbody>\n  <geom size='.1'/>\n </worldbody>\n</mujoco>\n")
    viewer.until(lambda r: not r["failure"] and not r["source"][part][1])


def test_edits_on_both_sides_are_not_lost(viewer):
    file = into_text(viewer)
    viewer.write("<!--mine-->")
    viewer.until(lambda r: r["unsaved"])
    (viewer.folder / "model.xml").write_text(PENDULUM.replace("pendulum", "theirs"))
    viewer.until(lambda r: r["source"][file][2] and r["unsaved"])
    # quitting asks once, also while the text has the keyboard
    viewer.key("ctrl+q")
    viewer.until(lambda r: r["asking"])
    viewer.key("d")
    assert viewer.process.wait(60) == 0
    assert "theirs" in (viewer.folder / "model.xml").read_text()


def test_closing_asks_about_what_is_not_saved(viewer):
    """Esc cancels closing and nothing is lost; Enter saves and closes. Other keys do nothing while the question is open."""
    file = into_text(viewer)
    viewer.write("<!--a-->")
    before = viewer.until(lambda r: r["unsaved"] == [file])
    viewer.key("ctrl+q")
    viewer.until(lambda r: r["asking"], what="the question")
    viewer.key("w")
    viewer.key("ctrl+q")
    viewer.key("esc")
    row = viewer.until(lambda r: not r["asking"])
    assert row["unsaved"] == [file] and row["render_flags"] == before["render_flags"]
    assert (viewer.folder / "model.xml").read_text() == PENDULUM
    viewer.key("ctrl+q")
    viewer.until(lambda r: r["asking"])
    viewer.key("enter")
    assert viewer.process.wait(60) == 0
    assert (viewer.folder / "model.xml").read_text() == "<!--a-->" + PENDULUM


def test_opening_asks_about_what_is_not_saved(viewer):
    (viewer.folder / "other.xml").write_text(PENDULUM.replace("pendulum", "other"))
    file = into_text(viewer)
    viewer.write("<!--a-->")
    viewer.until(lambda r: r["unsaved"] == [file])
    assert viewer.drop(viewer.folder / "other.xml")
    viewer.until(lambda r: r["asking"], what="the question")
    assert viewer.row()["path"] == file
    viewer.key("d")
    viewer.until(lambda r: r["path"].endswith("other.xml") and not r["unsaved"])
    assert (viewer.folder / "model.xml").read_text() == PENDULUM


def test_what_others_wrote_is_not_taken_back(viewer):
    """Undo stops at another program's changes to the file; text typed after it is undone as usual."""
    file, path = into_text(viewer), viewer.folder / "model.xml"
    theirs = PENDULUM.replace("pendulum", "theirs")
    before = viewer.fresh()
    viewer.write("<!--a-->")
    viewer.until(lambda r: r["unsaved"] == [file])
    viewer.key("ctrl+s")
    before = viewer.until(lambda r: r["generation"] > before["generation"] and not r["unsaved"])
    path.write_text(theirs)
    viewer.until(lambda r: r["generation"] > before["generation"] and not r["unsaved"])
    viewer.key("ctrl+home")
    viewer.write("<!--b-->")
    viewer.until(lambda r: r["unsaved"] == [file])
    for _ in range(30):
        viewer.key("ctrl+z")
    viewer.until(lambda r: not r["unsaved"])
    viewer.key("ctrl+s")
    viewer.fresh()
    assert path.read_text() == theirs


def test_the_persons_own_editor(make_viewer):
    """The button runs the editor command of the settings with file and line. If it does not exist, a message says so."""
    script = "import sys; open('seen.txt', 'w').write('|'.join(sys.argv[1:]))"
    viewer = make_viewer(PENDULUM, panels=OPEN, editor=f'{sys.executable} -c "{script}" {{file}} {{line}}')
    viewer.started()
    viewer.until(lambda r: "source" in r["windows"] and r["source"])
    into_text(viewer)
    for _ in range(3):
        viewer.key("down")
    viewer.until(lambda r: r["source"][str(viewer.folder / "model.xml")][0] == 4)
    seen = viewer.folder / "seen.txt"
    # Save, Revert and the wanted button are in this order
    for dx in range(150, 290, 20):
        viewer.click(*place(viewer, dx, BUTTONS))
        # starting a process takes a while on a busy machine; a click on another button starts none
        end = time.monotonic() + 1.5
        while not seen.exists() and time.monotonic() < end:
            time.sleep(0.05)
        if seen.exists():
            break
    viewer.until(lambda r: seen.exists() and seen.read_text())
    assert seen.read_text() == f"{viewer.folder / 'model.xml'}|4"
    assert not viewer.fresh()["unsaved"] and (viewer.folder / "model.xml").read_text() == PENDULUM


def test_a_file_that_may_not_be_written(viewer, monkeypatch):
    """If a file cannot be written, this is reported, and the typed text is kept."""
    file = into_text(viewer)
    viewer.write("<!--x-->")
    viewer.until(lambda r: r["unsaved"])
    (viewer.folder / "model.xml").unlink()
    (viewer.folder / "model.xml").mkdir()
    viewer.key("ctrl+s")
    viewer.until(lambda r: "was not saved" in r["notice"])
    assert viewer.fresh()["unsaved"] == [file]
