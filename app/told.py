"""What commands without a window share: a model is loaded or a file written, or one line on the error stream says why not."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from .. import engine as mj
from .loading import compile_file, is_outside, place_of

ADVICE = " (`--trust` lets models of its folder read files elsewhere, from now on)"
# where the compiler's messages say the place themselves
_PLACE = re.compile(r"^(?:[^\n,]+, )?line \d+(?:, column \d+)?[,:] *|^Error: ")


def load(path: str) -> tuple[mj.MjModel, mj.MjData, mj.MjData, str]:
    """What `compile_file` makes of a model, or the end of the program with the compiler's message."""
    try:
        return compile_file(path)
    except Exception as error:
        file, line = place_of(error, path)
        text = _PLACE.sub("", str(error).strip(), count=1) or type(error).__name__
        # the place as editors and terminals make a link of it
        column = f":{getattr(error, 'column')}" if line and getattr(error, "column", 0) else ""
        place = f"{file}:{line}{column}: " if line else "" if file in text else f"{file}: "
        return fail(f"{place}{text}{ADVICE if is_outside(error) else ''}", 1)


def fail(text: str, status: int = 2) -> NoReturn:
    """One line on the error stream, and the end: 1 for a model or file that is no good, 2 for what was asked."""
    print(f"tumble: {text}", file=sys.stderr)
    raise SystemExit(status) from None


def written(path: str, write: Callable[[], Any]) -> None:
    """Write a file, or say why not."""
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        fail(f"cannot write {path}: there is no folder {folder}", 1)
    try:
        write()
    except OSError as error:
        fail(f"cannot write {path}: {error.strerror or error}", 1)
    except mj.FatalError as error:
        fail(f"cannot write {path}: {error}", 1)
