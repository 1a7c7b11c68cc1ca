"""Random sessions in the source panel of a real window: no byte of typed text is lost unless the user discards it.

    python -m tests.app.texts [COUNT] [SEED]

Each session opens the same file, types, saves, sees changes by other programs, answers questions, and ends: it quits, its
window is closed, or its process is killed, even in the middle of typing. The driver knows the text of the file and that of the
window to the byte; the window's text is read from its draft. Only `Discard` and `Take theirs` may lose text.
"""

from __future__ import annotations

import json
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

from Xlib import X
from Xlib.protocol import event

from tests.app.driver import PATIENT, PreparedViewer, XServer
from tests.app.test_viewer_source import into_text

TEXT = """<mujoco>
  <worldbody>
    <geom size=".1"/>
    <!--middle-->
    <geom size=".2"/>
  </worldbody>
</mujoco>
"""
SETTINGS = {"panels": {"source": True}, "info": False, "start": False, "adaptive": False}
WINDOW = (900, 600)
# Sessions after which the file is short again.
ROUND = 25
# Seconds within which a draft is written, or another program's change is noticed.
NOTICED = 30.0
ACTS = ("type", "type", "type", "save", "other lines", "same line")
ENDS = ("quit", "close", "kill", "kill while typing")


class Desk:
    """A file in a folder, and sessions on it. `text`: the window's text; `counts`: how often each act was done."""

    def __init__(self, server: XServer, folder: Path, seed: int) -> None:
        self.server, self.folder, self.seed = server, folder, seed
        self.path = folder / "model.xml"
        self.path.write_text(TEXT)
        self.text, self.number = TEXT, 0
        self.counts: dict[str, int] = {}
        self.viewer: PreparedViewer | None = None

    # ---- what is there ---------------------------------------------------------------------------------------------------

    @property
    def file(self) -> str:
        return self.path.read_text()

    @property
    def unsaved(self) -> bool:
        return not same(self.text, self.file)

    def draft(self) -> str | None:
        """The newest draft's text; None if there is none."""
        found = sorted((self.folder / "unsaved").glob("*.json"), key=lambda p: p.stat().st_mtime_ns)
        try:
            return json.loads(found[-1].read_text())["text"] if found else None
        except FileNotFoundError:
            return None

    def settles(self, condition, what: str) -> None:
        """Wait until a condition holds."""
        end = time.monotonic() + NOTICED
        while not condition():
            assert time.monotonic() < end, f"{what}\nwanted {self.text!r}\ndraft {self.draft()!r}\nfile {self.file!r}"
            time.sleep(0.02)

    # ---- one session -----------------------------------------------------------------------------------------------------

    def session(self, number: int) -> None:
        """Open the file, do some random actions, and end the session."""
        rng = random.Random(self.seed * 100_000 + number)
        if number % ROUND == 0 and not self.unsaved and self.draft() is None:
            self.path.write_text(TEXT)
            self.text = TEXT
        self.open()
        try:
            into_text(self.viewer)
            for _ in range(rng.randrange(1, 6)):
                self.act(rng.choice(ACTS), rng)
            self.end(rng.choice(ENDS), rng)
        finally:
            viewer, self.viewer = self.viewer, None
            if viewer.process.poll() is None:
                viewer.process.kill()
                viewer.process.wait(20)
            viewer._display.close()
            viewer.errors.close()

    def open(self) -> None:
        """Start a window. If the last one was killed, its unsaved text must be restored."""
        crashed = self.unsaved
        viewer = self.viewer = PreparedViewer(self.server, self.folder, str(self.path), SETTINGS, WINDOW)
        viewer.until(lambda r: (r.get("generation") == 1 or r.get("failure")) and "source" in r["windows"] and r["source"], 300)
        viewer.until(lambda r: bool(r["unsaved"]) == crashed, what="the text of the last session")
        if crashed:
            self.settles(lambda: same(self.draft(), self.text), "the recovered text differs")

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    def token(self, letter: str) -> str:
        self.number += 1
        return f"<!--{letter}{self.number}-->"

    def act(self, what: str, rng: random.Random) -> None:
        self.count(what)
        viewer = self.viewer
        assert viewer is not None
        if what == "type":
            self.type(rng.random() < 0.5)
        elif what == "save":
            viewer.key("ctrl+s")
            self.saved(rng)
        else:
            self.outside(what == "same line")

    def type(self, at_the_end: bool) -> None:
        """Type a comment before or after everything."""
        viewer, new = self.viewer, self.token("w")
        viewer.key("ctrl+end" if at_the_end else "ctrl+home")
        viewer.write(new)
        # The text ends with a line end, which the editor may show as an empty last line.
        wanted = [self.text.rstrip("\n") + new, self.text + new] if at_the_end else [new + self.text]
        self.settles(lambda: any(same(self.draft(), one) for one in wanted), f"typed, but not in the draft: {new}")
        self.text = self.draft() or ""

    def outside(self, first: bool) -> None:
        """Another program changes the first line, or a line that is not edited here."""
        viewer, new, clean = self.viewer, self.token("o"), not self.unsaved
        conflict = viewer.fresh()["source"][str(self.path)][2]
        theirs = new + self.file if first else self.file.replace("<!--middle-->", f"<!--middle-->{new}")
        generation = viewer.row()["generation"]
        self.path.write_text(theirs)
        if clean:
            viewer.until(lambda r: r["generation"] > generation or r["failure"])
            viewer.until(lambda r: not r["unsaved"])
            self.text = theirs
            return

        # Edits are kept: merged with the other program's, or beside them until the user decides.
        mine = [token for token in tokens(self.text) if token.startswith("<!--w")]
        viewer.until(lambda r: r["source"][str(self.path)][2] or new in (self.draft() or ""), what="the change is not noticed")
        found = self.draft() or ""
        assert all(token in found for token in mine), (self.text, found)
        if conflict or viewer.fresh()["source"][str(self.path)][2]:
            assert same(found, self.text), "a conflict changes nothing here"
        self.text = found
        assert self.file == theirs

    def saved(self, rng: random.Random) -> str:
        """After a request to save: answer the question about lines that others have changed, if it is asked."""
        viewer, before = self.viewer, self.file
        first = viewer.row()["frame"]

        def decided() -> bool:
            """Whether the text is saved, or the question is still open after some frames."""
            row = viewer.row()
            return same(self.file, self.text) or row["asking"] and row["frame"] > first + 4

        self.settles(decided, "not saved")
        if same(self.file, self.text):
            return "saved"
        answer = rng.choice(("k", "t", "esc"))
        self.count({"k": "keep mine", "t": "take theirs", "esc": "cancel"}[answer])
        assert self.file == before, "nothing is overwritten before the answer"
        viewer.key(answer)
        self.settles(lambda: viewer.process.poll() is not None or not viewer.row()["asking"], "the question stays")
        if answer == "k":
            self.settles(lambda: same(self.file, self.text), "the file is not the window's text")
        elif answer == "t":
            assert self.file == before
            self.text = before
            assert self.draft() is None, "a kill would bring the discarded text back"
        else:
            assert self.file == before
            self.settles(lambda: same(self.draft(), self.text), "the draft is gone")
        return {"k": "saved", "t": "discarded", "esc": "cancelled"}[answer]

    def end(self, how: str, rng: random.Random) -> None:
        """End the session, and check what is left."""
        self.count(how)
        viewer = self.viewer
        if how.startswith("kill"):
            self.kill(how == "kill while typing", rng)
            return
        viewer.key("ctrl+q") if how == "quit" else self.press_close()
        if not self.unsaved:
            assert viewer.process.wait(PATIENT) == 0
            return

        viewer.until(lambda r: r["asking"], what="the question about unsaved text")
        viewer.pictures()
        before, answer = self.file, rng.choice(("enter", "d", "esc"))
        self.count({"enter": "save and close", "d": "discard", "esc": "stay"}[answer])
        viewer.key(answer)
        if answer == "d":
            assert viewer.process.wait(PATIENT) == 0
            assert self.file == before
            self.text = before
        elif answer == "enter":
            if self.saved(rng) == "cancelled":
                self.kill(False, rng)
            else:
                assert viewer.process.wait(PATIENT) == 0
        else:
            viewer.until(lambda r: not r["asking"] and r["unsaved"])
            assert self.file == before
            self.kill(False, rng)

    def press_close(self) -> None:
        """Ask the window to close, as the button of its frame does."""
        viewer = self.viewer
        window, shown = viewer.window(), viewer._display
        protocols, delete = shown.intern_atom("WM_PROTOCOLS"), shown.intern_atom("WM_DELETE_WINDOW")
        message = event.ClientMessage(window=window, client_type=protocols, data=(32, [delete, X.CurrentTime, 0, 0, 0]))
        window.send_event(message, event_mask=0)
        shown.flush()

    def kill(self, typing: bool, rng: random.Random) -> None:
        """Kill the process. In the middle of typing, the newest letters may be missing, but nothing else."""
        viewer, new, file = self.viewer, self.token("k"), self.file
        if typing:
            viewer.key("ctrl+home")
            viewer.pictures()
            viewer.write(new[: rng.randrange(1, len(new))])
            time.sleep(rng.random() * 0.1)
        viewer.process.send_signal(signal.SIGKILL)
        viewer.process.wait(20)
        assert self.file == file
        if typing:
            found = self.draft() or self.file
            assert any(same(found, new[:k] + self.text) for k in range(len(new) + 1)), (new, self.text, found)
            self.text = found
        assert not self.unsaved or same(self.draft(), self.text)


def same(one: str | None, other: str) -> bool:
    """Whether texts are equal, but for line ends after the last line: merging may add one."""
    return one is not None and one.rstrip("\n") == other.rstrip("\n")


def tokens(text: str) -> list[str]:
    """The comments in a text."""
    return ["<!--" + part.split("-->")[0] + "-->" for part in text.split("<!--")[1:]]


def run(count: int, seed: int) -> dict[str, int]:
    """Do random sessions; return how often each act was done."""
    server = XServer()
    try:
        with tempfile.TemporaryDirectory() as name:
            desk = Desk(server, Path(name), seed)
            for number in range(count):
                try:
                    desk.session(number)
                except AssertionError as error:
                    raise AssertionError(f"session {number} of seed {seed}, {desk.counts}: {error}") from error
                if number % ROUND == ROUND - 1:
                    print(f"{number + 1} sessions", flush=True)
            return desk.counts
    finally:
        server.close()


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    begin = time.monotonic()
    counts = run(count, seed)
    print(f"{count} sessions in {time.monotonic() - begin:.0f} s, seed {seed}, nothing lost: {counts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
