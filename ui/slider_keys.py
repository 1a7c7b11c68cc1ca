"""The keyboard on sliders: one that was clicked, or that a command led to, has the arrows until something else is clicked.

Left and right move it by a hundredth of its range, with Shift by a tenth of that, with Ctrl by ten times as much; Home and End
go to its ends, up and down to the slider above and below.
"""

from __future__ import annotations

from typing import Any

from imgui_bundle import ImVec2, imgui

STEP, FINE, COARSE = 0.01, 0.1, 10.0
# thickness and strength of the frame around the slider that has the keys
RING, SHADE = 2.0, 0.55
KEYS = ("Left", "Right", "Up", "Down", "Home", "End")
# identities of all sliders that were drawn
_SLIDERS: set[int] = set()
# the slider before this one with its window; whether the next one gets the keys
_BEFORE: list[Any] = [0, None]
_WANTED = [False]


def want() -> None:
    """The next slider that is drawn gets the keys."""
    _WANTED[0] = True


def focused() -> bool:
    """Whether a slider that is on the screen has the keys."""
    context = imgui.get_current_context()
    return bool(context.nav_id_is_alive) and imgui.internal.get_focus_id() in _SLIDERS


def leave() -> None:
    """No slider has the keys."""
    imgui.get_current_context().nav_id = 0


def moved(value: float, low: float, high: float) -> float | None:
    """After a slider was drawn: frame it if it has the keys, and return the value that they give it."""
    ident, window = imgui.get_item_id(), imgui.internal.get_current_window()
    before, _BEFORE[:] = tuple(_BEFORE), (ident, window)
    context = imgui.get_current_context()
    if int(context.current_item_flags) & int(imgui.ItemFlags_.disabled):
        return None
    _SLIDERS.add(ident)
    if _WANTED[0]:
        # the key that led here is not for this one, too
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
    """What the keys of this frame make of a value; None if they leave it."""
    if imgui.is_key_pressed(imgui.Key.home):
        return low
    if imgui.is_key_pressed(imgui.Key.end):
        return high
    way = imgui.is_key_pressed(imgui.Key.right_arrow) - imgui.is_key_pressed(imgui.Key.left_arrow)
    io = imgui.get_io()
    step = STEP * (FINE if io.key_shift else COARSE if io.key_ctrl else 1.0) * (high - low)
    # a value that lies beyond the ends stays there, unless it comes back
    return min(max(value + way * step, min(low, value)), max(high, value)) if way else None


def _give(ident: int, window: Any) -> None:
    imgui.internal.focus_window(window)
    imgui.internal.set_focus_id(ident, window)
    if imgui.get_item_id() == ident and not imgui.is_item_visible():
        imgui.set_scroll_here_y(0.5)
