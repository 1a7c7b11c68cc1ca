"""Draws one attribute of an element's source: its name, an input for its type, its unit, and a button that resets it to the
default.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import zip_longest

from imgui_bundle import ImVec2, imgui

from ...engine.description.language import about
from ...engine.description.language.attributes import Attr
from ...engine.description.rewrite import origin
from ...engine.description.rewrite.numbers import number_text
from ...engine.description.rewrite.snippet import angle_part
from .. import arithmetic, icons, source_help, widgets
from ..context import Context

# Attributes with colors. Factors of the change for a drag with Shift (FINE) and with Ctrl (COARSE).
COLORS = ("rgba", "rgb1", "rgb2", "ambient", "diffuse", "specular", "markrgb")
FINE, COARSE = 0.1, 10.0
PICKER = imgui.ColorEditFlags_.no_inputs | imgui.ColorEditFlags_.no_label | imgui.ColorEditFlags_.float
LABEL = 6.0
# Letters in front of the numbers of a vector: by the vector's length, and for attributes with another meaning. LETTER is their
# width in text heights.
LETTERS = {2: "12", 3: "xyz", 4: "wxyz"}
OTHERS = {
    "range": "ab",
    "ctrlrange": "ab",
    "forcerange": "ab",
    "rgba": "rgba",
    "size": "123",
    "friction": "123",
    "axisangle": "xyza",
}
AXIS_COLORS = {"x": "bad", "y": "good", "z": "accent"}
LETTER = 0.75
MIXED = "mixed"
# {value of the setting `angles`: factor to radians}, {value: unit}
TO_RADIANS = {"degrees": math.pi / 180, "radians": 1.0}
SIGNS = {"degrees": "deg", "radians": "rad"}
ANGLE_DIGITS = 5
# Numbers of significant digits to try, in order, until the numbers fit.
DIGITS = (6, 5, 4, 3)
# units that are not shown
UNSAID = ("", "-", "any", "quat", "0..1")
UNIT_SIZE = 0.8


@dataclass
class Drag:
    """The current value of the number whose name or letter the user is dragging."""

    value: float = 0.0


@dataclass(frozen=True)
class Value:
    """The text of an attribute. `written`: it is in the file, rather than a default. `mixed`: the selected elements have
    different texts.
    """

    text: str
    written: bool = True
    mixed: bool = False


def draw(ctx: Context, where: origin.Origin, attr: Attr, value: Value) -> tuple[str | None, bool]:
    """Draw an attribute. Return (new text for the file, or None; whether to reset the attribute to its default)."""
    with widgets.ident(attr.name):
        if not value.written:
            imgui.push_style_color(imgui.Col_.text, ctx.theme["muted"])
        widgets.row(attr.name, LABEL, source_help.of_attribute(where.elem, attr.name))
        shown = Shown(ctx, where, attr)
        text = shown.of_file(value.text)
        scrubbed = None if value.mixed else _scrub(ctx, attr, text)
        removable = value.written and not attr.required
        side = imgui.get_frame_height() + imgui.get_style().item_spacing.x if removable else 0.0
        if not value.mixed and wraps(attr, text, imgui.get_content_region_avail().x - side):
            widgets.line_below()
        picked = None if value.mixed else _color(attr, text)
        width = imgui.get_content_region_avail().x - side
        imgui.set_next_item_width(width)
        new = _typed(ctx, attr, "" if value.mixed else text, value.mixed, width)
        _unit(ctx, shown.unit, text)
        if not value.written:
            imgui.pop_style_color()
            widgets.tooltip("This is a default value. A value that you enter is written into the file")
        seen(ctx, attr.name)
        # The user can change only one of the three inputs at a time.
        new = next((found for found in (new, scrubbed, picked) if found is not None), None)
        new = None if new is None or new == text and not value.mixed else shown.to_file(new, text, value.text)
        return new, removable and _reset(ctx, where, attr)


def _reset(ctx: Context, where: origin.Origin, attr: Attr) -> bool:
    """Draw a button that removes an attribute from the file, which resets it to its default. Return whether it was clicked."""
    imgui.same_line()
    default, number = default_of(where, attr), attr.kind in ("f", "i") or bool(attr.words)
    pressed = widgets.icon(icons.UNDO if number else icons.CLOSE, "reset")
    said = f": {default}" if default else ""
    widgets.tooltip(f"Reset to the default{said}" if number else "Remove this attribute")
    seen(ctx, f"reset {attr.name}")
    return pressed


class Shown:
    """The unit in which the numbers of an attribute are shown and, for angles, the factor from the file's unit to it."""

    def __init__(self, ctx: Context, where: origin.Origin, attr: Attr) -> None:
        self.unit = unit_of(where, attr.name)
        raw = where.element.raw
        kinds = {number: word for word, number in where.elem.attrs["type"].words.items()} if "type" in where.elem.attrs else {}
        found = {"type": kinds.get(raw.get("type"), "hinge")} if where.elem.name == "joint" else {}
        self.angles = angle_part(where.elem, attr.name, found)
        self.factor = 1.0
        if self.angles is not None:
            file = "degrees" if where.element.compiler.raw["degree"] else "radians"
            wanted = file if ctx.settings["angles"] == "file" else ctx.settings["angles"]
            self.factor, self.unit = TO_RADIANS[file] / TO_RADIANS[wanted], SIGNS[wanted]

    def of_file(self, text: str) -> str:
        """Convert a text of the file to the text that is shown."""
        values = numbers_of(text)
        if self.factor == 1.0 or self.angles is None or not values:
            return text
        values[self.angles] = [x * self.factor for x in values[self.angles]]
        return " ".join(f"{x:.{ANGLE_DIGITS}g}" for x in values)

    def to_file(self, text: str, shown: str, old: str) -> str:
        """Convert an entered text to the text for the file. Numbers that the user has not changed keep their notation in the
        file.
        """
        values = numbers_of(text)
        if self.factor == 1.0 or self.angles is None or not values:
            return text
        values[self.angles] = [x / self.factor for x in values[self.angles]]
        rows = zip_longest(text.split(), shown.split(), old.split())
        kept = [was if was is not None and new == now else None for new, now, was in rows]
        return " ".join(kept[k] or number_text(x) for k, x in enumerate(values))


def unit_of(where: origin.Origin, key: str) -> str:
    """Return the unit of an attribute's numbers. It is empty if there is none, or if it depends on other elements."""
    unit = (about.of_attribute(where.elem, key) or ("",))[0]
    if unit in UNSAID or unit == "angle":
        return ""
    straight, _, turning = unit.partition(" or ")
    if not turning:
        return unit
    if where.elem.name == "joint":
        slides = where.element.raw.get("type") == where.elem.attrs["type"].words["slide"]
        return straight if slides else "" if turning == "angle" else turning
    return straight if where.elem.name in ("geom", "camera") else ""


def _unit(ctx: Context, unit: str, text: str) -> None:
    """Draw the unit inside the last input field, at its right end, if the text leaves room for it."""
    size = UNIT_SIZE * imgui.get_font_size()
    width, low, high = UNIT_SIZE * imgui.calc_text_size(unit).x, imgui.get_item_rect_min(), imgui.get_item_rect_max()
    room = high.x - low.x - imgui.calc_text_size(text).x - 3 * imgui.get_style().frame_padding.x
    if unit and width < room and not imgui.is_item_active():
        at = ImVec2(high.x - width - imgui.get_style().frame_padding.x, low.y + 0.5 * (high.y - low.y - size))
        imgui.get_window_draw_list().add_text(imgui.get_font(), size, at, ctx.theme.u32("muted"), unit)


def seen(ctx: Context, name: str) -> None:
    """Record the position of the last ImGui item, for traces of the window."""
    if ctx.seen is not None:
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        ctx.seen.element_rows[name] = [0.5 * (low.x + high.x), 0.5 * (low.y + high.y)]


def _scrub(ctx: Context, attr: Attr, text: str) -> str | None:
    """Let the user change a number by dragging its name, or its letter in a vector. Shift makes the change finer, Ctrl coarser.
    Return the new text after the mouse is released.
    """
    values = numbers_of(text) if attr.kind == "f" else []
    if not values or len(values) > 1 and len(values) not in LETTERS:
        return None
    letters = "" if len(values) == 1 else OTHERS.get(attr.name, LETTERS[len(values)])[: len(values)]

    # The name is in a column to the left of the input field.
    field, here, style = imgui.get_cursor_screen_pos(), imgui.get_cursor_pos(), imgui.get_style()
    left = imgui.get_window_pos().x + style.window_padding.x
    room = field.x - left - style.item_spacing.x
    width = room if len(values) == 1 else widgets.em(LETTER)
    if width <= 1 or len(values) > 1 and imgui.calc_text_size(attr.name).x + width * len(values) > room:
        return None
    out = None
    for k, value in enumerate(values):
        x = left if len(values) == 1 else field.x - style.item_spacing.x - width * (len(values) - k)
        with widgets.ident(k):
            new = _handle(ctx, ImVec2(x, field.y), width, f"{attr.name} {letters[k : k + 1]}".rstrip(), value)
        if letters:
            _letter(ctx, ImVec2(x, field.y), width, letters[k])
            seen(ctx, f"{attr.name} {letters[k]}")
        if new is not None:
            words = text.split()
            words[k] = new
            out = " ".join(words)
    imgui.same_line()
    imgui.set_cursor_pos(here)
    return out


def _handle(ctx: Context, at: ImVec2, width: float, title: str, value: float) -> str | None:
    """Draw an invisible handle on which the user can drag a number. Return the number's new text after a drag."""
    imgui.set_cursor_screen_pos(at)
    imgui.set_next_item_allow_overlap()
    imgui.invisible_button("##scrub", ImVec2(width, imgui.get_frame_height()))
    state, io = ctx.scratch.of(Drag), imgui.get_io()
    if imgui.is_item_hovered() or imgui.is_item_active():
        imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
    if imgui.is_item_activated():
        state.value = value
    # The frame in which the button is released has the last motion of the drag.
    if (imgui.is_item_active() or imgui.is_item_deactivated()) and io.mouse_delta.x:
        state.value += io.mouse_delta.x * pace(value) * (FINE if io.key_shift else COARSE if io.key_ctrl else 1.0)
    if imgui.is_item_active():
        imgui.set_tooltip(f"{title}  {state.value:.5g}\nShift finer, Ctrl coarser")
    return f"{state.value:.5g}" if imgui.is_item_deactivated() and state.value != value else None


def _letter(ctx: Context, at: ImVec2, width: float, letter: str) -> None:
    """Draw the letter for one number of a vector."""
    size = UNIT_SIZE * imgui.get_font_size()
    x = at.x + 0.5 * (width - UNIT_SIZE * imgui.calc_text_size(letter).x)
    color = "text" if imgui.is_item_hovered() or imgui.is_item_active() else AXIS_COLORS.get(letter, "muted")
    place = ImVec2(x, at.y + 0.5 * (imgui.get_frame_height() - size))
    imgui.get_window_draw_list().add_text(imgui.get_font(), size, place, ctx.theme.u32(color), letter)


def numbers_of(text: str) -> list[float]:
    """Return the numbers in a text; empty if it contains anything but finite numbers."""
    try:
        values = [float(part) for part in text.split()]
    except ValueError:
        return []
    return values if all(map(math.isfinite, values)) else []


def pace(value: float) -> float:
    """Return the change of a number per pixel of a drag: a hundredth of the number's power of ten."""
    return 10.0 ** (math.floor(math.log10(abs(value))) - 2) if value else 0.01


def _color(attr: Attr, text: str) -> str | None:
    """Draw a color field with a picker, to the left of the numbers of a color. Return the new text after the user has picked a
    color.
    """
    try:
        values = [float(part) for part in text.split()]
    except ValueError:
        return None
    if attr.name not in COLORS or attr.kind != "f" or len(values) not in (3, 4) or not all(map(math.isfinite, values)):
        return None
    value = imgui.ImVec4(*values, *[1.0] * (4 - len(values)))
    _changed, new = imgui.color_edit4("##color", value, PICKER)
    out = None
    if imgui.is_item_deactivated_after_edit():
        out = " ".join(f"{x:.3g}" for x in (new.x, new.y, new.z, new.w)[: len(values)])
    widgets.tooltip("Pick a color")
    imgui.same_line()
    return out


def wraps(attr: Attr, text: str, room: float) -> bool:
    """Return whether a text needs a line of its own: it does not fit into `room`, even with fewer digits."""
    swatch = imgui.get_frame_height_with_spacing() if attr.name in COLORS and numbers_of(text) else 0.0
    return not _listed(attr, text) and not _fits(shrunk(text, room - swatch), room - swatch)


def shrunk(text: str, room: float) -> str:
    """Return numbers with as many digits as fit into a field; with the fewest if even they do not fit."""
    values = numbers_of(text)
    if not values or _fits(text, room):
        return text
    return arithmetic.joined(values, lambda shown: _fits(shown, room), DIGITS)


def _fits(text: str, room: float) -> bool:
    return imgui.calc_text_size(text).x <= room - 2 * imgui.get_style().frame_padding.x


def _listed(attr: Attr, text: str) -> bool:
    """Return whether an attribute is chosen from a list of keywords."""
    return bool(attr.words) and (text in attr.words or not text) and attr.kind[:4] != "bits"


def _typed(ctx: Context, attr: Attr, text: str, mixed: bool, width: float) -> str | None:
    """Draw a text field, or a list if there are keywords. Return the new text once the user has entered it; expressions such as
    `pi/2` are evaluated.
    """
    words = list(attr.words)
    if _listed(attr, text):
        picked = widgets.choice("text", words.index(text) if text in words else -1, words)
        return words[picked] if picked is not None else None

    hint = MIXED if mixed else ""
    # While the user does not type, numbers that are too long are drawn with fewer digits over the empty field.
    short = text if imgui.internal.get_active_id() == imgui.get_id("##text") else shrunk(text, width)
    if short != text:
        imgui.push_style_color(imgui.Col_.text, ctx.theme["clear"])
    entered, new = imgui.input_text_with_hint("##text", hint, text, imgui.InputTextFlags_.enter_returns_true)
    if short != text:
        imgui.pop_style_color()
        _over(short)
        widgets.tooltip(text)

    if not (entered or imgui.is_item_deactivated_after_edit()):
        return None
    if attr.kind not in ("f", "i") or new == text:
        return new
    try:
        return arithmetic.numbers(new)
    except ValueError:
        # Leave other texts unchanged; the compiler reports their errors.
        return new


def _over(text: str) -> None:
    """Write a text into the last field."""
    low, high, pad = imgui.get_item_rect_min(), imgui.get_item_rect_max(), imgui.get_style().frame_padding
    draw = imgui.get_window_draw_list()
    draw.push_clip_rect(low, high, True)
    draw.add_text(ImVec2(low.x + pad.x, low.y + pad.y), imgui.get_color_u32(imgui.Col_.text), text)
    draw.pop_clip_rect()


def default_of(where: origin.Origin, attr: Attr) -> str:
    """Return the value that an attribute has if it is not in the file: that of its class, or the general default. Return an
    empty string if there is none.
    """
    element = where.element
    default = getattr(element, "default", None)
    above = default.parent if default is not None and where.shared else default
    source = above.nearest(element.kind) if above is not None else None
    value = (source.raw if source is not None else element.blank).get(attr.field)
    if attr.alt or value is None or isinstance(value, str):
        return value if isinstance(value, str) and not attr.alt else ""
    if attr.words:
        return next((word for word, number in attr.words.items() if number == value), "")
    try:
        numbers = [float(x) for x in (value if isinstance(value, list | tuple) else [value])]
    except (TypeError, ValueError):
        # Several attributes set this field, so no single text can show it.
        return ""
    return " ".join(map(number_text, numbers)) if all(x == x for x in numbers) else ""
