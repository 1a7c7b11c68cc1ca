"""The time of each stage of a step, here and in MuJoCo, from the same state; keeps the table with the other results.

    python -m tests.bench.stages [MODEL.xml ...] [--rounds N] [--note TEXT]

Each stage is called by its public function, on a state some steps after the start. The engines alternate in short turns, and
the least time of a call counts: other programs interrupt some calls, but not all. The numbers contain the call from Python,
0.1 to 0.4 us. Without models, the examples are measured.
"""

import argparse
import pathlib
import time

import mujoco
import numpy as np

import tumble
from tests.bench import keep
from tests.bench.run import MODELS

STAGES = (
    "mj_kinematics",
    "mj_comPos",
    "mj_camlight",
    "mj_flex",
    "mj_tendon",
    "mj_makeM",
    "mj_factorM",
    "mj_collision",
    "mj_makeConstraint",
    "mj_fwdPosition",
    "mj_fwdVelocity",
    "mj_fwdActuation",
    "mj_fwdAcceleration",
    "mj_fwdConstraint",
)
# steps before anything is measured, calls of one engine in a turn
BEFORE, TURN = 200, 4


def least(function, m, d, warmstart):
    """The least time of a few calls, in microseconds. The warm start is the same for each."""
    best = float("inf")
    for _ in range(TURN):
        d.qacc_warmstart[:] = warmstart
        begin = time.perf_counter()
        function(m, d)
        best = min(best, time.perf_counter() - begin)
    return 1e6 * best


def measure(path, rounds):
    """Rows of one model: stage, MuJoCo's time, ours."""
    ref, m = mujoco.MjModel.from_xml_path(str(path)), tumble.MjModel.from_xml_path(str(path))
    ref_data, d = mujoco.MjData(ref), tumble.MjData(m)
    if ref.nkey:
        mujoco.mj_resetDataKeyframe(ref, ref_data, 0)
    mujoco.mj_step(ref, ref_data, BEFORE)
    kind = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(ref, kind))
    mujoco.mj_getState(ref, ref_data, state, kind)
    tumble.mj_setState(m, d, state, kind)
    warmstart, rows = ref_data.qacc_warmstart.copy(), []

    for name in STAGES:
        # the stages before may have left out islands and products that a stage needs
        mujoco.mj_forward(ref, ref_data)
        tumble.mj_forward(m, d)
        theirs = own = float("inf")
        for _ in range(rounds):
            theirs = min(theirs, least(getattr(mujoco, name), ref, ref_data, warmstart))
            own = min(own, least(getattr(tumble, name), m, d, warmstart))
        rows.append({"model": path.stem, "stage": name, "mujoco 3.4.0": round(theirs, 2), "tumble": round(own, 2)})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--note", default="")
    options = parser.parse_args()
    rows = []
    for path in options.models or sorted(MODELS.glob("*.xml")):
        found = measure(path, options.rounds)
        print(f"{path.stem:24s}{'MuJoCo':>10s}{'here':>10s} us   ratio")
        for r in found:
            ratio = r["mujoco 3.4.0"] / r["tumble"]
            print(f"    {r['stage']:20s}{r['mujoco 3.4.0']:10.2f}{r['tumble']:10.2f}{ratio:11.2f}", flush=True)
        rows += found
    print(keep.save("stages", rows, options.note))


if __name__ == "__main__":
    main()
