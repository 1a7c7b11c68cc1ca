"""Sliders in double precision. The number is in the middle and the handle moves below it, so that the number can be read during
a drag. A slider may also show the ends of its range, and have a button that resets it.
"""

from __future__ import annotations

import ctypes
from typing import Any

from imgui_bundle import ImVec2, imgui

from . import icons, slider_keys, widgets
from .arithmetic import plain
from .context import Context

# Minimum width of a slider together with the button before it, in text heights.
UNDO_ROOM = 5.0
# Minimum width of a slider with the ends of its range, in text heights.
ENDS_ROOM = 7.5
# Width of the icon that resets a slider, in text heights.
UNDO = 1.3
# Gap between frame and handle in pixels, opacity of the tint up to the handle, and opacity of the handle's line.
SLIDER_MARGIN, FILL, LINE = 2.0, 0.5, 0.35
# Height of the handle, lift of the number above the middle, and space on both sides of the number, in text heights.
HANDLE, LIFT, SIDES = 0.36, 0.14, 0.15
# Start and end of the room for the number in the last slider.
_PLACED = [0.0, 0.0]
# the position of the last slider, as a Bar
_LAST: list[Any] = [None]
# Value, low end and high end of a slider in double precision; ImGui needs their addresses.
_BOX = (ctypes.c_double * 3)()
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p] * 3
_CAPSULE_NAME = ctypes.create_string_buffer(b"nb_handle")
_CAPSULES = [_new_capsule(ctypes.addressof(_BOX) + 8 * i, ctypes.addressof(_CAPSULE_NAME), None) for i in range(3)]


def slider(label: str, value: float, low: float, high: float, form: str = "%.4g") -> float | None:
    """Draw a slider in double precision, filled from zero, with its number above the handle. Ctrl+click types a value, which
    may be beyond the ends.
    """
    _BOX[0], _BOX[1], _BOX[2] = value, low, high
    text = form % plain(value, form)

    # While the user types into this slider, or has Ctrl and the mouse on it, the field shows the number.
    low_corner = imgui.get_cursor_screen_pos()
    high_corner = ImVec2(low_corner.x + imgui.calc_item_width(), low_corner.y + imgui.get_frame_height())
    over = imgui.get_io().key_ctrl and imgui.is_mouse_hovering_rect(low_corner, high_corner)
    inside = over or imgui.get_io().want_text_input and imgui.internal.get_active_id() == imgui.get_id(f"##{label}")
    at, first, last = _CAPSULES
    # ImGui shows a format without a directive unchanged, as text.
    shown = (form if plain(value, form) == value else text) if inside else ""
    for part in (imgui.Col_.slider_grab, imgui.Col_.slider_grab_active):
        imgui.push_style_color(part, 0)
    changed = imgui.slider_scalar(f"##{label}", int(imgui.DataType_.double), at, first, last, shown)
    imgui.pop_style_color(2)

    # Use the new position of the handle, because the model still has the old value.
    value, by_keys = _BOX[0], slider_keys.moved(_BOX[0], low, high)
    value, changed = (value, changed) if by_keys is None else (by_keys, True)
    bar = _LAST[0] = Bar(value, low, high)
    if not _typing():
        _handle(bar)
    if not inside:
        _number(form, value, bar, (low, high))
    return value if changed else None


class Bar:
    """Position of the last slider in pixels, and of its handle for a value."""

    __slots__ = ("bottom", "ends", "half", "handle", "left", "right", "top", "zero")

    def __init__(self, value: float, low: float, high: float) -> None:
        a, b = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        self.left, self.top, self.right, self.bottom = a.x, a.y, b.x, b.y
        self.half = 0.5 * imgui.get_style().grab_min_size
        inset = self.half + SLIDER_MARGIN
        way, first = max(0.0, b.x - a.x - 2 * inset), a.x + inset
        self.ends = first, first + way
        self.handle, self.zero = (
            first + way * min(max((x - low) / (high - low), 0.0), 1.0) if high > low else first for x in (value, 0.0)
        )


def _number(form: str, value: float, bar: Bar, limits: tuple[float, float]) -> None:
    """Write a number into the middle of the last slider. The room for the number and its decimals depend only on the limits,
    and the number is right-aligned in this room. So the digits do not move during a drag.
    """
    room, wide = bar.right - bar.left - 2 * widgets.em(SIDES), 0.0
    head, dot, digits = form.partition("%.")
    most = int(digits[0]) if dot and digits[1:2] == "f" else 0
    for fewer in range(most, -1, -1):
        form = f"{head}%.{fewer}{digits[1:]}" if most else form
        wide = max(imgui.calc_text_size(form % plain(limit, form)).x for limit in limits)
        if wide <= room:
            break
    text = form % plain(value, form)
    size = imgui.calc_text_size(text)
    wide = max(wide, size.x)
    x = 0.5 * (bar.left + bar.right - wide)
    _PLACED[0], _PLACED[1] = x, x + wide
    y = bar.top + 0.5 * (bar.bottom - bar.top - size.y) - widgets.em(LIFT)
    draw = imgui.get_window_draw_list()
    draw.push_clip_rect(ImVec2(bar.left, bar.top), ImVec2(bar.right, bar.bottom), True)
    draw.add_text(ImVec2(max(x + wide - size.x, bar.left), y), imgui.get_color_u32(imgui.Col_.text), text)
    draw.pop_clip_rect()


def undo(help: str) -> bool:
    """Draw a muted icon, before a slider, that resets the slider. Omit the icon if the slider would have no room."""
    if imgui.get_content_region_avail().x < widgets.em(UNDO_ROOM):
        return False
    pressed = back(help)
    imgui.same_line(0, widgets.em(0.2))
    return pressed


def back(help: str) -> bool:
    """Draw a muted icon that resets a value. Return whether it was clicked."""
    style = imgui.get_style()
    imgui.push_style_color(imgui.Col_.button, 0)
    imgui.push_style_color(imgui.Col_.text, style.color_(imgui.Col_.text_disabled))
    imgui.push_style_var(imgui.StyleVar_.frame_border_size, 0.0)
    imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(0, style.frame_padding.y))
    pressed = imgui.button(icons.UNDO, ImVec2(widgets.em(UNDO), 0))
    imgui.pop_style_var(2)
    imgui.pop_style_color(2)
    widgets.tooltip(help)
    return pressed


def _typing() -> bool:
    """Return whether the last item is a slider that has become a text field."""
    return imgui.is_item_active() and imgui.get_io().want_text_input


def _handle(bar: Bar) -> None:
    """Draw the handle of the last slider at its lower edge, on a line. Between zero (or the end nearest to it) and the handle,
    the line is thicker.
    """
    high, low = bar.bottom - SLIDER_MARGIN - widgets.em(HANDLE), bar.bottom - SLIDER_MARGIN
    middle, thick = 0.5 * (high + low), 0.25 * (low - high)
    draw, color = imgui.get_window_draw_list(), imgui.get_color_u32(imgui.Col_.slider_grab)
    a, b = min(bar.zero, bar.handle), max(bar.zero, bar.handle)
    draw.add_line(ImVec2(bar.ends[0], middle), ImVec2(bar.ends[1], middle), imgui.get_color_u32(imgui.Col_.text_disabled, LINE))
    draw.add_rect_filled(
        ImVec2(a, middle - thick), ImVec2(b, middle + thick), imgui.get_color_u32(imgui.Col_.slider_grab, FILL)
    )
    half = bar.half + 0.75 * SLIDER_MARGIN
    draw.add_rect_filled(ImVec2(bar.handle - half, high), ImVec2(bar.handle + half, low), color, 2.0)


def ends(ctx: Context, low: float, high: float) -> None:
    """Write the ends of the range into the last slider, if its number leaves room for both."""
    if _typing():
        return
    bar, size = _LAST[0], 0.78 * imgui.get_font_size()
    pad, top = widgets.em(0.3), bar.top + 0.5 * (bar.bottom - bar.top - size) - widgets.em(LIFT)
    texts = f"{low:.4g}", f"{high:.4g}"
    wide = [0.78 * imgui.calc_text_size(text).x for text in texts]
    if max(2 * sum(wide), widgets.em(ENDS_ROOM)) >= bar.right - bar.left:
        return
    face, draw = imgui.get_font(), imgui.get_window_draw_list()
    color = imgui.get_color_u32(ctx.theme["muted"])
    spots = tuple(zip(texts, (bar.left + pad, bar.right - pad - wide[1]), wide, strict=True))
    # One end alone would look like the number.
    for _text, x, width in spots:
        if x + width + pad > _PLACED[0] and x - pad < _PLACED[1]:
            return
    for text, x, _width in spots:
        draw.add_text(face, size, ImVec2(x, top), color, text)
