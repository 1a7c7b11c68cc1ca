"""Arena size of a model, and elements that do not fit, against the reference: `python -m tests.parity.arena MODEL.xml ...`.

Each model is compiled with five sizes of its arena, fractions of what its first steps use in the reference, and stepped.
The sizes are chosen so that, if possible, something does not fit. The report compares the number of contacts and rows, the
use of the arena (`parena`), its maximum (`maxuse_con`, `maxuse_efc`), both warnings of a full arena with the number that they
last reported, and whether the model is refused.

`maxuse_arena` is reported separately: the reference adds its stack, with the scratch of its functions, of which this package
counts only a part (`tumble.engine.core.arena`). Sizes in which that scratch does not fit are skipped, because the reference
refuses the model or ends the program ("stack overflow").
"""

import json
import os
import signal
import sys
import tempfile

import mujoco

import tumble

STEPS = 5
SHARES = (1, 0.98, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 1.2, 1.5, 2, 3, 5)
SIZES = 5
# fraction of the memory that a first, generous run may take
PLENTY = 1 << 28
SECONDS = 120
CONTACTFULL, CNSTRFULL = int(mujoco.mjtWarning.mjWARN_CONTACTFULL), int(mujoco.mjtWarning.mjWARN_CNSTRFULL)
COUNTS = ("ncon", "nefc", "parena", "maxuse_con", "maxuse_efc")
APART = "maxuse_arena"


def counts(lib, path, memory):
    """The counts after a few steps, by name; a text if the model is refused or the reference fails."""
    try:
        spec = lib.MjSpec.from_file(path)
        spec.memory = memory
        m = spec.compile()
    except (ValueError, lib.FatalError) as error:
        return f"refused: {str(error)[:60]}"
    d = lib.MjData(m)
    if m.nkey:
        lib.mj_resetDataKeyframe(m, d, 0)
    try:
        for _ in range(STEPS):
            lib.mj_step(m, d)
    except mujoco.FatalError as error:
        return f"gives up: {str(error)[:60]}"
    found = {n: int(getattr(d, n)) for n in (*COUNTS, APART)}
    return found | {
        n: [int(d.warning[k].number), int(d.warning[k].lastinfo)] for n, k in (("contacts", CONTACTFULL), ("rows", CNSTRFULL))
    }


def apart(*args):
    """`counts` in a separate process: the reference may write beyond its arena."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        signal.alarm(SECONDS)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        # folder for the reference's log
        os.chdir(tempfile.gettempdir())
        try:
            os.write(into, json.dumps(counts(*args)).encode())
        finally:
            os._exit(0)
    os.close(into)
    with os.fdopen(out) as file:
        found = file.read()
    os.waitpid(child, 0)
    return json.loads(found) if found else "ended"


def leaves_out(found):
    return found["contacts"][0] + found["rows"][0] > 0


def compare(path):
    """[(memory, reference's, ours)]; empty for a model without contacts and rows, or with different ones when there is
    room for all.
    """
    free = apart(mujoco, path, PLENTY)
    if not isinstance(free, dict) or not free["parena"] or verdict(free, counts(tumble, path, PLENTY)):
        return []
    sizes = [int(share * free[APART]) for share in SHARES]
    runs = [(size, found) for size in sizes if isinstance(found := apart(mujoco, path, size), dict)]
    runs.sort(key=lambda run: not leaves_out(run[1]))
    return [(size, wanted, counts(tumble, path, size)) for size, wanted in runs[:SIZES]]


def verdict(wanted, found):
    """The differences, or nothing."""
    if not isinstance(found, dict):
        return f"{found} here"
    return ", ".join(f"{n} {wanted[n]} {found[n]}" for n in wanted if n != APART and wanted[n] != found[n])


def main(paths):
    for lib in (mujoco, tumble):
        lib.set_mju_user_warning(lambda text: None)
    models = cases = different = full = same = 0
    for path in paths:
        rows = compare(os.path.abspath(path))
        models += len(rows) > 0
        for memory, wanted, found in rows:
            text = verdict(wanted, found)
            cases, different, full = cases + 1, different + (text != ""), full + leaves_out(wanted)
            same += not text and wanted[APART] == found[APART]
            if text:
                print(f"{path} {memory}: {text}", flush=True)
    print(
        f"{models} models of {len(paths)} use an arena: {cases} sizes, {full} of which leave something out, "
        f"{different} different; {APART} equal in {same}",
        flush=True,
    )
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
