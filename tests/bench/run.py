"""Speed compared with MuJoCo: both engines step the same models in one process, interleaved; medians over batches of steps.

python -m tests.bench.run [MODEL.xml ...] [--steps N] [--stages]
"""

import argparse
import pathlib
import statistics
import time

import mujoco

import tumble
from tumble.engine.tables.consts import mjTIMERSTRING

MODELS = pathlib.Path(__file__).resolve().parents[2] / "assets" / "models"
ROUNDS = 15


def batch(step, m, d, steps):
    begin = time.perf_counter()
    step(m, d, steps)
    return (time.perf_counter() - begin) / steps * 1e6


def compare(path, steps):
    """Return (reference us, own us) per step, from the same initial state, over the same simulated time."""
    ref = mujoco.MjModel.from_xml_path(str(path))
    m = tumble.MjModel.from_xml_path(str(path))
    ref_data, d = mujoco.MjData(ref), tumble.MjData(m)
    tumble.warmup(m)
    theirs, own = [], []
    for _ in range(ROUNDS):
        theirs.append(batch(mujoco.mj_step, ref, ref_data, steps))
        own.append(batch(tumble.mj_step, m, d, steps))
    return statistics.median(theirs), statistics.median(own)


def stages(path, steps):
    """Time of each part of a step, from the engine's own timers."""
    m = tumble.MjModel.from_xml_path(str(path))
    d = tumble.MjData(m)
    tumble.mj_step(m, d, steps)
    d.timing = 1
    for t in d.timer:
        t.duration = t.number = 0
    tumble.mj_step(m, d, steps)
    for name, t in zip(mjTIMERSTRING, d.timer):
        if t.number:
            print(f"    {name:18s} {1e6 * t.duration / steps:8.2f} us")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--stages", action="store_true")
    options = parser.parse_args()
    for path in options.models or sorted(MODELS.glob("*.xml")):
        theirs, own = compare(path, options.steps)
        print(f"{path.stem:24s} reference {theirs:9.2f} us   here {own:9.2f} us   ratio {theirs / own:.2f}")
        if options.stages:
            stages(path, options.steps)


if __name__ == "__main__":
    main()
