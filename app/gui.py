"""ImGui in the window: context, input, fonts, theme, drawing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import glfw  # imported before imgui_bundle, so that the library of the glfw package is used
from imgui_bundle import ImVec2, imgui, implot

from ..ui import theme as themes
from .backend import Backend
from .config import Config
from .window import NO_WINDOW, Window

_C = imgui.MouseCursor_
CURSORS = {
    int(_C.arrow): glfw.ARROW_CURSOR,
    int(_C.text_input): glfw.IBEAM_CURSOR,
    int(_C.resize_ew): glfw.HRESIZE_CURSOR,
    int(_C.resize_ns): glfw.VRESIZE_CURSOR,
    int(_C.hand): glfw.HAND_CURSOR,
    int(_C.resize_all): glfw.CROSSHAIR_CURSOR,
}
OUTSIDE = -3.4e38
# a delay in seconds that never elapses, which disables ImGui's key repeat
NEVER = 1e9


class Gui:
    """An ImGui and an ImPlot context for a window."""

    def __init__(self, window: Window, theme: str, percent: float, wide: bool) -> None:
        self.window = window
        self.context = imgui.create_context()
        self.plots = implot.create_context()

        # The context of another window may be current.
        self.enter()
        io = imgui.get_io()
        io.set_ini_filename("")
        io.config_flags |= imgui.ConfigFlags_.docking_enable
        io.config_windows_move_from_title_bar_only = True
        io.config_drag_click_to_input_text = False

        # The operating system already repeats keys. In a slow frame, ImGui would also repeat a key that has been released,
        # because it has not seen the release yet.
        io.key_repeat_delay = NEVER
        self.backend = Backend(window)
        io.backend_flags |= imgui.BackendFlags_.has_mouse_cursors
        platform = imgui.get_platform_io()

        # An empty clipboard is None, which ImGui's default functions cannot handle.
        platform.platform_get_clipboard_text_fn = lambda _c: pasted(self.fonts)
        platform.platform_set_clipboard_text_fn = lambda _c, text: glfw.set_clipboard_string(NO_WINDOW, text)
        self.fonts = themes.load_fonts()
        self._look: tuple = ()
        self._cursor = -1
        self.theme = self.restyle(theme, percent, wide)

    def restyle(self, theme: str, percent: float, wide: bool) -> themes.Theme:
        """Apply a theme and text size if they changed."""
        look = (theme, percent, self.window.dpi, wide)
        if look != self._look:
            self._look = look
            self.theme = themes.apply(theme, percent, self.window.dpi, wide)
        return self.theme

    @staticmethod
    def smooth(on: bool) -> None:
        """Switch antialiasing of lines and shapes on or off, from the next frame on. It costs a software renderer a sixth of a
        frame.
        """
        style = imgui.get_style()
        style.anti_aliased_lines = style.anti_aliased_fill = on

    # --- frame ----------------------------------------------------------------------------------------------------

    def enter(self) -> None:
        """Make this window's ImGui context current."""
        imgui.set_current_context(self.context)
        implot.set_current_context(self.plots)

    def begin(self, close_popups: bool = False, brief: bool = False) -> None:
        """Start a frame, and optionally close open menus and lists. `brief`: no time passes."""
        self.backend.begin(brief)
        cursor = int(imgui.get_mouse_cursor())
        if cursor != self._cursor:
            self._cursor = cursor
            self.window.set_cursor(cursor, CURSORS)
        imgui.new_frame()
        if close_popups:
            imgui.internal.close_popup_to_level(0, True)

    @staticmethod
    def menu_open() -> bool:
        """Return whether a menu, a list or another popup is open."""
        return bool(imgui.get_current_context().open_popup_stack.size())

    def end(self, under: Callable[[], None] | None = None) -> None:
        """Finish and draw the frame. `under` draws the view below the panels; it may still add ImGui text over the view."""
        if under:
            under()
        imgui.render()
        self.backend.draw()

    @staticmethod
    def skip() -> None:
        """End a frame without drawing it."""
        imgui.end_frame()

    def again(self, under: Callable[[], object]) -> None:
        """Draw a frame with the same panels as the last one. `under` draws the view below them."""
        under()
        self.backend.draw()

    @staticmethod
    def busy() -> bool:
        """Return whether the user is holding an item or a mouse button, or a menu is open."""
        return imgui.is_any_item_active() or imgui.is_any_mouse_down() or Gui.menu_open()

    @staticmethod
    def fill(color: Any) -> None:
        """Paint the window's background."""
        viewport = imgui.get_main_viewport()
        low, size = viewport.pos, viewport.size
        imgui.get_background_draw_list().add_rect_filled(
            low, ImVec2(low.x + size.x, low.y + size.y), imgui.get_color_u32(color)
        )

    # --- input ----------------------------------------------------------------------------------------------------

    def key(self, key: int, scancode: int, action: int, mods: int) -> None:
        if action == glfw.REPEAT:
            self.backend.key(key, False)
        self.backend.key(key, action != glfw.RELEASE)

    def char(self, code: int) -> None:
        self.fonts.see(chr(code))
        self.backend.char(code)

    def move(self, x: float, y: float) -> None:
        imgui.get_io().add_mouse_pos_event(x, y)

    def button(self, button: int, pressed: bool) -> None:
        if 0 <= button < 5:
            imgui.get_io().add_mouse_button_event(button, pressed)

    def wheel(self, dx: float, dy: float) -> None:
        imgui.get_io().add_mouse_wheel_event(dx, dy)

    def focus(self, focused: bool) -> None:
        imgui.get_io().add_focus_event(focused)
        if not focused:
            imgui.get_io().add_mouse_pos_event(OUTSIDE, OUTSIDE)

    @property
    def wants_text(self) -> bool:
        """Whether the user is typing text, in which case keys are not commands."""
        return imgui.get_io().want_text_input

    @property
    def behind(self) -> bool:
        """Whether ImGui has queued input for later frames. It handles rapid changes of a key in separate frames."""
        return len(imgui.get_current_context().input_events_queue) > 0

    def over_panel(self, x: float, y: float) -> bool:
        """Return whether a panel is at this point or has captured the mouse. ImGui's own flag would be that of the last frame,
        so it is updated first.
        """
        imgui.internal.update_hovered_window_and_capture_flags(ImVec2(x, y))
        return imgui.get_io().want_capture_mouse

    # --- layout ---------------------------------------------------------------------------------------------------

    @staticmethod
    def layout() -> str:
        """Return the arrangement of windows as text."""
        return imgui.save_ini_settings_to_memory()

    @staticmethod
    def restore(layout: str) -> None:
        imgui.load_ini_settings_from_memory(layout)

    def close(self) -> None:
        self.enter()
        self.backend.close()
        implot.destroy_context(self.plots)
        imgui.destroy_context(self.context)


def pasted(fonts: themes.Fonts) -> str:
    """Return the text on the clipboard; find fonts for its letters."""
    fonts.see(text := Window.pasted())
    return text


def dressed(window: Window, config: Config) -> Gui:
    """Return an ImGui for a window, styled by the settings."""
    return Gui(window, config["theme"], config["font"], config["spacing"] == "wide")
