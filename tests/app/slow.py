"""Random sequences of input at one and a half pictures a second and at the usual rate: both have the same effect.

python -m tests.app.slow [COUNT] [SEED]     so many sequences; prints those that differ
"""

import random
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from tests.app.driver import PreparedViewer, XServer
from tests.app.models import CUBE

# seconds that a picture takes on the slow viewer, and on the usual one on a loaded machine
PICTURE, QUICK = 0.65, 0.2
SLOW = f"""
import sys, time
from tumble.app import window
swap = window.Window.swap
window.Window.swap = lambda self: (time.sleep({PICTURE}), swap(self))
from tumble.app.__main__ import main
sys.exit(main(sys.argv[1:]))
"""
# sequences that one viewer runs before the next one starts
ROUND = 10
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


def act(viewer, rng, middle):
    """Do one user action around the middle of the view, quickly."""
    x, y = middle
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
        viewer.click(*middle, times=2)
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
    # Read the view's position once: during a sequence that moves the view, the time of reading would matter.
    middle = viewer.center()
    for _ in range(8):
        act(viewer, rng, middle)
    return state(viewer)


def run(server, kind, folder, seeds):
    """Start a viewer of the given class, pause it, and return the state after each sequence."""
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


def differences(wanted, found):
    """Names of the values that differ."""
    return [
        name
        for name, value in wanted.items()
        if not np.allclose(np.array(value, float), np.array(found[name], float), atol=1e-6, rtol=1e-6)
    ]


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    kinds, failed, begin = {PreparedViewer: XServer(), SlowViewer: XServer()}, 0, time.monotonic()
    try:
        # the slow viewer mostly sleeps, so both are driven at the same time
        with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(len(kinds)) as pool:
            for first in range(seed, seed + count, ROUND):
                seeds = range(first, min(first + ROUND, seed + count))
                runs = [
                    pool.submit(run, server, kind, Path(name) / f"{kind.__name__}{first}", seeds)
                    for kind, server in kinds.items()
                ]
                fast, slow = (one.result() for one in runs)
                for k, wanted, found in zip(seeds, fast, slow, strict=True):
                    if names := differences(wanted, found):
                        failed += 1
                        print(f"sequence {k}: {names}: {[(wanted[n], found[n]) for n in names]}", flush=True)
                print(f"{seeds[-1] + 1 - seed} sequences, {failed} differ, {time.monotonic() - begin:.0f} s", flush=True)
    finally:
        for server in kinds.values():
            server.close()
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
