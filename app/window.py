"""The glfw window: context, callbacks, size, full screen, clipboard. It passes events to a listener, which decides what
to do.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import glfw

from ..render.gl.libraries import choose_software_threads

MIN_SIZE = (480, 320)
# null pointer, as an argument of glfw functions
NO_WINDOW: Any = None


class WindowError(RuntimeError):
    """No window could be opened. The text says what is missing."""


@dataclass(frozen=True)
class Input:
    """An event that has not been handled yet: the listener's method, its arguments, and the earliest and latest time at which
    it may have happened.
    """

    kind: str
    args: tuple
    since: float
    until: float


class Listener(Protocol):
    """Handles events in order. Positions are in window coordinates, with y down; `held` contains the pressed mouse buttons."""

    def on_key(self, key: int, scancode: int, action: int, mods: int) -> None: ...
    def on_char(self, code: int) -> None: ...
    def on_button(self, button: int, action: int, mods: int, x: float, y: float) -> None: ...
    def on_move(self, mods: int, held: set[int], x: float, y: float) -> None: ...
    def on_wheel(self, x: float, y: float, dx: float, dy: float) -> None: ...
    def on_drop(self, paths: Sequence[str]) -> None: ...
    def on_focus(self, focused: bool) -> None: ...
    def on_resize(self) -> None: ...


def describe_failure(code: int, text: str) -> str:
    """Return one line that tells the user what to install or set."""
    if code == glfw.API_UNAVAILABLE or "GLX" in text or "EGL" in text:
        return f"no OpenGL: {text}. Install the system's OpenGL library (Debian: apt install libgl1 libgl1-mesa-dri)"
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return "no display: DISPLAY and WAYLAND_DISPLAY are not set. Start it from a desktop, or under xvfb-run"
    return f"the window system refused: {text}"


class Window:
    """One window with an OpenGL 3.3 core context that is current on this thread."""

    def __init__(self, title: str, size: Sequence[int] = (), visible: bool = True, maximized: bool = False) -> None:
        self._errors: list[tuple[int, str]] = []
        glfw.ERROR_REPORTING = False
        choose_software_threads()
        glfw.set_error_callback(lambda code, text: self._errors.append((code, cast(bytes, text).decode(errors="replace"))))
        if not glfw.init():
            raise WindowError(describe_failure(*(self._errors or [(0, "unknown reason")])[-1]))

        for hint, value in (
            (glfw.CONTEXT_VERSION_MAJOR, 3),
            (glfw.CONTEXT_VERSION_MINOR, 3),
            (glfw.OPENGL_PROFILE, glfw.OPENGL_CORE_PROFILE),
            (glfw.OPENGL_FORWARD_COMPAT, True),
            (glfw.VISIBLE, visible),
            (glfw.SCALE_TO_MONITOR, len(size) != 2),
            (glfw.MAXIMIZED, maximized),
        ):
            glfw.window_hint(hint, value)

        width, height = size if len(size) == 2 else self._default_size()
        self.handle: Any = glfw.create_window(int(width), int(height), title, None, None)
        if not self.handle:
            raise WindowError(describe_failure(*(self._errors or [(0, "unknown reason")])[-1]))

        glfw.set_window_size_limits(self.handle, *MIN_SIZE, glfw.DONT_CARE, glfw.DONT_CARE)
        glfw.make_context_current(self.handle)
        self.vsync = True
        self._windowed: tuple[int, int, int, int] | None = None
        self._cursors: dict[int, Any] = {}
        self._cursor_at: tuple[float, float] | None = None
        # Whether the window is minimised. Asking the display server in every frame would wait for it.
        self.hidden = bool(glfw.get_window_attrib(self.handle, glfw.ICONIFIED))

        # Size in window coordinates, size in pixels, and content scale. They are cached, because a query takes a round trip.
        self._sizes: tuple[tuple[int, int], tuple[int, int], float] | None = None

        # Events that have not been handled yet, and the time of the last poll.
        self.inbox: deque[Input] = deque()
        self._looked = time.perf_counter()

    def make_current(self) -> None:
        """Make this window's OpenGL context current in the calling thread."""
        glfw.make_context_current(self.handle)

    @staticmethod
    def copy(text: str) -> None:
        """Copy a text to the clipboard."""
        glfw.set_clipboard_string(NO_WINDOW, text)

    @staticmethod
    def pasted() -> str:
        """Return the text on the clipboard; empty if there is none."""
        return cast(bytes, glfw.get_clipboard_string(NO_WINDOW) or b"").decode(errors="replace")

    @staticmethod
    def _default_size() -> tuple[int, int]:
        """Return a size that covers most of the primary monitor."""
        monitor = glfw.get_primary_monitor()
        if not monitor:
            return 1280, 800
        _x, _y, width, height = glfw.get_monitor_workarea(monitor)
        return max(MIN_SIZE[0], int(0.85 * width)), max(MIN_SIZE[1], int(0.85 * height))

    def listen(self) -> None:
        """Start to collect events in the inbox, with the mouse position and modifiers at the time of each event."""
        w = self.handle

        def heard(kind: str, function: Callable[..., tuple]) -> Callable[..., None]:
            def call(_w: Any, *args: Any) -> None:
                # Polling reports an event some time after it happened, so record the time range in which it happened.
                self.inbox.append(Input(kind, function(*args), self._looked, time.perf_counter()))

            return call

        def iconified(_w: Any, on: int) -> None:
            self.hidden = bool(on)

        def moved(x: float, y: float) -> tuple:
            self._cursor_at = (x, y)
            return self.modifiers(), self.buttons(), x, y

        glfw.set_window_iconify_callback(w, iconified)
        glfw.set_key_callback(w, heard("on_key", lambda *args: args))
        glfw.set_char_callback(w, heard("on_char", lambda code: (code,)))
        glfw.set_mouse_button_callback(w, heard("on_button", lambda *args: (*args, *self.cursor())))
        glfw.set_cursor_pos_callback(w, heard("on_move", moved))
        glfw.set_scroll_callback(w, heard("on_wheel", lambda dx, dy: (*self.cursor(), dx, dy)))
        glfw.set_drop_callback(w, heard("on_drop", lambda paths: (list(paths),)))
        glfw.set_window_focus_callback(w, heard("on_focus", lambda focused: (bool(focused),)))
        for listen in (
            glfw.set_window_size_callback,
            glfw.set_framebuffer_size_callback,
            glfw.set_window_content_scale_callback,
            glfw.set_window_refresh_callback,
        ):
            listen(w, heard("on_resize", lambda *_: ()))

    def cursor(self) -> tuple[float, float]:
        """Return the mouse position at the time of the event being handled. The system would only report the current
        position.
        """
        return self._cursor_at or glfw.get_cursor_pos(self.handle)

    def modifiers(self) -> int:
        """Return the bits of the modifiers that are held now, read from the state of the keys."""
        held = 0
        for bit, left, right in (
            (glfw.MOD_SHIFT, glfw.KEY_LEFT_SHIFT, glfw.KEY_RIGHT_SHIFT),
            (glfw.MOD_CONTROL, glfw.KEY_LEFT_CONTROL, glfw.KEY_RIGHT_CONTROL),
            (glfw.MOD_ALT, glfw.KEY_LEFT_ALT, glfw.KEY_RIGHT_ALT),
        ):
            if glfw.PRESS in (glfw.get_key(self.handle, left), glfw.get_key(self.handle, right)):
                held |= bit
        return held

    def held(self, keys: Iterable[int]) -> list[int]:
        """Return the keys of `keys` that are pressed."""
        return [key for key in keys if glfw.get_key(self.handle, key) == glfw.PRESS]

    def buttons(self) -> set[int]:
        """Return the pressed mouse buttons among left, right and middle, as glfw's button numbers."""
        return {b for b in range(3) if glfw.get_mouse_button(self.handle, b) == glfw.PRESS}

    # --- size -----------------------------------------------------------------------------------------------------

    @property
    def sizes(self) -> tuple[tuple[int, int], tuple[int, int], float]:
        """Size in window coordinates, size in pixels, and content scale. The values are cached until one of them changes,
        because a query takes a round trip.
        """
        if self._sizes is None:
            self._sizes = (
                glfw.get_window_size(self.handle),
                glfw.get_framebuffer_size(self.handle),
                glfw.get_window_content_scale(self.handle)[0] or 1.0,
            )
        return self._sizes

    @property
    def size(self) -> tuple[int, int]:
        return self.sizes[0]

    @property
    def framebuffer(self) -> tuple[int, int]:
        return self.sizes[1]

    @property
    def dpi(self) -> float:
        """Scale factor for text sizes in window coordinates."""
        (width, _), (pixels, _), scale = self.sizes
        # If the framebuffer has more pixels than the window has units, the system already applies the content scale.
        return scale / max(1.0, pixels / width) if width else scale

    @property
    def pixels_per_unit(self) -> float:
        return self.framebuffer[0] / max(1, self.size[0])

    @property
    def refresh(self) -> float:
        """Target frames per second: the monitor's refresh rate, or 60 if the monitor reports no plausible rate."""
        monitor = glfw.get_primary_monitor()
        mode = glfw.get_video_mode(monitor) if monitor else None
        rate = mode.refresh_rate if mode else 0
        return float(rate) if rate >= 30 else 60.0

    def toggle_fullscreen(self) -> None:
        """Switch to full screen on the primary monitor, or back to the previous size and position."""
        self._sizes = None
        if self._windowed:
            glfw.set_window_monitor(self.handle, NO_WINDOW, *self._windowed, glfw.DONT_CARE)
            self._windowed = None
            return
        monitor = glfw.get_primary_monitor()
        mode = glfw.get_video_mode(monitor) if monitor else None
        if monitor and mode:
            self._windowed = (*glfw.get_window_pos(self.handle), *self.size)
            glfw.set_window_monitor(self.handle, monitor, 0, 0, mode.size.width, mode.size.height, mode.refresh_rate)

    @property
    def fullscreen(self) -> bool:
        return self._windowed is not None

    @property
    def maximized(self) -> bool:
        return bool(glfw.get_window_attrib(self.handle, glfw.MAXIMIZED))

    # --- the rest -------------------------------------------------------------------------------------------------

    def set_vsync(self, on: bool) -> None:
        self.vsync = on
        glfw.swap_interval(1 if on else 0)

    def set_title(self, title: str) -> None:
        glfw.set_window_title(self.handle, title)

    def set_cursor(self, kind: int, shapes: dict[int, int]) -> None:
        """Show a mouse cursor. `shapes` maps its kind to glfw's constant of a standard cursor."""
        shape = shapes.get(kind)
        if shape is not None and shape not in self._cursors:
            self._cursors[shape] = glfw.create_standard_cursor(shape)
        glfw.set_cursor(self.handle, self._cursors[shape] if shape is not None else NO_WINDOW)

    def resized(self) -> None:
        """Clear the cached sizes."""
        self._sizes = None

    def poll(self) -> None:
        """Poll events. Frequent calls during a frame make the recorded times of events more precise."""
        glfw.poll_events()
        self._looked = time.perf_counter()

    def wait(self, seconds: float) -> None:
        """Sleep until an event arrives, for at most `seconds`."""
        glfw.wait_events_timeout(seconds)
        self._looked = time.perf_counter()

    @staticmethod
    def wake() -> None:
        """Let `wait` return. This may be called from another thread."""
        glfw.post_empty_event()

    def swap(self) -> None:
        glfw.swap_buffers(self.handle)

    @property
    def closing(self) -> bool:
        return bool(glfw.window_should_close(self.handle))

    def close(self, yes: bool = True) -> None:
        """Request that the window closes, or cancel such a request."""
        glfw.set_window_should_close(self.handle, yes)

    def destroy(self) -> None:
        """Destroy the window. glfw itself stays initialized, because a script may have its own windows and contexts."""
        if self.handle:
            glfw.destroy_window(self.handle)
            self.handle = None
