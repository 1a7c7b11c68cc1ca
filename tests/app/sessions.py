"""Random sessions, each repeated from its log in another process.

    python -m tests.app.sessions COUNT SECONDS [SEED]     sessions of so many simulated seconds, on models of the gallery

Ends with status 1 unless every log reproduces its session bit for bit.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import tumble as mj
from tests.app.driver import ROOT
from tumble.app.commands import apply
from tumble.app.logbook import Logbook
from tumble.app.simulation import Simulation
from tumble.app.state_history import read_state
from tumble.ui import intents as I

GALLERY = ROOT / "assets" / "models"
# models that step slower than this multiple of real time are left out
FASTEST = 20
TRIAL = 0.5


def quiet(kind, value):
    assert kind != "error", value


def began(m) -> Simulation:
    """A simulation of a model with a log, as fast as possible."""
    sim = Simulation(log=Logbook())
    sim.adopt(m, mj.MjData(m), True)
    apply(sim, I.SetSpeed(index=0), quiet)
    return sim


def act(sim, rng) -> None:
    """Do one random action of a user or the loop."""
    m, _ = sim.loaded
    choice = int(rng.integers(13))
    if choice < 4:
        sim.burst() if sim.running else sim.idle()
    elif choice == 4:
        apply(sim, I.SetRunning(), quiet)
    elif choice == 5:
        apply(sim, I.Step(int(rng.integers(-5, 6)) or 1), quiet)
    elif choice == 6:
        if m.nu:
            apply(sim, I.SetField("d.ctrl", float(rng.normal()), int(rng.integers(m.nu))), quiet)
    elif choice == 7:
        point, body = rng.normal(size=3), int(rng.integers(1, m.nbody))
        apply(
            sim,
            I.Perturb(
                {
                    "select": body,
                    "active": int(rng.integers(1, 3)),
                    "refpos": point,
                    "refselpos": point,
                    "localmass": 1.0,
                    "scale": 1.0,
                }
            ),
            quiet,
        )
    elif choice == 8:
        apply(sim, I.Perturb({"active": 0}), quiet)
    elif choice == 9:
        apply(sim, I.SetNoise(float(rng.integers(2)) * 0.3, 0.1), quiet)
    elif choice == 10:
        apply(sim, I.Scrub(-int(rng.integers(20))), quiet)
    elif choice == 11:
        others = [I.Reset(), I.SetBit("disableflags", 2, bool(rng.integers(2)))]
        others += [I.LoadKey(int(rng.integers(m.nkey)))] if m.nkey else []
        others += [I.ResetJoint(int(rng.integers(m.njnt)))] if m.njnt else []
        apply(sim, others[int(rng.integers(len(others)))], quiet)
    else:
        apply(sim, I.SetField("opt.gravity", rng.normal(size=3) * 5), quiet)


def steps(sim) -> int:
    """The number of engine steps in a session."""
    return sum(event for event in sim.log.events if event > 0)


def bits(sim) -> np.ndarray:
    """The whole state and its history's settings, as integers."""
    return read_state(*sim.loaded, sim.history.size).view(np.int64)


def session(m, seconds, seed, path) -> int:
    """Run a random session and write it to a file; return its number of steps."""
    sim, rng = began(m), np.random.default_rng(seed)
    while steps(sim) * m.opt.timestep < seconds:
        for _ in range(50):
            act(sim, rng)
    apply(sim, I.SaveFile("log", str(path)), quiet)
    return steps(sim)


def fast(path) -> bool:
    """Whether a model steps much faster than real time."""
    m = mj.MjModel.from_xml_path(str(path))
    d, begin = mj.MjData(m), 0.0
    mj.mj_step(m, d)
    begin = time.perf_counter()
    mj.mj_step(m, d, int(TRIAL / m.opt.timestep))
    return TRIAL / (time.perf_counter() - begin) > FASTEST


def main() -> None:
    count, seconds, seed = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0
    paths = [p for p in sorted(GALLERY.glob("*.xml")) if fast(p)]
    failed = total = 0
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "session.zip"
        for k in range(count):
            path = paths[k % len(paths)]
            made = session(mj.MjModel.from_xml_path(str(path)), seconds, seed + k, log)
            run = subprocess.run([sys.executable, "-m", "tumble", "replay", str(log)], cwd=ROOT, capture_output=True, text=True)
            same = run.returncode == 0 and "bit for bit the same" in run.stdout
            failed, total = failed + (not same), total + made
            print(f"{k + 1:4d} {path.stem:10s} {made:7d} steps {'the same bits' if same else run.stderr.strip()}", flush=True)
    print(f"{count} sessions, {total} steps, {len(paths)} models, {failed} not repeated")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
