"""Sliders by keyboard: the arrow keys move the slider that was last clicked, or found by a command, until another item is
clicked.

Left and Right move it by a hundredth of its range; with Shift the step is a tenth of that, with Ctrl ten times as large. Home
and End set it to its limits. Up and Down give the keys to the slider above or below.
"""

from __future__ import annotations

from typing import Any

from imgui_bundle import ImVec2, imgui

STEP, FINE, COARSE = 0.01, 0.1, 10.0
# Thickness and opacity of the frame around the slider that has the keyboard.
RING, SHADE = 2.0, 0.55
KEYS = ("Left", "Right", "Up", "Down", "Home", "End")
# Ids of all sliders that have been drawn.
_SLIDERS: set[int] = set()
# Id and window of the slider drawn last, and whether the next slider gets the keyboard.
_BEFORE: list[Any] = [0, None]
_WANTED = [False]


def want() -> None:
    """Give the keyboard to the next slider that is drawn."""
    _WANTED[0] = True


def focused() -> bool:
    """Return whether a visible slider has the keyboard."""
    context = imgui.get_current_context()
    return bool(context.nav_id_is_alive) and imgui.internal.get_focus_id() in _SLIDERS


def leave() -> None:
    """Make no slider have the keyboard."""
    imgui.get_current_context().nav_id = 0


def moved(value: float, low: float, high: float) -> float | None:
    """Handle the keys for the slider that was just drawn, and frame it if it has the keyboard. Return its new value, or
    None."""
    ident, window = imgui.get_item_id(), imgui.internal.get_current_window()
    before, _BEFORE[:] = tuple(_BEFORE), (ident, window)
    context = imgui.get_current_context()
    if int(context.current_item_flags) & int(imgui.ItemFlags_.disabled):
        return None
    _SLIDERS.add(ident)
    if _WANTED[0]:
        # The key that was pressed to get here must not move this slider as well.
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
    """Return the value after the keys pressed in this frame; None if it does not change."""
    if imgui.is_key_pressed(imgui.Key.home):
        return low
    if imgui.is_key_pressed(imgui.Key.end):
        return high
    way = imgui.is_key_pressed(imgui.Key.right_arrow) - imgui.is_key_pressed(imgui.Key.left_arrow)
    io = imgui.get_io()
    step = STEP * (FINE if io.key_shift else COARSE if io.key_ctrl else 1.0) * (high - low)
    # A value outside the limits can move towards them, but not further away.
    return min(max(value + way * step, min(low, value)), max(high, value)) if way else None


def _give(ident: int, window: Any) -> None:
    """Give the keyboard to a slider, and scroll to it."""
    imgui.internal.focus_window(window)
    imgui.internal.set_focus_id(ident, window)
    if imgui.get_item_id() == ident and not imgui.is_item_visible():
        imgui.set_scroll_here_y(0.5)
