"""Steps per second of a script that shows each, every 4th or every 16th step in a passive viewer: here and with MuJoCo,
alternating.

    python -m tests.bench.sync [--seconds S] [--rounds N]

Both windows have the same size and are on one virtual display with a software rasterizer, one at a time.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.app.driver import ROOT, XServer
from tests.bench.viewer import HUMANOID, SIZE

EVERY = (1, 4, 16)
# seconds until window and quality have settled
SETTLE = 4.0
PATIENT = 300.0

SCRIPT = """
import sys, time
import mujoco, mujoco.viewer
path, settle, seconds, every = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), [int(n) for n in sys.argv[4:]]
m = mujoco.MjModel.from_xml_path(path)
d = mujoco.MjData(m)
def run(viewer, n, seconds):
    count, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        for _ in range(n):
            mujoco.mj_step(m, d)
        count += n
        viewer.sync()
    return count / (time.perf_counter() - begin)
with mujoco.viewer.launch_passive(m, d) as viewer:
    run(viewer, 4, settle)
    for n in every:
        mujoco.mj_resetData(m, d)
        print(n, run(viewer, n, seconds), flush=True)
    sys.stdout.flush()
    import os
    os._exit(0)
"""


def measure(server: XServer, folder: Path, ours: bool, seconds: float) -> dict[int, float]:
    """Steps per second, by the number of steps per sync."""
    (folder / "script.py").write_text(SCRIPT)
    (folder / "settings.json").write_text(f'{{"window": {list(SIZE)}}}')
    env = dict(
        os.environ,
        DISPLAY=server.name,
        LIBGL_ALWAYS_SOFTWARE="1",
        PYTHONPATH=str(ROOT),
        MUJOCO_GL="glfw",
        TUMBLE_CONFIG=str(folder / "settings.json"),
    )
    command = [
        sys.executable,
        *(["-m", "tumble", "run"] if ours else []),
        str(folder / "script.py"),
        str(HUMANOID),
        str(SETTLE),
        str(seconds),
        *(str(n) for n in EVERY),
    ]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=PATIENT, check=False)
    rows = [line.split() for line in done.stdout.splitlines() if line[:1].isdigit()]
    assert len(rows) == len(EVERY), done.stdout + done.stderr
    return {int(n): float(rate) for n, rate in rows}


def main() -> int:
    parser = argparse.ArgumentParser(description="steps per second of a script beside its viewer")
    parser.add_argument("--seconds", type=float, default=4.0, help="of each measurement (default 4)")
    parser.add_argument("--rounds", type=int, default=3, help="turns of both (default 3)")
    parser.add_argument("--ours", action="store_true", help="leave the reference out")
    options = parser.parse_args()
    server, rows = XServer(), {True: [], False: []}
    try:
        with tempfile.TemporaryDirectory() as name:
            for _ in range(options.rounds):
                for ours in (True,) if options.ours else (True, False):
                    rows[ours].append(measure(server, Path(name), ours, options.seconds))
    finally:
        server.close()
    print(f"{'steps a sync':>14}{'tumble':>12}{'reference':>12}{'ratio':>8}")
    for n in EVERY:
        here, there = (
            statistics.median(row[n] for row in side) if side else float("nan") for side in (rows[True], rows[False])
        )
        print(f"{n:>14}{here:>12.0f}{there:>12.0f}{here / there:>8.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
