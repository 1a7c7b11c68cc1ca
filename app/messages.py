"""What the person is told: lines in the console, and a notice over the view for a few seconds."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable

from ..ui.context import Log, LogLine
from .warned import Trouble

NOTICE_SECONDS = 4.0


class Messages:
    """The log, and the notice that is shown now. `wake` is called when there is something new to see."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self.log = Log()
        self._wake = wake
        self._notice, self._until = "", 0.0
        # whether the message over the view warns, and the message that waits until that one has been read
        self._warns, self._next = False, ""

    @property
    def notice(self) -> str:
        """The line over the view; empty after its time."""
        if time.perf_counter() > self._until:
            self._notice, self._warns = "", False
            if self._next:
                self._show(self._next)
        return self._notice

    def note(self, level: str, text: str, show: bool = False) -> None:
        """Put a line in the console; `show` also puts it over the view, where warnings and errors always are, and longer than
        news that come after.
        """
        self.add(level, text)
        last = text.splitlines()[-1] if text else ""
        if level != "info":
            self._show(last)
            self._warns = True
        elif show and self._warns and self.notice:
            self._next = last
        elif show:
            self._show(last)

    def _show(self, text):
        self._notice, self._until, self._next = text, time.perf_counter() + NOTICE_SECONDS, ""

    def add(self, level: str, text: str, file: str = "", line: int = 0) -> None:
        """Put a line in the console that may point at a line of a file."""
        self.log.add(LogLine(time.strftime("%H:%M:%S"), level, text, file, line))
        self._wake()

    def warned(self, trouble: Trouble) -> None:
        """The engine warned; the view has a box of its own for that."""
        often = f" ({trouble.count} times)" if trouble.count > 1 else ""
        self.add("warning", f"{trouble.text}{often}" + ("; the simulation was reset" if trouble.reset else ""))

    def failed(self, error: Exception) -> None:
        """Something that was asked for failed: say so and go on."""
        self.note("error", f"{type(error).__name__}: {error}")
        print("".join(traceback.format_exception(error)), file=sys.stderr)
