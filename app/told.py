"""Functions shared by the commands without a window: they load a model or write a file. On failure, they exit with one line on
the error stream.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, NoReturn, TextIO

from .. import engine as mj
from .compiling import Kernels, Progress
from .loading import compile_file, is_outside, place_of

ADVICE = " (`--trust` lets models in its folder read files outside it, from now on)"
# The location at the beginning of a compiler message.
_PLACE = re.compile(r"^(?:[^\n,]+, )?line \d+(?:, column \d+)?[,:] *|^Error: ")


class Opened(NamedTuple):
    """A model loaded for a command. `seconds`: time for reading and compiling the model, without its kernels."""

    m: mj.MjModel
    d: mj.MjData
    warning: str
    seconds: float


@contextmanager
def opened(path: str, steps: bool = True) -> Iterator[Opened]:
    """Load a model for a command, or exit with the compiler's message.

    If `steps`, the kernels that steps need are compiled first, on all cores. Other kernels run interpreted until compiled.
    The error stream shows the progress, if there is anything to compile.
    """
    bar = Bar()
    kernels = Kernels(lambda: bar.show(kernels.progress()))
    try:
        yield _load(path, steps, kernels, bar)
    finally:
        bar.close()
        kernels.stop()


def _load(path: str, steps: bool, kernels: Kernels, bar: Bar) -> Opened:
    try:
        kernels.start(path, steps)
        begin = time.perf_counter()
        m, d, _copy, warning = compile_file(path, prepare=kernels.prepare if steps else lambda m, progress: None)
        seconds = time.perf_counter() - begin - kernels.waited
        if steps:
            bar.show(kernels.progress())
            kernels.wait(m)
        return Opened(m, d, warning, seconds)
    except Exception as error:
        bar.close()
        file, line = place_of(error, path)
        text = _PLACE.sub("", str(error).strip(), count=1) or type(error).__name__
        # Write the location in a form that editors and terminals turn into a link.
        column = f":{getattr(error, 'column')}" if line and getattr(error, "column", 0) else ""
        place = f"{file}:{line}{column}: " if line else "" if file in text else f"{file}: "
        return fail(f"{place}{text}{ADVICE if is_outside(error) else ''}", 1)


class Bar:
    """Shows the progress of compiling kernels on the error stream: a bar on a terminal, or a line every few seconds in a log.
    It prints nothing if there is nothing to compile.
    """

    WIDTH, EVERY = 30, 5.0

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.terminal = self.stream.isatty()
        self.begun = self.said = 0.0
        self.done = 0

    def show(self, progress: Progress | None) -> None:
        """Show the progress, at most every few seconds in a log. None means that nothing is left to compile."""
        now = time.perf_counter()
        if progress is None:
            self.close()
            return
        if quiet():
            return
        self.done = progress.done
        if not self.terminal and self.said and now - self.said < self.EVERY:
            return
        self.begun, self.said = self.begun or now, now
        left = f", about {progress.seconds_left} s" if progress.seconds_left is not None else ""
        text = f"compiling kernels, once on this machine: {progress.done} of {progress.total}{left}"
        if self.terminal:
            filled = self.WIDTH * progress.done // max(1, progress.total)
            self.stream.write(f"\r[{'#' * filled}{'.' * (self.WIDTH - filled)}] {text}\x1b[K")
        else:
            self.stream.write(f"tumble: {text}\n")
        self.stream.flush()

    def close(self) -> None:
        """Finish the output."""
        if self.begun and self.terminal:
            self.stream.write("\r\x1b[K")
        if self.begun and self.done:
            self.stream.write(f"tumble: kernels compiled in {time.perf_counter() - self.begun:.1f} s\n")
        self.begun, self.done = 0.0, 0


class Count:
    """Shows the progress of a long command on the error stream: one updated line on a terminal, or a line every few
    seconds in a log.
    """

    AFTER, EVERY = 2.0, 5.0

    def __init__(self, what: str, stream: TextIO | None = None) -> None:
        self.what, self.stream = what, stream or sys.stderr
        self.terminal, self.begun = self.stream.isatty(), time.perf_counter()
        self.said = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Show the progress, unless the command has just started or the last line is recent."""
        now = time.perf_counter()
        if quiet() or now - self.begun < self.AFTER or not self.terminal and now - self.said < self.EVERY:
            return
        self.said = now
        left = (now - self.begun) * (total - done) / max(done, 1)
        text = f"{done} of {total} {self.what}, about {left:.0f} s left"
        self.stream.write(f"\r\x1b[K{text}" if self.terminal else f"tumble: {text}\n")
        self.stream.flush()

    def close(self) -> None:
        """End the progress line."""
        if self.terminal and self.said:
            self.stream.write("\r\x1b[K")


def quiet() -> bool:
    """Return whether the user has disabled progress output."""
    return bool(os.environ.get("TUMBLE_QUIET"))


def as_json(values: dict[str, Any]) -> None:
    """Print results as one JSON object for programs. Values that are not finite become null."""
    print(json.dumps(_plain(values)))


def _plain(value: Any) -> Any:
    """Return a value in a form that JSON can represent."""
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    return None if isinstance(value, float) and not math.isfinite(value) else value


def writable(path: str) -> None:
    """Exit with an error if a file cannot be written at this path. Commands call this before they start to work."""
    folder = folder_of(path)
    if os.path.isdir(path):
        fail(f"cannot write {path}: it is a folder", 1)
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        fail(f"cannot write {path}: no permission", 1)


def folder_of(path: str) -> str:
    """Return the folder of an output file; exit with an error if the folder does not exist."""
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        fail(f"cannot write {path}: there is no folder {folder}", 1)
    return folder


def fail(text: str, status: int = 2) -> NoReturn:
    """Print one line on the error stream and exit. Status 1 means an error in a model or file, 2 a wrong command line."""
    print(f"tumble: {text}", file=sys.stderr)
    raise SystemExit(status) from None


def written(path: str, write: Callable[[], Any]) -> None:
    """Write a file; if that fails, exit with the reason."""
    folder_of(path)
    try:
        write()
    except OSError as error:
        fail(f"cannot write {path}: {error.strerror or error}", 1)
    except mj.FatalError as error:
        fail(f"cannot write {path}: {error}", 1)
