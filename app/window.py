"""The glfw window: context, callbacks, size, full screen, clipboard. It makes no decisions: events go to a listener."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import glfw

MIN_SIZE = (480, 320)
# null pointer for glfw
NO_WINDOW: Any = None


class WindowError(RuntimeError):
    """No window could be opened; the text says what is missing."""


@dataclass(frozen=True)
class Input:
    """An event that waits to be handled: the listener's method, its arguments, and the earliest and latest time it may have
    happened."""

    kind: str
    args: tuple
    since: float
    until: float


class Listener(Protocol):
    """Handles events in order. Positions are in window coordinates, y down; `held` contains the pressed mouse buttons."""

    def on_key(self, key: int, scancode: int, action: int, mods: int) -> None: ...
    def on_char(self, code: int) -> None: ...
    def on_button(self, button: int, action: int, mods: int, x: float, y: float) -> None: ...
    def on_move(self, mods: int, held: set[int], x: float, y: float) -> None: ...
    def on_wheel(self, x: float, y: float, dx: float, dy: float) -> None: ...
    def on_drop(self, paths: Sequence[str]) -> None: ...
    def on_focus(self, focused: bool) -> None: ...
    def on_resize(self) -> None: ...


def describe_failure(code: int, text: str) -> str:
    """Return one line that says what to install or set."""
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

        # Cached until the next change, because requests take a round trip: sizes in window coordinates and in pixels, and
        # content scale.
        self._sizes: tuple[tuple[int, int], tuple[int, int], float] | None = None

        # Events not handled yet, and the time of the last poll.
        self.inbox: deque[Input] = deque()
        self._looked = time.perf_counter()

    def make_current(self) -> None:
        """Make this thread's OpenGL calls apply to this window."""
        glfw.make_context_current(self.handle)

    @staticmethod
    def copy(text: str) -> None:
        """Put a text on the clipboard."""
        glfw.set_clipboard_string(NO_WINDOW, text)

    @staticmethod
    def _default_size() -> tuple[int, int]:
        """Return a size that covers most of the primary monitor."""
        monitor = glfw.get_primary_monitor()
        if not monitor:
            return 1280, 800
        _x, _y, width, height = glfw.get_monitor_workarea(monitor)
        return max(MIN_SIZE[0], int(0.85 * width)), max(MIN_SIZE[1], int(0.85 * height))

    def listen(self) -> None:
        """Start to put events into the inbox, with their positions and modifiers."""
        w = self.handle

        def heard(kind: str, function: Callable[..., tuple]) -> Callable[..., None]:
            def call(_w: Any, *args: Any) -> None:
                # Events are only noticed when polled, so record the time range in which each happened.
                self.inbox.append(Input(kind, function(*args), self._looked, time.perf_counter()))

            return call

        def moved(x: float, y: float) -> tuple:
            self._cursor_at = (x, y)
            return self.modifiers(), self.buttons(), x, y

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
        """Return the mouse position at the event being handled, because the system only knows the current position."""
        return self._cursor_at or glfw.get_cursor_pos(self.handle)

    def modifiers(self) -> int:
        """Return the bits of modifiers held now, read from the keys themselves."""
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
        """Return those of the given keys that are pressed."""
        return [key for key in keys if glfw.get_key(self.handle, key) == glfw.PRESS]

    def buttons(self) -> set[int]:
        """Return the pressed ones of the left, right and middle buttons, by glfw's numbers."""
        return {b for b in range(3) if glfw.get_mouse_button(self.handle, b) == glfw.PRESS}

    # --- size -----------------------------------------------------------------------------------------------------

    @property
    def sizes(self) -> tuple[tuple[int, int], tuple[int, int], float]:
        """Size in window coordinates, size in pixels, and content scale. A request takes a round trip, so the values are cached
        until one of them changes.
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
        """Factor for text size in window coordinates."""
        (width, _), (pixels, _), scale = self.sizes
        # If the framebuffer is finer than the window, the system already applies the scale.
        return scale / max(1.0, pixels / width) if width else scale

    @property
    def pixels_per_unit(self) -> float:
        return self.framebuffer[0] / max(1, self.size[0])

    @property
    def refresh(self) -> float:
        """Target frames per second; monitors may report 0."""
        monitor = glfw.get_primary_monitor()
        mode = glfw.get_video_mode(monitor) if monitor else None
        rate = mode.refresh_rate if mode else 0
        return float(rate) if rate >= 30 else 60.0

    def toggle_fullscreen(self) -> None:
        """Cover the primary monitor, or return to the previous size and position."""
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
    def hidden(self) -> bool:
        """Whether the window is minimised."""
        return bool(glfw.get_window_attrib(self.handle, glfw.ICONIFIED))

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
        """Show one of the standard cursors; `shapes` maps their names to glfw's constants."""
        shape = shapes.get(kind)
        if shape is not None and shape not in self._cursors:
            self._cursors[shape] = glfw.create_standard_cursor(shape)
        glfw.set_cursor(self.handle, self._cursors[shape] if shape is not None else NO_WINDOW)

    def resized(self) -> None:
        """Clear the cached sizes."""
        self._sizes = None

    def poll(self) -> None:
        """Poll events. Their times are more precise if this is called often during a frame."""
        glfw.poll_events()
        self._looked = time.perf_counter()

    def wait(self, seconds: float) -> None:
        """Sleep until an event comes, at most `seconds`."""
        glfw.wait_events_timeout(seconds)
        self._looked = time.perf_counter()

    @staticmethod
    def wake() -> None:
        """End `wait` from another thread."""
        glfw.post_empty_event()

    def swap(self) -> None:
        glfw.swap_buffers(self.handle)

    @property
    def closing(self) -> bool:
        return bool(glfw.window_should_close(self.handle))

    def close(self, yes: bool = True) -> None:
        """Request closing, or cancel the request."""
        glfw.set_window_should_close(self.handle, yes)

    def destroy(self) -> None:
        """Free the window. glfw itself stays initialized, because a script may have its own windows and contexts."""
        if self.handle:
            glfw.destroy_window(self.handle)
            self.handle = None
