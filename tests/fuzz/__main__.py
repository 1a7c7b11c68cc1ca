"""`python -m tests.fuzz SECONDS [kind ...]`: random cases of all kinds; a line for each kind, and exit code 1 after a
finding.
"""

import sys
import time

from tests.fuzz.cases import KINDS
from tests.fuzz.runner import Runner, warm

# number of findings reported for each kind
SHOWN = 20


def main(words):
    seconds, kinds = float(words[0]) if words else 60.0, words[1:] or sorted(KINDS)
    # different seeds every time: failures are reported and stored by their seed
    start, bad = time.time_ns() // 1000 % 10**9, 0
    warm()
    for kind in kinds:
        found = Runner(kind, start).work(seconds / len(kinds))
        print(
            f"{kind:10s} {found.cases:8d} cases   {found.words['ok']:8d} ok   {found.words['refused']:8d} refused   "
            f"{len(found.findings):4d} findings",
            flush=True,
        )
        for seed, what in found.findings[:SHOWN]:
            print(f"    {kind} {seed}: {what}", flush=True)
        bad += len(found.findings)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
