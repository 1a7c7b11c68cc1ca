"""A window session with pulls, pauses and steps is saved as a log by its key, and replays bit for bit in another process."""

import subprocess
import sys

from tests.app.driver import ROOT
from tests.app.models import CUBE


def test_a_session_is_repeated_from_its_log(make_viewer):
    viewer = make_viewer(CUBE)
    viewer.started()
    viewer.click(*viewer.center(), times=2)
    viewer.until(lambda r: r["selected"] == 1)
    # held until it has moved, because the machine decides how long a drag lasts in simulated time
    viewer.drag(120, 60, button=3, keys=("ctrl",), release=False)
    viewer.until(lambda r: abs(r["qpos"][0]) + abs(r["qpos"][2]) > 0.01, what="it is not pulled")
    viewer.button(3, False)
    viewer.let_go("ctrl")
    viewer.until(lambda r: not r["perturbing"])
    viewer.key("space")
    viewer.until(lambda r: not r["running"])
    # while paused: place the body, make two steps, go back one, and continue
    viewer.drag(-60, 40, button=3, keys=("ctrl",))
    for key in ("right", "right", "left", "space"):
        viewer.key(key)
    viewer.until(lambda r: r["running"])
    before = viewer.row()["time"]
    viewer.until(lambda r: r["time"] > before + 0.5)
    viewer.key("ctrl+shift+s")
    viewer.until(lambda r: any("session.zip" in text for _level, text in r["log"]), what="no log")
    run = subprocess.run(
        [sys.executable, "-m", "tumble", "replay", str(viewer.folder / "session.zip")], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 0 and "bit for bit the same" in run.stdout, run.stdout + run.stderr
