"""Background translation: a child process translates a model to a lane program and saves it in the store.

batch ──▶ begin(model, ...)      steps world by world until the program is in the store
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
# seconds after which a child process gives up; later, the model is translated only if lanes=True requests it
MOST_SECONDS = 120.0
# running processes: {name of the program: process}
_AT_WORK: dict[str, subprocess.Popen] = {}


def begin(model: MjModel, kept: frozenset[str], own: frozenset[str]) -> str:
    """Start a process that translates a model; return the program's name, to pass to `ended`. Raise OSError if no process can
    be started."""
    key = key_of(model, host_width(), kept, own)
    if key not in _AT_WORK:
        path = os.pathsep.join([str(HOME), *filter(None, [os.environ.get("PYTHONPATH")])])
        with tempfile.TemporaryFile() as file:
            pickle.dump((model, kept, own), file)
            file.seek(0)
            # the child may outlive this process; the next process that needs the program then finds it in the store
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
    """Return whether the process that makes the named program has ended."""
    process = _AT_WORK.get(key)
    if process is not None and process.poll() is None:
        return False
    _AT_WORK.pop(key, None)
    return True


def work() -> None:
    """Translate the model received on standard input and store the program. This is the main function of the child process."""
    timer = threading.Timer(MOST_SECONDS, os._exit, (1,))
    timer.daemon = True
    timer.start()
    model, kept, own = pickle.load(sys.stdin.buffer)
    gc.disable()
    program_of(model, kept=kept, own=own)
    # exit at once: freeing the compiler's objects would take a second
    os._exit(0)
