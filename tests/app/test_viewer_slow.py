"""On a machine that draws one and a half frames per second, user actions have the same effect as at sixty frames."""

import random
import time

import pytest

from tests.app.driver import PreparedViewer
from tests.app.models import CUBE, PENDULUM
from tests.app.test_viewer_source import into_text

# seconds for a picture there, and on a loaded machine without that
PICTURE, QUICK = 0.65, 0.2
SLOW = f"""
import sys, time
from tumble.app import window
swap = window.Window.swap
window.Window.swap = lambda self: (time.sleep({PICTURE}), swap(self))
from tumble.app.__main__ import main
sys.exit(main(sys.argv[1:]))
"""
# compared values: everything that the sequences below can change
SEEN = (
    "azimuth",
    "elevation",
    "distance",
    "lookat",
    "selected",
    "vis_flags",
    "render_flags",
    "geomgroup",
    "label",
    "frame_mode",
    "qpos",
)


class SlowViewer(PreparedViewer):
    """A viewer whose pictures take long."""

    @staticmethod
    def command():
        return ["-c", SLOW]


def state(viewer):
    """Return the picture once all events are handled: it has not changed over several pictures."""
    pause = 3 * (PICTURE if isinstance(viewer, SlowViewer) else QUICK)
    end, last = time.monotonic() + 90, None
    while time.monotonic() < end:
        row = viewer.fresh()
        now = {name: row[name] for name in SEEN} | {
            name: row["settings"][name] for name in ("info", "profiler", "left", "right")
        }
        if now == last and not row["inbox"]:
            return now
        last = now
        time.sleep(pause)
    raise AssertionError(last)


def act(viewer, rng):
    """Do one user action, quickly."""
    x, y = viewer.center()
    x, y = x + rng.randint(-40, 40), y + rng.randint(-40, 40)
    kind = rng.choice(("orbit", "pan", "zoom", "wheel", "select", "pull", "keys", "panels"))
    way = rng.randint(-60, 60), rng.randint(-60, 60)
    if kind in ("orbit", "pan", "zoom"):
        viewer.drag(*way, button={"orbit": 1, "zoom": 2, "pan": 3}[kind], start=(x, y), steps=4)
    elif kind == "wheel":
        viewer.move(x, y)
        button = rng.choice((4, 5))
        for _ in range(3):
            viewer.button(button, True)
            viewer.button(button, False)
    elif kind == "select":
        viewer.click(*viewer.center(), times=2)
    elif kind == "pull":
        viewer.drag(*way, button=rng.choice((1, 3)), keys=["ctrl"], start=(x, y), steps=4)
    elif kind == "keys":
        for key in rng.sample(["0", "1", "w", "s", "j", "f6", "f7", "backspace", "ctrl+a"], 3):
            viewer.key(key)
    else:
        viewer.key(rng.choice(("f2", "f3")))
    # two clicks on different objects are not a double click
    if kind not in ("wheel", "keys", "panels"):
        time.sleep(0.3)


def played(viewer, seed):
    """The state after a sequence that starts at rest."""
    for key in ("esc", "backspace", "ctrl+a"):
        viewer.key(key)
    rng = random.Random(seed)
    for _ in range(8):
        act(viewer, rng)
    return state(viewer)


@pytest.fixture
def pair(server, make_viewer, tmp_path):
    """Two paused viewers, one after the other: on one screen they would share the mouse."""

    def run(kind, seeds):
        folder = tmp_path / kind.__name__
        folder.mkdir()
        (folder / "model.xml").write_text(CUBE)
        viewer = kind(server, folder, str(folder / "model.xml"), {}, (820, 560))
        try:
            viewer.until(lambda r: r.get("generation") == 1, 300)
            viewer.until(lambda r: r["frame"] > 5)
            viewer.key("space")
            viewer.until(lambda r: not r["running"])
            viewer.key("backspace")
            return [played(viewer, seed) for seed in seeds]
        finally:
            viewer.close()

    return run


def test_slow_pictures_lose_no_input(pair):
    seeds = range(3)
    fast, slow = pair(PreparedViewer, seeds), pair(SlowViewer, seeds)
    for seed, (wanted, found) in enumerate(zip(fast, slow, strict=True)):
        for name, value in wanted.items():
            assert found[name] == pytest.approx(value, abs=1e-6), (seed, name)


def test_slow_pictures_lose_no_keys(server, tmp_path):
    """Keys that leave no text, and quotes, among letters: each one counts once, in its position."""
    (tmp_path / "model.xml").write_text(PENDULUM)
    viewer = SlowViewer(server, tmp_path, str(tmp_path / "model.xml"), {"panels": {"source": True}})
    try:
        viewer.until(lambda r: r.get("generation") == 1 and "source" in r["windows"] and r["source"], 300)
        file = into_text(viewer)
        keys = ["end", "enter", "x", "left", "y", "end", "shift+'", "z", "shift+'", "backspace", "home", "q", "right", "delete"]
        begin = time.monotonic()
        for key in keys:
            viewer.key(key)
        typed = time.monotonic() - begin
        row = viewer.until(lambda r: r["unsaved"] == [file] and not r["inbox"])
        viewer.fresh()
        viewer.key("ctrl+s")
        viewer.until(lambda r: not r["unsaved"])
        first, second = (tmp_path / "model.xml").read_text().split("\n")[:2]
        assert first == PENDULUM.split("\n")[0]
        assert second.strip() == 'qy"z', (second, typed)
        assert row["vis_flags"] == viewer.fresh()["vis_flags"], "letters are no commands here"
    finally:
        viewer.close()
