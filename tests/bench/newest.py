"""Steps of models with compat="4.0" against those of 4.0.1 in a separate process, alternating from similar states.

    python -m tests.bench.newest PYTHON40 LIST.json FOLDER [--rounds N] [--seconds S]

PYTHON40: the Python of an environment with mujoco-core==4.0.1. LIST.json: [{"id", "path"}], paths within FOLDER. Each
engine resets a model, runs .3 s with random controls, and is timed from there, ten steps a call.
"""

import argparse
import json
import pathlib
import statistics
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from tests.bench.other import Other, serve

# steps of one call, as in a training loop
CALL = 10
# simulated seconds before anything is timed
BEFORE = 0.3


class Runner:
    """One engine with one model; the other process has one, too."""

    def __init__(self, engine, path, **how):
        self.engine, self.m = engine, engine.MjModel.from_xml_path(path, **how)
        self.d = engine.MjData(self.m)
        low = np.where(self.m.actuator_ctrllimited[:, None].astype(bool), self.m.actuator_ctrlrange, (-1.0, 1.0))
        self.ctrl = np.random.default_rng(5).uniform(low[:, 0], low[:, 1], (64, self.m.nu))
        if self.m.nkey:
            engine.mj_resetDataKeyframe(self.m, self.d, 0)
        self.run(int(BEFORE / self.m.opt.timestep))
        d = self.d
        self.state = {name: getattr(d, name).copy() for name in ("qpos", "qvel", "act", "qacc_warmstart")}

    def run(self, count):
        for k in range(0, count, CALL):
            self.d.ctrl[:] = self.ctrl[k // CALL % len(self.ctrl)]
            self.engine.mj_step(self.m, self.d, min(CALL, count - k))

    def seconds(self, count):
        """Return the processor time of a step, averaged over a number of steps."""
        self.engine.mj_resetData(self.m, self.d)
        for name, value in self.state.items():
            getattr(self.d, name)[:] = value
        begin = time.process_time()
        self.run(count)
        return (time.process_time() - begin) / count


class Newest:
    """The other process: a model of the release that is installed there."""

    def load(self, path):
        import mujoco

        self.runner = Runner(mujoco, path)

    def seconds(self, count):
        return self.runner.seconds(count)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("python")
    parser.add_argument("list")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.25)
    args = parser.parse_args()
    import tumble

    other = Other(args.python, __file__)
    ratios = []
    for row in json.loads(pathlib.Path(args.list).read_text()):
        path = str(args.folder / row["path"])
        try:
            other.load(path)
        except RuntimeError as error:
            print(f"{row['id'][-40:]:40s} not stepped by 4.0.1: {error}")
            continue
        own = Runner(tumble, path, compat="4.0")
        own.seconds(CALL)
        count = max(CALL, int(args.seconds / other.seconds(CALL)))
        pairs = [(other.seconds(count), own.seconds(count)) for _ in range(args.rounds)]
        theirs, ours = (statistics.median(side) for side in zip(*pairs, strict=True))
        ratios.append(theirs / ours)
        print(f"{row['id'][-40:]:40s} {1 / theirs:10.0f} {1 / ours:10.0f} steps/s  {theirs / ours:.3f}", flush=True)
    print(f"geometric mean {statistics.geometric_mean(ratios):.3f} of {len(ratios)}, least {min(ratios):.3f}")
    other.process.terminate()


if __name__ == "__main__":
    serve(Newest()) if sys.argv[1:] == ["--serve"] else main()
