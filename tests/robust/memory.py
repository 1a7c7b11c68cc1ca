"""Fills all memory that a step must write before reading it with different bytes: `python -m tests.robust.memory MODEL ...`.

Scratch, the buffer of contacts and rows, and all results outside the state are filled before each step, with another
pattern in each of a few Data. If states differ by a bit, unwritten memory was read. `make check-memory` runs this with
kernels that check their indices, on buffers between protected pages.
"""

import ctypes
import faulthandler
import mmap
import os
import signal
import sys

import numpy as np

import tumble
from tumble.engine.api.state import COMPONENTS
from tumble.engine.machine import storage as of_storage
from tumble.engine.tables.schema import SCHEMAS

# large as integers; tiny, huge or NaN as numbers; out of every range as indices; only NaN reveals a product with zero
PATTERNS = (0x41, 0xBE, 0xFF)
STEPS = 60
# results that the next step may read: the state, sleep states, numbers that only callbacks write, and energies, which stay
# unless computed
KEPT = (
    {field for _, field, _ in COMPONENTS}
    | {"plugin", "plugin_data", "sensordata", "energy"}
    | {f.name for f in SCHEMAS["MjData"].arrays if "asleep" in f.name or "awake" in f.name}
)
RESULTS = [f.name for f in SCHEMAS["MjData"].arrays if f.group == "main" and f.name not in KEPT]


def poison(d, pattern):
    """Fill everything that no step may read."""
    storage = d.storage
    storage.buffer[scratch(d) :] = pattern
    if storage.growable is not None:
        storage.growable[:] = pattern
    for name in RESULTS:
        d.array(name).reshape(-1).view(np.uint8)[:] = pattern
    d.ncon = d.nefc = d.nisland = d.nidof = 0


def scratch(d):
    """Offset of scratch in the buffer: after the arrays that are copied."""
    return d.arrays_address - d.storage.buffer.ctypes.data + d.result_bytes


def difference(m, steps=STEPS, fields=("qpos", "qvel", "act", "sensordata", "qacc_warmstart", "qfrc_constraint")) -> str:
    """The first field that depends on the pattern, with its step; empty if there is none."""
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
            if len({np.asarray(getattr(d, name)).tobytes() for d in twins}) > 1:
                return f"{name} at step {k}"
    return ""


# ---- guards ----------------------------------------------------------------------------------------------------------------
def guarded_bytes(count, first=0, last=0):
    """Zeroed uint8 array between two pages that end the process when touched; first:last, which will be written, is not 0."""
    page, room = mmap.PAGESIZE, -(-count // of_storage.ALIGN) * of_storage.ALIGN
    pages = max(1, -(-room // page)) * page
    # private: forked processes have copies, as with other memory
    whole = mmap.mmap(-1, pages + 2 * page, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    first = ctypes.addressof(ctypes.c_char.from_buffer(whole))
    for guard in (first, first + page + pages):
        if ctypes.CDLL(None, use_errno=True).mprotect(ctypes.c_void_p(guard), page, 0):
            raise MemoryError(f"mprotect: {os.strerror(ctypes.get_errno())}")
    # the end touches the guard page, because reads beyond the end are more common
    start = page + pages - room
    found = np.frombuffer(whole, np.uint8)[start : start + count]
    found[first:last] = 0xFF
    return found


def guard():
    """Place the buffers of all structs between guard pages from now on."""
    vars(of_storage)["aligned_bytes"] = guarded_bytes


# ---- models ----------------------------------------------------------------------------------------------------------------
def verdict(path) -> str:
    """The verdict on a model: empty if nothing was found, else the reason why it was not tested, or the finding after a `!`."""
    try:
        found = difference(tumble.MjModel.from_xml_path(path))
    except (ValueError, tumble.FatalError, MemoryError) as error:
        return f"{type(error).__name__}: {str(error)[:80]}".replace("\n", " ")
    return f"!{found}" if found else ""


def looked_at(path, seconds=1800) -> str:
    """The verdict on a model, from a separate process: kernels that check their indices may end it."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        faulthandler.disable()
        signal.alarm(seconds)
        guard()
        try:
            text = verdict(path)
        except BaseException as error:
            text = f"!{type(error).__name__}: {error}"
        os.write(into, text.encode())
        os._exit(0)
    os.close(into)
    with os.fdopen(out) as file:
        text = file.read()
    status = os.waitpid(child, 0)[1]
    return f"!{signal.Signals(os.WTERMSIG(status)).name}" if os.WIFSIGNALED(status) else text


def main(paths):
    bad = 0
    for path in paths:
        found = looked_at(path)
        bad += found.startswith("!")
        print(f"{found or 'ok':30s} {path}", flush=True)
    print(f"{len(paths)} models, {bad} findings")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
