"""Messages to the user: lines in the console, and a notice over the view for a few seconds."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable

from ..ui.context import Log, LogLine
from ..ui.letters import plain
from .warned import Trouble

NOTICE_SECONDS = 4.0


class Messages:
    """The log and the current notice. `wake` is called when there is something new to show, `see` with each text."""

    def __init__(self, wake: Callable[[], None], see: Callable[[str], None]) -> None:
        self.log = Log()
        self._wake, self._see = wake, see
        self._notice, self._until = "", 0.0
        # Level of the current notice, text of the next notice, and text of the notice in the last picture.
        self._level, self._next, self._drawn = "info", "", ""

    @property
    def notice(self) -> str:
        """The text of the notice; empty once its time is over."""
        if time.perf_counter() > self._until:
            self._notice, self._level = "", "info"
            if self._next:
                self._show(self._next)
        return self._notice

    def draw(self) -> str:
        """Return the notice for the picture that is drawn now."""
        self._drawn = self.notice
        return self._drawn

    def follow(self) -> None:
        """Request a frame once the notice in the last frame has ended. While nothing moves, no other frame would remove it."""
        if self.notice != self._drawn:
            self._drawn = self.notice
            self._wake()

    @property
    def level(self) -> str:
        """Level of the notice: info, warning or error."""
        return self._level if self.notice else "info"

    def note(self, level: str, text: str, show: bool = False) -> None:
        """Add a line to the console. `show` also displays it over the view. Warnings and errors are always displayed there.
        Information that comes after them waits until they disappear.
        """
        text = plain(text)
        self.add(level, text)
        last = text.splitlines()[-1] if text else ""
        if level != "info":
            self._show(last)
            self._level = level
        elif show and self.notice and self._level != "info":
            self._next = last
        elif show:
            self._show(last)

    def _show(self, text: str) -> None:
        self._notice, self._until, self._next = text, time.perf_counter() + NOTICE_SECONDS, ""

    def saved(self, files: list[tuple[str, str]]) -> None:
        """Report files (path, error) that have been written; the error is empty if all went well."""
        for path, error in files:
            self.note("error" if error else "info", f"{path} was not saved: {error}" if error else f"Saved {path}", show=True)

    def add(self, level: str, text: str, file: str = "", line: int = 0) -> None:
        """Add a line to the console; it may link to a line of a file."""
        text = plain(text)
        self.log.add(LogLine(time.strftime("%H:%M:%S"), level, text, plain(file), line))
        self._see(text)
        self._wake()

    def warned(self, trouble: Trouble) -> None:
        """Log a warning of the engine. The view shows it in a separate box."""
        often = f" ({trouble.count} times)" if trouble.count > 1 else ""
        self.add("warning", f"{trouble.text}{often}" + ("; the simulation was reset" if trouble.reset else ""))

    def failed(self, error: Exception) -> None:
        """Report that a request failed."""
        self.note("error", f"{type(error).__name__}: {error}")
        print("".join(traceback.format_exception(error)), file=sys.stderr)
