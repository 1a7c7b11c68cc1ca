"""What the window tells: keys become intents, the mouse goes to the panels or to the view."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import glfw

from ..ui import intents as I
from .keymap import KeyCodes, no_text

if TYPE_CHECKING:
    from .session import Session


class Events:
    """Listens to a window for a session."""

    def __init__(self, session: Session) -> None:
        self.session, self.gui, self.gestures = session, session.gui, session.gestures
        self.codes = KeyCodes(glfw)
        # a script's own: (key, action, modifiers)
        self.key_callback: Callable[..., None] | None = None

    def on_key(self, key: int, scancode: int, action: int, mods: int) -> None:
        s = self.session
        s.activity.wake()
        # outside of text fields Tab belongs to the panels, not to ImGui's walk from field to field
        if key != glfw.KEY_TAB or action == glfw.RELEASE or self.gui.wants_text:
            self.gui.key(key, scancode, action, mods)
        chord = self.codes.chord(key, mods)
        if self.key_callback and action != glfw.REPEAT and not self.gui.wants_text:
            self.key_callback(key, action, mods)
        if action == glfw.RELEASE or not chord:
            return
        if waiting := s.scratch.numbers.pop("rebind", ""):
            # escape gives the change up
            if chord != "Esc":
                s.queue.append(I.Rebind(waiting, chord))
            return
        if (self.gui.wants_text or s.config["palette"]) and not no_text(chord):
            return
        found = s.keys.find(chord)
        if found and (action == glfw.PRESS or found.repeat):
            s.queue.append(found.make())

    def on_char(self, code: int) -> None:
        self.gui.char(code)

    def on_button(self, button: int, action: int, mods: int, x: float, y: float) -> None:
        self.session.activity.wake()
        self.gui.move(x, y)
        if action == glfw.PRESS:
            if not self.gui.over_panel(x, y):
                self.gestures.press(button, mods, x, y, time.perf_counter())
        else:
            self.gestures.release(button)
        self.gui.button(button, action == glfw.PRESS)

    def on_move(self, mods: int, x: float, y: float) -> None:
        self.session.activity.wake()
        self.gui.move(x, y)
        self.gestures.move(mods, x, y)

    def on_wheel(self, x: float, y: float, dx: float, dy: float) -> None:
        self.session.activity.wake()
        if self.gui.over_panel(x, y) or not self.gestures.wheel(x, y, dy):
            self.gui.wheel(dx, dy)

    def on_drop(self, paths: Sequence[str]) -> None:
        self.session.activity.wake()
        if paths:
            self.session.document.load(paths[0])

    def on_focus(self, focused: bool) -> None:
        self.session.activity.wake()
        self.gui.focus(focused)
        if not focused:
            self.gestures.cancel()

    def on_resize(self) -> None:
        self.session.activity.wake()

    def on_error(self, error: Exception) -> None:
        self.session.messages.failed(error)
