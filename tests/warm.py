"""Compiles every kernel on all cores before the tests run, so that no test waits for the compiler."""

import sys
import time

import tumble


def main():
    begin = time.perf_counter()
    seconds = tumble.warmup(everything=True, progress=lambda done, total, name: print(f"{done}/{total} {name}", flush=True))
    if seconds:
        lines = sum(seconds.values())
        print(f"compiled {len(seconds)} kernels in {time.perf_counter() - begin:.0f} s ({lines:.0f} s of work)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
