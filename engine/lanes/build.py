"""Programs made beside the work: another process translates a model and keeps what it made in the store.

batch ──▶ begin(model, ...)      steps world by world meanwhile
             └─ process: work() ──▶ store ──▶ kept_program(model, ...)
"""

import gc
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import threading

from ..core.model import MjModel
from ..machine.systems import QUIET
from .program import host_width, key_of, program_of

HOME = pathlib.Path(__file__).resolve().parents[2]
# whoever waits for a model that takes longer than this asks for its lanes himself
MOST_SECONDS = 120.0
# processes at work, by what they make
_AT_WORK: dict[str, subprocess.Popen] = {}


def begin(model: MjModel, kept: frozenset[str], own: frozenset[str]) -> str:
    """Have a model's program made by another process; returns its name for `ended`. OSError if no process can be started."""
    key = key_of(model, host_width(), kept, own)
    if key not in _AT_WORK:
        path = os.pathsep.join([str(HOME), *filter(None, [os.environ.get("PYTHONPATH")])])
        with tempfile.TemporaryFile() as file:
            pickle.dump((model, kept, own), file)
            file.seek(0)
            # it goes on if this process ends: what it makes is there at the next start
            _AT_WORK[key] = subprocess.Popen(
                [sys.executable, "-P", "-c", f"from {__name__} import work; work()"],
                stdin=file,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=dict(os.environ, PYTHONPATH=path),
                creationflags=QUIET,
            )
    return key


def ended(key: str) -> bool:
    """Whether the process of a name is done."""
    process = _AT_WORK.get(key)
    if process is not None and process.poll() is None:
        return False
    _AT_WORK.pop(key, None)
    return True


def work() -> None:
    """The process: the program of the model on standard input."""
    timer = threading.Timer(MOST_SECONDS, os._exit, (1,))
    timer.daemon = True
    timer.start()
    model, kept, own = pickle.load(sys.stdin.buffer)
    gc.disable()
    program_of(model, kept=kept, own=own)
    # the compiler's objects would be cleared one by one, for a second
    os._exit(0)
