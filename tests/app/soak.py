"""Random events on a viewer for a given time: keys, drags, drops of good, broken and junk files, edits, resizes.

`python -m tests.app.soak SECONDS [SEED]`. Ends with status 1 on a crash, a traceback, a stuck thread or a leak.
"""

from __future__ import annotations

import contextlib
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.app.driver import Viewer, XServer
from tests.app.models import CUBE, PENDULUM
from tests.ui.models import EMPTY, VARIETY, mesh_robot, pile
from tumble.ui.layout import PRESETS
from tumble.ui.panels import BY_NAME

LEAK = 50 * 2**20
THREADS = 16
# Seconds after a load within which the memory of the model before must be free: the loader returns it after a while without
# requests (app.loading.SETTLED), and a loaded machine is slower.
FREED = 30.0
# seconds between the lines that report the memory
REPORT = 300.0
# pictures after each action of the warm-up, during which code, fonts, plots and buffers are loaded
WARM_PICTURES = 12
KEYS = [
    *"abcdefghijklmnoprstuvwxyz0123456789",
    *"[]=-,./;'`\\",
    "space",
    "backspace",
    "left",
    "right",
    "tab",
    "shift+tab",
    "esc",
    "pageup",
    *(f"f{i}" for i in (1, 2, 3, 4, 6, 7)),
    "ctrl+l",
    "ctrl+shift+l",
    "ctrl+a",
    "ctrl+c",
    "ctrl+k",
    "alt+p",
    "alt+r",
    "alt+j",
    "alt+v",
    "alt+x",
    "ctrl+=",
    "ctrl+-",
]
GOOD = (PENDULUM, CUBE, VARIETY, EMPTY, mesh_robot(), pile(30))
# seconds of a short run: it opens so few panels that the memory they need stays below the limit for a leak
SHORT = 60.0
# number of attempts to close whatever is open
TRIES = 3
# seconds within which the palette runs the typed command, on a loaded machine
SLOW = 20.0
# a click on an example would load larger models than the warm-up has loaded
LEFT_OUT = {"examples"}
# texts for the palette: the title of every panel, and layouts that close most panels
PANELS = {name: f"{panel.title} panel".lower() for name, panel in BY_NAME.items() if name not in LEFT_OUT}
LAYOUTS = tuple(f"layout {preset.title}".lower() for preset in PRESETS.values())
JUNK = (
    "",
    "no model",
    "<mujoco><worldbody><geom size='-1'/></worldbody></mujoco>",
    "<mujoco><nonsense/></mujoco>",
    "<mujoco",
    PENDULUM.replace("<motor", "<moter"),
    "\0\1\2",
)


class Monkey:
    """Generates a user's next action."""

    def __init__(self, run: Run, seed: int) -> None:
        self.run, self.folder, self.rng = run, run.folder, random.Random(seed)
        self.count = 0

    @property
    def viewer(self) -> Viewer:
        return self.run.viewer

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
        path.write_text(self.rng.choice((*GOOD, *JUNK)))
        self.viewer.drop(path)

    def edit(self) -> None:
        path = Path(self.viewer.row().get("path") or self.folder / "dropped0.xml")
        path.write_text(self.rng.choice((*GOOD, PENDULUM.replace("0.8", f"{self.rng.random() + 0.1:.2f}"), *JUNK)))

    def storm(self) -> None:
        """Many keys without a pause, as if an object lay on the keyboard."""
        for key in self.rng.choices(KEYS, k=40):
            self.viewer.key(key, 0.0)

    def wheel(self) -> None:
        self.viewer.click(*self.spot(), button=self.rng.choice((4, 5)), times=self.rng.randrange(1, 8))

    def panel(self) -> None:
        """Open a panel, or arrange all of them."""
        self.run.ask(self.rng.choice((*PANELS.values(), *LAYOUTS)))

    def resize(self) -> None:
        self.viewer.resize(self.rng.randrange(500, 1200), self.rng.randrange(340, 800))

    def act(self) -> str:
        """Do one random action."""
        self.count += 1
        what = self.rng.choices(
            ("keys", "click", "drag", "wheel", "panel", "storm", "drop", "edit", "resize"), (6, 5, 5, 2, 2, 0.5, 1, 1, 1)
        )[0]
        try:
            getattr(self, what)()
        except Exception:
            # An event may be sent to a window that has just been closed. The process ends a little later.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.viewer.process.wait(SLOW)
            if self.viewer.process.poll() is None:
                raise
        return what


class Run:
    """One viewer after another: a click may hit Quit, and the next viewer starts."""

    def __init__(self, server: XServer, folder: Path, long: bool) -> None:
        self.server, self.folder, self.long, self.quits, self.longest = server, folder, long, 0, 0.0
        self.start()

    def start(self) -> None:
        (self.folder / "start.xml").write_text(PENDULUM)
        self.viewer = Viewer(self.server, self.folder, str(self.folder / "start.xml"))
        self.begin = time.monotonic()
        self.viewer.started()
        self.warm()
        self.base = self.measured()["memory"]

    def warm(self) -> None:
        """Open every model, and for a long run every panel, so that later events have no reason to take more memory."""
        for i, text in enumerate((*GOOD, PENDULUM)):
            self.load(f"warm{i}", text)
        for title in LAYOUTS:
            self.ask(title)
            self.viewer.pictures(WARM_PICTURES)
        for name, title in PANELS.items() if self.long else ():
            for _ in range(TRIES):
                self.ask(title)
                if opened := self.opened(name):
                    break
            assert opened, f"panel {name} was not opened"

    def load(self, name: str, text: str) -> None:
        """Drop a new file on the window, and wait until its model is on the screen. Unsaved changes are discarded."""
        path = self.folder / f"{name}.xml"
        path.write_text(text)
        self.viewer.drop(path)
        row = self.viewer.until(lambda r: r["path"] == str(path) or r["asking"] and "Discard" in r["buttons"])
        if row["asking"]:
            x, y, w, h = row["buttons"]["Discard"]
            self.viewer.click(x + 0.5 * w, y + 0.5 * h)
        self.viewer.until(lambda r: r["path"] == str(path), what=f"{path.name} was not loaded")
        self.viewer.pictures(WARM_PICTURES)

    def opened(self, name: str) -> bool:
        """Whether a panel is open and the palette closed, within a time that allows for slow frames."""
        begin = time.monotonic()
        while time.monotonic() - begin < SLOW:
            row = self.viewer.fresh()
            if row["panels"].get(name, BY_NAME[name].opened) and not row["settings"]["palette"]:
                return True
        return False

    def ask(self, text: str) -> None:
        """Choose the first result of the palette."""
        self.viewer.key("ctrl+k")
        self.viewer.write(text)
        self.viewer.key("enter")
        self.viewer.key("esc")

    def sound(self) -> None:
        """Check that no error was reported."""
        said = (self.folder / "stderr.txt").read_text(errors="replace")
        assert "Traceback" not in said, said[said.index("Traceback") :][:4000]

    def look(self, what: str) -> None:
        """Check after each event that the viewer is alive, with bounded threads and memory."""
        status = self.viewer.process.poll()
        if status is not None:
            assert status == 0, f"status {status} after {what}:\n{self.viewer.output()}"
            self.sound()
            self.ended()
            self.quits += 1
            self.start()
            return
        threads = self.viewer.row()["threads"]
        assert threads < THREADS, f"{threads} threads"

    def ended(self) -> None:
        """Close this viewer, and record its lifetime, on which the memory bound depends."""
        self.longest = max(self.longest, time.monotonic() - self.begin)
        self.viewer.close()

    def measured(self) -> dict:
        """A sample in a window of fixed size, because a software rasterizer keeps its pictures in the process's memory."""
        self.viewer.resize(1200, 800)
        time.sleep(1.0)
        return self.viewer.fresh()

    def run_again(self) -> None:
        """Close whatever is open and start the simulation: by key or, if the key now has another meaning, by mouse."""
        viewer = self.viewer
        # results of the last events may appear only now, because frames are slow on a loaded machine
        for _ in range(TRIES):
            for _ in range(3):
                viewer.key("esc")
            x, y, w, h = self.measured().get("rect", (300, 100, 500, 500))
            # a text editor keeps the keyboard until another item is clicked
            for way in (
                lambda x=x, y=y, w=w, h=h: viewer.click(x + 0.5 * w, y + 0.5 * h) or viewer.key("space"),
                lambda: viewer.click(600, 12),
            ):
                row = viewer.fresh()
                if row["running"] or row["generation"] == 0:
                    return
                way()
                time.sleep(1.0)

    def end(self) -> dict:
        """Check that the viewer still answers and steps; return its last sample."""
        viewer = self.viewer
        self.run_again()
        viewer.until(lambda r: r["running"] or r["generation"] == 0, what="does not run any more")
        # The memory of a model's recorded states depends on the model, so measure with the one of the first sample.
        self.load("end", PENDULUM)
        last, begin = self.measured(), time.monotonic()
        while last["memory"] - self.base >= LEAK and time.monotonic() - begin < FREED:
            last = self.measured()
        self.sound()
        grown = last["memory"] - self.base
        assert grown < LEAK, f"{grown / 2**20:.1f} MB more"
        self.longest = max(self.longest, time.monotonic() - self.begin)
        return {
            "base_mb": round(self.base / 2**20, 1),
            "grown_mb": round(grown / 2**20, 1),
            "reloads": last["generation"],
            "frames": last["frame"],
            "quits": self.quits,
            "longest_life_s": round(self.longest),
        }


def soak(seconds: float, seed: int = 1) -> dict:
    """Run and return counts. The AssertionError of a failure names the cause."""
    server = XServer()
    try:
        with tempfile.TemporaryDirectory() as name:
            run = Run(server, Path(name), seconds > SHORT)
            try:
                monkey, begin, told = Monkey(run, seed), time.monotonic(), 0.0
                while (now := time.monotonic() - begin) < seconds:
                    what = monkey.act()
                    run.look(f"{what} (event {monkey.count})")
                    if now - told > REPORT:
                        told = now
                        print(f"{now:.0f} s: {monkey.count} events, {run.viewer.row()['memory'] / 2**20:.0f} MB", flush=True)
                return {"events": monkey.count, **run.end()}
            finally:
                run.viewer.close()
    finally:
        server.close()


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
