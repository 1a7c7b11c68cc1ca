"""What steps cost after arrays of indices were read: `python -m tests.bench.reads MODEL ...`.

before: without reads; read: after reads of all of them; held: while a script holds all of them; released: afterwards. Times are
those of the best round.
"""

import sys
import time

import tumble
from tumble.engine.tables.validate import INDICES

ROUNDS, SECONDS = 9, 0.2
# what may be measured on a quiet machine
BOUND = 1.02


def one(m, d):
    """Seconds a step."""
    best = float("inf")
    for _ in range(ROUNDS):
        count, start = 0, time.perf_counter()
        while time.perf_counter() - start < SECONDS:
            for _ in range(10):
                tumble.mj_step(m, d)
            count += 10
        best = min(best, (time.perf_counter() - start) / count)
    return best


def main(paths):
    worst = 0.0
    for path in paths:
        m = tumble.MjModel.from_xml_path(path)
        d = tumble.MjData(m)
        one(m, d)
        before = one(m, d)
        for name in INDICES:
            getattr(m, name)
        read = one(m, d)
        kept = [getattr(m, name) for name in INDICES]
        held = one(m, d)
        del kept
        released = one(m, d)
        worst = max(worst, read / before, released / before)
        print(
            f"before {before * 1e6:8.2f} us   read {read / before:6.3f}   held {held / before:6.3f}   released "
            f"{released / before:6.3f}   {path}",
            flush=True,
        )
    return int(worst > BOUND)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
