"""Random events on a viewer for a given time: keys, drags, drops of good, broken and junk files, edits, resizes.

`python -m tests.app.soak SECONDS [SEED]`. Ends with status 1 on a crash, a traceback, a stuck thread or a leak.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

from tests.app.driver import Viewer, XServer
from tests.app.models import CUBE, PENDULUM

LEAK = 50 * 2**20
# samples before this many seconds are warming up: fonts, plots, buffers reach their size
WARM = 40.0
KEYS = [*"abcdefghijklmnoprstuvwxyz0123456789", *"[]=-,./;'`\\", "space", "backspace", "left", "right", "tab", "shift+tab", "esc",
        "pageup", *(f"f{i}" for i in (1, 2, 3, 4, 6, 7)), "ctrl+l", "ctrl+shift+l", "ctrl+a", "ctrl+c", "ctrl+k", "alt+p", "alt+r",
        "alt+j", "alt+v", "alt+x", "ctrl+=", "ctrl+-"]
JUNK = ("", "no model", "<mujoco><worldbody><geom size='-1'/></worldbody></mujoco>", "<mujoco><nonsense/></mujoco>", "<mujoco",
        PENDULUM.replace("<motor", "<moter"), "\0\1\2")


class Monkey:
    """Knows what a person might do next."""

    def __init__(self, viewer: Viewer, folder: Path, seed: int) -> None:
        self.viewer, self.folder, self.rng = viewer, folder, random.Random(seed)
        self.count = 0

    def spot(self) -> tuple[int, int]:
        return self.rng.randrange(5, 1190), self.rng.randrange(30, 780)

    def keys(self) -> None:
        for _ in range(self.rng.randrange(1, 6)):
            self.viewer.key(self.rng.choice(KEYS))

    def click(self) -> None:
        self.viewer.click(*self.spot(), button=self.rng.choice((1, 1, 3)), times=self.rng.choice((1, 1, 2)))
        self.viewer.key("esc")

    def drag(self) -> None:
        keys = [k for k in ("ctrl", "shift") if self.rng.random() < 0.4]
        x, y, w, h = self.viewer.row().get("rect", (300, 100, 500, 500))
        start = x + self.rng.random() * w, y + self.rng.random() * h
        self.viewer.drag(self.rng.randrange(-150, 150), self.rng.randrange(-150, 150), self.rng.choice((1, 2, 3)), keys, start)

    def drop(self) -> None:
        path = self.folder / f"dropped{self.count % 7}.xml"
        path.write_text(self.rng.choice((PENDULUM, CUBE, *JUNK)))
        self.viewer.drop(path)

    def edit(self) -> None:
        path = Path(self.viewer.row().get("path") or self.folder / "dropped0.xml")
        path.write_text(self.rng.choice((PENDULUM, CUBE, PENDULUM.replace("0.8", f"{self.rng.random() + 0.1:.2f}"), *JUNK)))

    def resize(self) -> None:
        self.viewer.window().configure(width=self.rng.randrange(500, 1200), height=self.rng.randrange(340, 800))
        self.viewer._display.sync()

    def act(self) -> str:
        """One random thing."""
        self.count += 1
        what = self.rng.choices(("keys", "click", "drag", "drop", "edit", "resize"), (6, 4, 5, 1, 1, 1))[0]
        getattr(self, what)()
        return what


def soak(seconds: float, seed: int = 1) -> dict:
    """Run; returns counts. AssertionError says what went wrong."""
    server = XServer()
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "start.xml").write_text(PENDULUM)
            viewer = Viewer(server, folder, str(folder / "start.xml"))
            try:
                viewer.started()
                return rampage(viewer, Monkey(viewer, folder, seed), seconds)
            finally:
                viewer.close()
    finally:
        server.close()


def rampage(viewer: Viewer, monkey: Monkey, seconds: float) -> dict:
    begin = time.monotonic()
    base = None
    while (gone := time.monotonic() - begin) < seconds:
        what = monkey.act()
        assert viewer.process.poll() is None, f"ended after {what} (event {monkey.count}):\n{viewer.output()}"
        row = viewer.row()
        if base is None and gone > min(WARM, 0.4 * seconds):
            base = row["memory"]
        assert row["threads"] < 16, f"{row['threads']} threads"
    # it still answers, and steps
    viewer.key("esc")
    if not viewer.fresh()["running"]:
        viewer.key("space")
    last = viewer.until(lambda r: r["running"] or r["generation"] == 0, what="does not run any more")
    assert "Traceback" not in viewer.output(), viewer.output()
    grown = last["memory"] - (base or last["memory"])
    assert grown < LEAK, f"{grown / 2**20:.1f} MB more"
    return {"events": monkey.count, "grown_mb": round(grown / 2**20, 1), "reloads": last["generation"], "frames": last["frame"]}


def main() -> int:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 120.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    print(f"seed {seed}", flush=True)
    try:
        print(soak(seconds, seed))
    except AssertionError as error:
        print(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
