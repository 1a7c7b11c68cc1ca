"""The data that panels receive."""

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
from .tips import TIPS

if TYPE_CHECKING:
    # Import these only for type checks: the overlays of a script's viewer must work without ImGui.
    from ..engine.core.data import MjData
    from ..engine.core.model import MjModel
    from .board import Board
    from .shown import Examination, Failure, Imported, Keys, Samples, Settings, Status, Undo, View
    from .telemetry import Telemetry
    from .theme import Fonts, Theme

State = TypeVar("State")
# The file and line at the beginning of compiler messages.
_PLACE = re.compile(r"^[^\n]*?\bline \d+(, column \d+)?[,:] *")


def without_place(message: str) -> str:
    """Return a compiler message without the file and line at its start."""
    return _PLACE.sub("", message, count=1)


@dataclass(frozen=True)
class LogLine:
    """A message. `level`: info, warning or error; `file` and `line` if it refers to a place in a file."""

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
    """A script's overlays over the view: (viewport, figure), (font, place, left, right), (viewport, image)."""

    figures: list = field(default_factory=list)
    texts: list = field(default_factory=list)
    images: list = field(default_factory=list)


class Scratch:
    """State that panels keep between frames. Each panel has a class for its state; the single instance of this class is created
    on first use."""

    def __init__(self) -> None:
        self._states: dict[type, Any] = {}

    def of(self, kind: type[State]) -> State:
        """Return the single instance of a state class."""
        found = self._states.get(kind)
        if found is None:
            found = self._states[kind] = kind()
        return found


@dataclass
class Filters:
    """The contents of search fields, by field name."""

    texts: dict[str, str] = field(default_factory=dict)


@dataclass
class Resized:
    """Whether the main window's size changed since the last frame."""

    now: bool = False


# left, top, width and height in the window
Place = list[float]


@dataclass
class Seen:
    """Positions of rows and marks in the window, recorded for traces."""

    # left, top, right, bottom of the axis
    timeline: Place = field(default_factory=list)
    # centers of the attributes' fields, and of the button `delete`
    element_rows: dict[str, Place] = field(default_factory=dict)
    # visible rows of the explorer, by kind and name
    tree_rows: dict[str, Place] = field(default_factory=dict)
    menu_rows: dict[str, Place] = field(default_factory=dict)
    # buttons by label
    buttons: dict[str, Place] = field(default_factory=dict)
    script: dict[str, Place] = field(default_factory=dict)
    # positions of flashing items
    flashes: dict[str, Place] = field(default_factory=dict)
    # a point on the line that marks the current time in a plot
    cursor: Place = field(default_factory=list)

    def fresh_buttons(self) -> dict[str, Place]:
        """Return an empty table for the buttons of a frame."""
        self.buttons = {}
        return self.buttons


@dataclass
class Context:
    """The inputs of one frame. `d` is the renderer's copy, safe to read."""

    # Without a model, `m` and `d` are None, which the types omit: then only panels that need no model are drawn.
    m: MjModel
    d: MjData
    view: View
    status: Status
    settings: Settings
    keys: Keys
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
    # whether the load is so slow that a button to cancel it is of use
    slow: bool = False
    failure: Failure | None = None
    notice: str = ""
    notice_level: str = "info"
    fps: float = 0.0
    frame_ms: float = 0.0
    passive: bool = False
    # a script steps the simulation, but has not called the viewer for a while
    waiting: bool = False
    overlays: Overlays | None = None
    em: float = 15.0
    # (key, image) -> texture, None without a renderer; framebuffer pixels per window unit
    texture: Callable[[Any, Any], int] | None = None
    pixels: float = 1.0
    # path of a model file -> its picture, None while it is made
    thumbnail: Callable[[str], Any] | None = None
    # the arguments, options and report of an imported file
    imported: Imported | None = None
    # progress of computing collision shapes, as text; empty if none are being computed
    shaping: str = ""
    # files of the model, and the report on the last reload
    files: tuple[str, ...] = ()
    account: Any = None
    # the user's plugin files
    plugins: tuple = ()
    # a script's additions
    board: Board | None = None
    # (camera, kind, width, height) -> newest picture of that camera
    inset: Callable[[int, str, int, int], Any] | None = None
    # samples for plots
    samples: Samples | None = None
    # the doctor's activity or result
    doctor: Examination | None = None
    # actions that can be undone and redone
    undo: Undo | None = None
    # length in seconds of the film that is being recorded
    recording: float | None = None
    view_rect: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)
    # positions of items, None if they are not recorded
    seen: Seen | None = None

    def hint(self, action: str) -> str:
        """Return the chord of an action, for tooltips and menus."""
        return self.keys.chord(action)

    def tip(self, action: str) -> str:
        """Return the description of an action, with its chord below, for a tooltip."""
        chord = self.hint(action) if action in self.keys.actions else ""
        return "\n".join(part for part in (TIPS.get(action, ""), chord) if part)

    @property
    def failure_text(self) -> str:
        """Return the reason why the model did not load, without the file and line, which are shown separately."""
        return without_place(self.failure.message) if self.failure else ""

    def report(self, where: str, error: Exception) -> None:
        """Log an error of a panel; log equal messages only once."""
        text = f"panel {where}: {type(error).__name__}: {error}"
        if not any(line.text == text for line in self.log.lines):
            place = traceback.extract_tb(error.__traceback__)[-1]
            print("".join(traceback.format_exception(error)), file=sys.stderr)
            self.log.add(LogLine(time.strftime("%H:%M:%S"), "error", text, place.filename, place.lineno or 0))

    @property
    def editable(self) -> bool:
        """Return whether joint sliders may write into the state: only while the simulation makes no steps."""
        return self.m is not None and (not self.status.running or self.status.held)
