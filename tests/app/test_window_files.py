"""Files that change under the window's own edits, and saving under another name, by real events on one window."""

import numpy as np

from tests.app.models import PENDULUM


def place(viewer, dx, dy):
    x, y, w, h = viewer.fresh()["windows"]["source"]
    return x + (dx if dx >= 0 else w + dx), y + (dy if dy >= 0 else h + dy)


def write(viewer, text):
    for letter in text:
        viewer.key({" ": "space", "<": "shift+,", ">": "shift+.", "!": "shift+1"}.get(letter, letter))


def at_the_top(viewer, file):
    viewer.click(*place(viewer, 200, -40))
    viewer.key("ctrl+home")
    viewer.until(lambda r: r["source"][file][0] == 1)


def command(viewer, title):
    # a click on the view takes the keyboard focus away from the text
    viewer.click(*viewer.center())
    viewer.key("ctrl+k")
    viewer.until(lambda r: r["settings"]["palette"])
    write(viewer, title)
    viewer.until(lambda r: r["typed"] == title)
    viewer.key("enter")
    viewer.until(lambda r: not r["settings"]["palette"])


def test_changes_on_both_sides_and_another_name(make_viewer):
    viewer = make_viewer(PENDULUM, panels={"source": True}, info=False, window=[1000, 640])
    viewer.started()
    path = viewer.folder / "model.xml"
    file = str(path)
    viewer.until(lambda r: "source" in r["windows"] and r["source"])

    # changes of other lines are merged; the file waits for Save
    at_the_top(viewer, file)
    write(viewer, "<!--mine-->")
    viewer.until(lambda r: r["unsaved"] == [file])
    theirs = PENDULUM.replace('rgba="0.2 0.7 0.3 1"', 'rgba="1 1 0 1"')
    path.write_text(theirs)
    viewer.until(lambda r: "changed elsewhere" in r["notice"] and not r["source"][file][2])
    assert viewer.row()["unsaved"] == [file] and path.read_text() == theirs
    before = viewer.fresh()
    viewer.key("ctrl+s")
    viewer.until(lambda r: r["generation"] > before["generation"] and not r["unsaved"])
    assert path.read_text() == "<!--mine-->" + theirs

    # the same line on both sides: Save asks; Esc keeps both, T takes the file's text, K the window's
    for key, kept in (("esc", None), ("t", "theirs"), ("k", "mine")):
        at_the_top(viewer, file)
        write(viewer, "<!--more-->")
        other = f"<!--{key}-->" + theirs
        path.write_text(other)
        viewer.until(lambda r: r["source"][file][2], what="the conflict")
        viewer.key("ctrl+s")
        viewer.until(lambda r: r["asking"], what="the question")
        assert path.read_text() == other, "nothing is overwritten before the answer"
        viewer.pictures()
        viewer.key(key)
        row = viewer.until(lambda r: not r["asking"])
        if kept is None:
            assert row["unsaved"] == [file] and path.read_text() == other
            viewer.key("ctrl+s")
            viewer.until(lambda r: r["asking"])
            viewer.key("t")
        viewer.until(lambda r: not r["unsaved"])
        assert path.read_text() == other if kept != "mine" else "<!--more-->" in path.read_text()

    # another name: the changes go there, and the new file is open
    text = path.read_text()
    at_the_top(viewer, file)
    write(viewer, "<!--new-->")
    viewer.until(lambda r: r["unsaved"] == [file])
    viewer.click(*viewer.center())
    command(viewer, "save as...")
    viewer.until(lambda r: r["browsing"])
    viewer.pictures()
    viewer.key("ctrl+a")
    write(viewer, "copy")
    viewer.key("enter")
    viewer.until(lambda r: r["path"].endswith("copy.xml") and not r["unsaved"])
    assert path.read_text() == text and (viewer.folder / "copy.xml").read_text() == "<!--new-->" + text

    # an existing file needs a second Enter
    command(viewer, "save as...")
    viewer.until(lambda r: r["browsing"])
    viewer.pictures()
    viewer.key("ctrl+a")
    write(viewer, "model.xml")
    viewer.key("enter")
    viewer.pictures()
    assert viewer.row()["browsing"] and path.read_text() == text
    assert np.ptp(viewer.picture()) > 100
    viewer.key("enter")
    viewer.until(lambda r: r["path"] == file and not r["browsing"])
    assert path.read_text() == "<!--new-->" + text
