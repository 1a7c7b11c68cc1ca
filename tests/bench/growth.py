"""How the time of a step or a load grows with the size of a model, here and in MuJoCo.

    python -m tests.bench.growth [FAMILY ...] [--newest PYTHON40] [--rounds N] [--most SECONDS] [--note TEXT]
    python -m tests.bench.growth --page          # only writes the manual's page, from the results that are kept

PYTHON40: the Python of an environment with mujoco-core==4.0.1, which is then measured in a process of its own. Engines
alternate; each number is the median of the rounds, in processor time. A family ends at the first size for which a step of
MuJoCo takes longer than `--most` seconds. The families are in `growing`; the page and its charts are in `growth_page`.
"""

from __future__ import annotations

import argparse
import functools
import pathlib
import statistics
import sys
import time
from typing import Any

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from tests.bench.growing import FAMILIES
from tests.bench.other import Other, serve

# seconds of a measurement, and steps of each world in a call
LONG, CALL = 0.2, 10
# steps and loads that take longer, in seconds, are measured only once
TOO_LONG = 2.0
BY_NAME = {family.name: family for family in FAMILIES}


def by_rollout(engine: Any, m: Any, d: Any, size: int) -> Any:
    """Return a function that makes CALL steps of each of `size` worlds, from states that differ."""
    state = np.zeros((size, engine.mj_stateSize(m, engine.mjtState.mjSTATE_FULLPHYSICS)))
    state[:, 1] = np.linspace(-1, 1, size)
    return lambda: engine.rollout.rollout(m, d, state, nstep=CALL)


def by_batch(engine: Any, m: Any, d: Any, size: int, **how: Any) -> Any:
    """As `by_rollout`, with a Batch, which older releases of MuJoCo lack."""
    batch = engine.batch.Batch(m, size, nthread=1, **how)
    batch.state[:, 1] = np.linspace(-1, 1, size)
    return lambda: batch.step(nstep=CALL)


class Side:
    """One engine with one model."""

    def __init__(self, engine: Any, many: Any) -> None:
        self.engine, self.many, self.loads = engine, many, 0

    def take(self, name: str, size: int) -> None:
        """Prepare a family's model of a size."""
        self.family, self.size = BY_NAME[name], size
        self.make = self.family.make(size)
        self.m = self.load()
        self.d = self.engine.MjData(self.m)
        if self.family.measures == "worlds":
            self.run = self.many(self.engine, self.m, self.d, size)

    def load(self) -> Any:
        """Load the model as one that was never loaded before."""
        self.loads += 1
        return self.make(self.engine, self.loads)

    def seconds(self, count: int) -> float:
        """Return the processor time of a step, of a step of one world, or of a load: the mean of `count`."""
        self.engine.mj_resetData(self.m, self.d)
        self.engine.mj_step(self.m, self.d)

        begin = time.process_time()
        if self.family.measures == "step":
            self.engine.mj_step(self.m, self.d, count)
        for _ in range(count if self.family.measures != "step" else 0):
            if self.family.measures == "load":
                self.load()
            else:
                self.run()
        every = count * (CALL * self.size if self.family.measures == "worlds" else 1)
        return (time.process_time() - begin) / every

    def first(self) -> float:
        """Run everything once, unmeasured if that is short; return the time as `seconds` does."""
        time = self.seconds(1)
        return time if time > TOO_LONG else self.seconds(1)

    def calls(self, time: float) -> int:
        """Return the number of steps, calls or loads that makes a measurement long enough."""
        return max(1, int(LONG / max(time * (CALL * self.size if self.family.measures == "worlds" else 1), 1e-7)))


def serve_newest() -> None:
    """Measure the MuJoCo release of this process: answer requests of another process, each a line of JSON."""
    import mujoco
    import mujoco.batch

    serve(Side(mujoco, by_batch))


def measure(sides: dict[str, Any], name: str, size: int, rounds: int) -> dict[str, Any]:
    """Return a row of results."""
    found = {}
    for engine, side in sides.items():
        side.take(name, size)
        found[engine] = [side.first()]
    if max(times[0] for times in found.values()) < TOO_LONG:
        counts = {engine: side.calls(found[engine].pop()) for engine, side in sides.items()}
        for _ in range(rounds):
            for engine, side in sides.items():
                found[engine].append(side.seconds(counts[engine]))
    return {"family": name, "size": size} | {engine: float(f"{statistics.median(t):.4g}") for engine, t in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("families", nargs="*", choices=[*BY_NAME, []], metavar="FAMILY")
    parser.add_argument("--newest")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--most", type=float, default=5.0)
    parser.add_argument("--note", default="")
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args()
    import mujoco
    import mujoco.rollout

    import tumble.batch
    import tumble.v4
    from tests.bench import growth_page, keep

    if options.page:
        growth_page.write()
        return
    sides: dict[str, Any] = {"mujoco 3.4.0": Side(mujoco, by_rollout)}
    if options.newest:
        sides["mujoco 4.0.1"] = Other(options.newest, __file__)
        sides["tumble 4.0"] = Side(tumble.v4, functools.partial(by_batch, lanes=True))
    sides["tumble"] = Side(tumble, functools.partial(by_batch, lanes=True))

    rows: list[dict[str, Any]] = []
    for name in options.families or BY_NAME:
        for size in BY_NAME[name].sizes:
            rows.append(measure(sides, name, size, options.rounds))
            times = "  ".join(f"{engine} {1e6 * rows[-1][engine]:12.2f}" for engine in sides)
            print(f"{name:12s} {size:8d}  {times} us   ratio {rows[-1]['mujoco 3.4.0'] / rows[-1]['tumble']:.2f}", flush=True)
            if rows[-1]["mujoco 3.4.0"] > options.most:
                break
        print(keep.save("growth", rows, options.note), flush=True)
    growth_page.write()


if __name__ == "__main__":
    serve_newest() if sys.argv[1:] == ["--serve"] else main()
