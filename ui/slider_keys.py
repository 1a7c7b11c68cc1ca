"""Sliders by keyboard. The arrow keys move the slider that was last clicked or reached by a command, until the user clicks
another item.

Left and Right move the slider by a hundredth of its range. With Shift, the step is a tenth of that; with Ctrl, it is ten times
as large. Home and End set the slider to its limits. Up and Down give the keyboard focus to the slider above or below.
"""

from __future__ import annotations

from typing import Any

from imgui_bundle import ImVec2, imgui

STEP, FINE, COARSE = 0.01, 0.1, 10.0
# Thickness and opacity of the frame around the slider with the keyboard focus.
RING, SHADE = 2.0, 0.55
KEYS = ("Left", "Right", "Up", "Down", "Home", "End")
# ImGui ids of all sliders that have been drawn.
_SLIDERS: set[int] = set()
# Id and window of the slider that was drawn last; whether the next slider gets the keyboard focus.
_BEFORE: list[Any] = [0, None]
_WANTED = [False]


def want() -> None:
    """Give the keyboard focus to the next slider that is drawn."""
    _WANTED[0] = True


def focused() -> bool:
    """Return whether a visible slider has the keyboard focus."""
    context = imgui.get_current_context()
    return bool(context.nav_id_is_alive) and imgui.internal.get_focus_id() in _SLIDERS


def leave() -> None:
    """Take the keyboard focus away from all sliders."""
    imgui.get_current_context().nav_id = 0


def moved(value: float, low: float, high: float) -> float | None:
    """Handle keys for the slider that was just drawn. If it has the keyboard focus, frame it. Return its new value, or None."""
    ident, window = imgui.get_item_id(), imgui.internal.get_current_window()
    before, _BEFORE[:] = tuple(_BEFORE), (ident, window)
    context = imgui.get_current_context()
    if int(context.current_item_flags) & int(imgui.ItemFlags_.disabled):
        return None
    _SLIDERS.add(ident)
    if _WANTED[0]:
        # Ignore the key that gave this slider the focus; it must not move the slider as well.
        _WANTED[0] = False
        _give(ident, window)
        return None
    if imgui.internal.get_focus_id() != ident or imgui.get_io().want_text_input:
        return None
    a, b = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    rounding, color = imgui.get_style().frame_rounding, imgui.get_color_u32(imgui.Col_.text, SHADE)
    imgui.get_window_draw_list().add_rect(ImVec2(a.x, a.y), ImVec2(b.x, b.y), color, rounding, RING)
    if imgui.is_key_pressed(imgui.Key.down_arrow):
        want()
    elif imgui.is_key_pressed(imgui.Key.up_arrow) and before[0]:
        _give(*before)
    return _changed(value, low, high)


def _changed(value: float, low: float, high: float) -> float | None:
    """Return the value after the keys that were pressed in this frame; None if they do not change it."""
    if imgui.is_key_pressed(imgui.Key.home):
        return low
    if imgui.is_key_pressed(imgui.Key.end):
        return high
    way = imgui.is_key_pressed(imgui.Key.right_arrow) - imgui.is_key_pressed(imgui.Key.left_arrow)
    io = imgui.get_io()
    step = STEP * (FINE if io.key_shift else COARSE if io.key_ctrl else 1.0) * (high - low)
    # From outside the limits, a value can move toward them, but not further away.
    return min(max(value + way * step, min(low, value)), max(high, value)) if way else None


def _give(ident: int, window: Any) -> None:
    """Give the keyboard focus to a slider, and scroll to it."""
    imgui.internal.focus_window(window)
    imgui.internal.set_focus_id(ident, window)
    if imgui.get_item_id() == ident and not imgui.is_item_visible():
        imgui.set_scroll_here_y(0.5)
