"""Building blocks of panels: rows of label and control, number fields in double precision, filters, grids of check boxes.

Functions take the current value and return the new one, or None if nothing was changed. Widths are in units of the
text height, so that everything follows the text size.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from imgui_bundle import ImVec2, ImVec4, imgui

from . import arithmetic, icons
from .arithmetic import log_step, plain
from .context import Context, Filters, Resized

LABEL = 7.6
# Maximum fraction of a row for its label, and minimum width of a list's column of names.
MOST_LABEL, LEAST_LABEL = 0.5, 5.0
# Fields of a vector narrower than this have thin margins.
NARROW = 3.9
# Significant digits to try for vectors beside and below their label, most digits first.
BESIDE, BELOW = (4, 3), (4, 3, 2)
# Minimum width of a colour's numbers, in text heights.
COLOR_ROOM = 10.5
# Multiple of a frame's padding by which a field is moved closer to the label above it.
CLOSER = 1.4
# Lists longer than this get a filter.
LONG = 20
NUMBER = int(imgui.InputTextFlags_.auto_select_all)
# Positions of the buttons of the current frame, if a trace records them.
TRACED: dict[str, list[float]] | None = None
_NARROW = {"text": ""}
_HOVERED = int(imgui.HoveredFlags_.for_tooltip | imgui.HoveredFlags_.allow_when_disabled)


def em(size: float = 1.0) -> float:
    """Return the pixels of `size` text heights."""
    return size * imgui.get_font_size()


def tooltip(text: str) -> None:
    """Show a text while the mouse rests on the last item."""
    if text and resting():
        imgui.set_tooltip(text)


def resting() -> bool:
    """Return whether the mouse rests on the last item."""
    return imgui.is_item_hovered(_HOVERED)


def row(label: str, width: float = LABEL, help: str = "", most: float = MOST_LABEL) -> None:
    """Draw a label in a column of `width` text heights, at most the fraction `most` of the row; the next item gets the rest."""
    imgui.align_text_to_frame_padding()
    begin = imgui.get_cursor_pos_x()
    room = min(em(width), most * imgui.get_content_region_avail().x)
    clipped(label, room - em(0.4))
    if help:
        tooltip(help)
    imgui.same_line(begin + room)
    imgui.set_next_item_width(-1e-3)


def line_below() -> None:
    """Put the next item on a line of its own, close below the label of its row."""
    imgui.new_line()
    imgui.set_cursor_pos_y(imgui.get_cursor_pos_y() - CLOSER * imgui.get_style().frame_padding.y)
    imgui.set_next_item_width(-1e-3)


def label_column(labels: Sequence[str]) -> float:
    """Return the width in text heights of a column that shows these labels; `row` limits it."""
    longest = sorted(labels, key=len)[-12:]
    return max([LEAST_LABEL, *(imgui.calc_text_size(label).x / em() + 0.6 for label in longest)])


def clipped(text: str, room: float) -> None:
    """Draw one line of text, shortened with dots to fit; its tooltip is the whole text."""
    width = imgui.calc_text_size(text).x
    if width <= room:
        imgui.text_unformatted(text)
        return
    imgui.text_unformatted(shortened(text, room, width))
    tooltip(text)


@lru_cache(4096)
def shortened(text: str, room: float, width: float) -> str:
    """Return the longest part of a text (`width` wide in the current font) that fits into `room`, with dots in place of the
    rest.

    The width is an argument only because it tells the cache which font is in use.

    Phrases lose their end. Names lose their beginning, because names in a model often differ only at the end.
    """
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if imgui.calc_text_size(_without(text, middle)).x <= room:
            low = middle
        else:
            high = middle - 1
    return _without(text, low)


def _without(text: str, kept: int) -> str:
    """Return `kept` characters of a text, and dots in place of the rest."""
    return text[:kept] + "..." if " " in text else "..." + text[len(text) - kept :]


def heading(text: str) -> None:
    """Draw a small title inside a section."""
    imgui.spacing()
    imgui.separator_text(text)


def muted(ctx: Context, text: str, wrap: bool = True) -> None:
    """Draw secondary text."""
    imgui.push_style_color(imgui.Col_.text, ctx.theme["muted"])
    if wrap:
        imgui.push_text_wrap_pos(0.0)
    imgui.text_unformatted(text)
    if wrap:
        imgui.pop_text_wrap_pos()
    imgui.pop_style_color()


def keep_inside(ctx: Context) -> None:
    """If the main window has changed its size, move the current window back into it, unless the current one is docked."""
    if not ctx.scratch.of(Resized).now or imgui.is_window_docked():
        return
    viewport = imgui.get_main_viewport()
    low, room, pos, size = viewport.work_pos, viewport.work_size, imgui.get_window_pos(), imgui.get_window_size()
    fitting = ImVec2(min(size.x, room.x), min(size.y, room.y))
    imgui.set_window_size(fitting)
    imgui.set_window_pos(ImVec2(*(max(a, min(p, a + r - s)) for a, p, r, s in zip(low, pos, room, fitting, strict=True))))


# These context managers are classes, because panels enter them many times per frame.
# After an error they stay open; the handler closes them (see panels.body).


class disabled:
    """Grey out the items inside, and show the reason as their tooltip."""

    __slots__ = ("_when", "_why")

    def __init__(self, when: bool, why: str = "") -> None:
        self._when, self._why = when, why

    def __enter__(self) -> None:
        # Never call `begin_disabled(False)`: ImGui's recovery from errors mistakes it for another call, and makes everything
        # transparent.
        if self._when:
            imgui.begin_disabled()
        imgui.begin_group()

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is not None:
            return
        imgui.end_group()
        if self._when:
            imgui.end_disabled()
            tooltip(self._why)


class ident:
    """Scope the ids of the items inside."""

    __slots__ = ("_name",)

    def __init__(self, name: str | int) -> None:
        self._name: Any = name

    def __enter__(self) -> None:
        imgui.push_id(self._name)

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is None:
            imgui.pop_id()


class font:
    """Use another font or size inside."""

    __slots__ = ("_face", "_scale")

    def __init__(self, face: Any, scale: float = 1.0) -> None:
        self._face, self._scale = face, scale

    def __enter__(self) -> None:
        imgui.push_font(self._face, imgui.get_style().font_size_base * self._scale)

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is None:
            imgui.pop_font()


# --- buttons -----------------------------------------------------------------------------------------------------


def button(label: str, hint: str = "", width: float = 0.0, help: str = "", small: bool = False) -> bool:
    """Draw a push button, or a `small` one as high as text; its chord and help are the tooltip."""
    pressed = imgui.small_button(label) if small else imgui.button(label, ImVec2(width, 0))
    trace(label)
    tooltip("\n".join(t for t in (help, hint) if t))
    return pressed


def icon(code: str, key: str, help: str = "") -> bool:
    """Draw a square button with an icon in its middle."""
    imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(0, imgui.get_style().frame_padding.y))
    pressed = button(f"{code}##{key}", "", imgui.get_frame_height(), help)
    imgui.pop_style_var()
    return pressed


def trace(label: str) -> None:
    """Record the position of the last button, if its middle is not scrolled out of its panel."""
    if TRACED is not None:
        low, size = imgui.get_item_rect_min(), imgui.get_item_rect_size()
        if imgui.is_rect_visible(ImVec2(x := low.x + 0.5 * size.x, y := low.y + 0.5 * size.y), ImVec2(x + 1, y + 1)):
            TRACED[label] = [low.x, low.y, size.x, size.y]


def flowing(label: str, room: float, first: bool = False) -> bool:
    """Draw a small button on the line of the last item if there is room, otherwise on the next line."""
    width = imgui.calc_text_size(label, True).x + 2 * imgui.get_style().frame_padding.x
    right = imgui.get_item_rect_max().x - imgui.get_window_pos().x + imgui.get_style().item_spacing.x
    if not first and right + width <= room:
        imgui.same_line()
    return imgui.small_button(label)


def button_row(ctx: Context, actions: Sequence[tuple[str, str, bool]], columns: int = 2) -> None:
    """Draw buttons that emit the intents of actions (action id, label, enabled), in equal columns, at most `columns`."""
    style = imgui.get_style()
    spacing, room = style.item_spacing.x, imgui.get_content_region_avail().x
    longest = max(imgui.calc_text_size(label).x for _action, label, _enabled in actions) + 2 * style.frame_padding.x
    columns = max(1, min(columns, int((room + spacing) // (longest + spacing))))
    width = (room - spacing * (columns - 1)) / columns
    for i, (action, label, enabled) in enumerate(actions):
        if i % columns:
            imgui.same_line()
        imgui.begin_disabled(not enabled)
        if button(f"{label}##{action}", ctx.tip(action), width):
            ctx.emit(ctx.keys.actions[action].make())
        imgui.end_disabled()


def toggle(label: str, value: bool, hint: str = "") -> bool | None:
    """Draw a check box."""
    changed, new = imgui.checkbox(label, bool(value))
    tooltip(hint)
    return new if changed else None


def check_grid(items: Sequence[tuple[str, bool, str]], change: Callable[[int, bool], None], least: float = 8.5) -> None:
    """Draw check boxes (label, value, tooltip) in as many equal columns as fit. Labels too long for a column are shortened."""
    room = imgui.get_content_region_avail().x
    columns = max(1, min(4, int(room // em(least))))
    if not imgui.begin_table("##checks", columns, imgui.TableFlags_.sizing_stretch_same):
        return
    for i, (label, value, hint) in enumerate(items):
        imgui.table_next_column()
        if (new := toggle(label, value, hint)) is not None:
            change(i, new)
    imgui.end_table()


def number_toggles(values: Sequence[bool], change: Callable[[int, bool], None]) -> None:
    """Draw a row of small numbered toggles, for groups."""
    style = imgui.get_style()
    width = (imgui.get_content_region_avail().x - (len(values) - 1) * 0.5 * style.item_spacing.x) / len(values)
    for i, value in enumerate(values):
        if i:
            imgui.same_line(0, 0.5 * style.item_spacing.x)
        if value:
            imgui.push_style_color(imgui.Col_.button, style.color_(imgui.Col_.slider_grab))
            imgui.push_style_color(imgui.Col_.button_hovered, style.color_(imgui.Col_.slider_grab))
            imgui.push_style_color(imgui.Col_.text, style.color_(imgui.Col_.window_bg))
        if imgui.button(f"{i}", ImVec2(width, 0)):
            change(i, not value)
        if value:
            imgui.pop_style_color(3)


def menu_row(icon: str, text: str, hint: str = "", selected: bool = False, enabled: bool = True) -> bool:
    """Draw a row of a menu with its icon in a column of its own. Return whether it was chosen."""
    return imgui.internal.menu_item_ex(text, icon, hint, selected, enabled)


# --- numbers -----------------------------------------------------------------------------------------------------


def number(label: str, value: float, low: float = -math.inf, high: float = math.inf, form: str = "%.6g") -> float | None:
    """Draw a number field in double precision. Enter or leaving the field commits the value, clamped to [low, high]. The typed
    text may be an expression such as `pi/2`.
    """
    room = imgui.calc_item_width() - 2 * imgui.get_style().frame_padding.x
    short = arithmetic.fitting(form, float(value), lambda text: imgui.calc_text_size(text).x <= room)
    before = short % plain(float(value), short)
    _, text = imgui.input_text(f"##{label}", before, NUMBER)
    edited = imgui.is_item_deactivated_after_edit() and text.strip() != before.strip()
    if short != form:
        tooltip(form % plain(float(value), form))
    if not edited:
        return None
    try:
        new = arithmetic.evaluate(text)
    except ValueError:
        return None
    return min(max(new, low), high) if new != value and math.isfinite(new) else None


def integer(label: str, value: int, low: int, high: int) -> int | None:
    """Draw an integer field with step buttons."""
    _, new = imgui.input_int(f"##{label}", int(value), 1, 10)
    new = min(max(new, low), high)
    if new != value and (imgui.is_item_deactivated_after_edit() or imgui.is_item_edited()):
        return new
    return None


def vector(
    label: str, values: Sequence[float] | np.ndarray, low: float = -math.inf, form: str = "%.5g", columns: int = 0
) -> np.ndarray | None:
    """Draw several numbers in one row, each as wide as in a row of `columns` numbers. Return all when the user commits one."""
    count = len(values)
    spacing = 0.5 * imgui.get_style().item_spacing.x
    columns = columns or count
    width = (imgui.get_content_region_avail().x - (columns - 1) * spacing) / columns
    out = None
    # Narrow fields have thin margins and show fewer digits; the tooltip shows the whole number.
    tight = width < em(NARROW)
    if tight:
        imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(em(0.2), imgui.get_style().frame_padding.y))
    for i, value in enumerate(map(float, values)):
        # Always leave room for a sign, so that a number keeps its decimals when its sign changes.
        sized = -abs(value) if form.endswith("f") else value
        short = arithmetic.fitting(form, sized, lambda text: imgui.calc_text_size(text).x < width - em(0.4)) if tight else form
        if i:
            imgui.same_line(0, spacing)
        imgui.set_next_item_width(width)
        if (new := number(f"{label}{i}", value, low, form=short)) is not None:
            out = np.array(values, float)
            out[i] = new
        if short != form:
            tooltip(form % value)
    if tight:
        imgui.pop_style_var()
    return out


def stepped(label: str, value: float, zero: bool = False) -> float | None:
    """Draw a number field with buttons that step through round values, ten per decade; `zero` allows 0 below 1e-16."""
    height = imgui.get_frame_height()
    spacing = imgui.get_style().item_inner_spacing.x
    imgui.set_next_item_width(max(em(2), imgui.get_content_region_avail().x - 2 * (height + spacing)))
    out = number(label, value, 0.0)
    for text, direction in (("-", -1), ("+", 1)):
        imgui.same_line(0, spacing)
        if imgui.button(f"{text}##{label}", ImVec2(height, height)):
            out = log_step(value, direction, zero)
        trace(f"{text}##{label}")
    return out


def color(label: str, value: Sequence[float], alpha: bool = True) -> list[float] | None:
    """Draw a colour with a picker, below the label of its row if the numbers have no room beside it."""
    if imgui.get_content_region_avail().x < em(COLOR_ROOM):
        line_below()
    flags = imgui.ColorEditFlags_.float | imgui.ColorEditFlags_.alpha_preview_half
    edit = imgui.color_edit4 if alpha else imgui.color_edit3
    changed, new = edit(f"##{label}", ImVec4(*[float(x) for x in value], *[1.0] * (4 - len(value))), flags)
    return [new.x, new.y, new.z, new.w][: len(value)] if changed else None


def choice(label: str, value: int, items: Sequence[str]) -> int | None:
    """Draw a drop-down list of any length, with a filter if the list is long."""
    shown = items[value] if 0 <= value < len(items) else ""
    room = imgui.calc_item_width() - imgui.get_frame_height() - 2 * imgui.get_style().frame_padding.x
    if (width := imgui.calc_text_size(shown).x) > room:
        shown = shortened(shown, room, width)
    picked = None
    if imgui.begin_combo(f"##{label}", shown, imgui.ComboFlags_.height_large):
        wanted = _narrow() if len(items) > LONG else ""
        for i, text in enumerate(items):
            if wanted and not matches(wanted, text):
                continue
            if imgui.selectable(f"{text}##{i}", i == value)[0]:
                picked = i
            if i == value:
                imgui.set_item_default_focus()
        imgui.end_combo()
    return picked if picked != value else None


def _narrow() -> str:
    """Draw the filter of the open list; it is initially empty and receives the keyboard focus."""
    if imgui.is_window_appearing():
        _NARROW["text"] = ""
        imgui.set_keyboard_focus_here()
    imgui.set_next_item_width(-1e-3)
    _, _NARROW["text"] = imgui.input_text_with_hint("##narrow", f"{icons.SEARCH}  Filter", _NARROW["text"])
    return _NARROW["text"].strip().lower()


def radio(value: int, items: Sequence[str]) -> int | None:
    """Draw a few mutually exclusive choices side by side."""
    style = imgui.get_style()
    spacing = 0.5 * style.item_spacing.x
    room = imgui.get_content_region_avail().x - (len(items) - 1) * spacing
    # Use equal widths, unless a longer text needs the room of a shorter one.
    wanted = [imgui.calc_text_size(text).x + style.frame_padding.x for text in items]
    spare = (room - sum(wanted)) / len(items)
    widths = [room / len(items)] * len(items) if max(wanted) * len(items) <= room else [each + spare for each in wanted]
    picked = None
    for i, text in enumerate(items):
        if i:
            imgui.same_line(0, spacing)
        if i == value:
            imgui.push_style_color(imgui.Col_.button, style.color_(imgui.Col_.button_active))
        if imgui.button(text, ImVec2(max(1.0, widths[i]), 0)) and i != value:
            picked = i
        trace(text)
        if i == value:
            imgui.pop_style_color()
    return picked


# --- lists -------------------------------------------------------------------------------------------------------


def filter_box(ctx: Context, name: str, hint: str = "Filter", width: float = -1e-3) -> str:
    """Draw a search field; return the text in lower case."""
    imgui.set_next_item_width(width)
    texts = ctx.scratch.of(Filters).texts
    _, text = imgui.input_text_with_hint(f"##filter_{name}", f"{icons.SEARCH}  {hint}", texts.get(name, ""))
    texts[name] = text
    return text.strip().lower()


def matches(text: str, name: str) -> bool:
    """Return whether all words of the filter occur in the name."""
    if not text:
        return True
    name = name.lower()
    return all(word in name for word in text.split())


def in_groups(groups: np.ndarray, visible: np.ndarray) -> list[int]:
    """Return the ids of elements in visible groups. Groups beyond the last one count as the last."""
    return list(_in_groups(np.ascontiguousarray(groups, np.int32).tobytes(), np.ascontiguousarray(visible, np.uint8).tobytes()))


@lru_cache(16)
def _in_groups(groups: bytes, visible: bytes) -> tuple[int, ...]:
    shown = np.frombuffer(visible, np.uint8)
    return tuple(np.flatnonzero(shown[np.clip(np.frombuffer(groups, np.int32), 0, len(shown) - 1)]).tolist())


def clip(count: int, height: float = -1.0) -> Iterator[int]:
    """Yield the indices of the visible rows among `count` rows of equal height."""
    clipper = imgui.ListClipper()
    clipper.begin(count, height)
    while clipper.step():
        yield from range(clipper.display_start, clipper.display_end)
    clipper.end()


def headers(helps: Sequence[str]) -> None:
    """Draw the header row of a table, after its columns are set up; each column's help is its tooltip."""
    imgui.table_next_row(imgui.TableRowFlags_.headers)
    for i, help in enumerate(helps):
        imgui.table_set_column_index(i)
        imgui.table_header(imgui.table_get_column_name(i))
        tooltip(help)


def choosable(text: str, key: str, selected: bool = False, room: float = 0.0) -> bool:
    """Draw a clickable row of a list or cell of a table, shortened like `clipped`. `room`: width; 0 means the available
    width."""
    width, room = imgui.calc_text_size(text).x, room or imgui.get_content_region_avail().x
    shown = text if width <= room else shortened(text, room, width)
    picked = imgui.selectable(f"{shown}##{key}", selected)[0]
    if shown != text:
        tooltip(text)
    return picked


def value_line(ctx: Context, label: str, text: str, width: float = LABEL) -> None:
    """Draw a label and a value that the user cannot edit."""
    row(label, width)
    with font(ctx.fonts.mono):
        clipped(text, imgui.get_content_region_avail().x)


def vector_line(ctx: Context, label: str, values: Sequence[float] | np.ndarray, width: float = LABEL) -> None:
    """Draw a label and numbers that the user cannot edit, below the label if they do not fit beside it. Numbers that do not fit
    are shown with fewer digits; the tooltip shows more digits.
    """
    row(label, width)
    numbers = [float(x) for x in values]
    with font(ctx.fonts.mono):
        text = arithmetic.joined(numbers, _has_room, BESIDE)
        if not _has_room(text):
            line_below()
            text = arithmetic.joined(numbers, _has_room, BELOW)
        clipped(text, imgui.get_content_region_avail().x)
    tooltip(" ".join(f"{x:.6g}" for x in numbers))


def _has_room(text: str) -> bool:
    return imgui.calc_text_size(text).x <= imgui.get_content_region_avail().x


def numbers(ctx: Context, values: np.ndarray, most: int, digits: int = 5) -> None:
    """Draw the first `most` numbers, in as many columns as fit."""
    flat = np.asarray(values).ravel()
    width = digits + len("-.e-05") + 1
    with font(ctx.fonts.mono):
        across = max(1, int(imgui.get_content_region_avail().x / imgui.calc_text_size("0").x) // width)
        texts = [f"{x:.{digits}g}".ljust(width) for x in flat[:most].tolist()]
        lines = ["".join(texts[i : i + across]).rstrip() for i in range(0, len(texts), across)]
        if flat.size > most:
            lines.append(f"... {flat.size} in all")
        imgui.text_unformatted("\n".join(lines) or "(empty)")
