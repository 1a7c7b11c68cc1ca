"""A crash loses no typed text: drafts are written while the user types, and restored with their model."""

import random
import signal
from dataclasses import dataclass

import pytest

from tests.app.models import PENDULUM
from tests.app.test_viewer_source import into_text
from tumble.app import drafts
from tumble.app.drafts import Drafts, digest

SESSIONS = 500


@dataclass
class Text:
    """The text in the editor of a file, and the text on disk."""

    file: str
    text: str

    @property
    def changed(self):
        return self.text != self.file


class Window:
    """A window with one file, as far as drafts are concerned; `number` is its process."""

    def __init__(self, folder, path, number, monkeypatch):
        monkeypatch.setattr(drafts.os, "getpid", lambda: number)
        monkeypatch.setattr(drafts, "running", lambda other: other == number)
        self.drafts, self.path = Drafts(folder), path
        self.pane = Text(path.read_text(), path.read_text())
        for draft in self.drafts.take([str(path)]):
            self.pane.text = draft.text
        self.follow()
        self.drafts.forget(str(path))

    def follow(self):
        self.drafts.follow({str(self.path): self.pane})

    def save(self):
        self.path.write_text(self.pane.text)
        self.pane.file = self.pane.text


def test_no_byte_is_lost_in_random_sessions(tmp_path, monkeypatch):
    """Sessions edit, save, discard, see changes by other programs, quit or are killed. Only discarded text is lost."""
    rng, path = random.Random(3), tmp_path / "model.xml"
    path.write_text("<mujoco/>")
    wanted = path.read_text()
    for number in range(SESSIONS):
        window = Window(tmp_path / "unsaved", path, number + 1000, monkeypatch)
        assert window.pane.text == wanted, number
        killed = False
        for _ in range(rng.randrange(6)):
            what = rng.choice(("edit", "edit", "save", "discard", "outside", "kill"))
            if what == "edit":
                at = rng.randrange(len(window.pane.text) + 1)
                window.pane.text = window.pane.text[:at] + rng.choice('abcé<>"\n\u4e2d') + window.pane.text[at:]
            elif what == "save":
                window.save()
            elif what == "discard":
                window.pane.text = window.pane.file
            elif what == "outside":
                before = window.pane.changed
                path.write_text(path.read_text() + "!")
                window.pane.file = path.read_text()
                if not before:
                    window.pane.text = window.pane.file
            window.follow()
            wanted = window.pane.text
            if what == "kill":
                killed = True
                break
        if not killed and window.pane.changed and rng.random() < 0.5:
            window.save()
            window.follow()
        elif not killed:
            window.pane.text = wanted = window.pane.file
            window.follow()
        wanted = window.pane.text
    window.pane.text = window.pane.file
    window.follow()
    assert not list((tmp_path / "unsaved").iterdir()), "saved and discarded texts leave nothing behind"


def test_a_running_window_keeps_its_draft(tmp_path, monkeypatch):
    """A window does not take the draft of another running window."""
    path = tmp_path / "model.xml"
    path.write_text("a")
    monkeypatch.setattr(drafts, "running", lambda other: True)
    monkeypatch.setattr(drafts.os, "getpid", lambda: 7)
    first = Drafts(tmp_path / "unsaved")
    first.follow({str(path): Text("a", "ab")})
    monkeypatch.setattr(drafts.os, "getpid", lambda: 8)
    second = Drafts(tmp_path / "unsaved")
    assert second.take([str(path)]) == []
    second.forget(str(path))
    monkeypatch.setattr(drafts, "running", lambda other: other != 7)
    (found,) = second.take([str(path)])
    assert (found.text, found.base) == ("ab", digest("a"))


@pytest.mark.parametrize("text", ["", "[", "[1]", "{}", '{"path": 1, "text": "", "base": "", "at": 0.5}', '{"extra": 1}'])
def test_files_that_are_no_drafts_are_left_alone(tmp_path, monkeypatch, text):
    monkeypatch.setattr(drafts, "running", lambda other: False)
    kept = Drafts(tmp_path)
    (tmp_path / f"{digest('x')}.12.json").write_text(text)
    (tmp_path / f"{digest('x')}.nonsense.json").write_text(text)
    assert kept.take(["x"]) == []


def test_a_folder_that_cannot_be_written_is_said_once(tmp_path):
    (tmp_path / "file").write_text("")
    kept = Drafts(tmp_path / "file")
    texts = {"x": Text("a", "ab")}
    kept.follow(texts)
    assert "drafts cannot be written" in kept.failure
    kept.failure = ""
    kept.follow(texts)
    assert not kept.failure


def test_what_was_typed_survives_a_kill(make_viewer):
    """The next window with this model shows the recovered text and a message, and asks about it. Discard removes the draft."""
    viewer = make_viewer(PENDULUM, panels={"source": True}, info=False)
    viewer.started()
    viewer.until(lambda r: "source" in r["windows"] and r["source"])
    file = into_text(viewer)
    viewer.write("<!--kept-->")
    viewer.until(lambda r: r["unsaved"] == [file])
    viewer.until(lambda r: any("<!--kept-->" in p.read_text() for p in (viewer.folder / "unsaved").glob("*.json")))
    viewer.process.send_signal(signal.SIGKILL)
    viewer.process.wait(20)

    again = make_viewer.again(viewer)
    again.started()
    row = again.until(lambda r: r["unsaved"] == [file] and "source" in r["windows"])
    assert any("were restored" in text for _level, text in row["log"])
    assert (again.folder / "model.xml").read_text() == PENDULUM
    again.key("ctrl+s")
    again.until(lambda r: not r["unsaved"])
    assert (again.folder / "model.xml").read_text() == "<!--kept-->" + PENDULUM
    assert again.close() == 0 and not list((again.folder / "unsaved").iterdir())
