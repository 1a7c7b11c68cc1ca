"""The source of the selected element, a part of Element: its attributes in the file, their meaning, and the values of
attributes that are not written.

Edits go into the file; the model is then reloaded with its motion kept.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field
from typing import Any

from imgui_bundle import imgui

from ...engine.description.language.attributes import Attr
from ...engine.description.language.errors import SpecError
from ...engine.description.language.schema import BODY
from ...engine.description.rewrite import origin
from ...engine.description.rewrite.numbers import number_text
from .. import arithmetic, gizmo, icons, source_help, widgets
from ..context import Context, without_place
from ..intents import AddElement, DeleteElement, EditElement, SetSetting, ShowPanel
from ..names import name, owner
from .source import Texts

MODES = ("off", "move", "turn", "scale")
# Attributes that are colors; and factors by which Shift and Ctrl change the effect of a drag on a name.
COLORS = ("rgba", "rgb1", "rgb2", "ambient", "diffuse", "specular", "markrgb")
FINE, COARSE = 0.1, 10.0
PICKER = imgui.ColorEditFlags_.no_inputs | imgui.ColorEditFlags_.no_label | imgui.ColorEditFlags_.float
LABEL = 6.0
# Elements that can be added to a body, with initial attributes; `{}` is replaced by a length that suits the model.
FRESH = {
    "geom": (("size", "{}"),),
    "site": (("size", "{}"),),
    "body": (("pos", "0 0 0"),),
    "joint": (("axis", "0 0 1"),),
    "freejoint": (),
    "camera": (("pos", "0 0 1"),),
    "light": (("pos", "0 0 1"),),
}


@dataclass
class Shown:
    """The source shown for an element: its origin, or why it cannot be edited; texts that are not compiled yet; and an
    attribute to be added.

    `shared` is the same for the default class that the element takes attributes from.
    """

    m: Any
    kind: str
    index: int
    where: origin.Origin | None = None
    refused: str = ""
    notes: list[str] = field(default_factory=list)
    texts: dict[str, str | None] = field(default_factory=dict)
    coming: str = ""
    shared: Shown | None = None


@dataclass
class Attributes:
    """The displayed source, and the current value of a drag on a name."""

    shown: Shown | None = None
    dragged: float = 0.0


def _seen(ctx: Context, name: str) -> None:
    """Record the position of the last item, for traces."""
    if ctx.seen is not None:
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        ctx.seen.element_rows[name] = [0.5 * (low.x + high.x), 0.5 * (low.y + high.y)]


def draw(ctx: Context, kind: str, i: int, wanted: str) -> None:
    """Draw the whole section; `wanted` filters the attributes."""
    state = ctx.scratch.of(Attributes)
    shown = state.shown
    if shown is None or shown.m is not ctx.m or (shown.kind, shown.index) != (kind, i):
        shown = state.shown = look(ctx, kind, i)
    if ctx.seen is not None:
        ctx.seen.element_rows.clear()
    widgets.heading("Source")
    if shown.where is None:
        widgets.muted(ctx, f"Cannot be edited here: {shown.refused}")
        return

    _place(ctx, shown.where)
    _notes(ctx, shown)
    _gizmo(ctx, kind, i)
    _attributes(ctx, shown, shown.where, wanted)
    _more(ctx, shown)

    if shown.shared is not None and shown.shared.where is not None:
        with widgets.ident("class"):
            if imgui.tree_node(f"Class {shown.shared.where.shared}"):
                _place(ctx, shown.shared.where)
                _notes(ctx, shown.shared)
                _attributes(ctx, shown.shared, shown.shared.where, wanted)
                _missing(shown.shared, shown.shared.where)
                imgui.tree_pop()


def _notes(ctx: Context, shown: Shown) -> None:
    """Draw notes on what else an edit changes."""
    for note in shown.notes:
        imgui.push_style_color(imgui.Col_.text, ctx.theme["warn"])
        imgui.text_wrapped(f"{icons.WARNING}  {note}")
        imgui.pop_style_color()


def _attributes(ctx: Context, shown: Shown, where: origin.Origin, wanted: str) -> None:
    """Draw the attributes in the file, and one to be added."""
    for key, text in where.node.attrs.items():
        if widgets.matches(wanted, key) and (attr := where.elem.attrs.get(key)) is not None:
            _attribute(ctx, shown, attr, text)
    if shown.coming:
        attr = where.elem.attrs[shown.coming]
        _attribute(ctx, shown, attr, inherited(where, attr))


def look(ctx: Context, kind: str, i: int) -> Shown:
    """Find the source of an element."""
    found = Shown(ctx.m, kind, i)
    if ctx.passive:
        found.refused = "the model belongs to a script"
        return found
    try:
        found.where = origin.origin_of(ctx.m, kind, i)
        found.notes = origin.consequences(found.where, origin.source_of(found.where)[1], ctx.path)
        found.shared = look_at_class(ctx, kind, i)
    except SpecError as error:
        found.where, found.refused = None, without_place(str(error))
    return found


def look_at_class(ctx: Context, kind: str, i: int) -> Shown | None:
    """Find the source of the default class of an element; None if there is none to edit."""
    found = Shown(ctx.m, kind, i)
    try:
        found.where = origin.class_of(ctx.m, kind, i)
        found.notes = origin.consequences(found.where, origin.source_of(found.where)[1], ctx.path)
    except SpecError:
        # The element itself can still be edited.
        return None
    return found


def _place(ctx: Context, where: origin.Origin) -> None:
    """Draw the tag and its line; a click goes there."""
    inherits = f", class {where.inherits}" if where.inherits else ""
    text = f"<{where.node.tag}>  {os.path.basename(where.file)}, line {where.node.line}{inherits}"
    if widgets.choosable(text, "place"):
        ctx.scratch.of(Texts).go(where.file, where.node.line)
        ctx.emit(ShowPanel("source", True))
    widgets.tooltip(source_help.of_element(where.elem))


def _gizmo(ctx: Context, kind: str, i: int) -> None:
    """Draw the choice of handles in the view."""
    if not gizmo.shown(ctx.m, "move", kind, i):
        return
    widgets.row("handles", LABEL, f"In the view: {', '.join(ctx.hint(f'gizmo_{mode}') for mode in MODES)}; Ctrl makes steps")
    if (new := widgets.choice("handles", MODES.index(ctx.settings["gizmo"]), MODES)) is not None:
        ctx.emit(SetSetting("gizmo", MODES[new]))
    if ctx.settings["gizmo"] in ("move", "turn"):
        widgets.row("axes", LABEL, "Axes of the handles: the world's or the element's own")
        if (new := widgets.choice("axes", ("world", "own").index(ctx.settings["gizmo_axes"]), ("world", "own"))) is not None:
            ctx.emit(SetSetting("gizmo_axes", ("world", "own")[new]))


def _attribute(ctx: Context, shown: Shown, attr: Attr, text: str) -> None:
    """Draw an attribute: its name, its text, and a button to remove it."""
    assert shown.where is not None
    with widgets.ident(attr.name):
        widgets.row(attr.name, LABEL, source_help.of_attribute(shown.where.elem, attr.name))
        text = shown.texts.get(attr.name, text) or ""
        scrubbed = _scrub(ctx, attr, text)
        side = 0.0 if attr.required else imgui.get_frame_height() + imgui.get_style().item_spacing.x
        picked = _color(attr, text)
        imgui.set_next_item_width(imgui.get_content_region_avail().x - side)
        new = _typed(ctx, attr, text)
        # At most one of the three controls returns a new value.
        new = next((found for found in (new, scrubbed, picked) if found is not None), None)
        _seen(ctx, attr.name)
        if new is not None and (new != text or shown.coming == attr.name):
            change(ctx, shown, attr.name, new)
        if attr.required:
            return
        imgui.same_line()
        if widgets.button(icons.CLOSE, "", imgui.get_frame_height(), "Remove this attribute"):
            if shown.coming == attr.name:
                shown.coming = ""
            else:
                change(ctx, shown, attr.name, None)


def _scrub(ctx: Context, attr: Attr, text: str) -> str | None:
    """Let the user change a number by a drag on its name, finer with Shift, coarser with Ctrl. Return the text when the mouse
    is released."""
    if attr.kind != "f" or (value := _one(text)) is None:
        return None

    # The name is in a separate column before the field.
    field, style = imgui.get_cursor_screen_pos(), imgui.get_style()
    high = imgui.get_frame_height()
    left = imgui.get_window_pos().x + style.window_padding.x
    width = field.x - left - style.item_spacing.x
    if width <= 1:
        return None

    here = imgui.get_cursor_pos()
    imgui.set_cursor_screen_pos((left, field.y))
    imgui.set_next_item_allow_overlap()
    imgui.invisible_button("##scrub", (width, high))
    state, io = ctx.scratch.of(Attributes), imgui.get_io()
    out = None
    if imgui.is_item_hovered() or imgui.is_item_active():
        imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
    if imgui.is_item_activated():
        state.dragged = value
    if imgui.is_item_active() and io.mouse_delta.x:
        state.dragged += io.mouse_delta.x * pace(value) * (FINE if io.key_shift else COARSE if io.key_ctrl else 1.0)
    if imgui.is_item_active():
        imgui.set_tooltip(f"{attr.name}  {state.dragged:.5g}\nShift finer, Ctrl coarser")
    if imgui.is_item_deactivated() and state.dragged != value:
        out = f"{state.dragged:.5g}"
    imgui.same_line()
    imgui.set_cursor_pos(here)
    return out


def _one(text: str) -> float | None:
    """Return the value of a text that is one finite number, else None."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def pace(value: float) -> float:
    """Return the change of a number per pixel of a drag: a hundredth of its power of ten."""
    return 10.0 ** (math.floor(math.log10(abs(value))) - 2) if value else 0.01


def _color(attr: Attr, text: str) -> str | None:
    """Draw a field with a color picker before the numbers of `rgba`. Return the text when another color was picked."""
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


def _typed(ctx: Context, attr: Attr, text: str) -> str | None:
    """Draw a text field or a choice of keywords. Return a new text after it is entered; it may be an expression such as
    `pi/2`."""
    words = list(attr.words)
    if words and (text in words or not text) and attr.kind[:4] != "bits":
        picked = widgets.choice("text", words.index(text) if text in words else -1, words)
        return words[picked] if picked is not None else None
    entered, new = imgui.input_text("##text", text, imgui.InputTextFlags_.enter_returns_true)
    if not (entered or imgui.is_item_deactivated_after_edit()):
        return None
    if attr.kind not in ("f", "i") or new == text:
        return new
    try:
        return arithmetic.numbers(new)
    except ValueError:
        # The compiler reports errors in all other texts.
        return new


def change(ctx: Context, shown: Shown, key: str, text: str | None) -> None:
    """Request a new text for an attribute; it is shown until the edited file has been loaded."""
    if shown.texts.get(key, "") == text and key in shown.texts:
        return
    shown.texts[key], shown.coming = text, ""
    ctx.emit(EditElement(shown.kind, shown.index, ((key, text),), bool(shown.where and shown.where.shared)))


def inherited(where: origin.Origin, attr: Attr) -> str:
    """Return the value of an attribute that is not in the file, from its class or by default; empty if no text can express
    it."""
    value = where.element.raw.get(attr.field)
    if attr.alt or value is None or isinstance(value, str):
        return value if isinstance(value, str) and not attr.alt else ""
    if attr.words:
        return next((word for word, number in attr.words.items() if number == value), "")
    try:
        numbers = [float(x) for x in (value if isinstance(value, list | tuple) else [value])]
    except (TypeError, ValueError):
        # The field consists of several attributes, so one text cannot show it.
        return ""
    return " ".join(map(number_text, numbers)) if all(x == x for x in numbers) else ""


def beside(label: str, behind: bool) -> None:
    """Put the next button beside the last one if there is room."""
    style = imgui.get_style()
    if behind:
        imgui.same_line()
        if imgui.calc_text_size(label).x + 2 * style.frame_padding.x > imgui.get_content_region_avail().x:
            imgui.new_line()


def _missing(shown: Shown, where: origin.Origin) -> bool:
    """Draw a list of attributes that can be added; return False if there are none."""
    missing = [key for key in where.elem.attrs if key not in where.node.attrs and key != shown.coming]
    imgui.set_next_item_width(widgets.em(8))
    if missing and imgui.begin_combo("##missing", "+  attribute", imgui.ComboFlags_.height_large):
        for key in missing:
            now = inherited(where, where.elem.attrs[key])
            if imgui.selectable(f"{key}   {now}##{key}", False)[0]:
                shown.coming = key
            widgets.tooltip(source_help.of_attribute(where.elem, key))
        imgui.end_combo()
    return bool(missing)


def _more(ctx: Context, shown: Shown) -> None:
    """Draw buttons for adding attributes and elements, and for deletion."""
    where = shown.where
    assert where is not None
    missing = _missing(shown, where)
    body = owner(ctx.m, shown.kind, shown.index)
    if shown.kind in ("body", "joint", "geom", "site", "camera", "light"):
        beside("+  element", missing)
        if widgets.button("+  element", "", 0.0, f"A new element in the body {name(ctx.m, 'body', body)}"):
            imgui.open_popup("add")

    if imgui.begin_popup("add"):
        for tag, values in FRESH.items():
            if imgui.menu_item(tag, "", False)[0]:
                length = number_text(float(f"{0.3 * float(ctx.m.stat.meansize):.1g}"))
                ctx.emit(AddElement("body", body, tag, tuple((key, text.format(length)) for key, text in values)))
            widgets.tooltip(source_help.of_element(BODY.children[tag]))
        imgui.end_popup()

    beside("Delete", True)
    # The world cannot be deleted.
    imgui.begin_disabled((shown.kind, shown.index) == ("body", 0))
    if widgets.button("Delete", "", 0.0, "Delete the element with all its contents from the file"):
        ctx.emit(DeleteElement(shown.kind, shown.index))
    _seen(ctx, "delete")
    imgui.end_disabled()
