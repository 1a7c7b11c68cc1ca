"""What a panel sees."""

from __future__ import annotations

import re
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from .intents import Intent

if TYPE_CHECKING:
    # the texts and overlays of a script's viewer need no ImGui
    from .telemetry import Telemetry
    from .theme import Fonts, Theme

State = TypeVar("State")
# how the compiler begins a message
_PLACE = re.compile(r"^[^\n]*?\bline \d+(, column \d+)?[,:] *")


def without_place(message: str) -> str:
    """A message of the compiler without the file and line that it begins with."""
    return _PLACE.sub("", message, count=1)


@dataclass(frozen=True)
class LogLine:
    """`level`: info, warning or error; `file` and `line` if it points somewhere."""

    time: str
    level: str
    text: str
    file: str = ""
    line: int = 0


class Log:
    """Messages, newest last, with counts by level."""

    def __init__(self, size: int = 1000) -> None:
        self.lines: deque[LogLine] = deque(maxlen=size)
        self.count = {"info": 0, "warning": 0, "error": 0}

    def add(self, line: LogLine) -> None:
        self.lines.append(line)
        self.count[line.level] += 1

    def clear(self) -> None:
        self.lines.clear()
        self.count = dict.fromkeys(self.count, 0)


@dataclass
class Overlays:
    """What a script wants drawn over the view: (viewport, figure), (font, place, left, right), (viewport, image)."""

    figures: list = field(default_factory=list)
    texts: list = field(default_factory=list)
    images: list = field(default_factory=list)


class Scratch:
    """What panels remember between frames. Each has a class of its own for that, made when it is first asked for."""

    def __init__(self) -> None:
        self._states: dict[type, Any] = {}

    def of(self, kind: type[State]) -> State:
        """The one object of a class of states."""
        found = self._states.get(kind)
        if found is None:
            found = self._states[kind] = kind()
        return found


@dataclass
class Filters:
    """What is typed into search fields, by their names."""

    texts: dict[str, str] = field(default_factory=dict)


@dataclass
class Resized:
    """Whether the main window has another size than in the frame before."""

    now: bool = False


# left, top, width and height in the window
Place = list[float]


@dataclass
class Seen:
    """Where rows and marks are in the window; written down for a trace, where there is one."""

    # left, top, right, bottom of the axis
    timeline: Place = field(default_factory=list)
    # middle of the field of each attribute, and of the button `delete`
    element_rows: dict[str, Place] = field(default_factory=dict)
    menu_rows: dict[str, Place] = field(default_factory=dict)
    script: dict[str, Place] = field(default_factory=dict)
    # what flashes
    flashes: dict[str, Place] = field(default_factory=dict)
    # a point of the line at the current time in a plot
    cursor: Place = field(default_factory=list)


@dataclass
class Context:
    """One frame's inputs. `m` and `d` are None without a model; `d` is the renderer's copy, safe to read."""

    m: Any
    d: Any
    view: Any
    status: Any
    settings: Any
    keys: Any
    emit: Callable[[Intent], None]
    theme: Theme
    fonts: Fonts
    telemetry: Telemetry
    log: Log
    scratch: Scratch
    speeds: tuple = ()
    real_time: int = 0
    path: str = ""
    loading: str = ""
    failure: Any = None
    notice: str = ""
    fps: float = 0.0
    frame_ms: float = 0.0
    passive: bool = False
    # a script that steps has not been heard of for a while
    waiting: bool = False
    overlays: Any = None
    em: float = 15.0
    # (key, image) -> texture, where there is something that draws; framebuffer pixels per unit of length
    texture: Callable[[Any, Any], int] | None = None
    pixels: float = 1.0
    # what the model was read from, and the last reload's account
    files: tuple[str, ...] = ()
    account: Any = None
    # files of the person's plugins
    plugins: tuple = ()
    # what a script put into the viewer: a Board of ui.board
    board: Any = None
    # (camera, kind, width, height) -> what that camera saw last
    inset: Callable[[int, str, int, int], Any] | None = None
    # what is followed for plots: Samples of app.recorder
    samples: Any = None
    # what the doctor is at, or has found: an Examination of app.doctor
    doctor: Any = None
    # what was done, and what of it was taken back: an Undo of app.undo
    undo: Any = None
    # seconds of the film that is being recorded
    recording: float | None = None
    view_rect: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)
    # where things are, if somebody writes that down
    seen: Seen | None = None

    def hint(self, action: str) -> str:
        """Chord of an action, for tooltips and menus."""
        return self.keys.chord(action)

    @property
    def failure_text(self) -> str:
        """Why the model did not load, without the place, which is shown apart."""
        return without_place(self.failure.message) if self.failure else ""

    def report(self, where: str, error: Exception) -> None:
        """Put an error of a panel in the log, once for each text."""
        text = f"panel {where}: {type(error).__name__}: {error}"
        if not any(line.text == text for line in self.log.lines):
            place = traceback.extract_tb(error.__traceback__)[-1]
            print("".join(traceback.format_exception(error)), file=sys.stderr)
            self.log.add(LogLine(time.strftime("%H:%M:%S"), "error", text, place.filename, place.lineno or 0))

    @property
    def editable(self) -> bool:
        """Joint sliders write into the state only while nothing else does."""
        return self.m is not None and (not self.status.running or self.status.held)
