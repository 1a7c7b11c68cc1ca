"""The objects that make up a window: view, panels, simulation and others. Panels, actions and events receive them as one object
and use what they need; this module does not depend on them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ui import intents as I
from ..ui import leaving
from ..ui.board import Board
from ..ui.context import Scratch, Seen
from ..ui.panel import source
from ..ui.telemetry import Telemetry
from .activity import Activity
from .config import Config
from .display import Display
from .doctor.examine import Examiner
from .document import Document
from .editing import Editing
from .filming import Filming
from .gestures import Gestures
from .gui import Gui
from .host import Host
from .insets import Insets
from .keymap import Keymap
from .messages import Messages
from .plugins import Plugins
from .snapshot import Snapshot
from .thumbnails import Thumbnails
from .undo import Undo
from .view import View
from .window import Window


@dataclass
class Parts:
    """The parts of one window. `queue`: requests that are not done yet; `scratch`: values that panels keep between frames."""

    window: Window
    gui: Gui
    config: Config
    host: Host
    activity: Activity
    messages: Messages
    document: Document
    view: View
    display: Display
    gestures: Gestures
    snapshot: Snapshot
    editing: Editing
    examiner: Examiner
    filming: Filming
    insets: Insets
    thumbnails: Thumbnails
    keys: Keymap
    telemetry: Telemetry = field(default_factory=Telemetry)
    queue: list[I.Intent] = field(default_factory=list)
    undo: Undo = field(default_factory=Undo)
    scratch: Scratch = field(default_factory=Scratch)
    # a script's additions, and the user's plugins
    board: Board | None = None
    plugins: Plugins | None = None
    # Whether the window closes without a question, because a script requested that it closes.
    parting: bool = False
    # positions of items in the window, recorded for traces
    seen: Seen | None = None

    def asks(self, then: I.Intent) -> bool:
        """Ask the user about unsaved changes before applying `then`. Return whether there are any."""
        edited, question = source.unsaved(self.scratch), self.scratch.of(leaving.Question)
        if edited and question.open is None:
            question.open = leaving.Leaving(edited, then)
        self.activity.wake()
        return bool(edited)

    def settle(self, files: list[str], then: I.Intent) -> None:
        """Ask the user which version to keep of files that were changed both here and by another program; then apply `then`."""
        question = self.scratch.of(leaving.Question)
        question.open = question.open or leaving.Leaving(files, then, kind="clash")
        self.activity.wake()

    def set_clipboard(self, text: str) -> None:
        """Copy a text to the clipboard, and show a message."""
        self.window.copy(text)
        self.messages.note("info", "Copied to the clipboard", show=True)
