"""Steps with bytes of different kinds in all memory that a step must not read before it writes it: `python -m tests.robust.memory MODEL ...`.

Scratch, and the buffer of contacts and rows, are filled before each step with one pattern in a first Data and with another in a second: if
states differ by a bit, something was read that nobody wrote. `make check-memory` runs this with kernels that check their indices.
"""
import sys

import numpy as np

import tumble

# as integers large, as numbers tiny or huge, and as indices out of every range
PATTERNS = (0x41, 0xBE)
STEPS = 60


def poison(d, pattern):
    """Fill what no step may read."""
    storage = d.storage
    storage.buffer[scratch(d):] = pattern
    if storage.growable is not None:
        storage.growable[:] = pattern
    d.ncon = d.nefc = 0


def scratch(d):
    """Where scratch begins in the buffer: behind the arrays that belong to a copy."""
    return d.arrays_address - d.storage.buffer.ctypes.data + d.result_bytes


def difference(m, steps=STEPS, fields=("qpos", "qvel", "act", "sensordata", "qacc_warmstart", "qfrc_constraint")) -> str:
    """The first field that depends on the pattern, with its step; empty if none does."""
    twins = [tumble.MjData(m) for _ in PATTERNS]
    rng = np.random.default_rng(0)
    for d in twins:
        if m.nkey:
            tumble.mj_resetDataKeyframe(m, d, 0)
    for k in range(steps):
        ctrl = rng.normal(size=m.nu)
        for d, pattern in zip(twins, PATTERNS, strict=True):
            d.ctrl[:] = ctrl
            poison(d, pattern)
            tumble.mj_step(m, d)
        for name in fields:
            a, b = (np.asarray(getattr(d, name)) for d in twins)
            if a.tobytes() != b.tobytes():
                return f"{name} at step {k}"
    return ""


def main(paths):
    bad = 0
    for path in paths:
        try:
            found = difference(tumble.MjModel.from_xml_path(path))
        except (ValueError, tumble.FatalError) as error:
            found = f"{type(error).__name__}: {error}"
        except IndexError as error:
            found, bad = f"IndexError: {error}", bad + 1
        bad += found.endswith(tuple("0123456789")) and " at step " in found
        print(f"{'ok' if not found else found:30s} {path}", flush=True)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
