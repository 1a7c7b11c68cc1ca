"""False alarms: models that MuJoCo steps without trouble are stepped here with the window's checks for instability, which
should report nothing.

    python -m tests.app.alarms FOLDER [SECONDS] [--look SECONDS]     each model in the folder, by default for 5 s

A model is sound if MuJoCo reaches the same time without a warning, a reset or a NaN. The exit status is 1 if a sound model was
marked, or if a model could not be read.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import mujoco
import numpy as np

import tumble as mj
from tumble.app.simulation import LOOK, Simulation

SUFFIXES = (".xml", ".mjcf", ".urdf")
# wall seconds that either engine may take for a model; a slower model is judged by the time reached
PATIENCE = 20.0
# number of models after which worker processes are replaced
BATCH = 50
OUTCOMES = {
    "quiet": "sound, nothing was marked",
    "false": "sound, but something was marked",
    "alarm": "in trouble in the reference, too, and marked",
    "missed": "in trouble in the reference, nothing was marked",
    "left out": "no model for the reference",
    "failed": "a model for the reference, not read here",
}


def watched(path: str, seconds: float, look: float) -> tuple[float, list[str]]:
    """Step a model like the window in real time, checking every `look` seconds of simulation. Return the time reached,
    and the marks.
    """
    m = mj.MjModel.from_xml_path(path)
    mj.warmup(m)
    sim, clock = Simulation(), time.perf_counter()
    sim.adopt(m, mj.MjData(m))
    apart, done = max(1, round(look / m.opt.timestep)), 0
    while done * m.opt.timestep < seconds and time.perf_counter() - clock < PATIENCE:
        done += 1
        sim.looked = math.inf if done % apart else -math.inf
        sim.single_step()
    return done * m.opt.timestep, [f"{mark.time:.3f} s {mark.kind}: {mark.text}" for mark in sim.marks]


def sound(m: mujoco.MjModel, seconds: float) -> str:
    """Return the reference's failure; empty if there was none."""
    d, clock, done = mujoco.MjData(m), time.perf_counter(), 0
    while done * m.opt.timestep < seconds and time.perf_counter() - clock < PATIENCE:
        mujoco.mj_step(m, d)
        done += 1
        if any(w.number for w in d.warning):
            return next(f"warning {mujoco.mjtWarning(k).name}" for k, w in enumerate(d.warning) if w.number)
        if not np.isfinite(d.qpos).all() or not np.isfinite(d.qvel).all():
            return "not finite"
    return "" if d.time > (done - 0.5) * m.opt.timestep else "reset"


def judged(path: str, seconds: float, look: float) -> tuple[str, str, float, list[str]]:
    """Return (outcome, reason, time reached, marks)."""
    mj.set_mju_user_warning(lambda text: None)
    mujoco.set_mju_user_warning(lambda text: None)
    try:
        there = mujoco.MjModel.from_xml_path(path)
    except ValueError as error:
        return "left out", str(error), 0.0, []
    try:
        came, marks = watched(path, seconds, look)
    except (ValueError, mj.FatalError) as error:
        return "failed", str(error), 0.0, []
    trouble = sound(there, came)
    return (
        {(True, True): "alarm", (True, False): "missed", (False, True): "false", (False, False): "quiet"}[
            bool(trouble), bool(marks)
        ],
        trouble,
        came,
        marks,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="what the watch of the window marks in models that are sound")
    parser.add_argument("folder", type=Path)
    parser.add_argument("seconds", type=float, nargs="?", default=5.0, help="of simulation (default 5)")
    parser.add_argument(
        "--look", type=float, default=LOOK, help="seconds of simulation between looks (default as in real time)"
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    options = parser.parse_args()
    paths = sorted(str(p) for p in options.folder.rglob("*") if p.suffix.lower() in SUFFIXES)
    counts, short = Counter(), 0
    for start in range(0, len(paths), BATCH):
        with ProcessPoolExecutor(options.jobs) as pool:
            jobs = {pool.submit(judged, path, options.seconds, options.look): path for path in paths[start : start + BATCH]}
            for job in as_completed(jobs):
                outcome, why, came, marks = job.result()
                counts[outcome] += 1
                short += outcome != "left out" and came < options.seconds
                if outcome in ("false", "failed", "alarm", "missed"):
                    print(f"{outcome}: {jobs[job]}{': ' * bool(why)}{why}", *marks[:4], sep="\n    ", flush=True)
        print(f"{sum(counts.values())} of {len(paths)}: {dict(counts)}", flush=True)
    for outcome, words in OUTCOMES.items():
        print(f"{counts[outcome]:6d} {words}")
    print(f"{short:6d} were too slow to come to {options.seconds:g} s within {PATIENCE:g} s")
    return int(bool(counts["false"] or counts["failed"]))


if __name__ == "__main__":
    sys.exit(main())
