"""Speed of a wheel's kernels: `python -m tests.bench.levels model.xml...` in an environment with the wheel, from a checkout.

Each processor level, and code for this exact processor, runs in its own process. They alternate and count processor time, so
other work on the machine affects all alike. The output is the least time of a step, and the median ratio to code for
this exact processor.
"""

import os
import statistics
import subprocess
import sys
import tempfile

ROUNDS = 80
# a round takes about this long, in seconds of processor time
ROUND = 0.01
WORKER = """
import sys, time
import tumble
m = tumble.MjModel.from_xml_path(sys.argv[1])
d = tumble.MjData(m)
tumble.mj_step(m, d)
begin = time.process_time()
tumble.mj_step(m, d, 20)
n = max(1, int(20 * float(sys.argv[2]) / (time.process_time() - begin)))
print(n, tumble.__file__, flush=True)
for line in sys.stdin:
    n = int(line)
    tumble.mj_resetData(m, d)
    begin = time.process_time_ns()
    tumble.mj_step(m, d, n)
    print((time.process_time_ns() - begin) / n / 1000, flush=True)
"""


def start(level, path, cache):
    """A process that waits for rounds, and the number of steps that it makes in one."""
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"TUMBLE_LEVEL": level, "TUMBLE_CACHE_DIR": cache}
    # run outside the checkout, whose sources would be imported in place of the wheel
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", WORKER, os.path.abspath(path), str(ROUND)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=env,
        cwd=os.path.dirname(sys.executable),
    )
    return process, int(process.stdout.readline().split()[0])


def measure(path, levels, cache):
    """{level: [microseconds a step of each round]} of a model."""
    running = {level: start(level, path, cache) for level in levels}
    steps = min(n for _, n in running.values())
    times = {level: [] for level in levels}
    for k in range(ROUNDS):
        for level in [*levels[k % len(levels) :], *levels[: k % len(levels)]]:
            process = running[level][0]
            print(steps, file=process.stdin, flush=True)
            times[level].append(float(process.stdout.readline()))
    for process, _ in running.values():
        process.communicate()
    return times


def main(paths):
    suitable = subprocess.run(
        [
            sys.executable,
            "-P",
            "-c",
            "from tumble.engine.machine import target; print(*(level.name for level in target.suitable()))",
        ],
        cwd=os.path.dirname(sys.executable),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    with tempfile.TemporaryDirectory() as own:
        for path in paths:
            times = measure(path, ["native", *suitable], os.environ.get("TUMBLE_CACHE_DIR", own))
            for level, found in times.items():
                ratio = statistics.median(a / b for a, b in zip(found, times["native"], strict=True))
                print(f"{os.path.basename(path)}  {level:10}  {min(found):9.2f} us a step   {ratio:.3f} of native", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
