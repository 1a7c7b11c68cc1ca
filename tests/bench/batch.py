"""Many worlds: our rollout and our Batch against MuJoCo's rollout, alternating in one process, from the same states and with
the same controls.

    python -m tests.bench.batch [MODEL.xml ...] [--worlds N] [--rounds N] [--seconds S] [--parts speed threads start functions
    cluster memory]

speed      steps a second of one thread; the default models are those of the table
threads    two threads compared with one
start      seconds from Batch() to the first step, and until lanes are used, for a known model and a new one; kernels are
           cached, and each measurement has its own process
functions  cost of a controller, a reward and resets in the loop, and of per-world fields
cluster    equal bits, and the cost of a worker compared with a local rollout
memory     memory of a world

If TUMBLE_MUJOCO4 names the Python of an environment with mujoco 4.0.0, its Batch takes part in `speed`, in a separate process.
"""

import argparse
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import mujoco
import mujoco.rollout
import numpy as np

import tumble
from tumble import batch, rollout
from tumble.batch import uniform

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = ROOT / "assets/models"
# models of other projects, beside the checkout or above it
SHARED = next((p for p in (folder / "shared/models/models" for folder in ROOT.parents) if p.is_dir()), OWN)
HUMANOID = OWN / "humanoid.xml"
# missing models are left out
MODELS = {
    "contact-poor": (
        SHARED / "dm_control/dm_control/suite/cartpole.xml",
        SHARED / "mujoco-3.4.0/model/tendon_arm/arm26.xml",
        SHARED / "genesis_world/genesis/assets/xml/franka_sim/franka_panda.xml",
        SHARED / "mujoco_mjx/mujoco/mjx/test_data/shadow_hand/right_hand.xml",
        SHARED / "myosuite/myosuite/simhive/myo_sim/hand/myohand.xml",
        OWN / "arm.xml",
        OWN / "hand.xml",
        OWN / "muscles.xml",
    ),
    "contact-rich": (
        SHARED / "gymnasium/gymnasium/envs/mujoco/assets/ant.xml",
        HUMANOID,
        SHARED / "mjlab/mjlab/asset_zoo/robots/unitree_go1/xmls/go1_floor.xml",
        SHARED / "dm_control/dm_control/suite/quadruped.xml",
        SHARED / "mujoco_mjx/mujoco/mjx/test_data/humanoid/03_humanoids.xml",
    ),
}
FULL = int(tumble.mjtState.mjSTATE_FULLPHYSICS)
PARTS = ("speed", "threads", "start", "functions", "cluster", "memory")
LONGEST = 200
MANY = 100_000
# third argument not 0: a new model; prints seconds to the first step, and until lanes are used
START = """
import sys, time
import tumble
from tumble import batch
m = tumble.MjModel.from_xml_path(sys.argv[1])
m.body_mass[1:] *= 1 + float(sys.argv[3])
lanes = {"True": True, "auto": "auto"}[sys.argv[4]]
begin = time.perf_counter()
b = batch.Batch(m, nsim=int(sys.argv[2]), lanes=lanes)
b.step()
print(time.perf_counter() - begin)
while b._lanes.made is None and b._lanes.wanted == "auto":
    b.step()
print(time.perf_counter() - begin)
"""
# in a separate process: memory freed by other parts would be reused
MEMORY = """
import pathlib, resource, sys
import tumble
from tumble import batch
def resident():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
m = tumble.MjModel.from_xml_path(sys.argv[1])
batch.Batch(m, 16).step()
before = resident()
many = batch.Batch(m, int(sys.argv[2]))
many.bind("qpos")
many.step()
print((resident() - before) / many.nsim)
"""

# mujoco 4.0.0: reads a file with the controls, then a line on standard input for each round
NEWER = """
import sys, time
import mujoco, numpy as np
from mujoco import batch
control = np.load(sys.argv[2])
try:
    b = batch.Batch(mujoco.MjModel.from_xml_path(sys.argv[1]), len(control), nthread=1)
except Exception as error:
    print("no", type(error).__name__, flush=True)
    sys.exit()
print("ok", flush=True)
for _ in sys.stdin:
    b.reset()
    begin = time.perf_counter()
    b.rollout(control.shape[1], control, record=(mujoco.mjtState.mjSTATE_FULLPHYSICS, "sensordata"))
    print(time.perf_counter() - begin, flush=True)
"""
PYTHON4 = os.environ.get("TUMBLE_MUJOCO4", "")


class Newer:
    """The Batch of mujoco 4.0.0 in a separate process. `there`: whether it accepts the model."""

    def __init__(self, path, control):
        self.there = False
        if not PYTHON4:
            return
        self.folder = tempfile.TemporaryDirectory()
        kept = pathlib.Path(self.folder.name) / "control.npy"
        np.save(kept, control)
        self.process = subprocess.Popen(
            [PYTHON4, "-c", NEWER, str(path), str(kept)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=self.folder.name,
        )
        self.there = self.process.stdout.readline().startswith("ok")

    def __call__(self):
        """Return the seconds of a round."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self):
        if PYTHON4:
            self.process.stdin.close()
            self.process.wait()
            self.folder.cleanup()


def seconds_of(function):
    """Return the time of a call."""
    begin = time.perf_counter()
    function()
    return time.perf_counter() - begin


class Case:
    """A model for both sides; one state, and random controls, for each world."""

    def __init__(self, path, worlds, seconds):
        self.model, self.ref = tumble.MjModel.from_xml_path(str(path)), mujoco.MjModel.from_xml_path(str(path))
        self.worlds, data = worlds, mujoco.MjData(self.ref)
        row = np.zeros(mujoco.mj_stateSize(self.ref, FULL))
        mujoco.mj_getState(self.ref, data, row, FULL)
        self.initial = np.tile(row, (worlds, 1))
        # as many steps as the reference makes in the given time
        each = min(seconds_of(lambda: mujoco.mj_step(self.ref, data, 20)) / 20 for _ in range(5))
        self.steps = int(min(max(1, seconds / (each * worlds)), LONGEST))
        limited, span = self.ref.actuator_ctrllimited.astype(bool), self.ref.actuator_ctrlrange
        low, high = np.where(limited, span[:, 0], -1), np.where(limited, span[:, 1], 1)
        self.control = np.random.default_rng(0).uniform(low, high, (worlds, self.steps, self.ref.nu))
        self.many: dict[tuple[int, bool], batch.Batch] = {}

    @property
    def total(self):
        """Return the steps of a call."""
        return self.worlds * self.steps

    def reference(self, threads):
        data = [mujoco.MjData(self.ref) for _ in range(threads)]
        with mujoco.rollout.Rollout(nthread=threads if threads > 1 else 0) as r:
            return seconds_of(lambda: r.rollout(self.ref, data, self.initial, self.control))

    def rollout(self, threads):
        data = [tumble.MjData(self.model) for _ in range(threads)]
        with rollout.Rollout(nthread=threads if threads > 1 else 0) as r:
            return seconds_of(lambda: r.rollout(self.model, data, self.initial, self.control))

    def batch(self, threads, lanes=False):
        """Return the seconds of a rollout of the Batch, on lanes if `lanes` is set."""
        if (threads, lanes) not in self.many:
            self.many[threads, lanes] = batch.Batch(self.model, self.worlds, threads, lanes=lanes)
        b = self.many[threads, lanes]
        b.reset()
        return seconds_of(lambda: b.rollout(self.steps, self.control, record=(FULL, "sensordata")))


def measure(sides, rounds):
    """Return the median seconds of each side, alternating; each side measures itself, and a first round is not counted."""
    found = [[side() for side in sides] for _ in range(rounds + 1)][1:]
    return [statistics.median(x) for x in zip(*found)]


def mean(ratios):
    """Geometric mean."""
    return math.exp(statistics.mean(map(math.log, ratios)))


def speed(groups, options):
    for group, paths in groups.items():
        ratios = []
        for path in paths:
            case = Case(path, options.worlds, options.seconds)
            newer = Newer(path, case.control)
            sides = [
                lambda: case.reference(1),
                lambda: case.rollout(1),
                lambda: case.batch(1),
                lambda: case.batch(1, True),
                *([newer] if newer.there else []),
            ]
            times = measure(sides, options.rounds)
            newer.close()
            # rollout, Batch and Batch on lanes; both against that of 4.0.0
            ratios.append(
                [
                    times[0] / times[1],
                    times[0] / times[2],
                    times[0] / times[3],
                    *([times[4] / times[2], times[4] / times[3]] if newer.there else []),
                ]
            )
            rates = [case.total / x for x in times]
            print(
                f"{path.stem:24s} {case.steps:4d} steps   reference {rates[0]:10.0f}/s   rollout {rates[1]:10.0f}/s "
                f"{ratios[-1][0]:5.2f}   "
                f"Batch {rates[2]:10.0f}/s {ratios[-1][1]:5.2f}   on lanes {rates[3]:10.0f}/s {ratios[-1][2]:5.2f}"
                + (f"   4.0.0's {rates[4]:10.0f}/s {ratios[-1][3]:5.2f} {ratios[-1][4]:5.2f}" if newer.there else ""),
                flush=True,
            )
        against = [x for x in ratios if len(x) == 5]
        print(
            f"{group}: geometric mean, "
            + ", ".join(f"{name} {mean(x[k] for x in ratios):.2f}" for k, name in enumerate(("rollout", "Batch", "on lanes")))
            + (
                ", against 4.0.0's, Batch {:.2f}, on lanes {:.2f} ({} models)".format(
                    *(mean(x[k] for x in against) for k in (3, 4)), len(against)
                )
                if against
                else ""
            ),
            flush=True,
        )


def threads(_, options):
    case = Case(HUMANOID, options.worlds, options.seconds)
    sides = {
        "reference": case.reference,
        "rollout": case.rollout,
        "Batch": case.batch,
        "on lanes": lambda n: case.batch(n, True),
    }
    times = measure([lambda f=f, n=n: f(n) for f in sides.values() for n in (1, 2)], options.rounds)
    for k, name in enumerate(sides):
        print(f"two threads against one, {name}: {times[2 * k] / times[2 * k + 1]:.2f}")


def start(_, options):
    for name, new, lanes in (
        ("known, lanes=True", False, "True"),
        ("known, lanes='auto'", False, "auto"),
        ("new, lanes=True", True, "True"),
        ("new, lanes='auto'", True, "auto"),
    ):
        found = []
        for k in range(options.rounds + 1):
            mass = time.time_ns() % 10**9 * 1e-12 if new else 0.0
            command = [sys.executable, "-c", START, str(HUMANOID), str(options.worlds), str(mass), lanes]
            text = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
            found.append([float(x) for x in text.split()])
        first, taken = (statistics.median(x) for x in zip(*found[1:]))
        print(
            f"Batch() to the first step of {options.worlds} humanoids, {name}: {first:.3f} s, on lanes after {taken:.1f} s",
            flush=True,
        )


def control_posture(m, d, i, gains):
    for k in range(m.nu):
        d.ctrl[k] = -gains[i, 0] * d.qvel[6 + k]


def reward_height(m, d, i, reward, ended):
    reward[i] += d.qpos[2]
    ended[i] = 1 if d.qpos[2] < 0.5 else 0


def begin_somewhere(m, d, i, random):
    d.qpos[2] += 0.05 * uniform(random, i)


def functions(_, options):
    case = Case(HUMANOID, options.worlds, options.seconds)
    sides = []
    for lanes in (False, True):
        plain, full, own = (batch.Batch(case.model, options.worlds, 1, lanes=lanes) for _ in range(3))
        gains, reward, ended = np.zeros((options.worlds, 1)), np.zeros(options.worlds), np.zeros(options.worlds, bool)
        full.before_step(control_posture, gains)
        full.after_step(reward_height, reward, ended)
        full.at_reset(begin_somewhere, full.random)
        full.restart(ended)
        # the shared model's values, but stored for each world
        for name in ("body_mass", "body_inertia", "dof_damping", "actuator_gainprm", "geom_friction"):
            own.expand(name)
        sides += [plain, full, own]
    first = sides[0].state[0].copy()

    def run(b):
        # all variants compute the same physics: gains are zero, and almost no pole falls in such a short time
        b.state[:] = first
        return seconds_of(lambda: b.step(nstep=case.steps))

    times = measure([lambda b=b: run(b) for b in sides], options.rounds)
    for name, (plain, full, own) in (("world by world", times[:3]), ("on lanes", times[3:])):
        print(
            f"controller, reward and resets in the loop, {name}: {100 * (full / plain - 1):+.1f} % of a step; "
            f"masses, damping, motors and friction of each world's own: {100 * (own / plain - 1):+.1f} %"
        )
    print(
        f"on lanes against world by world: plain {times[0] / times[3]:.2f}, with functions {times[1] / times[4]:.2f}, "
        f"with fields {times[2] / times[5]:.2f}"
    )


def cluster(_, options):
    case = Case(HUMANOID, options.worlds, options.seconds)
    data = tumble.MjData(case.model)
    # several tasks of a second
    initial, control = (np.concatenate([x] * 8) for x in (case.initial, case.control))
    local = rollout.rollout(case.model, data, initial, control)
    for workers in (1, 2, 4):
        with batch.Cluster(workers) as workers_:
            got = rollout.rollout(case.model, None, initial, control, cluster=workers_)
            print(
                f"{workers} workers: the same bits: {all(a.tobytes() == b.tobytes() for a, b in zip(got, local))}", flush=True
            )
            if workers == 1:
                times = measure(
                    [
                        lambda: seconds_of(lambda: rollout.rollout(case.model, data, initial, control)),
                        lambda: seconds_of(lambda: rollout.rollout(case.model, None, initial, control, cluster=workers_)),
                    ],
                    options.rounds,
                )
                print(f"one worker beside a local rollout of {times[0]:.1f} s: {100 * (times[1] / times[0] - 1):+.1f} %")


def memory(_, options):
    found = subprocess.run(
        [sys.executable, "-c", MEMORY, str(HUMANOID), str(MANY // 5)], check=True, capture_output=True, text=True, cwd=ROOT
    )
    each = float(found.stdout)
    print(f"{each:.0f} bytes a humanoid, stepped: {each * MANY / 2**30:.2f} GiB for {MANY}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--worlds", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="what the reference's rollout takes in a round, about")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    options = parser.parse_args()
    groups = (
        {"models": options.models} if options.models else {k: [p for p in paths if p.exists()] for k, paths in MODELS.items()}
    )
    for part in options.parts:
        {"speed": speed, "threads": threads, "start": start, "functions": functions, "cluster": cluster, "memory": memory}[
            part
        ](groups, options)


if __name__ == "__main__":
    main()
