"""Guards terminals: control characters in names and messages of a model are printed as numbers. Otherwise, a stranger's file
could move the cursor, change colours or the title, or type into the terminal.
"""

from __future__ import annotations

import re
import sys
from typing import Any

# Control characters, except line ends and tabs, and except the sequence with which progress erases its line.
CONTROLS = re.compile(r"(?!\x1b\[K)[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


class Guarded:
    """A text stream on a terminal that prints control characters as numbers, such as `\\x1b`."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text; return its length."""
        self._stream.write(CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def guard() -> None:
    """From now on, guard the output and the error stream if they are terminals."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and not isinstance(stream, Guarded) and stream.isatty():
            setattr(sys, name, Guarded(stream))
