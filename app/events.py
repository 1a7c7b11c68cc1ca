"""Window events: keys become intents, and the mouse goes to the panels or to the view.

Events wait in the window's inbox, with their positions, and are handled in order. If an earlier event may have changed the
panels, the next one waits until they have drawn a frame. So input has the same effect at two frames per second as at
sixty.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import glfw

from ..ui import browse, chooser, leaving, slider_keys
from ..ui import intents as I
from ..ui.gizmo import Handles
from ..ui.panel.keys import Rebinding
from .fly import LETTERS
from .keymap import Action, KeyCodes, no_text
from .parts import Parts
from .window import Input

# Single keys with these intents show a message, because they may be typed by accident.
SPOKEN = (I.SetVisFlag, I.SetRenderFlag, I.SetGroup, I.SetViewOption)
BUTTONS = ("left", "right", "middle")
# A new text field receives the keyboard after a few frames.
WAIT_FRAMES = 12
# {method that handles an event: number of frames that the panels need to process the event}
# The text editor drops a key in the frame after a key that moved its cursor.
SETTLE = {"on_button": 2, "on_key": 2, "on_wheel": 1, "on_drop": 1, "on_focus": 1, "on_resize": 1}


class Events:
    """Listens to a window's events."""

    def __init__(self, parts: Parts) -> None:
        self.parts, self.gui, self.gestures = parts, parts.gui, parts.gestures
        self.codes = KeyCodes(glfw)
        # callback of a script, called with (key, action, modifiers)
        self.key_callback: Callable[..., None] | None = None
        # actions of shortcut keys since the last frame; a message shows each of them
        self.spoken: list[I.Intent] = []
        # Frames left until an expected text field opens, and the characters typed in the meantime.
        self._waiting = 0
        self._held: list[tuple[Callable[..., None], tuple]] = []
        # Frames left in which a pressed button may open a text field.
        self._pressed = 0
        self._closing = False
        # The event being handled; panel frames to draw before the next event; whether the mouse has moved since the last one.
        self._input = Input("", (), 0.0, 0.0)
        self._settling, self._moved = 0, False

    def feed(self) -> bool:
        """Handle events until the panels must draw first. Return whether more are waiting."""
        inbox = self.parts.window.inbox
        while inbox and not self._settling:
            if inbox[0].kind == "on_button" and self._moved:
                # Panels must first find out what is under the mouse.
                self._settling = 1
                break
            self._input = item = inbox.popleft()
            try:
                getattr(self, item.kind)(*item.args)
            except Exception as error:
                # Report errors of a handler, so that the main loop continues.
                self.parts.messages.failed(error)
            self._settling = self._frames(item, inbox)
        return bool(inbox)

    def _frames(self, item: Input, inbox: Sequence[Input]) -> int:
        """Return the number of panel frames before the next event."""
        if item.kind == "on_key":
            return 0 if item.args[2] == glfw.RELEASE else SETTLE["on_key"]
        if item.kind == "on_wheel" and inbox and inbox[0].kind == "on_wheel":
            return 0
        return SETTLE.get(item.kind, 0)

    def on_key(self, key: int, scancode: int, action: int, mods: int) -> None:
        s = self.parts
        s.activity.wake()
        if self._waiting:
            self._held.append((self.gui.key, (key, scancode, action, mods)))
            return

        # Outside text fields, Tab toggles panels; ImGui would use it to go from field to field.
        if key != glfw.KEY_TAB or action == glfw.RELEASE or self.gui.wants_text:
            self.gui.key(key, scancode, action, mods)
        chord = self.codes.chord(key, mods)
        if self.key_callback and action != glfw.REPEAT and not self.gui.wants_text:
            self.key_callback(key, action, mods)
        if action == glfw.RELEASE or not chord:
            return

        rebinding = s.scratch.of(Rebinding)
        if waiting := rebinding.action:
            rebinding.action = ""
            # Bind the pressed chord to the action. Escape cancels the change.
            if chord != "Esc":
                s.queue.append(I.Rebind(waiting, chord))
            return

        if leaving.waiting(s.scratch) is not None and chord != "Esc":
            # While a dialog asks a question, it receives the keys.
            return
        listing = s.config["palette"] or s.scratch.of(browse.Browsing).opened or s.scratch.of(chooser.Choosing).opened
        if (self.gui.wants_text or listing) and not no_text(chord):
            return
        if chord == "Esc" and self._close():
            return
        if s.config["fly"] and self._flies(chord):
            return

        # The slider that was clicked last receives the arrow keys.
        if chord.split("+")[-1] in slider_keys.KEYS and slider_keys.focused():
            return

        # A script handles the keys that it has claimed.
        if s.board is not None and s.board.keys and action == glfw.PRESS and s.board.pressed(chord):
            return

        found = s.keys.find(chord)
        if found and (action == glfw.PRESS or found.repeat):
            self._do(found)

    def _flies(self, chord: str) -> bool:
        """Handle a key while flying: movement keys are not commands, and Escape ends the flight."""
        if chord == "Esc":
            self.parts.queue.append(I.SetSetting("fly", False))
            return True
        return chord.removeprefix("Shift+") in tuple(LETTERS)

    def _do(self, found: Action) -> None:
        """Run a key's action. Anything typed after a key that opens a text field is text, even before the field exists."""
        intent = found.make()
        self.parts.queue.append(intent)
        if len(found.chord.split("+")[-1]) == 1 and isinstance(intent, SPOKEN):
            self.spoken.append(intent)
        if found.text:
            self._waiting = WAIT_FRAMES

    def _close(self) -> bool:
        """Let Escape close the topmost open item: a menu, a drag of handles, a presentation, or the error of a model that did
        not load. Return False if nothing was open.
        """
        s = self.parts
        if self.gui.menu_open():
            self._closing = True
        elif (handles := s.scratch.of(Handles)).using:
            handles.cancel = True
        elif not s.config["bars"]:
            s.queue.append(I.Arrange("default"))
        elif s.document.failure is not None:
            s.queue.append(I.Dismiss())
        elif slider_keys.focused():
            slider_keys.leave()
        else:
            return False
        return True

    def closing_popups(self) -> bool:
        """Return whether menus close in this frame. Call this once a frame."""
        closing, self._closing = self._closing, False
        return closing

    def release(self) -> None:
        """After a frame, pass typed characters to the text field that has opened; drop them if none has."""
        self._pressed = max(0, self._pressed - 1)
        self._moved = False
        if not self.gui.behind:
            # ImGui has processed all its input.
            self._settling = max(0, self._settling - 1)
        if self.gui.behind or self.parts.window.inbox:
            # Otherwise the input would wait until the next event.
            self.parts.activity.wake()
        if not self._waiting:
            return
        self._waiting -= 1
        if self.gui.wants_text:
            self._waiting = 0
            for send, arguments in self._held:
                send(*arguments)
        if not self._waiting:
            self._held.clear()
        self.parts.activity.wake()

    def on_char(self, code: int) -> None:
        """Pass on a typed character. Drop characters of shortcuts, which would otherwise appear in the next text field."""
        if self._waiting:
            self._held.append((self.gui.char, (code,)))
        elif self._pressed or self.gui.wants_text:
            self.gui.char(code)

    def on_button(self, button: int, action: int, mods: int, x: float, y: float) -> None:
        self.parts.activity.wake()
        self.gui.move(x, y)
        if action == glfw.PRESS:
            self._pressed = WAIT_FRAMES
            if not self.gui.over_panel(x, y) and not self.parts.scratch.of(Handles).over:
                self.gestures.press(button, mods, x, y, self._input.until, self._input.since)
        else:
            self.gestures.release(button)
            self._clicked()
        self.gui.button(button, action == glfw.PRESS)

    def _clicked(self) -> None:
        """Call a script's callback for a click."""
        click, self.gestures.click = self.gestures.click, None
        board, view = self.parts.board, self.parts.view
        if click is not None and board is not None and board.hears("click"):
            button, x, y = click
            board.say("click", view.clicked(BUTTONS[button] if button < len(BUTTONS) else str(button), x, y))

    def on_move(self, mods: int, held: set[int], x: float, y: float) -> None:
        self.parts.activity.wake()
        self._moved = True
        self.gui.move(x, y)
        self.gestures.move(mods, x, y, held)

    def on_wheel(self, x: float, y: float, dx: float, dy: float) -> None:
        self.parts.activity.wake()
        if self.gui.over_panel(x, y) or not self.gestures.wheel(x, y, dy):
            self.gui.wheel(dx, dy)

    def on_drop(self, paths: Sequence[str]) -> None:
        self.parts.activity.wake()
        board = self.parts.board
        if paths and not (board is not None and board.say("drop", list(paths))):
            self.parts.queue.append(I.OpenFile(paths[0]))

    def on_focus(self, focused: bool) -> None:
        self.parts.activity.wake()
        self.gui.focus(focused)
        if not focused:
            self.gestures.cancel()

    def on_resize(self) -> None:
        self.parts.window.resized()
        self.parts.activity.wake()
