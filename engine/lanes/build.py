"""Programs made in the background: another process translates a model and saves the program in the store.

batch ──▶ begin(model, ...)      steps world by world until then
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
# seconds after which a process gives up; the model is then translated only with lanes=True
MOST_SECONDS = 120.0
# running processes, by the names of their programs
_AT_WORK: dict[str, subprocess.Popen] = {}


def begin(model: MjModel, kept: frozenset[str], own: frozenset[str]) -> str:
    """Start a process that makes a model's program; return its name, to pass to `ended`. OSError if no process can be
    started."""
    key = key_of(model, host_width(), kept, own)
    if key not in _AT_WORK:
        path = os.pathsep.join([str(HOME), *filter(None, [os.environ.get("PYTHONPATH")])])
        with tempfile.TemporaryFile() as file:
            pickle.dump((model, kept, own), file)
            file.seek(0)
            # the process may outlive this one, and the program is then ready at the next start
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
    """Return whether the process with a name has ended."""
    process = _AT_WORK.get(key)
    if process is not None and process.poll() is None:
        return False
    _AT_WORK.pop(key, None)
    return True


def work() -> None:
    """Make the program of the model on standard input. This is the process's main function."""
    timer = threading.Timer(MOST_SECONDS, os._exit, (1,))
    timer.daemon = True
    timer.start()
    model, kept, own = pickle.load(sys.stdin.buffer)
    gc.disable()
    program_of(model, kept=kept, own=own)
    # exit at once: freeing the compiler's objects would take a second
    os._exit(0)
